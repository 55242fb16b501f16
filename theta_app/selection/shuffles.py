"""How many shuffles are enough? TDG over θ and numbers of shuffles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from theta_app.engine import EUCLIDEAN, Cancel, IncrementalTDG, Metric, Progress, Runs, SilhouetteSample, tdg_prefixes
from theta_app.selection.plotting import figures
from theta_app.selection.theta import ThetaPoint, described
from theta_app.selection.valleys import Neighbourhoods

if TYPE_CHECKING:
    import plotly.graph_objects as go


@dataclass(frozen=True)
class ShuffleMap:
    """TDG over θ and numbers of shuffles.

    Attributes
    ----------
    thetas : (t,) array, ascending
    counts : (c,) array, ascending
        Numbers of shuffles.
    n_clusters, agreement : (c, t) arrays
    """

    thetas: np.ndarray
    counts: np.ndarray
    n_clusters: np.ndarray
    agreement: np.ndarray

    def plot(self, theta: float | None = None, unit: str = "") -> go.Figure:
        """The map as a Plotly figure, with a line at ``theta``; ``unit`` is what θ is measured in."""
        return figures()["shuffle_map_figure"](self, theta, unit)

    @cached_property
    def steady_from(self) -> np.ndarray:
        """For each θ the least number of shuffles from which K no longer changes, an array (t,)."""
        same = self.n_clusters == self.n_clusters[-1:]
        # walking down from the most shuffles, as long as K is the last one
        unbroken = np.logical_and.accumulate(same[::-1], axis=0)[::-1]
        return self.counts[np.argmax(unbroken, axis=0)] if len(self.thetas) else np.array([], dtype=int)

    def at(self, theta: float) -> tuple[int, int]:
        """(K at the most shuffles, shuffles from which it holds) at the θ of the map nearest to `theta`."""
        nearest = int(np.argmin(np.abs(np.log(self.thetas / max(theta, 1e-300)))))
        return int(self.n_clusters[-1, nearest]), int(self.steady_from[nearest])

    @property
    def table(self) -> pd.DataFrame:
        """One row per cell: theta, shuffles, n_clusters, agreement."""
        thetas, counts = np.meshgrid(self.thetas, self.counts)
        return pd.DataFrame(
            {
                "theta": thetas.ravel(),
                "shuffles": counts.ravel(),
                "n_clusters": self.n_clusters.ravel(),
                "agreement": self.agreement.ravel(),
            }
        )


def shuffle_counts(most: int, rows: int = 11) -> np.ndarray:
    """Numbers of shuffles worth a row of the map, from 2 (fewer leave nothing to agree) to `most`."""
    return np.unique(np.round(np.geomspace(2, max(most, 2), rows)).astype(int))


def prefix_counts(most: int, limit: int = 100) -> list[int]:
    """Every number of shuffles from 1 to `most`; where they are more than `limit`, the later ones wider apart."""
    if most <= limit:
        return list(range(1, most + 1))
    half = limit // 2
    return sorted({*range(1, half + 1), *np.linspace(half, most, limit - half + 1).round().astype(int).tolist()})


def prefix_points(
    X: np.ndarray,
    theta: float,
    counts: Sequence[int],
    seed: int,
    runs: Runs | None = None,
    *,
    sample: SilhouetteSample,
    near: Neighbourhoods,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
    metric: Metric = EUCLIDEAN,
) -> list[ThetaPoint]:
    """TDG at one θ for each number of shuffles, as the `ThetaPoint` of a sweep, at the cost of the largest number.

    `runs`, `sample` and `near` are those of `evaluate`: of runs with all shuffles only the votes are taken.
    """
    growing = IncrementalTDG(X, theta, seed, metric=metric, runs=runs, cancel=cancel, agreement=True)
    growing.grow(max(counts), progress and (lambda done: progress(done, max(counts))))
    points: list = []
    for count in counts:
        before = points[-1] if points else None
        points.append(described(theta, growing.vote(count), sample, near, np.shape(X)[1], before))
    return points


def shuffle_column(
    X: np.ndarray,
    theta: float,
    counts: Sequence[int] | np.ndarray,
    seed: int = 0,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
    metric: Metric = EUCLIDEAN,
) -> tuple[np.ndarray, np.ndarray]:
    """(K, order agreement) at one θ for each number of shuffles, arrays (c,), at the cost of the largest number."""
    counts = [int(count) for count in counts]
    options: dict[str, Any] = {"metric": metric, "agreement": True, "progress": progress, "cancel": cancel}
    results = tdg_prefixes(X, theta, counts, seed, **options)
    return np.array([len(r.sizes) for r in results]), np.array([r.agreement for r in results])


def shuffle_map(
    thetas: Sequence[float] | np.ndarray,
    counts: Sequence[int] | np.ndarray,
    columns: Sequence[tuple[np.ndarray, np.ndarray]],
) -> ShuffleMap:
    """The `ShuffleMap` from its columns, one of `shuffle_column` for each θ."""
    empty = (np.zeros((0, len(counts)), dtype=int), np.zeros((0, len(counts))))
    clusters, agreement = (np.array(part) for part in zip(*columns)) if len(columns) else empty
    return ShuffleMap(np.asarray(thetas, dtype=float), np.asarray(counts, dtype=int), clusters.T, agreement.T)
