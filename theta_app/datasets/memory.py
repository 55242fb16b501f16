"""How much memory a value holds: the one count that limits of uploads and of everything kept are compared with."""

import dataclasses
from collections.abc import Iterable

import numpy as np
import pandas as pd

_NUMBERS = frozenset({type(None), bool, int, float, *np.sctypeDict.values()})
_TEXTS = (str, bytes, bytearray)


def real_size(value: object) -> int:
    """Bytes that a value holds: its arrays, tables and texts, however deep, each once."""
    total, seen, left = 0, set(), [value]
    while left:  # no recursion: whatever is kept is counted, a few hundred parts at every θ
        value = left.pop()
        kind = type(value)
        if kind in _NUMBERS:
            total += 32
            continue
        if id(value) in seen:
            continue
        seen.add(id(value))
        if kind in _TEXTS:
            total += len(value) + 60  # type: ignore[arg-type]
        elif isinstance(value, np.ndarray):
            owner = value
            while isinstance(owner.base, np.ndarray):
                owner = owner.base  # a view keeps all of its array alive
            total += owner.nbytes + 100 if owner is value or id(owner) not in seen else 100
            seen.add(id(owner))
        else:
            own, parts = _apart(value)
            total += own
            left += parts
    return total


def _apart(value: object) -> tuple[int, Iterable]:
    """(bytes of a value itself, its parts)."""
    if isinstance(value, (list, tuple, set, frozenset)):
        if _NUMBERS.issuperset(map(type, value)):  # as most are: lists of readings and sizes
            return 60 + 32 * len(value), ()
        return 60, value
    if isinstance(value, dict):
        return 60, (*value, *value.values())
    if dataclasses.is_dataclass(value):
        return 60, vars(value).values()
    if isinstance(value, pd.DataFrame):
        columns = [_column(value.iloc[:, j]) for j in range(value.shape[1])]
        return 1000 + sum(own for own, _ in columns), [value.index, *(part for _, part in columns)]
    if isinstance(value, pd.Index):
        return int(value.memory_usage(deep=True)), ()
    if hasattr(value, "to_plotly_json"):
        return 0, [value.to_plotly_json()]
    if isinstance(value, (bool, int, float, np.generic, *_TEXTS)):  # of a type of their own
        return len(value) + 60 if isinstance(value, _TEXTS) else 32, ()
    return (60, vars(value).values()) if hasattr(value, "__dict__") else (100, ())


def _column(column: pd.Series) -> tuple[int, np.ndarray | None]:
    """Of numbers the array, which may be a view of one that was counted."""
    plain = isinstance(column.dtype, np.dtype) and column.dtype != object
    return (0, column.to_numpy()) if plain else (int(column.memory_usage(index=False, deep=True)) + 100, None)
