"""S1 to S4: where sizes drop, and whose clusters are closer to the truth."""

import pandas as pd
import streamlit as st

from theta_app import datasets, metrics
from theta_app.figures import paper as figures
from theta_app.paper import s_sets
from theta_app.selection import Progress
from theta_app.ui import loading, scheduled, session, shell, store
from theta_app.ui.jobs import Task
from theta_app.ui.widgets import charts, controls, downloads
from theta_app.ui.widgets.progress import bar

_SET_NAMES = ("s1", "s2", "s3", "s4")


@shell.fragment
def show() -> None:
    """S1 to S4 side by side, as in the paper."""
    st.header("Do the sizes drop after the true number of clusters?", anchor=False)
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
    charts.show(figures.set_figure(results), "sets", name="s1-s4-sizes", alt=alt, table=s_sets.size_table(results))
    st.dataframe(table, hide_index=True, column_config=_SET_COLUMNS, alt="NMI of TDG's largest 15 and of K-Means++.")
    downloads.csv("NMI table as CSV", table, "s1-s4-nmi")
    _claims(table)


_SET_COLUMNS = {
    "n_clusters": st.column_config.NumberColumn("K (TDG)"),
    "suggested": st.column_config.NumberColumn("drop after"),
    "nmi_all": st.column_config.NumberColumn("NMI, all of TDG's", format="%.3f"),
    "nmi_top": st.column_config.NumberColumn("NMI, its largest 15", format="%.3f", help="Every point reassigned."),
    "nmi_kmeans": st.column_config.NumberColumn(
        "NMI, K-Means++", format="%.3f", help="Given the true number, 15; 10 starts of at most 300 iterations."
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


def _set_result(
    spec: datasets.Spec, theta: float, settings: session.Settings, progress: Progress | None
) -> s_sets.SetResult:
    data = loading.dataset(spec, datasets.Preparation())

    def work(report: Progress, cancel: Task) -> s_sets.SetResult:
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
            f"**Measured here**\n\nThe drop falls after the 15th cluster on {dropped} of {len(table)} sets.\n\nTDG's "
            f"largest 15 are closer to the truth than K-Means++ on {closer}, as close (within {metrics.CLOSE:g}) on "
            f"{same}, and farther on {farther} of {len(table)} sets. Both use the number 15: K-Means++ from the "
            "start, TDG to keep its largest 15."
        )
