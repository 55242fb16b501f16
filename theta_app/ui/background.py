"""Work of many seconds that goes on while its page can be used.

It runs once for all who ask for it, in a thread of its own that leaves the computing to the scheduler, and ends soon
after nobody asks any more: pages ask every second or so.
"""

import logging
import threading
import time
from collections.abc import Callable, Hashable

from theta_app.ui.scheduler import Progress

UNWANTED = 5.0  # seconds without a question after which work is ended


class _Ended(Exception):
    """Nobody wants the work any more."""


class _Job:
    def __init__(self, work: Callable[[Progress], None]):
        self.asked: dict[Hashable, float] = {}
        self.done, self.total, self.failed = 0, 0, False
        self.stopped = threading.Event()
        self.thread = threading.Thread(target=self._run, args=(work,), daemon=True)

    def _run(self, work) -> None:
        try:
            work(self._progress)
        except _Ended:
            pass
        except Exception:
            logging.getLogger(__name__).exception("work in the background failed")
            self.failed = True

    def _progress(self, done: int, total: int) -> None:
        """Called several times per second: this is where the work can end."""
        self.done, self.total = done, total
        if self.stopped.is_set() or not self.wanted():
            raise _Ended

    def wanted(self, but_for: Hashable = None) -> bool:
        now = time.monotonic()
        return any(
            now - asked <= UNWANTED for asker, asked in self.asked.items() if but_for is None or asker != but_for
        )


class Background:
    """Jobs by key."""

    def __init__(self):
        self._jobs: dict[Hashable, _Job] = {}
        self._change = threading.Lock()

    def ask(self, key: Hashable, asker: Hashable, work: Callable[[Progress], None]) -> tuple[int, int] | None:
        """(done, total) of ``work(progress)``, started here unless it is under way; None once it has ended by itself.

        RuntimeError where it failed; asked again it starts anew.
        """
        with self._change:
            job = self._jobs.get(key)
            ended = job is not None and not job.thread.is_alive()
            if ended:
                del self._jobs[key]
                if job.failed:
                    raise RuntimeError("the work has failed")
                if not job.stopped.is_set() and job.wanted():
                    return None
            if job is None or ended:
                job = self._jobs[key] = _Job(work)
                job.asked[asker] = time.monotonic()
                job.thread.start()
            job.asked = {**job.asked, asker: time.monotonic()}
            return job.done, job.total

    def stop(self, key: Hashable, asker: Hashable) -> None:
        """End work that this one no longer wants, unless others do."""
        with self._change:
            job = self._jobs.get(key)
            if job is not None and not job.wanted(asker):
                job.stopped.set()


BACKGROUND = Background()
