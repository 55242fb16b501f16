"""Gaps in the data: rows set aside, or filled by the column's median or by the most similar rows.

The fillings are scikit-learn's imputers. What they need is learnt from one set of points, so that a second file is
filled from the first.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from theta_app.datasets.values import count

NEIGHBOURS = 5
MOST_FILLED = 20_000  # rows with a gap that neighbours are looked for: above, it takes too long to wait for
_COMPARED = 5_000  # rows among which they are looked for


@dataclass(frozen=True)
class Missing:
    """A way to deal with gaps: its label, and what it does in a sentence with the numbers of gaps and rows."""

    label: str
    does: str


WAYS = {
    "rows": Missing("Set the rows aside", "{rows} with a gap {are} not clustered."),
    "median": Missing("Median", "{gaps} in {rows} {become} the median of {their} column."),
    "neighbours": Missing(
        "Nearest neighbours", f"{{gaps}} in {{rows}} {{become}} the mean of the {NEIGHBOURS} most similar rows."
    ),
}


def does(way: str, gaps: int, rows: int) -> str:
    """What a way does to so many gaps in so many rows."""
    one = gaps == 1
    return WAYS[way].does.format(
        gaps=count(gaps, "gap"),
        rows=count(rows, "row"),
        are="is" if rows == 1 else "are",
        become="becomes" if one else "become",
        their="its" if one else "their",
    )


def filler(X: np.ndarray, way: str) -> Callable[[np.ndarray], None]:
    """A function that fills the gaps of an array (m, d) where it is, from the values of X (n, d)."""
    from sklearn.impute import KNNImputer, SimpleImputer  # takes a second, which reading an upload need not wait for

    if way == "median":
        middle = SimpleImputer(strategy="median", keep_empty_features=True).fit(X).statistics_

        def fill(Y: np.ndarray) -> None:
            for j, value in enumerate(middle):
                Y[np.isnan(Y[:, j]), j] = value

        return fill
    chosen = X if len(X) <= _COMPARED else X[np.linspace(0, len(X) - 1, _COMPARED).astype(np.int64)]
    with np.errstate(invalid="ignore"):
        origin, size = np.nanmean(chosen, axis=0), np.nanstd(chosen, axis=0)
    size = np.where(size > 0, size, 1.0)  # similar in all columns alike, whatever their units
    imputer = KNNImputer(n_neighbors=NEIGHBOURS, keep_empty_features=True).fit((chosen - origin) / size)

    def fill(Y: np.ndarray) -> None:  # type: ignore[no-redef]
        rows = np.flatnonzero(np.isnan(Y).any(axis=1))
        if len(rows) > MOST_FILLED:
            raise ValueError(
                f"{count(len(rows), 'row')} have a gap: looking for the neighbours of more than {MOST_FILLED:,} takes "
                "too long. Fill with the median, or set the rows aside."
            )
        if len(rows):
            filled = imputer.transform((Y[rows] - origin) / size) * size + origin
            Y[rows] = np.where(np.isnan(Y[rows]), filled, Y[rows])

    return fill
