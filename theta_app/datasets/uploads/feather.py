"""Feather, Arrow's own file: one column and one batch of rows at a time, sizes first."""

from __future__ import annotations

from typing import Any

import pandas as pd

from theta_app.datasets.uploads.limits import Allowance, Parsed, UploadError, check_columns, check_rows, clean_names
from theta_app.datasets.uploads.parquet import is_plain, is_text, left_out, pa, row_bytes, to_pandas

MAX_BATCHES = 100_000


def read_feather(data: Any, allowance: Allowance) -> Parsed:
    """The table of a Feather file; UploadError with a sentence where it is none."""
    data = pa.py_buffer(data)
    try:
        return _table(data, allowance)
    except (UploadError, MemoryError):
        raise
    except Exception as error:  # pyarrow's types for broken input vary from release to release
        raise UploadError("The Feather file is damaged or cut short. Save or download it again.") from error


def _table(data: Any, allowance: Allowance) -> Parsed:
    schema = pa.ipc.open_file(data).schema
    check_columns(len(schema))
    rows = _count(data, schema)
    if rows == 0 or len(schema) == 0:
        raise UploadError("The Feather file is empty: it has no rows.")
    allowance.check(rows * sum(row_bytes(field.type) for field in schema))
    names = [field.name for field in schema if is_plain(field.type)]
    if not names or len(set(schema.names)) != len(schema.names):
        raise UploadError("The Feather file has no plain columns with names of their own. Save it again, or as CSV.")
    columns, used = [], 0
    for name in names:
        column, size = _column(data, schema.get_field_index(name), allowance, used)
        used += size
        if len(column) != rows:
            raise UploadError("The Feather file is damaged: its columns are not equally long. Save it again.")
        columns.append(to_pandas(column))
        allowance.tell(len(columns) / len(names))
    table = pd.DataFrame(dict(zip(clean_names(names), columns)), copy=False)
    table.index = pd.RangeIndex(1, len(table) + 1)
    return Parsed("Feather", table, notes=left_out([name for name in schema.names if name not in names]))


def _count(data: Any, schema: pa.Schema) -> int:
    """How many rows there are. It is not told beforehand, so the smallest column is unpacked, a batch at a time."""
    smallest = min(range(len(schema)), key=lambda j: row_bytes(schema.field(j).type), default=0)
    file, rows = _opened(data, smallest), 0
    if file.num_record_batches > MAX_BATCHES:
        raise UploadError("The Feather file is made of far too many parts. Save it again.")
    for i in range(file.num_record_batches):
        rows += file.get_batch(i).num_rows
        check_rows(rows)
    return rows


def _opened(data: Any, j: int) -> Any:
    """The file with column ``j`` alone."""
    return pa.ipc.open_file(data, options=pa.ipc.IpcReadOptions(included_fields=[j], use_threads=False))


def _column(data: Any, j: int, allowance: Allowance, used: int) -> tuple[pd.Series, int]:
    """(a column, its bytes): its batches one after the other, text as codes into a dictionary as soon as it is read."""
    file, chunks, size = _opened(data, j), [], 0
    for i in range(file.num_record_batches):
        chunk = file.get_batch(i).column(0)
        chunk.validate(full=True)  # offsets of a broken file lead anywhere, and Arrow follows them unless asked to look
        if is_text(chunk.type) and not pa.types.is_dictionary(chunk.type):
            chunk = chunk.dictionary_encode()
        chunks.append(chunk)
        size += chunk.nbytes
        allowance.check(used + size)
    return pa.chunked_array(chunks), size
