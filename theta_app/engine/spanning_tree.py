"""Chains of centroids: Algorithm 3's second half, for one ε or for all of them at once."""

from dataclasses import dataclass

import numpy as np

from theta_app.engine import norms, validation
from theta_app.engine.compiled import njit
from theta_app.engine.metric import Metric
from theta_app.engine.orders import in_turn
from theta_app.engine.stopping import Cancel, new_flag, stoppable


@njit(cache=True, nogil=True)
def _prim(centroids: np.ndarray, p: float, stop: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Prim's minimum spanning tree: (K - 1, 2) edges and what grows with their lengths. O(K²) time, O(K D) memory.

    Where the flag `stop` is set (`stopping`), the edges that are missing have no length, and are of no use.

    Those not yet in the tree stand close together in memory, a row per feature: in the Euclidean norm, where lengths
    are squared, several distances are then summed at once, each over the features in their order.
    """
    K = centroids.shape[0]
    edges = np.empty((max(K - 1, 0), 2), np.int64)
    lengths = np.zeros(max(K - 1, 0))
    shortest, far = np.full(K, np.inf), np.empty(K)
    parent, name = np.zeros(K, np.int64), in_turn(K)
    columns = centroids.T.copy() if p == 2.0 else np.empty((0, 0))
    last, left = np.int64(0), K - 1
    for j in range(columns.shape[0]):
        columns[j, 0] = columns[j, left]
    name[0] = left
    for at in range(K - 1):
        if stop[0]:
            break
        if p == 2.0:
            _squares_from(centroids, last, columns, left, far)
        else:
            for i in range(left):
                far[i] = norms.apart(centroids, last, centroids, name[i], p, shortest[i])
        best = next_nearest(far, left, last, shortest, parent)
        edges[at, 0], edges[at, 1] = parent[best], name[best]
        lengths[at] = shortest[best]
        last = name[best]
        left -= 1
        name[best], parent[best], shortest[best] = name[left], parent[left], shortest[left]
        for j in range(columns.shape[0]):
            columns[j, best] = columns[j, left]
    return edges, lengths


@njit(cache=True, nogil=True)
def next_nearest(far: np.ndarray, left: int, last: int, shortest: np.ndarray, parent: np.ndarray) -> int:
    """Prim's step: of the first `left` places the nearest to the tree, now that `last` at distances `far` is in it."""
    best, least = np.int64(0), np.inf
    for i in range(left):
        if far[i] < shortest[i]:
            shortest[i] = far[i]
            parent[i] = last
        if shortest[i] < least:
            best, least = np.int64(i), shortest[i]
    return best


@njit(cache=True, nogil=True)
def _squares_from(centroids: np.ndarray, last: int, columns: np.ndarray, count: int, far: np.ndarray) -> None:
    """Squared distances from centroid `last` to the first `count` columns."""
    for i in range(count):
        far[i] = 0.0
    for j in range(columns.shape[0]):
        x = centroids[last, j]
        for i in range(count):
            gap = x - columns[j, i]
            far[i] += gap * gap


@njit(cache=True, nogil=True)
def joined(K: int, edges: np.ndarray, count: int) -> np.ndarray:
    """Chain of each centroid when the first `count` edges are links: the smallest index it is linked with."""
    chain = in_turn(K)
    for at in range(count):
        a, b = edges[at, 0], edges[at, 1]
        while chain[a] != a:
            chain[a] = chain[chain[a]]
            a = chain[a]
        while chain[b] != b:
            chain[b] = chain[chain[b]]
            b = chain[b]
        chain[max(a, b)] = min(a, b)
    for k in range(K):  # a parent's index is never larger: it is final when its turn comes
        chain[k] = chain[chain[k]]
    return chain


@njit(cache=True, nogil=True)
def _joining(edges: np.ndarray, sizes: np.ndarray, first: int) -> np.ndarray:
    """Sizes of the chains with `first` links, one more, ...: a row each, 0 where a chain was joined to another."""
    K = sizes.shape[0]
    chain, place = joined(K, edges, first), np.empty(K, np.int64)
    rows = np.zeros((K - first, K - first), np.int64)
    count = 0
    for k in range(K):
        if chain[k] == k:
            place[k] = count
            count += 1
        place[k] = place[chain[k]]  # named after the smallest, which comes first
        rows[0, place[k]] += sizes[k]
    into = in_turn(count)
    for row in range(1, K - first):
        a, b = place[edges[first + row - 1, 0]], place[edges[first + row - 1, 1]]
        while into[a] != a:
            a = into[a]
        while into[b] != b:
            b = into[b]
        into[b] = a
        for k in range(count):
            rows[row, k] = rows[row - 1, k]
        rows[row, a] += rows[row, b]
        rows[row, b] = 0
    return rows


@dataclass(frozen=True)
class SpanningTree:
    """The minimum spanning tree of K centroids, from which the chains for every ε can be read.

    Attributes
    ----------
    n_centroids : int
    edges : (K - 1, 2) array of centroid indices, shortest edge first
    lengths : (K - 1,) array, ascending, in the units of the centroids
    """

    n_centroids: int
    edges: np.ndarray
    lengths: np.ndarray

    def links(self, epsilon: float) -> int:
        """Number of edges shorter than ε: these, the first in `edges`, hold the chains together."""
        return int(np.searchsorted(self.lengths, validation.distance(epsilon, "epsilon"), side="left"))

    def count(self, epsilon: float) -> int:
        """K', the number of chains when centroids closer than ε are chained."""
        return self.n_centroids - self.links(epsilon)

    def cut(self, epsilon: float) -> np.ndarray:
        """Chain of each centroid, named after the chain's smallest centroid index."""
        return joined(self.n_centroids, self.edges, self.links(epsilon))

    def joining(self, sizes: np.ndarray, first: int) -> np.ndarray:
        """Points in each chain with `first` links, one more, ... up to all, given those of each centroid.

        An array with one row per number of links, in which a chain that has been joined to another has 0.
        """
        sizes = np.asarray(sizes, dtype=np.int64)
        if sizes.shape != (self.n_centroids,) or not 0 <= first < self.n_centroids:
            raise ValueError(f"{self.n_centroids} sizes and fewer links are needed, got {len(sizes)} and {first}")
        return _joining(self.edges, sizes, first)


def spanning_tree(
    centroids: np.ndarray,
    *,
    metric: str | Metric = "euclidean",
    p: float | None = None,
    radius: float | None = None,
    cancel: Cancel | None = None,
) -> SpanningTree:
    """Minimum spanning tree of `centroids`, an array of shape (K, features); `metric`, `p` and `radius` as for `tsg`,
    `cancel` as for `tdg`."""
    metric = Metric.of(metric, p, radius)
    centroids, power = validation.scaled(metric.coordinates(validation.points(centroids, "centroids")))
    stop = new_flag()
    with stoppable(cancel, stop):
        edges, compared = _prim(validation.read_only(centroids), metric.p, stop)
    lengths = metric.lengths(compared)
    shortest_first = np.argsort(lengths, kind="stable")
    return SpanningTree(len(centroids), edges[shortest_first], lengths[shortest_first] / power)
