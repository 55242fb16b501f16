"""A selection drawn by hand: a polygon in the coordinates of the picture."""

from collections.abc import Sequence

import numpy as np


def is_polygon(value: object) -> bool:
    """Whether what a browser sent is one, of a size that is still drawn by hand."""
    return (
        isinstance(value, list)
        and 3 <= len(value) <= 20_000
        and all(isinstance(p, list) and len(p) == 2 and all(isinstance(v, (int, float)) for v in p) for p in value)
    )


def inside(polygon: Sequence[Sequence[float]], points: np.ndarray) -> np.ndarray:
    """Which of ``points`` (n, 2) lie inside a polygon, by the even-odd rule."""
    x, y = points[:, 0], points[:, 1]
    within = np.zeros(len(points), dtype=bool)
    ends = np.roll(np.asarray(polygon, dtype=float), 1, axis=0)
    for (xi, yi), (xj, yj) in zip(polygon, ends):
        crosses = (yi > y) != (yj > y)
        with np.errstate(divide="ignore", invalid="ignore"):
            within ^= crosses & (x < (xj - xi) * (y - yi) / (yj - yi) + xi)
    return within
