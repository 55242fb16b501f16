"""The paper's experiments: stored results at once, and the same run here on request."""

import html
from functools import lru_cache

import pandas as pd
import streamlit as st

from theta_app import datasets, metrics
from theta_app.compare import claims, deep_results, results
from theta_app.compare.deep import TRIALS
from theta_app.compare.experiments import BUDGET, EXPERIMENTS, Experiment
from theta_app.compare.measure import OK
from theta_app.compare.steps import at_repeat
from theta_app.ui import loading, session
from theta_app.ui.pages.compare import live, views
from theta_app.ui.widgets import controls, downloads, links

STORED, HERE = "Stored run", "Run on this computer"
_MARKS = {claims.HOLDS: ("✓", "#00785a"), claims.IN_PART: ("◐", "#8a5a00"), claims.NOT: ("✕", "#b03a2e")}
_MARKS[claims.DEPENDS] = ("⇄", "#5b4a9c")


def show() -> None:
    chosen = _choose()
    st.markdown(f"{chosen.about} [Which of the paper's claims hold?](#claims)")
    with st.expander("What the paper leaves open, and what was taken here"):
        st.markdown(chosen.chosen)
        st.dataframe(_parameters(chosen), hide_index=True)
        _elsewhere()
    source = st.segmented_control(
        "Results",
        (STORED, HERE),
        help="Stored: a full run that comes with the project. The other: measured now, where this page is served from.",
        required=True,
        **controls.bound("option.cmp_source", _source(), lambda value: session.set_option("cmp_source", value)),
    )
    if source == HERE:
        _measured_here(chosen)
    else:
        _stored(chosen)
    _claims()


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


def _elsewhere() -> None:
    """The paper's experiments that have pages of their own."""
    label = "The paper's θ-range experiment is on the Optimal θ page"
    links.page_link("pages/Optimal_theta.py", label, ":material/straighten:")
    links.page_link("pages/Deep.py", "Deep embedded clustering is on the Deep page", ":material/layers:")


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
    st.caption(f"Means over {len(chosen.cases)} sets, of stored medians.")
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


def _show_results(chosen: Experiment, rows, found: dict, meta: dict) -> None:
    table = views.results_table(rows, chosen.scores, chosen.key)
    views.table_downloads(rows, table, f"theta-{chosen.key}", meta)
    st.subheader("Clusterings side by side", anchor=False)
    _pictures(chosen, rows, found)
    st.subheader("Over the repeats", anchor=False)
    views.score_charts(rows, chosen.scores, chosen.key, chosen.across)


def _pictures(chosen: Experiment, rows, found: dict) -> None:
    drawn = [case for case in chosen.cases if case.flat and any(place[0] == case.label for place in found)]
    if not any(case.flat for case in chosen.cases):
        st.caption("Clusters in this many dimensions cannot be drawn as they are; the numbers below tell them apart.")
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


# ---- claims ---------------------------------------------------------------------------------------------------------

_STYLE = """<style>
.claims { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.6rem; }
.claim { display: grid; grid-template-columns: 12.5rem 1fr; gap: 0.2rem 1rem; padding: 0.7rem 0.9rem;
  border: 1px solid color-mix(in srgb, currentColor 18%, transparent); border-radius: 0.5rem; }
.claim .verdict { font-weight: 600; white-space: nowrap; color: #fff; padding: 0.15rem 0.6rem; border-radius: 1rem; }
.claim .says { font-weight: 600; }
.claim .where, .claim details { opacity: 0.75; font-size: 0.9rem; }
.claim .body { grid-column: 2; white-space: pre-line; }
.claim .reading { display: inline-block; font-weight: 600; margin-right: 1rem; }
.claim summary { cursor: pointer; }
@media (max-width: 640px) { .claim { grid-template-columns: minmax(0, 1fr); } .claim .body { grid-column: 1; } }
</style>"""


def _claims() -> None:
    st.header("The paper's claims, measured", anchor="claims")
    judged = _judged(tuple(map(results.stored, EXPERIMENTS)), tuple(map(deep_results.stored, TRIALS)))
    counts = pd.Series([found.verdict for found in judged]).value_counts()
    words = [f"{counts.get(v, 0)} {w}" for v, w in ((claims.HOLDS, "hold"), (claims.IN_PART, "hold in part"))]
    words += [f"{counts.get(claims.DEPENDS, 0)} depend on how wide clusters are"]
    words += [f"{counts.get(claims.NOT, 0)} do not", f"{counts.get(claims.UNKNOWN, 0)} not measured"]
    st.markdown(
        f"From the stored runs, by rules that are shown: of {len(judged)} claims {', '.join(words)}. Times depend on "
        "the machine; their ratios much less. The paper does not say how wide the clusters of its easy and hard case "
        "are: claims on them are judged with a standard deviation of 1 and of 0.5, and say which gives which verdict."
    )
    st.html(_STYLE + '<div class="claims">' + "".join(map(_card, judged)) + "</div>")
    downloads.csv("Claims as CSV", claims_table(judged), "theta-claims")


@lru_cache(maxsize=4)
def _judged(found: tuple, deep: tuple) -> list[claims.Judged]:
    return claims.judged({known.experiment: known for known in found}, {known.trial: known for known in deep})


def _card(found: claims.Judged) -> str:
    mark, colour = _MARKS.get(found.verdict, ("–", "#5a6570"))
    readings = " ".join(
        f'<span class="reading">{_MARKS[v][0]} {name}: {v}</span>' for name, v in found.readings.items()
    )
    figure = f" The paper's figure: {html.escape(found.claim.figure)}." if found.claim.figure else ""
    return (
        f'<div class="claim"><div><span class="verdict" style="background:{colour}">{mark} {found.verdict}</span></div>'
        f'<div class="says">{html.escape(found.claim.claim)}</div>'
        + (f'<div class="body">{readings}</div>' if readings else "")
        + f'<div class="body">{html.escape(found.measured)}</div>'
        f'<div class="body where">Section {html.escape(found.claim.where)}.{figure}</div>'
        f'<details class="body"><summary>How it is found</summary>{html.escape(found.claim.rule)}</details></div>'
    )


def claims_table(judged) -> pd.DataFrame:
    """The claims as a table: claim, section, paper, measured, verdict, rule."""
    rows = [
        {
            "claim": found.claim.claim,
            "section": found.claim.where,
            "paper": found.claim.figure,
            "measured": found.measured,
            "verdict": found.in_words,
            "rule": found.claim.rule,
        }
        for found in judged
    ]
    return pd.DataFrame(rows)
