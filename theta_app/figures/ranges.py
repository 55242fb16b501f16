"""The paper's θ-range figure."""

from collections.abc import Sequence

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from theta_app.figures import palette, style
from theta_app.selection import SpacingCurve


def spacing_figure(curves: Sequence[SpacingCurve]) -> go.Figure:
    """The paper's θ-range figure: K over θ, a `selection.SpacingCurve` per row, the range of the true K dark orange."""
    rows = max(len(curves), 1)
    figure = make_subplots(rows=rows, shared_xaxes=True, vertical_spacing=0.15 / rows)
    for row, curve in enumerate(curves, start=1):
        _spacing_row(figure, curve, row)
        label = {"text": f"<b>{curve.spacing:g} apart</b>", "showarrow": False, "font": {"size": 15}}
        where = {"xref": "x domain", "yref": "y domain", "xanchor": "right", "yanchor": "top"}
        figure.add_annotation(x=0.99, y=0.95, **label, **where, row=row, col=1)
    figure.update_xaxes(showgrid=False, **style.NUMBERS)
    figure.update_xaxes(title="θ", row=rows, col=1)
    figure.update_yaxes(title="K")
    return style.tidy(figure, 60 + 190 * rows)


def _spacing_row(figure: go.Figure, curve: SpacingCurve, row: int) -> None:
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
