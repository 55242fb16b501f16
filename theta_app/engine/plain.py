"""TSG on directions that are far apart: every point is compared with every centroid.

Where θ is nearly a right angle or more there are few clusters, and members may cancel out, for which the quick searches
have no room.
"""

import numpy as np

from theta_app.engine.compiled import njit
from theta_app.engine.directions import CANCELLED
from theta_app.engine.exact import begun, exactly, length_of, more_rows, same


@njit(cache=True, nogil=True, error_model="numpy")
def tsg_plain(
    X: np.ndarray,
    order: np.ndarray,
    limit_sq: float,
    begun_sums: np.ndarray,
    begun_members: np.ndarray,
    stop: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """TSG (Algorithm 1) over unit vectors, the rows of X in `order`; returns as `blocks.tsg_blocks`."""
    D = X.shape[1]
    labels = np.empty(X.shape[0], np.int32)
    K = np.int64(begun_sums.shape[0])
    capacity = max(np.int64(64), K)
    sums, members = begun(begun_sums, begun_members, capacity)
    C = np.empty((capacity, D))
    for k in range(K):
        _centre(k, X, sums, members, C)
    for at in range(order.shape[0]):
        if at % 64 == 0 and stop[0]:
            K = np.int64(0)
            break
        i = np.int64(order[at])
        nearest, least = np.int64(-1), np.inf
        for k in range(K):
            sq = exactly(X, i, C, k, 1.0)
            if sq <= limit_sq and sq < least:  # strict: a tie stays with the older cluster
                nearest, least = k, sq
        if nearest < 0:
            if capacity == K:
                capacity *= 2
                sums, members, C = more_rows(sums, capacity), more_rows(members, capacity), more_rows(C, capacity)
            nearest = K
            K += 1
            members[nearest, 0] = 0
            members[nearest, 1] = members[nearest, 2] = i
            for j in range(D):
                sums[nearest, j] = 0.0
        members[nearest, 0] += 1
        if members[nearest, 1] >= 0 and not same(X, i, members[nearest, 1]):
            members[nearest, 1] = -1
        for j in range(D):
            sums[nearest, j] += X[i, j]
        _centre(nearest, X, sums, members, C)
        labels[i] = nearest
    return labels, C[:K].copy(), sums[:K].copy(), members[:K].copy()


@njit(cache=True, nogil=True, error_model="numpy")
def _centre(k: int, X: np.ndarray, sums: np.ndarray, members: np.ndarray, C: np.ndarray) -> None:
    length = length_of(sums, k)
    cancelled = length <= CANCELLED * members[k, 0]
    for j in range(X.shape[1]):
        C[k, j] = X[members[k, 2], j] if cancelled or members[k, 1] >= 0 else sums[k, j] / length
