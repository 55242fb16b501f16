"""What the density of the points says about clusters."""

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from theta_app import selection
from theta_app.engine import silhouette_sample
from theta_app.selection.density import agreement


def two_groups(n=400, apart=6.0, d=2, seed=0):
    truth = np.repeat([0, 1], n // 2)
    X = np.random.default_rng(seed).normal(size=(n, d))
    X[:, 0] += apart * truth
    return X, truth


def views_of(X, **metric):
    return selection.density_views(silhouette_sample(X, **metric), selection.neighbourhoods(X, **metric), X.shape[1])


def test_agreement_is_the_mean_over_views_of_the_points_they_are_sure_of():
    X, truth = two_groups(apart=4.0)
    groups = views_of(X).groups
    labels = (X[:, 1] > 0).astype(np.int64) + 2 * truth
    each = [adjusted_rand_score(labels[g >= 0], g[g >= 0]) if g.max() > 0 else 0.0 for g in groups]
    assert any((g < 0).any() for g in groups)
    assert agreement(labels, groups) == pytest.approx(np.mean(each))


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "chebyshev"])
@pytest.mark.parametrize(("d", "least"), [(1, 0.7), (2, 0.9), (40, 0.9)])
def test_views_agree_with_two_groups_far_apart_in_any_metric(d, least, metric):
    """On a line chance gives gaps inside a group as well, and some views split there."""
    X, truth = two_groups(apart=25.0, d=d)
    views = views_of(X, metric=metric)
    assert agreement(truth, views.groups) > least
    assert agreement(truth, views.peaks) > least
    assert d != 2 or agreement(truth, views.fine_peaks) > least  # of 40 features few are neighbours of each other


def test_views_agree_with_rings_where_no_round_clusters_fit():
    angle = np.linspace(0, 2 * np.pi, 600, endpoint=False)
    radius = np.repeat([1.0, 4.0], [200, 400])
    X = np.column_stack([radius * np.cos(3 * angle), radius * np.sin(3 * angle)])
    X += np.random.default_rng(0).normal(0, 0.1, X.shape)
    groups = views_of(X).groups
    assert agreement((radius > 2).astype(np.int64), groups) > 0.9
    assert agreement((X[:, 0] > 0).astype(np.int64), groups) < 0.2


def test_views_of_one_cluster_agree_with_nothing():
    assert agreement(np.arange(50) % 2, [np.zeros(50, dtype=np.int64), np.full(50, -1)]) == 0.0


def test_peaks_part_two_levels_where_groups_see_the_coarse_one():
    """Two pairs of clouds: most mass is in the pairs, and each cloud is a peak."""
    truth = np.repeat(np.arange(4), 250)
    X = np.array([(0, 0), (5, 0), (60, 0), (65, 0)])[truth] + np.random.default_rng(0).normal(size=(1000, 2))
    views = views_of(X)
    assert agreement(truth, views.peaks) > 0.9
    assert agreement(truth // 2, views.groups) > agreement(truth // 2, views.peaks)


def test_fine_peaks_see_clusters_that_a_sample_hardly_meets():
    along = np.arange(127)
    truth = np.repeat(along, 60)
    centres = np.column_stack([6.0 * along, 10 * np.sin(0.5 * along)])
    X = centres[truth] + np.random.default_rng(0).normal(size=(len(truth), 2))
    near = selection.neighbourhoods(X)
    assert agreement(truth[near.indices], views_of(X).fine_peaks) > 0.8


@pytest.mark.parametrize("kind", ["uniform", "normal"])
@pytest.mark.parametrize("d", [1, 2, 5, 20])
def test_density_does_not_rise_twice_in_a_cloud(kind, d):
    rng = np.random.default_rng(d)
    X = getattr(rng, kind)(size=(1500, d))
    assert selection.rise(X) < 4.2


def test_density_rises_twice_where_two_clouds_overlap():
    X, _ = two_groups(3000, apart=4.5)
    assert selection.rise(X) > 4.2


def test_a_rise_does_not_depend_on_units():
    X, _ = two_groups(600, apart=4.0)
    assert selection.rise(1e-200 * X) == pytest.approx(selection.rise(X))


@pytest.mark.parametrize("X", [np.zeros((1, 2)), np.eye(2), np.eye(3), np.ones((50, 3)), np.arange(8.0)[:, None]])
def test_few_points_and_duplicates_do_not_rise(X):
    assert selection.rise(X) == 0.0
    views = views_of(X)
    agreement(np.zeros(len(X), dtype=np.int64), views.groups + views.peaks + views.fine_peaks)
