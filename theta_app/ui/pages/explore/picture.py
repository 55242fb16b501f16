"""How the picture is drawn: by which projection or features, in which colours, and rows to be found in it."""

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from theta_app import datasets, profiles, selection
from theta_app.ui import projections, session
from theta_app.ui.timeline.beside import Shade, shade_of_classes, shade_of_numbers
from theta_app.ui.timeline.look import axes_of, drawn_in_3d, truth_name
from theta_app.ui.timeline.of_theta import ShownSweep
from theta_app.ui.widgets import controls, projection
from theta_app.ui.widgets.inside import ClusterView
from theta_app.ui.widgets.progress import Ticker
from theta_app.ui.widgets.words import count, decimals, plain, short

_FIND = "explore.find"
_MOST_FOUND = 200  # rings in the picture
_FEW = 10  # different numbers: a colour each rather than a scale
_DRAWN = "explore.drawn-by"  # (data, projection) of the picture that is shown


# ---- choices --------------------------------------------------------------------------------------------------------


def choices(shown: ShownSweep, data: datasets.Dataset) -> None:
    """Projection, colours, and a row to find; they write to the settings."""
    if len(data.features) > 2 and not data.of_curves:
        _projection(shown, data)
    _colour_by(data)
    st.text_input(
        "Find a row",
        key=_FIND,
        placeholder="its number, or a word",
        help="A row's number in the file, or text in any of its columns. Matching rows are ringed in the picture.",
    )
    _say_found(data, shown)


def _projection(shown: ShownSweep, data: datasets.Dataset) -> None:
    names = dict(selection.PROJECTIONS)
    if not selection.has_umap():
        del names["umap"]
    names.setdefault(session.settings().projection, "UMAP (not installed)")
    as_they_are = data.X.shape[1] == 3 and session.settings().picture == "3d"
    st.selectbox(
        "Drawn by",
        list(names),
        format_func=names.get,
        help="How more than two columns are drawn on a flat picture. Clustering always uses all of them. t-SNE and "
        f"UMAP are computed while you go on. t-SNE draws at most {selection.TSNE_POINTS:,} points; UMAP needs "
        "the package umap-learn.",
        disabled=as_they_are,
        **controls.setting("projection"),
    )
    _flat_or_3d(data)
    if session.settings().projection == "none" and not as_they_are:
        across, up = axes_of(session.settings(), data)
        for name, label, current in (("across", "Across", across), ("up", "Up", up)):
            offered = [one for one in data.features if name == "across" or one != across]
            tied = controls.bound(name, current, lambda value, name=name: session.update(**{name: value}))  # type: ignore[misc]
            st.selectbox(label, offered, **tied)


def _flat_or_3d(data: datasets.Dataset) -> None:
    d = data.X.shape[1]
    if d < 3 or (d > 3 and session.settings().projection == "none"):
        return
    drawn = "Three columns are drawn as they are" if d == 3 else "PCA, t-SNE and UMAP then have three dimensions"
    st.segmented_control(
        "Picture",
        list(selection.PICTURES),
        format_func=selection.PICTURES.get,
        required=True,
        help=f"In 3-D: drag to turn, or use the arrow keys. {drawn}. Points are selected in the flat picture.",
        **controls.setting("picture"),
    )


def _colour_by(data: datasets.Dataset) -> None:
    named = {"cluster": "Cluster", "silhouette": "Silhouette"}
    if data.truth is not None:
        named["truth"] = truth_name(data)[:1].upper() + truth_name(data)[1:40]
    named |= {f"={name}": name for name in _columns(data)}
    current = session.settings().colour_by
    tied = controls.bound(
        "colour_by", current if current in named else "cluster", lambda value: session.update(colour_by=value)
    )
    st.selectbox(
        "Colour by",
        list(named),
        format_func=named.get,
        help="Silhouettes are computed when you release θ; while you drag, clusters are shown. Of more than "
        f"{selection.MOST_POINTS:,} points only a fair sample is computed; the others have the mean of their "
        "cluster.",
        **tied,
    )


# ---- colours --------------------------------------------------------------------------------------------------------


def shade(view: ClusterView | None, theta: float, line: DeltaGenerator) -> Shade | None:
    """What points are coloured by, where that is not their cluster. ``line`` is where progress is written."""
    chosen = session.settings().colour_by
    if view is None:
        return None
    if chosen == "truth" and view.data.truth is not None:
        codes = view.data.truth[view.sample.rows]
        return shade_of_classes(truth_name(view.data)[:40], codes, view.data.truth_names)
    if chosen == "silhouette":
        found = view.silhouettes(Ticker(lambda *_: line.caption("Computing silhouettes…")))
        limits = (min(0.0, float(np.nanmin(found, initial=0.0))), 1.0)
        return shade_of_numbers("Silhouette", found, lambda v: decimals(v, 2), limits, theta)
    name = chosen.removeprefix("=")
    return _shade_of_column(view, name) if chosen.startswith("=") and name in _columns(view.data) else None


def _columns(data: datasets.Dataset) -> list[str]:
    """What a file has, used or not: the columns that are clustered, then all others."""
    return [
        *(profiles.CURVE_FACTS if data.of_curves else data.features),
        *(str(name) for name in data.table.columns if name not in (*data.features, data.truth_column)),
    ]


def _shade_of_column(view: ClusterView, name: str) -> Shade:
    data, rows = view.data, view.sample.rows
    if name in view.features:
        return shade_of_numbers(name[:40], view.values[:, view.features.index(name)], short)
    column = next(data.table[own] for own in data.table.columns if str(own) == name).iloc[rows]
    numbers = pd.to_numeric(column, errors="coerce").to_numpy(dtype=float)
    if np.isfinite(numbers).sum() > len(numbers) / 2 and len(np.unique(numbers)) > _FEW:
        return shade_of_numbers(name[:40], numbers, short)
    codes, names = column.astype(str).factorize()
    return shade_of_classes(name[:40], codes, [str(one) for one in names])


# ---- rows -----------------------------------------------------------------------------------------------------------


def found_rows(data: datasets.Dataset) -> np.ndarray:
    """Positions in the data set of the rows that are searched for: by number, else by text in any column."""
    text = str(st.session_state.get(_FIND) or "").strip()
    if not text:
        return np.zeros(0, dtype=np.int64)
    by_number = text.removeprefix("row").strip()
    if by_number.isdigit() and len(by_number) < 12:
        return np.flatnonzero(data.table.index.to_numpy() == int(by_number))
    matches = np.zeros(len(data.table), dtype=bool)
    for name in data.table.columns:
        if name not in data.features:
            matches |= data.table[name].astype(str).str.contains(text, case=False, regex=False).to_numpy()
    return np.flatnonzero(matches)


def found_points(shown: ShownSweep, data: datasets.Dataset) -> list[int]:
    """The same as indices of drawn points, as many as are ringed."""
    positions = found_rows(data)
    return np.flatnonzero(np.isin(shown.drawn.rows, positions))[:_MOST_FOUND].tolist()


def _say_found(data: datasets.Dataset, shown: ShownSweep) -> None:
    text = str(st.session_state.get(_FIND) or "").strip()
    if not text:
        return
    positions, drawn = found_rows(data), found_points(shown, data)
    if not len(positions):
        st.caption(f"No row has the number or text “{plain(text[:60])}”.")
        return
    said = [f"{count(len(positions), 'row')} found"]
    if len(drawn) < len(positions):
        said.append(f"{len(drawn):,} of them drawn and ringed")
    st.caption(f"{', '.join(said)}: ringed in the picture.")
    st.dataframe(data.table.iloc[positions[:50]], height=min(38 * (1 + len(positions[:50])), 220))


# ---- slow projections -----------------------------------------------------------------------------------------------


def drawn_projection(points: selection.Sample, settings: session.Settings) -> str:
    """What can be drawn now: what is asked for, else the picture that is there."""
    key, before = st.session_state.get(_DRAWN, ("", "pca"))
    meanwhile = before if key == points.key else "pca"
    drawn = projections.available_projection(points, settings.projection, meanwhile, _dimensions(settings, points))
    st.session_state[_DRAWN] = (points.key, drawn)
    return drawn


def _dimensions(settings: session.Settings, points: selection.Sample) -> int:
    return 3 if drawn_in_3d(settings, points) else 2


def watch_projection(shown: ShownSweep, slot: DeltaGenerator) -> None:
    """Where the old picture stays until a slow projection is there: say so with progress and a way out."""
    dimensions = _dimensions(session.settings(), shown.sample)
    projection.watch(shown.sample, shown.settings.projection, slot, dimensions)
