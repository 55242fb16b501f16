"""What the paper says in passing: sparsity, learning θ or K, how many orders. Stored runs, a figure each."""

import pandas as pd
import streamlit as st

from theta_app.figures import paper as figures
from theta_app.paper import claims, fresh, results, studies
from theta_app.paper.experiments import EXPERIMENTS, ORDERED, ORDERINGS, shuffles_label
from theta_app.paper.studies import CLUSTERS, STUDIES
from theta_app.ui.pages.paper import views
from theta_app.ui.widgets import charts, downloads

_NAMES = {"theta": "θ", **{key: f"k by {name}" for key, name in claims.CRITERION_NAMES.items()}}


def show() -> None:
    """Draw each question with its figure, its table and what was measured."""
    for key, draw in (("sparsity", _sparsity), ("theta-or-k", _theta_or_k)):
        study, found = STUDIES[key], studies.stored(key)
        st.header(study.title, anchor=False)
        st.markdown(study.about)
        if not found.rows:
            st.info(f"There is no stored run. `python -m theta_app.paper {key}` makes one.")
            continue
        if old := len(fresh.stale_places(study, found)):
            views.say_stale(f"{old} of these {len(study.places)} rows")
        draw(found.rows)
        st.caption(views.measured_on(found))
    _orderings()


def _sparsity(rows: tuple) -> None:
    table = sparsity_table(rows)
    charts.show(
        figures.sparsity_figure(rows),
        "question-sparsity",
        name="theta-sparsity",
        alt="Order agreement over θ in 2, 10, 100 and 1000 dimensions, and below which θ the clusters are sparse.",
        table=table,
    )
    st.caption(
        "A filled dot: all 50 orders gave the same clusters, so Lemma 1's test says θ-sparse. Shaded: θ-sparse by "
        "definition, θ is below the closest pair of different clusters. Where the two differ, the test is wrong."
    )
    downloads.csv("Sparsity as CSV", table, "theta-sparsity")


def sparsity_table(rows: tuple) -> pd.DataFrame:
    """A row per dimension and θ: what the test says, and what the definition does."""
    values = []
    for row in rows:
        for at, agreement, k in zip(claims.sparsity_of(row), row["agreement"], row["n_clusters"]):
            told = {"test": "sparse" if at.said else "dense", "definition": "sparse" if at.sparse else "dense"}
            place = {"dimensions": row["dimensions"], "theta": at.theta, "closest_pair": row["closest"]}
            values.append({**place, "order_agreement": agreement, "n_clusters": k, **told})
    return pd.DataFrame(values)


def _theta_or_k(rows: tuple) -> None:
    table = widths_table(rows)
    charts.show(
        figures.widths_figure(table),
        "question-theta-or-k",
        name="theta-or-k",
        alt="Width of the range of right θ, and of k by silhouette, gap statistic and BIC, in nine cases.",
        table=table,
    )
    st.caption(
        f"θ: the range with {CLUSTERS} clusters. k: the range whose score is within 5 % of the best, where 100 % is "
        "the step from the worst to the best. A narrow range of k means that the criterion is sure; the table says "
        "whether it is right."
    )
    st.dataframe(
        table.rename(columns={"case": "Case", "of": "Range of", "low": "From", "high": "To", "best": "Best k"}),
        hide_index=True,
        height=300,
        key="table-theta-or-k",
    )
    downloads.csv("Ranges as CSV", table, "theta-or-k")


def widths_table(rows: tuple) -> pd.DataFrame:
    """A row per case and range: of θ and of k by each criterion, from, to, width (highest : lowest) and the best k."""
    values = []
    for row in rows:
        ranges, best = claims.learnt_ranges(row)
        case = f"D = {row['dimensions']}, {row['apart']:g} apart"
        for name, found in ranges.items():
            low, high = found or (None, None)
            width = high / low if found else None
            of = {"case": case, "of": _NAMES[name], "low": low, "high": high}
            values.append({**of, "width": width, "best": best.get(name)})
    return pd.DataFrame(values)


def _orderings() -> None:
    experiment, found = EXPERIMENTS["orderings"], results.stored("orderings")
    st.header("How many orders are needed?", anchor=False)
    st.markdown(f"{experiment.about} {experiment.chosen}")
    if not found.rows:
        st.info("There is no stored run. `python -m theta_app.paper orderings` makes one.")
        return
    if old := len(fresh.stale_rows(experiment, found)):
        views.say_stale(f"{old} of these {len(found.rows)} measurements")
    shares = seeds_right(found)
    charts.show(
        figures.orderings_figure(shares),
        "question-orderings",
        name="theta-orderings",
        alt="In how many of ten seeds TDG finds 25 clusters, by number of shuffles, for five distances between "
        "centres.",
        table=shares,
    )
    st.caption(views.measured_on(found))
    downloads.csv("Orders as CSV", shares, "theta-orderings")


def seeds_right(found: results.Results) -> pd.DataFrame:
    """A row per distance and number of shuffles: in how many seeds there are 25 clusters."""
    frame = found.frame()
    right = (frame["n_clusters"] == CLUSTERS).groupby([frame["case"], frame["label"]]).sum()
    places = [(apart, n) for apart in ORDERED for n in ORDERINGS if (f"{apart:g} apart", shuffles_label(n)) in right]
    return pd.DataFrame(
        [{"apart": a, "shuffles": n, "right": int(right[f"{a:g} apart", shuffles_label(n)])} for a, n in places]
    )
