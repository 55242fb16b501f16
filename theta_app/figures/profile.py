"""All clusters x features as a heat map."""

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from theta_app.figures.style import tidy

_DIVERGING = (
    (0.0, "#0072B2"),
    (0.5, "rgba(140, 140, 140, 0.08)"),
    (1.0, "#D55E00"),
)  # below, at and above the mean of all rows
_MOST = 3.0  # standard deviations beyond which the colour stays the same
_ROW = 26  # pixels per cluster


@dataclass(frozen=True, eq=False)
class HeatMap:
    """clusters: their names; features; means and apart (in standard deviations), arrays (K, d)."""

    clusters: tuple[str, ...]
    features: tuple[str, ...]
    means: np.ndarray
    apart: np.ndarray


def heat_map_figure(heat: HeatMap) -> go.Figure:
    """A row per cluster, a column per feature, coloured by how far the cluster's mean is from that of all rows."""
    most = float(min(max(np.nanmax(np.abs(heat.apart), initial=1.0), 1.0), _MOST))
    figure = go.Figure(
        go.Heatmap(
            z=heat.apart,
            x=[_short(name) for name in heat.features],
            y=list(heat.clusters),
            customdata=heat.means,
            colorscale=_DIVERGING,
            zmin=-most,
            zmax=most,
            xgap=1,
            ygap=1,
            hovertemplate="%{y}<br>%{x}: mean %{customdata:.4g}<br>%{z:+.2f} standard deviations<extra></extra>",
            colorbar={"title": {"text": "sd from<br>all rows", "font": {"size": 12}}, "thickness": 12, "len": 1.0},
        )
    )
    tidy(figure, max(180, 90 + _ROW * len(heat.clusters)))
    figure.update_yaxes(autorange="reversed", type="category", automargin=True, showgrid=False)
    figure.update_xaxes(type="category", side="top", automargin=True, showgrid=False, tickangle=-40)
    return figure


def _short(name: str) -> str:
    return name if len(name) <= 22 else name[:20] + "…"
