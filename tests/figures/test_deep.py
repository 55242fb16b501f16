"""Figures of deep clustering show the numbers they are given."""

import io

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from theta_app.figures.deep import curves_figure, members_png, space_figure

CURVES = pd.DataFrame(
    {
        "start": ["k-means", "k-means", "tdg", "tdg"],
        "epoch": [0, 1, 0, 1],
        "middle": [0.5, 0.6, 0.4, 0.7],
        "low": [0.4, 0.5, 0.4, 0.7],
        "high": [0.6, 0.7, 0.4, 0.7],
    }
)


def test_every_start_has_its_line_and_a_band_where_seeds_differ():
    figure = curves_figure(CURVES, "accuracy")
    lines = {trace.name: list(trace.y) for trace in figure.data if trace.mode == "lines+markers"}
    assert lines == {"K-Means": [0.5, 0.6], "TDG": [0.4, 0.7]}
    bands = [trace for trace in figure.data if trace.fill == "toself"]
    assert [list(band.y) for band in bands] == [[0.6, 0.7, 0.5, 0.4]]


def test_published_levels_are_drawn_and_named():
    figure = curves_figure(CURVES, "accuracy", ((0.843, "DEC 84.3 %"),))
    assert [shape.y0 for shape in figure.layout.shapes] == [0.843]
    assert [note.text for note in figure.layout.annotations] == ["DEC 84.3 %"]


def test_the_name_of_a_level_is_away_from_the_curves():
    notes = curves_figure(CURVES, "accuracy", ((0.69, "reached"), (0.71, "not reached"))).layout.annotations
    assert [note.yanchor for note in notes] == ["top", "bottom"]


def test_no_epochs_are_an_empty_figure():
    assert len(curves_figure(CURVES.iloc[:0], "nmi").data) == 0


@pytest.mark.parametrize(
    ("groups", "names", "expected"), [(None, None, ["points"]), ([0, 2, 2], None, ["cluster 1", "cluster 3"])]
)
def test_a_space_has_a_trace_per_group(groups, names, expected):
    places = np.arange(6.0).reshape(3, 2)
    figure = space_figure(places, None if groups is None else np.array(groups), names)
    assert [trace.name for trace in figure.data] == expected
    assert sum(len(trace.x) for trace in figure.data) == 3


def test_true_classes_have_their_names():
    figure = space_figure(np.zeros((2, 2)), np.array([0, 1]), ("cat", "dog"))
    assert [trace.name for trace in figure.data] == ["cat", "dog"]


def test_members_are_a_sheet_with_a_row_per_cluster_ink_dark():
    images = np.zeros((2, 3, 16))
    images[1, 2] = 9.0
    sheet = np.asarray(Image.open(io.BytesIO(members_png(images, (4, 4)))))
    scale = sheet.shape[0] // 9
    assert sheet.shape == (9 * scale, 14 * scale)
    assert (sheet[5 * scale :, 10 * scale :] == 0).all()
    assert (sheet[: 4 * scale] == 255).all()


def test_pictures_without_contrast_are_drawn():
    assert members_png(np.ones((1, 1, 4)), (2, 2))[:4] == b"\x89PNG"
