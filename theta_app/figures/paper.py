"""Figures of the page Paper: sizes of S1 to S4, ranges of θ, questions without methods, quality, digits in maps."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from theta_app.figures import palette, style
from theta_app.figures.compare import method_colour
from theta_app.paper.s_sets import SetResult
from theta_app.selection import SpacingCurve

_SAID, _SPARSE = palette.COLOURS[2], palette.COLOURS[0]
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
_SYMBOLS = ("circle-open", "diamond")
_TARGET = {"color": palette.MUTED, "width": 1, "dash": "dot"}


def set_figure(results: Sequence[SetResult]) -> go.Figure:
    """Points per cluster in descending order, a line chart per `SetResult` as in the paper, the true number marked."""
    rows = max((len(results) + 1) // 2, 1)
    names = [f"<b>{result.name}</b>" for result in results]
    figure = make_subplots(rows=rows, cols=2, subplot_titles=names, horizontal_spacing=0.1, vertical_spacing=0.2)
    for i, result in enumerate(results):
        where = {"row": i // 2 + 1, "col": i % 2 + 1}
        kept = [
            palette.ACCENT if rank < result.drop.suggested else palette.MUTED for rank in range(len(result.drop.sizes))
        ]
        figure.add_scatter(
            x=np.arange(1, len(result.drop.sizes) + 1),
            y=result.drop.sizes,
            mode="lines+markers",
            line={"color": palette.ACCENT, "width": 2},
            marker={"color": kept, "size": 7},
            hovertemplate=f"{result.name}, cluster %{{x}}: %{{y:,}} points<extra></extra>",
            showlegend=False,
            **where,
        )
        figure.add_vline(result.true_k + 0.5, line={"color": palette.SECOND, "dash": "dash", "width": 2}, **where)
    figure.update_xaxes(showgrid=False, rangemode="tozero", dtick=15)
    figure.update_xaxes(title="cluster", row=rows)
    figure.update_yaxes(rangemode="tozero")
    figure.update_yaxes(title="points", col=1)
    return style.tidy(figure, 80 + 230 * rows)


def spacing_figure(curves: Sequence[SpacingCurve]) -> go.Figure:
    """The paper's θ-range figure: K over θ, a `selection.SpacingCurve` per row, the range of the true K dark orange."""
    rows = max(len(curves), 1)
    figure = make_subplots(rows=rows, shared_xaxes=True, vertical_spacing=0.15 / rows)
    for row, curve in enumerate(curves, start=1):
        _spacing_row(figure, curve, row)
        label = {"text": f"<b>{curve.spacing:g} apart</b>", "showarrow": False, "font": {"size": 15}}
        where = {"xref": "x domain", "yref": "y domain", "xanchor": "right", "yanchor": "top"}
        figure.add_annotation(x=0.99, y=0.95, **label, **where, row=row, col=1)
    figure.update_xaxes(showgrid=False, **style.NUMBERS)
    figure.update_xaxes(title="θ", row=rows, col=1)
    figure.update_yaxes(title="K")
    return style.tidy(figure, 60 + 190 * rows)


def _spacing_row(figure: go.Figure, curve: SpacingCurve, row: int) -> None:
    names = {"legendgroup": "all", "name": "K (TDG)"}
    orange, dark = palette.COLOURS[1], palette.SECOND
    figure.add_scatter(
        x=curve.thetas,
        y=curve.n_clusters,
        mode="lines",
        fill="tozeroy",
        line={"color": orange, "width": 2},
        fillcolor=palette.rgba(orange, 0.35),
        showlegend=row == 1,
        hovertemplate="θ = %{x:,.3~r}: K = %{y}<extra></extra>",
        row=row,
        col=1,
        **names,
    )
    for i, span in enumerate(curve.stretches):
        figure.add_scatter(
            x=span,
            y=[curve.true_k, curve.true_k],
            mode="lines",
            fill="tozeroy",
            line={"color": dark, "width": 4},
            fillcolor=palette.rgba(dark, 0.85),
            name=f"the true K, {curve.true_k}",
            legendgroup="true",
            showlegend=row == 1 and i == 0,
            hoverinfo="skip",
            row=row,
            col=1,
        )
    figure.update_yaxes(range=[0, 4 * curve.true_k], tickvals=[0, curve.true_k, 2 * curve.true_k], row=row, col=1)


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


def accuracy_figure(table: pd.DataFrame, spaces: Sequence[str], levels: Sequence[tuple[float, str]] = ()) -> go.Figure:
    """Accuracy by method, a mark per space that the map was made of: medians, with a line from the least to the most.

    The table has the columns space, method, given, accuracy, low, high, n_clusters, of one number of images; spaces are
    in the order of their colours, whether the table has them or not; levels (value, name) are published values, drawn
    as lines across.
    """
    figure = go.Figure()
    rows = list(dict.fromkeys(_row(entry) for entry in table.itertuples()))
    for i, space in enumerate(spaces):
        part = table[table["space"] == space]
        figure.add_scatter(
            x=part["accuracy"],
            y=[_row(entry) for entry in part.itertuples()],
            error_x={
                "type": "data",
                "symmetric": False,
                "array": part["high"] - part["accuracy"],
                "arrayminus": part["accuracy"] - part["low"],
                "thickness": 1.5,
            },
            mode="markers",
            name=space,
            marker={
                "color": palette.colour(i),
                "symbol": _SYMBOLS[i % len(_SYMBOLS)],
                "size": 13,
                "line": {"width": 2},
            },
            customdata=part[["n_clusters"]],
            hovertemplate=f"{space}, %{{y}}<br>accuracy %{{x:.3f}}, K = %{{customdata[0]}}<extra></extra>",
        )
    for value, text in levels:
        figure.add_vline(value, line=_TARGET, annotation={"text": text, "font": {"size": 12}, "xanchor": "right"})
    figure.update_xaxes(title="accuracy", range=[0, 1.02], dtick=0.2)
    figure.update_yaxes(autorange="reversed", automargin=True, categoryorder="array", categoryarray=rows)
    return style.tidy(figure, 170 + 40 * max(len(rows), 2), showlegend=True)


def _row(entry: Any) -> str:
    return f"{entry.method}, given K = {entry.given}" if entry.given else entry.method
