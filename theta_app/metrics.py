"""Scores of a clustering, by name, in one table."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from theta_app.engine import EUCLIDEAN, Metric, SilhouetteSample, adjusted_rand, silhouette_sample, validation


@dataclass(frozen=True, eq=False)
class Scored:
    """What is scored.

    Attributes
    ----------
    X : (n, d) array
    labels : (n,) array of int
        Noise (-1) counts as one more cluster.
    truth : (n,) array of int, optional
        True classes.
    centroids : (K, d) array, optional
        The found centroids; by default the means of the clusters.
    tolerance : float, optional
        How near, in the units of X, a centroid counts as met; by default `default_tolerance`.
    sample : SilhouetteSample, optional
        Of X, where it is at hand; made otherwise. It is the same for every clustering of X.
    """

    X: np.ndarray
    labels: np.ndarray
    truth: np.ndarray | None = None
    centroids: np.ndarray | None = None
    tolerance: float | None = None
    sample: SilhouetteSample | None = None

    @cached_property
    def n_clusters(self) -> int:
        """How many different labels there are."""
        return len(np.unique(self.labels))


@dataclass(frozen=True)
class Score:
    """One score.

    ``function(Scored)`` returns a float, NaN where the score is undefined. ``places`` are where pages show it
    unasked: "curve" (over θ), "table" (a few scores beside each other), "compare" and "compare without truth".
    """

    label: str
    help: str
    function: Callable[[Scored], float]
    needs_truth: bool
    higher_is_better: bool = True
    places: tuple[str, ...] = ()


def class_means(X: np.ndarray, truth: np.ndarray, metric: Metric = EUCLIDEAN) -> np.ndarray:
    """Means of the true classes, in the order of their codes: the paper's true centroids; or their directions."""
    return np.array([metric.centre(X[truth == code]) for code in np.unique(truth)])


def ssd_score(true_centroids: np.ndarray, centroids: np.ndarray, tolerance: float, metric: Metric = EUCLIDEAN) -> float:
    """Share of the true centroids that some predicted centroid meets within `tolerance` (a distance).

    Distances are straight, but where the metric compares directions or curves.
    """
    from scipy.spatial import cKDTree

    if len(true_centroids) == 0:
        return float("nan")
    if len(centroids) == 0:
        return 0.0
    if not metric.of_columns:
        return float(np.mean(metric.distances(true_centroids, centroids).min(axis=1) <= tolerance))
    distances, _ = cKDTree(centroids).query(true_centroids)
    return float(np.mean(distances <= tolerance))


CLOSE = 0.005  # NMI that differs by less is the same for a person
EXACT = 1e-9  # share of the data's extent: what "up to numerical precision" is taken to mean


def _ssd(c: Scored, tolerance: float | None = None) -> float:
    metric = _metric(c)
    centroids = class_means(c.X, c.labels, metric) if c.centroids is None else c.centroids
    if tolerance is None:
        tolerance = default_tolerance(c.X, c.truth, metric) if c.tolerance is None else c.tolerance  # type: ignore[arg-type]
    return ssd_score(class_means(c.X, c.truth, metric), centroids, tolerance, metric)  # type: ignore[arg-type]


def _ssd_exact(c: Scored) -> float:
    metric = _metric(c)
    if not metric.of_columns:
        return _ssd(c, EXACT * float(metric.between(c.X, metric.centre(c.X)).max()))
    return _ssd(c, EXACT * float(np.ptp(c.X, axis=0).max()))


def _metric(c: Scored) -> Metric:
    """How distances are measured: as in the sample of silhouettes."""
    return EUCLIDEAN if c.sample is None else c.sample.metric


def default_tolerance(X: np.ndarray, truth: np.ndarray, metric: Metric = EUCLIDEAN) -> float:
    """A tenth of the classes' typical radius: near enough to call a centroid found, in the units of θ."""
    metric = EUCLIDEAN if metric.of_columns else metric
    groups = [X[truth == code] for code in set(truth)]
    return 0.1 * float(np.median([np.sqrt((metric.between(x, metric.centre(x)) ** 2).mean()) for x in groups]))


def _silhouette(c: Scored) -> float:
    return (silhouette_sample(c.X) if c.sample is None else c.sample).score(c.labels)


def _davies_bouldin(c: Scored) -> float:
    """The mean over clusters of the worst (spread + spread of another) / distance of their means."""
    if not 2 <= c.n_clusters < len(c.X):
        return float("nan")
    codes = np.unique(c.labels, return_inverse=True)[1]
    metric = _metric(c)
    X, _ = validation.scaled(c.X)
    means = class_means(X, codes, metric)
    spread = np.bincount(codes, weights=metric.between(X, means[codes])) / np.bincount(codes)
    worst = np.zeros(len(means))
    for k, mean in enumerate(means):
        apart = metric.distances(mean[None], means)[0]
        ratio = np.divide(spread[k] + spread, apart, out=np.zeros(len(means)), where=apart > 0)
        worst[k] = np.delete(ratio, k).max()
    return float(worst.mean())


def _entropy(counts: np.ndarray) -> float:
    shares = counts[counts > 0] / counts.sum()
    return 0.0 if len(shares) == 1 else -float((shares * np.log(shares)).sum())  # not a product: BLAS wakes all cores


def nmi_of(classes: np.ndarray, clusters: np.ndarray, both: np.ndarray) -> float:
    """Normalised mutual information from the points per class, per cluster, and per class within each cluster."""
    apart = _entropy(classes) + _entropy(clusters)
    if apart == 0.0:
        return 1.0  # one class and one cluster: the same
    return min(max(2.0 * (apart - _entropy(both)) / apart, 0.0), 1.0)


def nmi(truth: np.ndarray, labels: np.ndarray) -> float:
    """Normalised mutual information, as scikit-learn defines it, at a tenth of the time: a sweep asks at every θ."""
    codes, groups = _codes(truth), _codes(labels)
    classes, clusters = np.bincount(codes), np.bincount(groups)
    together = codes * len(clusters) + groups
    small = len(classes) * len(clusters) <= 4 * len(codes)  # then counting is quicker than sorting
    both = np.bincount(together) if small else np.unique(together, return_counts=True)[1]
    return nmi_of(classes, clusters, both)


def _codes(labels: np.ndarray) -> np.ndarray:
    """Labels as whole numbers from 0 on; those that are such numbers already, and not far apart, stay as they are."""
    labels = np.asarray(labels)
    if labels.dtype.kind in "iu" and len(labels) and labels.min() >= 0 and labels.max() <= len(labels):
        return labels.astype(np.int64, copy=False)
    return np.unique(labels, return_inverse=True)[1]


def ami(truth: np.ndarray, labels: np.ndarray) -> float:
    """Adjusted mutual information, as scikit-learn defines it: what two labellings share beyond chance.

    (I - E) / (M - E), where I is their mutual information, E its mean over random labellings with the same sizes, and
    M the mean of their entropies. 1 is the same labelling; random labels score 0 on average, however many they are.
    """
    return float(_of_scikit_learn("adjusted_mutual_info_score")(truth, labels))


def ari(truth: np.ndarray, labels: np.ndarray) -> float:
    """Adjusted Rand index of two labellings with any integers, as scikit-learn defines it."""
    first, second = (_codes(one).astype(np.int32) for one in (truth, labels))
    return float(adjusted_rand(first, second, int(first.max()) + 1, int(second.max()) + 1))


MOST_PAIRS = 4_000_000  # of a class and a cluster


def accuracy(truth: np.ndarray, labels: np.ndarray) -> float:
    """Share of points in the class that their cluster stands for, under the best matching of clusters to classes.

    Each cluster stands for one class at most and each class for one cluster: points of the others are wrong. NaN where
    classes times clusters exceed `MOST_PAIRS`: nobody matches thousands by name, and the table would not fit.
    """
    from scipy.optimize import linear_sum_assignment

    codes, classes = np.unique(truth, return_inverse=True)
    groups, clusters = np.unique(labels, return_inverse=True)
    if len(codes) * len(groups) > MOST_PAIRS:
        return float("nan")
    both = np.bincount(classes * len(groups) + clusters, minlength=len(codes) * len(groups))
    both = both.reshape(len(codes), len(groups))
    return float(both[linear_sum_assignment(both, maximize=True)].sum() / len(classes))


def _of_scikit_learn(name: str) -> Callable:
    """One of its scores, imported when it is asked for: a sweep in a notebook should not wait a second for it."""

    def function(*arguments: np.ndarray) -> float:
        from sklearn import metrics

        return getattr(metrics, name)(*arguments)

    return function


def _against_truth(function: Callable) -> Callable:
    return lambda c: float(function(c.truth, c.labels))


SCORES = {
    "nmi": Score(
        "NMI",
        "Normalised mutual information with the truth, the paper's score: 1 is a perfect match. Chance is above 0, the "
        "more so the more clusters there are: random labels score 0.12 with 100 clusters of 100 points. AMI takes that "
        "off.",
        _against_truth(nmi),
        needs_truth=True,
        places=("curve", "table", "compare"),
    ),
    "ami": Score(
        "AMI",
        "Adjusted mutual information with the truth: NMI less what chance gives. 1 is a perfect match, and random "
        "labels score 0 however many clusters there are.",
        _against_truth(ami),
        needs_truth=True,
    ),
    "ari": Score(
        "ARI",
        "Adjusted Rand index: share of pairs of points treated as in the truth, corrected for chance.",
        _against_truth(ari),
        needs_truth=True,
        places=("table", "compare"),
    ),
    "accuracy": Score(
        "Accuracy",
        "Share of points in the right class, each cluster matched to one class in the best way (ACC).",
        _against_truth(accuracy),
        needs_truth=True,
    ),
    "homogeneity": Score(
        "Homogeneity",
        "1 if each cluster holds points of one true class only.",
        _against_truth(_of_scikit_learn("homogeneity_score")),
        needs_truth=True,
    ),
    "completeness": Score(
        "Completeness",
        "1 if each true class lies in one cluster only.",
        _against_truth(_of_scikit_learn("completeness_score")),
        needs_truth=True,
    ),
    "ssd": Score(
        "SSD",
        "Share of true centroids met by a found centroid within the tolerance shown.",
        _ssd,
        needs_truth=True,
        places=("compare",),
    ),
    "ssd_exact": Score(
        "SSD, exact",
        "Share of true centroids met by a found centroid up to numerical precision, as the paper has it.",
        _ssd_exact,
        needs_truth=True,
    ),
    "silhouette": Score(
        "Silhouette",
        "How much nearer points are to their own cluster than to the next: 1 = well separated, 0 = overlapping.",
        _silhouette,
        needs_truth=False,
        places=("curve", "table", "compare", "compare without truth"),
    ),
    "davies_bouldin": Score(
        "Davies-Bouldin",
        "Spread within clusters against the distance between them: lower is better.",
        _davies_bouldin,
        needs_truth=False,
        higher_is_better=False,
        places=("compare without truth",),
    ),
}


def shown_in(place: str, truth_known: bool) -> list[str]:
    """The names of the scores that a place shows unasked: see `Score.places`."""
    return [n for n, found in SCORES.items() if place in found.places and (truth_known or not found.needs_truth)]


def score(
    name: str,
    X: np.ndarray,
    labels: np.ndarray,
    truth: np.ndarray | None = None,
    centroids: np.ndarray | None = None,
    tolerance: float | None = None,
    sample: SilhouetteSample | None = None,
) -> float:
    """Score a clustering by a name of `SCORES`: see `Scored` for the other parameters.

    A score that needs the truth is NaN without it.
    """
    return scores([name], X, labels, truth, centroids, tolerance, sample)[name]


def scores(
    names: Iterable[str],
    X: np.ndarray,
    labels: np.ndarray,
    truth: np.ndarray | None = None,
    centroids: np.ndarray | None = None,
    tolerance: float | None = None,
    sample: SilhouetteSample | None = None,
) -> dict[str, float]:
    """Several scores at once: {name: value}."""
    unknown = [name for name in names if name not in SCORES]
    if unknown:
        raise ValueError(f"name must be one of {', '.join(SCORES)}, got {unknown[0]!r}")
    scored = Scored(np.asarray(X), np.asarray(labels), truth, centroids, tolerance, sample)
    return {
        name: float("nan") if SCORES[name].needs_truth and truth is None else SCORES[name].function(scored)
        for name in names
    }
