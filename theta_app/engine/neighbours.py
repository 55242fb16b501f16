"""The nearest other points of a point."""

import numpy as np

from theta_app.engine import curves, norms
from theta_app.engine.compiled import njit
from theta_app.engine.smallest import smallest
from theta_app.engine.stopping import NEVER
from theta_app.engine.validation import read_only

_TREE_POWER = 4.0  # SciPy's trees raise differences to the power p: much larger ones vanish or overflow
_TREE_FEATURES = 8  # in more features a tree's boxes separate little, ...
FEW_ROWS_FEATURES = 16  # ... but for a few rows of many it is still the quickest
_AT_A_TIME = 500  # points whose distances to all others are looked at together
_SPARE = 6  # candidates more than neighbours: rounding may have put one of those behind


_COORDINATES = {1.0: 2e9, 2.0: 1e11, np.inf: 5e9, curves.POWER: 6e8}
_COORDINATES_OTHERWISE = 1.5e8
"""Differences of coordinates that are looked at in a second or two; powers take longest."""


def affordable(n: int, d: int, p: float) -> int:
    """Of n points with d features, of how many all distances are looked at in a second or two."""
    if d <= _TREE_FEATURES and p != curves.POWER:
        return n
    return min(n, int(np.sqrt(_COORDINATES.get(p, _COORDINATES_OTHERWISE) / d)))


def nearest_others(
    X: np.ndarray, rows: np.ndarray, k: int, p: float, stop: np.ndarray = NEVER
) -> tuple[np.ndarray, np.ndarray]:
    """The k nearest other rows of X from each of some of its rows, in the norm p.

    Parameters
    ----------
    X : array of shape (n, d), as `validation.scaled` has it
    rows : array of positions
    k : int
        Less than n.
    p : float
        As `Metric.p` has it.
    stop : flag of `stopping`
        What is returned once it is set means nothing.

    Returns
    -------
    distances, positions : (m, k) arrays
        Ascending. A position is always that of another row.
    """
    few = _TREE_FEATURES if len(rows) == len(X) else FEW_ROWS_FEATURES
    if X.shape[1] <= few and (1.0 <= p <= _TREE_POWER or p == np.inf):
        return _by_tree(X, rows, k, p)
    if p == 2.0:
        return _by_products(X, rows, k, stop)
    return _by_looking(read_only(np.ascontiguousarray(X)), rows, k, p, stop)


def _by_tree(X: np.ndarray, rows: np.ndarray, k: int, p: float) -> tuple[np.ndarray, np.ndarray]:
    from scipy.spatial import cKDTree  # here, as `tdg` in a new process should not wait for it

    unit = 2.0 ** np.round(np.log2(np.abs(X).max() or 1.0))  # so that no power overflows; a power of two rounds nothing
    far, near = cKDTree(X / unit).query(X[rows] / unit, k=k + 1, p=p)
    own = near == rows[:, None]
    own[~own.any(axis=1), -1] = True  # among many duplicates a point need not be its own first neighbour
    far, near = far[~own].reshape(len(rows), k) * unit, near[~own].reshape(len(rows), k)
    if near.max(initial=0) >= len(X):  # SciPy's word for "none", which a kernel would take for a row
        raise FloatingPointError("The distances between these points overflow.")
    return far, near


def _by_products(X: np.ndarray, rows: np.ndarray, k: int, stop: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Euclidean distances by matrix products; those of candidates are then measured directly."""
    X = X - X.mean(axis=0)
    squares = np.einsum("ij,ij->i", X, X)
    far, near = np.empty((len(rows), k)), np.empty((len(rows), k), dtype=np.int64)
    for start in range(0, len(rows), _AT_A_TIME):
        if stop[0]:
            break
        part = rows[start : start + _AT_A_TIME]
        block = X[part] @ X.T
        block *= -2.0
        block += squares[part, None]
        block += squares
        block[np.arange(len(part)), part] = np.inf
        closest = smallest(block, min(k + _SPARE, len(X) - 1))
        exact = np.linalg.norm(X[part, None] - X[closest], axis=2)
        order = np.argsort(exact, axis=1, kind="stable")[:, :k]
        near[start : start + _AT_A_TIME] = np.take_along_axis(closest, order, axis=1)
        far[start : start + _AT_A_TIME] = np.take_along_axis(exact, order, axis=1)
    return far, near


@njit(cache=True, nogil=True)
def _by_looking(X: np.ndarray, rows: np.ndarray, k: int, p: float, stop: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Every other row is looked at, hardly ever in full; on a tie the lower position comes first."""
    far, near = np.empty((rows.shape[0], k)), np.empty((rows.shape[0], k), np.int64)
    for at in range(rows.shape[0]):
        if stop[0]:
            break
        i, count, farthest = rows[at], 0, np.inf
        for other in range(X.shape[0]):
            gap = 0.0  # the distance or less; most are seen to be too far here, and a call takes longer
            for j in range(X.shape[1] if p != curves.POWER else 0):
                along = abs(X[i, j] - X[other, j])
                gap = gap + along if p == 1.0 else max(gap, along)
                if gap > farthest:
                    break
            if gap > farthest or other == i:
                continue
            d = norms.apart(X, i, X, other, p, farthest)
            if count == k and not d < farthest:
                continue
            place = min(count, k - 1)
            while place > 0 and d < far[at, place - 1]:
                far[at, place], near[at, place] = far[at, place - 1], near[at, place - 1]
                place -= 1
            far[at, place], near[at, place] = d, other
            count = min(count + 1, k)
            farthest = far[at, k - 1] if count == k else np.inf
    return far, near
