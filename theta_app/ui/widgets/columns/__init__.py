"""Every column of a file in one table: what it holds, whether and how it is used. See `datasets.ColumnRow`."""

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from theta_app import datasets
from theta_app.datasets.check import percent
from theta_app.ui.components import component

_HERE = Path(__file__).parent
_table = component("theta_columns", _HERE / "columns.js", css=_HERE / "columns.css")
_KEY = "columns"
_NO_CHOICE = ("identifier", "constant")  # can be used, and nobody needs to be told in how many ways


def show(rows: tuple[datasets.ColumnRow, ...], total: int, on_change: Callable[[str, str, object], None]) -> None:
    """The table of a file. ``on_change`` gets a column, what changes ("use", "way" or "weight"), and its new value."""
    names = {row.name for row in rows}

    def changed() -> None:
        told = st.session_state[_KEY].get("change") or {}
        if told.get("column") in names and told.get("what") in ("use", "way", "weight"):
            on_change(told["column"], told["what"], told.get("value"))

    _table(key=_KEY, data={"rows": [_cells(row, total) for row in rows]}, on_change_change=changed)


def _cells(row: datasets.ColumnRow, total: int) -> dict:
    share = row.missing / max(total, 1)
    return {
        "name": row.name,
        "holds": row.holds,
        "used": row.used,
        "label": row.label,
        "why": "" if row.used or row.label else row.why,
        "missing": "" if not row.missing else f"{row.missing:,} ({percent(share)})",
        "odd": row.odd,
        "bars": list(row.bars),
        "example": row.example.replace(" becomes ", " → "),
        "ways": [{"key": key, "label": label} for key, label in row.ways],
        "way": row.way,
        "offered": row.used or row.holds not in _NO_CHOICE,
        "weight": row.weight,
        "scaled": row.scaled,
        "share": row.share,
        "percent": "" if row.share is None else percent(row.share),
    }
