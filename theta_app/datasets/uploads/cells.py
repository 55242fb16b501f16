"""Cells of a table as text: what counts as missing, what as a number, and whether a first row names the columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd


MISSING = (
    "", "?", "-", ".", "NA", "N/A", "n/a", "na", "NaN", "nan", "NAN", "null", "NULL", "None", "none", "#N/A", "<NA>",
)  # fmt: skip
_POINT = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|[+-]?(inf|infinity)", re.IGNORECASE)
_COMMA = re.compile(r"[+-]?([0-9]+,?[0-9]*|,[0-9]+)([eE][+-]?[0-9]+)?")


def is_number(cell: str, decimal: str = ".") -> bool:
    """Whether the text of a cell reads as a number with this decimal sign."""
    return bool((_POINT if decimal == "." else _COMMA).fullmatch(cell))


def has_header(rows: Sequence[Sequence[str]], decimal: str = ".") -> bool:
    """Whether the first row names the columns: words where numbers follow, or nothing but words.

    A first row like the others (numbers, or a word where all rows have a word) is data.
    """
    first, body = rows[0], rows[1:]
    words = [j for j, cell in enumerate(first) if cell not in MISSING and not is_number(cell, decimal)]
    if any(_mostly_numbers(body, j, decimal) for j in words) or _names_years(first, words, body):
        return True
    return 0 < len(words) == len(first) == len(set(first))


def _names_years(first: Sequence[str], words: Sequence[int], body: Sequence[Sequence[str]]) -> bool:
    """Whether all cells but words that do not come back are years, one after the other: "country, 2019, 2020, 2021"."""
    if not words or any(row[j] == first[j] for j in words for row in body if j < len(row)):
        return False
    cells = [cell for j, cell in enumerate(first) if j not in words]
    if len(cells) < 2 or not all(re.fullmatch(r"(1[89]|20|21)\d\d", cell) for cell in cells):
        return False
    return len({int(b) - int(a) for a, b in pairwise(cells)}) == 1 and cells[0] != cells[1]


def _mostly_numbers(rows: Sequence[Sequence[str]], j: int, decimal: str) -> bool:
    """Whether more than half of what stands in column ``j`` are numbers."""
    cells = [row[j] for row in rows if j < len(row) and row[j] not in MISSING]
    return sum(is_number(cell, decimal) for cell in cells) > len(cells) / 2


def drop_empty(table: pd.DataFrame) -> pd.DataFrame:
    """Without blank lines, and without unnamed columns that hold nothing (a separator at each line's end)."""
    unnamed = [name for name in table.columns if re.fullmatch(r"column \d+", name) and table[name].isna().all()]
    table = table.drop(columns=unnamed)
    blank = table.isna().all(axis=1)
    return table[~blank] if blank.any() else table
