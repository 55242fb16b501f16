"""Whether clusters are only the values of one column: nine clusters for one to nine persons in a household."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

_ALIKE = 0.95  # of the points in clusters that are counted: so many hold the value of their cluster
_COUNTED = 0.8  # of the points are in clusters that are meant
_FEW = 0.005  # of the points: fewer are outliers
_MOST = 100  # different values: a column of more is a measurement
_TWINS = 0.5  # of the clusters have another that differs in nothing else


@dataclass(frozen=True)
class OneColumn:
    """A column whose values the clusters are, or split into more than there are.

    ``clusters`` and ``values`` are how many there are of each; ``splits`` says that clusters differ in the value of
    this column alone, but not all of them.
    """

    column: str
    clusters: int
    values: int
    splits: bool = False

    @property
    def sentence(self) -> str:
        """ "These 9 clusters are the 9 values of 'household'." """
        if self.splits:
            values = f"the {self.values:,} values of '{self.column}'"
            return f"Most of these {self.clusters:,} clusters differ in nothing but {values}."
        return f"These {self.clusters:,} clusters are the {self.values:,} values of '{self.column}'."


def one_column(
    labels: np.ndarray,
    columns: Mapping[str, np.ndarray],
    X: np.ndarray | None = None,
    sources: Sequence[str] = (),
    n_clusters: int | None = None,
) -> OneColumn | None:
    """The `OneColumn` that a clustering repeats, or None.

    Each cluster must hold one value of the column, and each value lie in one cluster; or, with the points X (n, d) as
    they were clustered, most clusters lie in all other columns where a cluster with another value lies. ``columns`` are
    as in the file, ``sources`` names the column that each of X is made of. ``n_clusters`` of the largest clusters are
    meant, the others are outliers; by default those of half a percent or more.
    """
    labels = np.asarray(labels)
    names, sizes = np.unique(labels, return_counts=True)
    largest = int((sizes >= max(2, _FEW * len(labels))).sum()) if n_clusters is None else n_clusters
    large = np.sort(names[np.argsort(-sizes, kind="stable")[:largest]])
    counted = np.isin(labels, large)
    if len(large) < 2 or counted.mean() < _COUNTED:
        return None
    cluster = np.searchsorted(large, labels[counted])
    split = None
    for column, values in columns.items():
        codes, different = pd.factorize(np.asarray(values)[counted])
        if not 2 <= len(different) <= _MOST:
            continue
        table = np.zeros((len(large), len(different) + 1), dtype=np.int64)
        np.add.at(table, (cluster, codes), 1)
        if table.max(axis=1).sum() < _ALIKE * table.sum():
            continue
        own = table.argmax(axis=1)
        common = int((table.sum(axis=0) >= max(2, _FEW * table.sum())).sum())  # values that more than a few rows have
        if table.max(axis=0).sum() >= _ALIKE * table.sum() and common == len(set(own.tolist())) == len(large):
            return OneColumn(column, len(large), common)
        others = [j for j, source in enumerate(sources) if source != column]
        if split is None and X is not None and others and _twins(X[counted][:, others], cluster, own) >= _TWINS:
            split = OneColumn(column, len(large), common, True)
    return split


def _twins(X: np.ndarray, cluster: np.ndarray, own: np.ndarray) -> float:
    """The share of clusters that lie within a standard deviation of one with another value, in every column of X."""
    counts = np.bincount(cluster)[:, None]
    means = np.column_stack([np.bincount(cluster, weights=column) for column in X.T]) / counts
    spread = np.sqrt(((X - means[cluster]) ** 2).mean(axis=0))
    near = (np.abs(means[:, None] - means[None]) <= spread).all(axis=2)
    return float((near & (own[:, None] != own[None])).any(axis=1).mean())
