"""The silhouette of a clustering, from the distances of a fair sample of its points."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from theta_app.engine import validation
from theta_app.engine.compiled import njit
from theta_app.engine.metric import EUCLIDEAN, Metric
from theta_app.engine.neighbours import affordable

SAMPLE = 1000  # points: every silhouette shown anywhere is of these; of fewer where distances take long


def fair_sample(n: int, size: int, seed: int = 0) -> np.ndarray:
    """Positions of a uniform random sample of `size` of n rows, ascending; all of them where n is not larger."""
    if n <= size:
        return np.arange(n)
    return np.sort(np.random.default_rng(seed).choice(n, size, replace=False, shuffle=False))


@dataclass(frozen=True, eq=False)
class SilhouetteSample:
    """The points of a data set whose silhouette is taken, and their distances.

    Attributes
    ----------
    indices : (m,) array
        Rows of the data set, the same for every clustering of it: silhouettes can be compared.
    distances : (m, m) array
    metric : Metric
    """

    indices: np.ndarray
    distances: np.ndarray
    metric: Metric = EUCLIDEAN

    def score(self, labels: np.ndarray) -> float:
        """Mean silhouette of a clustering of the whole data set, labels (n,), any integers.

        NaN where it is undefined: all sampled points in one cluster, or each alone.
        """
        codes = np.unique(np.asarray(labels)[self.indices], return_inverse=True)[1]
        K = int(codes.max()) + 1
        if K < 2 or len(codes) <= K:
            return float("nan")
        return float(_silhouette(self.distances, codes, K))


def silhouette_sample(
    X: ArrayLike,
    size: int = SAMPLE,
    *,
    metric: str | Metric = "euclidean",
    p: float | None = None,
    radius: float | None = None,
) -> SilhouetteSample:
    """The `SilhouetteSample` of the points of X, an array of shape (n, d); `metric`, `p` and `radius` as for `tsg`."""
    X, metric = validation.points(X), Metric.of(metric, p, radius)
    indices = fair_sample(len(X), affordable(min(len(X), size), X.shape[1], metric.p))
    chosen, power = (X[indices], 1.0) if metric.directions is not None else validation.scaled(X[indices])
    distances = metric.distances(chosen, chosen) / power
    return SilhouetteSample(indices, validation.read_only(np.ascontiguousarray(distances)), metric)


@njit(cache=True, nogil=True, error_model="numpy")
def _silhouette(distances: np.ndarray, labels: np.ndarray, K: int) -> float:
    n = labels.shape[0]
    sizes = np.zeros(K, np.int64)
    sums = np.zeros((K, n))  # of the distances from each point to the members of each cluster
    for j in range(n):
        k = labels[j]
        sizes[k] += 1
        for i in range(n):
            sums[k, i] += distances[j, i]
    outside = np.full(n, np.inf)
    for k in range(K):
        for i in range(n):
            mean = sums[k, i] / sizes[k]
            if labels[i] != k and mean < outside[i]:
                outside[i] = mean
    total = 0.0
    for i in range(n):
        own = labels[i]
        if sizes[own] == 1:
            continue  # a point alone counts 0, as scikit-learn has it
        inside = sums[own, i] / (sizes[own] - 1)
        largest = max(inside, outside[i])
        if largest > 0.0:
            total += (outside[i] - inside) / largest
    return total / n
