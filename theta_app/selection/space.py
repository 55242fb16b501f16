"""Where to cluster: in the columns themselves, or in a neighbour map of them.

In many columns distances are much alike and clusters hard to see. A neighbour map shows them, but it also shows
clusters in noise. So the verdict is found in both, and clusters of the map count only if the columns know of them: each
point's nearest neighbours in the columns must be in its own cluster, more often than if noise is cut into as many
parts, and cutting the clusters in halves must separate far more neighbours: a bent sheet of points can be cut well
anywhere.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from theta_app.engine import (
    Cancel,
    Cancelled,
    FittedMap,
    Metric,
    TdgResult,
    fair_sample,
    has_umap,
    nearest_others,
    neighbour_map,
    tdg,
    validation,
)
from theta_app.engine.neighbour_map import COMPONENTS, INSTALL, NEIGHBOURS, one_thread, straightened
from theta_app.selection.epsilon import Chaining
from theta_app.selection.sampling import MOST_POINTS
from theta_app.selection.sizes import major_clusters
from theta_app.selection.valleys import FEW_COLUMNS, POINTS
from theta_app.selection.verdict import Verdict
from theta_app.selection.verdict import verdict as verdict_in_columns

SPACES = ("auto", "features", "map")
# Logarithm of how many times fewer neighbours must be in other clusters than in noise. Of 200 noise sets (uniform,
# Gaussian, correlated, rounded; 4 to 50 columns, 100 to 5,000 rows) none with clear clusters in its map passed; 60 of
# them were looked at, and their clear ones reached 0.12. Iris, Wine, Breast cancer, Digits, Ecoli, Glass: 0.4 to 2.2.
_MORE_THAN_NOISE = 0.3
# As `NeighbourEvidence.halves`: a line without gaps, cut into twice as many parts, has about twice the borders, a sheet
# or a cloud fewer. Lognormal clouds have 0.3 to 0.4, swiss rolls 0.5 to 0.9, rings up to 1.1; normal clusters that
# overlap 0.76 to 1.4.
_HALVES = float(np.log(2.0))
_STEPS = 20  # the axis is good enough by then
_MORE_PROBABLE = 0.1  # of two answers as probable the columns' is taken: its θ is in the units of the file


def verdict(
    X: np.ndarray,
    shuffles: int = 50,
    seed: int = 0,
    *,
    space: str = "auto",
    metric: str | Metric = "euclidean",
    p: float | None = None,
    radius: float | None = None,
    **options: Any,
) -> Verdict:
    """What to make of the data: TDG at this θ, TNC at this (θ, ε), or nothing to find.

    Parameters
    ----------
    X : array of shape (n, d)
        With more than 20,000 points a fair sample is used.
    space : {"auto", "features", "map"}
        "features" looks for clusters in the columns themselves, "map" in a neighbour map of them (`neighbour_map`),
        where θ is in units of the map. "auto" takes the better supported answer; up to 3 columns that is "features".
    shuffles, seed, metric, p, radius
        As for `theta_app.engine.tdg`. A map takes its neighbours from the metric; distances in it are Euclidean.
    options
        ``n_jobs`` and ``cancel`` of `theta_app.engine.tdg`, ``progress`` and ``executor`` of
        `theta_app.selection.sweep`.

    Returns
    -------
    Verdict
        Its ``space`` says where these clusters were found.
    """
    metric = Metric.of(metric, p, radius)
    return verdict_in_space(X, shuffles, seed, space=space, metric=metric, **options)[0]


def verdict_in_space(
    X: np.ndarray,
    shuffles: int = 50,
    seed: int = 0,
    *,
    space: str = "auto",
    metric: str | Metric = "euclidean",
    p: float | None = None,
    **options: Any,
) -> tuple[Verdict, FittedMap | None]:
    """As `verdict`: (`Verdict`, the `FittedMap` it is about, or None where it is about the columns)."""

    def judge(points: np.ndarray, **measured: Any) -> Verdict:
        return verdict_in_columns(points, shuffles, seed, **measured, **options)

    def labels(found: Verdict, points: np.ndarray, **measured: Any) -> np.ndarray:
        result, owner, _ = verdict_clusters(found, points, shuffles, seed, n_jobs=options.get("n_jobs"), **measured)
        return owner[result.labels]

    return verdict_in_best_space(X, judge, labels, space, seed, metric=metric, p=p, cancel=options.get("cancel"))


def verdict_in_best_space(
    X: np.ndarray,
    judge: Callable[..., Verdict],
    labels: Callable[..., np.ndarray],
    space: str = "auto",
    seed: int = 0,
    *,
    metric: str | Metric = "euclidean",
    p: float | None = None,
    cancel: Cancel | None = None,
) -> tuple[Verdict, FittedMap | None]:
    """(verdict, `FittedMap` or None): the verdict where it is better supported, and the map if that is a map.

    Parameters
    ----------
    X : array of shape (n, d)
    judge : callable
        ``judge(points, metric=..., p=..., columns=None)`` gives the `Verdict` in one space, for rows in these columns.
    labels : callable
        ``labels(verdict, points, metric=..., p=...)`` gives the cluster of each point, (n,).
    space, seed, metric, p, cancel
        As for `verdict`.
    """
    if space not in SPACES:
        raise ValueError(f"space must be one of {', '.join(map(repr, SPACES))}, got {space!r}")
    X = validation.points(X)
    measured: dict[str, Any] = {"metric": metric, "p": p}
    if space == "features" or (space == "auto" and not _worth_a_map(X, Metric.of(metric, p))):
        return judge(X, **measured), None
    rows = np.ascontiguousarray(X[fair_sample(len(X), MOST_POINTS)])
    found, fitted = _in_map(rows, judge, seed, cancel, measured)
    evidence = None
    if found.algorithm is not None:
        evidence = neighbour_evidence(rows, labels(found, fitted.embedding), seed, **measured)
    if space == "map":
        return replace(found, reason=_of_map(found, evidence)), fitted
    plain = judge(X, **measured)
    better = better_in_map(plain, found, evidence, X.shape[1])
    return (plain, None) if better is None else (better, fitted)


def better_in_map(
    plain: Verdict,
    found: Verdict,
    evidence: NeighbourEvidence | None,
    columns: int,
    neighbours: str = "in the columns",
) -> Verdict | None:
    """The verdict in a neighbour map with the reason to prefer it; None where the columns' own is to be kept.

    Parameters
    ----------
    plain, found : Verdict
        In the columns, and in the map.
    evidence : NeighbourEvidence or None
        Of the clusters that were found in the map.
    columns : int
        How many there are.
    neighbours : str
        Where the map and the evidence have their neighbours from, in words.
    """
    supported = evidence is not None and evidence.strength >= _MORE_THAN_NOISE and evidence.halves >= _HALVES
    if plain.algorithm is not None:
        supported = supported and found.confidence > plain.confidence + _MORE_PROBABLE
    if not supported:
        return None
    where = f"In the {columns} columns themselves"
    if plain.stands_out:
        begin = f"{where} {plain.n_clusters} clusters are clear, but a neighbour map has better support:"
    elif found.stands_out:
        begin = f"{where} no clusters are clear. In a neighbour map some are:"
    else:
        begin = f"{where} no clusters are clear. The best guess is in a neighbour map:"
    return replace(found, space="map", reason=f"{begin} {_of_map(found, evidence, neighbours)}")


def _worth_a_map(X: np.ndarray, metric: Metric) -> bool:
    """Whether there are columns and different rows enough, and umap-learn; a warning where only that is missing."""
    if (
        X.shape[1] <= FEW_COLUMNS
        or metric.of_curves
        or len(np.unique(X[: 10 * POINTS], axis=0)) <= max(NEIGHBOURS, COMPONENTS + 1)
    ):
        return False
    if not has_umap():
        warnings.warn(
            f"Only the {X.shape[1]} columns themselves are used; clusters in many columns are often clearer in a "
            f'neighbour map. {INSTALL} (space="features" turns off the map and this warning.)',
            stacklevel=5,
        )
        return False
    return True


def _in_map(
    rows: np.ndarray, judge: Callable[..., Verdict], seed: int, cancel: Cancel | None, measured: dict
) -> tuple[Verdict, FittedMap]:
    def look(*_: object) -> None:
        if cancel is not None and cancel.is_set():
            raise Cancelled("stopped before the end")

    fitted = neighbour_map(rows, seed=seed % 2**32, progress=look if cancel is not None else None, **measured)
    look()
    return replace(judge(fitted.embedding, metric="euclidean", p=None, columns=rows), space="map"), fitted


def _of_map(found: Verdict, evidence: NeighbourEvidence, neighbours: str = "in the columns") -> str:
    if found.algorithm is None:
        return found.reason
    return (
        f"{found.n_clusters} clusters, and {evidence.share:.0%} of each point's {NEIGHBOURS} nearest neighbours "
        f"{neighbours} are in its own cluster; in noise cut into as many parts, {evidence.noise_share:.0%} are. θ is "
        f"in units of the map. {found.reason}"
    )


def verdict_clusters(
    found: Verdict, X: np.ndarray, shuffles: int = 50, seed: int = 0, **options: Any
) -> tuple[TdgResult, np.ndarray, np.ndarray]:
    """(`TdgResult`, cluster of each of its centroids, which of them are outliers) that a verdict on X stands for.

    ``options``: ``metric``, ``p`` and ``n_jobs`` of `theta_app.engine.tdg`.
    """
    result = tdg(X, found.theta, shuffles, seed, **options)
    if found.algorithm is None:
        return result, np.zeros(len(result.sizes), dtype=np.int64), np.zeros(len(result.sizes), dtype=bool)
    if found.algorithm == "TDG":
        return result, *major_clusters(result)
    return result, *Chaining.of(found.theta, result).major(found.epsilon)


@dataclass(frozen=True)
class NeighbourEvidence:
    """What the neighbours in the columns say of some clusters.

    Attributes
    ----------
    share : float
        Mean share of a row's nearest neighbours that are in its cluster. Equal rows count once.
    noise_share : float
        The same of noise with as many rows and directions as wide, cut into as many parts by K-Means.
    strength : float
        Logarithm of how many times fewer neighbours are in other clusters than in noise, both for what clusters of
        these sizes have by chance. 0 or less: noise is cut as well.
    halves : float
        Logarithm of how many times more neighbours are in other parts once each cluster is cut in halves, both for what
        parts of these sizes have by chance. Up to log 2 where borders run anywhere.
    """

    share: float
    noise_share: float
    strength: float
    halves: float


def neighbour_evidence(
    X: np.ndarray, labels: np.ndarray, seed: int = 0, *, metric: str | Metric = "euclidean", p: float | None = None
) -> NeighbourEvidence:
    """The `NeighbourEvidence` of clusters of X, labels (n,) whole numbers; of a fair sample of at most 5,000 rows."""
    rows, first = np.unique(np.asarray(X, dtype=np.float64), axis=0, return_index=True)
    chosen = fair_sample(len(rows), POINTS)
    rows, labels = rows[chosen], np.unique(np.asarray(labels)[first][chosen], return_inverse=True)[1]
    near = _neighbours(rows, metric, p)
    share, kept = _kept(near, labels)
    noise_share, noise_kept = max(
        (_kept(_neighbours(noise, metric, p), _parts(noise, int(labels.max()) + 1)) for noise in _noises(rows, seed)),
        key=lambda found: found[1],
    )
    _, kept_of_halves = _kept(near, _halved(straightened(rows, metric, p)[0], labels))
    least = 1.0 / (len(rows) * NEIGHBOURS)  # one neighbour: less cannot be seen
    parted, in_noise, in_halves = (1.0 - each + least for each in (kept, noise_kept, kept_of_halves))
    return NeighbourEvidence(share, noise_share, float(np.log(in_noise / parted)), float(np.log(in_halves / parted)))


def _neighbours(rows: np.ndarray, metric: str | Metric, p: float | None) -> np.ndarray:
    """Positions (n, 15) of each row's nearest others."""
    straight, power = straightened(rows, metric, p)
    scaled, _ = validation.scaled(straight)
    return nearest_others(scaled, np.arange(len(rows)), min(NEIGHBOURS, len(rows) - 1), power)[1]


def _halved(rows: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Labels of twice as many clusters: each cut at the median of the direction in which it is longest."""
    halves = 2 * labels
    for cluster in range(int(labels.max()) + 1):
        inside = np.flatnonzero(labels == cluster)
        along = _along_longest(rows[inside])
        halves[inside] += along > np.median(along)
    return np.unique(halves, return_inverse=True)[1]


def _along_longest(rows: np.ndarray) -> np.ndarray:
    """Where rows lie along their first principal axis, by a few steps of the power iteration; the unit is any."""
    rows, _ = validation.scaled(rows - rows.mean(axis=0))
    axis = rows[np.argmax((rows**2).sum(axis=1))]
    for _ in range(_STEPS):
        axis = rows.T @ (rows @ axis)
        axis = axis / max(float(np.linalg.norm(axis)), np.finfo(float).tiny)
    return rows @ axis


def _kept(near: np.ndarray, labels: np.ndarray) -> tuple[float, float]:
    """(share of neighbours in the same cluster, the same for what chance gives: 0 by chance, 1 for all)."""
    share = float((labels[near] == labels[:, None]).mean())
    chance = float(((np.bincount(labels) / len(labels)) ** 2).sum())
    return share, (share - chance) / (1.0 - chance) if chance < 1.0 else 0.0


def _noises(rows: np.ndarray, seed: int) -> Iterator[np.ndarray]:
    """A normal and a uniform cloud of as many points, as wide as the rows along each of their principal axes."""
    from sklearn.decomposition import PCA  # here, as a sweep in a notebook should not wait for it

    with np.errstate(invalid="ignore"):
        pca = PCA(min(50, *rows.shape), random_state=0).fit(rows)
    wide, rng = np.sqrt(pca.explained_variance_), np.random.default_rng(seed)
    shape = len(rows), len(wide)
    for cloud in (rng.normal(size=shape), rng.uniform(-1.0, 1.0, size=shape)):
        yield pca.inverse_transform(cloud * wide)


def _parts(noise: np.ndarray, count: int) -> np.ndarray:
    from sklearn.cluster import KMeans

    with one_thread():  # so few points are not worth waking others for
        return KMeans(count, n_init=2, random_state=0).fit_predict(noise)
