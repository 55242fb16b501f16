"""Points that stand for many, and shuffles that run elsewhere."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from theta_app.engine import Cancelled, tdg, tsg, weighted_tsg


@settings(deadline=None, max_examples=40)
@given(
    seed=st.integers(0, 2**32 - 1),
    D=st.sampled_from([1, 2, 5]),
    metric=st.sampled_from(["euclidean", "manhattan", "chebyshev"]),
)
def test_a_weight_is_the_point_so_many_times(seed, D, metric):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(int(rng.integers(1, 60)), D))
    weights, order = rng.integers(1, 5, size=len(X)), rng.permutation(len(X))
    theta = float(rng.uniform(0, 2))
    repeated = tsg(X[np.repeat(order, weights[order])], theta, metric=metric)
    labels, centroids, sums = weighted_tsg(X, weights, theta, order, metric=metric)
    assert labels[np.repeat(order, weights[order])].tolist() == repeated.labels.tolist()
    assert sums.tolist() == repeated.sizes.tolist()
    assert np.allclose(centroids, repeated.centroids)


def test_a_distance_of_exactly_theta_joins_and_a_tie_stays_with_the_older():
    labels, _, sums = weighted_tsg([[0.0], [2.0], [1.0]], [3, 1, 1], 1.0)
    assert labels.tolist() == [0, 1, 0]
    assert sums.tolist() == [4, 1]


def test_duplicates_stay_one_cluster_at_theta_zero():
    X = np.full((50, 2), 0.1)
    assert len(weighted_tsg(X, np.full(50, 3), 0.0)[1]) == 1


@pytest.mark.parametrize("weights", [[1.0], [1.0, 0.0], [1.0, np.nan]])
def test_weights_that_cannot_be_right(weights):
    with pytest.raises(ValueError, match="weights must be one number above 0"):
        weighted_tsg([[0.0], [1.0]], weights, 1.0)


@pytest.mark.parametrize("options", [{}, {"metric": "manhattan"}, {"agreement": True}])
def test_shuffles_in_an_executor_give_the_same_result(options):
    X = np.random.default_rng(0).normal(size=(400, 2))
    here = tdg(X, 0.7, 12, seed=3, **options)
    with ThreadPoolExecutor(2) as pool:
        there = tdg(X, 0.7, 12, seed=3, executor=pool, **options)
    assert there.labels.tolist() == here.labels.tolist()
    assert there.centroids.tolist() == here.centroids.tolist()
    assert there.run_counts.tolist() == here.run_counts.tolist()
    assert there.agreement == here.agreement


def test_work_elsewhere_can_be_cancelled():
    class Wanted:
        def is_set(self):
            return True

    with ThreadPoolExecutor(1) as pool, pytest.raises(Cancelled):
        tdg(np.zeros((10, 2)), 1.0, 10, executor=pool, cancel=Wanted())
