"""What am I looking at?"""

import streamlit as st

from theta_app.ui import frame

with frame.page("Data", "What am I looking at?") as data:
    st.dataframe(data.table.head(100))
