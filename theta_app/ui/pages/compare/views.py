"""How results are shown: the table with its best values marked, the clusterings, scores and times."""

from collections.abc import Iterator

import numpy as np
import pandas as pd
import streamlit as st
from scipy.optimize import linear_sum_assignment

from theta_app import datasets, metrics
from theta_app.compare.measure import OK
from theta_app.compare.results import best_values, rows_frame, summary
from theta_app.figures import compare as figures
from theta_app.ui.widgets import charts, downloads

_BEST = " ★"
_ROWS = 20  # of a table that is shown whole; a longer one scrolls


def results_table(rows, scores, name: str) -> pd.DataFrame:
    """The medians of all methods, the best of each case marked; returns the table."""
    table = summary(rows_frame(rows), scores)
    best = best_values(table, scores)
    columns = {"case": "Case", "label": "Method", "n_clusters": "K", **{s: figures.score_label(s) for s in scores}}
    columns |= {
        "seconds": "Time (s)",
        "slower": "× fastest",
        "runs": "Runs",
        "parameters": "Parameters",
        "note": "Note",
    }
    shown = table[list(columns)].rename(columns=columns)
    if shown["Case"].nunique() < 2:
        shown = shown.drop(columns="Case")
    if not shown["Note"].any():
        shown = shown.drop(columns="Note")
    marks = best.rename(columns=columns)
    st.dataframe(
        _marked(shown, marks),
        hide_index=True,
        column_config={
            "Parameters": st.column_config.TextColumn(width="medium" if "Note" in shown else "large"),
            "Note": st.column_config.TextColumn(width="large"),
        },
        height="content" if len(shown) <= _ROWS else 640,
        key=f"table-{name}",
    )
    st.caption(
        f"Medians over the repeats; ★ marks the best of {'each case' if 'Case' in shown else 'all'}. Time is processor "
        "time of the method alone, on one thread."
    )
    return table


def _marked(shown: pd.DataFrame, marks: pd.DataFrame):
    """The table with a star after the best values; the numbers stay numbers, so a click on a heading still sorts."""
    formats = {"K": "{:,.0f}", "Time (s)": "{:.3g}", "× fastest": "{:,.4g}", "Runs": "{:.0f}"}
    formats |= {name: "{:.3f}" for name in marks.columns if name not in formats}
    style = shown.style.format(formats, na_rep="–")
    for name in marks.columns:
        place = pd.IndexSlice[marks.index[marks[name]], [name]]
        style = style.format((formats[name] + _BEST).format, subset=place, na_rep="–")
        style = style.set_properties(subset=place, **{"background-color": "rgba(0, 158, 115, 0.22)"})
    return style


def table_downloads(rows, table, name: str, meta: dict) -> None:
    """Everything measured, to take away."""
    frame = rows_frame(rows)
    with st.container(horizontal=True):
        downloads.csv("Table as CSV", table, f"{name}-medians")
        downloads.csv("Every run as CSV", frame, f"{name}-runs")
        values = frame.astype(object).where(frame.notna(), None).to_dict("records")
        downloads.json_file("All as JSON", {**meta, "rows": values}, name)


# ---- pictures -------------------------------------------------------------------------------------------------------


def pictures(data: datasets.Dataset, found: dict, rows, name: str) -> None:
    """Clusterings side by side; ``found`` maps a label to its Picture."""
    axes = _Axes(data.X)
    truth = None if data.truth is None else axes(metrics.class_means(data.X, data.truth))
    frame = rows_frame(rows)
    frame = frame[frame["repeat"] == 0].set_index("label")
    points = axes(data.X)
    legend = ":red[✚] found centroids. "
    if truth is not None:
        legend += ":blue[✚] true ones, drawn above: a red cross that shows is not where a true one is. "
    st.caption(f"{legend}Every point is drawn, coloured by its cluster. {axes.sentence}")
    reference = data.truth if data.truth is not None else next(iter(found.values())).labels
    for at, (cell, (label, picture)) in enumerate(zip(_cells(len(found), 3), found.items())):
        with cell, st.container(border=True):
            st.markdown(f"**{label}**  \n{_facts(frame.loc[label])}")
            charts.show(
                figures.clustering_figure(points, _alike(reference, picture.labels), axes(picture.centroids), truth),
                f"picture-{name}-{at}",
                name=downloads.file_name(name, label),
                alt=f"The clusters and centroids that {label} found, with the true centroids.",
                table=pd.DataFrame(picture.centroids, columns=list(data.features)),
            )


def _cells(count: int, wide: int) -> Iterator:
    """Places in rows of ``wide``: rows, not columns, so that a phone stacks them in their order."""
    for start in range(0, count, wide):
        yield from st.columns(wide)[: count - start]


def _alike(reference, labels):
    """The labels renumbered so that clusters have the colours of what they overlap most in ``reference``."""
    inside = labels >= 0
    if not inside.any():
        return labels
    table = np.zeros((reference.max() + 1, labels.max() + 1), dtype=np.int64)
    np.add.at(table, (reference[inside & (reference >= 0)], labels[inside & (reference >= 0)]), 1)
    theirs, ours = linear_sum_assignment(-table)
    number = np.full(labels.max() + 1, -1)
    number[ours] = theirs
    left = np.flatnonzero(number < 0)
    number[left] = len(table) + np.arange(len(left))
    return np.where(inside, number[np.maximum(labels, 0)], -1)


def _facts(row) -> str:
    nmi = "" if pd.isna(row["nmi"]) else f" · NMI {row['nmi']:.3f}"
    return f"K {row['n_clusters']:.0f}{nmi} · {moment(row['seconds'])}"


def moment(seconds: float) -> str:
    """A short time: 0.94 ms, 43.1 ms, 3.23 s."""
    return f"{1000 * seconds:.3g} ms" if seconds < 1 else f"{seconds:.3g} s"


class _Axes:
    """Where points of any dimension are drawn: as they are in two, on the first two principal axes in more."""

    def __init__(self, X):
        self.middle, self.directions = None, None
        self.sentence = ""
        if X.shape[1] > 2:
            chosen = X[datasets.fair_sample(len(X), 2000)]
            self.middle = chosen.mean(axis=0)
            self.directions = np.linalg.svd(chosen - self.middle, full_matrices=False)[2][:2].T
            self.sentence = "Drawn on the first two principal axes; clustered in all features."

    def __call__(self, X):
        if self.directions is not None:
            flat = (X - self.middle) @ self.directions
            return flat if flat.shape[1] == 2 else np.column_stack([flat, np.zeros(len(flat))])
        return X if X.shape[1] == 2 else np.column_stack([X, np.zeros(len(X))])


# ---- scores and time ------------------------------------------------------------------------------------------------


def score_charts(rows, scores, name: str, across: str = "") -> None:
    """Box plots of scores and time over the repeats; lines over the cases where there are several."""
    frame = rows_frame(rows)
    frame = frame[frame["status"] == OK]
    if frame.empty:
        st.info("No method gave a result, so there is nothing to draw.")
        return
    drawn = ["seconds", *(score for score in scores if score != "ssd_exact")]
    for cell, column in zip(_cells(len(drawn), 2), drawn):
        with cell:
            title = "Time" if column == "seconds" else figures.score_label(column)
            st.markdown(f"**{title}**")
            if across:
                figure = figures.across_figure(frame, column, across)
            else:
                figure = figures.time_figure(frame) if column == "seconds" else figures.score_figure(frame, column)
            charts.show(
                figure,
                f"chart-{name}-{column}",
                name=downloads.file_name(name, column),
                alt=f"{title} of every method over the repeats.",
                table=frame[["case", "label", "repeat", column]],
            )
