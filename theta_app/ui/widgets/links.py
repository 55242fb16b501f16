"""Links to other pages."""

from typing import Any

import streamlit as st
from streamlit.errors import StreamlitAPIException


def page_link(file: str, label: str, icon: str, **options: Any) -> None:
    """A link to a page by its file, such as ``pages/Data.py``."""
    try:
        st.page_link(file, label=label, icon=icon, **options)
    except StreamlitAPIException:  # a page run as a script of its own, as tests do, has no other pages to link to
        st.markdown(f"{icon} {label}")


def go(file: str) -> None:
    """Go to a page by its file, now."""
    try:
        st.switch_page(file)
    except StreamlitAPIException:  # a page run as a script of its own has no other pages
        st.rerun()
