"""What am I looking at?"""

import streamlit as st

from theta_app.ui import shell
from theta_app.ui.pages import data as parts
from theta_app.ui.widgets import words

with shell.page("Data") as data:
    choosing, looking = st.columns([2, 3], gap="large")
    with choosing:
        parts.choose_from_catalogue()
        parts.bring_your_own()
        st.subheader("Prepare", anchor=False)
        parts.prepare(data)
    with looking:
        st.subheader(words.plain(data.name), anchor=False)
        parts.facts(data)
        parts.picture(data)
    parts.table(data)
