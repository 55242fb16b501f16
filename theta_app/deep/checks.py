"""Whether points can be trained on, and the scale they are brought to first."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from theta_app.deep.training import Recipe


class TrainingError(ValueError):
    """The points cannot be trained on; the message is a sentence for the person."""


def check(X: np.ndarray, n_clusters: int, recipe: Recipe) -> None:
    """Raise `TrainingError`, or MemoryError, with a sentence where points (n, d) cannot be trained on."""
    from theta_app.deep.training import bytes_needed

    n, d = X.shape
    if n < n_clusters:
        raise TrainingError(f"There are fewer points than clusters, {n} and {n_clusters}: take fewer clusters.")
    if recipe.image is not None and (len(recipe.image) != 2 or recipe.image[0] * recipe.image[1] != d):
        raise TrainingError(f"A picture of {recipe.image} pixels does not have {d} of them, as the points do.")
    if recipe.shift and recipe.image is None:
        raise TrainingError("Only pictures can be moved: say how many rows and columns they have, or shift by 0.")
    needed, free = bytes_needed(n, d, recipe), free_memory()
    if free is not None and needed > free:
        raise MemoryError(
            f"Training on {n:,} points of {d:,} columns needs about {needed / 1e9:.1f} GB of memory, and "
            f"{free / 1e9:.1f} GB are free. Take fewer points or narrower layers."
        )


def scale_of(X: np.ndarray) -> tuple[float, float]:
    """The lowest value of all columns, and the range of all: one scale, so that distances keep their meaning."""
    low, high = float(X.min()), float(X.max())
    if not 0 < high - low < np.inf:
        raise TrainingError("All values are the same, or too far apart to compute with: there is nothing to learn.")
    return low, high - low


def scaled(X: np.ndarray, scale: tuple[float, float]) -> np.ndarray:
    """Points from 0 to 1, float32."""
    low, span = scale
    return ((X - low) / span).astype(np.float32)


def free_memory() -> int | None:
    """Bytes, or None where the system does not say."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_AVPHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return None
