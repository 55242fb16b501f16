"""What a report says, before it becomes a page or a notebook."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
import pandas as pd

from theta_app import datasets
from theta_app.clustering import OUTLIER, Clustering
from theta_app.figures.palette import MUTED, colour
from theta_app.profiles import original_values, told
from theta_app.selection import PROJECTIONS, Verdict

MOST_FEATURES = 12
MOST_CLUSTERS = 40
MOST_DRAWN = 4000  # points of a picture


@dataclass(frozen=True, eq=False)
class Report:
    """Everything that is said."""

    clustering: Clustering  # the answer
    verdict: Verdict | None = None
    sweep: pd.DataFrame | None = None  # one row per θ: theta, n_clusters, agreement
    # positions, rows: (m, 2) and (m,): where points are drawn, and which they are
    positions: np.ndarray | None = None
    rows: np.ndarray | None = None
    projection: str = ""  # how more than two features were put on a flat picture; empty for two
    link: str = ""  # the address that brings all of this back

    @classmethod
    def of(cls, clustering: Clustering, verdict: Verdict | None = None, sweep: pd.DataFrame | None = None) -> Self:
        """A report where there is no screen: the points as they are, on a map, or by PCA."""
        positions, rows, how = clustering.drawn(MOST_DRAWN)
        return cls(clustering, verdict, sweep, positions, rows, "" if how == "none" else PROJECTIONS[how])

    @property
    def data(self) -> datasets.Dataset:
        """The data set that was clustered."""
        return self.clustering.data

    def colour(self, label: int) -> str:
        """The colour of a cluster as on the screen, else by size; outliers are grey."""
        return MUTED if label == OUTLIER else self.clustering.colours.get(int(label)) or colour(int(label))

    @cached_property
    def profile(self) -> pd.DataFrame:
        """What is in each cluster, in the units of the file."""
        return profile(self.clustering)


def profile(clustering: Clustering) -> pd.DataFrame:
    """One row per cluster, the largest first: cluster, name, points, and the mean of each feature in its own units.

    Outliers come last. Of many features those that differ most between clusters, in their standard deviations; of many
    clusters the largest.
    """
    data, labels = clustering.data, clustering.labels
    shown = [*range(min(clustering.n_clusters, MOST_CLUSTERS)), *([OUTLIER] if clustering.outliers else [])]
    sizes = np.array([(labels == label).sum() for label in shown])
    if data.of_curves:
        return _of_curves(clustering, labels, shown, sizes)
    X = data.in_columns
    centre = data.metric.centre if data.metric.radius is not None else lambda rows: rows.mean(axis=0)
    means = np.array([centre(X[labels == label]) for label in shown])  # places on both sides of 180° have no mean
    sd = X.std(axis=0)
    apart = np.average((means - X.mean(axis=0)) ** 2, axis=0, weights=sizes)
    with np.errstate(invalid="ignore"):
        apart = np.where(sd > 0, apart / np.where(sd > 0, sd, 1.0) ** 2, 0.0)
    features = np.sort(np.argsort(-apart, kind="stable")[:MOST_FEATURES])
    original = data.in_original_units(means)[:, features]
    if np.isnan(original).all():  # rows of unit length have no way back; their rows in the file are at hand
        values = original_values(data)[:, features]
        original = np.array([values[labels == label].mean(axis=0) for label in shown])
    table = pd.DataFrame(original, columns=[data.features[j] for j in features])
    return _numbered(table, clustering, shown, sizes)


def _of_curves(clustering: Clustering, labels: np.ndarray, shown: Sequence[int], sizes: np.ndarray) -> pd.DataFrame:
    """The same of curves: their mean length, and where they are."""
    names, values = told(clustering.data)
    means = [values[labels == label].mean(axis=0) for label in shown]
    return _numbered(pd.DataFrame(means, columns=list(names)), clustering, shown, sizes)


def _numbered(table: pd.DataFrame, clustering: Clustering, shown: Sequence[int], sizes: np.ndarray) -> pd.DataFrame:
    table.insert(0, "points", sizes)
    if clustering.names:
        table.insert(0, "name", [clustering.names.get(label, "") for label in shown])
    table.insert(0, "cluster", shown)
    return table
