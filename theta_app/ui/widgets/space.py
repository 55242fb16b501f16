"""The space in which points are clustered: the columns, or what they become. Computed while the old picture stays."""

import streamlit as st

from theta_app import datasets, profiles, selection
from theta_app import spaces as computed
from theta_app.datasets.space import COMPONENTS, SPACES, usual_components
from theta_app.ui import loading, session, spaces
from theta_app.ui.timeline.look import image_shape
from theta_app.ui.widgets import controls, readiness

_LOOK = 0.7  # seconds between two looks
_BEGUN = "space.begun"  # (key of the space that is computed, θ and ε when it was begun)


def choice(data: datasets.Dataset) -> None:
    """A button that says where points are clustered and opens what changes it; few columns need no other space."""
    chosen = session.preparation()
    if chosen.space == "columns" and (len(data.features) <= selection.FEW_COLUMNS or data.of_curves):
        return
    name = SPACES[chosen.space].label
    named = f"{name} ({chosen.components})" if chosen.space == "pca" else name
    with st.popover(f"Space: {named}", icon=":material/blur_on:", type="tertiary"):
        controls_of(data)


def controls_of(data: datasets.Dataset) -> None:
    """Which space, of how many coordinates, and what that means."""
    chosen = session.preparation()
    st.radio(
        "Cluster in",
        _offered(data),
        format_func=lambda key: SPACES[key].label,
        help="With many columns, all distances are much alike. A neighbour map keeps neighbours together and often "
        "shows clusters that the columns hide.",
        **controls.bound("space", chosen.space, lambda key: _take(data, key)),
    )
    if chosen.space == "columns":
        return
    if chosen.space == "pca":
        most = min(len(data.features), len(data.X), COMPONENTS[1])
        st.number_input(
            "Directions",
            COMPONENTS[0],
            most,
            width=140,
            help="How many of the main directions are kept.",
            **controls.bound("space.components", min(chosen.components, most), _take_components),
        )
    st.caption(SPACES[chosen.space].meaning)


def _offered(data: datasets.Dataset) -> list[str]:
    here = session.preparation().space
    wanted = {
        "columns": True,
        "pca": len(data.features) > 1,
        "map": len(data.features) > 1 and selection.has_umap(),
        "images": selection.has_umap() and image_shape(session.settings(), data) is not None,
        "strokes": selection.has_umap() and profiles.likely_shape(data.features) is not None,
    }
    return [key for key in SPACES if wanted[key] or key == here]


def _take(data: datasets.Dataset, key: str) -> None:
    if key and key != session.preparation().space:
        readiness.take(space=key, components=usual_components(key, len(data.features)))


def _take_components(count: int | None) -> None:
    if count:
        readiness.take(components=int(count))


# ---- on its way ------------------------------------------------------------------------------------------------------


def watch(data: datasets.Dataset) -> None:
    """While the space is computed: progress and a way out; then what θ means there."""
    chosen = session.preparation()
    if chosen.space == "columns":
        return
    label = SPACES[chosen.space].label
    if data.space is not None:
        st.session_state.pop(_BEGUN, None)
        unit = SPACES[chosen.space].unit
        st.caption(f":material/blur_on: {label}: θ is in {unit}; cluster profiles are in the units of the file.")
        return
    task = spaces.computing(_whole(data))
    if task is None:
        st.rerun()
    if task.failed is not None:
        with st.container(horizontal=True, vertical_alignment="center", key="space-failed"):
            st.warning(f"{label}: {task.failed} The columns themselves are shown.", width="content")  # type: ignore[arg-type]
            st.button("Try again", key="space-again", icon=":material/replay:", on_click=spaces.stop, args=(data,))
            st.button("Use the columns", key="space-columns", on_click=_back)
        return
    settings = session.settings()
    if st.session_state.get(_BEGUN, (None,))[0] != computed.key(_whole(data)):
        st.session_state[_BEGUN] = (computed.key(_whole(data)), settings.theta, settings.epsilon)
    _progress(_whole(data), label)


def _whole(data: datasets.Dataset) -> datasets.Dataset:
    """All rows: a part of them lies where it lies in the map of all."""
    return data if data.rows is None else loading.dataset(session.spec(), session.preparation())


def _progress(columns: datasets.Dataset, label: str) -> None:
    @st.fragment(run_every=_LOOK)
    def progress() -> None:
        task = spaces.computing(columns)
        if task is None or task.ended:
            _arrived()
            st.rerun()
        with st.container(horizontal=True, vertical_alignment="center", key="space-progress"):
            words = f"Computing the space ({label}); until then the columns themselves are shown…"
            st.progress(min(task.done / task.total, 1.0) if task.total else 0.0, words)
            if st.button("Stop", key="space-stop", icon=":material/stop:"):
                spaces.stop(columns)
                _back()
                st.rerun()

    progress()


def _arrived() -> None:
    """Lengths that were chosen in the columns meanwhile mean nothing in the space that is now there."""
    _, theta, epsilon = st.session_state.pop(_BEGUN, (None, None, None))
    settings = session.settings()
    if (settings.theta, settings.epsilon) != (theta, epsilon):
        kept = session.without_lengths(settings)
        session.update(**{name: getattr(kept, name) for name in ("algorithm", "theta", "epsilon", "density", "pinned")})


def _back() -> None:
    st.session_state.pop(_BEGUN, None)
    readiness.take(space="columns")
