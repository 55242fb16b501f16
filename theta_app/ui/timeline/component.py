"""The timeline on the page: what it is given, and what it tells Python."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

from theta_app.ui.components import component
from theta_app.ui.timeline.polygon import is_polygon
from theta_app.ui.timeline.wire import Chains, Packed

PACKED = "explore.packed"  # in the session: the timeline shown last, whose colours are kept when more arrives
_HERE = Path(__file__).parent


def _part(name: str) -> Callable:
    """A component of this folder: its script, style and markup have its name."""
    files = {"css": _HERE / f"{name}.css", "html": _HERE / f"{name}.html"}
    return component(f"theta_{name}", _HERE / "js" / f"{name}.js", **files, isolate_styles=False)


_timeline, _shuffles, _others, _evidence = map(_part, ("timeline", "shuffles", "others", "evidence"))


def show_shuffles(packed: Packed, theta: float, *, key: str, on_used: Callable[[], None] | None = None) -> None:
    """Mount the shuffle slider: the frames of the first shuffles at θ, shown by the timeline of this page."""
    _shuffles(key=key, data=packed.state_at(theta, ""), on_used_change=on_used or (lambda: None))


def show_others(
    content: dict, *, key: str, on_more: Callable[[], None], on_value: Callable[[float], None] | None = None
) -> None:
    """Mount the other methods. ``on_more``: what has come since is wanted; ``on_value``: θ was released here."""

    def released() -> None:
        value = st.session_state[key].get("value")
        if on_value and isinstance(value, (int, float)) and math.isfinite(value):
            on_value(float(value))

    _others(key=key, data=content, on_more_change=on_more, on_value_change=released)


def show_evidence(
    content: dict, *, key: str, on_keep: Callable[[int], None], on_chain: Callable[[float, float], None]
) -> None:
    """Mount what stands under the track of Evidence, see `of_evidence`.

    ``on_keep`` is called with how many of the largest clusters are kept, 0 for as many as suggested; ``on_chain`` with
    a θ and ε of the map.
    """

    def kept() -> None:
        number = st.session_state[key].get("keep")
        if isinstance(number, int) and number >= 0:
            on_keep(number)

    def chained() -> None:
        lengths = st.session_state[key].get("chain")
        if isinstance(lengths, list) and len(lengths) == 2 and all(isinstance(v, (int, float)) for v in lengths):
            on_chain(*map(float, lengths))

    _evidence(key=key, data=content, on_keep_change=kept, on_chain_change=chained)


def show(
    packed: Packed,
    value: float,
    *,
    key: str,
    serial: str,
    selection: list | None = None,
    on_value: Callable[[float], None],
    on_selection: Callable[[list | None], None] | None = None,
    on_wider: Callable[[], None] | None = None,
    on_finer: Callable[[float], None] | None = None,
    beside: dict | None = None,
    on_cluster: Callable[[int | None], None] | None = None,
    on_pinned: Callable[[float | None], None] | None = None,
    on_drawers: Callable[[list], None] | None = None,
    chains: Chains | None = None,
    on_epsilon: Callable[[float], None] | None = None,
) -> None:
    """Mount the timeline. The callbacks run before the script runs again, as those of any widget.

    The cursor stands at ``value`` when the component is new, and goes there whenever ``serial`` changes, unless the
    person is dragging: keep the serial when the value came from the timeline itself. The polygon ``selection`` goes
    with it. ``beside`` is said beside the value, ``chains`` is the track of ε, for TNC.

    On release ``on_value`` gets the value and ``on_epsilon`` ε; ``on_selection`` a polygon, [x, y] in the coordinates
    of ``points``, or None; ``on_finer`` the value around which a finer sweep is asked for; ``on_cluster`` the index of
    a drawn point whose cluster has been chosen, or None; ``on_pinned`` the value that has been pinned, or None;
    ``on_drawers`` the names of those that are open now.
    """

    def state(name: str) -> Any:
        return st.session_state[key].get(name)

    def released() -> None:
        if isinstance(state("value"), (int, float)) and math.isfinite(state("value")):
            on_value(float(state("value")))

    def chained() -> None:
        if on_epsilon and isinstance(state("epsilon"), (int, float)) and math.isfinite(state("epsilon")):
            on_epsilon(float(state("epsilon")))

    def selected() -> None:
        polygon = state("selection")
        if on_selection and (polygon is None or is_polygon(polygon)):
            on_selection(polygon)

    def finer() -> None:
        if on_finer and isinstance(state("finer"), (int, float)):
            on_finer(float(state("finer")))

    def chosen() -> None:
        member = state("cluster")
        if on_cluster and (member is None or (isinstance(member, int) and member >= 0)):
            on_cluster(member)

    def pinned() -> None:
        there = state("pinned")
        if on_pinned and (there is None or (isinstance(there, (int, float)) and math.isfinite(there))):
            on_pinned(there)

    def drawn() -> None:
        if on_drawers and isinstance(state("drawers"), list):
            on_drawers(state("drawers"))

    _timeline(
        key=key,
        data=packed.state_at(value, serial, selection, beside, chains),
        on_cluster_change=chosen,
        on_pinned_change=pinned,
        on_value_change=released,
        on_selection_change=selected,
        on_wider_change=(lambda: on_wider and on_wider()),
        on_finer_change=finer,
        on_drawers_change=drawn,
        on_epsilon_change=chained,
    )
