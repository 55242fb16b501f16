"""Chains by density equal their literal reading, ties included, and part clusters of different density at one ε."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import naive
from theta_app import TNC
from theta_app.engine import Cancelled, core_distances, spanning_tree_by_density, tdg, tnc
from theta_app.metrics import ari


@settings(deadline=None, max_examples=60)
@given(
    seed=st.integers(0, 2**32 - 1),
    D=st.sampled_from([1, 2, 3, 6]),
    m=st.integers(1, 12),
    p=st.sampled_from([1.0, 2.0, 3.0, np.inf]),
    on_lattice=st.booleans(),
)
def test_density_chains_for_every_epsilon_equal_the_literal_ones(seed, D, m, p, on_lattice):
    rng = np.random.default_rng(seed)
    n, K = rng.integers(1, 30), rng.integers(1, 14)
    draw = (
        (lambda rows: rng.integers(0, 5, (rows, D)) / 8.0) if on_lattice else (lambda rows: rng.normal(size=(rows, D)))
    )
    X, centroids = draw(n), draw(K)
    tree = spanning_tree_by_density(X, centroids, m, metric="minkowski", p=p)
    for epsilon in (0.0, *(tree.lengths + 1e-9), *rng.uniform(0, 3, 3), 50.0):
        assert tree.cut(epsilon).tolist() == naive.density_chain(X, centroids, epsilon, m, p)


def test_a_core_is_the_distance_at_which_a_centroid_holds_so_many_points():
    rng = np.random.default_rng(3)
    X, centroids = rng.normal(size=(40, 3)), rng.normal(size=(6, 3))
    far = np.sort(np.abs(X[None] - centroids[:, None]).sum(axis=2), axis=1)
    np.testing.assert_allclose(core_distances(X, centroids, 7, metric="manhattan"), far[:, 6], rtol=1e-12)
    np.testing.assert_allclose(core_distances(X, centroids, 99, metric="manhattan"), far[:, -1], rtol=1e-12)


def two_densities(rng):
    """A dense pair of clouds close together and a sparse pair, far from each other: no one distance parts both."""
    truth = np.repeat(np.arange(4), 300)
    centres, spread = np.array([(0, 0), (2, 0), (30, 0), (60, 0)])[truth], np.array([0.25, 0.25, 4, 4])[truth]
    return centres + spread[:, None] * rng.normal(size=(len(truth), 2)), truth


def test_one_epsilon_parts_clusters_of_different_density():
    X, truth = two_densities(np.random.default_rng(0))
    result = tnc(X, 1.0, 0.8, shuffles=5, density=15)
    assert result.n_clusters == 4
    by_distance = max(ari(truth, tnc(X, 1.0, epsilon, shuffles=5).labels) for epsilon in np.geomspace(0.2, 30, 25))
    assert by_distance < 0.98 < ari(truth, result.labels)


def test_the_estimator_takes_density_and_none_is_the_papers():
    X, _ = two_densities(np.random.default_rng(1))
    model = TNC(0.3, 0.8, n_shuffles=5, density=15).fit(X)
    np.testing.assert_array_equal(
        model.labels_, np.unique(tnc(X, 0.3, 0.8, 5, density=15).labels, return_inverse=True)[1]
    )
    np.testing.assert_array_equal(TNC(0.3, 0.8, n_shuffles=5).fit(X).chain_, tnc(X, 0.3, 0.8, 5).chain)


@pytest.mark.parametrize("density", [0, -1, 1.5, True])
def test_a_density_is_a_whole_number_of_points(density):
    with pytest.raises(ValueError, match="density"):
        spanning_tree_by_density(np.zeros((3, 2)), np.zeros((2, 2)), density)
    with pytest.raises(ValueError, match="density"):
        tnc(np.zeros((3, 2)), 1.0, 1.0, density=density)


def test_equal_points_are_not_density():
    X = np.repeat([[0.0, 0.0], [1.0, 0.0], [9.0, 0.0]], 50, axis=0)
    assert np.isfinite(spanning_tree_by_density(X, tdg(X, 0.1, 2).centroids, 10).lengths).all()


def test_it_can_be_stopped():
    class Stopped:
        def is_set(self):
            return True

    with pytest.raises(Cancelled):
        spanning_tree_by_density(np.zeros((9, 2)), np.zeros((9, 2)), 2, cancel=Stopped())
