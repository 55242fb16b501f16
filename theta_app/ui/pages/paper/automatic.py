"""How often is the automatic answer right? A stored run over sets with known classes, and over noise."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from theta_app.compare.measure import TIME
from theta_app.figures import paper as figures
from theta_app.paper import quality
from theta_app.ui.pages.paper import views
from theta_app.ui.widgets import charts, downloads

if TYPE_CHECKING:
    from pandas.io.formats.style import Styler


_NAME = "theta-automatic"


def show() -> None:
    """Draw how often the verdict is right, from what is stored."""
    st.header("How often is the automatic answer right?", anchor=False)
    found = quality.stored()
    if found is None or found.complete.empty:
        st.info("There is no stored run. `make quality` makes one.")
        return
    st.markdown(in_words(found))
    st.caption(views.measured_on(found))
    views.say_if_stale(found, "quality", "these answers")
    with st.expander("What each method does when given only the points"):
        st.markdown("\n".join(f"- **{label}**: {found.about[key]}." for key, label in found.methods.items()))
    _groups(found)
    _totals(found)
    _certainty(found)
    _per_set(found)


def in_words(found: quality.Quality) -> str:
    """Two sentences: how good, and how often something is found where nothing is."""
    totals = quality.totals(found)
    ours, others = totals.iloc[0], totals[~totals["method"].isin(_own(found))]
    best = others.loc[others["mean"].idxmax()]
    words = (
        f"Given only the points, {ours['method']} reaches a mean adjusted Rand index of **{ours['mean']:.2f}** on "
        f"{quality.count_sets(found.complete)} data sets with known classes and is right (at least {quality.RIGHT:g}) "
        f"on {ours['right']:.0%} of them; the best other method, {best['method']}, reaches {best['mean']:.2f} and "
        f"{best['right']:.0%}."
    )
    alarms = quality.false_alarms(found).set_index("label")
    said = [(label, alarms.loc[label]) for label in found.methods.values() if label in alarms.index]
    said = [f"{row['share']:.1%} by {label}" for label, row in said if row["sets"]]
    if not said:
        return words
    return (
        f"{words} In noise there is nothing to find. Share of noise sets in which clusters were found all the "
        f"same: {_listed(said)}."
    )


def _own(found: quality.Quality) -> list[str]:
    return [label for key, label in found.methods.items() if key in quality.OWN]


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _groups(found: quality.Quality) -> None:
    means = quality.group_means(found)
    charts.show(
        figures.group_figure(means, found.methods),
        "automatic-groups",
        name=f"{_NAME}-groups",
        alt="Mean adjusted Rand index of every method, by group of data sets.",
        table=means,
    )


def _totals(found: quality.Quality) -> None:
    columns = {"method": "Method", "mean": "Mean ARI", "right": "Right", "best": "Best on", "seconds": "Time (s)"}
    st.dataframe(
        quality.totals(found)[list(columns)].round({"right": 2}).rename(columns=columns),
        hide_index=True,
        column_config={
            "Mean ARI": st.column_config.NumberColumn(format="%.3f"),
            "Right": st.column_config.NumberColumn(format="percent"),
            "Best on": st.column_config.NumberColumn(format="%.1f"),
            "Time (s)": st.column_config.NumberColumn(format="%.3g"),
        },
        key="automatic-totals",
    )
    st.caption(
        f"Right: an adjusted Rand index (ARI) of at least {quality.RIGHT:g}. Best on: the number of sets where a "
        f"method is best; equally good methods share a set. Times are medians. {TIME} ThetA's rules were developed on "
        "sets like these."
    )


def _certainty(found: quality.Quality) -> None:
    bins = quality.reliability(found)
    if bins.empty:
        return
    st.subheader("When it says it is sure, is it right?", anchor=False)
    charts.show(
        figures.reliability_figure(bins),
        "automatic-reliability",
        name=f"{_NAME}-confidence",
        alt="How often answers were right, by their confidence.",
        table=bins,
    )
    st.caption("The number at each mark counts its answers; any answer on noise is wrong.")


def _per_set(found: quality.Quality) -> None:
    st.subheader("Set by set", anchor=False)
    table = quality.per_set(found)
    facts = {"set": "Data set", "group": "Group", "points": "Points", "features": "Columns", "classes": "Classes"}
    labels = list(found.methods.values())
    st.dataframe(
        _marked(table.rename(columns=facts), labels),
        hide_index=True,
        height=640,
        key="automatic-sets",
    )
    with st.container(horizontal=True):
        downloads.csv("Table as CSV", table, f"{_NAME}-sets")
        downloads.csv("Every answer as CSV", found.truth, f"{_NAME}-answers")
        downloads.csv("Noise as CSV", found.noise, f"{_NAME}-noise")
        downloads.json_file("All as JSON", _everything(found), _NAME)


def _marked(shown: pd.DataFrame, labels: list[str]) -> Styler:
    """The table with the best of every row marked, as far as two digits tell."""
    scores = shown[labels].round(2) + 0.0  # not -0.00
    style = shown.assign(**scores).style.format(dict.fromkeys(labels, "{:.2f}"), na_rep="–")
    for label in labels:
        best = shown.index[scores[label] == scores.max(axis=1)]
        style = style.set_properties(subset=pd.IndexSlice[best, [label]], **views.BEST_CELL)
    return style


def _everything(found: quality.Quality) -> dict:
    head = {"made": found.made, "versions": found.versions, "machine": found.machine, "methods": found.methods}
    return head | {part: getattr(found, part).to_dict("records") for part in quality.PARTS}
