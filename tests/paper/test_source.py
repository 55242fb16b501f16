"""A digest follows what code does: not how it is written, told or typed."""

import ast

import pytest

from theta_app.paper.source import bare

PLAIN = """
import math
from dataclasses import dataclass

import numpy as np

LIMIT = 3


@dataclass(frozen=True)
class Pair:
    first: float
    second: float = 1.0


class Box:
    sides = 4

    def __init__(self, pair):
        self.pair = pair


def area(pair, scale=1.0, *rest, **named):
    total = 0.0
    for side in rest:
        total += side
    return np.float64(pair.first * pair.second * scale + total)


def first(values):
    return values[0]
"""

TYPED = '''
"""What it is."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar, cast, overload

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from theta_app.engine import Metric

Value = TypeVar("Value")
Numbers = NDArray[np.float64]
Sides: TypeAlias = tuple[float, ...]


class Sized(Protocol):
    """Has a length."""

    def __len__(self) -> int: ...


LIMIT: int = 3
"""A limit."""


@dataclass(frozen=True)
class Pair:
    """Two."""

    first: "float"
    second: np.float64 = 1.0  # a reason


class Box:
    """A box."""

    sides: int = 4
    pair: Pair

    def __init__(self, pair: Pair) -> None:
        self.pair: Pair = pair


def area(
    pair: Pair,
    scale: float = 1.0,
    *rest: float,
    **named: Any,
) -> "Numbers | None":
    """Of it."""
    total: float = 0.0
    for side in rest:
        total += side
    return np.float64((pair.first * pair.second) * scale + total)


@overload
def first(values: list[Value]) -> Value: ...
@overload
def first(values: Sized) -> Any: ...
def first(values: Iterable[Value] | Metric | Sides) -> Value:
    return cast("Value", values[0])
'''


def dumped(text):
    return ast.dump(bare(text))


def test_annotations_docstrings_comments_and_formatting_change_nothing():
    assert dumped(PLAIN) == dumped(TYPED)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("LIMIT = 3", "LIMIT = 4"),
        ("second: float = 1.0", "second: float = 2.0"),
        ("    second: float", "    third: float = 0.0\n    second: float"),
        ("sides = 4", "sides = 5"),
        ("scale=1.0", "scale=2.0"),
        ("values[0]", "values[1]"),
        ("import numpy as np", "import cupy as np"),
        ("total += side", "total -= side"),
        ("@dataclass(frozen=True)\n", ""),
    ],
)
def test_what_code_does_is_seen(old, new):
    assert old in PLAIN
    assert dumped(PLAIN.replace(old, new)) != dumped(PLAIN)


SAID = """
def check(K, theta):
    if K > 9 and not theta > 0.0:
        raise ValueError(f"Choose a θ above {theta:g}, please.")
    return {"true K": K}["true K"]
"""


def test_what_a_sentence_says_changes_nothing_and_a_key_does():
    reworded = SAID.replace("Choose a θ above {theta:g}, please.", "θ = {theta:.3g} is too small for {K} clusters.")
    assert dumped(SAID) == dumped(reworded)
    assert dumped(SAID) == dumped(SAID.replace('f"Choose a θ above {theta:g}, please."', '"θ must be positive here."'))
    assert dumped(SAID) != dumped(SAID.replace("true K", "K"))
    assert dumped(SAID) != dumped(SAID.replace("theta > 0.0", "theta > 1.0"))
