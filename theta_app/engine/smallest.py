"""The few smallest of many numbers."""

import numpy as np

from theta_app.engine.compiled import njit


@njit(cache=True, nogil=True)
def smallest(rows: np.ndarray, k: int) -> np.ndarray:
    """Positions of the k smallest values in each row, ascending, the lower position first on a tie: an array (n, k).

    A value is compared with the largest of the k found so far, and hardly ever gets further. Where fewer than k are
    finite the first positions fill up the rest.
    """
    n, m = rows.shape
    found = np.empty((n, k), np.int64)
    values = np.empty(k)
    for i in range(n):
        values[:] = np.inf
        for at in range(k):
            found[i, at] = at
        for j in range(m):
            value = rows[i, j]
            if value < values[k - 1]:
                at = k - 1
                while at > 0 and value < values[at - 1]:
                    values[at] = values[at - 1]
                    found[i, at] = found[i, at - 1]
                    at -= 1
                values[at] = value
                found[i, at] = j
    return found
