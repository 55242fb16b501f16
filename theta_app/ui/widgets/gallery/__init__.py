"""Data sets to choose from: a small picture and a name each, under headings."""

from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import streamlit as st

from theta_app import datasets
from theta_app.figures.thumbnail import DOTS, thumbnail
from theta_app.ui import loading, projections, store
from theta_app.ui.components import component

_HERE = Path(__file__).parent
_gallery = component("theta_gallery", _HERE / "gallery.js", css=_HERE / "gallery.css")
_KEY = "gallery"


def show(chosen: str | None, on_pick: Callable[[str], None]) -> None:
    """The gallery with the data set of key ``chosen`` marked; ``on_pick`` gets the key of one that is clicked."""
    groups = [
        {"heading": heading, "cards": [_card(spec, chosen) for spec in specs]}
        for heading, specs in datasets.CATALOGUE.headings().items()
    ]

    def picked() -> None:
        key = st.session_state[_KEY].get("pick")
        if key in datasets.CATALOGUE:
            on_pick(key)

    _gallery(key=_KEY, data={"groups": groups}, on_pick_change=picked)


def _card(spec: datasets.Spec, chosen: str | None) -> dict:
    return {
        "key": spec.key,
        "label": spec.label,
        "help": spec.help,
        "chosen": spec.key == chosen,
        "image": picture(spec),
    }


def picture(spec: datasets.Spec) -> str | None:
    """The thumbnail as an address of its own content; None for a published set that is not on this machine."""
    if isinstance(spec, datasets.Original) and not datasets.is_fetched(spec.name):
        return None
    try:
        return store.PICTURES.get_or_make(("thumbnail", spec), lambda: _drawn(spec))
    except LookupError:  # a file that broke since it was fetched
        return None


def _drawn(spec: datasets.Spec) -> str:
    points = loading.sample(loading.dataset(spec, datasets.Preparation()), DOTS)
    return f"data:image/svg+xml,{quote(thumbnail(projections.thumbnail_positions(points), points.truth))}"
