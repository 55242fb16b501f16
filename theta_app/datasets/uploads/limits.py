"""What an uploaded file may be, and how we say that it is too much."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import pandas as pd

MAX_BYTES = 200_000_000
MAX_ROWS = 2_000_000
MAX_FEATURES = 2_000
MAX_COLUMNS = 2_500  # features, and some room for names, dates and labels
MAX_UNPACKED = 2_000_000_000  # bytes, where whoever asks for the data set names no other limit


class UploadError(ValueError):
    """A file that cannot be used; the message is a sentence for a person who does not program."""


class TooLarge(UploadError):
    """A file that is fine, but more than can be read whole."""


class WhichSheet(UploadError):
    """A spreadsheet of several ``sheets`` with content, named in their order: the person is asked which."""

    def __init__(self, sheets: Sequence[str]) -> None:
        super().__init__(f"The spreadsheet has {len(sheets)} sheets. Choose one of them.")
        self.sheets = tuple(sheets)

    def __reduce__(self) -> tuple:
        return WhichSheet, (self.sheets,)


@dataclass(frozen=True)
class Allowance:
    """How large a file may become, and whom to tell how far it has been read."""

    # bytes of the data set in memory, as `memory.real_size` counts them; the text of a packed file may have as many
    limit: int = MAX_UNPACKED
    progress: Callable[[float], object] | None = None  # called with the share that has been read, from 0 to 1

    def check(self, size: float) -> None:
        """Refuse ``size`` bytes in memory when they are too many."""
        if size > self.limit:
            raise TooLarge(
                f"The file needs more than {said(self.limit)} of memory, the most that can be used. Keep fewer rows "
                "or columns and upload that."
            )

    def check_shape(self, rows: int, columns: int, itemsize: float = 8) -> None:
        """All limits that follow from the shape, before anything is allocated: the table, and its points as float64."""
        check_rows(rows)
        check_columns(columns)
        self.check((8 + itemsize) * rows * columns)

    def tell(self, share: float) -> None:
        """Report which share of the file, 0 to 1, has been read."""
        if self.progress is not None:
            self.progress(min(max(share, 0.0), 1.0))


def said(size: int) -> str:
    """Bytes as a person says them: 1.5 GB, 200 MB."""
    return f"{size / 1e9:.3g} GB" if size >= 1e9 else f"{size / 1e6:.3g} MB"


@dataclass(frozen=True, eq=False)
class Parsed:
    """What every reader returns."""

    kind: str  # the format, for the page: "CSV text, separated by commas"
    table: pd.DataFrame  # unique column names; the index is the row number a person sees in the file
    named: bool = True  # the file itself names its columns
    truth: str | None = None  # the label column where the format says so
    notes: tuple[str, ...] = field(default=())
    units: dict[str, str] = field(default_factory=dict)  # of columns, where a row of the file says them
    # (int, tuple of str): the first rows as they stand in the file, with their numbers, where a header was
    # looked for among them
    head: tuple[tuple[int, tuple[str, ...]], ...] = ()
    header: int = 0  # the number of the row that names the columns; 0 for none
    curves: bool = False  # whether the rows are curves: every column is used, whatever it holds


def check_rows(rows: int) -> None:
    """Raise TooLarge where there are more rows than can be used."""
    if rows > MAX_ROWS:
        raise TooLarge(
            f"The file has more than {MAX_ROWS:,} rows, the most that can be used. Keep a part of them, for example a "
            "random sample, and upload that."
        )


def check_bytes(size: int) -> None:
    """Raise TooLarge where the file has more bytes than can be uploaded."""
    if size > MAX_BYTES:
        raise TooLarge(
            f"The file is {size / 1e6:,.0f} MB; at most {MAX_BYTES // 10**6} MB can be uploaded. Pack it as .gz, save "
            "it as Parquet, or keep fewer rows."
        )


def check_columns(columns: int) -> None:
    """Raise UploadError where there are more columns than a file may have."""
    if columns > MAX_COLUMNS:
        raise UploadError(
            f"The file has {columns:,} columns; at most {MAX_FEATURES:,} features can be used. Keep the columns you "
            "need, or reduce them first (for example with PCA)."
        )


def check_features(features: int) -> None:
    """Raise UploadError where there are more columns of numbers than can be used."""
    if features > MAX_FEATURES:
        raise UploadError(
            f"The file has {features:,} columns of numbers; at most {MAX_FEATURES:,} features can be used. Keep the "
            "columns you need, or reduce them first (for example with PCA)."
        )


def clean_names(names: Iterable) -> list[str]:
    """Column names fit to show: text, no control characters, not empty, not too long, each only once."""
    taken, result = set(), []
    for j, name in enumerate(names, start=1):
        text = "".join(c if c.isprintable() else " " for c in str(name if name is not None else ""))
        text = " ".join(text.split())
        base = (text if len(text) <= 100 else text[:97] + "...") or f"column {j}"
        unique, k = base, 2
        while unique in taken:
            unique, k = f"{base} ({k})", k + 1
        taken.add(unique)
        result.append(unique)
    return result
