"""``theta-app [FILE ...]``: the dashboard, from any folder, on files of this machine. ``make run`` is the same."""

import argparse
import contextlib
import importlib.util
import os
import pkgutil
import socket
import sys
from pathlib import Path

from theta_app.command import WRONG
from theta_app.ui.address import is_this_machine, own_address

PORT = 8501
NEEDED = ("streamlit", "plotly", "PIL")
_LATE = ("pandas.io.formats.style", "plotly.graph_objects", "sklearn.cluster", "streamlit.emojis", "PIL.ImageFile")
"""What libraries import on first use."""
_EXAMPLES = """\
examples:
  theta-app                        the dashboard on a built-in data set
  theta-app customers.csv          on a file: CSV, XLSX, JSON, Parquet, Feather, NumPy, ARFF; only you see it
  theta-app a.csv b.csv            the first is opened, the others are offered on the page Data
  theta-app cluster customers.csv  the clusters without a browser: see theta-app cluster --help
"""


def run(arguments: list[str]) -> int:
    """Compile what is not compiled yet, import the pages, then serve until it is interrupted."""
    parsing = parser()
    asked = parsing.parse_args(arguments)
    for fault, code in filter(None, map(_fault, asked.files)):
        print(f"theta-app: {fault}", file=sys.stderr)
        return code
    if missing := [name for name in NEEDED if importlib.util.find_spec(name) is None]:
        print(f"The dashboard needs {', '.join(missing)} as well: pip install 'theta-app[app]'", file=sys.stderr)
        return WRONG

    from theta_app.engine import ahead

    ahead.compile_kernels()

    _import_pages()  # in this process, which then serves them
    port = asked.port or (_free_port(asked.address) if asked.files else PORT)
    if asked.address and not is_this_machine(asked.address):
        print(_invitation(asked.address, port), flush=True)
    if asked.files:
        _offer(asked, port)
    _serve(_options(asked, port))
    return 0


def _import_pages() -> None:
    """Import what the pages are made of: most of a first opening would be imports."""
    from theta_app.ui import pages

    names = [page.name for page in pkgutil.iter_modules(pages.__path__, f"{pages.__name__}.")]
    for name in (*names, *_LATE):
        importlib.import_module(name)


def parser() -> argparse.ArgumentParser:
    """The options of `theta-app`."""
    found = argparse.ArgumentParser(
        prog="theta-app",
        description="Choose a clustering distance by eye, in a browser.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    found.add_argument("files", nargs="*", metavar="FILE", help="to open; it stays on this machine")
    found.add_argument("--port", type=int, help=f"port to listen on; by default {PORT} or the next free one")
    found.add_argument("--address", help="who can reach it; by default this machine only; 0.0.0.0: everybody")
    found.add_argument("--headless", action="store_true", help="do not open a browser")
    return found


def _options(asked: argparse.Namespace, port: int) -> list[str]:
    """Streamlit's options; what nobody asked for is in .streamlit/config.toml beside app.py."""
    options = {}
    if asked.port:
        options["server.port"] = asked.port
    if asked.address:
        options["server.address"] = asked.address
    if asked.headless:
        options["server.headless"] = "true"
    if asked.address and not is_this_machine(asked.address):
        # our own lines say where it is: Streamlit would ask a server on the internet for this machine's address
        options |= {"server.port": port, "logger.hideWelcomeMessage": "true"}
    if asked.files:  # Streamlit would open, and print, an address that shows no file
        options |= {"server.port": port, "server.headless": "true", "logger.hideWelcomeMessage": "true"}
    return [f"--{name}={value}" for name, value in options.items()]


def _serve(options: list[str]) -> None:
    from theta_app.ui import serving

    serving.serve(options)


def _invitation(address: str, port: int) -> str:
    """The link that others open, and what it means."""
    host = own_address() if address in ("0.0.0.0", "::") else address
    return (
        f"\n  Others open: http://{_in_link(host)}:{port}\n\n"
        "  Everybody who can reach this machine can use the app. Uploads stay private to the browser they came from.\n"
        "  Ctrl-C ends it.\n"
    )


def _in_link(host: str) -> str:
    return f"[{host}]" if ":" in host else host


# ---- files -----------------------------------------------------------------------------------------------------------


def _fault(file: str) -> tuple[str, int] | None:
    """(why a file cannot be opened, exit code), or None."""
    path = Path(file)
    if "://" in file and not path.exists():
        return f"{file} is an address. Download the file first: this command fetches nothing.", 2
    if path.is_dir():
        return f"{file} is a folder. Name the files in it: theta-app {file}/*.csv", WRONG
    if not path.exists():
        return f"There is no file {file}.", WRONG
    return None if os.access(path, os.R_OK) else (f"You may not read {file}.", WRONG)


def _offer(asked: argparse.Namespace, port: int) -> None:
    """Let whoever has the private link open the files; print it, and open a browser there."""
    from theta_app.ui import opened

    key = opened.offer([Path(file).resolve() for file in asked.files])
    host = asked.address if asked.address not in (None, "0.0.0.0", "::") else "localhost"
    link = f"http://{_in_link(host)}:{port}/?{opened.PARAMETER}={key}"
    many = f"{asked.files[0]} and {len(asked.files) - 1} more" if len(asked.files) > 1 else asked.files[0]
    print(f"\n  {many}: {link}\n\n  Whoever has this link sees the file. Ctrl-C ends it.\n", flush=True)
    if not asked.headless:
        from theta_app.ui import serving

        serving.open_soon(link)


def _free_port(address: str | None) -> int:
    """The first port from the usual one on that nobody listens at."""
    for port in range(PORT, PORT + 100):
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("" if address in ("0.0.0.0", "::") else "127.0.0.1", port))
            return port
    return PORT
