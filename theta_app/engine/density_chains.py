"""Chains by density: TNC that separates clusters where points are sparse, however dense each of them is.

The core of a centroid is the distance at which it holds m points: small where points are dense. Two centroids are
linked by the largest of three lengths: the distance between them and both their cores. Links are taken shortest first
(among equals those of the lowest centroid indices), as in a spanning tree. Each joins two sides, and its depth says how
far density falls on the way: log(length / core), with the core of the densest centroid of a side, and of the two sides
the one where that is less dense; so a far outlier, or the fringe of a cluster, is no side of its own. Chains are what
links of a depth below ε hold together. ε has no unit: one value separates clusters of different density.
"""

import numpy as np
from numpy.typing import ArrayLike

from theta_app.engine import norms, validation
from theta_app.engine.compiled import njit
from theta_app.engine.metric import Metric
from theta_app.engine.orders import in_turn
from theta_app.engine.spanning_tree import SpanningTree
from theta_app.engine.stopping import Cancel, new_flag, stoppable


@njit(cache=True, nogil=True)
def _distance(A: np.ndarray, i: int, B: np.ndarray, k: int, p: float, unit: bool) -> float:
    """Distance between rows of A and B, as TSG measures it; of unit vectors its square, which grows with theirs."""
    far = norms.comparable(A, i, B, k, p, np.inf)
    return np.sqrt(far) if p == 2.0 and not unit else far


@njit(cache=True, nogil=True)
def _cores(X: np.ndarray, centroids: np.ndarray, m: int, p: float, unit: bool, stop: np.ndarray) -> np.ndarray:
    """Distance of each centroid to its m-th nearest point; nothing of use where the flag `stop` is set."""
    cores = np.zeros(centroids.shape[0])
    nearest = np.empty(m)
    for k in range(centroids.shape[0]):
        if stop[0]:
            break
        count = 0
        for i in range(X.shape[0]):
            far = _distance(centroids, k, X, i, p, unit)
            if count == m and not far < nearest[m - 1]:
                continue
            at = min(count, m - 1)
            while at > 0 and far < nearest[at - 1]:
                nearest[at] = nearest[at - 1]
                at -= 1
            nearest[at] = far
            count = min(count + 1, m)
        cores[k] = nearest[m - 1]
    return cores


@njit(cache=True, nogil=True)
def _before(a: int, b: int, c: int, d: int) -> bool:
    """Whether the link of centroids a and b comes before that of c and d, where they are equally long."""
    low, other = min(a, b), min(c, d)
    return low < other or (low == other and max(a, b) < max(c, d))


@njit(cache=True, nogil=True)
def _linked(
    centroids: np.ndarray, cores: np.ndarray, p: float, unit: bool, stop: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Prim's spanning tree of the links: (K - 1, 2) edges and their lengths."""
    K = centroids.shape[0]
    edges, lengths = np.empty((max(K - 1, 0), 2), np.int64), np.zeros(max(K - 1, 0))
    shortest, parent = np.full(K, np.inf), np.zeros(K, np.int64)
    left, last = in_turn(K), np.int64(0)
    for at in range(K - 1):
        if stop[0]:
            break
        remaining = K - 1 - at
        place = 0
        while left[place] != last:
            place += 1
        left[place] = left[remaining]
        best = -1
        for i in range(remaining):
            k = left[i]
            far = max(_distance(centroids, last, centroids, k, p, unit), cores[last], cores[k])
            if far < shortest[k] or (far == shortest[k] and _before(last, k, parent[k], k)):
                shortest[k], parent[k] = far, last
            if (
                best < 0
                or shortest[k] < shortest[best]
                or (shortest[k] == shortest[best] and _before(parent[k], k, parent[best], best))
            ):
                best = k
        edges[at, 0], edges[at, 1] = min(parent[best], best), max(parent[best], best)
        lengths[at] = shortest[best]
        last = np.int64(best)
    return edges, lengths


@njit(cache=True, nogil=True)
def depths(edges: np.ndarray, lengths: np.ndarray, cores: np.ndarray) -> np.ndarray:
    """Depth of each edge of a graph, shortest edge first, given the cores of what it joins; infinite within a group."""
    top, above = cores.copy(), in_turn(cores.shape[0])
    found = np.empty(lengths.shape[0])
    for e in range(lengths.shape[0]):
        a, b = edges[e, 0], edges[e, 1]
        while above[a] != a:
            above[a] = above[above[a]]
            a = above[a]
        while above[b] != b:
            above[b] = above[above[b]]
            b = above[b]
        if a == b:
            found[e] = np.inf
            continue
        found[e] = max(np.log(lengths[e] / max(top[a], top[b])), 0.0) if lengths[e] > 0.0 else 0.0
        above[b] = a
        top[a] = min(top[a], top[b])
    return found


def positive(cores: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """Cores above 0, given those of links: where m points are equal, the smallest other one, or the shortest link.

    Duplicates are not density.
    """
    others = cores[cores > 0.0] if cores.any() else lengths[lengths > 0.0]
    return np.maximum(cores, others.min(initial=np.inf)) if len(others) else np.ones(len(cores))


def spanning_tree_by_density(
    X: ArrayLike,
    centroids: np.ndarray,
    density: int,
    *,
    metric: str | Metric = "euclidean",
    p: float | None = None,
    radius: float | None = None,
    cancel: Cancel | None = None,
) -> SpanningTree:
    """The `SpanningTree` whose lengths are the depths of links, ascending: from it the chains for every ε are read.

    Parameters
    ----------
    X : array of shape (n, d)
    centroids : array of shape (K, d)
    density : int
        m, the number of points that a core holds; with fewer points all of them.
    metric, p, radius, cancel
        As for `theta_app.engine.tdg`.
    """
    metric = Metric.of(metric, p, radius)
    X, centroids, m, _ = _ready(X, centroids, density, metric)
    unit = metric.directions is not None
    stop = new_flag()
    with stoppable(cancel, stop):
        cores = _cores(X, centroids, m, metric.p, unit, stop)
        edges, lengths = _linked(centroids, cores, metric.p, unit, stop)
    if unit:
        cores, lengths = metric.lengths(cores), metric.lengths(lengths)
    shortest_first = np.lexsort((edges[:, 1], edges[:, 0], lengths))
    edges = edges[shortest_first]
    found = depths(edges, lengths[shortest_first], positive(cores, lengths))
    flattest_first = np.argsort(found, kind="stable")
    return SpanningTree(len(centroids), edges[flattest_first], found[flattest_first])


def core_distances(
    X: np.ndarray,
    centroids: np.ndarray,
    density: int,
    *,
    metric: str | Metric = "euclidean",
    p: float | None = None,
    radius: float | None = None,
) -> np.ndarray:
    """The core of each centroid, (K,): the distance at which it holds `density` points. As above."""
    metric = Metric.of(metric, p, radius)
    unit = metric.directions is not None
    X, centroids, m, power = _ready(X, centroids, density, metric)
    cores = _cores(X, centroids, m, metric.p, unit, new_flag())
    return metric.lengths(cores) if unit else cores / power


def _ready(
    X: np.ndarray, centroids: np.ndarray, density: int, metric: Metric
) -> tuple[np.ndarray, np.ndarray, int, float]:
    """(X, centroids, m, power): in the metric's coordinates, times a power of two that keeps squares in range."""
    X, centroids = validation.points(X), validation.points(centroids, "centroids")
    X, centroids = metric.coordinates(X), metric.coordinates(centroids)
    m = min(validation.count(density, "density"), len(X))
    power = min(validation.scaled(X)[-1], validation.scaled(centroids)[-1])
    return *(validation.read_only(np.ascontiguousarray(rows * power)) for rows in (X, centroids)), m, power
