"""Work of a page in the scheduler: whose turn it takes, and what is kept of it.

Heavy work takes a ``progress`` callable, called several times a second from the script's own thread. A progress that
writes to the page is where Streamlit stops a run that the person has superseded; what was finished by then is kept, so
the next run resumes.
"""

from collections.abc import Callable, Hashable, Iterable
from contextlib import closing

from streamlit.runtime.scriptrunner import get_script_run_ctx

from theta_app.ui import store
from theta_app.ui.scheduler import SCHEDULER, Piece, Progress

FIRST, REST, LAST = range(3)
"""Ranks of work: everybody's first answer, the rest of the sweeps, what is asked for beside them."""


def run(key: Hashable, work: Callable, progress: Progress | None = None, kind: store.Kind | None = None):
    """``work(report, cancel)`` in the scheduler, once for all who ask for ``key`` meanwhile; kept if a kind is given.

    Never inside `store.Kind.get_or_make`: who waits there for somebody else sees no progress and cannot be stopped.
    """
    return run_all([(key, work)], progress, kind)[0]


def run_all(pieces: Iterable[tuple[Hashable, Callable]], progress: Progress | None = None, kind=None) -> list:
    """The values of several pieces (key, work), each as in :func:`run`, in their order."""
    pieces = list(pieces)
    found = {key: None if kind is None else kind.get(key) for key, _ in pieces}
    missing = [Piece(key, work, LAST) for key, work in pieces if found[key] is None]
    with closing(SCHEDULER.results(asker(), missing, progress)) as values:
        for piece, value in zip(missing, values):
            found[piece.key] = value
            if kind is not None:
                kind.put(piece.key, value)
    return [found[key] for key, _ in pieces]


def ahead() -> int:
    """How many other visitors' turn comes before this one's."""
    return SCHEDULER.ahead(asker())


def asker() -> Hashable:
    """Whose turn the work takes: the browser tab's."""
    context = get_script_run_ctx(suppress_warning=True)
    return context.session_id if context else None
