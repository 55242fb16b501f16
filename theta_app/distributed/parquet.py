"""Parquet files as parts: a few row groups each, with the index that each row has."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from theta_app.datasets.uploads.parquet import is_number
from theta_app.distributed.cluster import DistributedError

if TYPE_CHECKING:
    import dask.dataframe as dd


ROWS = 1_000_000  # per part, as far as row groups allow


@dataclass(frozen=True)
class Part:
    """Row groups of one file that are read at once."""

    file: str
    groups: tuple[int, ...]
    # start, rows: the number of its first row over all files, from 0, and how many it has
    start: int
    rows: int

    def __str__(self) -> str:
        return f"{Path(self.file).name}, rows {self.start:,} to {self.start + self.rows - 1:,}"


@dataclass(frozen=True)
class Source:
    """Parquet files and the columns that are clustered."""

    # columns, index: columns that are clustered, and those in which the rows' own index is; without any, rows are
    # numbered from 0
    columns: tuple[str, ...]
    index: tuple[str, ...]
    parts: tuple[Part, ...]

    @classmethod
    def open(
        cls, path: str | Path | Sequence[str | Path], columns: Sequence[str] | None = None, rows: int = ROWS
    ) -> Self:
        """Of a file, of all in a folder by name, or of a list of files. Reads nothing but their descriptions.

        DistributedError with a sentence where there is none, or one has not the columns.
        """
        found: Any
        parts: list[Part]
        files, parts, found, at = _files(path), [], None, 0
        for file in files:
            described = _described(file)
            schema = described.schema.to_arrow_schema()
            found = found or _columns(schema, columns, file)
            _same_columns(schema, found[0], file)
            for groups, count in _batches(described, rows):
                parts.append(Part(str(file), groups, at, count))
                at += count
        if not at:
            raise DistributedError(f"{path} has no rows.")
        return cls(*found, tuple(parts))  # type: ignore[call-arg]

    @property
    def rows(self) -> int:
        """How many rows all parts have together."""
        return sum(part.rows for part in self.parts)

    def read(self, part: Part) -> pd.DataFrame:
        """A part as a DataFrame of its columns, floats, under the rows' own index. DistributedError if it cannot be."""
        names = [*self.columns, *(name for name in self.index if name not in self.columns)]
        try:
            with pq.ParquetFile(part.file) as file:
                table = file.read_row_groups(list(part.groups), names, use_threads=False)
            values = {name: _floats(table.column(name)) for name in self.columns}
        except Exception as error:  # pyarrow's types for broken files vary from release to release
            raise DistributedError(f"{part} cannot be read: {' '.join(str(error).split())}") from error
        if len(table) != part.rows:
            raise DistributedError(f"{part} cannot be read: it has {len(table):,} rows now")
        return pd.DataFrame(values, self._index(table, part), copy=False)

    def read_index(self, part: Part) -> dict[str, pa.Array]:
        """The rows' own index, or their numbers from 0: a dict of name to Arrow array."""
        if not self.index:
            return {"row": pa.array(np.arange(part.start, part.start + part.rows))}
        with pq.ParquetFile(part.file) as file:
            table = file.read_row_groups(list(part.groups), list(self.index), use_threads=False)
        return dict(zip(self.index_names, map(table.column, self.index)))

    def _index(self, table: pa.Table, part: Part) -> pd.Index:
        if not self.index:
            return pd.RangeIndex(part.start, part.start + part.rows, name="row")
        columns = [pd.Index(table.column(name).to_pandas()) for name in self.index]
        return columns[0].rename(self.index_names[0]) if len(columns) == 1 else pd.MultiIndex.from_arrays(columns)

    @property
    def index_names(self) -> tuple[str, ...]:
        """Names of the index in what is written."""
        return tuple("index" if name.startswith("__index_level_") else name for name in self.index)

    def frame(self) -> dd.DataFrame:
        """A Dask DataFrame with a partition per part."""
        import dask.dataframe as dd

        empty = pd.DataFrame({name: np.empty(0) for name in self.columns})
        return dd.from_map(self.read, list(self.parts), meta=empty)


def _files(path: str | Path | Sequence[str | Path]) -> Sequence[str | Path]:
    if isinstance(path, (list, tuple)):
        return path
    path = Path(path)  # type: ignore[arg-type]
    if path.is_dir():
        files = sorted(path.glob("*.parquet"))
        if not files:
            raise DistributedError(f"There is no file *.parquet in the folder {path}.")
        return files
    if not path.exists():
        raise DistributedError(f"There is no file {path}.")
    return [path]


def _described(file: str | Path) -> pq.FileMetaData:
    try:
        return pq.read_metadata(file)
    except Exception as error:
        raise DistributedError(f"{file} is no Parquet file, or is damaged: {error}") from error


def _columns(
    schema: pa.Schema, wanted: Sequence[str] | None, file: str | Path
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(columns to cluster, columns of the index)."""
    index = tuple(name for name in _index_columns(schema) if name in schema.names)
    numbers = [field.name for field in schema if is_number(field.type)]
    if wanted is None:
        wanted = [name for name in numbers if name not in index]
    missing = [name for name in wanted if name not in numbers]
    if missing:
        raise DistributedError(
            f"{Path(file).name} has no column of numbers {missing[0]!r}. It has: {', '.join(numbers) or 'none'}."
        )
    if not wanted:
        raise DistributedError(f"{Path(file).name} has no columns of numbers.")
    return tuple(wanted), index


def _same_columns(schema: pa.Schema, columns: Sequence[str], file: str | Path) -> None:
    missing = [name for name in columns if name not in schema.names]
    if missing:
        raise DistributedError(f"{Path(file).name} has no column {missing[0]!r}, which the files before it have.")


def _index_columns(schema: pa.Schema) -> list[str]:
    """Columns that pandas has written as the rows' index."""
    described = json.loads((schema.metadata or {}).get(b"pandas", b"{}"))
    return [name for name in described.get("index_columns", []) if isinstance(name, str)]


def _floats(column: pa.ChunkedArray) -> np.ndarray:
    return column.cast(pa.float64(), safe=False).to_numpy()


def _batches(described: pq.FileMetaData, rows: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """(row groups, number of rows) of each part: neighbouring groups up to about so many rows."""
    groups: list
    groups, count = [], 0
    for number in range(described.num_row_groups):
        more = described.row_group(number).num_rows
        if groups and count + more > rows:
            yield tuple(groups), count
            groups, count = [], 0
        groups.append(number)
        count += more
    if count:
        yield tuple(groups), count
