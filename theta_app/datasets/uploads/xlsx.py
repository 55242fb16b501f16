"""Excel's XLSX: one sheet, values only; the first with content unless another is named.

openpyxl trusts the file, so a first pass counts what it would build: XML can declare more rows, columns and entities
than the memory holds. It also bounds how much may stand between two tags. An XML parser before expat 2.6 begins a tag
that it has not seen the end of anew with every piece it is fed, so one attribute of 25 MB, in a file of 30 kB, takes a
minute; and a single text would be held several times over.
"""

from __future__ import annotations

import datetime
import itertools
import zipfile
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from xml.parsers import expat

import numpy as np
import pandas as pd

from theta_app.datasets.needed import Needed
from theta_app.datasets.uploads import headers
from theta_app.datasets.uploads.archives import chunks_of, file_of, open_zip
from theta_app.datasets.uploads.cells import MISSING, drop_empty
from theta_app.datasets.uploads.limits import (
    MAX_COLUMNS,
    Allowance,
    Parsed,
    UploadError,
    WhichSheet,
    check_columns,
    check_rows,
    clean_names,
)

if TYPE_CHECKING:
    import openpyxl
else:
    openpyxl = Needed("openpyxl", "files", UploadError)

MAX_CELLS = 5_000_000  # about a minute of reading
MAX_PART = 500_000_000  # bytes of one sheet
MAX_SMALL_PART = 20_000_000  # bytes of styles, names and the like, which openpyxl reads whole
MAX_DEPTH = 50
MAX_TOKEN = 1_000_000  # bytes from one tag to the next; a cell may hold 32,767 characters
FED = 1 << 16
BLOCK = 1000  # rows
SAMPLE = 100  # rows in which a header shows
HEAD = 60  # rows, blank ones too, that may come before the first of data
TOO_MUCH = "The spreadsheet is too large to be read here. Save the sheet as CSV (UTF-8) and upload that."
TOO_LONG = (
    "The spreadsheet holds a text or a setting of more than a million characters, which no spreadsheet program writes; "
    "it is refused for safety. Save the sheet as CSV (UTF-8) and upload that."
)


def is_xlsx(data: Any) -> bool:
    """Whether a ZIP file is an Excel workbook."""
    return b"xl/workbook" in data


ASK = "?"
"""Instead of a sheet's name, which cannot be this: ask which, where there are several with content."""


def read_xlsx(data: Any, allowance: Allowance, sheet: str | None = None, header: int | None = None) -> Parsed:
    """The table of a sheet. WhichSheet where there are several, none is named, and it should be asked.

    ``header`` is the number of the row of names, 0 for none; by default it is looked for.
    """
    archive = open_zip(data, "XLSX", allowance)
    total, done = sum(info.file_size for info in archive.infolist()), 0
    for info in archive.infolist():
        _check_part(archive, info)
        done += info.file_size
        allowance.tell(done / max(total, 1) / 4)  # openpyxl takes several times as long
    try:
        workbook = openpyxl.load_workbook(file_of(data), read_only=True, data_only=True, keep_links=False)
    except (UploadError, MemoryError):
        raise
    except Exception as error:  # openpyxl lets any error of the file's content through
        raise UploadError("The XLSX file is damaged or is not a spreadsheet. Save it again, or as CSV.") from error
    try:
        return _sheet(workbook, allowance, sheet, header)
    except (UploadError, MemoryError):
        raise
    except Exception as error:
        raise UploadError("The sheet in the XLSX file is damaged. Save it again, or as CSV.") from error
    finally:
        workbook.close()


def _check_part(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> None:
    """Walk over the XML once: no entities, nothing endless, not too deep, not too many cells.

    Every part is looked at, whatever it is called: the workbook may name any of them as its sheet.
    """
    sheet = "worksheets/" in info.filename or "sharedStrings" in info.filename
    xml = info.filename.lower().endswith((".xml", ".rels"))
    if xml and info.file_size > (MAX_PART if sheet else MAX_SMALL_PART):
        raise UploadError(TOO_MUCH)
    depth, elements, fed, last_tag = 0, 0, 0, 0

    def start(name: str, _attributes: object) -> None:
        nonlocal depth, elements, last_tag
        last_tag = parser.CurrentByteIndex
        depth += 1
        elements += name.endswith(("c", "si", "row"))
        if depth > MAX_DEPTH or elements > 2 * MAX_CELLS:
            raise UploadError(TOO_MUCH)

    def end(_name: str) -> None:
        nonlocal depth, last_tag
        last_tag = parser.CurrentByteIndex
        depth -= 1

    def doctype(*_: object) -> None:
        raise UploadError("The XLSX file contains definitions that a spreadsheet never has; it is refused for safety.")

    parser = expat.ParserCreate()
    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.StartDoctypeDeclHandler = doctype
    try:
        for piece in chunks_of(archive, info, FED):
            parser.Parse(piece)
            fed += len(piece)
            if fed - last_tag > MAX_TOKEN:
                raise UploadError(TOO_LONG)
        parser.Parse(b"", True)
    except (expat.ExpatError, zipfile.BadZipFile, EOFError, OSError, ValueError) as error:
        if isinstance(error, UploadError):
            raise
        if isinstance(error, expat.ExpatError) and not xml:
            return  # a picture or the like, which nobody could read as a sheet either
        raise UploadError("The XLSX file is damaged or cut short. Save it again, or as CSV.") from error


def _sheet(workbook: Any, allowance: Allowance, wanted: str | None, header: int | None) -> Parsed:
    sheets = [sheet for sheet in workbook.worksheets if sheet.sheet_state == "visible"] or workbook.worksheets
    if wanted == ASK:
        titles = tuple(sheet.title for sheet in sheets if _has_content(sheet))
        if len(titles) > 1:
            raise WhichSheet(titles)
    chosen = [sheet for sheet in sheets if sheet.title == wanted] if wanted not in (None, ASK) else sheets
    if not chosen:
        raise UploadError(f"The spreadsheet has no sheet '{wanted[:60]}'. Upload it again and choose another.")
    for sheet in chosen:
        rows = _rows(sheet, allowance)
        if rows.count:
            break
    else:
        empty = f"the sheet '{wanted[:60]}' has no row" if len(chosen) < len(sheets) else "no sheet has a row"
        raise UploadError(f"The spreadsheet is empty: {empty}.")
    notes = (f"The spreadsheet has {len(sheets)} sheets; '{sheet.title[:60]}' was read.",) if len(sheets) > 1 else ()
    return _as_table(rows, notes, header)


def _has_content(sheet: Any) -> bool:
    """Whether a cell of the sheet holds anything."""
    sheet.reset_dimensions()  # the declared size may be a million rows of nothing
    for number, row in enumerate(sheet.iter_rows(values_only=True), start=1):
        check_rows(number)
        if any(cell is not None for cell in row):
            return True
    return False


def _rows(sheet: Any, allowance: Allowance) -> _Rows:
    """The rows of a sheet, without the blank ones before the first and after the last."""
    declared = sheet.max_row or 0  # only ever shown, as progress
    sheet.reset_dimensions()  # the declared size may be a million rows of nothing
    rows, cells = _Rows(), 0
    for number, row in enumerate(sheet.iter_rows(values_only=True), start=1):
        check_rows(number)
        if len(row) > MAX_COLUMNS:
            check_columns(len(row))
        if number % BLOCK == 0 and number < declared:
            allowance.tell(0.25 + 0.75 * number / declared)
        cells += len(row) if rows.count else 0
        allowance.check(16 * cells)
        if cells > MAX_CELLS:
            raise UploadError(TOO_MUCH)
        rows.add(number, row)
    rows.close()
    return rows


class _Rows:
    """Rows as they come, turned into columns a block at a time: a number as Python has it takes four times the room.

    ``first`` is the number of the first row that is not blank, ``count`` how many rows there are from that one to the
    last that is not, ``sample`` the first of them with their numbers, blank ones left out.
    """

    def __init__(self) -> None:
        self.sample: list
        self.first, self.count, self.sample = 1, 0, []
        self._block: list
        self._blocks: list
        self._block, self._blocks, self._blank = [], [], 0

    def add(self, number: int, row: tuple) -> None:
        if all(cell is None for cell in row):
            self._blank += bool(self.count)
            return
        if not self.count:
            self.first = number
        if len(self.sample) < SAMPLE:
            self.sample.append((number, row))
        while self._blank:
            self._blank -= 1
            self._append(())
        self._append(row)

    def _append(self, row: tuple) -> None:
        self.count += 1
        self._block.append(row)
        if self.count <= HEAD or len(self._block) == BLOCK:  # the first alone: they may be titles, names and units
            self.close()

    def close(self) -> None:
        if self._block:
            self._blocks.append((len(self._block), list(map(packed, itertools.zip_longest(*self._block)))))
            self._block = []

    def width(self, skip: int) -> int:
        """Columns of the rows after the first ``skip``."""
        return max(len(columns) for _, columns in self._blocks[skip:])

    def column(self, j: int, skip: int) -> Any:
        """A column without its first ``skip`` rows, at most `HEAD`, which is then let go."""
        parts = []
        for length, columns in self._blocks[skip:]:
            parts.append(columns[j] if j < len(columns) else np.full(length, np.nan))
            if j < len(columns):
                columns[j] = None
        return packed_column(parts)


def _as_table(rows: _Rows, notes: tuple[str, ...], wanted: int | None) -> Parsed:
    numbers = [number for number, _ in rows.sample]
    cells = [["" if cell is None else _text(cell) for cell in row] for _, row in rows.sample]
    found = headers.find_header(cells) if wanted is None else headers.chosen_header(cells, numbers, wanted)
    if found.first >= len(cells):
        raise UploadError("The sheet has a header but no rows of data.")
    skip = numbers[found.first] - rows.first
    if skip > HEAD:
        raise UploadError(
            f"The first row of data is row {numbers[found.first]:,}, far below the first row with content."
        )
    given = [cell or None for cell in cells[found.at]] if found.at is not None else []
    given, units = headers.named(given, cells[found.units]) if found.units else (given, {})
    names = clean_names([*given, *[None] * (rows.width(skip) - len(given))])
    columns = {name: rows.column(j, skip) for j, name in enumerate(names)}
    table = pd.DataFrame(columns, index=pd.RangeIndex(rows.first + skip, rows.first + rows.count), copy=False)
    blank = table.isna().all(axis=1)
    return Parsed(
        "XLSX",
        drop_empty(table[~blank] if blank.any() else table),
        found.at is not None,
        notes=notes,
        units={names[j]: unit for j, unit in units.items()},
        head=headers.shown(numbers, cells),
        header=0 if found.at is None else numbers[found.at],
    )


def packed(values: Sequence) -> np.ndarray | Sequence:
    """Values as an array where all are numbers that it holds exactly, or missing; else as they are."""
    if all(value is None or _is_number(value) for value in values):
        return _floats(values)
    return values


def _floats(values: Sequence) -> np.ndarray:
    return np.array([np.nan if value is None else float(value) for value in values], dtype=np.float64)


def _is_number(value: object) -> bool:
    return type(value) is float or (type(value) is int and abs(value) <= 2**53)


def packed_column(parts: Sequence) -> Any:
    """Numbers if there is nothing else; otherwise text, as the person sees it."""
    if all(_is_numeric(part) for part in parts):
        return np.concatenate([part if isinstance(part, np.ndarray) else _floats(part) for part in parts])
    values = itertools.chain.from_iterable(part.tolist() if isinstance(part, np.ndarray) else part for part in parts)
    return pd.Series([None if _is_missing(value) else _text(value) for value in values], dtype=object).array


def _is_numeric(part: np.ndarray | Sequence) -> bool:
    return isinstance(part, np.ndarray) or all(
        value is None or (isinstance(value, int | float) and not isinstance(value, bool)) for value in part
    )


def _is_missing(value: object) -> bool:
    return value is None or value != value or (isinstance(value, str) and value.strip() in MISSING)


def _text(value: object) -> str:
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return str(value.date())
    return str(value).strip()
