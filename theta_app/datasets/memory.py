"""How much memory a value holds: the one count that limits of uploads and of everything kept are compared with."""

import dataclasses

import numpy as np
import pandas as pd


def real_size(value: object) -> int:
    """Bytes that a value holds: its arrays, tables and texts, however deep, each once."""
    return _size(value, set())


_NUMBERS = frozenset({type(None), bool, int, float, *np.sctypeDict.values()})


def _size(value: object, seen: set[int]) -> int:
    if type(value) in _NUMBERS or isinstance(value, (bool, int, float, np.generic)):
        return 32
    if id(value) in seen:
        return 0
    seen.add(id(value))
    if isinstance(value, np.ndarray):
        owner = value
        while isinstance(owner.base, np.ndarray):
            owner = owner.base  # a view keeps all of its array alive
        fresh = owner is value or id(owner) not in seen
        seen.add(id(owner))
        return owner.nbytes + 100 if fresh else 100
    if isinstance(value, (bytes, bytearray, str)):
        return len(value) + 60
    if isinstance(value, pd.DataFrame):
        return (
            1000 + _size(value.index, seen) + sum(_column_size(value.iloc[:, j], seen) for j in range(value.shape[1]))
        )
    if isinstance(value, pd.Index):
        return int(value.memory_usage(deep=True))
    if dataclasses.is_dataclass(value):
        return 60 + sum(_size(part, seen) for part in vars(value).values())
    if isinstance(value, dict):
        return 60 + sum(_size(part, seen) for pair in value.items() for part in pair)
    if isinstance(value, (list, tuple, set, frozenset)):
        if _NUMBERS.issuperset(map(type, value)):  # as most are: lists of readings and sizes
            return 60 + 32 * len(value)
        return 60 + sum(_size(part, seen) for part in value)
    if hasattr(value, "to_plotly_json"):
        return _size(value.to_plotly_json(), seen)
    return 60 + sum(_size(part, seen) for part in vars(value).values()) if hasattr(value, "__dict__") else 100


def _column_size(column: pd.Series, seen: set[int]) -> int:
    """Of numbers as an array, which may be a view of one that was counted."""
    plain = isinstance(column.dtype, np.dtype) and column.dtype != object
    return _size(column.to_numpy(), seen) if plain else int(column.memory_usage(index=False, deep=True)) + 100
