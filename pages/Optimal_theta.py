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

    found = verdict.of(data)
    ranges = parts.answer(data, found, sweep)
    use_theta.in_use(in_use, data)
    parts.range_picture(data, table, ranges)
    parts.range_table(data, ranges)
    parts.shuffle_section(data, settings, sweeping.theta_in_use(settings, sweep, found))
    parts.spacing_section()
