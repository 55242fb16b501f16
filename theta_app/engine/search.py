"""How the nearest centroid is looked for: the method is chosen by the data's shape, the labels never depend on it."""

import numpy as np

from theta_app.engine import high, low

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


class Directions:
    """The leading principal directions of a sample of the points, for lower bounds of distances in high dimension."""

    def __init__(self, X, theta):
        sample = X[np.linspace(0, len(X) - 1, min(len(X), _SAMPLE)).astype(np.int64)]
        self.middle = sample.mean(axis=0)
        centred = sample - self.middle
        # the Gram matrix is at most 256 x 256, whatever the number of features
        values, vectors = np.linalg.eigh(centred @ centred.T)
        rank = int((values > values[-1] * 1e-12).sum()) if values[-1] > 0 else 0
        vectors = vectors[:, ::-1][:, : min(rank, max(_AXES), X.shape[1])]
        axes = centred.T @ vectors
        self.axes, _ = np.linalg.qr(axes) if axes.shape[1] else (axes, None)
        self.axes = np.ascontiguousarray(self.axes[:, : self._worthwhile(centred, theta)])

    def _worthwhile(self, centred, theta):
        """How many directions make the cheapest search; 0 if comparing in full is cheaper than any bound."""
        flat = centred @ self.axes
        half = len(flat) // 2
        steps = np.cumsum((flat[:half] - flat[half : 2 * half]) ** 2, axis=1)
        D = centred.shape[1]
        cheapest, best = 0, _WHOLE_COST * D
        for count in _AXES:
            if half and count <= self.axes.shape[1] and count < D:
                reached = np.mean(steps[:, count - 1] <= theta * theta)
                cost = count + 1 + reached * _WHOLE_COST * D
                if cost < best:
                    cheapest, best = count, cost
        return cheapest

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

    X is a C-ordered float64 array whose squared distances neither overflow nor vanish (see `scaling`). `method` forces
    one of "cells" (1 to 3 features), "bounded" and "plain"; by default the shape of the data chooses.
    """

    def __init__(self, X, theta, method=None, directions=None):
        self.X = X
        self.theta = theta
        self.limit_sq = largest_square(theta)
        D = X.shape[1]
        if method is None:
            method = CELLS if D <= low.MAX_DIMENSIONS else BOUNDED if D >= _BOUNDED_FROM else PLAIN
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
            return low.tsg_low(self.X, order, self.theta, self.limit_sq)
        if self.method == BOUNDED:
            return high.tsg_bounded(
                self.X, order, self.limit_sq, self.flat, self.left, self.directions.middle, self.slack
            )
        return high.tsg_plain(self.X, order, self.limit_sq)

    def nearest(self, centroids):
        """Index of the nearest centroid of every point; on a tie the lowest."""
        if self.method == CELLS:
            return low.nearest_low(self.X, centroids, self.theta)
        if self.method == BOUNDED:
            flat, left = self.directions.flatten(centroids)
            columns = np.ascontiguousarray(np.column_stack([flat, left]).T)
            return high.nearest_bounded(self.X, centroids, self.flat, self.left, columns, self.slack)
        return high.nearest_plain(self.X, centroids)
