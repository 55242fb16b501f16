"""TDG at one θ, and at many: the θ axis, what is measured at each θ, and how many shuffles that takes."""

import threading
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from theta_app.engine import Growing, Runs, TdgResult, fair_sample, nearest_others, norms, silhouette_sample, validation
from theta_app.engine.neighbours import FEW_ROWS_FEATURES
from theta_app.selection.sizes import entropy, size_elbow, stragglers
from theta_app.selection.valleys import FLAT, neighbourhoods

_NEIGHBOUR_POINTS = 2000  # whose nearest neighbours tell the typical distance between points
LOOK_INTERVAL = 0.05  # seconds between looks at the progress, hence the time it takes to stop

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


# --- the θ axis ------------------------------------------------------------------------------------------------------


def theta_grid(X, n=64, *, metric="euclidean", p=None):
    """θ values worth trying, ascending, log-spaced: from half the typical neighbour distance to about the diameter.

    `metric` and `p` as for `theta_app.engine.tsg`.
    """
    X = validation.points(X)
    n, norm = validation.count(n, "n"), norms.norm(metric, p)
    farthest = X[np.argmax(norms.lengths(X - X.mean(axis=0), norm))]
    # from the farthest point: nearly the largest distance, in practice it
    diameter = float(norms.lengths(X - farthest, norm).max())
    if diameter == 0.0:
        return np.ones(1)  # all points are one: any θ will do
    neighbours = _neighbour_distances(X, norm)
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
    beyond = len(grid) + most
    first = int(np.floor((np.log(max(low, least)) - np.log(grid[0])) / step + 0.5))
    last = int(np.ceil((np.log(max(high, least)) - np.log(grid[0])) / step - 0.5))
    first = min(max(first, -most), beyond - 3)
    last = min(max(last, first + 3), beyond)
    return np.array([grid[i] if 0 <= i < len(grid) else grid[0] * np.exp(step * i) for i in range(first, last + 1)])


def _neighbour_distances(X, norm):
    """Distances of some points of X to their nearest other point; in many features among these points alone."""
    chosen = fair_sample(len(X), _NEIGHBOUR_POINTS)
    if X.shape[1] > FEW_ROWS_FEATURES:
        X, chosen = X[chosen], np.arange(len(chosen))
    X, power = validation.scaled(X)
    return nearest_others(X, chosen, 1, norm)[0][:, 0] / power


# --- one θ, and many -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ThetaPoint:
    """One θ of a sweep: TDG's result there, and the numbers of a sweep's row."""

    theta: float
    tdg: TdgResult
    row: dict
    runs: Runs | None = None  # where it stopped early, to go on from
    settled: bool = False  # whether it stopped because more shuffles would change nothing

    @property
    def standing(self):
        """Number of clusters, stragglers not counted."""
        return self.row["n_clusters"] - self.row["stragglers"]


BRIEF, SETTLED, ALL = "brief", "settled", "all"
"""How much is done at a θ: a brief look, shuffles until the answer no longer moves, all shuffles (`evaluate`)."""

_FEWEST = 4  # shuffles that can say anything at all
_HARDLY = 2  # shuffles where nearly every point is a cluster of its own
_VISITS, _VISITS_MANY = 20_000, 7_000  # of points by shuffles: fewer take no time; in more than three features
_STILL = 0.01  # in order agreement: an answer that moves by less has settled
_RUNS_BYTES = 300_000  # of runs that are kept to go on from
POINTS_PER_LINK = 3  # on average at least, in clusters that are chained: with fewer they are the points themselves
_CROWD = 32  # clusters that are never too many, however few points there are
_POINTS_PER_CLUSTER = 10  # on average at least: finer clusterings are the points themselves, duplicates above all


def too_fine(n_clusters, n):
    """Whether so many clusters of n points, fewer than ten points each, are too many to be any."""
    return n_clusters * _POINTS_PER_CLUSTER > n


def crowded(n_clusters, n, share=0.5):
    """Whether so many clusters of n points, more than half or another share, are past finding anything."""
    return n_clusters > max(share * n, _CROWD)


def _steps(shuffles, n, features):
    """Numbers of shuffles to stop at, ascending, the first for a brief look: halves of halves of the full number.

    Few points take little time, and chance means much to them: they begin with more.
    """
    steps, visits = [shuffles], _VISITS if features <= 3 else _VISITS_MANY
    while (steps[0] + 1) // 2 >= _FEWEST and (steps[0] + 1) // 2 * n >= visits:
        steps.insert(0, (steps[0] + 1) // 2)
    return steps


def _looked_at(growing, shuffles, effort, shape, progress=None):
    """(TdgResult, settled): of as many shuffles as an effort takes, and whether more would change nothing."""
    if effort == ALL:
        growing.grow(shuffles, progress)
        return growing.vote(), True
    n = shape[0]
    fewest, *more = _steps(shuffles, *shape)
    growing.grow(min(_HARDLY, fewest), progress)
    if crowded(len(growing.runs.centroids[0]), n):
        return growing.vote(), True
    growing.grow(fewest, progress)
    result, settled = growing.vote(), _needs_no_more(growing.runs, n)
    for step in () if effort == BRIEF else more:
        if settled:
            break
        before = result
        growing.grow(step, progress)
        result = growing.vote()
        same = len(before.sizes) == len(result.sizes)
        settled = same and abs(before.agreement - result.agreement) < _STILL
    return result, bool(settled) or len(growing.runs.centroids) == shuffles


def _needs_no_more(runs, n):
    """Whether no order effect was seen, or clusters are too many to be any."""
    counts = sorted(map(len, runs.centroids))
    return runs.agreement == 1.0 or too_fine(counts[len(counts) // 2], n)


def briefly(X, theta, shuffles=50, seed=0, *, metric="euclidean", p=None, n_jobs=None, cancel=None):
    """The `TdgResult` of a brief look at θ, as `evaluate` takes it."""
    growing = Growing(X, theta, seed, metric=metric, p=p, n_jobs=n_jobs, cancel=cancel, agreement=True)
    return _looked_at(growing, shuffles, BRIEF, np.shape(X))[0]


def evaluate(
    X,
    theta,
    shuffles=50,
    seed=0,
    *,
    metric="euclidean",
    p=None,
    effort=ALL,
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
    effort : {"all", "settled", "brief"}
        "brief" takes few shuffles, the fewer the more points there are: enough to tell whether this θ may be among the
        best. "settled" goes on from there, twice as many at a time, until neither the number of clusters nor the
        agreement moves; none are added where no order effect is seen, or where clusters have fewer than ten points on
        average. Both take two where more than half of the points are clusters of their own. The result is TDG's with so
        many shuffles, and ``row["shuffles"]`` is their number.
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
    result, settled = _looked_at(growing, shuffles, effort, np.shape(X), tell)
    if progress is not None:
        progress(shuffles, shuffles)
    point = described(theta, result, sample, near, np.shape(X)[1])
    goes_on = point.row["shuffles"] < shuffles and growing.runs.nbytes <= _RUNS_BYTES
    return replace(point, runs=growing.runs if goes_on else None, settled=settled)


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
        "runs_median": float(passes[(len(passes) - 1) // 2] + passes[len(passes) // 2]) / 2,
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


AGREEING = 0.65  # order agreement of runs that mostly agree; the less they do, the deeper valleys have to be
_FLAT_SHARE = 0.01  # of the points at most lie at boundaries without a valley
_DEPTH = {1: 0.7}  # a line has few neighbours across any boundary, so that chance makes some look sparse


def _judged(row, result, standing, near, features):
    """What speaks for a clustering: how sparse its boundaries are, and how much it says beside that."""
    if len(standing) < 2 or too_fine(len(standing), result.sizes.sum()):
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
    effort=ALL,
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

    def tell():
        if progress is not None:
            progress(sum(done), shuffles * len(thetas))

    def work(i, tell=None):
        def count(finished, _):
            done[i] = finished
            if tell is not None:
                tell()

        start = None if runs is None else runs(thetas[i])
        options = {"effort": effort, "runs": start, "sample": sample, "near": near, "progress": count, "cancel": stop}
        return evaluate(X, thetas[i], shuffles, seed, metric=metric, p=p, **options)

    if workers == 1:  # in the thread that iterates: many θ take less time than handing them over
        for i in range(len(thetas)):
            yield work(i, tell)
        return
    pool = ThreadPoolExecutor(workers)
    futures = {}
    try:
        for i in range(len(thetas)):
            for ahead in range(i, min(i + 2 * workers, len(thetas))):
                if ahead not in futures:
                    futures[ahead] = pool.submit(work, ahead)
            while not futures[i].done():
                wait([futures[i]], LOOK_INTERVAL, FIRST_COMPLETED)
                tell()
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


def sweep_frame(points, plan=None):
    """A sweep's DataFrame from the `ThetaPoint`s of its θ. With its plan, `theta_ranges` can refine the edges."""
    rows = sorted((point.row for point in points), key=lambda row: row["theta"])
    frame = pd.DataFrame(rows, columns=list(SWEEP_COLUMNS))
    if plan is not None:
        frame.attrs["plan"] = plan
    return frame
