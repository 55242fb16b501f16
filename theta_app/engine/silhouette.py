"""Mean silhouette of points whose distances are known."""

import numpy as np
from numba import njit

from theta_app.engine.validation import read_only


@njit(cache=True, nogil=True)
def _silhouette(distances, labels, K):
    n = labels.shape[0]
    sizes = np.zeros(K, np.int64)
    for i in range(n):
        sizes[labels[i]] += 1
    total = 0.0
    sums = np.empty(K)
    for i in range(n):
        own = labels[i]
        if sizes[own] == 1:
            continue  # a point alone counts 0, as scikit-learn has it
        for k in range(K):
            sums[k] = 0.0
        for j in range(n):
            sums[labels[j]] += distances[i, j]
        inside = sums[own] / (sizes[own] - 1)
        outside = np.inf
        for k in range(K):
            if k != own:
                outside = min(outside, sums[k] / sizes[k])
        largest = max(inside, outside)
        if largest > 0.0:
            total += (outside - inside) / largest
    return total / n


def silhouette(distances, labels):
    """Mean silhouette from a matrix of distances; 0 where it is undefined (one cluster, or every point alone)."""
    codes = np.unique(labels, return_inverse=True)[1]
    K = int(codes.max()) + 1
    if K < 2 or len(codes) <= K:
        return 0.0
    return float(_silhouette(read_only(np.ascontiguousarray(distances, dtype=np.float64)), codes, K))
