"""Runs of neighbouring values that are equal, and their ends on a log axis."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np


class Run(NamedTuple):
    """Positions ``start`` to ``stop - 1`` all hold ``value``."""

    start: int
    stop: int
    value: Any

    def __len__(self) -> int:
        return self.stop - self.start


def runs(values: Sequence | np.ndarray) -> list[Run]:
    """The runs of equal neighbours in a sequence of numbers, in order: a list of `Run`."""
    values = np.asarray(values)
    if len(values) == 0:
        return []
    starts = np.concatenate([[0], np.flatnonzero(values[1:] != values[:-1]) + 1])
    stops = np.concatenate([starts[1:], [len(values)]])
    return [Run(int(start), int(stop), values[start].item()) for start, stop in zip(starts, stops)]


def log_middle(low: Any, high: Any) -> Any:
    """Geometric middle of two lengths, or of two arrays of them: half way on a log axis. Safe for extreme values."""
    return np.sqrt(low) * np.sqrt(high)


def log_width(low: Any, high: Any) -> Any:
    """Width of a range on a log axis, the natural logarithm of high / low; 0 where it starts at 0."""
    low, high = np.asarray(low, dtype=float), np.asarray(high, dtype=float)
    positive = low > 0
    return np.log(np.divide(high, low, out=np.ones_like(high), where=positive))


def half_step_around(axis: np.ndarray, run: Run) -> tuple[float, float]:
    """(low, high) of a run of values on an ascending axis, half a log step beyond its outermost values.

    So a single value has a width too. At an end of the axis the end itself.
    """
    first, last = max(run.start - 1, 0), min(run.stop, len(axis) - 1)
    return float(log_middle(axis[first], axis[run.start])), float(log_middle(axis[run.stop - 1], axis[last]))
