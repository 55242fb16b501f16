"""Sets made from a few numbers."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from theta_app import datasets
from theta_app.datasets import CATALOGUE, SHAPES, load
from theta_app.datasets.generated import GENERATED, MAX_VALUES
from theta_app.engine import tsg

EVERY = pytest.mark.parametrize("spec_type", GENERATED, ids=lambda t: t.__name__)


@EVERY
def test_every_generated_set_has_finite_points_with_truth(spec_type):
    spec = spec_type()
    data = load(spec)
    assert data.X.shape == spec.shape()
    assert np.isfinite(data.X).all()
    assert data.X.dtype == np.float64
    assert not data.X.flags.writeable
    assert data.truth.shape == (len(data.X),)
    assert sorted(set(data.truth)) == list(range(len(data.truth_names)))
    assert list(data.table.columns) == [*data.features, "cluster"]
    assert np.array_equal(data.table[list(data.features)].to_numpy(), data.X)


@EVERY
def test_the_same_value_makes_the_same_points_and_another_seed_others(spec_type):
    assert load(spec_type()).digest == load(spec_type()).digest
    assert load(dataclasses.replace(spec_type(), seed=1)).digest != load(spec_type()).digest


@EVERY
def test_the_smallest_allowed_numbers_still_make_a_set(spec_type):
    smallest = spec_type(**{p.name: p.low for p in spec_type.parameters()})
    assert np.isfinite(load(smallest).X).all()


@EVERY
def test_a_number_beyond_its_limit_is_refused_with_its_name(spec_type):
    for parameter in spec_type.parameters():
        for wrong in (parameter.high * 2 + 1, parameter.low - 1, float("nan"), "many"):
            with pytest.raises(ValueError, match="must be"):
                spec_type(**{parameter.name: wrong})


def test_more_values_than_a_server_should_draw_are_refused_before_drawing():
    with pytest.raises(ValueError, match=f"{MAX_VALUES:,}"):
        datasets.RandomBlobs(clusters=1000, dimensions=1000, per_cluster=1000)


def test_five_and_five_point_zero_are_the_same_key():
    assert hash(datasets.GridBlobs(side=5.0, spacing=8)) == hash(datasets.GridBlobs(side=5, spacing=8.0))
    with pytest.raises(ValueError, match="whole number"):
        datasets.GridBlobs(side=5.5)


def test_grid_blobs_sit_on_the_grid():
    data = load(datasets.GridBlobs(side=3, spacing=11, per_cluster=400, sd=0.5))
    means = np.array([data.X[data.truth == k].mean(axis=0) for k in range(9)])
    assert np.allclose(means, [(11 * x, 11 * y) for y in range(3) for x in range(3)], atol=0.15)
    assert data.X[data.truth == 4].std() == pytest.approx(0.5, rel=0.1)


def test_the_line_of_clusters_steps_in_every_coordinate():
    data = load(datasets.LineClusters(clusters=4, dimensions=30, per_cluster=500))
    means = np.array([data.X[data.truth == k].mean() for k in range(4)])
    assert np.allclose(np.diff(means), 1.6, atol=0.05)


def test_imbalanced_sizes_run_from_the_largest_to_the_smallest():
    sizes = np.bincount(load(datasets.Imbalanced(largest=500, smallest=5)).truth)
    assert (sizes[0], sizes[-1]) == (500, 5)
    assert (np.diff(sizes) < 0).all()


def closest(data):
    left, right = data.X[data.truth == 0], data.X[data.truth == 1]
    return np.sqrt(((left[:, None] - right[None]) ** 2).sum(axis=2).min())


@settings(max_examples=20, deadline=None)
@given(theta=st.floats(0.1, 100), gap=st.floats(1.01, 5), seed=st.integers(0, 10**6))
def test_the_sparse_pair_is_sparse_at_its_theta_and_no_order_matters(theta, gap, seed):
    data = load(datasets.SparsePair(theta=theta, gap=gap, per_cluster=40, seed=seed))
    assert closest(data) == pytest.approx(gap * theta)
    order = np.random.default_rng(seed).permutation(len(data.X))
    labels = tsg(data.X, theta, order).labels
    assert len(set(zip(labels, data.truth))) == 2


@settings(max_examples=20, deadline=None)
@given(theta=st.floats(0.1, 100), gap=st.floats(0, 0.99), seed=st.integers(0, 10**6))
def test_the_dense_pair_is_dense_at_its_theta(theta, gap, seed):
    data = load(datasets.DensePair(theta=theta, gap=gap, per_cluster=40, seed=seed))
    assert closest(data) < theta


@pytest.mark.parametrize("spec", CATALOGUE.under(SHAPES), ids=lambda spec: spec.key)
def test_shapes_hang_together_and_apart_from_each_other(spec):
    """Single linkage finds them: within a shape the steps are smaller than the way to the next shape."""
    from scipy.cluster.hierarchy import fcluster, linkage

    data = load(spec)
    labels = fcluster(linkage(data.X, "single"), len(data.truth_names), "maxclust")
    agree = len(set(zip(labels, data.truth)))
    assert agree == len(data.truth_names)
