"""Bringing one's own file on the Data page: whatever it is, the person gets what it holds or keeps what they had."""

import functools

import numpy as np
import pytest

from tests.datasets import hostile
from tests.datasets.files import npy, npz, text
from tests.ui.helpers import complaints
from theta_app import workers
from theta_app.datasets.uploads.process import read_upload
from theta_app.datasets.uploads.xlsx import ASK
from theta_app.ui import store
from theta_app.ui.pages.data import bringing as page
from theta_app.ui.widgets import brought

STAYS = "The current data set is still the one below."


@pytest.fixture
def opened(open_page):
    """The Data page on which a good file has been uploaded."""
    at = open_page("pages/Data.py")
    at.file_uploader[0].set_value(("good.csv", text(), "text/csv")).run()
    assert at.subheader[0].value == r"good\.csv"
    return at


def refused(at, name, data):
    """What is said about a file that leaves everything as it was."""
    before = dict(at.query_params)
    at.file_uploader[0].set_value((name, data, "application/octet-stream")).run()
    assert complaints(at) == []
    assert at.subheader[0].value == r"good\.csv"
    assert dict(at.query_params) == before
    assert len(at.error) == 1
    assert at.error[0].value.endswith(STAYS)
    return at.error[0].value


@pytest.mark.parametrize("name", ["attribute.xlsx", "zeros.parquet"])
def test_a_file_that_hurts_leaves_the_data_as_they_were(opened, name):
    assert "Keep fewer" in (sentence := refused(opened, name, hostile.FILES[name]())) or "Save the sheet" in sentence


def test_a_reader_that_runs_out_of_memory_leaves_the_data_as_they_were(opened, monkeypatch):
    monkeypatch.setattr(brought, "read_upload", functools.partial(read_upload, memory=50_000_000))
    assert "needs more than 50 MB of memory" in refused(opened, "a.npz", npz(X=np.zeros((100_000, 200))))


def test_a_reader_that_takes_too_long_leaves_the_data_as_they_were(opened, monkeypatch):
    monkeypatch.setattr(brought, "read_upload", functools.partial(read_upload, seconds=2))
    assert "needs more than 2 seconds" in refused(opened, "a.csv.gz", hostile.gz_of_text())


def test_a_reader_that_is_killed_leaves_the_data_as_they_were(opened, monkeypatch):
    class Killed(workers.Worker):
        def __init__(self, *args, **options):
            super().__init__(*args, **options)
            self.process.kill()

    monkeypatch.setattr(workers, "Worker", Killed)
    assert "Reading this file failed" in refused(opened, "a.csv", text(";"))


def test_what_the_server_cannot_keep_is_refused_by_the_reader_with_the_servers_limit(opened, monkeypatch):
    monkeypatch.setattr(store.BUDGET, "total", 100_000_000)
    assert "needs more than 50 MB" in refused(opened, "a.npy", npy(np.zeros((100_000, 40))))
    opened.file_uploader[0].set_value(("fits.npy", npy(np.arange(4e6).reshape(100_000, 40)[:50_000]), "")).run()
    assert opened.subheader[0].value == r"fits\.npy"


def test_the_page_offers_to_cancel_and_does_not_begin_again(opened, monkeypatch):
    calls = []

    def cancelled(*_args, **_options):
        calls.append(1)
        page._cancel((opened.file_uploader[0].value.file_id, ASK, ""))
        page.st.rerun()  # what a click on the button does to the run that is under way

    monkeypatch.setattr(brought.QUEUE, "result", cancelled)
    assert "cancelled" in refused(opened, "other.csv", text(";"))
    opened.run()
    assert len(calls) == 1
