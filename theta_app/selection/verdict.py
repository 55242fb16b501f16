"""The verdict: TDG at this θ, TNC at this (θ, ε), or nothing to find; how sure that is, and the alternative.

Every range of θ and of ε is a candidate (`candidates`). One small model, a softmax over the candidates and over nothing
to find, turns what speaks for each into probabilities; its weights, and the data they were fitted on, are in
weights.json (``make quality FIT=1``). Candidates that say the same share their probability. The verdict is the one that
agrees best with all of them, weighted so; the alternative is the most probable that says something else.

How sure it is comes from that probability and from what makes it doubt (`candidates.DOUBTS`), by a second small model
that was fitted to answers out of fold. Of answers that say the same, one is taken whose result has no warning
(`warnings`); where all have one, the verdict says it and is not clear: verdict and warnings never contradict.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from theta_app.engine import Cancel, Metric, Progress, fair_sample, validation
from theta_app.metrics import ari
from theta_app.selection.candidates import (
    DOUBTS,
    FEATURES,
    NOTHING_FEATURES,
    SAME,
    Candidate,
    Evidence,
    gather,
    of_epsilon,
    of_theta,
)
from theta_app.selection.epsilon import Chaining, Suggestion, small_thetas
from theta_app.selection.plotting import figures
from theta_app.selection.runs import runs
from theta_app.selection.sampling import most_points
from theta_app.selection.sweeping import Sweep, computing, driven, sweep_plan
from theta_app.selection.theta import ThetaPoint
from theta_app.selection.valleys import Valley
from theta_app.selection.wording import short

if TYPE_CHECKING:
    import plotly.graph_objects as go


CANDIDATE_COLUMNS = (
    "algorithm",
    "theta",
    "epsilon",
    "n_clusters",
    "low",
    "high",
    "agreement",
    "valley",
    "times_chance",
    "stands_out",
    "probability",
    "verdict",
)

WORTH_SAYING = 0.05  # confidence below which an answer is none: it would be wrong 19 times of 20
CLEAR = 0.6  # probability from which an answer is called clear
_INSIDE = 0.97  # of the points: clusters are parts of others if so many lie in their cluster's main one
_SAID_FROM = 0.5  # log odds that a doubt takes away at least to be said
_SHOWN = 8  # candidates in the table, at least


@dataclass(frozen=True, eq=False)
class Verdict:
    """What to make of the data.

    Attributes
    ----------
    algorithm : "TDG", "TNC" or None
        None where nothing was found: the points are one cluster, or no clustering is better than on noise.
    theta : float
        The distance; where nothing was found, one to start looking with.
    epsilon : float or None
        For TNC.
    n_clusters : int
        Clusters, outliers not counted; 1 where nothing was found.
    outliers : int
        Groups of a few outliers at this θ (and ε).
    low, high : float
        The range in which this number holds: of θ for TDG, of ε for TNC.
    stands_out : bool
        Whether the answer is clear: its probability is at least 0.6. Never where there is a warning.
    confidence : float
        The probability that it is right, as answers with such evidence were on data that the model was not fitted on;
        where nothing was found, that there is nothing.
    reason : str
        A sentence or two.
    alternative : Verdict or None
        The most probable different answer, where there is one. Both probabilities and `nothing` are at most 1 together.
    nothing : float
        The probability that there is nothing to find.
    candidates : DataFrame
        Ranges of TDG and TNC that are worth a look: the verdict first, then by probability.
    space : "features" or "map"
        Where: in the columns, or in a neighbour map of them; θ and ε are in its units. See `selection.space`.
    warning : str
        What pages warn of at this θ (and ε), also in `reason`; empty where they do not.
    """

    algorithm: str | None
    theta: float
    epsilon: float | None
    n_clusters: int
    outliers: int
    low: float
    high: float
    stands_out: bool
    confidence: float
    reason: str
    alternative: Verdict | None
    nothing: float
    candidates: pd.DataFrame
    space: str = "features"
    warning: str = ""

    def plot(self, unit: str = "") -> go.Figure:
        """The candidates as a Plotly figure: the ranges of θ or ε in which each holds; ``unit`` is the unit of both."""
        return figures()["candidates_figure"](self.candidates, unit)


def verdict(
    X: np.ndarray,
    shuffles: int = 50,
    seed: int = 0,
    *,
    metric: str | Metric = "euclidean",
    p: float | None = None,
    radius: float | None = None,
    columns: np.ndarray | None = None,
    n_jobs: int | None = None,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
    executor: Executor | None = None,
) -> Verdict:
    """What to make of the data: TDG at this θ, TNC at this (θ, ε), or nothing to find.

    Parameters
    ----------
    X : array of shape (n, d)
        With more than 20,000 points (`most_points`) a fair sample is used.
    shuffles, seed, metric, p, radius, n_jobs, cancel
        As for `theta_app.engine.tdg`.
    columns : array of shape (n, c), optional
        The same rows in their columns, where X is another space: clusters that are only the values of a column are
        doubted there too.
    progress, executor : optional
        As for `theta_app.selection.sweep`.

    Returns
    -------
    Verdict
    """
    options: dict[str, Any] = {"n_jobs": n_jobs, "progress": progress, "cancel": cancel, "executor": executor}
    metric = Metric.of(metric, p, radius)
    return sweep_and_verdict(X, shuffles, seed, metric=metric, columns=columns, **options)[1]


def sweep_and_verdict(
    X: np.ndarray,
    shuffles: int = 50,
    seed: int = 0,
    *,
    metric: str | Metric = "euclidean",
    p: float | None = None,
    columns: np.ndarray | None = None,
    n_jobs: int | None = None,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
    executor: Executor | None = None,
) -> tuple[Sweep, Verdict]:
    """As `verdict`: (the complete `Sweep` that it follows from, the `Verdict`)."""
    X, metric = validation.points(X), Metric.of(metric, p)
    sampled = fair_sample(len(X), most_points(X.shape[1], metric.of_curves))
    chosen = np.ascontiguousarray(X[sampled])
    columns = None if columns is None else np.asarray(columns, dtype=float)[sampled]
    plan = sweep_plan(chosen, None, validation.count(shuffles, "shuffles"), seed, metric=metric)
    plan = replace(plan, small=tuple(small_thetas(plan.grid).tolist()))
    compute = computing(n_jobs, cancel, executor)
    state = driven(plan, compute, lambda state: state.complete, progress)

    def in_full(theta: float) -> ThetaPoint:
        point = state.points[theta]
        if point.row["shuffles"] == plan.shuffles:
            return point
        return next(compute(plan, [plan.full(theta)], {theta: point.runs}, progress=progress))

    return state, decided(state, small_chainings(state), in_full, columns)


def small_chainings(sweep: Sweep) -> list[Chaining]:
    """The `Chaining`s of a complete sweep at the small θ tried for shapes, largest θ first, each from a quick look."""
    return [Chaining.of(theta, point.tdg) for theta, point in sweep.small.items()]


def decided(
    sweep: Sweep,
    chainings: Sequence[Chaining],
    in_full: Callable[[float], ThetaPoint],
    columns: np.ndarray | None = None,
) -> Verdict:
    """The `Verdict` that follows from a complete `Sweep` and the `Chaining`s at its small θ.

    Both rest on few shuffles for the most part. The chosen answers are then taken from all of them: ``in_full(theta)``
    gives the `ThetaPoint` with them. Those that are not there any more are passed over. `columns` as for `verdict`.
    """
    evidence = gather(sweep, chainings, columns)
    weights = stored_weights()
    probable = weights.probabilities(evidence)
    full = _InFull(sweep, evidence, in_full, weights)
    nothing = float(probable[-1])
    chosen, mass = full.first(probable[:-1])
    sure = full.sure(chosen, mass)
    if chosen is None or nothing > weights.nothing_from or mass < nothing or sure < WORTH_SAYING:
        return _nothing(sweep, evidence, probable, weights, full)
    other, other_mass = full.first(probable[:-1], unlike=chosen)
    unsure = min(full.sure(other, other_mass), 1.0 - sure)
    nothing = min(nothing, 1.0 - sure - unsure)
    table = _table(evidence, probable, full[chosen], chosen)
    alternative = None if other is None else _answer(full[other], unsure, None, nothing, table, _in_words(full, other))
    reason = _reason(full, chosen, other, sure)
    return _answer(full[chosen], sure, alternative, nothing, table, reason)


def _answer(
    found: Candidate, confidence: float, alternative: Verdict | None, nothing: float, table: pd.DataFrame, reason: str
) -> Verdict:
    return Verdict(
        found.algorithm,
        found.theta,
        found.epsilon,
        found.n_clusters,
        found.outliers,
        found.low,
        found.high,
        bool(confidence >= CLEAR),
        float(confidence),
        reason,
        alternative,
        float(nothing),
        table,
        warning=found.warning,
    )


def _nothing(sweep: Sweep, evidence: Evidence, probable: np.ndarray, weights: Weights, full: _InFull) -> Verdict:
    """The verdict where there is nothing to find; the alternative is the most probable answer all the same."""
    begin, sure = sweep.best, float(max(probable[-1], weights.nothing_from))
    chosen, mass = full.first(probable[:-1])
    table = _table(evidence, probable, None, None)
    alternative = None
    if chosen is not None:
        unsure = min(full.sure(chosen, mass), 1.0 - sure)
        alternative = _answer(full[chosen], unsure, None, sure, table, _in_words(full, chosen))
    reason = (
        "Nothing to find: no θ gives clusters with sparse boundaries between them, and no chaining holds over a "
        "wider range than expected by chance. Another scaling or other columns may show more."
    )
    if alternative is not None and probable[-1] <= weights.nothing_from and mass >= probable[-1]:
        doubt = weights.main_doubt(evidence.doubts[chosen])
        reason = (
            f"Nothing to rely on: {full[chosen].n_clusters} clusters can be told apart, but such answers were almost "
            f"always wrong.{f' {_DOUBTS_IN_WORDS[doubt]}' if doubt else ''} Other columns or another scaling may show "
            "more."
        )
    ends = begin.theta_low, begin.theta_high
    return Verdict(None, begin.theta, None, 1, 0, *ends, False, sure, reason, alternative, sure, table)


def theta_of_tdg(sweep: Sweep, verdict: Verdict | None) -> float:
    """TDG's own best θ: the verdict's where that is TDG's, else the recommended one."""
    return verdict.theta if verdict is not None and verdict.algorithm == "TDG" else sweep.best.theta


def start_theta(
    sweep: Sweep, verdict: Verdict | None, algorithm: str | None, suggest: Callable[[], Suggestion]
) -> float | None:
    """The θ to begin at with an algorithm, or None while nothing is known; the verdict may be None as well.

    The verdict's θ for its own algorithm, and for another the best of its own; where nothing is to be found, the
    smallest θ with one cluster. ``suggest()`` gives the `Suggestion` for chains.
    """
    if verdict is not None and verdict.algorithm == algorithm:
        return verdict.theta
    if algorithm == "TNC" and sweep.complete:
        return suggest().theta
    if verdict is not None and verdict.algorithm is None and sweep.swept:
        return _one_cluster(sweep)
    return theta_of_tdg(sweep, verdict) if sweep.best else None


def _one_cluster(sweep: Sweep) -> float:
    """The smallest θ from which on there is one cluster, in every order; the largest θ where there always are more."""
    thetas = sorted(sweep.points)
    counts = [max(sweep.points[theta].major, sweep.points[theta].row["runs_high"]) for theta in thetas]
    last = runs(counts)[-1]
    return thetas[last.start] if last.value == 1 else thetas[-1]


def ranges_by(sweep: Sweep, verdict: Verdict) -> pd.DataFrame:
    """The ranges of a complete sweep, best first, as the verdict sees them: where that is TDG's, its range comes first.

    Only the verdict's is recommended, and only if it is clear.
    """
    ranges, at_first = sweep.ranges, verdict.algorithm == "TDG"
    its = (ranges["theta"] == verdict.theta) & at_first
    order = np.argsort(~its.to_numpy(dtype=bool), kind="stable")
    return ranges.assign(recommended=its & verdict.stands_out).iloc[order].reset_index(drop=True)


# --- which of them ---------------------------------------------------------------------------------------------------


def first(
    alike: np.ndarray, probable: np.ndarray, usable: Callable[[int], bool] = lambda at: True, unlike: int | None = None
) -> tuple[int | None, float]:
    """(position, mass): the candidate that all agree with best, and the probability of those that say the same.

    Those that are not ``usable(position)`` are passed over; with `unlike`, a position, those that say the same as that
    one are left out. (None, 0.0) where none is left.
    """
    among = np.ones(len(alike), dtype=bool) if unlike is None else alike[unlike] < SAME
    probable = np.where(among, probable, 0.0)
    backed = np.where(among, np.clip(alike, 0.0, 1.0) @ probable, -1.0)
    for at in np.argsort(-backed, kind="stable")[: among.sum()].tolist():
        if usable(at):
            return at, float(probable[alike[at] >= SAME].sum())
    return None, 0.0


class _InFull:
    """Candidates as all shuffles have them, looked up when they are asked for; None where they are gone."""

    def __init__(
        self, sweep: Sweep, evidence: Evidence, in_full: Callable[[float], ThetaPoint], weights: Weights
    ) -> None:
        self.sweep, self.evidence, self.in_full, self.weights = sweep, evidence, in_full, weights
        self._known: dict = {}

    def __getitem__(self, at: int) -> Candidate | None:
        if at not in self._known:
            self._known[at] = self._look_up(self.evidence.candidates[at])
        return self._known[at]

    def has(self, at: int) -> bool:
        return self[at] is not None

    def first(self, probable: np.ndarray, unlike: int | None = None) -> tuple[int | None, float]:
        """As `first`; where its result has a warning, one that says the same without, if there is any."""
        alike = self.evidence.alike
        at, mass = first(alike, probable, self.has, unlike)
        if at is None or not self[at].warning:
            return at, mass
        same = np.where((alike[at] >= SAME) & [not each.warning for each in self.evidence.candidates], probable, 0.0)
        calm = first(alike, same, lambda i: same[i] > 0.0 and self.has(i) and not self[i].warning)[0]
        return (at if calm is None else calm), mass

    def sure(self, at: int | None, mass: float) -> float:
        """The confidence in an answer of such a probability; 0 where there is none, and not clear with a warning.

        It falls as far as all shuffles do not give what few gave.
        """
        if at is None:
            return 0.0
        kept = max(ari(self[at].labels, self.evidence.candidates[at].labels), 0.0)
        sure = self.weights.confidence(mass * kept, self.evidence.doubts[at])
        return sure * CLEAR if self[at].warning else sure

    def valley(self, at: int) -> Valley:
        return self.sweep.plan.references["near"].valley(self[at].labels)

    def _look_up(self, found: Candidate) -> Candidate | None:
        point = self.in_full(found.theta)
        if found.algorithm == "TDG":
            full = of_theta(point, found.low, found.high, found.holds)
            return full if full.n_clusters >= 2 else None  # all shuffles together can merge what few keep apart
        chaining = Chaining.of(point.theta, point.tdg)
        row, how_far = chaining.range_like(found.labels)
        return of_epsilon(chaining, row, self.sweep.plan.references["near"]) if how_far >= SAME else None


# --- the model -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Weights:
    """A softmax over candidates and nothing to find, and how sure its answers turned out to be.

    Attributes
    ----------
    mean, sd, of_candidates : (len(FEATURES),) arrays
    of_nothing : (len(NOTHING_FEATURES),) array
    doubt_mean, doubt_sd, of_doubts : (1 + len(DOUBTS),) arrays
        Of the logistic curve from the log odds of an answer's probability, and its `DOUBTS`, to how often such answers
        were right out of fold: mean and sd of each, and its weight.
    offset : float
    nothing_from : float
        The probability of nothing from which that is the verdict.
    looks : int
        How many data sets it was fitted on: no probability counts as nearer to 0 or 1 than one of them.
    """

    mean: np.ndarray
    sd: np.ndarray
    of_candidates: np.ndarray
    of_nothing: np.ndarray
    doubt_mean: np.ndarray
    doubt_sd: np.ndarray
    of_doubts: np.ndarray
    offset: float
    nothing_from: float
    looks: int

    def probabilities(self, evidence: Evidence) -> np.ndarray:
        """Of each candidate and, last, of nothing; 1 together."""
        scores = (evidence.features - self.mean) / self.sd @ self.of_candidates
        scores = np.append(scores, evidence.nothing @ self.of_nothing)
        odds = np.exp(scores - scores.max())
        return odds / odds.sum()

    def confidence(self, mass: float, doubts: np.ndarray) -> float:
        """How often answers of such a probability, with such a row of `DOUBTS`, were right."""
        score = (doubt_row(mass, doubts, self.looks) - self.doubt_mean) / self.doubt_sd @ self.of_doubts + self.offset
        return float(1.0 / (1.0 + np.exp(-score)))

    def main_doubt(self, doubts: np.ndarray) -> str | None:
        """The name of what makes it doubt most, more than in most answers; None where nothing does."""
        parts = ((doubts - self.doubt_mean[1:]) / self.doubt_sd[1:] * self.of_doubts[1:]).tolist()
        return DOUBTS[int(np.argmin(parts))] if min(parts) < -_SAID_FROM else None


def doubt_row(mass: float, doubts: np.ndarray, looks: int) -> np.ndarray:
    """What the confidence is taken from: the log odds of a probability, and `DOUBTS`; `looks` as for `Weights`."""
    mass = np.clip(mass, 1.0 / looks, 1.0 - 1.0 / looks)
    return np.append(np.log(mass / (1.0 - mass)), doubts)


@lru_cache(maxsize=1)
def stored_weights() -> Weights:
    """The `Weights` of weights.json."""
    content = json.loads((Path(__file__).parent / "weights.json").read_text(encoding="utf-8"))
    parts: list[Any]
    parts = [_parts(content["candidates"], FEATURES), _parts(content["confidence"], ("probability", *DOUBTS))]
    of_nothing = np.array([content["nothing"][name] for name in NOTHING_FEATURES])
    looks = content["from"]["sets"]
    return Weights(*parts[0], of_nothing, *parts[1], content["offset"], content["nothing_from"], looks)  # type: ignore[call-arg]


def _parts(rows: Mapping[str, dict], names: Sequence[str]) -> Iterator[np.ndarray]:
    """Mean, sd and weight of each name."""
    return (np.array([rows[name][part] for name in names]) for part in ("mean", "sd", "weight"))


# --- in words and in a table -----------------------------------------------------------------------------------------


_DOUBTS_IN_WORDS = {
    "lost": "These clusters are mostly made by columns of few values, not by what was measured.",
    "alternative": "The density of the points speaks for a different answer.",
    "backing": "Chains of small clusters hardly support it.",
    "width": "It holds over a narrow range only.",
    "agreement": "Reordering the rows changes the result.",
    "evenness": "The clusters are very uneven in size.",
    "rows": "There are few rows to judge it by.",
}


def _reason(full: _InFull, chosen: int, other: int | None, confidence: float) -> str:
    said = _in_words(full, chosen)
    if confidence < CLEAR:
        said = f"Nothing is clear here. The best guess: {said[0].lower()}{said[1:]}"
        doubt = full.weights.main_doubt(full.evidence.doubts[chosen])
        said = f"{said} {_DOUBTS_IN_WORDS[doubt]}" if doubt else said
    if full[chosen].warning:
        said = f"{said} But: {full[chosen].warning}"
    if other is None or not full[other].holds:
        return said
    fine, coarse = sorted((full[chosen], full[other]), key=lambda found: -found.n_clusters)
    if _are_parts(fine.labels, coarse.labels):
        first, second = full[chosen].n_clusters, full[other].n_clusters
        where = f"They lie inside {second} larger groups" if first > second else f"They fall into {second} smaller ones"
        return f"{said} {where}: there may be two levels."
    return said


def _are_parts(fine: np.ndarray, coarse: np.ndarray) -> bool:
    """Whether the clusters of one labelling are parts of those of another."""
    table = np.zeros((fine.max() + 1, coarse.max() + 1))
    np.add.at(table, (fine, coarse), 1)
    return bool(table.max(axis=1).sum() >= _INSIDE * len(fine))


def _in_words(full: _InFull, at: int) -> str:
    found = full[at]
    return _clusters_in_words(found, full.valley(at)) if found.algorithm == "TDG" else _chains_in_words(found)


def _clusters_in_words(found: Candidate, valley: Valley) -> str:
    where = f"for every θ from {short(found.low)} to {short(found.high)}"
    holds = f"{found.n_clusters} clusters {where if found.low < found.high else f'at θ = {short(found.theta)}'}."
    if valley.depth == np.inf:
        between = "no point has a near neighbour in another cluster"
    elif valley.depth > 0.05:  # less is written as 1.0 times
        between = f"points at their boundaries are {np.exp(valley.depth):.1f} times as far apart as inside"
    else:
        between = "their boundaries are no sparser than their insides"
    if found.order_agreement >= 0.995:
        return f"{holds} Here {between}, and reordering the rows gives the same result."
    return f"{holds} Here {between}; order agreement is {found.order_agreement:.2f}."


def _against_chance(times: float) -> str:
    """How strong a range of ε is, in words that are true below 1 too."""
    if times >= 1.05:
        return f"{times:.1f} × stronger than expected by chance"
    return "as strong as expected by chance" if times > 0.95 else "weaker than expected by chance"


def _chains_in_words(found: Candidate) -> str:
    return (
        f"{found.n_clusters} chains of small clusters for every ε from {short(found.low)} to {short(found.high)} at "
        f"θ = {short(found.theta)}, {_against_chance(found.times_chance)}."
    )


def _table(evidence: Evidence, probable: np.ndarray, found: Candidate | None, at: int | None) -> pd.DataFrame:
    """The `candidates` of a verdict, which is `found`, the candidate at position `at` with all shuffles."""
    order = np.argsort(-probable[:-1], kind="stable")[:_SHOWN].tolist()
    order = order if at is None else [at, *(i for i in order if i != at)]
    rows = []
    for i in order:
        shown = found if i == at else evidence.candidates[i]
        rows.append(
            {
                "algorithm": shown.algorithm,
                "theta": shown.theta,
                "epsilon": float("nan") if shown.epsilon is None else shown.epsilon,
                "n_clusters": shown.n_clusters,
                "low": shown.low,
                "high": shown.high,
                "agreement": shown.order_agreement if shown.algorithm == "TDG" else float("nan"),
                "valley": evidence.valleys[i].depth,
                "times_chance": shown.times_chance,
                "stands_out": shown.holds,
                "probability": float(probable[i]),
                "verdict": i == at,
            }
        )
    return pd.DataFrame(rows, columns=list(CANDIDATE_COLUMNS))
