"""The parts of the page Nonlinear: a chosen (θ, ε), its timeline over ε, the suggestion, and other methods beside it.

While TNC is the algorithm in use, its θ and ε are the shared ones. Before that the page keeps a choice of its own, so
that looking at chains changes nothing elsewhere until "use" is pressed.
"""

import functools
import math
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.errors import StreamlitAPIException

from theta_app import compare, datasets, selection, shape_peers
from theta_app.engine import tnc
from theta_app.figures import chains as figures
from theta_app.figures.palette import COLOURS
from theta_app.ui import cache, session, timeline
from theta_app.ui.pages import explore
from theta_app.ui.store import Bounded
from theta_app.ui.timeline import of_theta
from theta_app.ui.widgets import charts, controls, downloads
from theta_app.ui.widgets.progress import Ticker, bar
from theta_app.ui.widgets.words import count, short, stray, stray_of

_MAPS = Bounded(entries=64, megabytes=8)
_PACKED = Bounded(entries=24, megabytes=192)
_PEERS = Bounded(entries=400, megabytes=64)
_FIGURES = Bounded(entries=60, megabytes=24)
_START = "nonlinear.start"  # where the cursor was put by Python: value, serial, and the choice known last
_ASKED = "nonlinear.asked"  # (data, settings) for which the other methods were asked for
_OPTION = "chain"
_PEER_POINTS = 5000  # at most: spectral clustering and single linkage look at many pairs
_UNASKED_VALUES = 6000  # points x features up to which the other methods take about a second
_MOST_CHAINS = 60  # told to the methods that want a number of clusters
_DRAWN = 2000  # points in a small picture

SHAPES = (datasets.Moons(), datasets.Circles(), datasets.Spirals(), datasets.Smile(), datasets.Bridges())

_FLAT = (
    "Each small cluster has a circle of radius ε / 2: where two circles overlap, a line chains their clusters, and a "
    "chain has one colour."
)
_PROJECTED = (
    "Each ringed dot is a small cluster: where two of them are closer than ε in all features, a line chains them, and "
    "a chain has one colour."
)
_DRAG = "Drag ε: a shape stands where the number of chains K' holds over a wide range of the track."
RULE = (
    "The paper leaves θ and ε open; the rule here: over small θ (1 to 12 typical neighbour distances), take the range "
    "of ε that is widest, relative to ε, in which the number of chains holds, and stand in its middle."
)


# ---- what is computed -----------------------------------------------------------------------------------------------


def thetas(points: cache.Sample) -> np.ndarray:
    """The θ that the slider offers: the grid every page shares."""
    return cache.theta_axis(points, session.Settings())


def suggestion(data: datasets.Dataset) -> selection.Suggestion:
    """The suggested (θ, ε) of a data set (of its sample, when it is large)."""
    with bar("Trying small θ") as tick:
        return cache.chain_suggestion(cache.sample(data), session.settings(), tick)


# ---- the choice -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Choice:
    """Where the person stands: the chaining at θ, and ε."""

    one: selection.Chaining
    epsilon: float

    @property
    def theta(self) -> float:
        return self.one.theta


def current(data: datasets.Dataset, suggested: selection.Suggestion) -> Choice:
    """The person's θ and ε, or the suggested ones."""
    theta, epsilon = _chosen(data)
    if theta is None:
        theta, epsilon = suggested.theta, suggested.epsilon
    points = cache.sample(data)
    slot = st.empty()
    text = f"Small clusters at θ = {short(theta)}…"
    one = cache.chaining(points, theta, session.settings(), Ticker(lambda *_: slot.caption(text), every=0.4))
    slot.empty()
    return Choice(one, selection.default_epsilon(one) if epsilon is None else epsilon)


def _chosen(data: datasets.Dataset) -> tuple[float | None, float | None]:
    settings = session.settings()
    if settings.algorithm == "TNC" and settings.theta is not None:
        return settings.theta, settings.epsilon
    parts = session.option(_OPTION, "").split()
    if len(parts) != 3 or parts[0] != data.digest[:8]:
        return None, None
    try:
        lengths = [None if part == "best" else float(part) for part in parts[1:]]
    except ValueError:
        return None, None
    usable = lengths[0] is not None and all(v is None or (math.isfinite(v) and v >= 0) for v in lengths)
    return (lengths[0], lengths[1]) if usable else (None, None)


def choose(data: datasets.Dataset, theta: float, epsilon: float | None = None) -> None:
    """Stand at θ and ε (by default the middle of the widest range there); for callbacks."""
    if session.settings().algorithm == "TNC":
        session.update(theta=float(theta), epsilon=epsilon)
        return
    last = "best" if epsilon is None else repr(float(epsilon))
    session.set_option(_OPTION, f"{data.digest[:8]} {float(theta)!r} {last}")


def use(theta: float, epsilon: float) -> None:
    """Put TNC with θ and ε in use on every page; for callbacks."""
    session.update(algorithm="TNC", theta=float(theta), epsilon=float(epsilon))


# ---- above the timeline ---------------------------------------------------------------------------------------------


def answer(data: datasets.Dataset, suggested: selection.Suggestion) -> None:
    """What is suggested and the button that goes there; where no chaining stands out, shapes to look at instead."""
    go = functools.partial(choose, data, suggested.theta, suggested.epsilon)
    place = f"θ = {short(suggested.theta)}, ε = {short(suggested.epsilon)}"
    if not suggested.stands_out:
        st.warning(suggested.reason, icon=":material/info:")
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        if suggested.stands_out:
            st.markdown(
                f"### {suggested.n_chains} chains, for every ε from {short(suggested.epsilon_low)} to "
                f"{short(suggested.epsilon_high)} at θ = {short(suggested.theta)}",
                width="content",
            )
        st.button(
            f"Go to the suggested {place}" if suggested.stands_out else f"Go to the widest range all the same: {place}",
            key="go-suggested",
            on_click=go,
            icon=":material/target:",
            help=f"{RULE} {suggested.reason}",
        )
    if not suggested.stands_out:
        shapes("Shapes that do chain:")


def shapes(words: str) -> None:
    """One click to a data set that chains."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="shapes"):
        st.markdown(words, width="content")
        for spec in SHAPES:
            here = session.spec() == spec
            if st.button(spec.label, key=f"shape-{spec.key}", type="tertiary", disabled=here):
                session.choose(spec)
                st.rerun()


def choices(data: datasets.Dataset, choice: Choice) -> None:
    """θ as a slider, θ and ε as boxes, and the shared settings."""
    offered = sorted({*map(float, thetas(cache.sample(data))), choice.theta})
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.select_slider(
            "θ, the size of the small clusters",
            offered,
            format_func=short,
            width=350,
            help="Small against the shapes, large enough that a small cluster holds a few points. "
            "ε moves to the middle of the widest range at the new θ.",
            **controls.bound("chain-theta", choice.theta, lambda theta: choose(data, theta)),
        )
        step = 10.0 ** math.floor(math.log10(offered[0] or 1.0))
        length = {"min_value": 0.0, "step": step, "format": "%.6g", "width": 160}
        st.number_input(
            "Exact θ",
            **length,
            **controls.bound("chain-theta-box", choice.theta, lambda v: v is not None and choose(data, v)),
        )
        st.number_input(
            "Exact ε",
            **length,
            help="Centroids closer than ε are chained, and so is what they are chained to.",
            **controls.bound(
                "chain-epsilon-box", choice.epsilon, lambda v: v is not None and choose(data, choice.theta, v)
            ),
        )
        controls.shuffles()
        controls.seed()


def explain(data: datasets.Dataset) -> None:
    """The picture in two sentences."""
    st.caption(f"{_FLAT if data.X.shape[1] <= 2 else _PROJECTED} {_DRAG}")


# ---- the timeline ---------------------------------------------------------------------------------------------------


def show_timeline(data: datasets.Dataset, choice: Choice) -> None:
    packed = epsilon_timeline(data, choice, session.settings())
    stands = (data.digest, choice.theta, choice.epsilon)
    start = st.session_state.get(_START)
    if start is None or start["known"] != stands:  # moved by something else than the timeline itself
        serial = 0 if start is None else start["serial"] + 1
        start = st.session_state[_START] = {"value": choice.epsilon, "serial": serial, "known": stands}

    def released(value: float) -> None:
        st.session_state[_START] = {**start, "known": (data.digest, choice.theta, value)}
        choose(data, choice.theta, value)

    timeline.show(packed, start["value"], key="epsilon-timeline", serial=str(start["serial"]), on_value=released)


def stand_here() -> None:
    """Call when the page opens: a timeline mounted anew stands where the person left it, a mounted one stays."""
    start = st.session_state.get(_START)
    if start is not None:
        st.session_state[_START] = {**start, "value": start["known"][2]}


def epsilon_timeline(data: datasets.Dataset, choice: Choice, settings: session.Settings) -> timeline.Packed:
    """The timeline over ε at the θ of the choice; the choice's ε is one of its values."""
    points = cache.sample(data)
    values = epsilon_values(points, choice.one)
    extra = () if choice.epsilon in values else (float(choice.epsilon),)
    drawn = (settings.shuffles, settings.seed, settings.projection, data.name, data.unit)
    key = (points.key, choice.theta, extra, *drawn)
    make = functools.partial(_make_timeline, data, points, choice.one, sorted({*values, *extra}), settings)
    return _PACKED.get_or_make(key, make, lambda packed: len(packed.body) + 50_000)


def epsilon_values(points: cache.Sample, one: selection.Chaining) -> list[float]:
    """The ε of the timeline: fewer where there are many points to send for each."""
    return selection.epsilon_values(one, 160 if len(points.X) <= 5000 else 100).tolist()


def _make_timeline(data, points, one, values, settings) -> timeline.Packed:
    place = of_theta.places(points, settings.projection)
    flat = points.X.shape[1] <= 2
    centroids = (
        one.tdg.centroids[:, :2] if points.X.shape[1] == 2 else of_theta.middles(place, one.tdg.labels, one.n_clusters)
    )
    ranges = track_ranges(one, values)
    truth = None if points.truth is None else selection.truth_table(one, points.truth)
    made: dict[int, timeline.Frame] = {}  # one a number of links; ε between two edges differ only in their value
    drawn = []
    for epsilon in values:
        links = one.tree.links(epsilon)
        if links not in made:
            made[links] = _frame(truth, one, links, epsilon, centroids)
        drawn.append(_at(made[links], epsilon, ranges, one.theta, data.unit))
    low, high = selection.epsilon_limits(one)
    positive = [value for value in values if value > 0]
    axis = timeline.Axis("epsilon", "ε", data.unit, min([low, *positive]), max([high, *positive]), counts="K'")
    readouts = [
        timeline.Readout("epsilon", "ε"),
        timeline.Readout("k", "Chains K'"),
        timeline.Readout("theta", "θ"),
        timeline.Readout("range", "Range", wide=True),
        timeline.Readout("largest", "Largest chain"),
    ]
    if points.truth is not None:
        readouts.append(timeline.Readout("nmi", "NMI"))
    best = next((r.middle for r in ranges if r.recommended), None)
    picture = timeline.Picture(
        place,
        drawn,
        axis,
        curves=_curves(drawn, points.truth is not None),
        ranges=ranges,
        recommended=selection.best_epsilon(one) if best is None else best,
        circles="half" if flat else None,
        plain=flat,
        rows=points.rows,
    )
    texts = timeline.Texts(
        readouts,
        caption=of_theta.caption(points, settings.projection),
        note=f"{count(one.n_clusters, 'small cluster')}, every ε from one tree",
        hint="Drag ε: circles that overlap are chained" if flat else "Drag ε: centroids closer than ε are chained",
        name=downloads.file_name(data.name)[:40],
    )
    options = timeline.Options(f"{points.key}/epsilon", sweeps=False, selects=False)
    return timeline.pack(picture, texts, options)


def _strays(sizes) -> int:
    """Chains that are only a few stray points; none where most are, as then nothing is chained yet."""
    strays = int((~selection.standing_chains(sizes)).sum())
    return strays if 2 * strays < len(sizes) else 0


def _frame(truth, one, links, epsilon, centroids) -> timeline.Frame:
    names, owner = np.unique(one.tree.cut(epsilon), return_inverse=True)
    sizes = np.bincount(owner, weights=one.tdg.sizes).astype(np.int64)
    labels = owner[one.tdg.labels]
    strays = _strays(sizes)
    readouts = {
        "k": (f"{len(names):,}", stray(len(names), strays) or f"of {count(one.n_clusters, 'small cluster')}"),
        "largest": (f"{sizes.max() / len(labels):.0%}", "of the points"),
    }
    if truth is not None:
        readouts["nmi"] = (f"{selection.chain_nmi(truth, owner):.3f}", "with the truth")
    return timeline.Frame(
        epsilon,
        labels.astype(np.int32),
        sizes,
        centroids,
        readouts=readouts,
        centroid_cluster=owner,
        segments=one.tree.edges[:links],
        names=names,
    )


def _at(frame, epsilon, ranges, theta, unit) -> timeline.Frame:
    """A frame at another ε of the same stretch, with the read-outs that tell them apart."""
    within = [r for r in ranges if r.low < epsilon <= r.high]
    text = ("none", "K' changes with every step here" if len(frame.sizes) > 1 else "everything is one chain")
    if within:
        best = within[-1]
        stands = " · stands out" if best.recommended else ""
        text = (
            f"{short(best.low)} – {short(best.high)}",
            f"{best.k} chains · factor {best.high / best.low:.2f}{stands}",
        )
    readouts = {"epsilon": (short(epsilon), unit), "theta": (short(theta), unit), "range": text}
    return replace(frame, value=float(epsilon), readouts={**frame.readouts, **readouts})


def track_ranges(one: selection.Chaining, values) -> list[timeline.Range]:
    """The ranges wide enough to be pointed at on the track."""
    low, high = values[0], values[-1]
    span = math.log(high / low) if low > 0 and high > low else 0.0
    return [
        timeline.Range(r.epsilon_low, r.epsilon_high, r.epsilon, r.n_chains, r.relative_width, r.recommended)
        for r in selection.chain_ranges(one).itertuples()
        if r.recommended or r.relative_width > 0.015 * span
    ]


def _curves(drawn, known) -> list[timeline.Curve]:
    shares = [f.sizes.max() / f.sizes.sum() for f in drawn]
    curves = [
        timeline.Curve("Chains K'", [len(f.sizes) for f in drawn], "k", COLOURS[0]),
        timeline.Curve("Share of the largest chain", shares, "unit", COLOURS[3]),
    ]
    if known:
        scores = [float(f.readouts["nmi"][0]) for f in drawn]
        curves.append(timeline.Curve("NMI", scores, "unit", COLOURS[4], dash=(2, 2)))
    return curves


# ---- after release --------------------------------------------------------------------------------------------------


def show_findings(data: datasets.Dataset, choice: Choice) -> None:
    """What holds where the person stands, what is odd about it, and the button that puts it in use."""
    k = choice.one.tree.count(choice.epsilon)
    strays = _strays(choice.one.sizes(choice.epsilon))
    lengths = f"θ = {short(choice.theta)}, ε = {short(choice.epsilon)}"
    st.html(
        f'<div data-testid="findings" data-theta="{choice.theta!r}" data-epsilon="{choice.epsilon!r}" data-k="{k}" '
        f'role="status"><b>{lengths}</b> {data.unit}: {count(choice.one.n_clusters, "small cluster")} in '
        f"<b>{count(k, 'chain')}</b>{stray_of(strays)}</div>"
    )
    for sentence in selection.chain_warnings(choice.one, choice.epsilon):
        st.warning(sentence, icon=":material/warning:")


def apply(choice: Choice) -> None:
    """The button that puts this θ and ε in use, or the line that says they are."""
    settings = session.settings()
    in_use = (settings.algorithm, settings.theta, settings.epsilon) == ("TNC", choice.theta, choice.epsilon)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="apply"):
        if not in_use:
            st.button(
                f"Use TNC with θ = {short(choice.theta)} and ε = {short(choice.epsilon)}",
                key="use-chain",
                type="primary",
                icon=":material/check:",
                on_click=use,
                args=(choice.theta, choice.epsilon),
                help="Makes TNC the algorithm of every page, with these two lengths.",
            )
            return
        st.markdown(
            f":green-background[:material/check: TNC with θ = **{short(choice.theta)}** and "
            f"ε = **{short(choice.epsilon)}** is in use on every page]",
            width="content",
        )
        try:
            st.page_link("app.py", label="See it in Explore θ", icon=":material/tune:", width="content")
        except StreamlitAPIException:  # a page run as a script of its own, as tests do, has no other pages
            st.markdown("See it in Explore θ")


def take_away(data: datasets.Dataset, choice: Choice) -> None:
    """Labels, small clusters, K' over ε, and the picture as a page of its own."""
    name = downloads.file_name(data.name, "TNC", f"theta={choice.theta:.4g}", f"epsilon={choice.epsilon:.4g}")
    result = _whole(data, choice)
    with st.container(horizontal=True, gap="small"):
        if result is not None:
            table = explore.with_clusters(data, result.labels)
            downloads.csv("Labels", table, f"labels-{name}", help="Original columns plus the chain of each row.")
            small = pd.DataFrame(result.centroids, columns=list(data.features)).assign(
                size=result.sizes, chain=result.chain
            )
            small.insert(0, "small_cluster", np.arange(len(small)))
            downloads.csv("Small clusters", small, f"small-clusters-{name}", help="Centroid, size and chain of each.")
        profile = selection.chain_profile(choice.one)
        downloads.csv("K' over ε", profile, f"chains-{name}", help="A row for each stretch of ε with the same chains.")
        downloads.html(
            "Picture as HTML",
            lambda: charts.page(figures.chain_figure(picture(data, choice)), name),
            name,
            help="The points, the chains and their graph; it stands on its own.",
        )
    st.caption("The picture is saved as PNG or SVG with the buttons under the timeline.")


def _whole(data: datasets.Dataset, choice: Choice):
    """TNC on all points: at once where all are shown, else when asked for."""
    settings = replace(session.settings(), algorithm="TNC", theta=choice.theta, epsilon=choice.epsilon)
    if cache.sample(data).whole:
        return cache.whole_result(data, settings, choice.theta)
    wanted = (data.digest, settings)
    if st.session_state.get("nonlinear.whole") != wanted:
        label = f"Compute chains for all {len(data.X):,} points"
        help = "The timeline uses a sample; this runs on everything, with the same θ and ε."
        if not st.button(label, icon=":material/calculate:", help=help):
            return None
        st.session_state["nonlinear.whole"] = wanted
    with bar(f"Clustering {len(data.X):,} points") as tick:
        return cache.whole_result(data, settings, choice.theta, tick)


def picture(data: datasets.Dataset, choice: Choice) -> figures.ChainPicture:
    """The points that are drawn, their chains and the graph, as a figure takes them."""
    points, one = cache.sample(data), choice.one
    place = of_theta.places(points, session.settings().projection)
    links = one.tree.edges[: one.tree.links(choice.epsilon)]
    k = one.tree.count(choice.epsilon)
    title = f"{data.name}: θ = {short(choice.theta)}, ε = {short(choice.epsilon)}, {count(k, 'chain')}"
    if not points.whole:
        title += f" (showing {len(points.X):,} of {points.total:,} points)"
    drawn = of_theta.middles(place, one.tdg.labels, one.n_clusters)
    return figures.ChainPicture(place, one.at(choice.epsilon).labels, drawn, links, title)


# ---- why this θ -----------------------------------------------------------------------------------------------------


def show_map(data: datasets.Dataset, suggested: selection.Suggestion, choice: Choice) -> None:
    """K' over θ and ε, and the widest range at each θ with a button that goes there."""
    st.subheader("Over which θ and ε do the chains hold?", anchor=False)
    st.caption(RULE)
    points, settings = cache.sample(data), session.settings()
    known = cache.small_chainings(points, settings)
    key = (points.key, settings.shuffles, settings.seed, "map")
    found = _MAPS.get_or_make(key, lambda: figures.chain_map(known), lambda m: m.counts.nbytes)
    left, right = st.columns(2, gap="medium")
    with left:
        ends = (suggested.epsilon_low, suggested.epsilon_high)
        bar_of = (suggested.theta, suggested.n_chains, suggested.epsilon, *ends)
        here = (choice.theta, choice.epsilon)
        figure = figures.chain_map_figure(found, bar_of if len(suggested.tried) else None, here, data.unit)
        alt = f"Number of chains over θ and ε. {suggested.reason}"
        table = pd.DataFrame(found.counts, columns=[f"theta={t:.6g}" for t in found.thetas])
        table.insert(0, "epsilon", found.epsilons)
        charts.show(figure, "chain-map", name=f"chain-map-{data.name}", alt=alt, table=table)
        st.caption(
            "Each column is one θ, each colour a number of chains (those of a few stray points not counted): a tall "
            "stretch of one colour is a number that holds over a wide range of ε. The bar with the star is the widest, "
            "the ring is where you are."
        )
    with right:
        _table(data, suggested)


def _table(data: datasets.Dataset, suggested: selection.Suggestion) -> None:
    rows = suggested.tried.dropna(subset=["epsilon"]).sort_values("relative_width", ascending=False)
    if len(rows) == 0:
        st.caption("No small θ has a range of ε with two or more chains.")
        return
    places = list(zip(rows["theta"], rows["epsilon"]))

    def clicked() -> None:
        click = st.session_state.get("chain-table-click")
        if click is not None and 0 <= click["row"] < len(places):
            choose(data, *places[click["row"]])

    shown = pd.DataFrame(
        {
            "go": [f"θ = {short(theta)}" for theta, _ in places],
            "n_chains": rows["n_chains"].astype(int).to_numpy(),
            "low": rows["epsilon_low"].to_numpy(),
            "high": rows["epsilon_high"].to_numpy(),
            "factor": np.exp(rows["relative_width"].to_numpy()),
            "chance": np.exp(rows["needed"].to_numpy()),
        }
    )
    number = st.column_config.NumberColumn
    config = {
        "go": st.column_config.ButtonColumn("go to", on_click=clicked, key="chain-table-click", pinned=True),
        "n_chains": number("chains", help="Those of a few stray points not counted."),
        "low": number("ε from", format="%.4g"),
        "high": number("ε to", format="%.4g"),
        "factor": number("factor", format="%.2f", help="ε to divided by ε from: how wide the range is."),
        "chance": number("by chance", format="%.2f", help="How wide a range can be by chance with so many clusters."),
    }
    st.dataframe(shown, key="chain-table", hide_index=True, column_config=config, alt="The widest range at each θ.")
    downloads.csv("Table as CSV", rows, downloads.file_name("chain-ranges", data.name))


# ---- other methods --------------------------------------------------------------------------------------------------


def show_peers(data: datasets.Dataset, choice: Choice) -> None:
    """DBSCAN and the others on the same points: pictures, scores, time."""
    st.subheader("Other methods on the same points", anchor=False)
    points, settings = cache.sample(data), session.settings()
    rows = datasets.fair_sample(len(points.X), _PEER_POINTS)
    k = choice.one.tree.count(choice.epsilon)
    if not 2 <= k <= _MOST_CHAINS:
        st.caption(f"Stand on an ε with 2 to {_MOST_CHAINS} chains (here: {k:,}) to see other methods find as many.")
        return
    if len(rows) * points.X.shape[1] > _UNASKED_VALUES and not _asked(data, settings, len(rows)):
        return
    slot = st.empty()
    results = peer_results(points, rows, choice, settings, k, lambda name: slot.caption(f"Running {name}…"))
    slot.empty()
    drawn = datasets.fair_sample(len(rows), _DRAWN)
    place = of_theta.places(points, settings.projection)[rows][drawn]
    panels = [figures.Panel(_panel_title(r), None if r.labels is None else r.labels[drawn]) for r in results]
    table = peer_table(results, points.truth is not None)
    alt = "The same points clustered by TNC, DBSCAN, HDBSCAN, spectral clustering, single linkage and K-Means++."
    key = (points.key, settings.projection, len(rows), *((r.label, r.parameters) for r in results))
    figure = _FIGURES.get_or_make(key, lambda: figures.panels_figure(place, panels), lambda _: 400_000)
    charts.show(figure, "peers", name=f"shapes-{data.name}", alt=alt, table=table)
    shown = "" if len(drawn) == len(points.X) else f" Showing {len(drawn):,} of {points.total:,} points."
    st.caption(
        "Each picture is one method on the same points; a cluster has the colour of the chain it shares most points "
        f"with, and grey points are noise. The methods that must be told a number of clusters get K' = {k:,}.{shown}"
    )
    number = st.column_config.NumberColumn
    config = {
        "NMI": number(format="%.3f", help="Normalised mutual information with the truth; noise is one more cluster."),
        "ARI": number(format="%.3f", help="Adjusted Rand index against the truth."),
        "Silhouette": number(format="%.3f", help="Made for round clusters: low for shapes even where they are right."),
        "Time (ms)": number(format="%.1f", help="Processor time of one run on one thread of the server."),
    }
    st.dataframe(table, hide_index=True, column_config=config, alt="Scores and time of each method.")
    if len(rows) < len(points.X):
        st.caption(f"The others ran on {len(rows):,} points, TNC on {len(points.X):,}; scores are of the same points.")


def _asked(data, settings, n: int) -> bool:
    wanted = (data.digest, settings.shuffles, settings.seed)
    if st.session_state.get(_ASKED) == wanted:
        return True
    if st.button(f"Run the other methods on {n:,} points", icon=":material/play_arrow:", help="Takes some seconds."):
        st.session_state[_ASKED] = wanted
        return True
    return False


def peer_results(points, rows, choice: Choice, settings, k: int, between) -> list[shape_peers.PeerResult]:
    """TNC and each peer, kept; ``between(name)`` is called before each run and during it, and may raise to stop."""
    X = np.ascontiguousarray(points.X[rows])
    truth = None if points.truth is None else points.truth[rows]
    start = compare.start_values(X, choice.theta, k, epsilon=choice.epsilon, shuffles=settings.shuffles)
    found = []

    def keep(label, parameters, work):
        key = (points.key, len(rows), label, parameters, settings.seed)
        result = _PEERS.get(key)
        if result is None:
            between(label)
            result = cache.in_background(lambda cancel: work(), lambda *_: between(label))
            _PEERS.put(key, result, 500 + (0 if result.labels is None else result.labels.nbytes))
        found.append(result)

    def own():
        labels, seconds = shape_peers.timed(
            lambda: tnc(points.X, choice.theta, choice.epsilon, settings.shuffles, settings.seed, n_jobs=1).labels
        )
        said = f"θ {choice.theta:.4g}, ε {choice.epsilon:.4g}, {settings.shuffles} shuffles"
        return shape_peers.scored("TNC", said, X, labels[rows], truth, seconds)

    keep("TNC", (choice.theta, choice.epsilon, settings.shuffles), own)
    for peer in shape_peers.PEERS:
        work = functools.partial(shape_peers.measured, peer, X, truth, start, settings.seed)
        keep(peer.label, peer.said(start), work)
    return found


def _panel_title(result: shape_peers.PeerResult) -> str:
    if result.labels is None:
        return f"<b>{result.label}</b><br>could not run"
    nmi = result.scores["nmi"]
    score = f", NMI {nmi:.3f}" if math.isfinite(nmi) else ""
    return f"<b>{result.label}</b><br>K = {result.n_clusters}{score}"


def peer_table(results, known: bool) -> pd.DataFrame:
    """A row a method: K, scores, time, parameters, note."""
    table = pd.DataFrame(
        {
            "Method": r.label,
            "K": r.n_clusters if r.labels is not None else None,
            "NMI": r.scores["nmi"],
            "ARI": r.scores["ari"],
            "Silhouette": r.scores["silhouette"],
            "Time (ms)": 1000 * r.seconds,
            "Parameters": r.parameters,
            "Note": r.note,
        }
        for r in results
    )
    return table if known else table.drop(columns=["NMI", "ARI"])
