"""The timeline in a notebook, in Python: what the handle says is what is computed, and what is set is sent."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pytest

from tests.ui.test_timeline import read
from theta_app.clustering import cluster
from theta_app.datasets import GridBlobs, load
from theta_app.widget import explore

DATA = load(GridBlobs(side=3, spacing=6.0, per_cluster=30))


@pytest.fixture
def widget():
    return explore(DATA.X, labels=DATA.truth, shuffles=8)


def place(widget):
    """Where the bytes that were sent last put the handle."""
    length = int.from_bytes(widget._content[4:8], "little")
    return json.loads(widget._content[8 : 8 + length])


def test_it_opens_on_the_verdict(widget):
    assert (widget.theta, widget.algorithm) == (widget.verdict.theta, widget.verdict.algorithm)
    assert widget.clustering.n_clusters == widget.verdict.n_clusters == 9
    assert place(widget)["value"] == widget.theta
    body, _ = read(widget._timeline)
    assert widget.theta in body["values"]
    assert any(readout["id"] == "nmi" for readout in body["readouts"])


def test_what_the_browser_says_is_taken_and_not_sent_back(widget):
    sent, theta = widget._content, list(widget._shown.points)[3]
    widget._told = {"name": "value", "value": theta, "at": 1}
    assert widget.theta == theta
    assert widget._content is sent
    np.testing.assert_array_equal(widget.labels, cluster(DATA, "TDG", theta, shuffles=8).labels)
    for nonsense in ("far", None, -1.0, [1]):
        widget._told = {"name": "value", "value": nonsense, "at": 2}
    assert widget.theta == theta
    widget._told = {"name": "cluster", "value": 7, "at": 3}
    assert widget.selected == 7


def test_what_is_set_is_computed_and_sent(widget):
    widget.theta = 2.345
    assert (place(widget)["value"], place(widget)["serial"]) == (2.345, "1")
    np.testing.assert_array_equal(widget.labels, cluster(DATA, "TDG", 2.345, shuffles=8).labels)
    widget.algorithm, widget.epsilon = "TNC", 2.5
    found = widget.clustering
    assert (found.algorithm, found.epsilon) == ("TNC", 2.5)
    np.testing.assert_array_equal(found.labels, cluster(DATA, "TNC", 2.345, 2.5, shuffles=8).labels)


def test_a_lasso_a_wider_axis_and_finer_steps(widget):
    low = DATA.X[:, 0].min()
    widget._told = {"name": "selection", "value": [[low - 1, -99], [2.5, -99], [2.5, 99], [low - 1, 99]], "at": 1}
    assert widget.selection == np.flatnonzero(DATA.X[:, 0] < 2.5).tolist()
    widget._told = {"name": "selection", "value": None, "at": 2}
    assert widget.selection == []
    before = list(widget._shown.points)
    widget._told = {"name": "finer", "value": widget.theta, "at": 3}
    assert len(set(widget._shown.points) - set(before)) == 2
    widget._told = {"name": "wider", "value": True, "at": 4}
    assert min(widget._shown.points) < min(before)
    assert widget.clustering.n_clusters == 9


def test_frames_and_files_are_taken(tmp_path):
    frame = pd.DataFrame(DATA.X, columns=["length", "width"]).assign(note="a")
    frame.to_csv(tmp_path / "plants.csv", index=False)
    shown = [explore(source, shuffles=4) for source in (frame, pl.DataFrame(dict(frame)), tmp_path / "plants.csv")]
    assert {widget.data.features for widget in shown} == {("length", "width")}
    assert len({widget.labels.tobytes() for widget in shown}) == 1
