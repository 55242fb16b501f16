"""Other methods measured beside a sweep, started automatically: one process that gives way to everything else.

Whoever looks at the curves asks again and again (`ask`). The same step is measured once for all, and is kept.
"""

import contextlib
import os
import time
from collections.abc import Hashable, Iterable

from theta_app.compare.measure import OVER
from theta_app.compare.running import measure_apart
from theta_app.compare.steps import Step
from theta_app.engine import Cancel, Cancelled
from theta_app.ui.jobs import PEERS, QUEUE, Job
from theta_app.ui.store import MEASURED

_ASK, _ASK_EACH, _ASK_LATEST = 1.5, 0.12, 6.0  # seconds between questions: at least, per visitor, at most
MOST_SECONDS = 60.0  # of processor time for one set of steps: what is left then stays unmeasured
BUDGET = 60.0  # seconds one step may take, as the clock on the wall has it
_TURN = 15.0  # seconds after which one who works ends with the step under way if others wait; starting takes two
_NICENESS = 12


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


def ask(asker: Hashable, steps: tuple[Step, ...], points: tuple) -> None:
    """Have steps measured, in their order; what the same visitor asked for before is no longer wanted.

    ``points`` are theirs, as `PointsAtHand.hand_over` takes them. Ask again every few seconds.
    """
    leave(asker, but=steps)
    if _missing(steps):
        QUEUE.ask(asker, Job(steps, lambda report, cancel: _measure(steps, points, cancel), lane=PEERS))


def leave(asker: Hashable, but: tuple[Step, ...] | None = None) -> None:
    """This visitor wants nothing any more, ``but`` these steps."""
    for steps in QUEUE.asked_for(asker, PEERS):
        if steps != but:
            QUEUE.leave(asker, steps)


def pace() -> float:
    """Seconds after which to ask again: a class of fifty asks no more often than ten visitors together."""
    return min(max(_ASK, _ASK_EACH * QUEUE.askers(PEERS)), _ASK_LATEST)


def waits(asker: Hashable) -> bool:
    """Whether it is somebody else's turn."""
    return QUEUE.ahead(asker, PEERS) > 0


def _missing(steps: tuple[Step, ...]) -> list[Step]:
    done = known(steps)
    return [] if spent(done.values()) > MOST_SECONDS else [step for step in steps if step not in done]


def _measure(steps: tuple[Step, ...], points: tuple, cancel: Cancel | None) -> None:
    """Measure until all is done, or another visitor's turn has come: who asks again then waits for the next one."""
    ends = time.monotonic() + _TURN

    def done(step: Step, row: dict, picture: object) -> None:
        MEASURED.put(step, (row, None))
        if not _missing(steps) or (time.monotonic() > ends and QUEUE.waiting(PEERS)):
            raise Cancelled

    def look(step: Step | None, seconds: float) -> None:
        if cancel.is_set():
            raise Cancelled

    with contextlib.suppress(Cancelled):
        measure_apart(_missing(steps), BUDGET, points, done=done, look=look, niceness=_NICENESS)
