"""How well each point fits its cluster: its silhouette, 1 well inside, 0 between two, below 0 nearer to another."""

import numpy as np

from theta_app.engine import EUCLIDEAN, Metric, fair_sample

WHOLE = 2_500  # points: up to so many, distances to all of them are taken
MEMBERS = 2_500  # of more points, distances to so many in all, ...
LEAST = 8  # ... and at least so many of a cluster
MOST = 8_000  # beyond, clusters are so small that the number says nothing
_BLOCK = 1024


def point_silhouettes(
    X: np.ndarray, labels: np.ndarray, rows: np.ndarray | None = None, metric: Metric = EUCLIDEAN
) -> np.ndarray:
    """The silhouette (m,) of points (n, d) with labels (n,) from 0 on; of those at ``rows``, by default of all.

    Exact up to `WHOLE` points; of more, mean distances to a cluster are those to a fair sample of its members. NaN
    where there is one cluster only, 0 for a point alone, and NaN for all where clusters are too many.
    """
    X, labels = np.asarray(X, dtype=float), np.asarray(labels)
    rows = np.arange(len(X)) if rows is None else np.asarray(rows)
    K = int(labels.max()) + 1
    reference = _reference(labels, K)
    if K < 2 or reference is None:
        return np.full(len(rows), np.nan)
    unit = np.abs(X).max() or 1.0
    X = X / unit
    sizes = np.bincount(labels[reference], minlength=K)
    present = np.flatnonzero(sizes)
    starts = (np.cumsum(sizes) - sizes)[present]
    is_reference = np.zeros(len(X), dtype=bool)
    is_reference[reference] = True
    found = np.empty(len(rows))
    for start in range(0, len(rows), _BLOCK):
        part = rows[start : start + _BLOCK]
        sums = np.zeros((len(part), K))
        sums[:, present] = np.add.reduceat(metric.distances(X[part], X[reference]), starts, axis=1)
        found[start : start + _BLOCK] = _of(sums, sizes, labels[part], is_reference[part])
    alone = np.bincount(labels, minlength=K)[labels[rows]] == 1
    found[alone] = 0.0
    return found


def silhouettes_of_many(
    X: np.ndarray, labels: np.ndarray, metric: Metric = EUCLIDEAN, most: int = 20_000
) -> np.ndarray:
    """`point_silhouettes` of at most `most` points, a fair sample; every other point has the mean of its cluster's.

    NaN where the sample has none of its cluster.
    """
    rows = fair_sample(len(X), most)
    found = point_silhouettes(X, labels, rows, metric)
    counts = np.bincount(labels[rows], minlength=int(labels.max()) + 1)
    with np.errstate(invalid="ignore"):
        means = np.bincount(labels[rows], weights=found, minlength=len(counts)) / counts
    spread = means[labels]
    spread[rows] = found
    return spread


def _of(sums: np.ndarray, sizes: np.ndarray, own: np.ndarray, itself: np.ndarray) -> np.ndarray:
    """From sums of distances to each cluster's reference points; ``itself``: whether a point is one of them."""
    at = np.arange(len(own))
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.where(sizes > 0, sums / sizes, np.inf)
        inside = sums[at, own] / (sizes[own] - itself)
        means[at, own] = np.inf
        outside = means.min(axis=1)
        larger = np.maximum(inside, outside)
        return np.where(larger > 0, (outside - inside) / larger, 0.0)


def _reference(labels: np.ndarray, K: int) -> np.ndarray | None:
    """Positions of the points that distances are taken to, cluster by cluster; None where they would be too many."""
    n = len(labels)
    if n <= WHOLE:
        return np.argsort(labels, kind="stable")
    if K * LEAST > MOST:
        return None
    order = np.argsort(labels, kind="stable")
    ends = np.cumsum(np.bincount(labels, minlength=K))
    chosen = []
    for end, size in zip(ends, np.diff(ends, prepend=0)):
        members = order[end - size : end]
        chosen.append(members[fair_sample(size, max(LEAST, round(MEMBERS * size / n)))])
    return np.concatenate(chosen)
