"""Which θ? A sweep over θ, the ranges in which the answer holds, and the recommended one.

There is one sweep. It is a value (`Sweep`) that says what is known of it and what comes next; whatever has been
computed is in a `memory`, so that a sweep can be stopped and taken up again: `so_far` looks, `advance` computes. In a
notebook `sweep` runs it to its end.

Work goes where it matters. On its own axis a sweep takes a brief look at each θ, with few shuffles (`evaluate`), and
the full number where somebody asks for a θ and in the best ranges; each row says how many shuffles it rests on. Where
more than half of the points are clusters of their own there is nothing to find: of those θ every eighth is looked at.
"""

import hashlib
import threading
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import pandas as pd

from theta_app.engine import (
    Cancelled,
    Growing,
    Runs,
    SilhouetteSample,
    TdgResult,
    closest_pair,
    fair_sample,
    norms,
    silhouette_sample,
    tdg,
    validation,
)
from theta_app.selection.runs import half_step_around, log_middle, log_width, runs
from theta_app.selection.sizes import entropy, size_elbow, stragglers
from theta_app.selection.valleys import FLAT, Neighbourhoods, neighbourhoods
from theta_app.selection.wording import short

_NEIGHBOUR_POINTS = 2000  # whose nearest neighbours tell the typical distance between points
_LOOK_INTERVAL = 0.05  # seconds between looks at the progress, hence the time it takes to stop

SWEEP_COLUMNS = (
    "theta",
    "n_clusters",
    "runs_low",
    "runs_median",
    "runs_high",
    "agreement",
    "silhouette",
    "score",
    "largest_share",
    "singleton_share",
    "stragglers",
    "elbow",
    "entropy",
    "valley",
    "flat",
    "evidence",
    "separate",
    "shuffles",
)
RANGE_COLUMNS = (
    "theta_low",
    "theta_high",
    "theta",
    "n_clusters",
    "agreement",
    "silhouette",
    "score",
    "valley",
    "evidence",
    "separate",
    "relative_width",
    "recommended",
)


# --- the θ axis ------------------------------------------------------------------------------------------------------


def theta_grid(X, n=64, *, metric="euclidean", p=None):
    """θ values worth trying, ascending, log-spaced: from half the typical neighbour distance to about the diameter.

    `metric` and `p` as for `theta_app.engine.tsg`.
    """
    X = validation.points(X)
    n, norm = validation.count(n, "n"), norms.norm(metric, p)
    farthest = X[np.argmax(_lengths(X - X.mean(axis=0), norm))]
    diameter = float(_lengths(X - farthest, norm).max())  # from the farthest point: nearly the largest, in practice it
    if diameter == 0.0:
        return np.ones(1)  # all points are one: any θ will do
    neighbours = _neighbour_distances(X, X[fair_sample(len(X), _NEIGHBOUR_POINTS)], norm)
    positive = neighbours[neighbours > 0]
    nearest = 0.5 * float(np.median(positive)) if len(positive) else diameter / 100
    return np.geomspace(min(nearest, diameter / 2), diameter, n)


def widened(grid, low, high, most=200):
    """A grid of `theta_grid` with its own step from about `low` to about `high`, its own values where they are inside.

    At most `most` steps beyond either end.
    """
    if len(grid) < 2:
        return grid
    step = np.log(grid[-1] / grid[0]) / (len(grid) - 1)
    least = grid[0] * 1e-6
    first = max(int(np.floor(np.log(max(low, least) / grid[0]) / step + 0.5)), -most)
    last = int(np.ceil(np.log(max(high, least) / grid[0]) / step - 0.5))
    last = min(max(last, first + 3), len(grid) + most)
    return np.array([grid[i] if 0 <= i < len(grid) else grid[0] * np.exp(step * i) for i in range(first, last + 1)])


def _lengths(vectors, norm):
    """Lengths of the rows in a norm, safe for coordinates whose powers would overflow."""
    largest = np.abs(vectors).max()
    if largest == 0.0:
        return np.zeros(len(vectors))
    return largest * np.linalg.norm(vectors / largest, ord=norm, axis=1)


def _neighbour_distances(X, chosen, norm):
    """Distance of each chosen point of X to its nearest other point; in many features among the chosen alone."""
    from scipy.spatial import cKDTree
    from scipy.spatial.distance import cdist

    if X.shape[1] <= 16:
        return cKDTree(X).query(chosen, k=2, p=norm)[0][:, 1]
    distances = cdist(chosen, chosen, **norms.scipy_options(norm))
    np.fill_diagonal(distances, np.inf)
    nearest = distances.min(axis=1)
    return nearest[np.isfinite(nearest)]


# --- one θ, and many -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ThetaPoint:
    """One θ of a sweep: TDG's result there, and the numbers of a sweep's row."""

    theta: float
    tdg: TdgResult
    row: dict
    runs: Runs | None = None  # where it stopped early, to go on from

    @property
    def standing(self):
        """Number of clusters, stragglers not counted."""
        return self.row["n_clusters"] - self.row["stragglers"]


_FEWEST = 4  # shuffles that can say anything at all
_RUNS_BYTES = 300_000  # of runs that are kept to go on from
_CROWD = 32  # clusters that are never too many, however few points there are


def crowded(n_clusters, n):
    """Whether so many clusters of n points, more than half, are past finding anything."""
    return n_clusters > max(0.5 * n, _CROWD)


def _few(shuffles):
    """(fewest, few): halves of halves of the full number, of which the first can say something at all."""
    fewest, few = shuffles, shuffles
    while (fewest + 1) // 2 >= _FEWEST:
        fewest, few = (fewest + 1) // 2, fewest
    return fewest, few


def _brief_look(growing, shuffles, n, progress):
    """The `TdgResult` of few shuffles: of the fewest where no order effect was seen, or where it is crowded."""
    fewest, few = _few(shuffles)
    growing.grow(fewest, progress)
    if growing.runs.agreement < 1.0 and not crowded(np.median(growing.runs.counts), n):
        growing.grow(few, progress)
    return growing.vote()


def evaluate(
    X,
    theta,
    shuffles=50,
    seed=0,
    *,
    metric="euclidean",
    p=None,
    briefly=False,
    runs=None,
    sample=None,
    near=None,
    n_jobs=None,
    progress=None,
    cancel=None,
):
    """TDG at one θ with everything a sweep tells about it.

    Parameters
    ----------
    X, theta, shuffles, seed, metric, p, n_jobs, progress, cancel
        As for `theta_app.engine.tdg`.
    briefly : bool
        Take few shuffles, about one in seven: enough to tell whether this θ may be among the best. Half as many do
        where no order effect was seen, or where more than half of the points are clusters of their own. The result is
        TDG's with so many shuffles, and ``row["shuffles"]`` is their number.
    runs : Runs, optional
        Of an earlier evaluation with fewer shuffles, to go on from.
    sample : SilhouetteSample, optional
    near : Neighbourhoods, optional
        Both of X and in the same metric; pass them when evaluating many θ.

    Returns
    -------
    ThetaPoint
    """
    sample = silhouette_sample(X, metric=metric, p=p) if sample is None else sample
    near = neighbourhoods(X, metric=metric, p=p) if near is None else near
    growing = Growing(X, theta, seed, metric=metric, p=p, runs=runs, n_jobs=n_jobs, cancel=cancel, agreement=True)
    tell = progress and (lambda done: progress(done, shuffles))
    if briefly:
        result = _brief_look(growing, shuffles, len(X), tell)
    else:
        growing.grow(shuffles, tell)
        result = growing.vote()
    if progress is not None:
        progress(shuffles, shuffles)
    point = described(theta, result, sample, near, np.shape(X)[1])
    small = point.row["shuffles"] < shuffles and growing.runs.nbytes <= _RUNS_BYTES
    return replace(point, runs=growing.runs) if small else point


def described(theta, result, sample, near, features):
    """A `TdgResult` (with its order agreement) as the `ThetaPoint` of a sweep.

    `sample` and `near` are of the points that are labelled; sizes may be of more.
    """
    passes = np.sort(result.run_counts)
    silhouette = sample.score(result.labels)
    strays = stragglers(result.sizes)
    row = {
        "theta": float(theta),
        "n_clusters": len(result.sizes),
        "runs_low": int(passes[0]),
        "runs_median": float(np.median(passes)),
        "runs_high": int(passes[-1]),
        "agreement": result.agreement,
        "silhouette": silhouette,
        "score": 0.0 if np.isnan(silhouette) else result.agreement * silhouette,
        "largest_share": float(result.sizes.max() / result.sizes.sum()),
        "singleton_share": float(np.mean(result.sizes == 1)),
        "stragglers": int(strays.sum()),
        "elbow": size_elbow(result.sizes),
        "entropy": float(entropy(result.sizes[~strays])),
        "shuffles": len(passes),
    }
    row |= _judged(row, result, result.sizes[~strays], near, features)
    return ThetaPoint(float(theta), result, row)


_POINTS_PER_CLUSTER = 10  # on average at least: finer clusterings are the points themselves, duplicates above all
AGREEING = 0.65  # order agreement of runs that mostly agree; the less they do, the deeper valleys have to be
_FLAT_SHARE = 0.01  # of the points at most lie at boundaries without a valley
_DEPTH = {1: 0.7}  # a line has few neighbours across any boundary, so that chance makes some look sparse


def _judged(row, result, standing, near, features):
    """What speaks for a clustering: how sparse its boundaries are, and how much it says beside that."""
    in_clusters = len(standing) >= 2 and len(standing) * _POINTS_PER_CLUSTER <= result.sizes.sum()
    if not in_clusters:
        return {"valley": float("nan"), "flat": float("nan"), "evidence": 0.0, "separate": False}
    valley = near.valley(result.labels)
    shares = standing / standing.sum()
    deep = valley.depth >= max(_DEPTH.get(features, FLAT), 1.0 - row["agreement"]) and valley.flat <= _FLAT_SHARE
    return {
        "valley": valley.depth,
        "flat": valley.flat,
        "evidence": float(row["score"] * (1.0 - (shares**2).sum())),
        "separate": bool(deep and row["agreement"] >= AGREEING),
    }


def evaluate_many(
    X,
    thetas,
    shuffles=50,
    seed=0,
    *,
    metric="euclidean",
    p=None,
    briefly=False,
    runs=None,
    sample=None,
    near=None,
    n_jobs=None,
    progress=None,
    cancel=None,
):
    """`evaluate` at each of `thetas`, yielded in their order, with `n_jobs` threads working a few θ ahead.

    ``runs(theta)`` gives the `Runs` to go on from at θ, or None.

    ``progress(done, total)`` counts shuffles over all θ; it is called from the thread that iterates, many times a
    second, and may raise. When it raises, or the iteration is dropped, the threads stop at their next shuffle.
    """
    X = validation.points(X)
    sample = silhouette_sample(X, metric=metric, p=p) if sample is None else sample
    near = neighbourhoods(X, metric=metric, p=p) if near is None else near
    workers = validation.jobs(n_jobs)
    thetas = list(thetas)
    done = [0] * len(thetas)  # shuffles finished at each θ; one writer each
    stop = _Stop(cancel)

    def work(i):
        def count(finished, _):
            done[i] = finished

        start = None if runs is None else runs(thetas[i])
        options = {"briefly": briefly, "runs": start, "sample": sample, "near": near, "progress": count, "cancel": stop}
        return evaluate(X, thetas[i], shuffles, seed, metric=metric, p=p, **options)

    pool = ThreadPoolExecutor(workers)
    futures = {}
    try:
        for i in range(len(thetas)):
            for ahead in range(i, min(i + 2 * workers, len(thetas))):
                if ahead not in futures:
                    futures[ahead] = pool.submit(work, ahead)
            while not futures[i].done():
                wait([futures[i]], _LOOK_INTERVAL, FIRST_COMPLETED)
                if progress is not None:
                    progress(sum(done), shuffles * len(thetas))
            yield futures.pop(i).result()
    finally:
        stop.set()
        pool.shutdown(wait=True, cancel_futures=True)


class _Stop(threading.Event):
    """Set by itself, or by another event."""

    def __init__(self, other):
        super().__init__()
        self.other = other

    def is_set(self):
        return super().is_set() or (self.other is not None and self.other.is_set())


class Threads:
    """Where a sweep is computed: in threads of this process. Another place has the same two methods."""

    def __init__(self, n_jobs=None):
        self.n_jobs = n_jobs

    def points(self, plan, thetas, progress=None, cancel=None, briefly=False):
        """The `ThetaPoint` at each of `thetas`, in their order, as they come; as `evaluate_many`."""
        options = {**plan.references, "n_jobs": self.n_jobs, "progress": progress, "cancel": cancel}
        return evaluate_many(plan.X, thetas, plan.shuffles, plan.seed, briefly=briefly, runs=plan.runs, **options)

    def edges(self, plan, edges, cancel=None):
        """The refined θ of each of `edges` (`Edge`), in their order."""
        with ThreadPoolExecutor(validation.jobs(self.n_jobs)) as pool:
            return list(pool.map(lambda edge: edge.refined(plan, cancel), edges))


class Elsewhere:
    """Where a sweep is computed: by a `concurrent.futures` executor, a task per θ. Its tasks can be pickled.

    Points are sent with each task; what clusterings are measured with is made there, once per process.
    """

    def __init__(self, executor):
        self.executor = executor

    def points(self, plan, thetas, progress=None, cancel=None, briefly=False):
        """As `Threads.points`; progress counts θ that are done."""
        total = plan.shuffles * len(thetas)
        tasks = [(evaluate_alone, plan.alone, theta, briefly, plan.runs(theta)) for theta in thetas]
        tell = progress and (lambda done: progress(plan.shuffles * done, total))
        return self._results(tasks, tell, cancel)

    def edges(self, plan, edges, cancel=None):
        """As `Threads.edges`."""
        return list(self._results([(edge.refined, plan.alone) for edge in edges], None, cancel))

    def _results(self, tasks, tell, cancel):
        futures = [self.executor.submit(*task) for task in tasks]
        try:
            for future in futures:
                while not wait([future], _LOOK_INTERVAL).done:
                    if cancel is not None and cancel.is_set():
                        raise Cancelled("stopped before the end")
                    if tell:
                        tell(sum(map(Future.done, futures)))
                yield future.result()
        finally:
            for future in futures:
                future.cancel()


def evaluate_alone(plan, theta, briefly=False, runs=None):
    """`evaluate` at a θ of a plan that came from another process, where that has what it measures with."""
    key = hashlib.sha256(np.ascontiguousarray(plan.X)).hexdigest(), plan.X.shape, plan.norm
    if key not in _measured_with:
        _measured_with.clear()  # one data set at a time
        _measured_with[key] = plan.references
    references = _measured_with.get(key) or plan.references
    return evaluate(plan.X, theta, plan.shuffles, plan.seed, briefly=briefly, runs=runs, **references)


_measured_with = {}


# --- the sweep -------------------------------------------------------------------------------------------------------


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
        θ at which chains are looked for, descending. They are computed after the others, with all shuffles, down to the
        first with more clusters than chains are made of.
    finer : bool
        Whether θ are added where the answer changes near the best.
    briefly : bool
        Whether `shuffles` is the most per θ, fewer where it is not among the best, instead of the number at each.
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
    finer: bool = True
    briefly: bool = True
    norm: float = norms.EUCLIDEAN
    memory: Memory = field(default_factory=Memory)
    sample: SilhouetteSample | None = None
    near: Neighbourhoods | None = None

    def full(self, theta):
        """The `ThetaPoint` at θ with all shuffles if it has been computed, or None."""
        return self.memory.get(("point", theta))

    def known(self, theta):
        """The same, or if that has not been computed the one of a brief look."""
        full = self.full(theta)
        return self.memory.get(("brief", theta)) if full is None else full

    def runs(self, theta):
        """The `Runs` to go on from at θ, or None."""
        known = self.known(theta)
        return None if known is None else known.runs

    def keep(self, point):
        """Remember a `ThetaPoint`."""
        full = point.row["shuffles"] >= self.shuffles
        self.memory.put(("point" if full else "brief", point.theta), point)

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
        """Number of clusters at θ, stragglers not counted."""
        known = self.full(theta)
        if known is not None:
            return known.standing
        sizes = tdg(self.X, theta, self.shuffles, self.seed, cancel=cancel, **self.metric).sizes
        return int((~stragglers(sizes)).sum())

    def __deepcopy__(self, memo):  # pandas copies what a frame carries with every frame made from it
        return self


def _remembered(memory, key, make):
    value = memory.get(key)
    if value is None:
        value = make()
        memory.put(key, value)
    return value


@dataclass(frozen=True, eq=False)
class Sweep:
    """What is known of a sweep.

    Attributes
    ----------
    plan : SweepPlan
    points : dict of θ -> ThetaPoint
        Known so far, ascending.
    rows : tuple of θ
        Those of `points` that are of the grid and its refinement, not asked for by hand.
    planned : int
        How many there will be, as far as that can be said.
    todo : list of θ
        What to compute next; empty when only the ranges' edges are open, or nothing.
    briefly : bool
        Whether those get a brief look; otherwise they take all shuffles.
    behind : int
        How many evaluations are behind: of `points`, of those of them that were known with fewer shuffles before, and
        of those that need none any more.
    swept : bool
        Whether every θ of the grid and its refinement is known, those of the best ranges with all shuffles.
    worth_showing : bool
        Whether at least every fourth θ is known.
    refined : DataFrame or None
        The ranges with refined edges, once they are there.
    lowest : float
        The smallest θ of the grid that is looked at.
    """

    plan: SweepPlan
    points: dict[float, ThetaPoint]
    rows: tuple[float, ...]
    planned: int
    todo: list[float]
    briefly: bool
    behind: int
    swept: bool
    worth_showing: bool
    refined: pd.DataFrame | None
    lowest: float

    @property
    def complete(self):
        """Whether the ranges' edges are refined and their best θ computed as well."""
        return self.refined is not None and not self.todo

    @cached_property
    def table(self):
        """The DataFrame of `sweep`, of the θ in `rows`."""
        return sweep_frame([self.points[theta] for theta in self.rows], self.plan)

    @cached_property
    def ranges(self):
        """The DataFrame of `theta_ranges`; edges half way between values until they have been refined."""
        return theta_ranges(self.table, refine=0) if self.refined is None else self.refined

    @cached_property
    def best(self):
        """The `Recommendation` that follows from the ranges; None while nothing is known."""
        return recommend_from(self.table, self.ranges) if self.rows else None


def so_far(plan):
    """What the plan's memory has of its sweep: a `Sweep`.

    Every eighth θ comes first, then every fourth, every second and the rest, large θ before small ones (they are quick,
    and where the structure is); then all shuffles in the best ranges, the finer θ near the best, which follow from
    that, all shuffles there, the small θ for chains, then the refined ranges.
    """
    known = _Known(plan)
    stages = [known.worth_looking(plan.grid[::-step]) for step in (_COARSE, 4, 2, 1)]
    grid = stages[-1]
    todo, briefly, finer = next(filter(None, map(known.missing, stages)), []), plan.briefly, ()
    if not todo:
        todo, briefly = known.not_full(_candidates(plan, known, sorted(grid))), False
    if not todo:
        finer = _finer(plan, known, grid)
        todo, briefly = known.missing(finer), plan.briefly
    rows = tuple(point.theta for point in known.of(sorted({*grid, *finer})))
    if not todo:
        todo, briefly = known.not_full(_candidates(plan, known, rows)), False
    swept = not todo
    last = known.fine(plan.small) if swept else []
    todo = todo or known.not_full(last)
    refined = None if todo else plan.memory.get(_ranges_key(known.of(rows)))
    if refined is not None:
        last.append(recommend_from(sweep_frame(known.of(rows)), refined).theta)
        todo = known.not_full(last)
    asked = known.not_full(plan.asked)
    if asked:
        todo, briefly = asked, False
    points = {point.theta: point for point in known.of(sorted({*rows, *plan.asked, *last}))}
    planned = len({*grid, *finer, *plan.asked})
    worth_showing = not any(map(known.missing, [plan.asked, *stages[:2]]))
    again = sum(plan.memory.get(("brief", theta)) is not None and not known.not_full([theta]) for theta in points)
    behind = len(points) + again + len(plan.grid) - len(grid)
    return Sweep(plan, points, rows, planned, todo, briefly, behind, swept, worth_showing, refined, min(grid))


POINTS_PER_LINK = 3  # on average at least, in clusters that are chained: with fewer they are the points themselves
_COARSE = 8  # of the θ at which nearly every point is a cluster of its own, one in so many is looked at


def remember(plan, points, ranges):
    """Put into a plan's memory what an earlier run of the same sweep found: its `ThetaPoint`s and refined ranges."""
    for point in points:
        plan.keep(point)
    state = so_far(plan)
    if state.swept:
        plan.memory.put(_ranges_key([state.points[theta] for theta in state.rows]), ranges)


class _Known:
    """The points a memory has, each looked up once."""

    def __init__(self, plan):
        self.plan, self.points = plan, {}

    def at(self, theta):
        if theta not in self.points:
            self.points[theta] = self.plan.known(theta)
        return self.points[theta]

    def missing(self, thetas):
        return [theta for theta in thetas if self.at(theta) is None]

    def not_full(self, thetas):
        """Those not known with all shuffles."""
        return [theta for theta in thetas if not self._full(theta)]

    def _full(self, theta):
        return self.at(theta) is not None and self.at(theta).row["shuffles"] >= self.plan.shuffles

    def of(self, thetas):
        return [point for point in map(self.at, thetas) if point is not None]

    def fine(self, thetas):
        """Of descending θ those down to the first, as far as is known, with too few points per cluster for chains."""
        found = []
        for theta in thetas:
            found.append(theta)
            point = self.at(theta)
            if point is None or point.row["n_clusters"] * POINTS_PER_LINK > len(self.plan.X):
                break
        return found

    def worth_looking(self, thetas):
        """Of a sweep's own θ those not below one at which it is crowded, and every so manieth of the others."""
        if not self.plan.briefly:
            return thetas
        n, grid = len(self.plan.X), self.plan.grid
        crowd = max((p.theta for p in self.of(grid) if crowded(p.row["n_clusters"], n)), default=-np.inf)
        return [theta for theta in thetas if theta >= crowd or theta in grid[::-_COARSE]]


def _finer(plan, known, grid):
    if not plan.finer:
        return ()
    key = ("finer", plan.grid[0], plan.grid[-1], len(plan.grid))
    return _remembered(plan.memory, key, lambda: tuple(finer_thetas(sweep_frame(known.of(sorted(grid)))).tolist()))


def _candidates(plan, known, rows):
    """The θ that may be the best, and their ranges: a person will look at them."""
    if not plan.briefly:
        return []
    points = known.of(rows)

    def inside():
        table = sweep_frame(points, plan)
        best = theta_ranges(table, refine=0)[:_REFINED]
        good = table["theta"][table["evidence"] >= _GOOD * max(table["evidence"].max(), 1e-9)]
        edges = [(r.theta_low, r.theta_high) for r in best.itertuples()]
        edges = [ends for i, ends in enumerate(edges) if i == 0 or good.between(*ends).any()]
        chosen = {*good, *(theta for theta in rows if any(low <= theta <= high for low, high in edges))}
        return [theta for theta in rows if theta in chosen]

    return _remembered(plan.memory, ("candidates", *_ranges_key(points)), inside)


def _ranges_key(points):
    return ("ranges", np.array([(point.theta, point.row["shuffles"]) for point in points]).tobytes())


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
        ranges = theta_ranges(sweep.table, place=place, cancel=cancel)
        plan.memory.put(_ranges_key([sweep.points[theta] for theta in sweep.rows]), ranges)
        return
    before = plan.shuffles * sweep.behind
    total = before + plan.shuffles * max(sweep.planned - len(sweep.points), len(sweep.todo))
    overall = None if progress is None else lambda done, _: progress(before + done, total)
    yield from computed(plan, sweep.todo, place, briefly=sweep.briefly, progress=overall, cancel=cancel)


def computed(plan, thetas, place=None, *, briefly=False, progress=None, cancel=None) -> Iterator[ThetaPoint]:
    """The `ThetaPoint` at each of `thetas`, in their order: those known from the plan's memory, the others now.

    With all shuffles; where `briefly` is true with few.
    """
    known = plan.known if briefly else plan.full
    missing = [theta for theta in thetas if known(theta) is None]
    fresh = (place or Threads()).points(plan, missing, progress, cancel, briefly) if missing else iter(())
    to_come = set(missing)
    try:
        for theta in thetas:
            if theta in to_come:
                point = next(fresh)
                plan.keep(point)
            else:  # or forgotten meanwhile, by a memory that is full
                point = known(theta) or evaluate(plan.X, theta, plan.shuffles, plan.seed, **plan.references)
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
        Random orders per θ. At θ that are given exactly so many. On the sweep's own axis all of them in the best
        ranges, and few elsewhere (`evaluate`). The column ``shuffles`` tells.
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
    return SweepPlan(X, shuffles, seed, tuple(grid), finer=False, briefly=False, norm=norm)


_GOOD = 0.85  # of the best score: what may turn out to be the best


def finer_thetas(sweep, most=24):
    """θ worth adding to a sweep: between neighbours where the number of clusters changes close to the best score."""
    good = (sweep["evidence"] >= _GOOD * sweep["evidence"].max()).to_numpy()
    standing = (sweep["n_clusters"] - sweep["stragglers"]).to_numpy()
    thetas = sweep["theta"].to_numpy()
    gaps = np.flatnonzero((good[:-1] | good[1:]) & (standing[:-1] != standing[1:]) & (thetas[:-1] > 0))
    scores = sweep["evidence"].to_numpy()
    gaps = sorted(gaps, key=lambda i: -max(scores[i], scores[i + 1]))[: most // 3]
    return np.sort([theta for i in gaps for theta in np.geomspace(thetas[i], thetas[i + 1], 5)[1:-1]])


def sweep_frame(points, plan=None):
    """A sweep's DataFrame from the `ThetaPoint`s of its θ. With its plan, `theta_ranges` can refine the edges."""
    rows = sorted((point.row for point in points), key=lambda row: row["theta"])
    frame = pd.DataFrame(rows, columns=list(SWEEP_COLUMNS))
    if plan is not None:
        frame.attrs["plan"] = plan
    return frame


# --- ranges and the recommendation -----------------------------------------------------------------------------------


def theta_ranges(sweep, *, refine=4, n_jobs=None, cancel=None, place=None):
    """Ranges of θ in which the number of clusters holds, best first.

    A range is a stretch of neighbouring θ with the same number of clusters, 2 or more and not `crowded`, not counting
    stragglers (see `stragglers`). It is ranked by the evidence at its best θ; but those come first that have valleys
    between their clusters, unless there is much more evidence elsewhere, and of several with about as much evidence the
    one with most clusters. Among about equals the wider comes first; width alone misleads, as a few large clusters
    often hold over a wider range than the true ones.

    Parameters
    ----------
    sweep : DataFrame of `sweep`
    refine : int
        The edges of the best range, and of others that might be it, are found by at most this many bisections between
        grid values (0: none), to within 1 %. Needs a frame that knows its data, as those of `sweep` do.
    n_jobs, cancel
        As for `theta_app.engine.tdg`.
    place : optional
        Where edges are refined, instead of threads of this process: see `Threads`.

    Returns
    -------
    DataFrame with the columns theta_low, theta_high, theta (near the middle, of those swept), n_clusters (without
    stragglers), agreement, silhouette, score, valley and evidence (means over the range), separate (whether its
    clusters have valleys between them), relative_width (log of theta_high / theta_low) and recommended (True in the
    first row, if that is separate).
    """
    thetas = sweep["theta"].to_numpy()
    columns = {name: sweep[name].to_numpy() for name in ("agreement", "silhouette", "score", "valley", "evidence")}
    standing = (sweep["n_clusters"] - sweep["stragglers"]).to_numpy()
    separate = _clearly_separate(sweep)
    plan = sweep.attrs.get("plan")
    n = np.inf if plan is None else len(plan.X)
    held = [run for run in runs(standing) if run.value >= 2 and not crowded(run.value, n)]
    rows = [_range(columns, separate, thetas, run) for run in held]
    rows = _finest_first(sorted(rows, key=_rank, reverse=True))
    if refine and plan is not None:
        chosen = [row for i, row in enumerate(rows[:_REFINED]) if i == 0 or _rivals(row, rows[0])]
        _refine(chosen, thetas, plan, refine, place or Threads(n_jobs), cancel)
    ranges = pd.DataFrame(rows, columns=list(RANGE_COLUMNS))
    low, high = ranges["theta_low"].astype(float), ranges["theta_high"].astype(float)
    ranges["theta"] = [_best_inside(thetas, row) for row in rows]
    ranges["relative_width"] = log_width(low, high)
    ranges["recommended"] = ranges["separate"].astype(bool) & (ranges.index == 0)
    return ranges


_REFINED = 4  # ranges whose edges are bisected at most: those a person may choose
_SHARP = 0.01  # relative: two θ so near are one edge


def _rivals(row, best):
    """Whether a range might be taken instead of the best."""
    return row["separate"] and row["peak"] >= _GOOD * best["peak"]


def _best_inside(thetas, row):
    """The θ of the sweep nearest to a range's middle, of those about as good as its best."""
    first, last = row["inside"]
    good = thetas[first : last + 1][row["good"]]
    middle = log_middle(row["theta_low"], row["theta_high"])
    return float(good[np.argmin(np.abs(log_width(np.minimum(good, middle), np.maximum(good, middle))))])


_NEAR_BEST = 0.6  # of the most evidence at any θ: where there is much more elsewhere, valleys alone do not count
_AS_GOOD = 0.9  # of a range's best value
_ALIKE = 0.95  # of the best range's evidence: about as much


def _clearly_separate(sweep):
    """Which θ give clusters with valleys between them and not much less evidence than any other θ."""
    return (sweep["separate"] & (sweep["evidence"] >= _NEAR_BEST * sweep["evidence"].max())).to_numpy()


def _range(columns, separate, thetas, run):
    """A stretch of rows as a range."""
    low, high = half_step_around(thetas, run)
    inside = slice(run.start, run.stop)
    values = columns["evidence"][inside]
    if separate[inside].any():
        values = np.where(separate[inside], values, 0.0)
    return {
        "n_clusters": int(run.value),
        **{name: _mean(column[inside]) for name, column in columns.items()},
        "separate": bool(separate[inside].any()),
        "peak": float(values.max()),
        "good": values >= min(_AS_GOOD * values.max(), values.max()),
        "theta_low": low,
        "theta_high": high,
        "inside": (run.start, run.stop - 1),
    }


def _finest_first(rows):
    """Of the best ranges with valleys, where several have about the same evidence, the one with most clusters first.

    Two clusters under one circle look as good as one of double size; apart they tell more.
    """
    alike = [row for row in rows if row["separate"] and row["peak"] >= _ALIKE * rows[0]["peak"]]
    finest = max(alike, key=lambda row: row["n_clusters"], default=None)
    return rows if finest is None else [finest, *(row for row in rows if row is not finest)]


def _mean(values):
    """Of what is defined; NaN where nothing is."""
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if len(defined) else float("nan")


def _rank(row):
    """How well a range's answer holds: whether there are valleys, then mostly its peak, a little its width."""
    width = log_width(row["theta_low"], row["theta_high"])
    return row["separate"], row["peak"] * (1.0 + 0.1 * np.tanh(width / 0.3))


@dataclass(frozen=True)
class Edge:
    """An end of a range: somewhere between a θ inside it and one outside."""

    n_clusters: int
    inside: float
    outside: float
    steps: int

    def refined(self, plan, cancel=None):
        """The outermost θ found inside, by bisection on a log axis."""
        inside, outside = self.inside, self.outside
        for _ in range(self.steps):
            if abs(outside - inside) <= _SHARP * inside:
                break
            middle = float(log_middle(inside, outside))
            if plan.standing(middle, cancel) == self.n_clusters:
                inside = middle
            else:
                outside = middle
        return inside


def _refine(rows, thetas, plan, steps, place, cancel):
    """Move the ranges' ends to where K changes."""
    open_ends = []
    for row in rows:
        first, last = row["inside"]
        for end, inside, outside in (("theta_low", first, first - 1), ("theta_high", last, last + 1)):
            row[end] = float(thetas[inside])  # of the axis: nothing lies beyond
            if 0 <= outside < len(thetas):
                edge = Edge(row["n_clusters"], float(thetas[inside]), float(thetas[outside]), steps)
                open_ends.append((row, end, edge))
    open_edges = [edge for _, _, edge in open_ends if plan.memory.get(("edge", edge)) is None]
    for edge, theta in zip(open_edges, place.edges(plan, open_edges, cancel)):
        plan.memory.put(("edge", edge), theta)
    for row, end, edge in open_ends:
        row[end] = _remembered(plan.memory, ("edge", edge), lambda edge=edge: edge.refined(plan, cancel))


@dataclass(frozen=True)
class Recommendation:
    """The recommended θ.

    Attributes
    ----------
    theta, n_clusters : a good θ near the middle of the best range, and its number of clusters, stragglers not counted
    theta_low, theta_high : the range
    stands_out : False where no θ is much better than the others (uniform noise, say)
    reason : a sentence
    """

    theta: float
    n_clusters: int
    theta_low: float
    theta_high: float
    stands_out: bool
    reason: str


def recommend(X, shuffles=50, seed=0, *, metric="euclidean", p=None, n_jobs=None, progress=None, cancel=None):
    """The θ at which clusters are farthest apart and least dependent on the order of the data.

    Sweeps θ and takes the best of `theta_ranges`. Parameters are those of `sweep`. Returns a `Recommendation`.
    """
    options = {"metric": metric, "p": p, "n_jobs": n_jobs, "progress": progress, "cancel": cancel}
    swept = sweep(X, None, shuffles, seed, **options)
    return recommend_from(swept, theta_ranges(swept, n_jobs=n_jobs, cancel=cancel))


def recommend_from(sweep, ranges):
    """The `Recommendation` that follows from a sweep and its ranges."""
    if len(ranges) == 0:
        last = sweep.iloc[-1]
        theta = float(last["theta"])
        reason = "Every θ tried puts all points into one cluster or leaves each alone: there is nothing to choose."
        return Recommendation(theta, int(last["n_clusters"]), theta, theta, False, reason)
    best = ranges.iloc[0]
    if best["recommended"]:
        reason = (
            f"From θ = {short(best['theta_low'])} to {short(best['theta_high'])} there are {int(best['n_clusters'])} "
            f"clusters; over that range order agreement is {best['agreement']:.2f} and silhouette "
            f"{best['silhouette']:.2f} on average."
        )
    else:
        reason = (
            "No θ stands out: for none are the clusters both apart and independent of the order of the data "
            f"(best: order agreement {best['agreement']:.2f}, silhouette {best['silhouette']:.2f})."
        )
    return Recommendation(
        float(best["theta"]),
        int(best["n_clusters"]),
        float(best["theta_low"]),
        float(best["theta_high"]),
        bool(best["recommended"]),
        reason,
    )


# --- what to say about a result --------------------------------------------------------------------------------------


def is_sparse(X, labels, theta, *, metric="euclidean", p=None):
    """True if the clusters are θ-sparse: no two points of different clusters are within θ of each other. Exact."""
    pair = closest_pair(X, labels, metric=metric, p=p)
    return pair is None or pair.distance > theta


def merges_too_much(result):
    """Whether TDG's second stage merged what its single passes keep apart: θ exceeds the distance between centres."""
    return bool(0.6 * np.median(result.run_counts) > len(result.sizes))


def warnings_for(result, agreement=None):
    """Sentences on what is odd about a `TdgResult`, each with what to do; an empty list if nothing is."""
    n, K = len(result.labels), len(result.sizes)
    agreement = result.agreement if agreement is None else agreement
    found = []
    if merges_too_much(result):
        found.append(
            f"TDG merged to {K} clusters what its single passes kept apart (their median is "
            f"{np.median(result.run_counts):.0f}): θ is larger than the distance between some centres. Lower θ, or use "
            "TSG."
        )
    if n > 1 and K == 1:
        found.append("All points are in one cluster. Lower θ to see structure.")
    elif n > 2 and 0.5 * n < K:
        found.append(f"{K} clusters for {n} points: most points are alone. Raise θ.")
    elif K > 2 and np.mean(result.sizes == 1) > 0.5:
        found.append("More than half of the clusters hold a single point. Raise θ, or keep the largest clusters only.")
    if agreement is not None and K > 1 and agreement < 0.5:
        found.append(
            f"The order of the data matters much here (order agreement {agreement:.2f}). Try another θ, or lower θ and "
            "look at the cluster sizes."
        )
    return found
