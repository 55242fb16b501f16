"""Clusters for the tests: one in this process for most of them, and real processes, one scheduler and two workers."""

import contextlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from theta_app.datasets import GridBlobs, load
from theta_app.distributed import connect, on_this_machine

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def here():
    """A client of a cluster of threads in this process."""
    with on_this_machine(workers=2, threads=1, memory_limit=0, processes=False) as client:
        yield client


@pytest.fixture(scope="session")
def hard():
    """The paper's hard case, rows in random order: 100 clusters 5 apart, 100 points each."""
    X = load(GridBlobs(side=10, spacing=5.0, per_cluster=100, sd=1.0, seed=0)).X
    return X[np.random.default_rng(1).permutation(len(X))]


def written(path, X, index=None, row_group_size=1000):
    """A Parquet file of points."""
    frame = pd.DataFrame(X, columns=["x", "y"], index=index)
    frame.to_parquet(path, row_group_size=row_group_size)
    return path


class Processes:
    """A scheduler and two workers, each a process of its own."""

    def __init__(self, folder):
        self.folder, self.stack = folder, contextlib.ExitStack()
        file = folder / "scheduler.json"
        self.scheduler = self._start("scheduler", "--port", "0", "--scheduler-file", file, "--no-dashboard")
        wait_until(lambda: file.exists() and file.stat().st_size > 0)
        plain = ("--scheduler-file", file, "--nthreads", "1", "--no-nanny", "--no-dashboard", "--memory-limit", "1GB")
        self.workers = [self._start("worker", *plain) for _ in range(2)]
        self.address = json.loads(file.read_text())["address"]
        self.client = self.stack.enter_context(connect(self.address))
        self.client.wait_for_workers(2, timeout=60)

    def _start(self, *arguments):
        environment = os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
        log = self.stack.enter_context((self.folder / f"{arguments[0]}.log").open("ab"))
        command = [sys.executable, "-m", "dask", *map(str, arguments)]
        process = subprocess.Popen(command, cwd=self.folder, env=environment, stdout=log, stderr=log)
        self.stack.callback(process.wait)
        self.stack.callback(process.kill)
        return process


def wait_until(true, seconds=60):
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


@pytest.fixture(scope="module")
def processes(tmp_path_factory):
    started = Processes(tmp_path_factory.mktemp("cluster"))
    with started.stack:
        yield started
