"""Is there a valley between two clusters? Whether points grow sparse towards the boundary of a clustering.

Any clustering cuts the data somewhere. Between real clusters points are sparse there; where one cloud was cut in two
they are as dense as everywhere, or denser. Measured from the nearest neighbours of a fair sample, so it means the same
in two features and in fifty.
"""

from dataclasses import dataclass

import numpy as np

from theta_app.engine import fair_sample, norms, validation

POINTS = 5000  # whose neighbours are looked at
NEIGHBOURS = 10
NEIGHBOURS_ON_A_LINE = 50  # one feature: only those left and right count, and ten of them are sparse by chance
FLAT = 0.1  # a boundary less sparse than this is no valley: what noise gives

_STEEPEST = 2.0  # logarithms beyond this say no more than "far"; duplicates have no finite one


@dataclass(frozen=True)
class Valley:
    """How a clustering's boundaries look.

    Attributes
    ----------
    depth : float
        How much farther apart points at the boundaries are than inside the clusters they part, the mean logarithm of
        the ratio: 0 where boundaries cut through a cloud, 0.7 where points are twice as far apart. Infinite where no
        neighbours are in different clusters.
    flat : float
        Share of the points that lie at a boundary without a valley.
    """

    depth: float
    flat: float


@dataclass(frozen=True, eq=False)
class Neighbourhoods:
    """Points of a data set and who is near whom.

    Attributes
    ----------
    indices : (m,) array
        Rows of the data set.
    pairs : (e, 2) array
        Positions in `indices` of points that are among each other's nearest neighbours.
    radius : (m,) array
        Distance to the farthest of those neighbours: large where points are sparse.
    """

    indices: np.ndarray
    pairs: np.ndarray
    radius: np.ndarray

    def valley(self, labels):
        """The `Valley` of a clustering of the whole data set, labels (n,), any integers."""
        labels = np.unique(np.asarray(labels)[self.indices], return_inverse=True)[1]
        sides = labels[self.pairs]
        across = np.flatnonzero(sides[:, 0] != sides[:, 1])
        if len(across) == 0:
            return Valley(np.inf, 0.0)
        K = int(labels.max()) + 1
        boundary = np.sort(sides[across], axis=1) @ np.array([K, 1])  # a number for each pair of clusters
        at, first = np.unique(self.pairs[across].ravel(), return_index=True)
        boundary, steep = np.repeat(boundary, 2)[first], self._steepness(labels, at, sides[across].ravel(), first)
        codes = np.unique(boundary, return_inverse=True)[1]
        counts = np.bincount(codes)
        depths = np.bincount(codes, weights=steep) / counts
        return Valley(float(steep.mean()), float(counts[depths < FLAT].sum() / len(labels)))

    def _steepness(self, labels, at, ends, first):
        """Of points at a boundary: how much larger their radius is than usual in the sparser of the two clusters."""
        usual = _medians(self.radius, labels)
        other = ends[first ^ 1]  # ends come in twos: one of each pair, then the other
        reference = np.maximum(usual[labels[at]], usual[other])
        with np.errstate(divide="ignore", invalid="ignore"):
            steep = np.log(self.radius[at] / reference)
        return np.clip(np.nan_to_num(steep, nan=0.0), -_STEEPEST, _STEEPEST)


def neighbourhoods(X, *, metric="euclidean", p=None):
    """The `Neighbourhoods` of X, an array of shape (n, d): of a fair sample of at most 5,000 points.

    `metric` and `p` as for `theta_app.engine.tsg`.
    """
    X = validation.points(X)
    indices = fair_sample(len(X), POINTS)
    chosen, power = validation.scaled(X[indices])
    m = len(chosen)
    on_a_line = min(NEIGHBOURS_ON_A_LINE, m // 20)
    k = min(NEIGHBOURS if X.shape[1] > 1 else max(NEIGHBOURS, on_a_line), m - 1)
    if k == 0:
        return Neighbourhoods(indices, np.empty((0, 2), dtype=np.int64), np.zeros(m))
    distances, near = _nearest(chosen, k, norms.norm(metric, p))
    start = np.repeat(np.arange(m), k)
    there, back = start * m + near.ravel(), near.ravel() * m + start
    mutual = np.isin(there, back, assume_unique=True) & (start < near.ravel())
    pairs = np.column_stack([start, near.ravel()])[mutual]
    return Neighbourhoods(indices, pairs, distances[:, -1] / power)


def _nearest(X, k, norm):
    """(distances, positions) of the k nearest other points of each, (m, k), ascending."""
    if X.shape[1] <= 8:
        from scipy.spatial import cKDTree

        distances, near = cKDTree(X).query(X, k=k + 1, p=norm)
        own = near == np.arange(len(X))[:, None]
        own[~own.any(axis=1), -1] = True  # among many duplicates a point need not be its own first neighbour
        keep = ~own
        return distances[keep].reshape(len(X), k), near[keep].reshape(len(X), k)
    from scipy.spatial.distance import cdist

    distances, near = np.empty((len(X), k)), np.empty((len(X), k), dtype=np.int64)
    for start in range(0, len(X), 500):
        stop = min(start + 500, len(X))
        block = cdist(X[start:stop], X, **norms.scipy_options(norm))
        block[np.arange(stop - start), np.arange(start, stop)] = np.inf
        closest = np.argpartition(block, k - 1, axis=1)[:, :k]
        far = np.take_along_axis(block, closest, axis=1)
        order = np.argsort(far, axis=1, kind="stable")
        near[start:stop] = np.take_along_axis(closest, order, axis=1)
        distances[start:stop] = np.take_along_axis(far, order, axis=1)
    return distances, near


def _medians(values, labels):
    """The (upper) median of the values with each label 0, 1, ..."""
    order = np.lexsort((values, labels))
    sizes = np.bincount(labels)
    starts = np.cumsum(sizes) - sizes
    return values[order][starts + sizes // 2]
