"""The number of chains over θ and ε at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from theta_app.selection.epsilon import Chaining, Suggestion, chain_profile, epsilon_limits
from theta_app.selection.plotting import figures

if TYPE_CHECKING:
    import plotly.graph_objects as go


@dataclass(frozen=True, eq=False)
class ChainMap:
    """The number of major chains over θ and ε.

    Attributes
    ----------
    thetas, epsilons : ascending arrays
    counts : (epsilons, thetas) array
        Major chains; NaN where there are too many small pieces to count.
    most : (thetas,) array
        More chains than this are hardly chained: each is made of fewer than four small clusters.
    """

    thetas: np.ndarray
    epsilons: np.ndarray
    counts: np.ndarray
    most: np.ndarray

    def plot(self, suggestion: Suggestion | None = None, unit: str = "") -> go.Figure:
        """The map as a Plotly figure; a `Suggestion` is drawn as a bar with a star, ``unit`` is that of θ and ε."""
        found = suggestion and (
            suggestion.theta,
            suggestion.n_chains,
            suggestion.epsilon,
            suggestion.epsilon_low,
            suggestion.epsilon_high,
        )
        return figures()["chain_map_figure"](self, found, unit=unit)

    @property
    def chained(self) -> np.ndarray:
        """Which cells have a number of chains worth a colour."""
        return (self.counts >= 1) & (self.counts <= self.most)

    def named(self, always: int | None = None, most: int = 9) -> list[int]:
        """The numbers of chains that cover most of the map, ascending: 1, `always`, others that cover a percent."""
        counts, cells = np.unique(self.counts[self.chained], return_counts=True)
        enough = counts[np.argsort(-cells, kind="stable")][: most - 1]
        enough = [int(count) for count in enough if cells[counts == count][0] >= 0.01 * cells.sum()]
        return sorted({1, *enough, *([] if always is None else [int(always)])})


def chain_map(tried: Iterable[Chaining], rows: int = 120) -> ChainMap:
    """The `ChainMap` of several `Chaining`s, each at its own θ."""
    tried = sorted(tried, key=lambda chaining: chaining.theta)
    if len(tried) == 0:
        return ChainMap(np.empty(0), np.empty(0), np.empty((0, 0)), np.empty(0))
    limits = np.array([epsilon_limits(chaining) for chaining in tried])
    epsilons = np.geomspace(np.quantile(limits[:, 0], 0.25), np.quantile(limits[:, 1], 0.75), rows)
    thetas = np.array([chaining.theta for chaining in tried])
    most = np.array([chaining.most_chains for chaining in tried])
    return ChainMap(thetas, epsilons, np.column_stack([_column(chaining, epsilons) for chaining in tried]), most)


def _column(chaining: Chaining, epsilons: np.ndarray) -> np.ndarray:
    profile = chain_profile(chaining)
    row = np.searchsorted(profile["epsilon_low"].to_numpy(), epsilons, side="left") - 1
    return np.where(row >= 0, profile["major"].to_numpy(float)[np.maximum(row, 0)], np.nan)
