"""A file read in a process of its own: what it may take, how it ends, and what it says then."""

import signal
import sys
import tracemalloc

import numpy as np
import pandas as pd
import pytest

from tests.datasets import hostile
from tests.datasets.files import EVERY_FORMAT, X, npy, npz, parquet
from theta_app import workers
from theta_app.datasets import UploadError, parse_upload
from theta_app.datasets.memory import real_size
from theta_app.datasets.uploads.process import read_upload
from theta_app.workers import Worker

MB = 1_000_000
SERVER = 2**30  # what a server with 8 GB lets a file become
on_linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is not told this way elsewhere")


def record(patch):
    """A list to which every process started from now on is added."""
    found = []

    class Recorded(Worker):
        def __init__(self, *args, **options):
            super().__init__(*args, **options)
            found.append(self)

    patch.setattr(workers, "Worker", Recorded)
    return found


@pytest.fixture
def started(monkeypatch):
    """Every process started."""
    return record(monkeypatch)


@pytest.fixture
def outcome(started):
    """(data set or sentence, CPU seconds, peak bytes) of reading a file."""

    def read(name, data, **options):
        try:
            result = read_upload(name, data, **options)
        except UploadError as error:
            result = str(error)
        return result, *started[-1].usage

    return read


@pytest.mark.parametrize(
    "name",
    [
        "comma.csv",
        "packed.csv.gz",
        "table.parquet",
        "table.feather",
        "records.json",
        "fields.npy",
        "arrays.npz",
        "sheet.xlsx",
    ],
)
def test_it_gives_what_is_read_here(name):
    here, there = parse_upload(name, EVERY_FORMAT[name]), read_upload(name, EVERY_FORMAT[name])
    assert there.digest == here.digest
    assert np.array_equal(there.X, X)
    assert not there.X.flags.writeable
    assert (there.name, there.source, there.notes, there.truth_names) == (
        here.name,
        here.source,
        here.notes,
        here.truth_names,
    )
    pd.testing.assert_frame_equal(there.table, here.table)
    assert there.raw.table is there.table
    assert real_size(there) <= real_size(here) + 1000


def test_a_refusal_comes_back_as_its_sentence():
    with pytest.raises(UploadError, match="no column of numbers"):
        read_upload("words.csv", b"a,b\nx,y\nz,w\n")


# ---- small files that hurt -------------------------------------------------------------------------------------------

WITHIN = {  # CPU seconds, of which half a second is Python and its libraries
    "attribute.xlsx": (2, "more than a million characters"),
    "attribute in the styles.xlsx": (2, "more than a million characters"),
    "attribute in UTF-16.xlsx": (2, "more than a million characters"),
    "attribute in a picture.xlsx": (2, "more than a million characters"),
    "comment.xlsx": (2, "more than a million characters"),
    "shared string.xlsx": (2, "more than a million characters"),
    "zeros.parquet": (3, "needs more than 1.07 GB"),
    "zeros.npz": (3, "needs more than 1.07 GB"),
    "zeros.feather": (3, "needs more than 1.07 GB"),
    "list.json.gz": (3, "a record of more than"),
    "deep.json": (2, "not a list of records"),
    "keys.json.gz": (3, "hardly any keys in common"),
    "text.csv.gz": (12, "needs more than 1.07 GB"),
    "nothing.csv.gz": (5, "far too many parts"),
}


@on_linux
@pytest.mark.parametrize("name", hostile.FILES)
def test_a_small_file_that_hurts_is_refused_in_little_time_and_memory(name, outcome):
    data = hostile.FILES[name]()
    assert len(data) < 12 * MB
    seconds, sentence = WITHIN[name]
    result, cpu, peak = outcome(name, data, limit=SERVER)
    assert isinstance(result, str), "it was read"
    assert sentence in result
    assert cpu < seconds
    assert peak < 250 * MB


@on_linux
def test_a_feather_file_of_one_long_text_repeated_stays_small(outcome):
    result, _, peak = outcome("text.feather", hostile.feather_of_one_text(), limit=SERVER)
    assert result.X.shape == (20_000, 1)
    assert peak < 250 * MB


def test_a_spreadsheet_with_long_texts_as_people_write_them_is_read():
    def longer(content):
        return content.replace(b"<t>label</t>", b"<t>" + b"&#x1F600;" * 32_767 + b"</t>")

    data = hostile.spreadsheet({hostile.SHEET: lambda old: (longer(old),)})
    assert np.array_equal(parse_upload("a.xlsx", data).X, X)


# ---- memory ----------------------------------------------------------------------------------------------------------

VALUES = 4_000_000  # an array of 32 MB


def made(kind, values=VALUES):
    """A file of so many values."""
    array = np.round(np.random.default_rng(0).normal(size=(values // 400, 40)), 4)
    array = np.concatenate([array] * 10)
    if kind == "npy":
        return npy(array)
    if kind == "npz":
        return npz(X=array)
    if kind == "parquet":
        return parquet(pd.DataFrame(array, columns=[f"c{j}" for j in range(40)]))
    block = "\n".join(",".join(map(repr, row)) for row in array[:2000].tolist()).encode() + b"\n"
    return block * (len(array) // 2000)


@pytest.fixture(scope="module")
def least():
    """The peak bytes of a process that reads next to nothing."""
    with pytest.MonkeyPatch.context() as patch:
        found = record(patch)
        read_upload("a.csv", EVERY_FORMAT["comma.csv"])
        return found[-1].usage[1]


@on_linux
@pytest.mark.parametrize("kind", ["npy", "npz", "parquet", "csv"])
def test_the_peak_is_at_most_three_times_the_array_here_and_there(kind, outcome, least):
    data = made(kind)
    tracemalloc.start()
    try:
        result, _, peak = outcome(f"a.{kind}", data, limit=SERVER)
        here = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert result.X.nbytes == 8 * VALUES
    assert peak - least < 3 * result.X.nbytes
    assert here < 3 * result.X.nbytes


def test_what_may_be_read_may_be_kept_and_nothing_larger():
    data = made("npy")
    size = real_size(parse_upload("a.npy", data))
    assert parse_upload("a.npy", data, limit=size).X.size == VALUES
    with pytest.raises(UploadError, match="needs more than 64 MB"):
        parse_upload("a.npy", data, limit=size - 1)


@on_linux
def test_a_file_that_needs_more_memory_than_it_may_have_gets_a_sentence(outcome):
    result, _, peak = outcome("a.npz", npz(X=np.zeros((100_000, 200))), memory=100 * MB)
    assert "needs more than 100 MB of memory" in result
    assert "Keep fewer rows" in result
    assert peak < 300 * MB


# ---- how it ends -----------------------------------------------------------------------------------------------------


def slow():
    """Small, and unpacks for seconds."""
    return hostile.gz_of_text()


def test_a_file_that_needs_more_time_than_it_may_have_gets_a_sentence(started):
    with pytest.raises(UploadError, match="needs more than 2 seconds"):
        read_upload("a.csv.gz", slow(), limit=2 * SERVER, seconds=2)
    assert started[0].process.returncode is not None


class Left(Exception):
    """The visitor is gone."""


def test_it_is_ended_at_once_when_nobody_wants_it(started):
    def leave(share):
        raise Left

    with pytest.raises(Left):
        read_upload("a.csv.gz", slow(), limit=2 * SERVER, progress=leave)
    assert started[0].process.returncode == -signal.SIGKILL
    assert not any(thread.is_alive() for thread in started[0]._threads)


def test_progress_goes_up():
    shares = []
    read_upload("a.csv", made("csv", VALUES // 5), limit=SERVER, progress=shares.append)
    assert shares == sorted(shares)
    assert 0 < shares[-1] <= 1


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize(
    ("number", "sentence"),
    [(signal.SIGKILL, "Reading this file failed"), (signal.SIGXCPU, r"needs more than .* seconds")],
)
def test_a_process_that_is_killed_leaves_a_sentence(number, sentence, started):
    with pytest.raises(UploadError, match=sentence):
        read_upload("a.csv.gz", slow(), limit=2 * SERVER, progress=lambda share: started[0].process.send_signal(number))


def test_a_server_that_cannot_start_a_process_says_so(monkeypatch):
    def full(*_args, **_options):
        raise BlockingIOError("no more processes")

    monkeypatch.setattr(workers.subprocess, "Popen", full)
    with pytest.raises(UploadError, match="too busy"):
        read_upload("a.csv", EVERY_FORMAT["comma.csv"])
    monkeypatch.undo()
    assert read_upload("a.csv", EVERY_FORMAT["comma.csv"]).X.shape == X.shape
