"""Rows that are pictures: their shape, and their grey levels ready to be drawn."""

import math
import re
from collections.abc import Sequence

import numpy as np

_PIXEL = re.compile(r"(pix|px)", re.IGNORECASE)
LEAST = 16  # values: fewer are no picture


def image_shape(text: str, d: int) -> tuple[int, int]:
    """(height, width) from "8 x 8", "8×8" or "8, 8"; ValueError with a sentence if ``d`` values do not fill it."""
    sides = [int(side) for side in re.findall(r"\d{1,6}", text)]
    if len(sides) == 1:
        sides *= 2
    if len(sides) != 2 or sides[0] * sides[1] != d:
        raise ValueError(f"A picture of {d:,} values needs two sides whose product is {d:,}, such as {_example(d)}.")
    return sides[0], sides[1]


def likely_shape(features: Sequence[str]) -> tuple[int, int] | None:
    """(height, width) where columns are named as pixels and fill a square; else None."""
    d = len(features)
    side = math.isqrt(d)
    named = sum(bool(_PIXEL.search(name)) for name in features)
    return (side, side) if d >= LEAST and side * side == d and named == d else None


def _example(d: int) -> str:
    height = next(side for side in range(math.isqrt(d), 0, -1) if d % side == 0)
    return f"{height} × {d // height}"


def pictures(values: np.ndarray | Sequence[np.ndarray], shape: tuple[int, int], low: float, high: float) -> np.ndarray:
    """Rows (m, d) as pictures (m, height, width) of bytes, dark where values are high: 255 at ``low``, 0 at ``high``.

    Missing values are drawn as ``low``.
    """
    span = (high - low) or 1.0
    levels = np.clip((np.nan_to_num(np.asarray(values, dtype=float), nan=low) - low) / span, 0.0, 1.0)
    return np.round(255 * (1.0 - levels)).astype(np.uint8).reshape(-1, *shape)
