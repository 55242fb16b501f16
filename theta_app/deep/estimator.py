"""The autoencoder and deep embedded clustering for scikit-learn."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    ClusterMixin,
    TransformerMixin,
)
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from theta_app import metrics
from theta_app.deep import checks
from theta_app.deep.starts import STARTS, start
from theta_app.engine import Cancel, Cancelled, Progress
from theta_app.sklearn_internals import Interval, StrOptions, fit_context

if TYPE_CHECKING:
    from theta_app.deep.training import Recipe


HISTORY_COLUMNS = ("stage", "epoch", "loss", "accuracy", "nmi")
_COUNT = [Interval(Integral, 1, None, closed="left")]
_EPOCHS = [Interval(Integral, 0, None, closed="left")]
_NETWORK_CONSTRAINTS = {
    "hidden": [tuple, list],
    "latent": _COUNT,
    "layer_epochs": _EPOCHS,
    "epochs": _EPOCHS,
    "batch_size": _COUNT,
    "noise": [Interval(Real, 0, 1, closed="left")],
    "image_shape": [None, tuple, list],
    "shift": _EPOCHS,
    "random_state": ["random_state"],
}


class _Encoder(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """What `Autoencoder` and `DeepClustering` share: the network, how it is first trained, and `transform`."""

    def _begin(self, X: ArrayLike, n_clusters: int = 1, **more: Any) -> tuple[np.ndarray, Recipe, int]:
        """(points as the network takes them, recipe, seed); raises a sentence where they cannot be trained on."""
        from theta_app.deep.training import Recipe

        X = validate_data(self, X, dtype=np.float64, ensure_min_samples=2)
        image = None if self.image_shape is None else tuple(self.image_shape)
        layers = tuple(self.hidden), self.latent, self.batch_size, self.noise, image, self.shift
        recipe = Recipe(*layers, **more)
        checks.check(X, n_clusters, recipe)
        self._scale = checks.scale_of(X)
        self._n_features_out = self.latent
        self.history_ = pd.DataFrame(columns=list(HISTORY_COLUMNS))
        return checks.scaled(X, self._scale), recipe, _seed(self.random_state)

    def _train(self, X: np.ndarray, recipe: Recipe, seed: int, epochs: int, watch: _Watch) -> None:
        from theta_app.deep import network, training

        for part, epoch, _, state in training.autoencoder(X, recipe, self.layer_epochs, epochs, seed):
            self._parameters = state.learnt
            if epoch > 0:
                watch.note(part, epoch, state.loss)
        self.embedding_ = network.embedding(self._parameters, X)

    def transform(self, X: ArrayLike) -> np.ndarray:
        """Where points lie in the small space: (n, latent) float32."""
        from theta_app.deep import network

        check_is_fitted(self, "_parameters")
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return network.embedding(self._parameters, checks.scaled(X, self._scale))

    def fit_transform(self, X: ArrayLike, y: ArrayLike | None = None, **options: Any) -> np.ndarray:
        """`fit`, and where its points lie."""
        return self.fit(X, y, **options).embedding_


class Autoencoder(_Encoder):
    """A network that learns a small space from which the points can be rebuilt: fewer columns, made for clustering.

    The layers are first trained alone with a part of their inputs hidden, then together. Values are brought to 0..1 by
    one scale for all columns: standardise columns of different units first. Distances in its space mean more than those
    between pixels; in a `theta_app.NeighbourMap` of it clusters of images are clear::

        make_pipeline(Autoencoder(image_shape=(28, 28), shift=2), NeighbourMap(), ThetA(space="features"))

    Parameters
    ----------
    hidden : tuple of int, default=(500, 500, 2000)
        Widths of the encoder's layers; the decoder mirrors them.
    latent : int, default=10
        Coordinates of the small space.
    image_shape : (rows, columns) or None, default=None
        Where the points are pictures, which may then be moved.
    shift : int, default=0
        Pixels by which pictures are moved at random in training: 2 helps with 28 × 28 pixels, and none with 8 × 8.
    layer_epochs, epochs : int, default=8, 40
        Of each layer alone, and of the whole.
    batch_size : int, default=64
    noise : float, default=0.2
        Share of a layer's inputs that are hidden while it is trained alone.
    random_state : int, RandomState or None, default=0
        The same whole number gives the same result on the same machine.

    Attributes
    ----------
    embedding_ : (n, latent) array
        Where the points fitted lie in the small space.
    history_ : DataFrame
        One row per epoch: stage (layers, autoencoder), epoch, loss.
    n_features_in_ : int

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from theta_app.deep import Autoencoder
    >>> X = load_digits().data[:300]
    >>> Autoencoder((16,), 4, layer_epochs=1, epochs=2).fit_transform(X).shape
    (300, 4)
    """

    _parameter_constraints = _NETWORK_CONSTRAINTS

    def __init__(
        self,
        hidden: Sequence[int] = (500, 500, 2000),
        latent: int = 10,
        image_shape: Sequence[int] | None = None,
        shift: int = 0,
        *,
        layer_epochs: int = 8,
        epochs: int = 40,
        batch_size: int = 64,
        noise: float = 0.2,
        random_state: int | np.random.RandomState | None = 0,
    ) -> None:
        self.hidden = hidden
        self.latent = latent
        self.image_shape = image_shape
        self.shift = shift
        self.layer_epochs = layer_epochs
        self.epochs = epochs
        self.batch_size = batch_size
        self.noise = noise
        self.random_state = random_state

    @fit_context(prefer_skip_nested_validation=True)
    def fit(
        self, X: ArrayLike, y: ArrayLike | None = None, progress: Progress | None = None, cancel: Cancel | None = None
    ) -> Self:
        """Learn the space of X, an array of shape (n, d). Returns the transformer; `y` is ignored.

        ``progress(done, total)`` is called after each epoch, and ``cancel.is_set()`` looked at: see `DeepClustering`.
        """
        X, recipe, seed = self._begin(X)
        watch = _Watch(self, self.layer_epochs * (len(self.hidden) + 1) + self.epochs, progress, cancel)
        self._train(X, recipe, seed, self.epochs, watch)
        return self


class DeepClustering(ClusterMixin, _Encoder):
    """An autoencoder learns a small space; a clustering layer started by `init` refines it and the clusters in it.

    The layers are first trained alone with a part of their inputs hidden, then together, then with the clustering
    (Xie, Girshick and Farhadi 2016; Guo and others 2017). Values are brought to 0..1 by one scale for all columns:
    standardise columns of different units first.

    Parameters
    ----------
    n_clusters : int, default=10
    init : {"tdg", "k-means", "k-means++"}, default="tdg"
        Where the clusters start: the centroids of TDG's largest clusters, or the best of 20 K-Means.
    theta : float or None, default=None
        TDG's θ, in the units of the latent space. None lets several vote, without labels: see `starts.voted`.
    hidden : tuple of int, default=(500, 500, 2000)
        Widths of the encoder's layers; the decoder mirrors them.
    latent : int, default=10
        Coordinates of the small space.
    layer_epochs, pretrain_epochs, epochs : int, default=8, 40, 10
        Of each layer alone, of the autoencoder, and with the clustering.
    batch_size : int, default=64
    noise : float, default=0.2
        Share of a layer's inputs that are hidden while it is trained alone.
    image_shape : (rows, columns) or None, default=None
        Where the points are pictures, which may then be moved.
    shift : int, default=0
        Pixels by which pictures are moved at random in training: 2 helps with 28 × 28 pixels, and none with 8 × 8.
    gamma : float, default=0.1
        How much the clustering counts beside the reconstruction.
    random_state : int, RandomState or None, default=0
        The same whole number gives the same result on the same machine.

    Attributes
    ----------
    labels_ : (n,) array
        Cluster of each point.
    embedding_ : (n, latent) array
        Where the points lie in the small space.
    start_embedding_ : (n, latent) array
        Where they lay before the clustering began.
    cluster_centers_ : (n_clusters, latent) array
    theta_ : float or None
        TDG's, where it was the start.
    history_ : DataFrame
        One row per epoch: stage (layers, autoencoder, clustering), epoch, loss; accuracy and nmi where the truth was
        given. Epoch 0 of the clustering is its start.
    n_features_in_ : int

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from theta_app.deep import DeepClustering
    >>> X = load_digits().data[:300]
    >>> small = {"hidden": (16,), "latent": 4, "layer_epochs": 1, "pretrain_epochs": 2, "epochs": 2, "noise": 0.0}
    >>> model = DeepClustering(init="k-means++", **small)
    >>> model.fit(X).transform(X[:5]).shape
    (5, 4)
    """

    _parameter_constraints = {  # noqa: RUF012
        **_NETWORK_CONSTRAINTS,
        "n_clusters": _COUNT,
        "init": [StrOptions(set(STARTS))],
        "theta": [None, Interval(Real, 0, None, closed="left")],
        "pretrain_epochs": _EPOCHS,
        "gamma": [Interval(Real, 0, None, closed="left")],
    }

    def __init__(
        self,
        n_clusters: int = 10,
        init: str = "tdg",
        theta: float | None = None,
        *,
        hidden: Sequence[int] = (500, 500, 2000),
        latent: int = 10,
        layer_epochs: int = 8,
        pretrain_epochs: int = 40,
        epochs: int = 10,
        batch_size: int = 64,
        noise: float = 0.2,
        image_shape: Sequence[int] | None = None,
        shift: int = 0,
        gamma: float = 0.1,
        random_state: int | np.random.RandomState | None = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.init = init
        self.theta = theta
        self.hidden = hidden
        self.latent = latent
        self.layer_epochs = layer_epochs
        self.pretrain_epochs = pretrain_epochs
        self.epochs = epochs
        self.batch_size = batch_size
        self.noise = noise
        self.image_shape = image_shape
        self.shift = shift
        self.gamma = gamma
        self.random_state = random_state

    @fit_context(prefer_skip_nested_validation=True)
    def fit(
        self, X: ArrayLike, y: ArrayLike | None = None, progress: Progress | None = None, cancel: Cancel | None = None
    ) -> Self:
        """Learn the space and the clusters of X, an array of shape (n, d).

        Parameters
        ----------
        X : array of shape (n, d)
        y : array of shape (n,), optional
            True classes: `history_` then has scores. They are used for nothing else.
        progress : callable, optional
            ``progress(done, total)`` after each epoch. May raise: what was learnt until then stays.
        cancel : object with ``is_set()``, optional
            Looked at after each epoch; when set, ``Cancelled`` is raised, and what was learnt until then stays.
        """
        truth = None if y is None else np.unique(np.asarray(y), return_inverse=True)[1]
        X, recipe, seed = self._begin(X, self.n_clusters, weight=self.gamma)
        total = self.layer_epochs * (len(self.hidden) + 1) + self.pretrain_epochs + self.epochs + 1
        watch = _Watch(self, total, progress, cancel)
        self._train(X, recipe, seed, self.pretrain_epochs, watch)
        self.start_embedding_ = self.embedding_
        self._cluster(X, recipe, seed, truth, watch)
        return self

    def _cluster(self, X: np.ndarray, recipe: Recipe, seed: int, truth: np.ndarray | None, watch: _Watch) -> None:
        from theta_app.deep import network, training

        begun = start(self.init, self.start_embedding_, self.n_clusters, seed, self.theta, watch.cancel)
        self.theta_ = begun.theta
        for state, q in training.refined(X, self._parameters, begun.centres, recipe, self.epochs, seed):
            self._parameters, centres = state.learnt
            self.cluster_centers_ = np.asarray(centres)
            self.embedding_ = network.embedding(self._parameters, X)
            self.labels_ = q.argmax(axis=1)
            scores = (np.nan, np.nan)
            if truth is not None:
                scores = metrics.accuracy(truth, self.labels_), metrics.nmi(truth, self.labels_)
            watch.note("clustering", state.epoch, state.loss, *scores)

    def predict(self, X: ArrayLike) -> np.ndarray:
        """The cluster of each point: that of the nearest centre in the small space."""
        check_is_fitted(self, "cluster_centers_")
        Z = self.transform(X)
        return ((Z[:, None] - self.cluster_centers_) ** 2).sum(axis=2).argmin(axis=1)


class _Watch:
    """Writes the history, tells the progress, looks whether to stop."""

    def __init__(self, model: _Encoder, total: int, progress: Progress | None, cancel: Cancel | None) -> None:
        self.model, self.total, self.progress, self.cancel = model, total, progress, cancel
        self.done = 0

    def note(self, stage: str, epoch: int, loss: float, accuracy: float = np.nan, nmi: float = np.nan) -> None:
        self.done += 1
        self.model.history_.loc[len(self.model.history_)] = [stage, epoch, loss, accuracy, nmi]
        if self.progress is not None:
            self.progress(self.done, self.total)
        if self.cancel is not None and self.cancel.is_set():
            raise Cancelled


def _seed(random_state: int | np.random.RandomState | None) -> int:
    """A whole number is the seed itself."""
    if isinstance(random_state, Integral) and random_state >= 0:
        return int(random_state)
    return int(check_random_state(random_state).randint(2**31))
