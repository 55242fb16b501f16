"""The sweep over θ.

A sweep is a pure generator (`sweep_steps`): it yields a `Sweep`, which says what is known and which results are wanted
next, and is sent those results. Who drives it decides where they are computed and kept: `sweep` computes them in
threads or by an executor, the pages in their queue, a cluster on its own points. A result with the same θ and number of
shuffles is the same wherever it comes from, so a sweep that was stopped is taken up by sending what is known
(`states`).

Work goes where it matters. On its own axis a sweep takes a quick look at each θ; at the best of them it takes shuffles
until the answer settles, at the recommended one all of them. Each row says how many shuffles it rests on. Where
clusters have fewer than ten points on average there is nothing to find: of those θ every second is looked at, and every
eighth where more than half of the points are clusters of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from theta_app.engine import EUCLIDEAN, Cancel, Metric, Progress, Runs, SilhouetteSample, silhouette_sample, validation
from theta_app.selection.executors import in_executor, in_threads
from theta_app.selection.plotting import as_ranges
from theta_app.selection.ranges import (
    REFINED,
    Recommendation,
    is_alternative,
    range_frame,
    range_steps,
    ranked,
    recommend_from,
    theta_ranges,
)
from theta_app.selection.theta import (
    AGREEING,
    CROWDED_SHUFFLES,
    POINTS_PER_LINK,
    RUNS_BYTES,
    ThetaPoint,
    Want,
    crowded,
    evaluate,
    shuffle_steps,
    sweep_frame,
    theta_grid,
    too_fine,
)
from theta_app.selection.valleys import Neighbourhoods, neighbourhoods

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class SweepPlan:
    """What to sweep.

    Attributes
    ----------
    X : (n, d) array
    shuffles, seed : int
    grid : tuple of float
        The θ to start with, ascending.
    small : tuple of float
        θ at which chains are looked for, descending. They get a quick look after the others, down to the first with
        more clusters than chains are made of.
    given : bool
        Whether the θ of the grid were given: then each takes all shuffles, and none are added. Otherwise work goes
        where it matters.
    metric : Metric
    sample : SilhouetteSample, optional
    near : Neighbourhoods, optional
        Both of X and in that metric, where they are at hand.
    """

    X: np.ndarray
    shuffles: int = 50
    seed: int = 0
    grid: tuple[float, ...] = ()
    small: tuple[float, ...] = ()
    given: bool = False
    metric: Metric = EUCLIDEAN
    sample: SilhouetteSample | None = None
    near: Neighbourhoods | None = None

    def quick(self, theta: float) -> Want:
        """The `Want` of a quick look at θ."""
        return Want(theta, self.steps[0], CROWDED_SHUFFLES)

    def full(self, theta: float) -> Want:
        """The `Want` of all shuffles at θ."""
        return Want(theta, self.shuffles)

    @cached_property
    def steps(self) -> list[int]:
        """Numbers of shuffles to stop at (`shuffle_steps`)."""
        return shuffle_steps(self.shuffles, *self.X.shape)

    def evaluate(self, want: Want, runs: Runs | None = None, **options: Any) -> ThetaPoint:
        """The `ThetaPoint` that is wanted; options as for `evaluate`.

        A quick look that takes all shuffles is not gone on from: its runs are not kept.
        """
        done = self.given or (want.if_crowded is not None and want.shuffles >= self.shuffles)
        usual: dict[str, Any] = {"most_bytes": 0 if done else RUNS_BYTES, "if_crowded": want.if_crowded, "runs": runs}
        return evaluate(self.X, want.theta, want.shuffles, self.seed, **self.references, **(usual | options))

    @cached_property
    def references(self) -> dict[str, Any]:
        """What every clustering of X is measured with, as `evaluate` takes it."""
        return {
            "sample": silhouette_sample(self.X, metric=self.metric) if self.sample is None else self.sample,
            "near": neighbourhoods(self.X, metric=self.metric) if self.near is None else self.near,
            "metric": self.metric,
        }

    def with_references(self, references: Mapping[str, Any]) -> Self:
        """The same plan with a silhouette sample and a neighbour graph that are known already."""
        return replace(self, sample=references["sample"], near=references["near"])

    @property
    def alone(self) -> SweepPlan:
        """The plan without what can be made again: what another process needs."""
        return SweepPlan(self.X, self.shuffles, self.seed, metric=self.metric)

    def __deepcopy__(self, memo: dict) -> Self:  # pandas copies what a frame carries with every frame made from it
        return self


@dataclass(frozen=True, eq=False)
class Sweep:
    """What is known of a sweep, and what it wants next.

    Attributes
    ----------
    plan : SweepPlan
    wanted : tuple of Want
        What to compute next; empty when the sweep is complete.
    rows : dict of θ -> ThetaPoint
        Of the grid and its refinement, ascending, each with the shuffles that the sweep itself takes there. Ranges and
        verdict follow from these: a person who stands on a θ changes what is shown there, but no answer.
    small : dict of θ -> ThetaPoint
        Quick looks at the small θ for chains, descending.
    points : dict of θ -> ThetaPoint
        What is shown, ascending: of `rows`, small and asked for, each with the most shuffles that are known there.
    asked : tuple of float
        θ asked for by hand. They belong to no range.
    planned : int
        How many θ of the grid, its refinement and asked for there will be, as far as that can be said.
    behind : int
        How many evaluations are behind, those that turned out not to be needed among them.
    swept : bool
        Whether every θ of the grid and its refinement is known.
    worth_showing : bool
        Whether at least every fourth θ is known, and all that were asked for.
    refined : list of dict, or None
        The ranges with refined edges, once they are there: see `ranked`.
    lowest : float
        The smallest θ of the grid that is looked at.
    """

    plan: SweepPlan
    wanted: tuple[Want, ...]
    rows: dict[float, ThetaPoint]
    small: dict[float, ThetaPoint]
    points: dict[float, ThetaPoint]
    planned: int
    behind: int
    swept: bool
    worth_showing: bool
    refined: list[dict] | None
    lowest: float
    asked: tuple[float, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether the ranges' edges are refined as well, and nothing that was asked for is missing."""
        return not self.wanted

    @property
    def refining(self) -> bool:
        """Whether only the edges of the ranges are open."""
        return self.swept and self.refined is None

    @cached_property
    def table(self) -> pd.DataFrame:
        """The DataFrame of `sweep`, of the θ in `rows` as they are shown."""
        return sweep_frame([self.points[theta] for theta in self.rows], self.plan)

    @cached_property
    def own(self) -> pd.DataFrame:
        """The DataFrame of `rows`: what the ranges are taken from."""
        return sweep_frame(self.rows.values(), self.plan)

    @cached_property
    def ranges(self) -> pd.DataFrame:
        """The DataFrame of `theta_ranges`."""
        return as_ranges(range_frame(self.ranked), self.own)

    @property
    def ranked(self) -> list[dict]:
        """The ranges, best first, as dicts; edges half way between values until they have been refined."""
        if self.refined is not None:
            return self.refined
        return ranked([point.row for point in self.rows.values()], len(self.plan.X))

    @cached_property
    def best(self) -> Recommendation | None:
        """The `Recommendation` that follows from the ranges; None while nothing is known."""
        return recommend_from(self.own, self.ranges) if self.rows else None

    def counted(self, progress: Progress | None) -> Progress | None:
        """``progress(done, total)`` over the whole sweep, from that of what is wanted now; None stays None."""
        before = self.plan.shuffles * self.behind
        total = before + self.plan.shuffles * max(self.planned - len(self.points), len(self.wanted))
        return progress and (lambda done, _: progress(before + done, total))


Asking = Generator[Sweep, dict[Want, ThetaPoint], None]
"""Yields sweeps that want something, and is sent what they want."""


def sweep_steps(plan: SweepPlan, known: Callable[[Want], ThetaPoint | None] = lambda want: None) -> Asking:
    """A sweep, as a generator of `Sweep`s that is sent results.

    Send a dict of `Want` -> `ThetaPoint`: all that is wanted, or a part of it. The last `Sweep` wants nothing. What
    ``known(want)`` gives is not asked for: a sweep of which all is known is one step.

    A quick look at every eighth θ comes first, then at every fourth, every second and the rest, large θ before small
    ones (they are quick, and where the structure is), and at finer θ near the best, which follow from that. Then
    shuffles until the answer settles at the best θ; all shuffles at the recommended one; the small θ for chains; then
    the edges of the ranges.
    """
    walk = _Walk(plan, known)
    for step in (1,) if plan.given else (8, 4, 2, 1):
        yield from walk.look_at_grid(step)
    if not plan.given:
        yield from walk.take({theta: plan.quick(theta) for theta in _finer_thetas(walk.own_rows)})
        yield from walk.settle()
        yield from walk.recommend()
    walk.swept = True
    yield from walk.look_at_small()
    yield from walk.refine()
    yield walk.state(())


_TOO_FINE = 0.1  # of the points: so many clusters have fewer than ten points each
_STILL = 0.01  # in order agreement: an answer that moves by less has settled


class _Walk:
    """A sweep on its way: what it was sent, and which of that are its rows."""

    def __init__(self, plan: SweepPlan, lookup: Callable[[Want], ThetaPoint | None]) -> None:
        self.plan, self.lookup = plan, lookup
        self.known: dict = {}  # Want -> ThetaPoint
        self.rows: dict = {}  # θ -> Want
        self.grid = self._worth_looking()
        self.small: list
        self.small, self.refined = [], None
        self.swept = self.worth_showing = False

    def state(self, wanted: Iterable[Want]) -> Sweep:
        """The `Sweep` so far."""
        rows = {theta: self.known[self.rows[theta]] for theta in sorted(self.rows) if self.rows[theta] in self.known}
        small = {theta: self.known[want] for theta in self.small if (want := self.plan.quick(theta)) in self.known}
        points = small | rows
        skipped = set(self.plan.grid).difference(self.grid)
        return Sweep(
            self.plan,
            tuple(wanted),
            rows,
            small,
            {theta: points[theta] for theta in sorted(points)},
            planned=len({*self.grid, *self.rows}),
            behind=sum(want.theta not in skipped for want in self.known) + len(skipped),
            swept=self.swept,
            worth_showing=self.worth_showing,
            refined=self.refined,
            lowest=min(self.grid),
        )

    def ask(self, wants: Iterable[Want]) -> Asking:
        """Ask until all is known."""
        while missing := [want for want in wants if not self._has(want)]:
            self.known |= yield self.state(missing)

    def _has(self, want: Want) -> bool:
        """Whether something is known; a quick look may have taken all shuffles already."""
        if want in self.known:
            return True
        quick = self.known.get(self.plan.quick(want.theta))
        found = quick if quick is not None and want.answered_by(quick) else self.lookup(want)
        if found is not None:
            self.known[want] = found
        return found is not None

    def take(self, rows: dict[float, Want]) -> Asking:
        """Ask for rows, θ -> `Want`; they are the sweep's once all of them are known."""
        yield from self.ask(rows.values())
        self.rows |= rows

    @property
    def own_rows(self) -> list[dict]:
        """The rows of the sweep's table, θ ascending."""
        return [self.known[self.rows[theta]].row for theta in sorted(self.rows)]

    @property
    def ranked(self) -> list[dict]:
        return ranked(self.own_rows, len(self.plan.X))

    # ---- stages ------------------------------------------------------------------------------------------------------

    def look_at_grid(self, step: int) -> Asking:
        """Every eighth θ of the grid, or another step; which of them are worth it depends on what has come."""
        first = self.plan.full if self.plan.given else self.plan.quick
        while True:
            self.rows = {theta: first(theta) for theta in self.plan.grid[::-step] if theta in self.grid}
            before = len(self.known)
            missing = [want for want in self.rows.values() if not self._has(want)]
            if len(self.known) == before and missing:
                self.known |= yield self.state(missing)
            elif len(self.known) == before:
                break
            self.grid = self._worth_looking()
        self.worth_showing = step <= 4

    def _worth_looking(self) -> set[float]:
        """The θ of the grid to look at, as far as is known.

        Below one at which clusters have fewer than ten points only every second, below one at which more than half of
        the points are clusters of their own only every eighth.
        """
        grid, n = self.plan.grid, len(self.plan.X)
        if self.plan.given:
            return set(grid)
        looked = [point for theta in grid if (point := self.known.get(self.plan.quick(theta))) is not None]

        def lowest(share: float) -> float:
            return max((p.theta for p in looked if crowded(p.row["n_clusters"], n, share)), default=-np.inf)

        fine, crowd = lowest(_TOO_FINE), lowest(0.5)
        worth = {theta for theta in grid if theta >= fine}
        return worth | {theta for theta in grid[::-2] if theta >= crowd} | set(grid[::-8])

    def settle(self) -> Asking:
        """Shuffles at the promising θ, step by step, until neither the number of clusters nor the agreement moves."""
        moving = [theta for theta in self._promising() if self._may_move(self.known[self.rows[theta]])]
        for shuffles in self.plan.steps[1:]:
            before = {theta: self.known[self.rows[theta]] for theta in moving}
            yield from self.take({theta: Want(theta, shuffles) for theta in moving})
            moving = [theta for theta in moving if _moved(before[theta], self.known[self.rows[theta]])]

    def _promising(self) -> list[float]:
        """The best θ of the best range and of those that might be taken instead: a person will look at them."""
        ranges = self.ranked[:REFINED]
        return [theta for row in ranges if row is ranges[0] or is_alternative(row, ranges[0]) for theta in row["good"]]

    def _may_move(self, point: ThetaPoint) -> bool:
        """Whether an order effect was seen, and clusters are not too many to be meaningful."""
        counts = np.sort(point.tdg.run_counts)
        settled = point.crowded or point.tdg.agreement == 1.0 or too_fine(counts[len(counts) // 2], len(self.plan.X))
        return not settled

    def recommend(self) -> Asking:
        """All shuffles at the recommended θ; with them another one may be."""
        full = set()
        while (best := self._recommended()) is not None and best not in full:
            full.add(best)
            yield from self.take({best: self.plan.full(best)})

    def _recommended(self) -> float | None:
        """The θ that the rows recommend, or None where nothing is clear: then it is worth no more."""
        ranges = self.ranked
        return ranges[0]["theta"] if ranges and ranges[0]["separate"] else None

    def look_at_small(self) -> Asking:
        """The small θ, down to the first with too few points per cluster for chains."""
        for theta in self.plan.small:
            self.small.append(theta)
            want = self.plan.quick(theta)
            yield from self.ask([want])
            if self.known[want].row["n_clusters"] * POINTS_PER_LINK > len(self.plan.X):
                return

    def refine(self) -> Asking:
        """The edges of the ranges."""
        steps = range_steps(self.own_rows, self.plan)
        try:
            wants = next(steps)
            while True:
                yield from self.ask(wants)
                wants = steps.send(self.known)
        except StopIteration as end:
            self.refined = end.value


def _moved(before: ThetaPoint, after: ThetaPoint) -> bool:
    """Whether more shuffles gave another answer."""
    if before.row["n_clusters"] != after.row["n_clusters"]:
        return True
    return abs(before.tdg.agreement - after.tdg.agreement) >= _STILL


_GOOD = 0.85  # of the most evidence: what may turn out to be the best
_MOST_FINER = 16


def _finer_thetas(rows: Sequence[dict]) -> list[float]:
    """θ worth adding to a sweep: between neighbours where the number of clusters changes close to the best.

    Not where runs disagree: there it changes everywhere.
    """
    evidence = np.array([row["evidence"] for row in rows])
    major = np.array([row["n_clusters"] - row["outliers"] for row in rows])
    thetas = np.array([row["theta"] for row in rows])
    agreement = np.array([row["agreement"] for row in rows])
    good = (evidence >= _GOOD * evidence.max(initial=0.0)) & (agreement >= AGREEING)
    gaps = np.flatnonzero((good[:-1] | good[1:]) & (major[:-1] != major[1:]) & (thetas[:-1] > 0))
    gaps = sorted(gaps, key=lambda i: -max(evidence[i], evidence[i + 1]))[: _MOST_FINER // 2]
    return [float(theta) for i in gaps for theta in np.geomspace(thetas[i], thetas[i + 1], 4)[1:-1]]


def states(
    plan: SweepPlan, known: Callable[[Want], ThetaPoint | None], asked: tuple[float, ...] = ()
) -> Iterator[Sweep]:
    """Yields the `Sweep` of a plan as far as its results are known, again whenever it is asked for.

    ``known(want)`` gives a `ThetaPoint` or None. θ that are asked for by hand take all shuffles, and are wanted first.
    """
    steps = sweep_steps(plan, known)
    sweep = next(steps)
    while True:
        while new := {want: point for want in sweep.wanted if (point := known(want)) is not None}:
            sweep = steps.send(new)
        yield _with_asked(sweep, known, tuple(asked))


def _with_asked(sweep: Sweep, known: Callable[[Want], ThetaPoint | None], asked: tuple[float, ...]) -> Sweep:
    """A sweep with θ asked for by hand, and with all shuffles wherever they are known."""
    plan = sweep.plan
    full = {theta: known(plan.full(theta)) for theta in {*sweep.points, *asked}}
    points = sweep.points | {theta: point for theta, point in full.items() if point is not None}
    missing = tuple(plan.full(theta) for theta in dict.fromkeys(asked) if full[theta] is None)
    return replace(
        sweep,
        points={theta: points[theta] for theta in sorted(points)},
        asked=asked,
        wanted=missing or sweep.wanted,
        planned=sweep.planned + len(set(asked).difference(plan.grid, sweep.rows)),
        worth_showing=sweep.worth_showing and not missing,
    )


def driven(
    plan: SweepPlan,
    compute: Callable[..., Iterable[ThetaPoint]],
    enough: Callable[[Sweep], bool],
    progress: Progress | None = None,
) -> Sweep:
    """A sweep, computed until ``enough(sweep)``: a `Sweep`.

    ``compute(plan, wants, runs, progress=...)`` yields the `ThetaPoint` of each `Want`, as `in_threads` does. Progress
    is that of `sweep`.
    """
    runs: dict
    steps, runs = sweep_steps(plan), {}
    state = next(steps)
    while not enough(state):
        results = compute(plan, state.wanted, runs, progress=state.counted(progress))
        new = dict(zip(state.wanted, results, strict=True))
        runs |= {want.theta: point.runs for want, point in new.items()}
        state = steps.send(new)
    return state


def computing(
    n_jobs: int | None = None, cancel: Cancel | None = None, executor: Executor | None = None
) -> Callable[..., Iterator[ThetaPoint]]:
    """How results are computed, as `driven` takes it: in threads of this process, or by an executor."""
    if executor is None:
        return partial(in_threads, n_jobs=n_jobs, cancel=cancel)
    return partial(in_executor, executor=executor, cancel=cancel)


def sweep(
    X: np.ndarray,
    thetas: Sequence[float] | np.ndarray | None = None,
    shuffles: int = 50,
    seed: int = 0,
    *,
    metric: str | Metric = "euclidean",
    p: float | None = None,
    radius: float | None = None,
    n_jobs: int | None = None,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
    executor: Executor | None = None,
) -> pd.DataFrame:
    """TDG over many θ.

    Parameters
    ----------
    X : array of shape (n, d)
    thetas : sequence of float, optional
        Distances to try, in the units of ``X``; by default `theta_grid(X)`, coarser where more than half of the points
        are clusters of their own, and finer where the answer changes near the best θ.
    shuffles : int
        Random orders per θ. Each θ in ``thetas`` gets exactly this many. On the sweep's own axis the recommended θ gets
        all of them, the best θ as many as change the answer, and the others few (`evaluate`). The column ``shuffles``
        says how many.
    seed, metric, p, radius, n_jobs, cancel
        As for `theta_app.engine.tdg`.
    progress : callable, optional
        ``progress(done, total)`` in shuffles over all θ, from the calling thread. May raise to stop the work.
    executor : concurrent.futures.Executor, optional
        Where it runs, a task per θ, instead of threads of this process: processes, or a cluster.

    Returns
    -------
    DataFrame (a `SweepTable`, whose ``.plot()`` draws it) with one row per θ, ascending, and the columns

    - theta
    - n_clusters : TDG's number of clusters
    - runs_low, runs_median, runs_high : numbers of clusters of its TSG runs
    - agreement : order agreement, the mean adjusted Rand index between TSG runs on different orders; 1: no order effect
    - silhouette : of a fixed fair sample of the points; NaN where undefined
    - score : agreement x silhouette; 0 where that is undefined
    - largest_share : share of the points in the largest cluster
    - singleton_share : share of the clusters that hold one point
    - outliers : number of clusters that are a few points too far from all others (`outlier_clusters`)
    - elbow : number of large clusters, by their sizes (`size_elbow`)
    - entropy : how much information the cluster of a point carries, outliers aside
    - valley, flat : how sparse points are at the boundaries, and the share of points at boundaries that are not sparse
      (`valleys.Valley`); NaN where there are fewer than ten points per cluster, or one cluster
    - evidence : score x how evenly points are shared out, 1 - Σ share²; 0 where `valley` is NaN
    - separate : whether these are clusters with valleys between them
    - shuffles : number of random orders that the row rests on; it is `tdg`'s result with so many
    """
    X = validation.points(X)
    plan = sweep_plan(X, thetas, validation.count(shuffles, "shuffles"), seed, metric=Metric.of(metric, p, radius))
    return driven(plan, computing(n_jobs, cancel, executor), lambda state: state.swept, progress).table


def sweep_plan(
    X: np.ndarray,
    thetas: Sequence[float] | np.ndarray | None = None,
    shuffles: int = 50,
    seed: int = 0,
    *,
    metric: str | Metric = "euclidean",
    p: float | None = None,
    radius: float | None = None,
) -> SweepPlan:
    """The `SweepPlan` over given θ, or over the data's own grid and finer."""
    metric = Metric.of(metric, p, radius)
    metric.check(X)
    if thetas is None:
        return SweepPlan(X, shuffles, seed, tuple(theta_grid(X, metric=metric).tolist()), metric=metric)
    grid = sorted({validation.distance(theta, "thetas") for theta in np.atleast_1d(thetas).tolist()})
    return SweepPlan(X, shuffles, seed, tuple(grid), given=True, metric=metric)


def recommend(
    X: np.ndarray,
    shuffles: int = 50,
    seed: int = 0,
    *,
    metric: str | Metric = "euclidean",
    p: float | None = None,
    radius: float | None = None,
    n_jobs: int | None = None,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> Recommendation:
    """The θ at which clusters are farthest apart and least dependent on the order of the data.

    Sweeps θ and takes the best of `theta_ranges`. Parameters are those of `sweep`. Returns a `Recommendation`.
    """
    options: dict[str, Any] = {
        "metric": Metric.of(metric, p, radius),
        "n_jobs": n_jobs,
        "progress": progress,
        "cancel": cancel,
    }
    swept = sweep(X, None, shuffles, seed, **options)
    return recommend_from(swept, theta_ranges(swept, n_jobs=n_jobs, cancel=cancel))
