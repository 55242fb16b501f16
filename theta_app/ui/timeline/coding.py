"""Labels of many points at many values, written short: each value's as changes from those of the value before.

Points are taken along a curve that fills the picture, so that neighbours follow each other. Where two neighbours shared
a cluster before, the second is expected to be where the first is now; else where the cluster it was in has gone (one
label per cluster is sent). A bit per point says where that is wrong, and only there a label is sent. From small values
to large ones clusters mostly merge, and little is wrong. ``js/coding.js`` reads this.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

_STEPS = 65535  # places along each side of the picture


@dataclass(frozen=True)
class Scaling:
    """Coordinates as they are sent, about -1 to 1: the browser's 32 bits would blur times and coordinates of maps."""

    origin: tuple[float, ...]
    unit: float

    @classmethod
    def of(cls, points: np.ndarray) -> "Scaling":
        """The scaling that fits the points into -1 to 1."""
        low, high = points.min(axis=0), points.max(axis=0)
        origin = low / 2 + high / 2
        unit = float(np.abs(points - origin).max())
        return cls(tuple(origin.tolist()), unit if unit > 0 else 1.0)

    def __call__(self, points: np.ndarray | Sequence[float]) -> np.ndarray:
        return (np.reshape(points, (-1, len(self.origin))) - self.origin) / self.unit


def along_curve(points: np.ndarray) -> np.ndarray:
    """The order of points, coordinates -1 to 1 as they are sent, along Morton's curve; equal places as they come.

    Of three coordinates the first two count.
    """
    x, y = np.floor((points[:, :2].astype(np.float64) + 1.0) * (_STEPS / 2)).astype(np.uint32).T
    return np.argsort(_spaced(x) | (_spaced(y) << np.uint32(1)), kind="stable")


def _spaced(numbers: np.ndarray) -> np.ndarray:
    """16 bits with a gap after each."""
    for shift, mask in ((8, 0x00FF00FF), (4, 0x0F0F0F0F), (2, 0x33333333), (1, 0x55555555)):
        numbers = (numbers | (numbers << np.uint32(shift))) & np.uint32(mask)
    return numbers


def coded_labels(labels: Sequence[np.ndarray], counts: Sequence[int], points: np.ndarray) -> dict[str, np.ndarray]:
    """The arrays that are sent instead of labels: where each cluster goes, where that is wrong, and what is right."""
    order = along_curve(points)
    before, many = np.zeros(len(order), dtype=np.int32), 1
    wrong, right, gone = [], [], []
    for given, count in zip(labels, counts):
        now = given[order]
        goes = np.zeros(many, dtype=now.dtype)
        goes[before] = now  # any of its points tells
        expected = goes[before]
        along = np.flatnonzero(before[1:] == before[:-1])
        expected[along + 1] = now[along]
        differs = now != expected
        wrong.append(np.packbits(differs, bitorder="little"))
        right.append(now[differs])
        gone.append(goes)
        before, many = now, count
    kind = smallest(max(counts))
    return {
        "wrong": np.concatenate(wrong),
        "right": np.concatenate(right).astype(kind),
        "gone": np.concatenate(gone).astype(kind),
    }


def smallest(count: int) -> str:
    """The narrowest type for numbers below ``count``."""
    return "<u1" if count <= 256 else "<u2" if count <= 65536 else "<u4"
