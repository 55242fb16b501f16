"""What the sizes of clusters say: which are only outliers, after which they drop, and keeping the largest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from theta_app.engine import Cancel, Metric, Progress, TdgResult, members, nearest, tdg, validation
from theta_app.selection.plotting import figures
from theta_app.selection.runs import log_middle, log_width, runs

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from theta_app.selection.theta import ThetaPoint


_STRAY_POINTS = 10
_STRAY_PART = 1 / 200  # of all points, where that is more than ten
_STRAY_SHARE = 1 / 10  # of a typical cluster's points
_CHAIN_POINTS = 3
_CHAIN_PART = 1 / 50  # of all points
_CHAIN_SHARE = 1 / 2  # of a typical chain's points


def typical_size(sizes: np.ndarray) -> np.ndarray:
    """The size of the cluster that the median point is in; of an array with several rows one per row."""
    descending = -np.sort(-np.asarray(sizes), axis=-1)
    up_to = np.cumsum(descending, axis=-1)
    middle = (up_to < up_to[..., -1:] / 2).sum(axis=-1, keepdims=True)
    return np.take_along_axis(descending, middle, axis=-1)[..., 0]


def outlier_clusters(sizes: np.ndarray) -> np.ndarray:
    """Which clusters are outliers: a few points too far from all others, not clusters in their own right.

    Those that hold at most ten points, or one of two hundred, and at most a tenth of a typical cluster
    (`typical_size`). Returns an array of bool.
    """
    sizes = np.asarray(sizes)
    return sizes <= min(max(_STRAY_POINTS, sizes.sum() * _STRAY_PART), typical_size(sizes) * _STRAY_SHARE)


def count_outlier_clusters(sizes: np.ndarray) -> int:
    """How many clusters are outliers."""
    return int(outlier_clusters(sizes).sum())


def major_chains(sizes: np.ndarray) -> np.ndarray:
    """Which chains are major: those with two percent of the points, or half of what a typical one has; at least 3.

    What breaks off the edge of a cloud as ε shrinks is less, and is no shape. Returns an array of bool. Of an array
    with several rows each is a case of its own; a size of 0 is no chain.
    """
    sizes = np.asarray(sizes)
    least = np.minimum(sizes.sum(axis=-1) * _CHAIN_PART, typical_size(sizes) * _CHAIN_SHARE)
    return sizes >= np.maximum(_CHAIN_POINTS, least)[..., None]


def major_clusters(result: TdgResult) -> tuple[np.ndarray, np.ndarray]:
    """(owner, outliers) of a `TdgResult`: the major cluster of each of its clusters, and which only go there.

    Major clusters are numbered in their own order; an outlier goes to the nearest of them.
    """
    outliers = outlier_clusters(result.sizes)
    owner = np.cumsum(~outliers) - 1
    if outliers.any():
        centroids = result.centroids
        owner[outliers] = nearest(centroids[outliers], centroids[~outliers], metric=result.metric)
    return owner, outliers


def entropy(sizes: np.ndarray) -> np.ndarray:
    """How much information the cluster of a point carries, in nats: log K for K even clusters.

    Of an array with several rows one number per row.
    """
    sizes = np.asarray(sizes, dtype=float)
    shares = sizes / np.maximum(sizes.sum(axis=-1, keepdims=True), 1.0)
    return -(shares * np.log(np.where(shares > 0, shares, 1.0))).sum(axis=-1)


# --- the drop --------------------------------------------------------------------------------------------------------


_EVEN = 0.8  # of the mean: sizes above this are alike
_EVEN_POINTS = 20  # fewer points can be alike by chance
_GRADUAL = 1 / 3, 1 / 4  # the smallest size of the small ones' mean, and their mean of the large ones'
_CLIFF = 10  # times smaller: outlier groups, whatever the sizes before
_BEFORE_CLIFF = 1 / 20  # of the largest: what is smaller is an outlier group itself
_STEP = 1 / 20  # of a size: the next one is no drop if it is less than this smaller


def size_elbow(sizes: np.ndarray) -> int:
    """How many clusters are large; the smaller ones are outlier groups. All of them where none are.

    The sizes are split into large and small such that they vary least within the two groups. The small ones are not
    outliers where they are all about the same size, or follow the large ones step by step: also where the step between
    the two groups is a few per cent, or no more than a count varies by chance, its square root. And where some size is
    ten times the next, everything before it is kept, so that clusters a tenth as large as others are kept.
    """
    sizes = np.sort(np.asarray(sizes, dtype=float))[::-1]
    sizes = sizes[sizes > 0]
    if len(sizes) < 2:
        return len(sizes)
    before = _least_variance_split(sizes)
    large, small = sizes[:before], sizes[before:]
    alike = small[-1] >= max(_EVEN * small.mean(), _EVEN_POINTS)
    gradual = small[-1] >= _GRADUAL[0] * small.mean() and small.mean() >= _GRADUAL[1] * large.mean()
    if alike or gradual:
        return len(sizes)
    cliffs = np.flatnonzero((sizes[:-1] >= _CLIFF * sizes[1:]) & (sizes[:-1] >= _BEFORE_CLIFF * sizes[0]))
    if len(cliffs):
        return int(cliffs[-1]) + 1
    step = large[-1] - small[0]
    return before if step > max(_STEP * large[-1], np.sqrt(large[-1])) else len(sizes)


def _least_variance_split(values: np.ndarray) -> int:
    """Into how many of the first and how many of the rest descending values split with least variance inside."""
    n, k = len(values), np.arange(1, len(values))
    sums, squares = np.cumsum(values), np.cumsum(values**2)
    first = squares[:-1] - sums[:-1] ** 2 / k
    rest = squares[-1] - squares[:-1] - (sums[-1] - sums[:-1]) ** 2 / (n - k)
    return int(np.argmin(first + rest)) + 1


@dataclass(frozen=True)
class SizeDrop:
    """Cluster sizes and where they drop.

    Attributes
    ----------
    sizes : (K,) array, descending
    suggested : int
        Clusters before the drop (`size_elbow`).
    drop : float
        The drop as a share of the size before it; 0 where all are kept.
    notable : bool
        Whether there is a drop: False where all are kept.
    """

    sizes: np.ndarray
    suggested: int
    drop: float
    notable: bool

    def plot(self) -> go.Figure:
        """The sizes as a Plotly figure, largest first: those before the drop in colour, the drop marked."""
        return figures()["sizes_figure"](self, range(self.suggested))

    @property
    def table(self) -> pd.DataFrame:
        """One row per cluster: rank, size, stands_out."""
        ranks = np.arange(1, len(self.sizes) + 1)
        return pd.DataFrame({"rank": ranks, "size": self.sizes, "stands_out": ranks <= self.suggested})


def size_drop(sizes: np.ndarray) -> SizeDrop:
    """The `SizeDrop` of cluster sizes in any order."""
    sizes = np.sort(np.asarray(sizes, dtype=int))[::-1]
    before = size_elbow(sizes)
    notable = before < len(sizes)
    drop = float((sizes[before - 1] - sizes[before]) / sizes[before - 1]) if notable else 0.0
    return SizeDrop(sizes, before, drop, notable)


@dataclass(frozen=True)
class DropSupport:
    """How sure a drop is: after how many clusters sizes drop with other random orders of the data.

    Attributes
    ----------
    drop : SizeDrop
        With the orders of the seed itself.
    repeats : int
        Seeds tried, its own among them.
    seen : dict
        Clusters before the drop -> with how many seeds; None for those without a drop. The most frequent first.
    """

    drop: SizeDrop
    repeats: int
    seen: dict

    @property
    def share(self) -> float:
        """The share of seeds that have the same: a drop after as many clusters, or none."""
        return self.seen[_where(self.drop)] / self.repeats

    @property
    def sentence(self) -> str:
        """What a page says of it."""
        own = _where(self.drop)
        others = [(where, count) for where, count in self.seen.items() if where != own]
        said = f"With {self.seen[own]} of {self.repeats} random seeds "
        said += "sizes do not drop" if own is None else f"sizes drop after {own} cluster{'' if own == 1 else 's'}"
        if not others:
            return f"{said}: it does not depend on the order of the rows."
        where, count = others[0]
        return f"{said}; with {count} {'they do not' if where is None else f'after {where}'}."


def _where(drop: SizeDrop) -> int | None:
    return drop.suggested if drop.notable else None


def drop_support(
    X: np.ndarray,
    theta: float,
    shuffles: int = 50,
    seed: int = 0,
    *,
    repeats: int = 20,
    metric: str | Metric = "euclidean",
    p: float | None = None,
    n_jobs: int | None = None,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> DropSupport:
    """The `DropSupport` of TDG's cluster sizes at θ: the seed's own and those of `repeats` - 1 others.

    ``progress(done, total)`` counts seeds, in the calling thread, and may raise. The others are as for
    `theta_app.engine.tdg`.
    """
    options: dict[str, Any]
    drops, options = [], {"metric": metric, "p": p, "n_jobs": n_jobs, "cancel": cancel}
    for i in range(validation.count(repeats, "repeats")):
        drops.append(size_drop(tdg(X, theta, shuffles, seed + i, **options).sizes))
        if progress is not None:
            progress(i + 1, repeats)
    seen = Counter(_where(drop) for drop in drops)
    return DropSupport(drops[0], repeats, dict(seen.most_common()))


def drops_over_theta(points: Iterable[ThetaPoint]) -> pd.DataFrame:
    """The drop at each θ of a sweep's `ThetaPoint`s.

    A DataFrame, θ ascending: theta, n_clusters, suggested, drop, notable, mean_size (of the suggested clusters).
    """
    rows = []
    for point in sorted(points, key=lambda point: point.theta):
        found = size_drop(point.tdg.sizes)
        mean = float(found.sizes[: found.suggested].mean())
        rows.append((point.theta, len(found.sizes), found.suggested, found.drop, found.notable, mean))
    return pd.DataFrame(rows, columns=["theta", "n_clusters", "suggested", "drop", "notable", "mean_size"])


def steady_ranges(drops: pd.DataFrame, least: int = 3) -> pd.DataFrame:
    """Ranges of at least `least` neighbouring θ that suggest the same number, widest first.

    One cluster is no suggestion, nor are clusters of hardly any points. Returns a DataFrame: theta_low, theta_high,
    theta (the geometric middle), suggested, drop (the mean), relative_width (log of theta_high / theta_low).
    """
    drops = drops[drops["theta"] > 0].reset_index(drop=True)
    rows = []
    for run in runs(drops["suggested"]):
        part = drops.iloc[run.start : run.stop]
        if len(run) < least or run.value < 2 or part["mean_size"].mean() < 3:
            continue
        low, high = part["theta"].iloc[0], part["theta"].iloc[-1]
        rows.append((low, high, log_middle(low, high), run.value, part["drop"].mean(), float(log_width(low, high))))
    found = pd.DataFrame(rows, columns=["theta_low", "theta_high", "theta", "suggested", "drop", "relative_width"])
    return found.sort_values("relative_width", ascending=False, kind="stable", ignore_index=True)


# --- keeping the largest ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Kept:
    """The largest clusters of a result, every point reassigned to the nearest of them; largest first."""

    labels: np.ndarray
    centroids: np.ndarray
    sizes: np.ndarray
    kept: np.ndarray  # their indices in the result they come from


def keep_largest(X: np.ndarray, result: Any, k: int) -> Kept:
    """Keep the `k` largest clusters of `result` and give every point to the nearest of their centroids.

    `result` has ``centroids`` (K, d), ``sizes`` (K,) and ``metric``, as those of `theta_app.engine` have.
    """
    X = validation.points(X)
    k = min(validation.count(k, "k"), len(result.sizes))
    kept = np.argsort(-np.asarray(result.sizes), kind="stable")[:k]
    labels = nearest(X, result.centroids[kept], metric=result.metric)
    metric = result.metric
    centroids, sizes = members(validation.read_only(metric.coordinates(X)), labels, k, metric)
    centroids = metric.rows(centroids)
    return Kept(labels, np.where(sizes[:, None] > 0, centroids, result.centroids[kept]), sizes, kept)
