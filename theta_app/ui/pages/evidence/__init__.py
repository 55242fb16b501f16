"""The parts of the page Evidence: the verdict, the track, and everything that speaks for or against the θ on it."""

from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from theta_app import datasets, selection
from theta_app.clustering import Clustering
from theta_app.ui import answers, loading, projections, session, shell, sweeps, timeline
from theta_app.ui.pages.evidence import maps, sizes
from theta_app.ui.timeline import of_epsilon, of_evidence, of_shuffles, of_theta
from theta_app.ui.timeline.cursor import Cursor
from theta_app.ui.timeline.look import look_of
from theta_app.ui.timeline.of_theta import ShownSweep
from theta_app.ui.widgets import closed, controls, downloads
from theta_app.ui.widgets import verdict as verdicts
from theta_app.ui.widgets.progress import Ticker, bar
from theta_app.ui.widgets.words import as_angle, count, short

CURSOR, EPSILON = Cursor("evidence.cursor"), Cursor("evidence.epsilon")
_MORE = "evidence.more"  # what was asked for last by its button: anything else has to be asked for anew
UNASKED = 20_000  # values (points x features) up to which maps and other seeds are a matter of seconds


# ---- where the person stands ----------------------------------------------------------------------------------------


def current_sweep(data: datasets.Dataset) -> ShownSweep:
    """The complete sweep for the settings, with the verdict."""
    points, settings = loading.sample(data), session.settings()
    drawn = projections.available_projection(points, settings.projection)
    settings = replace(settings, projection=drawn, picture="flat")
    asked = () if settings.theta is None else (settings.theta,)
    look = look_of(points, settings, data)
    with bar("Sweeping θ") as tick:
        answers.verdict(points, settings, tick)
        while not (shown := of_theta.shown_sweep(points, settings, asked, look)).complete:
            for _ in sweeps.compute_next(points, shown.sweep, tick):
                pass
    return shown


def current_theta(shown: ShownSweep) -> float:
    """The person's θ, else the verdict's."""
    return shown.start if shown.settings.theta is None else shown.settings.theta


def take(shown: ShownSweep, theta: float) -> None:
    """Take θ from the track, with the algorithm it was chosen for; for callbacks."""
    CURSOR.moved(theta, theta)
    session.update(algorithm=shown.settings.algorithm, theta=theta, epsilon=None)  # θ takes an ε of its own along


# ---- above the track ------------------------------------------------------------------------------------------------


def head(data: datasets.Dataset, shown: ShownSweep) -> DeltaGenerator:
    """The verdict in a line, and the settings; gives the place of the shuffle slider."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="evidence-head"):
        verdicts.line(shown.verdict, data.unit)
        slider = st.container(width=165, key="evidence-shuffles").empty()
        with st.popover("Settings", icon=":material/tune:"):
            controls.algorithm(shown.settings.algorithm)
            controls.shuffles()
            controls.seed()
    return slider


# ---- the track and what stands under it -----------------------------------------------------------------------------


def show_track(shown: ShownSweep, data: datasets.Dataset, theta: float) -> timeline.Packed:
    """Draw the track of θ without its picture."""
    packed = of_theta.theta_timeline(shown, data)
    value, serial = CURSOR.placed(theta, theta)
    with st.container(key="evidence-track"):
        timeline.show(
            packed,
            value,
            key="theta-timeline",
            serial=serial,
            on_value=lambda value: take(shown, value),
            chains=of_epsilon.chains_at(shown, data, theta, packed, EPSILON),
            on_epsilon=lambda epsilon: of_epsilon.take_epsilon(shown, data, theta, epsilon, EPSILON),
        )
    return packed


def show_evidence(shown: ShownSweep, data: datasets.Dataset, theta: float, kept: Clustering | None) -> None:
    """Ranges, sizes and maps, as far as they are known."""
    timeline.show_evidence(
        of_evidence.evidence(shown, data, sizes.sent(shown, kept), maps.known(shown, data, theta)),
        key="evidence",
        on_keep=lambda k: sizes.keep(data, k),
        on_chain=lambda theta, epsilon: session.update(algorithm="TNC", theta=theta, epsilon=epsilon, density=None),
    )


def complete(shown: ShownSweep, theta: float, slot: DeltaGenerator) -> None:
    """Compute what is not known yet, and run again to show it: by itself where it takes seconds, else on request."""
    points, settings = shown.sample, shown.settings
    mapped = maps.known_shuffle_map(points, settings) is not None
    sure = settings.algorithm != "TDG" or theta not in shown.points or sizes.known_support(shown, theta) is not None
    if mapped and sure:
        return
    with slot:
        wanted = (points.key, theta, settings.shuffles, settings.seed)
        if points.X.size > UNASKED and st.session_state.get(_MORE) != wanted:
            label = f"Compute the maps and how sure the elbow is, on {len(points.X):,} points"
            help = "It takes about as long as the sweep."
            if not st.button(label, icon=":material/calculate:", help=help, key="more"):
                return
            st.session_state[_MORE] = wanted
        if not mapped:
            with bar("Mapping shuffles") as tick:
                maps.compute(shown, tick)
        if not sure:
            with bar("Trying other seeds") as tick:
                sizes.support(shown, theta, tick)
    shell.run_again()


def show_shuffles(
    shown: ShownSweep, data: datasets.Dataset, theta: float, packed: timeline.Packed, slider: DeltaGenerator
) -> None:
    """The slider above the track: what the first shuffles alone give, at this θ and as a curve over all."""
    if shown.settings.algorithm == "TSG" or theta not in shown.points:
        return
    tick = Ticker(lambda *_: slider.caption("Looking at the shuffles one by one…"))
    frames = of_shuffles.shuffle_frames(shown, data, theta, packed, tick)
    with slider:
        timeline.show_shuffles(frames, theta, key="evidence-shuffle-slider")


# ---- below ----------------------------------------------------------------------------------------------------------


def both_answers(data: datasets.Dataset, shown: ShownSweep) -> None:
    """The verdict and its alternative side by side, with the reasons and all candidates; and TDG alone."""
    st.subheader("Which answers were considered?", anchor=False)
    found, best = shown.verdict, shown.sweep.best
    angles = ""
    if found.algorithm == "TDG" and (low := as_angle(found.low, data.unit)):
        angles = f"As angles between rows: from {low} to {as_angle(found.high, data.unit)}. "
    verdicts.why(data, found, angles + _sizes_say(shown), explore=True)
    if found.algorithm != "TDG" and len(shown.sweep.ranges):
        with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
            said = _holds(best.n_clusters, best.theta_low, best.theta_high)
            st.markdown(f"TDG alone: {said}", width="content")
            lengths = {"algorithm": "TDG", "theta": best.theta, "epsilon": None}
            label = f"Use TDG at θ = {short(best.theta)}"
            st.button(label, key="use-tdg", on_click=session.update, kwargs=lengths, icon=":material/check:")


def _holds(k: int, low: float, high: float) -> str:
    where = f"for every θ from {short(low)} to {short(high)}" if low < high else f"at θ = {short(low)}"
    return f"{count(k, 'cluster')}, {where}"


def _sizes_say(shown: ShownSweep) -> str:
    """Whether cluster sizes support the verdict, where that is TDG's: they are evidence, not another answer."""
    verdict = shown.verdict
    if verdict.algorithm != "TDG":
        return ""
    steady = selection.steady_ranges(selection.drops_over_theta(shown.points.values()))
    same = steady[steady["suggested"] == verdict.n_clusters]
    if len(same):
        low, high = same.iloc[0][["theta_low", "theta_high"]]
        return f"Cluster sizes support this: they give the same number from θ = {short(low)} to {short(high)}."
    return "Cluster sizes alone do not show this number; the verdict does not depend on them."


def show_numbers(data: datasets.Dataset, shown: ShownSweep) -> None:
    """The numbers of the charts as tables to download."""
    if not closed.section("Numbers as CSV", "evidence-numbers", "download"):
        return
    name = data.name
    with st.container(horizontal=True):
        downloads.csv("Sweep", lambda: sweep_table(shown, data), downloads.file_name("sweep", name))
        ranges = selection.ranges_by(shown.sweep, shown.verdict)
        downloads.csv("Ranges", ranges, downloads.file_name("ranges", name))
        drops = selection.drops_over_theta(shown.points.values())
        downloads.csv("Size elbows", drops, downloads.file_name("size-elbows", name))
        if (found := maps.known_shuffle_map(shown.sample, shown.settings)) is not None:
            downloads.csv("θ × shuffles", found.table, downloads.file_name("shuffles", name))
        found = maps.chain_map(shown)
        chains = pd.DataFrame(found.counts, columns=[f"theta={theta:.6g}" for theta in found.thetas])
        chains.insert(0, "epsilon", found.epsilons)
        downloads.csv("θ × ε", chains, downloads.file_name("chain-map", name))


def sweep_table(shown: ShownSweep, data: datasets.Dataset) -> pd.DataFrame:
    """The sweep's table, with NMI where classes are known."""
    table = shown.sweep.table
    if shown.sample.truth is None:
        return table
    scores = [shown.frame_at(theta, data.unit).scores.get("nmi", np.nan) for theta in table["theta"]]
    return table.assign(nmi=scores)
