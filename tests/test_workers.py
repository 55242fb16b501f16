"""A process of one's own: what it says and returns, what it may take, and how it ends."""

import os
import pickle
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from theta_app import workers
from theta_app.workers import Died, Worker, run

MB = 1_000_000
on_linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is not told this way elsewhere")
with_signals = pytest.mark.skipif(sys.platform == "win32", reason="signals")


# ---- what the processes do, which import this module -----------------------------------------------------------------


def echoes(say, *arguments):
    for argument in arguments:
        say(argument)
    return arguments


def raises(say, error):
    say("before")
    raise error


def joined(say, pieces):
    return b"".join(pieces)


class Local(Exception):
    """Cannot be made again from its arguments, so it cannot be pickled."""

    def __init__(self, one, two):
        super().__init__(f"{one} and {two}")


def raises_oddly(say):
    raise Local("this", "that")


def prints(say):
    print("this must not run into the answers", flush=True)
    os.write(1, b"nor this")
    return "answer"


def sleeps(say):
    say("asleep")
    time.sleep(600)


def computes(say):
    while True:
        pass


def takes(say, size):
    return len(b"x" * size)


def kills_itself(say, number):
    os.kill(os.getpid(), number)
    time.sleep(60)


def returns_what_cannot_be_sent(say):
    return lambda: None


def about(say):
    return os.environ.get("OMP_NUM_THREADS"), os.nice(0) if hasattr(os, "nice") else None


# ---- what comes back -------------------------------------------------------------------------------------------------


def test_what_is_said_and_returned_comes_back_in_its_order():
    heard = []
    assert run(echoes, 1, "two", None, look=heard.extend) == (1, "two", None)
    assert heard == [1, "two", None]


def test_arrays_and_buffers_come_back_as_they_were_and_cannot_be_changed():
    array, nothing = np.arange(1e6).reshape(1000, 1000), np.empty((0, 3))
    back, empty = run(echoes, array, nothing)
    assert np.array_equal(back, array)
    assert not back.flags.writeable
    assert empty.shape == (0, 3)
    assert run(joined, [pickle.PickleBuffer(b"some "), pickle.PickleBuffer(b"bytes")]) == b"some bytes"


def test_what_it_raises_passes_through_after_what_it_said():
    heard = []
    with pytest.raises(KeyError, match="a sentence"):
        run(raises, KeyError("a sentence"), look=heard.extend)
    assert heard == ["before"]


@pytest.mark.parametrize("function", [raises_oddly, returns_what_cannot_be_sent])
def test_what_cannot_be_pickled_is_an_error_that_can(function):
    with pytest.raises(Exception, match=r"Local: this and that|[Pp]ickle"):
        run(function)


def test_what_a_library_prints_does_not_run_into_the_answers():
    assert run(prints) == "answer"


def test_it_gives_way_to_others_and_has_one_thread(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    assert run(about, niceness=7)[0] == "1"
    if hasattr(os, "nice"):
        assert run(about, niceness=7)[1] == min(os.nice(0) + 7, 19)
    assert run(about, threads=None)[0] == "3"


# ---- how it ends -----------------------------------------------------------------------------------------------------


class Left(Exception):
    """The visitor is gone."""


def test_it_is_ended_at_once_when_whoever_looks_raises():
    def look(said):
        if said:
            raise Left

    with pytest.raises(Left), Worker(sleeps) as worker:
        worker.result(look)
    assert worker.process.returncode == -signal.SIGKILL
    assert not any(thread.is_alive() for thread in worker._threads)


def test_it_ends_with_whoever_started_it():
    with Worker(sleeps) as worker:
        worker._threads[0].join()  # everything has been handed over
        worker.process.stdin.close()
        assert worker.process.wait(timeout=120) == 0


@with_signals
def test_one_that_is_killed_says_so():
    with pytest.raises(Died):
        run(kills_itself, signal.SIGKILL)


def test_one_that_takes_longer_than_it_may_is_ended():
    with pytest.raises(TimeoutError, match="more than 2 seconds"), Worker(sleeps, seconds=2) as worker:
        worker.result()
    assert worker.process.returncode is not None


@with_signals
def test_the_processor_time_is_bounded_where_nobody_watches():
    with Worker(computes, seconds=1) as worker:
        assert worker.process.wait(timeout=120) == -signal.SIGXCPU
        with pytest.raises(TimeoutError):
            worker.result()


@on_linux
def test_one_that_takes_more_memory_than_it_may_is_refused_it():
    with pytest.raises(MemoryError):
        run(takes, 300 * MB, memory=100 * MB)
    assert run(takes, 50 * MB, memory=100 * MB) == 50 * MB


@on_linux
def test_arguments_that_do_not_fit_are_too_much_memory_as_well():
    with pytest.raises(MemoryError):
        run(echoes, np.zeros(40 * MB), memory=100 * MB)


@on_linux
def test_memory_is_watched_where_the_system_does_not_bound_it():
    script = (
        "import threading, time; from theta_app import workers\n"
        "threading.Thread(target=workers.watch_memory, args=(workers.memory_in_use() + 50_000_000,)).start()\n"
        "held = bytearray(200_000_000)\nwhile True: time.sleep(1)"
    )
    assert subprocess.run([sys.executable, "-c", script], timeout=120).returncode == workers.OUT_OF_MEMORY


@on_linux
def test_it_says_what_it_took():
    with Worker(takes, 200 * MB) as worker:
        worker.result()
    seconds, peak = worker.usage
    assert 0 < seconds < 60
    assert peak > 200 * MB
