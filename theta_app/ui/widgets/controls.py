"""Widgets that pages share. Each shows a setting of :mod:`theta_app.ui.session` and writes it back when it is changed.

A widget's own key is filled from the state before the widget is drawn, because a widget that was not on the last page
has forgotten its value; the state has not.
"""

import math
from collections.abc import Callable
from typing import Any

import streamlit as st

from theta_app.ui import session

ALGORITHM_HELP = """**TDG** votes over many random orders of the points.
**TSG** goes through the points once, in their own order.
**TNC** is TDG whose clusters are then chained into shapes when their centroids are closer than ε."""


def bound(key: str, value: object, on_change: Callable[[Any], object]) -> dict:
    """Keyword arguments that tie a widget to a value kept elsewhere; ``on_change`` gets what the person entered."""
    key = f"widget.{key}"
    st.session_state[key] = value
    return {"key": key, "on_change": lambda: on_change(st.session_state[key])}


def setting(name: str) -> dict:
    """Keyword arguments that tie a widget to one of the shared settings."""
    return bound(name, getattr(session.settings(), name), lambda value: _keep(name, value))


def option(name: str, default: str | float) -> dict:
    """Keyword arguments that tie a widget to a page's own choice, which survives page changes and reloads.

    The widget's current value is ``session.option(name, default)``, also what the widget returns.
    """
    return bound(f"option.{name}", session.option(name, default), lambda value: _keep_option(name, value))


def one_of(name: str, names: dict[str, str], label: str, first: str | None = None) -> str:
    """A row of names to choose one of, a page's own choice: its key.

    ``first`` is where it stands until the person chooses, by default at the first; a link that asks for no such name
    gets it too.
    """
    first = first or next(iter(names))
    chosen = session.option(name, first)
    return st.segmented_control(
        label,
        list(names),
        format_func=names.get,
        required=True,
        label_visibility="collapsed",
        **bound(
            f"option.{name}",
            chosen if chosen in names else first,
            lambda value: _keep_option(name, value),
        ),
    )


def _keep(name: str, value: object) -> None:
    if value is not None:  # an emptied number box keeps the last value
        session.update(**{name: value})


def _keep_option(name: str, value: str | float | None) -> None:
    if value is not None:
        session.set_option(name, value)


def length_format(value: float) -> str:
    """How a number box writes a length: six digits and no power of ten, as long as it can be read."""
    if not 1e-4 <= abs(value) < 1e12:
        return "%.6g"
    return f"%.{max(0, 5 - math.floor(math.log10(abs(value))))}f"


def algorithm(current: str) -> str:
    """TDG, TSG or TNC. ``current`` is the one in use: the person's, or the verdict's."""
    tied = bound("algorithm", current, lambda value: _keep("algorithm", value))
    return st.segmented_control("Algorithm", session.ALGORITHMS, help=ALGORITHM_HELP, required=True, **tied)


def shuffles() -> int:
    """Draw the field for the number of shuffles; returns what it says."""
    return st.number_input(
        "Shuffles",
        *session.SHUFFLES,
        step=10,
        width=140,
        help="How many random orders of the points TDG votes over; order agreement compares the same orders. More is "
        "steadier and slower. A higher number adds orders and keeps those already run.",
        **setting("shuffles"),
    )


def seed(where: str = "on every machine") -> int:
    """Draw the field for the seed; returns what it says."""
    return st.number_input(
        "Seed",
        *session.SEEDS,
        step=1,
        width=140,
        help=f"Which random orders are drawn. The same seed gives the same result {where}.",
        **setting("seed"),
    )
