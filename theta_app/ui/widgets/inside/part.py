"""A part of the rows: what box and lasso select, compared with the rest; kept alone or left out, and brought back."""

from dataclasses import replace
from typing import Any

import numpy as np
import streamlit as st

from theta_app import datasets, profiles
from theta_app.marks import LONGEST_LINK
from theta_app.ui import loading, session, timeline
from theta_app.ui.widgets import downloads
from theta_app.ui.widgets.inside import drawn
from theta_app.ui.widgets.inside.view import ClusterView
from theta_app.ui.widgets.words import count

_BEFORE = "inside.before"  # (spec, settings) before each change of the rows
_LEAST = 2  # rows: fewer cannot be clustered


def show_selection(view: ClusterView, polygon: list | None) -> None:
    """The rows inside the box or lasso: compared with the rest, as a table and a download."""
    if polygon is None:
        return
    frame, points = view.frame, view.sample
    inside = timeline.inside(polygon, view.positions)
    numbers = [view.number(k) for k in range(len(frame.sizes))]
    labels = np.asarray(numbers)[frame.labels[inside]]
    table = view.clustering.rows_table(view.data, labels, points.rows[inside])
    st.subheader(f"Selected: {count(len(table), 'row')}", anchor=False)
    if not points.whole:
        st.caption(f"Of the points drawn, {points.sentence}.")
    if 0 < inside.sum() < len(inside):
        _compare(view, inside)
        keep_or_leave(view, inside, "these rows", "selection")
    st.dataframe(table.head(1000), height=260)
    if len(table) > 1000:
        st.caption(f"The first 1,000 of {len(table):,} rows are shown; the download has all.")
    downloads.csv("Selected rows as CSV", table, downloads.file_name("selected", view.data.name))


def _compare(view: ClusterView, inside: np.ndarray) -> None:
    profile = profiles.profile(view.values, view.features, inside, ~inside, profiles.longitude_of(view.data))
    left, right = st.columns([3, 2], gap="large")
    with left:
        drawn.bars(profile, "selection-profile")
        st.caption(
            f"{count(int(inside.sum()), 'row')} against the {count(int((~inside).sum()), 'other row')}: mean ± spread "
            "in the units of the file, and the difference of the means in standard deviations of all rows (sd)."
        )
    with right:
        if view.data.truth is not None:
            truth = view.data.truth[view.sample.rows]
            drawn.labels(profiles.label_mix(truth, view.data.truth_names, inside), "selection-mix")


# ---- keep, leave out, undo ------------------------------------------------------------------------------------------


def keep_or_leave(view: ClusterView, group: np.ndarray, what: str, key: str) -> None:
    """Two buttons: cluster a group of the drawn rows alone, or all but it. ``what`` names it."""
    whole = view.sample.whole
    with st.container(horizontal=True, gap="small"):
        for label, kept, icon in (
            (f"Cluster {what} only", group, "filter_alt"),
            (f"Leave {what} out", ~group, "filter_alt_off"),
        ):
            few = int(kept.sum()) < _LEAST
            help = "Every page then shows these rows alone. You can undo this." if whole else _SAMPLED
            name = f"inside.{key}-{icon}"
            if st.button(label, key=name, icon=f":material/{icon}:", disabled=few, help=help):
                _take(view, kept)


_SAMPLED = "This uses the rows drawn: rows that are not drawn are left out either way. You can undo this."


def _take(view: ClusterView, kept: np.ndarray) -> None:
    """Go on with the kept rows alone. The old lengths say nothing about them: θ follows their verdict."""
    before = st.session_state.get(_BEFORE, ())
    st.session_state[_BEFORE] = (*before, (session.spec(), session.settings()))
    rows = datasets.RowSet.of(view.numbers[kept])
    session.restore(_with(session.without_lengths(session.settings()), rows=rows))
    session.forget_option("selection")
    st.rerun()


def _with(settings: session.Settings, **changes: Any) -> session.State:
    return replace(session.current(), settings=replace(settings, **changes))


def show_part(data: datasets.Dataset) -> None:
    """Where only a part of the rows is looked at: say so, and offer the ways back."""
    rows = session.settings().rows
    if rows is None:
        return
    total = len(loading.dataset(session.spec(), session.preparation()).X)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="part-of-rows"):
        st.markdown(f"Only **{len(data.X):,} of {total:,} rows** are clustered.", width="content")
        before = [settings for spec, settings in st.session_state.get(_BEFORE, ()) if spec == session.spec()]
        if before and st.button("Undo", key="inside.undo-rows", icon=":material/undo:"):
            st.session_state[_BEFORE] = st.session_state[_BEFORE][:-1]
            session.restore(_with(before[-1]))
            st.rerun()
        if st.button("Bring all rows back", key="inside.all-rows", icon=":material/select_all:"):
            st.session_state.pop(_BEFORE, None)
            session.restore(_with(session.without_lengths(session.settings()), rows=None))
            st.rerun()
    if len(rows.code) > LONGEST_LINK:
        st.caption("There are too many rows to fit in the link: whoever opens it sees all rows.")
