"""Measured in the background: once for all, in turn, and nothing that nobody asks for."""

import pytest

from tests.ui.test_scheduler import until
from theta_app import datasets
from theta_app.compare import Variant
from theta_app.compare.steps import Step
from theta_app.ui import meanwhile
from theta_app.ui.meanwhile import Meanwhile, known, spent
from theta_app.ui.store import MEASURED

DATA = datasets.load(datasets.GridBlobs(side=2, spacing=8.0, per_cluster=25))
NOISE = datasets.load(datasets.Noise(n=8000))


def step(data, k, starts=1):
    return Step("", data.digest, 0, Variant.of("kmeans", k=k, starts=starts), shuffle=False, scores=("nmi",))


def handed(data):
    return data.digest, data.X, data.truth, {}


@pytest.fixture
def run():
    """One of the test's own, with nothing left of it behind."""
    made = Meanwhile()
    yield made
    made.leave("me")
    made.leave("other")
    until(lambda: made._thread is None, 20)


def test_what_is_asked_for_is_measured_once_and_what_is_replaced_is_ended(run):
    slow, quick = (step(NOISE, 300, 500),), (step(DATA, 4), step(DATA, 5))
    for one in (*slow, *quick):
        MEASURED.forget(one)
    run.ask("me", slow, handed(NOISE))
    until(lambda: run._current is not None and run._current.steps == slow)
    run.ask("other", quick, handed(DATA))
    assert run.waits(quick)

    def both_there():
        run.ask("me", quick, handed(DATA))  # so nobody wants the slow one any more: half a minute at least
        return len(known(quick)) == 2

    until(both_there, 60)
    assert known(slow) == {}
    rows = known(quick)
    assert rows[quick[0]]["nmi"] == 1.0
    assert rows[quick[0]]["silhouette"] is None  # only what was asked for
    until(lambda: run._thread is None)
    run.ask("me", quick, handed(DATA))
    until(lambda: run._thread is None)
    assert known(quick)[quick[0]] is rows[quick[0]]


def test_many_visitors_ask_less_often_each(run):
    quick = (step(DATA, 4),)
    MEASURED.forget(quick[0])
    alone = run.pace()
    for visitor in range(40):
        run.ask(visitor, quick, handed(DATA))
    assert run.pace() > 1.5 * alone
    assert run.pace() < meanwhile.PATIENCE / 1.5
    for visitor in range(40):
        run.leave(visitor)


def test_it_ends_when_nobody_asks_any_more(run, monkeypatch):
    monkeypatch.setattr(meanwhile, "PATIENCE", 0.5)
    slow = (step(NOISE, 301, 500),)
    run.ask("me", slow, handed(NOISE))
    until(lambda: run._thread is None, 20)
    assert known(slow) == {}


def test_a_set_of_steps_has_its_share_of_processor_time(run, monkeypatch):
    monkeypatch.setattr(meanwhile, "MOST_SECONDS", 1.0)
    first, second = step(DATA, 6), step(DATA, 7)
    MEASURED.put(first, ({"seconds": 2.0, "status": "ok"}, None))
    MEASURED.forget(second)
    try:
        run.ask("me", (first, second), handed(DATA))
        until(lambda: run._thread is None, 20)
        assert list(known((first, second))) == [first]
        assert spent(known((first,)).values()) == 2.0
    finally:
        MEASURED.forget(first)


def test_an_operator_may_have_nothing_measured_unasked(open_page, monkeypatch):
    def switch(at):
        return next(one.value for one in at.toggle if one.label == "Compute in the background")

    small = {"data": "grid", "data_side": "2", "data_per_cluster": "30", "shuffles": "10"}
    monkeypatch.delenv("THETA_OTHERS", raising=False)
    assert switch(open_page(query=small))
    monkeypatch.setenv("THETA_OTHERS", "off")
    assert not switch(open_page(query=small))
    assert switch(open_page(query={**small, "o_others": "yes"}))
