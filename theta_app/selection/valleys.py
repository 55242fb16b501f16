"""Is there a valley between two clusters? Whether points grow sparse towards the boundary of a clustering.

Any clustering cuts the data somewhere. Between real clusters points are sparse there; where one cloud was cut in two
they are as dense as everywhere, or denser. Measured from the nearest neighbours of a fair sample, so it means the same
in two features and in fifty.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from theta_app.engine import Cancel, Metric, affordable, at_boundaries, fair_sample, nearest_others, peaks, validation
from theta_app.engine.stopping import new_flag, stoppable

POINTS = 5000  # whose neighbours are looked at
NEIGHBOURS = 10
NEIGHBOURS_ON_A_LINE = 50  # one feature: only those left and right count, and ten of them are sparse by chance
FLAT = 0.1  # a boundary less sparse than this is no valley: what noise gives
FEW_COLUMNS = 3  # so few are all counted as dimensions, and distances in them need no map


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
    """Points of a data set and their neighbour graph.

    Attributes
    ----------
    indices : (m,) array
        Rows of the data set.
    pairs : (e, 2) array
        Positions in `indices` of points that are among each other's nearest neighbours.
    radius : (m,) array
        Distance to the farthest of those neighbours: large where points are sparse.
    dimension : float
        Over how many dimensions points spread around a point: density goes with distances to this power. The number
        of columns up to three, at most that number above: correlated columns are fewer in truth.
    """

    indices: np.ndarray
    pairs: np.ndarray
    radius: np.ndarray
    dimension: float

    @cached_property
    def sparser(self) -> np.ndarray:
        """Positions from the smallest radius to the largest."""
        return np.argsort(self.radius, kind="stable")

    def peaks(self, depth: float) -> np.ndarray:
        """(m,) labels, 0, 1, ...: what neighbours join, but not where density falls by `depth` or more."""
        lengths = self.radius[self.pairs].max(axis=1, initial=0.0)
        shortest_first = np.argsort(lengths, kind="stable")
        return peaks(self.pairs[shortest_first], lengths[shortest_first], self.radius, depth)

    def valley(self, labels: np.ndarray) -> Valley:
        """The `Valley` of a clustering of the whole data set, labels (n,), whole numbers from 0."""
        labels = np.asarray(labels)[self.indices].astype(np.int64)
        steep, boundary = at_boundaries(labels, int(labels.max()) + 1, self.pairs, self.radius, self.sparser)
        if len(steep) == 0:
            return Valley(np.inf, 0.0)
        codes = np.unique(boundary, return_inverse=True)[1]
        counts = np.bincount(codes)
        depths = np.bincount(codes, weights=steep) / counts
        return Valley(float(steep.mean()), float(counts[depths < FLAT].sum() / len(labels)))


def neighbourhoods(
    X: np.ndarray,
    *,
    metric: str | Metric = "euclidean",
    p: float | None = None,
    radius: float | None = None,
    cancel: Cancel | None = None,
) -> Neighbourhoods:
    """The `Neighbourhoods` of X, an array of shape (n, d): of a fair sample of at most 5,000 points.

    Fewer where distances take long. `metric`, `p`, `radius` and `cancel` as for `theta_app.engine.tdg`.
    """
    X, metric = validation.points(X), Metric.of(metric, p, radius)
    indices = fair_sample(len(X), affordable(min(len(X), POINTS), X.shape[1], metric.p))
    chosen, power = validation.scaled(metric.coordinates(X[indices]))
    m, columns = len(chosen), X.shape[1]
    on_a_line = min(NEIGHBOURS_ON_A_LINE, m // 20)
    k = min(NEIGHBOURS if X.shape[1] > 1 else max(NEIGHBOURS, on_a_line), m - 1)
    if k == 0:
        return Neighbourhoods(indices, np.empty((0, 2), dtype=np.int64), np.zeros(m), float(columns))
    stop = new_flag()
    with stoppable(cancel, stop):
        distances, near = nearest_others(chosen, np.arange(m), k, metric.p, stop)
    start = np.repeat(np.arange(m), k)
    there, back = start * m + near.ravel(), near.ravel() * m + start
    mutual = np.isin(there, back, assume_unique=True) & (start < near.ravel())
    pairs = np.column_stack([start, near.ravel()])[mutual]
    dimension = float(columns) if columns <= FEW_COLUMNS else min(float(columns), _dimension(distances))
    return Neighbourhoods(indices, pairs, metric.along(distances[:, -1]) / power, dimension)


def _dimension(distances: np.ndarray) -> float:
    """The dimension in which points spread, from ascending distances (m, k) to neighbours (Levina and Bickel 2004).

    Around a point of a cloud, log(radius / distance of a neighbour) is exponential, and its mean is one by the
    dimension: the mean of all points is taken. Infinite where nothing can be said.
    """
    logs = np.log(distances[distances[:, 0] > 0])
    mean = float((logs[:, -1:] - logs[:, :-1]).mean()) if logs.size and logs.shape[1] > 1 else 0.0
    return max(1.0, 1.0 / mean) if mean > 0 else np.inf
