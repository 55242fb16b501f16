"""Other methods on the same points, beside chaining."""

import math

import pandas as pd
import streamlit as st

from theta_app import compare, datasets, selection
from theta_app.figures import chains as figures
from theta_app.ui import loading, projections, session, store
from theta_app.ui.pages.nonlinear import Choice
from theta_app.ui.widgets import charts, measured, on_request

_POINTS = 5000  # at most: spectral clustering and single linkage look at many pairs
_UNASKED_VALUES = 6000  # points x features up to which the other methods take about a second
_MOST_CHAINS = 60  # told to the methods that want a number of clusters
_DRAWN = 2000  # points in a small picture


def show(data: datasets.Dataset, choice: Choice) -> None:
    """DBSCAN and the others on the same points: pictures, scores, time."""
    st.subheader("Other methods on the same points", anchor=False)
    points, settings = loading.sample(data), session.settings()
    part = loading.part(points, _POINTS)
    k = choice.chaining.tree.count(choice.epsilon)
    if not 2 <= k <= _MOST_CHAINS:
        st.caption(f"Stand on an ε with 2 to {_MOST_CHAINS} chains (here: {k:,}) to see other methods find as many.")
        return
    if part.X.size > _UNASKED_VALUES:
        wanted = (data.digest, settings.shuffles, settings.seed)
        label = f"Run the other methods on {len(part.X):,} points"
        options = {"icon": ":material/play_arrow:", "help": "Takes some seconds."}
        if not on_request.asked("nonlinear.methods", wanted, label, **options):
            return
    slot = st.empty()
    found = results(points, part, choice, settings, k, lambda label: slot.caption(f"Running {label}…"))
    slot.empty()
    table = measured.table(found, points.truth is not None, parameters=True)
    _pictures(data, points, part, found, settings, table, k)
    measured.show(table, alt="Scores and time of each method.")
    if len(part.X) < len(points.X):
        st.caption(
            f"The others ran on {len(part.X):,} points, TNC on {len(points.X):,}; scores are of the same points."
        )


def results(points, part, choice: Choice, settings, k: int, between) -> list[compare.Measurement]:
    """TNC and each method beside it, each told what chaining found."""
    lengths = {"theta": choice.theta, "epsilon": choice.epsilon, "shuffles": settings.shuffles}
    start = compare.start_values(part.X, choice.theta, k, epsilon=choice.epsilon, shuffles=settings.shuffles)
    variants = [compare.Variant.of("tnc", metric=points.metric, **lengths), *compare.shape_variants(start)]
    return measured.measurements(points, variants, settings.seed, between, part)


def _pictures(data, points, part, found, settings, table: pd.DataFrame, k: int) -> None:
    drawn = selection.fair_sample(len(part.X), _DRAWN)
    projection = projections.available_projection(part, settings.projection)
    key = (part.key, projection, "panels", *((m.label, m.parameters) for m in found))
    figure = store.PICTURES.get_or_make(key, lambda: _figure(part, found, drawn, projection))
    names = ", ".join(m.label for m in found[:-1])
    alt = f"The same points clustered by {names} and {found[-1].label}."
    charts.show(figure, "peers", name=f"shapes-{data.name}", alt=alt, table=table)
    shown = "" if len(drawn) == len(points.X) else f" Showing {len(drawn):,} of {points.total:,} points."
    st.caption(
        "Each picture is one method on the same points; a cluster has the colour of the chain it shares most points "
        f"with, and grey points are noise. The methods that must be told a number of clusters get K' = {k:,}.{shown}"
    )


def _figure(part, found, drawn, projection):
    reference = next((selection.by_size(m.labels) for m in found if not m.failed), None)
    panels = [
        figures.Panel(_title(m), None if m.failed else selection.renumbered(reference, m.labels)[drawn]) for m in found
    ]
    return figures.panels_figure(projections.positions(part, projection)[drawn], panels)


def _title(measurement: compare.Measurement) -> str:
    if measurement.failed:
        return f"<b>{measurement.label}</b><br>could not run"
    nmi = measurement.scores.get("nmi", math.nan)
    score = f", NMI {nmi:.3f}" if math.isfinite(nmi) else ""
    return f"<b>{measurement.label}</b><br>K = {measurement.n_clusters}{score}"
