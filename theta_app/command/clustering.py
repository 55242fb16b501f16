"""``theta-app cluster FILE``: the answer of the pages without a browser."""

from __future__ import annotations

import argparse
import csv
import json
import sys
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from theta_app.command import WRONG
from theta_app.command.terminal import Progress, write

if TYPE_CHECKING:
    import pandas as pd

    from theta_app.clustering import Answer
    from theta_app.datasets import Check, Dataset


STANDARD = "-"
_EXAMPLES = """\
examples:
  theta-app cluster customers.csv                         what is found, and how sure that is
  theta-app cluster customers.csv --output labels.csv     and every row with its cluster (-1: outliers)
  theta-app cluster customers.csv --columns age,income --scale standard --theta 0.8 -o labels.csv
  theta-app cluster customers.csv --report report.html --notebook report.ipynb
  theta-app cluster customers.csv --json > answer.json
  cat customers.csv | theta-app cluster - > labels.csv
  theta-app cluster points.parquet --output labels.parquet --scheduler local      more rows than fit in memory

exit codes: 0 done; 1 the file or a choice does not work, and a sentence says why; 2 wrong options; 130 interrupted
"""


def parser() -> argparse.ArgumentParser:
    """The options of `theta-app cluster`."""
    from theta_app.clustering import ALGORITHMS
    from theta_app.datasets import FORMATS, SCALINGS, SPACES, WAYS
    from theta_app.engine import METRICS

    found = argparse.ArgumentParser(
        prog="theta-app cluster",
        description="Cluster a file without a browser. What you do not choose is as the dashboard recommends.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    found.add_argument("file", help=f"{'; '.join(FORMATS)}. {STANDARD} reads from standard input")
    found.add_argument(
        "-o",
        "--output",
        help="every row of the file with its cluster, as CSV, or as Parquet if its name ends so; by default standard "
        "output where that is a file or a pipe",
    )
    data = found.add_argument_group("the data")
    data.add_argument("--columns", type=_names, help='a,b,"c, d"; by default the recommended ones')
    data.add_argument("--scale", choices=list(SCALINGS))
    data.add_argument("--missing", choices=list(WAYS), help="what to do with rows that have a gap")
    data.add_argument("--metric", choices=list(METRICS), help="how distances are measured")
    data.add_argument("--p", type=float, help="power of the metric minkowski")
    data.add_argument("--space", choices=list(SPACES), help="cluster in the columns, or in a space made from them")
    data.add_argument("--components", type=int, help="coordinates of that space")
    data.add_argument("--sheet", help="sheet of a spreadsheet; by default the first with content")
    how = found.add_argument_group("the clusters")
    how.add_argument(
        "--theta", type=_length, help="a distance in units of the prepared columns; by default the verdict's"
    )
    how.add_argument("--epsilon", type=_length, help="chain clusters closer than this (TNC)")
    how.add_argument("--algorithm", choices=ALGORITHMS, help="by default the verdict's")
    how.add_argument("--shuffles", type=_positive, default=50)
    how.add_argument("--seed", type=_whole, default=0)
    more = found.add_argument_group("what else is written")
    more.add_argument("--report", type=Path, help="a page of HTML with the answer, pictures and settings")
    more.add_argument("--notebook", type=Path, help="a Jupyter notebook that reproduces the result")
    more.add_argument("--json", action="store_true", help="print the answer as JSON on standard output")
    more.add_argument("-q", "--quiet", action="store_true", help="print no answer")
    dask = found.add_argument_group("more than fits in memory (Parquet or CSV), on Dask")
    dask.add_argument("--scheduler", help='the address of a Dask scheduler, or "local" for processes on this machine')
    dask.add_argument("--workers", type=_positive, help="how many processes on this machine")
    dask.add_argument("--way", choices=["by shuffle", "by part"], help="by default what the workers' memory allows")
    dask.add_argument("--rows", type=_positive, help="rows per part, roughly; a million by default")
    return found


def run(arguments: list[str]) -> int:
    """Cluster a file as the options say; returns the exit code."""
    parsing = parser()
    options = parsing.parse_args(arguments)
    if fault := _contradiction(options):
        parsing.error(fault)
    warnings.simplefilter("ignore")  # of libraries: what a person should know is said in a sentence
    try:
        if options.scheduler is not None:
            from theta_app.command import on_dask

            return on_dask.run(options, preparation_changes)
        return _cluster(options)
    except (ValueError, LookupError, ImportError, MemoryError) as error:
        print(f"theta-app: {_sentence(options, error)}", file=sys.stderr)
    except BrokenPipeError:
        raise
    except OSError as error:
        print(f"theta-app: {error.filename or options.file}: {error.strerror or error}", file=sys.stderr)
    return WRONG


def _cluster(options: argparse.Namespace) -> int:
    from theta_app.clustering import answer
    from theta_app.datasets import check, csv_bytes

    progress = Progress()
    try:
        data = _data(options, progress)
        chosen = (options.algorithm, options.theta, options.epsilon, options.shuffles, options.seed)
        found = answer(data, *chosen, progress=progress.of("Sweeping θ"), n_jobs=-1)
        table = found.clustering.table() if _labels_go_to(options) is not None else None
    finally:
        progress.done()
    written = list(_written(options, found, table))
    if not options.quiet or options.json:
        said = _as_json(found, check(data)) if options.json else _in_words(found, check(data), written)
        print(said, file=sys.stderr if _labels_go_to(options) == STANDARD else sys.stdout, flush=True)
    if _labels_go_to(options) == STANDARD:
        sys.stdout.buffer.write(csv_bytes(table))
        sys.stdout.buffer.flush()
    return 0


# ---- what was asked for ----------------------------------------------------------------------------------------------


def _contradiction(options: argparse.Namespace) -> str:
    """What cannot be meant, in a few words; empty where nothing is wrong."""
    if options.file.partition("://")[0].lower() in ("http", "https", "ftp", "s3"):
        return f"{options.file} is an address. Download the file first: this command fetches nothing."
    if options.json and options.output == STANDARD:
        return "--json and --output - would both go to standard output: give --output a file."
    if options.notebook and options.file == STANDARD:
        return "--notebook reads the file again, and standard input can be read only once: give a file."
    if options.epsilon is not None and options.algorithm in ("TDG", "TSG"):
        return f"--epsilon chains clusters (TNC), and --algorithm is {options.algorithm}."
    if options.p is not None and options.metric != "minkowski":
        return "--p belongs to --metric minkowski."
    same = [name for name in (options.output, options.report, options.notebook) if _is_input(name, options.file)]
    return f"{same[0]} is the input file: name another." if same else ""


def _is_input(name: str | Path | None, file: str) -> bool:
    return name is not None and STANDARD not in (str(name), file) and Path(name).resolve() == Path(file).resolve()


def _labels_go_to(options: argparse.Namespace) -> str | None:
    """A path, or standard output; None where nobody asked for labels."""
    if options.output is not None or options.json:
        return options.output
    return None if sys.stdout.isatty() or options.quiet else STANDARD


def _data(options: argparse.Namespace, progress: Progress) -> Dataset:
    from theta_app.datasets import choices, parse_upload
    from theta_app.files import read

    share = progress.of(f"Reading {options.file if options.file != STANDARD else 'standard input'}")
    name, content = _content(options.file)
    table = parse_upload(name, content, progress=lambda part: share(part, 1.0), sheet=options.sheet)
    columns = options.columns and choices.only(table, options.columns)
    return read(table, **preparation_changes(options, columns), progress=progress.of("Computing the space"))


def preparation_changes(options: argparse.Namespace, columns: Sequence[str] | None) -> dict:
    """The choices of a `Preparation` that were made, by name."""
    from theta_app.engine import Metric

    metric = options.metric and Metric.of(options.metric, options.p)
    given = {
        "columns": columns,
        "scaling": options.scale,
        "missing": options.missing,
        "metric": metric,
        "space": options.space,
        "components": options.components,
    }
    return {name: value for name, value in given.items() if value is not None}


def _content(file: str) -> tuple[str, bytes]:
    """(name, bytes) of the file; of one that is too large nothing is read, or no more than shows that it is."""
    from theta_app.datasets.uploads.limits import MAX_BYTES, check_bytes

    if file == STANDARD:
        content = sys.stdin.buffer.read(MAX_BYTES + 1)
        check_bytes(len(content))
        return "standard input", content
    path = Path(file)
    check_bytes(path.stat().st_size)
    return path.name, path.read_bytes()


def _names(text: str) -> tuple[str, ...]:
    """Names between commas; one that has a comma stands in quotes, as in a CSV file."""
    return tuple(name.strip() for name in next(csv.reader([text], skipinitialspace=True)))


def _length(text: str) -> float:
    value = float(text)
    if not 0 <= value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is not a distance: a number, 0 or more")
    return value


def _whole(text: str) -> int:
    value = int(text)
    if value < 0:
        raise argparse.ArgumentTypeError(f"{text} is not a whole number, 0 or more")
    return value


def _positive(text: str) -> int:
    if _whole(text) == 0:
        raise argparse.ArgumentTypeError("it must be 1 or more")
    return int(text)


# ---- what is said ----------------------------------------------------------------------------------------------------


def _sentence(options: argparse.Namespace, error: Exception) -> str:
    """What went wrong; for a file that is too large the way to cluster it all the same."""
    from theta_app.datasets.uploads.limits import TooLarge

    said = str(error) or type(error).__name__
    if not isinstance(error, TooLarge | MemoryError):
        return said
    if options.file == STANDARD:
        return f"{said}\nSave it as a file: then --scheduler local reads it in parts."
    output = options.output if options.output not in (None, STANDARD) else "labels.parquet"
    return (
        f"{said}\nOr let Dask read it in parts, with the same command and a scheduler:\n  theta-app cluster "
        f"{options.file} --output {output} --scheduler local"
    )


def _in_words(found: Answer, checked: Check, written: list[str]) -> str:
    from theta_app.report import summary

    lines = [*summary(found.clustering, found.verdict), checked.sentence]
    lines += [f"Look at this: {warning}" for warning in checked.warnings]
    lines += [f"Written: {', '.join(written)}"] if written else []
    return "\n".join(lines)


def _as_json(found: Answer, checked: Check) -> str:
    from theta_app.report import verdict_facts

    facts = found.clustering.settings() | {"verdict": verdict_facts(found.verdict)}
    facts |= {"columns": checked.sentence, "warnings": list(checked.warnings)}
    return json.dumps(facts, indent=2, ensure_ascii=False)


def _written(options: argparse.Namespace, found: Answer, table: pd.DataFrame) -> Iterator[str]:
    """Write the files that were asked for; yields their names."""
    from theta_app import datasets, report

    if options.output not in (None, STANDARD):
        path = Path(options.output)
        write(path, _parquet(table) if path.suffix == ".parquet" else datasets.csv_bytes(table))
        yield str(path)
    if options.report or options.notebook:
        described = report.Report.of(found.clustering, found.verdict, found.sweep and found.sweep.table)
    if options.report:
        write(options.report, report.page(described).encode())
        yield str(options.report)
    if options.notebook:
        write(options.notebook, report.notebook(described).encode())
        yield str(options.notebook)


def _parquet(table: pd.DataFrame) -> bytes:
    import io

    content = io.BytesIO()
    table.to_parquet(content, index=False)
    return content.getvalue()
