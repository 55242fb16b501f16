"""Work of a page in the queue: whose turn it takes, and what is kept of it.

Heavy work takes a ``progress`` callable, called several times a second from the script's own thread. A progress that
writes to the page is where Streamlit stops a run that the person has superseded; what was finished by then is kept, so
the next run resumes.
"""

from collections.abc import Callable, Hashable, Iterable
from contextlib import closing
from typing import Any

import streamlit as st

from theta_app.engine import Progress
from theta_app.ui import streamlit_internals
from theta_app.ui.jobs import CORES, QUEUE, Job, Task
from theta_app.ui.store import LruCache

FIRST, REST, LAST = range(3)
"""Ranks of work: everybody's first answer, the rest of the sweeps, what is asked for beside them."""


def run(
    key: Hashable, work: Callable, progress: Progress | None = None, cache: LruCache | None = None, rank: int = LAST
) -> Any:
    """``work(report, cancel)`` in the queue, once for all who ask for ``key`` meanwhile; kept if a cache is given.

    Never inside `store.LruCache.get_or_make`: who waits there for somebody else sees no progress and cannot be stopped.
    """
    return run_all([(key, work)], progress, cache, rank)[0]


def run_all(
    pieces: Iterable[tuple[Hashable, Callable]],
    progress: Progress | None = None,
    cache: LruCache | None = None,
    rank: int = LAST,
) -> list:
    """The values of several pieces (key, work), each as in :func:`run`, in their order."""
    pieces = list(pieces)
    found = {key: None if cache is None else cache.get(key) for key, _ in pieces}
    missing = [Job(key, work, rank) for key, work in pieces if found[key] is None]
    with closing(QUEUE.results(asker(), missing, progress)) as values:
        for job, value in zip(missing, values):
            found[job.key] = value
            if cache is not None:
                cache.put(job.key, value)
    return [found[key] for key, _ in pieces]


def running(slot: str, key: Hashable, ask: Callable[[], Task | None]) -> Task | None:
    """The work that the session has started, if it is this one and goes on; another is stopped, a failure raised.

    ``slot`` is where the session holds its key, ``ask`` asks the queue for it.
    """
    started = st.session_state.get(slot)
    if started is None:
        return None
    task = ask() if started == key else None
    if task is not None and not task.ended:
        return task
    stop(slot)
    if task is not None and task.failed is not None:
        raise task.failed
    return None


def stop(slot: str) -> None:
    """The work that the session has started there is no longer wanted."""
    started = st.session_state.pop(slot, None)
    if started is not None:
        QUEUE.leave(asker(), started)


def may_stop(done: int, total: int) -> None:
    """The progress of work that shows none: a run that the person has superseded, or left, can be stopped here."""
    streamlit_internals.may_stop_here()


def served() -> int:
    """How many visitors the server computes for at the moment, this one counted."""
    return max(QUEUE.visitors(CORES), 1)


def ahead() -> int:
    """How many other visitors' turn comes before this one's."""
    return QUEUE.ahead(asker())


def asker() -> Hashable:
    """Whose turn the work takes: the browser tab's."""
    return streamlit_internals.session_id()
