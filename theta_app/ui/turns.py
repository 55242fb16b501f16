"""Few pages run at the same time: with fifty threads that all want Python's lock, nobody would answer the browsers.

A page's script takes a turn, gives it up while it waits for the scheduler, and takes another to go on. Turns are a
courtesy, not a lock: who has waited for a while goes on without one, so that nothing can stand still.
"""

import os
import threading
from contextlib import contextmanager

PATIENCE = 3.0  # seconds


class Turns:
    """So many scripts run at once."""

    def __init__(self, count: int | None = None, patience: float = PATIENCE):
        self._free = threading.Semaphore(count or max(2, os.cpu_count() or 1))
        self._patience = patience
        self._mine = threading.local()

    @contextmanager
    def taken(self):
        """A turn while something runs; one inside another is the same turn."""
        if getattr(self._mine, "has", False):
            yield
            return
        self._take()
        try:
            yield
        finally:
            self._give()

    @contextmanager
    def given_up(self):
        """No turn while something is waited for, if this thread has one."""
        if not getattr(self._mine, "has", False):
            yield
            return
        self._give()
        try:
            yield
        finally:
            self._take()

    def _take(self) -> None:
        self._mine.counted = self._free.acquire(timeout=self._patience)
        self._mine.has = True

    def _give(self) -> None:
        self._mine.has = False
        if self._mine.counted:
            self._free.release()


TURNS = Turns()
