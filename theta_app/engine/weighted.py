"""TSG over points that stand for many: centroids found elsewhere, each with the number of points behind it."""

import numpy as np

from theta_app.engine import norms, validation
from theta_app.engine.compiled import njit
from theta_app.engine.directions import CANCELLED, length_of
from theta_app.engine.exact import more_rows
from theta_app.engine.metric import Metric


def weighted_tsg(
    X: np.ndarray,
    weights: np.ndarray,
    theta: float,
    order: np.ndarray | None = None,
    *,
    metric: str | Metric = "euclidean",
    p: float | None = None,
    radius: float | None = None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """TSG in which row i counts as ``weights[i]`` points in one place: what TSG gives for each row so many times.

    Every centroid is compared with every row; it is meant for thousands of rows, not for millions.

    Parameters
    ----------
    X, theta, order, metric, p, radius
        As for `theta_app.engine.tsg`.
    weights : array of n numbers above 0

    Returns
    -------
    (labels, centroids, sums of the members' weights)
    """
    metric = Metric.of(metric, p, radius).refuse_curves("TSG with weights")
    X, theta = metric.coordinates(validation.points(X)), validation.distance(theta, "theta")
    weights = np.ascontiguousarray(weights, np.float64)
    if weights.shape != (len(X),) or not (weights > 0).all():
        raise ValueError("weights must be one number above 0 per row of X")
    order = validation.permutation(order, len(X))
    X, theta, power = validation.scaled(X, theta)
    rows, unit = validation.read_only(X), metric.directions is not None
    labels, centroids, sums = _weighted(rows, weights, order, metric.limit(theta), metric.p, unit)
    return labels, metric.rows(centroids / power), sums


@njit(cache=True, nogil=True, error_model="numpy")
def _weighted(
    X: np.ndarray, weights: np.ndarray, order: np.ndarray, limit: float, p: float, unit: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    D = X.shape[1]
    labels = np.empty(X.shape[0], np.int32)
    sums, C, total = np.empty((64, D)), np.empty((64, D)), np.empty((64, 1))
    K = 0
    for at in range(X.shape[0]):
        i = order[at]
        k, least = -1, limit
        for other in range(K):
            far = norms.comparable(X, i, C, other, p, least)
            if far < least or (far == least and k < 0):  # strict: a tie stays with the older cluster
                k, least = other, far
        if k < 0:
            if len(C) == K:
                sums, C, total = more_rows(sums, 2 * K), more_rows(C, 2 * K), more_rows(total, 2 * K)
            k, K = K, K + 1
            sums[k], total[k, 0] = 0.0, 0.0
            C[k] = X[i]
        alike = True
        total[k, 0] += weights[i]
        for j in range(D):
            sums[k, j] += weights[i] * X[i, j]
            alike = alike and C[k, j] == X[i, j]
        by = length_of(sums, k) if unit else total[k, 0]
        if unit and by <= CANCELLED * total[k, 0]:
            alike = True  # no direction: the centroid stays where it was
        for j in range(D if not alike else 0):  # a mean of one place only is that place, free of rounding
            C[k, j] = sums[k, j] / by
        labels[i] = k
    return labels, C[:K].copy(), total[:K, 0].copy()
