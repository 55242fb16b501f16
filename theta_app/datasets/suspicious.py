"""Values that are hardly meant: codes for "missing", impossible places, far outliers, another unit in some rows.

A `Suspicion` is found once, in the file it is about, and says of any table which rows it is about: a second file is
treated by the bounds of the first.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from theta_app.datasets.values import count, short

CODES = {0.0, -1.0, -32768.0, 32767.0, 65535.0, 2147483647.0, -2147483648.0}
CODES |= {sign * code for sign in (1.0, -1.0) for code in (9.0, 99.0, 99.9, 999.0, 999.9, 9999.0, 99999.0, 999999.0)}
TREATMENTS = {
    "missing": "Treat as missing",
    "clip": "Clip",
    "rows": "Leave the rows out",
}
"""What can be done about them, and what it is called."""

_HUGE = 1e15  # nobody measures so much; programs write 1e20 or 1e30 for "missing"
_LEAST = 20  # values: of fewer nobody can say what is usual
_REPEATS = 3  # times that a value has to come back to be a code
_FENCE, _CODE_FENCE = 6.0, 2.0  # spreads outside the rest, for any value that repeats and for the usual codes
_APART, _CODE_APART = 1.0, 0.3  # the same in ranges of the rest: clusters that lie far apart make a wide spread
_FAR = 10.0  # spreads from the median at which a value is a far outlier
_MOST_FAR = 0.01  # of the values: more of them are a part of the data, not slips
_SAMPLE = 200_000  # values from which the spread is taken


@dataclass(frozen=True)
class Suspicion:
    """Values of one column that are hardly meant."""

    column: str  # of the table, or one that a reading makes
    what: str  # what a choice calls it: the value of a code as text, "far", "impossible", or "unit " and a unit
    # low, high: the range of the other values. What is outside is meant, or for a code what equals ``value``
    low: float
    high: float
    value: float | None = None  # of a code
    rows: int = 0  # how many there are
    certain: bool = False  # whether nobody would doubt that it is no measurement

    def among(self, values: np.ndarray) -> np.ndarray:
        """Which of the values (n,) are meant; a unit cannot be told from numbers, see `Reading.in_unit`."""
        if self.value is not None:
            return values == self.value
        return (values < self.low) | (values > self.high)

    @property
    def sentence(self) -> str:
        """What is wrong, without its rows: "64 values of 'age' are -999, far from all others"."""
        name, many = f"'{short(self.column)}'", self.rows > 1
        values = f"{count(self.rows, 'value')} of {name} {'are' if many else 'is'}"
        if self.what == "impossible":
            return f"{values} no place on Earth (outside {self.low:g} to {self.high:g})"
        if self.what == "far":
            return f"{values} far outside the others, {_said(self.low)} to {_said(self.high)}"
        if self.what.startswith("unit "):
            return f"{values} written in {self.what.removeprefix('unit ')}"
        if self.low <= self.value <= self.high:
            return f"{values} {_said(self.value)}, perhaps a code for “missing”"
        return f"{values} {_said(self.value)}, outside all others ({_said(self.low)} to {_said(self.high)})"

    def treated(self, treatment: str) -> str:
        """What was done, in a sentence's end: "64 values -999 of 'age' are treated as missing"."""
        what = _said(self.value) if self.value is not None else self.what.replace("far", "far outside")
        values = f"{count(self.rows, 'value')} of '{short(self.column)}' ({what})"
        many = self.rows > 1
        if treatment == "missing":
            return f"{values} {'are' if many else 'is'} treated as missing"
        if treatment == "clip":
            return f"{values} {'are' if many else 'is'} clipped to {_said(self.low)} … {_said(self.high)}"
        return f"the {count(self.rows, 'row')} with {what} in '{short(self.column)}' {'are' if many else 'is'} left out"


def _said(value: float) -> str:
    return f"{value:,.6g}".replace("-", "−")


def find(name: str, values: np.ndarray, impossible: tuple[float, float] | None = None) -> list[Suspicion]:
    """The `Suspicion`s of a column of numbers (n,), NaN where a value is missing.

    No value can be outside the range ``impossible``, as of a latitude.
    """
    values = values[np.isfinite(values)]
    found = []
    if impossible is not None:
        low, high = impossible
        outside = (values < low) | (values > high)
        if outside.any():
            found.append(Suspicion(name, "impossible", low, high, None, int(outside.sum()), True))
            values = values[~outside]
    if len(values) < _LEAST:
        return found
    codes = []
    while len(values) >= _LEAST and (code := _code(name, values)) is not None:
        codes.append(code)
        values = values[values != code.value]
    found += [replace(code, low=float(values.min()), high=float(values.max())) for code in codes]  # codes left out
    far = _far(name, values)
    return found if far is None else [*found, far]


def _code(name: str, values: np.ndarray) -> Suspicion | None:
    """The smallest or largest value, where it comes back and lies outside the rest; or None. The farther one first."""
    ends = sorted((values.min(), values.max()), key=lambda value: -abs(value - np.median(values)))
    for value in ends:
        same = values == value
        rest, times = values[~same], int(same.sum())
        unmistakable = abs(value) >= _HUGE or (value in CODES and abs(value) >= 999)
        if len(rest) < _LEAST // 2 or (times < _REPEATS and not unmistakable):
            continue
        low, high, spread = rest.min(), rest.max(), _spread(rest)
        usual = value in CODES or unmistakable
        gap = low - value if value < low else value - high
        away = abs(value - float(np.median(rest)))
        fence = _CODE_FENCE if usual else _FENCE
        outside = spread > 0 and away > (fence + 2) * spread and gap > fence / 2 * spread
        apart = _ranges_apart(value, rest, usual)
        outside = outside or apart >= (_CODE_APART if usual else _APART)
        lonely = value < 0 <= low and usual and len(np.unique(rest[:1000])) > 5  # the only one below zero
        if outside or lonely:
            far = away > (_FENCE + 2) * spread or apart >= _APART
            certain = bool(outside and usual and value != 0.0 and far)
            return Suspicion(name, repr(float(value)), float(low), float(high), float(value), times, certain)
    return None


def _ranges_apart(value: float, rest: np.ndarray, usual: bool) -> float:
    """How many ranges of the rest a value lies outside of it; 0 where the rest are few, and no range."""
    if len(np.unique(rest[:1000])) < 4:
        return 0.0
    low, high = rest.min(), rest.max()
    gap = max(low - value, value - high)
    if value > high and low > 0 and not usual:  # 1, 2, 4, ..., 64 are regular
        return min(gap / (high - low), np.log(value / high) / np.log(high / low))
    return gap / (high - low)


def _spread(values: np.ndarray) -> float:
    """The width of the middle half, and where that is nothing the standard deviation."""
    some = values if len(values) <= _SAMPLE else values[:: len(values) // _SAMPLE + 1]
    width = float(np.subtract(*np.quantile(some, [0.75, 0.25])))
    return width if width > 0 else float(some.std())


def _far(name: str, values: np.ndarray) -> Suspicion | None:
    """Values far outside on either side, measured by the spread of that side; or None."""
    if len(values) < _LEAST:
        return None
    some = values if len(values) <= _SAMPLE else values[:: len(values) // _SAMPLE + 1]
    lower, middle, upper = np.quantile(some, [0.1, 0.5, 0.9])
    # a long tail is wide on its own side; 1.28 deviations are a tenth of a normal distribution
    whole = float(np.subtract(*np.quantile(some, [0.75, 0.25])))
    if not whole > 0:
        return None  # most values are equal: what is usual about the others cannot be said
    low = middle - _FAR * max((middle - lower) / 1.28, whole / 2)
    high = middle + _FAR * max((upper - middle) / 1.28, whole / 2)
    outside = (values < low) | (values > high)
    far = int(outside.sum())
    if not 0 < far <= max(_MOST_FAR * len(values), 1):
        return None
    inside = values[~outside]
    return Suspicion(name, "far", float(inside.min()), float(inside.max()), None, far)


def treat(
    X: np.ndarray,
    columns: Sequence[str],
    chosen: Iterable[tuple[Suspicion, str]],
    masks: Mapping[Suspicion, np.ndarray] | None = None,
) -> tuple[np.ndarray, tuple[str, ...]]:
    """Treat values of X (n, d) where they are, each by a key of `TREATMENTS`: (rows to leave out, sentences).

    The masks are of rows that cannot be told from the numbers.
    """
    leave, done = np.zeros(len(X), dtype=bool), []
    at = {name: j for j, name in enumerate(columns)}
    for suspicion, treatment in chosen:
        j = at.get(suspicion.column)
        if j is None:
            continue
        meant = (masks or {}).get(suspicion)
        if meant is None:
            meant = suspicion.among(X[:, j])
        if treatment == "missing":
            X[meant, j] = np.nan
        elif treatment == "clip":
            X[meant, j] = np.clip(X[meant, j], suspicion.low, suspicion.high)
        else:
            leave |= meant
        said = suspicion.treated(treatment)
        done.append(said[0].upper() + said[1:] + ".")
    return leave, tuple(done)
