"""The methods that stand beside chaining: each told what chaining found, run on the same points, scored and timed.

Adding one is an entry of `PEERS`; the page and the tests pick it up from there.
"""

import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from sklearn.cluster import AgglomerativeClustering, SpectralClustering
from threadpoolctl import threadpool_limits

from theta_app import metrics
from theta_app.compare import METHODS, Start

SCORES = ("nmi", "ari", "silhouette")


@dataclass(frozen=True)
class Peer:
    """A method beside chaining.

    ``parameters(Start)`` gives its keyword arguments, ``words`` says them in a phrase with their names as fields, and
    ``run(X, seed, **parameters)`` returns labels, -1 for noise.
    """

    label: str
    words: str
    parameters: Callable[[Start], dict]
    run: Callable

    def said(self, start):
        """Its parameters in words."""
        return self.words.format(**self.parameters(start))


@dataclass(frozen=True, eq=False)
class PeerResult:
    """What a method found.

    Attributes
    ----------
    label, parameters : str
        Its name, and its parameters in words.
    labels : (n,) array, -1 for noise; None where it could not run
    n_clusters : int
        Noise not counted.
    scores : dict
        By name of `metrics.METRICS`; NaN where undefined. Noise counts as one more cluster.
    seconds : float
        Processor time of the run, on one thread: what else the machine does hardly changes it.
    note : str
        Why it could not run, how many points it calls noise, or empty.
    """

    label: str
    parameters: str
    labels: np.ndarray | None
    n_clusters: int
    scores: dict
    seconds: float
    note: str = ""


def _of(key):
    def run(X, seed, **parameters):
        return METHODS[key].run(X, seed, **parameters).labels

    return run


def _spectral(X, seed, k, neighbours):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a graph in several parts is what well separated shapes give
        model = SpectralClustering(
            k, affinity="nearest_neighbors", n_neighbors=neighbours, assign_labels="cluster_qr", random_state=seed
        )
        return model.fit_predict(X)


def _single_linkage(X, seed, k):
    return AgglomerativeClustering(k, linkage="single").fit_predict(X)


def _density(start):
    return {"eps": start.neighbour, "neighbours": 5}


PEERS = (
    Peer(
        "DBSCAN",
        "distance {eps:.4g} (nine of ten points have five neighbours within it), {neighbours} neighbours",
        _density,
        _of("dbscan"),
    ),
    Peer(
        "HDBSCAN",
        "smallest cluster {smallest} points (a twentieth of N / K')",
        # it is also the number of neighbours a core needs: with more, the ends of thin shapes are called noise
        lambda start: {"smallest": min(max(5, round(start.n / start.k / 20)), max(2, start.n))},
        _of("hdbscan"),
    ),
    Peer(
        "Spectral",
        "K = K' = {k}, graph of {neighbours} nearest neighbours",
        lambda start: {"k": start.k, "neighbours": min(10, start.n)},
        _spectral,
    ),
    Peer("Single linkage", "K = K' = {k}", lambda start: {"k": start.k}, _single_linkage),
    Peer(
        "K-Means++",
        "K = K' = {k}, best of {starts} starts",
        lambda start: {"k": start.k, "starts": 10},
        _of("kmeans++"),
    ),
)


def measured(peer, X, truth, start, seed=0):
    """Run a peer on X, time it and score it. A method that cannot run says why in its note.

    Returns
    -------
    PeerResult
    """
    said = peer.said(start)
    try:
        if start.k > len(np.unique(X, axis=0)):
            raise ValueError(f"{start.k} clusters were asked for, but there are fewer different points.")
        labels, seconds = timed(lambda: np.asarray(peer.run(X, seed, **peer.parameters(start))))
    except (ValueError, TypeError, ArithmeticError, np.linalg.LinAlgError) as error:
        return PeerResult(peer.label, said, None, 0, dict.fromkeys(SCORES, np.nan), np.nan, f"Could not run: {error}")
    return scored(peer.label, said, X, labels, truth, seconds)


def timed(work):
    """(result, seconds) of ``work()`` on this thread alone."""
    with threadpool_limits(1):
        began = time.thread_time()
        return work(), time.thread_time() - began


def scored(label, said, X, labels, truth, seconds):
    """The `PeerResult` of labels already found."""
    lost = int((labels < 0).sum())
    note = f"{lost:,} points are noise" if lost else ""
    n_clusters = len(np.unique(labels[labels >= 0]))
    return PeerResult(label, said, labels, n_clusters, metrics.scores(SCORES, X, labels, truth), seconds, note)
