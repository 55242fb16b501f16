"""Figures of the Compare page show the numbers they are given."""

import base64
import io
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from tests.added import METHOD, SCORE, add_entries
from theta_app import datasets, metrics
from theta_app.compare import METHODS
from theta_app.figures import compare as figures
from theta_app.figures import palette, raster
from theta_app.paper.results import case_medians, rows_frame

ROWS = rows_frame(
    [
        {"case": case, "repeat": i, "label": label, "method": method, "status": "ok", "nmi": nmi, "seconds": seconds}
        for case in ("a", "b")
        for label, method, nmi, seconds in (("TSG", "tsg", 0.5, 0.001), ("TDG, wide", "tdg", 0.7, 0.1))
        for i in range(3)
    ]
)


def picture_of(figure):
    source = figure.layout.images[0].source
    return np.array(Image.open(io.BytesIO(base64.b64decode(source.split(",", 1)[1]))))


def test_true_centroids_are_blue_and_lie_above_the_red_ones_found():
    X = np.array([[0.0, 0.0], [10.0, 5.0]])
    figure = figures.clustering_figure(X, np.array([0, 1]), X + 0.1, X)
    found, true = figure.data
    assert (found.name, true.name) == ("found", "true"), "what comes later is drawn above"
    assert (found.marker.line.color, true.marker.line.color) == (figures.FOUND, figures.TRUE)
    assert found.x.tolist() == (X + 0.1)[:, 0].tolist()
    assert true.y.tolist() == X[:, 1].tolist()


def test_every_point_is_in_the_picture_in_its_cluster_s_colour():
    X = np.array([[0.0, 0.0], [10.0, 10.0], [10.0, 0.0]])
    pixels = picture_of(figures.clustering_figure(X, np.array([0, 1, -1]), X[:2]))
    height, width, _ = pixels.shape
    colours = {tuple(p[:3]) for p in pixels[pixels[..., 3] > 0]}
    assert colours == {raster.rgb(c) for c in (palette.COLOURS[0], palette.COLOURS[1], palette.MUTED)}
    lower_left = pixels[height // 2 :, : width // 2]
    assert tuple(lower_left[lower_left[..., 3] > 0][0, :3]) == raster.rgb(palette.COLOURS[0])
    upper_right = pixels[: height // 2, width // 2 :]
    assert tuple(upper_right[upper_right[..., 3] > 0][0, :3]) == raster.rgb(palette.COLOURS[1])


@pytest.mark.parametrize("n", [1, 2, 10_000])
def test_a_clustering_of_any_size_is_drawn_once(n):
    X = datasets.Noise(n=n).dataset().X
    figure = figures.clustering_figure(X, np.zeros(n, int), np.empty((0, 2)))
    assert len(figure.data) == 0
    assert picture_of(figure)[..., 3].any()
    assert len(figure.to_json()) < 400_000


def test_points_in_one_place_or_on_a_line_are_drawn():
    for X in (np.ones((5, 2)), np.column_stack([np.arange(5.0), np.zeros(5)])):
        assert picture_of(figures.clustering_figure(X, np.zeros(5, int), X[:1]))[..., 3].any()


def test_boxes_hold_every_repeat_and_time_is_on_a_log_axis():
    one_case = ROWS[ROWS["case"] == "a"]
    figure = figures.score_figure(one_case, "nmi")
    assert [box.name for box in figure.data] == ["TSG", "TDG, wide"]
    assert figure.data[0].x.tolist() == [0.5] * 3
    assert figure.layout.xaxis.title.text == metrics.SCORES["nmi"].label
    time = figures.time_figure(one_case)
    assert time.layout.xaxis.type == "log"
    assert time.data[1].x.tolist() == [0.1] * 3


def across(rows, column):
    return figures.across_figure(rows, case_medians(rows, column), column, "what differs")


def test_lines_go_over_the_cases_through_the_medians():
    figure = across(ROWS, "seconds")
    lines = [trace for trace in figure.data if trace.mode == "lines+markers"]
    assert [line.name for line in lines] == ["TSG", "TDG, wide"]
    assert lines[1].y.tolist() == [0.1, 0.1]
    assert lines[1].line.dash == "dot", "a variant is told from its method by more than colour"
    assert figure.layout.yaxis.type == "log"
    assert figure.layout.xaxis.title.text == "what differs"
    assert across(ROWS, "nmi").layout.yaxis.type != "log"


def test_empty_results_are_drawn_empty():
    empty = ROWS.iloc[:0]
    for figure in (
        figures.score_figure(empty, "nmi"),
        figures.time_figure(empty),
        across(empty, "nmi"),
    ):
        assert len(figure.data) == 0


def test_every_method_has_a_colour_of_its_own():
    assert len({figures.method_colour(key) for key in METHODS}) == len(METHODS)


def test_methods_that_name_no_colour_get_those_that_are_free(monkeypatch):
    before = {key: figures.method_colour(key) for key in METHODS}
    for name in ("first", "second"):
        monkeypatch.setitem(METHODS, name, replace(METHODS["tsg"], key=name, colour=None))
    colours = {key: figures.method_colour(key) for key in METHODS}
    assert len(set(colours.values())) == len(METHODS)
    assert {key: colours[key] for key in before} == before
    assert palette.colour(6) not in colours.values(), "thin lines on white do not carry yellow"


def test_a_palette_with_nothing_free_starts_over(monkeypatch):
    for i in range(40):
        monkeypatch.setitem(METHODS, f"method {i}", replace(METHODS["tsg"], key=f"method {i}", colour=None))
    assert {figures.method_colour(key) for key in METHODS} <= set(palette.COLOURS)


def test_one_more_method_and_score_in_their_tables_are_drawn(monkeypatch):
    add_entries(monkeypatch)
    frame = rows_frame(
        [
            {"case": case, "repeat": 0, "label": "Rounding", "method": METHOD, "status": "ok", SCORE: 0.5, "seconds": 1}
            for case in ("a", "b")
        ]
    )
    rows = pd.concat([ROWS, frame], ignore_index=True)
    assert figures.score_figure(rows, SCORE).layout.xaxis.title.text == "Evenness"
    assert [box.name for box in figures.time_figure(rows).data] == ["TSG", "TDG, wide", "Rounding"]
    line = next(trace for trace in across(rows, SCORE).data if trace.name == "Rounding")
    assert line.line.dash == "solid"
    assert line.line.color not in {
        palette.colour(METHODS[key].colour) for key in METHODS if METHODS[key].colour is not None
    }


def test_a_method_that_is_no_longer_there_is_grey():
    assert figures.method_colour("gone") == palette.MUTED
    rows = ROWS.assign(method="gone")
    assert len(figures.score_figure(rows, "nmi").data) == 2
    assert len(across(rows, "nmi").data) == 4


@pytest.mark.parametrize(("n", "least"), [(50, 4), (3_000, 3), (10_000, 2)])
def test_a_point_alone_can_be_seen(n, least):
    X = np.vstack([np.zeros((n - 1, 2)), [[10.0, 10.0]]])
    pixels = picture_of(figures.clustering_figure(X, np.zeros(n, int), np.empty((0, 2))))
    height, width, _ = pixels.shape
    alone = pixels[: height // 2, width // 2 :, 3] > 0
    assert alone.any(axis=0).sum() >= least
    assert alone.any(axis=1).sum() >= least
