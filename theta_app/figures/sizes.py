"""How many clusters stand out? The figures of the page Cluster sizes, and the numbers behind them."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from theta_app import selection
from theta_app.figures import palette, style

NOTABLE = 0.2
"""A drop by less than this share of the size before it is none: the sizes are even and every cluster stands."""

_LEFT = palette.rgba(palette.MUTED, 0.6)


# ---- sizes at one θ -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SizeDrop:
    """Cluster sizes and where they drop.

    sizes : (K,) descending
    suggested : int
        Clusters before the largest relative drop; all of them when no drop is notable.
    drop : float
        The largest relative drop, as a share of the size before it; 0 for one cluster.
    notable : bool
    """

    sizes: np.ndarray
    suggested: int
    drop: float
    notable: bool

    @property
    def table(self):
        """A row a cluster: rank, size, stands_out."""
        ranks = np.arange(1, len(self.sizes) + 1)
        return pd.DataFrame({"rank": ranks, "size": self.sizes, "stands_out": ranks <= self.suggested})


def size_drop(sizes):
    """The `SizeDrop` of cluster sizes in any order."""
    sizes = np.sort(np.asarray(sizes, dtype=int))[::-1]
    before = selection.size_elbow(sizes)
    drop = float((sizes[before - 1] - sizes[before]) / sizes[before - 1]) if 0 < before < len(sizes) else 0.0
    notable = drop >= NOTABLE
    return SizeDrop(sizes, before if notable else len(sizes), drop, notable)


def sizes_figure(numbers, kept):
    """Sizes in descending order, the ``kept`` largest in their cluster's colour, the rest grey, the drop marked."""
    ranks = np.arange(1, len(numbers.sizes) + 1)
    colours = [palette.colour(i) if i < kept else _LEFT for i in range(len(ranks))]
    figure = go.Figure()
    figure.add_bar(
        x=ranks,
        y=numbers.sizes,
        marker={"color": colours, "line": {"width": 0}},
        hovertemplate="cluster %{x}: %{y:,} points<extra></extra>",
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


@dataclass(frozen=True)
class KeptPoints:
    """Points and which of them the kept clusters hold.

    places : (n, 2) where points are drawn
    clusters : (n,) rank of each point's cluster, 0 the largest; for a point left over that of the cluster it goes to
    left : (n,) bool, True where the point's own cluster was not kept
    """

    places: np.ndarray
    clusters: np.ndarray
    left: np.ndarray


def kept_points(places, labels, sizes, kept, k):
    """The `KeptPoints` of a clustering of which the ``k`` largest are kept.

    labels, sizes : of the clustering; kept : labels after every point went to the nearest kept cluster, 0 the largest.
    """
    order = np.argsort(-np.asarray(sizes), kind="stable")
    rank = np.empty(len(order), dtype=int)
    rank[order] = np.arange(len(order))
    left = rank[labels] >= k
    return KeptPoints(np.asarray(places), np.where(left, kept, rank[labels]), left)


def kept_figure(numbers, reassigned=False, same_scale=True):
    """The points: those of kept clusters in colour; those left over grey crosses, or circles where they now belong.

    same_scale : False where the axes are not lengths of the data (a projection).
    """
    figure = go.Figure()
    inside, left = ~numbers.left, numbers.left
    figure.add_scatter(
        x=numbers.places[inside, 0],
        y=numbers.places[inside, 1],
        mode="markers",
        marker={"size": 5, "color": [palette.colour(c) for c in numbers.clusters[inside]]},
        customdata=numbers.clusters[inside] + 1,
        hovertemplate="cluster %{customdata}<extra></extra>",
        name="kept",
        showlegend=False,
    )
    colours = [palette.colour(c) for c in numbers.clusters[left]] if reassigned else palette.MUTED
    figure.add_scatter(
        x=numbers.places[left, 0],
        y=numbers.places[left, 1],
        mode="markers",
        marker={"size": 6, "symbol": "circle-open" if reassigned else "x-thin-open", "color": colours},
        customdata=numbers.clusters[left] + 1,
        hovertemplate="left over; nearest kept cluster: %{customdata}<extra></extra>",
        name="left over, reassigned" if reassigned else "left over",
        showlegend=bool(left.any()),
    )
    figure.update_xaxes(showgrid=False, zeroline=False, showticklabels=same_scale, exponentformat="SI")
    figure.update_yaxes(showgrid=False, zeroline=False, showticklabels=same_scale, exponentformat="SI")
    if same_scale:
        figure.update_yaxes(scaleanchor="x")
    return style.tidy(figure, 420)


# ---- over θ ---------------------------------------------------------------------------------------------------------


def drops_over_theta(points):
    """The drop at each θ of a sweep's `ThetaPoint`s.

    A DataFrame, θ ascending: theta, n_clusters, suggested, drop, notable, mean_size (of the suggested clusters).
    """
    rows = []
    for point in sorted(points, key=lambda point: point.theta):
        found = size_drop(point.tdg.sizes)
        mean = float(found.sizes[: found.suggested].mean())
        rows.append((point.theta, len(found.sizes), found.suggested, found.drop, found.notable, mean))
    return pd.DataFrame(rows, columns=["theta", "n_clusters", "suggested", "drop", "notable", "mean_size"])


def steady_ranges(drops, least=3):
    """Stretches of at least ``least`` neighbouring θ that suggest the same number, widest first.

    One cluster is no suggestion, nor are clusters of hardly any points. Returns a DataFrame: theta_low, theta_high,
    theta (the geometric middle), suggested, drop (the mean), relative_width (log of theta_high / theta_low).
    """
    columns = ["theta_low", "theta_high", "theta", "suggested", "drop", "relative_width"]
    drops = drops[drops["theta"] > 0]
    stretch = (drops["suggested"].diff() != 0).cumsum()
    rows = []
    for _, part in drops.groupby(stretch):
        if len(part) < least or part["suggested"].iloc[0] < 2 or part["mean_size"].mean() < 3:
            continue
        low, high = part["theta"].iloc[0], part["theta"].iloc[-1]
        rows.append(
            (low, high, np.sqrt(low * high), part["suggested"].iloc[0], part["drop"].mean(), np.log(high / low))
        )
    found = pd.DataFrame(rows, columns=columns)
    return found.sort_values("relative_width", ascending=False, kind="stable", ignore_index=True)


def drop_figure(drops, ranges, theta=None, unit=""):
    """The suggested number of clusters against θ; stretches where it is steady are shaded, the widest strongest."""
    figure = go.Figure()
    figure.add_scatter(
        x=drops["theta"],
        y=drops["n_clusters"],
        mode="lines",
        line={"color": palette.MUTED, "width": 1.5},
        name="all clusters K",
        hovertemplate="θ = %{x:.4g}: K = %{y:,}<extra></extra>",
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
            hovertemplate="θ = %{x:.4g}: %{y:,} stand out (drop %{customdata:.0%})<extra></extra>",
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


@dataclass(frozen=True)
class SetResult:
    """TDG and K-Means++ on one of S1 to S4.

    name : str
    drop : SizeDrop
        Of TDG's clusters.
    true_k : int
    nmi_all, nmi_top, nmi_kmeans : float
        NMI with the truth: of all TDG's clusters, of its ``true_k`` largest reassigned, of K-Means++ with ``true_k``.
    """

    name: str
    drop: SizeDrop
    true_k: int
    nmi_all: float
    nmi_top: float
    nmi_kmeans: float


def set_table(results):
    """A row a set: set, n_clusters, suggested, nmi_all, nmi_top, nmi_kmeans, difference (top less K-Means++)."""
    rows = [
        (r.name, len(r.drop.sizes), r.drop.suggested, r.nmi_all, r.nmi_top, r.nmi_kmeans, r.nmi_top - r.nmi_kmeans)
        for r in results
    ]
    columns = ["set", "n_clusters", "suggested", "nmi_all", "nmi_top", "nmi_kmeans", "difference"]
    return pd.DataFrame(rows, columns=columns)


def size_table(results):
    """A row a cluster: set, rank, size."""
    parts = [result.drop.table.assign(set=result.name)[["set", "rank", "size"]] for result in results]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=["set", "rank", "size"])


def set_figure(results):
    """Points a cluster in descending order, one line chart a set as in the paper, with the true number marked."""
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
