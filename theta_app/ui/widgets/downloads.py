"""Buttons that give results to take away. Every CSV goes through ``datasets.csv_bytes``, which keeps spreadsheets from
running cells that look like formulas."""

import json
import re
from dataclasses import asdict

import numpy as np
import pandas as pd
import streamlit as st

from theta_app import datasets
from theta_app.ui import session


def csv(label: str, frame: pd.DataFrame, name: str, **options) -> None:
    """A button for a table as CSV; ``name`` without its ending. The file is made when the button is pressed."""
    _button(label, lambda: datasets.csv_bytes(frame), f"{name}.csv", "text/csv", **options)


def table(frame: pd.DataFrame, name: str, **options) -> None:
    """A table on the page with its CSV under it."""
    st.dataframe(frame, hide_index=True, **options)
    csv("Table as CSV", frame, name)


def json_file(label: str, value, name: str, **options) -> None:
    """A button for a JSON-like value; ``name`` without its ending."""
    text = json.dumps(value, indent=2, ensure_ascii=False)
    _button(label, text, f"{name}.json", "application/json", **options)


def html(label: str, page: str, name: str, **options) -> None:
    """A button for a page of HTML that stands on its own; ``name`` without its ending."""
    _button(label, page, f"{name}.html", "text/html", **options)


def settings_json(data: datasets.Dataset, settings: session.Settings, **more) -> dict:
    """Everything needed to repeat a result with these settings, as a JSON-like value."""
    current = session.current()
    return {
        "data": {
            "name": data.name,
            "source": data.source,
            "digest": data.digest,
            **datasets.spec_to_query(current.spec),
        },
        "preparation": {**asdict(current.preparation), "features": list(data.features), "unit": data.unit},
        "settings": asdict(settings),
        **more,
    }


def with_clusters(data: datasets.Dataset, labels, rows=None) -> pd.DataFrame:
    """The original columns of the rows (all by default) and their cluster."""
    table = data.table if rows is None else data.table.iloc[rows]
    if data.truth_column == "cluster" and not isinstance(session.spec(), datasets.Upload):
        table = table.rename(columns={"cluster": "true_cluster"})
    name = "cluster" if "cluster" not in table.columns else "cluster_found"
    while name in table.columns:
        name += "_"
    return table.assign(**{name: np.asarray(labels)})


def file_name(*parts) -> str:
    """Words joined to a file name that every system accepts, without an ending."""
    text = "-".join(str(part) for part in parts)
    return re.sub(r"[^\w.=+-]+", "-", text).strip("-.")[:80] or "theta"


def _button(label, content, name: str, mime: str, **options) -> None:
    key = options.pop("key", f"download {name} {label}")
    # "ignore": taking something away changes nothing on the page, so nothing needs to run again
    st.download_button(label, content, name, mime, key=key, on_click="ignore", icon=":material/download:", **options)
