"""Two or three dimensions for drawing. Nothing is ever clustered in them."""

import contextlib
from collections.abc import Callable

import numpy as np

from theta_app import workers
from theta_app.engine import Cancel, Cancelled, Progress, fair_sample, neighbour_map
from theta_app.engine.neighbour_map import NEIGHBOURS
from theta_app.engine.printed import PrintedSteps

PROJECTIONS = {"pca": "PCA", "tsne": "t-SNE", "umap": "UMAP", "none": "Two features"}
"""Ways to draw more than two features, and what they are called."""

PICTURES = {"flat": "Flat", "3d": "3-D"}
"""How points of more than two features are shown."""

SLOW = ("tsne", "umap")  # for pages, see `project_apart`
TSNE_POINTS = 5_000  # about half a minute; the page draws a fair sample of more
PCA_FIT_ROWS = 20_000


def project(
    X: np.ndarray, method: str = "none", seed: int = 0, progress: Progress | None = None, dimensions: int = 2
) -> np.ndarray:
    """Where to draw the points.

    Parameters
    ----------
    X : array of shape (n, d)
    method : {"none", "pca", "tsne", "umap"}
        "none" is the points themselves in two dimensions (their first two columns in more, a line in one).
        "pca" keeps the directions of largest variance. "tsne" and "umap" keep neighbours together and distort
        distances; "umap" needs the package umap-learn.
    seed : int
        For t-SNE and UMAP.
    progress : callable(done, total), optional
        Called now and then by t-SNE and UMAP.
    dimensions : 2 or 3
        Of the picture.

    Returns
    -------
    ndarray of shape (n, dimensions), read-only
    """
    X = np.asarray(X, dtype=np.float64)
    if method not in PROJECTIONS:
        raise ValueError(f"method must be one of {', '.join(PROJECTIONS)}, not {str(method)[:30]!r}.")
    if X.ndim != 2 or len(X) == 0:
        raise ValueError(f"X must be a table of points with at least one row, not of shape {X.shape}.")
    if method == "none" or X.shape[1] < 2 or len(X) < 3:
        return _frozen(_columns(X, dimensions))
    if method == "pca":
        return _frozen(Axes(X, dimensions)(X))
    if method == "tsne" and len(X) > TSNE_POINTS:
        raise ValueError(f"t-SNE is drawn for at most {TSNE_POINTS:,} points, not {len(X):,}: give it a sample.")
    if len(X) < 5 or np.ptp(X, axis=0).max() == 0:  # both break where all points are the same
        return _frozen(Axes(X, dimensions)(X))
    return _frozen((_tsne if method == "tsne" else _umap)(X, seed, progress, dimensions))


def project_apart(
    X: np.ndarray, method: str, progress: Progress | None = None, cancel: Cancel | None = None, dimensions: int = 2
) -> np.ndarray:
    """As ``project``, in a process of its own: neither t-SNE nor UMAP can be interrupted, a process can be ended.

    ``progress(done, total)`` is told the steps; when ``cancel`` is set `Cancelled` is raised. ValueError with a
    sentence where it failed.
    """

    def look(steps: list) -> None:
        if cancel is not None and cancel.is_set():
            raise Cancelled("stopped before the end")
        if steps and progress is not None:
            progress(*steps[-1])

    try:
        return workers.run(_project, X, method, dimensions, look=look, niceness=5, threads=None)
    except (workers.Died, MemoryError, OSError) as error:
        raise ValueError("The process that drew the points ended; it may need more memory.") from error


def _project(say: Callable[[object], None], X: np.ndarray, method: str, dimensions: int) -> np.ndarray:
    try:
        return project(X, method, progress=lambda *steps: say(steps), dimensions=dimensions)
    except Exception as error:  # said on the page
        raise ValueError(str(error) or type(error).__name__) from None


def map_positions(X: np.ndarray, of: np.ndarray | None = None) -> np.ndarray:
    """Where latitudes and longitudes (n, 2), in degrees, are drawn: longitude across, latitude up; see `map_aspect`.

    The picture is cut where nothing lies, which need not be the date line: in the middle of the widest gap between the
    longitudes of X, or of other places that it is a map `of`.
    """
    latitude, longitude = np.asarray(X, dtype=np.float64).T
    around = np.sort((longitude if of is None else np.asarray(of, dtype=np.float64)[:, 1]) % 360.0)
    gaps = np.diff(around, append=around[0] + 360.0)
    widest = int(gaps.argmax())
    first = around[(widest + 1) % len(around)]
    across = first + (longitude - first + gaps[widest] / 2.0) % 360.0 - gaps[widest] / 2.0
    return _frozen(np.column_stack([across - 360.0 if first >= 180.0 else across, latitude]))


def map_aspect(X: np.ndarray) -> float:
    """How wide a degree of longitude is drawn, in degrees of latitude: as it is in the middle of the points (n, 2).

    It is 1 at the equator and shrinks towards the poles.
    """
    latitude = np.asarray(X, dtype=np.float64)[:, 0]
    return max(float(np.cos(np.radians((latitude.min() + latitude.max()) / 2.0))), 0.05)


LOOK = 30.0, 20.0
"""From where points in 3-D are seen at first, in degrees: how far around, and how far from above."""


def curve_places(X: np.ndarray) -> np.ndarray:
    """The places (n, m, 3) of curves (n, 3 m)."""
    return np.asarray(X, dtype=np.float64).reshape(len(X), -1, 3)


def curve_positions(X: np.ndarray, dimensions: int = 3) -> np.ndarray:
    """Where curves are as points: the mean place of each, (n, 3), or `seen` on a flat picture, (n, 2)."""
    middles = curve_places(X).mean(axis=1)
    return _frozen(middles if dimensions == 3 else seen(middles))


def seen(places: np.ndarray) -> np.ndarray:
    """Places in space (..., 3) on a flat picture (..., 2), as the picture in 3-D shows them at first."""
    around, above = np.radians(LOOK)
    across = np.array([np.cos(around), np.sin(around), 0.0])
    up = np.array([-np.sin(around) * np.sin(above), np.cos(around) * np.sin(above), np.cos(above)])
    return np.stack([places @ across, places @ up], axis=-1)


def _frozen(positions: np.ndarray) -> np.ndarray:
    """A read-only copy: caches hand the same array to every visitor."""
    positions = np.array(positions, dtype=np.float64, order="C")
    positions.flags.writeable = False
    return positions


def _columns(X: np.ndarray, many: int) -> np.ndarray:
    """The first columns, with zeros where there are fewer."""
    return np.column_stack([X[:, :many], np.zeros((len(X), max(0, many - X.shape[1])))])


class Axes:
    """Where points are drawn that cannot be drawn as they are, and others of the same space beside them.

    On the directions of largest variance of X (of a fair sample of its rows, so that a wide table does not take
    minutes); points of one or two features stay what they are.
    """

    def __init__(self, X: np.ndarray, dimensions: int = 2) -> None:
        X = np.asarray(X, dtype=np.float64)
        self.flat, self.dimensions = X.shape[1] <= 2, dimensions
        if not self.flat:
            from sklearn.decomposition import PCA  # here, as a sweep in a notebook should not wait for it

            rows = X[fair_sample(len(X), PCA_FIT_ROWS)]
            self.unit = np.abs(rows).max() or 1.0  # squares of very large values must stay finite
            with np.errstate(invalid="ignore"):  # shares of a variance of 0, where all points are equal
                self.pca = PCA(min(dimensions, *rows.shape), random_state=0).fit(rows / self.unit)

    def __call__(self, points: np.ndarray) -> np.ndarray:
        """Places (m, dimensions) of points (m, d)."""
        return _columns(points if self.flat else self.pca.transform(points / self.unit) * self.unit, self.dimensions)


def _tsne(X: np.ndarray, seed: int, progress: Progress | None, dimensions: int) -> np.ndarray:
    from sklearn.manifold import TSNE

    n = len(X)
    method = "exact" if n <= 300 else "barnes_hut"  # the tree pays off, and needs its threads, only for more
    steps = PrintedSteps(progress, r"Iteration (\d+)", 1000)
    how = {"init": "pca", "method": method, "random_state": seed, "verbose": 2 if progress else 0}
    model = TSNE(dimensions, perplexity=min(30.0, (n - 1) / 3), **how)
    with contextlib.redirect_stdout(steps):
        return model.fit_transform(_centred(X))


def _umap(X: np.ndarray, seed: int, progress: Progress | None, dimensions: int) -> np.ndarray:
    neighbours = min(NEIGHBOURS, len(np.unique(X, axis=0)) - 1)
    if neighbours < 4:
        return Axes(X, dimensions)(X)
    try:
        return neighbour_map(X, dimensions, neighbours, seed, min_dist=0.1, progress=progress).embedding
    except ImportError as error:
        raise ValueError(str(error)) from None


def _centred(X: np.ndarray) -> np.ndarray:
    """At most 50 directions, about -1 to 1: t-SNE has 32 bits inside, which takes any scale then."""
    Z = Axes(X, 50)(X) if X.shape[1] > 50 else X
    Z = Z - Z.mean(axis=0)
    return Z / (np.abs(Z).max() or 1.0)
