"""The published points, from a server on this machine that behaves well or badly."""

import hashlib
import io
import threading
import time
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from theta_app.datasets import FetchError, NotFetched, Original, fetch, is_fetched, load, originals

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"
pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason="the real points are not beside the project")

# of the published text files, as their own group distributes them
RAW_S_SETS = {
    "s1": "d98ddffe6ad4ff67babf1aacd1b679e7b858c8c97be1e51c818fe5f4552664af",
    "s2": "c26ecf31043cfecf46dd534c5330fd5d111d2e52522064b2f2eae6623b2d248c",
    "s3": "4814574eb85f3f6f51ec9b72736ee4cac8b54885c6e02a50d872ac236d05ba63",
    "s4": "e340dfe24b2aed3cdc9480a0b783b2b902ca4fabb3ec19ff969963224600898c",
}


def points(name):
    return pd.read_csv(next(SHARED.glob(f"*/{name}.csv")))


def published(file):
    """A file in its original format, made from the shared points."""
    if file == originals.LABELS:
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for name in RAW_S_SETS:
                labels = "\r\n".join(str(label + 1) for label in points(name)["label"])
                archive.writestr(
                    f"{name}-label.pa", f"VQ PARTITIONING 2.0\r\n15\r\n5000\r\n\r\n{'-' * 37}\r\n{labels}\r\n"
                )
        return packed.getvalue()
    name = file.removesuffix(".txt").lower()
    table = points(name)
    if name in RAW_S_SETS:
        return "".join(f"{x:10d}{y:10d}\n" for x, y in zip(table["x"], table["y"])).encode()
    return "".join(f"{x}\t{y}\t{c + 1}\r\n" for x, y, c in table.itertuples(index=False)).encode()


class Handler(BaseHTTPRequestHandler):
    """Answers as the server is told to behave."""

    def do_GET(self):
        self.server.asked.append(self.path)
        behaviour, data = self.server.behaviour, published(self.path.rsplit("/", 1)[-1])
        if behaviour == "missing":
            self.send_error(404)
            return
        if behaviour == "wrong":
            data = b"<html><body>We moved!</body></html>"
        elif behaviour == "swapped":
            data = data.replace(b"1", b"2", 1)
        elif behaviour == "half":
            data = data[: len(data) // 2]
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if behaviour in ("truncated", "stalled"):
            self.wfile.write(data[:1000])
            self.wfile.flush()
            if behaviour == "stalled":
                self.server.release.wait(30)
            return
        self.wfile.write(data)

    def log_message(self, *_):
        pass


@pytest.fixture
def server():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.behaviour, server.asked, server.release = "good", [], threading.Event()
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    server.url = f"http://127.0.0.1:{server.server_address[1]}/sipu/datasets/"
    yield server
    server.release.set()
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("name", RAW_S_SETS)
def test_the_server_serves_the_published_bytes(name):
    assert hashlib.sha256(published(f"{name}.txt")).hexdigest() == RAW_S_SETS[name]


@pytest.mark.parametrize("name", originals.FILES)
def test_every_original_arrives_whole_with_its_classes(name, server, tmp_path):
    data = fetch(name, base_url=server.url, folder=tmp_path)
    table = points(name)
    assert np.array_equal(data.X, table[["x", "y"]].to_numpy(float))
    assert len(data.truth_names) == originals.FILES[name].classes
    assert len(set(zip(data.truth, table["label"]))) == len(data.truth_names)
    assert data.name == Original(name).label
    assert "cs.uef.fi" in data.source


def test_a_second_time_nothing_is_fetched_and_load_finds_it(server, tmp_path):
    assert not is_fetched("flame", tmp_path)
    first = fetch("flame", base_url=server.url, folder=tmp_path)
    asked = len(server.asked)
    second = fetch("flame", base_url=server.url, folder=tmp_path)
    assert len(server.asked) == asked
    assert is_fetched("flame", tmp_path)
    assert first.digest == second.digest == Original("flame").dataset(tmp_path).digest


def test_opening_a_link_never_downloads(monkeypatch, tmp_path):
    monkeypatch.setattr(originals, "cache_folder", lambda: tmp_path)
    with pytest.raises(NotFetched, match="has not been downloaded"):
        load(Original("jain"))
    assert not list(tmp_path.iterdir())


def test_progress_counts_bytes_up_to_the_total(server, tmp_path):
    seen = []
    fetch("s1", lambda done, total: seen.append((done, total)), base_url=server.url, folder=tmp_path)
    assert seen[0][0] < seen[0][1]
    assert any(done == total == 105_000 for done, total in seen)
    assert all(0 <= done <= total for done, total in seen)


def test_progress_may_stop_the_download_and_nothing_is_kept(server, tmp_path):
    class Stop(BaseException):
        pass

    def stop(done, total):
        raise Stop

    with pytest.raises(Stop):
        fetch("d31", stop, base_url=server.url, folder=tmp_path)
    assert not is_fetched("d31", tmp_path)


@pytest.mark.parametrize(
    ("behaviour", "sentence"),
    [
        ("truncated", "broke off|cannot be reached"),
        ("half", "cut short"),
        ("wrong", "not Aggregation as it was published"),
        ("swapped", "not Aggregation as it was published"),
        ("missing", "status 404"),
    ],
)
def test_a_bad_answer_gets_a_sentence_and_is_not_kept(behaviour, sentence, server, tmp_path):
    server.behaviour = behaviour
    with pytest.raises(FetchError, match=sentence):
        fetch("aggregation", base_url=server.url, folder=tmp_path)
    assert not is_fetched("aggregation", tmp_path)
    server.behaviour = "good"
    assert fetch("aggregation", base_url=server.url, folder=tmp_path).X.shape == (788, 2)


def test_a_stalled_answer_is_given_up(server, tmp_path):
    server.behaviour = "stalled"
    started = time.monotonic()
    with pytest.raises(FetchError, match="did not answer in time"):
        fetch("r15", base_url=server.url, folder=tmp_path, time_out=0.5)
    assert time.monotonic() - started < 20
    assert not is_fetched("r15", tmp_path)


def test_a_file_larger_than_any_of_them_is_given_up(server, tmp_path, monkeypatch):
    monkeypatch.setattr(originals, "LARGEST", 50_000)
    with pytest.raises(FetchError, match="far more"):
        fetch("s2", base_url=server.url, folder=tmp_path)
    assert not is_fetched("s2", tmp_path)


def test_offline_gets_a_plain_sentence(tmp_path):
    with pytest.raises(FetchError, match="offline"):
        fetch("spiral", base_url="http://127.0.0.1:9/", folder=tmp_path)


def test_broken_labels_are_not_kept_either(server, tmp_path):
    fetch("s1", base_url=server.url, folder=tmp_path)
    (tmp_path / originals.LABELS).write_bytes(b"PK\x03\x04 not a zip")
    with pytest.raises(FetchError):
        Original("s1").dataset(tmp_path)
    assert not is_fetched("s1", tmp_path)


def test_only_listed_names_can_be_asked_for(server, tmp_path):
    for name in ("../s1", "http://127.0.0.1/s1.txt", "s5"):
        with pytest.raises(ValueError, match="no published set"):
            fetch(name, base_url=server.url, folder=tmp_path)
    assert not server.asked


def test_addresses_are_those_of_the_university():
    assert originals.BASE_URL == "https://cs.uef.fi/sipu/datasets/"
    assert {p.file for p in originals.FILES.values()} == {
        *(f"s{k}.txt" for k in (1, 2, 3, 4)),
        *(
            "Aggregation.txt",
            "Compound.txt",
            "pathbased.txt",
            "spiral.txt",
            "D31.txt",
            "R15.txt",
            "jain.txt",
            "flame.txt",
        ),
    }


def test_row_order_and_label_numbers_do_not_matter_but_values_and_partition_do():
    rng = np.random.default_rng(0)
    X, labels = rng.integers(0, 9, (50, 2)) / 8.0, rng.integers(0, 3, 50)
    X += np.arange(50)[:, None]
    same = rng.permutation(50)
    digest = originals.values_digest(X, labels)
    assert originals.values_digest(X[same], 7 - labels[same]) == digest
    labels[0] = (labels[0] + 1) % 3
    assert originals.values_digest(X, labels) != digest
