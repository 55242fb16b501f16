"""The paper's θ-range figure, with its spacings and standard deviation to play with."""

from collections.abc import Callable, Hashable
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from theta_app import datasets, selection
from theta_app.figures import paper as figures
from theta_app.selection import Progress
from theta_app.ui import loading, scheduled, session, shell, store
from theta_app.ui.jobs import Task
from theta_app.ui.widgets import charts, controls
from theta_app.ui.widgets.progress import bar
from theta_app.ui.widgets.words import short

_SPACINGS = (11.0, 7.5, 5.0)
_SIDE, _PER_CLUSTER = 5, 100


@shell.fragment
def show() -> None:
    """The figure, and what the paper says of it."""
    st.header("The range of θ shrinks as clusters close in", anchor=False)
    st.markdown(
        "The paper's experiment: 25 normal clusters of 100 points on a grid, TDG at every θ. The dark orange part is "
        "the range of θ that finds all 25; bring the clusters closer, or let them spread, and see it shrink."
    )
    settings = session.settings()
    with st.container(horizontal=True, gap="small"):
        spacings = [_number(f"Spacing {i}", f"spacing_{i}", s, 1.0, 50.0) for i, s in enumerate(_SPACINGS, start=1)]
        sd = _number("Standard deviation", "spacing_sd", 1.0, 0.1, 10.0)
    session.write_url()  # a fragment runs without the frame, which does this for a page
    curves = _curves(spacings, sd, settings)
    table = selection.spacing_table(curves)
    alt = "Number of clusters against θ for each spacing; " + "; ".join(_sentence(row) for row in table.itertuples())
    rows = pd.concat([curve.table for curve in curves])
    charts.show(figures.spacing_figure(curves), "spacing", name="theta-range-spacing", alt=alt, table=rows)
    st.caption(
        " ".join(f"{_sentence(row)}." for row in table.itertuples())
        + " The paper: “optimal ranges are larger the sparser the problem is”."
    )


def _number(label: str, name: str, default: float, low: float, high: float) -> float:
    bound = controls.option(name, default)
    key = bound["key"]
    st.session_state[key] = float(np.clip(st.session_state[key], low, high))  # a link may say anything
    return st.number_input(label, low, high, step=0.5, width=150, **bound)


def _sentence(row: Any) -> str:
    if np.isnan(row.theta_low):
        return f"{row.spacing:g} apart: no θ tried finds 25 clusters"
    return f"{row.spacing:g} apart: 25 clusters from θ = {short(row.theta_low)} to {short(row.theta_high)}"


def _curves(spacings: list[float], sd: float, settings: session.Settings) -> list[selection.SpacingCurve]:
    thetas = np.linspace(sd, max(1.2 * max(spacings), 4 * sd), 64)

    def curve(spacing: float) -> tuple[Hashable, Callable]:
        spec = datasets.GridBlobs(side=_SIDE, spacing=spacing, per_cluster=_PER_CLUSTER, sd=sd)
        data = loading.dataset(spec, datasets.Preparation())

        def work(report: Progress, cancel: Task) -> selection.SpacingCurve:
            options = (settings.shuffles, settings.seed, report, cancel)
            return selection.spacing_curve(data.X, _SIDE**2, spacing, thetas, *options)

        return (data.digest, "spacing", thetas.tobytes(), settings.shuffles, settings.seed), work

    with bar("Running TDG at every θ") as tick:
        return scheduled.run_all(map(curve, spacings), tick, store.MEASURED)
