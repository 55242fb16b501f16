"""Making columns comparable: θ is one distance for all of them."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from theta_app.datasets.values import LARGEST, pieces, short

_DIGITS = 13  # after the first one of a column's largest values


@dataclass(frozen=True)
class Scaling:
    """How to make columns comparable.

    Attributes
    ----------
    label : str
    unit : str or None
        What one unit of θ is afterwards; None: unchanged.
    origin, size : functions of X (n, d) -> (d,)
        A column becomes (column - origin) / size.
    """

    label: str
    unit: str | None
    origin: Callable
    size: Callable


CHORD = "chord of the unit sphere"
"""The unit of θ between rows of unit length: see `angle_of`."""

SCALINGS = {
    "none": Scaling("As it is", None, None, None),
    "standard": Scaling("Standardise", "standard deviations", lambda X: X.mean(axis=0), lambda X: X.std(axis=0)),
    "robust": Scaling(
        "Robust",
        "interquartile ranges",
        lambda X: np.median(X, axis=0),
        lambda X: np.subtract(*np.quantile(X, [0.75, 0.25], axis=0)),
    ),
    "unit": Scaling("To [0, 1]", "shares of a column's range", lambda X: X.min(axis=0), lambda X: np.ptp(X, axis=0)),
    "length": Scaling("To unit length", CHORD, None, None),
}
"""By key. "length" is of rows, not columns: for embeddings, where only directions count."""


@dataclass(frozen=True, eq=False)
class Scale:
    """Where each column begins and how large its unit is: the original is ``scaled * size + origin``."""

    origin: np.ndarray
    size: np.ndarray

    def apply(self, X, columns):
        """Scale the array where it is. ValueError with a sentence where a value becomes too large to square."""
        bad = np.zeros(X.shape[1], dtype=bool)
        for part in pieces(*X.shape):
            with np.errstate(over="ignore", invalid="ignore"):
                X[part] = (X[part] - self.origin) / self.size + 0.0
            bad |= ~(np.abs(X[part]) <= LARGEST).all(axis=0)
        if bad.any():
            column = short(columns[int(np.flatnonzero(bad)[0])])
            raise ValueError(
                f"Column '{column}' cannot be scaled this way: its largest value is too far from the others. "
                "Choose another scaling or other columns."
            )

    def undo(self, X):
        """Values (..., d) in the units of the columns, to the digits that scaling kept: 0 comes back as 0."""
        values = np.asarray(X) * self.size + self.origin
        for j, largest in enumerate(np.abs(self.origin) + self.size):
            values[..., j] = np.round(values[..., j], _DIGITS - math.floor(math.log10(largest)))
        return values


class UnitLength:
    """Every row divided by its own length, so that all lie on a sphere of radius 1. It cannot be undone."""

    def apply(self, X, columns):
        """Scale the array where it is; rows of zeros have no direction and stay."""
        for part in pieces(*X.shape):
            rows = X[part]
            largest = np.abs(rows).max(axis=1, keepdims=True)
            rows = rows / np.where(largest > 0, largest, 1.0)  # no square overflows or vanishes
            lengths = np.sqrt((rows**2).sum(axis=1, keepdims=True))
            X[part] = rows / np.where(lengths > 0, lengths, 1.0) + 0.0

    def undo(self, X):
        """Not numbers: what has lost its length has no place in the units of the columns."""
        return np.full(np.shape(X), np.nan)

    @property
    def size(self):
        return np.nan


def angle_of(chord):
    """The angle in degrees between two rows of unit length that are so far apart, at most 180."""
    return math.degrees(2.0 * math.asin(min(chord / 2.0, 1.0)))


def cosine_of(chord):
    """Their cosine similarity, at least -1."""
    return max(1.0 - chord * chord / 2.0, -1.0)


def scale_of(X, scaling, columns):
    """(the `Scale` of these points or None, sentences about what needed another measure)."""
    rule = SCALINGS[scaling]
    if scaling == "length":
        zeros = int((~X.any(axis=1)).sum())
        rows = f"{zeros:,} row{' is' if zeros == 1 else 's are'}"
        return UnitLength(), (f"{rows} all zeros and without direction: kept at the centre.",) if zeros else ()
    if rule.origin is None:
        return None, ()
    size, origin = _of_columns(rule.size, X), _of_columns(rule.origin, X)
    notes = ()
    if scaling == "robust":
        # where most values are equal the middle half has no width; the standard deviation still has
        flat = (size == 0) & (np.ptp(X, axis=0) > 0)
        if flat.any():
            size = np.where(flat, _of_columns(SCALINGS["standard"].size, X), size)
            listed = ", ".join(f"'{short(columns[j])}'" for j in np.flatnonzero(flat)[:5])
            notes = (f"Half of the values or more are equal in {listed}: scaled by the standard deviation instead.",)
    return Scale(origin, np.where(size > 0, size, 1.0)), notes  # a constant column becomes 0, not NaN


def _of_columns(measure, X):
    """A measure of each column, of some columns at a time: what it computes on the way is as large as they are."""
    return np.concatenate([measure(X[:, part]) for part in pieces(X.shape[1], len(X))])
