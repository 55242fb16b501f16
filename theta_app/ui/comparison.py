"""The other methods at the θ the person stands on, run on release and kept."""

import time
from collections.abc import Callable

import numpy as np
import pandas as pd
from sklearn.cluster import Birch, KMeans

from theta_app import metrics
from theta_app.engine import chained, tdg, tsg
from theta_app.ui import cache
from theta_app.ui.state import Settings
from theta_app.ui.store import Bounded

_ROWS = Bounded(entries=2000, megabytes=8)
_MOST_WORK = 3e8  # points x clusters x features x repeats of K-Means: about ten seconds


def _kmeans(X, theta, settings, k):
    return KMeans(k, init="k-means++", n_init=3, random_state=settings.seed).fit_predict(X)


METHODS: dict[str, Callable[[np.ndarray, float, Settings, int], np.ndarray]] = {
    "TSG": lambda X, theta, settings, k: tsg(X, theta).labels,
    "TDG": lambda X, theta, settings, k: tdg(X, theta, settings.shuffles, settings.seed).labels,
    "TNC": lambda X, theta, settings, k: (
        chained(tdg(X, theta, settings.shuffles, settings.seed), cache.epsilon_at(settings, theta)).labels
    ),
    "K-Means++": _kmeans,
    # BIRCH's threshold bounds a cluster's radius (root mean square), about half of what θ bounds
    "BIRCH": lambda X, theta, settings, k: Birch(threshold=max(theta / 2, 1e-12), n_clusters=None).fit_predict(X),
}


def rows(
    points: cache.Sample, theta: float, settings: Settings, k: int, between: Callable[[str], None]
) -> pd.DataFrame:
    """A row a method: clusters, scores, seconds. ``between(name)`` is called before each run and may raise to stop."""
    found = []
    for name in METHODS:
        key = (points.key, name, theta, settings.shuffles, settings.seed, settings.epsilon, k)
        row = _ROWS.get(key)
        if row is None:
            between(name)
            row = _row(name, points, theta, settings, k)
            _ROWS.put(key, row, 500)
        found.append(row)
    frame = pd.DataFrame(found)
    return frame if points.truth is not None else frame.drop(columns=["NMI", "ARI"])


def _row(name, points, theta, settings, k) -> dict:
    row = {"Method": name, "K": None, "NMI": None, "ARI": None, "Silhouette": None, "Time (ms)": None, "Note": ""}
    work = len(points.X) * k * points.X.shape[1] * 3
    if name in ("K-Means++", "BIRCH") and work > _MOST_WORK:
        return row | {"Note": f"left out: {k:,} clusters of {len(points.X):,} points would take minutes"}
    if name == "K-Means++" and k > len(np.unique(points.X, axis=0)):
        return row | {"Note": "left out: more clusters than different points"}
    began = time.perf_counter()
    labels = METHODS[name](points.X, theta, settings, k)
    row["Time (ms)"] = 1000 * (time.perf_counter() - began)
    row["K"] = len(np.unique(labels))
    row["Silhouette"] = metrics.score("silhouette", points.X, labels)
    if points.truth is not None:
        row |= {label: metrics.score(label.lower(), points.X, labels, points.truth) for label in ("NMI", "ARI")}
    return row
