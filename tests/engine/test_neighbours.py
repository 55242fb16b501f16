"""The nearest other points, in every norm; and kernels that are given positions which are none."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import naive
from theta_app import selection
from theta_app.engine import (
    Cancelled,
    Metric,
    adjusted_rand,
    affordable,
    at_boundaries,
    members,
    nearest_others,
    spanning_tree,
)

NORMS = (1.0, 1.5, 2.0, 3.0, 4.5, 40.0, 150.0, 1000.0, 1e9, math.inf)


@settings(deadline=None, max_examples=150)
@given(
    seed=st.integers(0, 2**32 - 1),
    D=st.sampled_from([1, 2, 8, 9, 17]),
    p=st.sampled_from(NORMS),
    few=st.booleans(),
    unit=st.sampled_from([1.0, 1e-90, 1e90, 1e-9]),
)
def test_they_are_the_nearest_ones(seed, D, p, few, unit):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 40))
    X = rng.integers(0, 3, size=(n, D)) * unit if rng.random() < 0.5 else rng.normal(size=(n, D)) * unit
    rows = np.sort(rng.choice(n, int(rng.integers(1, n + 1)), replace=False)) if few else np.arange(n)
    k = int(rng.integers(1, n))
    far, near = nearest_others(X, rows, k, p)
    for at, i in enumerate(rows.tolist()):
        others = [naive.distance(X[i].tolist(), X[j].tolist(), p) for j in range(n) if j != i]
        np.testing.assert_allclose(far[at], sorted(others)[:k], rtol=1e-9)
        measured = [naive.distance(X[i].tolist(), X[j].tolist(), p) for j in near[at]]
        np.testing.assert_allclose(measured, far[at], rtol=1e-9)
        assert i not in near[at]
        assert len(set(near[at].tolist())) == k


@pytest.mark.parametrize("p", NORMS)
def test_many_duplicates_are_each_others_neighbours(p):
    X = np.repeat([[0.0, 0.0], [5.0, 1.0]], 30, axis=0)
    far, near = nearest_others(X, np.arange(60), 10, p)
    assert (far == 0).all()
    assert (near // 30 == np.arange(60)[:, None] // 30).all()


@pytest.mark.parametrize("p", NORMS)
def test_lengths_and_distances_neither_overflow_nor_vanish(p):
    for unit in (1e-100, 1.0, 1e100):
        vectors = np.random.default_rng(0).normal(size=(20, 3)) * unit
        expected = [naive.distance(row, [0.0] * 3, p) for row in vectors.tolist()]
        metric, origin = Metric.of("minkowski", p), np.zeros(3)
        np.testing.assert_allclose(metric.between(vectors, origin), expected, rtol=1e-12)
        np.testing.assert_allclose(metric.distances(vectors, origin[None])[:, 0], expected, rtol=1e-12)


def test_labels_and_positions_out_of_range_are_refused_by_the_kernels():
    X, labels = np.zeros((4, 2)), np.array([0, 1, 2, 0])
    for wrong in (labels, -labels):
        with pytest.raises(IndexError):
            adjusted_rand(wrong, labels, 2, 3)
        with pytest.raises(IndexError):
            adjusted_rand(labels, wrong, 3, 2)
        with pytest.raises(IndexError):
            members(X, wrong, 2)
    with pytest.raises(ValueError):
        adjusted_rand(labels, labels[:2], 3, 3)
    pairs, radius, in_turn = np.array([[0, 1]]), np.ones(4), np.arange(4)
    at_boundaries(labels, 3, pairs, radius, in_turn)
    for wrong in ({"pairs": np.array([[0, 4]])}, {"pairs": np.array([[-1, 0]])}, {"K": 2}, {"sparser": in_turn + 1}):
        given = {"labels": labels, "K": 3, "pairs": pairs, "radius": radius, "sparser": in_turn} | wrong
        with pytest.raises(IndexError):
            at_boundaries(*given.values())
    with pytest.raises(ValueError, match="sizes"):
        spanning_tree(X).joining(np.ones(3), 0)


class Later:
    """A cancel that is set as soon as the work has begun."""

    def __init__(self):
        self.looks = 0

    def is_set(self):
        self.looks += 1
        return self.looks > 1


@pytest.mark.parametrize("p", [2.0, 3.0])
def test_a_search_for_neighbours_is_left_when_it_is_stopped(p):
    X = np.random.default_rng(0).normal(size=(6000, 600))
    with pytest.raises(Cancelled):
        selection.neighbourhoods(X, metric="minkowski", p=p, cancel=Later())
    with pytest.raises(Cancelled):
        selection.theta_grid(X, metric="minkowski", p=p, cancel=Later())


def test_of_what_takes_long_fewer_points_are_looked_at():
    assert affordable(5000, 2, 3.0) == 5000
    assert affordable(5000, 1000, 2.0) == 5000
    assert 100 < affordable(5000, 1000, 3.0) < affordable(5000, 1000, 1.0) < affordable(5000, 1000, np.inf) <= 5000
    X = np.random.default_rng(0).normal(size=(3000, 1000))
    assert len(selection.neighbourhoods(X, metric="minkowski", p=3.0).indices) == affordable(3000, 1000, 3.0)
    assert len(selection.neighbourhoods(X).indices) == 3000
