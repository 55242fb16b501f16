"""Where points are drawn, computed once and kept for everybody; slow projections go on while the page is used."""

import numpy as np

from theta_app import selection
from theta_app.engine import Progress
from theta_app.ui import scheduled, store
from theta_app.ui.jobs import PROJECTIONS, QUEUE, Job, Task


def positions(points: selection.Sample, projection: str, dimensions: int = 2) -> np.ndarray:
    """Where the points of a sample are drawn, an array (n, dimensions)."""
    key = _key(points, projection, dimensions)
    if points.of_curves:
        draw = lambda X: selection.curve_positions(X, dimensions)  # noqa: E731
    elif points.on_map:
        draw = selection.map_positions
    else:
        draw = lambda X: selection.project(X, key[1], dimensions=dimensions)  # noqa: E731
    return store.PICTURES.get_or_make(key, lambda: draw(points.X))


def thumbnail_positions(points: selection.Sample) -> np.ndarray:
    """Where points are in a small picture, (n, 2) by PCA, or the places of curves, (n, m, 2)."""
    if points.of_curves:
        return selection.seen(selection.curve_places(points.X))
    return positions(points, "pca")


def _key(points: selection.Sample, projection: str, dimensions: int) -> tuple:
    method = projection if points.X.shape[1] > dimensions and not points.of_curves else "none"
    if method == "tsne" and len(points.X) > selection.TSNE_POINTS:
        method = "pca"
    if method == "umap" and not selection.has_umap():
        method = "pca"
    return points.key, method, "places", dimensions


def available_projection(points: selection.Sample, projection: str, meanwhile: str = "pca", dimensions: int = 2) -> str:
    """How a sample can be drawn now: as asked, or ``meanwhile`` while that, started here, is computed."""
    key = _key(points, projection, dimensions)
    if key[1] not in selection.SLOW or store.PICTURES.get(key) is not None:
        return projection
    _projecting(points, key)
    ready = meanwhile not in selection.SLOW or is_there(points, meanwhile, dimensions)
    return meanwhile if ready else "pca"


def is_there(points: selection.Sample, projection: str, dimensions: int = 2) -> bool:
    """Whether it is known where a projection draws the points."""
    return store.PICTURES.get(_key(points, projection, dimensions)) is not None


def _projecting(points: selection.Sample, key: tuple) -> Task:
    def work(report: Progress, cancel: Task) -> None:
        store.PICTURES.put(key, selection.project_apart(points.X, key[1], report, cancel, key[-1]))

    return QUEUE.ask(scheduled.asker(), Job(key, work, lane=PROJECTIONS))


def projecting(points: selection.Sample, projection: str, dimensions: int = 2) -> Task | None:
    """What `available_projection` has started; None once it is there. Asking shows that it is wanted."""
    key = _key(points, projection, dimensions)
    return None if store.PICTURES.get(key) is not None else _projecting(points, key)


def stop_projecting(points: selection.Sample, projection: str, dimensions: int = 2) -> None:
    """End what `available_projection` has started, unless another visitor waits. One that failed may be tried again."""
    QUEUE.leave(scheduled.asker(), _key(points, projection, dimensions))
