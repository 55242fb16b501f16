"""From a parsed table to a data set: which columns are numbers, which one is the label."""

import re

import numpy as np
import pandas as pd

from theta_app.datasets.dataset import Dataset, RawTable
from theta_app.datasets.prepare import count, prepare
from theta_app.datasets.uploads.limits import UploadError, check_features
from theta_app.datasets.uploads.text import MISSING

TRUTH_NAMES = (
    "label",
    "labels",
    "class",
    "classes",
    "target",
    "truth",
    "ground truth",
    "true label",
    "cluster",
    "clusters",
    "category",
    "species",
    "variety",
    "group",
)
COUNTER_NAMES = ("id", "index", "row", "no", "nr", "number", "unnamed: 0", "index level 0", "column 1")


def dataset_from(name, parsed):
    """The data set, or UploadError when the table holds nothing to cluster."""
    table, numeric, stray = with_numbers(parsed.table)
    if not numeric:
        raise UploadError(_nothing_numeric(stray))
    truth = parsed.truth or guess_truth(table, numeric, parsed.named)
    features, truth, counters = choose_features(table, numeric, truth)
    check_features(len(features))
    notes = (*parsed.notes, *_column_notes(stray, counters, truth, table))
    raw = RawTable(table, tuple(features), tuple(numeric), truth, notes=notes)
    source = f"Uploaded file {name} ({parsed.kind}): {count(len(table), 'row')}, {count(len(table.columns), 'column')}."
    unprepared = Dataset(name, source, np.empty((0, 0)), (), table, raw=raw)
    try:
        dataset = prepare(unprepared)
    except ValueError as error:
        raise UploadError(str(error)) from error
    if len(dataset.X) < 2:
        raise UploadError(
            "Only one row has a number in every column: there is nothing to cluster. Upload at least two rows."
        )
    return dataset


def with_numbers(table):
    """The table with its columns as numbers where they can be; which of them are; and what keeps others from it.

    The last is a mapping from a column of mostly numbers to the rows (as the person sees them) that are none.
    """
    numbers, numeric, stray = {}, [], {}
    for name in table.columns:
        column, wrong = as_numbers(table[name])
        if wrong is None:
            numeric.append(name)
            if not pd.api.types.is_numeric_dtype(table[name]):
                numbers[name] = column
        elif len(wrong):
            stray[name] = wrong
    if numbers:  # the other columns stay where they are
        columns = {name: numbers.get(name, table[name]) for name in table.columns}
        table = pd.DataFrame(columns, index=table.index, copy=False)
    return table, numeric, stray


def as_numbers(column):
    """The column, as numbers where it can be; and None, or the rows of what keeps it from being numbers.

    A column of which half or more is no number has no such rows (it was never meant to be one).
    """
    if pd.api.types.is_bool_dtype(column):
        return column, ()
    if pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_complex_dtype(column):
        return column, None if column.notna().any() else ()
    if not (column.dtype == object or isinstance(column.dtype, pd.StringDtype)):
        return column, ()
    text = column.astype("str").str.strip()
    text = text.where(column.notna() & ~text.isin(MISSING))
    numbers = _to_numeric(text)
    wrong = text.notna() & numbers.isna()
    if wrong.any() and text[wrong].str.fullmatch(r"[+-]?\d+,\d+").any():
        with_comma = _to_numeric(text.str.replace(",", ".", regex=False))
        numbers, wrong = with_comma, text.notna() & with_comma.isna()
    present, bad = int(text.notna().sum()), int(wrong.sum())
    if present and not bad:
        return numbers, None
    mostly_numbers = bad < present / 2
    return column, column.index[wrong.to_numpy(dtype=bool)] if mostly_numbers else ()


def _to_numeric(text):
    return pd.to_numeric(text, errors="coerce").astype("float64")


def guess_truth(table, numeric, named):
    """The column that looks like known classes, or None. The person may correct it."""
    by_name = _named_like_classes(table)
    if by_name is not None:
        return by_name
    last = table.columns[-1]
    if _only_words(table, numeric, last) or (not named and _codes_after_measurements(table, numeric, last)):
        return last
    return None


def _named_like_classes(table):
    """The column whose name says that it holds classes, and which looks like it; or None."""
    for wanted in TRUTH_NAMES:
        for column in reversed(table.columns):
            if re.sub(r"[\W_]+", " ", column.lower()).strip() == wanted and looks_like_classes(table[column]):
                return column
    return None


def _only_words(table, numeric, last):
    """Whether the last column, and no other, holds classes as words."""
    return [c for c in table.columns if c not in numeric and looks_like_classes(table[c])] == [last]


def _codes_after_measurements(table, numeric, last):
    """Whether the last of three or more columns of numbers looks like codes; among whole numbers none stands out."""
    if len(numeric) < 3 or last != numeric[-1] or not looks_like_classes(table[last], most=50):
        return False
    return not all(_whole(table[c]) for c in numeric[:-1])


def looks_like_classes(column, most=1000):
    """Few values, each more than once on average, and no fractions."""
    if pd.api.types.is_numeric_dtype(column) and not _whole(column):
        return False
    distinct = column.nunique()
    return 2 <= distinct <= min(most, max(2, column.count() // 2))


def _whole(column):
    values = column.dropna().to_numpy(dtype=np.float64)
    return bool(np.isfinite(values).all() and (values == np.floor(values)).all())


def choose_features(table, numeric, truth):
    """(features, label column, counters): the numbers to cluster by, and the columns left out as they count rows.

    If nothing else is left, what counts rows, and then the label column itself, is clustered.
    """
    others = [c for c in numeric if c != truth]
    if not others:
        return numeric, None, []
    counters = [c for c in others if counts_rows(c, table[c])]
    features = [c for c in others if c not in counters]
    return (features, truth, counters) if features else (others, truth, [])


def counts_rows(name, column):
    """Whether it numbers the rows (0, 1, 2, ... or 1, 2, 3, ...), as an index that was saved along."""
    if re.sub(r"_+", " ", name.lower()).strip() not in COUNTER_NAMES or len(column) < 3 or column.isna().any():
        return False
    values = column.to_numpy(dtype=np.float64)
    return bool(values[0] in (0.0, 1.0) and (np.diff(values) == 1.0).all())


def _nothing_numeric(stray):
    if not stray:
        return (
            "The file has no column of numbers, so there are no distances to cluster by. Upload a table with numbers."
        )
    column, rows = next(iter(stray.items()))
    return f"No column holds only numbers. {_stray_sentence(column, rows)} Fix the file and upload it again."


def _stray_sentence(column, rows):
    shown = ", ".join(str(row) for row in rows[:5]) + (", ..." if len(rows) > 5 else "")
    if len(rows) == 1:
        return f"Column '{column}' has a value that is not a number (row {shown})."
    return f"Column '{column}' has {len(rows):,} values that are not numbers (rows {shown})."


def _column_notes(stray, counters, truth, table):
    for column, rows in stray.items():
        if column != truth:
            yield f"{_stray_sentence(column, rows)} It is not used as a feature; fix the file to use it."
    for column in counters:
        yield f"Column '{column}' only numbers the rows, so it is not used as a feature."
    if truth is not None:
        yield f"Column '{truth}' was taken as the known classes ({table[truth].nunique():,} of them)."
