"""What every page works on: points, what is known about them, and where they came from."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from theta_app.engine import EUCLIDEAN, Metric

if TYPE_CHECKING:
    from theta_app.datasets.prepare import Preparation
    from theta_app.datasets.reading import Reading
    from theta_app.datasets.rows import RowSet
    from theta_app.datasets.scaling import Scale, UnitLength
    from theta_app.datasets.spec import Spec
    from theta_app.datasets.suspicious import Suspicion

UNIT = "units of the data"


@dataclass(frozen=True, eq=False)
class Dataset:
    """Points to cluster, ready to use.

    Attributes
    ----------
    name : str
        Shown to the person; never a path, never a cache key.
    source : str
        One sentence: where the points came from.
    X : ndarray of shape (n, d), float64, C order, read-only
        Finite values only.
    features : tuple of str
        The name of each column of ``X``.
    truth : ndarray of shape (n,), int64, or None
        Known classes as codes 0, 1, ...
    truth_names : tuple of str
        The name of class 0, 1, ...
    truth_column : str or None
        The column of ``table`` that ``truth`` was read from.
    unit : str
        What one unit of θ means, such as "cm" or "standard deviations".
    table : DataFrame
        Every original column of the kept rows, row for row with ``X``.
    notes : tuple of str
        Sentences: what was set aside or looks odd.
    numeric_columns : tuple of str
        Columns of ``table`` that may serve as features.
    raw : RawTable
        All rows before any were set aside, for `prepare` to start from again.
    scale : Scale or None
        What was done to the columns, to be undone: see `in_original_units`.
    aside : tuple of (str, array)
        Why rows of ``raw.table`` are not in ``table``, and their numbers (its index).
    metric : Metric
        How distances are measured.
    preparation : Preparation or None
        The choices it was made with.
    rows : RowSet or None
        The rows of the file that were kept, where a person keeps a part of them.
    spec : Spec or None
        What it was loaded from.
    file : str
        The name of its file, where ``name`` is shortened.
    space : `theta_app.spaces.FittedSpace` or None
        Where ``X`` lies, if not in the columns: then ``X`` has the coordinates there, and ``features`` are still the
        columns of the file that they were made of.
    prepared : ndarray of shape (n, number of features) or None
        Where there is a space: the points in the prepared columns.
    """

    name: str
    source: str
    X: np.ndarray
    features: tuple[str, ...]
    table: pd.DataFrame
    truth: np.ndarray | None = None
    truth_names: tuple[str, ...] = ()
    truth_column: str | None = None
    unit: str = UNIT
    notes: tuple[str, ...] = ()
    numeric_columns: tuple[str, ...] = ()
    raw: "RawTable" = field(default=None, repr=False)
    scale: "Scale | UnitLength | None" = None
    aside: tuple[tuple[str, np.ndarray], ...] = ()
    metric: Metric = EUCLIDEAN
    preparation: "Preparation | None" = None
    rows: "RowSet | None" = None
    spec: "Spec | None" = None
    file: str = ""
    space: Any = None
    prepared: np.ndarray | None = None

    def in_original_units(self, values: np.ndarray) -> np.ndarray:
        """Points or centroids (..., d), given as ``X`` has them, in the units of the columns."""
        return np.array(values, dtype=np.float64) if self.scale is None else self.scale.undo(values)

    @property
    def in_columns(self) -> np.ndarray:
        """The points in the prepared columns, (n, number of features): ``X``, but where that is in another space."""
        return self.X if self.prepared is None else self.prepared

    @property
    def coordinates(self) -> tuple[str, ...]:
        """The name of each column of ``X``: the features, or "map 1", "map 2", ... in a space."""
        return self.features if self.space is None else self.space.names

    @cached_property
    def numbers(self) -> np.ndarray:
        """The number of each point's row as a person sees it in the file; its position where rows have none."""
        index = self.table.index.to_numpy()
        counted = np.issubdtype(index.dtype, np.integer) and index.min(initial=0) >= 0
        return index if counted else np.arange(len(index))

    @property
    def columns(self) -> tuple[str, ...]:
        """Every column of the table: any of them may be named the label column."""
        return tuple(self.table.columns)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the content (points, their shape, truth), in hexadecimal; 16 MB take milliseconds.

        Points between which distances are measured otherwise are another data set.
        """
        digest = content_digest(self.X, self.truth)
        digest += "-map" if self.on_map else "-curves" if self.of_curves else ""
        return digest if self.metric == EUCLIDEAN else f"{digest}-{self.metric.text}"

    @property
    def on_map(self) -> bool:
        """Whether ``X`` is a latitude and a longitude, in this order and in degrees: drawn as a map.

        Where distances on a sphere are measured, this says that they can be.
        """
        return self._plain and self.features == self.raw.place

    @property
    def of_curves(self) -> bool:
        """Whether the rows of ``X`` are curves, x, y, z of each place and not scaled: drawn as lines in 3-D.

        Where distances of curves are measured (the metric "mdf"), this says that they can be.
        """
        return self._plain and self.features == self.raw.curves

    @property
    def _plain(self) -> bool:
        """Whether ``X`` has columns as the table has them."""
        return self.raw is not None and self.scale is None and self.space is None


@dataclass(frozen=True, eq=False)
class RawTable:
    """The table as it was read, and what was guessed about it."""

    table: pd.DataFrame  # all rows; its index is the row number a person sees in the file
    features: tuple[str, ...]  # the columns used unless the person chooses others
    numeric: tuple[str, ...]  # the columns that may be chosen
    truth: str | None = None  # the label column used unless the person names another
    unit: str = UNIT  # of the unscaled values
    notes: tuple[str, ...] = ()  # what was noticed while reading
    # columns that are not features unless the person says so, and why: a key of `LEFT_OUT`
    left_out: dict[str, str] = field(default_factory=dict)
    readings: "dict[str, Reading]" = field(default_factory=dict)  # how some of them can be read as numbers
    labels: dict[str, int] = field(default_factory=dict)  # columns that may hold classes, likeliest first, and how many
    # what each column holds: a key of `KINDS`. Empty for a set that is made here
    kinds: dict[str, str] = field(default_factory=dict)
    # the columns of numbers that need no reading, whatever they hold: another selection to begin with
    plain: tuple[str, ...] = ()
    units: dict[str, str] = field(default_factory=dict)  # the unit of a feature, where the file says it
    suspicious: "tuple[Suspicion, ...]" = ()  # values that look like mistakes or codes
    # (int, tuple of str): the first rows of the file as they stand there, with their numbers, where a header
    # was looked for
    head: tuple[tuple[int, tuple[str, ...]], ...] = ()
    header: int = 0  # the number of the row that names the columns; 0 for none

    @property
    def place(self) -> tuple[str, str] | None:
        """(column of latitudes, column of longitudes) where the table has one of each, else None."""
        of = {kind: [c for c, own in self.kinds.items() if own == kind] for kind in ("latitude", "longitude")}
        return (of["latitude"][0], of["longitude"][0]) if all(len(names) == 1 for names in of.values()) else None

    @cached_property
    def curves(self) -> tuple[str, ...] | None:
        """x1, y1, z1, x2, ... where the table has these of three places or more: its rows are curves; else None."""
        known, places = set(self.numeric), 0
        while known.issuperset(f"{axis}{places + 1}" for axis in "xyz"):
            places += 1
        return curve_names(places) if places >= 3 else None

    def source(self, feature: str) -> str:
        """The column of the table that a feature is made of."""
        return next((r.column for r in self.readings.values() if feature in r.names), feature)


KINDS = {
    "number": "number",
    "count": "whole number",
    "yes/no": "yes or no",
    "category": "category",
    "text": "text",
    "date": "date",
    "identifier": "identifier",
    "constant": "constant",
    "latitude": "latitude",
    "longitude": "longitude",
    "empty": "empty",
}
"""What a column can hold, in the words of the page."""

LEFT_OUT = {
    "text": "text has no distances",
    "category": "categories have no distances",
    "yes/no": "yes or no has no distances",
    "few": "each of the few values would become a cluster",
    "dates": "dates have to be converted first",
    "constant": "the value is the same in every row",
    "one value": "there is only one value, and some rows have none",
    "counter": "row numbers say nothing about a row",
    "identifier": "every value is unique",
    "code": "the difference of two codes means nothing",
    "empty": "no row has a value",
    "stray": "some values are not numbers",
    "map": "on a map only the place counts",
}
"""Why a column is not clustered by unless the person says so: the end of a sentence with "because"."""


def content_digest(X: np.ndarray, truth: np.ndarray | None = None) -> str:
    """SHA-256, in hexadecimal, of the values of an array (n, d) and its optional codes (n,)."""
    sha = hashlib.sha256(repr((X.shape, X.dtype.str, truth is not None)).encode())
    sha.update(np.ascontiguousarray(X).data)
    if truth is not None:
        sha.update(np.ascontiguousarray(truth).data)
    return sha.hexdigest()


def frozen(values: ArrayLike, dtype: type = np.float64) -> np.ndarray:
    """The values as a read-only array in C order: caches hand the same array to every visitor."""
    array: np.ndarray = np.ascontiguousarray(values, dtype=dtype)
    if array is values and array.flags.writeable:
        array = array.copy()  # the caller's own array must stay writeable
    array.flags.writeable = False
    return array


def from_arrays(
    name: str,
    source: str,
    X: ArrayLike,
    truth: ArrayLike | None = None,
    truth_names: Sequence[str] = (),
    features: Sequence[str] | None = None,
    unit: str = UNIT,
    notes: tuple[str, ...] = (),
) -> Dataset:
    """A data set from points and codes the project itself made: nothing to guess, nothing to set aside."""
    X = frozen(X)
    features = tuple(features or feature_names(X.shape[1]))
    table = pd.DataFrame(X, index=pd.RangeIndex(1, len(X) + 1), columns=list(features), copy=False)
    truth_column = None
    if truth is not None:
        truth = frozen(truth, np.int64)
        truth_names = tuple(truth_names) or tuple(str(k) for k in range(int(truth.max()) + 1))
        truth_column = "cluster"
        named = np.array(truth_names, dtype=object)[truth]
        table[truth_column] = truth if all(map(str.isdigit, truth_names)) else pd.Categorical(named)
    raw = RawTable(table, features, features, truth_column, unit, tuple(notes))
    return Dataset(
        name,
        source,
        X,
        features,
        table,
        truth,
        truth_names,  # type: ignore[arg-type]
        truth_column,
        unit,
        tuple(notes),
        features,
        raw,
    )


def curve_names(places: int) -> tuple[str, ...]:
    """x1, y1, z1, x2, ...: the columns of curves of so many places; see `RawTable.curves`."""
    return tuple(f"{axis}{k}" for k in range(1, places + 1) for axis in "xyz")


def feature_names(d: int) -> tuple[str, ...]:
    """x, y, z for up to three columns; x1, x2, ... for more."""
    return ("x", "y", "z")[:d] if d <= 3 else tuple(f"x{j}" for j in range(1, d + 1))
