"""Methods that are given nothing but the points: no θ, no number of clusters."""

import importlib.util
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from sklearn.cluster import HDBSCAN, KMeans
from sklearn.mixture import GaussianMixture

from theta_app import TDG, TNC, NeighbourMap, ThetA
from theta_app.engine import nearest
from theta_app.selection import recommend, silhouette_sample, suggest

MOST_CLUSTERS = 30
_MANY_FEATURES = 20
_PATIENCE = 5  # numbers of components without a better BIC


@dataclass(frozen=True, eq=False)
class Answer:
    """Labels (-1 is noise), and what the method says of its own answer."""

    labels: np.ndarray
    said: dict = field(default_factory=dict)

    @property
    def n_clusters(self):
        return len(np.unique(self.labels[self.labels >= 0]))


@dataclass(frozen=True)
class Automatic:
    """A method with nothing to choose: its name, what it does in a sentence, and how to run it."""

    label: str
    about: str
    run: Callable
    ours: bool = False


def _theta(X):
    model = ThetA().fit(X)
    found = model.verdict_
    said = {
        "algorithm": found.algorithm,
        "stands_out": bool(found.stands_out),
        "confidence": float(found.confidence),
        "space": found.space,
    }
    return Answer(model.labels_, said)


def _tdg(X):
    return Answer(TDG(theta=recommend(X).theta).fit_predict(X))


def _tnc(X):
    found = suggest(X)
    return Answer(TNC(theta=found.theta, epsilon=found.epsilon).fit_predict(X))


def _hdbscan(X):
    return Answer(HDBSCAN(copy=True).fit_predict(X))


def _hdbscan_without_noise(X):
    smallest = max(5, len(X) // 100)
    return Answer(_noise_to_the_nearest(X, HDBSCAN(min_cluster_size=smallest, copy=True).fit_predict(X)))


def _plscan(X):
    from fast_plscan import PLSCAN

    return Answer(_noise_to_the_nearest(X, PLSCAN(num_threads=1).fit_predict(X)))


def _noise_to_the_nearest(X, labels):
    labels = np.array(labels)  # PLSCAN's cannot be written to
    noise = labels < 0
    if noise.any() and not noise.all():
        inside = np.ascontiguousarray(X[~noise])
        labels[noise] = labels[~noise][nearest(np.ascontiguousarray(X[noise]), inside)]
    return labels


def _kmeans(X):
    sample = silhouette_sample(X)
    counts = range(2, min(MOST_CLUSTERS, len(X) - 1) + 1)
    tried = (KMeans(k, n_init=10, random_state=0).fit_predict(X) for k in counts)
    return Answer(max(tried, key=lambda labels: np.nan_to_num(sample.score(labels), nan=-1.0)))


def _mixture(X):
    n, d = X.shape
    kind = "full" if d <= _MANY_FEATURES else "diag"
    most = min(MOST_CLUSTERS, max(1, n // (2 * (d + 1) if kind == "full" else 10)))
    best, least, since = None, np.inf, 0
    for k in range(1, most + 1):
        model = GaussianMixture(k, covariance_type=kind, random_state=0).fit(X)
        bic = model.bic(X)
        best, least, since = (model, bic, 0) if bic < least else (best, least, since + 1)
        if since == _PATIENCE:
            break
    return Answer(best.predict(X))


METHODS = {
    "theta": Automatic("ThetA", "`ThetA()`: TDG, TNC or nothing, as the verdict says", _theta, ours=True),
    "tdg": Automatic("TDG recommended", "TDG at the θ of `selection.recommend`", _tdg, ours=True),
    "tnc": Automatic("TNC suggested", "TNC at the (θ, ε) of `selection.suggest`", _tnc, ours=True),
    "hdbscan": Automatic("HDBSCAN", "as scikit-learn has it; its noise counts as one more cluster", _hdbscan),
    "hdbscan-1": Automatic(
        "HDBSCAN 1 %",
        "smallest cluster 1 % of the points, at least 5; noise goes to the nearest point's cluster",
        _hdbscan_without_noise,
    ),
    "plscan": Automatic("PLSCAN", "fast-plscan as it is; noise goes to the nearest point's cluster", _plscan),
    "kmeans": Automatic(
        "K-Means by silhouette",
        f"k from 2 to {MOST_CLUSTERS}, 10 starts each; silhouette of the project's sample of 1,000 points",
        _kmeans,
    ),
    "mixture": Automatic(
        "Gaussian mixture by BIC",
        f"up to {MOST_CLUSTERS} components, until {_PATIENCE} more give no better BIC; full covariances, diagonal "
        f"above {_MANY_FEATURES} features",
        _mixture,
    ),
}


def _theta_in_columns(X):
    return Answer(ThetA(space="features").fit_predict(X))


def _evoc(X):
    from evoc import EVoC

    labels = EVoC(random_state=0).fit_predict(X.astype(np.float32))
    return Answer(_noise_to_the_nearest(X, labels))


def _hdbscan_in_map(X):
    return _hdbscan_without_noise(NeighbourMap().fit_transform(X))


MANY_COLUMNS = {
    "theta": METHODS["theta"],
    "features": Automatic("ThetA in the columns", '`ThetA(space="features")`', _theta_in_columns, ours=True),
    "umap-hdbscan": Automatic(
        "HDBSCAN over UMAP", "`NeighbourMap`, then HDBSCAN 1 % there", _hdbscan_in_map, ours=True
    ),
}
"""Methods for tables of many columns, where a neighbour map is worth its time; with EVoC where it is installed."""
if importlib.util.find_spec("evoc"):
    MANY_COLUMNS["evoc"] = Automatic("EVoC", "evoc as it is; noise goes to the nearest point's cluster", _evoc)


def told_k(k):
    """K-Means that is given the number of classes: what the others are measured against."""
    return Automatic(
        "K-Means told K",
        "20 starts, given the number of classes",
        lambda X: Answer(KMeans(k, n_init=20, random_state=0).fit_predict(X)),
    )


def warm_up(wanted=None):
    """Kernels and libraries are loaded on first use: once on few points, untimed; of all methods, or those wanted."""
    for features, points, methods in ((2, 60, METHODS), (5, 60, METHODS), (64, 300, MANY_COLUMNS)):
        X = np.random.default_rng(0).normal(size=(points, features))
        for key, method in methods.items():
            if wanted is None or key in wanted:
                run_quietly(method, X)


def run_quietly(method, X):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # fewer distinct points than clusters, no convergence: the score says it
        return method.run(X)
