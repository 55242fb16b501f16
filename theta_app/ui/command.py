"""``theta-app``: the dashboard, from any folder. ``make run`` is the same command."""

import argparse
import importlib.util
import pkgutil
import sys

from theta_app.ui.address import is_this_machine, own_address
from theta_app.ui.home import HOME

PORT = 8501
NEEDED = ("streamlit", "plotly", "PIL")
_LATE = ("pandas.io.formats.style", "plotly.graph_objects", "sklearn.cluster", "streamlit.emojis", "PIL.ImageFile")
"""What libraries import on first use."""


def main(arguments: list[str] | None = None) -> None:
    """Compile what is not compiled yet, import the pages, then serve until it is interrupted."""
    asked = _parser().parse_args(arguments)
    if missing := [name for name in NEEDED if importlib.util.find_spec(name) is None]:
        sys.exit(f"The dashboard needs {', '.join(missing)} as well: pip install 'theta-app[app]'")

    from theta_app.engine import ahead

    ahead.compile_kernels()

    _import_pages()  # in this process, which then serves them
    if asked.address and not is_this_machine(asked.address):
        print(_invitation(asked.address, asked.port or PORT), flush=True)
    _serve(_options(asked))


def _import_pages() -> None:
    """Import what the pages are made of: most of a first opening would be imports."""
    from theta_app.ui import pages

    names = [page.name for page in pkgutil.iter_modules(pages.__path__, f"{pages.__name__}.")]
    for name in (*names, *_LATE):
        importlib.import_module(name)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="theta-app", description="Choose a clustering distance by eye, in a browser.")
    parser.add_argument("--port", type=int, help=f"where it listens; without it, {PORT} or the next that is free")
    parser.add_argument("--address", help="who can reach it; without it, this machine only; 0.0.0.0: everybody")
    parser.add_argument("--headless", action="store_true", help="do not open a browser")
    return parser


def _options(asked: argparse.Namespace) -> list[str]:
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
        options |= {"server.port": asked.port or PORT, "logger.hideWelcomeMessage": "true"}
    return [f"--{name}={value}" for name, value in options.items()]


def _serve(options: list[str]) -> None:
    from streamlit.web import cli

    from theta_app.ui import headers

    headers.begin()
    cli.main(["run", str(HOME / "app.py"), *options], prog_name="theta-app")


def _invitation(address: str, port: int) -> str:
    """The link that others open, and what it means."""
    host = own_address() if address in ("0.0.0.0", "::") else address
    return (
        f"\n  Others open: http://{f'[{host}]' if ':' in host else host}:{port}\n\n"
        "  Everybody who can reach this machine can use the app. Uploads stay private to the browser they came from.\n"
        "  Ctrl-C ends it.\n"
    )


if __name__ == "__main__":
    main()
