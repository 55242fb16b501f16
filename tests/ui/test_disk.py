"""Sweeps kept on disk: the same as computed, never half a file, and nothing of a visitor's."""

import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from theta_app import datasets, selection
from theta_app.datasets.dataset import from_arrays
from theta_app.ui import cache, disk, store
from theta_app.ui.session import Settings

ROOT = Path(__file__).resolve().parents[2]
X = datasets.load(datasets.GridBlobs(side=2, spacing=8.0, per_cluster=30)).X


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("THETA_CACHE", str(tmp_path))
    return tmp_path / "sweeps"


@pytest.fixture(scope="module")
def swept():
    plan = selection.sweep_plan(X, shuffles=4)
    state = selection.so_far(plan)
    while not state.complete:
        list(selection.advance(state))
        state = selection.so_far(plan)
    return state


def test_a_kept_sweep_comes_back_as_it_was(swept):
    assert disk.load("key") is None
    assert disk.keep("key", swept)
    plan = selection.sweep_plan(X, shuffles=4)
    selection.remember(plan, *disk.load("key"))
    state = selection.so_far(plan)
    assert state.complete
    assert state.best == swept.best
    pd.testing.assert_frame_equal(state.table, swept.table)
    pd.testing.assert_frame_equal(state.ranges, swept.ranges)
    for theta, point in swept.points.items():
        again = state.points[theta].tdg
        for name in ("labels", "centroids", "sizes", "run_counts"):
            np.testing.assert_array_equal(getattr(again, name), getattr(point.tdg, name))
            assert getattr(again, name).dtype == getattr(point.tdg, name).dtype


@pytest.mark.parametrize("harm", [lambda b: b[:-7], lambda b: b[:20], lambda b: b"", lambda b: b[:99] + b"x" + b[100:]])
def test_a_damaged_file_is_thrown_away_and_made_anew(swept, folder, harm):
    disk.keep("key", swept)
    path = next(folder.iterdir())
    path.write_bytes(harm(path.read_bytes()))
    assert disk.load("key") is None
    assert not path.exists()
    assert disk.keep("key", swept)
    assert disk.load("key") is not None


def test_another_version_does_not_find_it(swept, monkeypatch):
    disk.keep("key", swept)
    monkeypatch.setattr(disk, "__version__", "99")
    assert disk.load("key") is None


def test_where_nothing_can_be_written_everything_goes_on(swept, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("THETA_CACHE", str(tmp_path / "file"))
    assert not disk.keep("key", swept)
    assert disk.load("key") is None


def test_the_folder_stays_within_its_limit_and_the_oldest_goes(swept, folder, monkeypatch):
    disk.keep("first", swept)
    size = next(folder.iterdir()).stat().st_size
    os.utime(disk._path("first"), (1, 1))
    monkeypatch.setattr(disk, "MOST_BYTES", int(2.5 * size))
    disk.keep("second", swept)
    disk.keep("third", swept)
    assert not disk.is_kept("first")
    assert disk.is_kept("second")
    assert disk.is_kept("third")


def test_two_servers_may_write_the_same_sweep_at_once(swept, folder):
    start = threading.Barrier(6)

    def write(_):
        start.wait()
        return disk.keep("key", swept) and disk.load("key") is not None

    with ThreadPoolExecutor(6) as pool:
        assert all(pool.map(write, range(6)))
    assert [path.suffix for path in folder.iterdir()] == [".sweep"]


def test_a_process_killed_while_it_writes_leaves_nothing_that_is_taken_for_a_sweep(swept, folder):
    script = """
import os, signal
from theta_app.ui import disk
real = os.replace
def killed(a, b):
    os.kill(os.getpid(), signal.SIGKILL)
os.replace = killed
from tests.ui.test_disk import X
from theta_app import selection
plan = selection.sweep_plan(X, shuffles=4)
state = selection.so_far(plan)
while not state.complete:
    list(selection.advance(state))
    state = selection.so_far(plan)
disk.keep("key", state)
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=False, env={**os.environ})
    assert done.returncode == -signal.SIGKILL
    assert [path.suffix for path in folder.iterdir()] == [".part"]
    assert disk.load("key") is None
    os.utime(next(folder.iterdir()), (1, 1))
    assert disk.keep("key", swept)
    assert [path.suffix for path in folder.iterdir()] == [".sweep"]


def test_only_sets_of_the_project_are_kept_never_a_visitors():
    upload = from_arrays("mine", "Uploaded by a test.", X + 0.123)
    cache.complete(cache.sample(upload), Settings())
    assert cache.disk_key(cache.sample(upload), Settings()) is None
    default = cache.dataset(datasets.DEFAULT, datasets.Preparation())
    assert cache.disk_key(cache.sample(default), Settings()) is not None
    assert cache.disk_key(cache.sample(default), Settings(seed=1)) is None


def test_a_new_server_finds_the_sweep_of_the_last_one(folder):
    data = cache.dataset(datasets.DEFAULT, datasets.Preparation())
    points = cache.sample(data)
    first = cache.complete(points, Settings())
    assert disk.keep(cache.disk_key(points, Settings()), first)
    store.SWEEPS.clear()  # a restart
    again = cache.so_far(points, Settings())
    assert again.complete
    assert again.best == first.best
