"""TSG, TDG and TNC: the paper's three algorithms over the kernels."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from theta_app.engine import norms, validation
from theta_app.engine.agreement import adjusted_rand
from theta_app.engine.curves import CurveSearch
from theta_app.engine.density_chains import spanning_tree_by_density
from theta_app.engine.exact import none_begun
from theta_app.engine.members import members
from theta_app.engine.metric import EUCLIDEAN, Metric
from theta_app.engine.orders import shuffle
from theta_app.engine.search import Search
from theta_app.engine.spanning_tree import SpanningTree, spanning_tree
from theta_app.engine.stopping import NEVER, Cancel, Cancelled, Progress, new_flag, stop_if, stoppable

Searching = Search | norms.NormSearch | CurveSearch
"""What looks for the nearest centroid, by how distances are measured."""


@dataclass(frozen=True)
class TsgResult:
    """Clusters of one TSG pass, numbered in the order they were started."""

    labels: np.ndarray  # (n,) cluster of each point
    centroids: np.ndarray  # (K, d) means of the members
    sizes: np.ndarray  # (K,) number of members
    metric: Metric = EUCLIDEAN
    seconds: float = float("nan")  # processor time

    @property
    def n_clusters(self) -> int:
        """How many clusters there are."""
        return len(self.sizes)


@dataclass(frozen=True)
class TdgResult:
    """Clusters of TDG."""

    labels: np.ndarray  # (n,)
    centroids: np.ndarray  # (K, d) means of the members
    sizes: np.ndarray  # (K,)
    run_counts: np.ndarray  # (shuffles,) number of clusters each TSG run found
    agreement: float | None = None  # mean adjusted Rand index of consecutive runs; None if not asked for
    metric: Metric = EUCLIDEAN
    seconds: float = float("nan")  # processor time of its runs and their vote; NaN where another process ran them

    @property
    def n_clusters(self) -> int:
        """How many clusters there are."""
        return len(self.sizes)


@dataclass(frozen=True)
class TncResult:
    """Chains of TDG's clusters."""

    labels: np.ndarray  # (n,) chain of each point, named after its smallest centroid index
    chain: np.ndarray  # (K,) chain of each centroid
    centroids: np.ndarray  # (K, d) TDG's centroids, kept
    sizes: np.ndarray  # (K,) members of each centroid
    n_clusters: int  # number of chains, the paper's K'
    tdg: TdgResult


def shuffled_order(n: int, seed: int, i: int) -> np.ndarray:
    """The order in which shuffle `i` visits `n` points: a permutation that depends on (n, seed, i) alone."""
    n, seed, i = validation.count(n, "n", 0), validation.count(seed, "seed", 0), validation.count(i, "i", 0)
    return shuffle(n, seed, i).astype(np.int64)


def _searching(X: np.ndarray, theta: float, metric: Metric, method: str | None, stop: np.ndarray = NEVER) -> Searching:
    """How the points of X, in the coordinates of the metric, are searched at θ."""
    if metric.directions is not None:
        return Search(X, theta, method, stop, limit_sq=metric.limit(theta), unit=True)
    if metric == EUCLIDEAN:
        return Search(X, theta, method, stop)
    if method is not None:
        raise ValueError(f"method can be chosen for the Euclidean distance only, got {method!r}")
    if metric.of_curves:
        return CurveSearch(X, theta, stop)
    return norms.NormSearch(X, theta, metric.p, stop)


def tsg(
    X: ArrayLike,
    theta: float,
    order: np.ndarray | None = None,
    *,
    metric: str | Metric = "euclidean",
    p: float | None = None,
    radius: float | None = None,
    method: str | None = None,
) -> TsgResult:
    """Group points by distance in a single pass (the paper's Algorithm 1).

    Each point joins the nearest centroid within `theta` (the older one on a tie), which moves at once to the mean of
    its members; a point with none starts a cluster. With "haversine" and "cosine" a centroid is the direction of the
    sum of its members' unit vectors instead. With "mdf" rows are curves, and a centroid takes each in the direction
    that is nearer.

    Parameters
    ----------
    X : array of shape (n, d)
    theta : float
        Largest distance, in the units of ``X``, at which a point joins a cluster; in km with "haversine", 1 - cosine
        of the largest angle with "cosine".
    order : array of n indices, optional
        The order of visit; by default the order of the rows.
    metric : {"euclidean", "manhattan", "chebyshev", "minkowski", "haversine", "cosine", "mdf"}
        How distances are measured. "haversine": two features, latitude and longitude in degrees, along a sphere. "mdf":
        curves of m places, 3 m features; the mean distance of their places, one by one, the smaller of both directions.
    p : float, optional
        The power of "minkowski", 1 or more: 1 is "manhattan", 2 "euclidean", infinity "chebyshev".
    radius : float, optional
        Radius of the sphere of "haversine"; distances are in its unit. By default the Earth's, 6371.0088 km.
    method : {"cells", "blocks", "anchors", "near"}, optional
        How centroids are searched. Never changes the result; by default the shape of ``X`` decides.

    Returns
    -------
    TsgResult
    """
    began = time.thread_time()
    metric = Metric.of(metric, p, radius)
    X, theta = metric.coordinates(validation.points(X)), validation.distance(theta, "theta")
    order = validation.permutation(order, len(X))
    X, theta, power = validation.scaled(X, theta)
    labels, centroids, sizes = _searching(X, theta, metric, method).group(order)
    return TsgResult(labels, metric.rows(centroids / power), sizes, metric, time.thread_time() - began)


class IncrementalTSG:
    """TSG over points that arrive in pieces: whatever the pieces, what one pass over all of them in this order gives.

    Only the clusters are kept, not the points. Parameters are those of `tsg`.

    Attributes
    ----------
    centroids : (K, d) array
    sizes : (K,) array
    n_points : int
        How many have arrived.
    """

    _centroids: Any  # arrays once something has arrived, None before
    _sums: Any
    _first: Any
    _members: Any

    def __init__(
        self, theta: float, *, metric: str | Metric = "euclidean", p: float | None = None, radius: float | None = None
    ) -> None:
        self.theta, self.metric = validation.distance(theta, "theta"), Metric.of(metric, p, radius)
        self.n_points = 0
        self._centroids = self._sums = self._first = self._members = None  # in the coordinates of the metric

    @property
    def centroids(self) -> np.ndarray:
        """The centroids so far (K, d), in the units of the points."""
        return self.metric.rows(self._centroids)

    @property
    def sizes(self) -> np.ndarray:
        """How many rows each cluster has so far (K,)."""
        return self._members[:, 0].copy()

    @property
    def n_clusters(self) -> int:
        """How many clusters there are so far."""
        return 0 if self._members is None else len(self._members)

    def add(self, X: ArrayLike) -> np.ndarray:
        """The clusters (n,) that the points of X, an array of shape (n, d), join or start, one after the other."""
        X = self.metric.coordinates(validation.points(X))
        if self._sums is None:
            self._sums, self._members = none_begun(X.shape[1])
            self._first = self._centroids = self._sums
        if X.shape[1] != self._sums.shape[1]:
            raise ValueError(f"points must have as many features as those before, got {X.shape[1]}")
        K = len(self._sums)
        # the first member of each cluster, which is its centroid while all are one point, goes before the points; so
        # do the centroids, as the search has to see how far it all reaches
        known = [self._first, self._centroids, X]
        rows, theta, power = validation.scaled(np.concatenate(known) if K else X, self.theta)
        begun = self._members.copy()
        begun[:, 1] = np.where(begun[:, 1] >= 0, np.arange(K), -1)
        begun[:, 2] = np.arange(K)
        order = np.arange(2 * K, len(rows), dtype=np.int32)
        search = _searching(rows, theta, self.metric, None)
        labels, centroids, sums, self._members = search.go_on(order, self._sums * power, begun)
        self._centroids, self._sums = centroids / power, sums / power
        self._first = rows[self._members[:, 2]] / power
        self.n_points += len(X)
        return labels[2 * K :]


def tdg(
    X: ArrayLike,
    theta: float,
    shuffles: int = 50,
    seed: int = 0,
    *,
    metric: str | Metric = "euclidean",
    p: float | None = None,
    radius: float | None = None,
    n_jobs: int | None = None,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
    agreement: bool = False,
    method: str | None = None,
    executor: Executor | None = None,
) -> TdgResult:
    """Group points by distance, in a way that hardly depends on their order (Algorithm 2).

    TSG runs on `shuffles` random orders; TSG with the same `theta` groups all their centroids; every point goes to the
    closest of these (the lowest index on a tie); clusters left empty are dropped.

    Parameters
    ----------
    X : array of shape (n, d)
    theta : float
        Largest distance, in the units of ``X``, at which a point joins a cluster.
    shuffles : int
        Number of random orders. The first 20 of 50 are the 20 of a run with 20.
    seed : int
        Shuffle ``i`` uses ``shuffled_order(n, seed, i)``.
    metric, p, radius
        How distances are measured, as for `tsg`.
    n_jobs : int, optional
        Threads. The result is the same for any number.
    progress : callable, optional
        ``progress(done, shuffles)`` after each shuffle, in the calling thread. May raise: the work stops, and the
        exception passes through.
    cancel : object with ``is_set()``, optional
        Looked at every few milliseconds of work; when set the work stops and ``Cancelled`` is raised.
    agreement : bool
        Also compute order agreement: the mean adjusted Rand index between the labels of consecutive TSG runs.
    executor : concurrent.futures.Executor, optional
        Where shuffles run, a few per task, instead of threads of this process. Tasks can be pickled: processes will do,
        and clusters. The result is the same.

    Returns
    -------
    TdgResult
    """
    options: dict[str, Any] = {
        "n_jobs": n_jobs,
        "cancel": cancel,
        "agreement": agreement,
        "method": method,
        "executor": executor,
    }
    options["metric"] = Metric.of(metric, p, radius)
    return tdg_prefixes(X, theta, [shuffles], seed, progress=progress, **options)[0]


def tdg_prefixes(
    X: ArrayLike,
    theta: float,
    counts: Sequence[int],
    seed: int = 0,
    *,
    progress: Progress | None = None,
    **options: Any,
) -> list[TdgResult]:
    """TDG for several numbers of shuffles at the cost of the largest: a list with ``tdg(..., shuffles=c)`` for each.

    Parameters are those of `tdg`, ``metric`` a `Metric`; `counts` lists numbers of shuffles.
    """
    counts = [validation.count(c, "shuffles") for c in counts]
    growing = IncrementalTDG(X, theta, seed, **options)
    growing.grow(max(counts, default=0), progress and (lambda done: progress(done, max(counts))))
    results = {count: growing.vote(count) for count in set(counts)}
    return [results[count] for count in counts]


@dataclass(frozen=True, eq=False)
class Runs:
    """TSG runs on random orders, TDG's first half: what they found, from which more can go on."""

    centroids: tuple[np.ndarray, ...]  # of each run, in units in which squares neither overflow nor vanish
    agreements: tuple[float, ...]  # adjusted Rand index of each run with the one before, if that was asked for
    last: np.ndarray  # labels of the last run
    times: tuple[float, ...] = ()  # processor time of each run, in seconds

    def __len__(self) -> int:
        return len(self.centroids)

    def first(self, shuffles: int) -> Runs:
        """The first so many of them. They can be voted on, but more cannot go on from them."""
        return Runs(self.centroids[:shuffles], self.agreements[: shuffles - 1], self.last[:0], self.times[:shuffles])

    @property
    def counts(self) -> np.ndarray:
        """Number of clusters each found, an array (shuffles,)."""
        return np.array([len(centroids) for centroids in self.centroids])

    @property
    def agreement(self) -> float:
        """As in `TdgResult`."""
        # one run has nothing to differ from
        return sum(self.agreements) / len(self.agreements) if self.agreements else 1.0

    @property
    def nbytes(self) -> int:
        """How many bytes it takes in memory."""
        return self.last.nbytes + sum(centroids.nbytes for centroids in self.centroids)


class IncrementalTDG:
    """TDG at one θ with more and more shuffles, each number of which can be voted on. Parameters are those of
    `tdg`, ``metric`` is a `Metric`.

    Parameters
    ----------
    runs : Runs, optional
        Of the same points, θ and seed, to go on from.
    """

    def __init__(
        self,
        X: ArrayLike,
        theta: float,
        seed: int = 0,
        *,
        metric: Metric = EUCLIDEAN,
        runs: Runs | None = None,
        n_jobs: int | None = None,
        cancel: Cancel | None = None,
        agreement: bool = False,
        method: str | None = None,
        executor: Executor | None = None,
    ) -> None:
        began = time.thread_time()
        X, theta = validation.points(X), validation.distance(theta, "theta")
        self._rows, self._theta = X, theta
        X, theta, self._power = validation.scaled(metric.coordinates(X), theta)
        self._metric, self._method, self._executor = metric, method, executor
        self._stop = NEVER if cancel is None else new_flag()
        self._search = _searching(X, theta, metric, method, self._stop)
        self._prepared = time.thread_time() - began  # counted with the first run
        self._seed, self._workers = validation.count(seed, "seed", 0), validation.jobs(n_jobs)
        self._cancel, self._agreement = cancel, agreement
        self.runs = Runs((), (), np.empty(0, np.int32)) if runs is None else runs

    def grow(self, shuffles: int, progress: Callable[[int], object] | None = None) -> None:
        """Run until there are so many shuffles; ``progress(done)`` after each."""
        centroids, agreements, last = list(self.runs.centroids), list(self.runs.agreements), self.runs.last
        times = list(self.runs.times)
        with stoppable(self._cancel, self._stop):
            for labels, of_run, seconds in self._more_runs(len(centroids), shuffles):
                if self._agreement and centroids:
                    agreements.append(adjusted_rand(last, labels, len(centroids[-1]), len(of_run)))
                last = last if labels is None else labels
                times.append(seconds if centroids else seconds + self._prepared)
                centroids.append(of_run)
                if progress is not None:
                    progress(len(centroids))
        self.runs = Runs(tuple(centroids), tuple(agreements), last, tuple(times))

    def _more_runs(self, first: int, shuffles: int) -> Iterator[tuple]:
        search = self._search
        if self._executor is None:
            return _runs(search, first, shuffles, self._seed, self._workers, self._cancel)
        options: dict[str, Any] = {
            "metric": self._metric,
            "method": self._method,
            "labelled": self._agreement,
            "raw": True,
        }
        task = partial(self._executor.submit, passes, self._rows, self._theta, self._seed, **options)
        return _runs_elsewhere(task, range(first, shuffles), self._cancel)

    def vote(self, shuffles: int | None = None) -> TdgResult:
        """The `TdgResult` of the first so many shuffles of those run so far, by default of all."""
        runs = self.runs if shuffles in (None, len(self.runs)) else self.runs.first(shuffles)
        began = time.thread_time()
        with stoppable(self._cancel, self._stop):
            result = _vote(self._search, np.concatenate(runs.centroids), runs.counts, self._metric)
        seconds = sum(runs.times) + time.thread_time() - began
        agreement = runs.agreement if self._agreement else None
        centroids = self._metric.rows(result.centroids / self._power)
        return replace(result, agreement=agreement, centroids=centroids, metric=self._metric, seconds=seconds)


def _runs(
    search: Searching, first: int, shuffles: int, seed: int, workers: int, cancel: Cancel | None
) -> Iterator[tuple]:
    """(labels, centroids, processor time) of TSG on each shuffle from `first`, in order.

    They are computed by `workers` threads, a few ahead.
    """

    def run(i: int) -> tuple[np.ndarray, np.ndarray, float]:
        stop_if(cancel)
        began = time.thread_time()
        labels, centroids, _ = search.group(shuffle(len(search.X), seed, i))
        _stop_if_told(search)
        return labels, centroids, time.thread_time() - began

    if workers == 1:
        yield from map(run, range(first, shuffles))
        return
    pool = ThreadPoolExecutor(min(workers, shuffles))
    try:
        ahead: deque = deque()
        started = first
        for _ in range(first, shuffles):
            while started < shuffles and len(ahead) < 2 * workers:  # bounds the labels held at once
                ahead.append(pool.submit(run, started))
                started += 1
            yield ahead.popleft().result()
    finally:  # also when the consumer stopped: nothing it replaced goes on computing
        pool.shutdown(wait=True, cancel_futures=True)


_PER_TASK = 5  # shuffles
_LOOK = 0.05  # seconds between looks at whether work elsewhere is still wanted


def _runs_elsewhere(submit: Callable[..., Future], shuffles: range, cancel: Cancel | None) -> Iterator[tuple]:
    """The same from tasks of a few shuffles each; labels are None where nobody asked for them, and times are unknown.

    ``submit(shuffles)`` starts one. Points are sent with each task.
    """
    futures = [submit(shuffles[at : at + _PER_TASK]) for at in range(0, len(shuffles), _PER_TASK)]
    try:
        for future in futures:
            while not wait([future], _LOOK).done:
                stop_if(cancel)
            stop_if(cancel)
            yield from ((labels, centroids, float("nan")) for labels, centroids, _ in future.result())
    finally:
        for future in futures:
            future.cancel()


def passes(
    X: ArrayLike,
    theta: float,
    seed: int,
    shuffles: Iterable[int],
    *,
    metric: Metric = EUCLIDEAN,
    method: str | None = None,
    labelled: bool = False,
    raw: bool = False,
) -> list[tuple]:
    """A list of (labels or None, centroids, sizes) of TSG on each of the given shuffles: a piece of `tdg` for anywhere.

    The shuffles share what a search learns about the points. With `raw` centroids are as `Runs` has them.
    """
    X, theta = metric.coordinates(validation.points(X)), validation.distance(theta, "theta")
    X, theta, power = validation.scaled(X, theta)
    search, found = _searching(X, theta, metric, method), []
    for i in shuffles:
        labels, centroids, sizes = search.group(shuffle(len(X), seed, i))
        centroids = centroids if raw else metric.rows(centroids / power)
        found.append((labels if labelled else None, centroids, sizes))
    return found


def _stop_if_told(search: Searching) -> None:
    """What a search has returned is of no use where it was told to stop."""
    if search.stop[0]:
        raise Cancelled("stopped before the end")


def _vote(search: Searching, collected: np.ndarray, run_counts: np.ndarray, metric: Metric) -> TdgResult:
    """TDG's second half: group the collected centroids, assign every point to the closest group."""
    centroids = search.vote(collected)
    _stop_if_told(search)
    nearest = search.nearest(centroids)
    _stop_if_told(search)
    used = np.bincount(nearest, minlength=len(centroids)) > 0
    labels = (np.cumsum(used) - 1).astype(np.int32)[nearest]
    centroids, sizes = members(search.X, labels, int(used.sum()), metric)
    return TdgResult(labels, centroids, sizes, run_counts)


def tnc(
    X: ArrayLike,
    theta: float,
    epsilon: float,
    shuffles: int = 50,
    seed: int = 0,
    *,
    metric: str | Metric = "euclidean",
    p: float | None = None,
    radius: float | None = None,
    n_jobs: int | None = None,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
    method: str | None = None,
    density: int | None = None,
) -> TncResult:
    """Chain small clusters into shapes (Algorithm 3): TDG, then centroids closer than `epsilon` are one cluster.

    Parameters
    ----------
    X, theta, shuffles, seed, metric, p, radius, n_jobs, progress, cancel
        As for `tdg`; `theta` should be small against the shapes.
    epsilon : float
        Centroids at a distance below this are chained, transitively. In the units of θ; with `density` the depth,
        without a unit, below which links hold.
    density : int, optional
        Chain by density (`spanning_tree_by_density`), with cores of so many points. None is the paper's chaining.

    Returns
    -------
    TncResult
    """
    epsilon = validation.distance(epsilon, "epsilon")
    density = None if density is None else validation.count(density, "density")
    options: dict[str, Any] = {"n_jobs": n_jobs, "progress": progress, "cancel": cancel, "method": method}
    result = tdg(X, theta, shuffles, seed, metric=metric, p=p, radius=radius, **options)
    if density is None:
        return chained(result, epsilon)
    tree = spanning_tree_by_density(X, result.centroids, density, metric=result.metric, cancel=cancel)
    return chained(result, epsilon, tree)


def chained(result: TdgResult, epsilon: float, tree: SpanningTree | None = None) -> TncResult:
    """TNC from an existing `TdgResult`: its centroids closer than `epsilon`, in its own metric, are chained.

    `tree` is their `spanning_tree`, where it is at hand; it is made otherwise.
    """
    tree = spanning_tree(result.centroids, metric=result.metric) if tree is None else tree
    chain = tree.cut(epsilon)
    n_clusters = int((chain == np.arange(len(chain))).sum())
    return TncResult(chain[result.labels], chain, result.centroids, result.sizes, n_clusters, result)


def nearest(
    X: ArrayLike,
    centroids: ArrayLike,
    *,
    metric: str | Metric = "euclidean",
    p: float | None = None,
    radius: float | None = None,
) -> np.ndarray:
    """Index of the nearest centroid of every point, the lowest on a tie.

    Parameters
    ----------
    X : array of shape (n, d)
    centroids : array of shape (K, d)
    metric, p, radius
        As for `tsg`.

    Returns
    -------
    (n,) array of int32
    """
    metric = Metric.of(metric, p, radius)
    X, centroids = validation.points(X), validation.points(centroids, "centroids")
    if centroids.shape[1] != X.shape[1]:
        raise ValueError(f"centroids must have {X.shape[1]} features as X has, got {centroids.shape[1]}")
    X, centroids = metric.coordinates(X), metric.coordinates(centroids)
    power = min(validation.scaled(X)[-1], validation.scaled(centroids)[-1])
    if power != 1.0:
        X, centroids = X * power, centroids * power
    # how far centroids are apart if they fill their box: the search looks about that far, and finds farther ones too
    apart = float(np.ptp(centroids, axis=0).max()) / len(centroids) ** (1.0 / X.shape[1])
    if metric.directions is not None:  # a straight line between unit vectors, as `Search` takes it
        return Search(X, apart, unit=True).nearest(centroids)
    return _searching(X, apart, metric, None).nearest(centroids)
