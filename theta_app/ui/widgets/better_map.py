"""Does a neighbour map show more than the columns? Looked up unasked after the verdict, and said where it does."""

import logging

import streamlit as st

from theta_app import datasets, selection
from theta_app import spaces as computed
from theta_app.report import sureness
from theta_app.ui import peers, session, spaces, streamlit_internals
from theta_app.ui.widgets import readiness
from theta_app.ui.widgets.words import count

LOG = logging.getLogger("theta_app")
_LOOK = 2.0  # seconds between two looks
_STOPPED = "better-map.stopped"  # digests of data sets of which the person does not want to know
_MOST_VALUES = 10_000_000  # rows x columns that are looked at unasked: about half a minute of a core


def offer(data: datasets.Dataset) -> None:
    """A line where the verdict in a neighbour map is better supported, with the click that goes there; else nothing."""
    found = spaces.in_map(data, session.settings()) if _possible(data) else None
    if found is None or found[0] is None:
        return
    better = found[0]
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="better-map"):
        clear = "are clear" if better.stands_out else "are the best guess"
        named = (
            f"In a neighbour map {count(better.n_clusters, 'cluster')} {clear} ({sureness(better.confidence)} sure)."
        )
        st.markdown(f":material/blur_on: {named}", help=better.reason, width="content")
        if st.button("Cluster in the map", key="use-map", help="θ is then in units of the map, on every page."):
            readiness.take(space=computed.usual_map(data), components=computed.COMPONENTS)
            st.rerun()  # all of the page: other points are clustered


def watch(data: datasets.Dataset, verdict: selection.Verdict) -> None:
    """Look in a neighbour map while the page is looked at, and say what came of it."""
    if not _possible(data):
        return
    settings = session.settings()
    found = spaces.in_map(data, settings)
    if found is not None:
        other = "A neighbour map was tried too: its clusters are no better supported than these."
        st.caption(other if found[0] is None else found[0].reason)
    elif peers.measured_unasked() and data.digest not in st.session_state.get(_STOPPED, ()):
        _looking(data, verdict, settings)


def _looking(data: datasets.Dataset, verdict: selection.Verdict, settings: session.Settings) -> None:
    @st.fragment(run_every=_LOOK)
    def looking() -> None:
        if not streamlit_internals.is_part_of_page():  # a page that nobody looks at has nothing computed
            return
        task = spaces.looking(data, verdict, settings)
        if task is not None and task.failed is not None:
            LOG.warning("no neighbour map was made unasked: %s", task.failed)
            _stop(data)
        if task is None or task.ended:
            st.rerun()
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key="better-map-looking"):
            st.caption("Checking whether a neighbour map shows more…", width="content")
            st.button(
                "Stop", key="better-map-stop", icon=":material/stop:", type="tertiary", on_click=_stop, args=(data,)
            )

    looking()


def _stop(data: datasets.Dataset) -> None:
    spaces.stop_looking()
    st.session_state[_STOPPED] = {*st.session_state.get(_STOPPED, ()), data.digest}


def _possible(data: datasets.Dataset) -> bool:
    """Whether the columns are clustered, and are many enough for a map and not too many values to look unasked."""
    return (
        data.space is None
        and not data.of_curves
        and session.preparation().space == "columns"
        and data.rows is None
        and len(data.features) > selection.FEW_COLUMNS
        and len(data.X) <= selection.MOST_POINTS
        and data.X.size <= _MOST_VALUES
        and selection.has_umap()
    )
