"""How many clusters stand out? The figures of the page Cluster sizes."""

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from theta_app.figures import palette, style

_LEFT = palette.rgba(palette.MUTED, 0.6)


# ---- sizes at one θ -------------------------------------------------------------------------------------------------


def sizes_figure(numbers, kept):
    """Sizes in descending order, those that are kept in their cluster's colour, the rest grey, the drop marked.

    `numbers` is a `selection.SizeDrop`, `kept` the numbers of the largest clusters where these are kept.
    """
    ranks = np.arange(1, len(numbers.sizes) + 1)
    colours = [*map(palette.colour, kept), *[_LEFT] * (len(ranks) - len(kept))]
    figure = go.Figure()
    figure.add_bar(
        x=ranks,
        y=numbers.sizes,
        marker={"color": colours, "line": {"width": 0}},
        hovertemplate="number %{x} by size: %{y:,} points<extra></extra>",
    )
    if numbers.notable:
        at = numbers.suggested + 0.5
        early = at < 0.6 * len(ranks)
        figure.add_vline(at, line={"color": palette.SECOND, "width": 2.5, "dash": "dash"})
        figure.add_annotation(
            x=at,
            y=1,
            yref="paper",
            yanchor="bottom",
            xanchor="left" if early else "right",
            text=f"<b>{numbers.suggested}</b>, then −{numbers.drop:.0%}",
            showarrow=False,
            font={"size": 14},
        )
    figure.update_xaxes(title="clusters, largest first", showgrid=False, tickformat="d", rangemode="nonnegative")
    figure.update_yaxes(title="points", rangemode="tozero")
    return style.tidy(figure, 420, bargap=0.15 if len(ranks) < 150 else 0.0, showlegend=False)


# ---- what is kept ---------------------------------------------------------------------------------------------------


def kept_figure(points, reassigned=False, same_scale=True, aspect=1.0):
    """The points: those of kept clusters in colour; those left over grey crosses, or circles where they now belong.

    Parameters
    ----------
    points : DataFrame
        One row per point: x and y, where it is drawn; cluster, the kept one that holds it; left_over, whether its own
        was not kept.
    reassigned : bool
        Whether points left over are drawn as what they go to.
    same_scale : bool
        False where the axes are not lengths of the data (a projection).
    aspect : float
        How wide one unit across is drawn, in units up.
    """
    figure = go.Figure()
    inside, left = points[~points["left_over"]], points[points["left_over"]]
    figure.add_scatter(
        x=inside["x"],
        y=inside["y"],
        mode="markers",
        marker={"size": 5, "color": [palette.colour(c) for c in inside["cluster"]]},
        customdata=inside["cluster"],
        hovertemplate="cluster %{customdata}<extra></extra>",
        name="kept",
        showlegend=False,
    )
    colours = [palette.colour(c) for c in left["cluster"]] if reassigned else palette.MUTED
    figure.add_scatter(
        x=left["x"],
        y=left["y"],
        mode="markers",
        marker={"size": 6, "symbol": "circle-open" if reassigned else "x-thin-open", "color": colours},
        customdata=left["cluster"],
        hovertemplate="left over; nearest kept cluster: %{customdata}<extra></extra>",
        name="left over, reassigned" if reassigned else "left over",
        showlegend=len(left) > 0,
    )
    plain = {"showgrid": False, "zeroline": False, "showticklabels": same_scale, **style.NUMBERS}
    figure.update_xaxes(**plain)
    figure.update_yaxes(**plain)
    if same_scale:
        figure.update_yaxes(scaleanchor="x", scaleratio=1 / aspect)
    return style.tidy(figure, 420)


# ---- over θ ---------------------------------------------------------------------------------------------------------


def drop_figure(drops, ranges, theta=None, unit=""):
    """The suggested number of clusters against θ; stretches where it is steady are shaded, the widest strongest."""
    figure = go.Figure()
    figure.add_scatter(
        x=drops["theta"],
        y=drops["n_clusters"],
        mode="lines",
        line={"color": palette.MUTED, "width": 1.5},
        name="all clusters K",
        hovertemplate="θ = %{x:,.4~r}: K = %{y:,}<extra></extra>",
    )
    for notable, words, symbol in ((True, "before a drop", "circle"), (False, "no drop: all stand", "circle-open")):
        part = drops[drops["notable"].astype(bool) == notable]
        figure.add_scatter(
            x=part["theta"],
            y=part["suggested"],
            mode="markers",
            marker={"color": palette.ACCENT, "size": 8, "symbol": symbol},
            name=words,
            customdata=part["drop"],
            hovertemplate="θ = %{x:,.4~r}: %{y:,} stand out (drop %{customdata:.0%})<extra></extra>",
        )
    bands = [
        style.band(row.theta_low, row.theta_high, palette.GOOD, 0.4 if row.Index == 0 else 0.15)
        for row in ranges.itertuples()
    ]
    words = [
        style.band_label(row.theta_low, row.theta_high, f"<b>{row.suggested}</b>", 14) for row in ranges.itertuples()
    ]
    figure.update_layout(shapes=[*bands, *style.cursor(theta)], annotations=words)
    figure.update_yaxes(title="clusters that stand out", type="log", dtick="D2")
    style.theta_axis(figure, f"θ ({unit})" if unit else "θ")
    return style.tidy(figure, 400)


# ---- S1 to S4 -------------------------------------------------------------------------------------------------------


def set_figure(results):
    """Points per cluster in descending order, one line chart per set as in the paper, with the true number marked.

    `results` are `compare.SetResult`s.
    """
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
