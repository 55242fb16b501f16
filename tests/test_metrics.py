"""Scores by name."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as sk

from theta_app import metrics
from theta_app.engine import Metric, silhouette_sample, tdg
from theta_app.metrics import SCORES, score, scores, ssd_score

RNG = np.random.default_rng(0)
X = RNG.normal(size=(200, 3)) + np.repeat(np.eye(3)[[0, 1]] * 6, 100, axis=0)
TRUTH = np.repeat([0, 1], 100)
LABELS = np.where(RNG.random(200) < 0.1, 2, TRUTH)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("nmi", sk.normalized_mutual_info_score(TRUTH, LABELS)),
        ("ami", sk.adjusted_mutual_info_score(TRUTH, LABELS)),
        ("ari", sk.adjusted_rand_score(TRUTH, LABELS)),
        ("homogeneity", sk.homogeneity_score(TRUTH, LABELS)),
        ("completeness", sk.completeness_score(TRUTH, LABELS)),
        ("silhouette", sk.silhouette_score(X, LABELS)),
        ("davies_bouldin", sk.davies_bouldin_score(X, LABELS)),
    ],
)
def test_scores_equal_scikit_learns(name, expected):
    assert score(name, X, LABELS, TRUTH) == pytest.approx(expected)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(-2, 6)), min_size=1, max_size=40))
def test_our_own_nmi_and_ari_equal_scikit_learns_on_any_labels(pairs):
    truth, labels = np.array(pairs).T
    assert metrics.nmi(truth, labels) == pytest.approx(sk.normalized_mutual_info_score(truth, labels), abs=1e-12)
    assert metrics.ari(truth, labels) == pytest.approx(sk.adjusted_rand_score(truth, labels), abs=1e-12)


def test_chance_scores_above_0_in_nmi_and_0_in_ami_as_their_help_says():
    truth = np.repeat(np.arange(100), 100)
    labels = np.random.default_rng(0).integers(0, 100, len(truth))
    assert f"{metrics.nmi(truth, labels):.2f}" in SCORES["nmi"].help
    assert metrics.ami(truth, labels) == pytest.approx(0, abs=0.005)


@settings(deadline=None)  # scipy is imported in the first
@given(st.lists(st.tuples(st.integers(3, 6), st.integers(-1, 1)), min_size=1, max_size=30))
def test_accuracy_is_the_best_of_all_matchings(pairs):
    truth, labels = np.array(pairs).T
    classes = [*np.unique(truth), *[None] * 3]  # a cluster may stand for no class
    clusters = np.unique(labels)
    best = max(
        sum(((labels == cluster) & (truth == code)).sum() for cluster, code in zip(clusters, matching))
        for matching in itertools.permutations(classes, len(clusters))
    )
    assert metrics.accuracy(truth, labels) == pytest.approx(best / len(truth))


def test_accuracy_of_more_pairs_than_fit_in_memory_is_nan():
    many = np.arange(3000)
    assert np.isnan(metrics.accuracy(many, many))
    assert metrics.accuracy(many[:1000], many[:1000]) == 1.0


def test_ssd_counts_true_centroids_met_within_the_tolerance():
    true = np.array([[0.0, 0.0], [10.0, 0.0], [0.0, 10.0]])
    found = np.array([[0.1, 0.0], [10.0, 0.5]])
    assert ssd_score(true, found, 0.2) == pytest.approx(1 / 3)
    assert ssd_score(true, found, 0.5) == pytest.approx(2 / 3)  # exactly at the tolerance counts
    assert ssd_score(true, np.empty((0, 2)), 1.0) == 0.0


def test_the_true_assignment_meets_every_centroid():
    assert score("ssd", X, TRUTH, TRUTH, tolerance=1e-12) == 1.0


def test_without_truth_only_the_scores_that_need_none_are_numbers():
    values = scores(SCORES, X, LABELS)
    for name, metric in SCORES.items():
        assert np.isnan(values[name]) == metric.needs_truth


@pytest.mark.parametrize("labels", [np.zeros(200, int), np.arange(200)], ids=["one", "all alone"])
def test_scores_that_are_undefined_are_nan_not_an_error(labels):
    for name, metric in SCORES.items():
        value = score(name, X, labels, TRUTH)
        assert isinstance(value, float)
        assert np.isnan(value) == (not metric.needs_truth)


def test_an_unknown_name_is_refused_with_the_known_ones():
    with pytest.raises(ValueError, match="name must be one of nmi, ami"):
        score("precision", X, LABELS)


def test_every_metric_explains_itself():
    for metric in metrics.SCORES.values():
        assert metric.label
        assert metric.help.endswith(".")


def test_davies_bouldin_is_scikit_learns_and_follows_the_norm():
    from sklearn.metrics import davies_bouldin_score

    assert score("davies_bouldin", X, LABELS) == pytest.approx(davies_bouldin_score(X, LABELS))
    sample = silhouette_sample(X, metric="manhattan")
    means = metrics.class_means(X, LABELS)
    spread = [np.abs(X[k == LABELS] - means[k]).sum(axis=1).mean() for k in range(len(means))]
    worst = [
        max((spread[i] + spread[j]) / np.abs(means[i] - means[j]).sum() for j in range(len(means)) if j != i)
        for i in range(len(means))
    ]
    assert score("davies_bouldin", X, LABELS, sample=sample) == pytest.approx(np.mean(worst))


def test_places_show_known_scores_and_leave_out_what_needs_the_truth():
    for place in ("curve", "table", "compare"):
        assert metrics.shown_in(place, True)
        assert not any(SCORES[name].needs_truth for name in metrics.shown_in(place, False))


def test_scores_follow_kilometres_across_the_date_line():
    rng = np.random.default_rng(0)
    truth = np.repeat([0, 1, 2], 40)
    X = np.array([[-17.0, 179.95], [-21.0, -175.0], [-13.0, 172.0]])[truth] + rng.normal(scale=0.2, size=(120, 2))
    X[:, 1] = (X[:, 1] + 180.0) % 360.0 - 180.0
    metric = Metric.of("haversine")
    sample = silhouette_sample(X, metric=metric)
    centroids = tdg(X, 200.0, 5, metric=metric).centroids
    found = scores(["silhouette", "davies_bouldin", "ssd"], X, truth, truth, centroids, None, sample)
    assert found["silhouette"] > 0.9
    assert found["davies_bouldin"] < 0.2
    assert found["ssd"] == 1.0
    assert metrics.default_tolerance(X, truth, metric) == pytest.approx(3.0, rel=0.5), "km"
    plain = scores(["davies_bouldin"], X, truth)["davies_bouldin"]
    assert plain > 1.0, "as plain numbers the first island is on both ends of the world"
