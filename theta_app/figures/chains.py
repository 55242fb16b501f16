"""Do small clusters chain into shapes? The figures of the page Nonlinear, and the numbers behind them."""

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots
from scipy.optimize import linear_sum_assignment

from theta_app import selection
from theta_app.figures import palette, style

_COUNTED = 9  # numbers of chains with a colour of their own on the map; the others share one
_COLUMNS = 3
_LEGEND = 12  # clusters at most that a legend names


# ---- the picture ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class ChainPicture:
    """What is drawn of one chaining.

    Attributes
    ----------
    places : (n, 2) array
        Where the points are.
    labels : (n,) array
        The chain of each point, any integers.
    centroids : (K, 2) array
    links : (m, 2) array
        Pairs of centroids that hold the chains together.
    title : str
    """

    places: np.ndarray
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
        mine = picture.places[labels == code]
        figure.add_scatter(
            x=mine[:, 0],
            y=mine[:, 1],
            mode="markers",
            marker={"size": _size(len(labels)), "color": palette.colour(rank)},
            name=f"chain {codes[code]} ({len(mine):,})",
            showlegend=rank < _LEGEND,
            hovertemplate="%{x:.4g}, %{y:.4g}",
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


@dataclass(frozen=True, eq=False)
class ChainMap:
    """The number of standing chains over θ and ε.

    Attributes
    ----------
    thetas, epsilons : ascending arrays
    counts : (epsilons, thetas) array
        Chains that stand; NaN where there are too many small pieces to count.
    most : (thetas,) array
        More chains than this are hardly chained: each is made of fewer than four small clusters.
    """

    thetas: np.ndarray
    epsilons: np.ndarray
    counts: np.ndarray
    most: np.ndarray

    @property
    def chained(self):
        """Which cells have a number of chains worth a colour."""
        return (self.counts >= 1) & (self.counts <= self.most)


def chain_map(tried, rows=120):
    """The `ChainMap` of several `selection.Chaining`s, each at its own θ."""
    tried = sorted(tried, key=lambda one: one.theta)
    limits = np.array([selection.epsilon_limits(one) for one in tried]).reshape(-1, 2)
    if len(tried) == 0:
        return ChainMap(np.empty(0), np.empty(0), np.empty((0, 0)), np.empty(0))
    epsilons = np.geomspace(np.quantile(limits[:, 0], 0.25), np.quantile(limits[:, 1], 0.75), rows)
    columns = []
    for one in tried:
        profile = selection.chain_profile(one)
        row = np.searchsorted(profile["epsilon_low"].to_numpy(), epsilons, side="left") - 1
        counts = np.where(row >= 0, profile["standing"].to_numpy(float)[np.maximum(row, 0)], np.nan)
        columns.append(counts)
    most = np.array([selection.most_chains(one) for one in tried])
    return ChainMap(np.array([one.theta for one in tried]), epsilons, np.column_stack(columns), most)


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
    found : ChainMap
    suggestion : (theta, number of chains, epsilon, epsilon_low, epsilon_high), optional
        Drawn as a bar with a star.
    here : (theta, epsilon), optional
        Where the person stands, drawn as a ring.
    unit : str
        Of both lengths, for the axes.
    """
    named = named_counts(found, None if suggestion is None else suggestion[1])
    codes = np.full(found.counts.shape, np.nan)
    for code, count in enumerate(named, start=1):
        codes[found.chained & (found.counts == count)] = code
    codes[np.isfinite(found.counts) & np.isnan(codes)] = 0  # hardly chained, or a number that holds nowhere
    other, one = palette.rgba(palette.MUTED, 0.12), palette.rgba(palette.MUTED, 0.55)
    colours = [other, *(one if count == 1 else palette.colour(i) for i, count in enumerate(named, start=-1))]
    figure = go.Figure()
    figure.add_heatmap(
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
        hovertemplate="θ = %{x:.4g}, ε = %{y:.4g}: %{customdata} chains<extra></extra>",
        name="chains",
    )
    if suggestion is not None:
        theta, _, epsilon, low, high = suggestion
        white = {"color": "white", "width": 7}
        figure.add_scatter(
            x=[theta, theta], y=[low, high], mode="lines", line=white, hoverinfo="skip", showlegend=False
        )
        figure.add_scatter(
            x=[theta, theta, theta],
            y=[low, epsilon, high],
            mode="lines+markers",
            line={"color": "black", "width": 3},
            marker={"symbol": ["line-ew-open", "star", "line-ew-open"], "size": [12, 17, 12], "color": "black"},
            name="widest range",
            hovertemplate="θ = %{x:.4g}, ε = %{y:.4g}",
        )
    if here is not None:
        ring = {"symbol": "circle-open", "size": 18, "color": "black", "line": {"width": 3}}
        figure.add_scatter(x=[here[0]], y=[here[1]], mode="markers", marker=ring, name="where you are")
    tail = f" in {unit}" if unit else ""
    log = {"type": "log", "nticks": 8, "showgrid": False, "exponentformat": "SI"}
    figure.update_xaxes(title=f"θ{tail}", **log)
    figure.update_yaxes(title=f"ε{tail}", **log)
    return style.tidy(figure, 430, showlegend=False)  # black marks would not show in a dark legend


# ---- side by side ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Panel:
    """One method's picture: its title, and the label of each drawn point (-1 is noise), or None if it did not run."""

    title: str
    labels: np.ndarray | None


_SCALE = (*palette.COLOURS, palette.MUTED)
_INDEXED = {  # numbers for colours: checking a text for each point would take seconds
    "cmin": -0.5,
    "cmax": len(_SCALE) - 0.5,
    "colorscale": [(edge / len(_SCALE), c) for k, c in enumerate(_SCALE) for edge in (k, k + 1)],
}


def panels_figure(places, panels):
    """Small pictures side by side, the same points, each method's clusters in colours matched to the first panel's.

    Parameters
    ----------
    places : (n, 2) array
    panels : sequence of Panel
    """
    rows = max(1, -(-len(panels) // _COLUMNS))
    figure = make_subplots(
        rows, _COLUMNS, subplot_titles=[p.title for p in panels], horizontal_spacing=0.02, vertical_spacing=0.22 / rows
    )
    reference = next((panel.labels for panel in panels if panel.labels is not None), None)
    for at, panel in enumerate(panels):
        where = {"row": at // _COLUMNS + 1, "col": at % _COLUMNS + 1}
        labels = panel.labels
        codes = np.full(len(places), len(palette.COLOURS))  # grey: noise, or a method that did not run
        if labels is not None:
            ranks = matched(reference, labels)
            codes = np.array([ranks[k] % len(palette.COLOURS) if k >= 0 else len(palette.COLOURS) for k in labels])
        figure.add_scatter(
            x=places[:, 0],
            y=places[:, 1],
            mode="markers",
            marker={"size": max(_size(len(places)) - 1.5, 2.5), "color": codes, **_INDEXED},
            hoverinfo="skip",
            showlegend=False,
            **where,
        )
    figure.update_xaxes(visible=False, matches="x")
    figure.update_yaxes(visible=False, matches="y", scaleanchor="x")
    figure.update_annotations(font_size=11.5, yshift=4)
    return style.tidy(figure, 60 + 300 * rows).update_layout(margin_t=60)


def matched(reference, labels):
    """{cluster: palette index}: the cluster that overlaps most with the reference's k-th largest takes colour k.

    Noise (-1) has no colour. Clusters left without a partner take the colours after the reference's.
    """
    names, codes = np.unique(reference[reference >= 0], return_inverse=True)
    order = np.argsort(-np.bincount(codes, minlength=len(names)), kind="stable") if len(names) else []
    rank = {int(names[k]): place for place, k in enumerate(order)}
    found = np.unique(labels[labels >= 0])
    both = (reference >= 0) & (labels >= 0)
    overlap = np.zeros((len(found), len(names)))
    np.add.at(overlap, (np.searchsorted(found, labels[both]), np.searchsorted(names, reference[both])), 1)
    given = {int(found[i]): rank[int(names[j])] for i, j in zip(*linear_sum_assignment(-overlap)) if overlap[i, j] > 0}
    spare = iter(range(len(names), len(names) + len(found)))
    return {name: given[name] if name in given else next(spare) for name in map(int, found)}
