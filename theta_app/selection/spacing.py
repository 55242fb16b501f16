"""The paper's θ-range experiment: over which θ are there as many clusters as there should be?"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from theta_app.engine import Cancel, Progress, tdg
from theta_app.selection.runs import runs


@dataclass(frozen=True)
class SpacingCurve:
    """K of TDG over θ on clusters that are ``spacing`` apart; thetas and n_clusters are arrays (t,), θ ascending."""

    spacing: float
    true_k: int
    thetas: np.ndarray
    n_clusters: np.ndarray

    @property
    def stretches(self) -> list[tuple[float, float]]:
        """Unbroken ranges of θ with the true K, as pairs (from, to), each half a step beyond its outermost θ."""
        # the axis of this figure is linear, as the paper's: half a step is the mean, not the geometric middle
        cuts = np.concatenate([self.thetas[:1], (self.thetas[:-1] + self.thetas[1:]) / 2, self.thetas[-1:]])
        found = runs(self.n_clusters)
        return [(float(cuts[run.start]), float(cuts[run.stop])) for run in found if run.value == self.true_k]

    @property
    def widest(self) -> tuple[float, float] | None:
        """(from, to) of the widest range with the true K, or None where no θ gives it."""
        return max(self.stretches, key=lambda span: span[1] - span[0], default=None)

    @property
    def table(self) -> pd.DataFrame:
        """One row per θ: spacing, theta, n_clusters."""
        return pd.DataFrame({"spacing": self.spacing, "theta": self.thetas, "n_clusters": self.n_clusters})


def spacing_curve(
    X: np.ndarray,
    true_k: int,
    spacing: float,
    thetas: Sequence[float] | np.ndarray,
    shuffles: int = 50,
    seed: int = 0,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> SpacingCurve:
    """The `SpacingCurve` of points X. ``progress(done, total)`` counts θ, in the calling thread, and may raise.

    `cancel` as for `theta_app.engine.tdg`.
    """
    found = []
    for i, theta in enumerate(thetas):
        if progress is not None:
            progress(i, len(thetas))
        found.append(len(tdg(X, theta, shuffles, seed, cancel=cancel).sizes))
    return SpacingCurve(float(spacing), int(true_k), np.asarray(thetas, dtype=float), np.array(found, dtype=int))


def spacing_table(curves: Iterable[SpacingCurve]) -> pd.DataFrame:
    """One row per spacing: spacing, and theta_low, theta_high, width of the range of the true K (NaN where none is)."""
    rows = []
    for curve in curves:
        low, high = curve.widest or (np.nan, np.nan)
        rows.append({"spacing": curve.spacing, "theta_low": low, "theta_high": high, "width": high - low})
    return pd.DataFrame(rows, columns=["spacing", "theta_low", "theta_high", "width"])
