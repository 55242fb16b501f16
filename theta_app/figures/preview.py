"""The data set as it is, before any clustering."""

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from theta_app.figures.palette import ACCENT, MUTED, colour, rgba

_MOST_COLOURS = 60  # classes; above, one colour for all says as much
_MOST_NAMES = 12  # in the legend


@dataclass(frozen=True, eq=False)
class Preview:
    """What is drawn: positions (n, 2), classes (n,) or None, the classes' names, and the names of the axes.

    ``aspect`` is how wide one unit across is drawn, in units up.
    """

    positions: np.ndarray
    classes: np.ndarray | None
    names: tuple[str, ...]
    axes: tuple[str, str]
    aspect: float = 1.0


def preview_figure(preview: Preview) -> go.Figure:
    """Points in the plane, coloured by their true class where it is known."""
    figure = go.Figure()
    x, y = preview.positions[:, 0], preview.positions[:, 1]
    size = float(np.clip(9 - 1.5 * np.log10(len(x) + 1), 3, 7))
    if preview.classes is None or len(preview.names) > _MOST_COLOURS:
        figure.add_scatter(x=x, y=y, mode="markers", marker={"size": size, "color": ACCENT}, name="points")
    else:
        for code, name in enumerate(preview.names):
            mine = preview.classes == code
            marker = {"size": size, "color": colour(code)}
            figure.add_scatter(x=x[mine], y=y[mine], mode="markers", marker=marker, name=name[:30])
    figure.update_layout(
        xaxis_title=preview.axes[0],
        yaxis_title=preview.axes[1],
        legend_title="True class" if preview.classes is not None else None,
        showlegend=preview.classes is not None and 1 < len(preview.names) <= _MOST_NAMES,
        margin={"l": 10, "r": 10, "t": 10, "b": 10},
        height=460,
        hovermode="closest",
    )
    figure.update_xaxes(gridcolor=rgba(MUTED, 0.25), zeroline=False)
    figure.update_yaxes(gridcolor=rgba(MUTED, 0.25), zeroline=False, scaleanchor="x", scaleratio=1 / preview.aspect)
    return figure
