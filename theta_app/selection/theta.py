"""TDG at one θ: the θ axis, what is measured at each θ, and how many shuffles that takes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from theta_app.engine import (
    EUCLIDEAN,
    Cancel,
    IncrementalTDG,
    Metric,
    Progress,
    Runs,
    SilhouetteSample,
    TdgResult,
    affordable,
    fair_sample,
    nearest_others,
    silhouette_sample,
    validation,
)
from theta_app.engine.neighbours import FEW_ROWS_FEATURES
from theta_app.engine.stopping import new_flag, stoppable
from theta_app.selection.plotting import SweepTable
from theta_app.selection.sizes import entropy, outlier_clusters, size_elbow
from theta_app.selection.valleys import FLAT, Neighbourhoods, neighbourhoods

if TYPE_CHECKING:
    import pandas as pd

    from theta_app.selection.sweeping import SweepPlan


_NEIGHBOUR_POINTS = 2000  # whose nearest neighbours tell the typical distance between points

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
    "outliers",
    "elbow",
    "entropy",
    "valley",
    "flat",
    "evidence",
    "separate",
    "shuffles",
)


# --- the θ axis ------------------------------------------------------------------------------------------------------


def theta_grid(
    X: np.ndarray,
    n: int = 64,
    *,
    metric: str | Metric = "euclidean",
    p: float | None = None,
    radius: float | None = None,
    cancel: Cancel | None = None,
) -> np.ndarray:
    """θ values worth trying, ascending, log-spaced: from half the typical neighbour distance to about the diameter.

    `metric`, `p`, `radius` and `cancel` as for `theta_app.engine.tdg`.
    """
    X = validation.points(X)
    n, metric = validation.count(n, "n"), Metric.of(metric, p, radius)
    farthest = X[np.argmax(metric.between(X, metric.centre(X)))]
    # from the farthest point: nearly the largest distance, in practice it
    diameter = float(metric.between(X, farthest).max())
    if diameter == 0.0:
        return np.ones(1)  # all points are one: any θ will do
    neighbours = _neighbour_distances(X, metric, cancel)
    positive = neighbours[neighbours > 0]
    nearest = 0.5 * float(np.median(positive)) if len(positive) else diameter / 100
    return np.geomspace(min(nearest, diameter / 2), diameter, n)


def widened(grid: np.ndarray, low: float, high: float, most: int = 200) -> np.ndarray:
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


def _neighbour_distances(X: np.ndarray, metric: Metric, cancel: Cancel | None) -> np.ndarray:
    """Distances of some points of X to their nearest other point; in many features among these points alone."""
    X = metric.coordinates(X)
    n, d = X.shape
    chosen = fair_sample(n, _NEIGHBOUR_POINTS)
    if d > FEW_ROWS_FEATURES:
        chosen = fair_sample(n, affordable(min(n, _NEIGHBOUR_POINTS), d, metric.p))
        X, chosen = X[chosen], np.arange(len(chosen))
    X, power = validation.scaled(X)
    stop = new_flag()
    with stoppable(cancel, stop):
        return metric.along(nearest_others(X, chosen, 1, metric.p, stop)[0][:, 0]) / power


# --- one θ -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class ThetaPoint:
    """One θ of a sweep: TDG's result there, and the numbers of a sweep's row."""

    theta: float
    tdg: TdgResult
    row: dict
    runs: Runs | None = None  # what it was voted from, where that is small enough to be kept

    @property
    def major(self) -> int:
        """Number of clusters, outliers not counted."""
        return self.row["n_clusters"] - self.row["outliers"]

    @property
    def crowded(self) -> bool:
        """Whether its first run found too many clusters for more runs to tell anything."""
        return crowded(self.tdg.run_counts[0], len(self.tdg.labels))


class Want(NamedTuple):
    """TDG at θ with so many shuffles, or with only `if_crowded` of them where nearly every point is a cluster."""

    theta: float
    shuffles: int
    if_crowded: int | None = None

    def answered_by(self, point: ThetaPoint) -> bool:
        """Whether a `ThetaPoint` of this θ is what is wanted."""
        few = self.if_crowded is not None and point.crowded
        return point.row["shuffles"] == (min(self.if_crowded, self.shuffles) if few else self.shuffles)


FEWEST_SHUFFLES = 4  # that can say anything at all
CROWDED_SHUFFLES = 2  # where nearly every point is a cluster of its own
_VISITS, _VISITS_MANY = 20_000, 7_000  # of points by shuffles: fewer take no time; in more than three features
RUNS_BYTES = 300_000  # of runs that are kept to go on from
POINTS_PER_LINK = 3  # on average at least, in clusters that are chained: with fewer they are the points themselves
_CROWD = 32  # clusters that are never too many, however few points there are
_POINTS_PER_CLUSTER = 10  # on average at least: finer clusterings are the points themselves, duplicates above all


def too_fine(n_clusters: int, n: float) -> bool:
    """Whether so many clusters of n points, fewer than ten points each, are too many to be meaningful."""
    return n_clusters * _POINTS_PER_CLUSTER > n


def crowded(n_clusters: int, n: float, share: float = 0.5) -> bool:
    """Whether so many clusters of n points, more than half or another share, are past finding anything."""
    return n_clusters > max(share * n, _CROWD)


def shuffle_steps(shuffles: int, n: int, features: int) -> list[int]:
    """Numbers of shuffles to stop at, ascending, the first for a quick look: halves of halves of the full number.

    Few points take little time, and chance means much to them: they begin with more.
    """
    steps, visits = [shuffles], _VISITS if features <= 3 else _VISITS_MANY
    while (steps[0] + 1) // 2 >= FEWEST_SHUFFLES and (steps[0] + 1) // 2 * n >= visits:
        steps.insert(0, (steps[0] + 1) // 2)
    return steps


def quick_tdg(
    X: np.ndarray,
    theta: float,
    shuffles: int = 50,
    seed: int = 0,
    *,
    metric: Metric = EUCLIDEAN,
    n_jobs: int | None = None,
    cancel: Cancel | None = None,
) -> TdgResult:
    """The `TdgResult` of a quick look at θ, as most θ of a sweep get it."""
    growing = IncrementalTDG(X, theta, seed, metric=metric, n_jobs=n_jobs, cancel=cancel, agreement=True)
    want = Want(theta, shuffle_steps(shuffles, *np.shape(X))[0], CROWDED_SHUFFLES)
    return growing.vote(_grown(growing, want, len(X)))


def _grown(growing: IncrementalTDG, want: Want, n: int, progress: Callable[[int], object] | None = None) -> int:
    """Run what is wanted; the number of shuffles that answers it."""
    few = want.shuffles if want.if_crowded is None else min(want.if_crowded, want.shuffles)
    growing.grow(few, progress)
    if few < want.shuffles and crowded(len(growing.runs.centroids[0]), n):
        return few
    growing.grow(want.shuffles, progress)
    return want.shuffles


def evaluate(
    X: np.ndarray,
    theta: float,
    shuffles: int = 50,
    seed: int = 0,
    *,
    metric: Metric = EUCLIDEAN,
    if_crowded: int | None = None,
    runs: Runs | None = None,
    most_bytes: int = RUNS_BYTES,
    sample: SilhouetteSample = None,
    near: Neighbourhoods | None = None,
    n_jobs: int | None = None,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> ThetaPoint:
    """TDG at one θ with everything a sweep tells about it.

    Parameters
    ----------
    X, theta, shuffles, seed, n_jobs, progress, cancel
        As for `theta_app.engine.tdg`.
    metric : Metric
    if_crowded : int, optional
        So many shuffles are enough where the first finds more clusters than half of the points.
    runs : Runs, optional
        Of the same points, θ and seed: those with fewer shuffles are gone on from, of more the first are voted on.
    most_bytes : int
        Runs that take no more than this are kept with the result.
    sample : SilhouetteSample, optional
    near : Neighbourhoods, optional
        Both of X and in the same metric; pass them when evaluating many θ.

    Returns
    -------
    ThetaPoint
        ``row["shuffles"]`` is the number of shuffles that it rests on.
    """
    sample = silhouette_sample(X, metric=metric) if sample is None else sample
    near = neighbourhoods(X, metric=metric) if near is None else near
    growing = IncrementalTDG(X, theta, seed, metric=metric, runs=runs, n_jobs=n_jobs, cancel=cancel, agreement=True)
    tell = progress and (lambda done: progress(done, shuffles))  # type: ignore[misc]
    used = _grown(growing, Want(theta, shuffles, if_crowded), len(X), tell)
    point = described(theta, growing.vote(used), sample, near, np.shape(X)[1])
    if progress is not None:
        progress(shuffles, shuffles)
    return replace(point, runs=growing.runs if growing.runs.nbytes <= most_bytes else None)


def described(
    theta: float,
    result: TdgResult,
    sample: SilhouetteSample,
    near: Neighbourhoods,
    features: int,
    before: ThetaPoint | None = None,
) -> ThetaPoint:
    """A `TdgResult` (with its order agreement) as the `ThetaPoint` of a sweep.

    `sample` and `near` are of the points that are labelled; sizes may be of more. `before` is another point that may
    have the same clusters, about which everything is known then.
    """
    passes = np.sort(result.run_counts)
    if before is not None and np.array_equal(before.tdg.labels, result.labels):
        clusters = {name: before.row[name] for name in _OF_CLUSTERS}
    else:
        clusters = _of_clusters(result, sample, near)
    silhouette = clusters["silhouette"]
    row = {
        "theta": float(theta),
        "n_clusters": len(result.sizes),
        "runs_low": int(passes[0]),
        "runs_median": float(passes[(len(passes) - 1) // 2] + passes[len(passes) // 2]) / 2,
        "runs_high": int(passes[-1]),
        "agreement": result.agreement,
        **clusters,
        "score": 0.0 if np.isnan(silhouette) else result.agreement * silhouette,
        "shuffles": len(passes),
    }
    return ThetaPoint(float(theta), result, row | _evidence(row, result, features))


_OF_CLUSTERS = (
    "silhouette",
    "largest_share",
    "singleton_share",
    "outliers",
    "elbow",
    "entropy",
    "valley",
    "flat",
)


def _of_clusters(result: TdgResult, sample: SilhouetteSample, near: Neighbourhoods) -> dict:
    """What a row says about the clusters alone, whatever runs they come from: `_OF_CLUSTERS`."""
    outliers = outlier_clusters(result.sizes)
    major = result.sizes[~outliers]
    judged = len(major) >= 2 and not too_fine(len(major), result.sizes.sum())
    valley = near.valley(result.labels) if judged else None
    return {
        "silhouette": sample.score(result.labels),
        "largest_share": float(result.sizes.max() / result.sizes.sum()),
        "singleton_share": float(np.mean(result.sizes == 1)),
        "outliers": int(outliers.sum()),
        "elbow": size_elbow(result.sizes),
        "entropy": float(entropy(major)),
        "valley": valley.depth if judged else float("nan"),
        "flat": valley.flat if judged else float("nan"),
    }


AGREEING = 0.65  # order agreement of runs that mostly agree; the less they do, the deeper valleys have to be
_FLAT_SHARE = 0.01  # of the points at most lie at boundaries without a valley
_DEPTH = {1: 0.7}  # a line has few neighbours across any boundary, so that chance makes some look sparse


def _evidence(row: dict, result: TdgResult, features: int) -> dict:
    """What speaks for a clustering: how sparse its boundaries are, and how much it says beside that."""
    if np.isnan(row["valley"]):
        return {"evidence": 0.0, "separate": False}
    major = result.sizes[~outlier_clusters(result.sizes)]
    shares = major / major.sum()
    deep = row["valley"] >= max(_DEPTH.get(features, FLAT), 1.0 - row["agreement"]) and row["flat"] <= _FLAT_SHARE
    return {
        "evidence": float(row["score"] * (1.0 - (shares**2).sum())),
        "separate": bool(deep and row["agreement"] >= AGREEING),
    }


def sweep_frame(points: Iterable[ThetaPoint], plan: SweepPlan | None = None) -> pd.DataFrame:
    """A sweep's DataFrame from the `ThetaPoint`s of its θ. With its plan, `theta_ranges` can refine the edges."""
    rows = sorted((point.row for point in points), key=lambda row: row["theta"])
    frame = SweepTable(rows, columns=list(SWEEP_COLUMNS))
    if plan is not None:
        frame.attrs["plan"] = plan
    return frame
