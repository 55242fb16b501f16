"""Measurements made while a page is looked at, that nobody has pressed a button for.

One process for the whole server, which gives way to everything else on the machine: a fit of another library cannot be
interrupted, a process can be ended. It works for whoever asks, a turn each; the same step is measured once for all, and
is kept in the store. Whoever wants to have steps measured asks again and again: when nobody has asked for `PATIENCE`
seconds, or they ask for something else, the process is ended.
"""

import os
import threading
import time
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field

from theta_app.compare.measure import OVER
from theta_app.compare.running import Run
from theta_app.compare.steps import Step
from theta_app.ui.store import MEASURED

PATIENCE = 12.0  # seconds without being asked
_ASK, _ASK_EACH, _ASK_LATEST = 1.5, 0.12, 6.0  # seconds between questions: at least, per visitor, at most
MOST_SECONDS = 60.0  # of processor time for one set of steps: what is left then stays unmeasured
BUDGET = 60.0  # seconds one step may take, as the clock on the wall has it
_TURN = 15.0  # seconds that one works while others wait; starting a process takes two
_LOOK = 0.2
_NICENESS = 10


def measured_unasked() -> bool:
    """Whether pages begin with the switch on: an operator may say ``THETA_OTHERS=off``, as on a small server."""
    return os.environ.get("THETA_OTHERS", "").strip().lower() not in ("off", "no", "0")


def known(steps: Iterable[Step]) -> dict[Step, dict]:
    """The row of each step that has been measured."""
    found = {step: MEASURED.get(step) for step in steps}
    return {step: value[0] for step, value in found.items() if value is not None}


def spent(rows: Iterable[dict]) -> float:
    """Seconds of processor time that rows took."""
    return sum(row["seconds"] or (BUDGET if row["status"] == OVER else 0.0) for row in rows)


@dataclass(eq=False)
class _Work:
    """Steps of the same points, and when each visitor last asked for them."""

    steps: tuple[Step, ...]
    points: tuple
    asked: dict[Hashable, float] = field(default_factory=dict)

    @property
    def wanted(self) -> bool:
        return any(time.monotonic() - when < PATIENCE for when in list(self.asked.values()))

    def missing(self) -> list[Step]:
        done = known(self.steps)
        return [] if spent(done.values()) > MOST_SECONDS else [step for step in self.steps if step not in done]


class Meanwhile:
    """What is measured in the background. One per server: see `MEANWHILE`."""

    def __init__(self):
        self._change = threading.Lock()
        self._queue: list[_Work] = []
        self._current: _Work | None = None
        self._thread: threading.Thread | None = None
        self._places = threading.BoundedSemaphore(1)

    def ask(self, asker: Hashable, steps: tuple[Step, ...], points: tuple) -> None:
        """Have steps measured, in their order; what the same visitor asked for before is no longer wanted.

        ``points`` are theirs, as `PointsAtHand.hand_over` takes them. Ask again every few seconds.
        """
        with self._change:
            self._forget(asker, but=steps)
            work = next((work for work in self._queue if work.steps == steps), None)
            if work is None:
                work = _Work(steps, points)
                self._queue.append(work)
            work.asked[asker] = time.monotonic()
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._serve, name="theta-meanwhile", daemon=True)
                self._thread.start()

    def leave(self, asker: Hashable) -> None:
        """This visitor wants nothing any more."""
        with self._change:
            self._forget(asker)

    def pace(self) -> float:
        """Seconds after which to ask again: a class of fifty asks no more often than ten visitors together."""
        askers = {asker for work in self._queue for asker in list(work.asked)}
        return min(max(_ASK, _ASK_EACH * len(askers)), _ASK_LATEST)

    def waits(self, steps: tuple[Step, ...]) -> bool:
        """Whether it is somebody else's turn."""
        current = self._current
        return current is not None and current.steps != steps

    def _forget(self, asker: Hashable, but: tuple[Step, ...] | None = None) -> None:
        for work in self._queue:
            if work.steps != but:
                work.asked.pop(asker, None)

    def _serve(self) -> None:
        while (work := self._next()) is not None:
            self._run(work)

    def _next(self) -> _Work | None:
        """Whose turn it is; the thread ends where there is nobody."""
        with self._change:
            if self._current in self._queue:  # to the end, after those who wait
                self._queue.remove(self._current)
                self._queue.append(self._current)
            self._queue = [work for work in self._queue if work.wanted and work.missing()]
            self._current = self._queue[0] if self._queue else None
            if self._current is None:
                self._thread = None
            return self._current

    def _run(self, work: _Work) -> None:
        run = Run(work.missing(), BUDGET, work.points, slots=self._places, niceness=_NICENESS)
        ends = time.monotonic() + _TURN
        took = spent(known(work.steps).values())
        try:
            while run.active and work.wanted and took <= MOST_SECONDS:
                if time.monotonic() > ends and len(self._queue) > 1:
                    break
                for step, row, _ in run.poll():
                    MEASURED.put(step, (row, None))
                    took += spent([row])
                time.sleep(_LOOK)
        finally:
            run.stop()


MEANWHILE = Meanwhile()
