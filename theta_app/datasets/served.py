"""Parquet files that the operator has put on the server: THETA_DATA names their folder, and nothing else is reached.

They may be larger than memory: what is explored is a fair sample of their rows.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd

from theta_app.datasets.dataset import Dataset
from theta_app.datasets.prepare import Preparation
from theta_app.datasets.spec import Spec
from theta_app.datasets.uploads.limits import Parsed, UploadError, check_columns, clean_names
from theta_app.datasets.uploads.parquet import is_plain, left_out, pa, pq, to_pandas
from theta_app.datasets.uploads.tabular import dataset_from
from theta_app.engine import fair_sample

SAMPLE = 20_000
"""Rows that are explored."""

MOST_IN_GROUP = 20_000_000
"""Rows of a row group, which is decoded whole: a hundred million equal ones are a file of a megabyte."""

_BATCH = 100_000  # rows that are in memory at once


def served_names() -> tuple[str, ...]:
    """Names of the files, and folders of parts, that can be opened; none where THETA_DATA names no folder."""
    return tuple(sorted(_listed()))


def _listed() -> dict[str, list[Path]]:
    """Name -> files, by name. Only what is in the folder: no link that leads nowhere or out of it, no empty folder."""
    folder = os.environ.get("THETA_DATA", "")
    if not folder or not Path(folder).is_dir():
        return {}
    inside = Path(folder).resolve()
    found = {path.name: _parts(path, inside) for path in Path(folder).glob("*.parquet")}
    return {name: files for name, files in found.items() if files and not name.startswith(".")}


def _parts(path: Path, inside: Path) -> list[Path]:
    files = sorted(path.glob("*.parquet")) if path.is_dir() else [path]
    return [file for file in files if file.is_file() and file.resolve().is_relative_to(inside)]


@dataclass(frozen=True)
class Served(Spec):
    """A file of the operator's folder, by its name there."""

    name: str

    key = "server"
    label = "A file on this server"

    @property
    def files(self) -> list[Path]:
        """The file itself, or those in a folder of parts, by name.

        LookupError with a sentence for a name that is not listed, whatever it looks like.
        """
        files = _listed().get(self.name)
        if files is None:
            raise LookupError(f"This server has no file {self.name[:60]!r} to open.")
        return files

    @property
    def version(self) -> tuple:
        """What changes when the files do. LookupError where one has just gone."""
        try:
            return tuple((file.name, file.stat().st_size, file.stat().st_mtime_ns) for file in self.files)
        except OSError as error:
            raise LookupError(f"{self.name} on this server can no longer be read.") from error

    def columns(self) -> dict[str, str]:
        """Name on the page -> name in the file, of every column."""
        names = pq.read_schema(self.files[0]).names
        return dict(zip(clean_names(names), names))

    def rows(self) -> int:
        """Rows in all files, from their descriptions."""
        return _rows(self.files)

    def dataset(self) -> Dataset:
        """A fair sample of the rows. LookupError with a sentence where it cannot be read."""
        return sample_of_files(self.name, self.files, f"{self.name} on this server")


def sample_of_files(name: str, files: Sequence[str | Path], called: str) -> Dataset:
    """A fair sample of the rows of Parquet files of the same columns, as a data set.

    ``name`` is that of the data set, ``called`` that of the files in sentences. LookupError with one where they cannot
    be read.
    """
    try:
        total, table, names = _rows(files), *_sampled(files)
        columns = [to_pandas(table.column(column)) for column in names]
        frame = pd.DataFrame(dict(zip(clean_names(names), columns)), copy=False)
        frame.index = pd.Index(fair_sample(total, SAMPLE) + 1)
        data = dataset_from(name, Parsed("Parquet", frame))
    except UploadError as error:
        raise LookupError(f"{name} cannot be used. {error}") from error
    except (OSError, pa.ArrowException, ValueError) as error:
        raise LookupError(f"{called} cannot be read: {' '.join(str(error).split())}.") from error
    said = f"{total:,} rows" if len(frame) == total else f"a fair sample of {len(frame):,} of {total:,} rows"
    return replace(data, source=f"{called}: {said}.")


def only_of_a_sample(data: Dataset, columns: Collection[str]) -> str:
    """Why all rows of files cannot be labelled as their sample is prepared, in a sentence; empty where they can.

    ``columns`` are those of the files.
    """
    chosen = data.preparation or Preparation()
    if any(name not in columns for name in data.features) or chosen.read:
        return "A column is read in a special way (words or dates as numbers). Leave it out to label all rows."
    if chosen.space != "columns":
        return "The points are clustered in another space than the columns. Go back to the columns to label all rows."
    if chosen.treat or chosen.shapes:
        return "Odd values are treated, or a column is ranked or jittered. Undo that to label all rows."
    if chosen.missing != "rows":
        return "Gaps are filled from the sample. Leave rows with gaps out to label all rows."
    return ""


def _rows(files: Sequence[str | Path]) -> int:
    return sum(pq.read_metadata(file).num_rows for file in files)


def _sampled(files: Sequence[str | Path]) -> tuple[pa.Table, list[str]]:
    """(table of a fair sample, names of its columns), read a piece at a time."""
    schema = pq.read_schema(files[0])
    check_columns(len(schema))
    names = [field.name for field in schema if is_plain(field.type)]
    if not names:
        raise UploadError(" ".join(left_out(schema.names)) or "It has no columns.")
    chosen, taken, start = fair_sample(_rows(files), SAMPLE), [], 0
    for file in files:
        with pq.ParquetFile(file) as opened:
            for group in range(opened.num_row_groups):
                rows = opened.metadata.row_group(group).num_rows
                if rows > MOST_IN_GROUP:
                    raise UploadError(
                        f"One of its row groups has {rows:,} rows, more than can be read at once here. Write the file "
                        "again with smaller ones, such as row_group_size=1_000_000."
                    )
                if np.searchsorted(chosen, start) == np.searchsorted(chosen, start + rows):
                    start += rows  # nothing of it is wanted
                    continue
                for batch in opened.iter_batches(_BATCH, [group], names, use_threads=False):
                    first, last = np.searchsorted(chosen, [start, start + len(batch)])
                    taken.append(batch.take(pa.array(chosen[first:last] - start)))
                    start += len(batch)
    if not taken:
        raise UploadError("It has no rows.")
    return pa.Table.from_batches(taken), names
