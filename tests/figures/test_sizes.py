"""The numbers behind the figures of Cluster sizes, and the figures read back."""

import json
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from theta_app.figures import palette, sizes

# Sizes at one θ


def test_the_drop_is_where_sizes_fall_most():
    drop = sizes.size_drop([10, 300, 90, 310, 100, 305])
    assert drop.sizes.tolist() == [310, 305, 300, 100, 90, 10]
    assert (drop.suggested, drop.notable) == (5, True)  # 90 to 10 is a larger share than 300 to 100
    assert drop.drop == pytest.approx(8 / 9)
    assert sizes.size_drop([310, 305, 300, 100, 90, 80]).suggested == 3


def test_even_sizes_have_no_drop_and_every_cluster_stands():
    drop = sizes.size_drop([100, 99, 98, 101])
    assert (drop.suggested, drop.notable) == (4, False)


def test_a_drop_by_a_fifth_is_notable():
    assert sizes.size_drop([100, 80]).notable
    assert not sizes.size_drop([100, 81]).notable


def test_one_cluster_and_none_have_no_drop():
    assert sizes.size_drop([7]).suggested == 1
    assert sizes.size_drop([]).suggested == 0


def test_the_kept_bars_are_coloured_and_the_drop_is_marked():
    drop = sizes.size_drop([300, 290, 20, 15])
    figure = sizes.sizes_figure(drop, kept=2)
    assert list(figure.data[0].y) == [300, 290, 20, 15]
    colours = figure.data[0].marker.color
    assert list(colours[:2]) == [palette.colour(0), palette.colour(1)]
    assert colours[2] == colours[3] != palette.colour(2)
    assert [shape.x0 for shape in figure.layout.shapes] == [2.5]
    assert "<b>2</b>" in figure.layout.annotations[0].text
    assert drop.table["stands_out"].tolist() == [True, True, False, False]


@pytest.mark.parametrize("found", [[], [5], [1] * 3000, [10**9, 1]], ids=["none", "one", "many", "uneven"])
def test_sizes_of_every_kind_are_drawn(found):
    assert json.loads(sizes.sizes_figure(sizes.size_drop(found), kept=1).to_json())["layout"]["height"]


# What is kept

PLACES = np.arange(12.0).reshape(6, 2)


def test_points_of_kept_clusters_have_the_rank_of_their_cluster_and_the_others_are_left():
    labels = np.array([2, 2, 2, 0, 0, 1])  # sizes 2, 1, 3: ranks 1, 2, 0
    numbers = sizes.kept_points(PLACES, labels, [2, 1, 3], np.array([0, 0, 0, 1, 1, 1]), k=2)
    assert numbers.clusters.tolist() == [0, 0, 0, 1, 1, 1]
    assert numbers.left.tolist() == [False] * 5 + [True]


def test_what_is_left_over_is_grey_until_it_is_reassigned():
    numbers = sizes.KeptPoints(PLACES, np.array([0, 0, 0, 1, 1, 1]), np.array([False] * 5 + [True]))
    kept, left = sizes.kept_figure(numbers).data
    assert list(kept.marker.color) == [palette.colour(0)] * 3 + [palette.colour(1)] * 2
    assert (list(left.x), left.marker.color) == ([10.0], palette.MUTED)
    assert list(sizes.kept_figure(numbers, reassigned=True).data[1].marker.color) == [palette.colour(1)]


@pytest.mark.parametrize("n", [0, 1])
def test_hardly_any_points_are_drawn(n):
    numbers = sizes.KeptPoints(np.zeros((n, 2)), np.zeros(n, dtype=int), np.zeros(n, dtype=bool))
    assert len(sizes.kept_figure(numbers).data[0].x) == n


# Over θ


def point(theta, found):
    return SimpleNamespace(theta=theta, tdg=SimpleNamespace(sizes=np.array(found)))


def test_the_suggestion_is_followed_over_theta_in_ascending_order():
    drops = sizes.drops_over_theta([point(2.0, [50, 49]), point(1.0, [40, 40, 5, 4])])
    assert drops["theta"].tolist() == [1.0, 2.0]
    assert drops["n_clusters"].tolist() == [4, 2]
    assert drops["suggested"].tolist() == [2, 2]
    assert drops["notable"].tolist() == [True, False]
    assert drops["mean_size"].tolist() == [40.0, 49.5]


def drops(suggested, mean_size=50.0):
    thetas = np.geomspace(1, 2 ** (len(suggested) - 1), len(suggested))
    frame = pd.DataFrame({"theta": thetas, "n_clusters": suggested, "suggested": suggested})
    return frame.assign(drop=0.5, notable=True, mean_size=mean_size)


def test_steady_ranges_are_the_stretches_of_one_suggestion_widest_first():
    found = sizes.steady_ranges(drops([30, 7, 7, 7, 12, 5, 5, 5, 5, 3, 3]))
    assert found["suggested"].tolist() == [5, 7]
    assert found["theta_low"].tolist() == pytest.approx([32, 2])
    assert found["theta_high"].tolist() == pytest.approx([256, 8])
    assert found["theta"].tolist() == pytest.approx([np.sqrt(32 * 256), 4])
    assert found["relative_width"].iloc[1] == pytest.approx(np.log(4))


def test_one_cluster_or_clusters_of_hardly_any_points_are_no_suggestion():
    assert len(sizes.steady_ranges(drops([1, 1, 1, 1]))) == 0
    assert len(sizes.steady_ranges(drops([9, 9, 9, 9], mean_size=1.2))) == 0
    assert len(sizes.steady_ranges(sizes.drops_over_theta([]))) == 0


def test_the_widest_steady_range_is_the_strongest_band():
    numbers = drops([30, 7, 7, 7, 12, 5, 5, 5, 5])
    figure = sizes.drop_figure(numbers, sizes.steady_ranges(numbers), theta=4.0)
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
    numbers = sizes.drops_over_theta(points)
    assert json.loads(sizes.drop_figure(numbers, sizes.steady_ranges(numbers), 0.0).to_json())["data"]


# S1 to S4


def result(name, found, top=0.9, told=0.95):
    return sizes.SetResult(name, sizes.size_drop(found), 2, 0.8, top, told)


def test_the_table_sets_tdg_beside_k_means():
    table = sizes.set_table([result("S1", [300, 290, 20])])
    row = table.iloc[0]
    assert (row["set"], row["n_clusters"], row["suggested"]) == ("S1", 3, 2)
    assert row["difference"] == pytest.approx(-0.05)


@pytest.mark.parametrize("count", [0, 1, 3, 4])
def test_each_set_has_its_line_and_its_true_number_marked(count):
    results = [result(f"S{i}", [300, 290, 20]) for i in range(count)]
    figure = sizes.set_figure(results)
    assert [list(t.y) for t in figure.data] == [[300, 290, 20]] * count
    assert [shape.x0 for shape in figure.layout.shapes] == [2.5] * count
    assert len(sizes.size_table(results)) == 3 * count
    assert len(sizes.set_table(results)) == count
