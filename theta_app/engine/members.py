"""What the members of a cluster have in common: their mean, or their direction, and their number."""

import numpy as np

from theta_app.engine.compiled import njit
from theta_app.engine.curves import members_of_curves
from theta_app.engine.directions import CANCELLED, length_of
from theta_app.engine.metric import Metric


def members(X: np.ndarray, labels: np.ndarray, K: int, metric: Metric | None = None) -> tuple[np.ndarray, np.ndarray]:
    """(centroids, sizes) of the clusters 0..K-1; the rows of clusters without members are NaN.

    Centroids are means, or what the `Metric` has instead; X and they are in its coordinates. That of members that are
    all one point is that point, free of rounding.
    """
    if metric is not None and metric.of_curves:
        return members_of_curves(X, labels, K)
    return _members(X, labels, K, metric is not None and metric.directions is not None)


@njit(cache=True, nogil=True, error_model="numpy")
def _members(X: np.ndarray, labels: np.ndarray, K: int, unit: bool) -> tuple[np.ndarray, np.ndarray]:
    if labels.shape[0] != X.shape[0]:
        raise ValueError("one label per row is needed")
    means = np.zeros((K, X.shape[1]))
    sizes = np.zeros(K, np.int64)
    only = np.full(K, -1, np.int64)  # the point all members equal; -2 if they differ
    first = np.full(K, -1, np.int64)
    for i in range(X.shape[0]):
        k = labels[i]
        if not 0 <= k < K:
            raise IndexError("a label is out of range")
        sizes[k] += 1
        if only[k] == -1:
            only[k] = first[k] = i
        for j in range(X.shape[1]):
            means[k, j] += X[i, j]
            if only[k] >= 0 and X[i, j] != X[only[k], j]:
                only[k] = -2
    for k in range(K):
        by = length_of(means, k) if unit else np.float64(sizes[k])
        if unit and only[k] == -2 and by <= CANCELLED * sizes[k]:
            only[k] = first[k]
        for j in range(X.shape[1]):
            means[k, j] = X[only[k], j] if only[k] >= 0 else means[k, j] / by
    return means, sizes
