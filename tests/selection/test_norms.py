"""Sweeps, ranges and verdicts in other norms."""

import numpy as np
import pytest

from theta_app import selection
from theta_app.engine import Metric, tdg
from theta_app.selection.valleys import neighbourhoods

NORMS = [{"metric": "manhattan"}, {"metric": "chebyshev"}, *({"metric": "minkowski", "p": p} for p in (3.0, 1000.0))]


def blobs(D, spread=0.5):
    rng = np.random.default_rng(D)
    centres = rng.uniform(-30, 30, size=(6, D))
    return np.repeat(centres, 40, axis=0) + rng.normal(scale=spread, size=(240, D))


@pytest.mark.parametrize("options", NORMS)
def test_a_row_of_a_sweep_is_tdg_in_that_norm(options):
    X = blobs(3)
    frame = selection.sweep(X, [0.5, 4.0, 20.0], 8, **options)
    for row in frame.itertuples():
        assert row.n_clusters == len(tdg(X, row.theta, 8, **options).sizes)
    other = selection.sweep(X, [0.5, 4.0, 20.0], 8)
    assert (frame["silhouette"] != other["silhouette"]).any()


@pytest.mark.parametrize("D", [2, 9])
@pytest.mark.parametrize("options", NORMS)
def test_clusters_that_are_apart_are_found_in_any_norm(D, options):
    X = blobs(D)
    best = selection.recommend(X, 10, **options)
    assert (best.n_clusters, best.stands_out) == (6, True)
    for theta in (best.theta_low, best.theta_high):
        sizes = tdg(X, theta, 10, **options).sizes
        assert len(sizes) - selection.count_outlier_clusters(sizes) == 6
    assert selection.verdict(X, 10, **options).n_clusters == 6
    suggested = selection.suggest(X, 10, **options)
    assert suggested.n_chains == 6


def test_the_axis_is_in_the_units_of_the_norm():
    X = blobs(4)
    ends = {name: selection.theta_grid(X, metric=name)[-1] for name in ("chebyshev", "euclidean", "manhattan")}
    assert ends["chebyshev"] < ends["euclidean"] < ends["manhattan"]
    gaps = np.abs(X[:, None] - X[None])
    assert ends["manhattan"] == pytest.approx(gaps.sum(axis=2).max(), rel=0.2)
    assert ends["chebyshev"] == pytest.approx(gaps.max(axis=2).max(), rel=0.2)


@pytest.mark.parametrize("D", [2, 12])
def test_neighbours_are_the_nearest_in_the_norm(D):
    X = np.random.default_rng(0).normal(size=(120, D))
    near = neighbourhoods(X, metric="manhattan")
    gaps = np.sort(np.abs(X[:, None] - X[None]).sum(axis=2), axis=1)
    np.testing.assert_allclose(near.radius, gaps[:, 10])


def directed(metric):
    """Six clusters, three of them around the date line or a pole; or six directions of many columns."""
    rng = np.random.default_rng(7)
    if metric == "cosine":
        return (np.repeat(rng.normal(size=(6, 8)), 40, axis=0) + 0.1 * rng.normal(size=(240, 8))) * rng.uniform(
            0.1, 9.0, size=(240, 1)
        )
    towns = np.array([[-17.0, 179.9], [-30.0, -178.0], [89.0, 10.0], [50.0, 8.0], [52.0, 30.0], [0.0, -60.0]])
    X = np.repeat(towns, 40, axis=0) + rng.normal(scale=0.4, size=(240, 2))
    X[:, 1] = (X[:, 1] + 180.0) % 360.0 - 180.0
    return X


@pytest.mark.parametrize("metric", ["haversine", "cosine"])
def test_sweeps_and_verdicts_follow_directions(metric):
    X = directed(metric)
    thetas = [100.0, 600.0, 4000.0] if metric == "haversine" else [0.005, 0.1, 0.6]
    frame = selection.sweep(X, thetas, 6, metric=metric)
    for row in frame.itertuples():
        assert row.n_clusters == len(tdg(X, row.theta, 6, metric=metric).sizes)
    best = selection.recommend(X, 10, metric=metric)
    assert (best.n_clusters, best.stands_out) == (6, True)
    found = selection.verdict(X, 10, metric=metric, space="features")
    assert found.n_clusters == 6
    assert selection.suggest(X, 10, metric=metric).n_chains == 6
    kept = selection.keep_largest(X, tdg(X, found.theta, 10, metric=metric), 4)
    assert len(kept.sizes) == 4


def test_a_verdict_on_another_body_is_the_same_scaled():
    X = directed("haversine")
    earth, moon = (selection.verdict(X, 10, metric="haversine", radius=radius) for radius in (6371.0088, 1737.4))
    assert moon.n_clusters == earth.n_clusters
    assert moon.theta == pytest.approx(earth.theta * 1737.4 / 6371.0088, rel=0.2)


def test_what_cannot_follow_a_direction_says_so():
    from theta_app.distributed import parts

    with pytest.raises(ValueError, match="'haversine' is not available for data in parts"):
        parts.with_means(Metric.of("haversine"))
