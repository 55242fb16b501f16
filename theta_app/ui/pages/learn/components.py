"""The lessons' pictures as Streamlit components: plain JavaScript on a canvas, no build step.

Each part is put together from what it shares with the others and its own file; the browser draws and Python clusters.
"""

from pathlib import Path

import streamlit as st

from theta_app.figures.palette import COLOURS

PARTS = Path(__file__).parent / "parts"


def _component(name, *shared):
    sources = [(PARTS / f"{part}.js").read_text(encoding="utf-8") for part in ("stage", *shared, name)]
    css = (PARTS / "learn.css").read_text(encoding="utf-8")
    mounted = st.components.v2.component(f"theta_learn_{name}", js="\n".join(sources), css=css)

    def show(data, **options):
        return mounted(data={**data, "palette": list(COLOURS)}, **options)

    return show


player = _component("player", "transport", "trace")
orders = _component("orders", "transport", "trace")
lemma = _component("lemma")
vote = _component("vote", "transport")
chain = _component("chain")
finder = _component("finder")
