"""TSG and chaining one step at a time: what the Learn page plays, and how many distances each method computes.

Plain Python and NumPy, written to be read. ``trace_tsg`` follows exactly the rules of ``tsg`` and must give the same
labels, centroids and sizes; a test holds it to that.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from theta_app.engine import validation
from theta_app.engine.directions import CANCELLED, length_of
from theta_app.engine.metric import Metric


@dataclass(frozen=True, eq=False)
class TsgStep:
    """One point's arrival.

    Attributes
    ----------
    point : int
        Row of ``X`` that arrives.
    distances : ndarray of shape (clusters so far,)
        From the point to every centroid as they stood on its arrival; empty for the first point.
    nearest : int
        Cluster with the nearest centroid, -1 for the first point. A tie names the older cluster.
    cluster : int
        Cluster that holds the point afterwards.
    created : bool
        True if no centroid was within θ, so that the point opened ``cluster``.
    before, after : ndarray of shape (d,)
        The centroid of ``cluster`` before and after the step; the point itself, twice, if it opened the cluster.
    """

    point: int
    distances: np.ndarray
    nearest: int
    cluster: int
    created: bool
    before: np.ndarray
    after: np.ndarray


@dataclass(frozen=True, eq=False)
class TsgTrace:
    """Every step of one TSG run, and its result.

    Attributes
    ----------
    steps : tuple of TsgStep
        In the order of arrival.
    labels : ndarray of shape (n,)
        Cluster of each row of ``X``.
    centroids : ndarray of shape (k, d)
    sizes : ndarray of shape (k,)
    distance_count : int
        Distances between a point and a centroid that were computed.
    """

    steps: tuple[TsgStep, ...]
    labels: np.ndarray
    centroids: np.ndarray
    sizes: np.ndarray
    distance_count: int


def trace_tsg(
    X: np.ndarray,
    theta: float,
    order: np.ndarray | None = None,
    *,
    metric: str | Metric = "euclidean",
    p: float | None = None,
    radius: float | None = None,
) -> TsgTrace:
    """Run TSG and keep every step.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Points; finite.
    theta : float
        Largest distance, in the units of ``X``, at which a point joins a cluster. 0 groups exact duplicates.
    order : array-like of shape (n,), optional
        Permutation in which the points arrive; by default as they stand.
    metric, p, radius
        As for `tsg`.

    Returns
    -------
    TsgTrace
    """
    metric = Metric.of(metric, p, radius).refuse_curves("a trace of TSG")
    X = np.empty((0, 2)) if len(X) == 0 else validation.points(X)  # the player's last point may be taken away
    X = metric.coordinates(X)
    order = validation.permutation(order, len(X))
    n, d = X.shape
    limit = metric.limit(validation.distance(theta, "theta"))
    alike = np.zeros(n, bool)  # whether all members are one point, which then is the centroid, free of rounding
    sums, centroids = np.zeros((n, d)), np.zeros((n, d))  # n clusters at most; only the first k rows are in use
    sizes, labels = np.zeros(n, dtype=np.int64), np.full(n, -1, dtype=np.int64)
    steps, k, counted, firsts = [], 0, 0, np.zeros((n, d))
    for i in order:
        far = _comparable(centroids[:k], X[i], metric.p)
        counted += k
        nearest = int(np.argmin(far)) if k else -1  # argmin takes the first: a tie stays with the older cluster
        created = k == 0 or not far[nearest] <= limit
        cluster = k if created else nearest
        before = X[i].copy() if created else centroids[cluster].copy()
        k += created
        sums[cluster] += X[i]
        sizes[cluster] += 1
        if not (alike[cluster] and np.array_equal(X[i], centroids[cluster])):
            alike[cluster] = sizes[cluster] == 1
            firsts[cluster] = X[i] if created else firsts[cluster]
            centroids[cluster] = _centre(sums[cluster], sizes[cluster], metric, firsts[cluster])
        labels[i] = cluster
        before, after = metric.rows(np.array([before, centroids[cluster]]))
        steps.append(TsgStep(int(i), metric.lengths(far), nearest, cluster, created, before, after))
    return TsgTrace(tuple(steps), labels, metric.rows(centroids[:k].copy()), sizes[:k].copy(), counted)


def _centre(total: np.ndarray, count: int, metric: Metric, first: np.ndarray) -> np.ndarray:
    """The centroid of members whose sum and number are given: their mean, or the direction of their sum."""
    if count == 1 or metric.directions is None:
        return first if count == 1 else total / count
    length = length_of(total[None], 0)
    return first if length <= CANCELLED * count else total / length


def count_tsg_distances(labels: np.ndarray, order: np.ndarray | None = None) -> int:
    """Distances that plain TSG computed to arrive at ``labels``: each point is compared with every cluster before it.

    Counting from a finished run instead of tracing it makes large N affordable; a test shows that the two agree.
    """
    labels = np.asarray(labels)
    visited = labels if order is None else labels[np.asarray(order)]
    _, births = np.unique(visited, return_index=True)
    # a cluster born at step b is met by each of the n - 1 - b points after it
    return int((len(visited) - 1 - births).sum())


def lloyd_rounds(
    X: np.ndarray, k: int, seed: int = 0, max_iterations: int = 300
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Lloyd's K-Means from ``k`` random points, one iteration after the other.

    It stops when no point changes its cluster. An empty cluster keeps its centre.

    Yields
    ------
    before : ndarray of shape (k, d)
        The centres that the points were assigned to.
    labels : ndarray of shape (n,)
    after : ndarray of shape (k, d)
        The means of the members; the same centres in the last iteration, which finds nothing to change.
    """
    X = np.ascontiguousarray(X, dtype=np.float64)
    centres = X[np.random.default_rng(seed).choice(len(X), size=k, replace=False)].copy()
    labels = np.full(len(X), -1)
    for _ in range(max_iterations):
        # the term |x|² is the same for every centre and cannot change which is nearest
        scores = (centres**2).sum(axis=1) - 2.0 * (X @ centres.T)
        new = scores.argmin(axis=1)
        if np.array_equal(new, labels):
            yield centres, labels, centres
            return
        labels = new
        members = np.bincount(labels, minlength=k)
        after = centres.copy()
        for j in range(X.shape[1]):
            totals = np.bincount(labels, weights=X[:, j], minlength=k)
            after[:, j] = np.where(members > 0, totals / np.maximum(members, 1), centres[:, j])
        yield centres, labels, after
        centres = after


def count_lloyd_distances(X: np.ndarray, k: int, seed: int = 0, max_iterations: int = 300) -> tuple[int, int]:
    """Run Lloyd's K-Means (see `lloyd_rounds`) and count the distances it computes.

    Returns
    -------
    count, iterations : int
        ``count`` is n * k for each iteration.
    """
    iterations = sum(1 for _ in lloyd_rounds(X, k, seed, max_iterations))
    return iterations * len(X) * k, iterations


@dataclass(frozen=True)
class ChainingTrace:
    """How the chaining list of TNC is built for one ε.

    Attributes
    ----------
    links : tuple of (int, int)
        Pairs of centroids closer than ε, lower index first, in index order.
    rounds : tuple of tuple of tuple of int
        The chaining list at the end of each round: one row per centroid.
    chain : tuple of int
        Smallest index of each centroid's chain; the number of distinct ones is K'.
    """

    links: tuple[tuple[int, int], ...]
    rounds: tuple[tuple[tuple[int, ...], ...], ...]
    chain: tuple[int, ...]


def trace_chaining(
    centroids: np.ndarray,
    epsilon: float,
    *,
    metric: str | Metric = "euclidean",
    p: float | None = None,
    radius: float | None = None,
) -> ChainingTrace:
    """Chain centroids closer than ε (strictly), keeping the lists that the paper's Algorithm 3 goes through.

    Each linked pair shares its rows in both directions, then every row keeps its smallest index; this repeats until the
    number of clusters no longer changes. The paper's example comes out row by row. `metric`, `p` and `radius` as
    for `tsg`.
    """
    metric = Metric.of(metric, p, radius).refuse_curves("a trace of chaining")
    centroids = metric.coordinates(np.ascontiguousarray(centroids, dtype=np.float64))
    k = len(centroids)
    links = []
    for i in range(k):
        distances = metric.lengths(_comparable(centroids[i + 1 :], centroids[i], metric.p))
        links += [(i, i + 1 + int(j)) for j in np.flatnonzero(distances < epsilon)]
    chain, rounds, stable = list(range(k)), [], False
    while not stable:
        rows = [[c] for c in chain]
        for i, j in links:
            rows[j] += dict.fromkeys(rows[i])  # each member once, in order: rows cannot double with every link
            rows[i] += [c for c in dict.fromkeys(rows[j]) if c != i]
        rounds.append(tuple(tuple(row) for row in rows))
        smallest = [min(row) for row in rows]
        stable = smallest == chain
        chain = smallest
    return ChainingTrace(tuple(links), tuple(rounds), tuple(chain))


def _comparable(centroids: np.ndarray, point: np.ndarray, p: float) -> np.ndarray:
    """What grows with the distances, as the kernels have it (`norms.comparable`): another sum can break a tie."""
    gaps = np.abs(point - centroids)
    largest = gaps.max(axis=1, initial=0.0)
    if p == np.inf:
        return largest
    between = p not in (1.0, 2.0)
    if between:
        gaps = np.divide(gaps, largest[:, None], out=np.zeros_like(gaps), where=largest[:, None] > 0)
    total = np.zeros(len(centroids))
    for j in range(centroids.shape[1]):  # coordinate after coordinate
        total += gaps[:, j] * gaps[:, j] if p == 2.0 else [gap**p for gap in gaps[:, j].tolist()]
    return largest * [value ** (1.0 / p) for value in total.tolist()] if between else total
