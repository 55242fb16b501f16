"""Points coloured by cluster, and the candidates of a verdict: what a notebook shows of a result."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from theta_app.figures import palette, style

_LEGEND = 12  # clusters at most that a legend names
_THICK = 16  # pixels of a range


def points_figure(
    positions: np.ndarray,
    labels: np.ndarray,
    axes: tuple[str, str] = ("", ""),
    names: Mapping[int, str] | None = None,
    colours: Mapping[int, str] | None = None,
    same_scale: bool = True,
    aspect: float = 1.0,
) -> go.Figure:
    """Points (n, 2) coloured by cluster, outliers (-1) grey and below the others.

    Axes say what is across and up, with its unit; both are empty in a projection. Clusters are called by their number
    and have the palette's colours by default. ``same_scale`` says whether both axes are lengths that compare,
    ``aspect`` how wide one unit across is drawn, in units up.
    """
    figure, names, colours = go.Figure(), names or {}, colours or {}
    size = float(np.clip(9 - 1.5 * np.log10(len(positions) + 1), 3, 7))
    for rank, label in enumerate(np.unique(labels).tolist()):
        mine = positions[labels == label]
        outliers = label < 0
        called = "outliers" if outliers else names.get(label, f"cluster {label}")
        figure.add_scatter(
            x=mine[:, 0],
            y=mine[:, 1],
            mode="markers",
            marker={"size": size, "color": palette.MUTED if outliers else colours.get(label) or palette.colour(label)},
            name=f"{called} ({len(mine):,})",
            showlegend=rank < _LEGEND,
            hovertemplate="%{x:,.4~r}, %{y:,.4~r}",
        )
    grid = {"gridcolor": palette.rgba(palette.MUTED, 0.25), "zeroline": False, **style.NUMBERS}
    figure.update_xaxes(title=axes[0] or None, **grid)
    figure.update_yaxes(title=axes[1] or None, **grid)
    if same_scale:
        figure.update_yaxes(scaleanchor="x", scaleratio=1 / aspect)
    return style.tidy(figure, 480)


def candidates_figure(candidates: pd.DataFrame, unit: str = "") -> go.Figure:
    """The candidates of a verdict: the range in which each holds, the verdict's green, others by their probability.

    `candidates` is the table of a `selection.Verdict`.
    """
    figure = go.Figure()
    lengths = candidates[["low", "high"]].to_numpy(dtype=float)
    least = float(lengths[lengths > 0].min(initial=1.0)) / 2 if (lengths > 0).any() else 1.0
    best = max(float(candidates["probability"].max()), 1e-9) if len(candidates) else 1.0
    named = [f"{row.algorithm}, K = {row.n_clusters:,}" for row in candidates.itertuples()]
    for row, name in zip(candidates.itertuples(), named):
        shade = palette.GOOD if row.verdict else palette.rgba(palette.ACCENT, 0.2 + 0.6 * row.probability / best)
        at = f"θ = {row.theta:.4g}" + ("" if np.isnan(row.epsilon) else f", ε = {row.epsilon:.4g}")
        figure.add_scatter(
            x=[max(row.low, least), max(row.high, least)],
            y=[row.Index, row.Index],
            mode="lines+markers",
            line={"color": shade, "width": _THICK},
            marker={"color": shade, "size": _THICK / 2},
            name=name,
            showlegend=False,
            hovertemplate=f"{name} at {at}: probability {row.probability:.0%}<extra></extra>",
        )
    figure.update_yaxes(tickvals=list(candidates.index), ticktext=named, autorange="reversed", showgrid=False)
    style.theta_axis(figure, f"θ of TDG, ε of TNC ({unit})" if unit else "θ of TDG, ε of TNC")
    return style.tidy(figure, 90 + 34 * max(len(candidates), 1))
