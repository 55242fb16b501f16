"""More points than are swept at once: a sample gives the first answer, then all of them are swept and shown instead."""

from dataclasses import replace

import streamlit as st

from theta_app import datasets, selection
from theta_app.ui import cache, session
from theta_app.ui.timeline import of_theta
from theta_app.ui.timeline.look import look_of
from theta_app.ui.timeline.of_theta import ShownSweep
from theta_app.ui.widgets import words
from theta_app.ui.widgets.progress import Ticker, run_again

_WISH = "explore.everything"  # (data, whether the person wants all points to be swept)
_UNASKED = 1_000_000  # numbers (points x features) that are swept in full without being asked for


def known(data: datasets.Dataset, settings: session.Settings, asked: tuple[float, ...], progress) -> ShownSweep | None:
    """The sweep of all points, once it is there; None: show the sample.

    θ asked for by hand that it has not met are computed now; ``progress(shown)`` gives what they are told.
    """
    found = _of_all(data, settings, asked) if _wanted(data) else None
    if found is None or found.verdict is None or found.sweep.refined is None:
        return None
    while not found.sweep.worth_showing:
        for _ in cache.advance(found.sample, found.sweep, progress(found)):
            pass
        found = _of_all(data, settings, asked)
    return found


def _of_all(data: datasets.Dataset, settings: session.Settings, asked: tuple[float, ...]) -> ShownSweep | None:
    """What is known of the sweep of all points; None where there is none beside the sample's."""
    points = cache.all_points(data)
    if points is None or _drawn_slowly(data):
        return None
    return of_theta.shown_sweep(points, settings, asked, look_of(points, settings, data))


def _drawn_slowly(data: datasets.Dataset) -> bool:
    """Whether the picture is one that takes minutes for so many points."""
    return data.X.shape[1] > 2 and session.settings().projection in selection.SLOW


def _wanted(data: datasets.Dataset) -> bool:
    digest, wish = st.session_state.get(_WISH, ("", None))
    return wish if digest == data.digest else data.X.size <= _UNASKED


def _wish(data: datasets.Dataset, wish: bool) -> None:
    st.session_state[_WISH] = (data.digest, wish)


# ---- on the page ----------------------------------------------------------------------------------------------------


def place(shown: ShownSweep, data: datasets.Dataset):
    """Says which points are shown, with a way to all of them or to leave it. Gives the place of the progress."""
    if len(data.X) <= selection.MOST_POINTS:
        return None
    with st.container(horizontal=True, vertical_alignment="center", key="everything"):
        line = st.empty()
        line.caption(_said(shown))
        offered = shown.complete and not shown.sample.whole and cache.all_points(data) is not None
        if offered and not _drawn_slowly(data):
            _button(data)
    return line


def _said(shown: ShownSweep) -> str:
    if shown.sample.whole:
        return (
            f"Shown: all {shown.sample.total:,} points, swept in full. The answer above is from a fair sample of them."
        )
    return f"Shown: {shown.sample.sentence}."


def _button(data: datasets.Dataset) -> None:
    if _wanted(data):
        st.button("Stop", key="explore.sample-only", icon=":material/stop:", on_click=_wish, args=(data, False))
    else:
        label = f"Sweep all {len(data.X):,} points"
        st.button(label, key="explore.sweep-all", icon=":material/select_all:", on_click=_wish, args=(data, True))


def go_on(shown: ShownSweep, data: datasets.Dataset, line) -> None:
    """Sweep all points where the page shows a sample of them; when that is done the page runs again and shows it.

    It comes last: the page is there and can be used. Whatever the person does ends this run, and with it the work; what
    has been computed is kept, and the next run goes on from there.
    """
    if line is None or not shown.complete or shown.sample.whole or not _wanted(data):
        return
    settings, asked = replace(session.settings(), projection=shown.settings.projection), shown.sweep.plan.asked
    of_all = _of_all(data, settings, asked)
    if of_all is None:
        return
    if not cache.room_for(of_all.sample):
        line.caption(f"{_said(shown)} All {len(data.X):,} follow when others' are done: reload the page then.")
        return
    while not of_all.complete:
        for point in cache.advance(of_all.sample, of_all.sweep, _sweeping(line, of_all)):
            of_theta.theta_frame(of_all.sample, point, of_all.settings, data.unit, of_all.look)
        of_all = _of_all(data, settings, asked)
    line.progress(1.0, f"{_said(shown)} Drawing all {len(data.X):,}…")
    run_again()


def _sweeping(line, of_all: ShownSweep) -> Ticker:
    total_points = f"{of_all.sample.total:,}"

    def write(done: int, total: int) -> None:
        cache.room_for(of_all.sample)  # it is still wanted
        shuffles, sweep = of_all.settings.shuffles, of_all.sweep
        counted = f": {done // shuffles} of {max(total // shuffles, 1)} θ" if sweep.todo else ": the ranges of θ"
        text = f"Shown: a fair sample. Sweeping all {total_points} points{counted}"
        line.progress(
            min(done / total, 1.0) if total and sweep.todo else 0.99, text + words.ahead_of_you(cache.ahead())
        )

    return Ticker(write)
