"""What each column of a table holds, and which of them distances are measured in unless the person says otherwise."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence

import numpy as np
import pandas as pd

from theta_app.datasets import reading
from theta_app.datasets.reading import Reading

FEW = 12  # different values that nearly all rows have: each of them would look like a cluster
_NEARLY_ALL = 0.95
_TIMES, _WHOLE_TIMES = 8, 3  # that each of them comes back, on average; of whole numbers fewer say so
WIDE = 50  # columns of numbers: a wider table is a picture or a spectrum, whose columns are all of one kind
IDENTIFIER_WORDS = {"id", "ids", "identifier", "key", "uuid", "guid", "index", "nr", "no", "code"}
CODE_WORDS = {"zip", "zipcode", "postcode", "postal", "plz", "phone", "telephone", "fax", "iban", "isbn", "ean", "sku"}
COUNTER_NAMES = ("id", "index", "row", "no", "nr", "number", "unnamed: 0", "index level 0", "column 1")
_LATITUDE = {"lat", "latitude", "latitud", "breitengrad"}  # not Breite and Länge: they are width and length too
_LONGITUDE = {"lon", "lng", "long", "longitude", "longitud", "längengrad", "laengengrad"}
BOUNDS = {"latitude": (-90.0, 90.0), "longitude": (-360.0, 360.0)}
_PLACES = 0.9  # of the values have to be on Earth
YES_NO = ({"yes", "no"}, {"y", "n"}, {"true", "false"}, {"t", "f"}, {"ja", "nein"}, {"oui", "non"}, {"on", "off"})
_NUMBERED = 20  # rows at least, of which one number each is no accident
_MEAN_TEXT = 60  # characters: longer values are sentences


def kinds_of(table: pd.DataFrame, numeric: Collection[str], readings: Mapping[str, Reading]) -> dict[str, str]:
    """{column: what it holds, a key of `KINDS`} of a table, its columns of numbers and the readings of others."""
    found = {name: _kind(name, table[name], name in numeric, readings.get(name)) for name in table.columns}
    return _only_pairs(found)


def _kind(name: str, column: pd.Series, is_number: bool, found: Reading | None) -> str:
    present = column.dropna()
    if not len(present):
        return "empty"
    if is_number:
        return _kind_of_numbers(name, present)
    distinct = present.nunique()
    if distinct == 1 and len(column) > 1:
        return "constant"
    if found is not None and found.kind in (reading.AMOUNT, reading.DATE):
        return "date" if found.kind == reading.DATE else "identifier" if _words(name) & CODE_WORDS else "number"
    if distinct == 2 and _says_yes_or_no(present):
        return "yes/no"
    if len(present) >= 5 and present.is_unique:
        texts = present.head(1000).astype(str)
        spaces = texts.str.count(r"\s").mean()
        return "text" if texts.str.len().mean() > _MEAN_TEXT or spaces > 2 else "identifier"
    return "text" if found is None else "category"


def _kind_of_numbers(name: str, present: pd.Series) -> str:
    values = present.to_numpy(dtype=np.float64)
    low, high = values.min(), values.max()
    if low == high:
        return "constant" if len(values) > 1 else "number"
    place = _place(name, values)
    if place:
        return place
    words = _words(name)
    whole = is_whole(values)
    if counts_rows(name, present) or (whole and len(values) >= 5 and words & IDENTIFIER_WORDS and present.is_unique):
        return "identifier"
    if whole and (words & CODE_WORDS or _numbers_rows(present, values)):
        return "identifier"
    if (low, high) == (0.0, 1.0) and whole:
        return "yes/no"
    return "count" if whole else "number"


def _numbers_rows(present: pd.Series, values: np.ndarray) -> bool:
    """Whether every whole number of a range is there once, or each is as much larger than the one above.

    Nobody measures that: they are numbers of rows, or the clock's.
    """
    if len(values) < _NUMBERED:
        return False
    steps = np.diff(values)
    return (steps[0] != 0 and (steps == steps[0]).all()) or (np.ptp(values) == len(values) - 1 and present.is_unique)


def _words(name: str) -> set[str]:
    return set(re.sub(r"[\W_]+", " ", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)).lower().split())


def _says_yes_or_no(present: pd.Series) -> bool:
    if pd.api.types.is_bool_dtype(present):
        return True
    return {str(value).strip().casefold() for value in present.unique()} in YES_NO


def _place(name: str, values: np.ndarray) -> str | None:
    kind = place_in_name(name)
    if kind is None:
        return None
    low, high = BOUNDS[kind]
    return kind if ((values >= low) & (values <= high)).mean() >= _PLACES else None


def place_in_name(name: str) -> str | None:
    """ "latitude" or "longitude" where a column is called so; else None."""
    words = _words(name)
    for kind, names in (("latitude", _LATITUDE), ("longitude", _LONGITUDE)):
        if words & names and len(words) <= 3:
            return kind
    return None


def _only_pairs(found: dict[str, str]) -> dict[str, str]:
    """A latitude without a longitude, or several of them, are numbers as any other."""
    counts = [sum(kind == wanted for kind in found.values()) for wanted in BOUNDS]
    if counts == [1, 1]:
        return found
    return {name: "number" if kind in BOUNDS else kind for name, kind in found.items()}


def is_whole(values: np.ndarray) -> bool:
    """Whether every value is finite and a whole number."""
    return bool(np.isfinite(values).all() and (values == np.floor(values)).all())


def counts_rows(name: str, column: pd.Series) -> bool:
    """Whether it numbers the rows (0, 1, 2, ... or 1, 2, 3, ...); of a few rows only its name says so."""
    named = re.sub(r"_+", " ", name.lower()).strip() in COUNTER_NAMES and len(column) >= 3
    if not (named or len(column) >= _NUMBERED) or column.isna().any():
        return False
    values = column.to_numpy(dtype=np.float64)
    return bool(values[0] in (0.0, 1.0) and (np.diff(values) == 1.0).all())


def has_few_values(values: np.ndarray) -> bool:
    """Whether nearly all of the values (n,), NaN where there is none, are one of a few that come back many times."""
    values = values[~np.isnan(values)]
    counts = np.sort(np.unique(values, return_counts=True)[1])[::-1]
    if not len(counts):
        return False
    needed = int(np.searchsorted(np.cumsum(counts), _NEARLY_ALL * len(values))) + 1
    return needed <= FEW and len(values) >= (_WHOLE_TIMES if is_whole(values) else _TIMES) * needed


def why_left_out(
    table: pd.DataFrame, kinds: Mapping[str, str], readings: Mapping[str, Reading], stray: Collection[str]
) -> dict[str, str]:
    """{column: why it is not clustered by, a key of `LEFT_OUT`}, for what each column holds by itself."""
    return {
        name: why
        for name, kind in kinds.items()
        if (why := _why(name, table[name], kind, readings.get(name), name in stray)) is not None
    }


def _why(name: str, column: pd.Series, kind: str, found: Reading | None, is_stray: bool) -> str | None:
    if kind == "yes/no" and pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column):
        return None  # as any column of few numbers: see `few_valued`
    if kind in ("text", "category", "yes/no", "empty"):
        return "stray" if is_stray and found is None else kind
    if kind == "date":
        return "dates"
    if kind == "constant":
        return "constant" if column.notna().all() else "one value"
    if kind == "identifier":
        if not pd.api.types.is_numeric_dtype(column):
            return "identifier"
        return "counter" if counts_rows(name, column) else "identifier" if column.is_unique else "code"
    unsure = found is not None and not found.sure
    return "stray" if unsure else None


def few_valued(
    values_of: Callable[[str], np.ndarray], columns: Sequence[str], kinds: Mapping[str, str]
) -> tuple[str, ...]:
    """Those of the columns that have few different values; where all have, as in a questionnaire, those of yes or no.

    None where there is nothing else to measure distances in. ``values_of(name)`` are the numbers of a column.
    """
    if len(columns) > WIDE:
        return ()
    few = tuple(c for c in columns if kinds.get(c) == "yes/no" or has_few_values(values_of(c)))
    if len(few) == len(columns):
        few = tuple(c for c in columns if kinds.get(c) == "yes/no")
    return few if len(few) < len(columns) else ()
