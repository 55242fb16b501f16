"""What the density of the points says about clusters, as evidence: it tells which θ, or (θ, ε), to trust.

Clusters of density (`theta_app.engine.density_trees`) are no answer here, as no θ or ε gives them. But they come from
neither, so a clustering that they agree with has more for it than its own numbers. They are read in two ways: the
groups that hold most mass, which are coarse, and the peaks that rise above chance, which are fine.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from theta_app.engine import Metric, SilhouetteSample, adjusted_rand, density_trees, fair_sample, validation
from theta_app.selection.valleys import NEIGHBOURS, Neighbourhoods

_NEIGHBOURS = 5, 10  # fewer follow chance, more blur thin shapes; no cluster has fewer points than the first
_LEAST = 0.01, 0.02  # of the points: the smallest group that is a cluster
_PEAK_NEIGHBOURS, PEAK_ERRORS = (8, 15), (3.0, 4.0)  # standard errors by which a peak rises above what joins it

_POINTS = 2000  # among which a rise is looked for
_RISE_NEIGHBOURS = 10, 15  # up to half as many points, and for more
_RISE_LEAST = 0.0075  # of the points: the smallest group that can rise
_TOP = 0.05  # of a group's points are denser than what is called its top: a single one is chance


@dataclass(frozen=True, eq=False)
class Views:
    """How trees of density see the points of a sample: each view a grouping, -1 where a point is in none.

    `groups` hold most mass; `peaks` rise by several standard errors above what joins them. Of more points than the
    sample has, `fine_peaks` are the same, so that clusters of a few points in a thousand are seen.
    """

    groups: list[np.ndarray]
    peaks: list[np.ndarray]
    fine_peaks: list[np.ndarray]


def agreement(labels: np.ndarray, views: Sequence[np.ndarray]) -> float:
    """Mean adjusted Rand index of some views with the labels (m,) of the sampled points, 0, 1, ...

    Points that a view has in no group are left out of it; a view with fewer than two groups agrees with nothing.
    """
    return float(np.mean([_with_view(labels, view) for view in views]))


def _with_view(labels: np.ndarray, view: np.ndarray) -> float:
    inside = view >= 0
    K = int(view.max()) + 1
    return adjusted_rand(labels[inside], view[inside], int(labels.max()) + 1, K) if K > 1 else 0.0


def density_views(sample: SilhouetteSample, near: Neighbourhoods, features: int) -> Views:
    """The `Views` of a `SilhouetteSample` and of `Neighbourhoods` of points with so many features, in any metric."""
    m = len(sample.indices)
    groups = density_trees(sample.distances, _NEIGHBOURS)
    peaks = density_trees(sample.distances, _PEAK_NEIGHBOURS)
    return Views(
        [tree.clusters(max(_NEIGHBOURS[0], part * m))[0] for tree in groups for part in _LEAST],
        [
            tree.peaks(errors / standard_errors(k, features))
            for tree, k in zip(peaks, _PEAK_NEIGHBOURS)
            for errors in PEAK_ERRORS
        ],
        [near.peaks(errors / standard_errors(NEIGHBOURS, features)) for errors in PEAK_ERRORS],
    )


def standard_errors(k: float, features: int) -> float:
    """Standard errors in a logarithm of distances.

    The density that k neighbours show is off by about 1 / √k of itself, and goes with the distance to the power of the
    number of features.
    """
    return np.sqrt(k) * features


def rise(
    X: np.ndarray, *, metric: str | Metric = "euclidean", p: float | None = None, radius: float | None = None
) -> float:
    """How far the second of the groups that density shows rises above what is between them, in standard errors.

    The second highest group counts, as one cloud has one top; 0 where there are not two. Noise seldom reaches 3.5.
    """
    X, metric = validation.points(X), Metric.of(metric, p, radius)
    chosen = X[fair_sample(len(X), _POINTS)]
    chosen = chosen if metric.directions is not None else validation.scaled(chosen)[0]
    m, features = chosen.shape
    k = _RISE_NEIGHBOURS[2 * m >= _POINTS]
    if m <= k:
        return 0.0
    (tree,) = density_trees(metric.distances(chosen, chosen), [k])
    labels, born = tree.clusters(max(_NEIGHBOURS[0] + 1, _RISE_LEAST * m))
    if len(born) < 2:
        return 0.0
    tops = np.array([np.quantile(tree.reach[labels == c], _TOP) for c in range(len(born))])
    tops = np.maximum(tops, tree.lengths[tree.lengths > 0][0])
    return float(np.sort(np.log(born / tops))[-2] * standard_errors(k, features))
