"""JSON: a list of records, or one record per line. Records are read one at a time, never all as Python has them."""

import codecs
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

import pandas as pd

from theta_app.datasets.uploads.decoding import Text
from theta_app.datasets.uploads.limits import Allowance, Parsed, UploadError, check_columns, check_rows, clean_names
from theta_app.datasets.uploads.parquet import left_out
from theta_app.datasets.uploads.xlsx import packed, packed_column

MAX_RECORD = 4_000_000  # characters of one record
MAX_DEPTH = 20
PART = 1 << 20  # bytes that are decoded together
MAX_EMPTY, MOST_EMPTY = 1_000_000, 20  # cells of which not even one in so many holds a value: records without a table
BLOCK = 1000  # records that are turned into columns together
_BETWEEN = re.compile(r"[\s,]*")
_NOT_RECORDS = (
    "The JSON file is not a list of records. Save it as [{...}, {...}], one record per row (in pandas: "
    "to_json(orient='records')), and upload that."
)


def is_json(head: bytes) -> bool:
    """Whether a text begins as a list of records, or as a record."""
    return re.match(rb"(\xef\xbb\xbf)?\s*(\[\s*)?\{\s*[\"}]", head[:65_536]) is not None


def read_json(text: Text, allowance: Allowance) -> Parsed:
    """The table of a JSON file of records; UploadError with a sentence where it is none."""
    columns, alone = _Columns(allowance), False
    for number, record in enumerate(_records(text)):
        columns.add(record)
        alone = number == 0 and any(isinstance(value, dict | list) for value in record.values())
    if alone:  # one object that holds columns, as pandas writes without being told
        raise UploadError(_NOT_RECORDS)
    table = columns.table()
    return Parsed("JSON", table, notes=left_out(sorted(columns.nested)))


def _records(text: Text) -> Iterator[dict]:
    """The records in their order; UploadError where something else stands among them."""
    decoder = json.JSONDecoder()
    buffer, position, more, ended = "", 0, True, False
    parts = _decoded(text)
    listed = None
    while True:
        position = _BETWEEN.match(buffer, position).end()
        if listed is None and position < len(buffer):
            listed = buffer[position] == "["
            position += listed
            continue
        if position < len(buffer) and buffer[position] == "]" and listed:
            ended, position = True, position + 1
            continue
        if position == len(buffer):
            if not more:
                break
        elif ended or buffer[position] != "{":
            raise UploadError(_NOT_RECORDS)
        else:
            try:
                record, position = decoder.raw_decode(buffer, position)
            except json.JSONDecodeError as error:
                if not more:
                    raise UploadError(f"The JSON file is damaged or cut short: {_at(error)}. Save it again.") from error
            except (RecursionError, ValueError) as error:  # nested without end, or a number of thousands of digits
                raise UploadError(_NOT_RECORDS) from error
            else:
                yield record
                continue
            if len(buffer) - position > MAX_RECORD:
                raise UploadError(
                    f"The JSON file holds a record of more than {MAX_RECORD:,} characters, or is not a list of "
                    "records. Save it as [{...}, {...}], one short record per row, and upload that."
                )
        part = next(parts, None)
        more = part is not None
        buffer, position = buffer[position:] + (part or ""), 0
    if listed and not ended:
        raise UploadError("The JSON file is cut short: its list of records does not end. Save or download it again.")


def _decoded(text: Text) -> Iterator[str]:
    """The text in parts of about a million characters."""
    file, decoder = text.file(), codecs.getincrementaldecoder(text.encoding)()
    while piece := file.read(PART):
        yield decoder.decode(piece)
    yield decoder.decode(b"", True)


def _at(error: json.JSONDecodeError) -> str:
    return f"{error.msg[0].lower()}{error.msg[1:]}"


class _Columns:
    """Values by column, as records come: numbers are packed a block at a time, which takes a quarter of the room."""

    def __init__(self, allowance: Allowance) -> None:
        self._allowance = allowance
        self._block: list
        self._blocks: dict
        self._blocks, self._block, self._rows, self._used, self._values = {}, [], 0, 0, 0
        self.nested: set = set()

    def add(self, record: dict) -> None:
        row: dict = {}
        self._flatten(record, "", row, 0)
        self._block.append(row)
        self._rows += 1
        self._values += len(row)
        check_rows(self._rows)
        if len(self._block) == BLOCK:
            self._close()

    def _flatten(self, record: dict, prefix: str, row: dict, depth: int) -> None:
        """Records within a record become columns "outer.inner"; lists are left out, and named."""
        if depth > MAX_DEPTH:
            raise UploadError(_NOT_RECORDS)
        for key, value in record.items():
            name = f"{prefix}{key}"
            if isinstance(value, dict):
                self._flatten(value, f"{name}.", row, depth + 1)
            elif isinstance(value, list):
                if len(self.nested) < 100:
                    self.nested.add(name)
            else:
                row[name] = str(value).lower() if isinstance(value, bool) else value

    def _close(self) -> None:
        block, self._block = self._block, []
        cells = self._rows * len(self._blocks.keys() | {name for row in block for name in row})
        if cells > MAX_EMPTY and cells > MOST_EMPTY * self._values:
            raise UploadError(
                "The records of the JSON file have hardly any keys in common, so they are no table. Save records with "
                "the same keys, and upload that."
            )
        for name in dict.fromkeys(name for row in block for name in row):
            if name not in self._blocks:
                self._blocks[name] = []
                check_columns(len(self._blocks))
            values = packed([row.get(name) for row in block])
            self._blocks[name].append((self._rows - len(block), values))
            self._used += sum(len(value) + 60 for value in values if isinstance(value, str))
        self._allowance.check(16 * self._rows * len(self._blocks) + self._used)

    def table(self) -> pd.DataFrame:
        if self._block:
            self._close()
        if not self._rows or not self._blocks:
            raise UploadError("The JSON file has no records with values.")
        names = clean_names(self._blocks)
        columns = {}
        for name, key in zip(names, list(self._blocks)):
            columns[name] = packed_column(_with_gaps(self._blocks.pop(key), self._rows))
        return pd.DataFrame(columns, index=pd.RangeIndex(1, self._rows + 1), copy=False)


def _with_gaps(blocks: Iterable[tuple[int, Any]], rows: int) -> list:
    """All blocks of a column in their order, with missing values where a block of records does not have it."""
    parts, position = [], 0
    for start, values in [*blocks, (rows, ())]:
        if start > position:
            parts.append(packed([None] * (start - position)))
        parts.append(values)
        position = start + len(values)
    return parts
