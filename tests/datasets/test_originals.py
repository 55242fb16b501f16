"""The published points, from a server on this machine that behaves well or badly.

Most tests publish two small sets of their own; those that need the real points skip where these are absent.
"""

import hashlib
import io
import zipfile

import numpy as np
import pytest

from tests import shared_data
from tests.datasets.publisher import publisher
from theta_app.datasets import CATALOGUE, FetchError, NotFetched, Original, fetch, is_fetched, load, mnist, originals

# ---- two small sets, and where they are published -------------------------------------------------------------------

_rng = np.random.default_rng(0)
LABELS = np.repeat([0, 1, 2], 500)
POINTS = _rng.integers(0, 80, (1500, 2)) / 8.0 + 100.0 * LABELS[:, None]  # eighths: exact as text


def with_labels(points, labels):
    """As the shape sets are published: x, y and class in one file."""
    return "".join(f"{x}\t{y}\t{c + 1}\r\n" for (x, y), c in zip(points, labels)).encode()


def without_labels(points):
    """As the S-sets are published: whole numbers in columns ten wide."""
    return "".join(f"{x:10d}{y:10d}\n" for x, y in points.astype(int)).encode()


def packed_labels(sets):
    """The S-sets' classes: a zip file with one partition file per set."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, labels in sets.items():
            head = f"VQ PARTITIONING 2.0\r\n{len(set(labels))}\r\n{len(labels)}\r\n\r\n{'-' * 37}\r\n"
            archive.writestr(f"{name}-label.pa", head + "\r\n".join(str(label + 1) for label in labels) + "\r\n")
    return packed.getvalue()


SMALL_FILES = {
    "Small.txt": with_labels(POINTS, LABELS),
    "apart.txt": without_labels(8 * POINTS),
    originals.LABELS: packed_labels({"apart": LABELS}),
}


@pytest.fixture
def small_sets(monkeypatch):
    """ "small", a set with its classes in the same file, and "apart", one with its classes apart."""
    for name, file, points, apart in (("small", "Small.txt", POINTS, False), ("apart", "apart.txt", 8 * POINTS, True)):
        digest = originals.values_digest(points, LABELS)
        published = originals.Published(name.title(), file, len(points), 3, digest, "Made by a test", apart)
        monkeypatch.setitem(originals.FILES, name, published)


@pytest.fixture
def server(small_sets):
    with publisher(SMALL_FILES.__getitem__) as server:
        yield server


# ---- what must hold in any clone ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "points"), [("small", POINTS), ("apart", 8 * POINTS)])
def test_a_published_set_arrives_whole_with_its_classes(name, points, server, tmp_path):
    data = fetch(name, base_url=server.url, folder=tmp_path)
    assert np.array_equal(data.X, points)
    assert np.array_equal(data.truth, LABELS)
    assert data.truth_names == ("1", "2", "3")
    assert data.name == Original(name).label
    assert "Made by a test" in data.source


def test_a_published_set_in_the_table_is_in_the_catalogue(small_sets):
    assert CATALOGUE["original_small"] == Original("small")
    assert "Made by a test" in CATALOGUE["original_small"].help


def test_a_second_time_nothing_is_fetched_and_load_finds_it(server, tmp_path):
    assert not is_fetched("small", tmp_path)
    first = fetch("small", base_url=server.url, folder=tmp_path)
    second = fetch("small", base_url=server.url, folder=tmp_path)
    assert server.asked == ["Small.txt"]
    assert is_fetched("small", tmp_path)
    assert first.digest == second.digest == Original("small").dataset(tmp_path).digest


def test_opening_a_link_never_downloads(monkeypatch, tmp_path):
    monkeypatch.setattr(originals, "cache_folder", lambda: tmp_path)
    with pytest.raises(NotFetched, match="has not been downloaded"):
        load(Original("jain"))
    assert not list(tmp_path.iterdir())


def test_progress_counts_bytes_up_to_the_total(server, tmp_path):
    seen = []
    fetch("apart", lambda done, total: seen.append((done, total)), base_url=server.url, folder=tmp_path)
    assert seen[0][0] < seen[0][1]
    assert any(done == total == len(SMALL_FILES["apart.txt"]) for done, total in seen)
    assert all(0 <= done <= total for done, total in seen)


def test_progress_may_stop_the_download_and_nothing_is_kept(server, tmp_path):
    class Stop(BaseException):
        pass

    def stop(*_):
        raise Stop

    with pytest.raises(Stop):
        fetch("small", stop, base_url=server.url, folder=tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("behaviour", "sentence"),
    [
        ("truncated", "was interrupted|cannot be reached"),
        ("half", "incomplete"),
        ("wrong", "not Small as published"),
        ("swapped", "not Small as published"),
        (403, "status 403"),
        (404, "status 404"),
        (500, "status 500"),
    ],
)
def test_a_bad_answer_gets_a_sentence_and_is_not_kept(behaviour, sentence, server, tmp_path):
    server.behaviour = behaviour
    with pytest.raises(FetchError, match=sentence):
        fetch("small", base_url=server.url, folder=tmp_path)
    assert not is_fetched("small", tmp_path)
    server.behaviour = "good"
    assert fetch("small", base_url=server.url, folder=tmp_path).X.shape == POINTS.shape


def test_a_stalled_answer_is_given_up(server, tmp_path):
    server.behaviour = "stalled"
    with pytest.raises(FetchError, match="did not answer in time"):
        fetch("small", base_url=server.url, folder=tmp_path, time_out=0.5)
    assert not is_fetched("small", tmp_path)


@pytest.mark.parametrize("behaviour", ["drips", "drips headers"])
def test_an_answer_that_drips_is_given_up(behaviour, server, tmp_path, monkeypatch):
    monkeypatch.setattr(originals, "LONGEST", 0.3)  # far less than the first kilobyte takes
    server.behaviour = behaviour
    with pytest.raises(FetchError, match="did not answer in time"):
        fetch("small", base_url=server.url, folder=tmp_path)
    assert not list(tmp_path.iterdir())


def test_whoever_gives_up_a_drip_hangs_up(server, tmp_path, monkeypatch):
    monkeypatch.setattr(originals, "LONGEST", 0.3)
    server.behaviour = "drips"
    with pytest.raises(FetchError):
        fetch("small", base_url=server.url, folder=tmp_path)
    assert server.left.wait(60)


def test_a_file_larger_than_any_of_them_is_given_up(server, tmp_path, monkeypatch):
    monkeypatch.setattr(originals, "LARGEST", 10_000)
    with pytest.raises(FetchError, match="far more"):
        fetch("apart", base_url=server.url, folder=tmp_path)
    assert not is_fetched("apart", tmp_path)


def test_offline_gets_a_plain_sentence(small_sets, tmp_path):
    with pytest.raises(FetchError, match="offline"):
        fetch("small", base_url="http://127.0.0.1:9/", folder=tmp_path)


def test_a_folder_that_cannot_be_written_gets_a_sentence(server, tmp_path):
    in_the_way = tmp_path / "cache"
    in_the_way.write_text("a file where the folder should be")
    with pytest.raises(FetchError, match="could not be kept in the cache folder"):
        fetch("small", base_url=server.url, folder=in_the_way)
    assert not server.asked


def test_a_home_folder_that_cannot_be_written_gets_a_sentence(server, tmp_path, monkeypatch):
    home = tmp_path / "home"
    home.write_text("nobody can make a folder in here")
    for name in ("HOME", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(home))
    assert not is_fetched("small")
    with pytest.raises(FetchError, match="could not be kept in the cache folder"):
        fetch("small", base_url=server.url)


@pytest.mark.parametrize("file", ["apart.txt", originals.LABELS])
def test_a_file_that_broke_in_the_cache_is_not_kept_and_load_says_so(file, server, tmp_path, monkeypatch):
    monkeypatch.setattr(originals, "cache_folder", lambda: tmp_path)
    fetch("apart", base_url=server.url)
    (tmp_path / file).write_bytes(b"PK\x03\x04 not what it was")
    with pytest.raises(LookupError, match="not Apart as published"):  # as for a file that is not there
        load(Original("apart"))
    assert not is_fetched("apart")


def test_only_listed_names_can_be_asked_for(server, tmp_path):
    for name in ("../s1", "http://127.0.0.1/s1.txt", "s5"):
        with pytest.raises(ValueError, match="no published set"):
            fetch(name, base_url=server.url, folder=tmp_path)
    assert not server.asked


def test_addresses_are_those_of_the_publishers():
    assert originals.BASE_URL == "https://cs.uef.fi/sipu/datasets/"
    images = originals.FILES["mnist"]
    assert images.home + images.file == "https://storage.googleapis.com/tensorflow/tf-keras-datasets/mnist.npz"
    assert {p.file for p in originals.FILES.values() if p.home == originals.BASE_URL} == {
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


# ---- the real points ------------------------------------------------------------------------------------------------

real_points = pytest.mark.skipif(
    not shared_data.FOLDER.is_dir(),
    reason="the real benchmark sets are not on this machine: ../shared/data is missing",
)

# SHA-256 of the published text files, as their own group distributes them
RAW_S_SETS = {
    "s1": "d98ddffe6ad4ff67babf1aacd1b679e7b858c8c97be1e51c818fe5f4552664af",
    "s2": "c26ecf31043cfecf46dd534c5330fd5d111d2e52522064b2f2eae6623b2d248c",
    "s3": "4814574eb85f3f6f51ec9b72736ee4cac8b54885c6e02a50d872ac236d05ba63",
    "s4": "e340dfe24b2aed3cdc9480a0b783b2b902ca4fabb3ec19ff969963224600898c",
}


def real(name):
    """(points, labels) of a published set."""
    return shared_data.points(f"{'s-sets' if name in RAW_S_SETS else 'shapes'}/{name}")


def published(file):
    """A published file in its original format, made from the real points."""
    if file == originals.LABELS:
        return packed_labels({name: real(name)[1] for name in RAW_S_SETS})
    name = file.removesuffix(".txt").lower()
    return without_labels(real(name)[0]) if name in RAW_S_SETS else with_labels(*real(name))


@real_points
@pytest.mark.parametrize("name", RAW_S_SETS)
def test_the_files_served_here_are_the_published_bytes(name):
    assert hashlib.sha256(published(f"{name}.txt")).hexdigest() == RAW_S_SETS[name]


@real_points
@pytest.mark.parametrize("name", [name for name in originals.FILES if name != "mnist"])
def test_every_original_arrives_whole_with_its_classes(name, tmp_path):
    with publisher(published) as server:
        data = fetch(name, base_url=server.url, folder=tmp_path)
    X, labels = real(name)
    assert np.array_equal(data.X, X)
    assert len(data.truth_names) == originals.FILES[name].classes
    assert len(set(zip(data.truth, labels))) == len(data.truth_names)
    assert data.name == Original(name).label
    assert "cs.uef.fi" in data.source


# ---- MNIST ----------------------------------------------------------------------------------------------------------


def mnist_file(**changes):
    """MNIST's file under its publisher's names, made from the real pictures; `changes` replace arrays."""
    with np.load(shared_data.mnist()) as content:
        parts = {
            "x_train": content["train_images"],
            "y_train": content["train_labels"],
            "x_test": content["test_images"],
            "y_test": content["test_labels"],
        }
    packed = io.BytesIO()
    np.savez_compressed(packed, **(parts | changes))
    return packed.getvalue()


def test_mnist_arrives_with_its_digits(tmp_path):
    file = mnist_file()
    with publisher({"mnist.npz": file}.__getitem__) as server:
        data = fetch("mnist", base_url=server.url, folder=tmp_path)
    with np.load(shared_data.mnist()) as content:
        assert np.array_equal(data.X, content["test_images"].reshape(-1, 784))
        assert np.array_equal(data.truth, content["test_labels"])
    assert data.truth_names == tuple("0123456789")
    assert data.unit == "grey levels"
    assert "storage.googleapis.com" in data.source
    images, digits = mnist.read(tmp_path / "mnist.npz")
    assert images.shape == (70_000, 784)
    assert np.bincount(digits).sum() == 70_000


def test_one_changed_digit_is_not_mnist(tmp_path):
    with np.load(shared_data.mnist()) as content:
        digits = content["test_labels"].copy()
    digits[17] = (digits[17] + 1) % 10
    file = mnist_file(y_test=digits)
    with publisher({"mnist.npz": file}.__getitem__) as server, pytest.raises(FetchError, match="is not MNIST"):
        fetch("mnist", base_url=server.url, folder=tmp_path)
    assert not is_fetched("mnist", tmp_path)


def npz(**arrays):
    packed = io.BytesIO()
    np.savez(packed, **arrays)
    return packed.getvalue()


@pytest.mark.parametrize(
    "content",
    [
        b"<html>We moved!</html>",
        b"",
        npz(images=np.zeros(3)),
        npz(x_train=np.zeros((2, 28, 28)), y_train=np.zeros(2), x_test=np.zeros((1, 28, 28)), y_test=np.zeros(1)),
        npz(x_train=np.array([None]), y_train=np.zeros(2), x_test=np.zeros((1, 28, 28)), y_test=np.zeros(1)),
    ],
    ids=["page", "empty", "other names", "zeros", "objects"],
)
def test_what_is_not_mnist_is_deleted_and_said(content, tmp_path):
    with publisher({"mnist.npz": content}.__getitem__) as server, pytest.raises(FetchError, match="is not MNIST"):
        fetch("mnist", base_url=server.url, folder=tmp_path)
    assert not is_fetched("mnist", tmp_path)
