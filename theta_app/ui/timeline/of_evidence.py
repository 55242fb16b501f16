"""From a sweep to what the page Evidence draws under the track: curves with their ranges, sizes, and the two maps."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from theta_app import datasets, selection
from theta_app.clustering import Clustering
from theta_app.figures.palette import COLOURS, GOOD, MUTED, rgba
from theta_app.figures.style import scale_colours
from theta_app.ui.timeline.frames import Axis
from theta_app.ui.timeline.of_theta import ShownSweep, ThetaFrame, axis_of, stretches
from theta_app.ui.widgets.words import count

_MOST_BARS = 400  # sizes that are sent per θ, the largest first
_SHADES = 24  # of a map


def evidence(shown: ShownSweep, data: datasets.Dataset, keep: dict | None, maps: list[dict]) -> dict:
    """What the browser draws of `keeping`, `shuffle_maps` and `chain_map`; None where nothing can be kept."""
    frames = [shown.frame_at(theta, data.unit) for theta in shown.points]
    drops = [selection.size_drop(found.frame.sizes) for found in frames]
    steady = selection.steady_ranges(selection.drops_over_theta(shown.points.values()))
    return {
        "axis": axis_sent(axis_of(shown, data.unit)),
        "values": list(shown.points),
        "curves": _curves(shown, frames, drops),
        "ranges": _ranges(shown, frames),
        "sizes": [drop.sizes[:_MOST_BARS].tolist() for drop in drops],
        "elbows": [_elbow(drop) for drop in drops],
        "steady": _steady(steady) if shown.settings.algorithm == "TDG" else [],
        "keep": keep,
        "maps": maps,
        "of_shuffles": shown.settings.algorithm == "TDG",  # whether K over θ x shuffles is the curve's
        "good": GOOD,
        "muted": MUTED,
    }


def axis_sent(axis: Axis) -> dict:
    """An axis as the browser takes it."""
    return {**vars(axis), "label": axis.label, "scale": axis.scale if axis.low > 0 else "linear"}


def numbers(values: Iterable[float]) -> list:
    """Numbers for JSON, which has no NaN."""
    return [float(v) if math.isfinite(v) else None for v in values]


# ---- curves and ranges ----------------------------------------------------------------------------------------------


def _curves(shown: ShownSweep, frames: list[ThetaFrame], drops: Sequence[selection.SizeDrop]) -> list[dict]:
    rows = [point.row for point in shown.points.values()]
    limits = {}
    if shown.settings.algorithm == "TDG":  # what single passes give
        limits = {end: numbers(row[f"runs_{end}"] for row in rows) for end in ("low", "high")}
    curves = [
        _curve("k", "K", "k", COLOURS[0], [found.k for found in frames], **limits),
        _curve("elbow", "K by the size elbow", "k", COLOURS[1], [drop.suggested for drop in drops], [2, 3]),
        _curve("agreement", "Order agreement", "unit", COLOURS[3], [row["agreement"] for row in rows]),
        _curve("silhouette", "Silhouette", "unit", COLOURS[2], _scores(frames, "silhouette"), [5, 3]),
    ]
    if shown.sample.truth is not None:
        curves.append(_curve("nmi", "NMI", "unit", COLOURS[4], _scores(frames, "nmi"), [2, 2]))
    return curves


def _curve(
    id: str, label: str, panel: str, colour: str, values: Iterable[float], dash: Sequence[int] = (), **limits: list
) -> dict:
    values = numbers(values)
    return {"id": id, "label": label, "panel": panel, "colour": colour, "values": values, "dash": list(dash), **limits}


def _scores(frames: list[ThetaFrame], name: str) -> list[float]:
    return [found.scores.get(name, math.nan) for found in frames]


def _ranges(shown: ShownSweep, frames: list[ThetaFrame]) -> list[dict]:
    """The ranges best first: TDG's as the verdict sees them, of another algorithm the widest."""
    verdict = shown.verdict
    if shown.settings.algorithm == "TDG":
        return [_range_of_tdg(r, verdict) for r in selection.ranges_by(shown.sweep, verdict).itertuples()]
    found = stretches(list(shown.points), [one.k for one in frames])
    own = verdict.algorithm == shown.settings.algorithm
    ranges = [_range(r.low, r.high, r.middle, r.k, own and r.low <= shown.start <= r.high) for r in found]
    return sorted(ranges, key=lambda r: (not r["recommended"], -r["width"]))


def _range_of_tdg(r: Any, verdict: selection.Verdict) -> dict:
    # the verdict has looked at its own θ with all shuffles, the sweep with as many as seemed enough
    own = verdict.algorithm == "TDG" and r.theta == verdict.theta
    agreement, silhouette = numbers([r.agreement, r.silhouette])
    return {
        **_range(r.theta_low, r.theta_high, r.theta, verdict.n_clusters if own else r.n_clusters, r.recommended),
        "agreement": agreement,
        "silhouette": silhouette,
        "separate": bool(r.separate),
    }


def _range(low: float, high: float, middle: float, k: int, recommended: bool = False) -> dict:
    width = float(selection.log_width(low, high)) if low > 0 else 0.0
    return {
        "low": float(low),
        "high": float(high),
        "middle": float(middle),
        "k": int(k),
        "width": width,
        "recommended": bool(recommended),
    }


# ---- sizes ----------------------------------------------------------------------------------------------------------


def _elbow(drop: selection.SizeDrop) -> dict:
    return {"after": drop.suggested if drop.notable else None, "of": len(drop.sizes), "text": size_sentence(drop)}


def size_sentence(drop: selection.SizeDrop) -> str:
    """What the sizes say, in a sentence."""
    total = len(drop.sizes)
    if total == 1:
        return "One cluster holds everything: lower θ to compare sizes."
    if not drop.notable:
        return f"No size elbow: the sizes are alike or fall gradually. Keep all {total:,} clusters."
    large, small = (sizes.mean() for sizes in np.split(drop.sizes, [drop.suggested]))
    return (
        f"{drop.suggested:,} of {count(total, 'cluster')} {'is' if drop.suggested == 1 else 'are'} large: "
        f"{_points(large)} on average, the others {_points(small)}."
    )


def _points(mean: float) -> str:
    return f"{mean:,.0f} points" if mean >= 10 else f"{mean:.1f}".removesuffix(".0") + " points"


def _steady(steady: pd.DataFrame) -> list[dict]:
    return [_range(r.theta_low, r.theta_high, r.theta, r.suggested) for r in steady.itertuples()]


def keeping(kept: Clustering, drop: selection.SizeDrop, scores: pd.DataFrame, support: str) -> dict:
    """How many of the largest clusters are kept at the θ one stands on, the scores then, and how sure the elbow is."""
    return {
        "theta": kept.theta,
        "k": kept.keep,
        "suggested": drop.suggested,
        "total": len(drop.sizes),
        "scores": {"columns": list(scores.columns), "rows": [list(row) for row in scores.itertuples(index=False)]},
        "support": support,
    }


# ---- maps -----------------------------------------------------------------------------------------------------------


def shuffle_maps(found: selection.ShuffleMap, axis: dict) -> list[dict]:
    """K and order agreement over θ and numbers of shuffles."""
    clusters = np.maximum(found.n_clusters, 1)
    share = np.log(clusters) / max(math.log(clusters.max(initial=1)), 1e-9)
    shared = {
        "axis": axis,
        "thetas": found.thetas.tolist(),
        "rows": found.counts.tolist(),
        "row_label": "shuffles",
        "colours": list(scale_colours(_SHADES)),
    }
    most = int(clusters.max(initial=1))
    return [
        {
            **shared,
            **_cells("shuffles", "K", found.n_clusters, share),
            "ends": ["K = 1", f"{most:,}"],
            "line": np.searchsorted(found.counts, found.steady_from).tolist(),  # K holds from this row on
        },
        {
            **shared,
            **_cells("orders", "Order agreement", found.agreement, 1 - np.clip(found.agreement, 0, 1)),
            "ends": ["1", "0"],
        },
    ]


def _cells(id: str, title: str, values: np.ndarray, share: np.ndarray) -> dict:
    codes = np.rint(np.nan_to_num(share) * (_SHADES - 1)).astype(int)
    return {"id": id, "title": title, "values": [numbers(row) for row in values], "codes": codes.tolist()}


def chain_map(
    found: selection.ChainMap, suggested: selection.Suggestion, here: tuple[float, float] | None, unit: str
) -> dict | None:
    """The number of chains over θ and ε; None where no small θ was tried."""
    if len(found.thetas) == 0:
        return None
    named = found.named(suggested.n_chains if len(suggested.tried) else None)
    codes = np.where(np.isfinite(found.counts), 0, -1)
    for code, k in enumerate(named, start=1):
        codes[found.chained & (found.counts == k)] = code
    hues = [rgba(MUTED, 0.55) if k == 1 else COLOURS[i % len(COLOURS)] for i, k in enumerate(named, start=-1)]
    bar = [suggested.theta, suggested.epsilon, suggested.epsilon_low, suggested.epsilon_high]
    low, high = float(found.thetas[0]), float(found.thetas[-1])
    return {
        "id": "chains",
        "title": "Chains",
        "axis": {"id": "theta", "low": low, "high": high, "scale": "log", "unit": unit},
        "thetas": found.thetas.tolist(),
        "rows": found.epsilons.tolist(),
        "row_label": "ε",
        "colours": [rgba(MUTED, 0.12), *hues],
        "names": ["other", *map(str, named)],
        "values": [numbers(row) for row in found.counts],
        "codes": codes.tolist(),
        "bar": bar if len(suggested.tried) and all(map(math.isfinite, bar)) else None,
        "here": here,
    }
