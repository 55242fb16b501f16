"""How distances are measured: the straight line or another norm, kilometres on the globe, or angles."""

import math

import streamlit as st

from theta_app import datasets
from theta_app.engine import METRICS, Metric
from theta_app.ui import session
from theta_app.ui.widgets import controls, readiness

NORMS = (1.0, 1.1, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0, 6.0, 10.0, math.inf)
_BY_NORM = "norm"


def choice(data: datasets.Dataset) -> None:
    """A button that says how distances are measured and opens the controls that change it."""
    chosen = _in_use(data)
    with st.popover(chosen.label, icon=":material/straighten:", type="tertiary"):
        kinds(data)


def kinds(data: datasets.Dataset) -> None:
    """What there is to choose from for these points, with the slider of norms where it is one of those."""
    chosen = _in_use(data)
    offered = {_BY_NORM: "Differences of columns", "cosine": "Angles (cosine)"}
    if datasets.can_be_places(data) or chosen.radius is not None:
        offered["haversine"] = "Kilometres"
    if data.of_curves or chosen.of_curves:
        offered["mdf"] = "Curves"
    kind = _BY_NORM if chosen.of_columns else chosen.name
    st.segmented_control(
        "Distances are measured by",
        list(offered),
        format_func=offered.get,
        required=True,
        **controls.bound("metric", kind, _take_kind),
    )
    if kind == _BY_NORM:
        slider(chosen)
    else:
        st.caption(chosen.help)


def _in_use(data: datasets.Dataset) -> Metric:
    """Of the points; in a map of the columns it was made of, whose neighbours are found by it."""
    return data.metric if data.space is None else session.preparation().metric


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


def _take_kind(kind: str | None) -> None:
    if kind is not None:
        _use(METRICS["euclidean" if kind == _BY_NORM else kind])


def _take(p: float) -> None:
    _use(Metric.of("minkowski", p))


def _use(metric: Metric) -> None:
    if metric != session.preparation().metric:
        readiness.take(metric=metric)
