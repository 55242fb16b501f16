"""A comparison that runs while the page is looked at: started, stopped and resumed, its results kept for everybody.

What has been measured on this computer is kept by step, so a stopped comparison resumes and a changed one measures only
what is new. The session holds what was asked for; when nobody asks any more, the queue ends it.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from theta_app.compare.running import measure_apart
from theta_app.compare.steps import Step
from theta_app.selection import Progress
from theta_app.ui import scheduled, shell
from theta_app.ui.jobs import PROCESSES, QUEUE, Job, Task
from theta_app.ui.store import MEASURED

_RUN = "theta_app.compare.run"
_EVERY = 1.0  # seconds between looks at a run
_DRAW_EVERY = 2.5  # seconds between two drawings of the results, which cost more than a look


@dataclass(frozen=True)
class Plan:
    """What to measure."""

    steps: tuple[Step, ...]
    budget: float  # seconds a step may take
    points: tuple | None = None  # (key, X, truth): of steps that name their points by key
    expected: float | None = None  # seconds that all steps together are expected to take


def known(plan: Plan) -> dict[Step, tuple]:
    """(row, Picture or None) of each step that has been measured on this computer."""
    found = {step: MEASURED.get(step) for step in plan.steps}
    return {step: value for step, value in found.items() if value is not None}


def panel(plan: Plan, draw: Callable[[dict], None]) -> None:
    """Buttons and progress, and under them ``draw(known)``, again whenever something new has been measured."""
    watched(lambda: _running(plan), lambda: len(known(plan)), lambda task: _controls(plan, task))
    draw(known(plan))


def watched(
    running: Callable[[], Task | None], count: Callable[[], int], controls: Callable[[Task | None], None]
) -> bool:
    """Whether something runs: its ``controls(task)`` are drawn by the clock then.

    The page is drawn again when it begins or ends, and now and then while ``count()`` grows.
    """
    every = _EVERY if running() is not None else None
    drawn, since = count(), time.monotonic()

    @st.fragment(run_every=every)
    def watch() -> None:
        with shell.guard():
            task = running()
            begun_or_ended = (every is None) != (task is None)  # the clock changes with it
            if begun_or_ended or (count() > drawn and time.monotonic() - since > _DRAW_EVERY):
                st.rerun()
            controls(task)

    watch()
    return every is not None


def _running(plan: Plan) -> Task | None:
    """The comparison of this plan, if the session has started it and it is not finished."""
    job = _job(plan)
    return scheduled.running(_RUN, job.key, lambda: QUEUE.ask(scheduled.asker(), job))


def _job(plan: Plan) -> Job:
    def work(report: Progress, cancel: Task) -> None:
        done = known(plan)
        missing = [step for step in plan.steps if step not in done]
        keep = lambda step, row, picture: MEASURED.put(step, (row, picture))  # noqa: E731
        look = lambda step, seconds: cancel.progress(0, len(missing), step and (step, seconds))  # noqa: E731
        measure_apart(missing, plan.budget, plan.points, done=keep, look=look)

    return Job(("compare", plan.steps), work, lane=PROCESSES)


def _start(plan: Plan, again: bool = False) -> None:
    if again:
        for step in plan.steps:
            MEASURED.forget(step)
    st.session_state[_RUN] = _job(plan).key


def _controls(plan: Plan, task: Task | None) -> None:
    done, total = len(known(plan)), len(plan.steps)
    if task is not None:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button("Stop", icon=":material/stop:", on_click=scheduled.stop, args=(_RUN,), key="compare-stop")
            st.progress(done / max(total, 1), _status(task, done, total))
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        if done == 0:
            label = "Run it here"
        else:
            label = f"Resume ({total - done} left)" if done < total else "Measure again"
        st.button(
            label,
            icon=":material/play_arrow:" if done < total else ":material/replay:",
            type="primary" if done < total else "secondary",
            on_click=_start,
            args=(plan, done == total),
            key="compare-run",
            disabled=total == 0,
        )
        st.markdown(_expectation(plan, done, total), width="content")


def _status(task: Task, done: int, total: int) -> str:
    if task.waiting:
        return "Waiting: other comparisons are using this computer."
    if task.now is None:
        return f"{done} of {total} · getting ready"
    step, seconds = task.now
    return f"{done} of {total} · {step.variant.label}, repeat {step.repeat + 1} · {step.case} · {seconds:.0f} s"


def _expectation(plan: Plan, done: int, total: int) -> str:
    if total == 0:
        return "Choose at least one method."
    if done == total:
        return f"All {total} measurements are done."
    left = total - done
    words = f"{left} measurement{'' if left == 1 else 's'}"
    if plan.expected is not None:
        return f"{words}, about {duration(plan.expected * left / total)} on one core. You can stop and resume."
    return f"{words}, each stopped after {plan.budget:g} seconds at most. You can stop and resume."


def duration(seconds: float) -> str:
    """Seconds as a person says them."""
    if seconds < 90:
        whole = max(round(seconds), 1)
        return f"{whole} second{'' if whole == 1 else 's'}"
    return f"{round(seconds / 60)} minutes" if seconds < 5400 else f"{seconds / 3600:.1f} hours"
