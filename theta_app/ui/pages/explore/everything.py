"""More points than are swept at once: a sample gives the first answer, then all of them are swept and shown instead."""

import logging
from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from theta_app import datasets, selection
from theta_app.selection import Progress
from theta_app.ui import loading, scheduled, session, store, sweeps
from theta_app.ui.jobs import ALL_POINTS, QUEUE, Job, Task
from theta_app.ui.timeline import of_theta
from theta_app.ui.timeline.look import all_drawn, look_of
from theta_app.ui.timeline.of_theta import ShownSweep

LOG = logging.getLogger("theta_app")
_WISH = "explore.everything"  # (data, whether the person wants all points to be swept)
_LOOK = 0.7  # seconds between two looks at how far it is
_AT_ONCE = 3  # θ at which all points are put to their clusters without a word: a fraction of a second each
_UNASKED = 1_000_000  # numbers (points x features) that are swept in full without being asked for


def known(
    data: datasets.Dataset,
    settings: session.Settings,
    asked: tuple[float, ...],
    progress: Callable[[ShownSweep], Progress],
) -> ShownSweep | None:
    """The sweep of all points, once it is there; None: show the sample.

    θ asked for by hand that it has not met are computed now; ``progress(shown)`` gives what they are told.
    """
    found = _of_all(data, settings, asked) if _wanted(data) else None
    if found is None or found.verdict is None or found.sweep.refined is None:
        return None
    while not found.sweep.worth_showing:
        for _ in sweeps.compute_next(found.sample, found.sweep, progress(found)):
            pass
        found = _of_all(data, settings, asked)
    return found


def drawn(shown: ShownSweep, data: datasets.Dataset) -> ShownSweep:
    """The sweep of a sample with all points drawn, once it is known where they belong; else as it is."""
    more = all_drawn(data) if _wanted(data) else None
    if more is None or shown.look.stretch:
        return shown
    with_all = replace(shown, more=more)
    return with_all if len(_not_spread(with_all)) <= _AT_ONCE else shown


def _not_spread(shown: ShownSweep) -> list:
    """(key, work) of each θ at which it is not known where all points belong."""
    pieces = map(shown.spreading, shown.points.values())
    return [(key, work) for key, work in pieces if store.PICTURES.get(key) is None]


def _of_all(data: datasets.Dataset, settings: session.Settings, asked: tuple[float, ...]) -> ShownSweep | None:
    """What is known of the sweep of all points; None where there is none beside the sample's."""
    points = loading.all_points(data)
    if points is None or _drawn_slowly(data):
        return None
    return of_theta.shown_sweep(points, settings, asked, look_of(points, settings, data))


def _drawn_slowly(data: datasets.Dataset) -> bool:
    """Whether the picture is one that takes minutes for so many points."""
    return data.X.shape[1] > 2 and session.settings().projection in selection.SLOW


def _wanted(data: datasets.Dataset) -> bool:
    digest, wish = st.session_state.get(_WISH, ("", None))
    light = data.X.size <= _UNASKED or all_drawn(data) is not None
    return wish if digest == data.digest else light


def _wish(data: datasets.Dataset, wish: bool) -> None:
    st.session_state[_WISH] = (data.digest, wish)


# ---- on the page ----------------------------------------------------------------------------------------------------


def place(shown: ShownSweep, data: datasets.Dataset) -> DeltaGenerator | None:
    """Says which points are shown, with a way to all of them. Gives the place of the progress."""
    if len(data.X) <= selection.most_points(data.X.shape[1], data.of_curves):
        return None
    with st.container(key="everything"):
        line = st.empty()
        with line.container(horizontal=True, vertical_alignment="center"):
            st.caption(_said(shown))
            if shown.complete and not shown.drawn.whole and _offered(data) and not _wanted(data):
                verb = "Sweep" if loading.all_points(data) is not None else "Draw"
                label = f"{verb} all {len(data.X):,} points"
                wish: dict[str, Any] = {"on_click": _wish, "args": (data, True)}
                st.button(label, key="explore.all-points", icon=":material/select_all:", **wish)
    return line


def _offered(data: datasets.Dataset) -> bool:
    """Whether all points can be swept, or all be drawn."""
    swept = loading.all_points(data) is not None and not _drawn_slowly(data)
    return swept or all_drawn(data) is not None


def _said(shown: ShownSweep) -> str:
    if shown.more is not None:
        return (
            f"Swept: {shown.sample.sentence}. All points are drawn; the others take the cluster of the nearest "
            "centroid."
        )
    if shown.sample.whole:
        return f"Shown: all {shown.sample.total:,} points, swept in full; the answer is from a fair sample of them."
    return f"Shown: {shown.sample.sentence}."


def go_on(shown: ShownSweep, data: datasets.Dataset, line: DeltaGenerator | None) -> None:
    """Where the page shows a sample: sweep (or draw) all points in the background, and run again when that is done.

    It looks by itself now and then: a run that waited here would keep θ and every other control waiting with it.
    """
    if line is None or not shown.complete or shown.drawn.whole or not (_wanted(data) and _offered(data)):
        return
    points = loading.all_points(data) or all_drawn(data)
    key, work = _sweeping_all(shown, data) if loading.all_points(data) else _drawing_all(shown, points)
    job = Job(key, work, lane=ALL_POINTS, cost=sweeps.bytes_of_all(points))

    @st.fragment(run_every=_LOOK)
    def watch() -> None:
        task = QUEUE.ask(scheduled.asker(), job)
        if task.failed is not None:
            QUEUE.leave(scheduled.asker(), key)
            _wish(data, False)
            LOG.error("all points could not be shown", exc_info=task.failed)
        if task.ended:
            st.rerun()
        if task.waiting:
            st.caption(f"{_said(shown)} The server has no memory free for all {len(data.X):,} at the moment.")
            return
        done, total = task.done, task.total
        verb = "Sweeping" if loading.all_points(data) else "Drawing"
        with st.container(horizontal=True, vertical_alignment="center"):
            part = f": {done:,} of {total:,} θ" if total else ""
            st.progress(min(done / total, 1.0) if total else 0.0, f"{_said(shown)} {verb} all {len(data.X):,}{part}")
            if st.button("Stop", key="explore.sample-only", icon=":material/stop:"):
                QUEUE.leave(scheduled.asker(), key)
                _wish(data, False)
                st.rerun()

    with line.container():
        watch()


def _sweeping_all(shown: ShownSweep, data: datasets.Dataset) -> tuple[Hashable, Callable]:
    """(key, work) that sweeps all points and prepares what is drawn of them."""
    settings, asked = replace(session.settings(), projection=shown.settings.projection), shown.sweep.asked
    first, unit, shuffles = _of_all(data, settings, asked), data.unit, settings.shuffles

    def work(report: Progress, cancel: Task) -> None:
        of_all = first
        while not of_all.complete:
            counted = lambda done, total: cancel.progress(done // shuffles, max(total // shuffles, 1))  # noqa: E731
            for point in sweeps.compute_next(of_all.sample, of_all.sweep, counted):
                of_theta.theta_frame(of_all.sample, point, of_all.settings, unit, of_all.look)
            of_all = of_theta.shown_sweep(of_all.sample, settings, asked, of_all.look)

    return (first.sample.key, settings, asked), work


def _drawing_all(shown: ShownSweep, points: selection.Sample) -> tuple[Hashable, Callable]:
    """(key, work) that finds where all points belong at each θ."""
    with_all = replace(shown, more=points)
    rests_on = tuple((point.theta, point.row["shuffles"]) for point in shown.points.values())

    def work(report: Progress, cancel: Task) -> None:
        scheduled.run_all(_not_spread(with_all), cancel.progress, store.PICTURES)

    return (points.key, shown.settings, shown.look.key, rests_on), work
