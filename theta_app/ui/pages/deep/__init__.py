"""The page Deep: the stored runs on MNIST, and a run on the current data set while one looks on."""

import streamlit as st

from theta_app import datasets
from theta_app.ui.pages.deep import live, maps, stored
from theta_app.ui.widgets import controls

MNIST, HERE = "mnist", "here"
_NAMES = {MNIST: "MNIST, stored runs", HERE: "The current data, here"}


def show(data: datasets.Dataset) -> None:
    st.markdown(
        "An autoencoder squeezes each point into a few numbers and rebuilds it from them. In that small space a "
        "clustering layer then pulls points and clusters together. It has to start somewhere: from K-Means, from "
        "K-Means++, or from the largest clusters of TDG, all three from the same autoencoder."
    )
    view = controls.one_of("deep_view", _NAMES, "What to look at")
    if view == HERE:
        live.show(data)
    else:
        stored.show()
        maps.show()
