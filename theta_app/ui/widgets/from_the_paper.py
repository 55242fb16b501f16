"""Sections of a page that show the paper's own data."""

from collections.abc import Callable

import streamlit as st

from theta_app.ui import session


def section(title: str, key: str, body: Callable[[], None]) -> None:
    """Show ``body`` under its title; closed, and not computed, while the person looks at data of their own."""
    if not session.own_data():
        st.subheader(title, anchor=False)
        body()
        return
    box = st.expander(f"From the paper: {title}", key=key, on_change="rerun", icon=":material/article:")
    if box.open:
        with box:
            body()
