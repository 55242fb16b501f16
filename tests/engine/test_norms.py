"""TSG, TDG and TNC in other norms equal the paper read literally, ties included."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import naive
from tests.engine.test_equals_naive import assert_same, blobs, lattice
from theta_app.engine import (
    METRICS,
    Metric,
    closest_pair,
    nearest,
    shuffled_order,
    silhouette_sample,
    spanning_tree,
    tdg,
    tnc,
    trace_chaining,
    trace_tsg,
    tsg,
)

NORMS = (1.0, 1.5, 3.0, 7.25, 400.0, 1e12, math.inf)
DIMENSIONS = tuple(range(1, 13))
cases = given(
    seed=st.integers(0, 2**32 - 1), D=st.sampled_from(DIMENSIONS), p=st.sampled_from(NORMS), on_lattice=st.booleans()
)


def drawn(seed, D, p, on_lattice, most=50):
    """(rng, X, θ): some θ are a distance that occurs."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, most))
    X = lattice(rng, n, D, int(rng.choice([2, 3, 9]))) if on_lattice else blobs(rng, n, D)
    i, j = rng.integers(n, size=2)
    return rng, X, naive.distance(X[i].tolist(), X[j].tolist(), p) * float(rng.choice([1.0, 0.6]))


def options(p):
    return {"metric": "minkowski", "p": p}


@settings(deadline=None, max_examples=120)
@cases
def test_tsg_equals_the_naive_one(seed, D, p, on_lattice):
    rng, X, theta = drawn(seed, D, p, on_lattice)
    order = rng.permutation(len(X))
    expected = naive.tsg(X, theta, order, p)
    assert_same(tsg(X, theta, order, **options(p)), expected)
    assert_same(trace_tsg(X, theta, order, **options(p)), expected)


@settings(deadline=None, max_examples=60)
@cases
def test_tdg_and_tnc_equal_the_naive_ones(seed, D, p, on_lattice):
    _, X, theta = drawn(seed, D, p, on_lattice, most=30)
    expected = naive.tdg(X, theta, [shuffled_order(len(X), 3, i) for i in range(4)], p)
    found = tdg(X, theta, 4, 3, **options(p))
    assert_same(found, expected)
    assert found.run_counts.tolist() == expected[3]
    epsilon = 1.5 * theta
    chains = naive.chain(expected[1], epsilon, p)
    assert tnc(X, theta, epsilon, 4, 3, **options(p)).chain.tolist() == chains
    assert list(trace_chaining(expected[1], epsilon, **options(p)).chain) == chains


@settings(deadline=None, max_examples=60)
@cases
def test_nearest_closest_pair_and_tree_equal_the_naive_ones(seed, D, p, on_lattice):
    rng, X, _ = drawn(seed, D, p, on_lattice)
    centroids = X[rng.integers(len(X), size=7)] * rng.choice([1.0, 1e3, 1e12])
    expected = [min(range(7), key=lambda k: (naive.distance(x, centroids[k], p), k)) for x in X.tolist()]
    assert nearest(X, centroids, **options(p)).tolist() == expected
    labels = rng.integers(0, 2, size=len(X))
    pair = closest_pair(X, labels, **options(p))
    assert (math.inf if pair is None else pair.distance) == naive.closest_pair(X.tolist(), labels, p)
    tree = spanning_tree(X, **options(p))
    for (i, j), length in zip(tree.edges, tree.lengths):
        assert naive.distance(X[i].tolist(), X[j].tolist(), p) == length


@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 2**32 - 1), D=st.sampled_from([2, 5, 12]), p=st.sampled_from(NORMS))
def test_far_from_the_origin_and_with_far_outliers(seed, D, p):
    rng = np.random.default_rng(seed)
    X = np.concatenate([blobs(rng, 40, D), lattice(rng, 40, D, 3), [[1e7] * D, [-1e-7] * D]]) + 1e9
    X = X[rng.integers(len(X), size=90)]  # some of them twice and more often
    for theta in (0.0, 0.25, 1.5, 1e6):
        assert_same(tsg(X, theta, **options(p)), naive.tsg(X, theta, norm=p))


@pytest.mark.parametrize("D", [2, 6])
@pytest.mark.parametrize("p", NORMS)
def test_thousands_of_clusters_are_those_of_a_plain_search(D, p):
    X = np.random.default_rng(D).uniform(size=(1500, D))
    theta = float(np.quantile(silhouette_sample(X, 200, **options(p)).distances, 0.01))
    labels, centroids, _ = plain(X, theta, p)
    found = tsg(X, theta, **options(p))
    assert found.labels.tolist() == labels
    assert found.centroids.tolist() == centroids


def plain(X, theta, p):
    """TSG without any cells, as the Learn page plays it."""
    trace = trace_tsg(X, theta, **options(p))
    return trace.labels.tolist(), trace.centroids.tolist(), trace.sizes


def test_names_are_norms():
    X = blobs(np.random.default_rng(0), 60, 3)
    for name, metric in METRICS.items():
        if not metric.of_columns:
            continue
        by_name = tdg(X, 1.0, 5, metric=name)
        by_p = tdg(X, 1.0, 5, metric="minkowski", p=metric.p)
        by_value = tdg(X, 1.0, 5, metric=Metric.of(name))
        np.testing.assert_array_equal(by_name.labels, by_p.labels)
        np.testing.assert_array_equal(by_name.labels, by_value.labels)
        assert by_name.metric == by_p.metric == by_value.metric
    np.testing.assert_array_equal(tdg(X, 1.0, 5).labels, tdg(X, 1.0, 5, metric="minkowski", p=2).labels)


@pytest.mark.parametrize("p", [1e18, 1e100, 1e308])
def test_a_p_beyond_what_doubles_can_tell_apart_is_the_maximum_norm(p):
    assert Metric.of("minkowski", p) == Metric.of("chebyshev")
    X = blobs(np.random.default_rng(0), 60, 3)
    np.testing.assert_array_equal(tsg(X, 1.0, **options(p)).labels, tsg(X, 1.0, metric="chebyshev").labels)


def test_extreme_coordinates_do_not_overflow():
    X = blobs(np.random.default_rng(1), 60, 3)
    for p in NORMS:
        expected = tsg(X, 1.0, **options(p)).labels
        for power in (2.0**900, 2.0**-900):
            np.testing.assert_array_equal(tsg(X * power, power, **options(p)).labels, expected)


@pytest.mark.parametrize("p", NORMS)
def test_silhouettes_are_in_the_same_norm(p):
    X = blobs(np.random.default_rng(2), 50, 4)
    distances = silhouette_sample(X, **options(p)).distances
    assert distances[3, 7] == pytest.approx(naive.distance(X[3].tolist(), X[7].tolist(), p), rel=1e-12)


def test_a_method_of_search_is_for_the_euclidean_distance():
    with pytest.raises(ValueError, match="Euclidean"):
        tsg(np.zeros((3, 2)), 1.0, metric="manhattan", method="cells")
