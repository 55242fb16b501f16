""" "Use this θ": a button, a table of θ with a button per row, and the line that says which θ is in use."""

import pandas as pd
import streamlit as st

from theta_app import datasets
from theta_app.ui import answers, loading, session
from theta_app.ui.widgets import links
from theta_app.ui.widgets.words import short


def use(theta: float) -> None:
    """Put θ in use on every page, for TDG unless the person looks at TSG; for callbacks."""
    algorithm = "TSG" if session.settings().algorithm == "TSG" else "TDG"
    session.update(algorithm=algorithm, theta=float(theta), epsilon=None)


def button(theta: float, label: str, key: str, **options) -> None:
    """A button that puts θ in use."""
    st.button(label, key=key, on_click=use, args=(theta,), icon=":material/check:", **options)


def in_use(slot, data: datasets.Dataset) -> None:
    """Say in ``slot`` which θ is in use, once the person has one, with the way to look at it."""
    settings = answers.resolve_algorithm(loading.sample(data), session.settings())
    if settings.theta is None:
        return
    with slot.container(horizontal=True, vertical_alignment="center", gap="small", key="in-use"):
        st.markdown(
            f":green-background[:material/check: {settings.algorithm} at θ = **{short(settings.theta)}** "
            f"is in use on every page ({data.unit})]",
            width="content",
        )
        links.see_in_explore()


def table(frame: pd.DataFrame, thetas, key: str, config: dict, alt: str) -> None:
    """A table whose rows each put their θ in use with a click on the button in their first column.

    Parameters
    ----------
    frame : DataFrame
        What is shown.
    thetas : sequence of float
        A row's θ.
    key : str
    config : dict
        Column settings of ``frame``.
    alt : str
        What the table shows, in a sentence.
    """
    thetas = list(thetas)
    clicks = f"{key}-click"

    def clicked() -> None:
        click = st.session_state.get(clicks)
        if click is not None and 0 <= click["row"] < len(thetas):
            use(thetas[click["row"]])

    shown = frame.copy()
    shown.insert(0, "use", [f"Use {short(theta)}" for theta in thetas])
    lengths = {name: short for name in ("theta_low", "theta_high") if name in shown}
    first = st.column_config.ButtonColumn(
        "θ", on_click=clicked, key=clicks, pinned=True, help="Puts this θ in use on every page."
    )
    with st.container(key=key):
        st.dataframe(shown.style.format(lengths), hide_index=True, column_config={"use": first, **config}, alt=alt)
