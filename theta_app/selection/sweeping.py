"""The sweep over θ.

There is one sweep. It is a value (`Sweep`) that says what is known of it and what comes next; whatever has been
computed is in a `memory`, so that a sweep can be stopped and taken up again: `so_far` looks, `advance` computes. In a
notebook `sweep` runs it to its end.

Work goes where it matters. On its own axis a sweep takes a brief look at each θ; at the best of them it takes shuffles
until the answer settles, at the recommended one all of them, and so it does where somebody asks for a θ (`evaluate`).
Each row says how many shuffles it rests on. Where clusters have fewer than ten points on average there is nothing to
find: of those θ every second is looked at, and every eighth where more than half of the points are clusters of their
own.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pandas as pd

from theta_app.engine import SilhouetteSample, norms, silhouette_sample, validation
from theta_app.selection.places import Elsewhere, Threads
from theta_app.selection.ranges import REFINED, ranked, recommend_from, remembered, rivals, theta_ranges
from theta_app.selection.sizes import stragglers
from theta_app.selection.theta import (
    AGREEING,
    ALL,
    BRIEF,
    POINTS_PER_LINK,
    SETTLED,
    ThetaPoint,
    briefly,
    crowded,
    evaluate,
    sweep_frame,
    theta_grid,
)
from theta_app.selection.valleys import Neighbourhoods, neighbourhoods


class Memory:
    """What a sweep has found so far, kept between steps. This one lasts as long as it is held.

    Another may keep it for everybody, as long as it tells apart points, shuffles and seeds.
    """

    def __init__(self):
        self._kept = {}

    def get(self, key):
        """What was put under a key, or None."""
        return self._kept.get(key)

    def put(self, key, value):
        self._kept[key] = value


@dataclass(frozen=True, eq=False)
class SweepPlan:
    """What to sweep.

    Attributes
    ----------
    X : (n, d) array
    shuffles, seed : int
    grid : tuple of float
        The θ to start with, ascending.
    asked : tuple of float
        θ asked for by hand. They are computed first, and belong to no range.
    small : tuple of float
        θ at which chains are looked for, descending. They get a brief look after the others, down to the first with
        more clusters than chains are made of.
    given : bool
        Whether the θ of the grid were given: then each takes all shuffles, and none are added. Otherwise work goes
        where it matters.
    norm : float
        p of the distance.
    memory : Memory
    sample : SilhouetteSample, optional
    near : Neighbourhoods, optional
        Both of X and in that norm, where they are at hand.
    """

    X: np.ndarray
    shuffles: int = 50
    seed: int = 0
    grid: tuple[float, ...] = ()
    asked: tuple[float, ...] = ()
    small: tuple[float, ...] = ()
    given: bool = False
    norm: float = norms.EUCLIDEAN
    memory: Memory = field(default_factory=Memory)
    sample: SilhouetteSample | None = None
    near: Neighbourhoods | None = None

    def at(self, theta, effort):
        """The `ThetaPoint` of an effort at θ if it has been computed, or None."""
        return self.memory.get((effort, theta))

    def known(self, theta):
        """The one with most shuffles of those that have been computed at θ, or None."""
        return next(filter(None, (self.at(theta, effort) for effort in (ALL, SETTLED, BRIEF))), None)

    def runs(self, theta):
        """The `Runs` to go on from at θ, or None."""
        known = self.known(theta)
        return None if known is None else known.runs

    def keep(self, point, effort):
        """Remember a `ThetaPoint` of an effort."""
        self.memory.put((effort, point.theta), point)
        if effort == BRIEF and point.settled:
            self.memory.put((SETTLED, point.theta), point)
        if point.row["shuffles"] >= self.shuffles:
            self.memory.put((ALL, point.theta), point)

    @cached_property
    def references(self):
        """What every clustering of X is measured with, as `evaluate` takes it."""
        return {
            "sample": silhouette_sample(self.X, **self.metric) if self.sample is None else self.sample,
            "near": neighbourhoods(self.X, **self.metric) if self.near is None else self.near,
            **self.metric,
        }

    @property
    def metric(self):
        """How distances are measured, as the engine takes it."""
        return norms.options(self.norm)

    @property
    def alone(self):
        """The plan without what is known of it: what another process needs."""
        return SweepPlan(self.X, self.shuffles, self.seed, norm=self.norm)

    def standing(self, theta, cancel=None):
        """Number of clusters at θ, stragglers not counted, from a brief look: as most θ of a sweep are swept."""
        known = self.at(theta, BRIEF)
        if known is not None:
            return known.standing
        sizes = briefly(self.X, theta, self.shuffles, self.seed, cancel=cancel, **self.metric).sizes
        return int((~stragglers(sizes)).sum())

    def __deepcopy__(self, memo):  # pandas copies what a frame carries with every frame made from it
        return self


@dataclass(frozen=True, eq=False)
class Sweep:
    """What is known of a sweep.

    Attributes
    ----------
    plan : SweepPlan
    rows : dict of θ -> effort
        The θ of the grid and its refinement that are known, ascending, and how much was done for the sweep at each. A
        person who stands on one makes it take all shuffles, which changes what is shown there, but no range.
    points : dict of θ -> ThetaPoint
        Known so far, ascending: of `rows`, asked for by hand, and small ones for chains.
    planned : int
        How many of the grid, its refinement and asked for there will be, as far as that can be said.
    todo : list of θ
        What to compute next; empty when only the ranges' edges are open, or nothing.
    effort : str
        How much of it.
    behind : int
        How many evaluations are behind, those that turned out not to be needed among them.
    swept : bool
        Whether every θ of the grid and its refinement is known.
    worth_showing : bool
        Whether at least every fourth θ is known.
    refined : DataFrame or None
        The ranges with refined edges, once they are there.
    lowest : float
        The smallest θ of the grid that is looked at.
    """

    plan: SweepPlan
    rows: dict[float, str]
    points: dict[float, ThetaPoint]
    planned: int
    todo: list[float]
    effort: str
    behind: int
    swept: bool
    worth_showing: bool
    refined: pd.DataFrame | None
    lowest: float

    @property
    def complete(self):
        """Whether the ranges' edges are refined as well."""
        return self.refined is not None and not self.todo

    @cached_property
    def table(self):
        """The DataFrame of `sweep`, of the θ in `rows`."""
        return sweep_frame([self.points[theta] for theta in self.rows], self.plan)

    def own_point(self, theta):
        """The `ThetaPoint` of one of the rows as the sweep itself has it, wherever a person has stood since."""
        return self.plan.at(theta, self.rows[theta]) or self.points[theta]

    @cached_property
    def own(self):
        """The DataFrame of those: what the ranges are taken from."""
        return sweep_frame(map(self.own_point, self.rows), self.plan)

    @cached_property
    def ranges(self):
        """The DataFrame of `theta_ranges`; edges half way between values until they have been refined."""
        return theta_ranges(self.own, refine=0) if self.refined is None else self.refined

    @cached_property
    def best(self):
        """The `Recommendation` that follows from the ranges; None while nothing is known."""
        return recommend_from(self.own, self.ranges) if self.rows else None

    @property
    def kept(self):
        """(effort, ThetaPoint) of all that the sweep itself has computed: what `remember` takes."""
        for theta, last in ({**dict.fromkeys(self.plan.small, BRIEF), **self.rows}).items():
            known = {effort: self.plan.at(theta, effort) for effort in _up_to(last)}
            yield from ((effort, point) for effort, point in known.items() if point is not None)


def so_far(plan):
    """What the plan's memory has of its sweep: a `Sweep`.

    A brief look at every eighth θ comes first, then at every fourth, every second and the rest, large θ before small
    ones (they are quick, and where the structure is), and at finer θ near the best, which follow from that. Then
    shuffles until the answer settles at the best θ; all shuffles at the recommended one; the small θ for chains; then
    the refined ranges.
    """
    known = _Known(plan)
    stages = known.worth_looking()
    rows, missing = {}, {}
    for rows in _stages(plan, known, stages):
        missing = known.missing(rows)
        if missing:
            break
    swept = not missing
    small = dict.fromkeys(known.fine(plan.small), BRIEF) if swept else {}
    missing = missing or known.missing(small)
    refined = None if missing else plan.memory.get(known.key(rows))
    missing = known.missing(dict.fromkeys(plan.asked, ALL)) or missing
    effort = next(iter(missing.values()), BRIEF)
    todo = [theta for theta in missing if missing[theta] == effort]
    planned = len({*stages[-1], *rows, *plan.asked})
    points = {theta: known.best(theta) for theta in sorted({*rows, *plan.asked, *small})}
    points = {theta: point for theta, point in points.items() if point is not None}
    rows = {theta: rows[theta] for theta in points if theta in rows}
    worth_showing = not any(known.missing(dict.fromkeys(part, BRIEF)) for part in stages[:2])
    return Sweep(
        plan,
        rows,
        points,
        planned,
        todo,
        effort,
        known.evaluations(small | rows) + len(plan.grid) - len(stages[-1]),
        swept,
        worth_showing and all(theta in points for theta in plan.asked),
        refined,
        min(stages[-1]),
    )


def _stages(plan, known, stages):
    """The rows of a sweep, θ -> effort, as they become known: each is only asked for once all before it are known."""
    rows = {}
    for thetas in stages:
        rows |= dict.fromkeys(thetas, ALL if plan.given else BRIEF)
        yield rows
    if plan.given:
        return
    rows |= dict.fromkeys(_finer(plan, known, rows), BRIEF)
    yield rows
    rows |= dict.fromkeys(_promising(plan, known, rows), SETTLED)
    yield rows
    best = _recommended(plan, known, rows)
    while best is not None and rows[best] != ALL:  # with all shuffles another one may be
        rows[best] = ALL
        yield rows
        best = _recommended(plan, known, rows)


def remember(plan, points, ranges):
    """Put into a plan's memory what an earlier run of the same sweep found: its `Sweep.kept`, and refined ranges."""
    for effort, point in points:
        plan.keep(point, effort)
    known = _Known(plan)
    rows = {}
    for rows in _stages(plan, known, known.worth_looking()):
        if known.missing(rows):
            return
    plan.memory.put(known.key(rows), ranges)


def _up_to(effort):
    """The efforts that a sweep goes through to one."""
    efforts = (BRIEF, SETTLED, ALL)
    return efforts[: efforts.index(effort) + 1]


class _Known:
    """The points a memory has, each looked up once."""

    def __init__(self, plan):
        self.plan, self.points = plan, {}

    def at(self, theta, effort):
        key = theta, effort
        if self.points.get(key) is None:
            self.points[key] = self.plan.at(theta, effort)
        return self.points[key]

    def best(self, theta):
        """The one with most shuffles at θ."""
        return next(filter(None, (self.at(theta, effort) for effort in (ALL, SETTLED, BRIEF))), None)

    def missing(self, rows):
        return {theta: effort for theta, effort in rows.items() if self.at(theta, effort) is None}

    def rows(self, rows):
        """The rows of a sweep, θ ascending."""
        return [self.at(theta, rows[theta]).row for theta in sorted(rows)]

    def key(self, rows):
        """Under what is kept what follows from some rows, all of them known."""
        return "ranges", np.array([(row["theta"], row["shuffles"]) for row in self.rows(rows)]).tobytes()

    def evaluations(self, rows):
        """How many were made for some rows."""
        return sum(self.at(theta, effort) is not None for theta in rows for effort in _up_to(rows[theta]))

    def fine(self, thetas):
        """Of descending θ those down to the first, as far as is known, with too few points per cluster for chains."""
        found = []
        for theta in thetas:
            found.append(theta)
            point = self.at(theta, BRIEF)
            if point is None or point.row["n_clusters"] * POINTS_PER_LINK > len(self.plan.X):
                break
        return found

    def worth_looking(self):
        """The θ of the grid to look at, descending: every eighth, every fourth, every second, all.

        Below one at which clusters have fewer than ten points only every second, below one at which more than half of
        the points are clusters of their own only every eighth.
        """
        grid, n = self.plan.grid, len(self.plan.X)
        if self.plan.given:
            return [grid[::-step] for step in (8, 4, 2, 1)]
        looked = [point for point in (self.at(theta, BRIEF) for theta in grid) if point is not None]

        def lowest(share):
            return max((p.theta for p in looked if crowded(p.row["n_clusters"], n, share)), default=-np.inf)

        too_fine, crowd = lowest(_TOO_FINE), lowest(0.5)
        worth = {theta for theta in grid if theta >= too_fine}
        worth |= {theta for theta in grid[::-2] if theta >= crowd} | set(grid[::-8])
        return [[theta for theta in grid[::-step] if theta in worth] for step in (8, 4, 2, 1)]


_TOO_FINE = 0.1  # of the points: so many clusters have fewer than ten points each


def _finer(plan, known, rows):
    key = ("finer", *known.key(rows))
    return remembered(plan.memory, key, lambda: tuple(_finer_thetas(known.rows(rows))))


_GOOD = 0.85  # of the most evidence: what may turn out to be the best
_MOST_FINER = 16


def _finer_thetas(rows):
    """θ worth adding to a sweep: between neighbours where the number of clusters changes close to the best.

    Not where runs disagree: there it changes everywhere.
    """
    evidence = np.array([row["evidence"] for row in rows])
    standing = np.array([row["n_clusters"] - row["stragglers"] for row in rows])
    thetas = np.array([row["theta"] for row in rows])
    agreement = np.array([row["agreement"] for row in rows])
    good = (evidence >= _GOOD * evidence.max(initial=0.0)) & (agreement >= AGREEING)
    gaps = np.flatnonzero((good[:-1] | good[1:]) & (standing[:-1] != standing[1:]) & (thetas[:-1] > 0))
    gaps = sorted(gaps, key=lambda i: -max(evidence[i], evidence[i + 1]))[: _MOST_FINER // 2]
    return [float(theta) for i in gaps for theta in np.geomspace(thetas[i], thetas[i + 1], 4)[1:-1]]


def _promising(plan, known, rows):
    """The best θ of the best range and of those that might be taken instead: a person will look at them."""

    def best():
        ranges = ranked(known.rows(rows), len(plan.X))[:REFINED]
        return tuple(t for row in ranges if row is ranges[0] or rivals(row, ranges[0]) for t in row["good"])

    return remembered(plan.memory, ("promising", *known.key(rows)), best)


def _recommended(plan, known, rows):
    """The θ that some rows recommend, or None where nothing stands out: then it is worth no more."""

    def best():
        ranges = ranked(known.rows(rows), len(plan.X))
        return (ranges[0]["theta"],) if ranges and ranges[0]["separate"] else ()

    return next(iter(remembered(plan.memory, ("recommended", *known.key(rows)), best)), None)


def advance(sweep, place=None, *, progress=None, cancel=None) -> Iterator[ThetaPoint]:
    """Compute what comes next in a sweep; yields each new `ThetaPoint` as it is there, kept in the plan's memory.

    `place` is where it is computed, by default `Threads()`. Dropping the iteration stops the work at its next shuffle.
    ``progress(done, total)`` counts shuffles over the whole sweep, as far as that is planned; otherwise as for
    `evaluate_many`.
    """
    plan = sweep.plan
    if sweep.complete:
        return
    if not sweep.todo:
        ranges = theta_ranges(sweep.own, place=place, cancel=cancel)
        plan.memory.put(_Known(plan).key(sweep.rows), ranges)
        return
    before = plan.shuffles * sweep.behind
    total = before + plan.shuffles * max(sweep.planned - len(sweep.points), len(sweep.todo))
    overall = None if progress is None else lambda done, _: progress(before + done, total)
    yield from computed(plan, sweep.todo, place, effort=sweep.effort, progress=overall, cancel=cancel)


def computed(plan, thetas, place=None, *, effort=ALL, progress=None, cancel=None) -> Iterator[ThetaPoint]:
    """The `ThetaPoint` of an effort at each of `thetas`, in their order.

    Those known are from the plan's memory, the others are computed.
    """
    missing = [theta for theta in thetas if plan.at(theta, effort) is None]
    fresh = (place or Threads()).points(plan, missing, progress, cancel, effort) if missing else iter(())
    to_come = set(missing)
    try:
        for theta in thetas:
            if theta in to_come:
                point = next(fresh)
                plan.keep(point, effort)
            else:  # or forgotten meanwhile, by a memory that is full
                options = {**plan.references, "effort": effort}
                point = plan.at(theta, effort) or evaluate(plan.X, theta, plan.shuffles, plan.seed, **options)
            yield point
    finally:
        if missing:
            fresh.close()  # stops the work at its next shuffle


def sweep(
    X,
    thetas=None,
    shuffles=50,
    seed=0,
    *,
    metric="euclidean",
    p=None,
    n_jobs=None,
    progress=None,
    cancel=None,
    executor=None,
):
    """TDG over many θ.

    Parameters
    ----------
    X : array of shape (n, d)
    thetas : sequence of float, optional
        Distances to try, in the units of ``X``; by default `theta_grid(X)`, coarser where more than half of the points
        are clusters of their own, and finer where the answer changes near the best θ.
    shuffles : int
        Random orders per θ. At θ that are given exactly so many. On the sweep's own axis all of them at the recommended
        θ, at the best as many as move the answer, and few elsewhere (`evaluate`). The column ``shuffles`` tells.
    seed, metric, p, n_jobs, cancel
        As for `theta_app.engine.tdg`.
    progress : callable, optional
        ``progress(done, total)`` in shuffles over all θ, from the calling thread. May raise to stop the work.
    executor : concurrent.futures.Executor, optional
        Where it runs, a task per θ, instead of threads of this process: processes, or a cluster.

    Returns
    -------
    DataFrame with one row per θ, ascending, and the columns

    - theta
    - n_clusters : TDG's number of clusters
    - runs_low, runs_median, runs_high : numbers of clusters of its TSG runs
    - agreement : order agreement, the mean adjusted Rand index between TSG runs on different orders; 1: no order effect
    - silhouette : of a fixed fair sample of the points; NaN where undefined
    - score : agreement x silhouette; 0 where that is undefined
    - largest_share : share of the points in the largest cluster
    - singleton_share : share of the clusters that hold one point
    - stragglers : number of clusters that are a few points too far from all others (`stragglers`)
    - elbow : number of clusters that stand by their sizes (`size_elbow`)
    - entropy : how much it says which cluster a point is in, stragglers aside
    - valley, flat : how sparse points are at the boundaries, and the share of points at boundaries that are not sparse
      (`valleys.Valley`); NaN where there are fewer than ten points per cluster, or one cluster
    - evidence : score x how evenly points are shared out, 1 - Σ share²; 0 where `valley` is NaN
    - separate : whether these are clusters with valleys between them
    - shuffles : number of random orders that the row rests on; it is `tdg`'s result with so many
    """
    X = validation.points(X)
    plan = sweep_plan(X, thetas, validation.count(shuffles, "shuffles"), seed, metric=metric, p=p)
    place = Threads(n_jobs) if executor is None else Elsewhere(executor)
    state = so_far(plan)
    while not state.swept:
        for _ in advance(state, place, progress=progress, cancel=cancel):
            pass
        state = so_far(plan)
    return state.table


def sweep_plan(X, thetas=None, shuffles=50, seed=0, *, metric="euclidean", p=None):
    """The `SweepPlan` over given θ, or over the data's own grid and finer."""
    norm = norms.norm(metric, p)
    if thetas is None:
        return SweepPlan(X, shuffles, seed, tuple(theta_grid(X, metric=metric, p=p).tolist()), norm=norm)
    grid = sorted({validation.distance(theta, "thetas") for theta in np.atleast_1d(thetas).tolist()})
    return SweepPlan(X, shuffles, seed, tuple(grid), given=True, norm=norm)


def recommend(X, shuffles=50, seed=0, *, metric="euclidean", p=None, n_jobs=None, progress=None, cancel=None):
    """The θ at which clusters are farthest apart and least dependent on the order of the data.

    Sweeps θ and takes the best of `theta_ranges`. Parameters are those of `sweep`. Returns a `Recommendation`.
    """
    options = {"metric": metric, "p": p, "n_jobs": n_jobs, "progress": progress, "cancel": cancel}
    swept = sweep(X, None, shuffles, seed, **options)
    return recommend_from(swept, theta_ranges(swept, n_jobs=n_jobs, cancel=cancel))
