"""Fair turns, the same work once, and nothing that nobody wants."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from theta_app.engine import Cancelled
from theta_app.ui import jobs
from theta_app.ui.jobs import Job, Lane, Queue


def until(condition, seconds=10.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.005)


@pytest.fixture
def one():
    """A lane of one place."""
    return Lane("test", 1)


def job(key, lane, value=None, rank=0, wait=None):
    def work(report, cancel):
        if wait is not None:
            wait.wait(10)
        return key if value is None else value

    return Job(key, work, rank, lane)


def endless(key, lane, ended=None, **options):
    """A job that goes on until it is told to stop."""

    def work(report, cancel):
        try:
            while True:
                cancel.progress(3, 10, "here")
                time.sleep(0.005)
        finally:
            if ended is not None:
                ended.set()

    return Job(key, work, lane=lane, **options)


def waits(queue, name, lane):
    return name in queue._waiting.get(lane, ())


def busy(queue, lane):
    """Wait until the place is taken by what was asked for first: what comes next waits."""
    until(lambda: queue._running.get(lane))


# ---- waiting for results ---------------------------------------------------------------------------------------------


def test_values_come_in_the_order_asked_for():
    lane = Lane("test", 2)
    assert list(Queue().results("me", [job(k, lane) for k in range(20)])) == list(range(20))


def test_no_more_jobs_run_at_once_than_there_are_places():
    lane, running, most, lock = Lane("test", 2), 0, 0, threading.Lock()

    def work(report, cancel):
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        time.sleep(0.01)
        with lock:
            running -= 1

    list(Queue().results("me", [Job(k, work, lane=lane) for k in range(10)]))
    assert most == 2


def test_jobs_that_cost_more_take_more_of_a_lane():
    queue, gate, lane = Queue(), threading.Event(), Lane("test", lambda: 10)
    for name, cost in (("large", 6), ("too large", 6), ("small", 4)):
        queue.ask(name, Job(name, lambda *_: gate.wait(10), lane=lane, cost=cost))
    assert [queue.ask(name, Job(name, None, lane=lane)).waiting for name in ("large", "too large", "small")] == [
        False,
        True,
        False,
    ]
    gate.set()
    until(lambda: queue.ask("too large", Job("too large", None, lane=lane)).ended)


def test_visitors_take_turns(one):
    queue, gate, order = Queue(), threading.Event(), []

    def visit(name, count):
        def work(k):
            return lambda report, cancel: order.append((name, k))

        return list(queue.results(name, [Job((name, k), work(k), lane=one) for k in range(count)]))

    with ThreadPoolExecutor(3) as pool:
        pool.submit(queue.result, "first", job("gate", one, wait=gate))
        busy(queue, one)
        many = pool.submit(visit, "many", 6)
        until(lambda: waits(queue, "many", one))
        few = pool.submit(visit, "few", 2)
        until(lambda: waits(queue, "few", one))
        gate.set()
        many.result(10), few.result(10)
    assert [name for name, _ in order[:4]] == ["many", "few", "many", "few"]


def test_a_first_answer_goes_before_everybodys_rest(one):
    queue, gate, order = Queue(), threading.Event(), []

    def visit(name, rank):
        work = lambda report, cancel: order.append(name)  # noqa: E731
        return list(queue.results(name, [Job((name, k), work, rank, one) for k in range(3)]))

    with ThreadPoolExecutor(3) as pool:
        pool.submit(queue.result, "x", job("gate", one, wait=gate))
        busy(queue, one)
        late = pool.submit(visit, "refining", 1)
        until(lambda: waits(queue, "refining", one))
        first = pool.submit(visit, "first answer", 0)
        until(lambda: waits(queue, "first answer", one))
        gate.set()
        late.result(10), first.result(10)
    assert order == ["first answer"] * 3 + ["refining"] * 3


def test_a_visitor_has_one_at_a_time_in_a_lane_that_says_so():
    queue, gate, lane = Queue(), threading.Event(), Lane("test", 2, one_each=True)
    tasks = [queue.ask(name, job(key, lane, wait=gate)) for name, key in (("ann", 1), ("ann", 2), ("bob", 3))]
    assert [task.waiting for task in tasks] == [False, True, False]
    gate.set()
    until(lambda: all(task.ended for task in tasks))


def test_visitors_are_counted_once_whether_their_work_runs_or_waits(one):
    queue, go = Queue(), threading.Event()
    held = [queue.hold(name, [job((name, k), one, wait=go) for k in range(2)]) for name in ("first", "second")]
    busy(queue, one)
    assert queue.visitors(one) == 2
    go.set()
    until(lambda: queue.visitors(one) == 0)
    for tasks in held:
        queue.let_go(tasks)


def test_who_is_ahead_can_be_said(one, monkeypatch):
    queue, gate = Queue(), threading.Event()
    monkeypatch.setattr(jobs, "CORES", one)
    with ThreadPoolExecutor(4) as pool:
        asked = [pool.submit(queue.result, "runs", job("gate", one, wait=gate))]
        busy(queue, one)
        for name, rank in (("refines", 1), ("first", 0), ("second", 0)):
            asked.append(pool.submit(queue.result, name, job(name, one, rank=rank)))
            until(lambda name=name: waits(queue, name, one))
        expected = {"runs": 0, "first": 0, "second": 1, "refines": 2, "nobody": 0}
        assert {name: queue.ahead(name, one) for name in expected} == expected
        monkeypatch.undo()
        assert queue.ahead("second", one) == 2  # in other lanes what runs takes its time
        gate.set()
        for future in asked:
            future.result(10)


def test_the_same_work_is_done_once():
    queue, gate, count, lane = Queue(), threading.Event(), [], Lane("test", 2)

    def work(report, cancel):
        count.append(1)
        gate.wait(10)
        return "value"

    with ThreadPoolExecutor(5) as pool:
        asked = [pool.submit(queue.result, name, Job("same", work, lane=lane)) for name in "abcde"]
        until(lambda: queue._tasks and queue._tasks["same"].held == 5)
        gate.set()
        assert [future.result(10) for future in asked] == ["value"] * 5
    assert len(count) == 1


class Left(Exception):
    """The visitor has gone."""


def leave(*_):
    raise Left


def test_who_leaves_does_not_stop_it_for_who_stays(one):
    queue, gate, cancelled = Queue(), threading.Event(), []

    def work(report, cancel):
        gate.wait(10)
        cancelled.append(cancel.is_set())
        return "value"

    with ThreadPoolExecutor(2) as pool:
        stays = pool.submit(queue.result, "stays", Job("same", work, lane=one))
        busy(queue, one)
        leaves = pool.submit(queue.result, "leaves", Job("same", work, lane=one), leave)
        with pytest.raises(Left):
            leaves.result(10)
        gate.set()
        assert stays.result(10) == "value"
    assert cancelled == [False]


def test_what_nobody_waits_for_is_dropped_and_what_runs_is_told(one):
    queue, told = Queue(), threading.Event()
    with pytest.raises(Left):
        list(queue.results("me", [endless(k, one, told) for k in range(5)], leave))
    assert told.wait(10)
    told.clear()
    assert queue.result("other", job("next", one)) == "next"
    assert not told.is_set(), "another of them was begun"
    assert not queue._tasks
    assert not queue._waiting[one]


def test_dropping_the_iteration_is_leaving(one):
    queue, told = Queue(), threading.Event()
    with closing(queue.results("me", [job("quick", one), endless("slow", one, told)])) as values:
        assert next(values) == "quick"
        until(lambda: queue._tasks["slow"].begun.is_set())
    assert told.wait(10)


def test_after_a_job_was_dropped_the_same_work_can_be_asked_for_again(one):
    queue, gate = Queue(), threading.Event()
    with pytest.raises(Left):
        queue.result("me", job("key", one, wait=gate), leave)
    gate.set()
    assert queue.result("me", job("key", one, "anew")) == "anew"


def test_what_a_job_raises_reaches_who_waits_for_it(one):
    def work(report, cancel):
        raise ValueError("a sentence")

    queue = Queue()
    with pytest.raises(ValueError, match="a sentence"):
        queue.result("me", Job("bad", work, lane=one), lambda *_: None)
    assert queue.result("me", job("good", one)) == "good"


def test_progress_counts_what_jobs_report(one):
    queue, seen, gate = Queue(), [], threading.Event()

    def work(report, cancel):
        report(3, 10)
        gate.wait(10)

    def progress(done, total):
        seen.append((done, total))
        if (3, 20) in seen:
            gate.set()

    list(queue.results("me", [Job("a", work, lane=one), Job("b", work, lane=one)], progress))
    assert (3, 20) in seen


# ---- asking now and then ---------------------------------------------------------------------------------------------


def test_what_is_asked_for_runs_once_for_all_and_says_how_far_it_is(one):
    queue, runs, go = Queue(), [], threading.Event()

    def work(report, cancel):
        runs.append(1)
        report(1, 2, "here")
        go.wait(10)

    same = Job("key", work, lane=one)
    task = queue.ask("me", same)
    until(lambda: task.total)
    assert queue.ask("you", same) is task
    assert (task.done, task.total, task.now, task.waiting) == (1, 2, "here", False)
    go.set()
    until(lambda: task.ended)
    assert queue.ask("me", same) is task, "each is told that it has ended"
    assert queue.look("you", "key") is task
    assert queue.look("you", "key") is None, "once"
    assert runs == [1]
    assert not queue._tasks


def test_it_ends_when_nobody_asks_any_more_and_the_next_has_its_place(one, monkeypatch):
    monkeypatch.setattr(jobs, "LEASE", 0.05)
    queue, ended = Queue(), threading.Event()
    task = queue.ask("me", endless("key", one, ended))
    assert ended.wait(10)
    until(lambda: task.ended)
    assert task.forgotten
    assert queue.look("me", "key") is None
    assert queue.result("other", job("next", one)) == "next"
    assert not queue._tasks


def test_who_waits_in_the_queue_and_is_gone_is_passed_over(one, monkeypatch):
    queue, gate, begun = Queue(), threading.Event(), []
    queue.ask("runs", job("gate", one, wait=gate))
    queue.ask("gone", Job("gone", lambda *_: begun.append(1), lane=one))
    monkeypatch.setattr(jobs, "LEASE", 0.0)
    gate.set()
    assert queue.result("me", job("mine", one)) == "mine"
    assert begun == []


def test_it_is_stopped_by_the_last_who_wants_it(one):
    queue, ended = Queue(), threading.Event()
    same = endless("key", one, ended)
    task = queue.ask("me", same)
    assert queue.ask("you", same) is task
    queue.leave("me", "key")
    assert not task.is_set()
    queue.leave("you", "key")
    assert ended.is_set(), "whoever stops it finds it ended"
    assert not task.forgotten
    assert queue.ask("me", job("key", one)) is not task, "asked for again it begins anew"


def test_work_that_fails_says_so_to_who_asked_and_another_tries_anew(one):
    queue = Queue()

    def fails(report, cancel):
        raise ValueError("no")

    bad = Job("key", fails, lane=one)
    task = queue.ask("me", bad)
    until(lambda: task.ended)
    assert str(queue.ask("me", bad).failed) == "no"
    assert queue.ask("me", bad) is task, "it is not tried again and again"
    other = queue.ask("you", job("key", one))
    until(lambda: other.ended)
    assert other.failed is None
    queue.leave("me", "key")
    assert queue.ask("me", job("key", one)) is not task


def test_progress_of_work_that_nobody_wants_raises(one):
    queue = Queue()
    task = queue.ask("me", endless("key", one))
    queue.leave("me", "key")
    assert isinstance(task.future.exception(10), Cancelled)


# ---- scripts ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def scripts(monkeypatch):
    """``scripts(count, patience)``: a queue in which so many scripts run at once."""

    def made(count, patience=10.0):
        monkeypatch.setattr(jobs, "SCRIPTS", Lane("scripts", count))
        monkeypatch.setattr(jobs, "PATIENCE", patience)
        return Queue()

    return made


def test_no_more_scripts_run_at_once_than_there_are_turns(scripts):
    queue, lock, running, most = scripts(2), threading.Lock(), 0, 0

    def script(name):
        nonlocal running, most
        with queue.turn(name):
            with lock:
                running += 1
                most = max(most, running)
            time.sleep(0.005)
            with lock:
                running -= 1

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(script, range(30)))
    assert most == 2


def test_a_script_that_waits_for_results_gives_its_turn_to_another(scripts, one):
    queue, go = scripts(1), threading.Event()

    def waits_for_results():
        with queue.turn("me"):
            return queue.result("me", job("key", one, wait=go))

    def other():
        with queue.turn("other"):
            go.set()

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(waits_for_results)
        busy(queue, one)
        pool.submit(other).result(9)
        assert first.result(10) == "key"


def test_a_turn_inside_a_turn_is_the_same(scripts):
    queue = scripts(1)
    with queue.turn("me"), queue.turn("me"):
        pass
    with queue.turn("me"):
        pass


def test_a_script_that_gets_no_turn_goes_on_after_a_while_and_gives_none_back(scripts):
    queue = scripts(1, patience=0.01)

    def script():
        with queue.turn("other"):
            return len(queue._running[jobs.SCRIPTS])

    with queue.turn("me"), ThreadPoolExecutor(1) as pool:
        assert pool.submit(script).result(10) == 1
        assert len(queue._running[jobs.SCRIPTS]) == 1
    assert not queue._running[jobs.SCRIPTS]


def test_an_error_gives_the_turn_back(scripts):
    queue = scripts(1)
    for _ in range(3):
        with pytest.raises(ValueError, match="broken"), queue.turn("me"):
            raise ValueError("broken")
    assert not queue._running[jobs.SCRIPTS]


# ---- work that takes long --------------------------------------------------------------------------------------------


def test_the_place_of_work_that_takes_long_is_lent_to_whoever_has_none(monkeypatch):
    monkeypatch.setattr(jobs, "_LONG", 0.0)
    queue, lane = Queue(), Lane("test", 2, lends=True)
    heavy = [queue.hold("heavy", [endless(k, lane) for k in range(4)])[0] for _ in range(1)]
    other = queue.hold("other", [endless("b", lane)])
    assert len(queue._running[lane]) == 3
    assert queue.result("ordinary", job("quick", lane)) == "quick"
    assert [task.begun.is_set() for task in queue._tasks.values()] == [True, True, False, False, True], "one each"
    queue.let_go([*heavy, *other, *list(queue._tasks.values())])


def test_only_so_many_places_are_lent(monkeypatch):
    monkeypatch.setattr(jobs, "_LONG", 0.0)
    monkeypatch.setattr(jobs, "_MOST_LENT", 3)
    queue, lane = Queue(), Lane("test", 2, lends=True)
    tasks = [task for k in range(9) for task in queue.hold(k, [endless(k, lane)])]
    assert sum(task.begun.is_set() for task in tasks) == 5
    queue.let_go(tasks)


def test_work_that_asks_for_work_of_its_own_lane_does_it_itself(one):
    queue = Queue()
    outer = Job("outer", lambda report, cancel: queue.result("me", job("inner", one)), lane=one)
    assert queue.result("me", outer) == "inner"
