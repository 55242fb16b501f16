"""The closest two points of different clusters, exactly: what tells θ-sparse from θ-dense."""

from dataclasses import dataclass

import numpy as np

from theta_app.engine import norms, validation
from theta_app.engine.compiled import njit
from theta_app.engine.orders import in_turn

_LEAF = 16  # points
_TREE_DIMENSIONS = 8  # above, boxes separate nothing and a matrix product is faster
_BLOCK = 512


@dataclass(frozen=True)
class ClosestPair:
    """Two points of different clusters, and their distance, the smallest there is."""

    i: int
    j: int
    distance: float


@njit(cache=True, nogil=True)
def _halve(order, a, b, X, j):
    """Rearrange order[a:b] so that its lower half by coordinate j comes first (Hoare's selection)."""
    middle = (a + b) // 2
    low, high = a, b - 1
    while low < high:
        pivot = X[order[(low + high) // 2], j]
        i, k = low, high
        while i <= k:
            while X[order[i], j] < pivot:
                i += 1
            while X[order[k], j] > pivot:
                k -= 1
            if i <= k:
                order[i], order[k] = order[k], order[i]
                i += 1
                k -= 1
        if middle <= k:
            high = k
        elif middle >= i:
            low = i
        else:
            break
    return middle


@njit(cache=True, nogil=True)
def _build(X, labels, leaf):
    """A k-d tree as arrays: (order, start, stop, left, right, label of the node's points or -1, low, high)."""
    N, D = X.shape
    most = 4 * (N // leaf + 2)
    order = in_turn(N)
    start, stop = np.zeros(most, np.int64), np.zeros(most, np.int64)
    left, right = np.full(most, -1, np.int64), np.full(most, -1, np.int64)
    label = np.full(most, -1, np.int64)
    low, high = np.empty((most, D)), np.empty((most, D))
    stop[0] = N
    made, at = 1, 0
    while at < made:
        a, b = start[at], stop[at]
        first = labels[order[a]]
        pure = True
        for j in range(D):
            low[at, j] = high[at, j] = X[order[a], j]
        for i in range(a, b):
            p = order[i]
            pure = pure and labels[p] == first
            for j in range(D):
                low[at, j] = min(low[at, j], X[p, j])
                high[at, j] = max(high[at, j], X[p, j])
        if pure:
            label[at] = first
        if b - a > leaf:
            widest = np.int64(0)  # not a bare 0, see cells.py
            for j in range(1, D):
                if high[at, j] - low[at, j] > high[at, widest] - low[at, widest]:
                    widest = j
            half = _halve(order, a, b, X, widest)
            left[at], right[at] = made, made + 1
            start[made], stop[made] = a, half
            start[made + 1], stop[made + 1] = half, b
            made += 2
        at += 1
    return order, start, stop, left, right, label, low, high


@njit(cache=True, nogil=True)
def _gap(low, high, a, b, p):
    """The distance between two boxes as `norms.comparable` has it, or less: nothing is lost in another norm's largest
    difference."""
    total, largest = 0.0, 0.0
    for j in range(low.shape[1]):
        gap = max(low[a, j] - high[b, j], low[b, j] - high[a, j])
        if gap > 0.0:
            total += gap * gap if p == 2.0 else gap
            largest = max(largest, gap)
    return total if p == 2.0 or p == 1.0 else largest


@njit(cache=True, nogil=True)
def _closest(X, labels, leaf, p):
    """Search pairs of boxes, nearer first, skipping those of one cluster and those farther than the best."""
    order, start, stop, left, right, label, low, high = _build(X, labels, leaf)
    best_i, best_j, best = -1, -1, np.inf
    stack = np.zeros((8 * 64, 2), np.int64)  # a pair is replaced by at most three, one level deeper: 8 a level is ample
    waiting = 1
    while waiting > 0:
        waiting -= 1
        a, b = stack[waiting]
        if (label[a] >= 0 and label[a] == label[b]) or _gap(low, high, a, b, p) >= best:
            continue
        if left[a] < 0 and left[b] < 0:
            for at in range(start[a], stop[a]):
                i = order[at]
                for other in range(start[b], stop[b]):
                    j = order[other]
                    if labels[i] != labels[j]:
                        far = norms.comparable(X, i, X, j, p, best)
                        if far < best:
                            best_i, best_j, best = i, j, far
            continue
        if a == b:
            stack[waiting, 0], stack[waiting, 1] = left[a], right[a]
            stack[waiting + 1, 0], stack[waiting + 1, 1] = left[a], left[a]
            stack[waiting + 2, 0], stack[waiting + 2, 1] = right[a], right[a]
            waiting += 3
            continue
        if left[a] < 0 or (left[b] >= 0 and stop[b] - start[b] > stop[a] - start[a]):
            a, b = b, a  # split the larger box
        nearer, farther = left[a], right[a]
        if _gap(low, high, farther, b, p) < _gap(low, high, nearer, b, p):
            nearer, farther = farther, nearer
        stack[waiting, 0], stack[waiting, 1] = farther, b
        stack[waiting + 1, 0], stack[waiting + 1, 1] = nearer, b
        waiting += 2
    return best_i, best_j, best


def _closest_by_products(X, labels):
    """The same by matrix products in blocks; near ties are measured again directly."""
    X = X - X.mean(axis=0)
    norms = np.einsum("ij,ij->i", X, X)
    slack = 64 * X.shape[1] * np.finfo(float).eps * norms.max()
    best = (-1, -1, np.inf)
    for a in range(0, len(X), _BLOCK):
        for b in range(a, len(X), _BLOCK):
            rows, columns = slice(a, a + _BLOCK), slice(b, b + _BLOCK)
            sq = norms[rows, None] + norms[None, columns] - 2.0 * (X[rows] @ X[columns].T)
            sq[labels[rows, None] == labels[None, columns]] = np.inf
            smallest = sq.min()
            if smallest <= best[2] + slack and np.isfinite(smallest):
                for i, j in np.argwhere(sq <= smallest + slack)[:1000]:
                    exact = float(((X[a + i] - X[b + j]) ** 2).sum())
                    if exact < best[2]:
                        best = (a + int(i), b + int(j), exact)
    return best


def closest_pair(X, labels, *, metric="euclidean", p=None):
    """The two closest points with different labels, or None when there is one cluster.

    Exact. θ-sparse in the paper's sense means: this distance is larger than θ. `metric` and `p` as for `tsg`.
    """
    X, norm = validation.points(X), norms.norm(metric, p)
    labels = np.ascontiguousarray(labels, dtype=np.int64)
    if labels.shape != (len(X),):
        raise ValueError(f"labels must have one entry for each of the {len(X)} points, got shape {labels.shape}")
    if (labels == labels[0]).all():
        return None
    codes = np.unique(labels, return_inverse=True)[1]
    by_products = norm == norms.EUCLIDEAN and X.shape[1] > _TREE_DIMENSIONS
    X, power = validation.scaled(X)
    found = _closest_by_products(X, codes) if by_products else _closest(validation.read_only(X), codes, _LEAF, norm)
    i, j = sorted((int(found[0]), int(found[1])))
    distance = np.sqrt(((X[i] - X[j]) ** 2).sum()) if norm == norms.EUCLIDEAN else found[2]
    return ClosestPair(i, j, float(distance / power))
