"""The parts of the page Optimal θ."""

import numpy as np
import pandas as pd
import streamlit as st

from theta_app import datasets, selection
from theta_app.figures import ranges as figures
from theta_app.ui import answers, loading, scheduled, session, shell, store, sweeps
from theta_app.ui.widgets import charts, controls, downloads, from_the_paper, on_request, use_theta
from theta_app.ui.widgets import verdict as verdicts
from theta_app.ui.widgets.progress import bar
from theta_app.ui.widgets.words import as_angle, count, short

_MAP_COLUMNS = 48
_MAP_UNASKED = 20_000  # values (points x features) up to which the map is a matter of seconds
_SPACINGS = (11.0, 7.5, 5.0)
_SIDE, _PER_CLUSTER = 5, 100  # the paper's figure: 25 clusters


# ---- the ranges -----------------------------------------------------------------------------------------------------


def table_with_nmi(data: datasets.Dataset, settings: session.Settings, sweep: selection.Sweep) -> pd.DataFrame:
    """The sweep's table, with NMI where the truth is known."""
    points, table = loading.sample(data), sweep.table
    if points.truth is None or len(np.unique(points.truth)) < 2:  # one class agrees with nothing but itself
        return table

    def scored() -> list[float]:
        return [answers.scores(points, sweep.points[theta].tdg.labels, ["nmi"])["nmi"] for theta in table["theta"]]

    key = (points.key, "nmi", table["theta"].to_numpy().tobytes(), settings.shuffles, settings.seed)
    return table.assign(nmi=store.MEASURED.get_or_make(key, scored))


def answer(data: datasets.Dataset, verdict: selection.Verdict, sweep: selection.Sweep) -> pd.DataFrame:
    """The verdict, and its range as a heading where it is TDG's; else what TDG alone would say, below it.

    Gives the ranges as the verdict sees them.
    """
    views = {
        "TDG": "",
        "TNC": "This page looks at TDG alone, whose clusters are round.",
        None: "The ranges below hold K, but cut through clouds of points." if len(sweep.ranges) else "",
    }
    verdicts.show(data, verdict, views[verdict.algorithm], explore=True)
    if verdict.algorithm == "TDG":
        st.markdown(f"### {_holds(verdict.n_clusters, verdict.low, verdict.high)} {data.unit}")
        if data.unit == datasets.CHORD:
            st.caption(f"As angles between rows: from {as_angle(verdict.low)} to {as_angle(verdict.high)}.")
    else:
        _tdg_alone(sweep, verdict)
    return selection.ranges_by(sweep, verdict)


def _tdg_alone(sweep: selection.Sweep, verdict: selection.Verdict) -> None:
    """TDG's best range where the verdict is another."""
    best = sweep.best
    if len(sweep.ranges) == 0:
        if verdict.algorithm is not None:  # else the verdict has said so
            st.caption(f"TDG alone: {best.reason}")
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        said = _holds(best.n_clusters, best.theta_low, best.theta_high)
        st.markdown(f"TDG alone: {said}", width="content")
        use_theta.button(best.theta, f"Use TDG at θ = {short(best.theta)}", "use-recommended")
    if not best.stands_out:
        st.caption(best.reason)


def _holds(k: int, low: float, high: float) -> str:
    where = f"for every θ from {short(low)} to {short(high)}" if low < high else f"at θ = {short(low)}"
    return f"{count(k, 'cluster')}, {where}"


def range_picture(data: datasets.Dataset, sweep: pd.DataFrame, ranges: pd.DataFrame) -> None:
    points = loading.sample(data)
    theta = session.settings().theta
    best = ranges[ranges["recommended"]]
    alt = "Number of clusters, order agreement and silhouette against θ. " + (
        f"{best['n_clusters'].iloc[0]} clusters hold from {short(best['theta_low'].iloc[0])} to "
        f"{short(best['theta_high'].iloc[0])}."
        if len(best)
        else "No range stands out."
    )
    figure = figures.theta_range_figure(sweep, ranges, theta, data.unit)
    charts.show(figure, "ranges", name=f"theta-ranges-{data.name}", alt=alt, table=sweep)
    sentences = (
        "Each band is a range of θ in which the number of clusters K stays the same; TDG's best is green where it "
        "stands out, and the others are the stronger the better they score. A θ is good where the order of the points "
        "does not matter (agreement near 1), the clusters are apart (silhouette high) and points are sparse between "
        "them; a wide band alone proves little."
    )
    st.caption(sentences + ("" if points.whole else f" Swept on {points.sentence}."))


_RANGE_COLUMNS = {
    "theta_low": st.column_config.NumberColumn("from"),
    "theta_high": st.column_config.NumberColumn("to"),
    "n_clusters": st.column_config.NumberColumn(
        "K",
        help="Strays are not counted: clusters of at most ten points (or one of two hundred) and a tenth of a typical "
        "cluster, too far from all others. They come and go with θ while the clusters stay.",
    ),
    "relative_width": st.column_config.NumberColumn(
        "relative width",
        format="%.2f",
        help="The natural logarithm of to / from: 0.69 is a factor of two. It does not depend on the unit of the data.",
    ),
    "agreement": st.column_config.NumberColumn(
        "agreement", format="%.2f", help="Order agreement: 1 means that no order effect was seen."
    ),
    "silhouette": st.column_config.NumberColumn("silhouette", format="%.2f", help="1: well apart, 0: touching."),
    "separate": st.column_config.CheckboxColumn(
        "valleys", help="Whether points are sparse at every boundary between the clusters: real clusters, not a cut."
    ),
}


def range_table(data: datasets.Dataset, ranges: pd.DataFrame) -> None:
    """The ranges, best first; a click applies a range's middle."""
    st.subheader("The ranges, best first", anchor=False)
    if len(ranges) == 0:
        st.caption("There is no range with two or more clusters.")
        return
    shown = ranges[list(_RANGE_COLUMNS)]
    alt = "Ranges of θ, best first, with their number of clusters, width, agreement and silhouette."
    use_theta.table(shown, ranges["theta"], "range-table", _RANGE_COLUMNS, alt)
    left, right = st.columns([3, 1], vertical_alignment="top")
    left.caption(
        "The verdict's range comes first where it is one of TDG. Then best means: points are sparse between the "
        "clusters, and order agreement times silhouette is high for as many clusters; among equals the wider range. A "
        "click on a θ in the first column puts it in use."
    )
    with right:
        downloads.csv("Ranges as CSV", ranges, downloads.file_name("ranges", data.name))


# ---- θ x shuffles ---------------------------------------------------------------------------------------------------


def shuffle_section(data: datasets.Dataset, settings: session.Settings, theta: float) -> None:
    """How many shuffles are enough? Starts by itself where it takes seconds, on request where it takes longer."""
    st.subheader("How many shuffles are enough?", anchor=False)
    points = loading.sample(data)
    if points.X.size > _MAP_UNASKED:
        wanted = (points.key, settings.shuffles, settings.seed)
        label = f"Compute the map on {len(points.X):,} points"
        options = {"icon": ":material/calculate:", "help": "It takes about as long as the sweep.", "key": "compute-map"}
        if not on_request.asked("optimal.map", wanted, label, **options):
            return
    numbers = _shuffle_map(points, settings)
    k, enough = numbers.at(theta)
    st.markdown(
        f"Near θ = {short(theta)}, K is {k:,} from **{enough} shuffles** on."
        + (" More shuffles than the map holds may change it still." if enough == numbers.counts[-1] else "")
    )
    figure = figures.shuffle_map_figure(numbers, session.settings().theta, data.unit)
    alt = f"Number of clusters and order agreement over θ and 2 to {numbers.counts[-1]} shuffles."
    charts.show(figure, "shuffle-map", name=f"shuffles-{data.name}", alt=alt, table=numbers.table)
    st.caption(
        "Each column is one run at the largest number of shuffles: the first 20 of 50 shuffles are a run with 20, so "
        "the rows below cost nothing. Where colours no longer change upwards, above the orange line, more shuffles add "
        "nothing; where they still do, raise the shuffles or choose another θ."
        + ("" if points.whole else f" Computed on {points.sentence}.")
    )


def _shuffle_map(points: selection.Sample, settings: session.Settings) -> selection.ShuffleMap:
    axis = sweeps.theta_axis(points, settings)
    thetas = axis[np.unique(np.linspace(0, len(axis) - 1, min(len(axis), _MAP_COLUMNS)).round().astype(int))]
    counts = selection.shuffle_counts(settings.shuffles)

    def column(theta):
        def work(report, cancel):
            return selection.shuffle_column(points.X, theta, counts, settings.seed, report, cancel, points.metric)

        return (points.key, "shuffles", float(theta), settings.shuffles, settings.seed), work

    with bar("Mapping shuffles") as tick:  # columns are kept one by one: a stopped map resumes
        columns = scheduled.run_all(map(column, thetas), tick, store.MEASURED)
    return selection.shuffle_map(thetas, counts, columns)


# ---- the paper's figure ---------------------------------------------------------------------------------------------


@shell.fragment
def spacing_section() -> None:
    """The paper's θ-range figure, with its spacings and standard deviation to play with."""
    from_the_paper.section("The range shrinks as clusters close in", "paper-spacing", _spacings)


def _spacings() -> None:
    st.markdown(
        "The paper's experiment: 25 normal clusters of 100 points on a grid, TDG at every θ. The dark orange part is "
        "the range of θ that finds all 25; bring the clusters closer, or let them spread, and see it shrink."
    )
    settings = session.settings()
    with st.container(horizontal=True, gap="small"):
        spacings = [_number(f"Spacing {i}", f"spacing_{i}", s, 1.0, 50.0) for i, s in enumerate(_SPACINGS, start=1)]
        sd = _number("Standard deviation", "spacing_sd", 1.0, 0.1, 10.0)
    session.write_url()  # a fragment runs without the frame, which does this for a page
    curves = _curves(spacings, sd, settings)
    table = selection.spacing_table(curves)
    alt = "Number of clusters against θ for each spacing; " + "; ".join(_sentence(row) for row in table.itertuples())
    rows = pd.concat([curve.table for curve in curves])
    charts.show(figures.spacing_figure(curves), "spacing", name="theta-range-spacing", alt=alt, table=rows)
    st.caption(
        " ".join(f"{_sentence(row)}." for row in table.itertuples())
        + " The paper: “optimal ranges are larger the sparser the problem is”."
    )


def _number(label: str, name: str, default: float, low: float, high: float) -> float:
    bound = controls.option(name, default)
    key = bound["key"]
    st.session_state[key] = float(np.clip(st.session_state[key], low, high))  # a link may say anything
    return st.number_input(label, low, high, step=0.5, width=150, **bound)


def _sentence(row) -> str:
    if np.isnan(row.theta_low):
        return f"{row.spacing:g} apart: no θ tried finds 25 clusters"
    return f"{row.spacing:g} apart: 25 clusters from θ = {short(row.theta_low)} to {short(row.theta_high)}"


def _curves(spacings: list[float], sd: float, settings: session.Settings) -> list[selection.SpacingCurve]:
    thetas = np.linspace(sd, max(1.2 * max(spacings), 4 * sd), 64)

    def curve(spacing):
        spec = datasets.GridBlobs(side=_SIDE, spacing=spacing, per_cluster=_PER_CLUSTER, sd=sd)
        data = loading.dataset(spec, datasets.Preparation())

        def work(report, cancel):
            options = (settings.shuffles, settings.seed, report, cancel)
            return selection.spacing_curve(data.X, _SIDE**2, spacing, thetas, *options)

        return (data.digest, "spacing", thetas.tobytes(), settings.shuffles, settings.seed), work

    with bar("Running TDG at every θ") as tick:
        return scheduled.run_all(map(curve, spacings), tick, store.MEASURED)
