import threading
import time

import pytest

from theta_app.ui import background
from theta_app.ui.background import Background


def endless(started, ended):
    def work(progress):
        started.set()
        try:
            while True:
                progress(3, 10)
                time.sleep(0.01)
        finally:
            ended.set()

    return work


def until_none(jobs, work):
    end = time.monotonic() + 10
    while jobs.ask("key", "me", work) is not None:
        assert time.monotonic() < end
        time.sleep(0.01)


def test_work_runs_once_for_all_who_ask_and_says_how_far_it_is():
    jobs, runs, go = Background(), [], threading.Event()

    def work(progress):
        runs.append(1)
        progress(1, 2)
        go.wait(10)

    jobs.ask("key", "me", work)
    while jobs.ask("key", "you", work) != (1, 2):
        time.sleep(0.01)
    go.set()
    until_none(jobs, work)
    assert runs == [1]


def test_it_ends_when_nobody_asks_any_more(monkeypatch):
    monkeypatch.setattr(background, "UNWANTED", 0.05)
    jobs, started, ended = Background(), threading.Event(), threading.Event()
    jobs.ask("key", "me", endless(started, ended))
    assert started.wait(10)
    assert ended.wait(10)


def test_it_is_stopped_by_the_last_who_wants_it():
    jobs, started, ended = Background(), threading.Event(), threading.Event()
    for asker in ("me", "you"):
        jobs.ask("key", asker, endless(started, ended))
    jobs.stop("key", "me")
    assert not ended.wait(0.1)
    jobs._jobs["key"].asked.pop("me")
    jobs.stop("key", "you")
    assert ended.wait(10)


def test_work_that_fails_says_so_and_starts_anew():
    jobs = Background()

    def fails(progress):
        raise ValueError("no")

    jobs.ask("key", "me", fails)
    jobs._jobs["key"].thread.join(10)
    with pytest.raises(RuntimeError):
        jobs.ask("key", "me", fails)
    until_none(jobs, lambda progress: None)
