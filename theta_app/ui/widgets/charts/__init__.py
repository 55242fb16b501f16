"""A Plotly figure on the page with a row of buttons to save it: PNG, SVG, HTML, and its numbers as CSV.

PNG and SVG are made in the visitor's browser from the chart as it stands there (zoom, theme and all), so the server
needs no browser of its own. Figures must be drawn in SVG: go.Scatter, go.Bar, go.Heatmap, never their GL kin.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from theta_app import datasets
from theta_app.ui.components import component
from theta_app.ui.widgets import downloads

_FOLDER = Path(__file__).parent
_pictures = component("theta_figure_pictures", _FOLDER / "pictures.js", css=_FOLDER / "pictures.css")
_CONFIG = {"displayModeBar": False, "scrollZoom": False}  # downloads are in the row below, made here


def show(figure: go.Figure, key: str, *, name: str, alt: str, table: pd.DataFrame | None = None, **options: Any) -> Any:
    """Draw a figure across its container and offer it for download below.

    ``alt`` is the picture in a sentence, for people who do not see it; ``table`` its numbers, offered as CSV. ``name``
    is of the files, without an ending, and made safe; ``key`` of the chart on the page: letters, digits, ``-`` and
    ``_``. Options go to ``st.plotly_chart``, whose result is returned.
    """
    if not re.fullmatch(r"[A-Za-z][\w-]*", key):
        raise ValueError(f"key must be letters, digits, - and _, starting with a letter, got {key!r}")
    name = downloads.file_name(name)
    with st.container(gap="xxsmall"):
        shown = st.plotly_chart(figure, key=key, width="stretch", alt=alt, config=_CONFIG, **options)
        with st.container(horizontal=True, gap="small", vertical_alignment="center", key=f"{key}-downloads"):
            _pictures(key=f"{key}-pictures", data={"chart": key, "name": name}, width="content")
            _button("HTML", lambda: page(figure, name), f"{name}.html", "text/html", key)
            if table is not None:
                _button("CSV", lambda: datasets.csv_bytes(table), f"{name}.csv", "text/csv", key)
    return shown


def page(figure: go.Figure, title: str) -> str:
    """A page of HTML with the figure alive (hover, zoom); it stands on its own and opens without a network."""
    alone = go.Figure(figure).update_layout(template="plotly_white", font_family="system-ui, sans-serif")
    html = alone.to_html(include_plotlyjs=True, config={"responsive": True, "displaylogo": False})
    return html.replace("<head>", f"<head><title>{title}</title>", 1)


def _button(label: str, content: Callable[[], str | bytes], file: str, mime: str, key: str) -> None:
    # "ignore": taking something away changes nothing on the page, so nothing needs to run again
    key = f"{key}-{label.lower()}"
    st.download_button(label, content, file, mime, key=key, on_click="ignore", type="tertiary")
