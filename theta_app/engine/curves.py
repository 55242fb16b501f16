"""Curves: rows of m places in space, x, y, z of each, as streamlines of the brain are kept after resampling.

The distance of two curves is the mean of the distances of their places, one by one, in whichever of the two directions
it is smaller: the minimum average direct-flip distance (Garyfallidis et al. 2012). A centroid takes a curve in the
direction that is nearer to it, as it is on a tie, and is the mean of the curves as it took them; the first is taken as
it is. No two curves are nearer than their middles, which is how most centroids are passed over.
"""

import numpy as np

from theta_app.engine.compiled import njit
from theta_app.engine.exact import begun, more_rows, none_begun
from theta_app.engine.stopping import NEVER
from theta_app.engine.validation import read_only

POWER = 0.0
"""What kernels are given as the power p where rows are curves: no norm has it."""

_BELOW = 1.0 - 1e-9  # what rounding may add to the distance of two middles
_ABOVE = 1.0 + 1e-12  # and what it may take from a sum


def check(X: np.ndarray) -> np.ndarray:
    """X, curves of shape (n, 3 m); ValueError with a sentence where they are none."""
    if X.shape[1] % 3 or X.shape[1] < 6:
        raise ValueError(
            "metric 'mdf' compares curves: each row has x, y, z of two or more places, so the number of features "
            f"must be a multiple of 3 and at least 6, got {X.shape[1]}"
        )
    return X


@njit(cache=True, nogil=True)
def _along(A: np.ndarray, i: int, B: np.ndarray, k: int, back: bool, enough: float) -> float:
    """Mean distance of the places of row i of A, with `back` from its last to its first, and of row k of B.

    Infinite where it is more than `enough`.
    """
    m = A.shape[1] // 3
    total, most = 0.0, enough * m * _ABOVE
    for place in range(m):
        a, b = 3 * (m - 1 - place if back else place), 3 * place
        dx, dy, dz = A[i, a] - B[k, b], A[i, a + 1] - B[k, b + 1], A[i, a + 2] - B[k, b + 2]
        total += np.sqrt(dx * dx + dy * dy + dz * dz)
        if total > most:
            return np.inf
    return total / m


@njit(cache=True, nogil=True)
def apart(A: np.ndarray, i: int, B: np.ndarray, k: int, enough: float) -> float:
    """Distance of curve i of A and curve k of B; something above `enough` if it is more than that."""
    there = _along(A, i, B, k, False, enough)
    return min(there, _along(A, i, B, k, True, min(enough, there)))


@njit(cache=True, nogil=True)
def _middle(A: np.ndarray, i: int, at: np.ndarray) -> None:
    m = A.shape[1] // 3
    for axis in range(3):
        at[axis] = 0.0
        for place in range(m):
            at[axis] += A[i, 3 * place + axis] / m


@njit(cache=True, nogil=True)
def _closest(
    X: np.ndarray, i: int, middle: np.ndarray, C: np.ndarray, middles: np.ndarray, K: int, limit: float
) -> tuple[int, float]:
    """(centroid, its distance) of the nearest of K centroids within `limit`, the older one on a tie; -1 for none."""
    nearest, least = np.int64(-1), np.inf
    for k in range(K):
        enough = min(limit, least)
        dx, dy, dz = middle[0] - middles[k, 0], middle[1] - middles[k, 1], middle[2] - middles[k, 2]
        if np.sqrt(dx * dx + dy * dy + dz * dz) * _BELOW > enough:
            continue
        far = apart(X, i, C, k, enough)
        if far <= limit and far < least:  # strict: a tie stays with the older cluster
            nearest, least = np.int64(k), far
    return nearest, least


@njit(cache=True, nogil=True)
def _take(X: np.ndarray, i: int, k: int, sums: np.ndarray, members: np.ndarray, C: np.ndarray) -> None:
    """Curve i joins cluster k, whose centroid moves; a cluster without members begins with it."""
    D = X.shape[1]
    back = members[k, 0] > 0 and _along(X, i, C, k, True, np.inf) < _along(X, i, C, k, False, np.inf)
    if members[k, 0] == 0:
        members[k, 1] = members[k, 2] = i
        for j in range(D):
            sums[k, j] = 0.0
    members[k, 0] += 1
    for j in range(D):
        value = X[i, D - 3 - 3 * (j // 3) + j % 3] if back else X[i, j]
        if members[k, 1] >= 0 and value != X[members[k, 1], j]:
            members[k, 1] = -1
        sums[k, j] += value
    _centre(X, k, sums, members, C)


@njit(cache=True, nogil=True)
def _centre(X: np.ndarray, k: int, sums: np.ndarray, members: np.ndarray, C: np.ndarray) -> None:
    for j in range(X.shape[1]):
        C[k, j] = X[members[k, 1], j] if members[k, 1] >= 0 else sums[k, j] / members[k, 0]


@njit(cache=True, nogil=True)
def tsg_curves(
    X: np.ndarray, order: np.ndarray, theta: float, begun_sums: np.ndarray, begun_members: np.ndarray, stop: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """TSG (Algorithm 1) over the curves in `order`; returns as `blocks.tsg_blocks`."""
    D = X.shape[1]
    labels = np.empty(X.shape[0], np.int32)
    K = np.int64(begun_sums.shape[0])
    capacity = max(np.int64(64), K)
    sums, members = begun(begun_sums, begun_members, capacity)
    C, middles, middle = np.empty((capacity, D)), np.empty((capacity, 3)), np.empty(3)
    for k in range(K):
        _centre(X, k, sums, members, C)
        _middle(C, k, middles[k])
    for at in range(order.shape[0]):
        if at % 64 == 0 and stop[0]:
            K = np.int64(0)
            break
        i = np.int64(order[at])
        _middle(X, i, middle)
        nearest, _ = _closest(X, i, middle, C, middles, K, theta)
        if nearest < 0:
            if capacity == K:
                capacity *= 2
                sums, members = more_rows(sums, capacity), more_rows(members, capacity)
                C, middles = more_rows(C, capacity), more_rows(middles, capacity)
            nearest = K
            members[nearest, 0] = 0
            K += 1
        _take(X, i, nearest, sums, members, C)
        _middle(C, nearest, middles[nearest])
        labels[i] = nearest
    return labels, C[:K].copy(), sums[:K].copy(), members[:K].copy()


@njit(cache=True, nogil=True)
def _nearest(X: np.ndarray, C: np.ndarray, stop: np.ndarray) -> np.ndarray:
    middles, middle = np.empty((C.shape[0], 3)), np.empty(3)
    for k in range(C.shape[0]):
        _middle(C, k, middles[k])
    labels = np.empty(X.shape[0], np.int32)
    for i in range(X.shape[0]):
        if i % 64 == 0 and stop[0]:
            break
        _middle(X, i, middle)
        labels[i] = _closest(X, i, middle, C, middles, C.shape[0], np.inf)[0]
    return labels


@njit(cache=True, nogil=True)
def members_of_curves(X: np.ndarray, labels: np.ndarray, K: int) -> tuple[np.ndarray, np.ndarray]:
    """(centroids, sizes) of the clusters 0..K-1, their members in the order of the rows; NaN for those without any."""
    if labels.shape[0] != X.shape[0]:
        raise ValueError("one label per row is needed")
    sums, members, C = np.zeros((K, X.shape[1])), np.zeros((K, 3), np.int64), np.full((K, X.shape[1]), np.nan)
    for i in range(X.shape[0]):
        if not 0 <= labels[i] < K:
            raise IndexError("a label is out of range")
        _take(X, np.int64(i), np.int64(labels[i]), sums, members, C)
    return C, members[:, 0].copy()


@njit(cache=True, nogil=True)
def curves_apart(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    """Distances between all rows of A and all rows of B, (len(A), len(B))."""
    far = np.empty((A.shape[0], B.shape[0]))
    for i in range(A.shape[0]):
        for k in range(B.shape[0]):
            far[i, k] = apart(A, i, B, k, np.inf)
    return far


@njit(cache=True, nogil=True)
def curves_beside(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    """Distances between rows of A and the rows of B beside them, (n,)."""
    far = np.empty(A.shape[0])
    for i in range(A.shape[0]):
        far[i] = apart(A, i, B, i, np.inf)
    return far


@njit(cache=True, nogil=True)
def middles_of(X: np.ndarray) -> np.ndarray:
    """The mean place of each curve, (n, 3), pulled together by far more than rounding: none are farther than curves."""
    middles = np.empty((X.shape[0], 3))
    for i in range(X.shape[0]):
        _middle(X, i, middles[i])
    return middles * _BELOW


class CurveSearch:
    """TSG over curves and the nearest centroids, as `search.Search` has them."""

    def __init__(self, X: np.ndarray, theta: float, stop: np.ndarray = NEVER) -> None:
        self.X, self.theta, self.stop = read_only(X), theta, stop

    def group(self, order: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(labels, centroids, sizes) of TSG in this order."""
        labels, centroids, _, members = self.go_on(order, *none_begun(self.X.shape[1]))
        return labels, centroids, members[:, 0].copy()

    def go_on(
        self, order: np.ndarray, sums: np.ndarray, members: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """(labels, centroids, sums, members) after these rows joined clusters that were begun before."""
        return tsg_curves(self.X, order, self.theta, sums, members, self.stop)

    def vote(self, centroids: np.ndarray) -> np.ndarray:
        """Centroids of centroids: TSG over them in the order in which they were collected."""
        in_turn = np.arange(len(centroids), dtype=np.int32)
        return tsg_curves(read_only(centroids), in_turn, self.theta, *none_begun(self.X.shape[1]), self.stop)[1]

    def nearest(self, centroids: np.ndarray) -> np.ndarray:
        """The number of the nearest centroid for every row."""
        return _nearest(self.X, read_only(np.ascontiguousarray(centroids)), self.stop)
