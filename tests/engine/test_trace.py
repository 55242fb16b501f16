"""The traced TSG is TSG, the traced chaining is TNC's, and the counts are what running them costs."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from theta_app.engine import shuffled_order, spanning_tree, tsg
from theta_app.engine.trace import count_lloyd_distances, count_tsg_distances, trace_chaining, trace_tsg

# Eighths are exact in binary: ties, and distances equal to θ, are real.
eighths = hnp.arrays(
    np.float64,
    hnp.array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=12).filter(lambda shape: shape[1] <= 4),
    elements=st.integers(-16, 16).map(lambda v: v / 8),
)
thetas = st.integers(0, 40).map(lambda v: v / 8)


def assert_same_run(trace, result):
    np.testing.assert_array_equal(trace.labels, result.labels)
    np.testing.assert_array_equal(trace.centroids, result.centroids)
    np.testing.assert_array_equal(trace.sizes, result.sizes)


@given(X=eighths, theta=thetas, seed=st.integers(0, 5))
@settings(deadline=None, max_examples=150)
def test_the_trace_equals_tsg_where_ties_are_exact(X, theta, seed):
    order = shuffled_order(len(X), seed, 0)
    assert_same_run(trace_tsg(X, theta, order), tsg(X, theta, order))


@pytest.mark.parametrize("d", [1, 2, 3, 10])
@pytest.mark.parametrize("theta", [0.0, 0.3, 1.0, 2.5, 100.0])
def test_the_trace_equals_tsg_on_random_data(d, theta):
    X = np.random.default_rng(d).normal(size=(400, d))
    order = shuffled_order(len(X), 7, d)
    assert_same_run(trace_tsg(X, theta, order), tsg(X, theta, order))


def test_a_point_whose_rounded_distance_is_theta_joins_in_both():
    # comparing with θ*θ instead would turn some of these away
    rng = np.random.default_rng(0)
    for _ in range(200):
        X = rng.normal(size=(2, 2))
        across, up = X[1] - X[0]
        theta = float(np.sqrt(across * across + up * up))
        assert trace_tsg(X, theta).labels.tolist() == tsg(X, theta).labels.tolist() == [0, 0]
        below = np.nextafter(theta, 0)
        assert trace_tsg(X, below).labels.tolist() == tsg(X, below).labels.tolist() == [0, 1]


def test_each_step_tells_what_the_point_met():
    trace = trace_tsg([[0.0, 0.0], [2.0, 0.0], [9.0, 0.0]], 3.0)
    first, second, third = trace.steps
    assert (first.nearest, first.cluster, first.created, first.distances.size) == (-1, 0, True, 0)
    assert (second.nearest, second.cluster, second.created) == (0, 0, False)
    assert second.distances.tolist() == [2.0]
    assert (second.before.tolist(), second.after.tolist()) == ([0.0, 0.0], [1.0, 0.0])
    assert (third.nearest, third.cluster, third.created) == (0, 1, True)
    assert third.distances.tolist() == [8.0]  # from the centroid at 1, not from either point


def test_replaying_the_steps_gives_the_result():
    X = np.random.default_rng(3).normal(size=(120, 2)) * 3
    trace = trace_tsg(X, 1.5, shuffled_order(120, 0, 1))
    centroids = {}
    for step in trace.steps:
        assert len(step.distances) == len(centroids)
        centroids[step.cluster] = step.after
    np.testing.assert_array_equal([centroids[k] for k in range(len(centroids))], trace.centroids)


@pytest.mark.parametrize("theta", [-1.0, float("nan"), float("inf")])
def test_a_theta_that_is_no_distance_is_refused(theta):
    with pytest.raises(ValueError, match="theta"):
        trace_tsg([[0.0]], theta)


def test_an_order_that_is_no_permutation_is_refused():
    with pytest.raises(ValueError, match="order"):
        trace_tsg([[0.0], [1.0]], 1.0, [0, 0])


@given(X=eighths, theta=thetas)
@settings(deadline=None, max_examples=60)
def test_counting_from_the_labels_equals_counting_while_running(X, theta):
    order = shuffled_order(len(X), 1, 0)
    assert count_tsg_distances(tsg(X, theta, order).labels, order) == trace_tsg(X, theta, order).distance_count


def test_one_cluster_costs_one_distance_a_point_and_singletons_cost_all_pairs():
    X = np.arange(30.0)[:, None]
    assert trace_tsg(X, 100.0).distance_count == 29
    assert trace_tsg(X, 0.5).distance_count == 30 * 29 // 2


def test_lloyd_computes_every_distance_in_every_iteration_and_stops_when_nothing_moves():
    X = np.repeat([[0.0], [10.0]], 5, axis=0)
    count, iterations = count_lloyd_distances(X, 2, seed=1)
    assert count == 10 * 2 * iterations
    assert iterations == 2  # the second finds nothing to move


def test_the_paper_s_chaining_list_comes_out_row_by_row():
    centroids = np.array([[0.0, 0.0], [9.0, 0.0], [10.0, 0.0], [20.0, 0.0], [1.0, 0.0], [2.0, 0.0]])
    trace = trace_chaining(centroids, 1.5)
    assert trace.links == ((0, 4), (1, 2), (4, 5))
    assert trace.rounds[0] == ((0, 4), (1, 2), (2, 1), (3,), (4, 0, 5, 0), (5, 4, 0))
    assert trace.chain == (0, 1, 1, 3, 0, 0)
    assert len(set(trace.chain)) == 3


@given(centroids=eighths, epsilon=thetas)
@settings(deadline=None, max_examples=100)
def test_the_traced_chaining_equals_the_tree_s(centroids, epsilon):
    assert trace_chaining(centroids, epsilon).chain == tuple(spanning_tree(centroids).cut(epsilon).tolist())


def test_a_chain_that_needs_a_second_round_gets_it():
    # 0-5, 1-4 and 4-5 are linked: in the first round row 1 never hears of 0
    centroids = np.array([[0.0], [3.0], [50.0], [60.0], [2.0], [1.0]])
    trace = trace_chaining(centroids, 1.5)
    assert min(trace.rounds[0][1]) == 1
    assert trace.chain == (0, 0, 2, 3, 0, 0)
