"""Let them arrive: the rows come one after the other, and clusters with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import streamlit as st

from theta_app import datasets, selection
from theta_app.compare.arriving import arrivals
from theta_app.marks import Marks
from theta_app.ui import scheduled, store, timeline
from theta_app.ui.timeline.beside import beside
from theta_app.ui.timeline.of_arrivals import arrival_timeline
from theta_app.ui.widgets import downloads
from theta_app.ui.widgets.words import plain

if TYPE_CHECKING:
    import pandas as pd


_FILE = "the file"
_MOST = 20_000  # rows that are played
_SECONDS = {"Slow": 60.0, "Usual": 20.0, "Fast": 6.0}


def offer(data: datasets.Dataset, points: selection.Sample, theta: float | None) -> None:
    """A button that plays the arrival of the rows at θ; it is pressed from the menu of the timeline (js/tools)."""
    if theta is None or len(points.X) < 2:
        return
    st.button(
        "Let them arrive",
        key="arrive",
        icon=":material/play_circle:",
        type="tertiary",
        help="TSG needs to see each row once: watch clusters appear, drift and split as the rows come in.",
        on_click=lambda: st.session_state.update({"arriving": theta}),
    )
    if st.session_state.pop("arriving", None) is not None:
        _play(data, points.part(_MOST), theta)


@st.dialog("Let them arrive", width="large")
def _play(data: datasets.Dataset, points: selection.Sample, theta: float) -> None:
    columns = [name for name in data.table.columns if data.table[name].nunique() > 1]
    left, right = st.columns(2, vertical_alignment="bottom")
    by = left.selectbox("Rows come in the order of", [_FILE, *columns], key="arrive-by", format_func=str)
    speed = right.segmented_control("Speed", list(_SECONDS), default="Usual", required=True, key="arrive-speed")
    order = None if by == _FILE else _sorted(data.table[by].iloc[points.rows])
    if order is not None and not len(order):
        st.warning(f"'{plain(by)}' cannot be sorted.")
        return
    key = (points.key, "arrivals", theta, by)
    work = lambda report, cancel: arrivals(points.X, theta, order, points.truth, metric=points.metric)  # noqa: E731
    found = scheduled.run(key, work, None, store.PICTURES)
    name = f"{downloads.file_name(data.name)[:40]}-arriving"
    packed = arrival_timeline(points, found, theta, data.unit, name, _SECONDS[speed])
    st.caption(
        "TSG in one pass: a row joins the nearest centroid within θ, or starts a cluster, and is never moved again. "
        "Rows still to come are grey." + ("" if points.whole else f" {points.sentence.capitalize()}.")
    )
    shown: dict[str, Any] = {"serial": repr(key), "beside": beside(Marks(), {}, drawers=("numbers",))}
    timeline.show(packed, packed.values[0], key="arrivals-timeline", on_value=lambda _: None, **shown)


def _sorted(column: pd.Series) -> np.ndarray:
    """Positions by value, rows without one last; none where values cannot be compared."""
    try:
        return np.argsort(column.rank(method="first", na_option="bottom").to_numpy(), kind="stable")
    except TypeError:
        return np.empty(0, dtype=np.int64)
