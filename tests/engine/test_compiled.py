"""Kernels on disk: damaged, cut off, out of date, in folders that cannot be written."""

import importlib.util
import itertools
import logging
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest

from theta_app.engine import compiled

ROOT = Path(__file__).resolve().parents[2]
_names = (f"tiny_{i}" for i in itertools.count())

SOURCE = """
from theta_app.engine.compiled import njit

@njit(cache=True, nogil=True)
def doubled(x):
    return 2 * x
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with a module of one kernel; the account's cache folder is another one, both empty."""
    monkeypatch.setattr(numba.config, "CACHE_DIR", "")
    monkeypatch.setattr(compiled, "cache_folder", lambda: tmp_path / "account" / "theta-app")
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # it would outlive a change of the source within a second
    (tmp_path / "source").mkdir()
    (tmp_path / "source" / "tiny.py").write_text(SOURCE)
    return tmp_path / "source"


def run(folder):
    """The kernel as a process just started would use it: (value, whether it came from the disk)."""
    compiled._sources_digest.cache_clear()
    spec = importlib.util.spec_from_file_location(next(_names), folder / "tiny.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # as any import does; compiled code is looked up by it
    try:
        spec.loader.exec_module(module)
        return module.doubled(21.0), sum(module.doubled.stats.cache_hits.values()) == 1
    finally:
        del sys.modules[spec.name]


def kernels(folder):
    return sorted(folder.rglob("*.nbc"))


def in_the_way(path):
    """Make it impossible to write into a folder, also for an administrator: a file has its name."""
    shutil.rmtree(path, ignore_errors=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("in the way")


def test_a_kernel_is_compiled_once(folder):
    assert run(folder) == (42.0, False)
    assert run(folder) == (42.0, True)
    assert [path.parent.name for path in kernels(folder.parent)] == ["__pycache__"]


def _flipped(content, at):
    return content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]


DAMAGE = {
    "empty": lambda content: b"",
    "cut short": lambda content: content[: len(content) // 2],
    "longer": lambda content: content + b"\0",
    "garbage": lambda content: np.random.default_rng(0).bytes(len(content)),
    "one bit of its digest": lambda content: _flipped(content, 3),
    "one bit of its machine code": lambda content: _flipped(content, len(content) // 2),
    "a right digest over garbage": None,
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_kernel_is_noticed_removed_and_compiled_again(damage, folder, caplog):
    run(folder)
    (path,) = kernels(folder)
    if DAMAGE[damage]:
        path.write_bytes(DAMAGE[damage](path.read_bytes()))
    else:
        path.write_bytes(compiled._digest(path.name, b"not a pickle") + b"not a pickle")
    with caplog.at_level(logging.WARNING, "theta_app"):
        assert run(folder) == (42.0, False)
    assert "damaged and is not used" in caplog.text
    assert run(folder) == (42.0, True)


def test_a_kernel_under_the_name_of_another_is_not_used(folder):
    run(folder)
    (path,) = kernels(folder)
    content = path.read_bytes()
    (folder / "tiny.py").write_text(SOURCE.replace("2 * x", "3 * x"))
    assert run(folder) == (63.0, False)
    (changed,) = kernels(folder)
    changed.write_bytes(content)
    assert run(folder) == (63.0, False)


def test_half_a_file_left_by_a_killed_process_is_not_read(folder):
    run(folder)
    (path,) = kernels(folder)
    path.rename(path.with_name(f"{path.name}1234.part"))
    assert run(folder) == (42.0, False)
    assert run(folder) == (42.0, True)


def test_a_change_in_any_source_beside_it_compiles_it_again_and_removes_the_old(folder):
    run(folder)
    (old,) = kernels(folder)
    (folder / "neighbour.py").write_text("LIMIT = 1\n")
    assert run(folder) == (42.0, False)
    assert len(kernels(folder)) == 1
    assert not old.exists()


def test_a_source_folder_that_cannot_be_written_keeps_kernels_in_the_account(folder):
    in_the_way(folder / "__pycache__")
    assert run(folder) == (42.0, False)
    assert run(folder) == (42.0, True)
    assert not kernels(folder)
    assert len(kernels(folder.parent / "account")) == 1


def test_without_any_folder_to_write_kernels_are_compiled_in_memory(folder):
    in_the_way(folder / "__pycache__")
    in_the_way(folder.parent / "account")
    assert run(folder) == (42.0, False)
    assert run(folder) == (42.0, False)


def test_a_folder_that_can_only_be_read_is_read(folder, monkeypatch):
    run(folder)

    def read_only(*_, **__):
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(compiled, "write_whole", read_only)
    monkeypatch.setattr(Path, "unlink", read_only)
    assert run(folder) == (42.0, True)
    (path,) = kernels(folder)
    path.write_bytes(b"damaged, and not to be removed")
    assert run(folder) == (42.0, False)


def test_numbas_own_variable_says_where(folder, tmp_path, monkeypatch):
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "given"))
    assert run(folder) == (42.0, False)
    assert run(folder) == (42.0, True)
    assert not kernels(folder)
    in_the_way(tmp_path / "given")
    assert run(folder) == (42.0, False)


def test_a_full_disk_leaves_nothing_behind(folder, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    assert run(folder) == (42.0, False)
    assert not [path for path in folder.parent.rglob("*") if path.suffix in (".nbc", ".part")]


def test_the_estimators_get_over_damaged_kernels(tmp_path):
    """As in a notebook: a copy of the package with its compiled kernels, some of them damaged."""
    shutil.copytree(ROOT / "theta_app", tmp_path / "theta_app", ignore=shutil.ignore_patterns("*.pyc*", "*.part"))
    code = "import numpy as np; from theta_app import TDG; print(TDG(theta=1.0).fit(np.eye(8)).n_clusters_)"

    def fit():
        environment = {**os.environ, "NUMBA_CACHE_DIR": ""}
        line = [sys.executable, "-c", code]
        return subprocess.run(line, cwd=tmp_path, env=environment, capture_output=True, text=True)

    assert fit().stdout.split() == ["8"]
    damaged = list((tmp_path / "theta_app" / "engine" / "__pycache__").glob(f"orders.*-{compiled.VERSIONS}-*.nbc"))
    for path in damaged:
        path.write_bytes(path.read_bytes()[:100])
    again = fit()
    assert again.stdout.split() == ["8"], again.stderr
    noticed = [path for path in damaged if str(path) in again.stderr]
    assert noticed
    assert all(path.stat().st_size > 100 for path in noticed)
