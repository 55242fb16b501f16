"""Arguments are checked and brought to one type here, so that kernels compile once and inner code checks nothing."""

import math
from numbers import Integral, Real

import numpy as np
from numpy.typing import ArrayLike


def points(X: ArrayLike, name: str = "X") -> np.ndarray:
    """X as a C-ordered float64 array of shape (n, d), n and d at least 1, all finite. Never the caller's to change."""
    try:
        X = np.ascontiguousarray(X, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must be an array of numbers of shape (points, features): {error}") from None
    if X.ndim != 2:
        raise ValueError(f"{name} must have two dimensions (points, features), got an array of shape {X.shape}")
    if X.shape[0] < 1 or X.shape[1] < 1:
        raise ValueError(f"{name} must have at least one point and one feature, got shape {X.shape}")
    finite = np.isfinite(X)
    if not finite.all():
        row, column = np.argwhere(~finite)[0]
        raise ValueError(
            f"{name} must be finite, got {X[row, column]} at row {row}, column {column}; remove or fill such values"
        )
    return X


def read_only(array: np.ndarray) -> np.ndarray:
    """A view nobody writes to. Numba compiles a kernel anew for such arrays, so kernels are given no others."""
    view = array.view()
    view.flags.writeable = False
    return view


def scaled(X: np.ndarray, *distances: float) -> tuple:
    """X and distances times a power of two that keeps squares from overflowing or vanishing, and that power.

    Multiplying by a power of two rounds nothing, so the grouping is the same. 1.0 for all but extreme data.
    """
    largest = max(abs(X.max()), abs(X.min()))
    if largest == 0.0 or 1e-100 < largest < 1e100:
        return X, *distances, 1.0
    power = 2.0 ** -np.round(np.log2(largest))
    return X * power, *(d * power for d in distances), power


def distance(value: object, name: str) -> float:
    """A distance: a finite number, 0 or more."""
    if isinstance(value, bool) or not isinstance(value, Real) or not math.isfinite(value) or value < 0:
        raise ValueError(f"{name} must be a finite number, 0 or more, got {value!r}")
    return float(value)


def count(value: object, name: str, least: int = 1) -> int:
    """A whole number of at least `least`."""
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        raise ValueError(f"{name} must be a whole number, {least} or more, got {value!r}")
    return int(value)


def permutation(order: ArrayLike | None, n: int) -> np.ndarray:
    """An order in which to visit n points."""
    if order is None:
        return np.arange(n, dtype=np.int32)
    order = np.ascontiguousarray(order)
    if order.shape != (n,) or not np.issubdtype(order.dtype, np.integer):
        raise ValueError(
            f"order must list each of the {n} points once, got an array of shape {order.shape}, {order.dtype}"
        )
    if not np.array_equal(np.sort(order), np.arange(n)):
        raise ValueError(f"order must list each of the {n} points once: every whole number from 0 to {n - 1}")
    return order.astype(np.int32)


def jobs(n_jobs: int | None) -> int:
    """Number of threads: None is one, -1 is one per core, as in scikit-learn."""
    from os import cpu_count

    if n_jobs is None:
        return 1
    if isinstance(n_jobs, bool) or not isinstance(n_jobs, Integral) or n_jobs == 0:
        raise ValueError(f"n_jobs must be None, a positive whole number, or -1 for all cores, got {n_jobs!r}")
    cores = cpu_count() or 1
    return int(n_jobs) if n_jobs > 0 else max(1, cores + 1 + int(n_jobs))
