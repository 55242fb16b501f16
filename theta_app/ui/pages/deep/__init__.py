"""The page Deep: the stored runs on MNIST, and a run on the current data set while one looks on."""

import streamlit as st

from theta_app import datasets
from theta_app.ui import session
from theta_app.ui.pages.deep import live, stored
from theta_app.ui.widgets import controls

MNIST, HERE = "mnist", "here"
_NAMES = {MNIST: "MNIST, stored runs", HERE: "The current data, here"}


def show(data: datasets.Dataset) -> None:
    st.markdown(
        "An autoencoder squeezes each point into a few numbers and rebuilds it from them. In that small space a "
        "clustering layer then pulls points and clusters together. It has to start somewhere: from K-Means, from "
        "K-Means++, or from the largest clusters of TDG, all three from the same autoencoder."
    )
    view = session.option("deep_view", MNIST)
    view = st.segmented_control(
        "What to look at",
        list(_NAMES),
        format_func=_NAMES.get,
        required=True,
        label_visibility="collapsed",
        **controls.bound(
            "option.deep_view", view if view in _NAMES else MNIST, lambda value: session.set_option("deep_view", value)
        ),
    )
    if view == HERE:
        live.show(data)
    else:
        stored.show()
