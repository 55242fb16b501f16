"""What a data set is asked for by: a small frozen value, the cache key, the URL and the test's input at once.

A spec says itself what it is called and under which heading, so that its table is the only place that names it. Every
number carries its limits, so that the page draws its controls, and a URL is checked, from the same table.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from theta_app.engine import EUCLIDEAN

if TYPE_CHECKING:
    from theta_app.datasets.dataset import Dataset

PAPER, S_SETS, SHAPES, REAL, MADE = "From the paper", "S sets", "Shapes", "Real", "Generated"
HEADINGS = (PAPER, S_SETS, SHAPES, REAL, MADE)
"""What a data set stands under in the gallery, in its order."""


@dataclass(frozen=True)
class Parameter:
    """One number of a spec: its type is that of ``default``; ``low`` and ``high`` are allowed."""

    name: str
    label: str
    default: float
    low: float
    high: float
    help: str = ""

    @property
    def kind(self) -> type:
        """The type of its values: int or float."""
        return type(self.default)

    def check(self, value: Any) -> float:
        """Return the value as the parameter's type, or raise ValueError with a sentence."""
        whole = self.kind is int
        try:
            if isinstance(value, str) and len(value) > 30:
                raise ValueError
            number = float(value)
        except (TypeError, ValueError, OverflowError):
            number = math.nan
        if not self.low <= number <= self.high or (whole and number != int(number)):
            shown = str(value)[:30]
            kind = "a whole number" if whole else "a number"
            raise ValueError(f"{self.label} must be {kind} from {self.low:g} to {self.high:g}, not {shown!r}.")
        return self.kind(number)


def number(default: float, low: float, high: float, label: str, help: str = "") -> Any:
    """A dataclass field that knows its limits."""
    return dataclasses.field(default=default, metadata={"low": low, "high": high, "label": label, "help": help})


class Spec:
    """What every spec offers.

    Attributes
    ----------
    key : str
        Its name in the URL.
    label, group, help : str
        Shown in the gallery: what it is called, under which of the `HEADINGS`, and a sentence or two. `Upload`,
        `Drawn` and `Served`, which it does not list, have only a label.
    """

    if TYPE_CHECKING:  # attributes or properties of those that inherit

        @property
        def key(self) -> str: ...
        @property
        def label(self) -> str: ...
        @property
        def group(self) -> str: ...
        @property
        def help(self) -> str: ...

    expected_bytes = 0
    """Of its points, where that is known before they are there."""
    metric = EUCLIDEAN
    """How distances between its points are measured unless a person says otherwise."""

    @classmethod
    def parameters(cls) -> tuple[Parameter, ...]:
        """The numbers a person may change, with limits, in order; none for sets that are what they are."""
        return ()

    def dataset(self) -> Dataset:
        """The data set; LookupError with a sentence where it cannot be had."""
        raise NotImplementedError
