"""The points that are swept and drawn: all of them, or a fair sample that stands for them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from theta_app.datasets import Dataset
from theta_app.engine import EUCLIDEAN, Metric, fair_sample
from theta_app.selection.projection import map_aspect

MOST_POINTS = 20_000
"""Swept at once at most (`most_points`); of more points a fair sample gives the first answer, and every verdict."""

_MOST_VALUES = 1_000_000

MOST_CURVES = 2_000
"""Swept and drawn at most of curves, whose distances take long and which hide each other: of more a fair sample."""

MOST_SWEPT = 200_000
"""Of so many points all are swept after their sample; of more the sample stands for all."""

MOST_DRAWN = 2_000_000
"""Of so many points all are drawn, each that was not swept with the nearest centroid."""


def most_points(n_features: int, of_curves: bool = False) -> int:
    """How many points are swept at once: 20,000, and fewer of more than 50 features, where each takes longer.

    Of curves `MOST_CURVES`.
    """
    if of_curves:
        return MOST_CURVES
    return min(MOST_POINTS, max(2_000, _MOST_VALUES // n_features))


@dataclass(frozen=True, eq=False)
class Sample:
    """Points of a data set.

    Attributes
    ----------
    key : str
        Digest of the content: what two samples of equal content share.
    rows : (n,) array of int
        Positions in the whole data set, ascending.
    X, truth : arrays
        Their points and classes (None where unknown).
    total : int
        Points in the whole data set.
    metric : Metric
        How distances are measured.
    on_map : bool
        Whether the columns are a latitude and a longitude, in degrees: drawn as a map.
    columns : array or None
        The same rows in their columns, where X is another space.
    of_curves : bool
        Whether rows are curves, x, y, z of each place: drawn as lines in 3-D.
    """

    key: str
    rows: np.ndarray
    X: np.ndarray
    truth: np.ndarray | None
    total: int
    metric: Metric = EUCLIDEAN
    on_map: bool = False
    columns: np.ndarray | None = None
    of_curves: bool = False

    @property
    def flat(self) -> bool:
        """Whether the points are drawn as they are, and so circles of radius θ are true."""
        return self.X.shape[1] <= 2 and not self.on_map and self.metric.of_columns

    @property
    def globe(self) -> float | None:
        """Radius of the sphere on which points of a map are measured, so that circles on it are known; else None."""
        return self.metric.radius if self.on_map else None

    @property
    def aspect(self) -> float:
        """How wide one unit across is drawn, in units up."""
        return map_aspect(self.X) if self.on_map else 1.0

    @property
    def whole(self) -> bool:
        """Whether all rows are in it."""
        return len(self.rows) == self.total

    @property
    def sentence(self) -> str:
        """Empty when every point is used."""
        return "" if self.whole else f"a fair sample of {len(self.rows):,} of {self.total:,} points"

    def part(self, size: int) -> Sample:
        """At most `size` of these points; itself where there are no more."""
        if len(self.rows) <= size:
            return self
        chosen = fair_sample(len(self.rows), size)
        truth = None if self.truth is None else self.truth[chosen]
        X = np.ascontiguousarray(self.X[chosen])
        X.flags.writeable = False
        columns = None if self.columns is None else self.columns[chosen]
        return replace(self, key=f"{self.key}/{size}", rows=self.rows[chosen], X=X, truth=truth, columns=columns)


def sample_of(data: Dataset, size: int | None = None) -> Sample:
    """At most `size` points (by default `most_points`) of a `datasets.Dataset`, as a `Sample`."""
    n, size = len(data.X), size or most_points(data.X.shape[1], data.of_curves)
    columns = None if data.in_columns is data.X else data.in_columns
    drawn = {"on_map": data.on_map, "of_curves": data.of_curves}
    whole = Sample(data.digest, np.arange(n), data.X, data.truth, n, data.metric, columns=columns, **drawn)
    return whole.part(size)
