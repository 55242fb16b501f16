"""All clusters x features as a heat map."""

from collections.abc import Sequence

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


def heat_map_figure(
    clusters: Sequence[str], features: Sequence[str], means: np.ndarray, apart: np.ndarray
) -> go.Figure:
    """A row per cluster, a column per feature: means (K, d), coloured by how far ``apart`` from all rows' (in sd)."""
    most = float(min(max(np.nanmax(np.abs(apart), initial=1.0), 1.0), _MOST))
    figure = go.Figure(
        go.Heatmap(
            z=apart,
            x=[_short(name) for name in features],
            y=list(clusters),
            customdata=means,
            colorscale=_DIVERGING,
            zmin=-most,
            zmax=most,
            xgap=1,
            ygap=1,
            hovertemplate="%{y}<br>%{x}: mean %{customdata:.4g}<br>%{z:+.2f} standard deviations<extra></extra>",
            colorbar={"title": {"text": "sd from<br>all rows", "font": {"size": 12}}, "thickness": 12, "len": 1.0},
        )
    )
    tidy(figure, max(180, 90 + _ROW * len(clusters)))
    figure.update_yaxes(autorange="reversed", type="category", automargin=True, showgrid=False)
    figure.update_xaxes(type="category", side="top", automargin=True, showgrid=False, tickangle=-40)
    return figure


def _short(name: str) -> str:
    return name if len(name) <= 22 else name[:20] + "…"
