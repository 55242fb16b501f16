"""Points in a space: PCA, a neighbour map, an autoencoder and a map; what the columns say stays in their units."""

import threading
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_digits
from sklearn.metrics import adjusted_rand_score

pytest.importorskip("umap")

from theta_app import NeighbourMap, datasets, profiles, spaces, workers
from theta_app.clustering import cluster
from theta_app.deep import Strokes
from theta_app.engine import EUCLIDEAN, METRICS, Cancelled
from theta_app.report import notebook, profile
from theta_app.report.content import Report
from theta_app.report.snippet import snippet


def table(seed=0, n=240):
    """A file with three kinds of rows in six columns, some gaps and a text."""
    rng = np.random.default_rng(seed)
    kind = rng.integers(3, size=n)
    frame = pd.DataFrame(np.eye(3, 6)[kind] * 40 + rng.normal(100, 3, size=(n, 6)), columns=list("abcdef"))
    frame.loc[5, "a"] = np.nan
    return frame.assign(kind=np.array(["x", "y", "z"])[kind])


def data(space="map", **choices):
    file = datasets.parse_upload("rows.csv", table().to_csv(index=False).encode())
    chosen = {"scaling": "standard", "truth": "kind", "columns": tuple("abcdef"), **choices}
    return datasets.prepare(file, datasets.Preparation(space=space, **chosen))


@pytest.fixture(scope="module")
def mapped():
    return spaces.in_space(data())


def test_the_columns_are_kept_beside_the_map(mapped):
    columns = data(space="columns")
    assert spaces.in_space(columns) is columns
    assert mapped.X.shape == (239, 5)
    assert mapped.coordinates == ("map 1", "map 2", "map 3", "map 4", "map 5")
    assert mapped.features == tuple("abcdef")
    np.testing.assert_array_equal(mapped.in_columns, columns.X)
    np.testing.assert_array_equal(profiles.original_values(mapped), profiles.original_values(columns))
    assert mapped.unit == "units of the neighbour map"
    assert not mapped.X.flags.writeable
    assert mapped.digest != columns.digest


def test_clusters_of_the_map_have_profiles_and_centroids_in_the_units_of_the_file(mapped):
    found = cluster(mapped, "TDG", theta=3.0)
    assert adjusted_rand_score(mapped.truth, found.labels) == 1.0
    frame = table().drop(index=5).reset_index(drop=True)
    means = frame.groupby(found.labels)[list("abcdef")].mean()
    np.testing.assert_allclose(profile(found)[list("abcdef")], means)
    centroids = found.centroid_table()
    np.testing.assert_allclose(centroids.groupby("cluster")[list("abcdef")].mean(), means)
    np.testing.assert_allclose(centroids[list(mapped.coordinates)], found.groups.centroids)
    assert found.settings()["preparation"]["space"] == "map"


def test_another_file_is_placed_without_refitting(mapped):
    found = cluster(mapped, "TDG", theta=3.0)
    same = datasets.prepare_like(mapped, datasets.parse_upload("same.csv", table().to_csv(index=False).encode()))
    np.testing.assert_array_equal(same.X, mapped.X)
    np.testing.assert_array_equal(found.predict(same)[0], found.labels)
    later = datasets.prepare_like(mapped, datasets.parse_upload("later.csv", table(1).to_csv(index=False).encode()))
    assert later.X.shape == (239, 5)
    np.testing.assert_allclose(profiles.original_values(later)[:, 0], table(1)["a"].drop(index=5))
    assert adjusted_rand_score(later.truth, found.predict(later)[0]) == 1.0


def test_a_part_of_the_rows_stays_where_it_lies_in_the_map_of_all(mapped):
    part = datasets.only_rows(mapped, datasets.RowSet.of(range(10, 60)))
    at = np.isin(mapped.numbers, part.numbers)
    np.testing.assert_array_equal(part.X, mapped.X[at])
    np.testing.assert_array_equal(part.in_columns, mapped.in_columns[at])


def test_pca_keeps_the_main_directions_and_the_metric():
    flat = spaces.in_space(data("pca", components=2, metric="manhattan"))
    centred = flat.in_columns - flat.in_columns.mean(axis=0)
    axes = np.linalg.svd(centred, full_matrices=False)[2][:2]
    np.testing.assert_allclose(np.abs(flat.X), np.abs(centred @ axes.T), atol=1e-9)
    assert flat.metric.name == "manhattan"
    assert flat.coordinates == ("direction 1", "direction 2")
    with pytest.raises(ValueError, match="at most 6 directions"):
        spaces.in_space(data("pca", components=7))


def test_in_a_map_distances_are_straight_whatever_finds_the_neighbours():
    by_blocks = spaces.in_space(data(metric="manhattan"))
    assert by_blocks.metric == EUCLIDEAN
    assert not np.array_equal(by_blocks.X, spaces.in_space(data()).X)


def test_preparing_anew_goes_back_to_the_columns(mapped):
    assert datasets.prepare(mapped, replace(mapped.preparation, space="columns")).prepared is None
    np.testing.assert_array_equal(spaces.in_space(datasets.prepare(mapped, mapped.preparation)).X, mapped.X)


def test_a_process_of_its_own_gives_the_same_map_counts_its_steps_and_can_be_stopped(mapped):
    told = []
    assert np.array_equal(spaces.fit_apart(data(), lambda *steps: told.append(steps)).X, mapped.X)
    assert told[-1][1] == 500
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(Cancelled):
        spaces.fit_apart(data(), cancel=cancel)


def test_what_fails_is_a_sentence(monkeypatch):
    small = datasets.from_arrays("few", "Few.", np.random.default_rng(0).normal(size=(9, 4)))
    with pytest.raises(ValueError, match="more than 15 different rows, and there are 9"):
        spaces.fit_apart(datasets.prepare(small, datasets.Preparation(space="map")))

    class Killed(workers.Worker):
        def __init__(self, *args, **options):
            super().__init__(*args, **options)
            self.process.kill()

    monkeypatch.setattr(workers, "Worker", Killed)
    with pytest.raises(ValueError, match="it may need more memory"):
        spaces.fit_apart(data())


def test_images_go_through_an_autoencoder_first():
    digits = datasets.load(datasets.RealData("digits"))
    few = datasets.only_rows(digits, datasets.RowSet.of(digits.numbers[:150]))
    few = replace(few, preparation=datasets.Preparation(space="images"))
    fitted = spaces.fit(few.X, "images", 3, image=(8, 8))
    assert fitted.X.shape == (150, 3)
    np.testing.assert_allclose(fitted.transform(few.X[:9]), fitted.X[:9], atol=1e-3)


def test_images_can_be_described_by_their_strokes_before_the_map():
    images = load_digits().data[:150]
    fitted = spaces.fit(images, "strokes", 3, METRICS["manhattan"], image=(8, 8))
    strokes = Strokes((8, 8)).fit_transform(images)
    np.testing.assert_array_equal(fitted.X, NeighbourMap(3, random_state=0).fit_transform(strokes))
    np.testing.assert_array_equal(fitted.transform(images[:9]), fitted.X[:9])
    with pytest.raises(ValueError, match="Only images have strokes"):
        spaces.fit(images, "strokes", 3)


def test_code_and_link_bring_the_space_back(mapped):
    found = cluster(mapped, "TDG", theta=3.0)
    lines = snippet(found)
    assert "space='map'" in lines
    assert "space='map'" in notebook(Report(found))
    query = datasets.preparation_to_query(mapped.preparation)
    assert (query["space"], query["components"]) == ("map", "5")
    assert datasets.preparation_from_query(query) == mapped.preparation


@pytest.mark.parametrize("query", [{"space": "moon"}, {"space": "map", "components": "0"}, {"components": "many"}])
def test_a_broken_link_is_a_sentence(query):
    with pytest.raises(ValueError, match=r"space must be|number of coordinates"):
        datasets.preparation_from_query(query)
