"""Every column of a file in a row: what it holds, whether and how it is used, and a sentence about all of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from theta_app.datasets import kinds
from theta_app.datasets.dataset import KINDS, LEFT_OUT, Dataset, RawTable
from theta_app.datasets.prepare import Preparation, matrix
from theta_app.datasets.reading import AMOUNT, CATEGORIES, DATE, PARTS, Reading
from theta_app.datasets.scaling import Scale
from theta_app.datasets.suspicious import Suspicion
from theta_app.datasets.values import count, short

if TYPE_CHECKING:
    import pandas as pd


MOST = 200  # columns that are looked at one by one
_SAMPLE = 5_000  # rows, at least, of a small histogram
_BARS = 16
_SHAPES = {"": "as it is", "rank": "ranked", "jitter": "jittered"}
_SCALED = {"standard": "sd", "robust": "IQR", "unit": "range"}


@dataclass(frozen=True)
class ColumnRow:
    """What a page says about one column of the file.

    Attributes
    ----------
    name, holds : str
        The column, and what it holds in words of `KINDS`.
    used, label : bool
        Whether distances are measured in it, and whether it is the label column.
    why : str
        Why it is not used unless the person says so; empty where nothing speaks against it.
    missing : int
        Rows without a value, or with one that cannot be read.
    odd : str
        What is suspicious about it.
    bars : tuple of float
        A small histogram, the highest bar 1: of its numbers, or of its most frequent values.
    example : str
        How it is read: "$13,339.26 becomes 13339.26"; empty where it is a number already.
    ways : tuple of (str, str)
        How it can be used: a key for `choices.way`, and a label; empty where it cannot be.
    way : str
        The key of the one in use, or that would be.
    weight : float
        How often it counts in every distance.
    scaled : str
        What its numbers are divided by.
    share : float or None
        Of the squared distances between all pairs of points; None where it is not used.
    """

    name: str
    holds: str
    used: bool = False
    label: bool = False
    why: str = ""
    missing: int = 0
    odd: str = ""
    bars: tuple[float, ...] = ()
    example: str = ""
    ways: tuple[tuple[str, str], ...] = ()
    way: str = ""
    weight: float = 1.0
    scaled: str = ""
    share: float | None = None


def column_rows(data: Dataset, shares: Mapping[str, float]) -> tuple[ColumnRow, ...]:
    """A `ColumnRow` per column of the file; ``shares`` are those of the features.

    Of more than `MOST` columns those that are not used come first, up to half of the rows: a person looks for them.
    """
    raw, preparation = data.raw, data.preparation or Preparation()
    of_kind = raw.kinds or {c: "number" if c in raw.features else "category" for c in raw.table.columns}  # made here
    made = (
        {name: raw.source(name) for name in data.features} if raw.readings else dict(zip(data.features, data.features))
    )
    features: dict = {}
    for name, column in made.items():
        features.setdefault(column, []).append(name)
    names = list(of_kind)
    if len(names) > MOST:
        names = list(dict.fromkeys([*[c for c in names if c not in features][: MOST // 2], *features, *names]))[:MOST]
    return tuple(_row(data, preparation, name, of_kind[name], features.get(name, []), shares) for name in names)


def _row(
    data: Dataset, preparation: Preparation, name: str, kind: str, features: Sequence[str], shares: Mapping[str, float]
) -> ColumnRow:
    raw = data.raw
    ways = ways_of(raw, name)
    label = name == data.truth_column
    treated = {(column, what): how for column, what, how in preparation.treat}
    mine = [each for each in raw.suspicious if raw.source(each.column) == name]
    odd = [_odd(each, treated.get((each.column, each.what))) for each in mine]
    reading = _reading_in_use(raw, name, features)
    return ColumnRow(
        name,
        KINDS[kind] if not label or raw.kinds else "label",
        bool(features),
        label,
        LEFT_OUT[raw.left_out[name]] if name in raw.left_out else "",
        missing_values(raw, name),
        "; ".join(odd),
        _bars(raw.table[name], _values(raw, name), mine),
        "" if reading is None else _example(reading),
        ways,
        _way_in_use(preparation, name, reading, ways),
        dict(preparation.weights).get(name, 1.0),
        _scaled(data, preparation, features),
        sum(shares[feature] for feature in features) if features else None,
    )


def _odd(each: Suspicion, treatment: str | None) -> str:
    said = "far outside" if each.what == "far" else "impossible" if each.what == "impossible" else ""
    said = said or (each.what if each.value is None else f"{each.value:g}".replace("-", "−"))
    done = {"missing": ", as missing", "clip": ", clipped", "rows": ", left out"}.get(treatment, "")
    return f"{each.rows:,} × {said.removeprefix('unit ')}{done}"


def ways_of(raw: RawTable, name: str) -> tuple[tuple[str, str], ...]:
    """((key, label), ...): how a column can be used; none where it cannot be."""
    if name in raw.numeric:
        return tuple(_SHAPES.items())
    found = [(key, each) for key, each in raw.readings.items() if each.column == name]
    if not found:
        return ()
    if found[0][1].kind == AMOUNT:
        return tuple(_SHAPES.items())
    return tuple((key, _named(each)) for key, each in found)


def _named(reading: Reading) -> str:
    if reading.kind == DATE:
        return PARTS.get(reading.part, "day number")
    return "0 or 1" if len(reading.names) == 1 else f"{len(reading.names)} columns of 0 and 1"


def _reading_in_use(raw: RawTable, name: str, features: Collection[str]) -> Reading | None:
    found = [each for each in raw.readings.values() if each.column == name]
    return next((each for each in found if set(each.names) & set(features)), found[0] if found else None)


def _way_in_use(preparation: Preparation, name: str, reading: Reading | None, ways: tuple[tuple[str, str], ...]) -> str:
    if reading is not None and reading.kind != AMOUNT:
        return reading.key
    return dict(preparation.shapes).get(name, "") if ways else ""


def _example(reading: Reading) -> str:
    if reading.kind == CATEGORIES:
        return reading.example
    unread = f"; {count(reading.unread, 'value')} cannot be read" if reading.unread else ""
    return f"{reading.example}{unread}"


def _values(raw: RawTable, name: str) -> np.ndarray | None:
    """Some of the numbers of a column, as it is read first; None where it has none."""
    some = raw.table[[name]].iloc[:: max(1, len(raw.table) // _SAMPLE)]
    if name in raw.numeric:
        return matrix(some, [name])[:, 0]
    reading = _reading_in_use(raw, name, ())
    return None if reading is None or reading.kind == CATEGORIES else reading.read(some[name])[0]


def missing_values(raw: RawTable, name: str) -> int:
    """Rows without a value, or with one that cannot be read."""
    reading = _reading_in_use(raw, name, ())
    return int(raw.table[name].isna().sum()) + (reading.unread if reading is not None else 0)


def _bars(column: pd.Series, values: np.ndarray | None, odd: Iterable[Suspicion]) -> tuple[float, ...]:
    """Heights of a small histogram, without what is suspicious: one far value would leave a single bar."""
    if values is None:
        some = column.dropna()
        counts = some.iloc[:: max(1, len(some) // _SAMPLE)].value_counts()
        counts = counts.to_numpy()[:_BARS] if len(counts) <= 5 * _BARS else np.array([])
    else:
        for each in odd:
            if not each.what.startswith("unit "):
                values = values[~each.among(values)]
        values = values[np.isfinite(values)]
        distinct = np.unique(values)
        if len(values) < 2:
            return ()
        counts = (
            np.unique(values, return_counts=True)[1]
            if len(distinct) <= _BARS
            else np.histogram(values / (np.abs(values).max() or 1.0), _BARS)[0]
        )
    highest = counts.max(initial=0)
    return tuple(float(round(bar / highest, 3)) for bar in counts) if highest else ()


def _scaled(data: Dataset, preparation: Preparation, features: Sequence[str]) -> str:
    if not features:
        return ""
    if preparation.scaling == "length":
        return "rows to length 1"
    if preparation.scaling == "none" or not isinstance(data.scale, Scale):
        return "as it is"
    sizes = {float(data.scale.size[data.features.index(name)]) for name in features}
    weight = dict(preparation.weights).get(data.raw.source(features[0]), 1.0)
    by = _SCALED[preparation.scaling]
    if len(sizes) > 1:
        return f"÷ {by} of each"
    size = sizes.pop() * weight
    return f"÷ {size:,.0f} ({by})" if 1000 <= size < 1e9 else f"÷ {size:.4g} ({by})"


# ---- the sentence ----------------------------------------------------------------------------------------------------


def sentence(data: Dataset) -> str:
    """Which columns are used, which were converted, and why the others are not."""
    raw, preparation = data.raw, data.preparation or Preparation()
    columns = [c for c in raw.table.columns if c != data.truth_column]
    if not raw.kinds:
        return f"Using {_part(len(data.features), len(columns))}."
    sources = {raw.source(name) for name in data.features}
    used = [c for c in columns if c in sources]
    said = []
    if raw.place is not None and set(data.features) == set(raw.place):
        said.append(f"{joined(raw.place)} are a place on the map")
    elif _nothing_but_few(data):
        alike = "it has" if len(used) == 1 else "all of them have"
        they = "it is" if len(used) == 1 else "they are"
        how = f"{_are(used)} used as {they}" if set(used) <= set(raw.numeric) else "count as 0 or 1"
        said.append(f"{alike} few different values, as in a questionnaire, and {how}")
    converted = [c for c in used if c not in raw.numeric]
    if converted and not said:
        said.append(f"{joined(converted)} {'was' if len(converted) == 1 else 'were'} converted to numbers")
    others = _why_not(raw, [c for c in columns if c not in sources])
    if others:
        said.append(others)
    start = f"Using {_part(len(used), len(columns))}{' beside the label' if data.truth_column else ''}"
    treated = [_treated(raw, *each) for each in preparation.treat if each[0] in data.features]
    return " ".join(
        filter(None, [f"{start}: {'; '.join(said)}." if said else f"{start}.", *treated, _scale_said(data)])
    )


def _why_not(raw: RawTable, names: Sequence[str]) -> str:
    """ "id and name are not used because every value is unique, and notes because text has no distances" """
    reasons: dict = {}
    for name in names:
        chosen = "you chose other columns" if name in raw.numeric else "text was not converted"
        reasons.setdefault(LEFT_OUT[raw.left_out[name]] if name in raw.left_out else chosen, []).append(name)
    parts = [f"{joined(names)} because {why}" for why, names in reasons.items()]
    for names in list(reasons.values())[:1]:
        parts[0] = parts[0].replace(" because", f" {_are(names)} not used because", 1)
    return ", ".join([*parts[:-1], f"and {parts[-1]}"]) if len(parts) > 1 else "".join(parts)


def _are(names: Sequence[str]) -> str:
    return "is" if len(names) == 1 else "are"


def _part(used: int, total: int) -> str:
    if used == total <= 2:
        return "the only column" if total == 1 else "both columns"
    return f"all {count(total, 'column')}" if used == total else f"{used:,} of {count(total, 'column')}"


def _scale_said(data: Dataset) -> str:
    preparation = data.preparation or Preparation()
    said = _SENTENCES.get(preparation.scaling, "")
    if preparation.weights:
        return f"{said.partition(':')[0].rstrip('.')}, then weighted." if said else "Weighted."
    if preparation.scaling == "standard" and len(data.features) > len({data.raw.source(c) for c in data.features}):
        return "Standardised: every column of numbers counts alike, and some columns became several."
    return said


_SENTENCES = {
    "standard": "Standardised: every column counts alike.",
    "robust": "Scaled by the interquartile range of each column.",
    "unit": "Scaled to [0, 1] in every column.",
    "length": "Scaled to unit length: only the direction of a row counts.",
}


def _treated(raw: RawTable, column: str, what: str, how: str) -> str:
    for each in raw.suspicious:
        if (each.column, each.what) == (column, what):
            said = each.treated(how)
            return said[0].upper() + said[1:] + "."
    return ""


def _nothing_but_few(data: Dataset) -> bool:
    raw = data.raw
    if len(data.features) > kinds.WIDE:
        return False
    return all(
        kinds.has_few_values(matrix(raw.table, [name])[:, 0])
        if name in raw.numeric
        else raw.kinds[raw.source(name)] == "yes/no"
        for name in data.features
    )


def joined(names: Sequence[str], most: int = 12) -> str:
    """ "id, name and notes" """
    shown = [short(name) for name in names[:most]]
    if len(names) > most:
        return f"{', '.join(shown)} and {len(names) - most:,} more"
    return " and ".join(filter(None, [", ".join(shown[:-1]), shown[-1]]))
