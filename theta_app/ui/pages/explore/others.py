"""Other methods at the K of every θ, computed in the background and drawn beside the sweep."""

import streamlit as st

from theta_app import datasets
from theta_app.ui import peers, scheduled, session, shell, timeline
from theta_app.ui.timeline import of_others
from theta_app.ui.timeline.of_theta import ShownSweep
from theta_app.ui.widgets import controls

_ASKED = "explore.others.asked"  # the browser has asked: a page that nobody looks at has nothing measured


def show(shown: ShownSweep, data: datasets.Dataset) -> None:
    """The curves. They run again alone, when the browser asks for what has come meanwhile."""
    st.subheader("Other methods over θ", anchor=False)
    others = of_others.others_of(shown, data)

    @shell.fragment
    def curves() -> None:
        computing = st.toggle(
            "Compute in the background",
            help="K-Means++, mini-batch K-Means and BIRCH run once per K, in one process that gives way to everything "
            "else; what has been computed is kept for everybody. Off: it stops.",
            **controls.option("others", peers.measured_unasked()),
        )
        session.write_url()
        if not computing:
            peers.leave(scheduled.asker())
        elif st.session_state.pop(_ASKED, False):
            peers.ask(scheduled.asker(), others.steps, others.points)
        timeline.show_others(
            of_others.sent(others, computing=computing),
            key="other-methods",
            on_more=lambda: st.session_state.update({_ASKED: True}),
        )

    curves()
    st.caption(of_others.what_is_told())
