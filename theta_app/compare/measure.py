"""One measurement: a method, on the points of a case, in the order of a repeat, timed and scored."""

import time
from dataclasses import dataclass, replace

import numpy as np

from theta_app import metrics
from theta_app.compare.methods import METHODS, Outcome
from theta_app.engine import shuffled_order
from theta_app.selection import keep_largest, size_elbow

ELBOW = 0
OK, FAILED, OVER = "ok", "failed", "over its time"
EXACT = 1e-9  # share of the data's extent: what "up to numerical precision" is taken to mean

COLUMNS = (
    "case",
    "repeat",
    "label",
    "method",
    "parameters",
    "status",
    "note",
    "seconds",
    "n_clusters",
    "true_clusters",
    "elbow",
    *metrics.METRICS,
    "ssd_exact",
)
"""One row a measurement; see `measured` for what they hold."""


@dataclass(frozen=True)
class Entry:
    """A method with its parameters, as it enters a comparison.

    Attributes
    ----------
    method : str
        A key of `METHODS`.
    parameters : tuple of (name, value)
    label : str
        Shown; unique in a comparison.
    keep : int or None
        Keep only so many of the largest clusters and give every point to the nearest of them; `ELBOW` keeps those
        before the largest drop in size.
    """

    method: str
    parameters: tuple
    label: str
    keep: int | None = None


def entry(method, label=None, *, keep=None, **parameters):
    """An `Entry` from keywords."""
    return Entry(method, tuple(sorted(parameters.items())), label or METHODS[method].label, keep)


@dataclass(frozen=True)
class Step:
    """One measurement to make.

    Attributes
    ----------
    case : str
        Name of the data.
    data : a spec, or the key of points handed over with `Run`
    repeat : int
        The seed of the method and of the order of the points (and of generated data: see `at_repeat`).
    entry : Entry
    shuffle : bool
        Visit the points in a random order of this repeat rather than in the order of the rows.
    tolerance : float or None
        How near counts as met in the SSD score; None takes a tenth of a typical class's radius.
    picture : bool
        Return labels and centroids too.
    """

    case: str
    data: object
    repeat: int
    entry: Entry
    shuffle: bool = True
    tolerance: float | None = None
    picture: bool = False

    @property
    def place(self):
        """Where its row belongs: (case, repeat, label)."""
        return self.case, self.repeat, self.entry.label


@dataclass(frozen=True)
class Picture:
    """What a clustering looks like: labels (n,) in the order of the data, and its centroids (K, d)."""

    labels: np.ndarray
    centroids: np.ndarray


def at_repeat(spec, repeat):
    """The spec with the points of this repeat: another seed where it has one, the same points otherwise."""
    return replace(spec, seed=repeat) if hasattr(spec, "seed") else spec


def measured(step, X, truth):
    """Run a step on its points. Returns (row, Picture or None); raises what the method raises.

    The row's ``seconds`` is processor time of the method alone, which runs on one thread: what else the machine does
    hardly changes it. ``elbow`` is the number of clusters before the largest drop in size. ``ssd_exact`` is the SSD
    score at numerical precision.
    """
    method = METHODS[step.entry.method]
    parameters = dict(step.entry.parameters)
    order = shuffled_order(len(X), _ORDERS + step.repeat, 0) if step.shuffle else np.arange(len(X))
    visited = np.ascontiguousarray(X[order])
    started = time.process_time()
    outcome = method.run(visited, step.repeat, **parameters)
    if step.entry.keep is not None:
        outcome = _kept(visited, outcome, step.entry.keep)
    seconds = time.process_time() - started

    labels = np.empty(len(X), np.int32)
    labels[order] = outcome.labels
    centroids = outcome.centroids if outcome.centroids is not None else means(X, labels)
    row = begun(step) | {
        "status": OK,
        "note": outcome.note,
        "seconds": seconds,
        "n_clusters": outcome.n_clusters,
        "true_clusters": None if truth is None else len(np.unique(truth)),
        "elbow": size_elbow(np.bincount(labels[labels >= 0])) if (labels >= 0).any() else 0,
    }
    row |= metrics.scores(metrics.METRICS, X, labels, truth, centroids, step.tolerance)
    row["ssd_exact"] = metrics.score("ssd", X, labels, truth, centroids, EXACT * float(np.ptp(X, axis=0).max()))
    return row, Picture(labels, centroids) if step.picture else None


_ORDERS = 1_000_003  # seeds of the points' order, apart from those of the methods


def begun(step):
    """The row of a step before it has run: its place, and nothing measured."""
    row = dict.fromkeys(COLUMNS)
    return row | {
        "case": step.case,
        "repeat": step.repeat,
        "label": step.entry.label,
        "method": step.entry.method,
        "parameters": described(step.entry),
    }


def described(entry):
    """An entry's parameters in words of its method: "θ 3.6, Shuffles 50". A K of 0 is none, and left out."""
    values = dict(entry.parameters)
    settings = [one for one in METHODS[entry.method].settings if (one.name, values[one.name]) != ("k", 0)]
    shown = [(setting.label, values[setting.name]) for setting in settings]
    return ", ".join(f"{label} {value}" if isinstance(value, str) else f"{label} {value:.6g}" for label, value in shown)


def failed(step, reason, status=FAILED):
    """The row of a step that gave no result; `reason` is a sentence."""
    return begun(step) | {"status": status, "note": reason}


def means(X, labels):
    """Means of the clusters, noise left out."""
    inside = labels >= 0
    if not inside.any():
        return np.empty((0, X.shape[1]))
    return metrics.class_means(X[inside], labels[inside])


def _kept(X, outcome, keep):
    sizes = np.bincount(outcome.labels)
    k = size_elbow(sizes) if keep == ELBOW else min(keep, len(sizes))
    kept = keep_largest(X, _Sized(outcome.labels, outcome.centroids, sizes), k)
    return Outcome(kept.labels, kept.centroids, f"Kept the {k} largest of {len(sizes)} clusters.")


@dataclass(frozen=True)
class _Sized:
    labels: np.ndarray
    centroids: np.ndarray
    sizes: np.ndarray
