"""The parts of the page Nonlinear: a chosen (θ, ε), its timeline over ε, the suggestion, and other methods beside it.

While TNC is the algorithm in use (the person's or the verdict's), its θ and ε are the shared ones. Else the page keeps
a choice of its own, so that looking at chains changes nothing elsewhere until "use" is pressed.
"""

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

from theta_app import datasets, profiles, selection
from theta_app.clustering import Clustering, grouped, merge_anchors
from theta_app.figures import chains as figures
from theta_app.ui import answers, loading, projections, session, store, sweeps, timeline
from theta_app.ui.timeline import of_epsilon, of_theta
from theta_app.ui.timeline.beside import beside
from theta_app.ui.timeline.cursor import Cursor
from theta_app.ui.timeline.look import row_positions
from theta_app.ui.widgets import charts, controls, downloads, export, inside, links, projection
from theta_app.ui.widgets import verdict as verdicts
from theta_app.ui.widgets.progress import Ticker, bar
from theta_app.ui.widgets.words import chain_above, count, outlier_groups, short

CURSOR = Cursor("nonlinear.cursor")
_OPTION = "chain"

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
    "of ε in which the number of chains holds that is strongest (its width, relative to ε, times how much it says in "
    "which chain a point is), and stand in its middle."
)


# ---- the choice -----------------------------------------------------------------------------------------------------


def suggestion(data: datasets.Dataset) -> selection.Suggestion:
    """The suggested (θ, ε) of a data set (of its sample, when it is large)."""
    with bar("Trying small θ") as tick:
        return answers.chain_suggestion(loading.sample(data), session.settings(), tick)


@dataclass(frozen=True, eq=False)
class Choice:
    """Where the person stands: the chaining at θ, and ε."""

    chaining: selection.Chaining
    epsilon: float

    @property
    def theta(self) -> float:
        return self.chaining.theta


def current(data: datasets.Dataset, verdict: selection.Verdict, suggested: selection.Suggestion) -> Choice:
    """The person's θ and ε, else the verdict's where it is TNC's, else the suggested ones."""
    theta, epsilon = _chosen(data)
    if theta is None:
        start = verdict if verdict.algorithm == "TNC" else suggested
        theta, epsilon = start.theta, start.epsilon if epsilon is None else epsilon
    points = loading.sample(data)
    slot = st.empty()
    text = f"Small clusters at θ = {short(theta)}…"
    chaining = answers.chaining(points, theta, session.settings(), Ticker(lambda *_: slot.caption(text), every=0.4))
    slot.empty()
    return Choice(chaining, selection.default_epsilon(chaining) if epsilon is None else epsilon)


def _chosen(data: datasets.Dataset) -> tuple[float | None, float | None]:
    settings = _in_use(data)
    if settings.algorithm == "TNC":
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


def _in_use(data: datasets.Dataset) -> session.Settings:
    return answers.resolve_algorithm(loading.sample(data), session.settings())


def choose(data: datasets.Dataset, theta: float, epsilon: float | None = None) -> None:
    """Stand at θ and ε (by default the middle of the widest range there); for callbacks."""
    if _in_use(data).algorithm == "TNC":
        session.update(algorithm="TNC", theta=float(theta), epsilon=epsilon)
        return
    last = "best" if epsilon is None else repr(float(epsilon))
    session.set_option(_OPTION, f"{data.digest[:8]} {float(theta)!r} {last}")


def use(theta: float, epsilon: float) -> None:
    """Put TNC with θ and ε in use on every page; for callbacks."""
    session.update(algorithm="TNC", theta=float(theta), epsilon=float(epsilon))


# ---- above the timeline ---------------------------------------------------------------------------------------------


def answer(data: datasets.Dataset, verdict: selection.Verdict, suggested: selection.Suggestion, choice: Choice) -> None:
    """The verdict, and its chains as a heading where it is TNC's; else what chaining alone would say, below it."""
    views = {
        "TDG": "This page looks at chains, which round clusters do not need.",
        "TNC": "",
        None: "",
    }
    verdicts.show(data, verdict, views[verdict.algorithm])
    if verdict.algorithm == "TNC":
        st.markdown(f"### {_holds(verdict.n_clusters, verdict.low, verdict.high, verdict.theta)}")
    else:
        _chaining_alone(data, suggested, (choice.theta, choice.epsilon))
        nothing = verdict.algorithm is None and suggested.tried["epsilon"].isna().all()  # as the verdict has said
        if not suggested.stands_out and not nothing:
            st.caption(f"Chaining alone: {suggested.reason}")
    if not suggested.stands_out:
        shapes("Shapes that do chain:")


def _holds(k: int, low: float, high: float, theta: float) -> str:
    return f"{count(k, 'chain')}, for every ε from {short(low)} to {short(high)} at θ = {short(theta)}"


def _chaining_alone(data: datasets.Dataset, suggested: selection.Suggestion, here: tuple[float, float]) -> None:
    """The suggested chains where the verdict is another, with the button that goes there."""
    place = f"θ = {short(suggested.theta)}, ε = {short(suggested.epsilon)}"
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        if suggested.stands_out:
            ends = suggested.epsilon_low, suggested.epsilon_high
            said = _holds(suggested.n_chains, *ends, suggested.theta)
            st.markdown(f"Chaining alone: {said}", width="content")
        st.button(
            f"{'Suggested' if suggested.stands_out else 'Strongest'}: {place}",
            key="go-suggested",
            on_click=choose,
            args=(data, suggested.theta, suggested.epsilon),
            disabled=here == (suggested.theta, suggested.epsilon),
            icon=":material/target:",
            help=f"{RULE} {suggested.reason}",
        )


def shapes(words: str) -> None:
    """One click to a data set that chains."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="shapes"):
        st.markdown(words, width="content")
        for spec in datasets.CATALOGUE.under(datasets.SHAPES):
            here = session.spec() == spec
            if st.button(spec.label, key=f"shape-{spec.key}", type="tertiary", disabled=here):
                session.choose(spec)
                st.rerun()


def choices(data: datasets.Dataset, choice: Choice) -> None:
    """θ as a slider, θ and ε as boxes, and the shared settings."""
    offered = sorted({*map(float, sweeps.theta_grid(loading.sample(data))), choice.theta})
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
        length = {"min_value": 0.0, "step": step, "width": 160}
        st.number_input(
            "Exact θ",
            format=controls.length_format(choice.theta),
            **length,
            **controls.bound("chain-theta-box", choice.theta, lambda v: v is not None and choose(data, v)),
        )
        st.number_input(
            "Exact ε",
            format=controls.length_format(choice.epsilon),
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
    packed = of_epsilon.epsilon_timeline(data, choice.chaining, choice.epsilon, session.settings())
    value, serial = CURSOR.placed((data.digest, choice.theta, choice.epsilon), choice.epsilon)

    def released(epsilon: float) -> None:
        CURSOR.moved((data.digest, choice.theta, epsilon), epsilon)
        choose(data, choice.theta, epsilon)

    points, marks = loading.sample(data), session.settings().marks
    rows = row_positions({row for row, _ in (*marks.names, *marks.colours)}, data, points)
    timeline.show(
        packed,
        value,
        key="epsilon-timeline",
        serial=serial,
        on_value=released,
        beside=beside(marks, rows, chosen=inside.chosen_point(points, data)),
        on_cluster=lambda i: inside.marked(points, data, i),
    )
    projection.watch(points, projections.available_projection(points, session.settings().projection))


def show_clusters(data: datasets.Dataset, choice: Choice) -> None:
    """What is in a chain."""
    clustering, tdg = clustering_of(data, choice), choice.chaining.tdg
    groups, points = clustering.groups, clustering.points
    positions = projections.positions(points, projections.available_projection(points, session.settings().projection))
    frame = timeline.Frame(
        choice.epsilon,
        groups.labels,
        groups.sizes,
        positions[:0],
        centroid_cluster=groups.owner,
        outliers=groups.outliers,
    )

    def joins(i: int, j: int) -> str:
        return chain_above(profiles.joining_epsilon(choice.chaining.tree, int(tdg.labels[i]), int(tdg.labels[j])))

    at = f"epsilon={choice.epsilon:.4g}"
    inside.show(inside.ClusterView(clustering, points, frame, positions, joins, at, merges=False), st.empty())


# ---- after release --------------------------------------------------------------------------------------------------


def show_findings(data: datasets.Dataset, choice: Choice, verdict: selection.Verdict) -> None:
    """What holds where the person stands, what is odd about it, and the button that puts it in use."""
    groups = clustering_of(data, choice).groups
    k = groups.n_clusters
    lengths = f"θ = {short(choice.theta)}, ε = {short(choice.epsilon)}"
    st.html(
        f'<div data-testid="findings" data-theta="{choice.theta!r}" data-epsilon="{choice.epsilon!r}" data-k="{k}" '
        f'role="status"><b>{lengths}</b> {data.unit}: {count(choice.chaining.n_clusters, "small cluster")} in '
        f"<b>{count(k, 'chain')}</b> {outlier_groups(groups.outliers)}</div>"
    )
    expected = verdict.algorithm is None and _chosen(data)[0] is None
    for sentence in [] if expected else selection.chain_warnings(choice.chaining, choice.epsilon)[:1]:
        st.warning(sentence, icon=":material/warning:")


def apply(data: datasets.Dataset, choice: Choice) -> None:
    """The button that puts this θ and ε in use, or the line that says they are: with TNC in use they always are."""
    in_use = _in_use(data).algorithm == "TNC"
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
        links.see_in_explore()


def clustering_of(data: datasets.Dataset, choice: Choice) -> Clustering:
    """The chains the person looks at."""
    points, settings = loading.sample(data), session.settings()
    merges = merge_anchors(settings.marks.merges, data, points)
    groups = grouped(choice.chaining.tdg, choice.chaining, choice.epsilon, merges)
    rest = (choice.theta, choice.epsilon, settings.shuffles, settings.seed, settings.marks)
    return Clustering(data, points, groups, "TNC", *rest)


def show_export(data: datasets.Dataset, choice: Choice, verdict: selection.Verdict) -> None:
    """The same exports as on Explore, K' over ε, and the picture as a page of its own."""
    clustering = clustering_of(data, choice)
    points = clustering.points
    projection = projections.available_projection(points, session.settings().projection)

    def more(name: str) -> None:
        profile = selection.chain_profile(choice.chaining)
        downloads.csv("K' over ε", profile, f"chains-{name}", help="A row for each range of ε with the same chains.")
        figure = picture(data, choice)
        downloads.html(
            "Picture as HTML",
            lambda: charts.page(figures.chain_figure(figure), name),
            name,
            help="The points, the chains and their graph; it stands on its own.",
        )

    drawn = projections.positions(points, projection), points.rows, projection
    export.show(clustering, verdict, drawn, more=more)


def picture(data: datasets.Dataset, choice: Choice) -> figures.ChainPicture:
    """The points that are drawn, their chains and the graph, as a figure takes them."""
    clustering = clustering_of(data, choice)
    points, groups = clustering.points, clustering.groups
    place = projections.positions(points, projections.available_projection(points, session.settings().projection))
    k = groups.n_clusters
    title = f"{data.name}: θ = {short(choice.theta)}, ε = {short(choice.epsilon)}, {count(k, 'chain')}"
    if not points.whole:
        title += f" (showing {len(points.X):,} of {points.total:,} points)"
    drawn = of_theta.middles(place, groups.parts, len(groups.centroids))
    return figures.ChainPicture(place, groups.labels, drawn, groups.links, title)


# ---- why this θ -----------------------------------------------------------------------------------------------------


def show_map(data: datasets.Dataset, suggested: selection.Suggestion, choice: Choice) -> None:
    """K' over θ and ε, and the widest range at each θ with a button that goes there."""
    st.subheader("Over which θ and ε do the chains hold?", anchor=False)
    st.caption(RULE)
    points, settings = loading.sample(data), session.settings()
    known = answers.small_chainings(points, settings)
    key = (points.key, settings.shuffles, settings.seed, "map")
    found = store.PICTURES.get_or_make(key, lambda: selection.chain_map(known))
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
            "Each column is one θ, each colour a number of chains (outlier groups not counted): a tall "
            "stretch of one colour is a number that holds over a wide range of ε. The bar with the star is the "
            "strongest, the ring is where you are."
        )
    with right:
        _table(data, suggested)


def _table(data: datasets.Dataset, suggested: selection.Suggestion) -> None:
    rows = suggested.tried.dropna(subset=["epsilon"]).sort_values("strength", ascending=False)
    if len(rows) == 0:
        st.caption("No small θ has a range of ε with two or more chains.")
        return
    answers = list(zip(rows["theta"], rows["epsilon"]))

    def clicked() -> None:
        click = st.session_state.get("chain-table-click")
        if click is not None and 0 <= click["row"] < len(answers):
            choose(data, *answers[click["row"]])

    shown = pd.DataFrame(
        {
            "go": [f"θ = {short(theta)}" for theta, _ in answers],
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
        "n_chains": number("chains", help="Outlier groups are not counted."),
        "low": number("ε from"),
        "high": number("ε to"),
        "factor": number("factor", format="%.2f", help="ε to divided by ε from: how wide the range is."),
        "chance": number("by chance", format="%.2f", help="How wide a range can be by chance with so many clusters."),
    }
    written = shown.style.format({"low": short, "high": short})
    st.dataframe(written, key="chain-table", hide_index=True, column_config=config, alt="The widest range at each θ.")
    downloads.csv("Table as CSV", rows, downloads.file_name("chain-ranges", data.name))
