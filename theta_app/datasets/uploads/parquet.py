"""Parquet, one flat column at a time; sizes are checked from the metadata before anything is read."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd

from theta_app.datasets.needed import Needed
from theta_app.datasets.uploads.limits import Allowance, Parsed, UploadError, check_columns, check_rows, clean_names

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq
else:
    pa = Needed("pyarrow", "files", UploadError)
    pq = Needed("pyarrow.parquet", "files", UploadError)


def read_parquet(data: Any, allowance: Allowance) -> Parsed:
    """The table of a Parquet file; UploadError with a sentence where it is none."""
    data = pa.py_buffer(data)
    try:
        metadata = pq.read_metadata(pa.BufferReader(data))
        schema = metadata.schema.to_arrow_schema()
    except MemoryError:
        raise
    except Exception as error:  # pyarrow's types for broken input vary from release to release
        raise UploadError("The Parquet file is damaged or cut short. Save or download it again.") from error
    if metadata.num_rows == 0 or len(schema) == 0:
        raise UploadError("The Parquet file is empty: it has no rows.")
    check_columns(len(schema))
    check_rows(metadata.num_rows)
    allowance.check(metadata.num_rows * sum(row_bytes(field.type) for field in schema))
    allowance.check(sum(metadata.row_group(i).total_byte_size for i in range(metadata.num_row_groups)))

    names = [field.name for field in schema if is_plain(field.type)]
    if not names or len(set(schema.names)) != len(schema.names):
        raise UploadError("The Parquet file has no plain columns with names of their own. Save it again, or as CSV.")
    columns = _read(data, metadata.num_rows, schema, names, allowance)
    table = pd.DataFrame(dict(zip(clean_names(names), columns)), copy=False)
    table.index = pd.RangeIndex(1, len(table) + 1)
    return Parsed("Parquet", table, notes=left_out([name for name in schema.names if name not in names]))


def left_out(names: Collection[str]) -> tuple[str, ...]:
    """A note about columns that are not read; none where there are none."""
    if not names:
        return ()
    shown = ", ".join(f"'{name}'" for name in clean_names(names)[:5]) + (", ..." if len(names) > 5 else "")
    return (f"Columns that are neither numbers, text nor dates were left out: {shown}.",)


def _read(data: Any, rows: int, schema: pa.Schema, names: Sequence[str], allowance: Allowance) -> list[pd.Series]:
    """The named columns, each as a pandas Series; only one at a time is in memory as Arrow has it."""
    # text as codes into a dictionary: a long text repeated in a million rows is small in the file and must stay so
    text = [name for name in names if is_text(schema.field(name).type)]
    columns, used = [], 0
    try:
        file = pq.ParquetFile(pa.BufferReader(data), read_dictionary=text)
        for name in names:
            column = file.read(columns=[name], use_threads=False).column(name)
            if len(column) != rows:
                raise UploadError("The Parquet file is damaged: its columns are not equally long. Save it again.")
            used += column.nbytes
            allowance.check(used)
            columns.append(to_pandas(column))
            allowance.tell(len(columns) / len(names))
        return columns
    except (UploadError, MemoryError):
        raise
    except Exception as error:
        raise UploadError("The Parquet file is damaged: its columns cannot be read. Save it again.") from error


def to_pandas(column: pa.ChunkedArray) -> pd.Series:
    """An Arrow column as a pandas Series: whole numbers as float64, dates in seconds, the rest as pandas reads it."""
    kind = column.type
    if is_number(kind) and not pa.types.is_floating(kind):
        column = column.cast(pa.float64(), safe=False)
    elif pa.types.is_dictionary(kind):
        column = column.unify_dictionaries()
    elif _is_date(kind):  # in seconds: what is too early or late for finer units is none that was measured
        column = column.cast(pa.timestamp("s"), safe=False)
    return column.to_pandas().reset_index(drop=True)


def row_bytes(kind: pa.DataType) -> int:
    """Bytes per row that a column of this type takes in the table and in the points."""
    if not is_number(kind):
        return 8 if _is_date(kind) else 4
    return 8 + (kind.bit_width // 8 if pa.types.is_floating(kind) else 8)


def is_plain(kind: pa.DataType) -> bool:
    """Whether a column of this Arrow type can be read: a number, text, true or false, or a date."""
    return is_number(kind) or is_text(kind) or pa.types.is_boolean(kind) or _is_date(kind)


def _is_date(kind: pa.DataType) -> bool:
    return pa.types.is_timestamp(kind) or pa.types.is_date(kind)


def is_number(kind: pa.DataType) -> bool:
    """Whether a column of this Arrow type holds numbers."""
    return pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)


def is_text(kind: pa.DataType) -> bool:
    """Whether a column of this Arrow type holds text."""
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    return pa.types.is_string(kind) or pa.types.is_large_string(kind)
