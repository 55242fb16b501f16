"""Where the parameters of methods start on a data set."""

from dataclasses import dataclass

import numpy as np
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist

from theta_app.engine import fair_sample, tdg


@dataclass(frozen=True)
class Start:
    """What parameters start from on a data set.

    Attributes
    ----------
    theta, epsilon : float
        Distances in the units of the data.
    k : int
        Number of clusters for the methods that ask for it.
    n : int
        Number of points.
    neighbour : float
        A distance within which nine of ten points have their five nearest neighbours.
    shuffles : int
    enough_places : bool
        Whether there are `k` different points: no method can make more clusters than that.
    """

    theta: float
    epsilon: float
    k: int
    n: int
    neighbour: float
    shuffles: int = 50
    enough_places: bool = True


def start_values(
    X: np.ndarray, theta: float, k: int | None = None, *, epsilon: float | None = None, shuffles: int = 50
) -> Start:
    """The `Start` of a data set at one θ.

    Parameters
    ----------
    X : (n, d) array
    theta : float
    k : int, optional
        Number of clusters; by default TDG's at θ with 10 shuffles.
    epsilon : float, optional
        For chaining; by default 1.5 θ, as centroids of neighbouring small clusters are about θ apart.
    shuffles : int, default=50
        Handed on to the methods that vote.
    """
    X = np.ascontiguousarray(X, dtype=np.float64)
    k = len(tdg(X, theta, 10).sizes) if k is None else int(k)
    epsilon = 1.5 * theta if epsilon is None else epsilon
    return Start(float(theta), float(epsilon), k, len(X), _reach(X), shuffles, _has_places(X, k))


def _reach(X: np.ndarray, neighbours: int = 5, points: int = 2000) -> float:
    """The distance within which nine of ten points have so many neighbours, from a fair sample of the points."""
    if len(X) < 2:
        return 1.0
    chosen = X[fair_sample(len(X), points)]
    rank = min(neighbours + 1, len(X))  # the point itself comes first
    if X.shape[1] <= 16:
        distances = cKDTree(X).query(chosen, k=rank)[0][:, -1]
    else:
        everyone = X[fair_sample(len(X), 4 * points)]
        distances = np.partition(cdist(chosen, everyone), min(rank, len(everyone)) - 1, axis=1)[:, rank - 1]
    return float(np.quantile(distances, 0.9)) or 1.0


def _has_places(X: np.ndarray, k: int) -> bool:
    """Whether at least `k` rows of X are different; looks only at as many rows as it takes to know."""
    looked = 4 * k
    while looked < len(X):
        if len(np.unique(X[:looked], axis=0)) >= k:
            return True
        looked *= 4
    return len(np.unique(X, axis=0)) >= k
