"""What leaves the page with a clustering: every file is made of that one value, when its button is pressed."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import streamlit as st

from theta_app import datasets, report, selection
from theta_app.clustering import Clustering
from theta_app.ui import address, session
from theta_app.ui.widgets import closed, downloads, second_file

SECTION = "export"  # the key of the panel: closed until it is asked for


def show(
    clustering: Clustering,
    verdict: selection.Verdict | None,
    drawn: tuple[np.ndarray, np.ndarray, str],
    sweep: selection.Sweep | None = None,
    options: dict[str, str] | None = None,
    more: Callable[[str], None] | None = None,
) -> None:
    """The panel. ``drawn`` is as of `Clustering.drawn`, ``options`` travel in the link, ``more(name)`` adds buttons."""
    name = file_name(clustering)
    link = share_link(clustering, options or {})

    def described() -> report.Report:
        positions, rows, projection = drawn
        how = selection.PROJECTIONS[projection] if clustering.data.X.shape[1] > 2 else ""
        return report.Report(clustering, verdict, sweep and sweep.table, positions, rows, how, link)

    if box := closed.section("Export", SECTION, "download"):
        with box:
            _files(clustering, name, described, more)
            _link(clustering, link)
            second_file.show(clustering, name)


def _files(
    clustering: Clustering, name: str, described: Callable[[], report.Report], more: Callable[[str], None] | None
) -> None:
    with st.container(horizontal=True):
        downloads.csv(
            "Labels",
            clustering.table,
            f"labels-{name}",
            help="Every row by its number: original columns, cluster (-1 for outliers), and why a row was set aside.",
        )
        downloads.csv(
            "Centroids",
            clustering.centroid_table,
            f"centroids-{name}",
            help="Means in the units of the columns (and as scaled), with the cluster and the size of each.",
        )
        downloads.report(described, name)
        downloads.json_file(
            "Settings", clustering.settings, f"settings-{name}", help="Everything needed to repeat this."
        )
        if more is not None:
            more(name)
    if not clustering.points.whole:
        st.caption(f"Computed on {clustering.points.sentence}, as shown; every other row goes to the nearest centroid.")


def _link(clustering: Clustering, link: str) -> None:
    if box := closed.section("Share link", "export-link", "link"):
        box.code(link, language=None, wrap_lines=True)
        shared = address.shared(link)
        if shared["qr"]:
            box.image(shared["qr"], width=220)
        if shared["note"]:
            box.caption(shared["note"])
        if isinstance(clustering.data.spec, datasets.Upload):
            box.caption(
                "The link does not contain your file: whoever opens it gets the settings and is asked for the file."
            )
    if box := closed.section("The same labels in Python", "export-code", "code"):
        box.code(report.snippet(clustering), language="python")


def file_name(clustering: Clustering) -> str:
    """What files about a clustering are called, without ending."""
    lengths = [f"theta={clustering.theta:.4g}"]
    lengths += [] if clustering.epsilon is None else [f"epsilon={clustering.epsilon:.4g}"]
    lengths += [] if clustering.density is None else [f"density={clustering.density}"]
    kept = [] if clustering.keep is None else [f"largest-{clustering.keep}"]
    return downloads.file_name(clustering.data.name, clustering.algorithm, *lengths, *kept)


def share_link(clustering: Clustering, options: dict[str, str]) -> str:
    """The address that shows this clustering as the person sees it."""
    state = session.current()
    names = ("algorithm", "theta", "epsilon", "density", "shuffles", "seed", "marks")
    settings = replace(state.settings, **{name: getattr(clustering, name) for name in names})
    state = replace(state, settings=settings, options={**state.options, **options})
    return address.link(session.to_query(state))
