"""The paper's claims, checked: a card per claim, from the stored runs."""

import html
from collections.abc import Iterable
from functools import lru_cache

import pandas as pd
import streamlit as st

from theta_app.paper import claims, deep_results, fresh, results, studies
from theta_app.paper.claims import Judged
from theta_app.paper.deep import TRIALS
from theta_app.paper.experiments import EXPERIMENTS
from theta_app.paper.studies import STUDIES
from theta_app.ui.pages.paper import views
from theta_app.ui.widgets import downloads

_MARKS = {claims.HOLDS: ("✓", "#00785a"), claims.IN_PART: ("◐", "#8a5a00"), claims.NOT: ("✕", "#b03a2e")}
_MARKS |= dict.fromkeys((claims.DEPENDS, claims.IMPLEMENTATION), ("⇄", "#5b4a9c"))

_STYLE = """<style>
.claims { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.4rem; }
.claim { display: grid; grid-template-columns: 12.5rem 1fr; gap: 0.2rem 1rem; padding: 0.5rem 0.9rem;
  border: 1px solid color-mix(in srgb, currentColor 18%, transparent); border-radius: 0.5rem; }
.claim .verdict { display: inline-block; font-weight: 600; color: #fff; padding: 0.15rem 0.7rem;
  border-radius: 0.8rem; }
.claim .says { font-weight: 600; }
.claim > :first-child { grid-row: 1 / span 3; }
.claim small { font-weight: 400; opacity: 0.75; margin-left: 0.4rem; }
.claim details { font-size: 0.9rem; }
.claim .body { grid-column: 2; white-space: pre-line; }
.claim .reading { display: inline-block; font-weight: 600; margin-right: 1rem; }
.claim summary { cursor: pointer; opacity: 0.75; }
@media (max-width: 640px) { .claim { grid-template-columns: minmax(0, 1fr); } .claim .body { grid-column: 1; } }
</style>"""


def show() -> None:
    """Draw the claims of the paper, each with what the stored runs say about it."""
    st.header("The paper's claims, checked", anchor=False)
    judged = _judged(
        tuple(map(results.stored, EXPERIMENTS)),
        tuple(map(deep_results.stored, TRIALS)),
        tuple(map(studies.stored, STUDIES)),
    )
    counts = pd.Series([found.verdict for found in judged]).value_counts()
    words = [f"{counts.get(v, 0)} {w}" for v, w in ((claims.HOLDS, "hold"), (claims.IN_PART, "hold in part"))]
    words += [f"{counts.get(claims.DEPENDS, 0)} depend on how wide clusters are"]
    words += [f"{counts.get(claims.IMPLEMENTATION, 0)} on the implementation"]
    words += [f"{counts.get(claims.NOT, 0)} do not", f"{counts.get(claims.UNKNOWN, 0)} not measured"]
    st.markdown(
        f"Judged from the stored runs by the rules shown. Of {len(judged)} claims, {', '.join(words)}. The paper does "
        "not say how wide the clusters of its easy and hard case are, so claims about them are judged with standard "
        "deviations of 1 and 0.5. Claims about time are judged twice: by this project's engine, which is made for "
        "speed, and by a plain reading of the same algorithm. Where the two differ, the claim depends on the "
        "implementation."
    )
    _say_stale()
    st.html(_STYLE + '<div class="claims">' + "".join(map(_card, judged)) + "</div>")
    downloads.csv("Claims as CSV", claims_table(judged), "theta-claims")


def _say_stale() -> None:
    old = [key for key, experiment in EXPERIMENTS.items() if fresh.stale_rows(experiment, results.stored(key))]
    old += [key for key, study in STUDIES.items() if fresh.stale_places(study, studies.stored(key))]
    trials = [key for key, trial in TRIALS.items() if trial.listed]
    old += [key for key in trials if fresh.is_stale(key, deep_results.stored(key).rests_on)]
    if old:
        views.say_stale(f"{len(old)} of the {len(EXPERIMENTS) + len(STUDIES) + len(trials)} runs behind these verdicts")


@lru_cache(maxsize=4)
def _judged(found: tuple, deep: tuple, asked: tuple) -> list[claims.Judged]:
    return claims.judged(
        {known.experiment: known for known in found},
        {known.trial: known for known in deep},
        {known.study: known for known in asked},
    )


def _card(found: claims.Judged) -> str:
    mark, colour = _MARKS.get(found.verdict, ("–", "#5a6570"))
    differ = len(set(found.readings.values())) > 1
    readings = " ".join(
        f'<span class="reading">{_MARKS.get(v, "–")[0]} {name}: {v}</span>'
        for name, v in (found.readings.items() if differ else ())
    )
    figure = f" The paper's figure: {html.escape(found.claim.figure)}." if found.claim.figure else ""
    return (
        f'<div class="claim"><div><span class="verdict" style="background:{colour}">{mark} {found.verdict}</span></div>'
        f'<div class="says">{html.escape(found.claim.claim)} <small>{html.escape(found.claim.where)}</small></div>'
        + (f'<div class="body">{readings}</div>' if readings else "")
        + f'<details class="body"><summary>What was measured, and the rule</summary>{html.escape(found.measured)}\n'
        f"Rule: {html.escape(found.claim.rule)}{figure}</details></div>"
    )


def claims_table(judged: Iterable[Judged]) -> pd.DataFrame:
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
