"""A slow projection on its way: the old picture stays until it is there, with progress and a way out."""

from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from theta_app import selection
from theta_app.ui import projections, session

_LOOK = 0.7  # seconds between two looks


def watch(points: selection.Sample, drawn: str, slot: DeltaGenerator | None = None, dimensions: int = 2) -> None:
    """Where points are ``drawn`` by another projection than is asked for: say why, and run again when it is there.

    It looks by itself now and then: a run that waited here would keep θ and every other control waiting with it.
    """
    wanted = session.settings().projection
    task = projections.projecting(points, wanted, dimensions) if drawn != wanted else None
    if task is None:
        return
    name, old = selection.PROJECTIONS[wanted], selection.PROJECTIONS[drawn]
    with (st.empty() if slot is None else slot).container(horizontal=True, vertical_alignment="center"):
        if task.failed is None:
            _progress(points, wanted, name, drawn, old, dimensions)
        else:
            st.warning(f"{name} could not be computed: {task.failed} The picture is drawn by {old}.", width="content")  # type: ignore[arg-type]
            again: dict[str, Any] = {"on_click": projections.stop_projecting, "args": (points, wanted, dimensions)}
            st.button("Try again", key=f"project-again {points.key}", icon=":material/replay:", **again)


def _progress(points: selection.Sample, wanted: str, name: str, drawn: str, old: str, dimensions: int) -> None:
    @st.fragment(run_every=_LOOK)
    def watch() -> None:
        task = projections.projecting(points, wanted, dimensions)
        if task is None or task.ended:
            st.rerun()
        starting = " (starting takes up to a minute)" if wanted == "umap" and not task.total else ""
        with st.container(horizontal=True, vertical_alignment="center"):
            words = f"Computing the {name} picture{starting}; until then you see {old}…"
            st.progress(min(task.done / task.total, 1.0) if task.total else 0.0, words)
            if st.button("Stop", key=f"stop-projection {points.key}", icon=":material/stop:"):
                projections.stop_projecting(points, wanted, dimensions)
                session.update(projection=drawn)
                st.rerun()

    watch()
