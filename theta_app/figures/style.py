"""How every figure is laid out: room for a phone, a legend above, one hover box, axes in the words of the project."""

import math
from typing import Any

import numpy as np
import plotly.graph_objects as go

from theta_app.figures import palette

SCALE = ((0.0, "#F0E442"), (0.33, "#009E73"), (0.67, "#0072B2"), (1.0, "#780FB4"))
"""A colour scale from the palette, light to dark, that reads in order with every kind of colour vision."""

NUMBERS = {"exponentformat": "none", "separatethousands": True}
"""How an axis writes its numbers: 15,510, as everywhere."""


def scale_colours(count: int) -> tuple[str, ...]:
    """So many colours along the scale, light to dark, as ``#rrggbb``."""
    ends = [place for place, _ in SCALE]
    parts = [[int(colour[i : i + 2], 16) for _, colour in SCALE] for i in (1, 3, 5)]
    at = np.linspace(0, 1, count)
    channels = np.rint([np.interp(at, ends, part) for part in parts]).astype(int).T
    return tuple(f"#{red:02x}{green:02x}{blue:02x}" for red, green, blue in channels)


def tidy(figure: go.Figure, height: int, **layout: Any) -> go.Figure:
    """Apply the common layout to a figure of ``height`` pixels."""
    return figure.update_layout(
        height=height,
        margin={"l": 8, "r": 8, "t": 30, "b": 8},
        legend={"orientation": "h", "y": 1.0, "yanchor": "bottom", "x": 0.0, "font": {"size": 13}},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        hoverlabel={"font": {"size": 13}},
        **layout,
    )


def theta_axis(figure: go.Figure, title: str | None = "θ", log: bool = True, **where: int) -> None:
    """Name the θ axis; logarithmic unless told, as the ranges of θ are ratios."""
    options = {"type": "log", "dtick": "D2"} if log else {}
    figure.update_xaxes(title=title, showgrid=False, **NUMBERS, **options, **where)


def cursor(theta: float | None) -> list[dict]:
    """A dotted line at the θ in use through all rows, as a list of shapes; empty when it is not on a log axis."""
    if theta is None or not theta > 0:
        return []
    line = {"color": palette.MUTED, "dash": "dot", "width": 2}
    return [{"type": "line", "xref": "x", "yref": "paper", "x0": theta, "x1": theta, "y0": 0, "y1": 1, "line": line}]


def band(low: float, high: float, colour: str, strength: float) -> dict:
    """A band from ``low`` to ``high`` on the θ axis through all rows, as a shape under the curves."""
    where = {"type": "rect", "xref": "x", "yref": "paper", "x0": low, "x1": high, "y0": 0, "y1": 1}
    return where | {"fillcolor": palette.rgba(colour, strength), "line": {"width": 0}, "layer": "below"}


def band_label(low: float, high: float, text: str, size: int = 12) -> dict:
    """Words at the top of a band on a log axis, as an annotation."""
    middle = (math.log10(low) + math.log10(high)) / 2  # annotations want the logarithm, shapes do not
    where = {"xref": "x", "yref": "paper", "x": middle, "y": 1, "yanchor": "top", "showarrow": False}
    return where | {"text": text, "font": {"size": size}}
