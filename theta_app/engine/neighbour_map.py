"""A neighbour map: few coordinates in which rows that are neighbours in many columns stay neighbours.

umap-learn lays it out; here is what comes before and after. Equal rows are one row to it: mapped as they are, twenty
equal rows are each other's neighbours and nobody else's, an island that is no cluster. Its neighbours are exact, and
what it compiles is kept on disk like the kernels of this package. Distances in a map say which rows are neighbours and
little else: its clusters need evidence from the columns (`theta_app.selection.space`).
"""

from __future__ import annotations

import contextlib
import importlib.util
import warnings
from dataclasses import dataclass, field, replace
from types import ModuleType
from typing import TYPE_CHECKING, Self

import numpy as np
from threadpoolctl import threadpool_limits

from theta_app.engine import norms
from theta_app.engine.compiled import KernelCache
from theta_app.engine.metric import EUCLIDEAN, Metric
from theta_app.engine.printed import PrintedSteps
from theta_app.engine.silhouette import fair_sample
from theta_app.engine.stopping import Progress
from theta_app.engine.validation import count, points

if TYPE_CHECKING:
    from sklearn.neighbors import NearestNeighbors


COMPONENTS, NEIGHBOURS = 5, 15
MOST_COLUMNS = 50  # of more the directions of largest variance are taken: distances in them hardly differ
MOST_ROWS = 100_000  # that are laid out, some minutes; more rows are placed beside a fair sample of them
_DIRECTIONS = ("cosine", "haversine")
_PCA_ROWS = 20_000
_ROUNDING = 1e-4  # of the distance to the last neighbour: a row so near is the same row
_SPARE = 6  # candidates more than neighbours: rounding may have put one of those behind
_TREE_COLUMNS = 8  # in more columns a tree's boxes separate little
INSTALL = "A neighbour map needs the package umap-learn: pip install umap-learn."


def has_umap() -> bool:
    """Whether umap-learn is installed: an extra for a notebook (``pip install theta-app[map]``), part of the app."""
    return importlib.util.find_spec("umap") is not None


@dataclass(frozen=True, eq=False)
class FittedMap:
    """Where rows lie in a map, and where others would.

    Attributes
    ----------
    rows : (m, c) array
        The different rows that were laid out, as `_Columns` has them.
    places : (m, n_components) array
        Where they lie.
    embedding : (n, n_components) array
        Where the rows lie that the map was made of, equal ones in the same place.
    """

    columns: _Columns
    rows: np.ndarray
    places: np.ndarray
    embedding: np.ndarray
    n_neighbors: int
    power: float
    _index: list = field(default_factory=list, repr=False)

    def transform(self, X: np.ndarray) -> np.ndarray:
        """Places (n, n_components) of rows: of one that was laid out its own, of others among their neighbours'.

        The mean of the places of the nearest rows, the nearer the more they count. A row's place depends on no other
        row of X.
        """
        if not self._index:
            self._index.append(_index(self.rows, self.n_neighbors, self.power))
        far, near = _neighbours(self._index[0], self.rows, self.columns(points(X)), self.power)
        beyond = far - far[:, :1]
        weights = np.exp(-beyond / np.maximum(beyond.mean(axis=1, keepdims=True), np.finfo(float).tiny))
        weights /= weights.sum(axis=1, keepdims=True)
        placed = np.einsum("ij,ijk->ik", weights, self.places[near])
        same = far[:, 0] <= _ROUNDING * far[:, -1]
        placed[same] = self.places[near[same, 0]]
        return placed

    def __getstate__(self) -> dict:  # the index is made again: it is larger than all the rest
        return {**self.__dict__, "_index": []}


def neighbour_map(
    X: np.ndarray,
    n_components: int = COMPONENTS,
    n_neighbors: int = NEIGHBOURS,
    seed: int = 0,
    *,
    metric: str | Metric = "euclidean",
    p: float | None = None,
    min_dist: float = 0.0,
    progress: Progress | None = None,
) -> FittedMap:
    """Lay rows out so that neighbours stay neighbours.

    Parameters
    ----------
    X : array of shape (n, d)
    n_components : int
        Coordinates of the map.
    n_neighbors : int
        Neighbours per row that the map tries to keep. There must be more different rows than these.
    seed : int
        The same seed gives the same map.
    metric, p
        How neighbours are found, as for `theta_app.engine.tsg`.
    min_dist : float
        How close the map packs neighbours: 0 for clustering, 0.1 for a picture.
    progress : callable(done, total), optional
        Told the steps now and then; what it raises ends the work.

    Returns
    -------
    FittedMap

    Raises
    ------
    ImportError where umap-learn is not installed; ValueError where there are too few different rows.
    """
    X = points(X)
    count(n_components, "n_components")
    count(n_neighbors, "n_neighbors", 2)
    name, power = _name_and_power(metric, p)
    different, same_as = np.unique(X[fair_sample(len(X), MOST_ROWS)], axis=0, return_inverse=True)
    with one_thread():
        columns = _Columns.of(X, name, power)
        rows = columns(different)
    if len(rows) <= max(n_neighbors, n_components + 1):
        raise ValueError(
            f"A neighbour map with {n_components} coordinates and {n_neighbors} neighbours needs at least "
            f"{max(n_neighbors, n_components + 1) + 1} different rows, got {len(rows)} (n_samples = {len(X)}). Use "
            "fewer neighbours and coordinates, or cluster in the columns."
        )
    with one_thread():
        far, near = _neighbours(_index(rows, n_neighbors, power), rows, rows, power)
        places = _laid_out(rows, far, near, n_components, seed, min_dist, progress)
    fitted = FittedMap(columns, rows, places, places[same_as.ravel()], n_neighbors, power)
    return fitted if len(X) <= MOST_ROWS else replace(fitted, embedding=fitted.transform(X))


@dataclass(frozen=True, eq=False)
class _Columns:
    """Columns as a map takes them: about -1 to 1, at most 50, and directions where an angle is the distance."""

    metric: str
    unit: float
    middle: np.ndarray
    axes: np.ndarray | None = None

    @classmethod
    def of(cls, X: np.ndarray, metric: str, power: float) -> Self:
        unit = 1.0 if metric in _DIRECTIONS else float(np.abs(X).max()) or 1.0
        rows = _directions(X[fair_sample(len(X), _PCA_ROWS)], metric) / unit
        middle = rows.mean(axis=0)
        if rows.shape[1] <= MOST_COLUMNS or power != EUCLIDEAN.p:
            spread = float(np.abs(rows - middle).max()) or 1.0  # 32 bits inside: columns far from 0 must not be rounded
            return cls(metric, unit * spread, middle / spread)
        from sklearn.decomposition import PCA  # here, as `tdg` in a new process should not wait for it

        with np.errstate(invalid="ignore"):  # shares of a variance of 0, where all rows are equal
            pca = PCA(min(MOST_COLUMNS, len(rows)), random_state=0).fit(rows)
        return cls(metric, unit, middle, pca.components_)

    def __call__(self, X: np.ndarray) -> np.ndarray:
        rows = _directions(X, self.metric) / self.unit - self.middle
        return rows if self.axes is None else rows @ self.axes.T


def straightened(X: np.ndarray, metric: str | Metric = "euclidean", p: float | None = None) -> tuple[np.ndarray, float]:
    """(rows, power): rows whose distances in the norm of this power rank as those of X (n, d) do in the metric."""
    name, power = _name_and_power(metric, p)
    return _directions(X, name), power


def _name_and_power(metric: str | Metric, p: float | None) -> tuple[str, float]:
    name = metric.name if isinstance(metric, Metric) else metric
    return name, EUCLIDEAN.p if name in _DIRECTIONS else Metric.of(metric, p).refuse_curves("a neighbour map").p


def _directions(X: np.ndarray, metric: str) -> np.ndarray:
    """Rows as unit vectors where the metric is an angle: straight distances between these rank rows as angles do."""
    if metric == "haversine":
        latitude, longitude = np.radians(X).T
        level = np.cos(latitude)
        return np.column_stack([level * np.cos(longitude), level * np.sin(longitude), np.sin(latitude)])
    if metric == "cosine":
        lengths = np.linalg.norm(X, axis=1, keepdims=True)
        return X / np.where(lengths > 0.0, lengths, 1.0)
    return X


def one_thread() -> contextlib.AbstractContextManager:
    """Sums differ in their last digit with the number of threads, and a map with them: it is made by one."""
    import sklearn.decomposition
    import sklearn.neighbors  # noqa: F401  # what is loaded later is not limited

    return threadpool_limits(1)


def _index(rows: np.ndarray, n_neighbors: int, power: float) -> NearestNeighbors:
    from sklearn.neighbors import NearestNeighbors

    tree = rows.shape[1] <= _TREE_COLUMNS and power in (1.0, 2.0, np.inf)
    metric = {1.0: "manhattan", 2.0: "euclidean", np.inf: "chebyshev"}.get(power, "minkowski")
    options = {"p": power} if metric == "minkowski" else {}
    return NearestNeighbors(
        n_neighbors=n_neighbors, algorithm="kd_tree" if tree else "brute", metric=metric, **options
    ).fit(rows)


def _neighbours(
    index: NearestNeighbors, rows: np.ndarray, others: np.ndarray, power: float
) -> tuple[np.ndarray, np.ndarray]:
    """(distances, positions) of the nearest rows from each of some others; on a tie the lower position comes first.

    Measured anew: the index rounds, and rounding decides between rows that are equally far.
    """
    k = index.n_neighbors
    near = np.sort(index.kneighbors(others, min(k + _SPARE, len(rows)), return_distance=False), axis=1)
    far = np.stack([norms.lengths(others - rows[at], power) for at in near.T], axis=1)
    order = np.argsort(far, axis=1, kind="stable")[:, :k]
    return np.take_along_axis(far, order, axis=1), np.take_along_axis(near, order, axis=1)


def _laid_out(
    rows: np.ndarray,
    far: np.ndarray,
    near: np.ndarray,
    n_components: int,
    seed: int,
    min_dist: float,
    progress: Progress | None,
) -> np.ndarray:
    umap = _umap()
    steps = PrintedSteps(progress, r"(\d+)/(\d+) \[")
    options = {"verbose": True, "tqdm_kwds": {"file": steps, "mininterval": 0.2}} if progress else {}
    model = umap.UMAP(
        n_components=n_components,
        n_neighbors=far.shape[1],
        min_dist=min_dist,
        random_state=seed,
        n_jobs=1,
        precomputed_knn=(near, far.astype(np.float32)),
        transform_seed=seed,
        **options,
    )
    with warnings.catch_warnings(), contextlib.redirect_stdout(steps), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")  # about its threads, and that it could not `transform`: neither is used
        return np.asarray(model.fit_transform(rows), dtype=np.float64)


def _umap() -> ModuleType:
    """The package, whose compiled functions are read from disk where they are in working order."""
    if not has_umap():
        raise ImportError(INSTALL)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ImportWarning)  # TensorFlow is not installed, and not needed
        import umap
        from umap import layouts, umap_
    for owner, name in (
        (umap_, "smooth_knn_dist"),
        (umap_, "compute_membership_strengths"),
        (layouts, "_nb_optimize_layout_euclidean_single_epoch"),
    ):
        kernel = getattr(owner, name, None)  # of another version: then it is compiled in every process, 3 seconds
        if kernel is not None and not isinstance(kernel._cache, KernelCache):
            kernel._cache = KernelCache(kernel.py_func)
    return umap
