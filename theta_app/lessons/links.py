"""What a link to a lesson says besides lesson and story: checked, with a sentence for whatever cannot be right."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from theta_app.datasets import drawn
from theta_app.lessons.beside import STARTS
from theta_app.lessons.orders import MOST_ORDERS
from theta_app.lessons.player import THETA_MAX


@dataclass(frozen=True, eq=False)
class Opened:
    """Where a link wants a lesson to stand; None is what the lesson does by itself."""

    points: np.ndarray | None = None  # (n, 2): in the order of arrival
    theta: float | None = None
    epsilon: float | None = None
    shape: float | None = None  # of the θ-circles: 0 a diamond, 1/2 a circle, 1 a square
    step: int | None = None  # of the lesson's player, in its own steps
    # order, start: number of the other order, of the start of K-Means
    order: int | None = None
    start: int | None = None


def _number(kind: type, low: float, high: float) -> Callable[[str], float]:
    def parse(text: str) -> float:
        try:
            value = kind(text) if len(text) <= 30 else math.nan
        except ValueError:
            value = math.nan
        if not low <= value <= high:
            what = "a whole number" if kind is int else "a number"
            raise ValueError(f"it must be {what} from {low:g} to {high:g}")
        return value

    return parse


# The option of the address bar, and how it is read. Not "order": that names the story of the lesson on order.
READERS = {
    "points": ("drawn", drawn.decoded),
    "theta": ("theta", _number(float, 0, THETA_MAX)),
    "epsilon": ("epsilon", _number(float, 0, 100)),
    "shape": ("shape", _number(float, 0, 1)),
    "step": ("step", _number(int, 0, 10_000)),
    "order": ("tried", _number(int, 1, MOST_ORDERS)),
    "start": ("start", _number(int, 0, STARTS - 1)),
}


def opened(options: Mapping[str, str]) -> tuple[Opened, list[str]]:
    """What the options of a link ask for, and a sentence for each that cannot be used."""
    values: dict[str, Any]
    values, faults = {}, []
    for name, (option, read) in READERS.items():
        if option not in options:
            continue
        try:
            values[name] = read(options[option])
        except ValueError as error:
            told = str(error)
            if not told.endswith("."):
                told = f"The link says {option} = {options[option][:40]!r}, but {told}."
            faults.append(f"{told} The lesson opens without it.")
    return Opened(**values), faults
