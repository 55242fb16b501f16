"""What happens as I drag θ?"""

import streamlit as st

from theta_app.ui import frame

with frame.page("Explore θ", "What happens as I drag θ?") as data:
    st.scatter_chart(data.X[:2000, :2])
