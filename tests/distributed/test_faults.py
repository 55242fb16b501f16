"""A real scheduler and two real workers: one is killed in the middle, then the scheduler goes."""

import pandas as pd
import pytest
from distributed import Client, LocalCluster

from tests.distributed.conftest import wait_until, written
from theta_app.distributed import BY_PART, DistributedError, connect
from theta_app.distributed.cluster import worker_memory
from theta_app.distributed.labelling import Task, label
from theta_app.distributed.parquet import Source


def test_a_run_outlives_a_worker_and_ends_with_a_sentence_without_a_scheduler(processes, here, hard, tmp_path):
    path = written(tmp_path / "points.parquet", hard, row_group_size=500)
    task = Task(Source.open(path, rows=500), 3.6, shuffles=10, way=BY_PART)
    expected = label(task, tmp_path / "undisturbed.parquet", here)

    def kill_a_worker(done, total):
        if done == 3:
            processes.workers[0].kill()
            processes.workers[0].wait()

    found = label(task, tmp_path / "labels.parquet", processes.client, kill_a_worker)
    wait_until(lambda: len(processes.client.nthreads()) == 1)
    assert found.n_clusters == expected.n_clusters
    assert pd.read_parquet(found.path).equals(pd.read_parquet(expected.path))

    def kill_the_scheduler(done, total):
        if done == 5:
            processes.scheduler.kill()
            processes.scheduler.wait()

    output = tmp_path / "later.parquet"
    with pytest.raises(DistributedError, match="scheduler stopped"):
        label(task, output, processes.client, kill_the_scheduler)
    assert not output.exists()
    again = label(task, output, here)
    assert again.resumed >= 5
    assert pd.read_parquet(output).equals(pd.read_parquet(expected.path))


def test_nobody_at_an_address_is_said_in_a_sentence(monkeypatch):
    monkeypatch.setattr("theta_app.distributed.cluster.PATIENCE", "0.3s")
    with pytest.raises(DistributedError, match="No Dask scheduler answers at tcp"):
        connect("tcp://127.0.0.1:9")


def test_workers_that_are_still_starting_are_waited_for_and_none_is_a_sentence():
    with LocalCluster(n_workers=0, processes=False, dashboard_address=None) as cluster, Client(cluster) as client:
        with pytest.raises(DistributedError, match="no workers"):
            worker_memory(client)
        cluster.scale(1)
        assert worker_memory(client) > 0
