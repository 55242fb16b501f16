"""Making columns comparable: θ is one distance for all of them."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from theta_app.datasets.values import LARGEST, pieces, short

_DIGITS = 13  # after the first one of a column's largest values


@dataclass(frozen=True)
class Scaling:
    """How to make columns comparable."""

    label: str
    unit: str | None  # what one unit of θ is afterwards; None: unchanged
    # origin, size: functions of X (n, d) -> (d,): a column becomes (column - origin) / size
    origin: Callable | None
    size: Callable | None


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
class Rank:
    """A value becomes the share of the rows below it, half of its equals counted: 0 to 1, however far values lie."""

    values: np.ndarray
    ranks: np.ndarray

    @classmethod
    def of(cls, column: np.ndarray) -> Self:
        """The ranks of a column's values; equal values share one."""
        values, counts = np.unique(column, return_counts=True)
        return cls(values, (np.cumsum(counts) - counts / 2) / len(column))

    def apply(self, column: np.ndarray) -> np.ndarray:
        """The column as ranks between 0 and 1; values between two known ones get a rank between theirs."""
        return np.interp(column, self.values, self.ranks)

    def undo(self, column: np.ndarray) -> np.ndarray:
        """Ranks as values of the column again."""
        return np.interp(column, self.ranks, self.values)


@dataclass(frozen=True)
class Jitter:
    """A value is moved at random by up to half a step, so that few different values no longer lie on top of each other.

    The same rows are always moved alike.
    """

    step: float

    @classmethod
    def of(cls, column: np.ndarray) -> Self:
        """Jitter as wide as the typical gap between two different values of the column."""
        gaps = np.diff(np.unique(column))
        return cls(float(np.median(gaps)) if len(gaps) else 0.0)

    def apply(self, column: np.ndarray) -> np.ndarray:
        """The column with up to half a step added or taken away; the same every time."""
        return column + self.step * (np.random.default_rng(0).random(len(column)) - 0.5)

    def undo(self, column: np.ndarray) -> np.ndarray:
        """The column as it is: what was added is smaller than a step."""
        return column


SHAPES = {"rank": Rank, "jitter": Jitter}
"""What can be done to a column before it is scaled."""


@dataclass(frozen=True, eq=False)
class Scale:
    """Where each column begins and how large its unit is: the original is ``scaled * size + origin``.

    ``shapes`` are done before: (number of the column, a `Rank` or `Jitter`) of some.
    """

    origin: np.ndarray
    size: np.ndarray
    shapes: tuple = ()

    def apply(self, X: np.ndarray, columns: Sequence[str]) -> None:
        """Scale the array where it is. ValueError with a sentence where a value becomes too large to square."""
        for j, shape in self.shapes:
            X[:, j] = shape.apply(X[:, j])
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

    def undo(self, X: np.ndarray) -> np.ndarray:
        """Values (..., d) in the units of the columns, to the digits that scaling kept: 0 comes back as 0."""
        values = np.asarray(X) * self.size + self.origin
        for j, largest in enumerate(np.abs(self.origin) + self.size):
            values[..., j] = np.round(values[..., j], _DIGITS - math.floor(math.log10(largest)))
        for j, shape in self.shapes:
            values[..., j] = shape.undo(values[..., j])
        return values


@dataclass(frozen=True, eq=False)
class UnitLength:
    """Every row divided by its own length, so that all lie on a sphere of radius 1. It cannot be undone.

    ``first`` is done before: a `Scale`, where columns are weighted or ranked.
    """

    first: Scale | None = None

    def apply(self, X: np.ndarray, columns: Sequence[str]) -> None:
        """Scale the array where it is; rows of zeros have no direction and stay."""
        if self.first is not None:
            self.first.apply(X, columns)
        for part in pieces(*X.shape):
            rows = X[part]
            largest = np.abs(rows).max(axis=1, keepdims=True)
            rows = rows / np.where(largest > 0, largest, 1.0)  # no square overflows or vanishes
            lengths = np.sqrt((rows**2).sum(axis=1, keepdims=True))
            X[part] = rows / np.where(lengths > 0, lengths, 1.0) + 0.0

    def undo(self, X: np.ndarray) -> np.ndarray:
        """Not numbers: what has lost its length has no place in the units of the columns."""
        return np.full(np.shape(X), np.nan)

    @property
    def size(self) -> float:
        """Always NaN: no one number undoes it, as every row has a length of its own."""
        return np.nan


def angle_of(chord: float) -> float:
    """The angle in degrees between two rows of unit length that are so far apart, at most 180."""
    return math.degrees(2.0 * math.asin(min(chord / 2.0, 1.0)))


def cosine_of(chord: float) -> float:
    """Their cosine similarity, at least -1."""
    return max(1.0 - chord * chord / 2.0, -1.0)


def scale_of(
    X: np.ndarray,
    scaling: str,
    columns: Sequence[str],
    shapes: Mapping[str, str] | None = None,
    weights: Mapping[str, float] | None = None,
) -> tuple[Scale | UnitLength | None, tuple[str, ...]]:
    """(the `Scale` of points (n, d) or None, sentences about what needed another measure).

    Shapes are keys of `SHAPES` by column; a column's weight is how often it counts in every distance.
    """
    weights = np.array([(weights or {}).get(name, 1.0) for name in columns])
    made = tuple((j, SHAPES[shapes[name]].of(X[:, j])) for j, name in enumerate(columns) if name in (shapes or {}))  # type: ignore[attr-defined]
    if made:
        X = X.copy()
        for j, shape in made:
            X[:, j] = shape.apply(X[:, j])
    plain = Scale(np.zeros(X.shape[1]), 1 / weights, made) if made or (weights != 1).any() else None
    if scaling == "length":
        zeros = int((~X.any(axis=1)).sum())
        rows = f"{zeros:,} row{' is' if zeros == 1 else 's are'}"
        return UnitLength(plain), (f"{rows} all zeros and without direction: kept at the centre.",) if zeros else ()
    rule = SCALINGS[scaling]
    if rule.origin is None:
        return plain, ()
    size, origin = _of_columns(rule.size, X), _of_columns(rule.origin, X)
    notes = ()
    if scaling == "robust":
        # where most values are equal the middle half has no width; the standard deviation still has
        flat = (size == 0) & (np.ptp(X, axis=0) > 0)
        if flat.any():
            size = np.where(flat, _of_columns(SCALINGS["standard"].size, X), size)
            listed = ", ".join(f"'{short(columns[j])}'" for j in np.flatnonzero(flat)[:5])
            notes = (f"At least half of the values are equal in {listed}: scaled by the standard deviation instead.",)
    # a constant column becomes 0, not NaN
    return Scale(origin, np.where(size > 0, size, 1.0) / weights, made), notes


def _of_columns(measure: Callable[[np.ndarray], np.ndarray], X: np.ndarray) -> np.ndarray:
    """A measure of each column, of some columns at a time: what it computes on the way is as large as they are."""
    return np.concatenate([measure(X[:, part]) for part in pieces(X.shape[1], len(X))])
