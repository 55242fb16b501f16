"""How results are shown: the table with its best values marked, the clusterings, scores and times."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import streamlit as st

from theta_app import datasets, metrics, selection
from theta_app.compare.measure import OK, TIME
from theta_app.figures import compare as figures
from theta_app.paper import fresh
from theta_app.paper.claims import time_words
from theta_app.paper.results import best_values, case_medians, rows_frame, summary
from theta_app.ui.widgets import charts, downloads
from theta_app.ui.widgets.words import plain

if TYPE_CHECKING:
    from pandas.io.formats.style import Styler


_BEST = " ★"
BEST_CELL = {"background-color": "rgba(0, 158, 115, 0.22)"}
_NOT_DRAWN = ("ssd_exact",)  # 0 for every method where clusters overlap: the table says it better
_ROWS = 20  # of a table that is shown whole; a longer one scrolls


def results_table(rows: Sequence[dict], scores: Sequence[str], name: str) -> pd.DataFrame:
    """The medians of all methods, the best of each case marked; returns the table."""
    table = summary(rows_frame(rows), scores)
    best = best_values(table, scores)
    columns = {"case": "Case", "label": "Method", "n_clusters": "K", **{s: metrics.SCORES[s].label for s in scores}}
    columns |= {
        "seconds": "Time (s)",
        "slower": "× fastest",
        "runs": "Runs",
        "parameters": "Parameters",
        "note": "Note",
    }
    shown = table[list(columns)].rename(columns=columns)
    alone = shown["Case"].nunique() < 2
    if alone:  # then there is room for the texts under the table, where nothing cuts them off
        shown = shown.drop(columns=["Case", "Parameters", "Note"])
    elif not shown["Note"].any():
        shown = shown.drop(columns="Note")
    marks = best.rename(columns=columns)
    st.dataframe(
        _marked(shown, marks),
        hide_index=True,
        column_config={
            "Method": st.column_config.TextColumn(width=170),
            "Parameters": st.column_config.TextColumn(width="medium" if "Note" in shown else "large"),
            "Note": st.column_config.TextColumn(width="large"),
        },
        height="content" if len(shown) <= _ROWS else 640,
        key=f"table-{name}",
    )
    st.caption(f"Medians over the repeats; ★ marks the best of {'all' if alone else 'each case'}. {TIME}")
    if alone:
        st.markdown(parameters_and_notes(table))
    return table


def parameters_and_notes(table: pd.DataFrame) -> str:
    """With what each method of a `summary` ran, and how, as a list."""
    lines = []
    for row in table.to_dict("records"):
        note = f" *{plain(row['note'])}*" if row["note"] else ""
        lines.append(f"- **{plain(row['label'])}**: {plain(row['parameters'])}.{note}")
    return "\n".join(lines)


def measured_on(found: Any) -> str:
    """When, where and with what a stored run was made, as a sentence."""
    versions = ", ".join(f"{name} {version}" for name, version in found.versions.items())
    return f"Measured {found.made} on {found.machine['processor']} ({found.machine['cores']} cores), {versions}."


def say_stale(what: str, command: str = "make fresh") -> None:
    """Say that something stored rests on code or settings that have changed since, and what measures it again."""
    words = f"Out of date: the code behind {what} has changed since. `{command}` measures them again."
    st.warning(words, icon=":material/history:")


def say_if_stale(found: Any, name: str, what: str) -> None:
    """The same of something that is stored as a whole, by its name in `fresh.WHOLE`, where it is so."""
    if fresh.is_stale(name, found.rests_on):
        say_stale(what, fresh.WHOLE[name].command)


def _marked(shown: pd.DataFrame, marks: pd.DataFrame) -> Styler:
    """The table with a star after the best values; the numbers stay numbers, so a click on a heading still sorts."""
    formats = {"K": "{:,.0f}", "Time (s)": "{:.3g}", "× fastest": "{:,.4g}", "Runs": "{:.0f}"}
    formats |= {name: "{:.3f}" for name in marks.columns if name not in formats}
    style = shown.style.format(formats, na_rep="–")
    for name in marks.columns:
        place = pd.IndexSlice[marks.index[marks[name]], [name]]
        style = style.format((formats[name] + _BEST).format, subset=place, na_rep="–")
        style = style.set_properties(subset=place, **BEST_CELL)
    return style


def table_downloads(rows: Sequence[dict], table: pd.DataFrame, name: str, meta: dict) -> None:
    """Everything measured, to take away."""
    frame = rows_frame(rows)
    with st.container(horizontal=True):
        downloads.csv("Table as CSV", table, f"{name}-medians")
        downloads.csv("Every run as CSV", frame, f"{name}-runs")
        values = frame.astype(object).where(frame.notna(), None).to_dict("records")
        downloads.json_file("All as JSON", {**meta, "rows": values}, name)


# ---- pictures -------------------------------------------------------------------------------------------------------


def _on_map(X: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    """Where places are drawn: longitude across, as wide as it is in the middle of the points X, latitude up."""
    return lambda places: selection.map_positions(places, X) * (selection.map_aspect(X), 1.0)


def _centres(data: datasets.Dataset, labels: np.ndarray, centroids: np.ndarray | None) -> np.ndarray:
    """Where the centroids of clusters are drawn, in the columns: a unit vector in the middle of its members."""
    if data.metric.directions is None or data.on_map:
        return metrics.class_means(data.X, labels, data.metric) if centroids is None else centroids
    return metrics.class_means(data.X[labels >= 0], labels[labels >= 0])


def pictures(data: datasets.Dataset, found: dict, rows: Sequence[dict], name: str) -> None:
    """Clusterings side by side; ``found`` maps a label to its Picture."""
    axes = _on_map(data.X) if data.on_map else selection.Axes(data.X)
    truth = None if data.truth is None else axes(_centres(data, data.truth, None))
    many = data.X.shape[1] > 2
    drawn_flat = "Drawn on the first two principal axes; clustered in all columns." if many else ""
    medians = summary(rows_frame(rows), ["nmi", "silhouette"]).set_index("label")
    points = axes(data.X)
    legend = ":red[✚] found centroids. "
    if truth is not None:
        legend += ":blue[✚] true centroids, drawn on top: a red cross you can see is not at a true centroid. "
    several = medians["runs"].max() > 1
    numbers = "Pictures show the first run; numbers are medians over all runs, as in the table. " if several else ""
    st.caption(f"{legend}Every point is drawn, coloured by its cluster. {numbers}{drawn_flat}")
    reference = data.truth if data.truth is not None else next(iter(found.values())).labels
    for at, (cell, (label, picture)) in enumerate(zip(cells(len(found), 3), found.items())):
        with cell, st.container(border=True):
            st.markdown(f"**{label}**  \n{_facts(medians.loc[label])}")
            clusters = selection.renumbered(reference, picture.labels)
            centroids = _centres(data, picture.labels, picture.centroids)
            centroids = axes(centroids) if len(centroids) else np.empty((0, 2))
            charts.show(
                figures.clustering_figure(points, clusters, centroids, truth),
                f"picture-{name}-{at}",
                name=downloads.file_name(name, label),
                alt=f"The clusters and centroids that {label} found, with the true centroids.",
                table=pd.DataFrame(picture.centroids, columns=list(data.coordinates)),
            )


def cells(count: int, wide: int) -> Iterator:
    """Places in rows of ``wide``: rows, not columns, so that a phone stacks them in their order."""
    for start in range(0, count, wide):
        yield from st.columns(wide)[: count - start]


def _facts(row: pd.Series) -> str:
    """The numbers of the table, and what they are."""
    runs = f"median of {row['runs']} runs" if row["runs"] > 1 else "one run"
    scores = {"nmi": "NMI", "silhouette": "Silhouette"}
    known = [f"{label} {row[name]:.3f}" for name, label in scores.items() if not pd.isna(row[name])][:1]
    return " · ".join([f"K {row['n_clusters']:g}", *known, time_words(row["seconds"]), runs])


# ---- scores and time ------------------------------------------------------------------------------------------------


def score_charts(rows: Sequence[dict], scores: Sequence[str], name: str, across: str = "") -> None:
    """Box plots of scores and time over the repeats; lines over the cases where there are several."""
    frame = rows_frame(rows)
    frame = frame[frame["status"] == OK]
    if frame.empty:
        st.info("No method gave a result, so there is nothing to draw.")
        return
    drawn = ["seconds", *(score for score in scores if score not in _NOT_DRAWN)]
    for cell, column in zip(cells(len(drawn), 2), drawn):
        with cell:
            title = "Time" if column == "seconds" else metrics.SCORES[column].label
            st.markdown(f"**{title}**")
            if across:
                figure = figures.across_figure(frame, case_medians(frame, column), column, across)
            else:
                figure = figures.time_figure(frame) if column == "seconds" else figures.score_figure(frame, column)
            charts.show(
                figure,
                f"chart-{name}-{column}",
                name=downloads.file_name(name, column),
                alt=f"{title} of every method over the repeats.",
                table=frame[["case", "label", "repeat", column]],
            )
