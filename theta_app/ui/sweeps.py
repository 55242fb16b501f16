"""A sweep in the making: what is known of it, what comes next, and taking the next step.

A run of the page shows what is known and takes one step; the step ends when there is something new worth showing. The
person sees every fourth θ first, then the rest, then the finer θ near the best range, then the refined ranges.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd

from theta_app import selection
from theta_app.ui import cache
from theta_app.ui.session import Settings

_SHOW_EVERY = 1.5  # seconds of computing after which what there is so far is shown


@dataclass(frozen=True, eq=False)
class Sweep:
    """What is known of a sweep.

    asked : tuple of θ
        Those asked for by hand.
    points : dict of θ -> ThetaPoint
        Known so far, ascending.
    planned : int
        How many there will be, as far as that can be said.
    table : DataFrame
        The rows of the grid and its refinement (not of θ the person asked for by hand).
    ranges : DataFrame
        Of the table; rough edges until the sweep is complete.
    best : Recommendation, Suggestion or None
        The θ to stand on, and the reason: TDG's recommended one; for TNC the suggested small one where chains stand
        out. None while nothing is known.
    todo : list of θ
        What to compute next; empty when only the ranges' edges are open, or nothing.
    complete : bool
    worth_showing : bool
        Whether at least every fourth θ is known.
    """

    sample: cache.Sample
    settings: Settings
    asked: tuple[float, ...]
    points: dict[float, selection.ThetaPoint]
    planned: int
    table: pd.DataFrame
    ranges: pd.DataFrame
    best: selection.Recommendation | selection.Suggestion | None
    todo: list[float]
    complete: bool
    worth_showing: bool


def so_far(sample: cache.Sample, settings: Settings, asked: tuple[float, ...] = ()) -> Sweep:
    """What the store has of a sweep. ``asked`` are θ asked for by hand."""
    known = {}

    def have(theta: float) -> bool:
        if theta not in known:
            point = cache.known_point(sample, theta, settings.shuffles, settings.seed)
            if point is None:
                return False
            known[theta] = point
        return True

    grid = [float(theta) for theta in cache.theta_axis(sample, settings)]
    asked = tuple(float(theta) for theta in asked)
    todo = _missing(asked, have)
    worth_showing = not _missing([*asked, *grid[::-4]], have)
    for stage in (grid[::-4], grid[::-2], grid[::-1]):  # large θ first: quick, and where the structure is
        todo = todo or _missing(stage, have)
    swept = [theta for theta in grid if have(theta)]
    finer: list[float] = []
    if len(swept) == len(grid):
        finer = cache.finer_thetas(sample, settings, [known[theta] for theta in grid])
        todo = todo or _missing(finer, have)
    rows = [known[theta] for theta in sorted({*swept, *(theta for theta in finer if have(theta))})]
    table = selection.sweep_frame(rows, sample.X, settings.shuffles, settings.seed)

    refined = None
    if not todo:
        refined = cache.known_ranges(table, sample, settings.shuffles, settings.seed)
    ranges = refined
    if ranges is None:
        ranges = cache.rough_ranges(table, sample, settings.shuffles, settings.seed)
    best = selection.recommend_from(table, ranges) if len(table) else None
    if settings.algorithm == "TNC" and len(swept) == len(grid):  # the small θ are of the grid, so all are known
        suggested = cache.chain_suggestion(sample, settings)
        best = suggested if suggested.stands_out else best
    if refined is not None:
        todo = _missing([best.theta], have)
    for theta in asked:
        have(theta)
    if best is not None:
        have(best.theta)
    planned = len({*grid, *finer, *asked})
    points = dict(sorted(known.items()))
    complete = refined is not None and not todo
    return Sweep(sample, settings, asked, points, planned, table, ranges, best, todo, complete, worth_showing)


def _missing(thetas, have) -> list[float]:
    return [theta for theta in thetas if not have(theta)]


def step(
    sweep: Sweep,
    progress: Callable[[int, int], None],
    each: Callable[[selection.ThetaPoint], object] = lambda point: None,
) -> None:
    """Compute what comes next, until all is done or what is new is worth showing: the first answer, then every while.

    ``each`` is called with what is new while the threads compute the next θ: preparing it for the page costs no wait.
    """
    end = time.monotonic() + _SHOW_EVERY
    settings = sweep.settings
    while not sweep.complete and time.monotonic() < end:
        if not sweep.todo:
            cache.ranges(sweep.table, sweep.sample, progress)
        for point in cache.theta_points(sweep.sample, sweep.todo, settings.shuffles, settings.seed, progress):
            each(point)
            if time.monotonic() > end:
                return
        before, sweep = sweep, so_far(sweep.sample, settings, sweep.asked)
        if sweep.worth_showing and not before.worth_showing:
            return
