"""From a sweep to the other methods beside it: what each reaches at every θ, with the K there or by its own rule."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import pandas as pd

from theta_app import compare, datasets, metrics, selection
from theta_app.compare import Entry
from theta_app.compare.steps import Step
from theta_app.figures.compare import method_colour
from theta_app.ui import answers, peers, scheduled, store
from theta_app.ui.timeline.of_theta import ShownSweep, ThetaFrame, axis_of, theta_frame

NOT_YET = "not yet"
_BEST = 8  # ranges whose K come first
_ONE_CLUSTER, _NOT_TRIED, _LEFT_OUT, _FAILED, _STOPPED = "one cluster", "not tried", "left out", "no result", "not run"
_ON_RELEASE = "on release"  # measured once θ is released there
OWN = Entry("", told=False)
"""Stands for the answer on the screen, among the methods."""


@dataclass(frozen=True, eq=False)
class Others:
    """What is to be measured."""

    sweep: ShownSweep
    unit: str
    frames: tuple[ThetaFrame, ...]  # at each swept θ, ascending
    tried: tuple[int, ...]  # the K that are tried at every θ, those that matter most first
    # Entry -> tuple of Step, str: at each θ the step that gives the method's value, or in two words why there
    # is none. The first is `OWN`, of which only the time is measured: the sweep has its scores
    rows: dict[Entry, tuple[Step | str, ...]]
    # where the person stands, as a place in ``frames``: there every method is measured, elsewhere those of
    # `compare.FIXED_K`
    here: int
    rules: dict[Entry, str]  # Entry -> str: where each gets its parameters, in words

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """In the order they are measured: where the person stands, then K by K."""
        found = dict.fromkeys(row[self.here] for row in self.rows.values() if isinstance(row[self.here], Step))
        everywhere = [*(self.rows[entry] for entry in _CURVES), self.rows[OWN]]
        for k in self.tried:
            at = [i for i, frame in enumerate(self.frames) if frame.k == k]
            for row in everywhere:
                found |= dict.fromkeys(row[i] for i in at if isinstance(row[i], Step))
        return tuple(found)  # type: ignore[arg-type]

    @property
    def points(self) -> tuple:
        """As `peers` takes them."""
        sample = self.sweep.sample
        return sample.key, sample.X, sample.truth, sample.metric

    @property
    def not_tried(self) -> list[int]:
        """The K of the sweep, 2 or more, that are passed over."""
        return sorted({frame.k for frame in self.frames if frame.k >= 2} - set(self.tried))


_CURVES = tuple(Entry(method, told=True) for method in compare.FIXED_K)


def others_of(sweep: ShownSweep, data: datasets.Dataset, here: float) -> Others:
    """The comparison beside a sweep that is complete; ``here`` is the swept θ at which every method is measured."""
    thetas = sorted(sweep.points)
    look = (sweep.settings, data.unit, sweep.look)
    frames = tuple(theta_frame(sweep.sample, sweep.points[theta], *look) for theta in thetas)
    counts = [frame.k for frame in frames]
    largest = compare.largest_count(len(sweep.sample.X))
    tried = tuple(compare.chosen_counts(counts, _best(sweep, thetas, counts), largest=largest))
    rows = {OWN: tuple(_own_step(sweep, theta, k in tried or theta == here) for theta, k in zip(thetas, counts))}
    starts = _Starts(sweep, thetas, counts)
    rules = {}
    for entry in compare.entries():
        variants = [starts.variant(entry, i) if k > 1 or not entry.told else None for i, k in enumerate(counts)]
        rows[entry] = tuple(_cell_step(sweep, entry, v, k in tried) for v, k in zip(variants, counts))
        rules[entry] = next((starts.words(entry, variant) for variant in variants if variant is not None), "")
    return Others(sweep, data.unit, frames, tried, rows, thetas.index(here), rules)


class _Starts:
    """With which parameters methods run at each θ."""

    def __init__(self, sweep: ShownSweep, thetas: Sequence[float], counts: Sequence[int]) -> None:
        self.sweep, self.thetas, self.counts = sweep, thetas, counts
        points = sweep.sample
        usual = store.MEASURED.get_or_make(
            (points.key, "start"), lambda: compare.start_values(points.X, thetas[0], max(counts))
        )
        self.usual = replace(usual, shuffles=sweep.settings.shuffles)
        self.chains = sweep.settings.algorithm == "TNC"
        self.best = selection.theta_of_tdg(sweep.sweep, sweep.verdict) if sweep.sweep.best else thetas[-1]

    def variant(self, entry: Entry, at: int) -> compare.Variant:
        k = max(self.counts[at], 1)
        theta = self.thetas[self.counts.index(self.counts[at])] if entry.told else self._theta(entry, at)
        few = self.usual.enough_places or k < self.usual.k
        start = replace(self.usual, theta=theta, epsilon=1.5 * theta, k=k, enough_places=few)
        found = entry.variant(start, self.sweep.sample.X.shape, self.sweep.sample.metric)
        if entry.method == "tnc":
            chains = answers.chain_suggestion(self.sweep.sample, self.sweep.settings)  # by distance, as the paper's
            lengths = {"theta": chains.theta, "epsilon": chains.epsilon}
            found = replace(found, parameters=tuple(sorted({**dict(found.parameters), **lengths}.items())))
        return found

    def _theta(self, entry: Entry, at: int) -> float:
        """The person's θ; TNC's is for small clusters, so beside it and for TDG's own rule it is TDG's best."""
        return self.best if self.chains or entry.method == "tdg" else self.thetas[at]

    def words(self, entry: Entry, variant: compare.Variant) -> str:
        said = entry.rule(variant)
        return said.replace("your θ", "TDG's best θ") if self.chains else said


def _best(sweep: ShownSweep, thetas: Sequence[float], counts: Sequence[int]) -> list[int]:
    """K where the page opens, and for TDG those of its best ranges."""
    here = [counts[thetas.index(sweep.start)]] if sweep.start in sweep.points else []
    if sweep.settings.algorithm != "TDG":
        return here
    wide = [row["n_clusters"] for row in sweep.sweep.ranked if row["theta_high"] > row["theta_low"]]
    return [*here, *map(int, wide[:_BEST])]


def _scores(sweep: ShownSweep) -> list[str]:
    return metrics.shown_in("table", sweep.sample.truth is not None)


def _step(sweep: ShownSweep, variant: compare.Variant, scores: tuple[str, ...]) -> Step | str:
    if variant.left_out:
        return _LEFT_OUT
    return Step("", sweep.sample.key, sweep.settings.seed, variant, shuffle=False, scores=scores)


def _cell_step(sweep: ShownSweep, entry: Entry, variant: compare.Variant | None, tried: bool) -> Step | str:
    if variant is None:
        return _ONE_CLUSTER
    if entry in _CURVES and not tried:
        return _NOT_TRIED
    return _step(sweep, variant, tuple(_scores(sweep)))


def _own_step(sweep: ShownSweep, theta: float, tried: bool) -> Step | str:
    """What takes the time of the sweep's own algorithm at θ."""
    if not tried:
        return _NOT_TRIED
    settings, points = sweep.settings, sweep.sample
    parameters: dict[str, Any] = {"theta": theta}
    if settings.algorithm != "TSG":
        parameters["shuffles"] = settings.shuffles
    if settings.algorithm == "TNC":
        parameters["epsilon"] = answers.epsilon_of(points, settings, sweep.points[theta])
    if settings.density is not None:
        parameters["density"] = settings.density
    variant = compare.Variant.of(settings.algorithm.lower(), metric=points.metric, **parameters)
    return _step(sweep, variant, ())


# ---- what is sent ---------------------------------------------------------------------------------------------------


def sent(others: Others, *, computing: bool) -> dict:
    """What the browser draws: curves with gaps, why there are gaps, whether what is missing is to be computed."""
    known = peers.known(others.steps)
    over = peers.spent(known.values()) > peers.MOST_SECONDS
    going = computing and not over and len(known) < len(others.steps)
    wanted = dict.fromkeys(others.steps, NOT_YET if going else _STOPPED)
    sample, axis = others.sweep.sample, axis_of(others.sweep, others.unit)
    curves = metrics.shown_in("curve", sample.truth is not None)
    return {
        "thetas": [frame.frame.value for frame in others.frames],
        "counts": [frame.k for frame in others.frames],
        "axis": vars(axis),
        "here": others.here,
        "measures": [
            *({"id": n, "label": metrics.SCORES[n].label, "curve": n in curves} for n in _scores(others.sweep)),
            _TIME,
        ],
        "methods": [_method(others, entry, known, wanted) for entry in others.rows],
        "going": going,
        "every": peers.pace(),
        "status": _status(others, len(known), over, computing),
    }


_TIME = {"id": "seconds", "label": "Time (s)", "curve": True}


def _method(others: Others, entry: Entry, known: dict[Step, dict], wanted: dict[Step, str]) -> dict:
    settings = others.sweep.settings
    cells = [_cell(step, known, wanted) for step in others.rows[entry]]
    scores = _scores(others.sweep)
    values = {name: [_number(row.get(name)) for row, _ in cells] for name in (*scores, "seconds")}
    counts = [_count(row) for row, _ in cells]
    curve = entry == OWN or entry in _CURVES
    method, label, rule = entry.method, entry.method and entry.label, others.rules.get(entry, "")
    if entry == OWN:
        values |= {name: [_number(frame.scores.get(name)) for frame in others.frames] for name in scores}
        counts = [frame.k for frame in others.frames]
        method = settings.algorithm.lower()
        shuffles = "" if method == "tsg" else f" × {settings.shuffles}"
        label, rule = f"{settings.algorithm}{shuffles}", "yours"
    return {
        "id": method.replace("+", "p") + ("" if curve else "-told" if entry.told else "-own"),
        "label": label,
        "rule": rule,
        "colour": method_colour(method),
        "curve": curve,
        "values": {"k": counts, **values},
        "why": [why for _, why in cells],
    }


def _cell(step: Step | str, known: dict[Step, dict], wanted: dict[Step, str]) -> tuple[dict, str]:
    """(row, "") where a step has been measured, else an empty row and why."""
    if isinstance(step, str):
        return {}, step
    row = known.get(step)
    if row is None:
        return {}, wanted.get(step, _ON_RELEASE)
    return row, "" if row["seconds"] is not None else row["note"] or _FAILED


def _count(row: dict) -> int | None:
    """K without groups of outliers, which no page counts."""
    return None if row.get("n_clusters") is None else int(row["n_clusters"]) - int(row["outliers"] or 0)


def _number(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else float(value)


def _status(others: Others, done: int, over: bool, computing: bool) -> str:
    """How far it has come, and what is left out, in words."""
    total = len(others.steps)
    said = [f"{done:,} of {total:,} values" if done < total else f"All {total:,} values computed"]
    if over and done < total:
        said.append(f"stopped after {peers.MOST_SECONDS:.0f} s of processor time")
    elif done < total and not computing:
        said.append("stopped")
    elif done < total and peers.waits(scheduled.asker()):
        said.append("waiting for another visitor's")
    if others.not_tried:
        said.append(_bound(others))
    if not others.sweep.sample.whole:
        said.append(f"on {others.sweep.sample.sentence}")
    return " · ".join(said)


def _bound(others: Others) -> str:
    """Which K are tried, where it is not all."""
    largest, passed = compare.largest_count(len(others.sweep.sample.X)), others.not_tried
    if passed[0] > largest:
        return f"K tested up to {largest:,}"
    of = len(others.tried) + len(passed)
    return f"{len(others.tried)} of {of} different K tested (up to {largest:,}), those of the best ranges first"


def what_is_told() -> str:
    """With which parameters the methods run, in words."""
    return (
        "K does not count outlier groups. K-Means, K-Means++ and FAISS keep the best of 3 runs, mini-batch K-Means "
        f"runs once; BIRCH with your K merges a tree whose threshold is half of θ. {compare.TIME}"
    )


def table_of(content: dict) -> pd.DataFrame:
    """What is `sent` as a table at the θ one stands on: method, rule, theta, k, the scores, seconds, note."""
    at = content["here"]
    return pd.DataFrame(
        {
            "method": method["label"],
            "rule": method["rule"],
            "theta": content["thetas"][at],
            **{name: values[at] for name, values in method["values"].items()},
            "note": method["why"][at],
        }
        for method in content["methods"]
    )
