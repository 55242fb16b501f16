"""The Compare page: the paper's experiments and claims, the person's own comparison, the automatic answer."""

import streamlit as st

from theta_app import datasets
from theta_app.ui import session
from theta_app.ui.pages.compare import automatic, paper, yours
from theta_app.ui.widgets import controls

PAPER, YOURS, AUTOMATIC = "paper", "yours", "automatic"
_NAMES = {PAPER: "The paper's experiments", YOURS: "Your data", AUTOMATIC: "The automatic answer"}


def show(data: datasets.Dataset) -> None:
    view = session.option("cmp_view", PAPER)
    view = st.segmented_control(
        "Compare on",
        list(_NAMES),
        format_func=_NAMES.get,
        required=True,
        label_visibility="collapsed",
        **controls.bound(
            "option.cmp_view", view if view in _NAMES else PAPER, lambda value: session.set_option("cmp_view", value)
        ),
    )
    if view == YOURS:
        yours.show(data)
    elif view == AUTOMATIC:
        automatic.show()
    else:
        paper.show()
