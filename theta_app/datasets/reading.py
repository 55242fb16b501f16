"""Text as numbers: amounts with a unit (€32,000.00, 70 %, 28 years), dates, and few categories as columns of 0 and 1.

A date becomes a number of days, or a place on a circle: 23:00 is near 01:00, December near January.

A `Reading` is found once, in the file it is about, and then reads any table the same way: a second file with other
categories or another order of dates must not be read by other rules.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from theta_app.datasets import units
from theta_app.datasets.units import CURRENCY, singular

MOST_CATEGORIES = 20
SINCE = pd.Timestamp("2000-01-01")  # fixed, so that the dates of two files can be compared
AMOUNT, DATE, CATEGORIES = "amount", "date", "categories"
PARTS = {"hour": "hour of day", "weekday": "day of week", "month": "month"}
"""Parts of a date that come round again, each read as sine and cosine."""
_SURE = 0.05  # of the values may be unread where a column is converted without being asked
_SAMPLE = 20_000  # different texts that are looked at to find out what a column holds
_MOST_UNREAD = 0.2  # of the values: more of them, and it was meant to be something else
_LONGEST = 60  # characters of an amount or a date

_AMOUNT = re.compile(
    rf"(?P<sign>[+\-−(]?)\s*(?P<before>(?:{CURRENCY})?)\s*(?P<inner>[+\-−]?)"
    r"(?P<number>(?:\d[\d.,'’\u00a0\u202f ]*\d|\d)?[.,]?\d+(?:[eE][+\-]?\d+)?)\s*"
    r"(?P<after>[^\d.,\s)][^\d)]{0,14})?(?P<close>\)?)"
)
_GROUPS = {  # decimal mark -> what a number may look like: digits in threes, or without marks between them
    ".": re.compile(r"(\d{1,3}([,'’\u00a0\u202f ]\d{3})+|\d*)(\.\d+)?([eE][+\-]?\d+)?"),
    ",": re.compile(r"(\d{1,3}([.'’\u00a0\u202f ]\d{3})+|\d*)(,\d+)?([eE][+\-]?\d+)?"),
}
_DATES = {
    "ISO8601": "year-month-day",
    "%d.%m.%Y": "day.month.year",
    "%d.%m.%y": "day.month.year",
    "%d/%m/%Y": "day/month/year",
    "%m/%d/%Y": "month/day/year",
    "%d-%m-%Y": "day-month-year",
    "%Y/%m/%d": "year/month/day",
    "%d %b %Y": "day month year",
    "%d %B %Y": "day month year",
    "%b %d, %Y": "month day, year",
    "%B %d, %Y": "month day, year",
    "%d.%m.%Y %H:%M": "day.month.year hour:minute",
    "%d/%m/%Y %H:%M": "day/month/year hour:minute",
    "%m/%d/%Y %H:%M": "month/day/year hour:minute",
}
_LIKE_A_DATE = re.compile(r"\d{1,4}[-./]\d{1,2}[-./]\d{1,4}.*|\d{1,2} \w{3,9} \d{4}|\w{3,9} \d{1,2}, \d{4}")


@dataclass(frozen=True)
class Reading:
    """How a column of text becomes columns of numbers."""

    column: str  # of the table as it was read
    kind: str  # `AMOUNT`, `DATE` or `CATEGORIES`
    names: tuple[str, ...]  # the columns it becomes
    rule: str = ""  # of an amount the decimal mark, of a date its format
    unit: str = ""  # of an amount, as most rows write it
    categories: tuple[str, ...] = ()  # those that have a column, in the order of ``names``
    example: str = ""  # "€32,000.00 becomes 32000"
    unread: int = 0  # values that are there and cannot be read: they count as missing
    total: int = 0  # values that are there
    part: str = ""  # of a date a key of `PARTS`; empty for the day itself
    # (str, int): units that some rows have instead, and how many rows; those that can be converted are
    mixed: tuple[tuple[str, int], ...] = ()

    @property
    def key(self) -> str:
        """What a choice calls it: its column, and the part of a date."""
        return f"{self.column} ({PARTS[self.part]})" if self.part else self.column

    @property
    def sure(self) -> bool:
        """Whether nobody would read the column in another way: an amount, and all but a few values of it."""
        return self.kind == AMOUNT and self.unread / max(self.total, 1) <= _SURE

    def in_unit(self, column: pd.Series, unit: str) -> np.ndarray:
        """Which rows of a column are written in a unit."""
        codes, texts = factored(column)
        matches = [_matched(text) for text in texts]
        own = [match is not None and singular(_unit(match)) == singular(unit) for match in matches]
        return np.append(np.array(own, dtype=bool), False)[codes]

    def read(self, column: pd.Series) -> list[np.ndarray]:
        """The numbers of a column, an array (n,) per name."""
        if self.kind == DATE and _is_date(column):
            return _of_dates(column, self.part)
        if self.kind == AMOUNT and pd.api.types.is_numeric_dtype(column):  # a second file without units
            return [column.to_numpy(dtype=np.float64, na_value=np.nan)]
        codes, texts = factored(column)
        return [np.append(values, np.nan)[codes] for values in self._of(texts)]

    def _of(self, texts: Sequence[str]) -> list[np.ndarray]:
        """The numbers of different texts, an array per name."""
        if self.kind == CATEGORIES:
            return [np.array([float(text == value) for text in texts]) for value in self.categories]
        if self.kind == DATE:
            return _of_dates(_dates(texts, self.rule), self.part)
        return [np.array([_amount(text, self.rule, self.unit) for text in texts])]


def factored(column: pd.Series) -> tuple[np.ndarray, list[str]]:
    """(a code per row, -1 where nothing is; the text of each code). A long text that comes back is looked at once."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        codes, values = column.cat.codes.to_numpy(), column.cat.categories
    else:
        codes, values = pd.factorize(column)
    return codes, [str(value).lower() if isinstance(value, bool | np.bool_) else str(value).strip() for value in values]


def find(column: pd.Series, taken: Collection[str], missing: Collection[str] = ()) -> Reading | None:
    """The `Reading` of a column that is not numbers, or None. ``taken`` are names of columns that exist already."""
    name = column.name
    if _is_date(column):
        first = column.dropna().iloc[:1]
        example = f"{first.iloc[0]:%Y-%m-%d} becomes {_days(first)[0]:g}" if len(first) else ""
        return Reading(name, DATE, _named(name, "days since 2000", taken), example=example) if example else None
    codes, texts = factored(column)
    found = pd.Series(np.bincount(codes[codes >= 0], minlength=len(texts)), index=pd.Index(texts, dtype=object))
    found = found[(found > 0) & ~found.index.isin(missing)]
    if not len(found):
        return None
    counts = found.groupby(level=0, sort=False).sum().sort_values(ascending=False, kind="stable")
    return _as_amount(name, counts, taken) or _as_date(name, counts, taken) or _as_categories(name, counts, taken)


def parts(reading: Reading, column: pd.Series, taken: Collection[str]) -> list[Reading]:
    """Further `Reading`s of a column of dates: its hours where it has any, the day of the week, the month."""
    if reading.kind != DATE:
        return []
    days = replace(reading, part="").read(column)[0]
    days = days[~np.isnan(days)]
    useful = {"hour": (days % 1 > 0).any(), "weekday": np.ptp(days) >= 7, "month": np.ptp(days) >= 60}
    found = []
    for part, what in PARTS.items():
        if useful[part]:
            names = [f"{reading.column} ({what}, {side})" for side in ("sine", "cosine")]
            names = tuple(name for one in names for name in _unique(one, taken))
            example = f"{reading.example.split(' becomes ')[0]} becomes its {what} on a circle"
            found.append(replace(reading, names=names, part=part, unit="", example=example))
    return found


def with_readings(table: pd.DataFrame, readings: Mapping[str, Reading], chosen: Iterable[str]) -> pd.DataFrame:
    """The table with the columns that the chosen readings make, after its own."""
    made: dict = {}
    for column in chosen:
        reading = readings[column]
        made |= dict(zip(reading.names, reading.read(table[reading.column])))
    if not made:
        return table
    return pd.concat([table, pd.DataFrame(made, index=table.index, copy=False)], axis=1)


# ---- amounts ---------------------------------------------------------------------------------------------------------


def _as_amount(name: str, counts: pd.Series, taken: Collection[str]) -> Reading | None:
    sample = counts.iloc[:_SAMPLE]
    found = {text: match for text in sample.index if (match := _matched(text)) is not None}
    there: Counter[str]
    total, there = int(sample.sum()), Counter()
    for text, match in found.items():
        there[_unit(match)] += int(sample[text])
    written = _by_spelling(there)
    if sum(there.values()) < (1 - _MOST_UNREAD) * total:
        return None
    unit = written[0][0] if written else ""
    others = written[1:]
    if sum(rows for other, rows in others if not units.converts(other, unit)) > _MOST_UNREAD * total:
        return None
    decimal = _decimal_mark([match["number"] for match in found.values()])
    if decimal is None:
        return None
    values = {text: _amount(text, decimal, unit) for text in sample.index}
    unread = sum(int(sample[text]) for text, value in values.items() if np.isnan(value))
    if unread > _MOST_UNREAD * total:
        return None
    longest = next(text for text in sample.index if not np.isnan(values[text]))
    example = f"{longest} becomes {values[longest]:.10g}"
    names = _named(name, unit or "number", taken)
    return Reading(name, AMOUNT, names, decimal, unit, (), example, unread, total, mixed=others)


def _by_spelling(there: Counter[str]) -> tuple[tuple[str, int], ...]:
    """((unit as most rows write it, rows), ...), most rows first; numbers without a unit are of any."""
    spelt: dict = {}
    for unit, rows in there.most_common():
        if unit:
            kept = spelt.setdefault(singular(unit), [unit, 0])
            kept[1] += rows
    return tuple((unit, rows) for unit, rows in sorted(spelt.values(), key=lambda pair: -pair[1]))


def _matched(text: str) -> re.Match[str] | None:
    match = _AMOUNT.fullmatch(text) if len(text) <= _LONGEST else None
    return match if match and (match["sign"] == "(") == bool(match["close"]) else None


def _unit(match: re.Match[str]) -> str:
    """What stands around the number: one of the two, or both where a price is per something; k and M left out."""
    return _factor_and_unit(match)[1]


def _factor_and_unit(match: re.Match[str]) -> tuple[float, str]:
    return units.magnitude(" ".join(filter(None, (match["before"].strip(), (match["after"] or "").strip()))))


def _decimal_mark(numbers: Collection[str]) -> str | None:
    """The mark with which all of the numbers make sense; None where neither does."""
    fitting = [mark for mark, pattern in _GROUPS.items() if all(pattern.fullmatch(number) for number in numbers)]
    if len(fitting) < 2:
        return fitting[0] if fitting else None
    # 1,250 may be a thousand or one and a quarter; a dot is a decimal mark unless something says otherwise
    return "."


def _amount(text: str, decimal: str, unit: str) -> float:
    match = _matched(text)
    if match is None or not _GROUPS[decimal].fullmatch(match["number"]):
        return np.nan
    number = re.sub(r"['’\u00a0\u202f ]", "", match["number"])
    number = number.replace("," if decimal == "." else ".", "").replace(decimal, ".")
    negative = (match["sign"] in ("-", "−", "(")) != (match["inner"] in ("-", "−"))  # accountants write (1,250.00)
    factor, own = _factor_and_unit(match)
    value = factor * (-float(number) if negative else float(number))
    if singular(own) in ("", singular(unit)):
        return value
    return units.converted(value, own, unit) if units.converts(own, unit) else np.nan


# ---- dates -----------------------------------------------------------------------------------------------------------


def _as_date(name: str, counts: pd.Series, taken: Collection[str]) -> Reading | None:
    sample = counts.iloc[:_SAMPLE]
    texts = pd.Series([text if len(text) <= _LONGEST else "" for text in sample.index], dtype=object)
    if not texts.str.fullmatch(_LIKE_A_DATE).mean() > 1 - _MOST_UNREAD:
        return None
    best, least = None, _MOST_UNREAD * len(texts)
    for rule in _DATES:
        unread = int(_dates(texts, rule).isna().sum())
        if unread <= least and (best is None or unread < least):  # on a tie the first: day before month
            best, least = rule, unread
    if best is None:
        return None
    days = _days(_dates(texts, best))
    first = int(np.flatnonzero(~np.isnan(days))[0])
    unread = int(sample.to_numpy()[np.isnan(days)].sum())
    example = f"{texts[first]} ({_DATES[best]}) becomes {days[first]:g}"
    names, total = _named(name, "days since 2000", taken), int(sample.sum())
    return Reading(name, DATE, names, best, "days", (), example, unread, total)


def _is_date(column: pd.Series) -> bool:
    return pd.api.types.is_datetime64_any_dtype(column)


def _dates(texts: Sequence[str] | pd.Series, rule: str) -> pd.Series:
    return pd.to_datetime(pd.Series(texts, dtype=object), format=rule, errors="coerce", utc=True)


def _days(dates: pd.Series) -> np.ndarray:
    dates = dates.dt.tz_localize(None) if dates.dt.tz is not None else dates
    return ((dates - SINCE) / pd.Timedelta(days=1)).to_numpy(dtype=np.float64, na_value=np.nan)


def _of_dates(dates: pd.Series, part: str) -> list[np.ndarray]:
    """Days, or the sine and cosine of a part of the date that comes round again; an array each."""
    days = _days(dates)
    if not part:
        return [days]
    if part == "hour":
        turn = days % 1
    elif part == "weekday":
        turn = (np.floor(days) + 5) % 7 / 7  # the first day of 2000 was a Saturday
    else:
        months = pd.DatetimeIndex(SINCE + pd.to_timedelta(days, unit="D")).month
        turn = (np.asarray(months, dtype=np.float64) - 1) / 12
    return [np.sin(2 * np.pi * turn), np.cos(2 * np.pi * turn)]


# ---- categories ------------------------------------------------------------------------------------------------------


def _as_categories(name: str, counts: pd.Series, taken: Collection[str]) -> Reading | None:
    if not 2 <= len(counts) <= MOST_CATEGORIES or counts.sum() < 2 * len(counts):
        return None
    values = sorted(map(str, counts.index))
    kept = values[1:] if len(values) == 2 else values  # of two the second says all
    names: list = []
    for value in kept:
        names += _unique(f"{name} = {value[:40]}", {*taken, *names})
    shown = ", ".join(value[:20] for value in values[:4]) + (", ..." if len(values) > 4 else "")
    return Reading(name, CATEGORIES, tuple(names), categories=tuple(kept), example=shown)


def _named(column: str, unit: str, taken: Collection[str]) -> tuple[str, ...]:
    return _unique(f"{column} ({unit})", taken)


def _unique(name: str, taken: Collection[str]) -> tuple[str, ...]:
    while name in taken:
        name += " (2)"
    return (name,)
