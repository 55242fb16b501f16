"""Every row of Parquet files labelled on a cluster, piece by piece: a run that was killed goes on where it was.

Pieces are kept in a folder beside the result, each written under another name first, so that what is there is whole;
so is the result itself. The folder says what it is of, and another θ begins anew. The name of a piece says what it was
made from, so that a file which has changed is read again, and others are not.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import dask
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from dask.delayed import Delayed
from distributed import Client

from theta_app.distributed import parts
from theta_app.distributed.algorithms import (
    AT_ONCE,
    BY_SHUFFLE,
    Watch,
    centroids_of_passes,
    fair_rows,
    shuffle_groups,
    way_for,
)
from theta_app.distributed.cluster import DistributedError, in_words
from theta_app.distributed.parquet import Part, Source
from theta_app.distributed.points import as_points
from theta_app.engine import EUCLIDEAN, Cancel, Metric, Progress, spanning_tree
from theta_app.selection import most_points, verdict

if TYPE_CHECKING:
    import pandas as pd


_Work = tuple[list[str], Callable[[Sequence[int]], list]]  # pieces by name, and (name, delayed) of those at positions
_FORMAT = 1  # of the pieces: others are not taken up


@dataclass(frozen=True, eq=False)
class Task:
    """What to label, and how."""

    source: Source
    theta: float | None  # None takes the verdict of a fair sample
    epsilon: float | None = None  # where clusters are chained (TNC)
    shuffles: int = 50
    seed: int = 0
    metric: Metric = EUCLIDEAN
    # object with ``apply(X, columns)``: changes the points of a part where they are, before distances are measured
    scale: Any = None
    way: str | None = None  # as for `tdg`

    def points(self, frame: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
        """(points of a part's complete rows, which rows these are)."""
        X = frame.to_numpy(np.float64)
        complete = np.isfinite(X).all(axis=1)
        X = np.ascontiguousarray(X[complete])
        if self.scale is not None and len(X):
            self.scale.apply(X, self.source.columns)
        return X, complete

    @property
    def for_workers(self) -> Task:
        """The task without its list of parts."""
        return replace(self, source=replace(self.source, parts=()))

    @property
    def digest(self) -> str:
        """What a folder of pieces is of: every setting."""
        scale = None if self.scale is None else [repr(type(self.scale)), repr(vars(self.scale))]
        settings = (self.theta, self.epsilon, self.shuffles, self.seed, self.metric.text, scale, self.way)
        return _digest(_FORMAT, settings, self.source.columns, self.source.index)


def _digest(*values: object) -> str:
    return hashlib.sha256(json.dumps(values).encode()).hexdigest()[:16]


def _state(part: Part) -> str:
    """What a piece made from a part depends on: its rows, and its file as it is now."""
    found = os.stat(part.file)
    return _digest(asdict(part), found.st_size, found.st_mtime_ns)


@dataclass(frozen=True, eq=False)
class Labelled:
    """What was done."""

    path: Path  # of the file: a row per row of the source, with its index and the column "cluster"
    # rows, left_out: all rows, and those of them with a gap, whose cluster is empty
    rows: int
    left_out: int
    n_clusters: int
    theta: float
    epsilon: float | None
    way: str
    resumed: int = 0  # pieces that an earlier run had done
    reason: str = ""  # why this θ, where it was not given


def label(
    task: Task, output: str | Path, client: Client, progress: Progress | None = None, cancel: Cancel | None = None
) -> Labelled:
    """Label every row of a task's source into the Parquet file `output`; returns a `Labelled`.

    ``progress(done, total)`` counts pieces, with those of an earlier run; it may raise, and `cancel` may be set: the
    next run goes on. DistributedError with a sentence where the work cannot go on.
    """
    parts.with_means(task.metric)
    with in_words():
        return _Run(task, Path(output), client, progress, cancel).result()


@dataclass(eq=False)
class _Run:
    task: Task
    output: Path
    client: Client
    progress: Progress | None = None
    cancel: Cancel | None = None
    resumed: int = 0
    done: int = 0
    unreadable: list = field(default_factory=list)

    def result(self) -> Labelled:
        task = self.task
        self.pieces = _Pieces(self.output, task.digest)
        self.states = list(map(_state, task.source.parts))
        chosen: dict[str, Any]
        chosen = (
            self.pieces.settled("theta", self._verdict) if task.theta is None else {"theta": task.theta, "reason": ""}
        )
        self.task = replace(task, theta=chosen["theta"], epsilon=chosen.get("epsilon", task.epsilon))
        self.way = self.pieces.settled("way", lambda: task.way or way_for(self._shape, self.client))
        first, load = self._shuffles() if self.way == BY_SHUFFLE else self._parts()
        self.total = len(first[0]) + len(task.source.parts)
        self._do(*first)
        centroids = load()
        labelled, assignments = self._assignments(centroids)
        self._do(labelled, assignments)
        n_clusters, left_out = self._write(centroids, labelled)
        self.pieces.remove()
        rows = task.source.rows
        found = (n_clusters, self.task.theta, self.task.epsilon, self.way, self.resumed, chosen["reason"])
        return Labelled(self.output, rows, left_out, *found)

    @property
    def _shape(self) -> tuple[int, int]:
        return self.task.source.rows, len(self.task.source.columns)

    def _verdict(self) -> dict:
        """θ, and ε where there is one, from a fair sample."""
        task = self.task
        X = fair_rows(
            as_points(task.source.frame()), most_points(self._shape[1]), Watch(self.client, None, self.cancel)
        )
        X = X[np.isfinite(X).all(axis=1)]
        if len(X) == 0:
            raise DistributedError("No row has a number in every column: there is nothing to cluster.")
        if task.scale is not None:
            task.scale.apply(X, task.source.columns)
        options = {"metric": task.metric, "executor": self.client.get_executor(pure=False)}
        found = verdict(X, task.shuffles, task.seed, cancel=self.cancel, **options)
        if found.algorithm is None:
            raise DistributedError(f"No θ is clear in a fair sample of {len(X):,} rows. {found.reason} Give a θ.")
        return {"theta": found.theta, "epsilon": found.epsilon, "reason": found.reason}

    # ---- pieces ------------------------------------------------------------------------------------------------------

    def _shuffles(self) -> tuple[_Work, Callable[[], np.ndarray]]:
        task, groups = self.task.for_workers, shuffle_groups(self.task.shuffles, 4)
        names = [f"shuffles-{group.start:05}-{len(group)}-{_digest(self.states)}" for group in groups]

        def tasks(missing: Sequence[int]) -> list[tuple[str, Delayed]]:
            read = dask.delayed(_read)
            every = [read(task, part) for part in self.task.source.parts]
            whole = self.client.compute(dask.delayed(_whole)(every))
            work = dask.delayed(_shuffle_piece)
            return [(names[i], work(whole, task, groups[i])) for i in missing]

        def load() -> np.ndarray:
            found = [self.pieces.load(name) for name in names]
            runs = [run for piece in found for run in np.split(piece["centroids"], piece["starts"][1:-1])]
            return parts.vote(runs, task.theta, task.metric)

        return (names, tasks), load

    def _parts(self) -> tuple[_Work, Callable[[], np.ndarray]]:
        task, work = self.task.for_workers, dask.delayed(_part_piece)
        names = [f"centroids-{number:05}-{state}" for number, state in enumerate(self.states)]

        def tasks(missing: Sequence[int]) -> list[tuple[str, Delayed]]:
            return [(names[i], work(task, self.task.source.parts[i], i)) for i in missing]

        def load() -> np.ndarray:
            found = parts.Found.of([(np.empty((0, self._shape[1])), np.empty(0))] * task.shuffles)
            for at in range(0, len(names), AT_ONCE):  # no more than these are in memory
                some = [parts.Found(**self.pieces.load(name)) for name in names[at : at + AT_ONCE]]
                found = parts.joined([found, *some], task.theta, task.metric)
            if not len(found.counts):
                raise DistributedError("No row has a number in every column: there is nothing to cluster.")
            runs = parts.passes_over(found, task.theta, task.seed, task.metric)
            return parts.vote_often(found, runs, task.theta, task.metric)

        return (names, tasks), load

    def _assignments(self, centroids: np.ndarray) -> _Work:
        task, work = self.task.for_workers, dask.delayed(_label_piece)
        around = hashlib.sha256(centroids).hexdigest()[:16]  # type: ignore[arg-type]
        names = [f"labels-{number:05}-{state}-{around}" for number, state in enumerate(self.states)]

        def tasks(missing: Sequence[int]) -> list[tuple[str, Delayed]]:
            sent = self.client.scatter(centroids, hash=False)
            return [(names[i], work(task, self.task.source.parts[i], sent)) for i in missing]

        return names, tasks

    def _do(self, names: list[str], tasks: Callable[[Sequence[int]], list]) -> None:
        """Do what is missing of some pieces; those that cannot be read do not keep the others from being done."""
        missing = [i for i, name in enumerate(names) if not self.pieces.has(name)]
        known = len(names) - len(missing)
        self.resumed += known
        self._count(known)
        if not missing:
            return
        for name, value in Watch(self.client, None, self.cancel).as_they_come(tasks(missing)):
            if isinstance(value, str):
                self.unreadable.append(value)
            else:
                self.pieces.keep(name, value)
                self._count(1)
        if self.unreadable:
            more = f" The same is true of {len(self.unreadable) - 1} more." if len(self.unreadable) > 1 else ""
            raise DistributedError(
                f"{self.unreadable[0]}.{more} Nothing was written. All other parts are done and kept: repair the "
                "file, or leave it out, and run the same command again."
            )

    def _count(self, pieces: int) -> None:
        self.done += pieces
        if self.progress is not None:
            self.progress(self.done, self.total)

    # ---- the result --------------------------------------------------------------------------------------------------

    def _write(self, centroids: np.ndarray, names: Sequence[str]) -> tuple[int, int]:
        """Put the pieces together into the result; returns (number of clusters, rows without a cluster)."""
        task, sums, left_out = self.task, parts.Sums(*centroids.shape), 0
        for name in names:
            piece = self.pieces.load(name)
            sums.add(piece["means"], piece["sizes"])
        numbers, means, sizes = sums.kept()
        if task.epsilon is not None:
            chain = np.unique(spanning_tree(means, metric=task.metric).cut(task.epsilon), return_inverse=True)[1]
            numbers = np.where(numbers >= 0, chain[numbers], -1)
        n_clusters = int(numbers.max()) + 1
        said = {"theta": task.theta, "epsilon": task.epsilon, "way": self.way, "n_clusters": n_clusters}
        said |= {"columns": task.source.columns, "centroids": means.tolist(), "sizes": sizes.tolist()}
        unfinished, writer = self.output.with_name(self.output.name + ".unfinished"), None
        try:
            for name, part in zip(names, task.source.parts):
                found = self.pieces.load(name)["labels"]
                left_out += int((found < 0).sum())
                table = _table(task.source, part, numbers, found)
                if writer is None:
                    schema = table.schema.with_metadata({"theta_app": json.dumps(said)})
                    writer = pq.ParquetWriter(unfinished, schema)
                writer.write_table(table.cast(writer.schema))
        finally:
            if writer is not None:
                writer.close()
        os.replace(unfinished, self.output)
        return n_clusters, left_out


def _table(source: Source, part: Part, numbers: np.ndarray, found: np.ndarray) -> pa.Table:
    """A part of the result: the rows' own index, and the column "cluster", empty where a row had a gap."""
    clusters = pa.array(numbers[found], mask=found < 0, type=pa.int32())
    index = source.read_index(part)
    return pa.table({**index, "cluster": clusters})


class _Pieces:
    """What has been done of a task, in a folder beside its result."""

    def __init__(self, output: Path, digest: str) -> None:
        self.folder = output.with_name(output.name + ".parts")
        try:
            output.parent.mkdir(parents=True, exist_ok=True)
            if self._said("task") != digest:
                self.remove()
                self.folder.mkdir()
                self._say("task", digest)
        except OSError as error:
            raise DistributedError(f"Nothing can be written beside {output}: {error.strerror or error}.") from error

    def _said(self, name: str) -> Any:
        try:
            return json.loads((self.folder / f"{name}.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None

    def _say(self, name: str, value: object) -> None:
        self._whole(f"{name}.json", lambda path: path.write_text(json.dumps(value), encoding="utf-8"))

    def settled(self, name: str, make: Callable[[], Any]) -> Any:
        """A value that a run decides once for all runs that go on from it."""
        value = self._said(name)
        if value is None:
            value = make()
            self._say(name, value)
        return value

    def has(self, name: str) -> bool:
        return (self.folder / f"{name}.npz").exists()

    def keep(self, name: str, arrays: dict[str, np.ndarray]) -> None:
        self._whole(f"{name}.npz", lambda path: np.savez(path, **arrays))  # type: ignore[arg-type]

    def load(self, name: str) -> dict[str, np.ndarray]:
        with np.load(self.folder / f"{name}.npz") as kept:
            return dict(kept)

    def _whole(self, name: str, write: Callable[[Path], object]) -> None:
        """Write a file that is either not there or whole, whenever the process is killed."""
        unfinished = self.folder / f"unfinished-{name}"
        try:
            write(unfinished)
            os.replace(unfinished, self.folder / name)
        except OSError as error:
            raise DistributedError(f"{self.folder} cannot be written to: {error.strerror or error}.") from error

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


# ---- on a worker -----------------------------------------------------------------------------------------------------


def _read(task: Task, part: Part) -> tuple[np.ndarray, np.ndarray] | str:
    """(points, which rows they are of) of a part, or a sentence where it cannot be read."""
    try:
        return task.points(task.source.read(part))
    except (DistributedError, ValueError) as error:
        return str(error)


def _whole(every: Sequence[tuple[np.ndarray, np.ndarray] | str]) -> np.ndarray | str:
    """The points of all parts, or the first sentence where one cannot be read."""
    return next((read for read in every if isinstance(read, str)), None) or np.concatenate([X for X, _ in every])  # type: ignore[str-unpack]


def _shuffle_piece(X: np.ndarray | str, task: Task, shuffles: range) -> dict[str, np.ndarray] | str:
    if isinstance(X, str):
        return X
    runs = centroids_of_passes(X, task.theta, task.seed, shuffles, task.metric)
    return {"centroids": np.concatenate(runs), "starts": np.concatenate([[0], np.cumsum(list(map(len, runs)))])}


def _part_piece(task: Task, part: Part, number: int) -> dict[str, np.ndarray] | str:
    read = _read(task, part)
    if isinstance(read, str):
        return read
    found = parts.part_runs(read[0], task.theta, task.shuffles, task.seed, number, task.metric)
    return {"centroids": found.centroids, "counts": found.counts, "starts": found.starts}


def _label_piece(task: Task, part: Part, centroids: np.ndarray) -> dict[str, np.ndarray] | str:
    read = _read(task, part)
    if isinstance(read, str):
        return read
    X, complete = read
    near = parts.assigned(X, centroids, task.metric)
    means, sizes = parts.totals(X, near, len(centroids))
    labels = np.full(len(complete), -1, np.int32)
    labels[complete] = near
    return {"labels": labels, "means": means, "sizes": sizes}
