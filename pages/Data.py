"""What am I looking at?"""

import streamlit as st

from theta_app.ui import data_page, frame, words

with frame.page("Data", "What am I looking at?") as data:
    choosing, looking = st.columns([2, 3], gap="large")
    with choosing:
        data_page.choose_from_catalogue()
        data_page.bring_your_own()
        st.subheader("Prepare", anchor=False)
        data_page.prepare(data)
    with looking:
        st.subheader(words.plain(data.name), anchor=False)
        data_page.facts(data)
        data_page.picture(data)
    data_page.table(data)
