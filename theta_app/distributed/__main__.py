"""Label every row of Parquet files with its cluster, on a Dask cluster or on this machine."""

import argparse
import contextlib
import sys
import time
from pathlib import Path

from theta_app.distributed import DistributedError, connect, on_this_machine
from theta_app.distributed.labelling import Task, label
from theta_app.distributed.parquet import ROWS, Source
from theta_app.engine import METRICS, Metric


def main(arguments=None):
    options = _parser().parse_args(arguments)
    try:
        task = _task(options)
        with connect(options.scheduler) if options.scheduler else on_this_machine(options.workers) as client:
            print(f"{task.source.rows:,} rows in {len(task.source.parts):,} parts", file=sys.stderr)
            found = label(task, options.output, client, _Progress())
    except DistributedError as error:
        return f"\n{error}"
    except KeyboardInterrupt:
        return "\nStopped. What was done is kept: run the same command again to go on."
    _say(found)
    return 0


def _parser():
    parser = argparse.ArgumentParser(prog="python -m theta_app.distributed", description=__doc__)
    parser.add_argument("points", type=Path, help="a Parquet file, or a folder of them")
    parser.add_argument(
        "--theta", required=True, type=_theta, help='a distance, or "auto": the verdict of a fair sample'
    )
    parser.add_argument("--epsilon", type=_length, help="chain clusters closer than this (TNC)")
    parser.add_argument("--columns", type=_names, help="x,y,...; by default all columns of numbers")
    parser.add_argument("--output", required=True, type=Path, help="the Parquet file to write")
    parser.add_argument("--scheduler", help="address of a Dask scheduler; by default processes of this machine")
    parser.add_argument("--workers", type=int, help="processes, where there is no scheduler")
    parser.add_argument("--shuffles", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--metric", default="euclidean", choices=list(METRICS))
    parser.add_argument("--p", type=float, help="of the metric minkowski")
    parser.add_argument("--way", choices=["by shuffle", "by part"], help="by default what the workers' memory allows")
    parser.add_argument("--rows", type=int, default=ROWS, help=f"per part, about; {ROWS:,} by default")
    return parser


def _theta(text):
    return None if text == "auto" else _length(text)


def _length(text):
    value = float(text)
    if not 0 <= value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is not a distance: a number, 0 or more")
    return value


def _names(text):
    return [name.strip() for name in text.split(",")]


def _task(options):
    source = Source.open(options.points, options.columns, options.rows)
    if options.output.resolve() in {Path(part.file).resolve() for part in source.parts}:
        raise DistributedError("The output is one of the files that are read. Name another.")
    settings = {"shuffles": options.shuffles, "seed": options.seed, "way": options.way}
    return Task(source, options.theta, options.epsilon, metric=Metric.of(options.metric, options.p), **settings)


class _Progress:
    """Pieces done, on one line of a terminal, or a line each few seconds of a log."""

    def __init__(self):
        self.terminal = sys.stderr.isatty()
        self.last, self.begun = 0.0, time.monotonic()

    def __call__(self, done, total):
        now = time.monotonic()
        if now - self.last < (0.2 if self.terminal else 5.0) and done < total:
            return
        self.last = now
        end = "\r" if self.terminal and done < total else "\n"
        print(f"{done:,} of {total:,} pieces, {now - self.begun:.0f} s", end=end, file=sys.stderr, flush=True)


def _say(found):
    if found.reason:
        print(found.reason)
    chained = "" if found.epsilon is None else f", ε = {found.epsilon:.6g}"
    print(f"{found.n_clusters:,} clusters of {found.rows:,} rows at θ = {found.theta:.6g}{chained}, {found.way}.")
    if found.left_out:
        print(f"Rows with a gap in these columns have no cluster: {found.left_out:,}.")
    if found.resumed:
        print(f"Pieces that an earlier run had done: {found.resumed:,}.")
    print(f"Written to {found.path}")


if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError):
        sys.exit(main())
