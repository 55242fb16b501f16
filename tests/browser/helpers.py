"""What browser tests share: a server of their own, and waiting for the page to come to rest."""

import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from playwright.sync_api import Error, expect

ROOT = Path(__file__).resolve().parents[2]

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--process-per-site",  # see usual_context
]
_QUIET = {"THETA_OTHERS": "off"}  # what is measured unasked would take the core from the tests
DESKTOP = {"width": 1440, "height": 900}
PHONE = {"width": 390, "height": 844}

BUSY = """() => {
    const app = document.querySelector('[data-testid="stApp"]');
    return !app || app.getAttribute('data-test-script-state') !== 'notRunning'
        || app.getAttribute('data-test-connection-state') !== 'CONNECTED'
        || !!document.querySelector('[data-testid="stSkeleton"], [data-testid="stSpinner"]');
}"""


class Server:
    """A server of the app (or of another script) on a free port of this machine.

    command, cwd
        Another way to start it, such as an installed ``theta-app``, and the folder it is started from.
    address
        Where it listens; "0.0.0.0" for everywhere.
    """

    def __init__(
        self,
        script: str | Path = "app.py",
        env: dict[str, str] | None = None,
        command: list[str] | None = None,
        cwd: Path = ROOT,
        address: str = "127.0.0.1",
    ):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._log = tempfile.TemporaryFile(mode="w+", encoding="utf-8")  # noqa: SIM115 - closed in stop()
        options = {"server.port": self.port, "server.address": address, "server.headless": "true"}
        options |= {"server.fileWatcherType": "none"}  # a file saved meanwhile must not disturb a running test
        usual = [sys.executable, "-m", "streamlit", "run", str(script)]
        usual += [f"--{name}={value}" for name, value in options.items()]
        own = [*command, "--port", str(self.port), "--headless"] if command else None
        self.process = subprocess.Popen(
            own or usual,
            cwd=cwd,
            stdout=self._log,
            stderr=subprocess.STDOUT,
            env={**os.environ, **_QUIET, **(env or {})},
        )
        self._wait_until_healthy()

    def _wait_until_healthy(self, seconds: float = 90) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.process.poll() is None:
            try:
                if urllib.request.urlopen(f"{self.url}/_stcore/health", timeout=2).read() == b"ok":
                    return
            except OSError:
                time.sleep(0.1)
        log = self.log()
        self.stop()
        raise RuntimeError(f"the server did not become healthy:\n{log}")

    def log(self) -> str:
        """What the server has written so far."""
        self._log.flush()
        self._log.seek(0)
        return self._log.read()

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait(10)
        self._log.close()


def settle(page, seconds: float = 60) -> None:
    """Wait until the script has stopped running and stays so for three looks in a row."""
    page.wait_for_selector('[data-testid="stApp"]', timeout=seconds * 1000)
    quiet, end = 0, time.monotonic() + seconds
    while quiet < 3:
        if time.monotonic() > end:
            raise TimeoutError(f"the page {page.url} was still running after {seconds} s")
        quiet = 0 if page.evaluate(BUSY) else quiet + 1
        page.wait_for_timeout(100)  # not time.sleep: Playwright must go on handling the page's events


def choose(page, label: str, option, seconds: float = 60) -> None:
    """Choose an option (its whole text, or a pattern) of the select box with this label, and see that it is chosen.

    A run of the script that ends while the menu is open closes it, and so does a page that scrolls or grows under it:
    it is opened again until the option has been clicked.
    """
    box = page.get_by_test_id("stSelectbox").filter(has_text=label).locator("input")
    wanted = page.get_by_role("option", name=option, exact=isinstance(option, str))
    end = time.monotonic() + seconds
    while True:
        settle(page, seconds)
        try:
            if not wanted.is_visible():
                box.click(timeout=5000)
            text = wanted.inner_text(timeout=2000)
            wanted.click(timeout=2000)
            break
        except Error:  # gone again, or never there
            if time.monotonic() > end:
                raise
            page.keyboard.press("Escape")
    expect(box).to_have_value(text.strip())


def painted(page, frames: int = 2) -> None:
    """Wait until the browser has painted so many frames: whatever moves has moved by then."""
    page.evaluate(
        """frames => new Promise((done) => {
            const next = () => (frames-- > 0 ? requestAnimationFrame(next) : done());
            next();
        })""",
        frames,
    )


def complaints(page) -> list[str]:
    """Error boxes on the page: exceptions Streamlit shows, and the sentence the frame shows instead of them."""
    found = page.locator('[data-testid="stException"]').all_inner_texts()
    return found + page.get_by_text("Something went wrong").all_inner_texts()
