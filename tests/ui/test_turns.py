"""Few scripts at a time, and nobody stands still."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

from theta_app.ui.turns import Turns


def test_no_more_run_at_once_than_there_are_turns():
    turns, lock, running, most = Turns(2), threading.Lock(), 0, 0

    def script(_):
        nonlocal running, most
        with turns.taken():
            with lock:
                running += 1
                most = max(most, running)
            time.sleep(0.005)
            with lock:
                running -= 1

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(script, range(30)))
    assert most == 2


def test_who_waits_gives_the_turn_to_another():
    turns, go = Turns(1), threading.Event()

    def waits():
        with turns.taken(), turns.given_up():
            assert go.wait(10)

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(waits)
        second = pool.submit(lambda: _entered(turns, go))
        first.result(10), second.result(10)


def _entered(turns, go):
    with turns.taken():
        go.set()


def test_a_turn_inside_a_turn_is_the_same():
    turns = Turns(1, patience=10)
    with turns.taken(), turns.taken():
        pass
    with turns.taken():
        pass


def test_who_gets_no_turn_goes_on_after_a_while_and_gives_none_back():
    turns = Turns(1, patience=0.01)
    with turns.taken(), ThreadPoolExecutor(1) as pool:
        assert pool.submit(lambda: _entered(turns, threading.Event())).result(10) is None
    done = []
    with turns.taken():
        done.append(turns._free.acquire(blocking=False))
    assert done == [False]  # one turn, not two


def test_an_error_gives_the_turn_back():
    turns = Turns(1, patience=10)
    for _ in range(3):
        try:
            with turns.taken():
                raise ValueError
        except ValueError:
            pass
    with turns.taken():
        pass
