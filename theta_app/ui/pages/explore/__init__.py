"""The page Explore: the sweep, its timeline, and what follows from the clustering on the screen.

head, settings, picture (how it is drawn) and everything (all points of large data) have parts of their own.
"""

import math
import time
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from theta_app import datasets, profiles, selection
from theta_app.clustering import Clustering
from theta_app.figures.palette import COLOURS
from theta_app.selection import Progress
from theta_app.ui import answers, loading, scheduled, session, shell, sweeps, timeline
from theta_app.ui.pages.explore import drawers, everything, picture
from theta_app.ui.timeline import of_epsilon, of_theta
from theta_app.ui.timeline.beside import beside
from theta_app.ui.timeline.cursor import Cursor
from theta_app.ui.timeline.look import look_of, row_positions
from theta_app.ui.timeline.of_theta import ShownSweep
from theta_app.ui.widgets import better_map, downloads, export, inside, links, words
from theta_app.ui.widgets.progress import Ticker

CURSOR, EPSILON = Cursor("explore.cursor"), Cursor("explore.epsilon")
_CHAINS = "explore.chains"  # the track of ε shown last: its colours are kept while θ stays
_STYLE = Path(__file__).parent / "explore.css"
_MOST_FINER = 20  # places on the track where the person has asked for more: they travel in the link
_PAINT = 0.06  # seconds the browser gets to paint the read-outs before the rest of the page follows
_FIRST_ANSWER = 2.0  # seconds to wait for every fourth θ before showing less than that
_SHOW_EVERY = 1.5  # seconds of computing, shared with the others, after which what there is so far is shown, ...
_SHOW_MORE = 1.6  # ... if there are so many times the θ: drawing costs as much as computing a few of them


# ---- places ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Places:
    """Of the page, from top to bottom; settings are beside the timeline, on a phone below it."""

    head: DeltaGenerator
    notes: DeltaGenerator
    timeline: DeltaGenerator
    settings: DeltaGenerator
    shuffles: DeltaGenerator
    findings: DeltaGenerator
    line: DeltaGenerator  # where progress is written


def places() -> Places:
    """The containers of the page, in the order in which they are shown."""
    st.html(_STYLE)
    head, notes = st.container(key="headline"), st.container(key="notes")
    with st.container(key="stage", horizontal=True, gap="small"):
        shown = [st.container(key=key) for key in ("timeline", "settings")]
    under = [st.container(key=key) for key in ("shuffles", "findings")]
    return Places(head, notes, *shown, *under, st.empty())  # type: ignore[call-arg]


# ---- the timeline ---------------------------------------------------------------------------------------------------


def current_sweep(data: datasets.Dataset, line: DeltaGenerator) -> ShownSweep:
    """What is known of the sweep for the current settings, computed up to something worth showing.

    Meanwhile the page shows the timeline of the settings before. ``line`` is where progress is written.
    """
    points, settings = loading.sample(data), session.settings()
    settings = replace(settings, projection=picture.drawn_projection(points, settings))
    look = look_of(points, settings, data)
    typed = () if settings.theta is None else (settings.theta,)
    asked = (*typed, *_finer_thetas())
    shown = everything.known(data, settings, asked, lambda shown: _sweeping(line, shown))
    shown = shown or of_theta.shown_sweep(points, settings, asked, look)
    began = time.monotonic()
    while not shown.sweep.worth_showing and (not shown.points or time.monotonic() - began < _FIRST_ANSWER):
        _step(shown, data, _sweeping(line, shown))
        shown = of_theta.shown_sweep(points, settings, asked, look)
    if shown.complete and shown.verdict is None:  # the axis is not the one taken from the data
        answers.verdict(points, settings, _sweeping(line, shown))
        shown = of_theta.shown_sweep(shown.sample, settings, asked, shown.look)
    shown = everything.drawn(shown, data)
    if typed and typed[0] not in asked[1:] and typed[0] not in shown.sweep.rows:
        _keep(typed)  # a θ that was typed or came with a link stays on the track when the person moves on
    return shown


def current_theta(shown: ShownSweep) -> float:
    """The θ the person stands on: the one they chose, else the verdict's (of what is known)."""
    if shown.settings.theta is not None:
        return shown.settings.theta
    if shown.start in shown.points:
        return shown.start
    thetas = np.array(list(shown.points))
    return float(thetas[np.argmin(np.abs(np.log(np.maximum(thetas, 1e-300) / shown.start)))])


def show_timeline(shown: ShownSweep, data: datasets.Dataset, line: DeltaGenerator) -> None:
    """Draw the picture with its track, and take over what the person did there."""
    theta = current_theta(shown)
    linked = session.option("colours", "")
    known = st.session_state.get(timeline.PACKED) or of_theta.coloured_at(shown, data, theta, linked)
    packed = of_theta.theta_timeline(shown, data, _with_chains(known, shown, theta))
    st.session_state[timeline.PACKED] = packed
    place = (theta, _selection(shown))
    (value, polygon), serial = CURSOR.placed(place, place)
    timeline.show(
        packed,
        value,
        key="theta-timeline",
        serial=serial,
        selection=polygon,
        on_value=lambda value: _stay(shown, value),
        on_selection=lambda polygon: _select(shown, theta, polygon),
        on_wider=lambda: _wider(shown),
        on_finer=lambda value: _finer(shown, value),
        beside=_beside(shown, data, theta, line),
        on_cluster=lambda i: inside.marked(shown.drawn, data, i),
        on_pinned=lambda value: session.update(pinned=value),
        on_drawers=drawers.open_those,
        chains=_chains(shown, data, theta, packed),
        on_epsilon=lambda epsilon: of_epsilon.take_epsilon(shown, data, theta, epsilon, EPSILON),
    )


def _chains(shown: ShownSweep, data: datasets.Dataset, theta: float, packed: timeline.Packed) -> timeline.Chains | None:
    """The track of ε, in the colours of the one before it."""
    chains = of_epsilon.chains_at(shown, data, theta, packed, EPSILON, st.session_state.get(_CHAINS))
    if chains is not None:
        st.session_state[_CHAINS] = chains.packed
    return chains


def _with_chains(known: timeline.Packed | None, shown: ShownSweep, theta: float) -> timeline.Packed | None:
    """The timeline shown before, its clusters at θ in the colours that the track of ε gave them."""
    track, epsilon = st.session_state.get(_CHAINS), shown.settings.epsilon
    if known is None or track is None or epsilon not in track.colours or track.data != known.data:
        return known
    colours = {**known.colours, theta: track.colours[epsilon]}
    return replace(known, colours=colours, marks={**known.marks, theta: track.marks[epsilon]})


def _beside(shown: ShownSweep, data: datasets.Dataset, theta: float, line: DeltaGenerator) -> dict:
    marks, view = session.settings().marks, _cluster_view(shown, data, theta)
    rows = {row for row, _ in (*marks.names, *marks.colours)}
    return beside(
        marks,
        row_positions(rows, data, shown.drawn),
        picture.shade(view, theta, line),
        picture.found_points(shown, data),
        inside.chosen_point(shown.drawn, data),
        session.settings().pinned,
        drawers.opened(),
    )


def _cluster_view(shown: ShownSweep, data: datasets.Dataset, theta: float) -> inside.ClusterView | None:
    """The clusters at θ; None while nothing has been swept there."""
    clustering = answer(shown, data, theta)
    if clustering is None:
        return None
    frame = shown.frame_at(theta, data.unit).frame
    joins = lambda i, j: _what_joins(shown, theta, i, j)  # noqa: E731
    frame = replace(frame, labels=frame.labels.astype(np.int32, copy=False))
    return inside.ClusterView(clustering, shown.drawn, frame, shown.positions, joins, f"theta={theta:.4g}")


def _what_joins(shown: ShownSweep, theta: float, i: int, j: int) -> str:
    """A sentence: the θ, or for chains the ε, at which the clusters of two points are one."""
    if shown.settings.algorithm == "TNC":
        point = shown.points[theta]
        tree = answers.chaining_of(shown.sample, point, shown.settings).tree
        length = profiles.joining_epsilon(tree, *(shown.part_of(point, end) for end in (i, j)))
        return f"They chain once ε is above {words.short(length)}."
    above = {other: shown.frame_at(other).frame.labels for other in shown.points if other > theta}
    found = profiles.joining_theta(above, theta, i, j)
    if found is None:
        return "No θ tried merges them."
    first = "the first θ tried at which their most typical rows share a cluster"
    return f"They merge from θ = {words.short(found)} on: {first}."


def _wider(shown: ShownSweep) -> None:
    wide = sweeps.wider(shown.sample, shown.settings)
    _stay(shown, current_theta(shown))
    session.update(theta_low=wide.theta_low, theta_high=wide.theta_high)


def _stay(shown: ShownSweep, theta: float) -> None:
    """Take θ from the timeline, to which no update is sent. From now on it no longer follows the verdict."""
    here = (theta, _selection(shown))
    CURSOR.moved(here, here)
    drawers.take(shown, theta=theta)


def _finer(shown: ShownSweep, value: float) -> None:
    thetas = np.array(list(shown.points))
    below, above = thetas[thetas < value], thetas[thetas > value]
    low = below[-1] if len(below) and below[-1] > 0 else value * 0.97
    high = above[0] if len(above) else value * 1.03
    _keep((float(low), float(value), float(high)))
    _stay(shown, value)


def _keep(place: tuple[float, ...]) -> None:
    """Remember a place on the track to sweep: a single θ, or (low, θ, high) for more θ on both sides of one."""
    places = dict.fromkeys([*session.option("finer", "").split(), ":".join(map(repr, place))])
    session.set_option("finer", " ".join(list(places)[-_MOST_FINER:]))


def _finer_thetas() -> tuple[float, ...]:
    """The θ that the person has asked for beside the sweep's own."""
    thetas: dict[float, None] = {}
    for text in session.option("finer", "").split()[-_MOST_FINER:]:
        place = numbers(text, ":")
        if len(place) == 1 and place[0] >= 0:
            thetas[place[0]] = None
        elif len(place) == 3 and 0 < place[0] < place[1] < place[2]:
            low, value, high = place
            thetas |= dict.fromkeys(np.geomspace(low, value, 6)[1:-1].tolist())
            thetas |= dict.fromkeys(np.geomspace(value, high, 6)[1:-1].tolist())
    return tuple(thetas)


def numbers(text: str, between: str) -> list[float]:
    """The numbers of a text; none where a part of it is not one."""
    try:
        found = [float(part) for part in text.split(between)]
    except ValueError:
        return []
    return found if all(math.isfinite(number) for number in found) else []


def _step(shown: ShownSweep, data: datasets.Dataset, progress: Progress | None) -> None:
    """Compute what comes next, until all is done or what is new is worth showing: the first answer, then much more.

    What is new is drawn while the next θ is computed: preparing it for the page costs no wait.
    """
    began, known, served = time.monotonic(), len(shown.points), 1
    for sweep in sweeps.states(shown.sample, shown.settings, shown.sweep.asked):
        if sweep.complete or (sweep.worth_showing and not shown.sweep.worth_showing):
            return
        for point in sweeps.compute_next(shown.sample, sweep, progress):
            if point.theta not in sweep.rows and not sweep.refining:  # else it is drawn once it is known in full
                of_theta.theta_frame(shown.sample, point, shown.settings, data.unit, shown.look)
            known += 1
            served = max(served, scheduled.served())
            if known >= _SHOW_MORE * len(shown.points) and time.monotonic() - began > _SHOW_EVERY * served:
                return


def _sweeping(slot: DeltaGenerator, shown: ShownSweep) -> Ticker:
    """Progress of a sweep as a line: how many θ are done, and who else is being served."""

    def write(done: int, total: int) -> None:
        shuffles = shown.settings.shuffles
        counted = f": {done // shuffles} of {max(total // shuffles, 1)} done" if total >= shuffles else ""
        text = "Refining the ranges of θ" if shown.sweep.refining else f"Sweeping θ{counted}"
        slot.caption(f"{text}…{words.ahead_of_you(scheduled.ahead())}")

    return Ticker(write)


def go_on(shown: ShownSweep, data: datasets.Dataset, slot: DeltaGenerator) -> None:
    """Take the next step of an incomplete sweep and run again; returns only when the sweep is complete."""
    if shown.complete:
        slot.empty()
        return
    _step(shown, data, _sweeping(slot, shown))
    shell.run_again()


# ---- after release --------------------------------------------------------------------------------------------------


def _late_density(shown: ShownSweep, frame: timeline.Frame, theta: float, line: DeltaGenerator) -> str:
    """Sparse or dense, where finding out takes seconds."""
    pair = of_theta.late_pair(shown.sample, frame, Ticker(lambda *_: line.caption("Looking for the closest pair…")))
    if pair is None:
        return "too many points and columns to tell sparse from dense"
    return ", ".join(of_theta.density(pair, theta, len(frame.sizes)))


def show_findings(shown: ShownSweep, data: datasets.Dataset, theta: float, line: DeltaGenerator) -> None:
    """What Python alone can say about the θ the person stands on. ``line`` is where progress is written."""
    point, found = shown.points.get(theta), shown.frame_at(theta, data.unit)
    if found is None:
        return
    k, epsilon = found.k, "" if found.epsilon is None else repr(found.epsilon)
    outliers = words.outlier_groups(found.groups.outliers)
    said = f"θ = {words.short(theta)} {data.unit}: {words.count(k, 'cluster')} {outliers}"
    attributes = f'data-theta="{theta!r}" data-k="{k}" data-epsilon="{epsilon}" role="status"'
    st.html(f'<div class="theta-unseen" data-testid="findings" {attributes}>{said}</div>')
    if k > 1 and found.frame.pair is None and shown.complete:
        st.caption(_late_density(shown, found.frame, theta, line))
    expected = shown.settings.theta is None and shown.verdict is not None and shown.verdict.algorithm is None
    if shown.settings.algorithm == "TNC":
        warnings = selection.chain_warnings(answers.chaining_of(shown.sample, point, shown.settings), found.epsilon)
    else:
        warnings = selection.warnings_for(point.tdg)
    for sentence in [] if expected else warnings[:1]:  # the first says most
        st.warning(sentence, icon=":material/warning:")
    if shown.complete:
        # The browser paints what it has when nothing more comes for a moment; without the pause the read-outs wait
        # until it has drawn every widget and table of the page anew: twice as long (see benchmarks/ui.py).
        time.sleep(_PAINT)


def show_clusters(shown: ShownSweep, data: datasets.Dataset, theta: float, line: DeltaGenerator) -> None:
    """What's in each cluster, and in a selection."""
    view = _cluster_view(shown, data, theta)
    if view is not None:
        inside.show(view, line)
        inside.show_selection(view, _selection(shown))


def _select(shown: ShownSweep, theta: float, polygon: list | None) -> None:
    """Take box or lasso from the timeline."""
    if polygon is None:
        session.forget_option("selection")
    else:
        session.set_option("selection", " ".join(f"{x:.9g},{y:.9g}" for x, y in polygon))
    place = (theta, _selection(shown))
    CURSOR.moved(place, place)


def _selection(shown: ShownSweep) -> list | None:
    """The corners of box or lasso, [x, y] of each; None in 3-D, where none can be drawn."""
    if shown.look.solid is not None:
        return None
    polygon = [numbers(text, ",") for text in session.option("selection", "").split()]
    return polygon if timeline.is_polygon(polygon) else None


# ---- export ---------------------------------------------------------------------------------------------------------


def answer(shown: ShownSweep, data: datasets.Dataset, theta: float) -> Clustering | None:
    """The clustering the person looks at; None while nothing has been swept there."""
    packed = st.session_state.get(timeline.PACKED)
    colours = () if packed is None else packed.colours.get(float(theta), ())
    palette = tuple(COLOURS[k % len(COLOURS)].lower() for k in colours)
    return of_theta.clustering_at(shown, data, theta, palette)


def show_export(shown: ShownSweep, data: datasets.Dataset, theta: float) -> None:
    """Draw the panel Export for the answer at this θ."""
    clustering = answer(shown, data, theta)
    if clustering is None:
        return

    def more(name: str) -> None:
        help = "One row per θ: K, order agreement, silhouette, sizes."
        downloads.csv("Sweep", lambda: shown.sweep.table, f"sweep-{name}", help=help)
        if clustering.algorithm == "TNC":
            chaining = answers.chaining_of(shown.sample, shown.points[theta], shown.settings)
            help = "One row per range of ε with the same chains."
            downloads.csv("K over ε", lambda: selection.chain_profile(chaining), f"chains-{name}", help=help)
        for kind in ("PNG", "SVG"):  # the browser makes it (timeline/js/export.js)
            st.button(f"Picture as {kind}", key=f"picture-{kind.lower()}", icon=":material/image:")

    colours = of_theta.colours_at(clustering.theta, st.session_state[timeline.PACKED])
    drawn = shown.positions, shown.drawn.rows, shown.look.flat_by
    export.show(clustering, shown.verdict, drawn, shown.sweep, colours, more)


def show_ways(shown: ShownSweep, data: datasets.Dataset) -> None:
    """Where the questions that follow are answered; whether a neighbour map shows more is looked up here."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="ways"):
        st.markdown("How do other methods do on these points?", width="content")
        links.page_link("pages/Compare.py", "Compare", ":material/balance:", width="content")
    with st.container(key="map-line"):
        if shown.verdict is not None:
            better_map.watch(data, shown.verdict)
