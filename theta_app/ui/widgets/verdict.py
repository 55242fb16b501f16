"""The verdict as every page shows it: what was found, why, how this page's view relates to it, and the way there."""

import html
import math

import streamlit as st

from theta_app import datasets, selection
from theta_app.ui import cache, session
from theta_app.ui.widgets import links
from theta_app.ui.widgets.progress import bar
from theta_app.ui.widgets.words import count, short

_COLUMNS = {
    "n_clusters": st.column_config.NumberColumn("K", help="Clusters that stand; strays are not counted."),
    "range": st.column_config.TextColumn("holds", help="The range of θ, or of ε for TNC, in which this K holds."),
    "evidence": st.column_config.TextColumn(
        "evidence",
        help="TDG: how many times as far apart points are at the boundaries as inside the clusters, and how far runs "
        "on other orders agree. TNC: how many times as strong the range is as chance gives.",
    ),
    "stands_out": st.column_config.CheckboxColumn("stands out"),
}


def of(data: datasets.Dataset) -> selection.Verdict:
    """The verdict on a data set (on its sample, where it is large), with a progress bar meanwhile."""
    with bar("Sweeping θ") as tick:
        return cache.verdict(cache.sample(data), session.settings(), tick)


def show(data: datasets.Dataset, verdict: selection.Verdict, view: str = "", explore: bool = False) -> None:
    """The verdict in a line, its reason, what this page's view has to do with it, and one click to take it up."""
    st.html(_line(verdict, data.unit))
    st.caption(f"{verdict.reason} {view}".strip())
    if verdict.algorithm is not None and not _stands_on(verdict):
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key="verdict-go"):
            st.button(
                "Go to the verdict",
                key="use-verdict",
                on_click=take_up,
                icon=":material/target:",
                help="θ, ε and the algorithm follow the verdict again, on every page.",
            )
            if explore:
                links.see_in_explore()
    elif explore and verdict.algorithm is not None:
        links.see_in_explore()
    _candidates(verdict)


def take_up() -> None:
    """Let θ, ε and the algorithm follow the verdict again; for callbacks."""
    session.update(algorithm=None, theta=None, epsilon=None)


def _stands_on(verdict: selection.Verdict) -> bool:
    chosen = session.settings()
    if chosen.algorithm not in (None, verdict.algorithm):
        return False
    return chosen.theta in (None, verdict.theta) and chosen.epsilon in (None, verdict.epsilon)


def headline(verdict: selection.Verdict, unit: str = "") -> str:
    """The verdict in a few words."""
    if verdict.algorithm is None:
        return "Nothing to find"
    what = count(verdict.n_clusters, "cluster" if verdict.algorithm == "TDG" else "chain")
    strays = f" and {verdict.strays:,} stray" if verdict.strays else ""
    epsilon = f", ε = {short(verdict.epsilon)}" if verdict.epsilon is not None else ""
    place = f"{verdict.algorithm} at θ = {short(verdict.theta)}{epsilon} {unit}".strip()
    return f"{what}{strays}: {place}"


def _line(verdict: selection.Verdict, unit: str) -> str:
    name = "Verdict" if verdict.stands_out or verdict.algorithm is None else "Best guess"
    sure = "" if verdict.algorithm is None else f" · confidence {verdict.confidence:.0%}"
    attributes = (
        f'data-testid="verdict" data-algorithm="{verdict.algorithm or ""}" data-k="{verdict.n_clusters}" '
        f'data-theta="{verdict.theta!r}" data-epsilon="{"" if verdict.epsilon is None else repr(verdict.epsilon)}"'
    )
    return f'<div class="theta-verdict" {attributes}>{name}: <b>{html.escape(headline(verdict, unit))}</b>{sure}</div>'


def _candidates(verdict: selection.Verdict) -> None:
    table = verdict.candidates
    if len(table) < 2:
        return
    places = list(zip(table["algorithm"], table["theta"], table["epsilon"]))

    def clicked() -> None:
        click = st.session_state.get("candidates-click")
        if click is not None and 0 <= click["row"] < len(places):
            algorithm, theta, epsilon = places[click["row"]]
            session.update(algorithm=algorithm, theta=theta, epsilon=None if math.isnan(epsilon) else epsilon)

    shown = table.assign(
        use=[f"{row.algorithm}, θ = {short(row.theta)}" for row in table.itertuples()],
        range=[f"{short(row.low)} – {short(row.high)}" for row in table.itertuples()],
        evidence=[_evidence(row) for row in table.itertuples()],
    )[["use", *_COLUMNS]]
    with st.expander(f"All {len(table)} candidates, best first", icon=":material/format_list_numbered:"):
        use = st.column_config.ButtonColumn(
            "look at", on_click=clicked, key="candidates-click", pinned=True, help="Puts this in use on every page."
        )
        alt = "Ranges of TDG and TNC that deserve a look, the verdict first."
        st.dataframe(shown, hide_index=True, column_config={"use": use, **_COLUMNS}, alt=alt)


def _evidence(row) -> str:
    if row.algorithm == "TNC":
        return f"{row.times_chance:.1f} times chance"
    if math.isnan(row.valley):
        return f"agreement {row.agreement:.2f}"
    apart = "no neighbours across" if math.isinf(row.valley) else f"{math.exp(row.valley):.1f} times as far apart"
    return f"{apart}, agreement {row.agreement:.2f}"
