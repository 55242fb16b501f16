"""Scores of a clustering, by name, in one table."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from sklearn import metrics as sk

_SILHOUETTE_POINTS = 2000  # of a larger data set, a fair sample of this many


@dataclass(frozen=True)
class Metric:
    """One score.

    ``function(X, labels, truth, centroids, tolerance)`` returns a float, or NaN where the score is undefined.
    """

    label: str
    help: str
    function: Callable
    needs_truth: bool
    higher_is_better: bool = True


def class_means(X, truth):
    """Means of the true classes, in the order of their codes: the paper's true centroids."""
    return np.array([X[truth == code].mean(axis=0) for code in np.unique(truth)])


def ssd_score(true_centroids, centroids, tolerance):
    """Share of the true centroids that some predicted centroid meets within `tolerance` (a distance)."""
    from scipy.spatial import cKDTree

    if len(true_centroids) == 0:
        return float("nan")
    if len(centroids) == 0:
        return 0.0
    distances, _ = cKDTree(centroids).query(true_centroids)
    return float(np.mean(distances <= tolerance))


def _ssd(X, labels, truth, centroids, tolerance):
    if centroids is None:
        centroids = class_means(X, labels)
    if tolerance is None:
        tolerance = default_tolerance(X, truth)
    return ssd_score(class_means(X, truth), centroids, tolerance)


def default_tolerance(X, truth):
    """A tenth of the classes' typical radius: near enough to call a centroid found, in the units of X."""
    radii = [
        np.sqrt(((X[truth == code] - X[truth == code].mean(axis=0)) ** 2).sum(axis=1).mean()) for code in set(truth)
    ]
    return 0.1 * float(np.median(radii))


def _defined(X, labels):
    """Between 2 and n - 1 clusters: what scores without truth ask for."""
    return 2 <= len(np.unique(labels)) < len(X)


def _silhouette(X, labels, truth, centroids, tolerance):
    if len(X) > _SILHOUETTE_POINTS:
        chosen = np.random.default_rng(0).choice(len(X), _SILHOUETTE_POINTS, replace=False)
        X, labels = X[chosen], labels[chosen]
    return float(sk.silhouette_score(X, labels)) if _defined(X, labels) else float("nan")


def _davies_bouldin(X, labels, truth, centroids, tolerance):
    return float(sk.davies_bouldin_score(X, labels)) if _defined(X, labels) else float("nan")


def _overlaps(truth, labels):
    """Points of each class, of each cluster, and of each class within each cluster, where there are any."""
    codes, classes = np.unique(truth, return_inverse=True, return_counts=True)[1:]
    groups, clusters = np.unique(labels, return_inverse=True, return_counts=True)[1:]
    return classes, clusters, np.unique(codes * len(clusters) + groups, return_counts=True)[1]


def _entropy(counts):
    shares = counts[counts > 0] / counts.sum()
    return 0.0 if len(shares) == 1 else -float(shares @ np.log(shares))


def nmi_of(classes, clusters, both):
    """Normalised mutual information from the numbers of points a class, a cluster, and a class within a cluster."""
    apart = _entropy(classes) + _entropy(clusters)
    if apart == 0.0:
        return 1.0  # one class and one cluster: the same
    return min(max(2.0 * (apart - _entropy(both)) / apart, 0.0), 1.0)


def nmi(truth, labels):
    """Normalised mutual information, as scikit-learn defines it, at a tenth of the time: a sweep asks at every θ."""
    return nmi_of(*_overlaps(truth, labels))


def ari(truth, labels):
    """Adjusted Rand index, as scikit-learn defines it, at a tenth of the time."""
    classes, clusters, counts = _overlaps(truth, labels)
    both, first, second = (float((c * (c - 1.0)).sum()) for c in (counts, classes, clusters))
    if both == first == second:
        return 1.0
    n = float(counts.sum())
    expected = first * second / (n * (n - 1.0))
    return (both - expected) / (0.5 * (first + second) - expected)


def _against_truth(function):
    def score(X, labels, truth, centroids, tolerance):
        return float(function(truth, labels))

    return score


METRICS = {
    "nmi": Metric(
        "NMI",
        "Normalised mutual information with the truth, the paper's score: 1 is a perfect match, 0 is chance.",
        _against_truth(nmi),
        needs_truth=True,
    ),
    "ami": Metric(
        "AMI",
        "Mutual information with the truth, corrected for chance: fair where there are many clusters.",
        _against_truth(sk.adjusted_mutual_info_score),
        needs_truth=True,
    ),
    "ari": Metric(
        "ARI",
        "Adjusted Rand index: share of pairs of points treated as in the truth, corrected for chance.",
        _against_truth(ari),
        needs_truth=True,
    ),
    "homogeneity": Metric(
        "Homogeneity",
        "1 if each cluster holds points of one true class only.",
        _against_truth(sk.homogeneity_score),
        needs_truth=True,
    ),
    "completeness": Metric(
        "Completeness",
        "1 if each true class lies in one cluster only.",
        _against_truth(sk.completeness_score),
        needs_truth=True,
    ),
    "ssd": Metric(
        "SSD",
        "Share of true centroids met by a found centroid within the tolerance shown.",
        _ssd,
        needs_truth=True,
    ),
    "silhouette": Metric(
        "Silhouette",
        "How much nearer points are to their own cluster than to the next: 1 well separated, 0 touching.",
        _silhouette,
        needs_truth=False,
    ),
    "davies_bouldin": Metric(
        "Davies-Bouldin",
        "Spread within clusters against the distance between them: lower is better.",
        _davies_bouldin,
        needs_truth=False,
        higher_is_better=False,
    ),
}


def score(name, X, labels, truth=None, centroids=None, tolerance=None):
    """Score a clustering by a name of `METRICS`.

    Parameters
    ----------
    name : str
    X : (n, d) array
    labels : (n,) array
    truth : (n,) array, optional
        True classes; without them the scores that need truth are NaN.
    centroids : (K, d) array, optional
        For "ssd": the found centroids; by default the means of the clusters.
    tolerance : float, optional
        For "ssd": how near, in the units of X, counts as met; by default `default_tolerance`.
    """
    if name not in METRICS:
        raise ValueError(f"name must be one of {', '.join(METRICS)}, got {name!r}")
    metric = METRICS[name]
    if metric.needs_truth and truth is None:
        return float("nan")
    return metric.function(np.asarray(X), np.asarray(labels), truth, centroids, tolerance)


def scores(names, X, labels, truth=None, centroids=None, tolerance=None):
    """Several scores at once: {name: value}."""
    return {name: score(name, X, labels, truth, centroids, tolerance) for name in names}
