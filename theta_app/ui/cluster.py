"""The cluster that the operator has named (THETA_SCHEDULER): sweeps run there, and all rows of a file are labelled.

Without one, or while it does not answer, this machine computes.
"""

import hashlib
import importlib.util
import logging
import os
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from theta_app import selection
from theta_app.engine import Cancel, Metric, Progress
from theta_app.engine.files import cache_folder
from theta_app.ui.jobs import CORES, LABELLING, QUEUE, Job, Task
from theta_app.ui.session import Settings

LOG = logging.getLogger("theta_app")
_AGAIN = 30.0  # seconds until a cluster that did not answer is asked again
_PATIENCE = 1.0  # seconds that a page waits for one that is asked for the first time
_LABELLING_PATIENCE = 15.0  # and labelling, which is for the cluster if there is one
_MOST_RESULTS = 5  # files of labels that are kept; the oldest go first
_STOPPED = "Stopped. Finished work is kept; the next run continues from there."


def address() -> str:
    """Of the scheduler; empty where there is none."""
    return os.environ.get("THETA_SCHEDULER", "").strip()


def has_dask() -> bool:
    """Whether Dask is installed here."""
    return importlib.util.find_spec("distributed") is not None


class _Connection:
    """The one client of this server.

    A scheduler that does not answer takes ten seconds to be given up. Only the first of them are waited for: this
    machine does the work for now."""

    def __init__(self) -> None:
        self.client, self.of, self.asked = None, "", -_AGAIN
        self.lock, self.known = threading.Lock(), threading.Event()

    def get(self, patience: float | None = None) -> Any:
        """The client, or None where there is no cluster, or none that has answered so soon after it was asked."""
        wanted = address()
        if not wanted or not has_dask():
            return None
        with self.lock:
            answers = self.client is not None and self.client.status == "running"
            again = self.known.is_set() and not answers and time.monotonic() - self.asked > _AGAIN
            if self.of != wanted or again:
                self.client, self.of, self.asked, self.known = None, wanted, time.monotonic(), threading.Event()
                threading.Thread(target=self._connect, args=(wanted, self.known), daemon=True).start()
            known, left = self.known, self.asked + (_PATIENCE if patience is None else patience) - time.monotonic()
        known.wait(max(left, 0.0))
        client = self.client
        return client if client is not None and client.status == "running" else None

    def _connect(self, wanted: str, known: threading.Event) -> None:
        from theta_app.distributed import DistributedError, connect

        try:
            client = connect(wanted)
            CORES.places = max(CORES.places, sum(client.nthreads().values()))
            if wanted == self.of:
                self.client = client  # type: ignore[assignment]
        except DistributedError as error:
            LOG.warning("%s This machine does the work for now.", error)
        finally:
            known.set()


CONNECTION = _Connection()


def complaint() -> str:
    """A sentence where a cluster is named and does not answer; empty otherwise."""
    if not address() or CONNECTION.get() is not None:
        return ""
    if not has_dask():
        return "THETA_SCHEDULER names a cluster, but Dask is not installed here. This machine does the work."
    return f"The cluster at {address()} does not answer. This machine does the work for now."


class _Unwanted:
    """Set when nobody waits any more, and when the cluster has gone."""

    def __init__(self, client: Any, cancel: Cancel | None) -> None:
        self.client, self.cancel = client, cancel

    def is_set(self) -> bool:
        return self.cancel.is_set() or self.client.status != "running"


def evaluated(
    plan: selection.SweepPlan, want: selection.Want, runs: selection.Runs | None, cancel: selection.Cancel
) -> selection.ThetaPoint | None:
    """What is wanted at a θ of a plan, computed on the cluster; None where this machine has to do it."""
    client = CONNECTION.get()
    if client is None:
        return None
    options = {"executor": client.get_executor(pure=False), "cancel": _Unwanted(client, cancel)}
    try:
        return next(selection.in_executor(plan, [want], {want.theta: runs}, **options))
    except selection.Cancelled:
        if cancel.is_set():
            raise
    except Exception:  # whatever a cluster does: the answer can be had here
        LOG.exception("the cluster gave no answer; this machine computes")
    return None


# ---- all rows of a file ----------------------------------------------------------------------------------------------


class LabelRun:
    """All rows of a file being labelled, whether anybody looks or not. One at a time per server; others wait.

    ``queued`` says whether it waits, and how many pieces are done; ``trouble`` in a sentence why it ended early.
    """

    def __init__(self, task: Any, name: str) -> None:
        self.task, self.path = task, _results() / f"{name}-{_key(task)}.parquet"
        self.found: Any
        self.active, self.found, self.trouble = True, None, ""
        (self.queued,) = QUEUE.hold(self, [Job(self, self._run, lane=LABELLING)])

    def stop(self) -> None:
        """Stop labelling; one that still waits leaves the queue."""
        if self.queued.waiting:
            self.active, self.trouble = False, _STOPPED
        QUEUE.let_go([self.queued])

    def _run(self, report: Progress, cancel: Task) -> None:
        from theta_app.distributed import DistributedError

        try:
            self._label(report, cancel)
        except selection.Cancelled:
            self.trouble = _STOPPED
        except (DistributedError, OSError, ValueError) as error:
            self.trouble = str(error)
        except Exception:
            LOG.exception("labelling broke")
            self.trouble = "Labelling stopped early; the server's log has the details."
        finally:
            self.active = False
            QUEUE.let_go([cancel])

    def _label(self, report: Progress, cancel: Task) -> None:
        from theta_app.distributed.cluster import in_use
        from theta_app.distributed.labelling import label

        _make_room(self.path)
        with in_use(CONNECTION.get(_LABELLING_PATIENCE)) as client:
            self.found = label(self.task, self.path, client, report, cancel)


def task_of(
    files: Sequence[Path],
    columns: list[str],
    settings: Settings,
    theta: float,
    epsilon: float | None,
    metric: Metric,
    scale: Any,
) -> Any:
    """What `LabelRun` does: every row of some files at the θ (and ε) of some settings."""
    from theta_app.distributed.labelling import Task
    from theta_app.distributed.parquet import Source

    chosen = {"shuffles": settings.shuffles, "seed": settings.seed, "metric": metric, "scale": scale}
    return Task(Source.open(files, columns), theta, epsilon, **chosen)


def _results() -> Path:
    """Where labels are kept: THETA_CACHE, by default the account's cache folder."""
    return Path(os.environ.get("THETA_CACHE") or cache_folder()) / "labels"


def _key(task: Any) -> str:
    files = sorted({part.file for part in task.source.parts})
    return hashlib.sha256(repr((task.digest, files)).encode()).hexdigest()[:12]


def _make_room(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    kept = sorted(path.parent.glob("*.parquet"), key=lambda file: file.stat().st_mtime)
    for old in kept[: max(0, len(kept) + 1 - _MOST_RESULTS)]:
        old.unlink(missing_ok=True)
