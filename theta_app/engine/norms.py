"""Distances other than the straight line's: sums of differences, the largest difference, and what lies between.

The distance of two points in the norm p is the p-th root of the sum of their coordinates' differences to the power p:
p = 1 is "manhattan", p = 2 "euclidean", infinity "chebyshev". For p other than these the differences are divided by the
largest of them first, so that no power overflows or vanishes.

TSG and the nearest centroid are searched in cells, as in `cells`. A difference along one coordinate is never larger
than the distance, whatever p; nor is one along any direction of length 1 in the dual norm q, 1/p + 1/q = 1 (Hölder). So
in more than three features the cells are cut along the three such directions in which the points are spread most.
Candidates are compared by the rule itself: sums over the coordinates in their order.
"""

import threading
import weakref

import numpy as np

from theta_app.engine import cells, curves
from theta_app.engine.compiled import njit
from theta_app.engine.exact import more_rows, none_begun
from theta_app.engine.stopping import NEVER
from theta_app.engine.validation import read_only

_SAMPLE = 256  # points that choose the directions
_EPS = np.finfo(np.float64).eps


def lengths(vectors: np.ndarray, p: float) -> np.ndarray:
    """Lengths of the rows in the norm p, (n,). No power overflows or vanishes."""
    largest = np.abs(vectors).max(axis=1, initial=0.0)
    if p == np.inf:
        return largest
    unit = np.where(largest > 0.0, largest, 1.0)
    return unit * np.linalg.norm(vectors / unit[:, None], ord=p, axis=1)


def distances(A: np.ndarray, B: np.ndarray, p: float) -> np.ndarray:
    """Distances between all rows of A and all rows of B in the norm p, (len(A), len(B)); squares must be finite."""
    from scipy.spatial.distance import cdist  # here, as `tdg` in a new process should not wait for it

    named = {1.0: "cityblock", 2.0: "euclidean", np.inf: "chebyshev"}
    if p in named:
        return cdist(A, B, named[p])
    return _all_apart(np.ascontiguousarray(A), np.ascontiguousarray(B), p)  # SciPy's powers vanish or overflow


@njit(cache=True, nogil=True)
def apart(A: np.ndarray, i: int, B: np.ndarray, k: int, p: float, enough: float) -> float:
    """Distance between rows of A and B in the norm p, not 2; something above `enough` if it is more than that.

    Of curves where p is `curves.POWER`.
    """
    if p == curves.POWER:
        return curves.apart(A, i, B, k, enough)
    largest = 0.0
    if p == 1.0:
        for j in range(A.shape[1]):
            largest += abs(A[i, j] - B[k, j])
            if largest > enough:
                break
        return largest
    squares = 0.0
    for j in range(A.shape[1]):
        gap = abs(A[i, j] - B[k, j])
        squares += gap * gap
        if gap > largest:
            largest = gap
            if largest > enough:
                return largest
    if largest == 0.0 or p == np.inf:
        return largest
    if A.shape[1] > 4:  # powers are slow: the straight line's length tells most that are too far
        least = np.sqrt(squares) * (1.0 - 1e-9)
        if p > 2.0:
            least *= A.shape[1] ** (1.0 / p - 0.5)
        if least > enough:
            return least
    total = 0.0
    for j in range(A.shape[1]):
        total += (abs(A[i, j] - B[k, j]) / largest) ** p
    return largest * total ** (1.0 / p)


@njit(cache=True, nogil=True)
def _all_apart(A: np.ndarray, B: np.ndarray, p: float) -> np.ndarray:
    far = np.empty((A.shape[0], B.shape[0]))
    for i in range(A.shape[0]):
        for k in range(B.shape[0]):
            far[i, k] = apart(A, i, B, k, p, np.inf)
    return far


@njit(cache=True, nogil=True)
def comparable(A: np.ndarray, i: int, B: np.ndarray, k: int, p: float, enough: float) -> float:
    """What grows with the distance between rows of A and B: the distance itself (`apart`), for p = 2 its square."""
    if p != 2.0:
        return apart(A, i, B, k, p, enough)
    sq = 0.0
    for j in range(A.shape[1]):
        gap = A[i, j] - B[k, j]
        sq += gap * gap
    return sq


@njit(cache=True, nogil=True)
def _project(A: np.ndarray, i: int, middle: np.ndarray, directions: np.ndarray, place: np.ndarray) -> None:
    """Fill `place` with row i of A seen along the directions; its own coordinates where there are no directions."""
    for a in range(min(A.shape[1], 3) if directions.shape[0] == 0 else 0):
        place[a] = A[i, a]
    for a in range(directions.shape[0]):
        total = 0.0
        for j in range(A.shape[1]):
            total += directions[a, j] * (A[i, j] - middle[j])
        place[a] = total


@njit(cache=True, nogil=True)
def all_projected(A: np.ndarray, middle: np.ndarray, directions: np.ndarray) -> np.ndarray:
    """Every row of A along the directions, (n, 3)."""
    projected = np.zeros((A.shape[0], 3))
    for i in range(A.shape[0]):
        _project(A, i, middle, directions, projected[i])
    return projected


@njit(cache=True, nogil=True, error_model="numpy")
def tsg_norm(
    X: np.ndarray,
    projected: np.ndarray,
    middle: np.ndarray,
    directions: np.ndarray,
    order: np.ndarray,
    labels: np.ndarray,
    theta: float,
    p: float,
    geometry: tuple[np.ndarray, float, np.ndarray, float],
    begun_sums: np.ndarray,
    begun: np.ndarray,
    stop: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """TSG (Algorithm 1) over the rows of X in `order`; fills labels and returns (centroids, sums, members).

    `projected` are the rows as `all_projected` has them, `geometry` the cells over these; `members` and what was begun
    as in `exact`. Where the flag `stop` is set no clusters are returned.
    """
    N, D = order.shape[0], X.shape[1]
    origin, per_width, strides, total = geometry
    offsets = cells.offsets_around(min(D, 3), strides)
    K = np.int64(begun.shape[0])
    capacity = max(np.int64(64), K)
    sums = np.empty((capacity, D))
    C = np.empty((capacity, D))
    state = np.empty((capacity, 4), np.int64)  # as in `cells.tsg_cells`
    place = np.zeros(3)
    for k in range(K):
        state[k, 0], state[k, 2], state[k, 3] = begun[k, 0], begun[k, 1] >= 0, begun[k, 2]
        for j in range(D):
            sums[k, j] = begun_sums[k, j]
            C[k, j] = X[begun[k, 2], j] if state[k, 2] == 1 else sums[k, j] / state[k, 0]
        _project(C, k, middle, directions, place)
        state[k, 1] = cells.cell_of(place[0], place[1], place[2], origin, per_width, strides)
    lists = cells.all_lists(state[:, 1], K, offsets, total, 15 if D < 3 else 31)
    mask = lists.shape[0] - 1
    for at in range(N):
        if stop[0]:
            K = np.int64(0)
            break
        i = order[at]
        cell = cells.cell_of(projected[i, 0], projected[i, 1], projected[i, 2], origin, per_width, strides)
        k, best = np.int32(-1), theta
        row = cell & mask
        for listed in range(1, lists[row, 0] + 1):
            other = lists[row, listed]
            far = apart(X, i, C, other, p, best)
            if far < best or (far == best and (k < 0 or other < k)):
                k, best = other, far
        fits = True
        if k >= 0:
            state[k, 0] += 1
            alike = state[k, 2] == 1
            for j in range(D):
                sums[k, j] += X[i, j]
                alike = alike and X[i, j] == C[k, j]
            if not alike:
                state[k, 2] = 0
                for j in range(D):
                    C[k, j] = sums[k, j] / state[k, 0]
                _project(C, k, middle, directions, place)
                cell = cells.cell_of(place[0], place[1], place[2], origin, per_width, strides)
                if cell != state[k, 1]:
                    cells.delist(k, state[k, 1], offsets, lists)
                    state[k, 1] = cell
                    fits = cells.enlist(k, cell, offsets, lists)
        else:
            if capacity == K:
                capacity *= 2
                sums, C, state = more_rows(sums, capacity), more_rows(C, capacity), more_rows(state, capacity)
            k = np.int32(K)
            K += 1
            for j in range(D):
                sums[k, j] = C[k, j] = X[i, j]
            state[k, 0], state[k, 1], state[k, 2], state[k, 3] = 1, cell, 1, i
            fits = cells.enlist(k, cell, offsets, lists)
        if not fits or (mask < K and mask + 1 < total):
            lists = cells.all_lists(state[:, 1], K, offsets, total, lists.shape[1] - 1)
            mask = lists.shape[0] - 1
        labels[i] = k
    return C[:K].copy(), sums[:K].copy(), cells.members_of(state, K)


@njit(cache=True, nogil=True)
def nearest_norm(
    X: np.ndarray,
    projected: np.ndarray,
    centroids: np.ndarray,
    projected_centroids: np.ndarray,
    p: float,
    geometry: tuple[np.ndarray, float, np.ndarray, float],
    sure: float,
    stop: np.ndarray,
) -> np.ndarray:
    """Index of the nearest centroid of every point, ties to the lowest index.

    `geometry` is of cells over the centroids; nothing off the list of a point's cell is nearer than `sure`. Where
    `stop` is set, labels are of no use.
    """
    N, D = X.shape
    K = centroids.shape[0]
    origin, per_width, strides, total = geometry
    offsets = cells.offsets_around(min(D, 3), strides)
    at = np.empty(K, np.int64)
    for k in range(K):
        at[k] = cells.cell_of(
            projected_centroids[k, 0], projected_centroids[k, 1], projected_centroids[k, 2], origin, per_width, strides
        )
    lists = cells.all_lists(at, K, offsets, total, 15 if D < 3 else 31)
    mask = lists.shape[0] - 1
    labels = np.zeros(N, np.int32)
    for i in range(N):
        if stop[0]:
            break
        row = cells.cell_of(projected[i, 0], projected[i, 1], projected[i, 2], origin, per_width, strides) & mask
        best, nearest = np.int32(-1), np.inf
        for listed in range(1, lists[row, 0] + 1):
            k = lists[row, listed]
            far = apart(X, i, centroids, k, p, nearest)
            if far < nearest or (far == nearest and k < best):
                best, nearest = k, far
        if not nearest < sure:
            for k in range(K):
                far = apart(X, i, centroids, k, p, nearest)
                if far < nearest or (far == nearest and (best < 0 or k < best)):
                    best, nearest = np.int32(k), far
        labels[i] = best
    return labels


class _Frame:
    """From where a data set is seen in one norm: its middle, the directions of its cells, and its points along them."""

    def __init__(self, X: np.ndarray, p: float) -> None:
        self.middle = X.mean(axis=0) if X.shape[1] > cells.MAX_DIMENSIONS else np.zeros(X.shape[1])
        self.directions = _directions(X, p)
        self.projected = all_projected(read_only(X), self.middle, self.directions)
        self.reach = np.abs(X - self.middle).sum(axis=1).max()  # the 1-norm: no other is larger

    def margin(self, other: float = 0.0) -> float:
        """Far above what sums along a direction lose to rounding; `other` is the reach of other points."""
        if len(self.directions) == 0:
            return 0.0
        return 8.0 * self.directions.shape[1] * _EPS * (max(self.reach, other) + np.abs(self.middle).sum())


def _directions(X: np.ndarray, p: float) -> np.ndarray:
    """Up to three directions of length 1 in the dual norm along which the points are spread, (m, d); none are needed
    in up to three features."""
    if X.shape[1] <= cells.MAX_DIMENSIONS:
        return np.empty((0, X.shape[1]))
    sample = X[np.linspace(0, len(X) - 1, min(len(X), _SAMPLE)).astype(np.int64)]
    if p == np.inf:  # the coordinates themselves
        return np.eye(X.shape[1])[np.argsort(-sample.std(axis=0), kind="stable")[: cells.MAX_DIMENSIONS]]
    axes = np.linalg.svd(sample - sample.mean(axis=0), full_matrices=False)[2][: cells.MAX_DIMENSIONS]
    # of all directions with dual length 1, the one along which a principal axis is longest
    axes = axes / np.abs(axes).max(axis=1, keepdims=True)
    duals = np.sign(axes) * np.abs(axes) ** (p - 1.0)
    lengths = np.ones(len(duals)) if p == 1.0 else (np.abs(duals) ** (p / (p - 1.0))).sum(axis=1) ** (1.0 - 1.0 / p)
    return np.ascontiguousarray(duals / lengths[:, None])


_known: dict = {}
_lock = threading.Lock()


def _frame_of(X: np.ndarray, p: float) -> _Frame:
    """The `_Frame` of X; a sweep asks for the same at many θ."""
    key = id(X), p
    known = _known.get(key)
    if known is None or known[0]() is not X:
        known = weakref.ref(X, lambda _: _known.pop(key, None)), _Frame(X, p)
        with _lock:
            _known[key] = known
    return known[1]


class NormSearch:
    """TSG passes and nearest centroids over one data set at one θ in a norm p other than 2: as `search.Search`."""

    def __init__(self, X: np.ndarray, theta: float, p: float, stop: np.ndarray = NEVER) -> None:
        self.X, self.theta, self.p, self.stop = read_only(X), theta, p, stop
        self.frame = _frame_of(X, p)
        self.geometry = self._geometry(self.frame.projected)

    def _geometry(self, projected: np.ndarray, reach: float = 0.0) -> tuple[np.ndarray, float, np.ndarray, float]:
        return cells.geometry(projected, self.theta + self.frame.margin(reach))

    def group(self, order: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """One TSG pass over the points in `order`: (labels, centroids, sizes)."""
        labels, centroids, _, members = self._group(self.X, self.frame.projected, order, self.geometry)
        return labels, centroids, members[:, 0].copy()

    def go_on(
        self, order: np.ndarray, sums: np.ndarray, members: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """As `search.Search.go_on`."""
        return self._group(self.X, self.frame.projected, order, self.geometry, (sums, members))

    def _group(
        self,
        X: np.ndarray,
        projected: np.ndarray,
        order: np.ndarray,
        geometry: tuple[np.ndarray, float, np.ndarray, float],
        begun: tuple[np.ndarray, np.ndarray] | None = None,
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        labels = np.empty(len(X), np.int32)
        seen = projected, self.frame.middle, self.frame.directions
        begun = begun or none_begun(X.shape[1])
        return labels, *tsg_norm(X, *seen, order, labels, self.theta, self.p, geometry, *begun, self.stop)

    def vote(self, centroids: np.ndarray) -> np.ndarray:
        """TSG over centroids of passes, in their order: the centroids found."""
        centroids = read_only(centroids)
        projected = all_projected(centroids, self.frame.middle, self.frame.directions)
        return self._group(centroids, projected, np.arange(len(centroids), dtype=np.int32), self._geometry(projected))[
            1
        ]

    def nearest(self, centroids: np.ndarray) -> np.ndarray:
        """Index of the nearest centroid of every point; on a tie the lowest."""
        centroids = read_only(np.ascontiguousarray(centroids))
        projected = all_projected(centroids, self.frame.middle, self.frame.directions)
        reach = np.abs(centroids - self.frame.middle).sum(axis=1).max()
        geometry = self._geometry(projected, reach)
        sure = 0.9999 / geometry[1] - self.frame.margin(reach)
        return nearest_norm(self.X, self.frame.projected, centroids, projected, self.p, geometry, sure, self.stop)
