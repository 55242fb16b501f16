"""How far two groupings of the same points agree."""

import numpy as np

from theta_app.engine.compiled import njit


@njit(cache=True, nogil=True)
def adjusted_rand(first: np.ndarray, second: np.ndarray, K: int, L: int) -> float:
    """Adjusted Rand index of two labellings with labels 0..K-1 and 0..L-1, in O(n + K + L), no K x L table."""
    n = first.shape[0]
    starts = np.zeros(K + 1, np.int64)
    sizes = np.zeros(L, np.int64)
    if second.shape[0] != n:
        raise ValueError("two labellings of different numbers of points")
    for i in range(n):
        if not (0 <= first[i] < K and 0 <= second[i] < L):
            raise IndexError("a label is out of range")
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
