"""How the nearest centroid is looked for: the method is chosen by the data's shape, the labels never depend on it."""

import weakref

import numpy as np

from theta_app.engine import bounds, cells
from theta_app.engine.validation import read_only

PLAIN, CELLS, BOUNDED = "plain", "cells", "bounded"

_BOUNDED_FROM = 8  # features: below, a bound costs as much as the distance
_AXES = (2, 4, 8, 16, 32, 64)  # numbers of principal directions worth trying
_SAMPLE = 256  # points that choose the directions
_WHOLE_COST = 0.6  # of looking at a coordinate in a full distance, against one in a bound


def largest_square(theta):
    """The largest double whose rounded square root is at most `theta`: d <= θ becomes d² <= this, exactly."""
    square = theta * theta
    if np.isinf(square):
        return np.finfo(np.float64).max
    while np.sqrt(square) > theta:
        square = np.nextafter(square, 0.0)
    while np.sqrt(np.nextafter(square, np.inf)) <= theta:
        square = np.nextafter(square, np.inf)
    return square


class _Axes:
    """Principal axes of a sample of the points, and where the sample lies on them."""

    def __init__(self, X):
        sample = X[np.linspace(0, len(X) - 1, min(len(X), _SAMPLE)).astype(np.int64)]
        self.middle = sample.mean(axis=0)
        centred = sample - self.middle
        # the Gram matrix is at most 256 x 256, whatever the number of features
        values, vectors = np.linalg.eigh(centred @ centred.T)
        rank = int((values > values[-1] * 1e-12).sum()) if values[-1] > 0 else 0
        vectors = vectors[:, ::-1][:, : min(rank, max(_AXES), X.shape[1])]
        self.axes = np.linalg.qr(centred.T @ vectors)[0] if vectors.shape[1] else np.empty((X.shape[1], 0))
        flat = centred @ self.axes
        half = len(flat) // 2
        # squared distances of pairs of sample points, seen in the first axis, the first two, ...
        self.seen = np.cumsum((flat[:half] - flat[half : 2 * half]) ** 2, axis=1)

    def worthwhile(self, theta):
        """How many axes make the cheapest search; 0 if comparing in full is cheaper than any bound."""
        D = len(self.middle)
        cheapest, best = 0, _WHOLE_COST * D
        for count in _AXES:
            if len(self.seen) and count <= self.axes.shape[1] and count < D:
                reached = np.mean(self.seen[:, count - 1] <= theta * theta)
                cost = count + 1 + reached * _WHOLE_COST * D
                if cost < best:
                    cheapest, best = count, cost
        return cheapest


# A sweep asks for the same axes at every θ. An array changed in place meanwhile does no harm: any axes give valid
# bounds, only looser ones.
_known_axes = {}


def _axes_of(X):
    key = id(X)
    known = _known_axes.get(key)
    if known is None or known[0]() is not X:
        known = weakref.ref(X, lambda _: _known_axes.pop(key, None)), _Axes(X)
        _known_axes[key] = known
    return known[1]


class Directions:
    """The principal directions worth using at θ, for lower bounds of distances in high dimension."""

    def __init__(self, X, theta):
        known = _axes_of(X)
        self.middle = known.middle
        self.axes = np.ascontiguousarray(known.axes[:, : known.worthwhile(theta)])

    def __len__(self):
        return self.axes.shape[1]

    def flatten(self, X):
        """(coordinates in the directions, length of what they leave out) of each row of X."""
        flat = np.empty((len(X), len(self)))
        left = np.empty(len(X))
        for start in range(0, len(X), 4096):  # in blocks: a centred copy of all of X would double the memory
            block = X[start : start + 4096] - self.middle
            flat[start : start + 4096] = block @ self.axes
            left[start : start + 4096] = np.einsum("ij,ij->i", block, block)
        left -= np.einsum("ij,ij->i", flat, flat)
        return flat, np.sqrt(np.maximum(left, 0.0))


class Search:
    """TSG passes and nearest centroids over one data set at one θ.

    X is a C-ordered float64 array whose squared distances neither overflow nor vanish (see `validation.scaled`).
    `method` forces one of "cells" (1 to 3 features), "bounded" and "plain"; by default the data's shape chooses.
    """

    def __init__(self, X, theta, method=None, directions=None):
        self.X = read_only(X)
        self.theta = theta
        self.limit_sq = largest_square(theta)
        D = X.shape[1]
        if method is None:
            method = CELLS if D <= cells.MAX_DIMENSIONS else BOUNDED if D >= _BOUNDED_FROM else PLAIN
        if method == BOUNDED:
            self.directions = Directions(X, theta) if directions is None else directions
            if len(self.directions) == 0:
                method = PLAIN
            else:
                self.flat, self.left = self.directions.flatten(X)
                # far above what D additions of squares of this size can lose to rounding
                reach = np.sqrt(np.max(np.einsum("ij,ij->i", X, X)))
                self.slack = 64.0 * D * np.finfo(np.float64).eps * reach * reach
        self.method = method

    def over(self, X):
        """The same search over other points: centroids of a first pass, say."""
        directions = self.directions if self.method == BOUNDED else None
        return Search(X, self.theta, self.method, directions)

    def group(self, order):
        """One TSG pass over the points in `order`: (labels, centroids, sizes)."""
        if self.method == CELLS:
            return cells.tsg_cells(self.X, order, self.theta, self.limit_sq)
        if self.method == BOUNDED:
            return bounds.tsg_bounded(
                self.X, order, self.limit_sq, self.flat, self.left, self.directions.middle, self.slack
            )
        return bounds.tsg_plain(self.X, order, self.limit_sq)

    def nearest(self, centroids):
        """Index of the nearest centroid of every point; on a tie the lowest."""
        centroids = np.require(centroids, requirements="CW")  # one type for kernels; a copy only if it must be
        if self.method == CELLS:
            return cells.nearest_cells(self.X, centroids, self.theta)
        if self.method == BOUNDED:
            flat, left = self.directions.flatten(centroids)
            columns = np.ascontiguousarray(np.column_stack([flat, left]).T)
            return bounds.nearest_bounded(self.X, centroids, self.flat, self.left, columns, self.slack)
        return bounds.nearest_plain(self.X, centroids)
