"""Rows that arrive one after the other: what TSG makes of them so far, and K-Means in small batches beside it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from theta_app import metrics
from theta_app.engine import EUCLIDEAN, IncrementalTSG, Metric


@dataclass(frozen=True, eq=False)
class Moment:
    """What is known once so many rows have arrived."""

    rows: int
    # (K, d): of TSG's clusters, in the order they were started: a cluster keeps its number for good
    centroids: np.ndarray
    sizes: np.ndarray  # (K,)
    founded: int  # how many of them are new since the moment before
    # nmi, batch_nmi: of the rows so far with the truth, where that is known: TSG's clusters, and mini-batch K-Means
    # given the K that TSG has in the end; None while fewer rows than that have come
    nmi: float | None = None
    batch_nmi: float | None = None


@dataclass(frozen=True, eq=False)
class Arrivals:
    """Rows in the order they came, and the moments of it."""

    order: np.ndarray  # (n,): the row that came first, second, ...
    labels: np.ndarray  # (n,): TSG's cluster of each row: given when it came, and never changed
    moments: tuple[Moment, ...]
    whole_nmi: float | None = None  # NMI of K-Means++ given K, which sees all rows at once

    @property
    def n_clusters(self) -> int:
        """How many clusters there are once all rows have come."""
        return len(self.moments[-1].sizes)


def arrivals(
    X: np.ndarray,
    theta: float,
    order: np.ndarray | None = None,
    truth: np.ndarray | None = None,
    *,
    steps: int = 100,
    metric: Metric = EUCLIDEAN,
) -> Arrivals:
    """The `Arrivals` of the rows of X at θ in an order (that of the rows if none is given), seen at so many moments.

    `truth` (n,) are known classes. K-Means measures straight distances, whatever the metric.
    """
    order = np.arange(len(X)) if order is None else np.asarray(order)
    stream, labels, moments = IncrementalTSG(theta, metric=metric), np.empty(len(X), np.int64), []
    for piece in np.array_split(order, min(steps, len(order))):
        before = stream.n_clusters
        labels[piece] = stream.add(X[piece])
        so_far = order[: stream.n_points]
        nmi = None if truth is None else metrics.nmi(truth[so_far], labels[so_far])
        moments.append(Moment(len(so_far), stream.centroids, stream.sizes, stream.n_clusters - before, nmi))
    if truth is None:
        return Arrivals(order, labels, tuple(moments))
    batch, whole = _beside(X, order, truth, stream.n_clusters, [moment.rows for moment in moments])
    seen = (Moment(m.rows, m.centroids, m.sizes, m.founded, m.nmi, other) for m, other in zip(moments, batch))
    return Arrivals(order, labels, tuple(seen), whole)


def _beside(
    X: np.ndarray, order: np.ndarray, truth: np.ndarray, k: int, ends: Sequence[int]
) -> tuple[list[float | None], float | None]:
    """(NMI of mini-batch K-Means after each piece, or None; NMI of K-Means++ on all rows), both given K."""
    from sklearn.cluster import KMeans, MiniBatchKMeans

    if len(np.unique(X, axis=0)) < k:
        return [None] * len(ends), None
    found: list[float | None]
    batch, begin, found = MiniBatchKMeans(n_clusters=k, random_state=0), 0, []
    for end in ends:
        waiting = order[begin:end]
        if len(waiting) < k and begin == 0:  # it needs K rows to begin with
            found.append(None)
            continue
        batch.partial_fit(X[waiting])
        begin = end
        found.append(metrics.nmi(truth[order[:end]], batch.predict(X[order[:end]])))
    whole = KMeans(n_clusters=k, n_init=3, random_state=0).fit_predict(X)
    return found, metrics.nmi(truth, whole)
