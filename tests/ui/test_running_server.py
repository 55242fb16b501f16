"""What only a running server shows: headers, downloads in a crowd, a dead cluster, bad files, memory given back."""

import contextlib
import os
import re
import socket
import sys
import time
import urllib.request
from urllib.parse import urlencode

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from benchmarks.visitors import Visitor, usage
from tests.browser.helpers import Server
from theta_app.ui.headers import HEADERS

SMALL = {"data": "grid", "data_side": 3, "data_per_cluster": 40, "shuffles": 5}
LARGE = {"data": "blobs", "data_clusters": 10, "data_dimensions": 50, "data_per_cluster": 5_000, "shuffles": 5}
HUGE_GROUP = 60_000_000


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """An operator's folder with everything that can be wrong in one."""
    outside = tmp_path_factory.mktemp("outside")
    points = pd.DataFrame(np.random.default_rng(0).normal(size=(60, 2)), columns=["a", "b"])
    points.to_parquet(outside / "secret.parquet")
    folder = tmp_path_factory.mktemp("served")
    points.to_parquet(folder / "fine.parquet")
    (folder / "dangling.parquet").symlink_to(folder / "nothing.parquet")
    (folder / "empty.parquet").mkdir()
    (folder / "leaving.parquet").symlink_to(outside / "secret.parquet")
    (folder / "leaving-folder.parquet").symlink_to(outside)
    (folder / "parts.parquet").mkdir()
    (folder / "parts.parquet" / "1.parquet").symlink_to(outside / "secret.parquet")
    os.mkfifo(folder / "pipe.parquet")
    (folder / "broken.parquet").write_bytes(b"PAR1 and no more")
    zeros = pa.table({"a": np.zeros(HUGE_GROUP, np.int8)})
    pq.write_table(zeros, folder / "huge.parquet", row_group_size=HUGE_GROUP)
    return folder


@pytest.fixture(scope="module")
def server(folder):
    """The server that ``theta-app`` starts, beside a scheduler that accepts connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        env = {
            "THETA_DATA": str(folder),
            "THETA_MEMORY_MB": "75",
            "THETA_SCHEDULER": f"tcp://127.0.0.1:{silent.getsockname()[1]}",
            "STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL": "5",
        }
        running = Server(env=env, command=[sys.executable, "-m", "theta_app.command"])
        yield running
        running.stop()


def visit(server, query, page="", **options):
    visitor = Visitor(server.url, urlencode(query), page).visit(**options)
    assert not visitor.trouble, f"{visitor.trouble}\n{server.log()[-3000:]}"
    assert any("theta-brand" in text for text in visitor.texts), "the menu"
    return visitor


def test_a_scheduler_that_does_not_answer_is_named_on_the_page(server):
    visitor = visit(server, SMALL)
    assert any("does not answer. This machine does the work for now." in text for text in visitor.texts)


def test_no_other_site_may_frame_it_and_no_script_may_read_the_visitors_cookie(server):
    for path in ("/", "/Data", "/_stcore/health"):
        answer = urllib.request.urlopen(server.url + path)
        assert HEADERS.items() <= {name.title(): value for name, value in answer.headers.items()}.items()
    cookie = urllib.request.urlopen(server.url).headers["Set-Cookie"]
    assert re.fullmatch(r"theta_visitor=[\w-]{32}; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax", cookie)
    again = urllib.request.Request(server.url, headers={"Cookie": cookie.split(";")[0], "X-Forwarded-Proto": "https"})
    assert urllib.request.urlopen(again).headers["Set-Cookie"] is None
    behind_tls = urllib.request.Request(server.url, headers={"X-Forwarded-Proto": "https"})
    assert urllib.request.urlopen(behind_tls).headers["Set-Cookie"].endswith("; Secure")


def test_a_file_waits_for_its_browser_whatever_others_do(server):
    """Streamlit alone deletes it when two scripts of anybody have ended."""
    visitor = Visitor(server.url, urlencode(SMALL))
    visitor.open(60.0)
    visitor.watch()
    visitor.click("Export")
    address = visitor.made("Labels")
    for seed in range(3):
        visit(server, SMALL | {"data_seed": seed}, leave=True)
        visit(server, {}, page="Learn")
    table = urllib.request.urlopen(address).read()
    assert table.startswith(b"row,") or b"cluster" in table[:100]
    visitor.close()


BAD = ["dangling", "empty", "leaving", "leaving-folder", "parts", "pipe", "broken", "huge"]


@pytest.mark.parametrize(("name", "page"), [*zip(BAD, ["", "Data"] * 4), ("huge", "")])
def test_a_bad_entry_of_the_operators_folder_is_a_sentence(name, page, server):
    visitor = visit(server, {"data": "server", "data_name": f"{name}.parquet", "shuffles": 5}, page, leave=True)
    said = " ".join(visitor.sentences)
    expected = {"broken": "cannot be read", "huge": "more than can be read at once here"}
    assert expected.get(name, f"This server has no file '{name}.parquet' to open") in said
    assert "The default data set is shown instead." in said


def test_a_good_file_of_the_folder_is_opened(server):
    visitor = visit(server, {"data": "server", "data_name": "fine.parquet", "shuffles": 5})
    assert not any("default data set" in sentence for sentence in visitor.sentences)


def test_visitors_with_large_sets_are_served_or_told_and_memory_comes_back(server):
    """Of 20 MB each, where 75 MB may be kept: what they hold counts, and is given back when they have left."""
    pid = server.process.pid
    visit(server, LARGE, leave=True)
    visitors = [Visitor(server.url, urlencode(LARGE | {"data_seed": seed})) for seed in range(1, 7)]
    with contextlib.ExitStack() as stack:
        for visitor in visitors:
            visitor.open(120.0)
            stack.callback(visitor.close)
            visitor.watch(leave=True)
        assert all(visitor.answered for visitor in visitors)
        told = [any("no room for so much data" in sentence for sentence in v.sentences) for v in visitors]
        assert 0 < sum(told) < len(told)
        most = usage(pid)[1]
    end = time.monotonic() + 120
    while usage(pid)[1] > most - 50 and time.monotonic() < end:
        time.sleep(1.0)
    assert usage(pid)[1] < most - 50
