"""Every name of Streamlit that is not public, in this one place.

Streamlit may change them in any version. `tests/ui/test_streamlit_internals.py` tries each and says what broke; what
the browser's side relies on (an entry of the history for every change of the address) is tried there too.
"""

from collections.abc import Callable, Hashable
from typing import Any

from streamlit import cli_util, runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.web import cli

HEALTH = "/_stcore/health"
"""The path that answers once the server does."""


# ---- the run of a script --------------------------------------------------------------------------------------------


def session_id() -> Hashable:
    """Of the browser tab whose script runs in this thread; None in any other thread."""
    context = get_script_run_ctx(suppress_warning=True)
    return context.session_id if context else None


def went_through_history() -> bool:
    """Whether this run was begun by Back or Forward."""
    context = get_script_run_ctx(suppress_warning=True)
    return bool(getattr(context, "is_history_navigation", False))


def is_part_of_page() -> bool:
    """Whether only a fragment of the page runs, as one does that runs again by itself in an open browser."""
    context = get_script_run_ctx(suppress_warning=True)
    return context is not None and bool(context.fragment_ids_this_run)


def may_stop_here() -> None:
    """Let Streamlit end this run if the person has superseded it or left: it looks when a session's state is read."""
    context = get_script_run_ctx(suppress_warning=True)
    if context is not None:
        _ = "theta_app" in context.session_state


# ---- the server -----------------------------------------------------------------------------------------------------


def serve(script: str, options: list[str]) -> None:
    """Serve a script with options of Streamlit until it is interrupted."""
    cli.main(["run", script, *options], prog_name="theta-app")


def open_browser(link: str) -> None:
    """Open the person's browser at a link."""
    cli_util.open_browser(link)


def add_middleware(application: Any) -> bool:
    """Put an ASGI application around the server that starts next; False where this version has no place for one."""
    try:
        from starlette.middleware import Middleware
        from streamlit.web.server.starlette import starlette_app

        own = starlette_app.create_streamlit_middleware
    except (ImportError, AttributeError):
        return False
    starlette_app.create_streamlit_middleware = lambda: [Middleware(application), *own()]
    return True


def running_server() -> Any:
    """The server of this process, or None, as in tests of a page."""
    server = runtime.get_instance() if runtime.exists() else None
    return server if hasattr(server, "_session_mgr") else None


def is_running() -> bool:
    """Whether a server runs in this process."""
    return runtime.exists()


def keep_download_files(server: Any) -> Callable[[], None]:
    """No longer delete files made for downloads whenever a script ends; what is returned deletes those nobody needs."""
    remove_orphans = server.media_file_mgr.remove_orphaned_files
    server.media_file_mgr.remove_orphaned_files = lambda: None
    return remove_orphans


def forget_ended_sessions(server: Any) -> int:
    """Forget sessions that were left two minutes ago; returns how many are open."""
    sessions = server._session_mgr
    with sessions._storage_lock:
        sessions._session_storage._cache.expire()
    return sessions.num_sessions()
