"""What a timeline is told beside its value: names and colours of clusters, what points are coloured by, rows found.

It changes without the timeline being packed again.
"""

import base64
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from theta_app.figures.palette import COLOURS
from theta_app.figures.style import scale_colours
from theta_app.marks import Marks

_UNKNOWN = 255
_SHADES = 24
_MOST_NAMES = 10


@dataclass(frozen=True, eq=False)
class Shade:
    """Colours of points by something other than their cluster."""

    title: str
    levels: np.ndarray  # (n,) of int: the place of each point in ``colours``; 255 where it has no value
    colours: tuple[str, ...]
    # low, high: what the ends of a scale mean; or names: what each colour means
    low: str = ""
    high: str = ""
    names: tuple[str, ...] | None = None
    value: float | None = None  # where it holds for one value of the timeline only

    def sent(self) -> dict:
        """What the browser gets: its levels are bytes in base 64."""
        levels = base64.b64encode(self.levels.astype(np.uint8).tobytes()).decode()
        return {**vars(self), "levels": levels, "names": self.names and list(self.names)}


def shade_of_numbers(
    title: str,
    values: np.ndarray,
    words: Callable[[float], str],
    limits: tuple[float, float] | None = None,
    value: float | None = None,
) -> Shade:
    """A scale over numbers, NaN where there is none. Its ends are the outer hundredths, so that one value far out does
    not make all others look the same; ``words(number)`` says them."""
    known = values[~np.isnan(values)]
    low, high = limits or (np.quantile(known, [0.01, 0.99]) if len(known) else (0.0, 1.0))
    span = (high - low) or 1.0
    places = np.clip((np.nan_to_num(values) - low) / span * _SHADES, 0, _SHADES - 1).astype(np.int64)
    beyond = [("≤ " if len(known) and known.min() < low else ""), ("≥ " if len(known) and known.max() > high else "")]
    ends = [f"{sign}{words(float(end))}" for sign, end in zip(beyond, (low, high))]
    levels = np.where(np.isnan(values), _UNKNOWN, places)
    return Shade(title, levels, scale_colours(_SHADES), *ends, value=value)  # type: ignore[arg-type, misc]


def shade_of_classes(title: str, codes: np.ndarray, names: Sequence[str]) -> Shade:
    """A colour per class; colours start over where there are many."""
    shown = tuple(name[:24] for name in names) if len(names) <= _MOST_NAMES else ()
    return Shade(title, codes % len(COLOURS), COLOURS, names=shown)


def beside(
    marks: Marks,
    at: dict[int, int],
    shade: Shade | None = None,
    found: Sequence[int] = (),
    chosen: tuple[int, int] | None = None,
    pinned: float | None = None,
    drawers: tuple[str, ...] = (),
) -> dict:
    """As the browser reads it. ``at`` has the index of each row that marks name; ``chosen`` an index and a serial."""
    return {
        "marks": {
            "names": [[at[row], name] for row, name in marks.names if row in at],
            "colours": [[at[row], colour] for row, colour in marks.colours if row in at],
        },
        "shade": shade and shade.sent(),
        "found": list(map(int, found)),
        "chosen": None if chosen is None else {"i": chosen[0], "serial": chosen[1]},
        "pinned": pinned,
        "drawers": list(drawers),
    }
