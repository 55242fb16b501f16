"""How clusterings are shown: where points are drawn, which clusters are joined by hand, what a row says."""

import hashlib
from collections.abc import Collection, Hashable
from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd

from theta_app import datasets, profiles, selection
from theta_app.clustering import Anchor, merge_anchors, positions
from theta_app.ui import loading, projections, store
from theta_app.ui.session import Settings
from theta_app.ui.timeline.coding import Scaling, along_curve
from theta_app.ui.timeline.frames import RowNotes

_MOST_VALUES = 200_000  # numbers that are sent for the tooltip
_MOST_TEXTS = 3  # columns of texts in the tooltip
_TEXT = 40  # characters of each
_SPACE = ("x", "y", "z")  # the axes of curves


@dataclass(frozen=True, eq=False)
class Look:
    """How clusterings of a sample are shown."""

    key: Hashable  # equal for equal looks
    positions: np.ndarray  # (n, 2): where the points are drawn
    caption: str = ""  # what the picture is, where that needs saying
    stretch: bool = False  # whether the axes have units of their own
    # tuple of tuples of `clustering.Anchor`: rows whose clusters are joined by hand
    merges: tuple[tuple[Anchor, ...], ...] = ()
    # (n, 3): where the points are drawn in 3-D; ``positions`` are for flat pictures of the same, as in a report
    solid: np.ndarray | None = None
    flat_by: str = "pca"  # the projection of ``positions``
    axes: tuple[str, ...] = ()  # three names of the axes in 3-D, or none
    strands: np.ndarray | None = None  # (n, k, 3): the places of rows that are curves; ``solid`` are their middles


def all_drawn(data: datasets.Dataset) -> selection.Sample | None:
    """All points of a data set too large to be swept in full but not to be drawn; None for all others.

    They come along a curve that fills the picture: neighbours are together in memory, and painting takes half as long.
    """
    n, d = data.X.shape
    if d > 2 or data.on_map or not selection.MOST_SWEPT < n <= selection.MOST_DRAWN:
        return None
    return store.DATA.get_or_make((data.digest, "drawn"), lambda: _along_curve(loading.sample(data, n)))


def _along_curve(points: selection.Sample) -> selection.Sample:
    positions = projections.positions(points, "none")
    order = along_curve(Scaling.of(positions)(positions).astype("<f4"))
    X = np.ascontiguousarray(points.X[order])
    X.flags.writeable = False
    truth = None if points.truth is None else points.truth[order]
    return replace(points, key=f"{points.key}/drawn", rows=order, X=X, truth=truth)


def usual_look(points: selection.Sample, projection: str, what: str = "features") -> Look:
    """Drawn by a projection, no clusters joined. ``what`` the columns of the points are."""
    if points.of_curves:
        return _curves_look(points)
    places = projections.positions(points, projection)
    return Look(projection, places, caption(points, projection, what), flat_by=projection)


def drawn_in_3d(settings: Settings, points: selection.Sample | datasets.Dataset) -> bool:
    """Whether points (a `Sample` or a `Dataset`) are drawn in 3-D.

    Those of one or two columns never are; nor are two features that the person draws of more than three. Curves always
    are.
    """
    if points.of_curves:
        return True
    d = points.X.shape[1]
    return settings.picture == "3d" and (d == 3 or (d > 3 and settings.projection != "none"))


def _solid_look(points: selection.Sample, projection: str, data: datasets.Dataset, what: str) -> Look:
    """Three columns as they are, more by a projection to three dimensions."""
    slow = projection in selection.SLOW and not projections.is_there(points, projection)
    flat_by, d = "pca" if slow else projection, points.X.shape[1]
    solid, flat = projections.positions(points, projection, 3), projections.positions(points, flat_by)
    names = data.features if data.space is None else ()
    short = {"pca": "PCA", "tsne": "t-SNE", "umap": "UMAP"}
    axes = names if d == 3 == len(names) else [f"{short[projection] if d > 3 else 'map'} {k}" for k in (1, 2, 3)]
    words = _solid_caption(points, projection, what)
    return Look((projection, 3), flat, words, solid=solid, flat_by=flat_by, axes=tuple(map(str, axes)))


def _curves_look(points: selection.Sample) -> Look:
    """Curves as lines in space."""
    solid, flat = (projections.positions(points, "none", dimensions) for dimensions in (3, 2))
    parts = [] if points.whole else [f"showing {len(points.X):,} of {points.total:,}"]
    words = " · ".join([*parts, "curves in 3-D, those of centroids drawn strong", "drag to turn"])
    return Look(
        "curves", flat, words, solid=solid, flat_by="none", axes=_SPACE, strands=selection.curve_places(points.X)
    )


def look_of(points: selection.Sample, settings: Settings, data: datasets.Dataset) -> Look:
    """As the settings say: by two features in their own units where these are chosen, with the person's merges."""
    what = "columns" if data.space is None else f"coordinates ({data.space.label})"
    solid = drawn_in_3d(settings, points)
    if solid and not points.of_curves:
        usual = _solid_look(points, settings.projection, data, what)
    else:
        usual = usual_look(points, settings.projection, what)
    merges = merge_anchors(settings.marks.merges, data, points)
    axes = axes_of(settings, data) if settings.projection == "none" and not solid else None
    if axes is None:
        return replace(usual, key=(usual.key, merges), merges=merges)
    values = profiles.original_values(data, points.rows)
    columns = [values[:, data.features.index(name)] for name in axes]
    positions = np.nan_to_num(np.column_stack(columns))
    sampled = [] if points.whole else [f"showing {len(points.X):,} of {points.total:,}"]
    words = f"across: {axes[0]} · up: {axes[1]}; all {points.X.shape[1]} {what} are clustered"
    key = ("axes", axes, hashlib.sha256(positions.tobytes()).hexdigest(), merges)
    return Look(key, positions, " · ".join([*sampled, words]), True, merges, flat_by="none")


def axes_of(settings: Settings, data: datasets.Dataset) -> tuple[str, str] | None:
    """The two features that are drawn where the person draws two features; None where there are no more."""
    if len(data.features) < 3:
        return None
    across = settings.across if settings.across in data.features else data.features[0]
    others = [name for name in data.features if name != across]
    return across, settings.up if settings.up in others else others[0]


def row_positions(numbers: Collection[int], data: datasets.Dataset, points: selection.Sample) -> dict[int, int]:
    """{row number: index into the sample} for those of the numbers that are drawn."""
    return positions(list(numbers), data.numbers[points.rows]) if numbers else {}


def caption(points: selection.Sample, projection: str, what: str = "features") -> str:
    """What the picture is, where that needs saying."""
    parts = [] if points.whole else [f"showing {len(points.X):,} of {points.total:,}"]
    if len(points.X) > selection.MOST_POINTS:
        parts.append(f"{len(points.X):,} points as density; zoom in for single ones")
    d = points.X.shape[1]
    if d > 2:
        how = {
            "pca": "their two main directions (PCA)",
            "tsne": "t-SNE",
            "umap": "UMAP" if selection.has_umap() else "PCA (UMAP needs pip install umap-learn)",
            "none": "their first two",
        }[projection]
        if projection == "tsne" and len(points.X) > selection.TSNE_POINTS:
            how = f"PCA (t-SNE draws at most {selection.TSNE_POINTS:,} points)"
        parts.append(f"{d} {what} drawn by {how}; θ-circles are hidden: this projection distorts distances")
    if points.on_map:
        circles = (
            "θ-circles as they are on the globe" if points.globe else "θ-circles are hidden: degrees differ in length"
        )
        parts.append(f"a map: longitude across, latitude up; {circles}")
    elif d <= 2 and not points.metric.of_columns:
        parts.append("θ-circles are hidden: angles count, seen from 0, not lengths")
    return " · ".join(parts)


def _solid_caption(points: selection.Sample, projection: str, what: str) -> str:
    """What the picture in 3-D is, and what one does with it."""
    parts = [] if points.whole else [f"showing {len(points.X):,} of {points.total:,}"]
    d = points.X.shape[1]
    if d > 3:
        how = {"pca": "PCA", "tsne": "t-SNE", "umap": "UMAP"}[projection]
        parts.append(f"{d} {what} drawn in 3-D by {how}; θ-spheres are hidden: this projection distorts distances")
    elif not points.metric.of_columns:
        parts.append("θ-spheres are hidden: angles count, seen from 0, not lengths")
    else:
        parts.append("point at a centroid to see its θ-sphere")
    return " · ".join([*parts, "drag to turn", "to select points, change to the flat picture"])


# ---- rows ------------------------------------------------------------------------------------------------------------


def row_notes(data: datasets.Dataset, points: selection.Sample, shape: tuple[int, int] | None) -> RowNotes:
    """What the tooltip says about each drawn row: its values in the units of the file, and its texts."""
    values = profiles.original_values(data, points.rows)[:, : 0 if points.of_curves else None]
    m = min(len(data.features), max(1, _MOST_VALUES // len(values)))
    if len(data.features) == 2 and np.array_equal(values, points.X):
        m = 2  # they are the positions, and not sent again
    image = None
    if shape and m == len(data.features):
        image = (*shape, *map(float, (np.nanmin(values), np.nanmax(values))))
    columns = [name for name in data.table.columns if name not in data.features][:_MOST_TEXTS]
    texts = [
        _texts_of(truth_name(data) if name == data.truth_column else str(name), data.table[name].iloc[points.rows])
        for name in columns
    ]
    count = 0 if points.of_curves else len(data.features)  # the places of a curve are drawn, and say nothing in words
    return RowNotes(data.features[:count][:m], values[:, :m], count, texts, image)  # type: ignore[arg-type]


def truth_name(data: datasets.Dataset) -> str:
    """What the known classes are called beside clusters that were found."""
    return "true class" if data.truth_column == "cluster" else f"{data.truth_column} (label)"


def _texts_of(name: str, column: pd.Series) -> tuple[str, np.ndarray, list[str]]:
    codes, words = column.factorize(use_na_sentinel=False)
    return name[:_TEXT], codes, [str(word)[:_TEXT] for word in words]


_table_marks: WeakKeyDictionary[datasets.Dataset, str] = WeakKeyDictionary()


def table_mark(data: datasets.Dataset, points: selection.Sample) -> str:
    """What tells data sets apart whose points are the same: their name, their columns, and all that rows say."""
    if data not in _table_marks:
        rows = data.table.iloc[points.rows]
        try:
            content = pd.util.hash_pandas_object(rows, index=True).to_numpy()
        except TypeError:  # values of a kind that has no hash
            content = pd.util.hash_pandas_object(rows.astype(str), index=True).to_numpy()
        words = repr((data.name, data.features, tuple(map(str, rows.columns)))).encode()
        _table_marks[data] = hashlib.sha256(words + content.tobytes()).hexdigest()
    return _table_marks[data]


def image_shape(settings: Settings, data: datasets.Dataset) -> tuple[int, int] | None:
    """The shape of rows that are pictures: as the person says, else where the columns' names tell."""
    if settings.image is None:
        return profiles.likely_shape(data.features)
    try:
        return profiles.image_shape(settings.image, len(data.features)) if settings.image else None
    except ValueError:
        return None  # it was stated for other columns
