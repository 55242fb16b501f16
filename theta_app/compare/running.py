"""Steps measured in a process of their own, each with a time budget: what takes too long or dies stops nobody."""

import time
from collections.abc import Callable, Iterable

from theta_app import workers
from theta_app.compare.measure import OVER
from theta_app.compare.steps import PointsAtHand, Step, measured, without_result

_DIED = "Its process ended; it may have run out of memory."


class _OverBudget(Exception):
    """A step has taken longer than it may."""


def measure_apart(
    steps: Iterable[Step],
    budget: float,
    points: tuple | None = None,
    *,
    done: Callable,
    look: Callable | None = None,
    niceness: int = 2,
) -> None:
    """Measure steps in their order, in a process of its own; one is given up after `budget` seconds of waiting.

    `points` (key, X, truth) are those of steps whose ``data`` is a key: see `PointsAtHand.hand_over`. ``done(step, row,
    picture)`` is called as soon as a step has its row, which may say that it failed or took too long; ``look(step or
    None, seconds)`` several times per second with the step that runs, and for how long. What it raises ends everything.
    """
    todo = list(steps)
    while todo:
        watched = _Watched(todo, budget, done, look)
        try:
            workers.run(_measure, todo, points, look=watched, niceness=niceness)
            return
        except _OverBudget:
            row = without_result(watched.step, f"Given up after {budget:g} seconds.", OVER)
        except (workers.Died, MemoryError):
            if watched.at == len(todo):  # all is done, it only did not say so
                return
            row = without_result(watched.step, _DIED)
        done(watched.step, row, None)
        del todo[: watched.at + 1]


class _Watched:
    """What a process that measures has said: which step it is at, and since when."""

    def __init__(self, steps: list[Step], budget: float, done: Callable, look: Callable | None) -> None:
        self.steps, self.budget, self.done, self.tell = steps, budget, done, look
        self.since: float | None
        self.at, self.since = 0, None

    @property
    def step(self) -> Step:
        return self.steps[self.at]

    def __call__(self, said: list) -> None:
        for result in said:
            if result is None:
                self.since = time.monotonic()
            else:
                self.done(self.step, *result)
                self.at, self.since = self.at + 1, None
        seconds = 0.0 if self.since is None else time.monotonic() - self.since
        if self.tell is not None:
            self.tell(None if self.since is None else self.step, seconds)
        if seconds > self.budget:
            raise _OverBudget


def _measure(say: Callable[[object], None], steps: list[Step], points: tuple | None) -> None:
    """What the process does: it says None when a step begins, and its row and picture when it is done."""
    at_hand = PointsAtHand()
    if points is not None:
        at_hand.hand_over(*points)
    for step in steps:
        say(None)
        say(measured(step, at_hand))
