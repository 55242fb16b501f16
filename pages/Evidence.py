"""Why this θ and not another?"""

import streamlit as st

from theta_app.ui import session, shell
from theta_app.ui.pages import evidence as parts
from theta_app.ui.pages.evidence import sizes


@shell.fragment
def evidence(data):
    """Runs again alone when θ is released or something is chosen."""
    shown = parts.current_sweep(data)
    theta = parts.current_theta(shown)

    kept = sizes.kept(shown, data, theta)

    slider = parts.head(data, shown)
    packed = parts.show_track(shown, data, theta)
    parts.show_evidence(shown, data, theta, kept)
    more = st.container()
    parts.both_answers(data, shown)
    parts.show_numbers(data, shown)
    sizes.show_export(shown, kept)
    session.write_url()
    parts.show_shuffles(shown, data, theta, packed, slider)
    parts.complete(shown, theta, more)


with shell.page("Evidence") as data:
    parts.CURSOR.reopened()
    parts.EPSILON.reopened()
    evidence(data)
