"""Why this θ and not another?"""

import streamlit as st

from theta_app.ui import session, shell
from theta_app.ui.pages import evidence as parts


@shell.fragment
def evidence(data):
    """Runs again alone when θ is released or something is chosen."""
    shown = parts.current_sweep(data)
    theta = parts.current_theta(shown)

    slider = parts.head(data, shown)
    packed = parts.show_track(shown, data, theta)
    kept = parts.show_evidence(shown, data, theta)
    map_line = st.container()
    parts.both_answers(data, shown)
    parts.show_numbers(data, shown)
    parts.show_export(shown, kept)
    session.write_url()
    parts.show_shuffles(shown, data, theta, packed, slider)
    with map_line:
        parts.maps.complete(shown)


with shell.page("Evidence") as data:
    parts.CURSOR.reopened()
    evidence(data)
