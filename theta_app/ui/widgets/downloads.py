"""Buttons that give results to take away. Every CSV goes through ``datasets.csv_bytes``, which keeps spreadsheets from
running cells that look like formulas."""

import json
import re
from collections.abc import Callable
from typing import Any

import pandas as pd
import streamlit as st

from theta_app import datasets
from theta_app import report as reports


def csv(label: str, frame: pd.DataFrame | Callable[[], pd.DataFrame], name: str, **options: Any) -> None:
    """A button for a table as CSV; ``name`` without its ending. The file is made when the button is pressed.

    What makes it runs in a thread without a session: it may only use what it was given.
    """
    content = lambda: datasets.csv_bytes(frame() if callable(frame) else frame)  # noqa: E731
    _button(label, content, f"{name}.csv", "text/csv", **options)


def json_file(label: str, value: object, name: str, **options: Any) -> None:
    """A button for a JSON-like value, or what makes it; ``name`` without its ending."""
    content = lambda: json.dumps(value() if callable(value) else value, indent=2, ensure_ascii=False)  # noqa: E731
    _button(label, content, f"{name}.json", "application/json", **options)


def html(label: str, page: str | Callable[[], str], name: str, **options: Any) -> None:
    """A button for a page of HTML that stands on its own; ``name`` without its ending."""
    _button(label, page, f"{name}.html", "text/html", **options)


def report(described: Callable[[], reports.Report], name: str) -> None:
    """Buttons for a report as a page and as a notebook; both are made when they are asked for."""
    html(
        "Report",
        lambda: reports.page(described()),
        f"report-{name}",
        help="One self-contained page: data, preparation, verdict, pictures, profile, settings, Python.",
    )
    _button(
        "Notebook",
        lambda: reports.notebook(described()),
        f"report-{name}.ipynb",
        "application/x-ipynb+json",
        help="A Jupyter notebook that reproduces this result.",
    )


def file_name(*parts: object) -> str:
    """Words joined to a file name that every system accepts, without an ending."""
    text = "-".join(str(part) for part in parts)
    return re.sub(r"[^\w.=+-]+", "-", text).strip("-.")[:80] or "theta"


def _button(label: str, content: Any, name: str, mime: str, **options: Any) -> None:
    key = options.pop("key", f"download {name} {label}")
    # "ignore": taking something away changes nothing on the page, so nothing needs to run again
    st.download_button(label, content, name, mime, key=key, on_click="ignore", icon=":material/download:", **options)
