"""The answer as one value: groups by size, outliers apart, merges and names by row, and files that say the same."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.datasets import files
from theta_app import datasets, selection
from theta_app.clustering import OUTLIER, cluster, grouped, merge_anchors
from theta_app.datasets.drawn import encoded
from theta_app.engine import METRICS, Metric, TdgResult, nearest, tdg, tnc, tsg
from theta_app.marks import Marks
from theta_app.report import snippet

GRID = datasets.load(datasets.GridBlobs(side=3, spacing=6.0, per_cluster=60))
FAR = datasets.from_arrays("far", "Made by a test.", np.concatenate([GRID.X, [[500.0, 500.0], [501.0, 500.0]]]))


def same_partition(one, other) -> bool:
    pairs = set(zip(np.asarray(one).tolist(), np.asarray(other).tolist()))
    return len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs})


@pytest.mark.parametrize("algorithm", ["TSG", "TDG", "TNC"])
@pytest.mark.parametrize("theta", [0.7, 2.0, 100.0])
def test_groups_are_the_algorithms_own_numbered_by_size(algorithm, theta):
    found = cluster(FAR, algorithm, theta, 1.5 * theta, shuffles=8, seed=2)
    own = {"TSG": lambda: tsg(FAR.X, theta), "TDG": lambda: tdg(FAR.X, theta, 8, 2)}
    result = own.get(algorithm, lambda: tnc(FAR.X, theta, 1.5 * theta, 8, 2))()
    groups = found.groups
    assert same_partition(groups.labels, result.labels)
    assert (
        groups.sizes.tolist() == sorted(np.bincount(groups.labels), reverse=True) == np.bincount(groups.labels).tolist()
    )
    count = selection.count_outlier_chains if algorithm == "TNC" else selection.count_outlier_clusters
    assert found.n_clusters == len(groups.sizes) - count(groups.sizes)
    np.testing.assert_array_equal(found.labels, np.where(groups.labels < found.n_clusters, groups.labels, OUTLIER))
    np.testing.assert_array_equal(groups.owner[groups.parts], groups.labels)
    np.testing.assert_array_equal(groups.owner, np.sort(groups.owner))
    np.testing.assert_array_equal(groups.centroids, result.centroids[groups.order])
    assert found.sizes.sum() + found.outliers == len(FAR.X)


def test_outliers_are_in_no_cluster():
    found = cluster(FAR, "TDG", 4.0, shuffles=8)
    assert found.n_clusters == 9
    assert found.outliers == 2
    assert found.labels[-2:].tolist() == [OUTLIER, OUTLIER]
    assert found.table()["cluster"].tolist() == found.labels.tolist()
    assert found.centroid_table()["cluster"].tolist() == [*range(9), OUTLIER]
    assert found.settings()["outliers"] == 2


@given(
    st.lists(st.integers(0, 5), min_size=1, max_size=12),
    st.lists(st.lists(st.integers(0, 11), max_size=3), max_size=4),
)
def test_merged_groups_are_those_that_rows_hold_together(labels, merges):
    """Against the obvious way: join pairs until nothing changes."""
    codes = np.unique(labels, return_inverse=True)[1]
    k = int(codes.max()) + 1
    result = TdgResult(codes, np.arange(k, dtype=float)[:, None], np.bincount(codes), np.array([k]))
    merges = [[row for row in rows if row < len(labels)] for rows in merges]
    expected = codes.tolist()
    for rows in merges:
        for row in rows[1:]:
            a, b = expected[rows[0]], expected[row]
            expected = [a if label == b else label for label in expected]
    found = grouped(result, merges=merges)
    assert same_partition(found.labels, expected)
    assert found.merged == k - len(set(expected))


def test_names_and_merges_are_tied_to_rows_also_to_those_it_was_not_computed_on():
    few = selection.sample_of(GRID, 100)
    outside = np.setdiff1d(np.arange(len(GRID.X)), few.rows)
    one, other = (int(outside[GRID.truth[outside] == k][0]) + 1 for k in (0, 8))  # row numbers count from 1
    marks = Marks(((one, "left"), (other, "right"), (99_999, "nobody")), ((one, "#123456"),), ((one, other),))
    found = cluster(GRID, "TDG", 3.0, shuffles=8, marks=marks, computed_on=100)
    apart = cluster(GRID, "TDG", 3.0, shuffles=8, computed_on=100)
    assert (found.n_clusters, found.groups.merged) == (apart.n_clusters - 1, 1)
    assert found.labels[one - 1] == found.labels[other - 1] == 0
    assert found.names == {0: "left + right"}
    assert found.colours[0] == "#123456"
    assert len(found.labels) == len(GRID.X)
    near = nearest(GRID.X[outside], found.groups.centroids)
    np.testing.assert_array_equal(found.labels[outside], found.groups.owner[near])
    np.testing.assert_array_equal(found.labels[few.rows], found.groups.labels)


def test_another_data_set_goes_to_the_nearest_centroid():
    found = cluster(FAR, "TNC", 1.0, 2.2, shuffles=8)
    labels, distances = found.predict(FAR)
    near = nearest(FAR.X, found.groups.centroids)
    groups = found.groups.owner[near]
    np.testing.assert_array_equal(labels, np.where(groups < found.n_clusters, groups, OUTLIER))
    np.testing.assert_allclose(distances, np.linalg.norm(FAR.X - found.groups.centroids[near], axis=1))


def test_centroids_are_in_the_units_of_the_file():
    wine = datasets.prepare(datasets.load(datasets.RealData("wine")), datasets.Preparation(scaling="standard"))
    found = cluster(wine, "TDG", 3.0, shuffles=8)
    table = found.centroid_table()
    rows = found.table()
    clusters = rows[rows["cluster"] >= 0].groupby("cluster")[list(wine.features)].mean()
    np.testing.assert_allclose(table[table["cluster"] >= 0][list(wine.features)], clusters)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("algorithm", ["TSG", "TDG", "TNC"])
def test_the_snippet_gives_the_labels(algorithm, metric):
    chosen = datasets.Preparation(scaling="standard", metric=Metric.of(metric, 3.0))
    data = datasets.prepare(GRID, chosen)
    data = datasets.only_rows(data, datasets.RowSet.of(range(1, 500)))
    marks = Marks(((5, 'it\'s "a"'),), (), ((1, 400),))
    found = cluster(data, algorithm, 0.35, shuffles=6, seed=3, marks=marks, computed_on=300)
    again = executed(snippet(found))
    np.testing.assert_array_equal(again.labels, found.labels)
    assert again.settings() == found.settings()
    pd.testing.assert_frame_equal(again.table(), found.table())


@pytest.mark.parametrize("algorithm", ["TSG", "TDG", "TNC"])
def test_places_are_exported_in_degrees_and_measured_in_kilometres(algorithm, tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    towns = np.array([[-17.7, 178.0], [-16.5, -179.9], [-13.8, -171.8]])  # on both sides of the date line
    X = np.repeat(towns, 60, axis=0) + rng.normal(scale=0.1, size=(180, 2))
    X[:, 1] = (X[:, 1] + 180.0) % 360.0 - 180.0
    frame = pd.DataFrame(X, columns=["latitude", "longitude"]).assign(name="somewhere")
    (tmp_path / "towns.csv").write_bytes(frame.to_csv(index=False).encode())
    read = datasets.parse_upload("towns.csv", (tmp_path / "towns.csv").read_bytes())
    data = datasets.prepare(read, datasets.recommended(read))
    found = cluster(data, algorithm, 60.0, 90.0, shuffles=8)
    assert found.n_clusters == 3
    centres = found.centroid_table()
    if algorithm != "TNC":
        for town in towns:
            far = data.metric.between(centres[["latitude", "longitude"]].to_numpy()[:3], town)
            assert far.min() < 5.0, "kilometres"
    labels, distances = found.predict(datasets.prepare_like(data, read))
    np.testing.assert_array_equal(labels, found.labels)
    assert distances.max() < 100.0
    monkeypatch.chdir(tmp_path)
    again = executed(snippet(found))
    np.testing.assert_array_equal(again.labels, found.labels)
    assert again.settings() == found.settings()
    assert json.loads(json.dumps(found.settings()))["preparation"]["metric"] == "haversine"


@pytest.mark.parametrize("algorithm", ["TSG", "TDG"])
def test_the_largest_clusters_that_are_kept_are_numbered_by_their_new_sizes(algorithm):
    whole = cluster(GRID, algorithm, 2.0, shuffles=6)
    kept = cluster(GRID, algorithm, 2.0, shuffles=6, keep=4, marks=Marks(((1, "first"),), (), ((1, 400),)))
    result = tsg(GRID.X, 2.0) if algorithm == "TSG" else tdg(GRID.X, 2.0, 6)
    expected = selection.keep_largest(GRID.X, result, 4)
    assert kept.n_clusters == 4 < whole.n_clusters
    assert kept.outliers == 0
    assert kept.sizes.tolist() == sorted(expected.sizes.tolist(), reverse=True) == np.bincount(kept.labels).tolist()
    pairs = set(zip(kept.labels.tolist(), expected.labels.tolist()))
    assert len(pairs) == 4
    np.testing.assert_array_equal(executed(snippet(kept)).labels, kept.labels)
    assert kept.names == {int(kept.labels[0]): "first"}


def test_chains_have_no_largest_to_keep():
    with pytest.raises(ValueError, match="chains without a centre"):
        cluster(GRID, "TNC", 1.0, keep=2)


HERE = [key for key, spec in datasets.CATALOGUE.items() if not isinstance(spec, datasets.Original)]


@pytest.mark.parametrize("key", HERE)
def test_the_snippet_loads_every_set_of_the_gallery(key):
    data = datasets.load(datasets.CATALOGUE[key])
    found = cluster(data, "TSG", 1e300, computed_on=50)
    assert executed(snippet(found)).data.digest == data.digest


def test_the_snippet_of_a_file_reads_it(tmp_path, monkeypatch):
    content = pd.DataFrame(GRID.X, columns=["a", "b"]).assign(note="free text").to_csv(index=False).encode()
    (tmp_path / "it's.csv").write_bytes(content)
    monkeypatch.chdir(tmp_path)
    found = cluster(datasets.parse_upload("it's.csv", content), "TDG", 3.0, shuffles=6)
    np.testing.assert_array_equal(executed(snippet(found)).labels, found.labels)


@pytest.mark.parametrize("name", ["a.csv", f"{'long name ' * 20}.csv", "<script>`|a.csv", "ünïcode \u202e.csv"])
def test_the_snippet_looks_for_the_file_by_its_whole_name(name, tmp_path, monkeypatch):
    content = pd.DataFrame(GRID.X, columns=["a", "b"]).to_csv(index=False).encode()
    data = datasets.prepare(datasets.parse_upload(name, content), datasets.Preparation(scaling="standard"))
    assert len(data.name) <= 80
    own = datasets.uploads.plain_name(name)  # without what cannot be printed
    (tmp_path / own).write_bytes(content)
    monkeypatch.chdir(tmp_path)
    found = cluster(datasets.only_rows(data, datasets.RowSet.of(range(2, 400))), "TSG", 0.5)
    np.testing.assert_array_equal(executed(snippet(found)).labels, found.labels)


def test_the_snippet_reads_the_same_sheet_from_the_same_row(tmp_path, monkeypatch):
    rows = [("a title", None), ("x", "y"), *GRID.X.tolist()]
    content = files.xlsx([("x", "y"), (1.0, 2.0), (3.0, 4.0)], {"it's the other": rows})
    (tmp_path / "book.xlsx").write_bytes(content)
    monkeypatch.chdir(tmp_path)
    data = datasets.parse_upload("book.xlsx", content, sheet="it's the other", header=2)
    data = replace(data, spec=datasets.Upload("0" * 64, "it's the other", "2"))
    found = cluster(data, "TSG", 3.0)
    np.testing.assert_array_equal(executed(snippet(found)).labels, found.labels)


def test_the_snippet_of_a_drawing_and_of_a_file_on_the_server(tmp_path, monkeypatch):
    drawn = datasets.Drawn(encoded([(1.0, 2.0), (1.5, 2.0), (9.0, 8.0)]))
    pd.DataFrame(GRID.X, columns=["a", "b"]).to_parquet(tmp_path / "points.parquet")
    monkeypatch.setenv("THETA_DATA", str(tmp_path))
    for spec in (drawn, datasets.Served("points.parquet")):
        found = cluster(datasets.load(spec), "TDG", 3.0, shuffles=4)
        np.testing.assert_array_equal(executed(snippet(found)).labels, found.labels)


def executed(code: str):
    names: dict = {}
    exec(compile(code, "snippet", "exec"), names)
    np.testing.assert_array_equal(names["labels"], names["clustering"].labels)
    return names["clustering"]


def test_settings_are_json_and_say_what_must_come_out():
    found = cluster(GRID, "TNC", 1.0, 2.0, shuffles=6, marks=Marks(((3, "a"),)))
    read = json.loads(json.dumps(found.settings()))
    assert (read["n_clusters"], read["sizes"]) == (found.n_clusters, found.sizes.tolist())
    assert read["names"] == {str(k): name for k, name in found.names.items()}
    assert read["settings"]["epsilon"] == 2.0
    assert datasets.spec_from_query(read["data"]) == GRID.spec


def test_arrays_and_frames_are_taken_as_they_are():
    frame = pd.DataFrame(GRID.X, columns=["length", "width"])
    one, other = cluster(frame, theta=3.0, shuffles=6), cluster(GRID.X, theta=3.0, shuffles=6)
    np.testing.assert_array_equal(one.labels, other.labels)
    assert one.data.features == ("length", "width")
    with pytest.raises(ValueError, match="algorithm must be one of"):
        cluster(GRID.X, "k-means", 1.0)


def test_merges_of_rows_that_are_not_there_are_left_out():
    points = selection.sample_of(GRID)
    assert merge_anchors([(1, 10**6), (2, 3)], GRID, points) == ((1, 2),)
