"""Figures of deep clustering."""

import io
from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from PIL import Image

from theta_app.deep.starts import STARTS
from theta_app.figures import palette, style
from theta_app.figures.compare import method_colour
from theta_app.metrics import SCORES

_METHODS = {"k-means": "kmeans", "k-means++": "kmeans++", "tdg": "tdg"}  # whose colours the starts have
_DASHES = {"k-means": "dash", "k-means++": "dot", "tdg": "solid"}  # two starts that end alike stay visible
_MOST_NAMES = 12  # in a legend
_CELL = 3  # pixels of the screen per pixel of a small picture


def curves_figure(curves: pd.DataFrame, score: str, levels: Sequence[tuple[float, str]] = ()) -> go.Figure:
    """A score over the epochs: one line per start, and a band from the lowest to the highest seed.

    Curves have the columns start, epoch, middle, low, high; levels (value, name) are published values, drawn as lines
    across.
    """
    figure = go.Figure()
    for name, part in curves.groupby("start", sort=False):
        colour = method_colour(_METHODS[name])
        if (part["high"] > part["low"]).any():
            figure.add_scatter(**_band(part, colour, name))
        figure.add_scatter(
            x=part["epoch"],
            y=part["middle"],
            mode="lines+markers",
            name=STARTS[name],
            legendgroup=name,
            line={"color": colour, "width": 2.5, "dash": _DASHES[name]},
            marker={"size": 6},
            hovertemplate=f"{STARTS[name]}, epoch %{{x}}<br>{SCORES[score].label} %{{y:.3f}}<extra></extra>",
        )
    ends = curves.groupby("start")["middle"].last()
    for value, text in levels:
        figure.add_hline(
            value,
            annotation_position="bottom right" if (ends >= value).any() else "top right",  # away from the curves
            line={"color": palette.MUTED, "width": 1, "dash": "dot"},
            annotation={"text": text, "font": {"size": 12}, "xanchor": "right"},
        )
    figure.update_xaxes(title="epoch", rangemode="tozero", zeroline=False)
    figure.update_yaxes(title=SCORES[score].label, zeroline=False)
    return style.tidy(figure, 360, showlegend=True)


def _band(part: pd.DataFrame, colour: str, name: str) -> dict:
    return {
        "x": [*part["epoch"], *part["epoch"][::-1]],
        "y": [*part["high"], *part["low"][::-1]],
        "mode": "lines",
        "line": {"width": 0},
        "fill": "toself",
        "fillcolor": palette.rgba(colour, 0.15),
        "legendgroup": name,
        "showlegend": False,
        "hoverinfo": "skip",
    }


def space_figure(places: np.ndarray, groups: np.ndarray | None, names: Sequence[str] | None = None) -> go.Figure:
    """Points (n, 2) coloured by group, else all alike; without names, groups are called by their numbers, from 1."""
    figure = go.Figure()
    codes = [None] if groups is None else np.unique(groups)
    for code in codes:
        mine = slice(None) if code is None else groups == code
        label = "points" if code is None else names[code] if names else f"cluster {code + 1}"
        figure.add_scatter(
            x=places[mine, 0],
            y=places[mine, 1],
            mode="markers",
            name=str(label)[:30],
            marker={"size": 4, "color": palette.ACCENT if code is None else palette.colour(int(code)), "opacity": 0.75},
            hovertemplate=f"{str(label)[:30]}<extra></extra>",
        )
    figure.update_xaxes(visible=False)
    figure.update_yaxes(visible=False, scaleanchor="x", scaleratio=1)
    style.tidy(figure, 380, showlegend=1 < len(codes) <= _MOST_NAMES, dragmode="pan")
    return figure.update_layout(legend_itemsizing="constant")  # dots of the points' size could not be told apart


def members_png(images: np.ndarray, shape: tuple[int, int]) -> bytes:
    """Pictures (K, m, pixels) of a shape (rows, columns), a row per cluster, dark on light, as the bytes of a PNG."""
    K, m, _ = images.shape
    rows, columns = shape
    low, high = float(images.min()), float(images.max())
    grey = 255 - 255 * (images - low) / ((high - low) or 1.0)
    sheet = np.full((K * (rows + 1) - 1, m * (columns + 1) - 1), 255, dtype=np.uint8)
    for k in range(K):
        for j in range(m):
            top, left = k * (rows + 1), j * (columns + 1)
            sheet[top : top + rows, left : left + columns] = grey[k, j].reshape(shape)
    scale = max(1, round(_CELL * 28 / max(shape)) if max(shape) < 28 else _CELL)
    png = io.BytesIO()
    Image.fromarray(sheet).resize((sheet.shape[1] * scale, sheet.shape[0] * scale), Image.Resampling.NEAREST).save(
        png, "PNG"
    )
    return png.getvalue()
