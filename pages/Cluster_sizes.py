"""How many clusters stand out?"""

import streamlit as st

from theta_app.ui import shell
from theta_app.ui.pages import cluster_sizes as parts
from theta_app.ui.widgets import controls, sweeping, use_theta, verdict

with shell.page("Cluster sizes") as data:
    settings = controls.sweep_settings()
    in_use = st.empty()

    sweep = sweeping.complete_sweep(data, settings)
    found = verdict.of(data)
    point = sweeping.point_in_use(data, settings, sweep, found)

    parts.answer(data, found)
    use_theta.in_use(in_use, data)
    parts.choose_theta(sweep, point.theta)
    kept = parts.size_section(data, settings, point, found)
    parts.drop_section(data, sweep, found)
    parts.show_export(kept, settings, found)
    parts.set_section()
