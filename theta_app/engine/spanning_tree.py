"""Chains of centroids: Algorithm 3's second half, for one ε or for all of them at once."""

from dataclasses import dataclass

import numpy as np

from theta_app.engine import norms, validation
from theta_app.engine.compiled import njit
from theta_app.engine.orders import in_turn


@njit(cache=True, nogil=True)
def _prim(centroids, p):
    """Prim's minimum spanning tree: (K - 1, 2) edges and their lengths. O(K²) time, O(K) memory."""
    K = centroids.shape[0]
    edges = np.empty((max(K - 1, 0), 2), np.int64)
    lengths = np.empty(max(K - 1, 0))
    nearest = np.full(K, np.inf)
    parent = np.zeros(K, np.int64)
    inside = np.zeros(K, np.bool_)
    last = 0
    for at in range(K - 1):
        inside[last] = True
        best, shortest = -1, np.inf
        for k in range(K):
            if inside[k]:
                continue
            far = norms.comparable(centroids, last, centroids, k, p, nearest[k])
            if far < nearest[k]:
                nearest[k] = far
                parent[k] = last
            if best < 0 or nearest[k] < shortest:
                best, shortest = k, nearest[k]
        edges[at, 0] = parent[best]
        edges[at, 1] = best
        lengths[at] = np.sqrt(shortest) if p == 2.0 else shortest
        last = best
    return edges, lengths


@njit(cache=True, nogil=True)
def _joined(K, edges, count):
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

    def links(self, epsilon):
        """Number of edges shorter than ε: these, the first in `edges`, hold the chains together."""
        return int(np.searchsorted(self.lengths, validation.distance(epsilon, "epsilon"), side="left"))

    def count(self, epsilon):
        """K', the number of chains when centroids closer than ε are chained."""
        return self.n_centroids - self.links(epsilon)

    def cut(self, epsilon):
        """Chain of each centroid, named after the chain's smallest centroid index."""
        return _joined(self.n_centroids, self.edges, self.links(epsilon))


def spanning_tree(centroids, *, metric="euclidean", p=None):
    """Minimum spanning tree of `centroids`, an array of shape (K, features); `metric` and `p` as for `tsg`."""
    centroids = validation.points(centroids, "centroids")
    centroids, power = validation.scaled(centroids)
    edges, lengths = _prim(validation.read_only(centroids), norms.norm(metric, p))
    shortest_first = np.argsort(lengths, kind="stable")
    return SpanningTree(len(centroids), edges[shortest_first], lengths[shortest_first] / power)
