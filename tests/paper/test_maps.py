"""MNIST through neighbour maps: what is stored comes back, medians are medians, and the page says what was found."""

from dataclasses import replace

import numpy as np
import pytest

from theta_app.figures.paper import accuracy_figure
from theta_app.paper import maps
from theta_app.ui.pages.paper.deep import maps as section

SPACES = list(maps.SPACES.values())


def row(seed, method="theta", accuracy=0.9, k=10, space="autoencoder", images=10_000):
    place = {"images": images, "seed": seed, "space": space, "method": method}
    return place | {"n_clusters": k, "accuracy": accuracy, "nmi": 0.8, "seconds": 1.0 + seed}


def space(seed, network=100.0, made=10.0):
    place = {"images": 10_000, "seed": seed, "space": "autoencoder", "epochs": 40}
    return place | {"network_seconds": network, "map_seconds": made}


def literal(seed, epoch, accuracy):
    place = {"images": 10_000, "seed": seed, "pretrain_epochs": 40, "theta": 4.724, "n_clusters": 192}
    return place | {"held": 0.5, "epoch": epoch, "accuracy": accuracy, "nmi": 0.5}


@pytest.fixture
def known():
    found = maps.Maps()
    for seed, accuracy, k in ((2, 0.6, 6), (0, 0.95, 10), (1, 0.97, 10)):
        found = found.with_row("rows", row(seed, accuracy=accuracy, k=k)).with_row("spaces", space(seed))
    return found.with_row("rows", row(0, "kmeans", 0.75))


def test_what_is_stored_comes_back_in_one_order(known, tmp_path):
    maps.store(known, tmp_path)
    again = maps.stored(tmp_path)
    assert again.rows == known.rows
    assert again.spaces == known.spaces
    assert [(one["method"], one["seed"]) for one in again.rows] == [
        ("theta", 0),
        ("theta", 1),
        ("theta", 2),
        ("kmeans", 0),
    ]
    assert again.has("rows", images=10_000, seed=2, method="theta")
    assert not again.has("rows", seed=3)
    assert maps.stored(tmp_path / "nothing").rows == ()


def test_a_row_measured_again_replaces_the_one_before(known):
    again = known.with_row("rows", row(2, accuracy=0.99))
    assert len(again.rows) == len(known.rows)
    assert [one["accuracy"] for one in again.rows if one["method"] == "theta"] == [0.95, 0.97, 0.99]


def test_a_file_of_other_columns_is_refused_with_a_sentence(known, tmp_path):
    maps.store(known, tmp_path)
    file = tmp_path / f"{maps.KEY}.json"
    file.write_text(file.read_text(encoding="utf-8").replace('"accuracy"', '"luck"'), encoding="utf-8")
    with pytest.raises(ValueError, match="cannot be read"):
        maps.stored(tmp_path)


def test_the_summary_has_medians_and_how_often_ten_were_found(known):
    table = maps.summary(known)
    first = table.iloc[0]
    assert (first["method"], first["given"], first["runs"], first["hits"]) == ("ThetA", 0, 3, 2)
    assert (first["accuracy"], first["low"], first["high"]) == (0.95, 0.6, 0.97)
    assert first["n_clusters"] == "10, 10, 6"
    assert (first["seconds"], first["space_seconds"]) == (2.0, 110.0)
    assert table.iloc[1]["given"] == 10
    elsewhere = replace(known, spaces=(space(0, None, None),))
    assert np.isnan(maps.summary(elsewhere)["space_seconds"]).all()


def test_the_section_says_what_was_found_and_what_the_papers_setting_gave(known):
    said = section.answer(maps.summary(known), 10_000)
    assert "ten clusters for 2 of 3 seeds: accuracy 0.950 (median); K-Means given 10 has 0.750" in said
    assert section.answer(maps.summary(known), 70_000) == ""
    strokes = known.with_row("rows", row(0, space="strokes", accuracy=0.8, k=8))
    strokes = strokes.with_row("rows", row(1, space="strokes", accuracy=0.9, k=9))
    strokes = maps.summary(strokes.with_row("rows", row(0, "kmeans", 0.97, space="strokes")))
    told = section.answer(strokes, 10_000, "strokes")
    assert "in a map of their strokes, ThetA found 8, 9 clusters, not ten: accuracy 0.850" in told
    assert "K-Means given 10 has 0.970" in told
    assert section.in_short(strokes) == "**No.**"
    one = known.with_row("rows", row(0, space="strokes", k=10))
    assert section.in_short(maps.summary(one)) == "**Yes.**"  # in some space every seed found ten
    with_paper = known
    for seed, epoch, accuracy in ((0, 0, 0.56), (0, 10, 0.66), (1, 0, 0.52), (1, 10, 0.71)):
        with_paper = with_paper.with_row("literal", literal(seed, epoch, accuracy))
    assert "0.52 to 0.56 on 10,000 images (2 networks), 0.66 to 0.71 after 10 epochs" in section.literal(with_paper)
    assert section.literal(known) == ""


def test_the_figure_has_a_mark_per_method_and_space_and_nothing_is_drawn_as_nothing(known):
    table = maps.summary(known.with_row("rows", row(0, space="pixels", accuracy=0.6)))
    figure = accuracy_figure(table, SPACES, ((0.94, "the paper"),))
    assert {trace.name: list(trace.x) for trace in figure.data} == {
        "Pixels → map": [0.6],
        "Autoencoder → map": [0.95, 0.75],
        "Strokes → map": [],
        "Upright strokes → map": [],
    }
    assert "K-Means, given K = 10" in figure.data[1].y
    assert len(accuracy_figure(maps.summary(maps.Maps()), []).data) == 0


def test_the_stored_runs_of_the_project_can_be_read_and_drawn():
    found = maps.stored()
    assert {one["method"] for one in found.rows} >= {"theta", "kmeans", "mixture", "hdbscan-1"}
    table = maps.summary(found)
    assert table["accuracy"].between(0, 1).all()
    for images in set(table["images"]):
        assert accuracy_figure(table[table["images"] == images], SPACES).data
