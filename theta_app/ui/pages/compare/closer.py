"""A picture of each clustering, and any score, where the person stands: on request."""

import html
from collections.abc import Iterable

import numpy as np
import pandas as pd
import streamlit as st

from theta_app import compare, datasets, metrics, selection
from theta_app.figures import raster
from theta_app.selection import Progress
from theta_app.ui import scheduled, session, store, sweeps
from theta_app.ui.jobs import Task
from theta_app.ui.timeline.of_others import OWN, Others
from theta_app.ui.widgets import closed, controls, downloads
from theta_app.ui.widgets.progress import bar

_FIRST = ("kmeans++-told", "birch-told", "hdbscan-own")
_STYLE = """<style>
.theta-pictures { display: grid; grid-template-columns: repeat(auto-fill, minmax(230px, 1fr)); gap: 0.8rem; }
.theta-pictures figure { margin: 0; }
.theta-pictures img { width: 100%; border: 1px solid #8886; border-radius: 6px; }
.theta-pictures small { display: block; opacity: 0.8; }
</style>"""


def show(data: datasets.Dataset, others: Others) -> None:
    """Draw the section with a picture of every method and more scores."""
    box = closed.section("Pictures and more scores", "compare-closer", "grid_view")
    if box is None:
        return
    with box:
        steps = {
            f"{entry.method}-{'told' if entry.told else 'own'}": (entry, row[others.here])
            for entry, row in others.rows.items()
            if entry != OWN and not isinstance(row[others.here], str)
        }
        names = {key: f"{entry.label}, {others.rules[entry]}" for key, (entry, _) in steps.items()}
        chosen = _many("Methods", "cmp_methods", names, [key for key in _FIRST if key in names])
        scores = _many("Scores", "cmp_scores", _scores(data), metrics.shown_in("compare", data.truth is not None))
        tolerance = _tolerance(data, scores)
        found = [(names[key], _measured(others, steps[key][1].variant)) for key in chosen]  # type: ignore[union-attr]
        _draw(data, others, found, scores, tolerance)


def _many(label: str, option: str, names: dict[str, str], first: list[str]) -> list[str]:
    """Several keys of a table, kept in the link as one text."""
    kept = [key for key in session.option(option, ",".join(first)).split(",") if key in names]
    keep = lambda value: session.set_option(option, ",".join(value))  # noqa: E731
    return st.multiselect(label, list(names), format_func=names.get, **controls.bound(f"option.{option}", kept, keep))


def _scores(data: datasets.Dataset) -> dict[str, str]:
    known = data.truth is not None
    return {key: score.label for key, score in metrics.SCORES.items() if known or not score.needs_truth}


def _tolerance(data: datasets.Dataset, scores: list[str]) -> float | None:
    if data.truth is None or "ssd" not in scores:
        return None
    usual = float(f"{metrics.default_tolerance(data.X, data.truth, data.metric):.3g}")
    value = min(max(session.option("cmp_tolerance", usual), 0.0), 1e12)  # a link may say anything
    keep = lambda value: value is not None and session.set_option("cmp_tolerance", value)  # type: ignore[func-returns-value]  # noqa: E731
    return st.number_input(
        "SSD tolerance",
        0.0,
        1e12,
        format=controls.length_format(usual),
        width=200,
        help="How near a found centroid must be to a true one to count in the SSD score, in the units of the data. "
        "At first a tenth of a typical cluster's radius.",
        **controls.bound("option.cmp_tolerance", value, keep),
    )


def _measured(others: Others, variant: compare.Variant) -> compare.Measurement:
    points, seed = others.sweep.sample, others.sweep.settings.seed

    def work(report: Progress, cancel: Task) -> compare.Measurement:
        return compare.measure(variant, points.X, seed, points.truth, scores=())

    with bar(f"Running {variant.label}") as tick:
        return scheduled.run((points.key, "closer", variant, seed), work, tick, store.MEASURED)


def _draw(
    data: datasets.Dataset,
    others: Others,
    found: Iterable[tuple[str, compare.Measurement]],
    scores: list[str],
    tolerance: float | None,
) -> None:
    points, own = others.sweep.sample, others.frames[others.here]
    sample = sweeps.silhouette_points(points)

    def scored(labels: np.ndarray, centroids: np.ndarray) -> dict[str, float]:
        values = metrics.scores(scores, points.X, labels, points.truth, centroids, tolerance, sample)
        return {metrics.SCORES[name].label: value for name, value in values.items()}

    centroids = None if own.groups.joined else own.groups.centroids
    rows = [{"Method": "Yours", "K": own.k, **scored(own.groups.labels, centroids)}]
    axes = selection.Axes(points.X)
    place = axes(points.X)
    drawn = [_picture(place, own.groups.labels, "Yours", f"K = {own.k:,}")]
    for name, one in found:
        if one.failed:
            rows.append({"Method": name, "Note": one.note})
            continue
        rows.append(
            {
                "Method": name,
                "K": one.n_clusters - one.outliers,
                **scored(one.labels, one.centroids),
                "Time (ms)": 1000 * one.seconds,
                "Note": one.note,
            }
        )
        labels = selection.renumbered(own.groups.labels, one.labels)
        drawn.append(_picture(place, labels, name, f"K = {one.n_clusters - one.outliers:,}"))
    table = pd.DataFrame(rows)
    number = st.column_config.NumberColumn
    config = {score.label: number(format="%.3f", help=score.help) for score in metrics.SCORES.values()}
    st.dataframe(
        table, hide_index=True, column_config=config | {"Time (ms)": number(format="%.1f")}, key="closer-table"
    )
    downloads.csv("Scores as CSV", table, downloads.file_name("compare-scores", data.name))
    st.html(_STYLE + f'<div class="theta-pictures">{"".join(drawn)}</div>')
    flat = "" if axes.flat else " Drawn on the first two principal axes; clustered in all columns."
    st.caption(
        f"Each cluster has the colour of your cluster with which it shares the most points; noise is grey.{flat}"
    )


def _picture(place: np.ndarray, labels: np.ndarray, name: str, about: str) -> str:
    source = raster.image(place, labels, *raster.box(place))["source"]
    name = html.escape(name)
    return f'<figure><img src="{source}" alt="Clusters of {name}"><b>{name}</b><small>{about}</small></figure>'
