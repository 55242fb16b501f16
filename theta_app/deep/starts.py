"""What a clustering layer starts from: K-Means, K-Means++, or the K largest clusters of TDG."""

from dataclasses import dataclass

import numpy as np

from theta_app.engine import Cancel, nearest, tdg
from theta_app.selection import theta_grid

STARTS = {"k-means": "K-Means", "k-means++": "K-Means++", "tdg": "TDG"}
"""Each start and its name."""

KMEANS_RUNS = 20  # the best of so many, as in the DEC paper
_SHUFFLES = 50
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
        TDG's, None for K-Means; where several voted, the one of them whose K largest clusters leave the points nearest.
    tried : tuple of Tried
        The θ that voted, from the largest down; empty where there was no vote.
    """

    centres: np.ndarray
    theta: float | None = None
    tried: tuple = ()


@dataclass(frozen=True)
class Tried:
    """A θ that voted.

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


def start(
    name: str, Z: np.ndarray, k: int, seed: int = 0, theta: float | None = None, cancel: Cancel | None = None
) -> Start:
    """Centres for `k` clusters of the points `Z` (n, d) by a name of `STARTS`; `theta` is for TDG alone.

    Returns a `Start`; raises `NoStart` where TDG has fewer than `k` clusters.
    """
    Z = np.ascontiguousarray(Z, dtype=np.float64)
    if name == "tdg":
        return voted(Z, k, seed, cancel) if theta is None else largest_clusters(Z, k, theta, seed, cancel)
    from sklearn.cluster import KMeans

    init = {"k-means": "random", "k-means++": "k-means++"}[name]
    return Start(KMeans(k, init=init, n_init=KMEANS_RUNS, random_state=seed).fit(Z).cluster_centers_)


def largest_clusters(Z: np.ndarray, k: int, theta: float, seed: int = 0, cancel: Cancel | None = None) -> Start:
    """The centroids of TDG's `k` largest clusters at one θ, as the paper has it."""
    centres, tried = _largest(Z, k, theta, seed, cancel)
    if tried.n_clusters < k:
        raise NoStart(f"At θ = {theta:.4g} TDG finds {tried.n_clusters} clusters, fewer than {k}. Take a smaller θ.")
    return Start(centres, float(theta))


def voted(Z: np.ndarray, k: int, seed: int = 0, cancel: Cancel | None = None) -> Start:
    """The start that several θ agree on, found without labels.

    Going down the grid of `theta_grid` while the `k` largest clusters hold at least half of the points, the centroids
    of those clusters are collected, `k` from each θ. TDG groups what was collected, as it groups the centroids of
    different orders; its `k` largest groups are the start. Its θ there is half of the one whose clusters leave the
    points nearest: less than what keeps two clusters apart, more than what one centroid moves from θ to θ.
    """
    tried: list
    collected, tried = [], []
    for theta in theta_grid(Z)[::-1]:
        centres, found = _largest(Z, k, theta, seed, cancel)
        if found.n_clusters < k:
            continue
        if tried and found.held < _LEAST_HELD:
            break
        collected.append(centres)
        tried.append(found)
    if not tried:
        raise NoStart(f"At no θ does TDG find {k} clusters here. Ask for fewer, or start from K-Means.")
    best = min(range(len(tried)), key=lambda i: tried[i].spread)
    groups = tdg(np.concatenate(collected), tried[best].theta / 2, _SHUFFLES, seed, cancel=cancel)
    enough = len(groups.sizes) >= k  # few θ may agree on fewer than k
    centres = groups.centroids[_by_size(groups.sizes)[:k]] if enough else collected[best]
    return Start(centres, tried[best].theta, tuple(tried))


def _largest(Z: np.ndarray, k: int, theta: float, seed: int, cancel: Cancel | None) -> tuple[np.ndarray, Tried]:
    """Centroids of the `k` largest clusters, and what is to be said of them."""
    found = tdg(Z, theta, _SHUFFLES, seed, cancel=cancel)
    kept = _by_size(found.sizes)[:k]
    centres = found.centroids[kept]
    spread = float(((Z - centres[nearest(Z, centres)]) ** 2).sum(axis=1).mean())
    return centres, Tried(float(theta), len(found.sizes), float(found.sizes[kept].sum() / len(Z)), spread)


def _by_size(sizes: np.ndarray) -> np.ndarray:
    """Numbers of the clusters, the largest first."""
    return np.argsort(-sizes, kind="stable")
