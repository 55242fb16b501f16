"""Over which θ does the answer hold?"""

import streamlit as st

from theta_app.ui import shell
from theta_app.ui.pages import optimal_theta as parts
from theta_app.ui.widgets import controls, sweeping, use_theta, verdict

with shell.page("Optimal θ") as data:
    settings = controls.sweep_settings()
    in_use = st.empty()

    sweep = sweeping.complete_sweep(data, settings)
    table = parts.table_with_nmi(data, settings, sweep)

    parts.answer(data, verdict.of(data), sweep)
    use_theta.in_use(in_use, data)
    parts.range_picture(data, table, sweep.ranges)
    parts.range_table(data, sweep.ranges)
    parts.shuffle_section(data, settings, settings.theta or sweep.best.theta)
    parts.spacing_section()
