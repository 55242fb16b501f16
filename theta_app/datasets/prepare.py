"""From a table to points: which columns, which label, what becomes of odd values and gaps, which scale."""

import dataclasses
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from theta_app.datasets import missing, space, suspicious
from theta_app.datasets.dataset import UNIT, Dataset, RawTable, frozen
from theta_app.datasets.reading import with_readings
from theta_app.datasets.scaling import CHORD, SCALINGS, SHAPES, Scale, UnitLength, scale_of
from theta_app.datasets.suspicious import TREATMENTS, Suspicion
from theta_app.datasets.values import LARGEST, count, pieces, short
from theta_app.engine import EUCLIDEAN, METRICS, Metric

NO_TRUTH = ""
STARTS = ("recommended", "numbers")
WEIGHTS = (0.01, 100.0)


@dataclass(frozen=True)
class Preparation:
    """What the person chose about the current data set.

    Attributes
    ----------
    columns : tuple of str or None
        Features to use; None for those of ``start``.
    scaling : str
        A key of `SCALINGS`.
    truth : str or None
        The label column; None for the one the data set came with, "" for none at all.
    missing : str
        A key of `missing.WAYS`: how rows with a gap are treated.
    read : tuple of str
        Columns of text that are read as numbers beside those that ``start`` or ``columns`` name, each by its `Reading`.
    metric : Metric
        How distances are measured; a name will do where there is no power to choose.
    start : str
        Which columns there are to begin with: "recommended", or "numbers" for every column of plain numbers.
    treat : tuple of (str, str, str)
        Column, `Suspicion.what`, and a key of `TREATMENTS`: how odd values are treated.
    shapes : tuple of (str, str)
        Column, and a key of `SHAPES`: columns of few values that are ranked or jittered.
    weights : tuple of (str, float)
        Column, and its factor in every distance; 1 for those that are not named.
    space : str
        A key of `SPACES`: what the prepared columns become before they are clustered, by `theta_app.spaces.in_space`.
    components : int
        Coordinates of that space.
    """

    columns: tuple[str, ...] | None = None
    scaling: str = "none"
    truth: str | None = None
    missing: str = "rows"
    read: tuple[str, ...] = ()
    metric: Metric = EUCLIDEAN
    start: str = "recommended"
    treat: tuple[tuple[str, str, str], ...] = ()
    shapes: tuple[tuple[str, str], ...] = ()
    weights: tuple[tuple[str, float], ...] = ()
    space: str = "columns"
    components: int = 5

    def __post_init__(self) -> None:
        space.check(self.space, self.components)
        if self.scaling not in SCALINGS:
            raise ValueError(f"Scaling must be one of {', '.join(SCALINGS)}, not {str(self.scaling)[:30]!r}.")
        if self.missing not in missing.WAYS:
            ways = ", ".join(missing.WAYS)
            raise ValueError(f"The way to treat gaps must be one of {ways}, not {str(self.missing)[:30]!r}.")
        object.__setattr__(self, "metric", Metric.of(self.metric))
        if self.start not in STARTS:
            raise ValueError(f"The columns to begin with must be one of {', '.join(STARTS)}.")
        if self.columns is not None:
            object.__setattr__(self, "columns", tuple(self.columns))  # a list would not hash
        object.__setattr__(self, "read", tuple(self.read))
        for name in ("treat", "shapes", "weights"):
            object.__setattr__(self, name, tuple(map(tuple, getattr(self, name))))
        if not {how for _, _, how in self.treat} <= set(TREATMENTS):
            raise ValueError(f"Odd values can only be treated by {', '.join(TREATMENTS)}.")
        if not {shape for _, shape in self.shapes} <= set(SHAPES):
            raise ValueError(f"A column can only be changed by {', '.join(SHAPES)}.")
        low, high = WEIGHTS
        if not all(low <= weight <= high for _, weight in self.weights):
            raise ValueError(f"The weight of a column must be a number from {low:g} to {high:g}.")


def prepare(dataset: Dataset, preparation: Preparation | None = None) -> Dataset:
    """The data set with the chosen columns, label column, filling and scale.

    Always starts from the table as it was read, so rows set aside for a column that is no longer used come back, and
    preparing twice is the same as preparing once with the second choice.

    Raises ValueError with a sentence when a choice does not fit the data.
    """
    preparation = preparation or Preparation()
    raw = dataset.raw
    columns, truth_column = _chosen_columns(raw, preparation)
    read = readings_for(raw, preparation, columns)
    table = _read(raw, read)
    _check_columns(raw, read, table, columns, truth_column)

    X = matrix(table, columns)
    left, treated = suspicious.treat(X, columns, *_treatments(raw, preparation, table))
    kept, aside, notes = _rows_to_keep(X, table, columns, truth_column, preparation.missing, left)
    if not kept.any():
        raise ValueError(_no_row_left(truth_column))
    if not kept.all():
        X, table = _only(X, kept), table[kept]
    truth, truth_names = codes(table[truth_column]) if truth_column else (None, ())
    if preparation.truth:
        _check_label(truth_column, len(truth_names), len(table))
    notes += _fill(X, preparation.missing)
    remarked = remarks(X, columns, table, raw)
    scale, scale_notes = scale_of(X, preparation.scaling, columns, *_changes(raw, preparation, columns))
    if scale is not None:
        scale.apply(X, columns)
    X.flags.writeable = False
    metric, metric_notes = _metric(preparation, raw, columns, X, scale)
    return dataclasses.replace(
        dataset,
        X=X,
        features=tuple(columns),
        table=table,
        truth=truth,
        truth_names=truth_names,
        truth_column=truth_column,
        unit=_unit(preparation, raw, columns, metric),
        notes=raw.notes
        + _label_note(raw, preparation, truth_column, len(truth_names))
        + treated
        + notes
        + remarked
        + scale_notes
        + metric_notes,
        numeric_columns=(*raw.numeric, *_made(raw, read)),
        scale=scale,
        aside=aside,
        metric=metric,
        preparation=preparation,
        space=None,
        prepared=None,
    )


def _label_note(raw: RawTable, preparation: Preparation, column: str | None, classes: int) -> tuple[str, ...]:
    if column is None or preparation.truth is not None or not raw.kinds:
        return ()
    many = f"{classes:,} class{'' if classes == 1 else 'es'}"
    return (f"'{short(column)}' looks like a label ({many}): it is used to judge, not to cluster.",)


def label_note(data: Dataset) -> str:
    """The one sentence about a label column that was guessed; empty where the person or the set itself names it."""
    chosen = data.preparation or Preparation()
    return "".join(_label_note(data.raw, chosen, data.truth_column, len(data.truth_names)))


def readings_for(raw: RawTable, preparation: Preparation, columns: Sequence[str]) -> tuple[str, ...]:
    """Keys of the readings that make some of the columns, or that the person asked for, in the order of the file."""
    wanted = [key for key, found in raw.readings.items() if set(found.names) & set(columns)]
    return tuple(dict.fromkeys([*wanted, *preparation.read]))


def _treatments(
    raw: RawTable, preparation: Preparation, table: pd.DataFrame
) -> tuple[list[tuple[Suspicion, str]], dict[Suspicion, np.ndarray]]:
    """(pairs of a Suspicion and what becomes of it, the rows of those that numbers do not tell)."""
    chosen = {(column, what): how for column, what, how in preparation.treat}
    found = [(each, chosen[each.column, each.what]) for each in raw.suspicious if (each.column, each.what) in chosen]
    masks = {}
    for each, _ in found:
        if each.what.startswith("unit "):
            of = next(reading for reading in raw.readings.values() if each.column in reading.names)
            masks[each] = of.in_unit(table[of.column], each.what.removeprefix("unit "))
    return found, masks


def _changes(
    raw: RawTable, preparation: Preparation, columns: Sequence[str]
) -> tuple[dict[str, str], dict[str, float]]:
    """({feature: its shape}, {feature: its weight}), from what was said about the columns they are made of."""
    source = {name: raw.source(name) for name in columns} if preparation.shapes or preparation.weights else {}
    shapes, weights = dict(preparation.shapes), dict(preparation.weights)
    return (
        {name: shapes[column] for name, column in source.items() if column in shapes},
        {name: weights[column] for name, column in source.items() if column in weights},
    )


def prepare_like(first: Dataset, second: Dataset) -> Dataset:
    """A second data set with the columns, readings, fillings and scale of the first, for `predict`.

    Its categories, medians, neighbours and units are those of the first: nothing is learnt from the second. It keeps a
    label column only where it has the first's.

    Raises ValueError with a sentence when a column is missing or holds something else.
    """
    preparation = first.preparation or Preparation()
    columns = first.features
    table = _read_like(first.raw, second.raw, readings_for(first.raw, preparation, columns))
    for column in columns:
        if column not in table.columns:
            raise ValueError(
                f"There is no column '{short(column)}' in {second.name}, but there is one in {first.name}."
            )
    for column in set(columns) & set(second.raw.table.columns):
        if column not in second.raw.numeric:
            raise ValueError(f"Column '{short(column)}' of {second.name} has values that are not numbers.")
    X = matrix(table, columns)
    left, _ = suspicious.treat(X, columns, *_treatments(first.raw, preparation, table))
    kept, aside, notes = _rows_to_keep(X, table, columns, None, preparation.missing, left)
    if not kept.any():
        raise ValueError(f"No row of {second.name} has a number in every column that is used.")
    if not kept.all():
        X, table = _only(X, kept), table[kept]
    notes += _fill(X, preparation.missing, learnt_from(first))
    if first.scale is not None:
        first.scale.apply(X, columns)
    X.flags.writeable = False
    known = first.truth_column if first.truth_column in table.columns else None
    truth, truth_names = codes(table[known]) if known and table[known].notna().all() else (None, ())
    like_first = dataclasses.replace(
        second,
        X=X,
        features=columns,
        table=table,
        truth=truth,
        truth_names=truth_names,
        truth_column=known if truth is not None else None,
        unit=first.unit,
        notes=second.raw.notes + notes,
        numeric_columns=columns,
        scale=first.scale,
        aside=aside,
        metric=first.metric,
        preparation=preparation,
    )
    try:
        first.metric.check(like_first.X)
    except ValueError as error:
        raise ValueError(f"{second.name}: {error}.") from None
    return like_first if first.space is None else space.placed(like_first, first.space, first.space.transform(X))


def learnt_from(first: Dataset) -> np.ndarray:
    """The points of a data set in the units of its columns, with their gaps: what a filling learns from."""
    X = unfilled(first)
    return X[~_where(X, lambda values: np.abs(values) > LARGEST)[0]]


def unfilled(data: Dataset) -> np.ndarray:
    """The features of a `Dataset` for all rows of its file, in the units of the columns, with their gaps (n, d)."""
    raw, preparation = data.raw, data.preparation or Preparation()
    table = _read(raw, readings_for(raw, preparation, data.features))
    X = matrix(table, data.features)
    suspicious.treat(X, data.features, *_treatments(raw, preparation, table))
    return X


def _metric(
    preparation: Preparation, raw: RawTable, columns: Sequence[str], X: np.ndarray, scale: Scale | UnitLength | None
) -> tuple[Metric, tuple[str, ...]]:
    """(how distances are measured, sentences): as was chosen, or straight where the points have no such distance."""
    metric = preparation.metric
    if metric.of_columns:
        return metric, ()
    why = ""
    if metric.of_curves and (scale is not None or tuple(columns) != raw.curves):
        why = "curves need x, y and z of every place, unscaled"
    if metric.radius is not None and (scale is not None or tuple(columns) != raw.place):
        why = "kilometres need only a latitude and a longitude, in degrees and unscaled"
    try:
        metric.check(X)
    except ValueError as error:
        why = why or str(error)
    return (metric, ()) if not why else (EUCLIDEAN, (f"Distances are straight lines: {why}.",))


def can_be_places(data: Dataset) -> bool:
    """Whether the points of a `Dataset` are places on a globe, between which there are kilometres."""
    if not data.on_map:
        return False
    try:
        METRICS["haversine"].check(data.X)
    except ValueError:
        return False
    return True


def _unit(preparation: Preparation, raw: RawTable, columns: Sequence[str], metric: Metric) -> str:
    """What one unit of θ is: that of all columns where they share one and none is scaled; a chord if it is straight."""
    if metric.unit:
        return metric.unit
    unit = SCALINGS[preparation.scaling].unit
    if unit is not None:
        return "of a row's length" if unit == CHORD and metric != EUCLIDEAN else unit
    changed = preparation.shapes or preparation.weights
    return UNIT if changed else shared_unit(raw, columns) or raw.unit


def shared_unit(raw: RawTable, columns: Sequence[str]) -> str:
    """The unit that all of the columns have, or an empty text."""
    if raw.place is not None and set(columns) == set(raw.place):
        return "degrees"
    found = {raw.units.get(name, "") for name in columns}
    return found.pop() if len(found) == 1 else ""


def _read(raw: RawTable, read: Iterable[str]) -> pd.DataFrame:
    """The table with the columns that reading makes. ValueError where a column cannot be read."""
    for column in read:
        if column not in raw.readings and column not in raw.table.columns:
            raise ValueError(f"There is no column '{short(column)}' in this data set.")
        if column not in raw.readings:
            raise ValueError(f"Column '{short(column)}' cannot be read as numbers.")
    return with_readings(raw.table, raw.readings, read)


def _read_like(first: RawTable, second: RawTable, read: Iterable[str]) -> pd.DataFrame:
    """The second table, read as the first was; an amount that needs no reading in the second is used as it is."""
    table = second.table
    for column in (first.readings[key].column for key in read):
        if column not in table.columns:
            raise ValueError(f"There is no column '{short(column)}' in the second file, but there is one in the first.")
    return with_readings(table, first.readings, read)


def _made(raw: RawTable, read: Iterable[str]) -> tuple[str, ...]:
    """The names of the columns that reading makes."""
    return tuple(name for column in read for name in raw.readings[column].names)


def _chosen_columns(raw: RawTable, preparation: Preparation) -> tuple[tuple[str, ...], str | None]:
    """(columns, label column or None): what the person chose, else what the data set came with."""
    truth_column = raw.truth if preparation.truth is None else (preparation.truth or None)
    if preparation.columns is not None:
        return _in_order(raw, preparation.columns), truth_column
    _read(raw, preparation.read)  # a sentence where a column cannot be read
    start = (raw.plain or raw.features) if preparation.start == "numbers" else raw.features
    usual = tuple(dict.fromkeys([*start, *_made(raw, preparation.read)]))
    # a label must not help to find itself
    return _in_order(raw, tuple(c for c in usual if raw.source(c) != truth_column) or usual), truth_column


def _in_order(raw: RawTable, columns: tuple[str, ...]) -> tuple[str, ...]:
    """The columns; latitude before longitude where these are all, and the places of curves one after the other.

    Whoever measures on a sphere or along curves relies on it.
    """
    known = (names for names in (raw.place, raw.curves) if names is not None and sorted(columns) == sorted(names))
    return next(known, columns)


def _check_columns(
    raw: RawTable, read: Iterable[str], table: pd.DataFrame, columns: Sequence[str], truth_column: str | None
) -> None:
    if not columns:
        raise ValueError("Choose at least one column with numbers.")
    if len(set(columns)) != len(columns):
        raise ValueError("The same column is chosen twice.")
    for column in columns:
        if column not in table.columns:
            raise ValueError(f"There is no column '{short(column)}' in this data set.")
        if column not in raw.numeric and column not in _made(raw, read):
            raise ValueError(f"Column '{short(column)}' has values that are not numbers. Pick other columns.")
    if truth_column and truth_column not in raw.table.columns:
        raise ValueError(f"There is no column '{short(truth_column)}' in this data set.")


def _check_label(column: str, classes: int, rows: int) -> None:
    """A column that names rows, chosen as the one that names classes, is refused."""
    if names_rows(classes, rows):
        raise ValueError(
            f"Column '{short(column)}' has {classes:,} classes for {rows:,} rows: it names rows, not classes. Choose a "
            "label column whose values come back."
        )


def names_rows(distinct: int, rows: int) -> bool:
    """Whether so many different values in so many rows name the rows rather than classes."""
    return rows >= 5 and (distinct == rows or (rows >= 20 and 2 * distinct > rows))


def matrix(table: pd.DataFrame, columns: Sequence[str]) -> np.ndarray:
    """The named columns as an array (n, d) of float64; missing values become NaN, -0 becomes 0."""
    X = np.empty((len(table), len(columns)))
    for j, column in enumerate(columns):
        X[:, j] = pd.to_numeric(table[column], errors="coerce").to_numpy(dtype=np.float64, na_value=np.nan)
    X += 0.0  # -0.0 and 0.0 are one value and must have one digest
    return X


def _only(X: np.ndarray, kept: np.ndarray) -> np.ndarray:
    """The kept rows, moved up in the array's own memory."""
    rows = np.flatnonzero(kept)
    for part in pieces(len(rows), X.shape[1]):
        X[part] = X[rows[part]]  # a row never moves down: what is overwritten has been moved already
    X.resize((len(rows), X.shape[1]), refcheck=False)
    return X


def _rows_to_keep(
    X: np.ndarray, table: pd.DataFrame, columns: Sequence[str], truth_column: str | None, way: str, left: np.ndarray
) -> tuple[np.ndarray, tuple[tuple[str, np.ndarray], ...], tuple[str, ...]]:
    """A mask of usable rows, why others are set aside as (reason, their row numbers), and sentences about them.

    ``left`` is a mask of rows that the person leaves out.
    """
    aside, notes, kept = [], [], ~left
    if left.any():
        aside.append(("an odd value", table.index[left].to_numpy()))
    rules = {  # infinite is too large; NaN compares false
        "a missing value": np.isnan,
        "an infinite or far too large value": lambda values: np.abs(values) > LARGEST,
    }
    for what, rule in rules.items():
        rows, counts = _where(X, rule, every=what == "a missing value" and way != "rows")  # type: ignore[arg-type]
        rows &= ~left
        if not rows.any():
            continue
        what = "no value at all" if way != "rows" and rule is np.isnan else what
        most = "most often in" if np.count_nonzero(counts) > 1 else "in"
        notes.append(
            f"{count(rows.sum(), 'row')} with {what} {_were(rows.sum())} set aside ({row_numbers(table.index[rows])}; "
            f"{most} column '{short(columns[int(counts.argmax())])}')."
        )
        aside.append((what, table.index[rows & kept].to_numpy()))
        kept &= ~rows
    if truth_column:
        unlabelled = kept & table[truth_column].isna().to_numpy()
        if unlabelled.any():
            notes.append(
                f"{count(unlabelled.sum(), 'row')} without a value in the label column '{short(truth_column)}' "
                f"{_were(unlabelled.sum())} set aside ({row_numbers(table.index[unlabelled])})."
            )
            aside.append(("no label", table.index[unlabelled].to_numpy()))
            kept &= ~unlabelled
    return kept, tuple(aside), tuple(notes)


def _fill(X: np.ndarray, way: str, learnt: np.ndarray | None = None) -> tuple[str, ...]:
    """Fill gaps where they are; a sentence about it."""
    rows, counts = _where(X, np.isnan)
    if not rows.any():
        return ()
    missing.filler(X if learnt is None else learnt, way)(X)
    return (missing.does(way, int(counts.sum()), int(rows.sum())),)


def _where(
    X: np.ndarray, rule: Callable[[np.ndarray], np.ndarray], every: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """(rows in which the rule holds for any value, or for every one; values per column for which it does)."""
    rows, counts = np.zeros(len(X), dtype=bool), np.zeros(X.shape[1], dtype=np.int64)
    for part in pieces(*X.shape):
        found = rule(X[part])
        rows[part] = found.all(axis=1) if every else found.any(axis=1)
        counts += found.sum(axis=0)
    return rows, counts


def _no_row_left(truth_column: str | None) -> str:
    labelled = f" and a value in the label column '{truth_column}'" if truth_column else ""
    return f"No row has a number in every chosen column{labelled}. Choose fewer columns."


def _were(n: int) -> str:
    return "was" if n == 1 else "were"


def row_numbers(numbers: Sequence[int] | np.ndarray, total: int | None = None, most: int = 3) -> str:
    """ "row 7", or "rows 7, 19, 20, ..." of so many in all."""
    total = len(numbers) if total is None else total
    shown = ", ".join(f"{int(number)}" for number in numbers[:most])
    return ("row " if total == 1 else "rows ") + shown + (", ..." if total > most else "")


def codes(column: pd.Series) -> tuple[np.ndarray, tuple[str, ...]]:
    """Classes as int64 codes in the order of their sorted names, and the names."""
    values, names = pd.factorize(column, sort=False)
    names = [_class_name(name) for name in names]
    order = sorted(range(len(names)), key=lambda k: _natural(names[k]))
    rank = np.empty(len(names), dtype=np.int64)
    rank[order] = np.arange(len(names))
    return frozen(rank[values], np.int64), tuple(names[k] for k in order)


def _class_name(value: object) -> str:
    """2.0 in a column that had gaps is class 2."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)


def _natural(name: str) -> tuple[int, float, str]:
    """Numbers by value, before words."""
    try:
        return (0, float(name), name)
    except ValueError:
        return (1, 0.0, name)


def remarks(X: np.ndarray, columns: Sequence[str], table: pd.DataFrame, raw: RawTable) -> tuple[str, ...]:
    """Sentences about what is allowed but worth knowing: constant columns, repeated rows."""
    notes = []
    constant = [f"'{short(columns[j])}'" for j in np.flatnonzero(np.ptp(X, axis=0) == 0)] if len(X) > 1 else []  # type: ignore[call-overload]
    if constant:
        many = len(constant) > 1
        listed = ", ".join(constant[:5]) + (", ..." if len(constant) > 5 else "")
        notes.append(
            f"Column{'s' if many else ''} {listed} {'have' if many else 'has'} the same value in every row that is "
            f"used: {'they' if many else 'it'} cannot tell points apart."
        )
    everywhere = count_repeated(table, raw.table.columns) if len(raw.table.columns) > 1 else 0  # numbers come back
    if everywhere:
        notes.append(
            f"{count(everywhere, 'row')} {'repeats' if everywhere == 1 else 'repeat'} an earlier row in every column; "
            "all are kept."
        )
    return tuple(notes)


def count_repeated(table: pd.DataFrame, columns: Sequence[str]) -> int:
    """How many rows of a table equal an earlier one in every one of the columns.

    By 64-bit hash of a row: exact but for a chance of about n²/2⁶⁵. A column at a time: no copy of the table is made.
    """
    hashes = np.zeros(len(table), dtype=np.uint64)
    for column in columns:
        values = table[column]
        try:
            own = pd.util.hash_pandas_object(values, index=False)
        except TypeError:  # values of a kind that has no hash
            own = pd.util.hash_pandas_object(values.astype(str), index=False)
        hashes = hashes * np.uint64(1_000_003) + own.to_numpy()
    return int(pd.Series(hashes).duplicated().sum())
