"""Figures of the Compare page."""

import base64
import struct
import zlib

import numpy as np
import plotly.graph_objects as go

from theta_app import metrics
from theta_app.compare import METHODS
from theta_app.figures import palette

TRUE, FOUND = "#0072B2", "#E0002B"  # the paper's blue and red
# places in the palette, without its yellow, which thin lines on white do not carry
_PLACES = (2, 0, 5, 3, 4, 1, 8, 7, 9, 11, 12, 14, 17, 19, 22)
_COLOURS = {key: palette.colour(place) for key, place in zip(METHODS, _PLACES, strict=True)}
_SIDE = 440  # pixels of a picture's points
_EDGE = 0.03  # of the extent, around the points


def score_label(name):
    """A score's name as shown."""
    return "SSD, exact" if name == "ssd_exact" else metrics.METRICS[name].label


def method_colour(method):
    """The colour a method has in every figure of the page."""
    return _COLOURS[method]


# ---- the clusterings ------------------------------------------------------------------------------------------------


def clustering_figure(points, labels, centroids, true_centroids=None):
    """A clustering as in the paper: found centroids as red crosses, true ones blue above them.

    A red cross that can be seen is a centroid that is not where one should be.

    Parameters
    ----------
    points : (n, 2) array
    labels : (n,) array
        Cluster of each point; -1 (noise) is grey.
    centroids : (K, 2) array
    true_centroids : (C, 2) array, optional
    """
    low, high = _box(points)
    figure = go.Figure()
    figure.add_layout_image(
        source=_points_png(points, labels, low, high),
        xref="x",
        yref="y",
        x=low[0],
        y=high[1],
        sizex=high[0] - low[0],
        sizey=high[1] - low[1],
        sizing="stretch",
        layer="below",
    )
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


def _crosses(places, colour, name):
    size = 9 if len(places) <= 150 else 5
    return {
        "x": places[:, 0],
        "y": places[:, 1],
        "mode": "markers",
        "name": name,
        "marker": {"symbol": "cross-thin", "size": size, "line": {"color": colour, "width": 2.2}},
        "hovertemplate": f"{name} centroid<br>%{{x:.4g}}, %{{y:.4g}}<extra></extra>",
    }


def _box(points):
    low, high = points.min(axis=0), points.max(axis=0)
    edge = np.where(high > low, _EDGE * (high - low), 1.0)
    return low - edge, high + edge


def _points_png(points, labels, low, high):
    """Every point as a small square, as a PNG in a data address: a picture costs the browser the same for any n."""
    spans = high - low
    width, height = np.maximum(np.round(_SIDE * spans / spans.max()), 40).astype(int)
    across = ((points[:, 0] - low[0]) / spans[0] * (width - 1)).round().astype(int)
    down = ((high[1] - points[:, 1]) / spans[1] * (height - 1)).round().astype(int)
    colours = np.array([_rgb(palette.MUTED), *(_rgb(c) for c in palette.COLOURS)], dtype=np.uint8)
    chosen = colours[np.where(labels < 0, 0, 1 + labels % len(palette.COLOURS))]
    pixels = np.zeros((height, width, 4), dtype=np.uint8)
    reach = 1 if len(points) > 1500 else 2
    for dx in range(reach + 1):
        for dy in range(reach + 1):
            rows, columns = np.minimum(down + dy, height - 1), np.minimum(across + dx, width - 1)
            pixels[rows, columns, :3] = chosen
            pixels[rows, columns, 3] = 150
    return "data:image/png;base64," + base64.b64encode(_png(pixels)).decode()


def _rgb(colour):
    return tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5))


def _png(pixels):
    """An RGBA array as PNG."""
    height, width, _ = pixels.shape
    rows = np.zeros((height, 1 + 4 * width), dtype=np.uint8)  # each row starts with its filter: none
    rows[:, 1:] = pixels.reshape(height, -1)

    def chunk(kind, content):
        check = zlib.crc32(kind + content)
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", check)

    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    body = zlib.compress(rows.tobytes(), 6)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


# ---- the numbers ----------------------------------------------------------------------------------------------------


def score_figure(rows, score):
    """Box plots of a score over the repeats, one box a method.

    Parameters
    ----------
    rows : DataFrame
        Measurements of one case: columns label, method and the score.
    score : str
        A name of `METRICS`, or "ssd_exact".
    """
    figure = _boxes(rows, score, "%{x:.4f}")
    return figure.update_xaxes(title=score_label(score))


def time_figure(rows):
    """Box plots of the time a method takes, on a log axis; columns label, method, seconds."""
    figure = _boxes(rows, "seconds", "%{x:.3g} s")
    return figure.update_xaxes(type="log", title="seconds on one thread (log)", tickformat="~g", dtick=1)


def _boxes(rows, column, shown):
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


def across_figure(rows, column, across):
    """A score or the time over the cases of an experiment: one line a method, medians, with every run as a dot.

    Parameters
    ----------
    rows : DataFrame
        Columns case, label, method and `column`.
    column : str
        A score's name, or "seconds" (drawn on a log axis).
    across : str
        What the cases differ in.
    """
    figure = go.Figure()
    rows = rows[rows[column].notna()]
    cases = list(dict.fromkeys(rows["case"]))
    for label, part in rows.groupby("label", sort=False):
        colour = method_colour(part["method"].iloc[0])
        variant = part["label"].iloc[0] != METHODS[part["method"].iloc[0]].label
        medians = part.groupby("case", sort=False)[column].median().reindex(cases)
        figure.add_scatter(
            x=cases,
            y=medians,
            mode="lines+markers",
            name=label,
            legendgroup=label,
            line={"color": colour, "width": 2.5, "dash": "dot" if variant else "solid"},
            marker={"size": 8},
            hovertemplate=f"{label}, %{{x}}<br>median %{{y:.4g}}<extra></extra>",
        )
        figure.add_scatter(
            x=part["case"],
            y=part[column],
            mode="markers",
            legendgroup=label,
            showlegend=False,
            marker={"color": colour, "size": 4, "opacity": 0.6},
            hovertemplate=f"{label}, %{{x}}<br>%{{y:.4g}}<extra></extra>",
        )
    figure.update_xaxes(title=across, type="category", categoryorder="array", categoryarray=cases)
    if column == "seconds":
        figure.update_yaxes(type="log", title="seconds on one thread (log)", tickformat="~g", dtick=1)
    else:
        figure.update_yaxes(title=score_label(column))
    _plain(figure, 430)
    return figure.update_layout(
        showlegend=True, legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "xanchor": "left"}
    )


def _plain(figure, height):
    return figure.update_layout(
        height=height, margin={"l": 10, "r": 10, "t": 20, "b": 10}, showlegend=False, font={"size": 14}
    )
