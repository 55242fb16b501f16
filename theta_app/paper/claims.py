"""The paper's claims, and whether they hold in what was measured.

Each claim is judged by code from results of the experiments; the rule it is judged by is shown with it. Thresholds are
in the rules' functions and in their sentences, nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from theta_app.compare.measure import OK
from theta_app.deep.starts import STARTS
from theta_app.metrics import CLOSE
from theta_app.paper.deep import PUBLISHED, TRIALS, Trial
from theta_app.paper.deep_results import DeepResults
from theta_app.paper.experiments import (
    EXPERIMENTS,
    MINI_NOW,
    MINI_THEN,
    ORDERED,
    ORDERINGS,
    PAPER_THETA,
    SDS,
    THETAS,
    TRIES,
    reading,
    shuffles_label,
    theta_label,
    thetas_around,
)
from theta_app.paper.results import Results
from theta_app.paper.studies import CLUSTERS, CRITERIA, KS, STUDIES, StudyResults, as_good
from theta_app.selection import runs

if TYPE_CHECKING:
    import pandas as pd


HOLDS, IN_PART, NOT, UNKNOWN = "holds", "holds in part", "does not hold", "not measured"
DEPENDS = "depends on width"
"""Where the paper does not say how wide clusters are, and one reading gives another verdict than the other."""

IMPLEMENTATION = "depends on the implementation"
"""Where a time decides, and a plain reading of the paper gives another verdict than this project's engine."""
ENGINE, PLAIN = "this project's engine", "a plain reading"

KMEANS, PLUS, BIRCH, BIRCH_K = "K-Means", "K-Means++", "BIRCH", "BIRCH (given K)"
PEERS = (KMEANS, PLUS, MINI_THEN, MINI_NOW, BIRCH, BIRCH_K)
CRITERION_NAMES = {"silhouette": "silhouette", "gap": "gap statistic", "bic": "BIC"}
CUT, FIFTEEN = "TDG (cut at the drop)", "TDG (15 largest)"
ORIGINALS = tuple(f"S{i} (original)" for i in (1, 2, 3, 4))


Found = tuple[str, str]
"""A verdict, and what was measured, in a sentence."""
FoundEach = tuple[str, str, dict[str, str]]
"""The same, with the verdict of each reading."""
Span = tuple[float, float]
"""The lowest and the highest value of a range."""


class Missing(LookupError):
    """What a claim needs has not been measured."""


class Measured:
    """Finished measurements of all experiments, asked for by experiment, case and label."""

    def __init__(
        self,
        results: dict[str, Results],
        deep: dict[str, DeepResults] | None = None,
        studies: dict[str, StudyResults] | None = None,
    ) -> None:
        """`results`, `deep` and `studies` : dicts of key -> Results, DeepResults and StudyResults."""
        self.results = results
        self.deep = deep or {}
        self.studies = studies or {}
        self._rows = {key: _by_label(found.rows) for key, found in results.items()}

    def values(self, experiment: str, label: str, column: str, case: str | None = None) -> np.ndarray:
        """One value per repeat, in the order of the repeats; NaN where it is undefined in some of them."""
        rows = self._rows.get(experiment, {}).get((label, case))
        if not rows:
            raise Missing(f"{experiment}: {label}" if self._rows.get(experiment) else experiment)
        values = np.array([row.get(column) for row in rows], dtype=float)
        if np.isnan(values).all():
            raise Missing(f"{experiment}: {label}, {column}")
        return values

    def median(self, experiment: str, label: str, column: str, case: str | None = None) -> float:
        """The median of a column over the seeds of a method, passing over missing values."""
        return float(np.nanmedian(self.values(experiment, label, column, case)))

    def medians(self, experiment: str, labels: Iterable[str], column: str, case: str | None = None) -> dict[str, float]:
        """{label: median}"""
        return {label: self.median(experiment, label, column, case) for label in labels}

    def cases(self, experiment: str, least: int = 1) -> list[str]:
        """Names of the cases that have been measured, in their order; `Missing` where they are fewer than `least`."""
        cases = dict.fromkeys(case for _, case in self._rows.get(experiment, ()) if case is not None)
        if len(cases) < least:
            raise Missing(experiment)
        return list(cases)

    def fact(self, experiment: str, name: str, case: str) -> Any:
        """A fact about the points of a case."""
        facts = self.results[experiment].facts if experiment in self.results else {}
        value = facts.get(case, {}).get(name)
        if value is None:
            raise Missing(f"{experiment}: {name}")
        return value

    def rows(self, study: str) -> list[dict]:
        """The rows of a study, one for each of its places; `Missing` where one is not there."""
        known = self.studies.get(study)
        rows = [None if known is None else known.at(place) for place in STUDIES[study].places]
        if not all(rows):
            raise Missing(study)
        return rows

    def deep_frame(self, trial: str) -> pd.DataFrame:
        """Every epoch of the seeds of a trial of which all starts are whole, as `DeepResults.frame` has them."""
        found = self.deep.get(trial)
        whole = [] if found is None else found.whole_seeds()
        if not whole:
            raise Missing(trial)
        frame = found.frame()
        return frame[frame["seed"].isin(whole)]


def _by_label(rows: Iterable[dict]) -> dict[tuple[str, str | None], list[dict]]:
    """Finished rows by (label, case), and by (label, None) whatever the case, each in the order of the repeats."""
    found: dict = {}
    for row in sorted((row for row in rows if row["status"] == OK), key=lambda row: row["repeat"]):
        for case in (row["case"], None):
            found.setdefault((row["label"], case), []).append(row)
    return found


@dataclass(frozen=True)
class Claim:
    """One claim of the paper."""

    claim: str  # what it says
    where: str  # in which section
    rule: str  # when it counts as holding, and as holding in part
    # callable(Measured) -> (verdict, what was measured in sentences): or with a third value, the verdict that each
    # reading of the paper gives: a dict
    judge: Callable
    experiment: str = ""  # where to look: a key of `EXPERIMENTS`, or ""
    figure: str = ""  # the number that it gives


@dataclass(frozen=True)
class Judged:
    """A claim with what was measured."""

    claim: Claim
    verdict: str
    measured: str
    readings: dict = field(default_factory=dict)

    @property
    def in_words(self) -> str:
        """The verdict, and that of each reading where the paper can be read in several ways."""
        told = "; ".join(f"{name}: {verdict}" for name, verdict in self.readings.items())
        return f"{self.verdict} ({told})" if told else self.verdict


def judged(
    results: dict[str, Results],
    deep: dict[str, DeepResults] | None = None,
    studies: dict[str, StudyResults] | None = None,
) -> list[Judged]:
    """Every claim judged by what was measured, as `Measured` takes it. Returns a list of `Judged`."""
    measured = Measured(results, deep, studies)
    found = []
    for claim in CLAIMS:
        try:
            found.append(Judged(claim, *claim.judge(measured)))
        except Missing as error:
            found.append(Judged(claim, UNKNOWN, f"Not measured yet ({error.args[0]})."))
    return found


# ---- judging --------------------------------------------------------------------------------------------------------


def _verdict(holds: bool, in_part: bool) -> str:
    return HOLDS if holds else IN_PART if in_part else NOT


def _list(values: Mapping[str, float], form: str = "{:.3f}") -> str:
    return ", ".join(f"{label} {form.format(value)}" for label, value in values.items())


def time_words(seconds: float) -> str:
    """A short time: 0.94 ms, 43.1 ms, 3.23 s."""
    return f"{1000 * seconds:.3g} ms" if seconds < 1 else f"{seconds:.3g} s"


def _by_reading(judge: Callable[[Measured, str], Found]) -> Callable[[Measured], FoundEach]:
    """A judge of both readings of the easy or hard case, one line each, from ``judge(m, case)``.

    Where they differ the verdict is `DEPENDS`: the paper is silent, and no reading is the better one.
    """

    def both(m: Measured) -> FoundEach:
        found = {case: judge(m, case) for case in map(reading, SDS)}
        verdicts = {case: verdict for case, (verdict, _) in found.items()}
        told = "\n".join(f"{case[0].upper()}{case[1:]}: {sentence}" for case, (_, sentence) in found.items())
        return verdicts[reading(SDS[0])] if len(set(verdicts.values())) == 1 else DEPENDS, told, verdicts

    return both


def _by_implementation(judge: Callable[[Measured, Callable[[str], str]], Found]) -> Callable[[Measured], FoundEach]:
    """A judge of a claim on time, by the engine's time and by that of a plain reading, from ``judge(m, own)``.

    ``own(label)`` is the label of ours whose time counts. An engine says little about the paper's algorithm: where the
    two differ, or the plain one has not been measured, the verdict is `IMPLEMENTATION`.
    """

    def both(m: Measured) -> FoundEach:
        found = {ENGINE: judge(m, lambda label: label)}
        try:
            found[PLAIN] = judge(m, lambda label: f"{label} (plain)")
        except Missing:
            found[PLAIN] = UNKNOWN, "not measured yet."
        verdicts = {name: verdict for name, (verdict, _) in found.items()}
        told = "\n".join(f"By {name}: {sentence}" for name, (_, sentence) in found.items())
        return verdicts[ENGINE] if len(set(verdicts.values())) == 1 else IMPLEMENTATION, told, verdicts

    return both


@_by_reading
def _easy_accuracy(m: Measured, case: str) -> Found:
    scores = m.medians("easy", ("TSG", *PEERS), "nmi", case)
    good = {label for label, score in scores.items() if score >= 0.99}
    return _verdict(len(good) == len(scores), "TSG" in good and len(good) > len(scores) / 2), f"NMI {_list(scores)}."


@_by_reading
def _easy_time(m: Measured, case: str) -> Found:
    ours, others = m.median("easy", "TSG", "seconds", case), m.medians("easy", PEERS, "seconds", case)
    ratio = min(others.values()) / ours
    fastest = min(others, key=others.get)
    return _verdict(ratio >= 3, ratio > 1), (
        f"TSG {time_words(ours)}; the fastest other, {fastest}, {time_words(others[fastest])}: {ratio:.0f} times as "
        "long."
    )


@_by_reading
def _easy_sparse(m: Measured, case: str) -> Found:
    gap = m.fact("easy", "gap", case)
    exact = float((m.values("easy", "TSG", "nmi", case) > 1 - 1e-9).mean())
    kind = "θ-sparse" if gap > 6 else "θ-dense"
    return _verdict(gap > 6, exact == 1), (
        f"points of different clusters come as near as {gap:.2f}, so at θ = 6 the data are {kind} by the paper's own "
        f"definition; TSG found exactly the true clusters in {exact:.0%} of the random orders."
    )


@_by_reading
def _hard_centroids(m: Measured, case: str) -> Found:
    labels = ("TDG", *PEERS)
    exact, near = m.medians("hard", labels, "ssd_exact", case), m.medians("hard", labels, "ssd", case)
    overlap = "" if exact["TDG"] == 1 else ", as clusters overlap"
    return _verdict(exact["TDG"] == 1, near["TDG"] >= 0.95), (
        f"share of true centroids met exactly: TDG {exact['TDG']:.2f}, best of the others {_best(exact)}{overlap}. Met "
        f"within a tenth of a cluster's radius: {_list(near, '{:.2f}')}."
    )


def _best(values: Mapping[str, float], without: str = "TDG") -> str:
    others = {label: value for label, value in values.items() if label != without}
    label = max(others, key=others.get)
    return f"{others[label]:.2f} ({label})"


@_by_implementation
def _hard_time(m: Measured, own: Callable[[str], str]) -> Found:
    @_by_reading
    def judge(m: Measured, case: str) -> Found:
        ours, others = m.median("hard", own("TDG"), "seconds", case), m.medians("hard", PEERS, "seconds", case)
        ratio = min(others.values()) / ours
        return _verdict(ratio > 1, ours < others[PLUS]), f"TDG {time_words(ours)}; {_times(others)}."

    return judge(m)[:2]


def _times(values: Mapping[str, float]) -> str:
    return ", ".join(f"{label} {time_words(value)}" for label, value in values.items())


@_by_reading
def _hard_accuracy(m: Measured, case: str) -> Found:
    ours, others = m.median("hard", "TDG", "nmi", case), m.medians("hard", PEERS, "nmi", case)
    lead = ours - max(others.values())
    return _verdict(lead >= 0.01, lead >= -0.002), f"NMI TDG {ours:.3f}; {_list(others)}."


@_by_reading
def _votes(m: Measured, case: str) -> Found:
    nmi = {label: m.values("hard", label, "nmi", case) for label in ("TDG", "TSG")}
    could_be = nmi["TSG"] < 1 - 1e-9  # nobody is better than exact
    better = (nmi["TDG"] > nmi["TSG"])[could_be].mean() if could_be.any() else 0.0
    told = "; ".join(f"{label} {values.min():.3f} to {values.max():.3f}" for label, values in nmi.items())
    return _verdict(better >= 0.9, better > 0.5), (
        f"NMI {told}. TDG was better in {better:.0%} of the {could_be.sum()} runs in which TSG was not exact."
    )


def _stable(experiment: str) -> Callable[[Measured], Found]:
    def judge(m: Measured) -> Found:
        lowest = {label: float(m.values(experiment, label, "nmi").min()) for label in ("TDG", *PEERS)}
        others = max(value for label, value in lowest.items() if label != "TDG")
        repeats = len(m.values(experiment, "TDG", "nmi"))
        stable = lowest["TDG"] >= 0.99
        return _verdict(stable and others < 0.99, stable), f"Lowest NMI in {repeats} runs: {_list(lowest)}."

    return judge


@_by_implementation
def _slower(m: Measured, own: Callable[[str], str]) -> Found:
    told, faster = [], 0
    for experiment in ("dims-100", "dims-1000"):
        ours, others = m.median(experiment, own("TDG"), "seconds"), m.medians(experiment, PEERS, "seconds")
        quicker = [label for label, value in others.items() if value < ours]
        faster += bool(quicker)
        told.append(f"{EXPERIMENTS[experiment].title}: TDG {time_words(ours)}; faster: {', '.join(quicker) or 'none'}")
    return _verdict(faster == 2, faster == 1), ". ".join(told) + "." + _better_than_said(not faster)


def _better_than_said(better: bool) -> str:
    return " ThetA does better here than the paper says." if better else ""


_HARD_PLACES = (*(("hard", reading(sd)) for sd in SDS), ("dims-100", None), ("dims-1000", None))
"""The hard case, read either way, and many dimensions: (experiment, case)."""


def _place(experiment: str, case: str | None) -> str:
    title = EXPERIMENTS[experiment].title
    return f"{title}, {case}" if case and len(EXPERIMENTS[experiment].cases) > 1 else title


@_by_implementation
def _birch(m: Measured, own: Callable[[str], str]) -> Found:
    told, right, faster = [], 0, 0
    for experiment, case in _HARD_PLACES:
        nmi = m.medians(experiment, ("TDG", BIRCH), "nmi", case)
        ours, theirs = (m.median(experiment, label, "seconds", case) for label in (own("TDG"), BIRCH))
        faster += theirs < ours
        right += theirs < ours and nmi[BIRCH] < nmi["TDG"] - CLOSE
        told.append(
            f"{_place(experiment, case)}: BIRCH {time_words(theirs)}, NMI {nmi[BIRCH]:.3f}; "
            f"TDG {time_words(ours)}, NMI {nmi['TDG']:.3f}"
        )
    return _verdict(right == len(told), right > 0), ". ".join(told) + "." + _better_than_said(not faster)


def _against(m: Measured, peer: str, own: Callable[[str], str] = lambda label: label) -> list[tuple[str, float, float]]:
    """ThetA's time and the peer's in every case that has both: a list of (case, ours, peer's)."""
    pairs = []
    for experiment in ("easy", "hard", "dims-100", "dims-1000", "clusters", "sizes"):
        for case in m.cases(experiment):
            ours = m.median(experiment, own("TSG" if experiment == "easy" else "TDG"), "seconds", case)
            pairs.append((_place(experiment, case), ours, m.median(experiment, peer, "seconds", case)))
    return pairs


def _faster_than_plus(m: Measured) -> Found:
    pairs = _against(m, PLUS)
    ratios = {case: theirs / ours for case, ours, theirs in pairs}
    closest = min(ratios, key=ratios.get)
    won = sum(ratio > 1 for ratio in ratios.values())
    return _verdict(won == len(pairs), won > len(pairs) / 2), (
        f"Faster in {won} of {len(pairs)} cases; K-Means++ took {ratios[closest]:.1f} times as long where it came "
        f"closest ({closest}), {max(ratios.values()):.0f} times at most. It had 10 starts in the easy case, 50 "
        "elsewhere; a single start costs that much less."
    )


@_by_implementation
def _not_always(m: Measured, own: Callable[[str], str]) -> Found:
    pairs = _against(m, KMEANS, own)
    lost = [case for case, ours, theirs in pairs if theirs < ours]
    return _verdict(bool(lost), False), (
        f"K-Means (10 starts in the easy case, 50 elsewhere) was faster in {len(lost)} of {len(pairs)} cases"
        + (f" ({', '.join(lost)})." if lost else ".")
        + _better_than_said(not lost)
    )


def _only_plus(m: Measured) -> Found:
    told, close = [], []
    for experiment, case in _HARD_PLACES:
        ours, others = m.median(experiment, "TDG", "nmi", case), m.medians(experiment, PEERS, "nmi", case)
        near = {label for label, value in others.items() if value >= ours - 0.01}
        close.append(near)
        told.append(f"{_place(experiment, case)}: {', '.join(sorted(near)) or 'none'}")
    return _verdict(all(near == {PLUS} for near in close), all(PLUS in near for near in close)), (
        f"Within 0.01 of TDG's NMI, or above it. {'. '.join(told)}."
    )


def _spread_over(m: Measured, experiment: str, label: str) -> float:
    values = [m.median(experiment, label, "nmi", case) for case in m.cases(experiment)]
    return max(values) - min(values)


def _cluster_count(m: Measured) -> Found:
    spread = {label: _spread_over(m, "clusters", label) for label in ("TDG", *PEERS)}
    cases = m.cases("clusters")
    at = ", ".join(f"{case}: {m.median('clusters', 'TDG', 'nmi', case):.3f}" for case in cases)
    return _verdict(spread["TDG"] <= 0.02, spread["TDG"] <= 0.05), (
        f"TDG's NMI with {at}. Largest difference over the cases: {_list(spread)}."
    )


def _unequal(m: Measured) -> Found:
    first, *_, last = m.cases("sizes", 2)
    drop = {}
    for label in ("TDG", *PEERS):
        drop[label] = m.median("sizes", label, "nmi", first) - m.median("sizes", label, "nmi", last)
    others = min(value for label, value in drop.items() if label != "TDG")
    steady = drop["TDG"] <= 0.02
    return _verdict(steady and drop["TDG"] < others, steady or drop["TDG"] < others), (
        f"NMI lost from {first} to {last}: {_list(drop, '{:+.3f}')}; at {last} TDG has "
        f"{m.median('sizes', 'TDG', 'nmi', last):.3f}, K-Means++ {m.median('sizes', PLUS, 'nmi', last):.3f}."
    )


def _drop(m: Measured) -> Found:
    elbows = {case[:2]: m.values("s-sets", "TDG", "elbow", case) for case in ORIGINALS}
    counts = {case[:2]: m.median("s-sets", "TDG", "n_clusters", case) for case in ORIGINALS}
    shares = {name: float((values == 15).mean()) for name, values in elbows.items()}
    sure = sum(share >= 0.9 for share in shares.values())
    hits = ", ".join(f"{name} {(values == 15).sum()} of {len(values)}" for name, values in elbows.items())
    return _verdict(sure == 4, sure >= 2), (
        f"Runs in which the sizes drop after the 15th cluster: {hits}. TDG found {_list(counts, '{:.0f}')} clusters."
    )


def _s_sets(m: Measured) -> Found:
    told, won, same = [], {"TDG": 0, CUT: 0, FIFTEEN: 0}, {"TDG": 0, CUT: 0, FIFTEEN: 0}
    for case in ORIGINALS:
        nmi = m.medians("s-sets", ("TDG", CUT, FIFTEEN, PLUS), "nmi", case)
        for label in won:
            won[label] += nmi[label] > nmi[PLUS] + CLOSE
            same[label] += abs(nmi[label] - nmi[PLUS]) <= CLOSE
        told.append(f"{case[:2]}: {_list(nmi)}")
    return _verdict(max(won.values()) == 4, max(won.values()) >= 1), (
        f"NMI. {'; '.join(told)}.\nAhead of K-Means++ by more than {CLOSE:g}: {_list(won, 'on {}')} of 4 sets; "
        f"as close: {_list(same, 'on {}')}."
    )


def _solved(m: Measured, experiment: str) -> tuple[int, int, dict[str, float], dict[str, int]]:
    """(sets on which TNC's NMI is 0.9 or more, all sets, NMI on each, {other method: sets on which it is ahead})."""
    cases = m.cases(experiment)
    ours = {case: m.median(experiment, "TNC", "nmi", case) for case in cases}
    ahead = {
        label: sum(m.median(experiment, label, "nmi", case) > ours[case] + CLOSE for case in cases)
        for label in EXPERIMENTS[experiment].labels()
        if label != "TNC"
    }
    return sum(value >= 0.9 for value in ours.values()), len(cases), ours, ahead


def _shapes(m: Measured) -> Found:
    good, sets, ours, ahead = _solved(m, "shapes")
    plain, plain_sets, _, plain_ahead = _solved(m, "shapes-untuned")
    return _verdict(good == sets, good >= sets / 2), (
        f"With the best of {TRIES} tries, NMI of 0.9 or more on {good} of {sets} sets ({_list(ours, '{:.2f}')}). Ahead "
        f"of it with as many tries: {_list(ahead, 'on {}')}.\nAs it comes, without tuning: on {plain} of {plain_sets} "
        f"sets. Ahead of it, as they come: {_list(plain_ahead, 'on {}')}."
    )


def _longest(thetas: Sequence[float], right: Sequence[bool]) -> Span | None:
    """(lowest, highest) of the longest range of tried θ that is right; None where none is."""
    stretches = [stretch for stretch in runs(right) if stretch.value]
    if not stretches:
        return None
    longest = max(stretches, key=lambda stretch: (len(stretch), stretch.start))
    return thetas[longest.start], thetas[longest.stop - 1]


def _wide_enough(found: Span | None) -> bool:
    return found is not None and found[1] >= 1.2 * found[0]


def _told_range(found: Span | None) -> str:
    return f"from θ {found[0]:g} to {found[1]:g}, a factor of {found[1] / found[0]:.2f}" if found else "at no θ tried"


def _region(m: Measured) -> Found:
    told, right, near = [], [], []
    for dimensions, paper in PAPER_THETA.items():
        case, thetas = f"D = {dimensions}", thetas_around(dimensions)
        columns = {
            column: [m.median("theta-dims", theta_label(theta), column, case) for theta in thetas]
            for column in ("n_clusters", "nmi")
        }
        right.append(_longest(thetas, [k == 100 for k in columns["n_clusters"]]))
        near.append(_longest(thetas, [nmi >= 0.98 for nmi in columns["nmi"]]))
        told.append(
            f"{dimensions} dimensions (the paper's θ is {paper:g}): 100 clusters {_told_range(right[-1])}; NMI of 0.98 "
            f"or more {_told_range(near[-1])}."
        )
    return _verdict(all(map(_wide_enough, right)), any(map(_wide_enough, near))), (
        "\n".join(told) + "\nAbove the distance between centres TDG's second stage merges clusters that its single "
        "passes keep apart."
    )


def _right_range(m: Measured, case: str) -> Span | None:
    """(lowest, highest) θ of the longest range of tried θ with 25 clusters, the median of the runs; None without."""
    counts = (m.median("theta-range", theta_label(theta), "n_clusters", case) for theta in THETAS)
    return _longest(THETAS, [k == 25 for k in counts])


def _ranges(m: Measured, sd: float) -> tuple[dict[str, Span | None], str]:
    cases = [c for c in m.cases("theta-range", 3) if c.endswith(reading(sd)) or (sd == 1 and c.endswith("apart"))]
    if len(cases) < 3:
        raise Missing(f"theta-range: {reading(sd)}")
    found = {case: _right_range(m, case) for case in cases}
    told = "; ".join(
        f"{c.split(',')[0]}: " + (f"θ {r[0]:g} to {r[1]:g}" if r else "no θ tried") for c, r in found.items()
    )
    return found, f"there are 25 clusters. {told}."


@_by_reading
def _wide(m: Measured, case: str) -> Found:
    found, told = _ranges(m, _sd(case))
    wide = [_wide_enough(r) for r in found.values()]
    return _verdict(all(wide), any(wide)), told


def _sd(case: str) -> float:
    return next(sd for sd in SDS if reading(sd) == case)


@_by_reading
def _narrower(m: Measured, case: str) -> Found:
    found, told = _ranges(m, _sd(case))
    widths = [r[1] / r[0] if r else 0.0 for r in found.values()]
    return _verdict(widths[0] > widths[1] > widths[2], widths[0] > widths[2]), told


# ---- what the paper says in passing ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class SparseAt:
    """A θ of the study of sparsity: what Lemma 1's test says, and what the definition does."""

    theta: float
    said: bool
    sparse: bool


def sparsity_of(row: dict) -> list[SparseAt]:
    """`SparseAt` of every θ of a row of the study of sparsity."""
    return [SparseAt(t, bool(said), row["closest"] > t) for t, said in zip(row["thetas"], row["same"])]


def _sparse(m: Measured) -> Found:
    told, agreeing = [], []
    for row in m.rows("sparsity"):
        found = sparsity_of(row)
        alike = sum(at.said == at.sparse for at in found)
        wrongly, missed = (
            sum(at.said and not at.sparse for at in found),
            sum(at.sparse and not at.said for at in found),
        )
        agreeing.append(alike / len(found))
        told.append(
            f"D = {row['dimensions']}: the test and the definition agree at {alike} of {len(found)} θ; it says sparse "
            f"at {wrongly} where they are dense, and the order matters at {missed} where they are sparse."
        )
    right = [share >= 0.9 for share in agreeing]
    return _verdict(all(right), any(right)), "\n".join(told) + (
        "\nWhere clusters are wider than θ, TSG splits them, by the order; where centroids settle far enough apart, "
        "points nearer to each other than θ change nothing."
    )


def learnt_ranges(row: dict) -> tuple[dict[str, Span | None], dict[str, int]]:
    """Of a row of the study of θ and K: {"theta" or criterion: (lowest, highest) or None} and {criterion: best k}."""
    right = _longest(row["thetas"], [k == CLUSTERS for k in row["n_clusters"]])
    best = {name: KS[int(np.argmax(row[name]))] for name in CRITERIA}
    return {"theta": right} | {name: as_good(row[name]) for name in CRITERIA}, best


def _easier(m: Measured) -> Found:
    told, wider = [], []
    right = dict.fromkeys(CRITERIA, 0)
    for row in m.rows("theta-or-k"):
        ranges, best = learnt_ranges(row)
        width = {name: found[1] / found[0] if found else 0.0 for name, found in ranges.items()}
        wider.append(all(width["theta"] > width[name] for name in CRITERIA))
        for name in CRITERIA:
            right[name] += best[name] == CLUSTERS
        told.append(
            f"D = {row['dimensions']}, {row['apart']:g} apart: θ {width['theta']:.2f}, "
            + ", ".join(f"k by {CRITERION_NAMES[name]} {width[name]:.2f}" for name in CRITERIA)
        )
    found = sum(wider)
    return _verdict(found == len(wider), found >= len(wider) / 2), (
        f"Highest : lowest. {'; '.join(told)}. θ's is the widest in {found} of {len(wider)} cases. The best k is "
        f"{CLUSTERS} by " + ", ".join(f"{CRITERION_NAMES[name]} in {right[name]}" for name in CRITERIA) + "."
    )


def shuffles_needed(m: Measured) -> dict[float, int | None]:
    """{distance between centres: the fewest shuffles from which on every seed has 25 clusters; None where none are}."""
    needed = {}
    for spacing in ORDERED:
        values = (m.values("orderings", shuffles_label(n), "n_clusters", f"{spacing:g} apart") for n in ORDERINGS)
        always = [bool((found == CLUSTERS).all()) for found in values]
        first = next((i for i in range(len(always)) if all(always[i:])), None)
        needed[spacing] = None if first is None else ORDERINGS[first]
    return needed


def _orderings(m: Measured) -> Found:
    needed = shuffles_needed(m)
    numbers = [n or 2 * ORDERINGS[-1] for n in needed.values()]  # none that is enough is more than all
    falling, twice = all(a >= b for a, b in pairwise(numbers)), numbers[0] >= 2 * numbers[-1]
    told = ", ".join(f"{spacing:g} apart {n or f'more than {ORDERINGS[-1]}'}" for spacing, n in needed.items())
    never = " and ".join(f"{spacing:g}" for spacing, n in needed.items() if n is None)
    more = f" No number of shuffles was enough at {never} apart: there it is not the order alone." if never else ""
    return _verdict(falling and twice, falling or twice), (
        f"Shuffles needed for {CLUSTERS} clusters in ten of ten seeds: {told}.{more}"
    )


@_by_implementation
def _thousands(m: Measured, own: Callable[[str], str]) -> Found:
    others = (PLUS, MINI_NOW, BIRCH_K)
    told, close, fastest = [], [], []
    for case in m.cases("thousands", 3):
        nmi, times = (m.medians("thousands", (own("TDG"), *others), column, case) for column in ("nmi", "seconds"))
        counts = m.medians("thousands", (own("TDG"),), "n_clusters", case)
        ours = own("TDG")
        close.append(nmi[ours] >= max(nmi.values()) - 0.01)
        fastest.append(times[ours] == min(times.values()))
        told.append(f"{case}: TDG found {counts[ours]:,.0f}; NMI {_list(nmi)}; {_times(times)}")
    return _verdict(all(close) and all(fastest), all(close) or all(fastest)), ". ".join(told) + "."


# ---- deep embedded clustering ---------------------------------------------------------------------------------------

_EARLY = 5  # epochs in which a rise is measured
_SEEDS = 3  # of a trial, below which a rise is told and not judged
_STARTS = ("tdg", "k-means", "k-means++")


def _by_start(m: Measured, trial: str, value: Callable[[pd.Series], float]) -> dict[str, dict[str, float]]:
    """{start: {score: median of ``value(one run's rows)`` over the seeds}} of a trial's whole runs."""
    frame = m.deep_frame(trial)
    found = {}
    for name in _STARTS:
        parts = [part.set_index("epoch") for _, part in frame[frame["start"] == name].groupby("seed")]
        found[name] = {score: float(np.median([value(part[score]) for part in parts])) for score in ("accuracy", "nmi")}
    return found


def _tdg_leads(found: Mapping[str, Mapping[str, float]]) -> str:
    """Verdict: TDG above both others in both scores; in part if in one score, or above one of the two in both."""
    peers = [name for name in found if name != "tdg"]
    ahead = {(name, score): found["tdg"][score] > found[name][score] for name in peers for score in ("accuracy", "nmi")}
    one_score = any(all(ahead[name, score] for name in peers) for score in ("accuracy", "nmi"))
    one_peer = any(all(ahead[name, score] for score in ("accuracy", "nmi")) for name in peers)
    return _verdict(all(ahead.values()), one_score or one_peer)


def _told_by_start(found: Mapping[str, Mapping[str, float]], form: str = "{:.3f}") -> str:
    accuracy, nmi = ({STARTS[name]: found[name][score] for name in found} for score in ("accuracy", "nmi"))
    return f"accuracy {_list(accuracy, form)}; NMI {_list(nmi, form)}"


def _deep_seeds(m: Measured, trial: str) -> str:
    """How many seeds there are, of how many that were planned: "5 seeds", "2 of 5 seeds"."""
    there, planned = m.deep_frame(trial)["seed"].nunique(), m.deep[trial].plan["seeds"]
    return f"{there} {'seed' if there == 1 else 'seeds'}" if there == planned else f"{there} of {planned} seeds so far"


def _over_trials(m: Measured, value: Callable[[pd.Series], float]) -> dict[Trial, dict]:
    """{trial: `_by_start`} of the listed trials of which there are whole runs."""
    found = {}
    for trial in (trial for trial in TRIALS.values() if trial.listed):
        with suppress(Missing):
            found[trial] = _by_start(m, trial.key, value)
    if not found:
        raise Missing("deep")
    return found


def _deep_leads(m: Measured, found: Mapping[Trial, dict], form: str = "{:.3f}") -> Found:
    """Verdict over the trials, in part where they differ; and what each has."""
    verdicts = {_tdg_leads(of_trial) for of_trial in found.values()}
    told = (
        f"{trial.title} ({_deep_seeds(m, trial.key)}): {_told_by_start(of_trial, form)}."
        for trial, of_trial in found.items()
    )
    return verdicts.pop() if len(verdicts) == 1 else IN_PART, " ".join(told)


def _deep_start(m: Measured) -> Found:
    verdict, told = _deep_leads(m, _over_trials(m, lambda values: values[0]))
    return verdict, f"Medians before the first epoch. {told}"


def _deep_rise(m: Measured) -> Found:
    found = _over_trials(m, lambda values: (values[_EARLY] - values[0]) / _EARLY)
    enough = {trial: rise for trial, rise in found.items() if m.deep_frame(trial.key)["seed"].nunique() >= _SEEDS}
    verdict = _deep_leads(m, enough)[0] if enough else UNKNOWN
    told = _deep_leads(m, found, "{:+.4f}")[1]
    starts = _deep_leads(m, _over_trials(m, lambda values: values[0]))[0]
    room = " A lower start has more room to rise." if starts != HOLDS else ""
    return verdict, f"Medians, per epoch over the first {_EARLY}. {told}{room}"


def _deep_accuracy(m: Measured) -> Found:
    found = _over_trials(m, lambda values: values.iloc[-1])
    ends = {trial: {name: of_trial[name]["accuracy"] for name in of_trial} for trial, of_trial in found.items()}
    told = (
        f"{trial.title} ({_deep_seeds(m, trial.key)}): {_list({STARTS[name]: value for name, value in end.items()})}"
        for trial, end in ends.items()
    )
    measured = f"Accuracy at the end. {'. '.join(told)}."
    best = max(end["tdg"] for end in ends.values())
    if best < PUBLISHED["the paper"] and all(end["k-means"] < PUBLISHED["DEC"] for end in ends.values()):
        short = f"K-Means does not reach what DEC's paper has, {PUBLISHED['DEC']:.3f}: not trained enough to judge."
        return UNKNOWN, f"{measured} {short}"
    return _verdict(best >= PUBLISHED["the paper"], best >= PUBLISHED["DEC"]), measured


_TWICE = "Judged by the engine's time and by that of a plain reading."

CLAIMS = (
    Claim(
        "Each method does an accurate job on the easy case.",
        "5.1",
        "Holds if every method's median NMI is 0.99 or more; in part if TSG's is, and more than half of all.",
        _easy_accuracy,
        "easy",
    ),
    Claim(
        "On the easy case ThetA has a considerable timing advantage.",
        "5.1",
        "Holds if every other method takes at least 3 times as long as TSG; in part if each takes longer.",
        _easy_time,
        "easy",
    ),
    Claim(
        "Centres 10 apart make a θ-sparse problem (at θ = 6), on which the order of the points has no effect.",
        "5.1, Theorem 1",
        "Holds if no two points of different clusters are within θ; in part if they are, yet TSG is always exact.",
        _easy_sparse,
        "easy",
    ),
    Claim(
        "On the hard case ThetA identifies all centroids correctly, up to numerical precision.",
        "5.2, Fig. 3",
        "Holds if TDG meets every true centroid exactly; in part if 95 % within a tenth of a cluster's radius.",
        _hard_centroids,
        "hard",
        figure="100 % of the centroids",
    ),
    Claim(
        "On the hard case ThetA takes the least amount of time.",
        "5.2, Fig. 3",
        f"Holds if TDG is the fastest; in part if it is faster than K-Means++. {_TWICE}",
        _hard_time,
        "hard",
    ),
    Claim(
        "On the hard case the other methods start to fail, while ThetA keeps its accuracy.",
        "5.2",
        "Holds if TDG's median NMI leads every other by 0.01; in part if it is not more than 0.002 behind the best.",
        _hard_accuracy,
        "hard",
    ),
    Claim(
        "TDG works better on dense data than a single TSG.",
        "4.2",
        "Holds if TDG's NMI is higher in 90 % of the runs of the hard case in which TSG is not exact; in part if in "
        "more than half.",
        _votes,
        "hard",
    ),
    Claim(
        "In 100 dimensions the accuracy of TDG remains stable while other methods fluctuate or decrease.",
        "5.3, Fig. 2",
        "Holds if TDG's NMI is never below 0.99 and every other's is at times; in part if only the first is so.",
        _stable("dims-100"),
        "dims-100",
    ),
    Claim(
        "In 1000 dimensions the accuracy of TDG remains stable while other methods fluctuate or decrease.",
        "5.3, Fig. 2",
        "Holds if TDG's NMI is never below 0.99 and every other's is at times; in part if only the first is so.",
        _stable("dims-1000"),
        "dims-1000",
    ),
    Claim(
        "In higher dimensions ThetA can be slower than some methods.",
        "5.3",
        f"Holds if some method is faster than TDG in both 100 and 1000 dimensions; in part if in one. {_TWICE}",
        _slower,
        "dims-100",
    ),
    Claim(
        "A wide range of θ gives the correct number of clusters (25, with centres 11, 7.5 and 5 apart).",
        "5.4, Fig. 4",
        "Holds if the highest θ of the range is at least 1.2 times the lowest in all three cases; in part if in some.",
        _wide,
        figure="25 clusters",
    ),
    Claim(
        "The range of θ gets narrower as the clusters come closer.",
        "5.4, Fig. 4",
        "Holds if highest : lowest θ falls from 11 to 7.5 to 5 apart; in part if it is smaller at 5 than at 11.",
        _narrower,
    ),
    Claim(
        "On harder problems the region of right θ shrinks, but stays large enough to be found easily.",
        "6",
        "Holds if in 100 and in 1000 dimensions there are 100 clusters over a range of θ whose highest is at least 1.2 "
        "times the lowest, as for Fig. 4; in part if NMI is at least 0.98 over such a range in one of them.",
        _region,
    ),
    Claim(
        "ThetA always takes less time than K-Means++.",
        "6",
        "Holds if it does in every case of every experiment; in part if in most.",
        _faster_than_plus,
    ),
    Claim(
        "It is not always faster than K-Means.",
        "6",
        f"Holds if K-Means with random starts is faster in at least one case. {_TWICE}",
        _not_always,
    ),
    Claim(
        "BIRCH is faster than ThetA but does not converge to the correct solution.",
        "6",
        f"Holds if BIRCH is both faster than TDG and its NMI {CLOSE:g} lower in the hard case (both readings) and in "
        f"100 and 1000 dimensions; in part if in some. {_TWICE}",
        _birch,
    ),
    Claim(
        "K-Means++ is the only method of comparable accuracy.",
        "6",
        "Holds if it alone is within 0.01 of TDG's NMI (or above) in the hard case (both readings) and in 100 and 1000 "
        "dimensions; in part if it is, but not alone.",
        _only_plus,
    ),
    Claim(
        "ThetA is stable as the number of clusters grows.",
        "7, supplement",
        "Holds if TDG's median NMI differs by at most 0.02 between 25 and 225 clusters; in part if by at most 0.05.",
        _cluster_count,
        "clusters",
    ),
    Claim(
        "ThetA has a stable accuracy regardless of the number of points per cluster, unlike other methods.",
        "5.2, 7, supplement",
        "Holds if TDG loses at most 0.02 of NMI from equal sizes to 100 : 1, and less than every other; in part if "
        "one of the two.",
        _unequal,
        "sizes",
    ),
    Claim(
        "On S1 to S4 the sizes drop notably after the correct number of clusters.",
        "5.6, Fig. 6",
        "Holds if the drop, found as on Evidence and for the verdict (large and small sizes that vary least within "
        "the two groups), comes after the 15th cluster in nine of ten runs on all four sets; in part if on two or "
        "three.",
        _drop,
        "s-sets",
        figure="15 clusters",
    ),
    Claim(
        "On S1 to S4 TDG's clusters are closer to the truth than those of K-Means++.",
        "5.6, Fig. 6",
        f"Holds if the median NMI of TDG, as it is, cut at the drop or with its 15 largest clusters kept, is higher by "
        f"more than {CLOSE:g} in all four sets (less is the same for a person); in part if in some.",
        _s_sets,
        "s-sets",
    ),
    Claim(
        "TNC solves nonlinear clustering problems.",
        "4.3, supplement",
        f"Holds if its NMI is 0.9 or more on every shape set, with the best θ and ε of {TRIES} tries, which every "
        "other method has, too; in part if on half of them.",
        _shapes,
        "shapes",
    ),
    Claim(
        "ThetA can infer the sparsity of data sets in higher dimensions.",
        "Abstract, Lemma 1, 7",
        "Holds if Lemma 1's test (TSG gives the same clusters in 50 random orders) and the definition (no two points "
        "of different clusters within θ) agree at nine of ten θ in 2, 10, 100 and 1000 dimensions; in part if in one.",
        _sparse,
    ),
    Claim(
        "Learning θ is straightforward in comparison to learning K.",
        "Abstract",
        "Holds if the range of θ with 25 clusters, highest : lowest, is wider than that of k within 5 % of the best "
        "silhouette, gap statistic and BIC, with centres 11, 7.5 and 5 apart in 2, 10 and 100 dimensions; in part if "
        "in half of these cases.",
        _easier,
    ),
    Claim(
        "The number of orderings needed is inversely proportional to the distance between the clusters.",
        "3.2",
        "Holds if the number of shuffles from which on TDG has 25 clusters in ten of ten seeds never rises from 4 to "
        "11 apart, and is at least twice as high at 4 as at 11; in part if one of the two.",
        _orderings,
    ),
    Claim(
        "Often there are thousands of clusters, which are hard to predict: ThetA finds them from a distance.",
        "1",
        "Holds if TDG's NMI is within 0.01 of the best of K-Means++, mini-batch K-Means and BIRCH, all given K, and "
        f"it is the fastest, with 1,024, 4,096 and 10,000 clusters; in part if one of the two. {_TWICE}",
        _thousands,
        "thousands",
    ),
    Claim(
        "Deep embedded clustering started by TDG starts with a higher accuracy and NMI.",
        "5.5, Fig. 5",
        "Holds if TDG's medians before the first epoch, on 10,000 images of MNIST and on all, are above those of "
        "K-Means and K-Means++ in accuracy and in NMI; in part if in one of the two scores, in both against one of "
        "the two starts, or in one of the two runs.",
        _deep_start,
    ),
    Claim(
        "Started by TDG it also rises faster through the epochs.",
        "5.5, Fig. 5",
        "Holds if TDG's accuracy and NMI gain more per epoch over the first 5 epochs than from K-Means and K-Means++ "
        "(medians); in part as above. Judged by runs of at least 3 seeds; others are only reported.",
        _deep_rise,
    ),
    Claim(
        "Deep embedded clustering of MNIST started by TDG reaches a high accuracy.",
        "5.5, 7",
        "Holds if TDG's median accuracy after the last epoch is 0.94 or more with 10,000 or 70,000 images; in part if "
        "it is 0.843 or more, what the DEC paper reaches from K-Means. Judged where K-Means reaches that here, too.",
        _deep_accuracy,
        figure="94 % accuracy",
    ),
)
