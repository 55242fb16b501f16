"""How clusterings are shown: axes, merges, colours, and what a tooltip says."""

import base64
from dataclasses import replace

import numpy as np
import pytest

from tests.ui.helpers import by_size
from tests.ui.test_timeline import read
from theta_app import datasets
from theta_app.marks import Marks
from theta_app.ui import loading, sweeps
from theta_app.ui.session import Settings
from theta_app.ui.timeline import Axis, Frame, Picture, Texts, look, of_theta, pack
from theta_app.ui.timeline.beside import beside, shade_of_classes, shade_of_numbers

WINE = datasets.prepare(datasets.load(datasets.RealData("wine")), datasets.Preparation(scaling="standard"))
GRID = datasets.load(datasets.GridBlobs(side=3, spacing=8.0, per_cluster=30))


def test_two_features_are_drawn_in_the_units_of_the_file_with_scales_of_their_own():
    points = loading.sample(WINE)
    found = look.look_of(points, Settings(projection="none", across="proline", up="hue"), WINE)
    np.testing.assert_array_equal(found.positions, WINE.table[["proline", "hue"]].to_numpy())
    assert found.stretch
    assert "across: proline" in found.caption
    unknown = look.look_of(points, Settings(projection="none", across="gone"), WINE)
    np.testing.assert_array_equal(unknown.positions, WINE.table[list(WINE.features[:2])].to_numpy())


def test_merged_clusters_are_one_in_the_frame():
    points, settings = loading.sample(GRID), Settings(algorithm="TDG", shuffles=10, marks=Marks(merges=((1, 46, 81),)))
    point = sweeps.theta_point(points, 3.5, settings)
    plain = of_theta.theta_frame(points, point, settings, "cm").frame
    joined = of_theta.theta_frame(points, point, settings, "cm", look.look_of(points, settings, GRID)).frame
    assert len(joined.sizes) == len(plain.sizes) - 2
    own = plain.labels[[0, 45, 80]]
    expected = by_size(np.where(np.isin(plain.labels, own), own.min(), plain.labels))
    np.testing.assert_array_equal(joined.labels, expected)
    np.testing.assert_array_equal(joined.sizes, np.bincount(joined.labels))
    assert np.bincount(joined.centroid_cluster).max() == 3, "centroids are kept"
    assert "2 merged by hand" in joined.readouts["k"][1]


def test_a_row_says_its_values_in_the_units_of_the_file_and_its_texts():
    points = loading.sample(WINE)
    notes = look.row_notes(WINE, points, None)
    np.testing.assert_allclose(notes.values, WINE.table[list(WINE.features)].to_numpy())
    name, codes, words = notes.texts[0]
    assert name == "true class"
    assert [words[code] for code in codes] == WINE.table["cluster"].astype(str).tolist()


def test_rows_are_known_by_their_numbers_whatever_part_is_drawn():
    data = datasets.only_rows(GRID, datasets.RowSet.of([5, 100, 200]))
    assert look.row_positions({200, 5, 7}, data, loading.sample(data)) == {200: 2, 5: 0}


def test_tables_that_say_other_things_about_the_same_points_are_told_apart():
    one = datasets.only_rows(GRID, datasets.RowSet.of(range(50)))
    other = replace(one, table=one.table.assign(name="secret"))
    assert one.digest == other.digest
    assert look.table_mark(one, loading.sample(one)) != look.table_mark(other, loading.sample(other))


def test_a_scale_ends_at_the_outer_hundredths_and_says_so():
    values = np.append(np.linspace(0, 10, 500), [1000.0, np.nan])
    shade = shade_of_numbers("x", values, lambda v: f"{v:.0f}")
    assert shade.levels[-1] == 255
    assert shade.levels[-2] == shade.levels.max(initial=0, where=shade.levels < 255) == len(shade.colours) - 1
    assert (shade.low[:2], shade.high[:2]) == ("≤ ", "≥ ")
    sent = shade.sent()
    assert list(base64.b64decode(sent["levels"])) == shade.levels.tolist()


def test_classes_have_their_names_where_these_are_few():
    assert shade_of_classes("species", np.array([0, 1, 1]), ("a", "b")).names == ("a", "b")
    assert shade_of_classes("id", np.arange(40), tuple(map(str, range(40)))).names == ()


def test_marks_of_rows_that_are_not_drawn_are_not_sent():
    sent = beside(Marks(((3, "a"), (9, "b")), ((9, "#000000"),)), {3: 0})
    assert sent["marks"] == {"names": [[0, "a"]], "colours": []}


@pytest.mark.parametrize("kind", [list, dict])
def test_a_table_of_values_without_a_hash_is_told_apart_too(kind):
    table = GRID.table.assign(odd=[kind() for _ in range(len(GRID.table))])
    data = replace(GRID, table=table)
    assert look.table_mark(data, loading.sample(data)) != look.table_mark(GRID, loading.sample(GRID))


CURVES = datasets.prepare(
    datasets.load(datasets.Streamlines(bundles=3, per_cluster=20)), datasets.Preparation(metric="mdf")
)


def test_curves_are_lines_in_3d_whatever_the_picture_is_set_to_and_centroids_are_curves():
    points, settings = loading.sample(CURVES), Settings(algorithm="TDG", shuffles=10)
    found = look.look_of(points, settings, CURVES)
    np.testing.assert_array_equal(found.strands.reshape(60, -1), CURVES.X)
    np.testing.assert_allclose(found.solid, found.strands.mean(axis=1))
    assert found.positions.shape == (60, 2)
    point = sweeps.theta_point(points, 12.0, settings)
    shown = of_theta.theta_frame(points, point, settings, "mm", found)
    np.testing.assert_array_equal(shown.frame.strands.reshape(len(shown.groups.sizes), -1), shown.groups.centroids)
    expected = points.metric.between(points.X, shown.groups.centroids[shown.groups.parts])
    np.testing.assert_array_equal(shown.frame.distances, expected)
    assert look.row_notes(CURVES, points, None).values.shape == (60, 0)


def test_of_many_curves_a_few_thousand_are_drawn_and_the_picture_says_so():
    many = datasets.load(datasets.Streamlines(bundles=3, per_cluster=1000))
    points = loading.sample(many)
    assert len(points.X) == 2000
    assert loading.all_points(many) is None
    assert "showing 2,000 of 3,000" in look.look_of(points, Settings(), many).caption


def test_the_lines_of_centroids_are_sent_once_however_many_frames_share_them():
    lines = np.arange(2 * 4 * 3, dtype=float).reshape(2, 4, 3)
    frames = [
        Frame(value, np.array([0, 1]), np.array([1, 1]), lines.mean(axis=1), strands=lines, strand_order=order)
        for value, order in ((1.0, None), (2.0, np.array([1, 0])))
    ]
    picture = Picture(lines.mean(axis=1), frames, Axis("theta", "θ", "mm", 1.0, 2.0), strands=lines)
    body, arrays = read(pack(picture, Texts()))
    assert body["many"] == 4
    assert len(arrays["centroid_strands"]) == len(arrays["strands"]) == 2 * 4 * 3
    assert arrays["strand_of"].tolist() == [0, 1, 1, 0]
    assert arrays["strand_start"].tolist() == [0, 2, 4]
    places = arrays["strands"].reshape(-1, 3) * body["unit"] + body["origin"]
    np.testing.assert_allclose(places, lines.reshape(-1, 3), atol=1e-5)
