"""What the paper shows on sets of its own: S1 to S4, whose sizes drop, and the range of θ at three spacings."""

import numpy as np
import pandas as pd
import streamlit as st

from theta_app import datasets, metrics, selection
from theta_app.compare import s_sets
from theta_app.figures import ranges as range_figures
from theta_app.figures import sizes as size_figures
from theta_app.ui import loading, scheduled, session, shell, store
from theta_app.ui.widgets import charts, controls, downloads, from_the_paper
from theta_app.ui.widgets.progress import bar
from theta_app.ui.widgets.words import short

_SET_NAMES = ("s1", "s2", "s3", "s4")
_SPACINGS = (11.0, 7.5, 5.0)
_SIDE, _PER_CLUSTER = 5, 100  # the paper's figure: 25 clusters


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
    charts.show(size_figures.set_figure(results), "sets", name="s1-s4-sizes", alt=alt, table=s_sets.size_table(results))
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


# ---- three spacings -------------------------------------------------------------------------------------------------


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
    charts.show(range_figures.spacing_figure(curves), "spacing", name="theta-range-spacing", alt=alt, table=rows)
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
