"""Do small clusters chain into shapes? The figures of the page Nonlinear."""

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from theta_app.figures import palette, raster, style

_COUNTED = 9  # numbers of chains with a colour of their own on the map; the others share one
_COLUMNS = 3
_LEGEND = 12  # clusters at most that a legend names


# ---- the picture ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class ChainPicture:
    """What is drawn of one chaining.

    Attributes
    ----------
    positions : (n, 2) array
        Where the points are.
    labels : (n,) array
        The chain of each point, any integers.
    centroids : (K, 2) array
    links : (m, 2) array
        Pairs of centroids that hold the chains together.
    title : str
    """

    positions: np.ndarray
    labels: np.ndarray
    centroids: np.ndarray
    links: np.ndarray
    title: str = ""


def chain_figure(picture):
    """The points coloured by chain, the centroids, and the chaining graph over them."""
    figure = go.Figure()
    codes, labels = np.unique(picture.labels, return_inverse=True)
    order = np.argsort(-np.bincount(labels, minlength=len(codes)), kind="stable")
    for rank, code in enumerate(order):
        mine = picture.positions[labels == code]
        figure.add_scatter(
            x=mine[:, 0],
            y=mine[:, 1],
            mode="markers",
            marker={"size": _size(len(labels)), "color": palette.colour(rank)},
            name=f"chain {codes[code]} ({len(mine):,})",
            showlegend=rank < _LEGEND,
            hovertemplate="%{x:,.4~r}, %{y:,.4~r}",
        )
    ends = (
        picture.centroids[np.reshape(picture.links, (-1, 2)).astype(int)] if len(picture.links) else np.empty((0, 2, 2))
    )
    gaps = np.concatenate([ends, np.full((len(ends), 1, 2), np.nan)], axis=1).reshape(-1, 2)
    line = {"color": palette.MUTED, "width": 2}
    figure.add_scatter(x=gaps[:, 0], y=gaps[:, 1], mode="lines", line=line, name="chaining graph", hoverinfo="skip")
    small = {"size": 5, "color": palette.MUTED, "line": {"width": 1, "color": "white"}}
    figure.add_scatter(
        x=picture.centroids[:, 0],
        y=picture.centroids[:, 1],
        mode="markers",
        marker=small,
        name="centroids",
        hoverinfo="skip",
    )
    figure.update_yaxes(scaleanchor="x", scaleratio=1, zeroline=False)
    figure.update_xaxes(zeroline=False)
    return style.tidy(figure, 640, title=picture.title).update_layout(margin_t=90 if picture.title else 30)


def _size(n):
    return float(np.clip(9 - 1.5 * np.log10(n + 1), 3, 7))


# ---- K' over θ and ε ------------------------------------------------------------------------------------------------


def named_counts(found, always=None, most=_COUNTED):
    """The numbers of chains that cover most of a map, ascending: 1, `always`, and others that cover a percent of it."""
    counts, cells = np.unique(found.counts[found.chained], return_counts=True)
    enough = counts[np.argsort(-cells, kind="stable")][: most - 1]
    enough = [int(count) for count in enough if cells[counts == count][0] >= 0.01 * cells.sum()]
    return sorted({1, *enough, *([] if always is None else [int(always)])})


def chain_map_figure(found, suggestion=None, here=None, unit=""):
    """How many chains stand at each θ and ε; wide bands of one colour are ranges that hold.

    Parameters
    ----------
    found : selection.ChainMap
    suggestion : (theta, number of chains, epsilon, epsilon_low, epsilon_high), optional
        Drawn as a bar with a star.
    here : (theta, epsilon), optional
        Where the person stands, drawn as a ring.
    unit : str
        Of both lengths, for the axes.
    """
    named = named_counts(found, None if suggestion is None else suggestion[1])
    figure = go.Figure(_counts_map(found, named))
    if suggestion is not None:
        figure.add_traces(_range_bar(*suggestion))
    if here is not None:
        ring = {"symbol": "circle-open", "size": 18, "color": "black", "line": {"width": 3}}
        figure.add_scatter(x=[here[0]], y=[here[1]], mode="markers", marker=ring, name="where you are")
    tail = f" in {unit}" if unit else ""
    log = {"type": "log", "nticks": 8, "showgrid": False, **style.NUMBERS}
    figure.update_xaxes(title=f"θ{tail}", **log)
    figure.update_yaxes(title=f"ε{tail}", **log)
    return style.tidy(figure, 430, showlegend=False)  # black marks would not show in a dark legend


def _counts_map(found, named):
    """The map as a heat map: a colour for each number in `named`, one for all others."""
    codes = np.full(found.counts.shape, np.nan)
    for code, count in enumerate(named, start=1):
        codes[found.chained & (found.counts == count)] = code
    codes[np.isfinite(found.counts) & np.isnan(codes)] = 0  # hardly chained, or a number that holds nowhere
    other, single = palette.rgba(palette.MUTED, 0.12), palette.rgba(palette.MUTED, 0.55)
    colours = [other, *(single if count == 1 else palette.colour(i) for i, count in enumerate(named, start=-1))]
    return go.Heatmap(
        x=found.thetas,
        y=found.epsilons,
        z=codes,
        customdata=found.counts,
        zmin=-0.5,
        zmax=len(colours) - 0.5,
        colorscale=[(edge / len(colours), c) for k, c in enumerate(colours) for edge in (k, k + 1)],
        colorbar={
            "title": {"text": "chains", "side": "top"},
            "tickvals": list(range(len(colours))),
            "ticktext": ["other", *map(str, named)],
            "thickness": 16,
        },
        hovertemplate="θ = %{x:,.4~r}, ε = %{y:,.4~r}: %{customdata} chains<extra></extra>",
        name="chains",
    )


def _range_bar(theta, _, epsilon, low, high):
    """A range of ε at one θ as a bar with a star in its middle, white below so that it shows on every colour."""
    white = {"color": "white", "width": 7}
    return [
        go.Scatter(x=[theta, theta], y=[low, high], mode="lines", line=white, hoverinfo="skip", showlegend=False),
        go.Scatter(
            x=[theta, theta, theta],
            y=[low, epsilon, high],
            mode="lines+markers",
            line={"color": "black", "width": 3},
            marker={"symbol": ["line-ew-open", "star", "line-ew-open"], "size": [12, 17, 12], "color": "black"},
            name="widest range",
            hovertemplate="θ = %{x:,.4~r}, ε = %{y:,.4~r}",
        ),
    ]


# ---- side by side ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Panel:
    """One method's picture: its title, and the label of each drawn point (-1: noise, grey), or None if it did not run.

    Equal labels in two panels have the same colour.
    """

    title: str
    labels: np.ndarray | None


def panels_figure(positions, panels):
    """Small pictures side by side, the same points, clusters coloured by their labels.

    Parameters
    ----------
    positions : (n, 2) array
    panels : sequence of Panel
    """
    rows = max(1, -(-len(panels) // _COLUMNS))
    figure = make_subplots(
        rows, _COLUMNS, subplot_titles=[p.title for p in panels], horizontal_spacing=0.02, vertical_spacing=0.22 / rows
    )
    low, high = raster.box(positions) if len(positions) else (np.zeros(2), np.ones(2))
    for at, panel in enumerate(panels):
        where = {"row": at // _COLUMNS + 1, "col": at % _COLUMNS + 1}
        labels = panel.labels
        if labels is None:
            labels = np.full(len(positions), -1)
        figure.add_layout_image(**where, **raster.image(positions, labels, low, high))
    figure.update_xaxes(visible=False, range=[low[0], high[0]], matches="x")
    figure.update_yaxes(visible=False, range=[low[1], high[1]], matches="y", scaleanchor="x")
    figure.update_annotations(font_size=11.5, yshift=4)
    return style.tidy(figure, 60 + 300 * rows).update_layout(margin_t=60)
