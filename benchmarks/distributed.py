"""On Dask: one process against two workers, and more points than workers may hold. CPU time, peak memory.

The time of a cluster is the CPU time of its busiest worker, with all that Dask does there: what it takes on a machine
that has a core per worker and nothing else to do.
"""

import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd
import psutil
import pyarrow as pa
import pyarrow.parquet as pq
from sklearn.cluster import MiniBatchKMeans

from benchmarks.timing import Row
from theta_app.datasets.uploads.limits import said
from theta_app.distributed import BY_PART, BY_SHUFFLE, on_this_machine, tdg
from theta_app.distributed.labelling import Task, label
from theta_app.distributed.parquet import Source
from theta_app.engine import adjusted_rand
from theta_app.engine import tdg as tdg_here

SHUFFLES = 8
ROWS = 500_000  # per part
LIMIT = 700_000_000  # bytes per worker, out of core; half of it is taken before there are any points
FEW = 4  # shuffles there


def rows():
    """Every measurement, one `Row` at a time."""
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        yield from two_workers(_grid(folder, 10_000_000), 3.6, "10,000,000 × 2")
        yield from two_workers(_blobs(folder, 1_000_000, 50), 14.0, "1,000,000 × 50")
        yield from out_of_core(folder)


# ---- points in files -------------------------------------------------------------------------------------------------


def _grid(folder, n):
    """The paper's hard case with n points, rows in random order: 100 clusters 5 apart. The column k is the cluster."""

    def part(rng, size):
        k = rng.integers(100, size=size)
        return np.stack([5.0 * (k // 10), 5.0 * (k % 10)], axis=1) + rng.normal(size=(size, 2)), k

    return _written(folder / f"grid-{n}.parquet", part, n)


def _blobs(folder, n, d):
    centres = 2.0 * np.random.default_rng(7).normal(size=(30, d))

    def part(rng, size):
        k = rng.integers(30, size=size)
        return centres[k] + rng.normal(size=(size, d)), k

    return _written(folder / f"blobs-{n}.parquet", part, n)


def _written(path, part, n):
    writer = None
    for start in range(0, n, ROWS):
        X, k = part(np.random.default_rng(start), min(ROWS, n - start))
        table = pa.table({**{f"x{j}": X[:, j] for j in range(X.shape[1])}, "k": k.astype(np.int8)})
        writer = writer or pq.ParquetWriter(path, table.schema)
        writer.write_table(table)
    writer.close()
    return path


def _columns(path):
    return [name for name in pq.read_schema(path).names if name != "k"]


# ---- one process, two workers ----------------------------------------------------------------------------------------


def two_workers(path, theta, name):
    """TDG × 8 by shuffle and by part on two workers of one thread, against the engine in one process."""
    columns = _columns(path)
    with on_this_machine(1, memory_limit=0) as client:
        _warm(client, len(columns))
        one, labels = client.submit(_in_one_process, str(path), columns, theta).result()
        alone = said(max(client.run(_peak).values()))
    for way in (BY_SHUFFLE, BY_PART):
        with on_this_machine(2, memory_limit=0) as client:
            _warm(client, len(columns))
            busy = _Busy(client)
            X = Source.open(path, columns, ROWS).frame().to_dask_array(lengths=True)
            found = tdg(X, theta, SHUFFLES, client=client, way=way)
            there = client.compute(found.labels).result()
            took, peaks = busy.most(), busy.peaks()
        agree = _ari(labels, there)
        note = (
            f"peak memory {peaks} against {alone}; ARI {agree:.3f} with the engine; centroids sent {said(found.sent)}"
        )
        yield Row(f"TDG × {SHUFFLES} {way}, two workers: {name}", took, "engine.tdg, one process", one, "", True, note)


def _in_one_process(path, columns, theta):
    """(seconds, labels): reading is part of it, as it is on a cluster."""
    begun = time.process_time()
    X = np.ascontiguousarray(pd.read_parquet(path, columns=columns).to_numpy(np.float64))
    labels = tdg_here(X, theta, SHUFFLES).labels
    return time.process_time() - begun, labels


def _warm(client, d):
    """Workers import and load kernels before anything is timed."""
    client.run(_first, d)


def _first(d):
    from theta_app.distributed import parts

    X = np.random.default_rng(0).normal(size=(5000, d))
    tdg_here(X, 3.0 * d**0.5, 2)
    found = parts.part_runs(X, 3.0 * d**0.5, 2, 0, 0)
    parts.vote_often(found, parts.passes_over(found, 3.0 * d**0.5, 0), 3.0 * d**0.5)


class _Busy:
    """What the workers of a client do from now on."""

    def __init__(self, client):
        self.client, self.before = client, client.run(time.process_time)

    def most(self):
        """CPU seconds of the busiest."""
        after = self.client.run(time.process_time)
        return max(after[worker] - self.before[worker] for worker in self.before)

    def peaks(self):
        """Peak memory of each, in words."""
        return " and ".join(map(said, self.client.run(_peak).values()))


def _peak():
    """Bytes that this process has held at most. (`getrusage` would tell those of the process that started it.)"""
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
        return next(1024 * int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
    except (OSError, StopIteration):
        return psutil.Process().memory_info().rss


def _ari(a, b):
    return adjusted_rand(a.astype(np.int32), b.astype(np.int32), int(a.max()) + 1, int(b.max()) + 1)


# ---- out of core -----------------------------------------------------------------------------------------------------


def out_of_core(folder, n=100_000_000):
    """A file labelled by workers that may hold a part of its points, against mini-batch K-Means on the same parts."""
    path = _grid(folder, n)
    columns = _columns(path)
    task = Task(Source.open(path, columns, ROWS), 3.6, shuffles=FEW, way=BY_PART)
    with on_this_machine(2, memory_limit=LIMIT) as client:
        _warm(client, 2)
        busy = _Busy(client)
        found = label(task, folder / "labels.parquet", client)
        took, peaks = busy.most(), busy.peaks()
    truth = pq.read_table(path, columns=["k"]).column("k").to_numpy()
    ours = _ari(truth, pq.read_table(found.path).column("cluster").to_numpy())
    peer, labels = _mini_batch(task.source)
    note = (
        f"{said(8 * n * len(columns))} of points, {said(LIMIT)} per worker, peak {peaks}; "
        f"ARI with the truth {ours:.3f} against {_ari(truth, labels):.3f} (told K)"
    )
    work = f"Label {n:,} × 2 by part, TDG × {FEW}, two workers"
    yield Row(work, took, "mini-batch K-Means, K = 100, the same parts, one process", peer, "", True, note)


def _mini_batch(source):
    """(seconds, labels): one pass to fit, one to label."""
    begun = time.process_time()
    model = MiniBatchKMeans(100, random_state=0, n_init=3, batch_size=10_000)
    for part in source.parts:
        X = source.read(part).to_numpy()
        for start in range(0, len(X), 10_000):
            model.partial_fit(X[start : start + 10_000])
    labels = np.concatenate([model.predict(source.read(part).to_numpy()).astype(np.int8) for part in source.parts])
    return time.process_time() - begun, labels
