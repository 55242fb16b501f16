"""How many clusters stand out?"""

import streamlit as st

from theta_app.ui import applying, cache, controls, frame
from theta_app.ui import cluster_sizes as parts

with frame.page("Cluster sizes", "How many clusters stand out?") as data:
    settings = controls.sweep_settings()
    in_use = st.empty()

    found, recommended = parts.swept(data, settings)
    theta = recommended if settings.theta is None else settings.theta
    point = cache.evaluate(data, theta, settings.shuffles, settings.seed)

    applying.in_use(in_use, data.unit)
    parts.choose_theta(found, theta)
    parts.size_section(data, settings, point)
    parts.drop_section(data, found)
    parts.set_section()
