"""Find a Chromium for the browser tests and print its path.

Looked for in this order: the environment variable CHROMIUM, the usual names on the PATH, a browser Playwright has
downloaded before. When there is none: Debian's package when run as root on a Debian-like system, else
``playwright install chromium``. When that fails too, the exit code is 1 and one sentence says what to do.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

# the headless shell first: it opens pages with half the work of the whole browser
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def find_chromium() -> str | None:
    """The path of an installed Chromium, or None."""
    wanted = os.environ.get("CHROMIUM")
    if wanted:
        return shutil.which(wanted)
    return next(filter(None, map(shutil.which, NAMES)), None) or _playwrights_own()


def _playwrights_own() -> str | None:
    try:
        from playwright.sync_api import sync_playwright

        with sync_playwright() as playwright:
            path = playwright.chromium.executable_path
    except Exception:  # not installed, or its driver does not start here: then it has no browser for us either
        return None
    return path if Path(path).exists() else None


def _install() -> None:
    """Try to install a Chromium; what the installers say goes to stderr, so that stdout stays the path alone."""
    commands = [[sys.executable, "-m", "playwright", "install", "chromium"]]
    if shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0:
        install = ["apt-get", "install", "-y", "--no-install-recommends"]
        # a new machine has no list of packages yet; not every release has the shell as a package of its own
        commands = [["apt-get", "update"], [*install, "chromium-headless-shell"], [*install, "chromium"], *commands]
    for command in commands:
        try:
            if subprocess.run(command, stdout=sys.stderr, timeout=900, check=False).returncode == 0 and find_chromium():
                return
        except (OSError, subprocess.TimeoutExpired):
            continue


def main() -> int:
    path = find_chromium()
    if path is None:
        if "CHROMIUM" in os.environ:
            print(
                f"CHROMIUM names {os.environ['CHROMIUM']!r}, which cannot be run. Correct it or unset it.",
                file=sys.stderr,
            )
            return 1
        _install()
        path = find_chromium()
    if path is None:
        print(
            "The browser tests need Chromium and none was found or could be installed. "
            "Install the package chromium, or set CHROMIUM to the path of one.",
            file=sys.stderr,
        )
        return 1
    print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
