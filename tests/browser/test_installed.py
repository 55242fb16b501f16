"""``pip install .[app]``, then ``theta-app`` from another folder: a wheel in a new environment."""

import os
import shutil
import socket
import subprocess
import sys
import sysconfig
import venv
from itertools import chain
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.helpers import ROOT, settle
from theta_app.ui import address, shell

FILES = ("pyproject.toml", "setup.py", "README.md", "LICENSE", "app.py")
FOLDERS = ("pages", "data", "docs", "theta_app", ".streamlit")


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The folder of a new environment with the wheel in it; all else comes from the environment of this test."""
    folder = tmp_path_factory.mktemp("installed")
    source, home = folder / "source", folder / "environment"
    source.mkdir()
    without = shutil.ignore_patterns("__pycache__")
    for name in FILES + FOLDERS:  # a copy: building leaves files behind
        path = ROOT / name
        shutil.copytree(path, source / name, ignore=without) if path.is_dir() else shutil.copy(path, source)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    _run([*pip, "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder), str(source)])
    venv.create(home, with_pip=False)
    (wheel,) = folder.glob("*.whl")
    _run([*pip, "--python", str(home / "bin" / "python"), "install", "--quiet", "--no-deps", str(wheel)])
    (_packages(home) / "others.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return home


def _run(line):
    done = subprocess.run(line, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def _packages(home: Path) -> Path:
    (found,) = home.glob("lib/python*/site-packages")
    return found


@pytest.fixture
def compiled(installed):
    """The project's kernels, where they are compiled: the same sources, so the same kernels; two of them damaged.

    Their files, by kernel: of one there are several where the project was compiled in several versions.
    """
    folder = _packages(installed) / "theta_app" / "engine" / "__pycache__"
    for path in (ROOT / "theta_app" / "engine" / "__pycache__").glob("*.nbc"):
        shutil.copy(path, folder)
    damaged = [[*folder.glob(f"{kernel}-*.nbc")] for kernel in ("agreement.adjusted_rand", "silhouette._silhouette")]
    for path in chain.from_iterable(damaged):
        path.write_bytes(path.read_bytes()[:-1])
    return damaged


@pytest.mark.skipif(os.name == "nt", reason="folders of an environment are called otherwise")
def test_the_command_opens_the_dashboard_from_any_folder(installed, compiled, tmp_path, new_server, page):
    clean = {"PYTHONPATH": "", "NUMBA_CACHE_DIR": ""}
    server = new_server(command=[str(installed / "bin" / "theta-app")], cwd=tmp_path, env=clean)
    for files in compiled:  # noticed before a page was opened
        assert any(str(path) in server.log() for path in files)
    with socket.socket() as outside:  # on this machine only
        assert address.own_address() == "127.0.0.1" or outside.connect_ex((address.own_address(), server.port)) != 0

    page.goto(f"{server.url.replace('127.0.0.1', 'localhost')}/Cluster_sizes")  # a former address
    settle(page)
    expect(page.get_by_role("heading", name="Evidence", exact=True)).to_be_visible()
    menu = page.get_by_test_id("stSidebar").get_by_test_id("stPageLink")
    expect(menu).to_have_count(len(shell.MENU) - 1)  # the page one is on is no link
    expect(page.get_by_test_id("stSidebarNav")).to_have_count(0)  # from .streamlit/config.toml
    menu.filter(has_text="Explore").click()
    expect(page.get_by_test_id("readout-k")).to_have_text("25")
    assert not list(tmp_path.iterdir())
