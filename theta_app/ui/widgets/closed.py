"""Sections that are closed until somebody opens them: what is in them is neither computed nor sent before."""

import streamlit as st


def section(title: str, key: str, icon: str):
    """The section's container if it is open, else None. A browser need not load what no closed section shows."""
    box = st.expander(title, key=key, on_change="rerun", icon=f":material/{icon}:")
    return box if box.open else None
