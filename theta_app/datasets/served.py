"""Parquet files that the operator has put on the server: THETA_DATA names their folder, and nothing else is reached.

They may be larger than memory: what is explored is a fair sample of their rows.
"""

import os
from dataclasses import dataclass, replace
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from theta_app.datasets.spec import Spec
from theta_app.datasets.uploads.limits import Parsed, UploadError, check_columns, clean_names
from theta_app.datasets.uploads.parquet import is_plain, left_out, to_pandas
from theta_app.datasets.uploads.tabular import dataset_from
from theta_app.engine import fair_sample

SAMPLE = 20_000
"""Rows that are explored."""


def served_names():
    """Names of the files, and folders of parts, that can be opened; none where THETA_DATA names no folder."""
    folder = os.environ.get("THETA_DATA", "")
    if not folder or not Path(folder).is_dir():
        return ()
    return tuple(sorted(path.name for path in Path(folder).glob("*.parquet") if not path.name.startswith(".")))


@dataclass(frozen=True)
class Served(Spec):
    """A file of the operator's folder, by its name there."""

    name: str

    key = "server"
    label = "A file on this server"

    @property
    def path(self):
        """Where it is. LookupError with a sentence for a name that is not listed, whatever it looks like."""
        if self.name not in served_names():
            raise LookupError(f"This server has no file {self.name[:60]!r} to open.")
        return Path(os.environ["THETA_DATA"]) / self.name

    @property
    def files(self):
        """The file itself, or those in a folder of parts, by name."""
        return sorted(self.path.glob("*.parquet")) if self.path.is_dir() else [self.path]

    @property
    def version(self):
        """What changes when the files do."""
        return tuple((file.name, file.stat().st_size, file.stat().st_mtime_ns) for file in self.files)

    def columns(self):
        """Name on the page -> name in the file, of every column."""
        names = pq.read_schema(self.files[0]).names
        return dict(zip(clean_names(names), names))

    def rows(self):
        """Rows in all files, from their descriptions."""
        return sum(pq.read_metadata(file).num_rows for file in self.files)

    def dataset(self):
        """A fair sample of the rows. LookupError with a sentence where it cannot be read."""
        try:
            total, table, names = self.rows(), *self._sampled()
            columns = [to_pandas(table.column(name)) for name in names]
            frame = pd.DataFrame(dict(zip(clean_names(names), columns)), copy=False)
            frame.index = pd.Index(fair_sample(total, SAMPLE) + 1)
            data = dataset_from(self.name, Parsed("Parquet", frame))
        except UploadError as error:
            raise LookupError(f"{self.name} cannot be used. {error}") from error
        except (OSError, pa.ArrowException, ValueError) as error:
            raise LookupError(f"{self.name} on this server cannot be read: {' '.join(str(error).split())}.") from error
        said = f"{total:,} rows" if len(frame) == total else f"a fair sample of {len(frame):,} of {total:,} rows"
        return replace(data, source=f"{self.name} on this server: {said}.")

    def _sampled(self):
        """(table of a fair sample, names of its columns), read a row group at a time."""
        schema = pq.read_schema(self.files[0])
        check_columns(len(schema))
        names = [field.name for field in schema if is_plain(field.type)]
        if not names:
            raise UploadError(" ".join(left_out(schema.names)) or "It has no columns.")
        chosen, taken, start = fair_sample(self.rows(), SAMPLE), [], 0
        for file in self.files:
            with pq.ParquetFile(file) as opened:
                for group in range(opened.num_row_groups):
                    stop = start + opened.metadata.row_group(group).num_rows
                    inside = chosen[(chosen >= start) & (chosen < stop)] - start
                    if len(inside):
                        taken.append(opened.read_row_group(group, names, use_threads=False).take(inside))
                    start = stop
        if not taken:
            raise UploadError("It has no rows.")
        return pa.concat_tables(taken), names
