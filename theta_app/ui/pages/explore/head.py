"""The head of the page Explore: the data, the answer, its alternative, the way to Export."""

import streamlit as st

from theta_app import datasets
from theta_app.ui import shell
from theta_app.ui.timeline.of_theta import ShownSweep
from theta_app.ui.widgets import export, links, one_column, verdict
from theta_app.ui.widgets.words import plain


def show(shown: ShownSweep, data: datasets.Dataset, theta: float) -> None:
    """One row."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="head"):
        facts = f"{', '.join(shell.facts_of(data))}. Click to change the data."
        name = f"**{plain(data.name)}**"
        links.page_link("pages/Data.py", name, ":material/scatter_plot:", help=facts, width="content")
        verdict.line(shown.verdict, "", here(shown, data, theta))  # the unit stands by the track
        if shown.verdict is not None:
            verdict.ways(shown.verdict, data.unit)
        st.button("Export", key="go-export", icon=":material/download:", on_click=_open_export)


def here(shown: ShownSweep, data: datasets.Dataset, theta: float) -> verdict.Here | None:
    """Where the person stands; None while nothing has been swept there."""
    frame = shown.frame_at(theta, data.unit)
    if frame is None or shown.start is None:
        return None
    return verdict.Here(shown.settings.algorithm, theta, frame.epsilon, frame.k, shown.start, shown.settings.density)


def _open_export() -> None:
    st.session_state[export.SECTION] = True


def one_column_note(shown: ShownSweep, data: datasets.Dataset, theta: float) -> None:
    """Where the clusters are only the values of one column."""
    found = shown.frame_at(theta, data.unit)
    if found is not None:
        one_column.show(data, shown.drawn, found.frame.labels, found.k)
