"""What a release on Explore costs: a result has one owner, and who needs it asks for it."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from tests.ui.helpers import complaints, findings_of
from theta_app import datasets, selection
from theta_app.engine import EUCLIDEAN, Metric, tdg
from theta_app.engine.search import Search
from theta_app.ui import answers, loading, store, sweeps
from theta_app.ui.session import Settings

GRID = datasets.load(datasets.GridBlobs(side=4, spacing=5.0, per_cluster=60, seed=21))
SHUFFLES = 20
FEW = 2  # TSG in the order of the rows, for its own row in the table, and one to spare


@pytest.fixture
def passes(monkeypatch):
    """A list that grows by one for each TSG pass of this process."""
    made, group = [], Search.group

    def counted(self, order):
        made.append(len(order))
        return group(self, order)

    monkeypatch.setattr(Search, "group", counted)
    return made


def released(at, **lengths):
    """The page after the person let θ go."""
    state = at.session_state["theta_app.state"]
    at.session_state["theta_app.state"] = replace(state, settings=replace(state.settings, **lengths))
    return at.run()


@pytest.mark.parametrize("lengths", [{"algorithm": "TDG"}, {"algorithm": "TNC", "epsilon": 2.5}], ids=["TDG", "TNC"])
def test_a_new_theta_runs_tdg_once(open_page, passes, lengths):
    at = open_page("app.py", X=GRID.X, truth=GRID.truth, shuffles=SHUFFLES, seed=len(lengths))
    assert complaints(at) == []
    passes.clear()
    released(at, theta=2.71828, **lengths)
    assert complaints(at) == []
    assert 'data-theta="2.71828"' in findings_of(at)
    assert SHUFFLES <= len(passes) <= SHUFFLES + FEW
    passes.clear()
    released(at, theta=2.71828)  # and everything about it is known
    assert not passes


def test_more_shuffles_at_a_theta_run_only_those_that_are_missing(passes):
    points = loading.sample(GRID)
    sweeps.theta_point(points, 2.2, Settings(shuffles=10))
    passes.clear()
    more = sweeps.theta_point(points, 2.2, Settings(shuffles=16))
    assert len(passes) == 6
    fewer = sweeps.theta_point(points, 2.2, Settings(shuffles=7))
    assert len(passes) == 6
    for point, shuffles in ((more, 16), (fewer, 7)):
        expected = tdg(GRID.X, 2.2, shuffles, agreement=True)
        np.testing.assert_array_equal(point.tdg.labels, expected.labels)
        assert point.tdg.agreement == expected.agreement


def test_times_beside_a_theta_are_of_the_run_that_is_shown(passes):
    points, settings = loading.sample(GRID), Settings(shuffles=14)
    point = sweeps.theta_point(points, 3.1, settings)
    assert 0 < point.tdg.seconds < 60
    assert answers.chaining_of(points, point, settings).seconds > point.tdg.seconds
    passes.clear()
    parts = sweeps.prefixes(points, 3.1, settings)
    assert not passes, "times of fewer shuffles are of the run that was made for all"
    assert all(0 < part.tdg.seconds < 60 for part in parts)


def test_where_somebody_stood_changes_no_sweep():
    data = datasets.load(datasets.GridBlobs(side=4, spacing=4.0, per_cluster=200, seed=22))
    points, settings = loading.sample(data), Settings(shuffles=40)
    thetas = sweeps.plan(points, settings).grid[::5]
    for theta in thetas:
        sweeps.prefixes(points, theta, settings)  # all shuffles, and each number of them
    busy = sweeps.complete(points, settings)
    store.SWEEPS.clear()
    quiet = sweeps.complete(points, settings)
    assert {*quiet.own["shuffles"]} > {2, 40}
    assert all(busy.points[theta].row["shuffles"] == 40 for theta in thetas if theta in busy.points)
    pd.testing.assert_frame_equal(busy.own, quiet.own)
    pd.testing.assert_frame_equal(busy.ranges, quiet.ranges)


def test_a_key_is_made_of_everything_that_a_result_depends_on():
    keys = {
        selection.ResultKey("a", 1.0, 5, 0, EUCLIDEAN),
        selection.ResultKey("b", 1.0, 5, 0, EUCLIDEAN),
        selection.ResultKey("a", 2.0, 5, 0, EUCLIDEAN),
        selection.ResultKey("a", 1.0, 6, 0, EUCLIDEAN),
        selection.ResultKey("a", 1.0, 5, 1, EUCLIDEAN),
        selection.ResultKey("a", 1.0, 5, 0, Metric.of("manhattan")),
    }
    assert len(keys) == 6
    assert selection.ResultKey("a", 1.0, 5) in keys
