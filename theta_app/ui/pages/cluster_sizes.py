"""The parts of the page Cluster sizes."""

import numpy as np
import pandas as pd
import streamlit as st

from theta_app import datasets, metrics, selection
from theta_app.clustering import Clustering, kept_clustering
from theta_app.compare import s_sets
from theta_app.figures import sizes as figures
from theta_app.ui import answers, loading, projections, scheduled, session, shell, store
from theta_app.ui.widgets import charts, controls, downloads, export, from_the_paper, projection, use_theta
from theta_app.ui.widgets import verdict as verdicts
from theta_app.ui.widgets.progress import bar
from theta_app.ui.widgets.words import count, short

_DRAWN = 5000  # points in the picture: drawn as SVG, so that it can be taken away as such
_SET_NAMES = ("s1", "s2", "s3", "s4")


def answer(data: datasets.Dataset, verdict: selection.Verdict) -> None:
    """The verdict, and what sizes have to do with it."""
    views = {
        "TDG": "Sizes are a second witness: a little below the verdict's θ as many clusters should stand out.",
        "TNC": "This page looks at TDG alone, whose clusters are round: its sizes say nothing about chains.",
        None: "Sizes below are of pieces that TDG alone would cut.",
    }
    verdicts.show(data, verdict, views[verdict.algorithm], explore=True)


# ---- the θ to look at -----------------------------------------------------------------------------------------------


def choose_theta(sweep: selection.Sweep, theta: float) -> None:
    """A slider over the swept θ; it puts the chosen one in use on every page."""
    options = sorted({theta, *sweep.points})
    if len(options) < 2:
        return
    st.select_slider(
        "θ",
        options,
        format_func=short,
        help="Try a θ below the recommended one: clusters then come with crumbs, and the drop tells them apart.",
        **controls.bound("sizes-theta", theta, use_theta.use),
    )


# ---- sizes at this θ ------------------------------------------------------------------------------------------------


def size_section(
    data: datasets.Dataset, settings: session.Settings, point: selection.ThetaPoint, verdict: selection.Verdict
) -> Clustering:
    """The sizes, the drop, how many to keep, and what that does to the points and the scores: what is kept."""
    points = loading.sample(data)
    drop = selection.size_drop(point.tdg.sizes)
    _heading(drop, point.theta, verdict)
    k = _keep_slider(data, drop)
    rest = (point.theta, point.row["shuffles"], settings.seed, settings.marks)
    kept = kept_clustering(data, points, point.tdg, k, "TDG", *rest)
    left, right = st.columns(2, gap="medium")
    name = downloads.file_name(data.name, f"theta={point.theta:.4g}")
    with left:
        alt = f"Sizes of {count(len(drop.sizes), 'cluster')} in descending order. {_finding(drop)}"
        charts.show(
            figures.sizes_figure(drop, _numbers(point, kept)), "sizes", name=f"sizes-{name}", alt=alt, table=drop.table
        )
    with right:
        _picture(points, settings, point, kept, name)
    st.caption(
        "Bars are the clusters at this θ, largest first; where their sizes drop, the clusters end and the crumbs "
        "between them begin. Keeping the largest gives every point left over to the nearest cluster that is kept."
        + ("" if points.whole else f" Computed on {points.sentence}.")
    )
    _scores(points, point, kept, name)
    return kept


def _numbers(point: selection.ThetaPoint, kept: Clustering) -> list[int]:
    """The number of each cluster that is kept, from the largest before all points were given to them."""
    largest = np.argsort(-point.tdg.sizes, kind="stable")[: kept.keep].tolist()
    numbers = dict(zip(kept.groups.order.tolist(), range(kept.n_clusters)))
    return [numbers.get(k, kept.n_clusters) for k in largest]


def _heading(drop: selection.SizeDrop, theta: float, verdict: selection.Verdict) -> None:
    """What the sizes say at θ: a heading where the verdict is TDG's, else no more than a line of text."""
    if verdict.algorithm != "TDG":
        said = _finding(drop)
        st.markdown(f"TDG alone, at θ = {short(theta)}: {said[0].lower()}{said[1:]}")
        return
    st.markdown(f"### {_finding(drop)}")
    if theta == verdict.theta and drop.suggested != verdict.n_clusters:
        st.caption(
            f"The verdict has {verdict.n_clusters:,}: it asks whether points are sparse between clusters, and a small "
            "cluster can be as real as a large one."
        )


def _finding(drop: selection.SizeDrop) -> str:
    total = len(drop.sizes)
    if total == 1:
        return "One cluster holds everything: lower θ to see sizes drop."
    if not drop.notable:
        return f"No notable drop: the sizes are even, and all {total:,} clusters stand."
    stand = f"{drop.suggested:,} of {count(total, 'cluster')} stand{'s' if drop.suggested == 1 else ''} out"
    return f"{stand}: after number {drop.suggested:,}, sizes drop by {drop.drop:.0%}."


def _keep_slider(data: datasets.Dataset, drop: selection.SizeDrop) -> int:
    """How many clusters to keep: what the drop suggests until the person says otherwise for this data set."""
    total = len(drop.sizes)
    if total < 2:
        return total
    own, _, text = session.option("keep", "").partition(":")
    chosen = int(text) if own == data.digest[:8] and text.isdigit() else drop.suggested
    chosen = min(max(chosen, 1), total)

    def keep(value) -> None:
        session.set_option("keep", _option(data, value))

    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        st.slider("Keep the largest", 1, total, **controls.bound("keep", chosen, keep))
        if chosen != drop.suggested:
            label = f"Back to {drop.suggested:,}, as suggested"
            st.button(label, on_click=session.set_option, args=("keep", ""), key="keep-suggested")
    return chosen


def _option(data: datasets.Dataset, k: int) -> str:
    """How many are kept of this data set, for links."""
    return f"{data.digest[:8]}:{k}"


def _picture(points, settings, point, kept: Clustering, name: str) -> None:
    rows = selection.fair_sample(len(points.X), _DRAWN)
    drawn = projections.available_projection(points, settings.projection)
    positions = projections.positions(points, drawn)[rows]
    clusters = kept.groups.labels[rows]
    left = ~np.isin(point.tdg.labels[rows], kept.groups.order)
    views = {"left": "What is left over", "reassigned": "Reassigned"}
    view = session.option("kept_view", "left")
    flat = points.X.shape[1] == 2
    alt = f"The points of the {kept.keep} largest clusters in colour, {int(left.sum()):,} left over."
    table = pd.DataFrame({"x": positions[:, 0], "y": positions[:, 1], "cluster": clusters, "left_over": left})
    figure = figures.kept_figure(table, view == "reassigned", same_scale=flat, aspect=points.aspect)
    charts.show(figure, "kept", name=f"kept-{kept.keep}-{name}", alt=alt, table=table)
    if view not in views:
        session.set_option("kept_view", "left")
    st.segmented_control(
        "Picture",
        list(views),
        format_func=views.get,
        required=True,
        label_visibility="collapsed",
        **controls.option("kept_view", "left"),
    )
    notes = [] if flat else [f"{points.X.shape[1]} features drawn flat; clustering uses all of them."]
    notes += [f"Showing {len(rows):,} of {points.total:,} points."] if len(rows) < points.total else []
    if notes:
        st.caption(" ".join(notes))
    projection.watch(points, drawn)


def _scores(points, point, kept: Clustering, name: str) -> None:
    """Scores before and after."""
    st.subheader("Before and after", anchor=False)
    names = metrics.shown_in("table", points.truth is not None)

    def scored():
        both = (("as found", point.tdg), (f"largest {kept.keep:,}, reassigned", kept.groups))
        return pd.DataFrame(
            {"clustering": words, "clusters": len(result.sizes), **answers.scores(points, result.labels, names)}
            for words, result in both
        )

    key = (points.key, "before and after", point.theta, point.tdg.sizes.tobytes(), kept.keep)
    table = store.MEASURED.get_or_make(key, scored)
    config = {
        name: st.column_config.NumberColumn(metrics.SCORES[name].label, format="%.3f", help=metrics.SCORES[name].help)
        for name in names
    }
    st.dataframe(table, hide_index=True, column_config=config, alt="Scores before and after keeping the largest.")
    downloads.csv("Scores as CSV", table, f"scores-{name}")


def show_export(kept: Clustering, settings: session.Settings, verdict: selection.Verdict) -> None:
    """The same exports as on Explore, of the clusters that are kept."""
    points = kept.points
    projection = projections.available_projection(points, settings.projection)

    drawn = projections.positions(points, projection), points.rows, projection
    export.show(kept, verdict, drawn, options={"keep": _option(kept.data, kept.keep)})


# ---- over θ ---------------------------------------------------------------------------------------------------------

_STEADY_COLUMNS = {
    "theta_low": st.column_config.NumberColumn("from"),
    "theta_high": st.column_config.NumberColumn("to"),
    "suggested": st.column_config.NumberColumn("stand out", help="Clusters before the drop; all where there is none."),
    "drop": st.column_config.NumberColumn("mean drop", format="percent"),
    "relative_width": st.column_config.NumberColumn(
        "relative width", format="%.2f", help="The natural logarithm of to / from: 0.69 is a factor of two."
    ),
}


def drop_section(data: datasets.Dataset, sweep: selection.Sweep, verdict: selection.Verdict) -> None:
    """The suggested number against θ, and the ranges where it is steady; a click uses a range's middle."""
    st.subheader("Where is the suggestion steady?", anchor=False)
    drops = selection.drops_over_theta(sweep.points.values())
    steady = selection.steady_ranges(drops)
    st.markdown(_steadiest(steady, verdict))
    figure = figures.drop_figure(drops, steady, session.settings().theta, data.unit)
    alt = f"Number of clusters that stand out against θ, {count(len(steady), 'steady range')}."
    charts.show(figure, "drops", name=f"size-drop-{data.name}", alt=alt, table=drops)
    st.caption(
        "Each point is the number of clusters before the drop in size at that θ; bands are where neighbours "
        "agree on it. A few large clusters can agree over a wide range as well, so look at the sizes before you choose."
    )
    if len(steady):
        alt = "Ranges of θ in which the suggested number is steady, widest first."
        use_theta.table(steady[list(_STEADY_COLUMNS)], steady["theta"], "steady-table", _STEADY_COLUMNS, alt)


def _steadiest(steady: pd.DataFrame, verdict: selection.Verdict) -> str:
    """The widest steady range, of the verdict's number where there is one: sizes are a witness, not another answer."""
    if len(steady) == 0:
        return "The suggestion changes with every θ: sizes alone do not tell a number of clusters here."
    same = steady[steady["suggested"] == verdict.n_clusters] if verdict.algorithm == "TDG" else steady[:0]
    best = (same if len(same) else steady).iloc[0]
    between = f"from θ = {short(best['theta_low'])} to {short(best['theta_high'])}"
    if len(same):
        return f"Sizes agree with the verdict: **{best['suggested']:.0f} clusters** stand out {between}."
    return f"By sizes alone {best['suggested']:.0f} clusters stand out {between}; the verdict does not rest on sizes."


# ---- S1 to S4 -------------------------------------------------------------------------------------------------------


@shell.fragment
def set_section() -> None:
    """S1 to S4 side by side as in the paper."""
    from_the_paper.section("S1 to S4, as in the paper", "paper-sets", _sets)


def _sets() -> None:
    st.markdown(
        "Four sets of 5,000 points in 15 clusters that overlap more and more. TDG finds more clusters than 15; the "
        "dashed line is where the sizes should drop."
    )
    settings = session.settings()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        theta = _set_theta()
        specs = _set_specs()
    session.write_url()  # a fragment runs without the frame, which does this for a page
    results = []
    with bar("TDG and K-Means++ on four sets") as tick:
        for i, spec in enumerate(specs):
            tick(i, len(specs))
            results.append(_set_result(spec, theta, settings, lambda *_, i=i: tick(i, len(specs))))
    table = s_sets.set_table(results)
    alt = "Points per cluster in descending order for four sets: " + ", ".join(
        f"{r.name} drops after {r.drop.suggested}" for r in results
    )
    charts.show(figures.set_figure(results), "sets", name="s1-s4-sizes", alt=alt, table=s_sets.size_table(results))
    st.dataframe(table, hide_index=True, column_config=_SET_COLUMNS, alt="NMI of TDG's largest 15 and of K-Means++.")
    downloads.csv("NMI table as CSV", table, "s1-s4-nmi")
    _claims(table)


_SET_COLUMNS = {
    "n_clusters": st.column_config.NumberColumn("K (TDG)"),
    "suggested": st.column_config.NumberColumn("drop after"),
    "nmi_all": st.column_config.NumberColumn("NMI, all of TDG's", format="%.3f"),
    "nmi_top": st.column_config.NumberColumn("NMI, its largest 15", format="%.3f", help="Every point reassigned."),
    "nmi_kmeans": st.column_config.NumberColumn(
        "NMI, K-Means++", format="%.3f", help="Told the true number, 15; 10 starts of at most 300 iterations."
    ),
    "difference": st.column_config.NumberColumn("largest 15 − K-Means++", format="%+.3f"),
}


def _set_theta() -> float:
    bound = controls.option("sets_theta", 1e5)
    st.session_state[bound["key"]] = min(max(st.session_state[bound["key"]], 1e4), 1e6)  # a link may say anything
    help = "In the units of these four sets, whose points lie in a square of a million by a million."
    return st.number_input("θ for these sets", 1e4, 1e6, step=5e3, format="%.0f", width=170, help=help, **bound)


def _set_specs() -> list:
    """The look-alikes, or the originals where they have been downloaded."""
    fetched = [name for name in _SET_NAMES if datasets.is_fetched(name)]
    if not fetched:
        st.caption("Look-alikes; the original points can be downloaded on the Data page.", width="content")
        return [datasets.Bundled(name) for name in _SET_NAMES]
    sources = {"lookalikes": "Look-alikes", "originals": "Originals"}
    if session.option("sets", "lookalikes") not in sources:
        session.set_option("sets", "lookalikes")
    source = st.segmented_control(
        "Points", list(sources), format_func=sources.get, required=True, **controls.option("sets", "lookalikes")
    )
    original = fetched if source == "originals" else []
    return [datasets.Original(name) if name in original else datasets.Bundled(name) for name in _SET_NAMES]


def _set_result(spec, theta: float, settings: session.Settings, progress) -> s_sets.SetResult:
    data = loading.dataset(spec, datasets.Preparation())

    def work(report, cancel):
        return s_sets.set_result(data.name, data.X, data.truth, theta, settings.shuffles, settings.seed)

    key = (data.digest, "set", data.name, theta, settings.shuffles, settings.seed)
    return scheduled.run(key, work, progress, store.MEASURED)


def _claims(table: pd.DataFrame) -> None:
    """What the paper says beside what was measured here."""
    said, measured = st.columns(2, gap="medium")
    with said, st.container(border=True):
        st.markdown(
            "**The paper says**\n\n"
            "“There is a notable drop in the points per cluster after passing the correct number of clusters.”\n\n"
            "“The resulting clusters are closer to the ground truth than K-Means++.”"
        )
    dropped = int((table["suggested"] == s_sets.TRUE_K).sum())
    closer = int((table["difference"] > metrics.CLOSE).sum())
    farther = int((table["difference"] < -metrics.CLOSE).sum())
    same = len(table) - closer - farther
    with measured, st.container(border=True):
        st.markdown(
            "**Measured here**\n\n"
            f"The drop falls after the 15th cluster on {dropped} of {len(table)} sets.\n\n"
            f"TDG's largest 15 are closer to the truth than K-Means++ on {closer}, as close (within "
            f"{metrics.CLOSE:g}) on {same}, and farther on {farther} of {len(table)} sets. Both use the number 15: "
            "K-Means++ from the start, TDG when its largest 15 are kept."
        )
