"""Sections that are closed until somebody opens them: what is in them is neither computed nor sent before."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator


def section(title: str, key: str, icon: str) -> DeltaGenerator | None:
    """The section's container if it is open, else None. A browser need not load what no closed section shows.

    It stays open over page changes.
    """
    kept = f"closed.{key}"
    st.session_state.setdefault(key, st.session_state.get(kept, False))
    box = st.expander(title, key=key, on_change="rerun", icon=f":material/{icon}:")
    st.session_state[kept] = box.open
    return box if box.open else None
