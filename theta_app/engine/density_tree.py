"""Trees of density: clusters of points that need neither θ nor ε, nor a number of clusters.

Points are joined by the longest of three distances: the one between them, and from each to its own kth nearest
neighbour (mutual reachability), so that sparse points do not chain dense groups. Read from the longest edge down, the
spanning tree of these falls into groups. Those are clusters over which most mass rises before they fall apart; other
points are noise (Campello, Moulavi, Sander 2013: excess of mass).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from theta_app.engine.compiled import njit
from theta_app.engine.density_chains import depths, positive
from theta_app.engine.orders import in_turn
from theta_app.engine.smallest import smallest
from theta_app.engine.spanning_tree import joined, next_nearest


@njit(cache=True, nogil=True)
def _spanning(distances: np.ndarray, reach: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Prim's minimum spanning tree under mutual reachability: (m - 1, 2) edges and their lengths."""
    m = distances.shape[0]
    edges = np.empty((max(m - 1, 0), 2), np.int64)
    lengths = np.empty(max(m - 1, 0))
    shortest, far = np.full(m, np.inf), np.empty(m)
    parent, name = np.zeros(m, np.int64), in_turn(m)
    last, left = np.int64(0), m - 1
    name[0] = left
    for at in range(m - 1):
        for i in range(left):
            far[i] = max(distances[last, name[i]], reach[last], reach[name[i]])
        best = next_nearest(far, left, last, shortest, parent)
        edges[at, 0], edges[at, 1], lengths[at] = parent[best], name[best], shortest[best]
        last = name[best]
        left -= 1
        name[best], parent[best], shortest[best] = name[left], parent[left], shortest[left]
    return edges, lengths


@njit(cache=True, nogil=True)
def _root(above: np.ndarray, k: int) -> int:
    while above[k] >= 0:
        if above[above[k]] >= 0:
            above[k] = above[above[k]]
        k = above[k]
    return k


@njit(cache=True, nogil=True)
def _merged(edges: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Which two groups each edge joins, shortest first: group i < m is a point, group m + e what edge e makes."""
    m = edges.shape[0] + 1
    above = np.full(2 * m - 1, -1, np.int64)
    parts = np.empty((m - 1, 2), np.int64)
    sizes = np.ones(2 * m - 1, np.int64)
    for e in range(m - 1):
        a, b = _root(above, edges[e, 0]), _root(above, edges[e, 1])
        above[a] = above[b] = m + e
        parts[e, 0], parts[e, 1] = a, b
        sizes[m + e] = sizes[a] + sizes[b]
    return parts, sizes


@njit(cache=True, nogil=True)
def _excess_of_mass(
    parts: np.ndarray, sizes: np.ndarray, levels: np.ndarray, least: int
) -> tuple[np.ndarray, np.ndarray]:
    """(labels, born): the cluster of each point, -1 for noise, and of each cluster the edge at which it parted.

    `levels` are the densities of the edges. A cluster parts from another where both hold `least` points; smaller groups
    are points that leave it. It is kept where more mass rises above its own start than above those of its parts.
    """
    m = parts.shape[0] + 1
    cluster = np.full(2 * m - 1, -1, np.int64)  # that a group is the rest of
    start = np.zeros(2 * m - 1, np.int64)  # of a cluster: the group it starts as
    parent = np.full(2 * m - 1, -1, np.int64)
    born = np.full(2 * m - 1, m - 2, np.int64)
    mass = np.zeros(2 * m - 1)
    cluster[2 * m - 2], start[0], found = 0, 2 * m - 2, 1
    for group in range(2 * m - 2, m - 1, -1):
        own = cluster[group]
        if own < 0:
            continue
        e = group - m
        rise = levels[e] - levels[born[own]]
        large = sizes[parts[e, 0]] >= least, sizes[parts[e, 1]] >= least
        if large[0] == large[1]:
            mass[own] += rise * sizes[group]
        for side in range(2):
            part = parts[e, side]
            if large[0] and large[1]:
                cluster[part] = found
                start[found], parent[found], born[found] = part, own, e
                found += 1
            elif large[side]:
                cluster[part] = own
            elif large[0] or large[1]:
                mass[own] += rise * sizes[part]
    below = np.zeros(found)
    kept = np.zeros(found, np.bool_)
    for c in range(found - 1, 0, -1):  # parts have larger numbers
        kept[c] = mass[c] >= below[c]
        below[parent[c]] += max(mass[c], below[c])
    labels = np.full(2 * m - 1, -1, np.int64)
    inside = np.zeros(found, np.bool_)
    births = np.empty(found, np.int64)
    K = 0
    for c in range(1, found):
        inside[c] = inside[parent[c]] or kept[parent[c]]
        if kept[c] and not inside[c]:
            labels[start[c]] = K
            births[K] = born[c]
            K += 1
    for group in range(2 * m - 2, m - 1, -1):
        if labels[group] >= 0:
            labels[parts[group - m, 0]] = labels[parts[group - m, 1]] = labels[group]
    return labels[:m], births[:K]


@dataclass(frozen=True, eq=False)
class DensityTree:
    """The spanning tree of points under mutual reachability.

    Attributes
    ----------
    reach : (m,) array
        Distance of each point to its kth nearest neighbour: small where points are dense.
    edges : (m - 1, 2) array, shortest first
    lengths : (m - 1,) array, ascending
    """

    reach: np.ndarray
    edges: np.ndarray
    lengths: np.ndarray

    def clusters(self, least: float) -> tuple[np.ndarray, np.ndarray]:
        """(labels, born) of the clusters of at least `least` points: -1 is noise; and the length where each parts."""
        positive = self.lengths[self.lengths > 0]
        if len(positive) == 0:
            return np.full(len(self.reach), -1), np.empty(0)
        levels = 1.0 / np.maximum(self.lengths, positive[0])  # duplicates are no denser than the closest other points
        labels, births = _excess_of_mass(*_merged(self.edges), levels, max(least, 2))
        return labels, self.lengths[births]

    def peaks(self, depth: float) -> np.ndarray:
        """(m,) labels, 0, 1, ...: groups that are joined only where density falls by at least `depth`.

        As chains by density are (`density_chains`): every point is in one.
        """
        return peaks(self.edges, self.lengths, self.reach, depth)


def peaks(edges: np.ndarray, lengths: np.ndarray, reach: np.ndarray, depth: float) -> np.ndarray:
    """(m,) labels, 0, 1, ... of points that are joined by edges, shortest first, but not where density falls by `depth`
    or more. `reach` is the distance of each point to its kth nearest neighbour."""
    found = depths(edges, lengths, positive(reach, lengths))
    joins = np.ascontiguousarray(edges[found < depth])
    return np.unique(joined(len(reach), joins, len(joins)), return_inverse=True)[1]


def density_trees(distances: np.ndarray, neighbours: Sequence[int]) -> list[DensityTree]:
    """The `DensityTree` of points, of whom all `distances` (m, m) are known, for each number of `neighbours`."""
    m = len(distances)
    counts = [min(k, m - 1) for k in neighbours]
    closest = smallest(distances, max(counts) + 1)  # each point is its own closest
    trees = []
    for k in counts:
        reach = distances[np.arange(m), closest[:, k]]
        edges, lengths = _spanning(distances, reach)
        order = np.argsort(lengths, kind="stable")
        trees.append(DensityTree(reach, edges[order], lengths[order]))
    return trees
