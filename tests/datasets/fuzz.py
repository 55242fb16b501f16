"""Broken files by the thousand: python -m tests.datasets.fuzz --seconds 600

Each is one of the small files of every format with a few bytes changed; zip and gz files are changed inside too, or
their checksums would stop everything at the door. Whatever it is, it must become a sound data set or an UploadError,
soon, and in little memory.
"""

import argparse
import gzip
import resource
import sys
import time
import warnings

import numpy as np

from tests.datasets.files import EVERY_FORMAT, repacked, streamline_files
from theta_app.datasets import Dataset, Preparation, UploadError, csv_bytes, parse_upload, prepare

SLOWEST = 5.0  # seconds of processor time for one small file
MOST_MEMORY = 1_500_000_000  # bytes more than at the start

SPLICES = [
    b"",
    b"\x00",
    b"\xff" * 4,
    b",",
    b";",
    b"\t",
    b"\n",
    b'"',
    b"'",
    b"\r",
    b"-",
    b"=cmd()",
    b"NaN",
    b"inf",
    b"1e999",
    b"-1e308",
    b"1" * 400,
    b"0x10",
    b"\xe9",
    "θ".encode(),
    b"\xef\xbb\xbf",
    b"{",
    b"}",
    b"%",
    b"?",
    b"@data\n",
    b"<",
    b">",
    b"&lol;",
    b"99999999999",
    b"XFD1048576",
    b"PK\x03\x04",
    b"\x1f\x8b",
    b"(2, 99999999)",
    b"'|O'",
    b"\xff\xff\xff\x7f",
    b"\x00\x00\x00\x80",
]


def mutated(data, rng):
    """The bytes with one to eight changes: flips, cuts, doubled stretches, and strings that parsers trip over."""
    data = bytearray(data)
    for _ in range(int(rng.integers(1, 9))):
        at = int(rng.integers(0, len(data) + 1))
        length = int(min(rng.geometric(0.1), len(data)))
        match int(rng.integers(0, 6)):
            case 0 if at < len(data):
                data[at] = int(rng.integers(0, 256))
            case 1 if at < len(data):
                data[at] ^= 1 << int(rng.integers(0, 8))
            case 2:
                del data[at : at + length]
            case 3:
                data[at:at] = data[at : at + length] * int(rng.integers(1, 4))
            case 4:
                splice = SPLICES[int(rng.integers(0, len(SPLICES)))]
                data[at : at + int(rng.integers(0, len(splice) + 2))] = splice
            case 5 if rng.random() < 0.2:
                del data[at:]
    return bytes(data)


_FILES = {**EVERY_FORMAT, **streamline_files()}


def broken_file(rng):
    """(name, bytes): one of the formats, changed outside or inside its packing."""
    names = list(_FILES)
    name = names[int(rng.integers(0, len(names)))]
    data = _FILES[name]
    inside = rng.random() < 0.7
    if name.endswith((".xlsx", ".npz")) and inside:
        return name, repacked(data, lambda part, content: mutated(content, rng) if rng.random() < 0.3 else content)
    if name.endswith(".gz") and inside:
        return name, gzip.compress(mutated(gzip.decompress(data), rng), 1)
    return name, mutated(data, rng)


def check(name, data):
    """What must hold for any file; AssertionError or a foreign exception otherwise. True when it could be read."""
    started = time.process_time()  # a busy machine must not look like a slow parser
    try:
        dataset = parse_upload(name, data)
    except UploadError as error:
        sentence = str(error)
        assert sentence.endswith("."), sentence
        assert len(sentence) < 500, sentence
        return False
    finally:
        assert time.process_time() - started < SLOWEST, "too slow"
    assert_sound(dataset)
    assert_sound(prepare(dataset, Preparation(truth="")))
    csv_bytes(dataset.table)
    return True


def assert_sound(dataset):
    """Points are finite, and everything has one entry per point."""
    assert isinstance(dataset, Dataset)
    n, d = dataset.X.shape
    assert n >= 2
    assert d == len(dataset.features) == len(set(dataset.features)) >= 1
    assert np.isfinite(dataset.X).all()
    assert len(dataset.table) == n
    assert dataset.table.columns.is_unique
    assert set(dataset.features) <= set(dataset.numeric_columns) <= set(dataset.columns)
    if dataset.truth is not None:
        assert dataset.truth.shape == (n,)
        assert 0 <= dataset.truth.min() <= dataset.truth.max() < len(dataset.truth_names)
    assert len(dataset.digest.partition("-")[0]) == 64


def fuzz(seed, files=None, seconds=None):
    """Try broken files until their number or the time is reached: (tried, read). Raises at the first that fails."""
    started, before = time.monotonic(), memory()
    tried = read = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        while (files is None or tried < files) and (seconds is None or time.monotonic() - started < seconds):
            name, data = broken_file(np.random.default_rng([seed, tried]))
            try:
                read += check(name, data)
            except BaseException as error:
                error.add_note(f"file {tried} of seed {seed}: {name}, {len(data)} bytes: {data[:300]!r}")
                raise
            tried += 1
            assert memory() - before < MOST_MEMORY, f"memory grew at file {tried} of seed {seed} ({name})"
    return tried, read


def memory():
    """The most this process has held so far, in bytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else 1024 * peak


def arguments(description):
    """Seed and seconds of a run from the command line."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--seed", type=int, default=time.time_ns() % 2**32, help="repeats a run; by default another")
    given = parser.parse_args()
    print(f"seed {given.seed}", flush=True)
    return vars(given)


if __name__ == "__main__":
    print(
        "{:,} files tried, {:,} of them could be read, the others were refused with a sentence".format(
            *fuzz(**arguments("Break uploads until the time is over."))
        )
    )
