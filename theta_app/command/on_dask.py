"""``theta-app cluster FILE --scheduler ...``: files that do not fit in memory, on a Dask cluster or on this machine.

Columns, scale and verdict are those of a fair sample, prepared as the Data page prepares one.
"""

from __future__ import annotations

import argparse
import csv
import importlib.util
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from theta_app.command import INTERRUPTED, WRONG
from theta_app.command.terminal import Progress

if TYPE_CHECKING:
    from theta_app.distributed.labelling import Labelled, Task


LOCAL = "local"
_SNIFFED = 65536  # bytes in which the separator of a text is looked for


def run(options: argparse.Namespace, changes: Callable[[argparse.Namespace, Sequence[str] | None], dict]) -> int:
    """Label every row; returns the exit code. ``changes(options, columns)`` are the choices of the preparation."""
    fault = _contradiction(options)
    if fault is None:
        return _label(options, changes)
    print(f"theta-app: {fault}", file=sys.stderr)
    return WRONG


def _contradiction(options: argparse.Namespace) -> str | None:
    if importlib.util.find_spec("distributed") is None:
        return "--scheduler needs Dask: pip install 'theta-app[distributed]'"
    if options.output in (None, "-"):
        return "With --scheduler labels go to a file: --output labels.parquet"
    if options.file == "-":
        return "With --scheduler the workers read the file themselves: give a file, not standard input."
    if options.report or options.notebook:
        return "A report and a notebook are made of rows that fit in memory: leave out --scheduler, or leave these out."
    return (
        "TSG is one pass in the order of the file, and parts have no order. Use TDG."
        if options.algorithm == "TSG"
        else None
    )


def _label(options: argparse.Namespace, changes: Callable[[argparse.Namespace, Sequence[str] | None], dict]) -> int:
    from theta_app.distributed import DistributedError, connect, on_this_machine
    from theta_app.distributed.labelling import label

    progress, output = Progress(), Path(options.output)
    parquet = output if output.suffix == ".parquet" else output.with_name(f"{output.name}.parquet")
    try:
        source = _as_parquet(Path(options.file), output, progress)
        task = _task(options, source, changes)
        with on_this_machine(options.workers) if options.scheduler == LOCAL else connect(options.scheduler) as client:
            found = label(task, parquet, client, progress.of("Labelling"))
    except DistributedError as error:
        print(f"theta-app: {error}", file=sys.stderr)
        return WRONG
    except KeyboardInterrupt:
        print("\nStopped. Finished work is kept: run the same command again to continue.", file=sys.stderr)
        return INTERRUPTED
    finally:
        progress.done()
    if parquet != output:
        _as_csv(parquet, output)
        parquet.unlink()
    if source != Path(options.file):
        source.unlink()
    if options.json or not options.quiet:
        print(json.dumps(_facts(found, task, output), indent=2) if options.json else _in_words(found, task, output))
    return 0


def _task(
    options: argparse.Namespace, source: Path, changes: Callable[[argparse.Namespace, Sequence[str] | None], dict]
) -> Task:
    """What to label and how: as a fair sample of the rows is prepared."""
    from theta_app import datasets
    from theta_app.distributed import DistributedError
    from theta_app.distributed.labelling import Task
    from theta_app.distributed.parquet import ROWS, Source
    from theta_app.files import read

    rows = options.rows or ROWS
    plain = Source.open(source, None, rows)
    files = sorted({part.file for part in plain.parts})
    if Path(options.output).resolve() in {Path(file).resolve() for file in files}:
        raise DistributedError("The output is one of the input files. Name another.")
    sample = datasets.sample_of_files(Path(options.file).name, files, Path(options.file).name)
    columns = datasets.choices.only(sample, options.columns) if options.columns else None
    if columns is None:  # those that are read in a special way are read by no worker
        columns = tuple(name for name in sample.features if name in plain.columns)
    # straight unless asked otherwise: directions of parts cannot be averaged (`parts.with_means`)
    data = read(sample, **({"treat": (), "metric": "euclidean"} | changes(options, columns)))
    if fault := datasets.only_of_a_sample(data, plain.columns):
        raise DistributedError(fault)
    chosen = {"shuffles": options.shuffles, "seed": options.seed, "way": options.way}
    source = Source.open(source, list(data.features), rows)
    return Task(source, options.theta, options.epsilon, metric=data.metric, scale=data.scale, **chosen)


def _as_parquet(file: Path, output: Path, progress: Progress) -> Path:
    """The file, or the same as Parquet beside the output where it is text: workers read parts of it.

    An earlier one is taken if the text has not changed since: a run that was stopped goes on.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq
    from pyarrow import csv as arrow_csv

    from theta_app.distributed import DistributedError

    if file.is_dir() or not file.exists() or file.suffix == ".parquet" or _head(file, 4) == b"PAR1":
        return file
    made = output.with_name(f".{output.name}.points.parquet")
    if made.exists() and made.stat().st_mtime >= file.stat().st_mtime:
        return made
    tell, half = progress.of(f"Reading {file.name}"), made.with_suffix(".half")
    separated = arrow_csv.ParseOptions(delimiter=_separator(file))
    try:
        with arrow_csv.open_csv(file, parse_options=separated) as text, pq.ParquetWriter(half, text.schema) as rows:
            read, size = 0, file.stat().st_size
            for batch in text:
                rows.write_batch(batch)
                read += batch.nbytes
                tell(read, max(size, read + 1))
        half.replace(made)
    except (pa.ArrowException, UnicodeError) as error:
        raise DistributedError(
            f"{file.name} cannot be read in parts: {' '.join(str(error).split())}. Save it as Parquet."
        ) from error
    finally:
        half.unlink(missing_ok=True)
    return made


def _head(file: Path, size: int) -> bytes:
    with file.open("rb") as opened:
        return opened.read(size)


def _separator(file: Path) -> str:
    head = _head(file, _SNIFFED).decode("utf-8", errors="replace")
    try:
        return csv.Sniffer().sniff(head.rpartition("\n")[0] or head, ",;\t|").delimiter
    except csv.Error:  # one column
        return ","


def _as_csv(parquet: Path, output: Path) -> None:
    import pyarrow.parquet as pq
    from pyarrow import csv as arrow_csv

    half = output.with_name(f".{output.name}.half")
    with pq.ParquetFile(parquet) as labels, arrow_csv.CSVWriter(half, labels.schema_arrow) as rows:
        for batch in labels.iter_batches():
            rows.write_batch(batch)
    half.replace(output)


def _facts(found: Labelled, task: Task, output: Path) -> dict:
    names = ("rows", "left_out", "n_clusters", "theta", "epsilon", "way", "reason")
    scale = None if task.scale is None else type(task.scale).__name__
    facts = {name: getattr(found, name) for name in names}
    return facts | {"output": str(output), "features": list(task.source.columns), "scale": scale}


def _in_words(found: Labelled, task: Task, output: Path) -> str:
    from theta_app.selection.wording import short

    chained = "" if found.epsilon is None else f", ε = {short(found.epsilon)}"
    scaled = "" if task.scale is None else ", scaled as a fair sample of the rows"
    lines = [f"{found.n_clusters:,} clusters of {found.rows:,} rows at θ = {short(found.theta)}{chained}, {found.way}."]
    lines += [found.reason] if found.reason else []
    lines += [f"Columns: {', '.join(task.source.columns)}{scaled}."]
    lines += [f"Rows with a gap in these columns have no cluster: {found.left_out:,}."] if found.left_out else []
    lines += [f"Pieces done by an earlier run: {found.resumed:,}."] if found.resumed else []
    return "\n".join([*lines, f"Written: {output}"])
