"""What an uploaded file may be, and how we say that it is too much."""

from dataclasses import dataclass, field

import pandas as pd

MAX_BYTES = 200_000_000
MAX_ROWS = 2_000_000
MAX_FEATURES = 2_000
MAX_COLUMNS = 2_500  # features, and some room for names, dates and labels
MAX_UNPACKED = 2_000_000_000


class UploadError(ValueError):
    """A file that cannot be used; the message is a sentence for a person who does not program."""


@dataclass(frozen=True, eq=False)
class Parsed:
    """What every reader returns.

    Attributes
    ----------
    kind : str
        The format, for the page: "CSV text, separated by commas".
    table : DataFrame
        Unique column names; the index is the row number a person sees in the file.
    named : bool
        The file itself names its columns.
    truth : str or None
        The label column where the format says so.
    notes : tuple of str
    """

    kind: str
    table: pd.DataFrame
    named: bool = True
    truth: str | None = None
    notes: tuple[str, ...] = field(default=())


def check_rows(rows):
    if rows > MAX_ROWS:
        raise UploadError(
            f"The file has more than {MAX_ROWS:,} rows, the most that can be used. Keep a part of them, for example a "
            "random sample, and upload that."
        )


def check_columns(columns):
    if columns > MAX_COLUMNS:
        raise UploadError(
            f"The file has {columns:,} columns; at most {MAX_FEATURES:,} features can be used. Keep the columns you "
            "need, or reduce them first (for example with PCA)."
        )


def check_features(features):
    if features > MAX_FEATURES:
        raise UploadError(
            f"The file has {features:,} columns of numbers; at most {MAX_FEATURES:,} features can be used. Keep the "
            "columns you need, or reduce them first (for example with PCA)."
        )


def check_unpacked(size):
    """``size`` in bytes, of what the file becomes in memory."""
    if size > MAX_UNPACKED:
        raise UploadError(
            f"Unpacked, the file needs more than {MAX_UNPACKED // 10**9} GB of memory, the most that can be used. "
            "Keep fewer rows or columns and upload that."
        )


def check_shape(rows, columns):
    """All limits that follow from the shape, before anything is allocated."""
    check_rows(rows)
    check_columns(columns)
    check_unpacked(8 * rows * columns)


def clean_names(names):
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
