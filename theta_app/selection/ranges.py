"""The ranges of θ in which the number of clusters holds, and the recommended θ."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from theta_app.engine import Cancel
from theta_app.selection.executors import in_threads
from theta_app.selection.plotting import as_ranges
from theta_app.selection.runs import Run, half_step_around, log_middle, log_width, runs
from theta_app.selection.theta import ThetaPoint, Want, crowded
from theta_app.selection.wording import short

if TYPE_CHECKING:
    from theta_app.selection.sweeping import SweepPlan


RANGE_COLUMNS = (
    "theta_low",
    "theta_high",
    "theta",
    "n_clusters",
    "agreement",
    "silhouette",
    "score",
    "valley",
    "evidence",
    "separate",
    "relative_width",
    "recommended",
)


def theta_ranges(
    sweep: pd.DataFrame, *, refine: int = 4, n_jobs: int | None = None, cancel: Cancel | None = None
) -> pd.DataFrame:
    """Ranges of θ in which the number of clusters holds, best first.

    A range is a set of neighbouring θ with the same number of clusters, 2 or more and not `crowded`, not counting
    outliers (`outlier_clusters`). It is ranked by the evidence at its best θ; but those come first that have valleys
    between their clusters, unless there is much more evidence elsewhere, and of several with about as much evidence the
    one with most clusters. Among about equals the wider comes first; width alone misleads, as a few large clusters
    often hold over a wider range than the true ones.

    Parameters
    ----------
    sweep : DataFrame of `sweep`
    refine : int
        The edges of the best range, and of others that might be it, are found by at most this many bisections between
        grid values (0: none), to within 1 %. Needs a frame that knows its data, as those of `sweep` do.
    n_jobs, cancel
        As for `theta_app.engine.tdg`.

    Returns
    -------
    DataFrame (a `RangesTable`, whose ``.plot()`` shades them over the sweep) with the columns theta_low, theta_high,
    theta (near the middle, of those swept), n_clusters (without outliers), agreement, silhouette, score, valley and
    evidence (means over the range), separate (whether its clusters have valleys between them), relative_width (log of
    theta_high / theta_low) and recommended (True in the first row, if that is separate).
    """
    plan, rows = sweep.attrs.get("plan"), sweep.to_dict("records")
    if plan is None:
        return as_ranges(range_frame(ranked(rows, np.inf)), sweep)
    known: dict
    steps, known = range_steps(rows, plan, refine), {}
    try:
        wants = next(steps)
        while True:
            known |= zip(wants, in_threads(plan, wants, n_jobs=n_jobs, cancel=cancel))
            wants = steps.send(known)
    except StopIteration as end:
        return as_ranges(range_frame(end.value), sweep)


def range_steps(
    rows: Sequence[dict], plan: SweepPlan, refine: int = 4
) -> Generator[list[Want], dict[Want, ThetaPoint], list[dict]]:
    """`ranked` with refined edges, as a generator: it yields lists of `Want`s and is sent their `ThetaPoint`s.

    `rows` are those of a sweep, θ ascending.
    """
    ranges = ranked(rows, len(plan.X))
    edges = _edges(ranges, [row["theta"] for row in rows]) if refine else []
    for _ in range(refine):
        middles = {edge: float(log_middle(edge.inside, edge.outside)) for edge in edges if edge.is_open}
        if not middles:
            break
        wants = {theta: plan.quick(theta) for theta in dict.fromkeys(middles.values())}
        known = yield list(wants.values())
        for edge, theta in middles.items():
            edge.move(theta, known[wants[theta]].major)
    for edge in edges:
        edge.row[edge.end] = edge.inside
    return ranges


def range_frame(ranges: Sequence[dict]) -> pd.DataFrame:
    """The DataFrame of `theta_ranges` from the dicts of `ranked`."""
    frame = pd.DataFrame(ranges, columns=list(RANGE_COLUMNS))
    low, high = frame["theta_low"].astype(float), frame["theta_high"].astype(float)
    frame["relative_width"] = log_width(low, high)
    frame["recommended"] = frame["separate"].astype(bool) & (frame.index == 0)
    return frame


def ranked(rows: Sequence[dict], n: float) -> list[dict]:
    """The ranges of `theta_ranges`, best first, as dicts, from the rows of a sweep of n points, θ ascending.

    Edges are half way between values. Beside the columns they have peak, the most evidence at one of their θ, good, the
    θ with about as much, and inside, the positions of their first and last row.
    """
    return [dict(row) for row in _ranked(tuple(tuple(row[name] for row in rows) for name in _RANKED_BY), n)]


@lru_cache(maxsize=128)  # a sweep that is looked at again asks for the same
def _ranked(values: tuple[tuple, ...], n: float) -> list[dict]:
    columns = {name: np.array(column) for name, column in zip(_RANKED_BY, values)}
    columns["separate"] = _clearly_separate(columns)
    major = columns["n_clusters"] - columns["outliers"]
    held = [run for run in runs(major) if run.value >= 2 and not crowded(run.value, n)]
    return _finest_first(sorted((_range(columns, run) for run in held), key=_rank, reverse=True))


_MEANS = ("agreement", "silhouette", "score", "valley", "evidence")  # of a range the mean of its rows
_RANKED_BY = ("theta", "n_clusters", "outliers", *_MEANS, "separate")
REFINED = 4  # ranges whose edges are bisected at most: those a person may choose
_SHARP = 0.01  # relative: two θ so near are one edge


def is_alternative(row: dict, best: dict) -> bool:
    """Whether a range might be taken instead of the best."""
    return row["separate"] and row["peak"] >= _ALIKE * best["peak"]


_NEAR_BEST = 0.6  # of the most evidence at any θ: where there is much more elsewhere, valleys alone do not count
_AS_GOOD = 0.9  # of a range's best value
_ALIKE = 0.95  # of the best range's evidence: about as much


def _clearly_separate(columns: Mapping[str, np.ndarray]) -> np.ndarray:
    """Which θ give clusters with valleys between them and not much less evidence than any other θ."""
    evidence = columns["evidence"]
    return columns["separate"].astype(bool) & (evidence >= _NEAR_BEST * evidence.max(initial=0.0))


def _range(columns: Mapping[str, np.ndarray], run: Run) -> dict:
    """A stretch of rows as a range."""
    low, high = half_step_around(columns["theta"], run)
    inside = slice(run.start, run.stop)
    values, separate = columns["evidence"][inside], columns["separate"][inside]
    if separate.any():
        values = np.where(separate, values, 0.0)
    good = columns["theta"][inside][values >= min(_AS_GOOD * values.max(), values.max())]
    middle = log_middle(low, high)
    away = np.abs(log_width(np.minimum(good, middle), np.maximum(good, middle)))
    return {
        "n_clusters": int(run.value),
        **{name: _mean(columns[name][inside]) for name in _MEANS},
        "separate": bool(separate.any()),
        "peak": float(values.max()),
        "theta": float(good[np.argmin(away)]),
        "good": good.tolist(),
        "theta_low": low,
        "theta_high": high,
        "inside": (run.start, run.stop - 1),
    }


def _finest_first(rows: list[dict]) -> list[dict]:
    """Of the best ranges with valleys, where several have about the same evidence, the one with most clusters first.

    Two clusters under one circle look as good as one of double size; apart they tell more.
    """
    alike = [row for row in rows if row["separate"] and row["peak"] >= _ALIKE * rows[0]["peak"]]
    finest = max(alike, key=lambda row: row["n_clusters"], default=None)
    return rows if finest is None else [finest, *(row for row in rows if row is not finest)]


def _mean(values: np.ndarray) -> float:
    """Of what is defined; NaN where nothing is."""
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if len(defined) else float("nan")


def _rank(row: dict) -> tuple[bool, float]:
    """How well a range's answer holds: whether there are valleys, then mostly its peak, a little its width."""
    width = log_width(row["theta_low"], row["theta_high"])
    return row["separate"], row["peak"] * (1.0 + 0.1 * np.tanh(width / 0.3))


@dataclass(eq=False)
class _Edge:
    """An end of a range: somewhere between a θ inside it and one outside, which close in on it."""

    row: dict
    end: str
    inside: float
    outside: float

    @property
    def is_open(self) -> bool:
        return abs(self.outside - self.inside) > _SHARP * self.inside

    def move(self, theta: float, n_clusters: int) -> None:
        if n_clusters == self.row["n_clusters"]:
            self.inside = theta
        else:
            self.outside = theta


def _edges(ranges: Sequence[dict], thetas: Sequence[float]) -> list[_Edge]:
    """The ends, on an axis of θ, of the best range and of those that might be it."""
    edges = []
    for row in ranges[:REFINED]:
        if row is ranges[0] or is_alternative(row, ranges[0]):
            first, last = row["inside"]
            for end, inside, outside in (("theta_low", first, first - 1), ("theta_high", last, last + 1)):
                at_end = not 0 <= outside < len(thetas)  # of the axis: nothing lies beyond
                edges.append(_Edge(row, end, thetas[inside], thetas[inside if at_end else outside]))
    return edges


@dataclass(frozen=True)
class Recommendation:
    """The recommended θ.

    Attributes
    ----------
    theta, n_clusters : a good θ near the middle of the best range, and its number of clusters, outliers not counted
    theta_low, theta_high : the range
    stands_out : False where no θ is much better than the others (uniform noise, say)
    reason : a sentence
    """

    theta: float
    n_clusters: int
    theta_low: float
    theta_high: float
    stands_out: bool
    reason: str


def recommend_from(sweep: pd.DataFrame, ranges: pd.DataFrame) -> Recommendation:
    """The `Recommendation` that follows from a sweep and its ranges."""
    if len(ranges) == 0:
        last = sweep.iloc[-1]
        theta = float(last["theta"])
        reason = "Every θ tried puts all points into one cluster or leaves each alone: there is nothing to choose."
        return Recommendation(theta, int(last["n_clusters"]), theta, theta, False, reason)
    best = ranges.iloc[0]
    if best["recommended"]:
        reason = (
            f"From θ = {short(best['theta_low'])} to {short(best['theta_high'])} there are {int(best['n_clusters'])} "
            f"clusters; over that range order agreement is {best['agreement']:.2f} and silhouette "
            f"{best['silhouette']:.2f} on average."
        )
    else:
        reason = (
            "No θ is clear: for none are the clusters both apart and independent of the order of the data "
            f"(best: order agreement {best['agreement']:.2f}, silhouette {best['silhouette']:.2f})."
        )
    return Recommendation(
        float(best["theta"]),
        int(best["n_clusters"]),
        float(best["theta_low"]),
        float(best["theta_high"]),
        bool(best["recommended"]),
        reason,
    )
