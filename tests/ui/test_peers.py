"""Measured in the background: once for all, in turn, and nothing that nobody asks for."""

import pytest

from tests.ui.test_jobs import until
from theta_app import datasets
from theta_app.compare import Variant
from theta_app.compare.steps import Step
from theta_app.ui import jobs, peers
from theta_app.ui.jobs import PEERS, Queue
from theta_app.ui.peers import known, spent
from theta_app.ui.store import MEASURED

DATA = datasets.load(datasets.GridBlobs(side=2, spacing=8.0, per_cluster=25))
NOISE = datasets.load(datasets.Noise(n=8000))


def step(data, k, starts=1):
    return Step("", data.digest, 0, Variant.of("kmeans", k=k, starts=starts), shuffle=False, scores=("nmi",))


def handed(data):
    return data.digest, data.X, data.truth


@pytest.fixture
def queue(monkeypatch):
    """One of the test's own, with nothing left of it behind."""
    made = Queue()
    monkeypatch.setattr(peers, "QUEUE", made)
    yield made
    for asker in ("me", "other"):
        peers.leave(asker)
    until(lambda: not made._running.get(PEERS), 20)


def running(queue):
    return [task.job.key for task in queue._running.get(PEERS, ())]


def test_what_is_asked_for_is_measured_once_and_what_is_replaced_is_ended(queue):
    slow, quick = (step(NOISE, 300, 500),), (step(DATA, 4), step(DATA, 5))
    for one in (*slow, *quick):
        MEASURED.forget(one)
    peers.ask("me", slow, handed(NOISE))
    assert running(queue) == [slow]
    peers.ask("other", quick, handed(DATA))
    assert peers.waits("other")
    peers.ask("me", quick, handed(DATA))  # so nobody wants the slow one any more: half a minute at least
    until(lambda: len(known(quick)) == 2, 60)
    assert known(slow) == {}
    rows = known(quick)
    assert rows[quick[0]]["nmi"] == 1.0
    assert rows[quick[0]]["silhouette"] is None  # only what was asked for
    until(lambda: not running(queue))
    peers.ask("me", quick, handed(DATA))
    assert not running(queue)
    assert known(quick)[quick[0]] is rows[quick[0]]


def test_visitors_take_turns(queue, monkeypatch):
    monkeypatch.setattr(peers, "_TURN", 0.0)
    many, few = tuple(step(NOISE, 60 + k) for k in range(100)), (step(DATA, 8),)
    for one in (*many, *few):
        MEASURED.forget(one)

    def measured():
        peers.ask("me", many, handed(NOISE))
        peers.ask("other", few, handed(DATA))
        return known(few)

    until(measured, 60)
    assert len(known(many)) < len(many)


def test_many_visitors_ask_less_often_each(queue):
    quick = (step(DATA, 4),)
    MEASURED.forget(quick[0])
    alone = peers.pace()
    for visitor in range(40):
        peers.ask(visitor, quick, handed(DATA))
    assert peers.pace() > 1.5 * alone
    assert peers.pace() < jobs.LEASE / 1.5
    for visitor in range(40):
        peers.leave(visitor)


def test_it_ends_when_nobody_asks_any_more(queue, monkeypatch):
    monkeypatch.setattr(jobs, "LEASE", 0.5)
    slow = (step(NOISE, 301, 500),)
    peers.ask("me", slow, handed(NOISE))
    until(lambda: not running(queue), 20)
    assert known(slow) == {}


def test_a_set_of_steps_has_its_share_of_processor_time(queue, monkeypatch):
    monkeypatch.setattr(peers, "MOST_SECONDS", 1.0)
    first, second = step(DATA, 6), step(DATA, 7)
    MEASURED.put(first, ({"seconds": 2.0, "status": "ok"}, None))
    MEASURED.forget(second)
    try:
        peers.ask("me", (first, second), handed(DATA))
        until(lambda: not running(queue), 20)
        assert list(known((first, second))) == [first]
        assert spent(known((first,)).values()) == 2.0
    finally:
        MEASURED.forget(first)


def test_an_operator_may_have_nothing_measured_unasked(monkeypatch):
    monkeypatch.delenv("THETA_OTHERS", raising=False)
    assert peers.measured_unasked()
    monkeypatch.setenv("THETA_OTHERS", "off")
    assert not peers.measured_unasked()
