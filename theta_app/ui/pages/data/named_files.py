"""The files that the person has started the app with, where they are several."""

from typing import Any

import streamlit as st

from theta_app.ui import opened
from theta_app.ui.widgets import words


def choose() -> None:
    """One button per file; the one that is shown is marked."""
    files = opened.files()
    if len(files) < 2:
        return
    st.subheader("Your files", anchor=False)
    names = [path.name for path in files]
    shown = opened.shown()
    with st.container(horizontal=True, key="named-files"):
        for path in files:
            name = path.name if names.count(path.name) == 1 else f"{path.parent.name}/{path.name}"
            kind = "primary" if path == shown else "secondary"
            own: dict[str, Any] = {"key": f"named-file {path}", "type": kind, "icon": ":material/table:"}
            st.button(words.plain(name), **own, on_click=opened.take, args=(path,))
