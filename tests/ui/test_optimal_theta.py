"""Optimal θ without a browser: what it says, what a click applies, and data at the edges."""

import numpy as np
import pytest

from tests.ui.helpers import complaints
from theta_app import selection
from theta_app.datasets import GridBlobs, Moons, Noise
from theta_app.ui.pages import optimal_theta
from theta_app.ui.widgets.words import short

PAGE = "pages/Optimal_theta.py"
GRID = GridBlobs(side=3, spacing=8.0, per_cluster=20).dataset()


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """A coarser paper's figure: its numbers have tests of their own."""
    monkeypatch.setattr(optimal_theta, "_PER_CLUSTER", 10)


def sentences(at):
    return [m.value for m in at.markdown] + [c.value for c in at.caption]


def table(at, column):
    return next(frame.value for frame in at.dataframe if column in frame.value)


def test_where_the_verdict_is_tdg_its_range_is_the_heading(open_page):
    at = open_page(PAGE, GRID.X, GRID.truth, shuffles=5)
    assert not complaints(at)
    found = selection.verdict(GRID.X, shuffles=5)
    assert any(
        f"### 9 clusters, for every θ from {short(found.low)} to {short(found.high)}" in s for s in sentences(at)
    )
    assert "TDG alone" not in " ".join(sentences(at))
    assert "is in use" not in " ".join(sentences(at))


def test_where_the_verdict_is_chains_tdgs_range_stands_below_it_and_one_click_puts_it_in_use(open_page):
    moons = Moons(per_shape=60).dataset()
    at = open_page(PAGE, moons.X, shuffles=10)
    said = " ".join(sentences(at))
    assert "TDG alone: " in said
    assert "###" not in said
    at.button(key="use-recommended").click().run()
    chosen = at.session_state["theta_app.state"].settings
    assert (chosen.algorithm, chosen.theta) == ("TDG", selection.recommend(moons.X, shuffles=10).theta)
    assert any("TDG at θ" in m.value and "is in use on every page" in m.value for m in at.markdown)
    assert float(at.query_params["theta"]) == chosen.theta


def test_the_ranges_are_listed_best_first_each_with_its_button(open_page):
    at = open_page(PAGE, GRID.X, GRID.truth, shuffles=5)
    shown = table(at, "relative_width")
    assert {"theta_low", "theta_high", "n_clusters", "relative_width", "agreement", "silhouette"} <= set(shown.columns)
    assert shown["n_clusters"].iloc[0] == 9
    assert shown.iloc[0]["use"].startswith("Use ")


def test_noise_is_said_to_have_no_theta_that_stands_out(open_page):
    noise = Noise(n=300).dataset()
    at = open_page(PAGE, noise.X, shuffles=10)
    assert not complaints(at)
    assert any(c.value.startswith("No θ stands out") for c in at.caption)
    assert any(m.value.startswith("TDG alone: ") for m in at.markdown)
    assert not any(m.value.startswith("###") for m in at.markdown)


def test_the_shuffles_that_are_enough_are_said(open_page):
    at = open_page(PAGE, GRID.X, shuffles=5)
    assert any("K is 9 from **" in m.value for m in at.markdown)


def test_a_large_data_set_is_mapped_only_when_asked(open_page, monkeypatch):
    monkeypatch.setattr(optimal_theta, "_MAP_UNASKED", 100)
    at = open_page(PAGE, GRID.X, shuffles=3)
    assert not any("K is" in m.value for m in at.markdown)
    at.button(key="compute-map").click().run()
    assert not complaints(at)
    assert any("K is" in m.value for m in at.markdown)


def test_the_spacings_can_be_changed_and_travel_in_the_address(open_page):
    at = open_page(PAGE, GRID.X, shuffles=3)
    box = at.number_input(key="widget.option.spacing_3")
    assert box.value == 5.0
    box.set_value(9.0).run()
    assert not complaints(at)
    assert any(c.value.startswith("11 apart: ") and " 9 apart: " in c.value for c in at.caption)
    assert at.query_params["o_spacing_3"] == "9.0"


def test_a_link_with_an_impossible_spacing_is_brought_into_bounds(open_page):
    at = open_page(PAGE, query={"o_spacing_1": "-5", "data": "grid", "shuffles": "2", "data_per_cluster": "5"})
    assert not complaints(at)
    assert at.number_input(key="widget.option.spacing_1").value == 1.0


EDGES = {
    "one point": np.zeros((1, 2)),
    "equal points": np.ones((6, 2)),
    "two points": np.array([[0.0, 0.0], [1.0, 1.0]]),
    "one feature": np.concatenate([np.arange(10.0), 100 + np.arange(10.0)])[:, None],
    "five features": np.random.default_rng(0).normal(size=(40, 5)),
    "tiny numbers": GRID.X[:40] * 1e-150,
}


@pytest.mark.parametrize("name", EDGES)
def test_data_at_the_edges_open(open_page, name):
    at = open_page(PAGE, EDGES[name], shuffles=2)
    assert not complaints(at)
