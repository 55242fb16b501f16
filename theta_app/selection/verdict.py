"""The verdict: TDG at this θ, TNC at this (θ, ε), or nothing to find.

Two kinds of evidence are weighed. TDG's clusters count where there are valleys between them (`valleys`): few points,
and those far apart, at every boundary. TNC's chains count where their number holds over a wider range of ε than chance
gives. Where both speak and TDG's clusters are parts of the chains, there are two levels and the finer is the verdict;
where they cut through chains, the chains are.

Then the others are heard: all ranges of θ and ε worth the name, and trees of density (`density`). Where they back
another range far more than the one that its own evidence speaks for, that is the verdict.
"""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from theta_app.engine import adjusted_rand, fair_sample, validation
from theta_app.metrics import ari
from theta_app.selection.density import LEAST, density_views, rise
from theta_app.selection.epsilon import Chaining, small_thetas, stray_chains, strongest_per_count
from theta_app.selection.sampling import MOST_POINTS
from theta_app.selection.sizes import standing_clusters, typical_size
from theta_app.selection.sweeping import computing, driven, sweep_plan
from theta_app.selection.theta import AGREEING, too_fine
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
_STILL_THERE = 0.7  # the same, of chains from few shuffles and from all
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
    compute = computing(n_jobs, cancel, executor)
    state = driven(plan, compute, lambda state: state.complete, progress)

    def in_full(theta):
        point = state.points[theta]
        if point.row["shuffles"] == plan.shuffles:
            return point
        return next(compute(plan, [plan.full(theta)], {theta: point.runs}, progress=progress))

    return decided(state, small_chainings(state), in_full)


def decided(sweep, chainings, in_full):
    """The `Verdict` that follows from a complete `Sweep` and the `Chaining`s at its small θ.

    Both rest on few shuffles for the most part. What is decided for is then taken from all of them: ``in_full(theta)``
    gives the `ThetaPoint` with them. Chains that are not there any more are decided against.
    """
    known = set()  # θ of chains from all shuffles
    while True:
        decision = _decide(sweep, chainings)
        chosen = decision.chosen
        if chosen is None or (chosen.algorithm == "TNC" and chosen.theta in known):
            return _verdict(sweep, chainings, decision)
        point = in_full(chosen.theta)
        if chosen.algorithm == "TDG":
            full = _cluster_answer(point, point.standing, chosen.low, chosen.high, chosen.stands)
            merged = point.standing < 2  # all shuffles together can merge what few keep apart
            found = {"chosen": None, "case": _Case(None, False)} if merged else {"chosen": full}
            return _verdict(sweep, chainings, replace(decision, **found))
        of_all = Chaining.of(point.theta, point.tdg)
        chainings = [of_all if chaining.theta == of_all.theta else chaining for chaining in chainings]
        known.add(of_all.theta)
        like, how_far = of_all.range_like(chosen.labels)
        if how_far >= _STILL_THERE:
            full = replace(_chain_answer(sweep, of_all, like), stands=chosen.stands)
            return _verdict(sweep, chainings, replace(decision, chosen=full))


def small_chainings(sweep):
    """The `Chaining`s of a complete sweep at the small θ tried for shapes, largest θ first, each from a quick look."""
    return [Chaining.of(theta, point.tdg) for theta, point in sweep.small.items()]


@dataclass(frozen=True, eq=False)
class _Decision:
    """The chosen answer, or None; how it came about, how far the others back it; and the two that were weighed."""

    chosen: "_Answer | None"
    case: "_Case"
    backing: float
    clusters: "_Answer"
    chains: "_Answer | None"


def _decide(sweep, chainings):
    clusters, chains = _clusters(sweep), _chains(sweep, chainings)
    case = _case(sweep.plan.X.shape[1], clusters, chains)
    chosen = {"clusters": clusters, "chains": chains, None: None}[case.answer]
    better, backing = _better_backed(sweep, chainings, chosen, case.stands_out)
    if better is not None:
        kind = "clusters" if better.algorithm == "TDG" else "chains"
        chosen, case = better, _Case(kind, better.stands, heard=True)
    return _Decision(chosen, case, backing, clusters, chains)


def _verdict(sweep, chainings, decision):
    chosen, case = decision.chosen, decision.case
    table = _candidates(sweep, chainings, chosen)
    reason = _reason(case, chosen, decision.clusters, decision.chains)
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
        _confidence(case, decision.backing),
        reason,
        table,
    )


def theta_of_tdg(sweep, verdict):
    """TDG's own best θ: the verdict's where that is TDG's, else the recommended one."""
    return verdict.theta if verdict is not None and verdict.algorithm == "TDG" else sweep.best.theta


def ranges_by(sweep, verdict):
    """The ranges of a complete sweep, best first, as the verdict sees them: where that is TDG's, its range comes first.

    Only the verdict's is recommended, and only if it stands out.
    """
    ranges, at_first = sweep.ranges, verdict.algorithm == "TDG"
    its = (ranges["theta"] == verdict.theta) & at_first
    order = np.argsort(~its.to_numpy(dtype=bool), kind="stable")
    return ranges.assign(recommended=its & verdict.stands_out).iloc[order].reset_index(drop=True)


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
    ends = best.theta_low, best.theta_high
    return _cluster_answer(sweep.rows[best.theta], best.n_clusters, *ends, best.stands_out)


def _cluster_answer(point, n_clusters, low, high, stands):
    row = point.row
    return _Answer(
        "TDG",
        point.theta,
        None,
        n_clusters,
        row["stragglers"],
        low,
        high,
        standing_clusters(point.tdg)[0][point.tdg.labels],
        stands,
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
    labels = chaining.labels(row.epsilon)
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
    heard: bool = False  # the others back it far more than what its own evidence speaks for


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


# What the best clusters of noise reach. A line is always two halves, a square four quarters and often a cube eight
# eighths, whatever the order; but they are no farther apart than that.
_NOISE_AGREEMENT = {1: (0.95, 0.85), 2: (0.88, 0.65), 3: (0.7, 0.7)}  # for few clusters and for many
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


# --- what the others say ---------------------------------------------------------------------------------------------

_FAR_MORE = 0.15  # of full backing: of so many ranges, some are backed a little more by chance
# Standard errors that noise does not reach: there are groups, though no answer has evidence of its own. A line has only
# two sides, and chance parts it more.
_RISE, _RISE_ON_A_LINE = 3.0, 4.2
_HEARD = 12  # numbers of chains whose strongest range is heard


@dataclass(frozen=True, eq=False)
class _Rivals:
    """Ranges of θ or of ε, each with its grouping of the sampled points and how much its word counts, 1 together."""

    ranges: list
    groupings: list[np.ndarray]
    weights: np.ndarray

    @classmethod
    def of(cls, ranges, groupings, weights):
        weights = np.array(weights, dtype=float).clip(0.0)
        return cls(ranges, groupings, weights / max(weights.sum(), np.finfo(float).tiny))


def _backings(views, clusters, chains, groupings):
    """How far the others back each of some groupings of the sampled points, at most 1.

    Trees of density count for half, ranges of TDG and of TNC for a quarter each: mean adjusted Rand index.
    """
    weights = 0.25 * np.concatenate([clusters.weights, chains.weights])
    said = _all_alike(groupings, [*clusters.groupings, *chains.groupings]) @ weights
    return 0.5 * np.array([views.agreement(grouping) for grouping in groupings]) + said


def _all_alike(ones, others):
    """Adjusted Rand index of each of some groupings with each of others; where both are the same pair it is known."""
    known = {}

    def alike(one, other):
        pair = frozenset((id(one), id(other)))
        if pair not in known:
            known[pair] = adjusted_rand(one, other, int(one.max()) + 1, int(other.max()) + 1)
        return known[pair]

    return np.array([[alike(one, other) for other in others] for one in ones]).reshape(len(ones), len(others))


def _better_backed(sweep, chainings, chosen, stands_out):
    """(answer, backing): what the others back far more than the chosen answer, or None; and how far they back it.

    Without another answer the backing is that of the chosen one. Where none is chosen there is another only if density
    rises higher than in noise.
    """
    plan, sample = sweep.plan, sweep.plan.references["sample"]
    if chosen is None and rise(plan.X, metric=plan.metric) < (_RISE if plan.X.shape[1] > 1 else _RISE_ON_A_LINE):
        return None, 0.0
    indices = sample.indices
    clusters, chains = _cluster_rivals(sweep, indices), _chain_rivals(chainings, indices)
    groupings = [*clusters.groupings, *chains.groupings]
    groupings += [] if chosen is None else [_sampled(chosen.labels, indices)]
    backings = _backings(density_views(sample), clusters, chains, groupings)
    own, backings = (0.0, backings) if chosen is None else (float(backings[-1]), backings[:-1])
    if max(backings, default=0.0) < own + _FAR_MORE or _too_small_to_see(chosen):
        return None, own
    best = int(np.argmax(backings))
    if best >= len(clusters.ranges):
        better = _chain_answer(sweep, *chains.ranges[best - len(clusters.ranges)])
    else:
        point, found = clusters.ranges[best]
        better = _cluster_answer(point, point.standing, found.theta_low, found.theta_high, bool(found.separate))
    if chosen is not None and _is_kept(chosen, stands_out, better):
        return None, own
    return better, float(backings[best])


def _is_kept(chosen, stands_out, better):
    """Whether an answer is kept, however the others back another one.

    Where no neighbours are in different clusters, for one that cuts through clouds; trees of density break long thin
    shapes. And if it stands out, for a coarser one: of two levels the finer is the verdict.
    """
    cuts = chosen.valley == np.inf and better.valley < _VALLEY
    return cuts or (stands_out and better.n_clusters < chosen.n_clusters)


def _too_small_to_see(answer):
    """Whether clusters are typically smaller than what trees of density take for one, so that these cannot judge."""
    return answer is not None and typical_size(np.bincount(answer.labels)) < max(LEAST) * len(answer.labels)


def _cluster_rivals(sweep, indices):
    ranges = [(sweep.rows[row.theta], row) for row in sweep.ranges.itertuples()]
    ranges = [(point, row) for point, row in ranges if _worth_hearing(point)]
    groupings = [_sampled(standing_clusters(point.tdg)[0], point.tdg.labels[indices]) for point, _ in ranges]
    return _Rivals.of(ranges, groupings, [point.row["evidence"] for point, _ in ranges])


def _worth_hearing(point):
    """Whether these are clusters at all, neither single points nor one of them and crumbs."""
    fine = too_fine(point.standing, len(point.tdg.labels))
    return point.standing >= 2 and not fine and point.row["entropy"] >= _SAYING


def _chain_rivals(chainings, indices):
    found = [(chaining, row) for chaining, row in strongest_per_count(chainings)[:_HEARD] if row.entropy >= _SAYING]
    groupings = [_sampled(chaining.standing(row.epsilon)[0], chaining.tdg.labels[indices]) for chaining, row in found]
    return _Rivals.of(found, groupings, [row.strength for _, row in found])


def _sampled(labels, at):
    return np.ascontiguousarray(labels[at], dtype=np.int64)


# A logistic curve: how often the adjusted Rand index was 0.8 or more, of 602 answers with several seeds on sets with
# known classes: those of `make quality`, which shows how it fares, and random ones, many of them overlapping.
_STANDING_OUT, _BACKING, _OFFSET = 2.1, 4.0, -3.3
_NOTHING = 0.4  # of those where nothing was found really were noise


def _confidence(case, backing):
    """How often a verdict with such evidence, which the others back so far, is right."""
    if case.answer is None:
        return _NOTHING
    return float(1.0 / (1.0 + np.exp(-(_STANDING_OUT * case.stands_out + _BACKING * backing + _OFFSET))))


# --- in words and in a table -----------------------------------------------------------------------------------------


def _reason(case, chosen, clusters, chains):
    if case.answer is None:
        return (
            "Nothing to find: no θ gives clusters with sparse boundaries between them, and no chaining holds over a "
            "wider range than chance gives. Another scaling or other columns may show more."
        )
    said = _clusters_in_words(chosen) if case.answer == "clusters" else _chains_in_words(chosen)
    if case.heard:
        said = f"{said} How dense the points are, and the other ranges of θ and ε, speak for this more than for others."
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
    where = f"for every θ from {short(found.low)} to {short(found.high)}"
    holds = f"{found.n_clusters} clusters {where if found.low < found.high else f'at θ = {short(found.theta)}'}."
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
    shown = [row for i, row in enumerate(sweep.ranges.itertuples()) if i < _SHOWN or _is_theta(row, chosen)]
    rows = [_range_of_theta(row) for row in shown]
    found = strongest_per_count(chainings)
    rows += [_range_of_epsilon(*pair) for i, pair in enumerate(found) if i < _SHOWN or _is_epsilon(*pair, chosen)]
    table = pd.DataFrame(rows, columns=list(CANDIDATE_COLUMNS))
    if chosen is not None:
        is_it = (table["algorithm"] == chosen.algorithm) & (table["theta"] == chosen.theta)
        if chosen.algorithm == "TNC":
            is_it &= table["epsilon"] == chosen.epsilon
        table.loc[is_it, ["n_clusters", "verdict"]] = chosen.n_clusters, True
    order = table.sort_values(["verdict", "stands_out"], ascending=False, kind="stable")
    return order.reset_index(drop=True)


def _is_theta(row, chosen):
    return chosen is not None and chosen.algorithm == "TDG" and row.theta == chosen.theta


def _is_epsilon(chaining, row, chosen):
    return chosen is not None and (chaining.theta, row.epsilon) == (chosen.theta, chosen.epsilon)


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
