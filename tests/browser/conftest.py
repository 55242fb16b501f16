"""Fixtures of the browser tests: a running app, and a Chromium page that fails the test on errors in its console."""

import pytest
from playwright.sync_api import expect, sync_playwright

from tests.browser.find_chromium import find_chromium
from tests.browser.helpers import DESKTOP, FLAGS, PHONE, Server, complaints

_STAYS_OPEN = "/_stcore/health"
_PAGE_ERRORS = "errors on the page"

expect.set_options(timeout=60_000)  # a busy machine is slow, not wrong


def pytest_itemcollected(item):
    """A browser test that failed is tried twice more, each time by a new visitor, and the summary names it as RERUN,
    so that a race is seen and mended.

    Two cores that three workers, three servers and three browsers share lose a click now and then. An error that the
    page itself reports is no lost click: it fails at once.
    """
    item.add_marker(pytest.mark.flaky(reruns=2, rerun_except=_PAGE_ERRORS))


@pytest.fixture(scope="session")
def server():
    """One running app for all tests of a worker: ``server.url``."""
    running = Server()
    yield running
    running.stop()


@pytest.fixture
def new_server():
    """A factory of server processes just started, for what must hold on a first visit; stopped after the test."""
    started = []

    def start(*args, **kwargs) -> Server:
        started.append(Server(*args, **kwargs))
        return started[-1]

    yield start
    for running in started:
        running.stop()


@pytest.fixture(scope="session")
def browser():
    path = find_chromium()
    if path is None:
        pytest.fail("no Chromium: run python tests/browser/find_chromium.py")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def usual_context(browser, server):
    """The context of most tests. Kept, so that the browser need not load and compile Streamlit's scripts every time.

    What was compiled is the process's: pages of a site share one, and a page that stays open keeps it alive.
    """
    context = browser.new_context(viewport=DESKTOP)
    context.new_page().goto(server.url + _STAYS_OPEN)
    yield context
    context.close()


@pytest.fixture
def new_page(browser, usual_context, new_server):  # the servers go last, or the pages would complain
    """A factory of pages, each a visitor of its own (fresh cookies); errors in any of them fail the test at its end.

    ``page.expected_errors`` is a list a test may add substrings to, for errors it provokes.
    """
    contexts, errors, expected = [], [], []

    def note(text: str) -> None:
        errors.append(text)

    def open_page(viewport=DESKTOP, usual=False, **options):
        context = usual_context if usual else browser.new_context(viewport=viewport, **options)
        contexts.append(context)
        context.clear_cookies()
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.expected_errors = expected
        page.on("pageerror", lambda error: note(f"page error: {error}"))
        page.on("console", lambda message: note(f"console: {message.text}") if _is_error(message) else None)
        return page

    yield open_page
    for context in contexts:
        for page in context.pages:
            if page.url.endswith(_STAYS_OPEN):
                continue
            errors.extend(f"shown on the page: {text}" for text in complaints(page))
            page.close()
        if context is not usual_context:
            context.close()
    unexpected = [error for error in errors if not any(part in error for part in expected)]
    assert not unexpected, "\n".join([f"{_PAGE_ERRORS}:", *unexpected])


def _is_error(message) -> bool:
    # On a deep link Streamlit first asks for /PAGE/_stcore/... and gets a 404: not ours.
    return message.type == "error" and "/_stcore/" not in message.location.get("url", "")


@pytest.fixture
def page(new_page):
    """One visitor on a desktop screen; no cookies, but the browser's cache."""
    return new_page(usual=True)


@pytest.fixture
def phone(new_page):
    """One visitor on a phone held upright, with touch."""
    return new_page(viewport=PHONE, has_touch=True, is_mobile=True, device_scale_factor=2)
