"""Methods run on the current points, and the table that shows what they found."""

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
import streamlit as st

from theta_app import compare, metrics, selection
from theta_app.ui import answers, scheduled, store, sweeps
from theta_app.ui.session import Settings


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
        tell = lambda *_, label=variant.label: between(label)  # noqa: E731
        key = (points.key, scored.key, "measured", variant, seed)
        ran = None if store.MEASURED.get(key) else _at_hand(points, variant, seed, tell)
        found.append(scheduled.run(key, _work(points, scored, variant, seed, ran), tell, store.MEASURED))
    return found


def _at_hand(points, variant, seed, tell):
    """(Outcome, processor time) of TSG, TDG and TNC: what the page shows of them is not run a second time."""
    if compare.METHODS[variant.method].group != compare.OURS or variant.keep is not None:
        return None
    parameters = dict(variant.parameters)
    theta, settings = parameters["theta"], Settings(shuffles=parameters.get("shuffles", 1), seed=seed)
    if variant.method == "tsg":
        result = sweeps.tsg_result(points, theta)
        return compare.outcome_of(result), result.seconds
    if variant.method == "tdg":
        result = sweeps.theta_point(points, theta, settings, tell).tdg
        return compare.outcome_of(result), result.seconds
    chaining = answers.chaining(points, theta, settings, tell)
    return compare.outcome_of(chaining.at(parameters["epsilon"])), chaining.seconds


def _work(points, scored, variant, seed, ran):
    sample = sweeps.silhouette_points(scored)
    everything = scored is not points and compare.METHODS[variant.method].group == compare.OURS
    X, truth = (points.X, points.truth) if everything else (scored.X, scored.truth)
    rows = np.searchsorted(points.rows, scored.rows) if everything else None
    scores = metrics.shown_in("table", truth is not None)

    def work(report, cancel):
        return compare.measure(variant, X, seed, truth, rows=rows, scores=scores, sample=sample, ran=ran)

    return work


def table(found: Sequence[compare.Measurement], known: bool, parameters: bool = False) -> pd.DataFrame:
    """One row per method: K and outliers, scores (those against the truth where ``known``), time, parameters, note."""
    columns = {
        "Method": [m.label for m in found],
        "K": [None if m.failed else m.n_clusters - m.outliers for m in found],
        "Outlier groups": [None if m.failed else m.outliers for m in found],
        **{metrics.SCORES[name].label: [m.scores[name] for m in found] for name in metrics.shown_in("table", known)},
        "Time (ms)": [1000 * m.seconds for m in found],
        **({"Parameters": [m.parameters for m in found]} if parameters else {}),
        "Note": [m.note for m in found],
    }
    return pd.DataFrame(
        {name: values for name, values in columns.items() if name not in ("Outlier groups", "Note") or any(values)}
    )


def show(frame: pd.DataFrame, slot=st, **options) -> None:
    """Draw a :func:`table`."""
    number = st.column_config.NumberColumn
    config = {score.label: number(format="%.3f", help=score.help) for score in metrics.SCORES.values()}
    config["Outlier groups"] = number(help="Groups of a few points far from all others; K does not count them.")
    config["Time (ms)"] = number(format="%.1f", help=compare.TIME)
    slot.dataframe(frame, hide_index=True, column_config=config, **options)
