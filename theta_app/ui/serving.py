"""The server of this process, and the browser that is opened on it."""

import contextlib
import os
import sys
import threading
import time
import urllib.request

from theta_app.ui import headers, streamlit_internals
from theta_app.ui.home import HOME

_PATIENCE = 60.0  # seconds until a server has to answer


def serve(options: list[str]) -> None:
    """Serve the pages, with options of Streamlit, until it is interrupted."""
    headers.begin()
    streamlit_internals.serve(str(HOME / "app.py"), options)


def open_soon(link: str) -> None:
    """Open a browser at a link of this server as soon as that answers; nothing where there is no screen."""
    if sys.platform.startswith("linux") and not any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY"))):
        return
    threading.Thread(target=_open, args=(link,), daemon=True).start()


def _open(link: str) -> None:
    health, end = f"http://{link.split('/')[2]}{streamlit_internals.HEALTH}", time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        with contextlib.suppress(OSError), urllib.request.urlopen(health, timeout=1):
            streamlit_internals.open_browser(link)
            return
        time.sleep(0.1)
