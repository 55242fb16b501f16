"""From a table to points: which columns, which label, which scale."""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from theta_app.datasets.dataset import frozen

NO_TRUTH = ""
LARGEST = 1e150  # the square of a larger value, summed over columns, is no longer a finite number
_AT_ONCE = 500_000  # values that are looked at together: what is computed of them takes no more memory than this


@dataclass(frozen=True)
class Preparation:
    """What the person chose about the current data set.

    Attributes
    ----------
    columns : tuple of str or None
        Features to use; None for those the data set came with.
    scaling : str
        A key of `SCALINGS`.
    truth : str or None
        The label column; None for the one the data set came with, "" for none at all.
    """

    columns: tuple[str, ...] | None = None
    scaling: str = "none"
    truth: str | None = None

    def __post_init__(self):
        if self.scaling not in SCALINGS:
            raise ValueError(f"Scaling must be one of {', '.join(SCALINGS)}, not {str(self.scaling)[:30]!r}.")
        if self.columns is not None:
            object.__setattr__(self, "columns", tuple(self.columns))  # a list would not hash


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
}


def prepare(dataset, preparation=None):
    """The data set with the chosen columns, label column and scale.

    Always starts from the table as it was read, so rows set aside for a column that is no longer used come back, and
    preparing twice is the same as preparing once with the second choice.

    Raises ValueError with a sentence when a choice does not fit the data.
    """
    preparation = preparation or Preparation()
    raw = dataset.raw
    columns, truth_column = _chosen_columns(raw, preparation)
    _check_columns(raw, columns, truth_column)

    X, table = matrix(raw.table, columns), raw.table
    kept, notes = _rows_to_keep(X, table, columns, truth_column)
    if not kept.any():
        raise ValueError(_no_row_left(truth_column))
    if not kept.all():
        X, table = _only(X, kept), table[kept]
    truth, truth_names = codes(table[truth_column]) if truth_column else (None, ())
    scale_notes = scale(X, preparation.scaling, columns)
    X.flags.writeable = False
    return dataclasses.replace(
        dataset,
        X=X,
        features=tuple(columns),
        table=table,
        truth=truth,
        truth_names=truth_names,
        truth_column=truth_column,
        unit=SCALINGS[preparation.scaling].unit or raw.unit,
        notes=raw.notes + notes + remarks(X, columns) + scale_notes,
        numeric_columns=raw.numeric,
    )


def _chosen_columns(raw, preparation):
    """(columns, label column or None): what the person chose, else what the data set came with."""
    truth_column = raw.truth if preparation.truth is None else (preparation.truth or None)
    if preparation.columns is not None:
        return preparation.columns, truth_column
    # a label must not help to find itself
    return tuple(c for c in raw.features if c != truth_column) or raw.features, truth_column


def _check_columns(raw, columns, truth_column):
    if not columns:
        raise ValueError("Choose at least one column with numbers.")
    if len(set(columns)) != len(columns):
        raise ValueError("The same column is chosen twice.")
    for column in columns:
        if column not in raw.table.columns:
            raise ValueError(f"There is no column '{_short(column)}' in this data set.")
        if column not in raw.numeric:
            raise ValueError(f"Column '{_short(column)}' has values that are not numbers. Pick other columns.")
    if truth_column and truth_column not in raw.table.columns:
        raise ValueError(f"There is no column '{_short(truth_column)}' in this data set.")


def _short(name):
    name = str(name)
    return name if len(name) <= 60 else name[:57] + "..."


def matrix(table, columns):
    """The named columns as an array (n, d) of float64; missing values become NaN, -0 becomes 0."""
    X = np.empty((len(table), len(columns)))
    for j, column in enumerate(columns):
        X[:, j] = pd.to_numeric(table[column], errors="coerce").to_numpy(dtype=np.float64, na_value=np.nan)
    X += 0.0  # -0.0 and 0.0 are one value and must have one digest
    return X


def _only(X, kept):
    """The kept rows, moved up in the array's own memory."""
    rows = np.flatnonzero(kept)
    for part in _pieces(len(rows), X.shape[1]):
        X[part] = X[rows[part]]  # a row never moves down: what is overwritten has been moved already
    X.resize((len(rows), X.shape[1]), refcheck=False)
    return X


def _pieces(n, width):
    """Slices that cut ``n`` rows of ``width`` values each into pieces of at most `_AT_ONCE` values."""
    step = max(1, _AT_ONCE // max(width, 1))
    return [slice(start, min(start + step, n)) for start in range(0, n, step)]


def _rows_to_keep(X, table, columns, truth_column):
    """A mask of usable rows, and sentences about the others."""
    notes = []
    rules = {  # infinite is too large; NaN compares false
        "a missing value": np.isnan,
        "an infinite or far too large value": lambda values: np.abs(values) > LARGEST,
    }
    kept = np.ones(len(X), dtype=bool)
    for what, rule in rules.items():
        rows, counts = _where(X, rule)
        if rows.any():
            notes.append(
                f"{count(rows.sum(), 'row')} with {what} {_were(rows.sum())} set aside ({_rows(table.index[rows])}; "
                f"most often in column '{_short(columns[int(counts.argmax())])}')."
            )
        kept &= ~rows
    if truth_column:
        unlabelled = kept & table[truth_column].isna().to_numpy()
        if unlabelled.any():
            notes.append(
                f"{count(unlabelled.sum(), 'row')} without a value in the label column '{_short(truth_column)}' "
                f"{_were(unlabelled.sum())} set aside ({_rows(table.index[unlabelled])})."
            )
            kept &= ~unlabelled
    return kept, tuple(notes)


def _where(X, rule):
    """(rows in which the rule holds for any value, values per column for which it does)."""
    rows, counts = np.zeros(len(X), dtype=bool), np.zeros(X.shape[1], dtype=np.int64)
    for part in _pieces(*X.shape):
        found = rule(X[part])
        rows[part] = found.any(axis=1)
        counts += found.sum(axis=0)
    return rows, counts


def count(n: int, noun: str) -> str:
    """A number with its noun: 1 row, 1,234 rows."""
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def _no_row_left(truth_column):
    labelled = f" and a value in the label column '{truth_column}'" if truth_column else ""
    return f"No row has a number in every chosen column{labelled}. Choose fewer columns."


def _were(n):
    return "was" if n == 1 else "were"


def _rows(numbers, most=3):
    """ "row 7", or "rows 7, 19, 20, ..." """
    shown = ", ".join(f"{int(number)}" for number in numbers[:most])
    return ("row " if len(numbers) == 1 else "rows ") + shown + (", ..." if len(numbers) > most else "")


def codes(column):
    """Classes as int64 codes in the order of their sorted names, and the names."""
    values, names = pd.factorize(column, sort=False)
    names = [_class_name(name) for name in names]
    order = sorted(range(len(names)), key=lambda k: _natural(names[k]))
    rank = np.empty(len(names), dtype=np.int64)
    rank[order] = np.arange(len(names))
    return frozen(rank[values], np.int64), tuple(names[k] for k in order)


def _class_name(value):
    """2.0 in a column that had gaps is class 2."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)


def _natural(name):
    """Numbers by value, before words."""
    try:
        return (0, float(name), name)
    except ValueError:
        return (1, 0.0, name)


def remarks(X, columns):
    """Sentences about what is allowed but worth knowing: constant columns, repeated rows."""
    notes = []
    constant = [f"'{_short(columns[j])}'" for j in np.flatnonzero(np.ptp(X, axis=0) == 0)] if len(X) > 1 else []
    if constant:
        many = len(constant) > 1
        listed = ", ".join(constant[:5]) + (", ..." if len(constant) > 5 else "")
        notes.append(
            f"Column{'s' if many else ''} {listed} {'have' if many else 'has'} the same value in every row: "
            f"{'they' if many else 'it'} cannot tell points apart."
        )
    repeated = count_duplicates(X)
    if repeated:
        notes.append(
            f"{count(repeated, 'row')} {'repeats' if repeated == 1 else 'repeat'} an earlier row; all are kept."
        )
    return tuple(notes)


def count_duplicates(X):
    """How many rows equal an earlier one. By 64-bit hash of a row: exact but for a chance of about n²/2⁶⁵."""
    frame = pd.DataFrame(X, copy=False)
    return int(pd.util.hash_pandas_object(frame, index=False).duplicated().sum())


def scale(X, scaling, columns):
    """Scale the array where it is; returns sentences about columns that needed another measure."""
    rule = SCALINGS[scaling]
    if rule.origin is None:
        return ()
    size, origin = _of_columns(rule.size, X), _of_columns(rule.origin, X)
    notes = ()
    if scaling == "robust":
        # where most values are equal the middle half has no width; the standard deviation still has
        flat = (size == 0) & (np.ptp(X, axis=0) > 0)
        if flat.any():
            size = np.where(flat, _of_columns(SCALINGS["standard"].size, X), size)
            listed = ", ".join(f"'{_short(columns[j])}'" for j in np.flatnonzero(flat)[:5])
            notes = (f"Half of the values or more are equal in {listed}: scaled by the standard deviation instead.",)
    size = np.where(size > 0, size, 1.0)  # a constant column becomes 0, not NaN
    bad = np.zeros(X.shape[1], dtype=bool)
    for part in _pieces(*X.shape):
        with np.errstate(over="ignore", invalid="ignore"):
            X[part] = (X[part] - origin) / size + 0.0
        bad |= ~(np.abs(X[part]) <= LARGEST).all(axis=0)
    if bad.any():
        column = _short(columns[int(np.flatnonzero(bad)[0])])
        raise ValueError(
            f"Column '{column}' cannot be scaled this way: its largest value is too far from the others. "
            "Choose another scaling or other columns."
        )
    return notes


def _of_columns(measure, X):
    """A measure of each column, of some columns at a time: what it computes on the way is as large as they are."""
    return np.concatenate([measure(X[:, part]) for part in _pieces(X.shape[1], len(X))])
