"""Which of a few centroids is the nearest, exactly, without computing each distance exactly.

Squared distances are summed in whatever order is fastest. Where two candidates, or a candidate and θ, are closer than
that rounding could tell apart (`slack`), they are compared by the exact rule: squares summed over the coordinates in
their order, the centroid as its members' sum divided by their count (the point itself while all members are one point).

`members` of a cluster: their number, the point all of them equal, -1 if they differ, and the first of them. Where the
flag `unit` is set points are unit vectors, and a centroid is the sum divided by its length (`directions`).

TSG can go on from clusters that are there already: their `sums` and `members`, the first of whom are rows of X.
"""

import numpy as np

from theta_app.engine.compiled import njit
from theta_app.engine.directions import length_of

_SUMS_IN_ANY_ORDER = {"reassoc", "contract", "nsz", "arcp"}


@njit(cache=True, nogil=True, fastmath=_SUMS_IN_ANY_ORDER)
def roughly(X: np.ndarray, i: int, sums: np.ndarray, k: int, per_count: float) -> float:
    """Squared distance from point i to the centroid sums[k] / count, up to rounding."""
    sq = 0.0
    for j in range(X.shape[1]):
        a = X[i, j] - sums[k, j] * per_count
        sq += a * a
    return sq


@njit(cache=True, nogil=True, error_model="numpy")
def exactly(X: np.ndarray, i: int, sums: np.ndarray, k: int, divisor: float) -> float:
    """The same by the rule: centroid = sum / count (or length), squares summed in order."""
    sq = 0.0
    for j in range(X.shape[1]):
        a = X[i, j] - sums[k, j] / divisor
        sq += a * a
    return sq


@njit(cache=True, nogil=True)
def divisor(sums: np.ndarray, members: np.ndarray, k: int, unit: bool) -> float:
    """What the sum of a cluster is divided by."""
    return length_of(sums, k) if unit else np.float64(members[k, 0])


@njit(cache=True, nogil=True)
def same(X: np.ndarray, i: int, other: int) -> bool:
    """Whether two rows are equal in every coordinate."""
    for j in range(X.shape[1]):  # noqa: SIM110 (numba has no all() over a generator)
        if X[i, j] != X[other, j]:
            return False
    return True


@njit(cache=True, nogil=True, error_model="numpy")
def decide(
    i: int,
    X: np.ndarray,
    sums: np.ndarray,
    members: np.ndarray,
    unit: bool,
    limit_sq: float,
    slack: float,
    near: np.ndarray,
    near_sq: np.ndarray,
    found: int,
    about: float,
) -> tuple[int, float]:
    """Of `found` candidates, whose squared distances are known up to rounding, the nearest by the exact rule."""
    left = 0
    best = np.int64(-1)
    for at in range(found):
        if near_sq[at] <= about + slack:
            near[left] = near[at]
            left += 1
            best = near[at]
    if left == 1 and abs(about - limit_sq) > slack:
        return best if about < limit_sq else np.int64(-1), about
    best, best_sq = np.int64(-1), np.inf
    for at in range(left):
        k = near[at]
        only = members[k, 1]
        sq = exactly(X, i, sums, k, divisor(sums, members, k, unit)) if only < 0 else exactly(X, i, X, only, 1.0)
        if sq < best_sq or (sq == best_sq and k < best):
            best, best_sq = k, sq
    return best if best_sq <= limit_sq else np.int64(-1), about


@njit(cache=True, nogil=True, fastmath=_SUMS_IN_ANY_ORDER)
def join(X: np.ndarray, i: int, sums: np.ndarray, k: int, per_count: float, places: np.ndarray, at: int) -> float:
    """Add point i to a cluster's sum; returns the squared distance of its centroid from places[at]."""
    sq = 0.0
    for j in range(X.shape[1]):
        t = sums[k, j] + X[i, j]
        sums[k, j] = t
        a = t * per_count - places[at, j]
        sq += a * a
    return sq


@njit(cache=True, nogil=True, fastmath=_SUMS_IN_ANY_ORDER)
def turn(
    X: np.ndarray, i: int, sums: np.ndarray, k: int, per_length: float, places: np.ndarray, at: int
) -> tuple[float, float]:
    """Add unit vector i to a cluster's sum, which was 1 / per_length long.

    Returns 1 / its length now, and the squared distances of its direction from places[at] and from what it was.
    """
    total = 0.0
    for j in range(X.shape[1]):
        t = sums[k, j] + X[i, j]
        total += t * t
    now = 1.0 / np.sqrt(total)
    sq = moved = 0.0
    for j in range(X.shape[1]):
        old = sums[k, j]
        t = old + X[i, j]
        sums[k, j] = t
        a = t * now - places[at, j]
        b = t * now - old * per_length
        sq += a * a
        moved += b * b
    return now, sq, moved


@njit(cache=True, nogil=True, error_model="numpy")
def means(X: np.ndarray, sums: np.ndarray, members: np.ndarray, K: int, unit: bool) -> np.ndarray:
    """Centroids by the rule."""
    centroids = np.empty((K, X.shape[1]))
    for k in range(K):
        only, by = members[k, 1], divisor(sums, members, k, unit)
        for j in range(X.shape[1]):
            centroids[k, j] = X[only, j] if only >= 0 else sums[k, j] / by
    return centroids


@njit(cache=True, nogil=True)
def begun(sums: np.ndarray, members: np.ndarray, capacity: int) -> tuple[np.ndarray, np.ndarray]:
    """Arrays for `capacity` clusters, the first of them those that are there already."""
    return more_rows(sums, capacity), more_rows(members, capacity)


def none_begun(features: int) -> tuple[np.ndarray, np.ndarray]:
    """(sums, members) of no clusters."""
    return np.empty((0, features)), np.empty((0, 3), np.int64)


@njit(cache=True, nogil=True)
def more_rows(old: np.ndarray, capacity: int) -> np.ndarray:
    """The same rows at the top of an array that has room for `capacity` of them."""
    new = np.empty((capacity, old.shape[1]), old.dtype)
    for i in range(old.shape[0]):
        for j in range(old.shape[1]):
            new[i, j] = old[i, j]
    return new
