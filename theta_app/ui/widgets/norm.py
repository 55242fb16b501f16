"""How distances are measured: the straight line, or another norm, whose θ-circles are diamonds, squares or between."""

import math

import streamlit as st

from theta_app import datasets
from theta_app.engine import Metric
from theta_app.ui import session
from theta_app.ui.widgets import controls, readiness

NORMS = (1.0, 1.1, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0, 6.0, 10.0, math.inf)


def choice(data: datasets.Dataset) -> None:
    """A button that says how distances are measured and opens the slider that changes it."""
    chosen = session.preparation().metric  # in a map the neighbours are found by it
    with st.popover(chosen.label, icon=":material/straighten:", type="tertiary"):
        slider(chosen)


def slider(metric: Metric) -> None:
    """The slider from diamonds over circles to squares, and what the place it stands at means."""
    st.select_slider(
        "Distance between two points: the norm p",
        sorted({*NORMS, metric.p}),
        format_func=lambda p: {1.0: "1 ◇", 2.0: "2 ○", math.inf: "∞ □"}.get(p, f"{p:g}"),
        help="The p-th root of the sum of the differences to the power p. 1 adds them up, 2 is the straight line, and "
        "the larger p is, the more the largest difference decides.",
        **controls.bound("norm", metric.p, _take),
    )
    st.caption(metric.help)


def _take(p: float) -> None:
    metric = Metric.of("minkowski", p)
    if metric != session.preparation().metric:
        readiness.take(metric=metric)
