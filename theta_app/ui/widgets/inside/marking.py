"""Names, colours and merges of clusters."""

from collections.abc import Callable

import numpy as np
import streamlit as st

from theta_app.figures.palette import COLOURS, MUTED
from theta_app.marks import LONGEST_NAME, Marks
from theta_app.ui import session
from theta_app.ui.widgets import controls
from theta_app.ui.widgets.inside.view import ClusterView


def controls_for(view: ClusterView, cluster: int) -> None:
    """What the person may say about a cluster; it is tied to the cluster's most typical row."""
    rows = view.rows_of(cluster).tolist()
    row = int(view.numbers[view.typical(cluster, 1)[0]])
    marks = session.settings().marks

    def keep(changed: Marks) -> None:
        session.update(marks=changed)

    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        tied = controls.bound(
            "inside.name", view.names.get(cluster, ""), lambda text: keep(marks.named(rows, row, text or ""))
        )
        st.text_input("Name", max_chars=LONGEST_NAME, width=170, placeholder="its name", **tied)
        tied = controls.bound(
            "inside.colour", _colour(view, cluster), lambda value: keep(marks.coloured(rows, row, value))
        )
        st.color_picker("Colour", **tied)
    if view.merges:
        _merging(view, cluster, row, rows, marks, keep)


def _colour(view: ClusterView, cluster: int) -> str:
    """The colour in the picture: the person's own, else the screen's; outliers are grey."""
    usual = MUTED if cluster >= view.clustering.n_clusters else COLOURS[0]
    return view.clustering.colours.get(cluster, usual).lower()


def _merging(view: ClusterView, cluster: int, row: int, rows: list[int], marks: Marks, keep: Callable) -> None:
    near = view.neighbour
    if near is not None:
        sizes = view.frame.sizes
        others = [near.cluster, *(int(k) for k in np.argsort(-sizes)[:60] if k not in (cluster, near.cluster))]
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            other = st.selectbox(
                "Merge with",
                others,
                format_func=lambda k: view.called(k) + (" (nearest)" if k == near.cluster else ""),
                width=190,
                key="inside.merge-with",
            )
            there = int(view.rows_of(other)[0])
            merge = lambda: keep(marks.merged(row, there))  # noqa: E731
            st.button("Merge", key="inside.merge", on_click=merge, icon=":material/merge:")
    if marks.parted(rows) != marks:
        apart = lambda: keep(marks.parted(rows))  # noqa: E731
        st.button("Undo the merge", key="inside.part", on_click=apart, icon=":material/undo:")
