"""From a sweep to the curves of other methods beside it: what each reaches when it is told the K of each θ."""

import math
from dataclasses import dataclass

from theta_app import compare, datasets, metrics
from theta_app.compare.steps import Step
from theta_app.figures.compare import method_colour
from theta_app.ui import background, cache
from theta_app.ui.timeline.of_theta import ShownSweep, ThetaFrame

NOT_YET = "not yet"
_SCORES = ("nmi", "silhouette")
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

    @property
    def steps(self) -> tuple[Step, ...]:
        """In the order they are measured: K by K, at each the methods that are told, then the sweep's own time."""
        own, *told = self.rows.values()
        found: dict[Step, None] = {}
        for k in self.tried:
            at = [i for i, frame in enumerate(self.frames) if frame.standing == k]
            for row in (*told, own):
                found |= dict.fromkeys(row[i] for i in at if isinstance(row[i], Step))
        return tuple(found)

    @property
    def points(self) -> tuple:
        """As the background takes them."""
        sample = self.sweep.sample
        return sample.key, sample.X, sample.truth, sample.metric

    @property
    def different(self) -> int:
        """How many K there are that could be tried."""
        return len({frame.standing for frame in self.frames if frame.standing >= 2})


def others_of(sweep: ShownSweep, data: datasets.Dataset) -> Others:
    """The curves of a sweep that is complete."""
    thetas = sorted(sweep.points)
    frames = tuple(sweep.frame_at(theta, data.unit) for theta in thetas)
    counts = [frame.standing for frame in frames]
    tried = tuple(compare.chosen_counts(counts, _best(sweep, thetas, counts)))
    rows = {_own(sweep): tuple(_own_step(sweep, theta, k in tried) for theta, k in zip(thetas, counts))}
    told = {k: _told_steps(sweep, k, thetas[counts.index(k)]) for k in tried}
    missing = dict.fromkeys(compare.TOLD_K, _NOT_TRIED)
    for method in compare.TOLD_K:
        rows[method] = tuple(told.get(k, missing)[method] if k > 1 else _ONE_CLUSTER for k in counts)
    return Others(sweep, data.unit, frames, tried, rows)


def _own(sweep: ShownSweep) -> str:
    return sweep.settings.algorithm.lower()


def _best(sweep: ShownSweep, thetas, counts) -> list[int]:
    """K where the page opens, and for TDG those of its ranges, best first."""
    ranges = sweep.sweep.ranges["n_clusters"].tolist() if sweep.settings.algorithm == "TDG" else []
    return [counts[thetas.index(sweep.start)], *map(int, ranges)] if sweep.start in sweep.points else ranges


def _step(sweep: ShownSweep, variant: compare.Variant, scores: tuple[str, ...]) -> Step | str:
    if variant.left_out:
        return _LEFT_OUT
    return Step("", sweep.sample.key, sweep.settings.seed, variant, shuffle=False, scores=scores)


def _told_steps(sweep: ShownSweep, k: int, theta: float) -> dict[str, Step | str]:
    known = sweep.sample.truth is not None
    scores = tuple(name for name in _SCORES if known or not metrics.METRICS[name].needs_truth)
    variants = compare.variants_told(k, theta, sweep.sample.X.shape)
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
        parameters["epsilon"] = cache.epsilon_of(points, settings, sweep.points[theta])
    return _step(sweep, compare.Variant.of(_own(sweep), norm=points.norm, **parameters), ())


# ---- what is sent ---------------------------------------------------------------------------------------------------


def sent(others: Others, *, computing: bool) -> dict:
    """What the browser draws: curves with a gap where there is no value, and why there is none.

    computing : bool
        Whether the person wants what is missing to be measured.
    """
    known = background.known(others.steps)
    over = background.spent(known.values()) > background.MOST_SECONDS
    going = computing and not over and len(known) < len(others.steps)
    later = NOT_YET if going else _STOPPED
    sample, axis = others.sweep.sample, cache.theta_axis(others.sweep.sample, others.sweep.settings)
    thetas = [frame.frame.value for frame in others.frames]
    swept = [theta for theta in [*thetas, *axis] if theta > 0]
    measures = [name for name in _SCORES if sample.truth is not None or not metrics.METRICS[name].needs_truth]
    return {
        "thetas": thetas,
        "counts": [frame.standing for frame in others.frames],
        "axis": {"low": float(min(swept)), "high": float(max(swept)), "scale": "log", "label": "θ"},
        "unit": others.unit,
        "measures": [*({"id": name, "label": metrics.METRICS[name].label} for name in measures), _TIME],
        "methods": [_method(others, method, known, later) for method in others.rows],
        "going": going,
        "status": _status(others, len(known), over, computing),
    }


_TIME = {"id": "seconds", "label": "Processor time (s)"}


def _method(others: Others, method: str, known: dict[Step, dict], later: str) -> dict:
    own = method == _own(others.sweep)
    cells = [_cell(step, known, later) for step in others.rows[method]]
    values = {name: [_number(row.get(name)) for row, _ in cells] for name in (*_SCORES, "seconds")}
    if own:
        values |= {name: [_number(frame.scores.get(name)) for frame in others.frames] for name in _SCORES}
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
        said.append(f"stopped after {background.MOST_SECONDS:.0f} s of processor time")
    elif done < total and not computing:
        said.append("stopped")
    elif done < total and background.BACKGROUND.waits(others.steps):
        said.append("waiting for another visitor's")
    if len(others.tried) < others.different:
        said.append(f"{len(others.tried)} of {others.different} different K are tried, those of the best ranges first")
    if not others.sweep.sample.whole:
        said.append(f"on {others.sweep.sample.sentence}")
    return " · ".join(said)


def what_is_told(others: Others) -> str:
    """With which parameters the methods run, as a sentence."""
    return (
        "Each method is told the K that stands at θ (strays aside) and runs once per K: K-Means++ and mini-batch keep "
        "the best of 3 starts, BIRCH merges a tree with the threshold θ / 2, of the smallest θ with that K, to K. "
        f"{compare.TIME}"
    )
