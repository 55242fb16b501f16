"""Is the data ready? What each column holds, what decides the distances, what is odd or missing, which labels."""

import math
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from theta_app.datasets import missing, overview
from theta_app.datasets.dataset import Dataset, RawTable
from theta_app.datasets.overview import ColumnRow
from theta_app.datasets.prepare import Preparation, can_be_places, matrix, prepare, row_numbers, shared_unit, unfilled
from theta_app.datasets.reading import with_readings
from theta_app.datasets.suspicious import Suspicion
from theta_app.datasets.values import count, listed, pieces, short
from theta_app.engine import METRICS

MOST = 0.97  # of the squared distances: columns that have so much of them decide
FEW = 5  # one column in so many, and always one


@dataclass(frozen=True, eq=False)
class Spread:
    """How far the values of each feature lie apart, and what that does to distances."""

    # one row per feature, the largest share first: column, mean, sd, smallest, largest (in the column's own units),
    # share (of the squared distances between all pairs of points, as they are clustered)
    table: pd.DataFrame
    deciding: tuple[str, ...]  # the few columns that have nearly all of the squared distances; empty where no few have
    share: float  # what they have together

    @property
    def sentence(self) -> str:
        """ "'income' decides 99 % of every distance"; empty where nothing does."""
        if not self.deciding:
            return ""
        verb = "decides" if len(self.deciding) == 1 else "decide"
        return f"{listed(self.deciding, 2)} {verb} {percent(self.share)} of every distance"


def percent(share: float) -> str:
    """A share in whole per cent, and never 0 or 100 where something is there or left."""
    if 0 < share < 0.01:
        return "< 1 %"
    return f"{min(math.floor(100 * share + 0.5), 100 if share == 1 else 99)} %"


@dataclass(frozen=True)
class Odd:
    """Values that are hardly meant: the `Suspicion`, the numbers of its first rows, and what was chosen about it."""

    suspicion: Suspicion
    rows: tuple[int, ...]
    treatment: str | None

    @property
    def certain(self) -> bool:
        """Whether the column can be nothing else than what is suspected."""
        return self.suspicion.certain

    @property
    def sentence(self) -> str:
        """ "64 values of 'age' are −999, outside all others (18 to 74): rows 7, 19, 20, ..." """
        return f"{self.suspicion.sentence}: {row_numbers(self.rows, self.suspicion.rows)}"


@dataclass(frozen=True)
class Gaps:
    """Missing values in the chosen columns: how many, in how many rows, and in which columns (most first)."""

    gaps: int
    rows: int
    columns: tuple[tuple[str, int], ...]

    def does(self, way: str) -> str:
        """What a way of `missing.WAYS` does to how many rows."""
        return missing.does(way, self.gaps, self.rows)

    @property
    def sentence(self) -> str:
        """Which columns have gaps and how many, for the page."""
        shown = ", ".join(f"'{short(name)}' ({number:,})" for name, number in self.columns[:3])
        more = f" and {count(len(self.columns) - 3, 'more column')}" if len(self.columns) > 3 else ""
        return f"{count(self.gaps, 'value')} {'is' if self.gaps == 1 else 'are'} missing: {shown}{more}."


@dataclass(frozen=True, eq=False)
class Check:
    """All of it, about a data set as it is prepared.

    Attributes
    ----------
    columns : tuple of ColumnRow
        Every column of the file, in its order.
    sentence : str
        Which columns are used, and why others are not.
    odd : tuple of Odd
        What is suspicious in the columns that are used, with what was chosen about it.
    """

    spread: Spread
    columns: tuple[ColumnRow, ...]
    sentence: str
    odd: tuple[Odd, ...]
    labels: dict[str, int]
    gaps: Gaps
    aside: int

    @property
    def open(self) -> tuple[Odd, ...]:
        """What is suspicious and would pass into the clusters: nothing was chosen about it, and it is no other unit."""
        return tuple(each for each in self.odd if each.treatment is None and each.suspicion.what[:5] != "unit ")

    @property
    def warnings(self) -> tuple[str, ...]:
        """Sentences: what a person should look at before they believe the clusters."""
        found = [f"{each.sentence}." for each in self.open]
        found += [f"{self.spread.sentence}: standardising would change that."] if self.spread.deciding else []
        found += [self.gaps.sentence] if self.gaps.gaps else []
        return (*found, *([f"{count(self.aside, 'row')} set aside."] if self.aside else ()))


def check(data: Dataset) -> Check:
    """The `Check` of a `Dataset`."""
    raw = data.raw
    labels = {column: classes for column, classes in raw.labels.items() if column != data.truth_column}
    found, odd = spread(data), odd_values(data)
    rows = overview.column_rows(data, dict(zip(found.table["column"], found.table["share"])))
    aside = sum(len(numbers) for _, numbers in data.aside)
    return Check(found, rows, overview.sentence(data), odd, labels, gaps(data), aside)


def odd_values(data: Dataset) -> tuple[Odd, ...]:
    """The `Odd` of the columns in use, those that nobody would doubt first."""
    raw, preparation = data.raw, data.preparation or Preparation()
    chosen = {(column, what): how for column, what, how in preparation.treat}
    mine = [each for each in raw.suspicious if each.column in data.features]
    found = [Odd(each, rows_of(raw, each), chosen.get((each.column, each.what))) for each in mine]
    return tuple(sorted(found, key=lambda each: (not each.certain, -each.suspicion.rows)))


def rows_of(raw: RawTable, suspicion: Suspicion, most: int = 1000) -> tuple[int, ...]:
    """The numbers of the first rows of the file that a `Suspicion` is about."""
    key = next((key for key, found in raw.readings.items() if suspicion.column in found.names), None)
    if key is None:
        meant = suspicion.among(matrix(raw.table, [suspicion.column])[:, 0])
    elif suspicion.what.startswith("unit "):
        meant = raw.readings[key].in_unit(raw.table[raw.readings[key].column], suspicion.what.removeprefix("unit "))
    else:
        meant = suspicion.among(with_readings(raw.table, raw.readings, [key])[suspicion.column].to_numpy())
    return tuple(int(number) for number in raw.table.index[meant][:most])


def recommended(data: Dataset, columns: tuple[str, ...] | None = None) -> Preparation:
    """What a person would choose who looks at a file for the first time, as a `Preparation` of a `Dataset`.

    Codes that are no measurement without doubt count as missing; columns in different units are standardised. Between
    places on a map distances are kilometres, between curves those of curves. ``columns`` are features that were chosen
    already.
    """
    plain = Preparation(columns=columns)
    data = data if columns is None else prepare(data, plain)
    used = set(data.features)
    sure = [each for each in data.raw.suspicious if each.certain and each.column in used]
    chosen = replace(plain, treat=tuple((each.column, each.what, "missing") for each in sure))
    try:
        treated = prepare(data, chosen)
    except ValueError:  # no row is left without them
        chosen, treated = plain, data
    if can_be_places(treated):
        return replace(chosen, metric=METRICS["haversine"])
    if treated.of_curves:
        return replace(chosen, metric=METRICS["mdf"])
    return replace(chosen, scaling="standard") if differ(treated) else chosen


def differ(data: Dataset) -> bool:
    """Whether distances in the columns as they are mix units, or are those of a few columns alone."""
    raw = data.raw
    if shared_unit(raw, data.features):
        return False
    units = {raw.units.get(name, "") for name in data.features}
    return len(units) > 1 or bool(spread(data).deciding)


def spread(data: Dataset) -> Spread:
    """The `Spread` of a `Dataset`.

    The mean of the squared distances over all pairs of points is twice the sum of the columns' variances.
    """
    X = data.in_columns
    low, high = np.empty((2, X.shape[1]))
    mean, sd = np.empty((2, X.shape[1]))
    for part in pieces(X.shape[1], len(X)):
        columns = X[:, part]
        low[part], high[part] = columns.min(axis=0), columns.max(axis=0)
        mean[part], sd[part] = columns.mean(axis=0), columns.std(axis=0)
    largest = sd.max()
    relative = (sd / largest) ** 2 if largest > 0 else np.zeros(len(sd))  # the square alone may be no finite number
    share = relative / relative.sum() if largest > 0 else relative
    order = np.argsort(-share, kind="stable")
    size = np.ones(len(sd)) if data.scale is None else data.scale.size
    table = pd.DataFrame(
        {
            "column": np.array(data.features, dtype=object),
            "mean": data.in_original_units(mean),
            "sd": sd * size,
            "smallest": data.in_original_units(low),
            "largest": data.in_original_units(high),
            "share": share,
        }
    ).iloc[order]
    together = np.cumsum(share[order])
    needed = int(np.searchsorted(together, MOST)) + 1
    # on a globe no column decides: how long a degree is depends on the other; nor does one of those along curves
    columns_count = data.metric.radius is None and not data.of_curves
    decides = largest > 0 and len(sd) > 1 and needed <= max(1, len(sd) // FEW) and columns_count
    deciding = tuple(table["column"].iloc[:needed]) if decides else ()
    return Spread(table.reset_index(drop=True), deciding, float(together[needed - 1]) if decides else 0.0)


def gaps(data: Dataset) -> Gaps:
    """The `Gaps` of a `Dataset` in its features, before any row was set aside or filled."""
    if data.preparation is None and len(data.table) == len(data.raw.table):
        return Gaps(0, 0, ())  # made here, without gaps
    treated = data.preparation is not None and data.preparation.treat
    if not treated and not any(overview.missing_values(data.raw, data.raw.source(name)) for name in data.features):
        return Gaps(0, 0, ())  # known without reading all texts again
    found = np.isnan(unfilled(data))
    counts = found.sum(axis=0)
    order = [j for j in np.argsort(-counts, kind="stable") if counts[j]]
    return Gaps(
        int(counts.sum()), int(found.any(axis=1).sum()), tuple((data.features[j], int(counts[j])) for j in order)
    )
