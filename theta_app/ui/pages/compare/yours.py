"""The person's own comparison: their data, the methods they pick, parameters that start from θ."""

from dataclasses import replace

import streamlit as st

from theta_app import datasets, metrics, selection
from theta_app.compare import METHODS, OURS, Variant, plain_numbers, start_values
from theta_app.compare.measure import OK
from theta_app.compare.steps import Step, columns
from theta_app.ui import answers, loading, session, store, sweeps
from theta_app.ui.pages.compare import live, views
from theta_app.ui.timeline import of_theta
from theta_app.ui.timeline.look import look_of
from theta_app.ui.widgets import controls, downloads, progress, sweeping
from theta_app.ui.widgets import verdict as verdicts
from theta_app.ui.widgets.words import count, short

_FIRST = ("tsg", "tdg", "kmeans++", "birch", "hdbscan")


def show(data: datasets.Dataset) -> None:
    points, verdict = loading.sample(data), verdicts.of(data)
    verdicts.show(data, verdict)
    settings = answers.resolve_algorithm(points, session.settings())
    start = _start(data, verdict, settings)
    first = (*_FIRST, "tnc") if settings.algorithm == "TNC" else _FIRST
    methods = _methods(first)
    scores = _scores(data)
    left, middle, right = st.columns(3)
    with left:
        repeats = _number("Repeats", "cmp_repeats", 3, 1, 50, "Runs of each method, with another seed and order each.")
    with middle:
        budget = _number("Seconds a run may take", "cmp_budget", 30, 1, 600, "A method that takes longer is given up.")
    with right:
        tolerance = _tolerance(data, scores)
    shuffle = st.toggle(
        "Visit the points in a random order",
        help="A new one for every repeat, the same for every method. Off: the order of the rows, which helps one-pass "
        "methods where rows are sorted by cluster.",
        **controls.option("cmp_shuffle", True),
    )
    if said := plain_numbers(data.metric):
        st.caption(said)
    variants = _variants(methods, start, _chains(points, verdict, settings), data.metric)
    plan = live.Plan(
        tuple(
            Step(data.name, data.digest, repeat, variant, shuffle, tolerance, repeat == 0)
            for repeat in range(repeats)
            for variant in variants
        ),
        float(budget),
        (data.digest, data.X, data.truth, points.metric),
    )
    clustering = _clustering(data, settings)
    yours = _row(clustering, scores, tolerance)
    live.panel(plan, lambda known: _draw(data, known, scores, yours, clustering.settings()))


def _clustering(data, settings):
    """What the person looks at on Explore."""
    points = loading.sample(data)
    look = look_of(points, replace(settings, projection="none"), data)
    theta = settings.theta if settings.theta is not None else of_theta.shown_sweep(points, settings, (), look).start
    with progress.bar(f"{settings.algorithm} at θ = {short(theta)}") as tick:
        sweeps.theta_point(points, theta, settings, tick)
    return of_theta.clustering_at(of_theta.shown_sweep(points, settings, (theta,), look), data, theta)


def _row(clustering, scores, tolerance):
    """The clusters on the screen as a row of the table: the numbers that Explore shows, not a run of their own."""
    points, groups = clustering.points, clustering.groups
    key = (points.key, "yours", groups.labels.tobytes(), tuple(scores), tolerance)
    centroids = None if groups.joined else groups.centroids
    sample = sweeps.silhouette_points(points)
    found = store.MEASURED.get_or_make(
        key, lambda: metrics.scores(scores, points.X, groups.labels, points.truth, centroids, tolerance, sample)
    )
    epsilon = "" if clustering.epsilon is None else f", ε = {short(clustering.epsilon)}"
    return dict.fromkeys(columns()) | {
        "case": clustering.data.name,
        "repeat": 0,
        "label": "Your clusters",
        "method": clustering.algorithm.lower(),
        "parameters": f"{clustering.algorithm}, θ = {short(clustering.theta)}{epsilon}",
        "status": OK,
        "note": "As on Explore." + ("" if points.whole else f" Scored on {points.sentence}."),
        "seconds": groups.seconds,
        "n_clusters": clustering.n_clusters,
        "outliers": 0,
        **found,
    }


def _start(data, verdict, settings):
    """Where the parameters start: θ and K where the person stands, which is the verdict until they choose."""
    points, sweep = loading.sample(data), sweeping.complete_sweep(data, settings)
    # TNC's θ is for small clusters: what TDG and the other methods start from is TDG's own best
    own = settings.theta is not None and settings.algorithm != "TNC"
    theta = settings.theta if own else selection.theta_of_tdg(sweep, verdict)
    k = _told(points, verdict, settings, theta)

    def make():
        return start_values(points.X, theta, k, epsilon=settings.epsilon, shuffles=settings.shuffles)

    key = (points.key, "start", theta, k, settings.epsilon, settings.shuffles, settings.seed)
    start = store.MEASURED.get_or_make(key, make)
    how = "as set" if own else "TDG's best for these data"
    st.markdown(f"Parameters start from **θ = {short(theta)}** ({how}) and **K = {start.k}**.")
    return start


def _told(points, verdict, settings, theta):
    """K for the methods that ask for it: of the verdict until the person chooses θ, then of what they look at."""
    if settings.theta is None and verdict.algorithm is not None:
        return verdict.n_clusters
    place = settings.theta if settings.algorithm == "TNC" and settings.theta is not None else theta
    with progress.bar(f"TDG at θ = {short(place)}") as tick:
        point = sweeps.theta_point(points, place, settings, tick)
    return of_theta.theta_frame(points, point, settings, "").k


def _chains(points, verdict, settings):
    """θ and ε of TNC where it is in use; empty where it is not."""
    theta = settings.theta if settings.theta is not None else verdict.theta
    if settings.algorithm != "TNC" or (settings.theta is None and verdict.algorithm != "TNC"):
        return {}
    return {"theta": theta, "epsilon": answers.epsilon_at(points, settings, theta)}


def _many(label, option, table, default, name, **extra):
    """Several keys of a table, kept in the link as one text."""
    kept = [key for key in session.option(option, ",".join(default)).split(",") if key in table]
    return st.multiselect(
        label,
        list(table),
        format_func=name,
        **controls.bound(f"option.{option}", kept, lambda value: session.set_option(option, ",".join(value))),
        **extra,
    )


def _methods(first):
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = _many("Methods", "cmp_methods", METHODS, first, lambda key: METHODS[key].label)
        everything = lambda: session.set_option("cmp_methods", ",".join(METHODS))  # noqa: E731
        help = "Slow ones are given up after the seconds that a run may take."
        st.button("All methods", on_click=everything, disabled=len(chosen) == len(METHODS), help=help)
    return chosen


def _scores(data):
    usable = {key: score for key, score in metrics.SCORES.items() if data.truth is not None or not score.needs_truth}
    place = "compare without truth" if data.truth is None else "compare"
    default = metrics.shown_in(place, data.truth is not None)
    text = "\n".join(f"- **{score.label}**: {score.help}" for score in usable.values())
    return _many("Scores", "cmp_scores", usable, default, lambda key: usable[key].label, help=text)


def _number(label, option, default, low, high, help, **extra):
    value = min(max(session.option(option, default), low), high)  # a link may say anything
    keep = lambda value: value is not None and session.set_option(option, value)  # noqa: E731
    return st.number_input(label, low, high, help=help, **controls.bound(f"option.{option}", value, keep), **extra)


def _tolerance(data, scores):
    if data.truth is None or "ssd" not in scores:
        return None
    usual = float(f"{metrics.default_tolerance(data.X, data.truth, data.metric):.3g}")
    help = (
        "How near a found centroid must be to a true one for the SSD score, in the units of the data. Opens with a "
        "tenth of a typical cluster's radius."
    )
    written = controls.length_format(usual)
    return float(_number("SSD tolerance", "cmp_tolerance", usual, 0.0, 1e12, help, format=written))


def _variants(methods, start, chains, metric):
    """The chosen methods with their parameters, which can be changed in place.

    ``chains`` are those of TNC in use; ``metric`` is how distances are measured by the methods that can.
    """
    variants = []
    with st.expander("Parameters, and what each method is"):
        for key in methods:
            method = METHODS[key]
            opening = {**method.start(start), **(chains if key == "tnc" else {})}
            st.markdown(f"**{method.label}** · {method.about} *{method.source}.*")
            values = {}
            for cell, setting in zip(views.cells(len(method.settings), 3), method.settings):
                with cell:
                    values[setting.name] = _parameter(method, setting, opening[setting.name])
            variants.append(Variant.of(key, **values, **({"metric": metric} if method.group == OURS else {})))
        if methods:
            st.button("Back to the starting values", on_click=_reset, args=(methods,))
    return variants


def _option_name(method, setting):
    return f"p_{method.key.replace('+', 'p')}_{setting.name}"


def _parameter(method, setting, opening):
    option = _option_name(method, setting)
    if setting.choices:
        value = session.option(option, opening)
        value = value if value in setting.choices else opening
        keep = lambda value: session.set_option(option, value)  # noqa: E731
        return st.selectbox(
            setting.label, setting.choices, help=setting.help, **controls.bound(f"option.{option}", value, keep)
        )
    kind = {"format": controls.length_format(opening)} if setting.kind is float else {"step": 1}
    return _number(setting.label, option, opening, setting.low, setting.high, setting.help, **kind)


def _reset(methods):
    for key in methods:
        for setting in METHODS[key].settings:
            session.set_option(_option_name(METHODS[key], setting), "")


def _without_outliers(row):
    """A row whose K counts outliers no more than any other page does; its note says how many there are."""
    if not row["outliers"]:
        return row
    note = f"Plus {count(row['outliers'], 'outlier group')}, which K does not count. {row['note']}".strip()
    return row | {"n_clusters": row["n_clusters"] - row["outliers"], "note": note}


def _draw(data, known, scores, yours, settings):
    if not known:
        st.info("Nothing has been measured yet. Results appear as they come, and stay when you change the choice.")
        return
    rows = [_without_outliers(row) for row, _ in known.values()]
    table = views.results_table([yours, *rows], scores, "yours")
    name = downloads.file_name("theta-compare", data.name)
    views.table_downloads(rows, table, name, settings)
    views.time_and_quality(rows, "yours", data.truth is not None)
    found = {step.variant.label: picture for step, (_, picture) in known.items() if picture is not None}
    if found:
        st.subheader("Clusterings side by side", anchor=False)
        views.pictures(data, found, rows, "yours")
    st.subheader("Over the repeats", anchor=False)
    views.score_charts(rows, scores, "yours")
