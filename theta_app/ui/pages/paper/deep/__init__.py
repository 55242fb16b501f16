"""Deep clustering: can the digits be found, is TDG a good start, and a training on the current data."""

import streamlit as st

from theta_app import datasets
from theta_app.ui.pages.paper.deep import live, maps, stored
from theta_app.ui.widgets import controls

MNIST, HERE = "mnist", "here"
_NAMES = {MNIST: "MNIST, stored runs", HERE: "The current data, here"}


def show(data: datasets.Dataset) -> None:
    """Draw what was stored of deep clustering, and the run that can be started here."""
    maps.show()
    st.subheader("Is TDG a better starting point for deep clustering?", anchor=False)
    st.markdown(
        "The paper's own experiment: an autoencoder learns a small space, and a clustering layer then pulls points "
        "and clusters together in it. It starts from K-Means, K-Means++, or the largest clusters of TDG, and is "
        "given the number ten."
    )
    view = controls.one_of("deep_view", _NAMES, "What to look at")
    if view == HERE:
        live.show(data)
    else:
        stored.show()
