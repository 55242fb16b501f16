"""The one way a table leaves the app, and the tables that tell where every row of a file went."""

import re
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
import pandas as pd

from theta_app.datasets.dataset import Dataset
from theta_app.datasets.prepare import matrix

# Where a spreadsheet would begin a formula: at the start of a cell, and after what separates cells in some country.
# Signs of full width count too, and so do signs after what nobody sees: blanks, marks of no width, a byte-order mark.
_UNSEEN = r"\s\x00-\x1f\x7f\u00ad\u200b-\u200f\u2028-\u202f\u2060-\u2064\ufeff"
FORMULA = re.compile(rf"(\A|[;\t\n])([{_UNSEEN}]*[=+\-@\uff1d\uff0b\uff0d\uff20])|\A(\t)")


def csv_bytes(frame: pd.DataFrame) -> bytes:
    """The table as CSV in UTF-8, without the index.

    Text that a spreadsheet would run as a formula, in cells and in column names, gets a quote mark before the sign's
    place. Numbers stay numbers, negative ones too. A line end within a cell becomes \\n.
    """
    safe = frame.copy(deep=False)
    safe.columns = [_quoted(str(name)) for name in frame.columns]
    for j, (_, column) in enumerate(frame.items()):
        if isinstance(column.dtype, pd.CategoricalDtype):
            column = column.astype(object)
        if column.dtype == object or isinstance(column.dtype, pd.StringDtype):
            safe.isetitem(j, column.map(_quoted, na_action="ignore"))
    return safe.to_csv(index=False, lineterminator="\n").encode("utf-8", errors="replace")


def _quoted(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    value = value.replace("\r\n", "\n").replace("\r", "\n")  # a bare \r is not quoted, and would begin a new row
    return FORMULA.sub(lambda found: f"{found[1] or ''}'{found[2] or found[3]}", value)


def labelled_rows(
    data: Dataset,
    labels: np.ndarray,
    rows: np.ndarray | None = None,
    names: Mapping[int, str] | None = None,
    **more: Any,
) -> pd.DataFrame:
    """Every row of the file, by its number, with its cluster; rows that were set aside have none, and say why.

    Parameters
    ----------
    data : Dataset
    labels : (n,) array of int
        The cluster of each point, or of each of ``rows``.
    rows : array of int, optional
        Positions of points: then only these rows.
    names : dict of int to str, optional
        What the person calls clusters.
    more
        Further columns, a value per point; empty for rows set aside.

    Returns
    -------
    DataFrame
        row, the original columns (and those that were read from them), cluster, perhaps cluster_name, perhaps
        set_aside.
    """
    labels = np.asarray(labels)
    if rows is not None:
        table, found = data.table.iloc[rows], np.arange(len(rows))
    else:
        table, found = _all_rows(data), data.raw.table.index.get_indexer(data.table.index)
    added = {"cluster": pd.Series(labels, dtype="Int64")}
    if names:
        added["cluster_name"] = pd.Series([names.get(int(label)) for label in labels], dtype=object)
    added |= {name: pd.Series(values) for name, values in more.items()}
    place = pd.Index(np.arange(len(table)))
    columns = {name: values.set_axis(found).reindex(place) for name, values in added.items()}
    if rows is None and len(data.table) < len(table):
        columns["set_aside"] = _reasons(data)
    table = table.reset_index(drop=True).assign(
        **{free_name(name, table.columns, "_found"): values for name, values in columns.items()}
    )
    numbers = data.raw.table.index if rows is None else data.table.index[rows]
    table.insert(0, free_name("row", table.columns, "_number"), numbers.to_numpy())
    return table


def _all_rows(data: Dataset) -> pd.DataFrame:
    """The original columns of every row, and what was read from them where a row is kept."""
    made = [column for column in data.table.columns if column not in data.raw.table.columns]
    return data.raw.table if not made else data.raw.table.join(data.table[made])


def _reasons(data: Dataset) -> pd.Series:
    used = data.raw.table.index.isin(data.table.index)
    reasons = pd.Series(np.where(used, "", "left out"), index=np.arange(len(used)), dtype=object)
    for reason, numbers in data.aside:
        reasons.iloc[data.raw.table.index.get_indexer(numbers)] = reason
    return reasons


def free_name(name: str, taken: Collection[str], more: str) -> str:
    """The name, with more after it where a column already has it."""
    while name in taken:
        name += more
    return name


def centroid_table(
    data: Dataset,
    centroids: np.ndarray,
    sizes: np.ndarray,
    labels: np.ndarray,
    names: Mapping[int, str] | None = None,
    members: np.ndarray | None = None,
) -> pd.DataFrame:
    """One row per centroid: its cluster, its size, and its place in the units of the columns and as it was scaled.

    In a space that the columns became (`Dataset.space`) its place there, and where ``members`` has the centroid of each
    point the mean of its rows in the units of the columns.
    """
    if data.space is None:
        table = pd.DataFrame(data.in_original_units(centroids), columns=list(data.features))
    else:
        table = pd.DataFrame(_means(data, members, len(centroids)), columns=list(data.features))
        table = table.assign(**{free_name(n, data.features, "_"): v for n, v in zip(data.coordinates, centroids.T)})
    table = table.assign(**{free_name("size", table.columns, "_"): np.asarray(sizes)})
    if data.space is None and data.scale is not None:
        scaled = {f"{column} (scaled)": values for column, values in zip(data.features, np.transpose(centroids))}
        table = table.assign(**scaled)
    if names:
        table.insert(0, free_name("cluster_name", table.columns, "_"), [names.get(int(k)) for k in labels])
    table.insert(0, free_name("cluster", table.columns, "_"), np.asarray(labels))
    return table


def _means(data: Dataset, members: np.ndarray, count: int) -> np.ndarray:
    """Mean of the rows of each group in the units of the columns (count, d), members (n,); NaN for an empty one."""
    values = matrix(data.table, data.features)
    filled = data.in_original_units(data.in_columns)
    values = values if np.isnan(filled).all() else filled
    return pd.DataFrame(values).groupby(members).mean().reindex(range(count)).to_numpy()
