"""Spaces that take long are computed in a process of their own while the page is used, once for all who want them."""

from theta_app import datasets, spaces
from theta_app.ui import scheduled, store
from theta_app.ui.jobs import PROJECTIONS, QUEUE, Job, Task


def computing(columns: datasets.Dataset) -> Task | None:
    """The task that computes the space of a data set still in its columns; None once it is there.

    The first call starts it; asking shows that it is still wanted.
    """
    key = spaces.key(columns)
    if store.DATA.get(key) is not None:
        return None

    def work(report, cancel) -> None:
        store.DATA.put(key, spaces.fit_apart(columns, report, cancel))

    return QUEUE.ask(scheduled.asker(), Job(key, work, lane=PROJECTIONS))


def stop(columns: datasets.Dataset) -> None:
    """End it, unless another visitor waits for it too. One that failed may be tried again."""
    QUEUE.leave(scheduled.asker(), spaces.key(columns))
