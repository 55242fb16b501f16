"""Parquet, one flat column at a time; sizes are checked from the metadata before anything is read."""

import io

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from theta_app.datasets.uploads.limits import (
    Parsed,
    UploadError,
    check_columns,
    check_rows,
    check_shape,
    check_unpacked,
    clean_names,
)

BATCH_ROWS = 65_536


def read_parquet(data):
    try:
        metadata = pq.read_metadata(io.BytesIO(data))
        schema = metadata.schema.to_arrow_schema()
    except Exception as error:  # pyarrow's types for broken input vary from release to release
        raise UploadError("The Parquet file is damaged or cut short. Save or download it again.") from error
    if metadata.num_rows == 0 or len(schema) == 0:
        raise UploadError("The Parquet file is empty: it has no rows.")
    check_columns(len(schema))
    check_shape(metadata.num_rows, len(schema))
    check_unpacked(sum(metadata.row_group(i).total_byte_size for i in range(metadata.num_row_groups)))

    names = [field.name for field in schema if _is_plain(field.type)]
    if not names or len(set(schema.names)) != len(schema.names):
        raise UploadError("The Parquet file has no plain columns with names of their own. Save it again, or as CSV.")
    columns = _read(data, schema, names)
    table = pd.DataFrame(dict(zip(clean_names(names), columns)))
    table.index = pd.RangeIndex(1, len(table) + 1)
    return Parsed("Parquet", table, notes=_left_out([name for name in schema.names if name not in names]))


def _left_out(names):
    """A note about columns that are not read; none where there are none."""
    if not names:
        return ()
    shown = ", ".join(f"'{name}'" for name in clean_names(names)[:5]) + (", ..." if len(names) > 5 else "")
    return (f"Columns that are neither numbers nor text were left out: {shown}.",)


def _read(data, schema, names):
    """The named columns, each as a pandas Series."""
    # text as codes into a dictionary: a long text repeated in a million rows is small in the file and must stay so
    text = [name for name in names if _is_text(schema.field(name).type)]
    pieces, rows, used = [], 0, len(data)
    try:
        file = pq.ParquetFile(io.BytesIO(data), read_dictionary=text)
        for batch in file.iter_batches(BATCH_ROWS, columns=names, use_threads=False):
            rows += batch.num_rows
            used += batch.nbytes
            check_rows(rows)
            check_unpacked(used)
            pieces.append(batch)
        table = pa.Table.from_batches(pieces).select(names)
        return [_to_pandas(table.column(name)) for name in names]
    except UploadError:
        raise
    except Exception as error:
        raise UploadError("The Parquet file is damaged: its columns cannot be read. Save it again.") from error


def _to_pandas(column):
    kind = column.type
    if _is_number(kind) and not pa.types.is_floating(kind):
        column = column.cast(pa.float64(), safe=False)
    elif pa.types.is_dictionary(kind):
        column = column.unify_dictionaries()
    return column.to_pandas().reset_index(drop=True)


def _is_plain(kind):
    return _is_number(kind) or _is_text(kind) or pa.types.is_boolean(kind)


def _is_number(kind):
    return pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)


def _is_text(kind):
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    return pa.types.is_string(kind) or pa.types.is_large_string(kind)
