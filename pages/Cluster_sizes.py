"""How many clusters stand out?"""

import streamlit as st

from theta_app.ui import cache, shell
from theta_app.ui.pages import cluster_sizes as parts
from theta_app.ui.widgets import controls, use_theta

with shell.page("Cluster sizes", "How many clusters stand out?") as data:
    settings = controls.sweep_settings()
    in_use = st.empty()

    found, recommended = parts.swept(data, settings)
    theta = recommended if settings.theta is None else settings.theta
    point = cache.evaluate(data, theta, settings.shuffles, settings.seed)

    use_theta.in_use(in_use, data.unit)
    parts.choose_theta(found, theta)
    parts.size_section(data, settings, point)
    parts.drop_section(data, found)
    parts.set_section()
