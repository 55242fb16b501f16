"""What am I looking at?"""

import streamlit as st

from theta_app.ui import session, shell
from theta_app.ui.pages.data import bringing, choosing, looking, on_server, ready
from theta_app.ui.widgets import words

with shell.page("Data") as data:
    first = st.container()  # one's own file comes first, what else could be looked at after it
    bringing.bring_your_own()
    choosing.choose_named()
    on_server.open_one()
    choosing.choose_from_catalogue()
    second = st.container()
    with first if session.own_data() else second:
        st.subheader(words.plain(data.name), anchor=False)
        ready.show(data)
    left, right = st.columns([2, 3], gap="large")
    with left:
        ready.choices(data)
    with right:
        looking.facts(data)
        looking.picture(data)
    on_server.label_all(data)
    looking.table(data)
