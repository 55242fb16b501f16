"""Points that arrive in pieces: whatever the pieces, the clusters are those of one pass over all rows in that order."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import naive
from tests.engine.test_directions import places, vectors
from tests.engine.test_equals_naive import blobs, lattice
from theta_app import TSG
from theta_app.engine import IncrementalTSG, tsg

METRICS = (
    {"metric": "euclidean"},
    {"metric": "manhattan"},
    {"metric": "chebyshev"},
    {"metric": "minkowski", "p": 3.0},
    {"metric": "haversine"},
    {"metric": "cosine"},
)


def drawn(seed):
    """(rng, how distances are measured, X, θ, where pieces end); some pieces are one row."""
    rng = np.random.default_rng(seed)
    n, options = int(rng.integers(2, 120)), METRICS[rng.integers(len(METRICS))]
    on_lattice = rng.uniform() < 0.5
    if options["metric"] == "haversine":
        X = places(rng, n, str(rng.choice(["lattice", "equator", "edges", "anywhere"])))
    elif options["metric"] == "cosine":
        X = vectors(rng, n, int(rng.choice([2, 3, 5, 20])), str(rng.choice(["lattice", "axes", "blobs"])))
    else:
        D = int(rng.choice([1, 2, 3, 4, 9, 30]))
        X = lattice(rng, n, D, int(rng.choice([2, 3, 9]))) if on_lattice else blobs(rng, n, D)
        X = X + float(rng.choice([0.0, 0.0, 1e6])) + np.arange(n)[:, None] * float(rng.choice([0.0, 0.5]))  # a drift
    name = options.get("p") or {"euclidean": 2.0, "manhattan": 1.0, "chebyshev": np.inf}.get(options["metric"])
    norm = name or options["metric"]
    i, j = rng.integers(n, size=2)
    U = naive.coordinates(X, norm)
    theta = naive.distance(U[i], U[j], norm) * float(rng.choice([1.0, 0.5, 0.1]))
    ends = np.unique(rng.integers(1, n, size=int(rng.integers(1, 12)))) if n > 1 else []
    return rng, options, X, theta, ends


def assert_one_pass(stream, labels, X, theta, options):
    expected = tsg(X, theta, **options)
    np.testing.assert_array_equal(labels, expected.labels)
    np.testing.assert_array_equal(stream.centroids, expected.centroids)
    np.testing.assert_array_equal(stream.sizes, expected.sizes)
    assert stream.n_points == len(X)


@settings(deadline=None, max_examples=150)
@given(seed=st.integers(0, 2**32 - 1))
def test_any_pieces_are_one_pass(seed):
    _, options, X, theta, ends = drawn(seed)
    stream = IncrementalTSG(theta, **options)
    labels = np.concatenate([stream.add(piece) for piece in np.split(X, ends)])
    assert_one_pass(stream, labels, X, theta, options)


@settings(deadline=None, max_examples=20)
@given(seed=st.integers(0, 2**32 - 1))
def test_row_by_row_is_one_pass(seed):
    _, options, X, theta, _ = drawn(seed)
    stream = IncrementalTSG(theta, **options)
    labels = np.concatenate([stream.add(row[None]) for row in X])
    assert_one_pass(stream, labels, X, theta, options)


@pytest.mark.parametrize("D", [2, 12])
def test_thousands_of_clusters_go_on(D):
    X = np.random.default_rng(D).normal(size=(4000, D)).cumsum(axis=0) * 0.01
    theta = 0.02 * D**0.5
    stream = IncrementalTSG(theta)
    labels = np.concatenate([stream.add(piece) for piece in np.array_split(X, 9)])
    assert stream.n_clusters > 200
    assert_one_pass(stream, labels, X, theta, {})


def test_very_large_and_very_small_values_arrive():
    for power in (2.0**700, 2.0**-700):
        X = blobs(np.random.default_rng(1), 60, 3) * power
        stream = IncrementalTSG(power)
        labels = np.concatenate([stream.add(piece) for piece in np.array_split(X, 4)])
        assert_one_pass(stream, labels, X, power, {})


def test_other_columns_than_before_are_refused():
    stream = IncrementalTSG(1.0)
    stream.add(np.zeros((3, 2)))
    with pytest.raises(ValueError, match="as many features as those before, got 3"):
        stream.add(np.zeros((3, 3)))
    with pytest.raises(ValueError, match="must be finite"):
        stream.add([[np.nan, 0.0]])
    assert stream.n_points == 3


@pytest.mark.parametrize("options", METRICS)
def test_partial_fit_in_pieces_is_fit(options):
    rng = np.random.default_rng(3)
    X = places(rng, 300, "edges") if options["metric"] == "haversine" else blobs(rng, 300, 2)
    theta = {"haversine": 150.0, "cosine": 0.01}.get(options["metric"], 0.5)
    whole, pieces, found = TSG(theta, **options).fit(X), TSG(theta, **options), []
    for piece in np.array_split(X, 11):
        found.append(pieces.partial_fit(piece).labels_)
    np.testing.assert_array_equal(np.concatenate(found), whole.labels_)
    np.testing.assert_array_equal(pieces.cluster_centers_, whole.cluster_centers_)
    np.testing.assert_array_equal(pieces.cluster_sizes_, whole.cluster_sizes_)
    assert pieces.n_clusters_ == whole.n_clusters_
    np.testing.assert_array_equal(pieces.predict(X), whole.predict(X))


def test_partial_fit_goes_on_from_fit_and_fit_begins_anew():
    X = blobs(np.random.default_rng(4), 200, 3)
    model = TSG(0.7).fit(X[:90]).partial_fit(X[90:])
    whole = TSG(0.7).fit(X)
    np.testing.assert_array_equal(model.cluster_centers_, whole.cluster_centers_)
    np.testing.assert_array_equal(model.labels_, whole.labels_[90:])
    np.testing.assert_array_equal(model.fit(X).cluster_sizes_, whole.cluster_sizes_)
