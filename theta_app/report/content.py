"""What a report says, before it becomes a page or a notebook."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pandas as pd

from theta_app.datasets import Dataset
from theta_app.figures.palette import colour
from theta_app.profiles import original_values
from theta_app.selection import Verdict

MOST_FEATURES = 12
MOST_CLUSTERS = 40


@dataclass(frozen=True, eq=False)
class Report:
    """Everything that is said.

    Attributes
    ----------
    data : Dataset
        As it was prepared.
    labels : (n,) array of int
        The cluster of each point.
    theta, epsilon : float, float or None
    algorithm : str
    shuffles, seed : int
    snippet : str
        Python that gives the labels.
    n_clusters, strays : int
        K as the pages count it, and clusters of a few stray points beside it.
    verdict : Verdict or None
    swept : int
        How many points the verdict rests on.
    sweep : DataFrame or None
        One row per θ: theta, n_clusters, agreement.
    places, rows : (m, 2) array, (m,) array
        Where points are drawn, and which they are.
    drawn_by : str
        How more than two features were put on a flat picture; empty for two.
    names : dict of int to str
        What the person calls clusters.
    colours : dict of int to str
        Colours of clusters as #RRGGBB; by size where one is not given.
    profiles : DataFrame or None
        One row per cluster, to be shown instead of `profile`'s.
    link : str
        The address that brings all of this back.
    """

    data: Dataset
    labels: np.ndarray
    theta: float
    algorithm: str
    shuffles: int
    seed: int
    snippet: str
    n_clusters: int
    strays: int = 0
    epsilon: float | None = None
    verdict: Verdict | None = None
    swept: int = 0
    sweep: pd.DataFrame | None = None
    places: np.ndarray | None = None
    rows: np.ndarray | None = None
    drawn_by: str = ""
    names: dict[int, str] = field(default_factory=dict)
    colours: dict[int, str] = field(default_factory=dict)
    profiles: pd.DataFrame | None = None
    link: str = ""

    @cached_property
    def clusters(self):
        """(labels, sizes), the largest first."""
        return by_size(self.labels)

    @cached_property
    def place(self):
        """Cluster -> its place in the order of size."""
        return {int(label): place for place, label in enumerate(self.clusters[0])}

    def colour(self, label):
        """The colour of a cluster: the person's, else by size."""
        return self.colours.get(int(label)) or colour(self.place[int(label)])

    @cached_property
    def profile(self):
        return profile(self.data, self.labels, self.names) if self.profiles is None else self.profiles


def by_size(labels):
    """(clusters, their sizes), the largest first."""
    found, sizes = np.unique(labels, return_counts=True)
    order = np.argsort(-sizes, kind="stable")
    return found[order], sizes[order]


def profile(data, labels, names=None):
    """One row per cluster, the largest first: cluster, name, size, and the mean of each feature in its own units.

    Of many features those that differ most between clusters, in their standard deviations; of many clusters the
    largest.
    """
    labels = np.asarray(labels)
    found, sizes = by_size(labels)
    means = np.array([data.X[labels == label].mean(axis=0) for label in found[:MOST_CLUSTERS]])
    sd = data.X.std(axis=0)
    apart = np.average((means - data.X.mean(axis=0)) ** 2, axis=0, weights=sizes[:MOST_CLUSTERS])
    with np.errstate(invalid="ignore"):
        apart = np.where(sd > 0, apart / np.where(sd > 0, sd, 1.0) ** 2, 0.0)
    shown = np.sort(np.argsort(-apart, kind="stable")[:MOST_FEATURES])
    original = data.in_original_units(means)[:, shown]
    if np.isnan(original).all():  # rows of unit length have no way back; their rows in the file are at hand
        values = original_values(data)[:, shown]
        original = np.array([values[labels == label].mean(axis=0) for label in found[:MOST_CLUSTERS]])
    table = pd.DataFrame(original, columns=[data.features[j] for j in shown])
    table.insert(0, "points", sizes[:MOST_CLUSTERS])
    if names:
        table.insert(0, "name", [names.get(int(label), "") for label in found[:MOST_CLUSTERS]])
    table.insert(0, "cluster", found[:MOST_CLUSTERS])
    return table
