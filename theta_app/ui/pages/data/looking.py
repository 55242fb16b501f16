"""Looking at the data set as it is prepared."""

import streamlit as st

from theta_app import datasets, selection
from theta_app.ui import loading, projections, session
from theta_app.ui.widgets import downloads, preview, projection, words

_PREVIEW_POINTS = 5000


def facts(data: datasets.Dataset) -> None:
    """Draw how many points, columns and classes there are."""
    n, d = data.in_columns.shape
    with st.container(horizontal=True):
        st.metric("Curves" if data.of_curves else "Points", f"{n:,}", width="content")
        places = ("Places each", d // 3) if data.of_curves else ("Columns", d)
        st.metric(places[0], f"{places[1]:,}", width="content")
    st.markdown(f"{words.plain(data.source)} Distances, and so θ, are in {words.plain(data.unit)}.")
    elsewhere = f"{loading.check(data).sentence} {datasets.label_note(data)}"  # said above, and where a label is chosen
    notes = [note for note in data.notes if note not in elsewhere]
    if notes:
        st.markdown("\n".join(f"- {words.plain(note)}" for note in notes))


def picture(data: datasets.Dataset) -> None:
    """Draw the points, in two dimensions."""
    shown = loading.sample(data, selection.MOST_CURVES if data.of_curves else _PREVIEW_POINTS)
    flat = data.X.shape[1] <= 2
    method = projections.available_projection(shown, session.settings().projection)
    places, many = projections.positions(shown, method), 1
    if data.of_curves:
        lines = projections.thumbnail_positions(shown)
        places, many = lines.reshape(-1, 2), lines.shape[1]
        axes = ("seen from the side", "")
    elif data.on_map:
        axes = (data.features[1], data.features[0])
    elif flat:
        axes = (*data.coordinates, "")[:2]
    elif method == "none":
        axes = data.coordinates[:2]
    else:
        axes = ("first direction", "second direction")
    alt = f"{len(shown.X):,} points of {data.name}"
    on_a_map = {"aspect": shown.aspect, "globe": shown.globe}
    preview.show(places, shown.truth, data.truth_names, axes, alt, many=many, **on_a_map)  # type: ignore[arg-type]
    notes = [] if shown.whole else [f"Showing {len(shown.X):,} of {shown.total:,} points."]
    if data.of_curves:
        notes.append("Turn them in 3-D on Explore.")
    elif not flat:
        drawn = "the first two" if method == "none" else selection.PROJECTIONS[method]
        what = "columns" if data.space is None else f"coordinates ({data.space.label})"
        notes.append(f"{data.X.shape[1]:,} {what} drawn by {drawn}.")
    if notes:
        st.caption(" ".join(notes))
    projection.watch(shown, method)


def table(data: datasets.Dataset) -> None:
    """Draw the first 200 rows."""
    st.subheader("Rows", anchor=False)
    st.dataframe(data.table.head(200), height=300)
    if len(data.table) > 200:
        st.caption(f"The first 200 of {len(data.table):,} rows.")
    downloads.csv("All rows as CSV", data.table, downloads.file_name(data.name))
