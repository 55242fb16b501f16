"""Random orders of the points, and how far two groupings agree."""

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def _mixed(z):
    """The finaliser of SplitMix64 (Steele, Lea and Flood 2014)."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@njit(cache=True, nogil=True)
def _shuffled(n, seed, i):
    """Fisher-Yates, driven by SplitMix64 started from (seed, i).

    Written out rather than taken from NumPy so that an order never changes with a library's version: a link or a
    notebook gives the same labels years later.
    """
    golden = np.uint64(0x9E3779B97F4A7C15)
    state = _mixed(_mixed(seed + golden) ^ (np.uint64(i) * golden + golden))
    order = np.empty(n, np.int64)
    for at in range(n):
        order[at] = at
    for at in range(n - 1, 0, -1):
        state += golden
        # 32 random bits scaled to 0..at: the bias is below n / 2**32
        other = np.int64(((_mixed(state) >> np.uint64(32)) * np.uint64(at + 1)) >> np.uint64(32))
        order[at], order[other] = order[other], order[at]
    return order


def shuffle(n, seed, i):
    """Order number `i` of n points under `seed`, whole numbers from 0; seeds are taken modulo 2**64."""
    return _shuffled(n, np.uint64(seed % 2**64), i)


@njit(cache=True, nogil=True)
def in_turn(n):
    """0 to n - 1, as np.arange, which takes numba far longer to compile."""
    order = np.empty(n, np.int64)
    for i in range(n):
        order[i] = i
    return order


@njit(cache=True, nogil=True)
def adjusted_rand(first, second, K, L):
    """Adjusted Rand index of two labellings with labels 0..K-1 and 0..L-1, in O(n + K + L), no K x L table."""
    n = first.shape[0]
    starts = np.zeros(K + 1, np.int64)
    sizes = np.zeros(L, np.int64)
    for i in range(n):
        starts[first[i] + 1] += 1
        sizes[second[i]] += 1
    together_first = 0.0
    for k in range(K):
        together_first += starts[k + 1] * (starts[k + 1] - 1.0)
        starts[k + 1] += starts[k]
    together_second = 0.0
    for k in range(L):
        together_second += sizes[k] * (sizes[k] - 1.0)
    grouped = np.empty(n, np.int32)  # second labels, sorted by the first
    fill = starts.copy()
    for i in range(n):
        grouped[fill[first[i]]] = second[i]
        fill[first[i]] += 1
    seen = np.zeros(L, np.int64)
    together_both = 0.0
    for k in range(K):
        for at in range(starts[k], starts[k + 1]):
            together_both += 2.0 * seen[grouped[at]]
            seen[grouped[at]] += 1
        for at in range(starts[k], starts[k + 1]):
            seen[grouped[at]] = 0
    pairs = n * (n - 1.0)
    if pairs == 0.0:
        return 1.0
    expected = together_first * together_second / pairs
    most = 0.5 * (together_first + together_second)
    if most == expected:  # both all in one cluster, or both all alone
        return 1.0
    return (together_both - expected) / (most - expected)


@njit(cache=True, nogil=True, error_model="numpy")
def members(X, labels, K):
    """(means, sizes) of the clusters 0..K-1; the rows of clusters without members are NaN.

    The mean of members that are all one point is that point, free of rounding.
    """
    means = np.zeros((K, X.shape[1]))
    sizes = np.zeros(K, np.int64)
    only = np.full(K, -1, np.int64)  # the point all members equal; -2 if they differ
    for i in range(X.shape[0]):
        k = labels[i]
        sizes[k] += 1
        if only[k] == -1:
            only[k] = i
        for j in range(X.shape[1]):
            means[k, j] += X[i, j]
            if only[k] >= 0 and X[i, j] != X[only[k], j]:
                only[k] = -2
    for k in range(K):
        for j in range(X.shape[1]):
            means[k, j] = X[only[k], j] if only[k] >= 0 else means[k, j] / sizes[k]
    return means, sizes
