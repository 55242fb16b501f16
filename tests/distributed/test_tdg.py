"""TDG over Dask: by shuffle it is the engine's, by part it is close to it."""

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest

from tests.distributed.conftest import written
from tests.shared_data import points
from theta_app import engine, selection
from theta_app.distributed import BY_PART, BY_SHUFFLE, Found, nearest, parts, sweep, tdg, tsg_parts
from theta_app.distributed.algorithms import way_for
from theta_app.metrics import ari


def computed(array, client):
    return client.compute(array).result()


@pytest.mark.parametrize("options", [{}, {"metric": "manhattan"}, {"metric": "minkowski", "p": 3}])
def test_by_shuffle_gives_the_labels_of_the_engine(here, options):
    X = np.random.default_rng(0).normal(size=(900, 3))
    expected = engine.tdg(X, 1.3, 8, seed=4, **options)
    found = tdg(da.from_array(X, chunks=(250, 2)), 1.3, 8, seed=4, client=here, way=BY_SHUFFLE, **options)
    assert found.way == BY_SHUFFLE
    assert found.labels.chunks == ((250, 250, 250, 150),)
    assert computed(found.labels, here).tolist() == expected.labels.tolist()
    assert found.sizes.tolist() == expected.sizes.tolist()
    assert found.run_counts.tolist() == expected.run_counts.tolist()
    assert np.allclose(found.centroids, expected.centroids)


def test_what_fits_a_worker_goes_by_shuffle_and_what_does_not_by_part(here, hard):
    assert tdg(da.from_array(hard, chunks=(2500, 2)), 3.6, 2, client=here).way == BY_SHUFFLE
    assert way_for((10**12, 2), here) == BY_PART


@pytest.mark.parametrize("order", ["random", "sorted"])
@pytest.mark.parametrize("n_parts", [2, 64])
def test_by_part_is_close_to_tdg_on_the_hard_case(here, hard, order, n_parts):
    X = hard if order == "random" else hard[np.lexsort(hard.T[::-1])]
    assert _agrees(X, 3.6, n_parts, here) >= 0.98


def test_by_part_points_far_outside_are_no_clusters(here):
    rng = np.random.default_rng(0)
    centres = 7.5 * np.stack(np.divmod(np.arange(25), 5), axis=1)
    X = centres[rng.integers(25, size=50_000)] + rng.normal(size=(50_000, 2))  # some are farther than θ from any centre
    assert _agrees(X[np.argsort(X[:, 0])], 4.0, 8, here) >= 0.98


@pytest.mark.parametrize("order", ["random", "sorted"])
def test_by_part_is_close_to_tdg_on_s1(here, order):
    X = points("s-sets/s1")[0]
    X = X[np.random.default_rng(0).permutation(len(X))] if order == "random" else X[np.argsort(X[:, 0])]
    assert _agrees(X, 130_000.0, 8, here) >= 0.98


def _agrees(X, theta, n_parts, client):
    found = tdg(da.from_array(X, chunks=(-(-len(X) // n_parts), 2)), theta, 20, client=client, way=BY_PART)
    labels = computed(found.labels, client)
    assert found.way == BY_PART
    assert found.sizes.tolist() == np.bincount(labels).tolist()
    means = np.stack([X[labels == k].mean(axis=0) for k in range(found.n_clusters)])
    assert np.allclose(found.centroids, means)
    return ari(engine.tdg(X, theta, 50).labels, labels)


def test_a_part_is_grouped_finer_where_that_says_much_in_few_centroids(hard):
    assert parts.fineness(hard, 3.6) == 5
    many_features = np.random.default_rng(0).normal(size=(5000, 50))
    assert parts.fineness(many_features, 9.0) == 1
    assert parts.fineness(many_features[:500], 9.0) == 5  # a small part: there is little to send


def test_parts_tell_how_many_points_centroids_stand_for(here, hard):
    found = tsg_parts(da.from_array(hard, chunks=(4000, 2)), 3.6, 3, client=here)
    assert [type(one) for one in found] == [Found] * 3
    for one, rows in zip(found, (4000, 4000, 2000)):
        assert [one.run(i)[1].sum() for i in range(3)] == [rows] * 3
    together = parts.joined(found, 3.6)
    assert [together.run(i)[1].sum() for i in range(3)] == [10_000] * 3
    assert len(together.counts) < sum(len(one.counts) for one in found)


def test_parts_may_be_empty_and_points_may_be_one(here):
    X = da.concatenate([da.zeros((0, 2)), da.ones((3, 2), chunks=(2, 2))])
    for way in (BY_SHUFFLE, BY_PART):
        found = tdg(X, 0.0, 2, client=here, way=way)
        assert computed(found.labels, here).tolist() == [0, 0, 0]
        assert found.centroids.tolist() == [[1.0, 1.0]]


def test_it_says_where_a_value_is_missing(here):
    X = da.from_array(np.array([[0.0, 1.0], [np.nan, 1.0]]), chunks=(1, 2))
    for way in (BY_SHUFFLE, BY_PART):
        with pytest.raises(ValueError, match="must be finite"):
            tdg(X, 1.0, 2, client=here, way=way)


def test_tables_and_files_will_do(here, hard, tmp_path):
    expected = engine.tdg(hard, 3.6, 5).labels.tolist()
    frame = pd.DataFrame(hard, columns=["x", "y"]).assign(name="text", far=1e9 * hard[:, 0])
    table = dd.from_pandas(frame, npartitions=3)
    assert computed(tdg(table, 3.6, 5, client=here, columns=["x", "y"]).labels, here).tolist() == expected
    path = written(tmp_path / "points.parquet", hard, row_group_size=3000)
    assert computed(tdg(path, 3.6, 5, client=here).labels, here).tolist() == expected


def test_without_a_client_threads_of_this_process_do(hard):
    assert tdg(hard, 3.6, 3).labels.compute().tolist() == engine.tdg(hard, 3.6, 3).labels.tolist()


def test_nearest_is_the_engines(here, hard):
    centroids = hard[:50]
    found = nearest(da.from_array(hard, chunks=(3000, 2)), centroids, metric="chebyshev")
    assert found.compute(scheduler="sync").tolist() == engine.nearest(hard, centroids, metric="chebyshev").tolist()


def test_a_sweep_gives_the_frame_of_selection(here, hard):
    X, thetas = da.from_array(hard, chunks=(2500, 2)), [3.6, 6.0]
    expected = selection.sweep(hard, thetas, 10)
    exact = sweep(X, thetas, 10, client=here, way=BY_SHUFFLE)
    assert exact.columns.tolist() == list(selection.SWEEP_COLUMNS)
    for name in ("theta", "n_clusters", "runs_median", "agreement", "outliers", "shuffles"):
        assert exact[name].tolist() == expected[name].tolist()
    assert np.allclose(exact["silhouette"], expected["silhouette"], atol=0.02)
    assert exact.attrs["sample"] == 10_000
    near = sweep(X, thetas, 10, client=here, way=BY_PART)
    assert abs(near["n_clusters"] - expected["n_clusters"]).max() <= 5
    assert near["separate"].tolist() == expected["separate"].tolist()


def test_a_cluster_is_an_executor_for_selection(here):
    X = np.random.default_rng(0).normal(size=(500, 2))
    executor = here.get_executor(pure=False)
    there = selection.sweep(X, [0.5, 1.0, 2.0], 8, executor=executor)
    pd.testing.assert_frame_equal(there, selection.sweep(X, [0.5, 1.0, 2.0], 8))
