"""Where the results that a sweep wants are computed: in threads of this process, or by an executor of any kind."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING

import numpy as np

from theta_app.engine import Cancel, Cancelled, Progress, Runs, validation
from theta_app.selection.theta import ThetaPoint, Want

if TYPE_CHECKING:
    from theta_app.selection.sweeping import SweepPlan


_LOOK_INTERVAL = 0.05  # seconds between looks at the progress, hence the time it takes to stop


def in_threads(
    plan: SweepPlan,
    wants: Sequence[Want],
    runs: Mapping[float, Runs] | None = None,
    *,
    n_jobs: int | None = None,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> Iterator[ThetaPoint]:
    """The `ThetaPoint` of each `Want` of a `SweepPlan`, yielded in their order, computed by `n_jobs` threads.

    `runs` are the `Runs` at hand, by θ. ``progress(done, total)`` counts shuffles, each want as those of the plan; it
    is called from the thread that iterates, many times a second, and may raise. When it raises, or the iteration is
    dropped, the threads stop at their next shuffle.
    """
    done = [0] * len(wants)  # one writer each
    stop = _Stop(cancel)
    workers, at_hand = validation.jobs(n_jobs), runs or {}

    def tell() -> None:
        if progress is not None:
            progress(sum(done), plan.shuffles * len(wants))

    def work(i: int, tell: Callable[[], None] | None = None) -> ThetaPoint:
        def count(finished: int, total: int) -> None:
            done[i] = plan.shuffles * finished // total
            if tell is not None:
                tell()

        return plan.evaluate(wants[i], at_hand.get(wants[i].theta), progress=count, cancel=stop)

    if workers == 1:  # in the thread that iterates: many θ take less time than handing them over
        yield from (work(i, tell) for i in range(len(wants)))
        return
    pool = ThreadPoolExecutor(workers)
    try:
        yield from _in_order([pool.submit(work, i) for i in range(len(wants))], tell, cancel)
    finally:
        stop.set()
        pool.shutdown(wait=True, cancel_futures=True)


def in_executor(
    plan: SweepPlan,
    wants: Sequence[Want],
    runs: Mapping[float, Runs] | None = None,
    *,
    executor: Executor,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> Iterator[ThetaPoint]:
    """The same by a `concurrent.futures` executor, a task per want that can be pickled; progress counts tasks.

    Points are sent with each task; what clusterings are measured with is made there, once per process.
    """
    at_hand = runs or {}
    futures = [executor.submit(evaluate_alone, plan.alone, want, at_hand.get(want.theta)) for want in wants]

    def tell() -> None:
        if progress is not None:
            progress(plan.shuffles * sum(map(Future.done, futures)), plan.shuffles * len(futures))

    try:
        yield from _in_order(futures, tell, cancel)
    finally:
        for future in futures:
            future.cancel()


def _in_order(futures: Iterable[Future], tell: Callable[[], None], cancel: Cancel | None) -> Iterator[ThetaPoint]:
    for future in futures:
        while not future.done():
            wait([future], _LOOK_INTERVAL)
            if cancel is not None and cancel.is_set():
                raise Cancelled("stopped before the end")
            tell()
        yield future.result()


class _Stop(threading.Event):
    """Set by itself, or by another event."""

    def __init__(self, other: Cancel | None) -> None:
        super().__init__()
        self.other = other

    def is_set(self) -> bool:
        return super().is_set() or (self.other is not None and self.other.is_set())


def evaluate_alone(plan: SweepPlan, want: Want, runs: Runs | None = None) -> ThetaPoint:
    """What is wanted of a plan that came from another process, where that has what it measures with."""
    key = hashlib.sha256(np.ascontiguousarray(plan.X)).hexdigest(), plan.X.shape, plan.metric  # type: ignore[arg-type]
    if key not in _plans:
        _plans.clear()  # one data set at a time
        _plans[key] = plan
    known = _plans.get(key, plan)  # with the references that it has made
    return plan.with_references(known.references).evaluate(want, runs)


_plans: dict = {}
