"""Sweeps, ranges and verdicts in other norms."""

import numpy as np
import pytest

from theta_app import selection
from theta_app.engine import tdg
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
