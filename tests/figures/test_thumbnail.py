"""A data set as a small picture."""

import re

import numpy as np

from theta_app.figures.palette import ACCENT, COLOURS
from theta_app.figures.thumbnail import SIZE, thumbnail


def dots(svg):
    return {(int(x), int(y)) for x, y in re.findall(r"M(-?\d+) (-?\d+)h0", svg)}


def test_points_keep_their_places_and_both_axes_one_scale():
    svg = thumbnail([[0, 0], [10, 0], [10, 5]])
    assert dots(svg) == {(7, 68), (89, 68), (89, 28)}
    assert ACCENT in svg


def test_classes_have_the_colours_of_the_project():
    svg = thumbnail(np.random.default_rng(0).normal(size=(90, 2)), np.repeat([0, 1, 2], 30))
    assert re.findall(r'stroke="(#\w+)"', svg) == list(COLOURS[:3])


def test_any_points_are_drawn_inside_and_in_little_room():
    for positions in (np.zeros((5, 2)), [[1e300, 0], [-1e300, 1]], np.random.default_rng(0).normal(size=(220, 2))):
        svg = thumbnail(positions)
        assert all(0 <= value <= SIZE for dot in dots(svg) for value in dot)
        assert len(svg) < 3000
