"""What happens as I drag θ?"""

import streamlit as st

from theta_app.ui import session, shell
from theta_app.ui.pages import explore
from theta_app.ui.pages.explore import others
from theta_app.ui.widgets import better_map, inside, one_column, verdict


@shell.fragment
def explorer(data):
    """Runs again alone when θ is released or a setting changes, and step by step while a sweep is under way."""
    # places first: what is slow must not move what is shown
    headline, controls, timeline, picture, findings = (st.container(key=key) for key in explore.PLACES)
    line = st.empty()
    sweep = explore.current_sweep(data, line)
    theta = explore.current_theta(sweep)

    with headline:
        inside.show_part(data)
        verdict.line(sweep.verdict, data.unit)
        better_map.offer(data)
        if (here := sweep.frame_at(theta, data.unit)) is not None:
            one_column.show(data, sweep.drawn, here.frame.labels, here.k)
    with findings:
        explore.show_findings(sweep, data, theta, line)
    with controls:
        slider = explore.choices(sweep, theta)
    with timeline:
        explore.show_timeline(sweep, data, line)
        swept = explore.everything.place(sweep, data)
    with picture:
        explore.picture.choices(sweep, data)
    session.write_url()
    explore.go_on(sweep, data, line)
    explore.show_shuffles(sweep, data, theta, slider, line)
    explore.show_why(sweep, data)
    others.show(sweep, data)
    explore.show_clusters(sweep, data, theta, line)
    explore.show_comparison(sweep, theta)
    explore.show_export(sweep, explore.answer(sweep, data, theta))
    explore.picture.watch_projection(sweep, line)
    explore.everything.go_on(sweep, data, swept)


with shell.page("Explore θ") as data:
    explore.CURSOR.reopened()
    explorer(data)
