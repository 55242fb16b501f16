"""The answers that a verdict chooses from, ranges of θ and of ε, and what speaks for each: numbers without a unit.

Density is judged on points that are spread over the gap around their value (`ties.without_ties`), where the values of
one column are no clusters any more, and on rows that are complete (`ties.filled_rows`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from theta_app.engine import SilhouetteSample, adjusted_rand, silhouette_sample
from theta_app.selection.density import Views, agreement, density_views, rise
from theta_app.selection.epsilon import Chaining, ChainRange, chain_warnings, count_outlier_chains, strongest_per_count
from theta_app.selection.runs import log_width
from theta_app.selection.sizes import entropy, major_clusters
from theta_app.selection.sweeping import Sweep, SweepPlan
from theta_app.selection.theta import ThetaPoint, too_fine
from theta_app.selection.ties import Counts, few_values, filled_rows, measured, value_counts, without_ties
from theta_app.selection.valleys import Neighbourhoods, neighbourhoods
from theta_app.selection.warnings import first_of, warnings_for

MOST_CHAIN_RANGES = 16  # numbers of chains whose strongest range is a candidate
_MIN_ENTROPY = 0.03  # nats: less is one cluster and a few outliers
_CUT = 0.03  # of the points at most lie where chains that hold meet without a valley
_AS_FINE = 0.05  # nats
_MOST_VALUES = 30  # of a column whose values can be mistaken for clusters
SAME = 0.8  # adjusted Rand index from which two clusterings say the same, and from which an answer counts as right


@dataclass(frozen=True, eq=False)
class Candidate:
    """One range of θ (TDG) or of ε (TNC) and its clusters.

    Attributes
    ----------
    algorithm : "TDG" or "TNC"
    theta : float
    epsilon : float or None
    n_clusters : int
        Without outliers.
    outliers : int
        Groups of outliers.
    low, high : float
        The range.
    labels : (n,) array
        Outliers in the cluster that is nearest.
    order_agreement : float
        Of TDG at this θ.
    strength : float
        What ranks it among the ranges of its algorithm.
    times_chance : float
        TNC: how many times as strong the range is as chance gives; NaN for TDG.
    holds : bool
        Whether its own range and valleys are more than expected by chance.
    chaining : Chaining or None
    warning : str
        What is odd about this very result (`warnings`), empty where nothing is.
    """

    algorithm: str
    theta: float
    epsilon: float | None
    n_clusters: int
    outliers: int
    low: float
    high: float
    labels: np.ndarray
    order_agreement: float
    strength: float
    times_chance: float
    holds: bool
    chaining: Chaining | None = None
    warning: str = ""

    @cached_property
    def entropy(self) -> float:
        """The entropy of the cluster sizes, in nats: log K for K even clusters."""
        return float(entropy(np.bincount(self.labels)))


def of_theta(point: ThetaPoint, low: float, high: float, separate: bool) -> Candidate:
    """The `Candidate` of TDG at a `ThetaPoint`."""
    row = point.row
    return Candidate(
        "TDG",
        point.theta,
        None,
        point.major,
        row["outliers"],
        low,
        high,
        major_clusters(point.tdg)[0][point.tdg.labels],
        row["agreement"],
        row["evidence"],
        float("nan"),
        bool(separate),
        warning=first_of(warnings_for(point.tdg)),
    )


def of_epsilon(chaining: Chaining, row: ChainRange, valleys: Neighbourhoods) -> Candidate:
    """The `Candidate` of a `Chaining` at a `ChainRange`; `valleys` are `Neighbourhoods`."""
    labels = chaining.labels(row.epsilon)
    return Candidate(
        "TNC",
        chaining.theta,
        row.epsilon,
        row.n_chains,
        count_outlier_chains(chaining.sizes(row.epsilon)),
        row.epsilon_low,
        row.epsilon_high,
        labels,
        chaining.tdg.agreement,
        row.strength,
        row.strength / row.needed,
        bool(row.strength >= row.needed and valleys.valley(labels).flat <= _CUT),
        chaining,
        first_of(chain_warnings(chaining, row.epsilon)),
    )


FEATURES = (
    "strongest",
    "groups",
    "peaks",
    "fine_peaks",
    "backing",
    "order_agreement",
    "valley",
    "flat",
    "evenness",
    "tdg",
    "column",
    "first",
    "finest",
    "apart",
)
"""What speaks for or against a candidate:

- strongest : TNC: its strength as a share of the strongest range's
- groups, peaks, fine_peaks : how far density agrees with it, read as `density.Views` has it
- backing : how far ranges of ε do, the stronger the more
- order_agreement : TDG: order agreement
- valley, flat : how sparse points are at its boundaries; the root of the share of points where they are not
- evenness : of its clusters' sizes
- tdg : 1 for TDG
- column : how far it is the values of one column
- first, finest : `fine_peaks` for the best range of θ, and for the finest of those that hold by themselves; else 0
- apart : 1 where no neighbours are in different clusters
"""

NOTHING_FEATURES = ("one", "rise", "columns")
"""What speaks for nothing to find: a constant, how little density rises, and the logarithm of the number of columns, or
of the dimension in which points spread where there are more than three."""

DOUBTS = ("lost", "alternative", "backing", "width", "agreement", "evenness", "rows")
"""What makes an answer more or less sure than its probability says:

- lost : how far it is lost without columns of few values
- `alternative` : how much more density agrees with the strongest answer that says something else
- backing, evenness : as in `FEATURES`
- width : the root of the width of its range on a log axis
- agreement : TDG: order agreement; 1 for TNC
- rows : the logarithm of how many there are
"""


@dataclass(frozen=True, eq=False)
class Evidence:
    """All candidates of a data set and what speaks for each.

    Attributes
    ----------
    candidates : list of Candidate
    alike : (k, k) array
        Adjusted Rand index between candidates, on a sample of the points.
    features : (k, len(FEATURES)) array
    nothing : (len(NOTHING_FEATURES),) array
    valleys : list of Valley
    doubts : (k, len(DOUBTS)) array
    """

    candidates: list
    alike: np.ndarray
    features: np.ndarray
    nothing: np.ndarray
    valleys: list
    doubts: np.ndarray


def gather(sweep: Sweep, chainings: Sequence[Chaining], columns: np.ndarray | None = None) -> Evidence:
    """The `Evidence` of a complete `Sweep` and the `Chaining`s at its small θ.

    `columns` are the rows in the columns, where the points that were swept are in another space.
    """
    X, metric = sweep.plan.X, sweep.plan.metric
    columns = X if columns is None else columns
    counted = value_counts(columns)
    spread, sample, near = _judged(sweep.plan, np.flatnonzero(~filled_rows(columns, counted)))
    candidates = [*_ranges_of_theta(sweep), *_ranges_of_epsilon(chainings, near)]
    alike = _all_alike(_on(candidates, sweep.plan.references["sample"]))
    valleys = [near.valley(found.labels) for found in candidates]
    _n, features = X.shape
    values: dict[str, Any] = {
        **_by_density(candidates, _on(candidates, sample), density_views(sample, near, features), near.indices),
        **_by_others(candidates, alike),
        "order_agreement": [found.order_agreement if found.algorithm == "TDG" else 0.0 for found in candidates],
        "valley": [np.tanh(valley.depth * features / 3.0) for valley in valleys],
        "flat": [np.sqrt(valley.flat) for valley in valleys],
        "evenness": [found.entropy / np.log(max(len(np.unique(found.labels)), 2)) for found in candidates],
        "column": _like_a_column(columns, counted, candidates),
        "apart": [float(valley.depth == np.inf) for valley in valleys],
    }
    for name in ("first", "finest"):
        values[name] = values[name] * np.clip(values["fine_peaks"], 0.0, 1.0)
    values |= _doubts(columns, counted, candidates, alike, values)
    table, doubts = (
        np.array([values[name] for name in names], dtype=float).T.reshape(len(candidates), len(names))
        for names in (FEATURES, DOUBTS)
    )
    height = rise(spread, metric=metric) * (0.75 if features == 1 else 1.0)  # a line has only two sides
    nothing = np.array([1.0, np.tanh(height / 3.0), np.log(near.dimension)])
    return Evidence(candidates, alike, table, nothing, valleys, doubts)


def _judged(plan: SweepPlan, complete: np.ndarray) -> tuple[np.ndarray, SilhouetteSample, Neighbourhoods]:
    """(points, `SilhouetteSample`, `Neighbourhoods`) that density is judged on: ties spread, and complete rows alone.

    All rows where fewer than half are complete.
    """
    X, metric, given = plan.X, plan.metric, plan.references
    chosen = X if 2 * len(complete) < len(X) or len(complete) == len(X) else np.ascontiguousarray(X[complete])
    spread = metric.possible(without_ties(chosen))
    if spread is X:
        return X, given["sample"], given["near"]
    sample, near = silhouette_sample(spread, metric=metric), neighbourhoods(spread, metric=metric)
    if chosen is not X:
        sample = replace(sample, indices=complete[sample.indices])
        near = replace(near, indices=complete[near.indices])
    return spread, sample, near


def _on(candidates: Sequence[Candidate], sample: SilhouetteSample) -> list[np.ndarray]:
    """The labels of each candidate on the points of a sample."""
    return [np.ascontiguousarray(found.labels[sample.indices], dtype=np.int64) for found in candidates]


def _ranges_of_theta(sweep: Sweep) -> list[Candidate]:
    found = [(sweep.rows[row.theta], row) for row in sweep.ranges.itertuples()]
    return [
        of_theta(point, row.theta_low, row.theta_high, row.separate)
        for point, row in found
        if point.major >= 2
        and not too_fine(point.major, len(point.tdg.labels))
        and point.row["entropy"] >= _MIN_ENTROPY
    ]


def _ranges_of_epsilon(chainings: Sequence[Chaining], near: Neighbourhoods) -> list[Candidate]:
    ranges = strongest_per_count(chainings)[:MOST_CHAIN_RANGES]
    return [of_epsilon(chaining, row, near) for chaining, row in ranges if row.entropy >= _MIN_ENTROPY]


def _all_alike(labels: Sequence[np.ndarray]) -> np.ndarray:
    counts, k = [int(each.max()) + 1 for each in labels], len(labels)
    alike = np.eye(k)
    for i in range(k):
        for j in range(i):
            alike[i, j] = alike[j, i] = adjusted_rand(labels[i], labels[j], counts[i], counts[j])
    return alike


def _by_density(
    candidates: Sequence[Candidate], sampled: Sequence[np.ndarray], views: Views, indices: np.ndarray
) -> dict[str, list[float]]:
    return {
        "groups": [agreement(labels, views.groups) for labels in sampled],
        "peaks": [agreement(labels, views.peaks) for labels in sampled],
        "fine_peaks": [agreement(found.labels[indices].astype(np.int64), views.fine_peaks) for found in candidates],
    }


def _by_others(candidates: Sequence[Candidate], alike: np.ndarray) -> dict[str, np.ndarray]:
    """What comparison with the other candidates says."""
    tdg = np.array([found.algorithm == "TDG" for found in candidates], dtype=bool)
    strength = np.array([max(found.strength, 0.0) for found in candidates])
    holds = np.array([found.holds for found in candidates], dtype=bool)
    entropies = np.array([found.entropy for found in candidates])
    of_tnc = np.where(tdg, 0.0, strength)
    return {
        "strongest": of_tnc / max(of_tnc.max(initial=0.0), _TINY),
        "backing": alike @ of_tnc / max(of_tnc.sum(), _TINY),
        "tdg": tdg.astype(float),
        "first": tdg & (np.cumsum(tdg) == 1),
        "finest": holds & (entropies >= entropies[holds].max(initial=0.0) - _AS_FINE),
    }


_TINY = np.finfo(float).tiny


def _doubts(
    X: np.ndarray, counted: Counts, candidates: Sequence[Candidate], alike: np.ndarray, values: Mapping[str, Any]
) -> dict[str, np.ndarray]:
    """The columns of `DOUBTS` that are no features, from rows in the columns and what is known of the candidates."""
    views = np.array([values[name] for name in ("groups", "peaks", "fine_peaks")]).sum(axis=0)
    others = np.where(alike < SAME, views, 0.0).max(axis=1, initial=0.0)
    return {
        "alternative": others - views,
        "lost": _lost(X, counted, candidates),
        "width": [np.sqrt(log_width(found.low, found.high)) for found in candidates],
        "agreement": [found.order_agreement if found.algorithm == "TDG" else 1.0 for found in candidates],
        "rows": np.full(len(candidates), np.log(len(X))),
    }


def _lost(X: np.ndarray, counted: Counts, candidates: Sequence[Candidate]) -> np.ndarray:
    """How far each candidate is lost without the columns of few values: 0 where the measured columns know of it.

    The share of neighbours in the measured columns that are in different clusters, for what chance gives: 1 where
    yes/no cuts a cloud in two. 0 where there are no columns of few values, or no others: pixels, questionnaires.
    """
    found, kept = np.zeros(len(candidates)), measured(counted)
    if not kept.any() or not few_values(counted).any():
        return found
    near = neighbourhoods(without_ties(np.ascontiguousarray(X[:, kept])))
    a, b = near.indices[near.pairs].T
    for i, candidate in enumerate(candidates):
        labels = candidate.labels
        chance = ((np.bincount(labels) / len(labels)) ** 2).sum()
        apart = (labels[a] != labels[b]).mean() if len(a) else 0.0
        found[i] = np.clip(apart / max(1.0 - chance, _TINY), 0.0, 1.0)
    return found


def _like_a_column(X: np.ndarray, counted: Counts, candidates: Sequence[Candidate]) -> np.ndarray:
    """How far each candidate is the values of one column: the largest adjusted Rand index with one of few values."""
    most = np.zeros(len(candidates))
    for column, (values, _) in zip(X.T, counted):
        if 1 < len(values) <= min(_MOST_VALUES, len(X) // 10):
            codes = np.searchsorted(values, column)
            alike = [
                adjusted_rand(codes, np.asarray(c.labels, np.int64), len(values), int(c.labels.max()) + 1)
                for c in candidates
            ]
            most = np.maximum(most, alike)
    return most
