"""The figures of Cluster sizes, read back."""

import json
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from theta_app import selection
from theta_app.compare import s_sets
from theta_app.figures import palette, sizes

# Sizes at one θ


def test_the_kept_bars_are_coloured_and_the_drop_is_marked():
    drop = selection.size_drop([300, 290, 20, 15])
    figure = sizes.sizes_figure(drop, kept=[1, 0])
    assert list(figure.data[0].y) == [300, 290, 20, 15]
    colours = figure.data[0].marker.color
    assert list(colours[:2]) == [palette.colour(1), palette.colour(0)]
    assert colours[2] == colours[3] != palette.colour(2)
    assert [shape.x0 for shape in figure.layout.shapes] == [2.5]
    assert "<b>2</b>" in figure.layout.annotations[0].text
    assert drop.table["stands_out"].tolist() == [True, True, False, False]


@pytest.mark.parametrize("found", [[], [5], [1] * 3000, [10**9, 1]], ids=["none", "one", "many", "uneven"])
def test_sizes_of_every_kind_are_drawn(found):
    assert json.loads(sizes.sizes_figure(selection.size_drop(found), kept=[0][: len(found)]).to_json())["layout"][
        "height"
    ]


# What is kept


def drawn(clusters, left):
    return pd.DataFrame({"x": 2.0 * np.arange(len(left)), "y": 1.0, "cluster": clusters, "left_over": left})


def test_what_is_left_over_is_grey_until_it_is_reassigned():
    points = drawn([0, 0, 0, 1, 1, 1], np.array([False] * 5 + [True]))
    kept, left = sizes.kept_figure(points).data
    assert list(kept.marker.color) == [palette.colour(0)] * 3 + [palette.colour(1)] * 2
    assert (list(left.x), left.marker.color) == ([10.0], palette.MUTED)
    assert list(sizes.kept_figure(points, reassigned=True).data[1].marker.color) == [palette.colour(1)]


@pytest.mark.parametrize("n", [0, 1])
def test_hardly_any_points_are_drawn(n):
    points = drawn(np.zeros(n, dtype=int), np.zeros(n, dtype=bool))
    assert len(sizes.kept_figure(points).data[0].x) == n


# Over θ


def point(theta, found):
    return SimpleNamespace(theta=theta, tdg=SimpleNamespace(sizes=np.array(found)))


def drops(suggested, mean_size=50.0):
    thetas = np.geomspace(1, 2 ** (len(suggested) - 1), len(suggested))
    frame = pd.DataFrame({"theta": thetas, "n_clusters": suggested, "suggested": suggested})
    return frame.assign(drop=0.5, notable=True, mean_size=mean_size)


def test_the_widest_steady_range_is_the_strongest_band():
    numbers = drops([30, 7, 7, 7, 12, 5, 5, 5, 5])
    figure = sizes.drop_figure(numbers, selection.steady_ranges(numbers), theta=4.0)
    bands = [shape for shape in figure.layout.shapes if shape.type == "rect"]
    assert [(b.x0, b.x1) for b in bands] == [
        (pytest.approx(32), pytest.approx(256)),
        (pytest.approx(2), pytest.approx(8)),
    ]
    assert bands[0].fillcolor != bands[1].fillcolor
    assert [a.text for a in figure.layout.annotations] == ["<b>5</b>", "<b>7</b>"]
    assert list(figure.data[1].y) == numbers["suggested"].tolist()


@pytest.mark.parametrize("points", [[], [point(0.0, [3])], [point(1e-300, [1, 1]), point(1e300, [2])]])
def test_few_and_extreme_thetas_are_drawn(points):
    numbers = selection.drops_over_theta(points)
    assert json.loads(sizes.drop_figure(numbers, selection.steady_ranges(numbers), 0.0).to_json())["data"]


# S1 to S4


def result(name, found, top=0.9, told=0.95):
    return s_sets.SetResult(name, selection.size_drop(found), 2, 0.8, top, told)


@pytest.mark.parametrize("count", [0, 1, 3, 4])
def test_each_set_has_its_line_and_its_true_number_marked(count):
    results = [result(f"S{i}", [300, 290, 20]) for i in range(count)]
    figure = sizes.set_figure(results)
    assert [list(t.y) for t in figure.data] == [[300, 290, 20]] * count
    assert [shape.x0 for shape in figure.layout.shapes] == [2.5] * count
    assert len(s_sets.size_table(results)) == 3 * count
    assert len(s_sets.set_table(results)) == count
