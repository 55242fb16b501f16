"""Whether clusters are only the values of one column: nine clusters for one to nine persons in a household."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

_ALIKE = 0.95  # of the points in clusters that are counted: more of them follow the values
_MOST = 100  # different values: a column of more is a measurement


@dataclass(frozen=True)
class OneColumn:
    """A column whose values the clusters are, and how many of each there are."""

    column: str
    clusters: int
    values: int

    @property
    def sentence(self):
        """ "These 9 clusters are the 9 values of 'household'." """
        return f"These {self.clusters:,} clusters are the {self.values:,} values of '{self.column}'."


def one_column(labels, columns):
    """The `OneColumn` that a clustering repeats, or None.

    Parameters
    ----------
    labels : (n,) array of int
        The cluster of each point; clusters of less than one point in a hundred are passed over.
    columns : mapping of str to array (n,)
        Those that were clustered by, as they are in the file.

    Each cluster must hold one value of the column, and each value lie in one cluster.
    """
    labels = np.asarray(labels)
    names, sizes = np.unique(labels, return_counts=True)
    large = names[sizes >= max(2, 0.01 * len(labels))]
    counted = np.isin(labels, large)
    if len(large) < 2 or counted.mean() < _ALIKE:
        return None
    for column, values in columns.items():
        codes, different = pd.factorize(np.asarray(values)[counted])
        if not 2 <= len(different) <= _MOST or len(different) < len(large):
            continue
        table = pd.crosstab(labels[counted], codes).to_numpy()
        common = int((table.sum(axis=0) >= max(2, 0.01 * counted.sum())).sum())  # values that more than a few rows have
        held = len(set(table.argmax(axis=1).tolist()))
        pure = table.max(axis=1).sum() / table.sum() >= _ALIKE and table.max(axis=0).sum() / table.sum() >= _ALIKE
        if pure and common == held == len(large):
            return OneColumn(column, len(large), common)
    return None
