"""Figures of the questions that no table of methods answers."""

from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from theta_app.figures import palette, style

_SAID, _SPARSE = palette.COLOURS[2], palette.COLOURS[0]


def sparsity_figure(rows: Sequence[dict]) -> go.Figure:
    """Order agreement over θ, a row per dimension: dots filled where all orders gave the same clusters.

    Shaded is where the clusters are θ-sparse by definition, below the closest pair. `rows` are those of the study.
    """
    figure = make_subplots(rows=len(rows), vertical_spacing=0.32 / len(rows))
    for at, row in enumerate(rows, start=1):
        hollow = "rgba(0,0,0,0)"
        figure.add_scatter(
            x=row["thetas"],
            y=row["agreement"],
            mode="lines+markers",
            line={"color": _SAID, "width": 2},
            marker={
                "size": 9,
                "color": [_SAID if same else hollow for same in row["same"]],
                "line": {"color": _SAID, "width": 2},
            },
            customdata=row["n_clusters"],
            hovertemplate="θ = %{x:,.3~r}: order agreement %{y:.3f}, K = %{customdata}<extra></extra>",
            showlegend=False,
            row=at,
            col=1,
        )
        low = 0.95 * row["thetas"][0]
        figure.add_vrect(
            x0=low, x1=row["closest"], fillcolor=_SPARSE, opacity=0.18, line_width=0, layer="below", row=at, col=1
        )
        figure.add_annotation(
            text=f"<b>D = {row['dimensions']:,}</b>",
            showarrow=False,
            font={"size": 15},
            xref="x domain",
            yref="y domain",
            x=0.99,
            y=0.12,
            xanchor="right",
            row=at,
            col=1,
        )
        style.theta_axis(figure, "θ" if at == len(rows) else "", row=at, col=1)
    figure.update_yaxes(title="order agreement", range=[-0.05, 1.08], tickvals=[0, 0.5, 1])
    return style.tidy(figure, 60 + 180 * len(rows))


def widths_figure(table: pd.DataFrame) -> go.Figure:
    """How wide ranges are, highest : lowest, as dots: `table` has case, of (a name) and width."""
    figure = go.Figure()
    for i, (name, part) in enumerate(table.groupby("of", sort=False)):
        figure.add_scatter(
            x=part["width"],
            y=part["case"],
            mode="markers",
            name=name,
            marker={"size": 12, "color": palette.COLOURS[i], "symbol": ["circle", "square", "diamond", "cross"][i % 4]},
            hovertemplate="%{y}: %{x:.2f}<extra>" + name + "</extra>",
        )
    figure.update_xaxes(title="highest : lowest", type="log", dtick="D2", **style.NUMBERS)
    figure.update_yaxes(autorange="reversed", title="")
    return style.tidy(figure, 120 + 34 * table["case"].nunique())


def orderings_figure(shares: pd.DataFrame) -> go.Figure:
    """In how many seeds TDG is right over its shuffles, a line per distance: `shares` has apart, shuffles and right."""
    figure = go.Figure()
    colours = style.scale_colours(shares["apart"].nunique())
    for colour, (apart, part) in zip(colours, shares.groupby("apart", sort=True)):
        figure.add_scatter(
            x=part["shuffles"],
            y=part["right"],
            mode="lines+markers",
            name=f"{apart:g} apart",
            line={"color": colour, "width": 2},
            marker={"size": 8},
            hovertemplate="%{x} shuffles: %{y} of 10 seeds<extra>" + f"{apart:g} apart" + "</extra>",
        )
    figure.update_xaxes(title="shuffles", type="log", tickvals=sorted(shares["shuffles"].unique()), **style.NUMBERS)
    figure.update_yaxes(title="seeds with 25 clusters", rangemode="tozero")
    return style.tidy(figure, 360)
