"""The answers that a verdict chooses from, ranges of θ and of ε, and what speaks for each: numbers without a unit.

Coordinates that repeat, counts, yes/no, ratings, say nothing about density: between two values there is always a gap,
and rows that are equal lie infinitely close. So density is judged on points that are spread over the gap around their
value (`without_ties`), where the values of one column are no clusters any more.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from theta_app.engine import adjusted_rand, silhouette_sample
from theta_app.selection.density import agreement, density_views, rise
from theta_app.selection.epsilon import Chaining, count_outlier_chains, strongest_per_count
from theta_app.selection.sizes import entropy, major_clusters
from theta_app.selection.theta import too_fine
from theta_app.selection.valleys import neighbourhoods

MOST_CHAIN_RANGES = 16  # numbers of chains whose strongest range is a candidate
_MIN_ENTROPY = 0.03  # nats: less is one cluster and a few outliers
_CUT = 0.03  # of the points at most lie where chains that hold meet without a valley
_AS_FINE = 0.05  # nats
_DEEPEST = 2.0  # depth of a valley that more would not make clearer
_FEW_VALUES = 12  # of a column: counts, months, ratings, yes/no
_MOST_VALUES = 30  # of a column whose values can be mistaken for clusters


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
        Whether its own range and valleys are more than chance gives.
    chaining : Chaining or None
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

    @cached_property
    def entropy(self):
        return float(entropy(np.bincount(self.labels)))


def of_theta(point, low, high, separate):
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
    )


def of_epsilon(chaining, row, valleys):
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
    )


def without_ties(X):
    """X with coordinates that repeat spread evenly over the gap around their value: the median gap of their column.

    X itself where nothing repeats. The same for the same X.
    """
    spread = X
    for j in range(X.shape[1]):
        values = np.unique(X[:, j])
        if 1 < len(values) < len(X):
            spread = X.copy() if spread is X else spread
            chance = np.random.default_rng(j).uniform(-0.5, 0.5, len(X))
            spread[:, j] += np.median(np.diff(values)) * chance
    return spread


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
- order_agreement : TDG: how far runs on other orders agree
- valley, flat : how sparse points are at its boundaries; the root of the share of points where they are not
- evenness : of its clusters' sizes
- tdg : 1 for TDG
- column : how far it is the values of one column
- first, finest : `fine_peaks` for the best range of θ, and for the finest of those that hold by themselves; else 0
- apart : 1 where no neighbours are in different clusters
"""

NOTHING_FEATURES = ("one", "rise", "columns")
"""What speaks for nothing to find: a constant, how little density rises, and the logarithm of the number of columns."""


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
    few_values : float
        Share of the variance that is in columns of few values, where others are measured: clusters are then drawn apart
        by what is no distance.
    """

    candidates: list
    alike: np.ndarray
    features: np.ndarray
    nothing: np.ndarray
    valleys: list
    few_values: float


def gather(sweep, chainings):
    """The `Evidence` of a complete `Sweep` and the `Chaining`s at its small θ."""
    X, metric = sweep.plan.X, sweep.plan.metric
    spread = without_ties(X)
    given = sweep.plan.references
    sample = given["sample"] if spread is X else silhouette_sample(spread, metric=metric)
    near = given["near"] if spread is X else neighbourhoods(spread, metric=metric)
    candidates = [*_ranges_of_theta(sweep), *_ranges_of_epsilon(chainings, near)]
    sampled = [np.ascontiguousarray(found.labels[sample.indices], dtype=np.int64) for found in candidates]
    alike = _all_alike(sampled)
    valleys = [near.valley(found.labels) for found in candidates]
    _n, features = X.shape
    columns = {
        **_by_density(candidates, sampled, density_views(sample, near, features), near.indices),
        **_by_others(candidates, alike),
        "order_agreement": [found.order_agreement if found.algorithm == "TDG" else 0.0 for found in candidates],
        "valley": [np.tanh(min(valley.depth, _DEEPEST) * features / 3.0) for valley in valleys],
        "flat": [np.sqrt(valley.flat) for valley in valleys],
        "evenness": [found.entropy / np.log(max(len(np.unique(found.labels)), 2)) for found in candidates],
        "column": _like_a_column(X, candidates),
        "apart": [float(valley.depth == np.inf) for valley in valleys],
    }
    for name in ("first", "finest"):
        columns[name] = columns[name] * np.clip(columns["fine_peaks"], 0.0, 1.0)
    table = np.array([columns[name] for name in FEATURES], dtype=float).T.reshape(len(candidates), len(FEATURES))
    height = rise(spread, metric=metric) * (0.75 if features == 1 else 1.0)  # a line has only two sides
    nothing = np.array([1.0, np.tanh(height / 3.0), np.log(features)])
    return Evidence(candidates, alike, table, nothing, valleys, share_of_few_values(X))


def _ranges_of_theta(sweep):
    found = [(sweep.rows[row.theta], row) for row in sweep.ranges.itertuples()]
    return [
        of_theta(point, row.theta_low, row.theta_high, row.separate)
        for point, row in found
        if point.major >= 2
        and not too_fine(point.major, len(point.tdg.labels))
        and point.row["entropy"] >= _MIN_ENTROPY
    ]


def _ranges_of_epsilon(chainings, near):
    ranges = strongest_per_count(chainings)[:MOST_CHAIN_RANGES]
    return [of_epsilon(chaining, row, near) for chaining, row in ranges if row.entropy >= _MIN_ENTROPY]


def _all_alike(labels):
    counts, k = [int(each.max()) + 1 for each in labels], len(labels)
    alike = np.eye(k)
    for i in range(k):
        for j in range(i):
            alike[i, j] = alike[j, i] = adjusted_rand(labels[i], labels[j], counts[i], counts[j])
    return alike


def _by_density(candidates, sampled, views, indices):
    return {
        "groups": [agreement(labels, views.groups) for labels in sampled],
        "peaks": [agreement(labels, views.peaks) for labels in sampled],
        "fine_peaks": [agreement(found.labels[indices].astype(np.int64), views.fine_peaks) for found in candidates],
    }


def _by_others(candidates, alike):
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


def share_of_few_values(X):
    """Share of the variance in columns of at most 12 values, months or fewer; 0 where all columns are such."""
    few = np.array([len(np.unique(column)) <= _FEW_VALUES for column in X.T])
    return 0.0 if few.all() else float(X[:, few].var(axis=0).sum() / max(X.var(axis=0).sum(), _TINY))


def _like_a_column(X, candidates):
    """How far each candidate is the values of one column: the largest adjusted Rand index with one of few values."""
    most = np.zeros(len(candidates))
    for j in range(X.shape[1]):
        values, codes = np.unique(X[:, j], return_inverse=True)
        if 1 < len(values) <= min(_MOST_VALUES, len(X) // 10):
            alike = [
                adjusted_rand(codes, np.asarray(c.labels, np.int64), len(values), int(c.labels.max()) + 1)
                for c in candidates
            ]
            most = np.maximum(most, alike)
    return most
