"""Progress that is seen, and that lets a superseded run stop: Streamlit ends a run where it writes to the page."""

import contextlib
import time
from collections.abc import Iterator

import streamlit as st

from theta_app.engine import Progress
from theta_app.ui import scheduled
from theta_app.ui.widgets.words import ahead_of_you


class Ticker:
    """A ``progress(done, total)`` callable that writes to the page twice a second at most."""

    def __init__(self, write: Progress, every: float = 0.5) -> None:
        self.write, self.every, self.last = write, every, 0.0

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if now - self.last >= self.every:
            self.last = now
            self.write(done, total)
        else:
            scheduled.may_stop(done, total)


@contextlib.contextmanager
def bar(text: str) -> Iterator[Ticker]:
    """A progress bar while something is computed: ``with bar("Sweeping θ") as tick: work(progress=tick)``.

    What is known already calls for no progress, so nothing flashes.
    """
    slot = st.empty()

    def write(done: int, total: int) -> None:
        slot.progress(min(done / total, 1.0) if total else 0.99, f"{text}…{ahead_of_you(scheduled.ahead())}")

    yield Ticker(write)
    slot.empty()
