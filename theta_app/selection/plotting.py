"""Results that draw themselves: their ``.plot()``.

This is the one place below the figures that imports them, and only when ``.plot()`` is called: a result is computed
without Plotly, which is no part of what a notebook has to install.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd
from pandas.plotting import PlotAccessor

if TYPE_CHECKING:
    import plotly.graph_objects as go


def figures() -> dict[str, Any]:
    """The functions that draw. ImportError with a sentence where Plotly is missing."""
    try:
        from theta_app.figures import points, results
    except ImportError as error:
        raise ImportError("Drawing needs the package plotly: pip install plotly.") from error
    return {**vars(results), **vars(points)}


class _Plot(PlotAccessor):
    """``frame.plot()`` without arguments of pandas' own draws our figure; with them pandas draws, as of any frame."""

    def __call__(self, *args: Any, theta: float | None = None, unit: str = "", **kwargs: Any) -> Any:
        frame = self._parent
        if args or kwargs or not set(frame.needed) <= set(frame.columns):
            return super().__call__(*args, **kwargs)
        return frame._figure(theta, unit)


class SweepTable(pd.DataFrame):
    """A sweep as a table: one row per θ. ``.plot(theta=None, unit="")`` draws K and the scores over θ.

    ``theta`` is drawn as a line; ``unit`` is what θ is measured in.
    """

    needed = ("theta", "n_clusters", "runs_low", "runs_high", "agreement", "silhouette")

    @property
    def _constructor(self) -> type[SweepTable]:
        return SweepTable

    @property
    def plot(self) -> _Plot:
        """Draws the sweep as a Plotly figure when it is called."""
        return _Plot(self)

    def _figure(self, theta: float | None, unit: str) -> go.Figure:
        from theta_app.selection.ranges import theta_ranges

        return figures()["theta_range_figure"](self, theta_ranges(self, refine=0), theta, unit)


class RangesTable(pd.DataFrame):
    """Ranges of θ as a table, best first. ``.plot(theta=None, unit="")`` shades them over their sweep."""

    needed = ("theta_low", "theta_high", "n_clusters", "score", "recommended")
    _metadata = ("swept",)  # the sweep that they are of

    @property
    def _constructor(self) -> type[RangesTable]:
        return RangesTable

    @property
    def plot(self) -> _Plot:
        """Draws the ranges as a Plotly figure when it is called."""
        return _Plot(self)

    def _figure(self, theta: float | None, unit: str) -> go.Figure:
        return figures()["theta_range_figure"](self.swept, self.reset_index(drop=True), theta, unit)


def as_ranges(frame: pd.DataFrame, swept: pd.DataFrame) -> RangesTable:
    """The frame of the ranges of a sweep, which draws itself."""
    table = RangesTable(frame)
    object.__setattr__(table, "swept", swept)
    return table
