"""Tables as text: comma, tab, semicolon, bar or white space, with or without a header."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from theta_app.datasets.uploads import headers
from theta_app.datasets.uploads.cells import MISSING, drop_empty, is_number
from theta_app.datasets.uploads.decoding import SAMPLE_BYTES, Text
from theta_app.datasets.uploads.limits import Allowance, Parsed, UploadError, check_columns, check_rows, clean_names

SPACES = r"\s+"
SEPARATORS = {"\t": "tabs", ";": "semicolons", "|": "bars", ",": "commas", SPACES: "white space"}
SAMPLE_LINES = 100
CHUNK_CELLS = 1_000_000
# from 3.1 on pandas reads every number exactly, and asks not to be told
EXACT = {} if tuple(map(int, pd.__version__.split(".")[:2])) >= (3, 1) else {"float_precision": "round_trip"}

_AMOUNT = re.compile(r"[^\w\s]{0,2}\s?\d[\d.,'’]*\s?[^\d,;]{0,8}")
_LINE = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True)
class Layout:
    """How a text is laid out."""

    separator: str  # a key of `SEPARATORS`
    decimal: str  # "." or ","
    width: int  # columns
    names: list | None  # from the header, if there is one
    skip: int  # lines before the first row of data
    units: dict = field(default_factory=dict)  # of columns by position, where a row says them
    # head, header: as of `Parsed`
    head: tuple = ()
    header: int = 0
    quoted: int = 0  # line ends within quotation marks before the first row of data, which the parser does not count


def read_text(text: Text, allowance: Allowance, header: int | None = None) -> Parsed:
    """The table in a text file; UploadError when it has none. ``header`` is the line of the names, 0 for none."""
    encoding = text.encoding
    layout = sniff(sample_lines(text.head, encoding), header)
    check_columns(layout.width)
    allowance.check(8 * text.lines * layout.width)
    table = read_rows(text.file(), encoding, layout, allowance)
    table.columns = clean_names(layout.names or [None] * layout.width)
    kind = f"text, separated by {SEPARATORS[layout.separator]}" if layout.width > 1 else "text, one column"
    notes = ("Numbers were read with a decimal comma.",) if layout.decimal == "," else ()
    if encoding != "utf-8":
        kind += ", " + {"cp1252": "Windows-1252", "latin-1": "Latin-1"}[encoding]
    units = {table.columns[j]: unit for j, unit in layout.units.items()}
    return Parsed(kind, drop_empty(table), layout.names is not None, None, notes, units, layout.head, layout.header)


def sample_lines(head: bytes, encoding: str) -> list[str]:
    """The first lines, without the last one if it may be cut off."""
    lines = _LINE.split(head[:SAMPLE_BYTES].decode(encoding, errors="replace"))
    if len(head) > SAMPLE_BYTES:
        if len(lines) == 1:
            raise UploadError("The first line is longer than a million characters: the file has no rows.")
        lines = lines[:-1]
    return lines


def sniff(lines: Sequence[str], header: int | None = None) -> Layout:
    """The layout that turns most of the sample into equally long rows of numbers."""
    skip = _lines_before_the_table(lines)
    numbers = [i for i in range(skip, min(skip + SAMPLE_LINES, len(lines))) if lines[i].strip()]
    if not numbers:
        raise UploadError("The file is empty: it has no rows.")
    sample = [lines[i] for i in numbers]
    separator, decimal, rows = _best_split(sample) or _one_column(sample)
    width = _usual_width(rows[1:] or rows)
    starts = _starts(sample, separator, len(rows))
    at = [numbers[start] for start in starts]  # the line that each row begins in
    seen = [line + 1 for line in at]
    if header is None:
        found = headers.find_header(rows, decimal)
    else:
        found = headers.chosen_header(rows, seen, header, decimal)
    head = headers.shown(seen, rows)
    if found.at is None:
        return Layout(separator, decimal, width, None, skip, {}, head)
    names = _padded(rows[found.at], width)
    names, units = headers.named(names, rows[found.units]) if found.units else (names, {})
    below = at[found.first] if found.first < len(at) else numbers[-1] + 1
    quoted = starts[found.first] - found.first if found.first < len(at) else 0
    return Layout(separator, decimal, len(names), names, below, units, head, seen[found.at], quoted)


def _starts(lines: Sequence[str], separator: str, rows: int) -> Sequence[int]:
    """The line that each row begins in: a cell in quotation marks may go on in the next."""
    if rows == len(lines):
        return range(rows)
    reader, starts, begun = csv.reader(lines, delimiter=separator, skipinitialspace=True), [], 0
    for row in reader:
        if row:
            starts.append(begun)
        begun = reader.line_num
    return starts


def _lines_before_the_table(lines: Sequence[str]) -> int:
    """How many blank lines and comments come first."""
    table = (i for i, line in enumerate(lines) if line.strip() and not line.lstrip().startswith(("#", "%")))
    return next(table, len(lines))


def _best_split(lines: Sequence[str]) -> tuple[str, str, list[list[str]]] | None:
    """(separator, decimal, rows) of the highest score; None when no separator gives more than one column."""
    best, best_score = None, 0.0
    for separator in SEPARATORS:
        rows = split(lines, separator)
        for decimal in "." if separator == "," else ".,":
            score = _score(rows, decimal)
            if score > best_score:  # strict: on a tie the first in the table
                best, best_score = (separator, decimal, rows), score
    return best


def _one_column(lines: Sequence[str]) -> tuple[str, str, list[list[str]]]:
    """(separator, decimal, rows) where each line is one cell."""
    cells = [line.strip() for line in lines]
    commas = all(is_number(cell, ",") for cell in cells[1:]) and not all(is_number(cell) for cell in cells[1:])
    return ",", "," if commas else ".", [[cell] for cell in cells]


def _padded(names: list, width: int) -> list | None:
    """The header's names, at least one per column; None where there is none."""
    if len(names) == width - 1:
        return ["row", *names]  # R leaves the row names' own name out
    return names + [None] * (width - len(names))


def split(lines: Sequence[str], separator: str) -> list[list[str]]:
    """Each row's cells, stripped; no rows when the lines cannot be split."""
    if separator == SPACES:
        return [[cell.strip('"') for cell in re.findall(r'"[^"]*"(?=\s|$)|\S+', line)] for line in lines]
    try:
        rows = csv.reader(lines, delimiter=separator, skipinitialspace=True)
        return [[cell.strip() for cell in row] for row in rows if row]
    except csv.Error:
        return []


def _usual_width(rows: Sequence[Sequence[str]]) -> int:
    return Counter(map(len, rows)).most_common(1)[0][0]


def _score(rows: Sequence[Sequence[str]], decimal: str) -> float:
    """Share of equally long rows, weighted by how many of their cells are numbers; 0 for a single column."""
    body = rows[1:] or rows
    if not body:
        return 0.0
    width = _usual_width(body)
    if width < 2:
        return 0.0
    equal = [row for row in body if len(row) == width]
    worth = sum(_worth(cell, decimal) for row in equal for cell in row)
    # words between spaces line up by chance: names that do not say so
    named = 1.0 if len(rows[0]) in (width, width - 1) else 0.9
    return named * len(equal) / len(body) * (0.2 + worth / (width * len(equal)))


def _worth(cell: str, decimal: str) -> float:
    """How much a cell looks like one of a table: a number most, an amount such as €1,250.00 nearly as much."""
    if cell in MISSING:
        return 0.8
    return 1.0 if is_number(cell, decimal) else 0.9 if len(cell) < 30 and _AMOUNT.fullmatch(cell) else 0.0


def read_rows(file: io.RawIOBase, encoding: str, layout: Layout, allowance: Allowance, **options: Any) -> pd.DataFrame:
    """All rows as a table with columns 0, 1, ...; its index is the line number in the file."""
    chunk_rows = max(1000, CHUNK_CELLS // layout.width)
    pieces, rows, used = [], 0, 0
    try:
        with pd.read_csv(
            io.BufferedReader(file, SAMPLE_BYTES),
            sep=layout.separator,
            decimal=layout.decimal,
            header=None,
            names=range(layout.width + 1),  # one too many, to catch values that would be dropped without a word
            index_col=False,
            skiprows=layout.skip - layout.quoted,
            skip_blank_lines=False,  # or line numbers would be wrong
            skipinitialspace=True,
            encoding=encoding,
            keep_default_na=False,
            na_values=list(MISSING),
            **EXACT,
            low_memory=False,
            chunksize=chunk_rows,
            **options,
        ) as reader:
            for piece in reader:
                too_long = piece.pop(layout.width).notna().to_numpy()
                if too_long.any():
                    raise UploadError(_too_long(layout.skip + 1 + rows + int(too_long.argmax()), layout.width))
                rows += len(piece)
                used += int(piece.memory_usage(index=False, deep=True).sum())
                used += 8 * len(piece) * sum(map(pd.api.types.is_numeric_dtype, piece.dtypes))  # the points
                check_rows(rows)
                allowance.check(used)
                pieces.append(piece)
    except pd.errors.EmptyDataError:
        pass
    except pd.errors.ParserError as error:
        if "out of memory" in str(error):
            raise MemoryError from error
        raise UploadError(_explained(str(error), layout.width)) from error
    if not rows:
        raise UploadError("The file has a header but no rows of data.")
    table = pieces[0] if len(pieces) == 1 else _joined(pieces, layout.width)
    table.index = pd.RangeIndex(layout.skip + 1, layout.skip + 1 + rows)
    return table


def _joined(pieces: Iterable[np.ndarray], width: int) -> pd.DataFrame:
    """One table, column by column: the pieces and the whole are never in memory together."""
    pieces = [{j: piece[j] for j in range(width)} for piece in pieces]  # DataFrame.pop would walk all columns each time
    columns = {j: pd.concat([piece.pop(j) for piece in pieces], ignore_index=True) for j in range(width)}
    return pd.DataFrame(columns, copy=False)


def _too_long(row: int, width: int) -> str:
    return f"Row {row:,} has more values than the others, which have {width:,}. Fix that row and upload the file again."


def _explained(message: str, width: int) -> str:
    """The parser's complaint as a sentence with the row."""
    if found := re.search(r"Expected \d+ fields in line (\d+)", message):
        return _too_long(int(found[1]), width)
    if found := re.search(r"EOF inside string starting at row (\d+)", message):
        return f'Near row {int(found[1]) + 1:,} a quotation mark (") is opened and never closed. Fix it and try again.'
    return "The rows of the file cannot be told apart: it is damaged, or not a table. Save it again as CSV (UTF-8)."
