"""What follows from sweeps: the verdict, the algorithm in use, chains and their ε."""

from collections.abc import Hashable, Sequence
from contextlib import closing
from dataclasses import replace

import numpy as np

from theta_app import metrics, selection
from theta_app.engine import Progress, nearest
from theta_app.ui import scheduled, store, sweeps
from theta_app.ui.jobs import Task
from theta_app.ui.loading import verdict_sample
from theta_app.ui.session import Settings

# ---- the verdict ----------------------------------------------------------------------------------------------------


def known_verdict(points: selection.Sample, settings: Settings) -> selection.Verdict | None:
    """The verdict on a sample, if it has been found."""
    return store.SWEEPS.get(_of_sweep(selection.VerdictKey, points, settings))


def verdict(points: selection.Sample, settings: Settings, progress: Progress | None = None) -> selection.Verdict:
    """The verdict on a sample. It looks at the θ taken from the data, however the person has widened the axis."""
    points = verdict_sample(points)
    known = known_verdict(points, settings)
    if known is not None:
        return known
    usual = replace(by_distance(settings), theta_low=None, theta_high=None)
    sweep = sweeps.complete(points, usual, progress)
    tried = [chaining_of(points, point, usual, progress) for point in sweep.small.values()]
    in_full = lambda theta: sweeps.theta_point(points, theta, usual, progress)  # noqa: E731
    found = selection.decided(sweep, tried, in_full, points.columns)
    return store.SWEEPS.get_or_make(_of_sweep(selection.VerdictKey, points, settings), lambda: found)


def _of_sweep(key: type, points: selection.Sample, settings: Settings) -> Hashable:
    """The key of what follows from the sweep of a sample."""
    points = verdict_sample(points)
    return key(points.key, settings.shuffles, settings.seed, points.metric)


def resolve_algorithm(points: selection.Sample, settings: Settings) -> Settings:
    """The settings with an algorithm: the person's, else the verdict's; TDG while there is none.

    A density is of TNC that the person has chosen: the verdict's chains are by distance.
    """
    if settings.algorithm is not None:
        return settings if settings.algorithm == "TNC" else by_distance(settings)
    found = known_verdict(points, settings)
    return replace(by_distance(settings), algorithm=(found and found.algorithm) or "TDG")


def by_distance(settings: Settings) -> Settings:
    """The settings with chains as the paper has them: the verdict and the suggestion know no others."""
    return replace(settings, density=None)


def labels_of(points: selection.Sample, settings: Settings, found: selection.Verdict) -> np.ndarray:
    """The clusters of a verdict, or of its alternative, outliers in the nearest; all 0 where nothing was found."""
    if found.algorithm is None:
        return np.zeros(len(points.X), dtype=np.int64)
    if found.algorithm == "TNC":
        return chaining(points, found.theta, by_distance(settings)).labels(found.epsilon)
    result = sweeps.theta_point(points, found.theta, settings).tdg
    return selection.major_clusters(result)[0][result.labels]


def scores(points: selection.Sample, labels: np.ndarray, names: Sequence[str]) -> dict[str, float]:
    """Scores of a clustering of a sample, by the names of ``metrics.SCORES``; NaN where undefined."""
    return metrics.scores(names, points.X, labels, points.truth, sample=sweeps.silhouette_points(points))


# ---- chains ---------------------------------------------------------------------------------------------------------

_AT_ONCE = 2e6  # multiplications of a tree that takes less time than a turn in the queue


def chaining(
    points: selection.Sample, theta: float, settings: Settings, progress: Progress | None = None
) -> selection.Chaining:
    """TDG at θ, with all shuffles, and the tree of its centroids."""
    known = store.SWEEPS.get(_chaining_key(points, theta, settings, settings.shuffles))
    return known or chaining_of(points, sweeps.theta_point(points, theta, settings, progress), settings, progress)


def chaining_of(
    points: selection.Sample, point: selection.ThetaPoint, settings: Settings, progress: Progress | None = None
) -> selection.Chaining:
    """The same of a point of a sweep, which may rest on fewer shuffles."""
    key = _chaining_key(points, point.theta, settings, point.row["shuffles"])

    def work(report: Progress | None, cancel: Task | None) -> selection.Chaining:
        return selection.Chaining.of(point.theta, point.tdg, cancel, X=points.X, density=settings.density)

    if settings.density is None and len(point.tdg.centroids) * point.tdg.centroids.size <= _AT_ONCE:
        return store.SWEEPS.get_or_make(key, lambda: work(None, None))
    return scheduled.run(key, work, progress, store.SWEEPS)


def _chaining_key(points: selection.Sample, theta: float, settings: Settings, shuffles: int) -> Hashable:
    return selection.ChainingKey(points.key, float(theta), shuffles, settings.seed, points.metric, settings.density)


def epsilon_of(points: selection.Sample, settings: Settings, point: selection.ThetaPoint) -> float:
    """The ε at a point of a sweep, as :func:`epsilon_at`."""
    chosen = _chosen_epsilon(points, settings, point.theta)
    return selection.default_epsilon(chaining_of(points, point, settings)) if chosen is None else chosen


def epsilon_at(points: selection.Sample, settings: Settings, theta: float, progress: Progress | None = None) -> float:
    """The ε of the settings at their θ; where none is set the verdict's or suggested one, elsewhere one that fits θ."""
    chosen = _chosen_epsilon(points, settings, theta)
    return selection.default_epsilon(chaining(points, theta, settings, progress)) if chosen is None else chosen


def _chosen_epsilon(points: selection.Sample, settings: Settings, theta: float) -> float | None:
    """The ε of the settings at the θ it was chosen for, or the verdict's or suggested one at its θ."""
    if settings.epsilon is not None and settings.theta in (None, theta):
        return settings.epsilon
    if settings.density is not None:
        return None
    for found in (known_verdict(points, settings), _known_suggestion(points, settings)):
        if found is not None and found.theta == theta and found.epsilon is not None:
            return found.epsilon
    return None


def small_chainings(
    points: selection.Sample, settings: Settings, progress: Progress | None = None
) -> list[selection.Chaining]:
    """Chainings by distance at the small θ that a suggestion looks at, each from few shuffles."""
    settings = by_distance(settings)
    planned = sweeps.bare_plan(points, settings)
    wants = [planned.quick(theta) for theta in selection.small_thetas(sweeps.theta_grid(points)).tolist()]
    with closing(sweeps.results(points, planned, wants, progress, stood_on=False)) as quick:
        return selection.until_too_fine(chaining_of(points, point, settings, progress) for point in quick)


def chain_suggestion(
    points: selection.Sample, settings: Settings, progress: Progress | None = None
) -> selection.Suggestion:
    """The suggested (θ, ε)."""
    points = verdict_sample(points)
    known = _known_suggestion(points, settings)
    if known is not None:
        return known
    tried = small_chainings(points, settings, progress)
    theta = selection.suggest_from(tried).theta
    found = selection.suggest_from(tried, chaining(points, theta, by_distance(settings), progress))
    return store.SWEEPS.get_or_make(_of_sweep(selection.SuggestionKey, points, settings), lambda: found)


def _known_suggestion(points: selection.Sample, settings: Settings) -> selection.Suggestion | None:
    return store.SWEEPS.get(_of_sweep(selection.SuggestionKey, points, settings))


# ---- all points -----------------------------------------------------------------------------------------------------


def joined_to(points: selection.Sample, swept: selection.Sample, centroids: np.ndarray, own: np.ndarray) -> np.ndarray:
    """The centroid of each of all points: of those that were swept their own, of the others the nearest."""
    found = nearest(points.X, centroids, metric=points.metric)
    place = np.empty(len(points.rows), dtype=np.int64)
    place[points.rows] = np.arange(len(points.rows))
    found[place[swept.rows]] = own
    return found


def centroid_of(points: selection.Sample, i: int, centroids: np.ndarray) -> int:
    """The nearest centroid of one point."""
    return int(nearest(points.X[i : i + 1], centroids, metric=points.metric)[0])
