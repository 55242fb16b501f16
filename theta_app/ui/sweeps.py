"""TDG at each θ, and the sweep that asks for it: computed once, kept for everybody.

A result is kept under a `selection.ResultKey`, made of a digest of the points and of everything else it depends on.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any

import numpy as np

from theta_app import selection
from theta_app.engine import Progress, TsgResult, tsg
from theta_app.ui import cluster, store
from theta_app.ui.jobs import QUEUE, Job, Task
from theta_app.ui.loading import verdict_sample
from theta_app.ui.scheduled import FIRST, LAST, REST, asker, may_stop, run
from theta_app.ui.session import Settings

# ---- the points and the θ -------------------------------------------------------------------------------------------


def silhouette_points(points: selection.Sample) -> selection.SilhouetteSample:
    """The points whose silhouette is taken, the same for every clustering of the sample wherever it is shown."""
    return store.SWEEPS.get_or_make(
        (points.key, "silhouettes"), lambda: selection.silhouette_sample(points.X, metric=points.metric)
    )


def neighbourhoods(points: selection.Sample) -> selection.Neighbourhoods:
    """The neighbour graph of a sample: whether there are valleys between clusters."""
    return _prepared("near", points, selection.neighbourhoods)


def pair_search(points: selection.Sample) -> selection.PairSearch:
    """What finds the closest pair of different clusters in a sample."""
    make = lambda: selection.PairSearch(points.X, metric=points.metric).with_nearest()  # noqa: E731
    return store.SWEEPS.get_or_make((points.key, "pairs"), make)


def theta_grid(points: selection.Sample) -> np.ndarray:
    """The θ taken from the data."""
    return _prepared("grid", verdict_sample(points), selection.theta_grid)


def _prepared(what: str, points: selection.Sample, make: Callable) -> Any:
    """What is computed once from a sample before anything can be shown of it; in the queue, as it may take seconds."""
    work = lambda report, cancel: make(points.X, metric=points.metric, cancel=cancel)  # noqa: E731
    return run((points.key, what), work, may_stop, store.SWEEPS, FIRST)


def theta_axis(points: selection.Sample, settings: Settings) -> np.ndarray:
    """The θ to sweep: the grid taken from the data, or with its step as far as the person has widened it."""
    grid = theta_grid(points)
    if settings.theta_low is None or settings.theta_high is None:
        return grid
    return selection.widened(grid, settings.theta_low, settings.theta_high)


def plan(points: selection.Sample, settings: Settings) -> selection.SweepPlan:
    """The sweep of a sample with the shuffles, seed and range of the settings."""
    sampled = points is verdict_sample(points)
    bare = bare_plan(points, settings)
    small = selection.small_thetas(theta_grid(points)).tolist() if sampled else []  # chains are suggested from a sample
    grid = theta_axis(points, settings)
    grid = grid if sampled else _not_too_fine(verdict_sample(points), grid)
    return replace(bare, grid=tuple(grid.tolist()), small=tuple(small))


def bare_plan(points: selection.Sample, settings: Settings) -> selection.SweepPlan:
    """The same without the θ to sweep: what a single θ needs."""
    references: dict[str, Any] = {"sample": silhouette_points(points), "near": neighbourhoods(points)}
    return selection.SweepPlan(points.X, settings.shuffles, settings.seed, metric=points.metric, **references)


_POINTS_PER_CLUSTER = 4  # of a sample, at least, where all points are swept: finer ones take longest and say nothing


def _not_too_fine(points: selection.Sample, grid: np.ndarray) -> np.ndarray:
    """Of the θ of a sample, ascending, those from which on it has clusters of several points."""
    first = len(grid) - 1
    while first > 0 and len(tsg_result(points, grid[first - 1]).sizes) * _POINTS_PER_CLUSTER <= len(points.X):
        first -= 1
    return grid[first:]


def tsg_result(points: selection.Sample, theta: float) -> TsgResult:
    """TSG at θ, in the order of the rows."""
    make = lambda: tsg(points.X, theta, metric=points.metric)  # noqa: E731
    return store.SWEEPS.get_or_make((points.key, "tsg", float(theta)), make)


# ---- results --------------------------------------------------------------------------------------------------------


def known_result(points: selection.Sample, want: selection.Want, seed: int) -> selection.ThetaPoint | None:
    """What is wanted at a θ, if it has been computed, for a sweep or where a person stood."""
    for shuffles in filter(None, (want.shuffles, want.if_crowded)):
        point = store.SWEEPS.get(selection.ResultKey(points.key, want.theta, shuffles, seed, points.metric))
        if point is not None and want.answered_by(point):
            return point
    return None


def _keep(points: selection.Sample, point: selection.ThetaPoint, seed: int) -> selection.ThetaPoint:
    """Keep a result, and its runs where they are the longest at this θ: fewer and more shuffles begin with them."""
    key = selection.ResultKey(points.key, point.theta, point.row["shuffles"], seed, points.metric)
    runs, kept = point.runs, replace(point, runs=None)
    store.SWEEPS.put(key, kept)
    if runs is not None and len(runs) > len(_known_runs(points, point.theta, seed) or ()):
        store.SWEEPS.put(selection.RunsKey(points.key, point.theta, seed, points.metric), runs)
    return kept


def _known_runs(points: selection.Sample, theta: float, seed: int) -> selection.Runs | None:
    return store.SWEEPS.get(selection.RunsKey(points.key, theta, seed, points.metric))


_RUNS_BYTES = 32_000_000  # of the runs at a θ that a person stands on: the shuffle slider votes on each number of them


def _piece(points: selection.Sample, plan: selection.SweepPlan, want: selection.Want, rank: int, stood_on: bool) -> Job:
    """TDG as it is wanted at one θ, for the queue."""

    def work(report: Progress, cancel: Task) -> selection.ThetaPoint:
        runs = _known_runs(points, want.theta, plan.seed)
        point = cluster.evaluated(plan, want, runs, cancel)
        if point is None:
            options = {"most_bytes": _RUNS_BYTES} if stood_on else {}
            counted = lambda done, total: report(plan.shuffles * done // total, plan.shuffles)  # noqa: E731
            point = plan.evaluate(want, runs, progress=counted, cancel=cancel, **options)
        return _keep(points, point, plan.seed)

    return Job((points.key, points.metric, plan.seed, want), work, rank)


def results(
    points: selection.Sample,
    plan: selection.SweepPlan,
    wants: Sequence[selection.Want],
    progress: Progress | None = None,
    rank: int = REST,
    stood_on: bool = True,
) -> Generator[selection.ThetaPoint, None, None]:
    """Yields what is wanted at each θ, in turn: from the store, or computed in turn with everybody else's."""
    known = {want: known_result(points, want, plan.seed) for want in wants}
    missing = [_piece(points, plan, want, rank, stood_on) for want in known if known[want] is None]
    with closing(QUEUE.results(asker(), missing, progress)) as computed:
        for point in known.values():
            yield next(computed) if point is None else point


def theta_points(
    points: selection.Sample, thetas: Iterable[float], settings: Settings, progress: Progress | None = None
) -> Generator[selection.ThetaPoint, None, None]:
    """TDG with all shuffles at each θ in turn."""
    planned = bare_plan(points, settings)
    return results(points, planned, [planned.full(float(theta)) for theta in thetas], progress)


def theta_point(
    points: selection.Sample, theta: float, settings: Settings, progress: Progress | None = None
) -> selection.ThetaPoint:
    """TDG at one θ, with the numbers of a sweep's row."""
    with closing(theta_points(points, [theta], settings, progress)) as found:
        return next(found)


_PREFIXES = ((5_000, 100), (selection.MOST_POINTS, 20), (np.inf, 8))  # points -> numbers of shuffles that are shown


def prefixes(
    points: selection.Sample, theta: float, settings: Settings, progress: Progress | None = None
) -> list[selection.ThetaPoint]:
    """TDG at θ for every number of shuffles up to the one of the settings; of many points for some of them."""
    limit = next(limit for most, limit in _PREFIXES if len(points.X) <= most)
    counts = selection.prefix_counts(settings.shuffles, limit)
    seed, planned = settings.seed, bare_plan(points, settings)
    known = [known_result(points, selection.Want(theta, count), seed) for count in counts]
    if None not in known:
        return known

    def work(report: Progress, cancel: Task) -> list[selection.ThetaPoint]:
        options = {**planned.references, "progress": report, "cancel": cancel}
        runs = _known_runs(points, theta, seed)
        return [_keep(points, p, seed) for p in selection.prefix_points(points.X, theta, counts, seed, runs, **options)]

    return run((points.key, points.metric, seed, float(theta), tuple(counts)), work, progress)


# ---- the sweep ------------------------------------------------------------------------------------------------------


def states(points: selection.Sample, settings: Settings, asked: Sequence[float] = ()) -> Iterator[selection.Sweep]:
    """What is known of a sweep and what it wants next, again and again. ``asked`` are θ asked for by hand."""
    known = lambda want: known_result(points, want, settings.seed)  # noqa: E731
    return selection.states(plan(points, settings), known, tuple(map(float, asked)))


def load_state(points: selection.Sample, settings: Settings, asked: Sequence[float] = ()) -> selection.Sweep:
    """What is known of a sweep now."""
    return next(states(points, settings, asked))


def compute_next(
    points: selection.Sample, sweep: selection.Sweep, progress: Progress | None = None
) -> Generator[selection.ThetaPoint, None, None]:
    """Compute what a sweep wants next; yields each new ThetaPoint."""
    rank = LAST if points is not verdict_sample(points) else REST if sweep.worth_showing else FIRST
    stood_on = sweep.wanted[:1] and sweep.wanted[0].theta in sweep.asked
    return results(points, sweep.plan, sweep.wanted, sweep.counted(progress), rank, stood_on)  # type: ignore[arg-type]


def complete(points: selection.Sample, settings: Settings, progress: Progress | None = None) -> selection.Sweep:
    """The sweep of a sample, run to its end."""
    known = states(points, settings)
    while not (sweep := next(known)).complete:
        for _ in compute_next(points, sweep, progress):
            pass
    return sweep


def wider(points: selection.Sample, settings: Settings) -> Settings:
    """The settings with an axis that goes eight steps further at both ends."""
    thetas = theta_axis(points, settings)
    step = (thetas[-1] / thetas[0]) ** (1 / max(len(thetas) - 1, 1)) if len(thetas) > 1 else 2.0
    return replace(settings, theta_low=float(thetas[0] / step**8), theta_high=float(thetas[-1] * step**8))


# ---- all points -----------------------------------------------------------------------------------------------------


_LABEL_BYTES = 8 * 80  # of a point in a sweep: its cluster at each θ, swept and drawn
_DRAWN_BYTES = 2 * 80  # of a point that is only drawn


def bytes_of_all(points: selection.Sample) -> int:
    """What is kept of all points that are swept, or only drawn."""
    return len(points.X) * (_LABEL_BYTES if len(points.X) <= selection.MOST_SWEPT else _DRAWN_BYTES)
