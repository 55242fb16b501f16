"""Is the data ready? What decides the distances, what was left out and can be read, which labels, what is missing."""

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd

from theta_app.datasets import missing
from theta_app.datasets.dataset import LEFT_OUT
from theta_app.datasets.prepare import Preparation, matrix
from theta_app.datasets.reading import CATEGORIES, Reading, with_readings
from theta_app.datasets.values import count, listed, pieces, short

MOST = 0.97  # of the squared distances: columns that have so much of them decide
FEW = 5  # one column in so many, and always one


@dataclass(frozen=True, eq=False)
class Spread:
    """How far the values of each feature lie apart, and what that does to distances.

    Attributes
    ----------
    table : DataFrame
        One row per feature, the largest share first: column, mean, sd, smallest, largest (in the column's own units),
        share (of the squared distances between all pairs of points, as they are clustered).
    deciding : tuple of str
        The few columns that have nearly all of the squared distances; empty where no few have.
    share : float
        What they have together.
    """

    table: pd.DataFrame
    deciding: tuple[str, ...]
    share: float

    @property
    def sentence(self):
        """ "'income' decides 99 % of every distance"; empty where nothing does."""
        if not self.deciding:
            return ""
        verb = "decides" if len(self.deciding) == 1 else "decide"
        return f"{listed(self.deciding, 2)} {verb} {percent(self.share)} of every distance"


def percent(share):
    """A share in whole per cent, and never 100 where something is left."""
    return f"{min(math.floor(100 * share + 0.5), 100 if share == 1 else 99)} %"


@dataclass(frozen=True)
class LeftOut:
    """A column that is no feature: why, and how it can be read as numbers (None where it cannot)."""

    column: str
    why: str
    reading: Reading | None = None

    @property
    def offer(self):
        """What reading it would do; empty where it cannot be read."""
        found = self.reading
        if found is None:
            return ""
        if found.kind == CATEGORIES:
            columns = count(len(found.names), "column")
            return f"{columns} of 0 and 1, for {found.example}"
        unread = f"; {count(found.unread, 'value')} would count as missing" if found.unread else ""
        return f"{found.example}{unread}"


@dataclass(frozen=True)
class Gaps:
    """Missing values in the chosen columns: how many, in how many rows, and in which columns (most first)."""

    gaps: int
    rows: int
    columns: tuple[tuple[str, int], ...]

    def does(self, way):
        """What a way of `missing.WAYS` does to how many rows."""
        return missing.does(way, self.gaps, self.rows)

    @property
    def sentence(self):
        shown = ", ".join(f"'{short(name)}' ({number:,})" for name, number in self.columns[:3])
        more = f" and {count(len(self.columns) - 3, 'more column')}" if len(self.columns) > 3 else ""
        return f"{count(self.gaps, 'value')} {'is' if self.gaps == 1 else 'are'} missing: {shown}{more}."


@dataclass(frozen=True, eq=False)
class Check:
    """All of it, about a data set as it is prepared."""

    spread: Spread
    left_out: tuple[LeftOut, ...]
    labels: dict[str, int]
    gaps: Gaps
    aside: int

    @property
    def readable(self):
        """Columns left out that can be read as numbers."""
        return tuple(entry for entry in self.left_out if entry.reading is not None)


def check(data):
    """The `Check` of a `Dataset`."""
    raw, preparation = data.raw, data.preparation or Preparation()
    left_out = tuple(
        LeftOut(column, LEFT_OUT[why], None if column in preparation.read else raw.readings.get(column))
        for column, why in raw.left_out.items()
        if column not in data.features and column != data.truth_column and column not in preparation.read
    )
    labels = {column: classes for column, classes in raw.labels.items() if column != data.truth_column}
    return Check(spread(data), left_out, labels, gaps(data), sum(len(rows) for _, rows in data.aside))


def spread(data):
    """The `Spread` of a `Dataset`.

    The mean of the squared distances over all pairs of points is twice the sum of the columns' variances.
    """
    low, high = np.empty((2, data.X.shape[1]))
    mean, sd = np.empty((2, data.X.shape[1]))
    for part in pieces(data.X.shape[1], len(data.X)):
        columns = data.X[:, part]
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
    decides = largest > 0 and len(sd) > 1 and needed <= max(1, len(sd) // FEW)
    deciding = tuple(table["column"].iloc[:needed]) if decides else ()
    return Spread(table.reset_index(drop=True), deciding, float(together[needed - 1]) if decides else 0.0)


def gaps(data):
    """The `Gaps` of a `Dataset` in its features, before any row was set aside or filled."""
    if data.preparation is None and len(data.table) == len(data.raw.table):
        return Gaps(0, 0, ())  # made here, without gaps
    table = data.raw.table
    made = [name for name in data.features if name not in table.columns]
    if made:
        table = with_readings(table, data.raw.readings, data.preparation.read)
    found = np.isnan(matrix(table, data.features))
    counts = found.sum(axis=0)
    order = [j for j in np.argsort(-counts, kind="stable") if counts[j]]
    return Gaps(
        int(counts.sum()), int(found.any(axis=1).sum()), tuple((data.features[j], int(counts[j])) for j in order)
    )
