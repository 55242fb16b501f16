"""Clusters that are only the values of one column: said where the verdict is, and one click leaves the column out."""

import numpy as np
import streamlit as st

from theta_app import datasets, profiles, selection
from theta_app.ui import answers, loading, session, sweeps
from theta_app.ui.widgets import readiness
from theta_app.ui.widgets.words import plain

_MOST_COLUMNS = 50  # a wider table is a picture or a spectrum: none of its columns stands for a cluster


def show(data: datasets.Dataset, points: selection.Sample, labels: np.ndarray, n_clusters: int) -> None:
    """A line where the clusters of some points, so many outliers aside, are the values of a column; else nothing."""
    found = of(data, points, labels, n_clusters)
    if found is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="one-column"):
        st.markdown(f":material/view_column: {plain(found.sentence)} Leave it out?", width="content")
        if st.button("Leave it out", key="leave-column-out"):
            _leave_out(data, found.column)
            st.rerun()  # all of the page: other points are clustered


def of(
    data: datasets.Dataset, points: selection.Sample, labels: np.ndarray, n_clusters: int
) -> profiles.OneColumn | None:
    """The column that the clusters repeat, or None; of several only, as a single one cannot be left out."""
    sources = [data.raw.source(name) for name in data.features]
    if not 1 < len(set(sources)) <= _MOST_COLUMNS:
        return None
    columns = {name: data.table[name].to_numpy()[points.rows] for name in dict.fromkeys(sources)}
    return profiles.one_column(labels, columns, points.X, sources, n_clusters)


def of_verdict(data: datasets.Dataset, verdict: selection.Verdict) -> None:
    """The same for the clusters of the verdict, on pages that show no others."""
    if verdict.algorithm is None:
        return
    points, settings = loading.sample(data), session.settings()
    if verdict.algorithm == "TNC":
        labels = answers.chaining(points, verdict.theta, answers.by_distance(settings)).at(verdict.epsilon).labels
    else:
        labels = sweeps.theta_point(points, verdict.theta, settings).tdg.labels
    show(data, points, labels, verdict.n_clusters)


def _leave_out(data: datasets.Dataset, column: str) -> None:
    try:
        changes = datasets.choices.use(data, column, False)
    except ValueError as error:
        session.notify(f"{error} Nothing was changed.")
        return
    readiness.take(f"'{column}' is no longer used.", **changes)
