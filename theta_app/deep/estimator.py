"""Deep embedded clustering for scikit-learn."""

from numbers import Integral, Real

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClusterMixin, TransformerMixin, _fit_context
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted, validate_data

from theta_app import metrics
from theta_app.deep import checks
from theta_app.deep.starts import STARTS, start
from theta_app.engine import Cancelled

HISTORY_COLUMNS = ("stage", "epoch", "loss", "accuracy", "nmi")
_COUNT = [Interval(Integral, 1, None, closed="left")]
_EPOCHS = [Interval(Integral, 0, None, closed="left")]


class DeepClustering(TransformerMixin, ClusterMixin, BaseEstimator):
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
        "n_clusters": _COUNT,
        "init": [StrOptions(set(STARTS))],
        "theta": [None, Interval(Real, 0, None, closed="left")],
        "hidden": [tuple, list],
        "latent": _COUNT,
        "layer_epochs": _EPOCHS,
        "pretrain_epochs": _EPOCHS,
        "epochs": _EPOCHS,
        "batch_size": _COUNT,
        "noise": [Interval(Real, 0, 1, closed="left")],
        "image_shape": [None, tuple, list],
        "shift": _EPOCHS,
        "gamma": [Interval(Real, 0, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_clusters=10,
        init="tdg",
        theta=None,
        *,
        hidden=(500, 500, 2000),
        latent=10,
        layer_epochs=8,
        pretrain_epochs=40,
        epochs=10,
        batch_size=64,
        noise=0.2,
        image_shape=None,
        shift=0,
        gamma=0.1,
        random_state=0,
    ):
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

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y=None, progress=None, cancel=None):
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
        X = validate_data(self, X, dtype=np.float64, ensure_min_samples=2)
        truth = None if y is None else np.unique(np.asarray(y), return_inverse=True)[1]
        recipe = self._recipe(X)
        self._scale = checks.scale_of(X)
        scaled = checks.scaled(X, self._scale)
        watch = _Watch(self, progress, cancel)
        seed = _seed(self.random_state)
        self._pretrain(scaled, recipe, seed, watch)
        self._cluster(scaled, recipe, seed, truth, watch)
        return self

    def _pretrain(self, X, recipe, seed, watch):
        from theta_app.deep import network, training

        self.history_ = pd.DataFrame(columns=list(HISTORY_COLUMNS))
        for part, epoch, _, state in training.autoencoder(X, recipe, self.layer_epochs, self.pretrain_epochs, seed):
            self._parameters = state.learnt
            if epoch > 0:
                watch.note(part, epoch, state.loss)
        self.embedding_ = self.start_embedding_ = network.embedding(self._parameters, X)

    def _cluster(self, X, recipe, seed, truth, watch):
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

    def transform(self, X):
        """Where points lie in the small space: (n, latent) float32."""
        from theta_app.deep import network

        check_is_fitted(self, "_parameters")
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return network.embedding(self._parameters, checks.scaled(X, self._scale))

    def fit_transform(self, X, y=None, **options):
        """`fit`, and where its points lie."""
        return self.fit(X, y, **options).embedding_

    def predict(self, X):
        """The cluster of each point: that of the nearest centre in the small space."""
        check_is_fitted(self, "cluster_centers_")
        Z = self.transform(X)
        return ((Z[:, None] - self.cluster_centers_) ** 2).sum(axis=2).argmin(axis=1)

    def _recipe(self, X):
        from theta_app.deep.training import Recipe

        image = None if self.image_shape is None else tuple(self.image_shape)
        recipe = Recipe(
            tuple(self.hidden),
            self.latent,
            self.batch_size,
            self.noise,
            image,
            self.shift,
            weight=self.gamma,
        )
        checks.check(X, self.n_clusters, recipe)
        return recipe


class _Watch:
    """Writes the history, tells the progress, looks whether to stop."""

    def __init__(self, model, progress, cancel):
        self.model, self.progress, self.cancel = model, progress, cancel
        self.done = 0
        self.total = model.layer_epochs * (len(model.hidden) + 1) + model.pretrain_epochs + model.epochs + 1

    def note(self, stage, epoch, loss, accuracy=np.nan, nmi=np.nan):
        self.done += 1
        self.model.history_.loc[len(self.model.history_)] = [stage, epoch, loss, accuracy, nmi]
        if self.progress is not None:
            self.progress(self.done, self.total)
        if self.cancel is not None and self.cancel.is_set():
            raise Cancelled


def _seed(random_state):
    """A whole number is the seed itself."""
    if isinstance(random_state, Integral) and random_state >= 0:
        return int(random_state)
    return int(check_random_state(random_state).randint(2**31))
