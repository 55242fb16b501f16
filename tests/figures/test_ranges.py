"""The paper's θ-range figure, read back."""

import numpy as np

from theta_app import selection
from theta_app.figures import palette
from theta_app.figures import paper as figures


def curve(found, true_k=25):
    return selection.SpacingCurve(5.0, true_k, np.arange(len(found), dtype=float), np.array(found))


def test_the_range_of_the_true_k_is_dark_orange():
    figure = figures.spacing_figure([curve([40, 25, 25, 10]), curve([40, 30, 20, 10])])
    dark = [t for t in figure.data if t.name == "the true K, 25"]
    assert [(tuple(t.x), tuple(t.y), t.line.color) for t in dark] == [((0.5, 2.5), (25, 25), palette.SECOND)]
    assert sum(bool(t.showlegend) for t in dark) == 1


def test_no_curve_and_a_curve_of_one_theta_are_drawn():
    for curves in ([], [curve([25])], [curve([])]):
        assert figures.spacing_figure(curves).layout.height > 0
