"""Over which θ does the answer hold? The figures of the page Optimal θ."""

import numpy as np
from plotly.subplots import make_subplots

from theta_app.figures import palette, style

_SCORES = {  # coloured as in Explore
    "agreement": ("order agreement", palette.COLOURS[3], "solid"),
    "silhouette": ("silhouette", palette.COLOURS[2], "dash"),
    "nmi": ("NMI with the truth", palette.COLOURS[4], "dot"),
}
_BEST = 4  # ranges that are drawn however narrow they are
_LABELLED = 0.03  # a range at least this wide, as a share of the axis, has room for its K


# ---- K against θ ----------------------------------------------------------------------------------------------------


def theta_range_figure(sweep, ranges, theta=None, unit=""):
    """K against θ with the ranges where it holds shaded, and the scores on the same axis below.

    Parameters
    ----------
    sweep : DataFrame
        One row per θ with the columns theta, n_clusters, runs_low, runs_high, agreement, silhouette; nmi where known.
    ranges : DataFrame
        Columns theta_low, theta_high, n_clusters, score, recommended; best first.
    theta : float, optional
        The θ in use, drawn as a line.
    unit : str
        Of θ, for the axis.
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


def _shading(sweep, ranges):
    """The ranges as bands, the recommended strongest, the others by how well they score; and their K as labels.

    A range is drawn if it is among the best or holds for two θ or more: others only say that K changes at every step.
    """
    positive = sweep["theta"][sweep["theta"] > 0]
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


# ---- θ x shuffles ---------------------------------------------------------------------------------------------------


def shuffle_map_figure(numbers, theta=None, unit=""):
    """K and order agreement as heat maps over θ x number of shuffles; a line marks from where K no longer changes.

    `numbers` is a `selection.ShuffleMap`.
    """
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


def _cells(numbers, values, most, words):
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


def _steady_line(numbers):
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


def _bar(y, **ticks):
    return {"y": y, "len": 0.46, "thickness": 12, "xpad": 4, **ticks}


# ---- the paper's figure ---------------------------------------------------------------------------------------------


def spacing_figure(curves):
    """The paper's θ-range figure: K over θ, a `selection.SpacingCurve` per row, the range of the true K dark orange."""
    rows = max(len(curves), 1)
    figure = make_subplots(rows=rows, shared_xaxes=True, vertical_spacing=0.15 / rows)
    for row, curve in enumerate(curves, start=1):
        _spacing_row(figure, curve, row)
        label = {"text": f"<b>{curve.spacing:g} apart</b>", "showarrow": False, "font": {"size": 15}}
        where = {"xref": "x domain", "yref": "y domain", "xanchor": "right", "yanchor": "top"}
        figure.add_annotation(x=0.99, y=0.95, **label, **where, row=row, col=1)
    style.theta_axis(figure, None, log=False)
    figure.update_xaxes(title="θ", row=rows, col=1)
    figure.update_yaxes(title="K")
    return style.tidy(figure, 60 + 190 * rows)


def _spacing_row(figure, curve, row):
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
