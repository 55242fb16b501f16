"""How often is the automatic answer right? Figures of that part of Paper."""

from collections.abc import Mapping

import pandas as pd
import plotly.graph_objects as go

from theta_app.figures import palette, style
from theta_app.figures.compare import method_colour

_LOOKS = {  # colour and symbol of the methods that are given nothing
    "theta": (palette.GOOD, "diamond"),
    "tdg": (method_colour("tdg"), "circle-open"),
    "tnc": (method_colour("tnc"), "square-open"),
    "hdbscan": (method_colour("hdbscan"), "triangle-up-open"),
    "hdbscan-1": (method_colour("hdbscan"), "triangle-up"),
    "kmeans": (method_colour("kmeans"), "cross"),
    "mixture": (palette.colour(4), "x"),
}
_OTHER = palette.MUTED, "circle"


def group_figure(means: pd.DataFrame, methods: Mapping[str, str]) -> go.Figure:
    """Mean adjusted Rand index by group of data sets: one row per group, one mark per method.

    Means have the columns group, sets and one per method's label; the first of the methods {key: label} is drawn
    largest, above the others.
    """
    figure = go.Figure()
    # a long name takes two lines: a phone has no room for one
    rows = [f"{group} ({sets})".replace(" and ", "<br>and ") for group, sets in zip(means["group"], means["sets"])]
    for place, (key, label) in reversed(list(enumerate(methods.items()))):
        colour, symbol = _LOOKS.get(key, _OTHER)
        figure.add_scatter(
            x=means[label],
            y=rows,
            mode="markers",
            name=label,
            legendrank=place,
            marker={
                "color": colour,
                "symbol": symbol,
                "size": 15 if place == 0 else 11,
                "line": {"width": 2 if symbol.endswith("-open") else 0},
            },
            hovertemplate=f"{label}<br>%{{y}}: %{{x:.2f}}<extra></extra>",
        )
    figure.update_xaxes(title="mean adjusted Rand index", range=[-0.03, 1.03], dtick=0.2)
    figure.update_yaxes(autorange="reversed", automargin=True, categoryorder="array", categoryarray=rows)
    return style.tidy(figure, 170 + 44 * max(len(rows), 2))


def reliability_figure(bins: pd.DataFrame) -> go.Figure:
    """How often an answer was right against how sure it was said to be; on the dotted line it is as sure as it should.

    `bins` : DataFrame with the columns low, high, answers, confidence, right.
    """
    figure = go.Figure()
    line = {"color": palette.MUTED, "dash": "dot", "width": 2}
    figure.add_scatter(x=[0, 1], y=[0, 1], mode="lines", line=line, name="right as often as said", hoverinfo="skip")
    figure.add_scatter(
        x=bins["confidence"],
        y=bins["right"],
        customdata=bins["answers"],
        text=[f"{count}" for count in bins["answers"]],
        textposition="bottom center",
        mode="lines+markers+text",
        name="answers, with how many",
        line={"color": palette.GOOD, "width": 2},
        marker={"color": palette.GOOD, "size": 13, "symbol": "diamond"},
        cliponaxis=False,
        hovertemplate="said to be %{x:.0%} sure<br>right %{y:.0%} of %{customdata}<extra></extra>",
    )
    figure.update_xaxes(title="confidence", range=[0, 1.03], dtick=0.2, tickformat=".0%")
    figure.update_yaxes(title="share that was right", range=[-0.05, 1.05], dtick=0.2, tickformat=".0%")
    return style.tidy(figure, 400)
