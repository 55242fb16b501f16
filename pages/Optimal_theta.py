"""Over which θ does the answer hold?"""

import streamlit as st

from theta_app import selection
from theta_app.ui import shell
from theta_app.ui.pages import optimal_theta as parts
from theta_app.ui.widgets import controls, use_theta

with shell.page("Optimal θ", "Over which θ does the answer hold?") as data:
    settings = controls.sweep_settings()
    in_use = st.empty()

    sweep, ranges = parts.swept(data, settings)
    recommended = selection.recommend_from(sweep, ranges)

    parts.answer(recommended, ranges, data.unit)
    use_theta.in_use(in_use, data.unit)
    parts.range_picture(data, sweep, ranges)
    parts.range_table(data, ranges)
    parts.shuffle_section(data, settings, settings.theta or recommended.theta)
    parts.spacing_section()
