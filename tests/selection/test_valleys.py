"""Whether points grow sparse towards the boundary of a clustering."""

import numpy as np
import pytest

from theta_app import selection


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def naive(X, labels, k=10):
    """(depth, flat) by the definition, one point at a time."""
    n = len(X)
    distances = np.linalg.norm(X[:, None] - X[None], axis=2)
    np.fill_diagonal(distances, np.inf)
    near = np.argsort(distances, axis=1, kind="stable")[:, :k]
    radius = np.take_along_axis(distances, near, axis=1)[:, -1]
    usual = {c: np.sort(radius[labels == c])[np.sum(labels == c) // 2] for c in np.unique(labels)}
    at = {}
    for i in range(n):
        for j in sorted(near[i]):
            if i in near[j] and labels[i] != labels[j] and i not in at:
                at[i] = j
    steep = {i: np.log(radius[i] / max(usual[labels[i]], usual[labels[j]])) for i, j in at.items()}
    pairs = {}
    for i, j in at.items():
        pairs.setdefault(frozenset((labels[i], labels[j])), []).append(steep[i])
    flat = sum(len(values) for values in pairs.values() if np.mean(values) < 0.1)
    return np.mean(list(steep.values())), flat / n


def cut(X):
    return (X[:, 0] > np.median(X[:, 0])).astype(int)


@pytest.mark.parametrize("d", [2, 3, 12])
def test_a_valley_is_what_its_definition_says(d, rng):
    X = rng.normal(size=(300, d))
    labels = cut(X)
    found = selection.neighbourhoods(X).valley(labels)
    depth, flat = naive(X, labels)
    assert found.depth == pytest.approx(depth, abs=1e-9)
    assert found.flat == pytest.approx(flat)


@pytest.mark.parametrize("d", [2, 5, 20])
def test_half_a_cloud_has_no_valley_towards_the_other_half(d, rng):
    for X in (rng.normal(size=(2000, d)), rng.uniform(size=(2000, d))):
        found = selection.neighbourhoods(X).valley(cut(X))
        assert found.depth < 0.1
        assert found.flat > 0.03


@pytest.mark.parametrize("d", [2, 5, 20])
def test_two_clusters_that_touch_have_a_valley_and_two_apart_have_no_boundary(d, rng):
    labels = np.repeat([0, 1], 1000)
    gap = {2: 4.5, 5: 5.5, 20: 9.0}[d]  # in many features neighbours are far apart, and valleys have to be wider
    touching = rng.normal(size=(2000, d)) + np.outer(labels, [gap] + [0] * (d - 1))
    assert selection.neighbourhoods(touching).valley(labels).depth > 0.1
    assert selection.neighbourhoods(touching).valley(labels).flat == 0.0
    apart = touching + np.outer(labels, [100] + [0] * (d - 1))
    assert selection.neighbourhoods(apart).valley(labels) == selection.Valley(np.inf, 0.0)


def test_a_sparse_cluster_beside_a_dense_one_is_compared_with_the_sparse_one(rng):
    labels = np.repeat([0, 1], 500)
    X = np.concatenate([rng.uniform(0, 1, (500, 2)), rng.uniform(0, 10, (500, 2)) + [1, 0]])
    assert selection.neighbourhoods(X).valley(labels).depth < 0.1


def test_duplicates_single_points_and_extremes_have_an_answer(rng):
    for X in (
        np.zeros((30, 2)),
        np.zeros((1, 2)),
        np.repeat([[0.0], [1.0]], 40, axis=0),
        rng.normal(size=(40, 2)) * 1e200,
    ):
        found = selection.neighbourhoods(X).valley(np.arange(len(X)) % 2)
        assert not np.isnan(found.depth)
        assert 0 <= found.flat <= 1


def test_of_many_points_a_fair_sample_is_looked_at(rng):
    X = rng.uniform(size=(20_000, 2))
    near = selection.neighbourhoods(X)
    assert len(near.indices) == 5000
    assert near.valley(cut(X)).depth < 0.1


def test_points_spread_in_as_many_dimensions_as_they_have_and_not_in_as_many_as_there_are_columns(rng):
    turn = np.linalg.qr(rng.normal(size=(30, 30)))[0]
    for truly in (2, 4):
        X = rng.normal(size=(1500, truly)) @ turn[:truly]
        assert selection.neighbourhoods(X).dimension == pytest.approx(truly, rel=0.1)
    assert 10 < selection.neighbourhoods(rng.normal(size=(1500, 20))).dimension <= 20
    assert selection.neighbourhoods(X[:, :3]).dimension == 3, "few columns are all counted"


@pytest.mark.parametrize("X", [np.zeros((30, 5)), np.zeros((1, 5)), np.eye(5), np.ones((2, 5))])
def test_where_nothing_can_be_said_the_dimension_is_the_number_of_columns(X):
    assert 1 <= selection.neighbourhoods(X).dimension <= 5
