"""The closest two points of different clusters, exactly: what tells θ-sparse from θ-dense."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from theta_app.engine import curves, norms, validation
from theta_app.engine.compiled import njit
from theta_app.engine.metric import Metric
from theta_app.engine.orders import in_turn
from theta_app.engine.silhouette import fair_sample
from theta_app.engine.stopping import Cancel, new_flag, stop_if, stoppable

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
def _halve(order: np.ndarray, a: int, b: int, X: np.ndarray, j: int) -> None:
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
def _build(X: np.ndarray, leaf: int) -> tuple[np.ndarray, ...]:
    """A k-d tree as arrays: (order, start, stop, left, right, low, high). A node comes before its parts."""
    N, D = X.shape
    most = 4 * (N // leaf + 2)
    order = in_turn(N)
    start, stop = np.zeros(most, np.int64), np.zeros(most, np.int64)
    left, right = np.full(most, -1, np.int64), np.full(most, -1, np.int64)
    low, high = np.empty((most, D)), np.empty((most, D))
    stop[0] = N
    made, at = 1, 0
    while at < made:
        a, b = start[at], stop[at]
        for j in range(D):
            low[at, j] = high[at, j] = X[order[a], j]
        for i in range(a, b):
            p = order[i]
            for j in range(D):
                low[at, j] = min(low[at, j], X[p, j])
                high[at, j] = max(high[at, j], X[p, j])
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
    return order, start[:made], stop[:made], left[:made], right[:made], low[:made], high[:made]


@njit(cache=True, nogil=True)
def _node_labels(
    labels: np.ndarray, order: np.ndarray, start: np.ndarray, stop: np.ndarray, left: np.ndarray, right: np.ndarray
) -> np.ndarray:
    """The label of each node's points, or -1 where they have several."""
    found = np.full(len(start), -1, np.int64)
    for at in range(len(start) - 1, -1, -1):
        if left[at] >= 0:
            if found[left[at]] == found[right[at]]:
                found[at] = found[left[at]]
            continue
        found[at] = labels[order[start[at]]]
        for i in range(start[at] + 1, stop[at]):
            if labels[order[i]] != found[at]:
                found[at] = -1
                break
    return found


@njit(cache=True, nogil=True)
def _gap(low: np.ndarray, high: np.ndarray, a: int, b: int, p: float) -> float:
    """The distance between two boxes as `norms.comparable` has it, or less: nothing is lost in another norm's largest
    difference, nor in that of the middles of curves."""
    total, largest = 0.0, 0.0
    for j in range(low.shape[1]):
        gap = max(low[a, j] - high[b, j], low[b, j] - high[a, j])
        if gap > 0.0:
            total += gap * gap if p == 2.0 else gap
            largest = max(largest, gap)
    return total if p == 2.0 or p == 1.0 else largest


@njit(cache=True, nogil=True)
def _closest(
    X: np.ndarray, labels: np.ndarray, tree: tuple[np.ndarray, ...], p: float, flag: np.ndarray
) -> tuple[int, int, float]:
    """Search pairs of boxes, nearer first, skipping those of one cluster and those farther than the best.

    Where the `flag` is set (`stopping`), what is returned is of no use.
    """
    order, start, stop, left, right, low, high = tree
    label = _node_labels(labels, order, start, stop, left, right)
    best_i, best_j, best = -1, -1, np.inf
    stack = np.zeros((8 * 64, 2), np.int64)  # a pair is replaced by at most three, one level deeper: 8 a level is ample
    waiting = 1
    while waiting > 0 and not flag[0]:
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


def _closest_by_products(X: np.ndarray, labels: np.ndarray, cancel: Cancel | None) -> tuple[int, int, float]:
    """The same by matrix products in blocks; near ties are measured again, as everywhere."""
    plain, X = X, X - X.mean(axis=0)
    squares = np.einsum("ij,ij->i", X, X)
    slack = 64 * X.shape[1] * np.finfo(float).eps * squares.max()
    best = (-1, -1, np.inf)
    for a in range(0, len(X), _BLOCK):
        for b in range(a, len(X), _BLOCK):
            stop_if(cancel)
            rows, columns = slice(a, a + _BLOCK), slice(b, b + _BLOCK)
            sq = squares[rows, None] + squares[None, columns] - 2.0 * (X[rows] @ X[columns].T)
            sq[labels[rows, None] == labels[None, columns]] = np.inf
            smallest = sq.min()
            if smallest <= best[2] + slack and np.isfinite(smallest):
                for i, j in np.argwhere(sq <= smallest + slack)[:1000]:
                    exact = norms.comparable(plain, a + i, plain, b + j, 2.0, np.inf)
                    if exact < best[2]:
                        best = (a + int(i), b + int(j), exact)
    return best


@njit(cache=True, nogil=True)
def _first_apart(pairs: np.ndarray, labels: np.ndarray) -> int:
    """The position of the first pair with different labels; -1 where there is none."""
    for at in range(len(pairs)):
        if labels[pairs[at, 0]] != labels[pairs[at, 1]]:
            return at
    return -1


@njit(cache=True, nogil=True)
def _apart(X: np.ndarray, pairs: np.ndarray, p: float) -> np.ndarray:
    """Distances of pairs of points as `norms.comparable` has them."""
    found = np.empty(len(pairs))
    for at in range(len(pairs)):
        found[at] = norms.comparable(X, pairs[at, 0], X, pairs[at, 1], p, np.inf)
    return found


_PAIRS_PER_POINT = 8  # that are known in advance
_MOST_KNOWN = 256  # clusterings whose pair is remembered


class PairSearch:
    """The closest pair of different clusters, in many clusterings of the same points.

    The nearest pairs of all points are found once, in the order of their distance: where clusters touch, the first of
    them that lies in two clusters is the answer. `metric`, `p` and `radius` as for `tsg`.
    """

    def __init__(
        self, X: np.ndarray, *, metric: str | Metric = "euclidean", p: float | None = None, radius: float | None = None
    ) -> None:
        self._metric = Metric.of(metric, p, radius)
        X, self._power = validation.scaled(self._metric.coordinates(validation.points(X)))
        self._X, self._p = validation.read_only(X), self._metric.p
        self._by_products = self._p == 2.0 and X.shape[1] > _TREE_DIMENSIONS
        boxed = curves.middles_of(self._X) if self._metric.of_curves else self._X
        self._tree = None if self._by_products else _build(validation.read_only(boxed), _LEAF)
        self._near = np.empty((0, 2), np.int64)
        self._known: dict = {}  # a digest of the clusters, however they are numbered -> pair

    def with_nearest(self) -> Self:
        """Finds the nearest pairs, which is worth it from a dozen clusterings on."""
        if not self._by_products and self._p in (1.0, 2.0, np.inf) and len(self._X) > 1:
            self._near = _nearest_pairs(self._X, self._p)
        return self

    def closest(self, labels: np.ndarray, cancel: Cancel | None = None) -> ClosestPair | None:
        """The two closest points with different labels, exactly; None where there is one cluster.

        `cancel` as for `tdg`.
        """
        X, p = self._X, self._p
        labels = np.ascontiguousarray(labels, dtype=np.int64)
        if labels.shape != (len(X),):
            raise ValueError(f"labels must have one entry for each of the {len(X)} points, got shape {labels.shape}")
        if (labels == labels[0]).all():
            return None
        at = _first_apart(self._near, labels)
        i, j = self._searched(labels, cancel) if at < 0 else sorted(self._near[at].tolist())
        apart = norms.comparable(X, i, X, j, p, np.inf)
        return ClosestPair(i, j, float(self._metric.lengths(np.array([apart]))[0] / self._power))

    def _searched(self, labels: np.ndarray, cancel: Cancel | None) -> Sequence[int]:
        """The pair where clusters do not touch; the first shuffles of TDG often give the same clusters again."""
        labels = labels - labels.min()
        if labels.max() > 2 * len(labels):
            labels = np.unique(labels, return_inverse=True)[1]
        labels, known = _in_order_of_appearance(labels), self._known
        key = hashlib.sha256(labels).digest()
        pair = known.get(key)
        if pair is None:
            pair = known[key] = sorted(map(int, self._search(labels, cancel)[:2]))
            if len(known) > _MOST_KNOWN:
                self._known = {}
        return pair

    def _search(self, labels: np.ndarray, cancel: Cancel | None) -> tuple[int, int, float]:
        if self._by_products:
            return _closest_by_products(self._X, labels, cancel)
        flag = new_flag()
        with stoppable(cancel, flag):
            return _closest(self._X, labels, self._tree, self._p, flag)


@njit(cache=True, nogil=True)
def _in_order_of_appearance(labels: np.ndarray) -> np.ndarray:
    """Labels from 0 on, renumbered: the first point has 0."""
    new = np.full(labels.max() + 1, -1, np.int64)
    found, used = np.empty(len(labels), np.int64), 0
    for i in range(len(labels)):
        if new[labels[i]] < 0:
            new[labels[i]] = used
            used += 1
        found[i] = new[labels[i]]
    return found


def _nearest_pairs(X: np.ndarray, p: float) -> np.ndarray:
    """All pairs of points nearer than some distance, nearest first, an array (m, 2) of about eight per point.

    Empty where so many points are equal that there are far more.
    """
    from scipy.spatial import cKDTree  # here, as `tdg` in a new process should not wait for it

    tree, most = cKDTree(X), _PAIRS_PER_POINT * len(X)
    some = X[fair_sample(len(X), 500)]
    within = float(np.median(tree.query(some, k=min(_PAIRS_PER_POINT + 1, len(X)), p=p)[0][:, -1]))
    if within == 0.0 or tree.count_neighbors(tree, within, p=p) > 8 * most:
        return np.empty((0, 2), np.int64)
    pairs = tree.query_pairs(within, p=p, output_type="ndarray").astype(np.int64)
    apart = _apart(X, pairs, p)
    limit = within * (1.0 - 1e-9)  # beyond, rounding may have left one out
    inside = apart < (limit * limit if p == 2.0 else limit)
    return np.ascontiguousarray(pairs[inside][np.argsort(apart[inside], kind="stable")])


def closest_pair(
    X: np.ndarray,
    labels: np.ndarray,
    *,
    metric: str | Metric = "euclidean",
    p: float | None = None,
    radius: float | None = None,
    cancel: Cancel | None = None,
) -> ClosestPair | None:
    """The two closest points with different labels, or None when there is one cluster.

    Exact. θ-sparse in the paper's sense means: this distance is larger than θ. `metric`, `p` and `radius` as for
    `tsg`, `cancel` as for `tdg`.
    """
    return PairSearch(X, metric=metric, p=p, radius=radius).closest(labels, cancel)
