"""Methods with their parameters, as they enter a comparison."""

from dataclasses import dataclass
from typing import Self

from theta_app.compare.methods import METHODS
from theta_app.engine import EUCLIDEAN, Metric

ELBOW = 0
"""As `Variant.keep`: keep the clusters before the drop in size (`theta_app.selection.size_elbow`)."""

_STARTS = 3  # of K-Means++ at the θ a person stands on
_MOST_WORK = 3e8  # points x features x clusters x starts: about ten seconds of K-Means


@dataclass(frozen=True)
class Variant:
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
        before the drop in size.
    words : str
        The parameters in words, where their names and values alone do not say enough.
    left_out : str
        Why it is not to be run here, or empty.
    metric : Metric
        How TSG, TDG and TNC measure distances. The other methods have their own way.
    """

    method: str
    parameters: tuple
    label: str
    keep: int | None = None
    words: str = ""
    left_out: str = ""
    metric: Metric = EUCLIDEAN

    @classmethod
    def of(
        cls,
        method: str,
        label: str | None = None,
        *,
        keep: int | None = None,
        words: str = "",
        left_out: str = "",
        metric: Metric = EUCLIDEAN,
        **parameters: object,
    ) -> Self:
        """A variant from keywords, by default with the method's own label."""
        label = METHODS[method].label if label is None else label
        return cls(method, tuple(sorted(parameters.items())), label, keep, words, left_out, metric)

    @property
    def in_words(self) -> str:
        """Its parameters in words, by default those of its method: "θ 3.6, Shuffles 50". A K of 0 is none."""
        if self.words:
            return self.words
        values = dict(self.parameters)
        shown = [s for s in METHODS[self.method].settings if (s.name, values[s.name]) != ("k", 0)]
        listed = [f"{setting.label} {_short(values[setting.name])}" for setting in shown]
        return ", ".join([*listed, self.metric.words] if self.metric != EUCLIDEAN else listed)


def _short(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:.6g}"


def plain_numbers(metric: Metric) -> str:
    """A sentence where other methods cannot measure as ours do; empty otherwise."""
    if metric.of_columns:
        return ""
    how = "along curves" if metric.of_curves else "by angles" if metric.radius is None else "in kilometres"
    return f"TSG, TDG and TNC measure {how}, and so do the scores; the other methods see the columns as plain numbers."


def too_much(shape: tuple[int, int], k: int) -> str:
    """Why methods that are told `k` are left out on points of this shape; empty where they are not."""
    n, features = shape
    minutes = n * features * k * _STARTS > _MOST_WORK
    return f"left out: {k:,} clusters of {n:,} points would take minutes" if minutes else ""
