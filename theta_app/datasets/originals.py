"""The published benchmark points, fetched when a person asks for them and kept in their cache folder.

The addresses are a fixed list: nothing a visitor types is ever fetched. A file is trusted for its values, not its
bytes: line endings, row order and label numbers vary from copy to copy.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import queue
import socket
import threading
import time
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from theta_app.datasets import mnist
from theta_app.datasets.dataset import UNIT, Dataset, from_arrays
from theta_app.datasets.needed import Needed
from theta_app.datasets.spec import REAL, S_SETS, SHAPES, Spec
from theta_app.engine import Progress
from theta_app.engine.files import cache_folder, write_whole

HOST = "cs.uef.fi"
BASE_URL = f"https://{HOST}/sipu/datasets/"
LABELS = "s-originals.zip"
TIME_OUT = 15.0  # seconds without a byte
LONGEST = 120.0  # seconds for one file, however its bytes arrive
LARGEST = 50_000_000  # bytes of one file
CHUNK = 1024  # bytes between two looks at progress and size


@dataclass(frozen=True)
class Published:
    """A published file and what its values must be."""

    # label, cite: what it is called, and who made it
    label: str
    file: str  # its name under `BASE_URL`
    # n, classes: points and true clusters
    n: int
    classes: int
    digest: str  # of the points and their partition: see `values_digest`
    cite: str
    separate_labels: bool = False  # the S-sets' labels are in a zip file of their own

    home: ClassVar[str] = BASE_URL
    unit: ClassVar[str] = UNIT
    heading: ClassVar[str] = SHAPES

    @property
    def host(self) -> str:
        """The server that the file comes from, without the path."""
        return self.home.split("/")[2]

    def values(self, name: str, folder: Path) -> tuple[np.ndarray, np.ndarray]:
        """Points and labels from the files in a folder; ValueError (or what parsing raises) when they are others."""
        points, labels = parse_points((folder / self.file).read_bytes())
        if self.separate_labels:
            labels = parse_labels((folder / LABELS).read_bytes(), f"{name}-label.pa")
        if points.shape != (self.n, 2) or values_digest(points, labels) != self.digest:
            raise ValueError("not as published")
        return points, labels


@dataclass(frozen=True)
class PublishedImages(Published):
    """The last `n` pictures of MNIST: those that its authors set apart for tests. The digest is of all 70,000."""

    home: ClassVar[str] = "https://storage.googleapis.com/tensorflow/tf-keras-datasets/"
    unit: ClassVar[str] = "grey levels"
    heading: ClassVar[str] = REAL

    def values(self, name: str, folder: Path) -> tuple[np.ndarray, np.ndarray]:
        """The last `n` images as rows of pixels, and the digit that each shows."""
        images, digits = mnist.read(folder / self.file)
        return images[-self.n :], digits[-self.n :]


_FRANTI = "Fränti and Virmajoki, Pattern Recognition 39(5), 2006"
_CHANG = "Chang and Yeung, Pattern Recognition 41(1), 2008"
_VEENMAN = "Veenman, Reinders and Backer, IEEE Transactions on Pattern Analysis 24(9), 2002"

FILES = {
    "s1": Published(
        "S1", "s1.txt", 5000, 15, "13427e22fad7cc836989293d6a81bed7c6635ca3abb706f49609b3d5c16c5ed5", _FRANTI, True
    ),
    "s2": Published(
        "S2", "s2.txt", 5000, 15, "8960373fb641724b9453754a1bc37062e663fd1711ced75d7087b67409120c61", _FRANTI, True
    ),
    "s3": Published(
        "S3", "s3.txt", 5000, 15, "3e009c95452b22c315b58775430c1e311eb8b0038ebf90653ff25c0c3f351ce3", _FRANTI, True
    ),
    "s4": Published(
        "S4", "s4.txt", 5000, 15, "fce029ea906779bcec38c51a17cfd7207ddaba8c3b8a48854097f571d8771718", _FRANTI, True
    ),
    "aggregation": Published(
        "Aggregation",
        "Aggregation.txt",
        788,
        7,
        "7bd9e8d5ec8aff0d007eda677d214765eb7b5e5a3e2ecac17ac891143b5e41f7",
        "Gionis, Mannila and Tsaparas, ACM Transactions on Knowledge Discovery 1(1), 2007",
    ),
    "compound": Published(
        "Compound",
        "Compound.txt",
        399,
        6,
        "c9ebfe3fec2acd0210f1c1253e6fbf3bae2eec5dfe1e67f029456ba52610e633",
        "Zahn, IEEE Transactions on Computers C-20(1), 1971",
    ),
    "pathbased": Published(
        "Pathbased", "pathbased.txt", 300, 3, "0310f63598071cab0d5bda41acb51d9fdac496352e9ed93e9039e42b2fe0a82a", _CHANG
    ),
    "spiral": Published(
        "Spiral", "spiral.txt", 312, 3, "6fca4e6daec39cc5ac740ea2a48c6acfd0dd0ee784363e962a66da872862f1bb", _CHANG
    ),
    "d31": Published(
        "D31", "D31.txt", 3100, 31, "6f5a07afcc42c3693b0fd702db390177f81535f130853cb877a559166376f25d", _VEENMAN
    ),
    "r15": Published(
        "R15", "R15.txt", 600, 15, "51b7fdbc0e57c81d3b4ba4e38050a8524df523240f442f7287a1b97b625cff17", _VEENMAN
    ),
    "jain": Published(
        "Jain",
        "jain.txt",
        373,
        2,
        "9a19799f04dde86fb09b0a74aad8309dda7b916e910e629014288109b198af2e",
        "Jain and Law, Pattern Recognition and Machine Intelligence, 2005",
    ),
    "flame": Published(
        "Flame",
        "flame.txt",
        240,
        2,
        "75b5c6705c0411339cf863143722d8eeed33c960426f468b6159e7689ec985ed",
        "Fu and Medico, BMC Bioinformatics 8(3), 2007",
    ),
    "mnist": PublishedImages(
        "MNIST (10,000 images)",
        mnist.FILE,
        10_000,
        10,
        mnist.DIGEST,
        "LeCun, Bottou, Bengio and Haffner, Proceedings of the IEEE 86(11), 1998",
    ),
}


class FetchError(LookupError):
    """The file could not be had; the message is a sentence for the person."""


if TYPE_CHECKING:
    import requests
else:
    requests = Needed("requests", "download", FetchError)


class NotFetched(LookupError):
    """The file is not in the cache folder; the message is a sentence for the person."""


@dataclass(frozen=True)
class Original(Spec):
    """A published set by name: "s1" to "s4", "aggregation", ... (the keys of `FILES`)."""

    name: str = "s1"

    def __post_init__(self) -> None:
        if self.name not in FILES:
            raise ValueError(f"There is no published set {str(self.name)[:30]!r}; there are {', '.join(FILES)}.")

    @property
    def group(self) -> str:
        """The heading of the gallery that the set is listed under."""
        return S_SETS if FILES[self.name].separate_labels else FILES[self.name].heading

    @property
    def key(self) -> str:
        """The name of the set in a link."""
        return f"original_{self.name}"

    @property
    def label(self) -> str:
        """The name that the gallery shows."""
        return FILES[self.name].label + (" (original)" if FILES[self.name].separate_labels else "")

    @property
    def help(self) -> str:
        """Where the points come from and whom to cite, for the gallery."""
        return f"The published points, downloaded on request from {FILES[self.name].host}. {FILES[self.name].cite}."

    def dataset(self, folder: str | Path | None = None) -> Dataset:
        """From the cache folder alone; `NotFetched` when it is not there yet, `FetchError` when it is broken."""
        if not is_fetched(self.name, folder):
            raise NotFetched(f"{self.label} has not been downloaded to this computer yet.")
        return _read(self, Path(folder or cache_folder()))


def is_fetched(name: str, folder: str | Path | None = None) -> bool:
    """Whether the files are there: no download is needed."""
    folder = Path(folder or cache_folder())
    return all(os.path.isfile(folder / file) for file in _files(name))  # False also where nobody may look


def all_images(folder: str | Path | None = None) -> tuple[np.ndarray, np.ndarray]:
    """All 70,000 pictures of MNIST and their digits, as `mnist.read` has them, from the cache folder.

    `NotFetched` where they have not been downloaded, ValueError where they are others: both with a sentence.
    """
    if not is_fetched("mnist", folder):
        raise NotFetched("MNIST has not been downloaded to this computer yet.")
    return mnist.read(Path(folder or cache_folder()) / mnist.FILE)


def fetch(
    name: str,
    progress: Progress | None = None,
    *,
    base_url: str | None = None,
    folder: str | Path | None = None,
    time_out: float = TIME_OUT,
) -> Dataset:
    """Download a published set, unless it is already there, and check it.

    Parameters
    ----------
    name : str
        A key of `FILES`.
    progress : callable(done, total), optional
        Bytes so far and in all (0 when the server does not say); called in this thread, and may raise to stop.
    base_url, folder : optional
        For tests: another server, another cache folder. Never from a visitor.
    time_out : float
        Seconds without a byte before giving up.

    Returns
    -------
    Dataset

    Raises
    ------
    FetchError
        With a sentence: offline, too slow, not the file that was published, or no room to keep it.
    """
    spec = Original(name)
    folder = Path(folder or cache_folder())
    for file in _files(name):
        if not os.path.isfile(folder / file):
            _download(file, base_url or FILES[name].home, folder, progress, time_out)
    return _read(spec, folder)


def _files(name: str) -> tuple[str, ...]:
    published = FILES[name]
    return (published.file, LABELS) if published.separate_labels else (published.file,)


def _download(file: str, base_url: str, folder: Path, progress: Progress | None, time_out: float) -> None:
    host = base_url.split("/")[2]
    try:
        folder.mkdir(parents=True, exist_ok=True)  # before anybody waits for what could not be kept
        write_whole(folder / file, _bytes_of(base_url + file, progress, time_out))
    except (requests.exceptions.Timeout, _TooSlow) as error:
        raise FetchError(f"{host} did not answer in time. Try again later, or use a look-alike.") from error
    except _TooLarge as error:
        raise FetchError(f"{host} sent far more than {file} should hold; nothing was kept.") from error
    except requests.exceptions.HTTPError as error:
        raise FetchError(
            f"{host} answered, but not with {file} (status {error.response.status_code}). Try again later."
        ) from error
    except requests.exceptions.ConnectionError as error:
        if "timed out" in str(error).lower():  # a body that stalls is reported as a broken connection
            raise FetchError(f"{host} did not answer in time. Try again later, or use a look-alike.") from error
        raise FetchError(
            f"{host} cannot be reached: this computer seems to be offline. The look-alikes and real data still work."
        ) from error
    except requests.exceptions.RequestException as error:
        raise FetchError(f"The download of {file} from {host} was interrupted. Try again.") from error
    except OSError as error:
        raise FetchError(
            f"{file} could not be kept in the cache folder: {error.strerror or 'it is not writable'}."
        ) from error


class _TooSlow(Exception):
    pass


class _TooLarge(Exception):
    pass


def _bytes_of(url: str, progress: Progress | None, time_out: float) -> bytes:
    """The body at an address, within `LONGEST` seconds and `LARGEST` bytes.

    A thread reads and this one waits: a server that sends a byte now and then can hold up a read for hours, never the
    person.
    """
    end = time.monotonic() + LONGEST
    reading = _Reading(url, time_out)
    try:
        body = bytearray()
        while (piece := reading.next_before(end)) is not None:
            body += piece
            if len(body) > LARGEST:
                raise _TooLarge
            if progress:
                progress(min(len(body), reading.total) if reading.total else len(body), reading.total)
        return bytes(body)
    finally:
        reading.hang_up()


class _Reading:
    """A request under way in a thread of its own. ``total`` is the size the server announced, 0 if it did not."""

    total = 0

    def __init__(self, url: str, time_out: float) -> None:
        self._pieces: queue.SimpleQueue = queue.SimpleQueue()  # bytes, then None or what went wrong
        self._line: Any = None
        self._unwanted = False
        threading.Thread(target=self._read, args=(url, time_out), daemon=True).start()

    def next_before(self, end: float) -> bytes | None:
        """The next bytes, None at the end of the body; raises what went wrong, or `_TooSlow` at that time."""
        try:
            piece = self._pieces.get(timeout=max(0.0, end - time.monotonic()))
        except queue.Empty:
            raise _TooSlow from None
        if isinstance(piece, Exception):
            raise piece
        return piece

    def hang_up(self) -> None:
        """End the thread, wherever in the body it waits."""
        self._unwanted = True
        with contextlib.suppress(OSError, AttributeError):  # it has ended, or the server has not begun to answer
            self._line.shutdown(socket.SHUT_RDWR)

    def _read(self, url: str, time_out: float) -> None:
        try:
            with requests.get(url, stream=True, timeout=time_out) as response, _line_of(response) as self._line:
                response.raise_for_status()
                self.total = int(response.headers.get("Content-Length") or 0)
                read = 0
                for piece in response.iter_content(CHUNK):
                    self._pieces.put(piece)
                    read += len(piece)
                    if self._unwanted or read > LARGEST:
                        return
            self._pieces.put(None)
        except Exception as error:
            self._pieces.put(error)


def _line_of(response: requests.Response) -> Any:
    """The connection under a response, to be shut from another thread."""
    try:
        return socket.fromfd(response.raw.fileno(), socket.AF_INET, socket.SOCK_STREAM)
    except (OSError, ValueError):  # the body is empty, or all here
        return contextlib.nullcontext()


def _read(spec: Original, folder: Path) -> Dataset:
    """Parse and check; a file that is not what was published is deleted, so that the next click fetches it anew."""
    published = FILES[spec.name]
    try:
        points, labels = published.values(spec.name, folder)
        right = True
    except (ValueError, KeyError, IndexError, zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError):
        right = False
    if not right:
        for file in _files(spec.name):
            with contextlib.suppress(OSError):
                (folder / file).unlink(missing_ok=True)
        raise FetchError(
            f"The download is incomplete, or is not {published.label} as published. It was deleted; try again."
        )
    names, truth = np.unique(labels, return_inverse=True)
    return from_arrays(
        spec.label,
        f"{published.cite}; downloaded from {published.home}{published.file}.",
        points,
        truth,
        [str(label) for label in names],
        unit=published.unit,
    )


def parse_points(data: bytes) -> tuple[np.ndarray, np.ndarray | None]:
    """Points (n, 2) and labels (n,) or None from white-space separated text; ValueError when it is not that."""
    values = np.loadtxt(io.StringIO(data.decode("ascii")), ndmin=2)
    if values.shape[1] not in (2, 3) or not np.isfinite(values).all():
        raise ValueError("two or three columns expected")
    return values[:, :2], values[:, 2].astype(np.int64) if values.shape[1] == 3 else None


def parse_labels(data: bytes, member: str) -> np.ndarray:
    """Labels (n,) from a partition file in a zip: a few lines of header, a line of dashes, one number per line."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        info = next(info for info in archive.infolist() if info.filename.endswith(member))
        with archive.open(info) as file:
            lines = file.read(LARGEST).decode("ascii").split("\n")
    ends = [i for i, line in enumerate(lines) if line.strip().startswith("---")]
    body = " ".join(lines[ends[-1] + 1 :] if ends else lines)
    return np.array(body.split(), dtype=np.int64)


def values_digest(points: np.ndarray, labels: np.ndarray | None) -> str:
    """SHA-256 of what a set means: its points, to 6 decimals, and which of them belong together.

    The order of the rows and the numbers of the labels do not matter: copies differ in both.
    """
    if labels is None or len(labels) != len(points):
        raise ValueError("one label per point expected")
    whole = np.round(points * 1e6).astype(np.int64)
    order = np.lexsort((labels, whole[:, 1], whole[:, 0]))
    _, first, codes = np.unique(labels[order], return_index=True, return_inverse=True)
    by_appearance = np.argsort(np.argsort(first))[codes]
    rows = np.column_stack([whole[order], by_appearance]).astype("<i8")
    return hashlib.sha256(rows.tobytes()).hexdigest()
