"""``make run`` cut off at any moment, with a Python that only notes what it is asked to do."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]

# CUT names the step in the middle of which it is killed; OFFLINE lets pip give up by itself.
PYTHON = """#!/bin/sh
case "$*" in
    "-c import pip") test -e .venv/pip; exit ;;
    *platform*) echo "$SYSTEM"; exit 0 ;;
    "-c "*) exit 0 ;;
esac
echo "$*" >> asked
case "$*" in
    "-m venv"*)
        mkdir -p "$3/bin" && cp "$0" "$3/bin/python"
        [ "$CUT" = venv ] && kill -KILL $$
        touch "$3/pip"
        [ "$CUT" = "end of venv" ] && kill -KILL $$
        ;;
    *"pip install"*)
        [ "$CUT" = pip ] && kill -KILL $$
        [ -n "$OFFLINE" ] && exit 1
        [ -n "$GONE" ] && [ "$6" = requirements.lock ] && exit 1
        ;;
    *"pip freeze"*) echo "numpy==2.0"; echo "pandas==3.0" ;;
esac
exit 0
"""

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="make is not here")


@pytest.fixture
def project(tmp_path):
    for file in ("Makefile", "requirements.txt", "requirements-dev.txt"):
        shutil.copy(ROOT / file, tmp_path)
    python = tmp_path / "python"
    python.write_text(PYTHON)
    python.chmod(0o755)
    return tmp_path


def make(project, *arguments, **environment):
    """(whether it succeeded, the steps Python was asked for, shortened)."""
    (project / "asked").unlink(missing_ok=True)
    done = subprocess.run(
        ["make", "PYTHON=./python", *arguments],
        cwd=project,
        env={**os.environ, "MAKEFLAGS": "", "MAKELEVEL": "", **environment},
        capture_output=True,
        text=True,
    )
    (project / "said").write_text(done.stdout)
    asked = (project / "asked").read_text().splitlines() if (project / "asked").exists() else []
    steps = {"-m venv": "environment", "-m pip": "install", "-m theta_app.command": "run", "-m streamlit": "run"}
    return done.returncode == 0, [next((to for of, to in steps.items() if line.startswith(of)), line) for line in asked]


EVERYTHING = ["environment", "install", "run"]


def test_an_environment_is_made_once(project):
    assert make(project, "run") == (True, EVERYTHING)
    assert make(project, "run") == (True, ["run"])


def test_what_takes_a_minute_is_said_before_it_begins(project):
    make(project, "run", CUT="pip")
    said = (project / "said").read_text()
    assert "environment" in said
    assert "Installing what the app needs (once, a minute or two)" in said
    assert "pip" not in said, "no commands, but what they are for"


@pytest.mark.parametrize("moment", ["venv", "end of venv", "pip"])
def test_an_environment_that_was_cut_off_is_made_anew(moment, project):
    assert not make(project, "run", CUT=moment)[0]
    assert make(project, "run") == (True, EVERYTHING)
    assert make(project, "run") == (True, ["run"])


def test_an_environment_that_is_cut_off_again_and_again_is_made_in_the_end(project):
    for moment in ("venv", "pip", "pip", "end of venv"):
        make(project, "run", CUT=moment)
    assert make(project, "run") == (True, EVERYTHING)


def test_an_environment_without_pip_is_made_anew(project):
    make(project, "run")
    (project / ".venv" / "pip").unlink()
    assert make(project, "run") == (True, EVERYTHING)


def test_an_environment_whose_python_is_gone_is_made_anew(project):
    make(project, "run")
    (project / ".venv" / "bin" / "python").unlink()
    (project / ".venv" / "bin" / "python").symlink_to("/nowhere/python")
    assert make(project, "run") == (True, EVERYTHING)


def test_an_update_that_was_killed_makes_the_environment_anew(project):
    make(project, "run")
    os.utime(project / ".venv" / ".run", (0, 0))  # requirements.txt is newer
    assert make(project, "run", CUT="pip") == (False, ["install"])
    assert make(project, "run") == (True, EVERYTHING)


def test_an_update_without_network_leaves_what_worked(project):
    make(project, "run")
    assert make(project, "fuzz", OFFLINE="1") == (False, ["install"])
    assert make(project, "run") == (True, ["run"])


def test_a_first_install_without_network_is_tried_again_from_the_start(project):
    assert make(project, "run", OFFLINE="1") == (False, ["environment", "install"])
    assert make(project, "run") == (True, EVERYTHING)


HERE = "linux x86_64 Python 3.11"


def installed(project):
    """The lists that pip was asked to install, in turn."""
    asked = (project / "asked").read_text().splitlines()
    return [line.rpartition(" ")[2] for line in asked if "pip install" in line]


def test_the_versions_of_the_lock_are_installed_where_it_fits(project):
    (project / "requirements.lock").write_text(f"# made\n# {HERE}\nnumpy==2.0\n")
    assert make(project, "run", SYSTEM=HERE) == (True, EVERYTHING)
    assert installed(project) == ["requirements.lock"]
    assert make(project, "run", SYSTEM=HERE) == (True, ["run"])
    os.utime(project / ".venv" / ".run", (0, 0))  # the lock is newer
    assert make(project, "run", SYSTEM="darwin arm64 Python 3.13") == (True, ["install", "run"])
    assert installed(project) == ["requirements.txt"]


def test_what_the_lock_names_and_nobody_has_any_more_is_no_obstacle(project):
    (project / "requirements.lock").write_text(f"# made\n# {HERE}\nnumpy==2.0\n")
    assert make(project, "run", SYSTEM=HERE, GONE="1") == (True, ["environment", "install", "install", "run"])
    assert installed(project) == ["requirements.lock", "requirements.txt"]
    assert not (project / ".venv" / ".unfinished").exists()


def test_the_lock_is_made_of_requirements_alone_and_is_used_at_once(project):
    (project / "requirements.lock").unlink(missing_ok=True)
    assert make(project, "lock", SYSTEM=HERE)[0]
    assert installed(project) == ["requirements.txt"]
    assert (project / "requirements.lock").read_text().splitlines()[1:] == [f"# {HERE}", "numpy==2.0", "pandas==3.0"]
    assert not (project / ".lock").exists()
    assert make(project, "run", SYSTEM=HERE)[0]
    assert installed(project) == ["requirements.lock"]


def test_the_lock_pins_what_is_asked_for_and_names_nothing_else():
    lines = (ROOT / "requirements.lock").read_text().splitlines()
    pins = dict(line.split("==") for line in lines[2:])
    assert all(re.fullmatch(r"[\w.-]+", part) for pin in pins.items() for part in pin)
    asked = map(Requirement, (line for line in (ROOT / "requirements.txt").read_text().splitlines() if line[0] != "#"))
    for one in asked:
        name = next(name for name in pins if canonicalize_name(name) == canonicalize_name(one.name))
        assert one.specifier.contains(pins[name]), f"{one}, but {pins[name]}: run `make lock`"


def test_address_and_port_are_passed_on_and_development_watches_files(project):
    make(project, "run", "ADDRESS=0.0.0.0", "PORT=8600")
    assert (project / "asked").read_text().splitlines()[-1] == ("-m theta_app.command --address 0.0.0.0 --port 8600")
    make(project, "run", "FILE=my customers.csv")
    assert (project / "asked").read_text().splitlines()[-1] == ("-m theta_app.command my customers.csv")
    make(project, "dev", "PORT=8600")
    assert (project / "asked").read_text().splitlines()[-1] == (
        "-m streamlit run app.py --server.fileWatcherType=auto --server.port=8600"
    )


def test_clean_removes_what_was_made_kernels_included(project):
    make(project, "run")
    kept = {path.name for path in project.iterdir()} - {".venv", "asked"}
    kernel = project / "theta_app" / "engine" / "__pycache__" / "cells.nbc"
    kernel.parent.mkdir(parents=True)
    kernel.write_bytes(b"compiled")
    for folder in (".pytest_cache", ".ruff_cache", ".hypothesis"):
        (project / folder).mkdir()
    assert make(project, "clean")[0]
    assert {path.name for path in project.iterdir()} == kept | {"theta_app"}
    assert not kernel.parent.exists()
