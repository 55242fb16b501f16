"""A sweep over θ on a cluster: the frame of `theta_app.selection.sweep`, of all points.

What is counted (clusters, sizes, what TSG runs found) is of all points. Silhouette, order agreement and valleys are of
a fair sample of 20,000 rows, and so is the axis of θ; ``frame.attrs["sample"]`` says how many.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import dask
import numpy as np
from distributed import Client

from theta_app.distributed import parts
from theta_app.distributed.algorithms import (
    BY_PART,
    BY_SHUFFLE,
    Watch,
    by_part,
    chunks_of,
    fair_rows,
    members_of,
    nearest,
    way_for,
)
from theta_app.distributed.cluster import in_use, in_words
from theta_app.distributed.points import as_points
from theta_app.engine import Cancel, Metric, Progress, TdgResult, adjusted_rand, tdg, validation
from theta_app.selection import (
    SweepPlan,
    ThetaPoint,
    Want,
    described,
    driven,
    most_points,
    sweep_frame,
    theta_grid,
)

if TYPE_CHECKING:
    import dask.array as da
    import pandas as pd


def sweep(
    X: Any,
    thetas: Sequence[float] | np.ndarray | None = None,
    shuffles: int = 50,
    seed: int = 0,
    *,
    client: Client | None = None,
    metric: str | Metric = "euclidean",
    p: float | None = None,
    way: str | None = None,
    columns: Sequence[str] | None = None,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> pd.DataFrame:
    """TDG over many θ on a cluster.

    Parameters
    ----------
    thetas : sequence of float, optional
        By default 32 values of the sample's axis.
    X, shuffles, seed, client, metric, p, way, columns, progress, cancel
        As for `tdg`; progress counts θ.

    Returns
    -------
    DataFrame with one row per θ, ascending, and the columns of `theta_app.selection.sweep`
    """
    X, metric = as_points(X, columns), parts.with_means(Metric.of(metric, p))
    shuffles = validation.count(shuffles, "shuffles")
    with in_use(client) as client, in_words():
        watch = Watch(client, None, cancel)
        sample = fair_rows(X, most_points(X.shape[1]), watch)
        if thetas is None:
            thetas = theta_grid(sample, 32, metric=metric)
        thetas = sorted({validation.distance(theta, "thetas") for theta in np.atleast_1d(thetas).tolist()})
        over = {BY_SHUFFLE: _by_shuffle, BY_PART: _by_part}[way or way_for(X.shape, client)]
        plan = SweepPlan(sample, shuffles, seed, tuple(thetas), given=True, metric=metric)

        def compute(plan: SweepPlan, wants: Sequence[Want], runs: object, **_: object) -> list[ThetaPoint]:
            """What the sweep wants, of all points instead of the plan's."""
            scored, near, results = plan.references["sample"], plan.references["near"], {}
            for theta, result in over(X, [want.theta for want in wants], shuffles, seed, metric, sample, watch):
                results[theta] = described(theta, result, scored, near, sample.shape[1])
                if progress is not None:
                    progress(len(results), len(thetas))
            return [results[want.theta] for want in wants]

        swept = driven(plan, compute, lambda state: state.swept)
    frame = sweep_frame(swept.rows.values())
    frame.attrs["sample"] = len(sample)
    return frame


def _by_shuffle(
    X: da.Array, thetas: Sequence[float], shuffles: int, seed: int, metric: Metric, sample: np.ndarray, watch: Watch
) -> Iterator[tuple[float, TdgResult]]:
    """A task per θ on a worker that has all points."""
    whole = watch.client.compute(dask.delayed(np.concatenate)(chunks_of(X)))
    task = dask.delayed(_whole)
    return watch.as_they_come((theta, task(whole, theta, shuffles, seed, metric, sample)) for theta in thetas)


def _whole(X: np.ndarray, theta: float, shuffles: int, seed: int, metric: Metric, sample: np.ndarray) -> TdgResult:
    result = tdg(X, theta, shuffles, seed, agreement=True, metric=metric)
    labels = parts.assigned(sample, result.centroids, metric)
    return TdgResult(labels, result.centroids, result.sizes, result.run_counts, result.agreement, metric)


def _by_part(
    X: da.Array, thetas: Sequence[float], shuffles: int, seed: int, metric: Metric, sample: np.ndarray, watch: Watch
) -> Iterator[tuple[float, TdgResult]]:
    """All parts for one θ after the other; runs are compared on the sample."""
    for theta in thetas:
        runs, centroids, _ = by_part(X, theta, shuffles, seed, metric, watch)
        near = nearest(X, centroids, metric=metric)
        _, means, sizes = members_of(X, near, centroids.shape, watch)
        labels, counts = parts.assigned(sample, means, metric), np.array(list(map(len, runs)))
        yield theta, TdgResult(labels, means, sizes, counts, _agreement(runs, sample, metric), metric)


def _agreement(runs: Sequence[np.ndarray], sample: np.ndarray, metric: Metric) -> float:
    """Mean adjusted Rand index of consecutive runs, by the nearest of their centroids."""
    labels = [parts.assigned(sample, run, metric) for run in runs]
    pairs = [adjusted_rand(a, b, len(r), len(s)) for (a, r), (b, s) in pairwise(zip(labels, runs))]
    return float(np.mean(pairs)) if pairs else 1.0
