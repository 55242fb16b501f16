"""What results draw of themselves (`plotting`): a sweep with its ranges, sizes, maps of shuffles and chains."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from theta_app.figures import palette, style
from theta_app.selection import ChainMap, ShuffleMap, SizeDrop

_SCORES = {  # coloured as in Explore
    "agreement": ("order agreement", palette.COLOURS[3], "solid"),
    "silhouette": ("silhouette", palette.COLOURS[2], "dash"),
    "nmi": ("NMI with the truth", palette.COLOURS[4], "dot"),
}
_BEST = 4  # ranges that are drawn however narrow they are
_LABELLED = 0.03  # a range at least this wide, as a share of the axis, has room for its K
_LEFT = palette.rgba(palette.MUTED, 0.6)
_COUNTED = 9  # numbers of chains with a colour of their own on the map; the others share one


def theta_range_figure(
    sweep: pd.DataFrame, ranges: pd.DataFrame, theta: float | None = None, unit: str = ""
) -> go.Figure:
    """K against θ with the ranges where it holds shaded, and the scores on the same axis below.

    The sweep has one row per θ: theta, n_clusters, runs_low, runs_high, agreement, silhouette; nmi where known. Ranges,
    best first: theta_low, theta_high, n_clusters, score, recommended. A line is drawn at the ``theta`` in use.
    """
    figure = make_subplots(rows=2, shared_xaxes=True, vertical_spacing=0.06, row_heights=[0.6, 0.4])
    thetas = sweep["theta"]
    band = {"x": thetas, "mode": "lines", "line": {"width": 0}, "hoverinfo": "skip", "showlegend": False}
    figure.add_scatter(y=sweep["runs_low"], **band, row=1, col=1)
    band |= {"fill": "tonexty", "fillcolor": palette.rgba(palette.MUTED, 0.3), "showlegend": True}
    figure.add_scatter(y=sweep["runs_high"], **band, name="single passes (TSG)", row=1, col=1)
    figure.add_scatter(
        x=thetas,
        y=sweep["n_clusters"],
        mode="lines+markers",
        line={"color": palette.ACCENT, "width": 2.5},
        marker={"size": 4},
        name="K (TDG)",
        hovertemplate="θ = %{x:,.4~r}: K = %{y}<extra></extra>",
        row=1,
        col=1,
    )
    for column, (words, colour, dash) in _SCORES.items():
        if column in sweep:
            figure.add_scatter(
                x=thetas,
                y=sweep[column],
                mode="lines",
                line={"color": colour, "width": 2.5, "dash": dash},
                name=words,
                hovertemplate=f"θ = %{{x:,.4~r}}: {words} %{{y:.2f}}<extra></extra>",
                row=2,
                col=1,
            )
    bands, words = _shading(sweep, ranges)
    figure.update_layout(shapes=[*bands, *style.cursor(theta)], annotations=words)
    figure.update_yaxes(title="clusters K", type="log", dtick="D2", row=1, col=1)
    figure.update_yaxes(title="score", range=[-0.05, 1.05], dtick=0.25, row=2, col=1)
    style.theta_axis(figure, f"θ ({unit})" if unit else "θ", row=2, col=1)
    style.theta_axis(figure, None, row=1, col=1)
    return style.tidy(figure, 560)


def _shading(sweep: pd.DataFrame, ranges: pd.DataFrame) -> tuple[list[dict], list[dict]]:
    """The ranges as bands, the recommended strongest, the others by how well they score; and their K as labels.

    A range is drawn if it is among the best or holds for two θ or more: others only say that K changes at every step.
    """
    positive = sweep["theta"][sweep["theta"] > 0]
    bands: list
    words: list
    bands, words = [], []
    if len(positive) == 0 or len(ranges) == 0:
        return bands, words
    span = np.log(positive.max() / positive.min()) or 1.0
    best = max(float(ranges["score"].max()), 1e-9)
    for row in ranges.itertuples():
        low, high = max(row.theta_low, positive.min()), row.theta_high
        if row.Index >= _BEST and positive.between(low, high).sum() < 2:
            continue
        if row.recommended:
            bands.append(style.band(low, high, palette.GOOD, 0.45))
        else:
            bands.append(style.band(low, high, palette.ACCENT, 0.06 + 0.2 * float(np.clip(row.score / best, 0, 1))))
        if row.recommended:
            words.append(style.band_label(low, high, f"<b>{row.n_clusters}</b>", 16))
        elif high > low and np.log(high / low) > _LABELLED * span:
            words.append(style.band_label(low, high, f"{row.n_clusters}"))
    return bands, words


def shuffle_map_figure(numbers: ShuffleMap, theta: float | None = None, unit: str = "") -> go.Figure:
    """K and order agreement over θ x shuffles, as heat maps; a line marks from where K no longer changes."""
    titles = ("K", "order agreement")
    figure = make_subplots(rows=2, shared_xaxes=True, vertical_spacing=0.12, subplot_titles=titles)
    clusters = np.maximum(numbers.n_clusters, 1)
    most = max(float(np.log10(clusters.max())) if clusters.size else 1.0, 0.1)
    whole = np.arange(0, np.ceil(most) + 1)
    rows = np.arange(len(numbers.counts))
    figure.add_heatmap(
        **_cells(numbers, np.log10(clusters), most, "K = %{customdata}"),
        customdata=numbers.n_clusters,
        colorbar=_bar(0.78, tickvals=whole, ticktext=[f"{10**v:,.0f}" for v in whole]),
        row=1,
        col=1,
    )
    figure.add_scatter(**_steady_line(numbers), row=1, col=1)
    figure.add_heatmap(
        **_cells(numbers, numbers.agreement, 1, "order agreement %{z:.2f}"),
        reversescale=True,
        colorbar=_bar(0.22, tickvals=[0, 0.5, 1]),
        row=2,
        col=1,
    )
    figure.update_layout(shapes=style.cursor(theta))
    figure.update_yaxes(title="shuffles", tickvals=rows[::2], ticktext=[str(c) for c in numbers.counts[::2]])
    style.theta_axis(figure, f"θ ({unit})" if unit else "θ", row=2, col=1)
    style.theta_axis(figure, None, row=1, col=1)
    figure.update_annotations(x=0, xanchor="left")  # the titles: the legend is on the right
    return style.tidy(figure, 560).update_layout(legend={"x": 1.0, "xanchor": "right"})


def _cells(numbers: ShuffleMap, values: np.ndarray, most: float, words: str) -> dict:
    """One of the two heat maps; rows are drawn at equal heights, so the hover box gets their number of shuffles."""
    return {
        "x": numbers.thetas,
        "y": np.arange(len(numbers.counts)),
        "z": values,
        "zmin": 0,
        "zmax": most,
        "colorscale": style.SCALE,
        "hovertemplate": f"θ = %{{x:,.4~r}}, %{{text}} shuffles: {words}<extra></extra>",
        "text": np.repeat(numbers.counts[:, None], len(numbers.thetas), axis=1),
        "texttemplate": "",
    }


def _steady_line(numbers: ShuffleMap) -> dict:
    """From where on K no longer changes."""
    return {
        "x": numbers.thetas,
        "y": np.searchsorted(numbers.counts, numbers.steady_from) - 0.5,
        "mode": "lines",
        "line": {"color": palette.SECOND, "width": 3, "shape": "hvh"},
        "name": "K holds from here up",
        "showlegend": True,
        "customdata": numbers.steady_from,
        "hovertemplate": "θ = %{x:,.4~r}: K holds from %{customdata} shuffles<extra></extra>",
    }


def _bar(y: float, **ticks: Any) -> dict:
    return {"y": y, "len": 0.46, "thickness": 12, "xpad": 4, **ticks}


def sizes_figure(numbers: SizeDrop, kept: Sequence[int]) -> go.Figure:
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


def named_counts(found: ChainMap, always: int | None = None, most: int = _COUNTED) -> list[int]:
    """The numbers of chains that cover most of a map, ascending: 1, `always`, and others that cover a percent of it."""
    counts, cells = np.unique(found.counts[found.chained], return_counts=True)
    enough = counts[np.argsort(-cells, kind="stable")][: most - 1]
    enough = [int(count) for count in enough if cells[counts == count][0] >= 0.01 * cells.sum()]
    return sorted({1, *enough, *([] if always is None else [int(always)])})


def chain_map_figure(
    found: ChainMap,
    suggestion: tuple[float, int, float, float, float] | None = None,
    here: tuple[float, float] | None = None,
    unit: str = "",
) -> go.Figure:
    """How many chains stand at each θ and ε; wide bands of one colour are ranges that hold.

    A suggestion (theta, number of chains, epsilon, epsilon_low, epsilon_high) is a bar with a star; where the person
    stands, (theta, epsilon), is a ring.
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


def _counts_map(found: ChainMap, named: Sequence[int]) -> go.Heatmap:
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


def _range_bar(theta: float, _: int, epsilon: float, low: float, high: float) -> list[go.Scatter]:
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
