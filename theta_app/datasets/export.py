"""The one way a table leaves the app."""

import re

import pandas as pd

FORMULA = re.compile(r"\t|[\s\x00-\x1f]*[=+\-@]")


def csv_bytes(frame):
    """The table as CSV in UTF-8, without the index.

    Text that a spreadsheet would run as a formula, in cells and in column names, gets a quote mark in front. Numbers
    stay numbers, negative ones too. A line end within a cell becomes \\n.
    """
    safe = frame.copy(deep=False)
    safe.columns = [_quoted(str(name)) for name in frame.columns]
    for j, (_, column) in enumerate(frame.items()):
        if isinstance(column.dtype, pd.CategoricalDtype):
            column = column.astype(object)
        if column.dtype == object or isinstance(column.dtype, pd.StringDtype):
            safe.isetitem(j, column.map(_quoted, na_action="ignore"))
    return safe.to_csv(index=False, lineterminator="\n").encode("utf-8", errors="replace")


def _quoted(value):
    if not isinstance(value, str):
        return value
    value = value.replace("\r\n", "\n").replace("\r", "\n")  # a bare \r is not quoted, and would begin a new row
    return f"'{value}" if FORMULA.match(value) else value
