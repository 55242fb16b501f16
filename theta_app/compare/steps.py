"""The measurements of a comparison, step by step, and the rows they become."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from theta_app import datasets
from theta_app.compare.measure import FAILED, measure, trouble
from theta_app.compare.variants import Variant
from theta_app.datasets import Spec
from theta_app.engine import EUCLIDEAN, Metric, SilhouetteSample, shuffled_order
from theta_app.metrics import SCORES
from theta_app.selection import silhouette_sample

FIXED_COLUMNS = (
    "case", "repeat", "label", "method", "parameters", "status", "note", "seconds", "n_clusters", "true_clusters",
    "elbow",
)  # fmt: skip
"""What a row says beside the scores: where it belongs (the first three), and attributes of `Measurement`."""

_ORDERS = 1_000_003  # seeds of the points' order, apart from those of the methods


def columns() -> tuple[str, ...]:
    """Names in a row, one row per measurement: `FIXED_COLUMNS`, outliers (of n_clusters), every score of `SCORES`."""
    return (*FIXED_COLUMNS, "outliers", *SCORES)


@dataclass(frozen=True)
class Step:
    """One measurement to make."""

    case: str  # name of the data
    data: Spec | str  # a spec, or the key of points that were handed over
    repeat: int  # the seed of the method and of the order of the points (and of generated data: see `at_repeat`)
    variant: Variant
    shuffle: bool = True  # visit the points in a random order of this repeat rather than in the order of the rows
    # how near counts as met in the SSD score; None takes a tenth of a typical class's radius
    tolerance: float | None = None
    picture: bool = False  # return labels and centroids too
    scores: tuple[str, ...] | None = None  # names of `SCORES` to take; None takes all

    @property
    def place(self) -> tuple[str, int, str]:
        """Where its row belongs: (case, repeat, label)."""
        return self.case, self.repeat, self.variant.label


@dataclass(frozen=True, eq=False)
class Picture:
    """What is drawn of a clustering: labels (n,) in the order of the data, -1 for noise, and centroids (K, d)."""

    labels: np.ndarray
    centroids: np.ndarray


def at_repeat(spec: Any, repeat: int) -> Any:
    """The spec with the points of this repeat: another seed where it has one, the same points otherwise."""
    return replace(spec, seed=repeat) if hasattr(spec, "seed") else spec


class PointsAtHand:
    """The points of steps, made from their spec or handed over by key; those of the last step are kept."""

    def __init__(self) -> None:
        self._handed: dict
        self._handed, self._metric = {}, EUCLIDEAN
        self._last: tuple = (None, None)

    def hand_over(self, key: str, X: np.ndarray, truth: np.ndarray | None, metric: Metric = EUCLIDEAN) -> None:
        """Points that no spec describes, to be named by `key` in steps; they take the place of those before.

        `metric` is the `Metric` of silhouettes.
        """
        self._handed = {key: (X, truth)}
        self._metric = metric
        self._last = (None, None)

    def of(self, step: Step) -> tuple[np.ndarray, np.ndarray | None, SilhouetteSample]:
        """(X, truth or None, SilhouetteSample) of a step. Raises what loading raises."""
        data: Any
        data = step.data if isinstance(step.data, str) else at_repeat(step.data, step.repeat)
        if self._last[0] != data:
            handed = isinstance(data, str)
            X, truth = self._handed[data] if handed else _loaded(data)
            self._last = data, (X, truth, silhouette_sample(X, metric=self._metric if handed else EUCLIDEAN))
        return self._last[1]


def _loaded(spec: Spec) -> tuple[np.ndarray, np.ndarray | None]:
    found = datasets.load(spec)
    return found.X, found.truth


def measured(step: Step, points: PointsAtHand) -> tuple[dict, Picture | None]:
    """Make a step's measurement, with its points from a `PointsAtHand`.

    Returns (row, Picture or None). A row is a dict with the names of `columns`; what went wrong is a row that says so.
    """
    try:
        X, truth, sample = points.of(step)
    except Exception as error:
        return without_result(step, trouble(error)), None
    order = shuffled_order(len(X), _ORDERS + step.repeat, 0) if step.shuffle else None
    options: dict[str, Any] = {"order": order, "tolerance": step.tolerance, "scores": step.scores, "sample": sample}
    found = measure(step.variant, X, step.repeat, truth, **options)
    if found.failed:
        return without_result(step, found.note, found.status), None
    row = _empty(step) | found.scores
    row |= {name: getattr(found, name) for name in ("status", "note", "seconds", "n_clusters", "elbow", "outliers")}
    row["true_clusters"] = None if truth is None else len(np.unique(truth))
    return row, Picture(found.labels, found.centroids) if step.picture else None  # type: ignore[arg-type]


def without_result(step: Step, reason: str, status: str = FAILED) -> dict:
    """The row of a step that gave no result; `reason` is a sentence."""
    return _empty(step) | {"status": status, "note": reason}


def _empty(step: Step) -> dict:
    """The row of a step with nothing measured in it."""
    variant = step.variant
    return dict.fromkeys(columns()) | {
        "case": step.case,
        "repeat": step.repeat,
        "label": variant.label,
        "method": variant.method,
        "parameters": variant.in_words,
    }
