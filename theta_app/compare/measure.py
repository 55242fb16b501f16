"""One measurement: a method run on points, timed and scored. Every page takes its numbers and times from here."""

import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from threadpoolctl import ThreadpoolController

from theta_app import metrics
from theta_app.compare.methods import METHODS, Outcome
from theta_app.compare.variants import ELBOW, Variant
from theta_app.datasets import FetchError
from theta_app.engine import Metric, SilhouetteSample, fair_sample
from theta_app.selection import count_outlier_chains, count_outlier_clusters, keep_largest, size_elbow

OK, FAILED, OVER, LEFT_OUT = "ok", "failed", "over its time", "left out"

TIME = "Time is processor time of the method alone, on one thread."
"""What ``seconds`` means, for the pages that show it. What else the machine does hardly changes it."""


@dataclass(frozen=True, eq=False)
class Measurement:
    """What a variant found, how good that is, and how long it took.

    Attributes
    ----------
    label, method, parameters : str
        As shown, as a key of `METHODS`, and in words.
    status : str
        `OK`, `FAILED` or `LEFT_OUT`.
    note : str
        How it ran, or why there is no result; may be empty.
    labels : (n,) array of int, or None without a result
        Cluster of each point; -1 is noise.
    centroids : (K, d) array, or None without a result
        The method's own; the means of its clusters where it has none.
    n_clusters : int, or None without a result
        Noise not counted.
    elbow : int, or None without a result
        Clusters before the drop in size (`theta_app.selection.size_elbow`).
    scores : dict of name -> float
        NaN where undefined. Noise counts as one more cluster.
    seconds : float
        Processor time of the method alone, on one thread; NaN without a result.
    """

    label: str
    method: str
    parameters: str
    status: str
    note: str
    labels: np.ndarray | None
    centroids: np.ndarray | None
    n_clusters: int | None
    elbow: int | None
    scores: dict
    seconds: float

    @cached_property
    def outliers(self) -> int:
        """How many of its clusters are only a few outliers, which K does not count on pages; 0 without a result."""
        sizes: Any = [] if self.failed else np.unique(self.labels[self.labels >= 0], return_counts=True)[1]  # type: ignore[index, operator]
        return (count_outlier_chains if self.method == "tnc" else count_outlier_clusters)(sizes) if len(sizes) else 0

    @property
    def failed(self) -> bool:
        """Whether there is no result; ``note`` says why."""
        return self.status != OK


def measure(
    variant: Variant,
    X: np.ndarray,
    seed: int = 0,
    truth: np.ndarray | None = None,
    *,
    order: np.ndarray | None = None,
    rows: np.ndarray | None = None,
    tolerance: float | None = None,
    scores: Iterable[str] | None = None,
    sample: SilhouetteSample | None = None,
    ran: tuple[Outcome, float] | None = None,
) -> Measurement:
    """Run a variant, time it and score what it finds.

    A method that cannot run here does not raise: its `Measurement` says why in its note.

    Parameters
    ----------
    variant : Variant
    X : (n, d) array
    seed : int
    truth : (n,) array of int, optional
    order : (n,) array of int, optional
        Positions in the order in which they are visited; by default that of the rows. Labels come back in the order of
        the rows.
    rows : (m,) array of int, optional
        Positions of the points that are scored and whose labels are returned, where the method runs on more than that.
    tolerance : float, optional
        How near a centroid counts as met in the SSD score; by default a tenth of a typical class's radius.
    scores : iterable of str, optional
        Names of `SCORES`; by default all.
    sample : SilhouetteSample, optional
        Of the scored points, where it is at hand: all silhouettes are of the same points.
    ran : (Outcome, float), optional
        What it has found on these points in their order, and the processor time it took: it is not run again.

    Returns
    -------
    Measurement
    """
    names = list(metrics.SCORES if scores is None else scores)
    if variant.left_out:
        return _without_result(variant, names, LEFT_OUT, variant.left_out)
    try:
        X = np.ascontiguousarray(X, dtype=np.float64)
        if ran is None:
            _warm_up(variant, X)
        outcome, seconds = ran or _timed(variant, X, seed, order)
        if rows is not None:
            X, truth = X[rows], None if truth is None else truth[rows]
            outcome = Outcome(outcome.labels[rows], outcome.centroids, outcome.note)
        return _scored(variant, X, truth, outcome, seconds, names, tolerance, sample)
    except Exception as error:  # a library's own trouble is that method's result, not the end of the comparison
        return _without_result(variant, names, FAILED, trouble(error))


def trouble(error: Exception) -> str:
    """Why something gave no result, as a sentence."""
    if isinstance(error, MemoryError):
        return "It needs more memory than there is."
    if isinstance(error, (ValueError, LookupError, FetchError)):
        return str(error.args[0] if error.args else error)
    return f"{type(error).__name__}: {str(error)[:300]}"


def _without_result(variant: Variant, names: Iterable[str], status: str, note: str) -> Measurement:
    empty = dict.fromkeys(names, np.nan)
    return Measurement(
        variant.label, variant.method, variant.in_words, status, note, None, None, None, None, empty, np.nan
    )


def _scored(
    variant: Variant,
    X: np.ndarray,
    truth: np.ndarray | None,
    outcome: Outcome,
    seconds: float,
    names: Sequence[str],
    tolerance: float | None,
    sample: SilhouetteSample | None,
) -> Measurement:
    labels = outcome.labels
    centroids = _means(X, labels) if outcome.centroids is None else outcome.centroids
    inside = labels[labels >= 0]
    return Measurement(
        label=variant.label,
        method=variant.method,
        parameters=variant.in_words,
        status=OK,
        note=outcome.note,
        labels=labels,
        centroids=centroids,
        n_clusters=outcome.n_clusters,
        elbow=size_elbow(np.bincount(inside)),
        scores=metrics.scores(names, X, labels, truth, centroids, tolerance, sample),
        seconds=seconds,
    )


def _means(X: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Means of the clusters, noise left out."""
    inside = labels >= 0
    if not inside.any():
        return np.empty((0, X.shape[1]))
    return metrics.class_means(X[inside], labels[inside])


# ---- running and timing ---------------------------------------------------------------------------------------------


def _timed(variant: Variant, X: np.ndarray, seed: int, order: np.ndarray | None) -> tuple[Outcome, float]:
    """(Outcome with labels in the order of the rows, seconds)."""
    method, parameters = METHODS[variant.method], dict(variant.parameters)
    visited = X if order is None else np.ascontiguousarray(X[order])
    with _one_thread():
        began = time.thread_time()
        outcome = method.run(visited, seed, variant.metric, **parameters)
        if variant.keep is not None:
            outcome = _kept(visited, outcome, variant.keep, variant.metric)
        seconds = time.thread_time() - began
    labels = np.empty(len(X), np.int32)
    labels[slice(None) if order is None else order] = outcome.labels
    return Outcome(labels, outcome.centroids, outcome.note), seconds


def _kept(X: np.ndarray, outcome: Outcome, keep: int, metric: Metric) -> Outcome:
    """The outcome with only its largest clusters, every point given to the nearest of them."""
    sizes = np.bincount(outcome.labels[outcome.labels >= 0])
    own = outcome.centroids is not None and len(outcome.centroids) == len(sizes)  # those of TNC are not of its chains
    centroids = outcome.centroids if own else _means(X, outcome.labels)
    k = size_elbow(sizes) if keep == ELBOW else min(keep, len(sizes))
    kept = keep_largest(X, _Sized(centroids, sizes, metric), k)  # type: ignore[arg-type]
    return Outcome(kept.labels, kept.centroids, f"Kept the {k} largest of {len(sizes)} clusters.")


@dataclass(frozen=True)
class _Sized:
    centroids: np.ndarray
    sizes: np.ndarray
    metric: Metric


_warm: set = set()  # (method, dimension)
_SMALL = {"starts": 1, "shuffles": 2, "limit": 2, "smallest": 2}


def _warm_up(variant: Variant, X: np.ndarray) -> None:
    """Once per method and dimension, on few points, untimed: kernels and libraries are loaded on first use."""
    key = variant.method, X.shape[1]
    if key in _warm:
        return
    _warm.add(key)
    few = np.ascontiguousarray(X[fair_sample(len(X), 60)])
    method = METHODS[variant.method]
    small = _SMALL | {"k": 2 if method.fixed_k else 0}
    parameters = {name: small.get(name, value) for name, value in variant.parameters}
    try:
        method.run(few, 0, variant.metric, **parameters)
    except Exception:
        return  # it will say so itself when it runs


class _OneThread:
    """Keeps libraries on one thread while measurements run, in however many threads of this process.

    OpenMP keeps its limit for each thread, BLAS one for the whole process: the first measurement to begin sets that,
    and the last to end takes it back.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running = 0
        self._blas: Any = None

    @contextmanager
    def __call__(self) -> Iterator[None]:
        libraries = ThreadpoolController()
        with self._lock:
            if self._running == 0:
                self._blas = libraries.limit(limits=1, user_api="blas")
            self._running += 1
        try:
            with libraries.limit(limits=1, user_api="openmp"):
                yield
        finally:
            with self._lock:
                self._running -= 1
                if self._running == 0:
                    self._blas.restore_original_limits()
                    with libraries.limit():  # when it ends, other threads may set the limit again
                        pass


_one_thread = _OneThread()
