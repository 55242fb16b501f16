"""A group of rows (a cluster, a selection) feature by feature, beside all rows or the rest of them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from theta_app.datasets import Dataset
from theta_app.datasets.prepare import matrix
from theta_app.engine import EUCLIDEAN, Metric

PROFILE_COLUMNS = ("feature", "mean", "sd", "least", "most", "others", "apart")
LABEL_COLUMNS = ("label", "points", "share", "share_of_all")


def original_values(data: Dataset, rows: slice | np.ndarray = slice(None)) -> np.ndarray:
    """The features of a `datasets.Dataset` in the units of its columns, (n, d), gaps filled as they are for clustering.

    What scaling cannot undo, rows of unit length, is as the table has it. ``rows`` are positions, by default all.
    """
    values = data.in_original_units(data.in_columns[rows])
    return matrix(data.table.iloc[rows], data.features) if np.isnan(values).all() else values


def profile(
    values: np.ndarray, features: Sequence[str], inside: np.ndarray, against: np.ndarray | None = None
) -> pd.DataFrame:
    """How a group of rows differs from others, feature by feature.

    Parameters
    ----------
    values : array of shape (n, d)
        NaN where a value is missing; such a value is left out of its feature's numbers.
    features : sequence of d names
    inside : boolean array of shape (n,)
        The group.
    against : boolean array of shape (n,), optional
        What it is compared with; by default all rows.

    Returns
    -------
    DataFrame of `PROFILE_COLUMNS`, the feature that tells the group apart best first. ``sd`` is the spread within the
    group (divided by n); ``others`` the mean of what it is compared with; ``apart`` the difference of the two means in
    standard deviations of all rows, 0 where all rows are equal.
    """
    values = np.asarray(values, dtype=float)
    inside = np.asarray(inside, dtype=bool)
    others = np.ones(len(values), dtype=bool) if against is None else np.asarray(against, dtype=bool)
    group = pd.DataFrame(values[inside])
    mean, other_mean = group.mean().to_numpy(), pd.DataFrame(values[others]).mean().to_numpy()
    frame = pd.DataFrame(
        {
            "feature": list(features),
            "mean": mean,
            "sd": group.std(ddof=0).to_numpy(),
            "least": group.min().to_numpy(),
            "most": group.max().to_numpy(),
            "others": other_mean,
            "apart": _in_deviations(mean - other_mean, values),
        },
        columns=list(PROFILE_COLUMNS),
    )
    return frame.iloc[np.argsort(-frame["apart"].abs().fillna(0).to_numpy(), kind="stable")].reset_index(drop=True)


def _in_deviations(differences: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Differences (..., d) in standard deviations of the columns of ``values``; 0 where a column has one value only."""
    deviation = pd.DataFrame(values).std(ddof=0).to_numpy()
    # rounding gives columns of one value a spread of about 1e-16 of it
    size = np.abs(pd.DataFrame(values).mean().to_numpy())
    spread = deviation > 1e-12 * np.maximum(size, 1e-300)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(spread, differences / np.where(spread, deviation, 1.0), 0.0)


@dataclass(frozen=True, eq=False)
class Overview:
    """All clusters x features.

    sizes : (K,) array
    means, apart : (K, d) arrays
        As ``mean`` and ``apart`` of `profile`.
    """

    sizes: np.ndarray
    means: np.ndarray
    apart: np.ndarray


def overview(values: np.ndarray, labels: np.ndarray, n_clusters: int | None = None) -> Overview:
    """`Overview` of a clustering, labels (n,) from 0 on: each row the numbers of that cluster's `profile`."""
    values, labels = np.asarray(values, dtype=float), np.asarray(labels)
    K = int(labels.max()) + 1 if n_clusters is None else n_clusters
    means = np.empty((K, values.shape[1]))
    for j, column in enumerate(values.T):
        known = ~np.isnan(column)
        counts = np.bincount(labels[known], minlength=K)
        sums = np.bincount(labels[known], weights=column[known], minlength=K)
        means[:, j] = np.divide(sums, counts, out=np.full(K, np.nan), where=counts > 0)
    everywhere = pd.DataFrame(values).mean().to_numpy()
    return Overview(np.bincount(labels, minlength=K), means, _in_deviations(means - everywhere, values))


def label_mix(truth: np.ndarray, names: Sequence[str], inside: np.ndarray) -> pd.DataFrame:
    """The known classes within a group: DataFrame of `LABEL_COLUMNS`, the most frequent first, those absent left out.

    ``truth`` are codes (n,) into ``names``; ``share`` is of the group, ``share_of_all`` of the class.
    """
    counts = np.bincount(truth[inside], minlength=len(names))
    order = [k for k in np.argsort(-counts, kind="stable") if counts[k]]
    everywhere = np.bincount(truth, minlength=len(names))
    return pd.DataFrame(
        {
            "label": [names[k] for k in order],
            "points": counts[order],
            "share": counts[order] / max(counts.sum(), 1),
            "share_of_all": counts[order] / everywhere[order],
        },
        columns=list(LABEL_COLUMNS),
    )


def typical_rows(X: np.ndarray, inside: np.ndarray, count: int = 3, metric: Metric = EUCLIDEAN) -> np.ndarray:
    """Positions of the rows of a group nearest to its centroid, nearest first."""
    return _by_distance(X, inside, metric)[:count]


def extreme_rows(X: np.ndarray, inside: np.ndarray, count: int = 3, metric: Metric = EUCLIDEAN) -> np.ndarray:
    """Positions of the rows of a group farthest from its centroid, farthest first."""
    return _by_distance(X, inside, metric)[::-1][:count]


def _by_distance(X: np.ndarray, inside: np.ndarray, metric: Metric) -> np.ndarray:
    rows = np.flatnonzero(inside)
    members = X[rows]
    if metric.directions is None:
        members = members / (np.abs(members).max(initial=0) or 1.0)  # squares of very large values must stay finite
    far = metric.between(members, metric.centre(members))
    return rows[np.argsort(far, kind="stable")]
