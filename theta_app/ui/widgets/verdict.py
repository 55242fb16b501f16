"""The verdict as every page shows it: what was found, why, how this page's view relates to it, and the way there."""

import html
import math
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import numpy as np
import streamlit as st

from theta_app import datasets, selection
from theta_app.figures.thumbnail import DOTS, thumbnail
from theta_app.report import place, sureness
from theta_app.ui import answers, loading, projections, session, store
from theta_app.ui.widgets import better_map, closed, links, one_column
from theta_app.ui.widgets.progress import bar
from theta_app.ui.widgets.words import count, outlier_groups, short

_COLUMNS = {
    "n_clusters": st.column_config.NumberColumn("K", help="Groups of outliers are not counted."),
    "probability": st.column_config.NumberColumn(
        "probability",
        format="percent",
        help="For this range alone: ranges that give the same answer share their probability.",
    ),
    "range": st.column_config.TextColumn("holds", help="The range of θ, or of ε for TNC, in which this K holds."),
    "evidence": st.column_config.TextColumn(
        "evidence",
        help="How many times farther apart points are at the boundaries than inside the clusters. TDG: order "
        "agreement. TNC: how many times stronger the range is than expected by chance.",
    ),
}


_KINDS = {"found": "Verdict", "guess": "Best guess", "nothing": "Verdict"}
_SURE = "How often answers with such evidence were right on data that the rule had not seen"


def of(data: datasets.Dataset) -> selection.Verdict:
    """The verdict on a data set (on its sample, where it is large), with a progress bar meanwhile."""
    with bar("Sweeping θ") as tick:
        return answers.verdict(loading.sample(data), session.settings(), tick)


def show(data: datasets.Dataset, verdict: selection.Verdict, view: str = "", explore: bool = False) -> None:
    """The verdict in a line and why; ``view`` is what this page's own view has to do with it, in a sentence."""
    line(verdict, data.unit)
    better_map.offer(data)
    one_column.of_verdict(data, verdict)
    why(data, verdict, view, explore)


@dataclass(frozen=True)
class Here:
    """Where the person stands on a timeline, and the θ that is suggested for the algorithm in use."""

    algorithm: str
    theta: float
    epsilon: float | None
    n_clusters: int
    suggested: float
    density: int | None = None

    def follows(self, verdict: selection.Verdict) -> bool:
        """Whether this is what the verdict suggests."""
        chained = verdict.algorithm == "TNC" and (self.epsilon, self.density) != (verdict.epsilon, None)
        return self.theta == self.suggested and verdict.algorithm in (None, self.algorithm) and not chained

    @property
    def words(self) -> str:
        """As the browser says it too, while θ is dragged (timeline/js/answer.js)."""
        epsilon = "" if self.epsilon is None else f", ε = {short(self.epsilon)}"
        return f"You are at θ = {short(self.theta)}{epsilon}: {count(self.n_clusters, 'cluster')}"


def line(verdict: selection.Verdict | None, unit: str, here: Here | None = None) -> None:
    """The verdict in one line; its place is kept while there is none yet. With ``here`` it says so off the verdict."""
    looking = '<div class="theta-verdict"><i>Verdict</i> still looking…</div>'
    st.html(_line(verdict, unit, here) if verdict else looking)


def ways(verdict: selection.Verdict, unit: str) -> None:
    """Beside the line: the way back to the verdict, which shows only off it, and the way to the alternative."""
    st.button("Back to the suggestion", key="use-verdict", on_click=take_up, icon=":material/undo:", type="tertiary")
    other = verdict.alternative
    if other is not None and other.confidence >= selection.WORTH_SAYING:
        label = f"or {count(other.n_clusters, 'cluster')} ({sureness(other.confidence)})"
        help = f"The alternative: {place(other, unit)}. {other.reason}"
        st.button(label, key="use-alternative", on_click=_take, args=(other,), help=help, type="tertiary")


def why(data: datasets.Dataset, verdict: selection.Verdict, view: str = "", explore: bool = False) -> None:
    """The reason, the alternative, one click to go to either, and the candidates."""
    st.caption(f"{verdict.reason} {view}".strip())
    with st.container(key="map-line"):  # always there: what comes after it is not drawn anew when it speaks
        better_map.watch(data, verdict)
    if verdict.alternative is not None:
        _alternative(data, verdict)
    with st.container(horizontal=True, vertical_alignment="top", gap="small", key="verdict-go"):
        if not _stands_on(verdict):
            st.button(
                "Go to the verdict",
                key="use-verdict",
                on_click=take_up,
                icon=":material/target:",
                help="θ, ε and the algorithm follow the verdict again, on every page.",
            )
        elif explore:
            links.page_link("app.py", "See it in Explore", ":material/tune:", width="content")
        _candidates(verdict)


def _alternative(data: datasets.Dataset, verdict: selection.Verdict) -> None:
    """The most probable different answer: its picture beside the verdict's, in words, and the click that takes it."""
    other = verdict.alternative
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="verdict-alternative"):
        pictures = "".join(_picture(data, found) for found in (verdict, other))
        said = (
            f"<b>Alternative: {count(other.n_clusters, 'cluster')}</b> {html.escape(place(other, data.unit))} "
            f'<span class="sure" title="{_SURE}">· {sureness(other.confidence)} sure</span>'
            f"<br><small>{html.escape(other.reason)}</small>"
        )
        attributes = f'class="theta-alternative" data-testid="alternative" data-k="{other.n_clusters}"'
        st.html(f"<div {attributes}>{pictures}<p>{said}</p></div>")
        chosen = session.settings()
        if (chosen.algorithm, chosen.theta, chosen.epsilon) != (other.algorithm, other.theta, other.epsilon):
            st.button("Use it", key="use-alternative", on_click=_take, args=(other,), help="Applies it on every page.")


def _take(found: selection.Verdict) -> None:
    session.update(algorithm=found.algorithm, theta=found.theta, epsilon=found.epsilon, density=None)


def _picture(data: datasets.Dataset, found: selection.Verdict) -> str:
    """The clusters of an answer on a few of the points, as a small SVG with its K below."""
    points, settings = loading.verdict_sample(loading.sample(data)), session.settings()
    key = (
        "verdict",
        points.key,
        settings.shuffles,
        settings.seed,
        points.metric,
        found.algorithm,
        found.theta,
        found.epsilon,
    )

    def drawn() -> str:
        shown = np.linspace(0, len(points.X) - 1, min(DOTS, len(points.X))).astype(int)
        labels = answers.labels_of(points, settings, found)
        return thumbnail(projections.thumbnail_positions(points)[shown], labels[shown])

    image = f"data:image/svg+xml,{quote(store.PICTURES.get_or_make(key, drawn))}"  # st.html lets no SVG through
    return f'<figure><img src="{image}" alt=""><figcaption>{found.n_clusters:,}</figcaption></figure>'


def take_up() -> None:
    """Let θ, ε and the algorithm follow the verdict again; for callbacks."""
    session.update(algorithm=None, theta=None, epsilon=None, density=None)


def _stands_on(verdict: selection.Verdict) -> bool:
    chosen = session.settings()
    if verdict.algorithm is None:
        return chosen.theta is None
    lengths = [(chosen.theta, verdict.theta)]
    lengths += [(chosen.epsilon, verdict.epsilon)] if verdict.algorithm == "TNC" else []
    same = all(own in (None, found) for own, found in lengths) and not (chosen.algorithm and chosen.density)
    return same and chosen.algorithm in (None, verdict.algorithm)


def _line(verdict: selection.Verdict, unit: str, here: Here | None) -> str:
    attributes = (
        f'data-testid="verdict" data-algorithm="{verdict.algorithm or ""}" data-k="{verdict.n_clusters}" '
        f'data-theta="{verdict.theta!r}" data-epsilon="{"" if verdict.epsilon is None else repr(verdict.epsilon)}"'
    )
    if verdict.algorithm is None:
        kind, said = "nothing", '<b>Nothing to find</b> <span class="place">all points as one cluster</span>'
    else:
        kind = "found" if verdict.stands_out else "guess"
        outliers = f' <span class="outliers">{outlier_groups(verdict.outliers)}</span>' if verdict.outliers else ""
        said = (
            f"<b>{count(verdict.n_clusters, 'cluster')}</b>{outliers} "
            f'<span class="place">{html.escape(place(verdict, unit))}</span> '
            f'<span class="sure" title="{_SURE}">{sureness(verdict.confidence)} sure</span>'
        )
    said = f"<i>{_KINDS[kind]}</i> {said}"
    if here is not None:
        kind += "" if here.follows(verdict) else " off"
        using = here.algorithm + ("" if here.density is None else " by density")
        attributes += f' data-start="{here.suggested!r}" data-using="{using}"'
        said = f'<span class="suggested">{said}</span><span class="here">{html.escape(here.words)}</span>'
    return f'<div class="theta-verdict {kind}" {attributes}>{said}</div>'


def _candidates(verdict: selection.Verdict) -> None:
    table = verdict.candidates
    if len(table) < 2:
        return
    box = closed.section(f"{len(table)} candidates, best first", "candidates", "format_list_numbered")
    if box is None:
        return
    answers = list(zip(table["algorithm"], table["theta"], table["epsilon"]))

    def clicked() -> None:
        click = st.session_state.get("candidates-click")
        if click is not None and 0 <= click["row"] < len(answers):
            algorithm, theta, epsilon = answers[click["row"]]
            lengths = {"theta": theta, "epsilon": None if math.isnan(epsilon) else epsilon}
            session.update(algorithm=algorithm, density=None, **lengths)

    shown = table.assign(
        use=[f"{row.algorithm}, θ = {short(row.theta)}" for row in table.itertuples()],
        range=[
            f"{'ε' if row.algorithm == 'TNC' else 'θ'} = {short(row.low)} – {short(row.high)}"
            for row in table.itertuples()
        ],
        evidence=[_evidence(row) for row in table.itertuples()],
    )[["use", *_COLUMNS]]
    use = st.column_config.ButtonColumn(
        "look at", on_click=clicked, key="candidates-click", pinned=True, help="Applies it on every page."
    )
    alt = "Ranges of TDG and TNC that are worth a look, the verdict first."
    box.dataframe(shown, hide_index=True, column_config={"use": use, **_COLUMNS}, alt=alt)


def _evidence(row: Any) -> str:
    apart = "no neighbours across" if math.isinf(row.valley) else f"{math.exp(row.valley):.1f} times as far apart"
    if row.algorithm == "TNC":
        return f"{apart}, {row.times_chance:.1f} × chance"
    return f"{apart}, order agreement {row.agreement:.2f}"
