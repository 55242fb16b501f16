"""What's in each cluster: the panel of one, and all of them as a table and a heat map."""

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from theta_app import profiles
from theta_app.figures.profile import heat_map_figure
from theta_app.ui import session
from theta_app.ui.timeline.look import image_shape, truth_name
from theta_app.ui.widgets import charts, controls, downloads
from theta_app.ui.widgets.inside import drawn, marking, part
from theta_app.ui.widgets.inside.view import ClusterView, box, choose
from theta_app.ui.widgets.progress import Ticker
from theta_app.ui.widgets.words import count, decimals, plain, short

_MOST_OFFERED = 300  # clusters in a menu
_MOST_ROWS = 40  # clusters in the heat map, the largest
_MOST_COLUMNS = 40  # features in the heat map, those that differ most
_MOST_PICTURES = 24  # mean pictures of clusters, the largest
_ROWS = 3  # typical rows, and extreme ones
_ALL = "All clusters"


def show(view: ClusterView, line: DeltaGenerator) -> None:
    """The section under the picture. ``line`` is where progress is written."""
    st.subheader("What's in each cluster?", anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        _cluster_menu(view)
        _image_box(view)
    every = session.option("inside", "") == _ALL
    if not every and view.chosen is None:
        return
    silhouettes = view.silhouettes(Ticker(lambda *_: line.caption("Computing silhouettes…")))
    line.empty()
    if every:
        _all_clusters(view, silhouettes)
    else:
        _one_cluster(view, view.chosen, silhouettes)


def _cluster_menu(view: ClusterView) -> None:
    order = [_ALL, *np.argsort(-view.frame.sizes, kind="stable")[:_MOST_OFFERED].tolist()]
    if view.chosen is not None and view.chosen not in order:
        order.append(view.chosen)

    mine = box()

    def take(chosen: Any) -> None:
        if mine != box():  # a box that is gone says once more what it showed
            return
        if chosen == _ALL:
            session.set_option("inside", _ALL)
            return
        session.forget_option("inside")
        choose(view.data, None if chosen is None else view.rows_of(chosen)[0], told=True)

    def called(chosen: Any) -> str:
        return _ALL if chosen == _ALL else f"{view.called(chosen)}: {count(int(view.frame.sizes[chosen]), 'point')}"

    st.selectbox(
        "Cluster",
        order,
        format_func=called,
        label_visibility="collapsed",
        placeholder="Click a cluster in the picture, or pick one here",
        width=380,
        **controls.bound(f"inside.cluster.{mine}", _ALL if session.option("inside", "") == _ALL else view.chosen, take),
    )


def _image_box(view: ClusterView) -> None:
    """Where rows may be pictures: their shape."""
    d = len(view.data.features)
    if d < 16 or view.data.of_curves:
        return
    shape = image_shape(session.settings(), view.data)
    st.text_input(
        "Rows are pictures of",
        width=170,
        placeholder="no, or 8 × 8",
        help="Height × width, if each row holds the grey levels of an image. Leave empty if rows are not images.",
        **controls.bound("inside.image", f"{shape[0]} × {shape[1]}" if shape else "", lambda text: _shape(text, d)),
    )


def _shape(text: str, d: int) -> None:
    try:
        session.update(image="x".join(map(str, profiles.image_shape(text, d))) if text.strip() else "")
    except ValueError as error:
        session.notify(str(error))
        st.toast(str(error))


# ---- one ------------------------------------------------------------------------------------------------------------


def _one_cluster(view: ClusterView, cluster: int, silhouettes: np.ndarray) -> None:
    group = view.labels == cluster
    profile = profiles.profile(view.values, view.features, group, longitude=profiles.longitude_of(view.data))
    with st.container(border=True, key="cluster-panel"):
        st.markdown(f"**{plain(view.called(cluster).replace('cluster', 'Cluster', cluster not in view.names))}**")
        left, right = st.columns([3, 2], gap="large")
        with left:
            _facts(view, cluster, silhouettes)
            drawn.bars(profile)
            st.caption(
                "Mean ± spread in the units of the file, and how many standard deviations (sd) the mean is from the "
                "mean of all rows. What sets this cluster apart most comes first."
            )
        with right:
            marking.controls_for(view, cluster)
            if view.data.truth is not None:
                st.caption(f"Mix of labels: {plain(truth_name(view.data))}")
                truth = view.data.truth[view.sample.rows]
                drawn.labels(profiles.label_mix(truth, view.data.truth_names, group))
        show_rows(view, group)
        with st.expander(f"All {count(len(profile), 'column')} of {plain(view.called(cluster))}"):
            drawn.profile_table(profile)
            name = downloads.file_name("profile", view.data.name, f"cluster-{view.number(cluster)}")
            downloads.csv("Profile as CSV", profile, name)
        part.keep_or_leave(view, group, "this cluster", "cluster")


def _facts(view: ClusterView, cluster: int, silhouettes: np.ndarray) -> None:
    group = view.labels == cluster
    own = silhouettes[group]
    silhouette = float(np.nanmean(own)) if len(own) and not np.isnan(own).all() else np.nan
    size = int(view.frame.sizes[cluster])
    share = size / view.frame.sizes.sum()
    facts = [f"**{count(size, 'point')}**, {share:.1%} of all · silhouette **{decimals(silhouette)}**"]
    near = view.neighbour
    if near is not None:
        gap = "" if np.isnan(near.gap) else f", closest points {short(near.gap)}"
        facts.append(
            f"Nearest: **{plain(view.called(near.cluster))}**, means {short(near.distance)} {view.data.unit} "
            f"apart{gap}. {_what_joins(view, cluster, near.cluster)}"
        )
    if not view.sample.whole:
        facts.append(f"All of this describes {view.sample.sentence}.")
    st.markdown("  \n".join(facts))


def _what_joins(view: ClusterView, cluster: int, other: int) -> str:
    """A sentence about the two clusters, each known by its most typical row."""
    return view.joins(*(int(view.typical(k, 1)[0]) for k in (cluster, other)))


def show_rows(view: ClusterView, group: np.ndarray) -> None:
    """The most typical and the most extreme rows of a group, as pictures where they are pictures."""
    X, metric = view.sample.X, view.sample.metric
    typical, extreme = profiles.typical_rows(X, group, _ROWS, metric), profiles.extreme_rows(X, group, _ROWS, metric)
    extreme = extreme[~np.isin(extreme, typical)]
    shape = image_shape(session.settings(), view.data)
    if shape:
        drawn.thumbnails(view.values, shape, _grey_levels(view), group, typical, extreme, view.numbers)
        return
    rows = view.sample.rows
    st.caption("Its most typical rows (nearest to its mean) and its most extreme ones (farthest from it)")
    st.dataframe(drawn.rows_table(view.data, rows[typical], rows[extreme]), hide_index=True)


def _grey_levels(view: ClusterView) -> tuple[float, float]:
    """The values that are drawn white and black."""
    return float(np.nanmin(view.values)), float(np.nanmax(view.values))


# ---- all ------------------------------------------------------------------------------------------------------------


def _all_clusters(view: ClusterView, silhouettes: np.ndarray) -> None:
    found = profiles.overview(view.values, view.labels, len(view.frame.sizes), profiles.longitude_of(view.data))
    order = np.argsort(-view.frame.sizes, kind="stable")
    table = _overview_table(view, found, silhouettes).iloc[order].reset_index(drop=True)

    def clicked() -> None:
        rows = st.session_state["inside.all"]["selection"]["rows"]
        choose(view.data, view.rows_of(int(order[rows[0]]))[0] if rows else None, told=True)
        if rows:
            session.forget_option("inside")

    number = st.column_config.NumberColumn
    config = {name: number(format="%.4g") for name in view.features}
    config |= {"silhouette": number(format="%.3f"), "share": number(format="percent")}
    st.caption(
        "Means in the units of the file. Click a column's heading to sort. Tick the box before a row to see its "
        "cluster."
    )
    st.dataframe(
        table,
        hide_index=True,
        column_config=config,
        key="inside.all",
        on_select=clicked,
        selection_mode="single-row",
        height=min(38 * (len(table) + 1), 330),
        alt="One row per cluster: its size, silhouette and the mean of every column",
    )
    name = downloads.file_name("clusters", view.data.name, view.at)
    downloads.csv("Clusters as CSV", table, name)
    shape = image_shape(session.settings(), view.data)
    if shape:
        largest = order[:_MOST_PICTURES]
        words = [f"{view.called(int(k))}, {count(int(view.frame.sizes[k]), 'point')}" for k in largest]
        drawn.mean_pictures(found.means[largest], shape, _grey_levels(view), words)
    _heat_map(view, found, table, order, name)


def _overview_table(view: ClusterView, found: profiles.Overview, silhouettes: np.ndarray) -> pd.DataFrame:
    clusters = range(len(view.frame.sizes))
    known = np.nan_to_num(silhouettes)
    of_each = np.bincount(view.labels, weights=known, minlength=len(clusters)) / np.maximum(found.sizes, 1)
    own = {
        "cluster": [view.number(k) for k in clusters],
        "name": [view.names.get(k, "") for k in clusters],
        "points": view.frame.sizes,
        "share": view.frame.sizes / view.frame.sizes.sum(),
        "silhouette": np.where(np.isnan(silhouettes).all(), np.nan, of_each),
    }
    if not view.names:
        del own["name"]
    means = pd.DataFrame(found.means, columns=list(view.features))
    return pd.concat(
        [pd.DataFrame(own), means.rename(columns=lambda name: name if name not in own else f"{name} (mean)")], axis=1
    )


def _heat_map(view: ClusterView, found: profiles.Overview, table: pd.DataFrame, order: np.ndarray, name: str) -> None:
    features = view.features
    by = st.selectbox(
        "Rows of the heat map by",
        ["points", "silhouette", *features],
        format_func=lambda by: {"points": "Size", "silhouette": "Silhouette"}.get(by, by),
        width=240,
        key="inside.heat-order",
    )
    largest = order[:_MOST_ROWS]
    if by != "points":
        column = table["silhouette"] if by == "silhouette" else pd.Series(found.means[order, features.index(by)])
        largest = largest[np.argsort(-column.to_numpy()[:_MOST_ROWS], kind="stable")]
    columns = np.argsort(-np.nanmax(np.abs(found.apart[largest]), axis=0, initial=0.0), kind="stable")[:_MOST_COLUMNS]
    clusters, shown = [view.called(int(k)) for k in largest], [features[j] for j in columns]
    means, apart = (values[np.ix_(largest, columns)] for values in (found.means, found.apart))
    charts.show(
        heat_map_figure(clusters, shown, means, apart),
        "cluster-heat-map",
        name=f"heat-map-{name}",
        alt="Heat map: how far the mean of each cluster is from the mean of all rows, column by column",
        table=pd.DataFrame(apart, columns=shown).assign(cluster=clusters),
    )
    left = [f"the {_MOST_ROWS} largest of {len(order):,} clusters"] if len(order) > _MOST_ROWS else []
    left += (
        [f"the {_MOST_COLUMNS} columns of {len(features):,} that differ most"] if len(features) > _MOST_COLUMNS else []
    )
    if left:
        st.caption(f"Shown are {' and '.join(left)}; the table has all.")
