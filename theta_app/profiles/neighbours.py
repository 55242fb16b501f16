"""The nearest other cluster, and what would make one of the two."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from theta_app.engine import EUCLIDEAN, Metric, SpanningTree, closest_pair, members
from theta_app.engine.validation import read_only

_TREE_DIMENSIONS = 8  # up to so many a tree finds the closest pair; of more all pairs are looked at
_GAP_WORK = 2e9  # multiplications that these may cost: about half a second


@dataclass(frozen=True)
class Neighbour:
    """The nearest other cluster."""

    cluster: int
    distance: float  # between the means of the two
    gap: float  # between their closest two points; NaN where finding them would take long


def nearest_cluster(X: np.ndarray, labels: np.ndarray, cluster: int, metric: Metric = EUCLIDEAN) -> Neighbour | None:
    """The `Neighbour` of a cluster, the one with the nearest centroid (the lower number on a tie); None if alone."""
    labels = np.asarray(labels)
    K = int(labels.max()) + 1
    sizes = np.bincount(labels, minlength=K)
    if (sizes > 0).sum() < 2:
        return None
    # squares of very large values must stay finite; directions have no such, and degrees are no multiples
    unit = 1.0 if metric.directions is not None else np.abs(X).max() or 1.0
    scaled = np.asarray(X, dtype=float) / unit
    centroids = metric.rows(members(read_only(metric.coordinates(scaled)), labels.astype(np.int32), K, metric)[0])
    distances, there = np.full(K, np.inf), sizes > 0
    distances[there] = metric.between(centroids[there], centroids[cluster])
    distances[cluster] = np.inf
    other = int(np.argmin(distances))
    gap = _gap(scaled[labels == cluster], scaled[labels == other], metric)
    return Neighbour(other, float(distances[other] * unit), gap * unit)


def _gap(mine: np.ndarray, theirs: np.ndarray, metric: Metric) -> float:
    """The distance of the closest two points of two groups."""
    both = np.concatenate([mine, theirs])
    if both.shape[1] > _TREE_DIMENSIONS and len(mine) * len(theirs) * both.shape[1] > _GAP_WORK:
        return float("nan")
    sides = np.repeat([0, 1], [len(mine), len(theirs)])
    return closest_pair(both, sides, metric=metric).distance  # type: ignore[union-attr]


def joining_theta(clusterings: Mapping[float, np.ndarray], theta: float, first: int, second: int) -> float | None:
    """The smallest θ above ``theta`` of a sweep at which two rows share a cluster; None where no swept θ does that.

    ``clusterings`` maps θ to labels (n,); ``first`` and ``second`` are positions.
    """
    above = sorted(value for value in clusterings if value > theta)
    return next((value for value in above if clusterings[value][first] == clusterings[value][second]), None)


def joining_epsilon(tree: SpanningTree, first: int, second: int) -> float | None:
    """What ε has to exceed for two centroids to be in one chain: the longest edge of the tree between them."""
    if first == second:
        return 0.0
    chain = np.arange(tree.n_centroids)
    for (a, b), length in zip(tree.edges, tree.lengths):
        chain[chain == chain[b]] = chain[a]
        if chain[first] == chain[second]:
            return float(length)
    return None
