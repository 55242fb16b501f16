"""The drawers of the page Explore: which are open, and "Settings", how it is clustered and how it is drawn.

"Numbers" is a part of the timeline itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from theta_app import datasets
from theta_app.selection import CORE_POINTS
from theta_app.ui import answers, session, sweeps, timeline
from theta_app.ui.pages.explore import picture
from theta_app.ui.timeline import of_shuffles
from theta_app.ui.timeline.of_theta import ShownSweep
from theta_app.ui.widgets import controls, norm, space
from theta_app.ui.widgets.progress import Ticker

if TYPE_CHECKING:
    from theta_app.ui.pages.explore import Places


_OPEN = "explore.drawers"  # names of those that are open: they stay so over page changes
_FOLLOWED = "explore.followed"  # the last θ of verdicts that the box was told
_USED = "explore.shuffles-used"  # the slider of shuffles has been moved: it stays beside the track


def opened() -> tuple[str, ...]:
    """Those that are open: "numbers", "settings"."""
    return st.session_state.get(_OPEN, ())


def open_those(names: list) -> None:
    """Open the drawers with these names, and close the others."""
    st.session_state[_OPEN] = tuple(name for name in names if name in ("numbers", "settings"))


def follow(prepared: datasets.Preparation) -> None:
    """Run the whole page again where a setting has changed the points: the fragment has those from before."""
    if session.preparation() != prepared:
        st.rerun()


def show(shown: ShownSweep, data: datasets.Dataset, theta: float) -> None:
    """What is in the drawer, if it is open; it writes to the settings."""
    if "settings" not in opened():
        return
    with st.container(border=True, key="settings-panel", gap="small"):
        controls.algorithm(shown.settings.algorithm)
        _theta_box(shown, theta)
        if shown.settings.algorithm == "TNC":
            _chained_by(shown, theta)
            _epsilon_box(shown, theta)
        with st.container(horizontal=True, gap="small"):
            controls.shuffles()
            controls.seed()
        with st.container(horizontal=True, gap="small"):
            norm.choice(data)
            space.choice(data)
        picture.choices(shown, data)


def _theta_box(shown: ShownSweep, theta: float) -> None:
    low = float(sweeps.theta_grid(shown.sample)[0])
    st.number_input(
        "Exact θ",
        min_value=0.0,
        step=10.0 ** np.floor(np.log10(low)) if low > 0 else 0.1,
        format=controls.length_format(theta),
        help="The largest distance, in the units of the data, at which a point joins a cluster. Type one to see it.",
        **controls.bound("theta", theta, lambda value: _typed(shown, value)),
    )
    if session.settings().theta is None:
        st.session_state[_FOLLOWED] = (*st.session_state.get(_FOLLOWED, ())[-9:], theta)


def _typed(shown: ShownSweep, value: float | None) -> None:
    """Take θ from its box, unless it says once more what it was told.

    Where other data take the place of those on the screen, the browser may send the old box's value after the new one
    is there; that is nothing that a person has typed.
    """
    if value is not None and value not in st.session_state.get(_FOLLOWED, ()):
        take(shown, theta=float(value))


def take(shown: ShownSweep, theta: float, epsilon: float | None = None) -> None:
    """Take lengths from the person, with the algorithm they were chosen for: they say nothing about another.

    θ takes ε along: without one, the chains are those that hold best at θ.
    """
    session.update(algorithm=shown.settings.algorithm, theta=theta, epsilon=epsilon)


_CHAINED = {None: "by distance", CORE_POINTS: "by density"}


def _chained_by(shown: ShownSweep, theta: float) -> None:
    """What parts two chains; ε is another length then, and starts anew."""
    current = shown.settings.density

    def take_way(words: str) -> None:
        density = next(way for way, said in _CHAINED.items() if said == words)
        session.update(algorithm="TNC", theta=theta, epsilon=None, density=density)

    st.segmented_control(
        "Chain",
        list(_CHAINED.values()),
        required=True,
        help="By distance: clusters whose centroids are closer than ε become one, as in the paper. By density: they "
        "become one unless points are sparse between them. ε is then the depth of that valley: one ε works for "
        "dense and sparse clusters alike.",
        **controls.bound("chained", _CHAINED[CORE_POINTS if current else None], take_way),
    )


_WIDEST = "Leave empty for the middle of the widest range of ε at this θ, or "
_EPSILON_HELP = {
    False: f"Clusters whose centroids are closer than ε are chained into one. {_WIDEST}for 1.5 θ if no range is wider "
    "than expected by chance.",
    True: f"Clusters stay separate if density falls by at least this depth (a logarithm) between them. {_WIDEST}for a "
    "depth that chance seldom exceeds.",
}


def _epsilon_box(shown: ShownSweep, theta: float) -> None:
    current = answers.epsilon_at(shown.sample, shown.settings, theta)
    st.number_input(
        "Exact ε" if shown.settings.density is None else "Exact depth ε",
        min_value=0.0,
        format=controls.length_format(current),
        help=_EPSILON_HELP[shown.settings.density is not None],
        **controls.bound("epsilon", current, lambda value: take(shown, theta, value)),
    )


# ---- shuffles -------------------------------------------------------------------------------------------------------


def show_shuffles(shown: ShownSweep, data: datasets.Dataset, theta: float, place: Places) -> None:
    """The slider under the track: what the first shuffles alone give at the θ the person stands on.

    It is there while the drawer is open, and stays once it has been used.
    """
    wanted = "settings" in opened() or st.session_state.get(_USED, False)
    if not wanted or shown.settings.algorithm == "TSG" or theta not in shown.points:
        return
    tick = Ticker(lambda *_: place.line.caption("Looking at the shuffles one by one…"))
    packed = of_shuffles.shuffle_frames(shown, data, theta, st.session_state[timeline.PACKED], tick)
    with place.shuffles:
        timeline.show_shuffles(
            packed, theta, key="shuffles-slider", on_used=lambda: st.session_state.update({_USED: True})
        )
    place.line.empty()
