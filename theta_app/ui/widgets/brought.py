"""A file that the person brings, read with progress and a button to cancel."""

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from theta_app import datasets
from theta_app.datasets.uploads.process import read_upload
from theta_app.engine import Progress
from theta_app.ui import store, visitor
from theta_app.ui.jobs import QUEUE, READERS, Job, Task
from theta_app.ui.widgets import words


@dataclass(frozen=True)
class Brought:
    """What the person brings: its name, its bytes, and what tells it from another of the same name."""

    name: str
    content: bytes
    id: str


def read(brought: Brought, sheet: str | None, on_cancel: Callable[[], None]) -> datasets.Dataset:
    """Read a file in a process of its own. UploadError with a sentence where it cannot be.

    Whatever ends this run (the person leaves, goes to another page, uploads another file or cancels) ends the process
    that reads the file, where progress is next written.
    """
    slot = st.empty()
    with slot.container():
        shown = st.empty()
        st.button("Cancel", icon=":material/stop:", key=f"cancel {brought.id}", on_click=on_cancel)

    me, limit = visitor.name(), store.BUDGET.largest

    def progress(done: int, total: int) -> None:
        ahead = QUEUE.ahead(me, READERS)
        files = words.count(ahead, "other file")
        waiting = f"Waiting: {files} {'is' if ahead == 1 else 'are'} being read before yours…"
        shown.progress(done / total, waiting if ahead else f"Reading {words.plain(brought.name[:60])}…")

    def work(report: Progress, cancel: Task) -> datasets.Dataset:
        tell = lambda share: cancel.progress(round(1000 * share), 1000)  # noqa: E731
        return read_upload(brought.name, brought.content, limit, tell, sheet=sheet)

    try:
        return QUEUE.result(me, Job((me, brought.id, sheet), work, lane=READERS), progress)
    finally:
        slot.empty()
