"""The figures of Optimal θ, read back."""

import json

import numpy as np
import pandas as pd
import pytest

from theta_app import selection
from theta_app.datasets import GridBlobs
from theta_app.figures import palette, ranges

X = GridBlobs(side=3, spacing=8.0, per_cluster=20).dataset().X


@pytest.fixture(scope="module")
def swept():
    sweep = selection.sweep(X, np.geomspace(0.5, 30, 16), shuffles=5)
    return sweep, selection.theta_ranges(sweep, refine=0)


def traces(figure):
    return {trace.name: trace for trace in figure.data if trace.name}


# K against θ


def test_every_theta_of_the_sweep_is_drawn_with_its_k_and_scores(swept):
    sweep, found = swept
    drawn = traces(ranges.theta_range_figure(sweep, found))
    assert list(drawn["K (TDG)"].x) == sweep["theta"].tolist()
    assert list(drawn["K (TDG)"].y) == sweep["n_clusters"].tolist()
    assert list(drawn["order agreement"].y) == sweep["agreement"].tolist()
    np.testing.assert_array_equal(drawn["silhouette"].y, sweep["silhouette"])  # undefined where all is one cluster


def test_nmi_is_drawn_only_where_the_truth_is_known(swept):
    sweep, found = swept
    assert "NMI with the truth" not in traces(ranges.theta_range_figure(sweep, found))
    known = sweep.assign(nmi=np.linspace(0, 1, len(sweep)))
    assert list(traces(ranges.theta_range_figure(known, found))["NMI with the truth"].y) == known["nmi"].tolist()


def strength(shape):
    return float(shape.fillcolor.split(",")[3].rstrip(")"))


def test_the_recommended_range_is_the_strongest_band_and_named_with_its_k(swept):
    sweep, found = swept
    assert found["recommended"].sum() == 1
    figure = ranges.theta_range_figure(sweep, found)
    bands = [shape for shape in figure.layout.shapes if shape.type == "rect"]
    strongest = max(bands, key=strength)
    assert (strongest.x0, strongest.x1) == tuple(found[["theta_low", "theta_high"]].iloc[0])
    assert strongest.fillcolor.startswith(palette.rgba(palette.GOOD, 1)[:-3])
    assert f"<b>{found['n_clusters'].iloc[0]}</b>" in [a.text for a in figure.layout.annotations]


def test_the_best_ranges_and_those_that_hold_are_drawn_and_no_others(swept):
    sweep, found = swept
    figure = ranges.theta_range_figure(sweep, found)
    edges = [(shape.x0, shape.x1) for shape in figure.layout.shapes if shape.type == "rect"]
    holds = [sweep["theta"].between(row.theta_low, row.theta_high).sum() >= 2 for row in found.itertuples()]
    wanted = found[[i < 4 or hold for i, hold in enumerate(holds)]]
    assert len(wanted) < len(found)
    assert edges == [(row.theta_low, row.theta_high) for row in wanted.itertuples()]


def test_where_nothing_stands_out_no_band_is_green(swept):
    sweep, found = swept
    figure = ranges.theta_range_figure(sweep, found.assign(recommended=False))
    assert not [s for s in figure.layout.shapes if s.fillcolor.startswith(palette.rgba(palette.GOOD, 1)[:-3])]


def test_the_theta_in_use_is_a_line(swept):
    figure = ranges.theta_range_figure(*swept, theta=4.0)
    assert [s.x0 for s in figure.layout.shapes if s.type == "line"] == [4.0]


def no_sweep():
    return selection.sweep_frame([]), pd.DataFrame(columns=list(selection.RANGE_COLUMNS))


@pytest.mark.parametrize("theta", [None, 0.0, 1.0])
def test_an_empty_sweep_is_drawn(theta):
    figure = ranges.theta_range_figure(*no_sweep(), theta)
    assert len(traces(figure)["K (TDG)"].x) == 0


@pytest.mark.parametrize(
    "points",
    [np.zeros((1, 2)), np.zeros((5, 2)), np.array([[0.0], [1.0]]), X * 1e-200, X * 1e200],
    ids=["one point", "equal points", "two points", "tiny", "huge"],
)
def test_extreme_data_are_drawn(points):
    sweep = selection.sweep(points, shuffles=2)
    figure = ranges.theta_range_figure(sweep, selection.theta_ranges(sweep, refine=0))
    assert json.loads(figure.to_json())["data"]


def test_theta_zero_has_no_place_on_a_log_axis_and_is_drawn_without_complaint():
    sweep = selection.sweep(X, [0.0, 1.0, 4.0], shuffles=2)
    found = selection.theta_ranges(sweep, refine=0)
    figure = ranges.theta_range_figure(sweep, found, theta=0.0)
    assert all(shape.x0 > 0 for shape in figure.layout.shapes)


# θ x shuffles


@pytest.fixture(scope="module")
def mapped():
    thetas, counts = np.geomspace(0.8, 20, 7), selection.shuffle_counts(12)
    columns = [selection.shuffle_column(X, theta, counts, seed=3) for theta in thetas]
    return selection.shuffle_map(thetas, counts, columns)


def test_the_heat_maps_show_the_map(mapped):
    clusters, agreement = (t for t in ranges.shuffle_map_figure(mapped, 4.0).data if t.type == "heatmap")
    assert np.array_equal(clusters.customdata, mapped.n_clusters)
    assert np.allclose(10 ** np.array(clusters.z, dtype=float), mapped.n_clusters)
    assert np.array_equal(agreement.z, mapped.agreement)


def test_an_empty_map_and_a_single_cell_are_drawn():
    for columns in ([], [(np.array([1]), np.array([1.0]))]):
        numbers = selection.shuffle_map(np.ones(len(columns)), [2], columns)
        assert numbers.n_clusters.shape == (1, len(columns))
        assert json.loads(ranges.shuffle_map_figure(numbers).to_json())["data"]


# the paper's figure


def curve(found, true_k=25):
    return selection.SpacingCurve(5.0, true_k, np.arange(len(found), dtype=float), np.array(found))


def test_the_range_of_the_true_k_is_dark_orange():
    figure = ranges.spacing_figure([curve([40, 25, 25, 10]), curve([40, 30, 20, 10])])
    dark = [t for t in figure.data if t.name == "the true K, 25"]
    assert [(tuple(t.x), tuple(t.y), t.line.color) for t in dark] == [((0.5, 2.5), (25, 25), palette.SECOND)]
    assert sum(bool(t.showlegend) for t in dark) == 1


def test_no_curve_and_a_curve_of_one_theta_are_drawn():
    for curves in ([], [curve([25])], [curve([])]):
        assert ranges.spacing_figure(curves).layout.height > 0
