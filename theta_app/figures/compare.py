"""Figures of comparisons: the clusterings, scores and times."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from theta_app.compare import METHODS
from theta_app.figures import palette, raster
from theta_app.metrics import SCORES

TRUE, FOUND = "#0072B2", "#E0002B"  # the paper's blue and red
_YELLOW = 6  # place in the palette of what thin lines on white do not carry
_DASHES = "dot", "dash", "dashdot"
_TIME_AXIS = {"type": "log", "title": "seconds on one thread (log)", "tickformat": "~g", "dtick": 1}


def method_colour(key: str) -> str:
    """The colour a method has in every figure: its own, or one that no other has; grey where there is no such method.

    Colours start over once all of the palette are in use.
    """
    if key not in METHODS:
        return palette.MUTED
    if METHODS[key].colour is not None:
        return palette.colour(METHODS[key].colour)  # type: ignore[arg-type]
    taken = {_YELLOW, *(method.colour for method in METHODS.values())}
    places = range(len(palette.COLOURS))
    free = [place for place in places if place not in taken] or list(places)
    without = [method.key for method in METHODS.values() if method.colour is None]
    return palette.colour(free[without.index(key) % len(free)])


# ---- the clusterings ------------------------------------------------------------------------------------------------


def clustering_figure(
    points: np.ndarray, labels: np.ndarray, centroids: np.ndarray, true_centroids: np.ndarray | None = None
) -> go.Figure:
    """A clustering as in the paper: found centroids (K, 2) as red crosses, true ones (C, 2) blue above them.

    A red cross that can be seen is a centroid that is not where one should be. Points (n, 2) labelled -1 (noise) are
    grey.
    """
    low, high = raster.box(points)
    figure = go.Figure()
    figure.add_layout_image(xref="x", yref="y", **raster.image(points, labels, low, high))
    if len(centroids):
        figure.add_scatter(**_crosses(centroids, FOUND, "found"))
    if true_centroids is not None:
        figure.add_scatter(**_crosses(true_centroids, TRUE, "true"))
    figure.update_xaxes(range=[low[0], high[0]], visible=False)
    figure.update_yaxes(range=[low[1], high[1]], visible=False, scaleanchor="x", scaleratio=1)
    return figure.update_layout(
        height=330,
        margin={"l": 0, "r": 0, "t": 0, "b": 0},
        showlegend=False,
        dragmode="pan",
    )


def _crosses(places: np.ndarray, colour: str, name: str) -> dict:
    size = 9 if len(places) <= 150 else 5
    return {
        "x": places[:, 0],
        "y": places[:, 1],
        "mode": "markers",
        "name": name,
        "marker": {"symbol": "cross-thin", "size": size, "line": {"color": colour, "width": 2.2}},
        "hovertemplate": f"{name} centroid<br>%{{x:,.4~r}}, %{{y:,.4~r}}<extra></extra>",
    }


# ---- the numbers ----------------------------------------------------------------------------------------------------


def score_figure(rows: pd.DataFrame, score: str) -> go.Figure:
    """Box plots of a score over the repeats of one case, one per method; rows have label, method and the score."""
    figure = _boxes(rows, score, "%{x:.4f}")
    return figure.update_xaxes(title=SCORES[score].label)


def time_figure(rows: pd.DataFrame) -> go.Figure:
    """Box plots of the time a method takes, on a log axis; columns label, method, seconds."""
    figure = _boxes(rows, "seconds", "%{x:,.3~r} s")
    return figure.update_xaxes(**_TIME_AXIS)


def _boxes(rows: pd.DataFrame, column: str, shown: str) -> go.Figure:
    figure = go.Figure()
    rows = rows[rows[column].notna()]
    for label, part in rows.groupby("label", sort=False):
        figure.add_box(
            x=part[column],
            y=[label] * len(part),
            name=label,
            orientation="h",
            boxpoints="all",
            pointpos=0,
            jitter=0.5,
            marker={"color": method_colour(part["method"].iloc[0]), "size": 5},
            line={"width": 1.5},
            hovertemplate=f"{label}<br>{shown}<extra></extra>",
            hoveron="points",
        )
    count = rows["label"].nunique()
    figure.update_yaxes(autorange="reversed", automargin=True)
    return _plain(figure, 120 + 34 * max(count, 2))


def across_figure(rows: pd.DataFrame, medians: pd.DataFrame, column: str, across: str) -> go.Figure:
    """A score or the time over the cases of an experiment: one line per method, medians, with every run as a dot.

    Rows have the columns case, label, method and ``column`` (a score's name, or "seconds", drawn on a log axis);
    medians the same, one row per case and label. ``across`` says what the cases differ in.
    """
    figure = go.Figure()
    rows = rows[rows[column].notna()]
    cases = list(dict.fromkeys(rows["case"]))
    variants: list = []  # methods of those so far: they have their method's colour, each another dash
    for label, part in rows.groupby("label", sort=False):
        method = part["method"].iloc[0]
        line = {"color": method_colour(method), "width": 2.5, "dash": "solid"}
        if method not in METHODS or label != METHODS[method].label:
            line["dash"] = _DASHES[variants.count(method) % len(_DASHES)]
            variants.append(method)
        middle = medians[medians["label"] == label].set_index("case")[column].reindex(cases)
        figure.add_scatter(**_median_line(label, cases, middle, line))
        figure.add_scatter(**_dots(label, part["case"], part[column], line["color"]))  # type: ignore[arg-type]
    figure.update_xaxes(title=across, type="category", categoryorder="array", categoryarray=cases)
    if column == "seconds":
        figure.update_yaxes(**_TIME_AXIS)
    else:
        figure.update_yaxes(title=SCORES[column].label)
    _plain(figure, 430)
    return figure.update_layout(
        showlegend=True, legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "xanchor": "left"}
    )


def _median_line(label: str, cases: Sequence[str], values: pd.Series, line: dict) -> dict:
    return {
        "x": cases,
        "y": values,
        "mode": "lines+markers",
        "name": label,
        "legendgroup": label,
        "line": line,
        "marker": {"size": 8},
        "hovertemplate": f"{label}, %{{x}}<br>median %{{y:,.4~r}}<extra></extra>",
    }


def _dots(label: str, cases: Sequence[str], values: pd.Series, colour: str) -> dict:
    return {
        "x": cases,
        "y": values,
        "mode": "markers",
        "legendgroup": label,
        "showlegend": False,
        "marker": {"color": colour, "size": 4, "opacity": 0.6},
        "hovertemplate": f"{label}, %{{x}}<br>%{{y:,.4~r}}<extra></extra>",
    }


def _plain(figure: go.Figure, height: int) -> go.Figure:
    return figure.update_layout(
        height=height, margin={"l": 10, "r": 10, "t": 20, "b": 10}, showlegend=False, font={"size": 14}
    )
