"""From a parsed table to a data set: which columns are numbers, which one is the label."""

import re

import numpy as np
import pandas as pd

from theta_app.datasets import reading
from theta_app.datasets.dataset import Dataset, RawTable
from theta_app.datasets.prepare import count, names_rows, prepare
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
IDENTIFIER_WORDS = {"id", "ids", "identifier", "key", "uuid", "guid", "index", "nr", "no", "code"}
MOST_LABELS = 6  # columns proposed as labels
MOST_CLASSES = 20  # whole numbers in a column that is proposed
MOST_NAMES = 100  # different words in one
MOST_LOOKED_AT = 200  # columns of numbers in which classes are looked for: a picture has none
COUNTER_NAMES = ("id", "index", "row", "no", "nr", "number", "unnamed: 0", "index level 0", "column 1")


def dataset_from(name, parsed):
    """The data set, or UploadError when the table holds nothing to cluster."""
    table, numeric, stray = with_numbers(parsed.table)
    readings = _readings(table, numeric)
    notes = ()
    if not numeric:
        table, numeric, readings, notes = _read_at_once(table, readings)
    if not numeric:
        raise UploadError(_nothing_numeric(stray))
    truth = parsed.truth if parsed.truth and not names_rows(table[parsed.truth].nunique(), len(table)) else None
    measured = {column for column, found in readings.items() if found.kind != reading.CATEGORIES}
    truth = truth or guess_truth(table, numeric, parsed.named, measured)
    features, truth, numbers_out = choose_features(table, numeric, truth)
    check_features(len(features))
    others = [c for c in table.columns if c not in {*features, truth}]
    left_out = {c: numbers_out.get(c) or _why_no_numbers(table[c], c, readings, stray) for c in others}
    notes = (*parsed.notes, *notes, *_column_notes(stray, left_out, truth, table))
    labels = likely_labels(table, numeric, truth, measured)
    raw = RawTable(
        table, tuple(features), tuple(numeric), truth, notes=notes, left_out=left_out, readings=readings, labels=labels
    )
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


def _readings(table, numeric):
    """How columns that are not numbers can be read as such."""
    found, taken = {}, set(table.columns)
    for column in table.columns:
        if column not in numeric:
            reading_of = reading.find(table[column], taken, MISSING)
            if reading_of is not None:
                found[column] = reading_of
                taken |= set(reading_of.names)
    return found


def _read_at_once(table, readings):
    """A table without a column of plain numbers: amounts are read without being asked for, or there is nothing."""
    read = [column for column, found in readings.items() if found.kind == reading.AMOUNT]
    names = [name for column in read for name in readings[column].names]
    notes = tuple(f"Column '{column}' was read as numbers: {readings[column].example}." for column in read)
    rest = {column: found for column, found in readings.items() if column not in read}
    return reading.with_readings(table, readings, read), names, rest, notes


def _why_no_numbers(column, name, readings, stray):
    """Why a column that is not numbers is no feature: a key of `LEFT_OUT`."""
    if name in stray:
        return "stray"
    if name in readings and readings[name].kind == reading.DATE:
        return "dates"
    present = column.dropna()
    if not len(present):
        return "empty"
    if len(present) >= 5 and name not in readings and present.is_unique:
        return "identifier"
    return "constant" if present.nunique() == 1 else "text"


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
        # in threes they set off thousands
        mark = "" if text[wrong].str.fullmatch(r"[+-]?\d{1,3}(,\d{3})+").all() else "."
        with_comma = _to_numeric(text.str.replace(",", mark, regex=False))
        numbers, wrong = with_comma, text.notna() & with_comma.isna()
    present, bad = int(text.notna().sum()), int(wrong.sum())
    if present and not bad:
        return numbers, None
    mostly_numbers = bad < present / 2
    return column, column.index[wrong.to_numpy(dtype=bool)] if mostly_numbers else ()


def _to_numeric(text):
    return pd.to_numeric(text, errors="coerce").astype("float64")


def guess_truth(table, numeric, named, measured=()):
    """The column that looks like known classes, or None; never an amount or a date. The person may correct it."""
    by_name = _named_like_classes(table)
    if by_name is not None:
        return by_name
    last = table.columns[-1]
    if last in measured:
        return None
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
    """(features, label column, why others are not): the numbers to cluster by.

    If nothing else is left, what was left out, and then the label column itself, is clustered.
    """
    others = [c for c in numeric if c != truth]
    if not others:
        return numeric, None, {}
    out = {c: why for c in others if (why := why_no_feature(c, table[c]))}
    features = [c for c in others if c not in out]
    return (features, truth, out) if features else (others, truth, {})


def why_no_feature(name, column):
    """Why a column of numbers tells nothing about distances: a key of `LEFT_OUT`; None where it does."""
    if counts_rows(name, column):
        return "counter"
    if len(column) > 1 and column.min() == column.max():
        return "constant"
    words = set(re.sub(r"[\W_]+", " ", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)).lower().split())
    if words & IDENTIFIER_WORDS and len(column) >= 5 and _whole(column) and column.is_unique:
        return "identifier"
    return None


def likely_labels(table, numeric, truth, measured):
    """Columns that may hold classes and how many, the one in use first, then words, then few whole numbers."""
    found = {}
    few = len(numeric) <= MOST_LOOKED_AT
    for column in table.columns:
        numbers = column in numeric
        if column in measured:
            continue
        if numbers and (not few or not _whole(table[column].head(1000))):
            continue
        most = min(MOST_CLASSES if numbers else MOST_NAMES, len(table) // 2)
        if most > 1 and looks_like_classes(table[column], most):
            found[column] = int(table[column].nunique())
    by_name = _named_like_classes(table)
    order = sorted(found, key=lambda c: (c != truth, c != by_name, c in numeric, found[c]))
    return {column: found[column] for column in order[:MOST_LABELS]}


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


def _column_notes(stray, left_out, truth, table):
    for column, rows in stray.items():
        if column != truth:
            yield f"{_stray_sentence(column, rows)} It is not used as a feature."
    for column, why in left_out.items():
        if why == "counter":
            yield f"Column '{column}' only numbers the rows, so it is not used as a feature."
    if truth is not None:
        yield f"Column '{truth}' was taken as the known classes ({table[truth].nunique():,} of them)."
