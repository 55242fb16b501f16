"""A part of the rows of a data set, by the numbers they have in its file: a value that fits into a link."""

import base64
import binascii
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from theta_app.datasets.dataset import Dataset, frozen

_MOST_ROWS = 10_000_000  # the highest row number that is read


@dataclass(frozen=True)
class RowSet:
    """Rows of the file that are looked at, by number. ``code`` is the set as text."""

    code: str

    @classmethod
    def of(cls, numbers: Iterable[int] | np.ndarray) -> "RowSet":
        """The set of these row numbers; their order does not matter."""
        numbers = np.asarray(numbers, dtype=np.int64)
        bits = np.zeros(int(numbers.max(initial=-1)) + 1, dtype=np.uint8)
        bits[numbers] = 1
        packed = zlib.compress(np.packbits(bits).tobytes(), 9)
        return cls(base64.urlsafe_b64encode(packed).decode().rstrip("="))

    def numbers(self) -> np.ndarray:
        """Ascending. ValueError with a sentence's end where the text is none of ours."""
        try:
            packed = base64.urlsafe_b64decode(self.code + "=" * (-len(self.code) % 4))
            unpacker = zlib.decompressobj()
            raw = unpacker.decompress(packed, _MOST_ROWS // 8)
        except (ValueError, binascii.Error, zlib.error) as error:
            raise ValueError("it must be a set of rows as this app writes it") from error
        if unpacker.unconsumed_tail:
            raise ValueError("it has too many rows")
        return np.flatnonzero(np.unpackbits(np.frombuffer(raw, dtype=np.uint8)))

    def __str__(self) -> str:
        return self.code


def only_rows(data: Dataset, rows: RowSet) -> Dataset:
    """A `datasets.Dataset` with the rows of a `RowSet` alone. ValueError with a sentence where it has none of them."""
    kept = np.isin(data.table.index.to_numpy(), rows.numbers())
    if not kept.any():
        raise ValueError("None of the rows that were kept are in this data set.")
    truth, names = data.truth, data.truth_names
    if truth is not None:
        present, codes = np.unique(truth[kept], return_inverse=True)
        truth, names = frozen(codes, np.int64), tuple(names[k] for k in present)
    prepared = None if data.prepared is None else frozen(data.prepared[kept])
    chosen = {"X": frozen(data.X[kept]), "prepared": prepared, "table": data.table[kept]}
    return replace(data, **chosen, truth=truth, truth_names=names, rows=rows)
