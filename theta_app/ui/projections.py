"""Where points are drawn, computed once and kept for everybody; slow projections go on while the page is used."""

import threading
import time
from collections.abc import Hashable

import numpy as np

from theta_app import selection
from theta_app.ui import store
from theta_app.ui.scheduled import asker


def positions(points: selection.Sample, projection: str) -> np.ndarray:
    """Where the points of a sample are drawn, an array (n, 2)."""
    key = _key(points, projection)
    return store.PICTURES.get_or_make(key, lambda: selection.project(points.X, key[1]))


def _key(points: selection.Sample, projection: str) -> Hashable:
    method = projection if points.X.shape[1] > 2 else "none"
    if method == "tsne" and len(points.X) > selection.TSNE_POINTS:
        method = "pca"
    if method == "umap" and not selection.has_umap():
        method = "pca"
    return points.key, method, "places"


_UNWANTED = 60.0  # seconds that nobody has asked after a projection after which it is ended
_ASKING = 5.0  # seconds after which somebody who asked no longer counts
_projecting: dict[Hashable, "_Drawing"] = {}
_failed: dict[Hashable, str] = {}
_change_projecting = threading.Lock()
_one_projection = threading.Lock()  # at a time, beside the scheduler's workers


class _Drawing:
    """A slow projection under way, and when each visitor last asked after it."""

    def __init__(self, key: Hashable, X: np.ndarray):
        self.key, self.work = key, selection.Projecting(X, key[1])
        self.asked: dict[Hashable, float] = {None: time.monotonic()}
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()
        threading.Thread(target=self.watch, daemon=True).start()

    def run(self) -> None:
        try:
            with _one_projection:
                found = None if self.work.stopped.is_set() else self.work.run()
            if found is not None:
                store.PICTURES.put(self.key, found)
        except ValueError as error:
            _failed[self.key] = str(error)
        finally:
            _projecting.pop(self.key, None)

    def watch(self) -> None:
        while self.thread.is_alive():
            self.thread.join(1.0)
            if time.monotonic() - max(self.asked.values()) > _UNWANTED:
                self.work.stop()


def available_projection(points: selection.Sample, projection: str, meanwhile: str = "pca") -> str:
    """How a sample can be drawn now: as asked, or ``meanwhile`` while that, started here, is computed."""
    key = _key(points, projection)
    if key[1] not in selection.SLOW or store.PICTURES.get(key) is not None:
        return projection
    with _change_projecting:
        if key not in _projecting and key not in _failed:
            _projecting[key] = _Drawing(key, points.X)
    ready = meanwhile not in selection.SLOW or store.PICTURES.get(_key(points, meanwhile)) is not None
    return meanwhile if ready else "pca"


def projecting(points: selection.Sample, projection: str) -> tuple[int, int] | None:
    """(done, total) steps of what `available_projection` has started; None once it has ended.

    Asking shows that it is wanted.
    """
    drawing = _projecting.get(_key(points, projection))
    if drawing is None:
        return None
    drawing.asked = {**drawing.asked, asker(): time.monotonic()}
    return drawing.work.done, drawing.work.total


def stop_projecting(points: selection.Sample, projection: str) -> None:
    """End what `available_projection` has started, unless another visitor waits for it too."""
    drawing = _projecting.get(_key(points, projection))
    if drawing is None:
        return
    others = [seen for who, seen in drawing.asked.items() if who not in (None, asker())]
    if all(time.monotonic() - seen > _ASKING for seen in others):
        drawing.work.stop()


def why_not_drawn(points: selection.Sample, projection: str) -> str:
    """A sentence where a projection has failed; else empty."""
    return _failed.get(_key(points, projection), "")
