"""Methods run on the current points, and the table that shows what they found."""

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
import streamlit as st

from theta_app import compare, metrics, selection
from theta_app.ui import cache, store


def measurements(
    points: selection.Sample,
    variants: Sequence[compare.Variant],
    seed: int,
    between: Callable[[str], None],
    part: selection.Sample | None = None,
) -> list[compare.Measurement]:
    """Each variant run on the points, timed and scored; kept.

    Parameters
    ----------
    points : Sample
    variants : sequence of Variant
    seed : int
    between : callable(label)
        Called before each run and several times a second during it; may raise to stop.
    part : Sample, optional
        Some of the points: the variants of other methods than ours run on these, and all are scored on them.
    """
    scored = part or points
    found = []
    for variant in variants:
        between(variant.label)
        key = (points.key, scored.key, "measured", variant, seed)
        work = _work(points, scored, variant, seed)
        found.append(cache.run(key, work, lambda *_, label=variant.label: between(label), store.MEASURED))
    return found


def _work(points, scored, variant, seed):
    sample = cache.silhouette_points(scored)
    everything = scored is not points and compare.METHODS[variant.method].group == compare.OURS
    X, truth = (points.X, points.truth) if everything else (scored.X, scored.truth)
    rows = np.searchsorted(points.rows, scored.rows) if everything else None
    scores = metrics.shown_in("table", truth is not None)

    def work(report, cancel):
        return compare.measure(variant, X, seed, truth, rows=rows, scores=scores, sample=sample)

    return work


def table(found: Sequence[compare.Measurement], known: bool, parameters: bool = False) -> pd.DataFrame:
    """One row per method: K and strays, scores (those against the truth where ``known``), time, parameters, note."""
    names = metrics.shown_in("table", known)
    frame = pd.DataFrame(
        {
            "Method": m.label,
            "K": None if m.failed else m.n_clusters - m.strays,
            "Outlier groups": None if m.failed else m.strays,
            **{metrics.SCORES[name].label: m.scores[name] for name in names},
            "Time (ms)": 1000 * m.seconds,
            **({"Parameters": m.parameters} if parameters else {}),
            "Note": m.note,
        }
        for m in found
    )
    return frame.drop(columns=[name for name in ("Outlier groups", "Note") if not frame[name].any()])


def show(frame: pd.DataFrame, slot=st, **options) -> None:
    """Draw a :func:`table`."""
    number = st.column_config.NumberColumn
    config = {score.label: number(format="%.3f", help=score.help) for score in metrics.SCORES.values()}
    config["Outlier groups"] = number(help="Groups of a few points far from all others; K does not count them.")
    config["Time (ms)"] = number(format="%.1f", help=compare.TIME)
    slot.dataframe(frame, hide_index=True, column_config=config, **options)
