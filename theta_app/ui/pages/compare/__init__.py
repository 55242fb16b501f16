"""The page Compare: the answer on the screen and every other method on the same points, in one live table."""

from dataclasses import replace

import streamlit as st

from theta_app import datasets
from theta_app.compare import plain_numbers
from theta_app.ui import loading, peers, scheduled, session, sweeps, timeline
from theta_app.ui.pages.compare import closer
from theta_app.ui.timeline import of_others, of_theta
from theta_app.ui.timeline.look import look_of
from theta_app.ui.widgets import controls, downloads, links, progress, verdict
from theta_app.ui.widgets.words import short

_ASKED = "compare.asked"  # the browser has asked: a page that nobody looks at has nothing measured
_MOVED = {"paper": "claims", "automatic": "automatic"}  # what was a view of this page -> the part of Paper it is now


def follow_old_link() -> None:
    """Go to the page Paper where a link is about what was shown here before."""
    if (part := _MOVED.get(session.option("cmp_view", ""))) is None:
        return
    session.set_option("cmp_view", "")
    session.set_option("paper", "experiments" if session.option("cmp_experiment", "") else part)
    links.go("pages/Paper.py")


def show(data: datasets.Dataset) -> None:
    """Draw the page: the verdict, the table of methods, the closer look."""
    verdict.show(data, verdict.of(data))
    shown, theta = _answer(data)
    others = of_others.others_of(shown, data, theta)
    computing = _asking(others)
    content = of_others.sent(others, computing=computing)
    timeline.show_others(
        content,
        key="other-methods",
        on_more=lambda: st.session_state.update({_ASKED: True}),
        on_value=lambda value: session.update(algorithm=shown.settings.algorithm, theta=value),
    )
    st.caption(" ".join(filter(None, (of_others.what_is_told(), plain_numbers(data.metric)))))
    downloads.csv("Table as CSV", lambda: of_others.table_of(content), downloads.file_name("compare", data.name))
    closer.show(data, others)
    session.write_url()


def _answer(data: datasets.Dataset) -> tuple[of_theta.ShownSweep, float]:
    """The sweep as Explore shows it, and the θ one stands on."""
    points, settings = loading.sample(data), session.settings()
    with progress.bar("Sweeping θ") as tick:
        sweeps.complete(points, settings, tick)
    look = look_of(points, replace(settings, projection="none", picture="flat"), data)  # merges by hand count here too
    shown = of_theta.shown_sweep(points, settings, (), look)
    theta = shown.start if settings.theta is None else settings.theta
    if theta not in shown.points:
        with progress.bar(f"{shown.settings.algorithm} at θ = {short(theta)}") as tick:
            sweeps.theta_point(points, theta, settings, tick)
        shown = of_theta.shown_sweep(points, settings, (theta,), look)
    return shown, theta


def _asking(others: of_others.Others) -> bool:
    """Whether the person wants what is missing to be measured; has it measured once the browser asks."""
    computing = st.toggle(
        "Compute in the background",
        help="Runs every method once at your θ, and some at every K, at low priority. Results are kept and shared by "
        "all visitors. Switch it off to stop.",
        **controls.option("others", peers.measured_unasked()),
    )
    if not computing:
        peers.leave(scheduled.asker())
    elif st.session_state.pop(_ASKED, False):
        peers.ask(scheduled.asker(), others.steps, others.points)
    return computing
