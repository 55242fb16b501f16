"""The verdict: TDG at this θ, TNC at this (θ, ε), or nothing to find.

Two kinds of evidence are weighed. TDG's clusters count where there are valleys between them (`valleys`): few points,
and those far apart, at every boundary. TNC's chains count where their number holds over a wider range of ε than chance
gives. Where both speak and TDG's clusters are parts of the chains, there are two levels and the finer is the verdict;
where they cut through chains, the chains are.
"""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from theta_app.engine import fair_sample, validation
from theta_app.metrics import ari
from theta_app.selection.epsilon import (
    Chaining,
    settled,
    small_thetas,
    stray_chains,
    strongest_per_count,
    until_too_fine,
)
from theta_app.selection.places import Elsewhere, Threads
from theta_app.selection.sampling import MOST_POINTS
from theta_app.selection.sizes import standing_clusters
from theta_app.selection.sweeping import advance, computed, so_far, sweep_plan
from theta_app.selection.theta import AGREEING, BRIEF
from theta_app.selection.valleys import FLAT
from theta_app.selection.wording import short

CANDIDATE_COLUMNS = (
    "algorithm",
    "theta",
    "epsilon",
    "n_clusters",
    "low",
    "high",
    "agreement",
    "silhouette",
    "valley",
    "relative_width",
    "times_chance",
    "stands_out",
    "verdict",
)

_SAME = 0.9  # adjusted Rand index of two answers that say the same
_INSIDE = 0.97  # of the points: TDG's clusters are parts of the chains if so many lie in their cluster's main chain
_AS_FINE = 0.05  # nats
_CLEARLY = 0.3  # depth of a valley that nobody doubts
_CUT = 0.03  # of the points at most lie where chains meet without a valley
_VALLEY = 0.15  # depth that noise does not reach between its strongest chains
_LOOKED_AT = 6  # numbers of chains whose strongest range is weighed
_SHOWN = 4  # ranges of each algorithm that deserve a look


@dataclass(frozen=True, eq=False)
class Verdict:
    """What to make of the data.

    Attributes
    ----------
    algorithm : "TDG", "TNC" or None
        None where nothing was found: the points are one cluster, or no clustering is better than on noise.
    theta : float
        The distance; where nothing was found one to begin looking with.
    epsilon : float or None
        For TNC.
    n_clusters : int
        Clusters that stand; 1 where nothing was found.
    strays : int
        Clusters at this θ (and ε) that are a few stray points; not counted in `n_clusters`.
    low, high : float
        The range in which this number holds: of θ for TDG, of ε for TNC.
    stands_out : bool
        Whether the evidence is more than chance. False with an algorithm is a guess.
    confidence : float
        0 to 1: how often a verdict with such evidence was right on data with known classes.
    reason : str
        A sentence or two.
    candidates : DataFrame
        Ranges of TDG and TNC that deserve a look, the verdict first.
    """

    algorithm: str | None
    theta: float
    epsilon: float | None
    n_clusters: int
    strays: int
    low: float
    high: float
    stands_out: bool
    confidence: float
    reason: str
    candidates: pd.DataFrame


def verdict(
    X, shuffles=50, seed=0, *, metric="euclidean", p=None, n_jobs=None, progress=None, cancel=None, executor=None
):
    """What to make of the data: TDG at this θ, TNC at this (θ, ε), or nothing to find.

    Parameters
    ----------
    X : array of shape (n, d)
        Of more than 20,000 points a fair sample is looked at.
    shuffles, seed, metric, p, n_jobs, cancel
        As for `theta_app.engine.tdg`.
    progress, executor : optional
        As for `theta_app.selection.sweep`.

    Returns
    -------
    Verdict
    """
    X = validation.points(X)
    chosen = np.ascontiguousarray(X[fair_sample(len(X), MOST_POINTS)])
    plan = sweep_plan(chosen, None, validation.count(shuffles, "shuffles"), seed, metric=metric, p=p)
    plan = replace(plan, small=tuple(small_thetas(plan.grid).tolist()))
    place = Threads(n_jobs) if executor is None else Elsewhere(executor)
    state = so_far(plan)
    while not state.complete:
        for _ in advance(state, place, progress=progress, cancel=cancel):
            pass
        state = so_far(plan)

    def in_full(theta):
        return Chaining.of(theta, next(computed(plan, [theta], place, progress=progress, cancel=cancel)).tdg)

    return settled(lambda chainings: verdict_from(state, chainings), small_chainings(state), plan.shuffles, in_full)


def small_chainings(sweep):
    """The `Chaining`s of a complete sweep at the small θ tried for shapes, largest θ first, each from a brief look."""
    plan = sweep.plan
    return until_too_fine(Chaining.of(theta, plan.at(theta, BRIEF).tdg) for theta in small_thetas(plan.grid))


def verdict_from(sweep, chainings):
    """The `Verdict` that follows from a complete `Sweep` and the `Chaining`s at its small θ."""
    clusters, chains = _clusters(sweep), _chains(sweep, chainings)
    case = _case(sweep.plan.X.shape[1], clusters, chains)
    chosen = {"clusters": clusters, "chains": chains, None: None}[case.answer]
    table = _candidates(sweep, chainings, chosen)
    reason = _reason(case, clusters, chains)
    if chosen is None:
        begin = sweep.best
        return Verdict(None, begin.theta, None, 1, 0, begin.theta_low, begin.theta_high, False, _NOTHING, reason, table)
    return Verdict(
        chosen.algorithm,
        chosen.theta,
        chosen.epsilon,
        chosen.n_clusters,
        chosen.strays,
        chosen.low,
        chosen.high,
        case.stands_out,
        _confidence(case, chains),
        reason,
        table,
    )


# --- the two answers -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Answer:
    """What one algorithm says, and what speaks for it."""

    algorithm: str
    theta: float
    epsilon: float | None
    n_clusters: int
    strays: int
    low: float
    high: float
    labels: np.ndarray  # strays in the cluster they are nearest to
    stands: bool
    agreement: float
    silhouette: float
    entropy: float
    valley: float
    flat: float
    times_chance: float


def _clusters(sweep):
    """TDG's answer: the recommended θ."""
    best = sweep.best
    point = sweep.points[best.theta]
    row = point.row
    return _Answer(
        "TDG",
        best.theta,
        None,
        best.n_clusters,
        row["stragglers"],
        best.theta_low,
        best.theta_high,
        standing_clusters(point.tdg)[0][point.tdg.labels],
        best.stands_out,
        row["agreement"],
        row["silhouette"],
        row["entropy"],
        row["valley"],
        row["flat"],
        float("nan"),
    )


def _chains(sweep, chainings):
    """TNC's answer: the suggested (θ, ε), or where that is no more than chance gives, the one with the best valleys.

    None where there is no range at all.
    """
    ranges = strongest_per_count(chainings)[:_LOOKED_AT]
    if not ranges:
        return None
    strongest = _chain_answer(sweep, *ranges[0])
    if strongest.stands:
        return strongest
    answers = [strongest, *(_chain_answer(sweep, *found) for found in ranges[1:])]
    deep = [i for i, found in enumerate(answers) if found.valley >= _VALLEY and found.flat <= _CUT]
    best = max(deep, key=lambda i: min(answers[i].valley, 1.0) * ranges[i][1].strength, default=0)
    return answers[best]


def _chain_answer(sweep, chaining, row):
    owner, _ = chaining.standing(row.epsilon)
    labels = owner[chaining.tdg.labels]
    references = sweep.plan.references
    valley = references["near"].valley(labels)
    return _Answer(
        "TNC",
        chaining.theta,
        row.epsilon,
        row.n_chains,
        stray_chains(chaining.sizes(row.epsilon)),
        row.epsilon_low,
        row.epsilon_high,
        labels,
        bool(row.strength >= row.needed and valley.flat <= _CUT),
        chaining.tdg.agreement,
        references["sample"].score(labels),
        row.entropy,
        valley.depth,
        valley.flat,
        row.strength / row.needed,
    )


# --- which of them ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Case:
    """Which answer is the verdict ("clusters", "chains" or None), and how the other relates to it."""

    answer: str | None
    stands_out: bool
    both: bool = False  # the other stands out too


def _case(features, clusters, chains):
    stands = clusters.stands, chains is not None and chains.stands
    if all(stands):
        return _Case("clusters" if _are_parts(clusters, chains) else "chains", True, True)
    if any(stands):
        return _Case("clusters" if stands[0] else "chains", True)
    if not _more_than_noise(features, clusters, chains):
        return _Case(None, False)
    return _Case("clusters" if _fit_better(clusters, chains) else "chains", False)


_ROUNDER = 0.1  # in silhouette: chains need not be round, so they may have a little less
_MOSTLY_CUT = 0.2  # of the points at boundaries without a valley: these clusters are pieces of something


def _fit_better(clusters, chains):
    """Of two guesses, whether TDG's clusters are the better."""
    if chains is None:
        return True
    if clusters.flat > _MOSTLY_CUT and chains.valley >= FLAT:
        return False
    return clusters.silhouette > chains.silhouette + _ROUNDER


def _are_parts(fine, coarse):
    """Whether the clusters of one answer are those of another, or parts of them with valleys about as deep."""
    if ari(fine.labels, coarse.labels) >= _SAME:
        return True
    if fine.entropy < coarse.entropy - _AS_FINE or fine.valley < min(coarse.valley, _CLEARLY):
        return False
    table = np.zeros((fine.labels.max() + 1, coarse.labels.max() + 1))
    np.add.at(table, (fine.labels, coarse.labels), 1)
    return bool(table.max(axis=1).sum() >= _INSIDE * len(fine.labels))


# What the best clusters of noise reach. A square is always four quarters and a line two halves, whatever the order; but
# they are no farther apart than that.
_NOISE_AGREEMENT = {1: (0.95, 0.85), 2: (0.88, 0.65)}  # for few clusters and for many
_NOISE_AGREEMENT_BEYOND = (0.6, 0.6)
_NOISE_SILHOUETTE = {1: 0.7, 2: 0.5}
_NOISE_SILHOUETTE_BEYOND = 0.4
_FEW = 6
_SAYING = 0.35  # nats: less is one cluster and crumbs


def _more_than_noise(features, clusters, chains):
    """Whether a guess is better than none."""
    if clusters.entropy >= _SAYING and not np.isnan(clusters.valley):
        agreement = _NOISE_AGREEMENT.get(features, _NOISE_AGREEMENT_BEYOND)[clusters.n_clusters > _FEW]
        silhouette = _NOISE_SILHOUETTE.get(features, _NOISE_SILHOUETTE_BEYOND)
        if clusters.agreement > agreement or (clusters.silhouette > silhouette and clusters.agreement > AGREEING):
            return True
    return features > 1 and chains is not None and chains.valley >= _VALLEY and chains.flat <= _CUT


# A logistic curve: how often the adjusted Rand index was 0.8 or more. The slopes are from 171 answers on sets with
# known classes, many of them random and overlapping; the offset is from the sets of `make quality`, which shows how
# it fares.
_STANDING_OUT, _TIMES_CHANCE, _OFFSET = 1.2, 0.55, -0.25
_NOTHING = 0.4  # of those where nothing was found really were noise


def _confidence(case, chains):
    """How often a verdict with such evidence is right."""
    if case.answer is None:
        return _NOTHING
    wide = 0.0 if chains is None else float(np.clip(np.log(max(chains.times_chance, 1e-9)), -2.0, 2.5))
    return float(1.0 / (1.0 + np.exp(-(_STANDING_OUT * case.stands_out + _TIMES_CHANCE * wide + _OFFSET))))


# --- in words and in a table -----------------------------------------------------------------------------------------


def _reason(case, clusters, chains):
    if case.answer is None:
        return (
            "Nothing to find: no θ gives clusters with sparse boundaries between them, and no chaining holds over a "
            "wider range than chance gives. Another scaling or other columns may show more."
        )
    said = _clusters_in_words(clusters) if case.answer == "clusters" else _chains_in_words(chains)
    if not case.stands_out:
        return f"Nothing stands out clearly. The best guess: {said[0].lower()}{said[1:]}"
    if not case.both:
        return said
    if case.answer == "chains":
        return f"{said} TDG's round clusters would cut through these shapes."
    if chains.n_clusters < clusters.n_clusters:
        return f"{said} They lie inside {chains.n_clusters} larger groups that hold too: two levels, both real."
    return f"{said} Chaining small clusters finds the same."


def _clusters_in_words(found):
    holds = f"{found.n_clusters} clusters for every θ from {short(found.low)} to {short(found.high)}."
    if found.valley == np.inf:
        between = "no point has a near neighbour in another cluster"
    elif found.valley > 0:
        between = f"points at their boundaries are {np.exp(found.valley):.1f} times as far apart as inside"
    else:
        between = "their boundaries are no sparser than their insides"
    return f"{holds} Here {between}, and runs on other orders agree to {found.agreement:.0%}."


def _chains_in_words(found):
    return (
        f"{found.n_clusters} chains of small clusters for every ε from {short(found.low)} to {short(found.high)} at "
        f"θ = {short(found.theta)}, a range {found.times_chance:.1f} times as strong as chance gives."
    )


def _candidates(sweep, chainings, chosen):
    rows = [_range_of_theta(row) for row in sweep.ranges.head(_SHOWN).itertuples()]
    rows += [_range_of_epsilon(*found) for found in strongest_per_count(chainings)[:_SHOWN]]
    table = pd.DataFrame(rows, columns=list(CANDIDATE_COLUMNS))
    if chosen is not None:
        is_it = (table["algorithm"] == chosen.algorithm) & (table["n_clusters"] == chosen.n_clusters)
        table.loc[is_it.idxmax() if is_it.any() else [], "verdict"] = True
    order = table.sort_values(["verdict", "stands_out"], ascending=False, kind="stable")
    return order.reset_index(drop=True)


def _range_of_theta(row):
    return {
        "algorithm": "TDG",
        "theta": row.theta,
        "epsilon": float("nan"),
        "n_clusters": row.n_clusters,
        "low": row.theta_low,
        "high": row.theta_high,
        "agreement": row.agreement,
        "silhouette": row.silhouette,
        "valley": row.valley,
        "relative_width": row.relative_width,
        "times_chance": float("nan"),
        "stands_out": bool(row.separate),
        "verdict": False,
    }


def _range_of_epsilon(chaining, row):
    return {
        "algorithm": "TNC",
        "theta": chaining.theta,
        "epsilon": row.epsilon,
        "n_clusters": row.n_chains,
        "low": row.epsilon_low,
        "high": row.epsilon_high,
        "agreement": float("nan"),
        "silhouette": float("nan"),
        "valley": float("nan"),
        "relative_width": row.relative_width,
        "times_chance": row.strength / row.needed,
        "stands_out": bool(row.strength >= row.needed),
        "verdict": False,
    }
