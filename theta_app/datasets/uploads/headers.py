"""Which row of a table names its columns: titles and notes may stand above it, a row of units below it."""

from collections.abc import Sequence
from dataclasses import dataclass

from theta_app.datasets import units
from theta_app.datasets.uploads.cells import MISSING, has_header, is_number
from theta_app.datasets.uploads.limits import UploadError

SHOWN = 12  # rows of the file among which the person can choose another
_LOOKED_AT = 25  # rows that may stand above the header
_LONGEST_UNIT = 14


@dataclass(frozen=True)
class Header:
    """Where the names of a table's columns stand, as positions among its rows that are not blank."""

    at: int | None  # the row of the names; None where no row names them
    units: int | None  # the row of units below it
    first: int  # the first row of data


def find_header(rows: Sequence[Sequence[str]], decimal: str = ".") -> Header:
    """The `Header` of rows, lists of texts, none of them blank."""
    above = _titles(rows, decimal) or _title_as_wide(rows, decimal)
    if above:
        return _with_units(rows, above, decimal)
    return _with_units(rows, 0, decimal) if has_header(rows, decimal) else Header(None, None, 0)


def chosen_header(rows: Sequence[Sequence[str]], numbers: Sequence[int], wanted: int, decimal: str = ".") -> Header:
    """The `Header` at the row that a person names by its number in the file; 0 for none at all."""
    if not wanted:
        return Header(None, None, 0)
    if wanted not in numbers:
        raise UploadError(f"Row {wanted:,} of the file cannot name the columns: it is blank or far below the first.")
    at = numbers.index(wanted)
    if at + 1 >= len(rows):
        raise UploadError(f"Row {wanted:,} of the file is its last: there is no row of data below it.")
    return _with_units(rows, at, decimal)


def _titles(rows: Sequence[Sequence[str]], decimal: str) -> int:
    """How many rows of title and notes stand above a row of names; 0 where there are none."""
    usual = _usual(rows)
    for at, row in enumerate(rows[:_LOOKED_AT]):
        filled = _filled(row)
        if 2 * len(filled) > usual:
            return at if at and _names(filled, decimal) and len(rows) > at + 1 else 0
        if at + 1 == len(rows):
            return 0
    return 0


def _title_as_wide(rows: Sequence[Sequence[str]], decimal: str) -> int:
    """1 where the first row, a number among its words, stands above a row of nothing but names; else 0."""
    if len(rows) < 3 or not any(is_number(cell, decimal) for cell in rows[0]):
        return 0
    words = [j for j, cell in enumerate(rows[0]) if cell not in MISSING and not is_number(cell, decimal)]
    below = _filled(rows[1])
    full = len(below) == len(rows[1]) >= _usual(rows)
    return int(bool(words) and full and _names(below, decimal) and has_header(rows[1:], decimal))


def _usual(rows: Sequence[Sequence[str]]) -> int:
    """Cells that are filled in most rows."""
    counts = sorted(len(_filled(row)) for row in rows[len(rows) // 2 :])
    return counts[len(counts) // 2] if counts else 0


def _filled(row: Sequence[str]) -> list[str]:
    return [cell for cell in row if cell not in MISSING]


def _names(filled: Sequence[str], decimal: str) -> bool:
    """Whether the cells of a row could be names: words, each only once."""
    words = [cell for cell in filled if not is_number(cell, decimal)]
    return len(words) == len(filled) == len(set(filled))


def _with_units(rows: Sequence[Sequence[str]], at: int, decimal: str) -> Header:
    below = at + 1
    if below + 1 < len(rows) and _are_units(rows[below], rows[below + 1], decimal):
        return Header(at, below, below + 1)
    return Header(at, None, below)


def _are_units(row: Sequence[str], after: Sequence[str], decimal: str) -> bool:
    """Whether a row holds units: of which most are known, over a row that has numbers where they stand."""
    filled = [(j, cell) for j, cell in enumerate(row) if cell not in MISSING]
    if not filled or any(is_number(cell, decimal) or len(cell) > _LONGEST_UNIT for _, cell in filled):
        return False
    known = [j for j, cell in filled if units.is_unit(bare(cell)) or bare(cell) != cell]
    over_numbers = any(j < len(after) and any(c.isdigit() for c in after[j]) for j in known)
    return 2 * len(known) >= len(filled) and over_numbers


def bare(cell: str) -> str:
    """A unit without the brackets it may stand in."""
    return cell[1:-1].strip() if cell[:1] + cell[-1:] in ("()", "[]") else cell


def named(names: list[str], row: Sequence[str]) -> tuple[list[str], dict[int, str]]:
    """(names with their units, {name: unit}): "Length" over "mm" is "Length (mm)"."""
    found = {}
    for j, cell in enumerate(row):
        if j < len(names) and cell not in MISSING:
            names = [*names[:j], f"{names[j] or f'column {j + 1}'} ({bare(cell)})", *names[j + 1 :]]
            found[j] = bare(cell)
    return names, found


def shown(numbers: Sequence[int], rows: Sequence[Sequence[str]]) -> tuple[tuple[int, tuple[str, ...]], ...]:
    """The first rows, with their numbers in the file, cut to what a page can show."""
    return tuple((number, tuple(cell[:30] for cell in row[:12])) for number, row in zip(numbers[:SHOWN], rows))
