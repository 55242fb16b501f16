"""Figures of the Learn page."""

import plotly.graph_objects as go

from theta_app.figures import palette

_COLOURS = {"TSG": palette.COLOURS[2], "TDG": palette.COLOURS[0], "K-Means (Lloyd)": palette.COLOURS[3]}
_SYMBOLS = {"TSG": "circle", "TDG": "diamond", "K-Means (Lloyd)": "square"}


def growth_figure(counts, against):
    """Distances computed by each method, counted, with the paper's formula as a dotted line.

    Parameters
    ----------
    counts : DataFrame
        Columns method, n, k, rounds, distances, formula; one row per method and size.
    against : "n" or "k"
        What grows: the number of points or of clusters.
    """
    figure = go.Figure()
    for method, rows in counts.groupby("method", sort=False):
        colour = _COLOURS[method]
        figure.add_scatter(
            x=rows[against],
            y=rows["formula"],
            mode="lines",
            line={"color": colour, "dash": "dot", "width": 2},
            name=f"{method}: the paper's formula",
            showlegend=False,
            hoverinfo="skip",
        )
        figure.add_scatter(
            x=rows[against],
            y=rows["distances"],
            mode="lines+markers",
            line={"color": colour, "width": 3},
            marker={"symbol": _SYMBOLS[method], "size": 9},
            name=method,
            customdata=rows[["rounds"]],
            hovertemplate="%{y:,} distances<br>%{x:,}, rounds: %{customdata[0]}",
        )
    words = {"n": "points N", "k": "clusters K"}[against]
    figure.update_xaxes(type="log", title=words, dtick=1)
    figure.update_yaxes(type="log", title="distances computed", dtick=1, exponentformat="power")
    return figure.update_layout(
        height=400,
        margin={"l": 10, "r": 10, "t": 40, "b": 10},
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
        font={"size": 15},
    )
