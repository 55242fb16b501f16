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


def told(data: Dataset, rows: slice | np.ndarray = slice(None)) -> tuple[tuple[str, ...], np.ndarray]:
    """(names, values (n, m)) that say what rows are: the features in the units of the columns (`original_values`).

    Of curves, whose columns say little one by one: their length, how far their ends are apart, and their middle.
    """
    if not data.of_curves:
        return data.features, original_values(data, rows)
    places = data.X[rows].reshape(-1, len(data.features) // 3, 3)
    length = np.linalg.norm(np.diff(places, axis=1), axis=2).sum(axis=1)
    ends = np.linalg.norm(places[:, -1] - places[:, 0], axis=1)
    return CURVE_FACTS, np.column_stack([length, ends, places.mean(axis=1)])


CURVE_FACTS = ("length", "end to end", "middle x", "middle y", "middle z")


def longitude_of(data: Dataset) -> int | None:
    """The position among the features of the longitude of places on a map, which has no plain mean; else None."""
    return 1 if data.on_map else None


def _turned(degrees: np.ndarray | float) -> np.ndarray:
    """Angles from -180 to 180."""
    return (np.asarray(degrees) + 180.0) % 360.0 - 180.0


def _mean_longitude(degrees: np.ndarray) -> float:
    """The direction of the sum of unit vectors: 180 of 179 and -179."""
    angles = np.radians(degrees[~np.isnan(degrees)])
    return float(np.degrees(np.arctan2(np.sin(angles).sum(), np.cos(angles).sum()))) if len(angles) else np.nan


def _unrolled(values: np.ndarray, longitude: int | None, rows: slice | np.ndarray) -> np.ndarray:
    """The values with longitudes within half a turn of the mean of some rows, where they can be averaged."""
    if longitude is None:
        return values
    values = values.copy()
    middle = _mean_longitude(values[rows, longitude])
    values[:, longitude] = middle + _turned(values[:, longitude] - middle)
    return values


def profile(
    values: np.ndarray,
    features: Sequence[str],
    inside: np.ndarray,
    against: np.ndarray | None = None,
    longitude: int | None = None,
) -> pd.DataFrame:
    """How a group of rows (a mask) differs from others, feature by feature.

    Of the values (n, d) those missing, NaN, are left out of their feature's numbers. ``against`` (a mask) is what the
    group is compared with; by default all rows. ``longitude`` says which feature is one, in degrees: its means are
    those of directions.

    A table of `PROFILE_COLUMNS`, the feature that tells the group apart best first. ``sd`` is the spread within the
    group (divided by n); ``others`` the mean of what it is compared with; ``apart`` the difference of the two means in
    standard deviations of all rows, 0 where all rows are equal.
    """
    values = np.asarray(values, dtype=float)
    inside = np.asarray(inside, dtype=bool)
    others = np.ones(len(values), dtype=bool) if against is None else np.asarray(against, dtype=bool)
    group = pd.DataFrame(_unrolled(values, longitude, inside)[inside])
    mean = group.mean().to_numpy()
    other_mean = pd.DataFrame(_unrolled(values, longitude, others)[others]).mean().to_numpy()
    everything = _unrolled(values, longitude, slice(None))
    frame = pd.DataFrame(
        {
            "feature": list(features),
            "mean": _on_globe(mean, longitude),
            "sd": group.std(ddof=0).to_numpy(),
            "least": _on_globe(group.min().to_numpy(), longitude),
            "most": _on_globe(group.max().to_numpy(), longitude),
            "others": _on_globe(other_mean, longitude),
            "apart": _in_deviations(_on_globe(mean - other_mean, longitude), everything),
        },
        columns=list(PROFILE_COLUMNS),
    )
    return frame.iloc[np.argsort(-frame["apart"].abs().fillna(0).to_numpy(), kind="stable")].reset_index(drop=True)


def _on_globe(numbers: np.ndarray, longitude: int | None) -> np.ndarray:
    """Numbers (..., d) with the longitude, or a difference of two, from -180 to 180."""
    if longitude is not None:
        numbers = np.array(numbers)
        numbers[..., longitude] = _turned(numbers[..., longitude])
    return numbers


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
    """All clusters x features."""

    sizes: np.ndarray  # (K,)
    # means, apart: (K, d) each: as ``mean`` and ``apart`` of `profile`
    means: np.ndarray
    apart: np.ndarray


def overview(
    values: np.ndarray, labels: np.ndarray, n_clusters: int | None = None, longitude: int | None = None
) -> Overview:
    """`Overview` of a clustering, labels (n,) from 0 on: each row the numbers of that cluster's `profile`."""
    values, labels = np.asarray(values, dtype=float), np.asarray(labels)
    K = int(labels.max()) + 1 if n_clusters is None else n_clusters
    means = np.empty((K, values.shape[1]))
    for j, column in enumerate(values.T):
        known = ~np.isnan(column)
        counts = np.bincount(labels[known], minlength=K)
        sums = np.bincount(labels[known], weights=column[known], minlength=K)
        means[:, j] = np.divide(sums, counts, out=np.full(K, np.nan), where=counts > 0)
    values = _unrolled(values, longitude, slice(None))
    everywhere = pd.DataFrame(values).mean().to_numpy()
    if longitude is not None:
        own = (values[labels == k] for k in range(K))
        means[:, longitude] = [pd.DataFrame(_unrolled(rows, longitude, slice(None)))[longitude].mean() for rows in own]
    apart = _in_deviations(_on_globe(means - everywhere, longitude), values)
    return Overview(np.bincount(labels, minlength=K), _on_globe(means, longitude), apart)


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
