"""How sparse points are where one cluster meets another."""

import numpy as np

from theta_app.engine.compiled import njit

_STEEPEST = 2.0  # logarithms beyond this say no more than "far"; duplicates have no finite one


@njit(cache=True, nogil=True, error_model="numpy")
def at_boundaries(
    labels: np.ndarray, K: int, pairs: np.ndarray, radius: np.ndarray, sparser: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """(steep, boundary) of each point that has a near one in another cluster.

    How much larger its radius is than usual in the sparser of the two clusters, as a logarithm, and a number for the
    two clusters. Of several near ones the first decides. Usual is a cluster's (upper) median.
    """
    m = labels.shape[0]
    if radius.shape[0] != m or sparser.shape[0] != m:
        raise ValueError("one radius and one place per label are needed")
    left = np.zeros(K, np.int64)  # members up to the median
    for i in range(m):
        if not (0 <= labels[i] < K and 0 <= sparser[i] < m):
            raise IndexError("a label or a place is out of range")
        left[labels[i]] += 1
    for k in range(K):
        left[k] = left[k] // 2 + 1
    usual = np.zeros(K)
    for i in sparser:
        left[labels[i]] -= 1
        if left[labels[i]] == 0:
            usual[labels[i]] = radius[i]
    steep, boundary = np.empty(m), np.empty(m, np.int64)
    seen = np.zeros(m, np.bool_)
    found = 0
    for at in range(pairs.shape[0]):
        if not (0 <= pairs[at, 0] < m and 0 <= pairs[at, 1] < m):
            raise IndexError("a neighbour is out of range")
        a, b = labels[pairs[at, 0]], labels[pairs[at, 1]]
        if a == b:
            continue
        reference = max(usual[a], usual[b])
        for i in pairs[at]:
            if seen[i]:
                continue
            seen[i] = True
            height = np.log(radius[i] / reference)
            steep[found] = 0.0 if np.isnan(height) else min(max(height, -_STEEPEST), _STEEPEST)
            boundary[found] = min(a, b) * K + max(a, b)
            found += 1
    return steep[:found], boundary[:found]
