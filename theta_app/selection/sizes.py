"""What the sizes of clusters say: which are only strays, after which they drop, and keeping the largest."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from theta_app.engine import members, nearest, validation
from theta_app.selection.runs import log_middle, log_width, runs

NOTABLE = 0.2
"""A drop by less than this share of the size before it is none: the sizes are even and every cluster stands."""

_STRAY_POINTS = 10
_STRAY_SHARE = 1 / 10  # of a typical cluster's points
_CHAIN_POINTS = 3
_CHAIN_SHARE = 1 / 20


def typical_size(sizes):
    """The size of the cluster that the median point is in."""
    descending = np.sort(np.asarray(sizes))[::-1]
    return descending[np.searchsorted(np.cumsum(descending), descending.sum() / 2)]


def stragglers(sizes):
    """Which clusters are stragglers: a few points too far from all others, not clusters in their own right.

    Those that hold at most ten points and at most a tenth of a typical cluster (`typical_size`). Returns an array of
    bool.
    """
    sizes = np.asarray(sizes)
    return sizes <= min(_STRAY_POINTS, typical_size(sizes) * _STRAY_SHARE)


def standing_chains(sizes):
    """Which chains stand: those that hold three points or more, and over a twentieth of a typical chain's points.

    What breaks off the edge of a cloud as ε shrinks is a few percent of it, and is no shape. Returns an array of bool.
    """
    sizes = np.asarray(sizes)
    return (sizes >= _CHAIN_POINTS) & (sizes > typical_size(sizes) * _CHAIN_SHARE)


# --- the drop --------------------------------------------------------------------------------------------------------


def size_elbow(sizes):
    """How many clusters stand before the largest relative drop in size; all of them if no size drops.

    With sizes in descending order, the k for which (size k - size k+1) / size k is largest; the first on a tie.
    """
    sizes = np.sort(np.asarray(sizes, dtype=float))[::-1]
    sizes = sizes[sizes > 0]
    if len(sizes) < 2:
        return len(sizes)
    drops = (sizes[:-1] - sizes[1:]) / sizes[:-1]
    return int(np.argmax(drops)) + 1 if drops.max() > 0 else len(sizes)


@dataclass(frozen=True)
class SizeDrop:
    """Cluster sizes and where they drop.

    Attributes
    ----------
    sizes : (K,) array, descending
    suggested : int
        Clusters before the drop; all of them where no drop is notable.
    drop : float
        The drop as a share of the size before it; 0 for one cluster.
    notable : bool
    """

    sizes: np.ndarray
    suggested: int
    drop: float
    notable: bool

    @property
    def table(self):
        """One row per cluster: rank, size, stands_out."""
        ranks = np.arange(1, len(self.sizes) + 1)
        return pd.DataFrame({"rank": ranks, "size": self.sizes, "stands_out": ranks <= self.suggested})


def size_drop(sizes):
    """The `SizeDrop` of cluster sizes in any order."""
    sizes = np.sort(np.asarray(sizes, dtype=int))[::-1]
    before = size_elbow(sizes)
    drop = float((sizes[before - 1] - sizes[before]) / sizes[before - 1]) if 0 < before < len(sizes) else 0.0
    notable = drop >= NOTABLE
    return SizeDrop(sizes, before if notable else len(sizes), drop, notable)


def drops_over_theta(points):
    """The drop at each θ of a sweep's `ThetaPoint`s.

    A DataFrame, θ ascending: theta, n_clusters, suggested, drop, notable, mean_size (of the suggested clusters).
    """
    rows = []
    for point in sorted(points, key=lambda point: point.theta):
        found = size_drop(point.tdg.sizes)
        mean = float(found.sizes[: found.suggested].mean())
        rows.append((point.theta, len(found.sizes), found.suggested, found.drop, found.notable, mean))
    return pd.DataFrame(rows, columns=["theta", "n_clusters", "suggested", "drop", "notable", "mean_size"])


def steady_ranges(drops, least=3):
    """Stretches of at least `least` neighbouring θ that suggest the same number, widest first.

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


def keep_largest(X, result, k):
    """Keep the `k` largest clusters of `result` and give every point to the nearest of their centroids.

    `result` has ``centroids`` (K, d) and ``sizes`` (K,), as those of `theta_app.engine` have.
    """
    X = validation.points(X)
    k = min(validation.count(k, "k"), len(result.sizes))
    kept = np.argsort(-np.asarray(result.sizes), kind="stable")[:k]
    labels = nearest(X, result.centroids[kept])
    centroids, sizes = members(validation.read_only(X), labels, k)
    return Kept(labels, np.where(sizes[:, None] > 0, centroids, result.centroids[kept]), sizes, kept)


@dataclass(frozen=True)
class KeptPoints:
    """Points and which of them the kept clusters hold.

    Attributes
    ----------
    clusters : (n,) array
        Rank of each point's cluster, 0 the largest; for a point left over that of the cluster it goes to.
    left : (n,) array of bool
        True where the point's own cluster was not kept.
    """

    clusters: np.ndarray
    left: np.ndarray


def kept_points(labels, sizes, kept_labels, k):
    """The `KeptPoints` of a clustering of which the `k` largest are kept.

    `labels` and `sizes` are of the clustering, `kept_labels` of `keep_largest`.
    """
    order = np.argsort(-np.asarray(sizes), kind="stable")
    rank = np.empty(len(order), dtype=int)
    rank[order] = np.arange(len(order))
    left = rank[labels] >= k
    return KeptPoints(np.where(left, kept_labels, rank[labels]), left)
