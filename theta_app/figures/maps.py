"""The digits found in neighbour maps: who reaches which accuracy."""

from collections.abc import Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from theta_app.figures import palette, style

_SYMBOLS = ("circle-open", "diamond")
_TARGET = {"color": palette.MUTED, "width": 1, "dash": "dot"}


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
