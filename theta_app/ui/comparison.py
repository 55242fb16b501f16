"""The other methods at the θ the person stands on, run on release and kept."""

import time
from collections.abc import Callable

import numpy as np
import pandas as pd

from theta_app import metrics
from theta_app.compare import METHODS
from theta_app.ui import cache
from theta_app.ui.session import Settings
from theta_app.ui.store import Bounded

_ROWS = Bounded(entries=2000, megabytes=8)
_STARTS = 3  # of K-Means++
_MOST_WORK = 3e8  # points x clusters x features x starts: about ten seconds of K-Means

SHOWN: dict[str, Callable[[cache.Sample, float, Settings, int], dict]] = {
    "tsg": lambda points, theta, settings, k: {"theta": theta},
    "tdg": lambda points, theta, settings, k: {"theta": theta, "shuffles": settings.shuffles},
    "tnc": lambda points, theta, settings, k: {
        "theta": theta,
        "epsilon": cache.epsilon_at(points, settings, theta),
        "shuffles": settings.shuffles,
    },
    "kmeans++": lambda points, theta, settings, k: {"k": k, "starts": _STARTS},
    # BIRCH's threshold bounds a cluster's radius (root mean square), about half of what θ bounds
    "birch": lambda points, theta, settings, k: {"threshold": theta / 2, "branching": 50, "k": 0},
}
"""Methods of the table, by their key in ``METHODS``, with their parameters at a θ where TDG finds k clusters."""


def rows(
    points: cache.Sample, theta: float, settings: Settings, k: int, between: Callable[[str], None]
) -> pd.DataFrame:
    """A row a method: clusters, scores, time. ``between(name)`` is called before each run and may raise to stop."""
    found = []
    for name, parameters in SHOWN.items():
        given = parameters(points, theta, settings, k)
        key = (points.key, name, settings.seed, tuple(given.items()))
        row = _ROWS.get(key)
        if row is None:
            between(METHODS[name].label)
            row = _row(name, given, points, settings.seed, k)
            _ROWS.put(key, row, 500)
        found.append(row)
    frame = pd.DataFrame(found)
    return frame if points.truth is not None else frame.drop(columns=["NMI", "ARI"])


def _row(name: str, parameters: dict, points: cache.Sample, seed: int, k: int) -> dict:
    method = METHODS[name]
    row = {
        "Method": method.label,
        "K": None,
        "NMI": None,
        "ARI": None,
        "Silhouette": None,
        "Time (ms)": None,
        "Note": "",
    }
    if name in ("kmeans++", "birch") and points.X.size * k * _STARTS > _MOST_WORK:
        return row | {"Note": f"left out: {k:,} clusters of {len(points.X):,} points would take minutes"}
    try:
        began = time.perf_counter()
        outcome = method.run(points.X, seed, **parameters)
        row["Time (ms)"] = 1000 * (time.perf_counter() - began)
    except ValueError as error:
        return row | {"Note": str(error)}
    labels = np.asarray(outcome.labels)
    row |= {"K": outcome.n_clusters, "Note": outcome.note}
    row["Silhouette"] = metrics.score("silhouette", points.X, labels)
    if points.truth is not None:
        row |= {label: metrics.score(label.lower(), points.X, labels, points.truth) for label in ("NMI", "ARI")}
    return row
