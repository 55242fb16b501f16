"""From a sweep to the curves of other methods beside it: what each reaches when it is told the K of each θ."""

import math
from dataclasses import dataclass
from functools import cached_property

from theta_app import compare, datasets, metrics
from theta_app.compare.steps import Step
from theta_app.figures.compare import method_colour
from theta_app.ui import answers, peers, scheduled
from theta_app.ui.timeline.of_theta import ShownSweep, ThetaFrame, axis_of, theta_frame

NOT_YET = "not yet"
_BEST = 8  # ranges whose K come first
_ONE_CLUSTER, _NOT_TRIED, _LEFT_OUT, _FAILED, _STOPPED = "one cluster", "not tried", "left out", "no result", "not run"


@dataclass(frozen=True, eq=False)
class Others:
    """What is to be measured for the curves.

    sweep : ShownSweep
    frames : tuple of ThetaFrame
        At each swept θ, ascending.
    tried : tuple of int
        The K that are tried, those that matter most first.
    rows : dict of method -> tuple of Step, str
        At each θ the step that gives the method's value, or in two words why there is none. The first method is the
        one the sweep is of, of which only the time is measured: the sweep has its scores.
    """

    sweep: ShownSweep
    unit: str
    frames: tuple[ThetaFrame, ...]
    tried: tuple[int, ...]
    rows: dict[str, tuple[Step | str, ...]]

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """In the order they are measured: K by K, at each the methods that are told, then the sweep's own time."""
        own, *told = self.rows.values()
        found: dict[Step, None] = {}
        for k in self.tried:
            at = [i for i, frame in enumerate(self.frames) if frame.k == k]
            for row in (*told, own):
                found |= dict.fromkeys(row[i] for i in at if isinstance(row[i], Step))
        return tuple(found)

    @property
    def points(self) -> tuple:
        """As `peers` takes them."""
        sample = self.sweep.sample
        return sample.key, sample.X, sample.truth, sample.metric

    @property
    def not_tried(self) -> list[int]:
        """The K of the sweep, 2 or more, that are passed over."""
        return sorted({frame.k for frame in self.frames if frame.k >= 2} - set(self.tried))


def others_of(sweep: ShownSweep, data: datasets.Dataset) -> Others:
    """The curves of a sweep that is complete."""
    thetas = sorted(sweep.points)
    look = (sweep.settings, data.unit, sweep.look)
    frames = tuple(theta_frame(sweep.sample, sweep.points[theta], *look) for theta in thetas)
    counts = [frame.k for frame in frames]
    largest = compare.largest_count(len(sweep.sample.X))
    tried = tuple(compare.chosen_counts(counts, _best(sweep, thetas, counts), largest=largest))
    rows = {_own(sweep): tuple(_own_step(sweep, theta, k in tried) for theta, k in zip(thetas, counts))}
    told = {k: _told_steps(sweep, k, thetas[counts.index(k)]) for k in tried}
    missing = dict.fromkeys(compare.FIXED_K, _NOT_TRIED)
    for method in compare.FIXED_K:
        rows[method] = tuple(told.get(k, missing)[method] if k > 1 else _ONE_CLUSTER for k in counts)
    return Others(sweep, data.unit, frames, tried, rows)


def _own(sweep: ShownSweep) -> str:
    return sweep.settings.algorithm.lower()


def _best(sweep: ShownSweep, thetas, counts) -> list[int]:
    """K where the page opens, and for TDG those of its best ranges."""
    here = [counts[thetas.index(sweep.start)]] if sweep.start in sweep.points else []
    if sweep.settings.algorithm != "TDG":
        return here
    wide = [row["n_clusters"] for row in sweep.sweep.ranked if row["theta_high"] > row["theta_low"]]
    return [*here, *map(int, wide[:_BEST])]


def _step(sweep: ShownSweep, variant: compare.Variant, scores: tuple[str, ...]) -> Step | str:
    if variant.left_out:
        return _LEFT_OUT
    return Step("", sweep.sample.key, sweep.settings.seed, variant, shuffle=False, scores=scores)


def _told_steps(sweep: ShownSweep, k: int, theta: float) -> dict[str, Step | str]:
    known = sweep.sample.truth is not None
    scores = tuple(metrics.shown_in("curve", known))
    variants = compare.fixed_k_variants(k, theta, sweep.sample.X.shape)
    return {method: _step(sweep, variant, scores) for method, variant in variants.items()}


def _own_step(sweep: ShownSweep, theta: float, tried: bool) -> Step | str:
    """What takes the time of the sweep's own algorithm at θ."""
    if not tried:
        return _NOT_TRIED
    settings, points = sweep.settings, sweep.sample
    parameters = {"theta": theta}
    if settings.algorithm != "TSG":
        parameters["shuffles"] = settings.shuffles
    if settings.algorithm == "TNC":
        parameters["epsilon"] = answers.epsilon_of(points, settings, sweep.points[theta])
    return _step(sweep, compare.Variant.of(_own(sweep), metric=points.metric, **parameters), ())


# ---- what is sent ---------------------------------------------------------------------------------------------------


def sent(others: Others, *, computing: bool) -> dict:
    """What the browser draws: curves with a gap where there is no value, and why there is none.

    computing : bool
        Whether the person wants what is missing to be measured.
    """
    known = peers.known(others.steps)
    over = peers.spent(known.values()) > peers.MOST_SECONDS
    going = computing and not over and len(known) < len(others.steps)
    later = NOT_YET if going else _STOPPED
    sample, axis = others.sweep.sample, axis_of(others.sweep, others.unit)
    measures = metrics.shown_in("curve", sample.truth is not None)
    return {
        "thetas": [frame.frame.value for frame in others.frames],
        "counts": [frame.k for frame in others.frames],
        "axis": vars(axis),
        "measures": [*({"id": name, "label": metrics.SCORES[name].label} for name in measures), _TIME],
        "methods": [_method(others, method, known, later) for method in others.rows],
        "going": going,
        "every": peers.pace(),
        "status": _status(others, len(known), over, computing),
    }


_TIME = {"id": "seconds", "label": "Processor time (s)"}


def _method(others: Others, method: str, known: dict[Step, dict], later: str) -> dict:
    own = method == _own(others.sweep)
    cells = [_cell(step, known, later) for step in others.rows[method]]
    scores = metrics.shown_in("curve", others.sweep.sample.truth is not None)
    values = {name: [_number(row.get(name)) for row, _ in cells] for name in (*scores, "seconds")}
    if own:
        values |= {name: [_number(frame.scores.get(name)) for frame in others.frames] for name in scores}
    label = compare.METHODS[method].label
    shuffles = f" × {others.sweep.settings.shuffles}" if own and method != "tsg" else ""
    return {
        "id": method.replace("+", "p"),
        "label": f"{label}{shuffles}",
        "colour": method_colour(method),
        "values": values,
        "why": [why for _, why in cells],
    }


def _cell(step: Step | str, known: dict[Step, dict], later: str) -> tuple[dict, str]:
    """(row, "") where a step has been measured, else an empty row and why."""
    if isinstance(step, str):
        return {}, step
    row = known.get(step)
    if row is None:
        return {}, later
    return row, "" if row["seconds"] is not None else _FAILED


def _number(value) -> float | None:
    return None if value is None or not math.isfinite(value) else float(value)


def _status(others: Others, done: int, over: bool, computing: bool) -> str:
    """How far it has come, and what is left out, in words."""
    total = len(others.steps)
    said = [f"{done:,} of {total:,} values" if done < total else f"All {total:,} values are there"]
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
        return f"K up to {largest:,} are tried"
    of = len(others.tried) + len(passed)
    return f"{len(others.tried)} of {of} different K are tried (up to {largest:,}), those of the best ranges first"


def what_is_told() -> str:
    """With which parameters the methods run, in words."""
    return (
        "Drag θ on the track or on these curves. Each method uses the K at θ (outliers aside) and runs "
        "once per K: K-Means++ keeps the best of 3 runs, mini-batch runs from the best of 3 starts, BIRCH merges a "
        f"tree with the threshold θ / 2, of the smallest θ with that K, to K. {compare.TIME}"
    )
