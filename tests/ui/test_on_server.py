"""Files of the operator's folder: opened by name alone, explored by a fair sample, all rows labelled."""

import io
import socket
import threading
import time

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from tests.ui.conftest import ROOT
from tests.ui.helpers import complaints
from theta_app import datasets, selection
from theta_app.datasets import Served, served_names
from theta_app.distributed import DistributedError, connect
from theta_app.engine import tdg
from theta_app.ui import cluster, session


def three_blobs(n=300):
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(centre, 0.3, size=(n // 3, 2)) for centre in (0, 5, 10)])
    return pd.DataFrame(X, columns=["width", "height"])


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("THETA_DATA", str(tmp_path / "data"))
    (tmp_path / "data").mkdir()
    three_blobs().to_parquet(tmp_path / "data" / "blobs.parquet", row_group_size=100)
    three_blobs().to_parquet(tmp_path / "secret.parquet")
    return tmp_path / "data"


def test_only_the_files_of_the_folder_can_be_named(folder, monkeypatch):
    assert served_names() == ("blobs.parquet",)
    for name in ("../secret.parquet", str(folder / "blobs.parquet"), "", "nothing.parquet", "./blobs.parquet"):
        with pytest.raises(LookupError, match="has no file"):
            Served(name).dataset()
    monkeypatch.delenv("THETA_DATA")
    assert served_names() == ()
    with pytest.raises(LookupError):
        Served("blobs.parquet").dataset()


def test_a_link_names_the_file_and_nothing_else():
    spec = Served("blobs.parquet")
    assert datasets.spec_from_query(datasets.spec_to_query(spec)) == spec


def test_a_fair_sample_of_a_large_file_is_explored(folder):
    n = 30_000
    three_blobs(n).assign(kind="text").to_parquet(folder / "large.parquet", row_group_size=7000)
    data = Served("large.parquet").dataset()
    rows = data.table.index.to_numpy() - 1
    assert len(data.X) == 20_000
    assert np.array_equal(data.X, three_blobs(n).to_numpy()[rows])
    assert "a fair sample of 20,000 of 30,000 rows" in data.source


def test_a_file_that_cannot_be_read_gets_a_sentence(folder):
    (folder / "broken.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(LookupError, match=r"broken\.parquet on this server cannot be read"):
        Served("broken.parquet").dataset()


def opened(**settings):
    at = AppTest.from_file(str(ROOT / "pages/Data.py"), default_timeout=60)
    if settings:
        at.session_state["theta_app.state"] = session.State(
            Served("blobs.parquet"), settings=session.Settings(**settings)
        )
    at.run()
    assert complaints(at) == []
    return at


def finished(at):
    run = at.session_state["theta_app.labelling"][1]
    end = time.monotonic() + 60
    while run.active and time.monotonic() < end:
        time.sleep(0.02)
    at.run()
    assert complaints(at) == []
    return run


def test_a_file_is_opened_explored_and_all_of_its_rows_are_labelled(folder):
    at = opened()
    at.selectbox(key="data.served").set_value("blobs.parquet").run()
    at.button(key="data.open-served").click().run()
    assert complaints(at) == []
    assert at.session_state["theta_app.state"].spec == Served("blobs.parquet")
    assert any("Choose θ first" in element.value for element in at.markdown)

    at = opened(theta=2.0, shuffles=5)
    assert at.button(key="label-all").label == "Label all 300 rows on this server"
    at.button(key="label-all").click().run()
    run = finished(at)
    assert run.trouble == ""
    found = pd.read_parquet(io.BytesIO(run.path.read_bytes()))
    assert found["cluster"].tolist() == tdg(three_blobs().to_numpy(), 2.0, 5).labels.tolist()
    assert any("3 clusters of 300 rows, by shuffle" in element.value for element in at.markdown)


def test_labelling_is_stopped_and_goes_on(folder, monkeypatch):
    at = opened(theta=2.0, shuffles=6)
    with monkeypatch.context() as patch:
        patch.setattr(cluster.LABELLING, "places", 0)  # another file is being labelled
        at.button(key="label-all").click().run()
        at.button(key="label-stop").click().run()
    finished(at)
    assert any("continues from there" in warning.value for warning in at.warning)
    at.button(key="label-all").click().run()
    assert finished(at).found.n_clusters == 3


def test_scaled_columns_are_scaled_in_every_part(folder):
    scaled = datasets.prepare(Served("blobs.parquet").dataset(), datasets.Preparation(scaling="standard"))
    task = cluster.task_of(
        Served("blobs.parquet").files, ["width", "height"], session.Settings(shuffles=5), 0.5, None, 2.0, scaled.scale
    )
    X, complete = task.points(task.source.read(task.source.parts[0]))
    assert complete.all()
    assert np.allclose(X, scaled.X)


def test_nobody_waits_for_a_cluster_that_does_not_answer(monkeypatch):
    given_up, asked = threading.Event(), []

    def connect(address):
        asked.append(address)
        given_up.wait()
        raise DistributedError("Nobody answers.")

    connection = type(cluster.CONNECTION)()
    monkeypatch.setattr(cluster, "CONNECTION", connection)
    monkeypatch.setattr(cluster, "_PATIENCE", 0.0)
    monkeypatch.setattr("theta_app.distributed.connect", connect)
    monkeypatch.setenv("THETA_SCHEDULER", "tcp://192.0.2.1:8786")
    X = three_blobs().to_numpy()
    plan = selection.sweep_plan(X, [2.0], 5)
    assert cluster.evaluated(plan, plan.full(2.0), None, threading.Event()) is None
    assert (
        cluster.complaint()
        == "The cluster at tcp://192.0.2.1:8786 does not answer. This machine does the work for now."
    )
    given_up.set()
    assert connection.known.wait(30)
    assert cluster.complaint()
    assert len(asked) == 1, "it is asked again after a while, not at every question"
    monkeypatch.delenv("THETA_SCHEDULER")
    assert cluster.complaint() == ""


def test_a_port_where_nobody_listens_is_given_up_at_once(monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    monkeypatch.setattr("theta_app.distributed.cluster.Client", lambda *_, **__: pytest.fail("it would ask for long"))
    with pytest.raises(DistributedError, match="No Dask scheduler answers"):
        connect(f"tcp://127.0.0.1:{port}")


def test_sweeps_run_on_the_named_cluster_and_here_when_it_is_gone(monkeypatch):
    from theta_app.distributed import on_this_machine

    X = three_blobs().to_numpy()
    plan = selection.sweep_plan(X, [2.0], 5)
    expected = selection.evaluate(X, 2.0, 5)
    wanted = type("Wanted", (), {"is_set": lambda self: False})()
    monkeypatch.setattr(cluster, "CONNECTION", type(cluster.CONNECTION)())
    monkeypatch.setattr(cluster.CORES, "places", cluster.CORES.places)
    assert cluster.evaluated(plan, plan.full(2.0), None, wanted) is None  # nobody has named one
    with on_this_machine(workers=1, threads=1, memory_limit=0, processes=False) as client:
        monkeypatch.setenv("THETA_SCHEDULER", client.scheduler.address)
        there = cluster.evaluated(plan, plan.full(2.0), None, wanted)
        assert there.row == expected.row
        assert there.tdg.labels.tolist() == expected.tdg.labels.tolist()
    monkeypatch.setattr("theta_app.distributed.cluster.PATIENCE", "0.2s")
    assert cluster.evaluated(plan, plan.full(2.0), None, wanted) is None
