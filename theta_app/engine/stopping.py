"""Work that can be stopped: kernels look at a flag every few milliseconds, and return without a result where it is set.

A kernel runs without Python's lock and cannot ask a ``cancel`` object. One thread asks for all of them.
"""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from typing import Protocol

import numpy as np

_LOOK = 0.02  # seconds

Progress = Callable[[int, int], object]
"""Told ``(done, total)`` as work goes on; may raise to end it."""


class Cancel(Protocol):
    """Says that work is to stop: a `threading.Event`, or what behaves like one."""

    def is_set(self) -> bool:
        """Whether it is to stop."""


class Cancelled(Exception):
    """The work was stopped by its `cancel` argument."""


def new_flag() -> np.ndarray:
    """What kernels look at: an array whose first number is 0, and something else as soon as they are to stop."""
    return np.zeros(1, np.uint8)


NEVER = new_flag()
"""The flag of work that nobody stops."""


@contextlib.contextmanager
def stoppable(cancel: Cancel | None, flag: np.ndarray) -> Iterator[None]:
    """Set ``flag`` as soon as ``cancel.is_set()`` while this block runs, and raise `Cancelled` at its end if it was.

    ``cancel`` may be None: then nothing is watched.
    """
    if cancel is None:
        yield
        return
    stop_if(cancel)
    with _WATCH.watching(cancel, flag):
        yield
    if flag[0]:
        raise Cancelled("stopped before the end")


def stop_if(cancel: Cancel | None) -> None:
    """Raise Cancelled where `cancel` is set."""
    if cancel is not None and cancel.is_set():
        raise Cancelled("stopped before the end")


class _Watch:
    """The thread that asks, while there is anybody to ask."""

    def __init__(self) -> None:
        self._change = threading.Condition()
        self._watched: dict = {}
        self._thread: threading.Thread | None = None

    @contextlib.contextmanager
    def watching(self, cancel: Cancel, flag: np.ndarray) -> Iterator[None]:
        key = object()
        with self._change:
            self._watched[key] = cancel, flag
            if self._thread is None or not self._thread.is_alive():  # also in a process that was forked
                self._thread = threading.Thread(target=self._ask, name="theta-cancel", daemon=True)
                self._thread.start()
            elif len(self._watched) == 1:
                self._change.notify()
        try:
            yield
        finally:
            with self._change:
                del self._watched[key]

    def _ask(self) -> None:
        while True:
            with self._change:
                while not self._watched:
                    self._change.wait()
                watched = list(self._watched.values())
            for cancel, flag in watched:
                if cancel.is_set():
                    flag[0] = 1
            time.sleep(_LOOK)


_WATCH = _Watch()
