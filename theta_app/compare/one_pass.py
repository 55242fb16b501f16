"""The one-pass threshold methods the paper builds on, as they were published: Leader, BSAS, SL, QuickBundles' rule.

And the paper's own TSG and TDG read plainly: every point against every centroid, compiled, no search structure. Claims
on time are judged by these too; the engine's times are those of an engine.
"""

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage

from theta_app.engine import shuffled_order, validation
from theta_app.engine.compiled import njit

SL_LEADERS = 15_000  # single linkage holds all their distances at once: 0.9 GB


@njit(cache=True, nogil=True)
def _pass(X: np.ndarray, theta: float, limit: int, moving: bool, strict: bool) -> tuple[np.ndarray, np.ndarray]:
    """Visit the rows of X once. Returns (labels, representatives).

    limit : number of clusters after which a point joins the nearest, however far
    moving : the representative is the mean of its members; otherwise it stays the first of them
    strict : a point exactly at θ does not join
    """
    N, D = X.shape
    labels = np.empty(N, np.int32)
    centres = np.empty((N, D))  # as many as there can be: the system gives memory only to the rows that are written
    sums = np.empty((N, D))
    sizes = np.zeros(N, np.int64)
    K = 0
    for i in range(N):
        best, best_sq = -1, np.inf
        for k in range(K):
            sq = 0.0
            for j in range(D):
                a = X[i, j] - centres[k, j]
                sq += a * a
            if sq < best_sq:  # strict: a tie stays with the older cluster
                best, best_sq = k, sq
        distance = np.sqrt(best_sq)
        near = distance < theta if strict else distance <= theta
        if K == 0 or (not near and limit > K):
            best = K
            K += 1
            sizes[best] = 1
            for j in range(D):
                centres[best, j] = X[i, j]
                sums[best, j] = X[i, j]
        else:
            sizes[best] += 1
            if moving:
                for j in range(D):
                    sums[best, j] += X[i, j]
                    centres[best, j] = sums[best, j] / sizes[best]
        labels[i] = best
    return labels, centres[:K].copy()


def _run(
    X: np.ndarray, theta: float, limit: int | None = None, *, moving: bool, strict: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    X = validation.points(X)
    limit = len(X) if limit is None else validation.count(limit, "limit")
    return _pass(validation.read_only(X), validation.distance(theta, "theta"), limit, moving, strict)


def leader(X: np.ndarray, theta: float) -> tuple[np.ndarray, np.ndarray]:
    """Leader (Rush 1988): a cluster's first point leads it and never moves. Returns (labels, leaders)."""
    return _run(X, theta, moving=False)


def bsas(X: np.ndarray, theta: float, limit: int) -> tuple[np.ndarray, np.ndarray]:
    """Basic sequential algorithmic scheme: TSG until `limit` clusters, then the nearest. Returns (labels, means)."""
    return _run(X, theta, limit, moving=True)


def quickbundles_rule(X: np.ndarray, theta: float) -> tuple[np.ndarray, np.ndarray]:
    """QuickBundles (Garyfallidis 2012): TSG, but a point exactly at θ starts a cluster. Returns (labels, means)."""
    return _run(X, theta, moving=True, strict=True)


def plain_tsg(X: np.ndarray, theta: float) -> tuple[np.ndarray, np.ndarray]:
    """TSG, the paper's Algorithm 1, by brute force. Returns (labels, means)."""
    return _run(X, theta, moving=True)


def plain_tdg(X: np.ndarray, theta: float, shuffles: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """TDG, the paper's Algorithm 2, by brute force. Returns (labels, means)."""
    X = validation.points(X)
    passes = (plain_tsg(np.ascontiguousarray(X[shuffled_order(len(X), seed, i)]), theta)[1] for i in range(shuffles))
    centroids = plain_tsg(np.concatenate(list(passes)), theta)[1]
    used, labels = np.unique(_closest(validation.read_only(X), centroids), return_inverse=True)
    sums = np.zeros((len(used), X.shape[1]))
    np.add.at(sums, labels, X)
    return labels, sums / np.bincount(labels)[:, None]


@njit(cache=True, nogil=True)
def _closest(X: np.ndarray, centres: np.ndarray) -> np.ndarray:
    """Index of the closest centre of each row; the lowest on a tie."""
    labels = np.empty(len(X), np.int64)
    for i in range(len(X)):
        best, best_sq = 0, np.inf
        for k in range(len(centres)):
            sq = 0.0
            for j in range(X.shape[1]):
                a = X[i, j] - centres[k, j]
                sq += a * a
            if sq < best_sq:
                best, best_sq = k, sq
        labels[i] = best
    return labels


def leaders_single_linkage(X: np.ndarray, theta: float, distance: float) -> tuple[np.ndarray, None]:
    """SL (Patra 2011): leaders at `theta`, then single linkage over them, joining those at most `distance` apart.

    Returns (labels, None): a chain of leaders has no centroid of its own.
    """
    distance = validation.distance(distance, "distance")
    labels, leaders = leader(X, theta)
    if len(leaders) > SL_LEADERS:
        raise ValueError(
            f"{len(leaders):,} leaders are too many for single linkage (at most {SL_LEADERS:,}). Raise the leaders' θ."
        )
    if len(leaders) == 1:
        return labels, None
    chains = fcluster(linkage(leaders, "single"), distance, criterion="distance")
    first = np.unique(chains, return_index=True)[1]
    number = np.empty(chains.max() + 1, np.int32)
    number[chains[np.sort(first)]] = np.arange(len(first))  # numbered in the order their first leader came
    return number[chains][labels], None


def dipy_quickbundles(X: np.ndarray, theta: float) -> tuple[np.ndarray, np.ndarray]:
    """DIPY's QuickBundles on points of at most 3 coordinates. Returns (labels, centroids); ImportError without DIPY."""
    from dipy.segment.clustering import QuickBundles
    from dipy.segment.metricspeed import AveragePointwiseEuclideanMetric

    X = validation.points(X)
    if X.shape[1] > 3:
        raise ValueError("DIPY's QuickBundles takes points of at most 3 coordinates")
    bundles = QuickBundles(validation.distance(theta, "theta"), metric=AveragePointwiseEuclideanMetric())
    found = bundles.cluster(list(X.astype(np.float32)[:, None, :]))  # a streamline of one point each
    labels = np.empty(len(X), np.int32)
    for k, cluster in enumerate(found):
        labels[cluster.indices] = k
    return labels, np.array([cluster.centroid[0] for cluster in found], dtype=float)
