"""Random orders of the points."""

import numpy as np

from theta_app.engine.compiled import njit


@njit(cache=True, nogil=True)
def _mixed(z: int) -> int:
    """The finaliser of SplitMix64 (Steele, Lea and Flood 2014)."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@njit(cache=True, nogil=True)
def _shuffle(order: np.ndarray, seed: int, i: int) -> None:
    """Fisher-Yates, driven by SplitMix64 started from (seed, i).

    Written out rather than taken from NumPy so that an order never changes with a library's version: a link or a
    notebook gives the same labels years later.
    """
    golden = np.uint64(0x9E3779B97F4A7C15)
    state = _mixed(_mixed(seed + golden) ^ (np.uint64(i) * golden + golden))
    for at in range(order.shape[0]):
        order[at] = at
    for at in range(order.shape[0] - 1, 0, -1):
        state += golden
        # 32 random bits scaled to 0..at: the bias is below n / 2**32
        other = np.int64(((_mixed(state) >> np.uint64(32)) * np.uint64(at + 1)) >> np.uint64(32))
        order[at], order[other] = order[other], order[at]


def shuffle(n: int, seed: int, i: int) -> np.ndarray:
    """Order number `i` of n points under `seed`, whole numbers from 0; seeds are taken modulo 2**64.

    Of int32, as every kernel takes it: random reads of a large order miss the caches half as often. NumPy makes the
    array, as its large arrays lie in large pages.
    """
    order = np.empty(n, np.int32)
    _shuffle(order, np.uint64(seed % 2**64), i)
    return order


@njit(cache=True, nogil=True)
def in_turn(n: int) -> np.ndarray:
    """0 to n - 1, as np.arange, which takes numba far longer to compile."""
    order = np.empty(n, np.int64)
    for i in range(n):
        order[i] = i
    return order
