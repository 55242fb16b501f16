"""The paper's experiments: stored results at once, and the same run here on request."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from theta_app import datasets, metrics
from theta_app.compare.measure import OK
from theta_app.compare.steps import at_repeat
from theta_app.paper import fresh, results
from theta_app.paper.experiments import BUDGET, EXPERIMENTS, Experiment
from theta_app.ui import loading, session
from theta_app.ui.pages.paper import live, views
from theta_app.ui.widgets import closed, controls, downloads

STORED, HERE = "Stored run", "Run on this computer"


def show() -> None:
    """Draw one experiment: what was asked, the stored result, and a run of one's own."""
    chosen = _choose()
    st.markdown(chosen.about)
    if box := closed.section("What the paper leaves open, and what was taken here", "experiment-open", "help"):
        with box:
            st.markdown(chosen.chosen)
            st.dataframe(_parameters(chosen), hide_index=True)
    source = st.segmented_control(
        "Results",
        (STORED, HERE),
        help="Stored run: a full run that comes with the project. Run on this computer: measured now, on the "
        "computer that serves this page.",
        required=True,
        **controls.bound("option.cmp_source", _source(), lambda value: session.set_option("cmp_source", value)),
    )
    if source == HERE:
        _measured_here(chosen)
    else:
        _stored(chosen)


def _choose() -> Experiment:
    key = session.option("cmp_experiment", "hard")
    listed = [key for key, experiment in EXPERIMENTS.items() if experiment.listed]
    key = key if key in listed else "hard"
    key = st.pills(
        "Experiment",
        listed,
        format_func=lambda key: EXPERIMENTS[key].title,
        required=True,
        **controls.bound("option.cmp_experiment", key, lambda value: session.set_option("cmp_experiment", value)),
    )
    return EXPERIMENTS[key]


def _source() -> str:
    value = session.option("cmp_source", STORED)
    return value if value in (STORED, HERE) else STORED


def _parameters(chosen: Experiment) -> pd.DataFrame:
    steps = chosen.steps(1)
    return pd.DataFrame([{"Case": s.case, "Method": s.variant.label, "Parameters": s.variant.in_words} for s in steps])


def _stored(chosen: Experiment) -> None:
    found = results.stored(chosen.key)
    if not found.rows:
        st.info("There is no stored run of this experiment. Choose “Run on this computer”.")
        return
    st.caption(_provenance(chosen, found))
    if old := len(fresh.stale_rows(chosen, found)):
        views.say_stale(f"{old} of these {len(found.rows)} measurements")
    if chosen.beside:
        _beside(chosen)
    _show_results(chosen, found.rows, found.pictures, {"experiment": chosen.key, "made": found.made})


def _beside(chosen: Experiment) -> None:
    """The same cases under both conditions, a row per method."""
    keys = [key for key in EXPERIMENTS if key in (chosen.key, chosen.beside)]
    found = {EXPERIMENTS[key].title.partition(", ")[2]: results.stored(key) for key in keys}  # "tuned", "as it comes"
    st.subheader(" and ".join(found).capitalize(), anchor=False)
    means = results.means_over_cases(found, ("nmi", "ami"))
    means.columns = [f"{metrics.SCORES[score].label}, {condition}" for score, condition in means.columns]
    means = means.rename_axis("Method").reset_index()
    st.dataframe(means.style.format(precision=3), hide_index=True, height="content", key=f"table-{chosen.key}-beside")
    st.caption(f"Means of the stored medians over {len(chosen.cases)} sets.")
    downloads.csv("Both as CSV", means, f"theta-{chosen.key}-both")
    st.subheader("Set by set", anchor=False)


def _provenance(chosen: Experiment, found: results.Results) -> str:
    planned, there = len(chosen.steps()), len(found.rows)
    repeats = max(row["repeat"] for row in found.rows) + 1
    words = f"{views.measured_on(found)} "
    if there < planned:
        words += f"**{there} of {planned} measurements ({repeats} of {chosen.repeats} repeats begun).** "
    else:
        words += f"{chosen.repeats} repeats. "
    return words


def _measured_here(chosen: Experiment) -> None:
    steps = tuple(chosen.steps())
    plan = live.Plan(steps, BUDGET, expected=expected_seconds(chosen))

    def draw(known: dict) -> None:
        if not known:
            st.info("Nothing has been measured here yet. Results appear as they come.")
            return
        found = {(s.case, s.variant.label): picture for s, (_, picture) in known.items() if picture is not None}
        meta = {"experiment": chosen.key, "made": results.today(), "versions": results.versions()}
        _show_results(chosen, [row for row, _ in known.values()], found, meta)

    live.panel(plan, draw)


def expected_seconds(chosen: Experiment) -> float | None:
    """Of all measurements, from the stored run: its times, and as much again for scores and drawing points."""
    frame = results.stored(chosen.key).frame()
    frame = frame[frame["status"] == OK]
    if frame.empty:
        return None
    typical = frame.groupby(["case", "label"])["seconds"].median()
    return float(sum(1.1 * typical.get((step.case, step.variant.label), 0.0) + 0.2 for step in chosen.steps())) + 3.0


def _show_results(chosen: Experiment, rows: Sequence[dict], found: dict, meta: dict) -> None:
    table = views.results_table(rows, chosen.scores, chosen.key)
    views.table_downloads(rows, table, f"theta-{chosen.key}", meta)
    if box := closed.section("Scores and time over the repeats", "experiment-charts", "monitoring"):
        with box:
            views.score_charts(rows, chosen.scores, chosen.key, chosen.across)
    if box := closed.section("The clusterings side by side", "experiment-pictures", "grid_view"):
        with box:
            _pictures(chosen, rows, found)


def _pictures(chosen: Experiment, rows: Sequence[dict], found: dict) -> None:
    drawn = [case for case in chosen.cases if case.flat and any(place[0] == case.label for place in found)]
    if not any(case.flat for case in chosen.cases):
        st.caption("Clusters in this many dimensions cannot be drawn as they are; compare them by the numbers below.")
        return
    if not drawn:
        st.caption("They appear once the first repeat has been measured.")
        return
    case = drawn[0]
    if len(drawn) > 1:
        labels = [case.label for case in drawn]
        name = f"cmp_case_{chosen.key}"
        value = session.option(name, labels[0])
        label = st.selectbox(
            "Case",
            labels,
            **controls.bound(
                f"option.{name}", value if value in labels else labels[0], lambda v: session.set_option(name, v)
            ),
        )
        case = chosen.case(label)
    try:
        data = loading.dataset(at_repeat(case.spec, 0), datasets.Preparation())
    except LookupError as error:
        st.info(f"{error.args[0]} Download it on the Data page to see its clusterings.")
        return
    of_case = {label: picture for (name, label), picture in found.items() if name == case.label}
    of_case = {label: picture for label, picture in of_case.items() if len(picture.labels) == len(data.X)}
    views.pictures(data, of_case, [row for row in rows if row["case"] == case.label], chosen.key)
