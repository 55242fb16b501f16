"""The parts of the page Explore θ."""

import time
from dataclasses import replace
from urllib.parse import urlencode

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.errors import StreamlitAPIException

from theta_app import compare, datasets, selection
from theta_app.ui import cache, session, timeline
from theta_app.ui.timeline import of_theta
from theta_app.ui.timeline.cursor import Cursor
from theta_app.ui.timeline.of_theta import ShownSweep
from theta_app.ui.widgets import controls, downloads, measured, on_request, snippet, words
from theta_app.ui.widgets import verdict as verdicts
from theta_app.ui.widgets.progress import Ticker, bar

CURSOR = Cursor("explore.cursor")
_EXTRA = "explore.extra"  # θ asked for by hand, of one data set
_SELECTION = "explore.selection"  # polygon, of one data set
_PACKED = "explore.packed"  # the timeline shown last: its colours are kept when more arrives
_MOST_EXTRA = 200
_PAINT = 0.06  # seconds the browser gets to paint the read-outs before the rest of the page follows
_FIRST_ANSWER = 2.0  # seconds to wait for every fourth θ before showing less than that
_SHOW_EVERY = 1.5  # seconds of computing after which what there is so far is shown, ...
_SHOW_MORE = 1.6  # ... if there are so many times the θ: drawing costs as much as computing a few of them


# ---- choices --------------------------------------------------------------------------------------------------------


def choices(shown: ShownSweep, theta: float) -> None:
    """The row of controls above the timeline; they write to the settings."""
    points = shown.sample
    many = points.X.shape[1] > 2
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        controls.algorithm(shown.settings.algorithm)
        _theta_box(shown, theta)
        if shown.settings.algorithm == "TNC":
            _epsilon_box(shown, theta)
        controls.shuffles()
        controls.seed()
        if many:
            _projection()


def _theta_box(shown: ShownSweep, theta: float) -> None:
    low = float(cache.theta_grid(shown.sample)[0])
    st.number_input(
        "Exact θ",
        min_value=0.0,
        step=10.0 ** np.floor(np.log10(low)) if low > 0 else 0.1,
        format="%.6g",
        width=158,
        help="The largest distance, in the units of the data, at which a point joins a cluster. Type one to see it.",
        **controls.bound("theta", theta, lambda value: value is not None and _take(shown, theta=float(value))),
    )


def _take(shown: ShownSweep, **lengths) -> None:
    """Take lengths from the person, with the algorithm they were chosen for: they say nothing about another."""
    session.update(algorithm=shown.settings.algorithm, **lengths)


def _epsilon_box(shown: ShownSweep, theta: float) -> None:
    current = session.settings().epsilon
    st.number_input(
        "ε",
        min_value=0.0,
        format="%.6g",
        width=158,
        placeholder=f"{cache.epsilon_at(shown.sample, shown.settings, theta):.4g}",
        help="Clusters whose centroids are closer than ε are chained into one. Empty: at each θ the middle of the "
        "widest range of ε in which the number of chains holds, or one and a half θ where none is wider than chance.",
        **controls.bound("epsilon", current, lambda value: _take(shown, epsilon=value)),
    )


def _projection() -> None:
    st.selectbox(
        "Drawn by",
        list(selection.PROJECTIONS),
        format_func=selection.PROJECTIONS.get,
        width=170,
        help="How more than two features are put on a flat picture. Clustering always uses all of them. "
        f"t-SNE takes a while and draws at most {selection.TSNE_POINTS:,} points.",
        **controls.setting("projection"),
    )


# ---- the timeline ---------------------------------------------------------------------------------------------------


def current_sweep(data: datasets.Dataset, line) -> ShownSweep:
    """What is known of the sweep for the current settings, computed up to something worth showing.

    Meanwhile the page shows the timeline of the settings before. ``line`` is where progress is written.
    """
    points, settings = cache.sample(data), session.settings()
    settings = replace(settings, projection=cache.drawn_by(points, settings.projection))
    typed = () if settings.theta is None else (settings.theta,)
    asked = (*typed, *_extra(data))
    shown = of_theta.shown_sweep(points, settings, asked)
    began = time.monotonic()
    while not shown.sweep.worth_showing and (not shown.points or time.monotonic() - began < _FIRST_ANSWER):
        _step(shown, data, _sweeping(line, shown))
        shown = of_theta.shown_sweep(points, settings, asked)
    if shown.complete and shown.verdict is None:  # the axis is not the one taken from the data
        cache.verdict(points, settings, _sweeping(line, shown))
        shown = of_theta.shown_sweep(points, settings, asked)
    if typed and typed[0] not in _extra(data) and typed[0] not in shown.sweep.table["theta"].to_numpy():
        _keep(data, typed)  # a θ that was typed or came with a link stays on the track when the person moves on
    return shown


def current_theta(shown: ShownSweep) -> float:
    """The θ the person stands on: the one they chose, else the verdict's (of what is known)."""
    if shown.settings.theta is not None:
        return shown.settings.theta
    if shown.start in shown.points:
        return shown.start
    thetas = np.array(list(shown.points))
    return float(thetas[np.argmin(np.abs(np.log(np.maximum(thetas, 1e-300) / shown.start)))])


def show_timeline(shown: ShownSweep, data: datasets.Dataset) -> None:
    packed = of_theta.theta_timeline(shown, data, st.session_state.get(_PACKED))
    st.session_state[_PACKED] = packed
    theta = current_theta(shown)
    value, serial = CURSOR.placed(theta, theta)
    timeline.show(
        packed,
        value,
        key="theta-timeline",
        serial=serial,
        on_value=lambda value: _stay(shown, value),
        on_selection=lambda polygon: _selected(data, polygon),
        on_wider=lambda: _wider(shown),
        on_finer=lambda value: _finer(shown, data, value),
    )


def _wider(shown: ShownSweep) -> None:
    thetas = cache.theta_axis(shown.sample, shown.settings)
    step = (thetas[-1] / thetas[0]) ** (1 / max(len(thetas) - 1, 1)) if len(thetas) > 1 else 2.0
    _stay(shown, current_theta(shown))
    session.update(theta_low=float(thetas[0] / step**8), theta_high=float(thetas[-1] * step**8))


def _stay(shown: ShownSweep, theta: float) -> None:
    """Take θ from the timeline, which need not be told. From now on it no longer follows the verdict."""
    CURSOR.moved(theta, theta)
    _take(shown, theta=theta)


def _finer(shown: ShownSweep, data: datasets.Dataset, value: float) -> None:
    thetas = np.array(list(shown.points))
    below, above = thetas[thetas < value], thetas[thetas > value]
    low = below[-1] if len(below) and below[-1] > 0 else value * 0.97
    high = above[0] if len(above) else value * 1.03
    fine = np.concatenate([np.geomspace(low, value, 6)[1:-1], np.geomspace(value, high, 6)[1:-1]])
    _keep(data, map(float, fine))
    _stay(shown, value)


def _keep(data: datasets.Dataset, thetas) -> None:
    kept = dict.fromkeys([*_extra(data), *thetas])
    st.session_state[_EXTRA] = (data.digest, tuple(kept)[-_MOST_EXTRA:])


def _extra(data: datasets.Dataset) -> tuple[float, ...]:
    digest, thetas = st.session_state.get(_EXTRA, ("", ()))
    return thetas if digest == data.digest else ()


def _step(shown: ShownSweep, data: datasets.Dataset, progress) -> None:
    """Compute what comes next, until all is done or what is new is worth showing: the first answer, then much more.

    What is new is drawn while the next θ is computed: preparing it for the page costs no wait.
    """
    end, enough = time.monotonic() + _SHOW_EVERY, _SHOW_MORE * len(shown.points)
    known = len(shown.points)
    while not shown.complete:
        for point in cache.advance(shown.sample, shown.sweep, progress):
            of_theta.theta_frame(shown.sample, point, shown.settings, data.unit)
            known += 1
            if time.monotonic() > end and known >= enough:
                return
        before, shown = shown, of_theta.shown_sweep(shown.sample, shown.settings, shown.sweep.plan.asked)
        if shown.sweep.worth_showing and not before.sweep.worth_showing:
            return


def _sweeping(slot, shown: ShownSweep) -> Ticker:
    """Progress of a sweep as a line: how many θ are done, and who else is being served."""

    def write(done: int, total: int) -> None:
        shuffles = shown.settings.shuffles
        counted = f": {done // shuffles} of {max(total // shuffles, 1)} done" if total >= shuffles else ""
        text = f"Sweeping θ{counted}" if shown.sweep.todo else "Refining the ranges of θ"
        slot.caption(f"{text}…{words.ahead_of_you(cache.ahead())}")

    return Ticker(write)


def go_on(shown: ShownSweep, data: datasets.Dataset, slot) -> None:
    """Take the next step of an incomplete sweep and run again; returns only when the sweep is complete."""
    if shown.complete:
        slot.empty()
        return
    _step(shown, data, _sweeping(slot, shown))
    _run_again()


def _run_again() -> None:
    try:
        st.rerun(scope="fragment")
    except StreamlitAPIException:  # the whole page is running
        st.rerun()


def wait_for_projection(shown: ShownSweep, slot) -> None:
    """Where the points are drawn by PCA until t-SNE is there: say so, and draw them anew then."""
    projection = session.settings().projection
    if shown.settings.projection == projection:
        return
    sentence = "Computing where t-SNE draws the points; until then they are drawn by PCA…"
    cache.await_places(shown.sample, projection, Ticker(lambda *_: slot.caption(sentence)))
    if cache.drawn_by(shown.sample, projection) == projection:  # else it failed, and nobody waits for ever
        _run_again()


def show_why(shown: ShownSweep) -> None:
    """Why the verdict is what it is, the way back to it, and what else deserves a look."""
    if shown.verdict is not None:
        verdicts.why(shown.verdict)


# ---- after release --------------------------------------------------------------------------------------------------


def _late_density(shown: ShownSweep, frame: timeline.Frame, theta: float, line) -> str:
    """Sparse or dense, where finding out takes seconds."""
    pair = of_theta.late_pair(shown.sample, frame, Ticker(lambda *_: line.caption("Looking for the closest pair…")))
    if pair is None:
        return "too many points and features to tell sparse from dense"
    return ", ".join(of_theta.density(pair, theta, len(frame.sizes)))


def show_findings(shown: ShownSweep, data: datasets.Dataset, theta: float, line) -> None:
    """What Python alone can say about the θ the person stands on. ``line`` is where progress is written."""
    point = shown.points.get(theta)
    if point is None:
        return
    found = of_theta.theta_frame(shown.sample, point, shown.settings, data.unit)
    frame, k = found.frame, found.standing
    strays = f" {words.stray(found.strays)}" if found.strays else ""
    facts = [f"<b>θ = {words.short(theta)}</b> {data.unit}: <b>{k:,}</b> cluster{'' if k == 1 else 's'}{strays}"]
    facts.append(f"order agreement {frame.readouts['agreement'][0]}: {frame.readouts['agreement'][1]}")
    if k > 1 and frame.pair is not None:
        facts.append(f"{frame.readouts['density'][0]}, {frame.readouts['density'][1]} (drawn as a line)")
    elif k > 1 and shown.complete:
        facts.append(_late_density(shown, frame, theta, line))
    if "nmi" in frame.readouts:
        facts.append(f"NMI {frame.readouts['nmi'][0]}, {frame.readouts['nmi'][1]}")
    st.html(f'<div data-testid="findings" data-theta="{theta!r}" data-k="{k}" role="status">{" · ".join(facts)}</div>')
    expected = shown.settings.theta is None and shown.verdict is not None and shown.verdict.algorithm is None
    for sentence in [] if expected else selection.warnings_for(point.tdg):
        st.warning(sentence, icon=":material/warning:")
    if shown.complete:
        # The browser paints what it has when nothing more comes for a moment; without the pause the read-outs wait
        # until it has drawn every widget and table of the page anew: twice as long (see benchmarks/ui.py).
        time.sleep(_PAINT)


def show_selection(shown: ShownSweep, data: datasets.Dataset, theta: float) -> None:
    """The rows inside the box or lasso, as a table and a download."""
    digest, polygon = st.session_state.get(_SELECTION, ("", None))
    point = shown.points.get(theta)
    if polygon is None or digest != data.digest or point is None:
        return
    inside = timeline.inside(polygon, cache.places(shown.sample, shown.settings.projection))
    frame = of_theta.theta_frame(shown.sample, point, shown.settings, data.unit).frame
    labels = frame.labels[inside] if frame.names is None else frame.names[frame.labels[inside]]
    table = downloads.with_clusters(data, labels, shown.sample.rows[inside])
    st.subheader(f"Selected: {len(table):,} row{'' if len(table) == 1 else 's'}", anchor=False)
    if not shown.sample.whole:
        st.caption(f"Of the points drawn, {shown.sample.sentence}.")
    st.dataframe(table.head(1000), height=260)
    if len(table) > 1000:
        st.caption(f"The first 1,000 of {len(table):,} rows are shown; the download has all.")
    downloads.csv("Selected rows as CSV", table, downloads.file_name("selected", data.name))


def _selected(data: datasets.Dataset, polygon) -> None:
    st.session_state[_SELECTION] = (data.digest, polygon)


def show_comparison(shown: ShownSweep, theta: float) -> None:
    """The other methods at the θ the person stands on, run on release and kept."""
    point = shown.points.get(theta)
    if point is None:
        return
    st.subheader("Other methods at this θ", anchor=False)
    slot = st.empty()
    points, settings = shown.sample, shown.settings
    k = of_theta.theta_frame(points, point, settings, "").standing
    epsilon = cache.epsilon_at(points, settings, theta)
    variants = compare.variants_at(theta, epsilon, settings.shuffles, k, points.X.shape)
    between = lambda label: slot.caption(f"Running {label}…")  # noqa: E731
    found = measured.measurements(points, variants, settings.seed, between)
    measured.show(measured.table(found, points.truth is not None), slot)
    note = f"K-Means++ gets the K found here, {k:,}; BIRCH the threshold θ / 2. {compare.TIME}"
    st.caption(note + ("" if points.whole else f" All run on {points.sentence}."))


# ---- take it away ---------------------------------------------------------------------------------------------------


def take_away(shown: ShownSweep, data: datasets.Dataset, theta: float) -> None:
    st.subheader("Take it away", anchor=False)
    settings = shown.settings
    name = downloads.file_name(data.name, settings.algorithm, f"theta={theta:.4g}")
    result = None
    if shown.sample.whole:
        result = cache.whole_result(data, settings, theta)
    else:
        result = _on_request(data, settings, theta)
    with st.container(horizontal=True):
        if result is not None:
            downloads.csv(
                "Labels",
                downloads.with_clusters(data, result.labels),
                f"labels-{name}",
                help="Original columns plus cluster.",
            )
            centroids = pd.DataFrame(result.centroids, columns=list(data.features)).assign(size=result.sizes)
            if settings.algorithm == "TNC":
                centroids = centroids.assign(chain=result.chain)
            centroids.insert(0, "cluster", np.arange(len(centroids)))
            downloads.csv("Centroids", centroids, f"centroids-{name}", help="Means of the clusters, and their sizes.")
        downloads.csv(
            "Sweep", shown.sweep.table, f"sweep-{name}", help="One row per θ: K, order agreement, silhouette, sizes."
        )
        epsilon = cache.epsilon_at(shown.sample, settings, theta) if settings.algorithm == "TNC" else None
        place = replace(settings, theta=theta, epsilon=epsilon)
        content = downloads.settings_json(data, place, n_clusters=result.n_clusters if result else None)
        downloads.json_file("Settings", content, f"settings-{name}", help="Everything needed to repeat this.")
    st.caption("The picture is saved as PNG or SVG with the buttons under the timeline.")
    chosen = replace(session.current(), settings=place)
    with st.expander("The same labels in Python", icon=":material/code:"):
        st.code(snippet.snippet(chosen, data, theta), language="python")
    with st.expander("A link to this", icon=":material/link:"):
        st.code(f"{page_address()}?{urlencode(session.to_query(chosen))}", language=None, wrap_lines=True)
        if isinstance(chosen.spec, datasets.Upload):
            st.caption(
                "Your file does not travel in the link: whoever opens it gets the settings and is asked for the file."
            )


def page_address() -> str:
    return (st.context.url or "").split("?")[0]


def _on_request(data, settings, theta):
    """A result on more points than are swept: computed when asked for, then remembered."""
    wanted = (data.digest, settings.algorithm, theta, settings.shuffles, settings.seed, settings.epsilon)
    label = f"Compute labels for all {len(data.X):,} points"
    help = "The sweep uses a sample; this runs on everything."
    if not on_request.asked("explore.whole", wanted, label, icon=":material/calculate:", help=help):
        return None
    with bar(f"Clustering {len(data.X):,} points") as tick:
        return cache.whole_result(data, settings, theta, tick)
