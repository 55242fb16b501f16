"""Fair turns, the same work once, and nothing that nobody waits for."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from theta_app.ui.scheduler import Piece, Scheduler


def piece(key, value=None, rank=0, wait=None):
    def work(report, cancel):
        if wait is not None:
            wait.wait(10)
        return key if value is None else value

    return Piece(key, work, rank)


def until(condition, seconds=10.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.005)


def busy(scheduler):
    """Wait until the worker has taken up what was asked for first: what comes next waits."""
    until(lambda: any(flight.started for flight in scheduler._flights.values()))


def test_values_come_in_the_order_asked_for():
    assert list(Scheduler(2).results("me", [piece(k) for k in range(20)])) == list(range(20))


def test_no_more_pieces_run_at_once_than_there_are_workers():
    running, most, lock = 0, 0, threading.Lock()

    def work(report, cancel):
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        time.sleep(0.01)
        with lock:
            running -= 1

    list(Scheduler(2).results("me", [Piece(k, work) for k in range(10)]))
    assert most == 2


def test_visitors_take_turns():
    scheduler, gate, order = Scheduler(1), threading.Event(), []

    def visit(name, count):
        def work(k):
            return lambda report, cancel: order.append((name, k))

        return list(scheduler.results(name, [Piece((name, k), work(k)) for k in range(count)]))

    with ThreadPoolExecutor(3) as pool:
        pool.submit(scheduler.result, "first", piece("gate", wait=gate))
        busy(scheduler)
        many = pool.submit(visit, "many", 6)
        until(lambda: "many" in scheduler._waiting)
        few = pool.submit(visit, "few", 2)
        until(lambda: "few" in scheduler._waiting)
        gate.set()
        many.result(10), few.result(10)
    assert [name for name, _ in order[:4]] == ["many", "few", "many", "few"]


def test_a_first_answer_goes_before_everybodys_rest():
    scheduler, gate, order = Scheduler(1), threading.Event(), []

    def visit(name, rank):
        work = lambda report, cancel: order.append(name)  # noqa: E731
        return list(scheduler.results(name, [Piece((name, k), work, rank) for k in range(3)]))

    with ThreadPoolExecutor(3) as pool:
        pool.submit(scheduler.result, "x", piece("gate", wait=gate))
        busy(scheduler)
        late = pool.submit(visit, "refining", 1)
        until(lambda: "refining" in scheduler._waiting)
        first = pool.submit(visit, "first answer", 0)
        until(lambda: "first answer" in scheduler._waiting)
        gate.set()
        late.result(10), first.result(10)
    assert order == ["first answer"] * 3 + ["refining"] * 3


def test_who_is_ahead_can_be_said():
    scheduler, gate = Scheduler(1), threading.Event()
    with ThreadPoolExecutor(4) as pool:
        asked = [pool.submit(scheduler.result, "runs", piece("gate", wait=gate))]
        busy(scheduler)
        for name, rank in (("refines", 1), ("first", 0), ("second", 0)):
            asked.append(pool.submit(scheduler.result, name, piece(name, rank=rank)))
            until(lambda name=name: name in scheduler._waiting)
        assert {name: scheduler.ahead(name) for name in ("runs", "first", "second", "refines", "nobody")} == {
            "runs": 0,
            "first": 0,
            "second": 1,
            "refines": 2,
            "nobody": 0,
        }
        gate.set()
        for future in asked:
            future.result(10)


def test_the_same_work_is_done_once():
    scheduler, gate, count = Scheduler(2), threading.Event(), []

    def work(report, cancel):
        count.append(1)
        gate.wait(10)
        return "value"

    with ThreadPoolExecutor(5) as pool:
        asked = [pool.submit(scheduler.result, name, Piece("same", work)) for name in "abcde"]
        until(lambda: scheduler._flights and scheduler._flights["same"].wanted == 5)
        gate.set()
        assert [future.result(10) for future in asked] == ["value"] * 5
    assert len(count) == 1


class Left(Exception):
    """The visitor has gone."""


def leave(*_):
    raise Left


def test_who_leaves_does_not_stop_it_for_who_stays():
    scheduler, gate, cancelled = Scheduler(1), threading.Event(), []

    def work(report, cancel):
        gate.wait(10)
        cancelled.append(cancel.is_set())
        return "value"

    with ThreadPoolExecutor(2) as pool:
        stays = pool.submit(scheduler.result, "stays", Piece("same", work))
        busy(scheduler)
        leaves = pool.submit(scheduler.result, "leaves", Piece("same", work), leave)
        with pytest.raises(Left):
            leaves.result(10)
        gate.set()
        assert stays.result(10) == "value"
    assert cancelled == [False]


def test_what_nobody_waits_for_is_dropped_and_what_runs_is_told():
    scheduler, told, begun = Scheduler(1), threading.Event(), []

    def work(report, cancel):
        begun.append(1)
        if cancel.wait(10):
            told.set()

    with pytest.raises(Left):
        list(scheduler.results("me", [Piece(k, work) for k in range(5)], leave))
    assert told.wait(10)
    assert scheduler.result("other", piece("next")) == "next"
    assert len(begun) == 1
    assert not scheduler._flights
    assert not scheduler._waiting


def test_dropping_the_iteration_is_leaving():
    scheduler, told = Scheduler(1), threading.Event()

    def slow(report, cancel):
        if cancel.wait(10):
            told.set()

    with closing(scheduler.results("me", [piece("quick"), Piece("slow", slow)])) as values:
        assert next(values) == "quick"
        until(lambda: scheduler._flights["slow"].started)
    assert told.wait(10)


def test_after_a_piece_was_dropped_the_same_work_can_be_asked_for_again():
    scheduler, gate = Scheduler(1), threading.Event()
    with pytest.raises(Left):
        scheduler.result("me", Piece("key", lambda report, cancel: gate.wait(10)), leave)
    gate.set()
    assert scheduler.result("me", piece("key", "anew")) == "anew"


def test_what_a_piece_raises_reaches_who_asked():
    def work(report, cancel):
        raise ValueError("a sentence")

    scheduler = Scheduler(1)
    with pytest.raises(ValueError, match="a sentence"):
        scheduler.result("me", Piece("bad", work), lambda *_: None)
    assert scheduler.result("me", piece("good")) == "good"


def test_progress_counts_what_pieces_report():
    scheduler, seen, gate = Scheduler(1), [], threading.Event()

    def work(report, cancel):
        report(3, 10)
        gate.wait(10)

    def progress(done, total):
        seen.append((done, total))
        if (3, 20) in seen:
            gate.set()

    list(scheduler.results("me", [Piece("a", work), Piece("b", work)], progress))
    assert (3, 20) in seen
