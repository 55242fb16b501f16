"""What a clustering layer starts from: K-Means, K-Means++, or the K largest clusters of TDG."""

from dataclasses import dataclass

import numpy as np

from theta_app.engine import nearest, tdg
from theta_app.selection import theta_grid

STARTS = {"k-means": "K-Means", "k-means++": "K-Means++", "tdg": "TDG"}
"""Each start and its name."""

KMEANS_RUNS = 20  # the best of so many, as in the DEC paper
_SHUFFLES = 50
_SEARCH_SHUFFLES = 10
_LEAST_HELD = 0.5  # share of the points that the K largest clusters must hold


class NoStart(ValueError):
    """There is no such start; the message is a sentence."""


@dataclass(frozen=True, eq=False)
class Start:
    """Centres to start from.

    Attributes
    ----------
    centres : (K, d) array
    theta : float or None
        TDG's; None for the others.
    held : float
        Share of the points that were in the K clusters before all others were given to the nearest of them.
    """

    centres: np.ndarray
    theta: float | None = None
    held: float = 1.0


@dataclass(frozen=True)
class Tried:
    """A θ of the search.

    Attributes
    ----------
    theta : float
    n_clusters : int
        That TDG found.
    held : float
        Share of the points in the K largest.
    spread : float
        Mean squared distance of all points to the nearest of the K largest clusters' centroids.
    """

    theta: float
    n_clusters: int
    held: float
    spread: float


def start(name, Z, k, seed=0, theta=None, cancel=None):
    """Centres for `k` clusters of the points `Z` (n, d) by a name of `STARTS`; `theta` is for TDG alone.

    Returns a `Start`; raises `NoStart` where TDG has fewer than `k` clusters.
    """
    Z = np.ascontiguousarray(Z, dtype=np.float64)
    if name == "tdg":
        return largest_clusters(Z, k, seed, theta, cancel)
    from sklearn.cluster import KMeans

    init = {"k-means": "random", "k-means++": "k-means++"}[name]
    return Start(KMeans(k, init=init, n_init=KMEANS_RUNS, random_state=seed).fit(Z).cluster_centers_)


def largest_clusters(Z, k, seed=0, theta=None, cancel=None):
    """The centroids of TDG's `k` largest clusters at `theta`, by default at the θ of `starting_theta`."""
    theta = starting_theta(Z, k, seed, cancel)[0] if theta is None else theta
    centres, tried = _largest(Z, k, theta, _SHUFFLES, seed, cancel)
    if tried.n_clusters < k:
        raise NoStart(f"At θ = {theta:.4g} TDG finds {tried.n_clusters} clusters, fewer than {k}. Take a smaller θ.")
    return Start(centres, theta, tried.held)


def starting_theta(Z, k, seed=0, cancel=None):
    """θ for a start from the `k` largest clusters, found without labels.

    Going down the grid of `theta_grid` while the `k` largest clusters hold at least half of the points, the θ at which
    their centroids leave the points nearest: the measure by which K-Means chooses among its own starts.

    Returns (θ, list of `Tried`); raises `NoStart` where no θ gives `k` clusters.
    """
    tried = []
    for theta in theta_grid(Z)[::-1]:
        found = _largest(Z, k, theta, _SEARCH_SHUFFLES, seed, cancel)[1]
        if found.n_clusters < k:
            continue
        if tried and found.held < _LEAST_HELD:
            break
        tried.append(found)
    if not tried:
        raise NoStart(f"At no θ does TDG find {k} clusters here. Ask for fewer, or start from K-Means.")
    return min(tried, key=lambda one: one.spread).theta, tried


def _largest(Z, k, theta, shuffles, seed, cancel):
    """Centroids of the `k` largest clusters, and what is to be said of them."""
    found = tdg(Z, theta, shuffles, seed, cancel=cancel)
    kept = np.argsort(-found.sizes, kind="stable")[:k]
    centres = found.centroids[kept]
    spread = float(((Z - centres[nearest(Z, centres)]) ** 2).sum(axis=1).mean())
    return centres, Tried(float(theta), len(found.sizes), float(found.sizes[kept].sum() / len(Z)), spread)
