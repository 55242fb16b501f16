"""What a server gives back while it runs: sessions that have ended, files that were fetched, memory nobody uses.

Streamlit forgets a session that was left two minutes ago only when the next visitor leaves, and with it everything that
its page held. It also deletes files made for a download whenever any visitor's script ends, twice being enough: in a
class a file could be gone before its browser came for it.
"""

import contextlib
import ctypes
import gc
import logging
import threading
import time
from collections.abc import Callable
from typing import Any

from theta_app.ui import store, streamlit_internals

LOG = logging.getLogger("theta_app")
_EVERY = 20.0  # seconds; a file that was made for a download is there for at least as long


def begin() -> None:
    """From now on, in a thread of its own. Nothing where no server runs, as in tests of a page."""
    server = streamlit_internals.running_server()
    if server is not None:
        tidy = streamlit_internals.keep_download_files(server)
        threading.Thread(target=_go_on, args=(server, tidy), name="theta-housekeeping", daemon=True).start()


def _go_on(server: Any, tidy: Callable[[], None]) -> None:
    while streamlit_internals.is_running():
        time.sleep(_EVERY)
        try:
            tidy()
            once(server)
        except Exception:  # the next round may do better
            LOG.exception("housekeeping failed")


def once(server: Any) -> None:
    """Forget who has left, keep less once nobody is there, and give memory back to the system."""
    sessions = streamlit_internals.forget_ended_sessions(server)
    gc.collect()
    if not sessions:
        store.BUDGET.make_room(store.BUDGET.total // 4)
    with contextlib.suppress(OSError, AttributeError):  # not every system has it
        ctypes.CDLL("libc.so.6").malloc_trim(0)
