"""Sections of a page that show the paper's own data."""

from collections.abc import Callable

import streamlit as st

from theta_app.ui import session
from theta_app.ui.widgets import closed


def section(title: str, key: str, body: Callable[[], None]) -> None:
    """Show ``body`` under its title; closed, and not computed, while the person looks at data of their own."""
    if not session.own_data():
        st.subheader(title, anchor=False)
        body()
        return
    if box := closed.section(f"From the paper: {title}", key, "article"):
        with box:
            body()
