"""How distances are measured: the straight line, or another norm, whose θ-circles are diamonds, squares or between."""

import math

import streamlit as st

from theta_app import datasets
from theta_app.ui import session
from theta_app.ui.widgets import controls, readiness

NORMS = (1.0, 1.1, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0, 6.0, 10.0, math.inf)
_NAMED = {1.0: "City-block distance", 2.0: "Straight-line distance", math.inf: "Largest difference"}
_SAID = {
    1.0: "The differences in all columns are added up, as for somebody who walks along the streets of a city. Circles "
    "of radius θ are diamonds. One large difference weighs less than in the straight line.",
    2.0: "The straight line, as with a ruler. Circles of radius θ are round.",
    math.inf: "Only the largest difference in any column counts. Circles of radius θ are squares: two points are "
    "within θ if they are in every column.",
}


def name(norm: float) -> str:
    """A norm as people call it."""
    return _NAMED.get(norm, f"Distance with p = {norm:g}")


def choice(data: datasets.Dataset) -> None:
    """A button that says how distances are measured and opens the slider that changes it."""
    with st.popover(name(data.norm), icon=":material/straighten:", type="tertiary"):
        slider(data.norm)


def slider(norm: float) -> None:
    """The slider from diamonds over circles to squares, and what the place it stands at means."""
    st.select_slider(
        "Distance between two points: the norm p",
        sorted({*NORMS, norm}),
        format_func=lambda p: {1.0: "1 ◇", 2.0: "2 ○", math.inf: "∞ □"}.get(p, f"{p:g}"),
        help="The p-th root of the sum of the differences to the power p. 1 adds them up, 2 is the straight line, and "
        "the larger p is, the more the largest difference decides.",
        **controls.bound("norm", norm, _take),
    )
    st.caption(_SAID.get(norm, _between(norm)))


def _between(norm: float) -> str:
    shapes = "a diamond and a circle" if norm < 2 else "a circle and a square"
    return f"Between the two: circles of radius θ are between {shapes}."


def _take(norm: float) -> None:
    if norm != session.preparation().norm:
        readiness.take(norm=norm)
