"""Results draw themselves: the figure of the page, in the units of the data."""

import sys

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from theta_app import cluster, read, selection
from theta_app.datasets import GridBlobs, load
from theta_app.engine import tdg
from theta_app.figures.points import candidates_figure, points_figure
from theta_app.figures.results import theta_range_figure

X = load(GridBlobs(side=3, spacing=6.0, per_cluster=30)).X


@pytest.fixture(scope="module")
def sweep():
    return selection.sweep(X, shuffles=5)


def test_a_sweep_draws_k_and_scores_with_its_ranges(sweep):
    figure = sweep.plot(theta=3.0, unit="cm")
    same = theta_range_figure(sweep, selection.theta_ranges(sweep, refine=0), 3.0, "cm")
    assert figure.to_dict() == same.to_dict()
    assert figure.layout.xaxis2.title.text == "θ (cm)"


def test_a_part_of_a_sweep_still_draws_and_single_columns_are_pandas_own(sweep):
    part = sweep[sweep["theta"] > 1.0]
    assert len(part.plot().data[2].x) == len(part)
    assert isinstance(sweep["theta"], pd.Series)
    assert type(sweep.plot).__mro__[1] is type(pd.DataFrame({"a": [1]}).plot)  # .plot.scatter and the rest are there


def test_ranges_draw_over_their_sweep(sweep):
    ranges = selection.theta_ranges(sweep)
    shown = ranges.plot(unit="cm")
    assert shown.to_dict() == theta_range_figure(sweep, ranges, None, "cm").to_dict()
    assert len(ranges.head(1).plot().layout.shapes) == 1


def test_a_verdict_draws_its_candidates():
    found = selection.verdict(X, 5)
    figure = found.plot("cm")
    assert [trace.name for trace in figure.data] == [
        f"{row.algorithm}, K = {row.n_clusters}" for row in found.candidates.itertuples()
    ]
    assert list(figure.data[0].x) == [found.low, found.high]
    assert "cm" in figure.layout.xaxis.title.text
    assert len(candidates_figure(found.candidates.iloc[:0]).data) == 0


def test_sizes_and_chains_draw():
    assert list(selection.size_drop([30, 29, 2]).plot().data[0].y) == [30, 29, 2]
    tried = [selection.Chaining.of(theta, tdg(X, theta, 3)) for theta in (0.4, 0.6)]
    suggestion = selection.suggest(X, 3)
    figure = selection.chain_map(tried).plot(suggestion, unit="cm")
    assert (figure.layout.xaxis.title.text, figure.layout.yaxis.title.text) == ("θ in cm", "ε in cm")
    assert list(figure.data[-1].y) == [suggestion.epsilon_low, suggestion.epsilon, suggestion.epsilon_high]


def test_a_clustering_draws_its_points_with_columns_and_units_at_the_axes(tmp_path):
    path = tmp_path / "plants.csv"
    pd.DataFrame(X, columns=["length (cm)", "width (cm)"]).to_csv(path, index=False)
    found = cluster(read(path), "TDG", 3.0, shuffles=5)
    figure = found.plot()
    assert (figure.layout.xaxis.title.text, figure.layout.yaxis.title.text) == ("length (cm)", "width (cm)")
    assert [len(trace.x) for trace in figure.data] == found.sizes.tolist()
    many = cluster(np.random.default_rng(0).normal(size=(50, 4)), "TDG", 2.0, shuffles=3)
    assert many.plot().layout.xaxis.title.text == "main direction 1"
    path.write_text("length,width\ncm,cm\n" + "\n".join(f"{a},{b}" for a, b in X.tolist()))
    assert cluster(read(path), "TDG", 3.0, shuffles=5).plot().layout.xaxis.title.text == "length (cm)"
    assert isinstance(points_figure(np.empty((0, 2)), np.empty(0, dtype=int)), go.Figure)


def test_without_plotly_it_says_what_to_install(monkeypatch, sweep):
    monkeypatch.setitem(sys.modules, "theta_app.figures", None)
    with pytest.raises(ImportError, match="pip install plotly"):
        sweep.plot()
