"""The paper's figure of cluster sizes on S1 to S4."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from theta_app.figures import palette, style
from theta_app.paper.s_sets import SetResult


def set_figure(results: Sequence[SetResult]) -> go.Figure:
    """Points per cluster in descending order, a line chart per `SetResult` as in the paper, the true number marked."""
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
