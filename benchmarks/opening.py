"""How soon the pages are there, against an app with one widget on the same machine at the same time.

Each opening is another visitor's, in a browser that has Streamlit's scripts in its cache; the server just started meets
a browser that has nothing.
"""

import statistics
import sys
import tempfile
from pathlib import Path

from benchmarks.timing import Row
from tests.browser.helpers import BUSY, DESKTOP, Server, settle
from theta_app.ui.shell import MENU

ONE_WIDGET = """import streamlit as st
st.title("One widget")
number = st.slider("number", 0, 100, 50)
st.html(f'<div data-testid="answer">{number}</div>')
"""

# Noted in the browser, frame by frame: when the title stands, and when the page was last at work.
WATCH = """() => {
    window.opening = { first: null, busy: 0 };
    const busy = BUSY;
    const look = () => {
        if (document.querySelector('h1')) window.opening.first ??= performance.now();
        if (document.querySelector('[data-testid="stApp"]') === null || busy()) window.opening.busy = performance.now();
        requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
}""".replace("BUSY", BUSY)


def rows(browser, repeats: int = 3):
    """First content and the whole of each page, the default data on it; then a server just started."""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "one_widget.py"
        script.write_text(ONE_WIDGET, encoding="utf-8")
        plain, ours = Server(script), Server(command=[sys.executable, "-m", "theta_app.command"])
        context = browser.new_context(viewport=DESKTOP)
        try:
            for address in (plain.url, *(f"{ours.url}/{_path(entry)}" for entry in MENU)):
                for _ in range(2):  # what is kept for everybody is made, and the browser's cache filled
                    _open(context, address)
            for entry in MENU:
                yield from _page_rows(context, plain.url, ours.url, entry, repeats)
        finally:
            context.close()
            plain.stop()
            ours.stop()
    yield _just_started(browser)


def _page_rows(context, plain: str, ours: str, entry, repeats: int):
    pairs = [(_open(context, f"{ours}/{_path(entry)}"), _open(context, plain)) for _ in range(repeats)]
    (first, whole), (their_first, their_whole) = (
        [statistics.median(times) for times in zip(*opened)] for opened in zip(*pairs)
    )
    peer = "an app with one widget"
    yield Row(f"{entry.title}: first content", first, peer, their_first, "at most 1.5 ×", first <= 1.5 * their_first)
    yield Row(f"{entry.title}: complete", whole, peer, their_whole, "at most 3 ×", whole <= 3 * their_whole)


def _just_started(browser) -> Row:
    server = Server(command=[sys.executable, "-m", "theta_app.command"])
    context = browser.new_context(viewport=DESKTOP)
    try:
        _, whole = _open(context, server.url)
    finally:
        context.close()
        server.stop()
    return Row("Explore on a server just started: complete", whole, "the limit", 3.0, "below", whole < 3.0)


def _path(entry) -> str:
    return "" if entry.file == "app.py" else Path(entry.file).stem


def _open(context, address: str) -> tuple[float, float]:
    """Seconds from asking for a page, as a new visitor, to its first content and to its rest."""
    context.clear_cookies()
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.add_init_script(f"({WATCH})()")
    page.goto(address)
    page.wait_for_function("() => window.opening?.first", polling=20)
    settle(page)
    first, whole = page.evaluate("() => [window.opening.first / 1000, window.opening.busy / 1000]")
    page.close()
    return first, whole
