"""What am I looking at?"""

import streamlit as st

from theta_app.ui import shell
from theta_app.ui.pages.data import bringing, choosing, looking, on_server, ready
from theta_app.ui.widgets import words

with shell.page("Data") as data:
    bringing.bring_your_own()
    on_server.open_one()
    choosing.choose_from_catalogue()
    left, right = st.columns([2, 3], gap="large")
    with left:
        st.subheader("Is the data ready?", anchor=False)
        ready.show(data)
    with right:
        st.subheader(words.plain(data.name), anchor=False)
        looking.facts(data)
        looking.picture(data)
    on_server.label_all(data)
    looking.table(data)
