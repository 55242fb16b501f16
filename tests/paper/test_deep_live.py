"""Training in a process of its own: results come epoch by epoch, and what has come stays."""

import os
import signal
from dataclasses import replace

import numpy as np
import pytest
from sklearn.datasets import load_digits

from theta_app import metrics, workers
from theta_app.deep import STARTS
from theta_app.deep.checks import TrainingError
from theta_app.paper.deep_live import LivePlan, LiveResult, train_apart, training_steps

X, TRUTH = (values[:400] for values in load_digits(return_X_y=True))
SHORT = LivePlan(hidden=(16,), layer_epochs=1, pretrain_epochs=2, epochs=2)
ENDLESS = replace(SHORT, epochs=100_000)


@pytest.fixture(scope="module")
def whole():
    return train_apart(SHORT, X, TRUTH)


def test_every_start_has_all_its_epochs(whole):
    assert whole.trouble == ""
    assert [(row["start"], row["epoch"]) for row in whole.rows] == [(name, e) for name in STARTS for e in range(3)]
    assert whole.done == SHORT.total


def test_scores_are_those_of_the_labels(whole):
    for name in STARTS:
        last = [row for row in whole.rows if row["start"] == name][-1]
        assert last["accuracy"] == metrics.accuracy(TRUTH, whole.spaces[name].labels)
        assert last["nmi"] == metrics.nmi(TRUTH, whole.spaces[name].labels)


def test_the_space_before_and_after_each_start_is_there(whole):
    assert set(whole.spaces) == {"", *STARTS}
    assert all(space.Z.shape == (400, 10) for space in whole.spaces.values())
    assert whole.spaces[""].labels is None
    assert not np.array_equal(whole.spaces[""].Z, whole.spaces["tdg"].Z)


def test_typical_members_are_of_their_cluster(whole):
    space = whole.spaces["k-means"]
    for k, (most, least) in enumerate(zip(space.most, space.least)):
        assert (space.labels[most] == k).all()
        assert (space.labels[least] == k).all()


class Left(Exception):
    """Nobody wants it any more."""


def test_whoever_looks_sees_what_is_done_and_ends_it_by_raising():
    seen = []

    def look(result):
        seen.append(result)
        if result.done:
            raise Left

    with pytest.raises(Left):
        train_apart(ENDLESS, X, look=look)
    assert seen[0].now == LiveResult().now
    assert "epoch" in seen[-1].now


def test_a_process_that_dies_leaves_a_sentence_and_what_was_done(monkeypatch):
    pids = []

    class Recorded(workers.Worker):
        def __init__(self, *args, **options):
            super().__init__(*args, **options)
            pids.append(self.process.pid)

    monkeypatch.setattr(workers, "Worker", Recorded)
    result = train_apart(ENDLESS, X, look=lambda result: len(result.rows) >= 3 and os.kill(pids[0], signal.SIGKILL))
    assert "may have run out of memory" in result.trouble
    assert len(result.rows) >= 3
    assert "k-means" in result.spaces
    assert np.isnan(result.rows[0]["accuracy"])  # there was no truth


@pytest.mark.parametrize(
    ("plan", "points", "sentence"),
    [
        (SHORT, np.ones((50, 4)), "there is nothing to learn"),
        (LivePlan(hidden=(10**9, 10**6)), X, "GB of memory"),
    ],
    ids=["all the same", "too much memory"],
)
def test_points_that_cannot_be_trained_on_are_a_sentence(plan, points, sentence):
    result = train_apart(plan, points)
    assert sentence in result.trouble
    assert result.rows == ()


def test_fewer_points_than_clusters_are_refused_before_anything_is_said():
    with pytest.raises(TrainingError, match="fewer points than clusters"):
        next(training_steps(SHORT, X[:5]))


def test_a_start_that_cannot_be_made_is_told_and_the_others_go_on():
    pairs = np.array([[0.0, 0.0], [1.0, 0.0]]).repeat(10, axis=0)
    said = list(training_steps(LivePlan(3, hidden=(4,), layer_epochs=0, pretrain_epochs=0, epochs=0), pairs))
    [(name, sentence)] = [news["note"] for news in said if "note" in news]
    assert name == "tdg"
    assert "At no θ does TDG find 3 clusters" in sentence
    assert [news["row"]["start"] for news in said if "row" in news] == ["k-means", "k-means++"]
