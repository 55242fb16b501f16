"""TDG over a Dask array: by shuffle where a worker can hold all points, by part otherwise."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any

import dask
import dask.array as da
import numpy as np
from dask.delayed import Delayed
from distributed import Client

from theta_app.distributed import parts
from theta_app.distributed.cluster import current_client, in_use, in_words, threads, worker_memory
from theta_app.distributed.points import as_points
from theta_app.engine import EUCLIDEAN, Cancel, Cancelled, Metric, Progress, fair_sample, passes, validation

BY_SHUFFLE, BY_PART = "by shuffle", "by part"
SHARE = 0.25  # of a worker's memory that a copy of the points may take: a search holds as much again, an order, labels
AT_ONCE = 16  # parts whose centroids are put together at once
_LOOK = 0.25  # seconds between looks at whether the work is still wanted


@dataclass(frozen=True, eq=False)
class DistributedResult:
    """Clusters of TDG over a Dask array.

    Attributes
    ----------
    labels : (n,) Dask array of int32, with the chunks of X
        Computed when it is asked for, part by part.
    centroids : (K, d) array
    sizes : (K,) array
    run_counts : (shuffles,) array
        Clusters that each TSG run found.
    way : str
        `BY_SHUFFLE` or `BY_PART`.
    sent : int
        Bytes of centroids that left the workers.
    metric : Metric
        How distances are measured.
    """

    labels: da.Array
    centroids: np.ndarray
    sizes: np.ndarray
    run_counts: np.ndarray
    way: str
    sent: int
    metric: Metric = EUCLIDEAN

    @property
    def n_clusters(self) -> int:
        """How many clusters there are."""
        return len(self.sizes)


def tdg(
    X: Any,
    theta: float,
    shuffles: int = 50,
    seed: int = 0,
    *,
    client: Client | None = None,
    metric: str | Metric = "euclidean",
    p: float | None = None,
    way: str | None = None,
    columns: Sequence[str] | None = None,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> DistributedResult:
    """TDG on a cluster.

    By shuffle, every worker gets a copy of all points and runs whole shuffles: labels are exactly those of
    `theta_app.engine.tdg`. By part, a worker never holds more than a part and centroids: another algorithm, close to
    TDG (`theta_app.distributed.parts`).

    Parameters
    ----------
    X : Dask array of shape (n, d), Dask DataFrame, array, or path of Parquet files
        Chunks of rows are the parts. An array in memory is one part.
    theta, shuffles, seed, metric, p
        As for `theta_app.engine.tdg`.
    client : distributed.Client, optional
        By default the current one, else threads of this process.
    way : {"by shuffle", "by part"}, optional
        By default "by shuffle" where a copy of the points takes at most a quarter of a worker's memory.
    columns : list of str, optional
        Columns of a DataFrame or of Parquet files; by default all that are numbers.
    progress : callable, optional
        ``progress(done, total)`` in pieces of work, from the calling thread; may raise.
    cancel : object with ``is_set()``, optional
        When set the work stops and ``Cancelled`` is raised.

    Returns
    -------
    DistributedResult
    """
    X, theta = as_points(X, columns), validation.distance(theta, "theta")
    shuffles, seed = validation.count(shuffles, "shuffles"), validation.count(seed, "seed", 0)
    metric = parts.with_means(Metric.of(metric, p))
    lasting = client or current_client()
    with in_use(lasting) as client, in_words():
        way = way or way_for(X.shape, client)
        keep = way == BY_SHUFFLE and lasting is not None  # what fits one worker fits all of them
        if keep:
            X = client.persist(X)
        found_by = {BY_SHUFFLE: _by_shuffle, BY_PART: by_part}[way]
        watch = Watch(client, progress, cancel)
        runs, centroids, sent = found_by(X, theta, shuffles, seed, metric, watch)
        near = X.map_blocks(partial(_nearest, centroids, metric), dtype=np.int32, drop_axis=1)  # type: ignore[arg-type, call-arg]
        if keep:
            near = client.persist(near)
        numbers, means, sizes = members_of(X, near, centroids.shape, watch)
    labels = near.map_blocks(partial(np.take, numbers), dtype=np.int32)
    return DistributedResult(labels, means, sizes, np.array(list(map(len, runs))), way, sent, metric)


def way_for(shape: tuple[int, int], client: Client) -> str:
    """`BY_SHUFFLE` where a copy of so many points fits every worker's memory, else `BY_PART`."""
    return BY_SHUFFLE if 8 * shape[0] * shape[1] <= SHARE * worker_memory(client) else BY_PART


def tsg_parts(
    X: Any,
    theta: float,
    shuffles: int = 50,
    seed: int = 0,
    *,
    client: Client | None = None,
    metric: str | Metric = "euclidean",
    p: float | None = None,
    columns: Sequence[str] | None = None,
) -> list[parts.Found]:
    """TSG on every part for every shuffle: TDG by part until its centroids are put together.

    Parameters are those of `tdg`.

    Returns
    -------
    list of `Found`, one per part, in their order
    """
    X, theta = as_points(X, columns), validation.distance(theta, "theta")
    with in_use(client) as client, in_words():
        return Watch(client).results(_part_tasks(X, theta, shuffles, seed, parts.with_means(Metric.of(metric, p))))


def nearest(
    X: Any,
    centroids: np.ndarray,
    *,
    metric: str | Metric = "euclidean",
    p: float | None = None,
    columns: Sequence[str] | None = None,
) -> da.Array:
    """Index of the nearest centroid of every point, the lowest on a tie: a Dask array (n,) with the chunks of X.

    It needs no client: it is computed when it is asked for, where Dask computes.
    """
    X, centroids = as_points(X, columns), validation.points(centroids, "centroids")
    find = partial(_nearest, centroids, parts.with_means(Metric.of(metric, p)))
    return X.map_blocks(find, dtype=np.int32, drop_axis=1)  # type: ignore[arg-type, call-arg]


def fair_rows(X: da.Array, size: int, watch: Watch) -> np.ndarray:
    """A uniform random sample of so many rows of a Dask array, in their order, as an array."""
    chosen = fair_sample(X.shape[0], size)
    starts = np.concatenate([[0], np.cumsum(X.chunks[0])])
    of_part = np.split(chosen, np.searchsorted(chosen, starts[1:-1]))
    tasks = [
        dask.delayed(np.take)(chunk, rows - start, axis=0)
        for chunk, rows, start in zip(chunks_of(X), of_part, starts)
        if len(rows)
    ]
    return np.concatenate(watch.results(tasks))


class Watch:
    """Tasks on a cluster that can be watched and stopped.

    Parameters
    ----------
    client : distributed.Client
    progress, cancel
        As for `tdg`.
    """

    def __init__(self, client: Client, progress: Progress | None = None, cancel: Cancel | None = None) -> None:
        self.client, self.progress, self.cancel = client, progress, cancel

    def results(self, tasks: Iterable[Delayed]) -> list:
        """The values of delayed tasks, in their order."""
        found = dict(self.as_they_come(enumerate(tasks)))
        return [found[number] for number in range(len(found))]

    def as_they_come(self, tasks: Iterable[tuple[Any, Delayed]]) -> Iterator[tuple[Any, Any]]:
        """(key, value) of each of (key, delayed task) as it is there; it is then forgotten on the cluster."""
        keys, tasks = zip(*tasks)
        done: SimpleQueue
        key_of, done = dict(zip(self.client.compute(list(tasks)), keys)), SimpleQueue()
        for future in list(key_of):
            future.add_done_callback(done.put)
        del future, tasks
        try:
            while key_of:
                future = self._next(done)
                yield key_of.pop(future), future.result()
                del future
                if self.progress is not None:
                    self.progress(len(keys) - len(key_of), len(keys))
        finally:
            if key_of and self.client.status == "running":
                self.client.cancel(list(key_of), force=True)

    def _next(self, done: SimpleQueue) -> Any:
        while True:
            if self.cancel is not None and self.cancel.is_set():
                raise Cancelled("stopped before the end")
            if self.client.status != "running":
                raise OSError("the scheduler has gone")
            with contextlib.suppress(Empty):
                return done.get(timeout=_LOOK)


def chunks_of(X: da.Array) -> list[Delayed]:
    """The chunks of a Dask array, delayed."""
    return X.to_delayed().ravel().tolist()


# ---- by shuffle ------------------------------------------------------------------------------------------------------


def _by_shuffle(
    X: da.Array, theta: float, shuffles: int, seed: int, metric: Metric, watch: Watch
) -> tuple[list[np.ndarray], np.ndarray, int]:
    whole = watch.client.compute(dask.delayed(np.concatenate)(chunks_of(X)))
    task, tasks, places = dask.delayed(centroids_of_passes), [], _places(watch.client)
    for number, group in enumerate(shuffle_groups(shuffles, threads(watch.client))):
        # Dask takes sending for dear and may run all of them where the points are: the first of each thread says where.
        where = {"workers": places[number], "allow_other_workers": True} if number < len(places) else {}
        with dask.annotate(**where):
            tasks.append(task(whole, theta, seed, group, metric))
    found = watch.results(tasks)
    runs = [centroids for group in found for centroids in group]
    return runs, parts.vote(runs, theta, metric), sum(centroids.nbytes for centroids in runs)


def _places(client: Client) -> list[str]:
    """The address of a worker per thread, the first threads of all workers first."""
    counts = client.nthreads()
    return [worker for at in range(max(counts.values(), default=0)) for worker, count in counts.items() if at < count]


def shuffle_groups(shuffles: int, at_once: int) -> list[range]:
    """Ranges of shuffles: up to five per task, as a search learns from the first; each thread has as many."""
    rounds = -(-shuffles // (5 * at_once))
    each = -(-shuffles // (rounds * at_once))
    return [range(at, min(at + each, shuffles)) for at in range(0, shuffles, each)]


def centroids_of_passes(
    X: np.ndarray, theta: float, seed: int, shuffles: Iterable[int], metric: Metric
) -> list[np.ndarray]:
    """The centroids of every shuffle, one array (K, d) each."""
    return [centroids for _, centroids, _ in passes(X, theta, seed, shuffles, metric=metric)]


# ---- by part ---------------------------------------------------------------------------------------------------------


def _part_tasks(X: da.Array, theta: float, shuffles: int, seed: int, metric: Metric) -> list[Delayed]:
    task = dask.delayed(_checked_part_runs)
    return [task(chunk, theta, shuffles, seed, number, metric) for number, chunk in enumerate(chunks_of(X))]


def _checked_part_runs(X: np.ndarray, theta: float, shuffles: int, seed: int, part: int, metric: Metric) -> parts.Found:
    X = validation.points(X) if len(X) else X
    return parts.part_runs(X, theta, shuffles, seed, part, metric)


def by_part(
    X: da.Array, theta: float, shuffles: int, seed: int, metric: Metric, watch: Watch
) -> tuple[list[np.ndarray], np.ndarray, int]:
    """(centroids of each run, voted centroids, bytes that were sent) of TDG by part."""
    tasks, join = _part_tasks(X, theta, shuffles, seed, metric), dask.delayed(parts.joined)
    while len(tasks) > 1:
        tasks = [join(tasks[at : at + AT_ONCE], theta, metric) for at in range(0, len(tasks), AT_ONCE)]
    found = watch.results(tasks)[0]
    runs = parts.passes_over(found, theta, seed, metric)
    return runs, parts.vote_often(found, runs, theta, metric), found.nbytes


# ---- the end, the same for both --------------------------------------------------------------------------------------


def members_of(
    X: da.Array, near: da.Array, shape: tuple[int, ...], watch: Watch
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(new numbers, means, sizes) of the clusters around centroids of a shape, those left empty dropped.

    `near` is the nearest centroid of each point, a Dask array.
    """
    task, sums = dask.delayed(parts.totals), parts.Sums(*shape)
    pairs = zip(chunks_of(X), chunks_of(near))
    found = watch.results([task(chunk, labels, shape[0]) for chunk, labels in pairs])
    for means, sizes in found:  # in the order of the parts: sums do not depend on who was first
        sums.add(means, sizes)
    return sums.kept()


def _nearest(centroids: np.ndarray, metric: Metric, X: np.ndarray) -> np.ndarray:
    return parts.assigned(X, centroids, metric)
