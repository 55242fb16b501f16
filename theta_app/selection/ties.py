"""Values that repeat: columns of few values, and gaps that somebody filled.

Coordinates that repeat, counts, yes/no, ratings, say nothing about density: between two values there is always a gap,
and rows that are equal lie infinitely close. A filled gap is a place that nothing was measured at.
"""

import numpy as np

Counts = list[tuple[np.ndarray, np.ndarray]]  # (values, how many rows have each) per column

_TIES = 0.08  # of all pairs of rows are equal in a column of few values: months, ratings, counts, yes/no, many zeros;
# in one that was measured not half as many


def without_ties(X: np.ndarray) -> np.ndarray:
    """X with coordinates that repeat spread evenly over the gap around their value: the median gap of their column.

    X itself where nothing repeats. The same for the same X.
    """
    spread = X
    for j in range(X.shape[1]):
        values = np.unique(X[:, j])
        if 1 < len(values) < len(X):
            spread = X.copy() if spread is X else spread
            chance = np.random.default_rng(j).uniform(-0.5, 0.5, len(X))
            spread[:, j] += np.median(np.diff(values)) * chance
    return spread


def value_counts(X: np.ndarray) -> Counts:
    """(values, how many rows have each) of every column, values ascending."""
    return [np.unique(column, return_counts=True) for column in X.T]


def tie_rates(counted: Counts) -> np.ndarray:
    """Per column of `value_counts` the share of all pairs of rows that are equal in it."""
    return np.array([_equal_pairs(counts) for _, counts in counted])


def few_values(counted: Counts) -> np.ndarray:
    """Which columns of `value_counts` are of few values."""
    return tie_rates(counted) > _TIES


def measured(counted: Counts) -> np.ndarray:
    """Which columns of `value_counts` were measured; others are of few values, or nearly."""
    return tie_rates(counted) < _TIES / 2


def _equal_pairs(counts: np.ndarray) -> float:
    n = counts.sum()
    return float((counts * (counts - 1.0)).sum() / max(n * (n - 1.0), 1.0))


def filled_rows(X: np.ndarray, counted: Counts) -> np.ndarray:
    """(n,) bool: rows with a value that was filled in, such as the median of their column.

    A value is one if most equal pairs of rows are its own, the column is measured without it, and it is neither the
    smallest nor the largest: zeros and limits of an instrument are measured.
    """
    filled = np.zeros(len(X), dtype=bool)
    for column, (values, counts) in zip(X.T, counted):
        most = int(np.argmax(counts))
        others = np.delete(counts, most)
        pairs = counts * (counts - 1.0)
        inside = 0 < most < len(values) - 1
        if inside and 2.0 * pairs[most] > pairs.sum() and _equal_pairs(others) < _TIES / 2:
            filled |= column == values[most]
    return filled
