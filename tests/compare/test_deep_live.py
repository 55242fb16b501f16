"""Training in a process of its own: results come epoch by epoch, and what has come stays."""

import os
import signal
import time
from dataclasses import replace

import numpy as np
import pytest
from sklearn.datasets import load_digits

from theta_app import metrics
from theta_app.compare import deep_worker
from theta_app.compare.deep_live import ENDED, FAILED, NOTE, ROW, TRAIN, DeepRun, LivePlan
from theta_app.compare.running import MOST_WORKERS, SLOTS
from theta_app.deep import STARTS

X, TRUTH = (values[:400] for values in load_digits(return_X_y=True))
SHORT = LivePlan(hidden=(16,), layer_epochs=1, pretrain_epochs=2, epochs=2)
ENDLESS = replace(SHORT, epochs=100_000)


def polled_until(run, condition, seconds=120):
    end = time.monotonic() + seconds
    while not condition(result := run.poll()):
        assert time.monotonic() < end, f"never came: {result.now}"
        time.sleep(0.05)
    return result


def all_slots_are_free():
    taken = [SLOTS.acquire(blocking=False) for _ in range(MOST_WORKERS)]
    for _ in filter(None, taken):
        SLOTS.release()
    return all(taken)


@pytest.fixture(scope="module")
def whole():
    run = DeepRun(SHORT, X, TRUTH)
    return polled_until(run, lambda _: not run.active)


def test_every_start_has_all_its_epochs(whole):
    assert whole.trouble == ""
    assert [(row["start"], row["epoch"]) for row in whole.rows] == [(name, e) for name in STARTS for e in range(3)]
    assert whole.done == SHORT.total
    assert all_slots_are_free()


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


def test_a_run_waits_for_a_free_worker_and_a_stop_ends_its_process():
    held = [SLOTS.acquire(blocking=False) for _ in range(MOST_WORKERS)]
    run = DeepRun(ENDLESS, X)
    try:
        run.poll()
        assert run.waiting
    finally:
        for _ in held:
            SLOTS.release()
    run.poll()
    assert not run.waiting
    process = run._worker.process
    run.stop()
    assert not run.active
    assert process.poll() is not None
    assert run.result.trouble.startswith("Stopped.")
    assert run.poll() is run.result
    assert all_slots_are_free()


def test_a_process_that_dies_leaves_a_sentence_and_what_was_done():
    run = DeepRun(ENDLESS, X)
    polled_until(run, lambda result: len(result.rows) >= 3)
    os.kill(run._worker.process.pid, signal.SIGKILL)
    result = polled_until(run, lambda _: not run.active)
    assert "may have needed more memory" in result.trouble
    assert len(result.rows) >= 3
    assert "k-means" in result.spaces
    assert np.isnan(result.rows[0]["accuracy"])  # there was no truth
    assert all_slots_are_free()


# ---- the worker, without a process of its own -----------------------------------------------------------------------


def said(plan, points):
    """What the worker says of a plan: a list of messages."""
    messages = []
    deep_worker._training()(lambda *message: messages.append(message), TRAIN, None, (plan, points, None))
    return messages


@pytest.mark.parametrize(
    ("plan", "points", "sentence"),
    [
        (SHORT, X[:5], "fewer points than clusters"),
        (SHORT, np.ones((50, 4)), "there is nothing to learn"),
        (LivePlan(hidden=(10**9, 10**6)), X, "GB of memory"),
    ],
    ids=["few points", "all the same", "too much memory"],
)
def test_points_that_cannot_be_trained_on_are_a_sentence(plan, points, sentence):
    [(kind, _, words)] = said(plan, points)
    assert kind == FAILED
    assert sentence in words
    run = DeepRun(plan, points)
    run._take(kind, None, words)
    assert (run.result.trouble, run.active) == (words, False)


def test_a_start_that_cannot_be_made_is_told_and_the_others_go_on():
    pairs = np.array([[0.0, 0.0], [1.0, 0.0]]).repeat(10, axis=0)
    messages = said(LivePlan(3, hidden=(4,), layer_epochs=0, pretrain_epochs=0, epochs=0), pairs)
    [(_, _, name, sentence)] = [message for message in messages if message[0] == NOTE]
    assert name == "tdg"
    assert "At no θ does TDG find 3 clusters" in sentence
    assert [message[2]["start"] for message in messages if message[0] == ROW] == ["k-means", "k-means++"]
    assert messages[-1][0] == ENDED
