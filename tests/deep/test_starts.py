"""What a clustering layer starts from."""

import numpy as np
import pytest

from theta_app import metrics
from theta_app.deep.starts import STARTS, NoStart, start
from theta_app.engine import nearest, tdg

RNG = np.random.default_rng(0)
CENTRES = RNG.permutation(np.stack(np.meshgrid([0, 10, 20], [0, 10]), axis=-1).reshape(-1, 2)).astype(float)
TRUTH = RNG.integers(6, size=600)
Z = CENTRES[TRUTH] + RNG.normal(size=(600, 2))


@pytest.mark.parametrize("name", STARTS)
def test_every_start_finds_clear_clusters(name):
    found = start(name, Z, 6, seed=1)
    assert metrics.accuracy(TRUTH, nearest(Z, found.centres)) > 0.98
    assert (found.theta is not None) == (name == "tdg")


def test_the_start_of_tdg_is_its_largest_clusters():
    found = tdg(Z, 1.5, 50, 1)
    assert len(found.sizes) > 6
    largest = found.centroids[np.argsort(-found.sizes, kind="stable")[:6]]
    np.testing.assert_array_equal(start("tdg", Z, 6, seed=1, theta=1.5).centres, largest)


def test_only_theta_whose_largest_clusters_hold_half_of_the_points_vote():
    found = start("tdg", Z, 6)
    assert len(found.tried) > 3
    assert all(one.n_clusters >= 6 and one.held >= 0.5 for one in found.tried)
    assert found.theta == min(found.tried, key=lambda one: one.spread).theta


def test_the_vote_scales_with_the_space():
    one, scaled = start("tdg", Z, 6), start("tdg", 1024 * Z, 6)  # a power of two: no rounding in between
    assert scaled.theta == pytest.approx(1024 * one.theta)
    np.testing.assert_allclose(scaled.centres, 1024 * one.centres)


def test_where_the_vote_agrees_on_too_few_the_best_theta_decides():
    """Two pairs of points: at the one θ with three clusters, half of it groups all that was collected as it was."""
    pairs = np.array([[0.0, 0.0], [0.0, 1.0], [50.0, 0.0], [50.0, 3.0]]).repeat(3, axis=0)
    found = start("tdg", pairs, 3)
    assert len(found.centres) == 3


def test_fewer_clusters_than_asked_for_is_a_sentence():
    with pytest.raises(NoStart, match=r"At θ = 100 TDG finds 1 clusters, fewer than 6\. Take a smaller θ\."):
        start("tdg", Z, 6, theta=100.0)
    with pytest.raises(NoStart, match="At no θ does TDG find 3 clusters"):
        start("tdg", np.array([[0.0, 0.0], [1.0, 0.0]]).repeat(5, axis=0), 3)
