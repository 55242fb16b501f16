"""How distances are measured, as one value.

Public functions take ``metric`` and ``p``, or a `Metric` as ``metric``; inside, the value alone is passed on. Where it
meets a kernel it is the plain number `Metric.p`: these are the places that a metric with coordinates of its own has to
pass through.
"""

from dataclasses import dataclass, field, replace

import numpy as np

from theta_app.engine import norms

_LARGEST = 2.0**57  # p beyond this is the maximum norm: for up to e^16 features the two round to the same number


@dataclass(frozen=True, repr=False)
class Metric:
    """How distances are measured.

    Attributes
    ----------
    name : str
        A key of `METRICS`.
    p : float
        The norm in which coordinates are compared, for the kernels. In the table None where it is chosen by hand.
    label, help : str
        As people call it, and what it means.
    unit : str
        What θ is measured in; empty where that is what the columns are measured in.
    features : int or None
        How many features points must have; None for any number.
    """

    name: str
    p: float | None
    label: str = field(default="", compare=False)
    help: str = field(default="", compare=False)
    unit: str = field(default="", compare=False)
    features: int | None = field(default=None, compare=False)

    @classmethod
    def of(cls, metric="euclidean", p=None):
        """The metric of a name, with the power `p` where it takes one (1 or more, 2 if none is given).

        Powers that have a name of their own are the metric of that name, so equal distances are equal values. A
        `Metric` is returned as it is.
        """
        if isinstance(metric, Metric):
            return metric
        if not isinstance(metric, str) or metric not in METRICS:
            raise ValueError(f"metric must be one of {', '.join(map(repr, METRICS))}, got {metric!r}")
        entry = METRICS[metric]
        if entry.p is not None:
            return entry
        p = EUCLIDEAN.p if p is None else p
        if isinstance(p, bool) or not isinstance(p, (int, float, np.integer, np.floating)) or not p >= 1:
            raise ValueError(f"p must be a number, 1 or more, got {p!r}")
        p = np.inf if p > _LARGEST else float(p)
        return _NAMED.get(p) or replace(entry, p=p, label=entry.label.format(p=p))

    @classmethod
    def from_text(cls, text):
        """The inverse of `text`; ValueError with a sentence for what is none."""
        try:
            return cls.of(text) if text in METRICS else cls.of("minkowski", float(text))
        except ValueError:
            raise ValueError(f"The norm must be a number, 1 or more, not {text[:30]!r}.") from None

    @property
    def text(self):
        """For links and digests: the power of a norm, "1", "2.5" or "inf", else the name."""
        return repr(self.p).removesuffix(".0") if self in _NAMED.values() or METRICS[self.name].p is None else self.name

    @property
    def arguments(self):
        """As the arguments ``metric`` and, where it takes one, ``p`` of public functions."""
        return {"metric": self.name} if METRICS[self.name].p is not None else {"metric": self.name, "p": self.p}

    def __repr__(self):
        return f"Metric.of({', '.join(map(repr, self.arguments.values()))})"

    def check(self, X):
        """X, points of shape (n, d); ValueError with a sentence where they cannot be measured this way."""
        if self.features not in (None, X.shape[1]):
            raise ValueError(f"metric {self.name!r} needs {self.features} features, got {X.shape[1]}")
        return X

    def distances(self, A, B):
        """Distances between all rows of A and all rows of B, (len(A), len(B)); squares must be finite."""
        return norms.distances(A, B, self.p)

    def between(self, A, B):
        """Distances between rows of A and the rows of B beside them, (n,); B may be a single point."""
        return norms.lengths(A - B, self.p)


METRICS = {
    metric.name: metric
    for metric in (
        Metric(
            "euclidean",
            2.0,
            "Straight-line distance",
            "The straight line, as with a ruler. Circles of radius θ are round.",
        ),
        Metric(
            "manhattan",
            1.0,
            "City-block distance",
            "The differences in all columns are added up, as for somebody who walks along the streets of a city. "
            "Circles of radius θ are diamonds. One large difference weighs less than in the straight line.",
        ),
        Metric(
            "chebyshev",
            np.inf,
            "Largest difference",
            "Only the largest difference in any column counts. Circles of radius θ are squares: two points are within "
            "θ if they are in every column.",
        ),
        Metric(
            "minkowski",
            None,
            "Distance with p = {p:g}",
            "Between these: circles of radius θ are between a diamond (p = 1), a circle (p = 2) and a square (p = ∞).",
        ),
    )
}
"""The metrics by name: another one is one entry here."""

EUCLIDEAN = METRICS["euclidean"]
_NAMED = {METRICS[name].p: METRICS[name] for name in ("euclidean", "manhattan", "chebyshev")}  # norms by their power
