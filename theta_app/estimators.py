"""TSG, TDG and TNC as scikit-learn estimators, ThetA, which finds the distance itself, and NeighbourMap."""

from numbers import Integral, Real
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    ClusterMixin,
    TransformerMixin,
)
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from theta_app.engine import (
    EARTH,
    EUCLIDEAN,
    METRICS,
    IncrementalTSG,
    Metric,
    TdgResult,
    TncResult,
    nearest,
    neighbour_map,
    tdg,
    tnc,
)
from theta_app.sklearn_internals import Interval, StrOptions, fit_context

_DISTANCE = [Interval(Real, 0, None, closed="left")]
_DENSITY = [Interval(Integral, 1, None, closed="left"), None]
_METRIC_CONSTRAINTS = {
    "metric": [StrOptions({*METRICS})],
    "p": [Interval(Real, 1, None, closed="left")],
    "radius": [Interval(Real, 0, None, closed="neither")],
}
_SHUFFLES_CONSTRAINTS = {
    **_METRIC_CONSTRAINTS,
    "n_shuffles": [Interval(Integral, 1, None, closed="left")],
    "random_state": ["random_state"],
    "n_jobs": [None, Integral],
}
_TDG_CONSTRAINTS = {"theta": _DISTANCE, **_SHUFFLES_CONSTRAINTS}


def _seed(random_state: int | np.random.RandomState | None) -> int:
    """A whole number is the seed itself, so that the engine's functions give the same result."""
    if isinstance(random_state, Integral) and random_state >= 0:
        return int(random_state)
    return int(check_random_state(random_state).randint(2**31))


class _ByDistance(ClusterMixin, BaseEstimator):
    """What they share: validation, `predict` by nearest centroid, the numbers found."""

    @property
    def _metric(self) -> Metric:
        return Metric.of(self.metric, self.p, self.radius)

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Nearest centroid's cluster for each point of X.

        Parameters
        ----------
        X : array of shape (n, d), in the units of the data fitted

        Returns
        -------
        labels : (n,) array of int
        """
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, dtype=np.float64, order="C")
        return self._cluster_of_centroid[nearest(X, self.cluster_centers_, metric=self._metric)]

    def _fitted(self, result: IncrementalTSG | TdgResult | TncResult, cluster_of_centroid: np.ndarray) -> Self:
        self.cluster_centers_ = result.centroids
        self._cluster_of_centroid = cluster_of_centroid
        self.n_clusters_ = int(cluster_of_centroid.max()) + 1
        return self


class TSG(_ByDistance):
    """ThetA sparse grouping: one pass over the points, in the order of the rows.

    A point joins the nearest centroid within ``theta``, which moves to the mean of its members; otherwise it starts a
    cluster. The number of clusters follows from ``theta``. Where points of different clusters are closer than ``theta``
    the result depends on the order of the rows: use `TDG`.

    Parameters
    ----------
    theta : float, default=1.0
        Largest distance, in the units of ``X``, at which a point joins a cluster. Smaller values give more clusters.
    metric : {"euclidean", "manhattan", "chebyshev", "minkowski", "haversine", "cosine", "mdf"}, default="euclidean"
        How distances are measured. "haversine" takes two columns, latitude and longitude in degrees, and ``theta`` in
        km; "cosine" is 1 - cosine of an angle. In these two a centroid is the direction of the sum of its members' unit
        vectors, in all others their mean. "mdf" takes curves, x, y, z of each place in a row, and compares them in the
        nearer of their two directions; a centroid takes them in that direction too.
    p : float, default=2.0
        The power of "minkowski", 1 or more: 1 is "manhattan", 2 "euclidean", infinity "chebyshev".
    radius : float, default=6371.0088
        Radius of the sphere of "haversine"; distances are in its unit. The default is the Earth's in km.

    Attributes
    ----------
    labels_ : (n,) array
        Cluster of each point, numbered in the order the clusters were started; after `partial_fit`, only of the last
        points given.
    cluster_centers_ : (K, d) array
        Means of the members; with "haversine" places in degrees, with "cosine" unit vectors.
    cluster_sizes_ : (K,) array
        Points in each cluster.
    n_clusters_ : int
    n_features_in_ : int

    Examples
    --------
    >>> from theta_app import TSG
    >>> TSG(theta=2.0).fit_predict([[0, 0], [1, 0], [9, 9], [9, 8]]).tolist()
    [0, 0, 1, 1]
    """

    _parameter_constraints = {"theta": _DISTANCE, **_METRIC_CONSTRAINTS}  # noqa: RUF012

    def __init__(self, theta: float = 1.0, *, metric: str = "euclidean", p: float = 2.0, radius: float = EARTH) -> None:
        self.theta = theta
        self.metric = metric
        self.p = p
        self.radius = radius

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: ArrayLike, y: object = None) -> Self:
        """Group the points of X, an array of shape (n, d). Returns the estimator; `y` is ignored."""
        X = validate_data(self, X, dtype=np.float64, order="C")
        self._stream = IncrementalTSG(float(self.theta), metric=self._metric)
        return self._arrived(X)

    @fit_context(prefer_skip_nested_validation=True)
    def partial_fit(self, X: ArrayLike, y: object = None) -> Self:
        """Group points that arrive after those before, which are not kept. Returns the estimator; `y` is ignored.

        However the rows are split into pieces, the clusters are those of one `fit` on all rows in this order, and
        ``labels_`` has the labels of these rows. ``theta`` and the metric are those of the first piece.
        """
        first = not hasattr(self, "_stream")
        X = validate_data(self, X, reset=first, dtype=np.float64, order="C")
        if first:
            self._stream = IncrementalTSG(float(self.theta), metric=self._metric)
        return self._arrived(X)

    def _arrived(self, X: np.ndarray) -> Self:
        self.labels_ = self._stream.add(X)
        self.cluster_sizes_ = self._stream.sizes
        return self._fitted(self._stream, np.arange(self._stream.n_clusters))


class TDG(_ByDistance):
    """ThetA dense grouping: TSG on many random orders, whose centroids are grouped in turn.

    Parameters
    ----------
    theta : float, default=1.0
        Largest distance, in the units of ``X``, at which a point joins a cluster. Smaller values give more clusters.
    n_shuffles : int, default=50
        Number of random orders. More make the result depend less on chance; 20 are the first 20 of 50.
    random_state : int, RandomState or None, default=0
        The same whole number gives the same result, on any machine and for any ``n_jobs``.
    n_jobs : int or None, default=None
        Threads; -1 for one per core.
    metric, p, radius
        How distances are measured, as for `TSG`.

    Attributes
    ----------
    labels_ : (n,) array
        Cluster of each point.
    cluster_centers_ : (K, d) array
        Means of the members.
    n_clusters_ : int
    run_counts_ : (n_shuffles,) array
        Number of clusters in each TSG run. A spread shows that order matters; a median far above ``n_clusters_`` shows
        that ``theta`` merges what the runs keep apart.
    n_features_in_ : int

    Examples
    --------
    >>> from theta_app import TDG
    >>> model = TDG(theta=2.0, n_shuffles=10).fit([[0, 0], [1, 0], [9, 9], [9, 8]])
    >>> model.n_clusters_, (model.predict([[0, 1], [8, 8]]) == model.labels_[[0, 2]]).tolist()
    (2, [True, True])
    """

    _parameter_constraints = _TDG_CONSTRAINTS

    def __init__(
        self,
        theta: float = 1.0,
        n_shuffles: int = 50,
        random_state: int | np.random.RandomState | None = 0,
        n_jobs: int | None = None,
        *,
        metric: str = "euclidean",
        p: float = 2.0,
        radius: float = EARTH,
    ) -> None:
        self.theta = theta
        self.n_shuffles = n_shuffles
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.metric = metric
        self.p = p
        self.radius = radius

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: ArrayLike, y: object = None) -> Self:
        """Group the points of X, an array of shape (n, d). Returns the estimator; `y` is ignored."""
        X = validate_data(self, X, dtype=np.float64, order="C")
        seed = _seed(self.random_state)
        result = tdg(X, float(self.theta), self.n_shuffles, seed, n_jobs=self.n_jobs, metric=self._metric)
        self.labels_ = result.labels
        self.run_counts_ = result.run_counts
        return self._fitted(result, np.arange(len(result.centroids)))


class TNC(_ByDistance):
    """ThetA nonlinear chaining: TDG with a small ``theta``, then clusters whose centroids are close become one.

    Parameters
    ----------
    theta : float, default=1.0
        Largest distance, in the units of ``X``, at which a point joins one of the small clusters.
    epsilon : float, default=1.0
        Small clusters whose centroids are closer than this are chained, transitively. In the units of ``X``; with
        ``density`` a depth without a unit: a link holds if density falls by less along it.
    n_shuffles, random_state, n_jobs, metric, p, radius
        As for `TDG`.
    density : int, default=None
        Chain by density instead of distance. Density is measured by the distance within which a centroid has this many
        points; one ``epsilon`` then separates clusters of different density. None chains as the paper does.

    Attributes
    ----------
    labels_ : (n,) array
        Chain of each point, 0 to ``n_clusters_ - 1``.
    chain_ : (K,) array
        For each centroid the smallest centroid index of its chain, as the paper names chains.
    cluster_centers_ : (K, d) array
        Centroids of the small clusters: chaining keeps them.
    n_clusters_ : int
        Number of chains.
    n_features_in_ : int

    Examples
    --------
    >>> from theta_app import TNC
    >>> points = [[0, 0], [1, 0], [2, 0], [3, 0], [9, 9], [9, 8]]
    >>> TNC(theta=0.5, epsilon=1.5, n_shuffles=10).fit(points).n_clusters_
    2
    """

    _parameter_constraints = {**_TDG_CONSTRAINTS, "epsilon": _DISTANCE, "density": _DENSITY}  # noqa: RUF012

    def __init__(
        self,
        theta: float = 1.0,
        epsilon: float = 1.0,
        n_shuffles: int = 50,
        random_state: int | np.random.RandomState | None = 0,
        n_jobs: int | None = None,
        *,
        metric: str = "euclidean",
        p: float = 2.0,
        radius: float = EARTH,
        density: int | None = None,
    ) -> None:
        self.theta = theta
        self.epsilon = epsilon
        self.n_shuffles = n_shuffles
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.metric = metric
        self.p = p
        self.radius = radius
        self.density = density

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: ArrayLike, y: object = None) -> Self:
        """Group the points of X, an array of shape (n, d). Returns the estimator; `y` is ignored."""
        X = validate_data(self, X, dtype=np.float64, order="C")
        options: dict[str, Any] = {"n_jobs": self.n_jobs, "metric": self._metric, "density": self.density}
        result = tnc(X, float(self.theta), float(self.epsilon), self.n_shuffles, _seed(self.random_state), **options)
        self.chain_ = result.chain
        numbered = np.unique(result.chain, return_inverse=True)[1]
        self.labels_ = numbered[result.tdg.labels]
        return self._fitted(result, numbered)


class ThetA(_ByDistance):
    """The clustering that the data suggest: no distance and no number of clusters to choose.

    Looks at TDG over many θ and at chains of small clusters over many ε, and takes the clear answer:
    `theta_app.selection.verdict`. Where nothing is clear, all points are one cluster.

    With more than three columns it also looks in a neighbour map (`NeighbourMap`): in many columns all distances are
    much alike, and clusters are often clear only in the map. They count if neighbours in the columns share them more
    than in noise.

    Parameters
    ----------
    n_shuffles, random_state, n_jobs, metric, p, radius
        As for `TDG`.
    space : {"auto", "features", "map"}, default="auto"
        Where to look: in the columns themselves, in a neighbour map of them, or in both for the better supported
        answer. "auto" needs the package umap-learn; without it only the columns are looked at, with a warning.

    Attributes
    ----------
    labels_ : (n,) array
        Cluster of each point. Points of clusters too small to count are put with the nearest cluster that counts.
    outliers_ : (n,) array of bool
        Which points those are.
    verdict_ : `theta_app.selection.Verdict`
        What was found and why: ``confidence``, ``reason``, ``candidates``.
    algorithm_, theta_, epsilon_ : str or None, float, float or None
        How these clusters were found: "TDG" at ``theta_``, "TNC" at ``theta_`` and ``epsilon_``, or None.
    space_ : "features" or "map"
        Where these clusters were found; in a map ``theta_`` and ``epsilon_`` are in its units.
    map_ : `theta_app.engine.FittedMap` or None
    cluster_centers_ : (K, d) array, or (K, 5) in a map
        Centroids that `predict` uses: for TNC those of the small clusters, so there can be more than ``n_clusters_``.
    n_clusters_ : int
    n_features_in_ : int

    Examples
    --------
    >>> from sklearn.datasets import make_blobs
    >>> from theta_app import ThetA
    >>> X, _ = make_blobs(n_samples=200, centers=[[0, 0], [9, 0], [0, 9]], random_state=0)
    >>> ThetA().fit(X).n_clusters_
    3
    """

    _parameter_constraints = {**_SHUFFLES_CONSTRAINTS, "space": [StrOptions({"auto", "features", "map"})]}  # noqa: RUF012

    def __init__(
        self,
        n_shuffles: int = 50,
        random_state: int | np.random.RandomState | None = 0,
        n_jobs: int | None = None,
        *,
        space: str = "auto",
        metric: str = "euclidean",
        p: float = 2.0,
        radius: float = EARTH,
    ) -> None:
        self.n_shuffles = n_shuffles
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.space = space
        self.metric = metric
        self.p = p
        self.radius = radius

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: ArrayLike, y: object = None) -> Self:
        """Group the points of X, an array of shape (n, d). Returns the estimator; `y` is ignored."""
        from theta_app.selection import verdict_clusters, verdict_in_space  # here, as TDG need not wait for pandas

        X = validate_data(self, X, dtype=np.float64, order="C")
        seed, threads = _seed(self.random_state), {"n_jobs": self.n_jobs}
        self.verdict_, self.map_ = found, _ = verdict_in_space(
            X, self.n_shuffles, seed, space=self.space, metric=self._metric, **threads
        )
        self.space_, self.algorithm_ = found.space, found.algorithm
        self.theta_, self.epsilon_ = found.theta, found.epsilon
        points = self._in_space(X)
        measured = {"metric": self._measured, **threads}
        result, owner, outliers = verdict_clusters(found, points, self.n_shuffles, seed, **measured)
        self.labels_ = owner[result.labels]
        self.outliers_ = outliers[result.labels]
        return self._fitted(result, owner)

    @property
    def _measured(self) -> Metric:
        """How distances are measured where the clusters are: straight in a map."""
        return self._metric if self.map_ is None else EUCLIDEAN

    def _in_space(self, X: np.ndarray) -> np.ndarray:
        if self.map_ is None:
            return X
        return self.map_.embedding if len(X) == len(self.map_.embedding) else self.map_.transform(X)

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Nearest centroid's cluster for each point of X: in the columns, or where it lies in the map (``space_``).

        Parameters
        ----------
        X : array of shape (n, d), in the units of the data fitted

        Returns
        -------
        labels : (n,) array of int
        """
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, dtype=np.float64, order="C")
        points = X if self.map_ is None else self.map_.transform(X)
        return self._cluster_of_centroid[nearest(points, self.cluster_centers_, metric=self._measured)]


class NeighbourMap(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Few coordinates in which rows that are neighbours in many columns stay neighbours: UMAP, made for clustering.

    Equal rows have one place and count once. With more than 50 columns, only the 50 directions of largest variance are
    used (not with "manhattan", "chebyshev" and "minkowski"). Needs the package umap-learn.

    A map keeps neighbours, not distances: it can split a cloud that is one. `ThetA` with ``space="auto"`` checks in the
    columns whether clusters of a map are there.

    Parameters
    ----------
    n_components : int, default=5
        Coordinates of the map.
    n_neighbors : int, default=15
        Neighbours per row that the map tries to keep. Fewer show finer groups. There must be more different rows.
    metric : {"euclidean", "manhattan", "chebyshev", "minkowski", "cosine", "haversine"}, default="euclidean"
        How neighbours are found. "haversine" takes latitude and longitude in degrees.
    random_state : int, RandomState or None, default=0
        The same whole number gives the same map.
    p : float, default=2.0
        The power of "minkowski".

    Attributes
    ----------
    embedding_ : (n, n_components) array
        Where the rows of the data fitted lie.
    map_ : `theta_app.engine.FittedMap`
    n_features_in_ : int

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from theta_app import NeighbourMap
    >>> NeighbourMap(n_components=2).fit_transform(load_iris().data).shape
    (150, 2)
    """

    _parameter_constraints = {  # noqa: RUF012
        "n_components": [Interval(Integral, 1, None, closed="left")],
        "n_neighbors": [Interval(Integral, 2, None, closed="left")],
        "metric": [StrOptions({*METRICS} - {"mdf"})],
        "random_state": ["random_state"],
        "p": [Interval(Real, 1, None, closed="left")],
    }

    def __init__(
        self,
        n_components: int = 5,
        n_neighbors: int = 15,
        metric: str = "euclidean",
        random_state: int | np.random.RandomState | None = 0,
        *,
        p: float = 2.0,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.random_state = random_state
        self.p = p

    def fit(self, X: ArrayLike, y: object = None) -> Self:
        """Make the map of X, an array of shape (n, d). Returns the transformer; `y` is ignored."""
        self.fit_transform(X)
        return self

    @fit_context(prefer_skip_nested_validation=True)
    def fit_transform(self, X: ArrayLike, y: object = None) -> np.ndarray:
        """Make the map of X, an array of shape (n, d), and give the places of its rows, (n, n_components)."""
        X = validate_data(self, X, dtype=np.float64, order="C")
        seed = _seed(self.random_state) % 2**32  # NumPy takes no larger ones
        options: dict[str, Any] = {"metric": self.metric, "p": self.p}
        self.map_ = neighbour_map(X, int(self.n_components), int(self.n_neighbors), seed, **options)
        self.embedding_ = self.map_.embedding
        self._n_features_out = self.embedding_.shape[1]
        return self.embedding_

    def transform(self, X: ArrayLike) -> np.ndarray:
        """Places (n, n_components) of rows: a fitted row has its own, others the mean of their neighbours' places.

        Parameters
        ----------
        X : array of shape (n, d), in the units of the data fitted
        """
        check_is_fitted(self)
        return self.map_.transform(validate_data(self, X, reset=False, dtype=np.float64, order="C"))
