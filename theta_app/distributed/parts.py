"""TDG by part: what is done with one part, and with the centroids of all. Arrays in, arrays out, no cluster.

Plain TSG with θ on every part loses too much: a part that is sorted sees slices of clusters, a small one sees few of
their points, and what was put together there cannot be taken apart again. So parts are grouped finer, by TSG with θ/5
where that still says much in few centroids, and every shuffle then runs TSG with θ itself over the centroids of all
parts in a random order of its own, in which each counts as the points it stands for. The vote is TDG's. Measured in
docs/scale.md.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from theta_app.engine import (
    EUCLIDEAN,
    Metric,
    adjusted_rand,
    members,
    nearest,
    passes,
    shuffled_order,
    tsg,
    validation,
    weighted_tsg,
)

FINENESS = (5, 2, 1)
"""θ is divided by the first of these at which a part has fewer than half as many clusters as points."""

_TRIED = (1000, 4000, 16_000, 64_000)  # points on which that is tried; a part of no more than the first is cut finest
_TRIED_IN_MANY = _TRIED[:2]  # in more than three features, where many clusters cost much, and more points rarely help
_VOTES = 7
_ITEMS = (
    10_000  # pieces of about equal weight that the points of all parts make for one pass: heavy centroids give many,
)
_MOST_ITEMS = 100_000  # and light ones as many as keep it below this in all


@dataclass(frozen=True, eq=False)
class Found:
    """Centroids of TSG runs, run after run.

    Attributes
    ----------
    centroids : (m, d) array
    counts : (m,) array
        Points that each stands for.
    starts : (shuffles + 1,) array of int
        The centroids of shuffle i are those from ``starts[i]`` to ``starts[i + 1]``.
    """

    centroids: np.ndarray
    counts: np.ndarray
    starts: np.ndarray

    @classmethod
    def of(cls, runs: Iterable[tuple[np.ndarray, np.ndarray]]) -> Self:
        """From a list of (centroids, counts), one per shuffle."""
        centroids, counts = zip(*runs)
        starts = np.concatenate([[0], np.cumsum(list(map(len, counts)))])
        return cls(np.concatenate(centroids), np.concatenate(counts).astype(np.float64), starts)

    @property
    def shuffles(self) -> int:
        """How many shuffles the centroids are from."""
        return len(self.starts) - 1

    @property
    def run_counts(self) -> np.ndarray:
        """Centroids per shuffle."""
        return np.diff(self.starts)

    @property
    def nbytes(self) -> int:
        """How many bytes it takes in memory."""
        return self.centroids.nbytes + self.counts.nbytes + self.starts.nbytes

    def run(self, i: int) -> tuple[np.ndarray, np.ndarray]:
        """(centroids, counts) of shuffle i."""
        inside = slice(self.starts[i], self.starts[i + 1])
        return self.centroids[inside], self.counts[inside]


def with_means(metric: Metric) -> Metric:
    """The `Metric`, which must have means for centroids: those of parts are averaged, and directions are not."""
    metric.refuse_curves("data in parts")
    if metric.directions is not None:
        raise ValueError(
            f"metric {metric.name!r} is not available for data in parts: centroids of parts are averaged, and "
            "directions cannot be. Use a sample that fits into memory, or another metric."
        )
    return metric


def part_runs(X: np.ndarray, theta: float, shuffles: int, seed: int, part: int, metric: Metric = EUCLIDEAN) -> Found:
    """The `Found` of the part with this number and the points X: TSG on every shuffle, finer than θ where it pays."""
    if len(X) == 0:
        return Found.of([(np.empty((0, X.shape[1])), np.empty(0))] * shuffles)
    found = passes(X, theta / fineness(X, theta, metric), seed * 1_000_003 + part, range(shuffles), metric=metric)
    return Found.of([(centroids, counts) for _, centroids, counts in found])


def fineness(X: np.ndarray, theta: float, metric: Metric = EUCLIDEAN) -> int:
    """By how much θ is divided on a part: see `FINENESS`."""
    if len(X) <= _TRIED[0]:
        return FINENESS[0]
    order = shuffled_order(len(X), 0, 0)
    return next((m for m in FINENESS[:-1] if _says_much(X, order, theta / m, metric)), FINENESS[-1])


def _says_much(X: np.ndarray, order: np.ndarray, theta: float, metric: Metric) -> bool:
    """Whether fewer than half as many centroids as points are left of a part, or of a random sample of it."""
    for size in _TRIED if X.shape[1] <= 3 else _TRIED_IN_MANY:
        chosen = order[:size]
        if 2 * tsg(X[chosen], theta, metric=metric).n_clusters <= len(chosen):
            return True
    return False


def joined(found: Sequence[Found], theta: float, metric: Metric = EUCLIDEAN) -> Found:
    """One `Found` from those of several parts: what is within θ/5 of each other becomes one centroid, weighted."""
    return Found.of([_together([one.run(i) for one in found], theta, metric) for i in range(found[0].shuffles)])


def _together(
    runs: Sequence[tuple[np.ndarray, np.ndarray]], theta: float, metric: Metric
) -> tuple[np.ndarray, np.ndarray]:
    centroids, counts = map(np.concatenate, zip(*runs))
    if len(counts) == 0:
        return centroids, counts
    heaviest_first = np.argsort(-counts, kind="stable")
    close = tsg(centroids, theta / FINENESS[0], heaviest_first, metric=metric)
    return _means(centroids, counts, close.labels, close.n_clusters)


def _means(values: np.ndarray, weights: np.ndarray, labels: np.ndarray, K: int) -> tuple[np.ndarray, np.ndarray]:
    total = np.bincount(labels, weights, K)
    return np.stack([np.bincount(labels, weights * column, K) / total for column in values.T], axis=1), total


def passes_over(found: Found, theta: float, seed: int, metric: Metric = EUCLIDEAN) -> list[np.ndarray]:
    """TSG with θ over the centroids of all parts, once per shuffle: a list of centroids."""
    return [_pass(*found.run(i), theta, (seed, i), metric) for i in range(found.shuffles)]


def _pass(centroids: np.ndarray, counts: np.ndarray, theta: float, seed: tuple[int, int], metric: Metric) -> np.ndarray:
    pieces = _pieces(counts)
    order = np.repeat(np.arange(len(counts)), pieces)
    np.random.default_rng(seed).shuffle(order)
    return weighted_tsg(centroids[order], (counts / pieces)[order], theta, metric=metric)[1]


def _pieces(counts: np.ndarray) -> np.ndarray:
    """In how many pieces centroids that stand for so many points are visited.

    Light ones too come in several where they can: what lies far out joins those around it only if they come later.
    """
    fewest = np.minimum(counts, max(_MOST_ITEMS // len(counts), 1))
    return np.ceil(np.maximum(fewest, counts * min(_ITEMS / counts.sum(), 1.0))).astype(np.int64)


def vote(runs: Sequence[np.ndarray], theta: float, metric: Metric = EUCLIDEAN) -> np.ndarray:
    """TDG's vote: TSG with θ over the centroids of all runs, in their order."""
    return tsg(np.concatenate(runs), theta, metric=metric).centroids


def vote_often(found: Found, runs: list[np.ndarray], theta: float, metric: Metric = EUCLIDEAN) -> np.ndarray:
    """TDG's vote, begun with another run each time; the one that the others agree with most.

    Which run comes first may decide whether two clusters become one, and here an unlucky one costs nothing to avoid.
    """
    starts = {len(runs) * i // _VOTES for i in range(_VOTES)}
    votes = [vote(runs[start:] + runs[:start], theta, metric) for start in sorted(starts)]
    centroids, counts = found.run(0)
    pieces = _pieces(counts)
    labels = [np.repeat(assigned(centroids, voted, metric), pieces) for voted in votes]
    agree = [[adjusted_rand(a, b, len(v), len(w)) for b, w in zip(labels, votes)] for a, v in zip(labels, votes)]
    return votes[int(np.argmax(np.sum(agree, axis=1)))]


def assigned(X: np.ndarray, centroids: np.ndarray, metric: Metric = EUCLIDEAN) -> np.ndarray:
    """The nearest centroid of every point of a part, which may be empty."""
    return nearest(X, centroids, metric=metric) if len(X) else np.empty(0, np.int32)


def totals(X: np.ndarray, labels: np.ndarray, K: int) -> tuple[np.ndarray, np.ndarray]:
    """(means, sizes) of a part's members of each of K clusters; means of none are NaN."""
    return members(validation.read_only(np.ascontiguousarray(X, np.float64)), labels, K)


class Sums:
    """Means and sizes of clusters, added up part by part."""

    def __init__(self, K: int, d: int) -> None:
        self.sums, self.sizes = np.zeros((K, d)), np.zeros(K, np.int64)
        self.low, self.high = np.full((K, d), np.inf), np.full((K, d), -np.inf)

    def add(self, means: np.ndarray, sizes: np.ndarray) -> None:
        """Add the means of one part's clusters, each weighted by how many rows it has."""
        has = sizes > 0
        self.sums[has] += means[has] * sizes[has, None]
        self.sizes += sizes
        self.low, self.high = np.fmin(self.low, means), np.fmax(self.high, means)

    def kept(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(new number of each cluster, or -1 where it is empty; centroids; sizes): TDG drops what is left empty."""
        used = self.sizes > 0
        numbers = np.where(used, np.cumsum(used) - 1, -1).astype(np.int32)
        means = self.sums[used] / self.sizes[used, None]
        same = self.low[used] == self.high[used]  # duplicates: their mean is that point, free of rounding
        return numbers, np.where(same, self.low[used], means), self.sizes[used]
