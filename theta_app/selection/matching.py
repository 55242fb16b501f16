"""Which cluster of one clustering is which of another: what keeps its colour, and its number."""

import numpy as np


def match_clusters(
    reference: np.ndarray,
    labels: np.ndarray,
    n_reference: int | None = None,
    n_clusters: int | None = None,
    *,
    rounds: int | None = None,
) -> np.ndarray:
    """For each cluster of `labels` the cluster of `reference` it is taken for, by the points they share.

    The two that share most points are partners, then the two that share most among the rest, and so on; a cluster
    that shares no point with one still free has no partner. Noise (-1) is no cluster.

    Parameters
    ----------
    reference, labels : (n,) arrays of int
        Two clusterings of the same points, clusters numbered from 0.
    n_reference, n_clusters : int, optional
        Their numbers of clusters, where some have no point among these.
    rounds : int, optional
        Stop after so many rounds, in each of which all pairs that are each other's best become partners; what is left
        then shares little. By default until nobody is left.

    Returns
    -------
    (n_clusters,) array of int, -1 for a cluster without a partner
    """
    n_reference = _count(reference) if n_reference is None else n_reference
    n_clusters = _count(labels) if n_clusters is None else n_clusters
    partner = np.full(n_clusters, -1, dtype=np.int64)
    taken = np.zeros(n_reference, dtype=bool)
    theirs, ours = _pairs_by_overlap(reference, labels)
    while len(ours) and rounds != 0:
        # pairs are sorted by what they share: the last write of the reversed order is the best of each
        best_of_theirs, best_of_ours = np.full(n_reference, -1), np.full(n_clusters, -1)
        best_of_theirs[theirs[::-1]] = ours[::-1]
        best_of_ours[ours[::-1]] = theirs[::-1]
        mutual = (best_of_theirs[theirs] == ours) & (best_of_ours[ours] == theirs)
        partner[ours[mutual]] = theirs[mutual]
        taken[theirs[mutual]] = True
        still = ~taken[theirs] & (partner[ours] < 0)
        theirs, ours = theirs[still], ours[still]
        rounds = None if rounds is None else rounds - 1
    return partner


def numbers_like(reference: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """For each cluster of `labels` the number of its partner in `reference`, or one of its own after all of those."""
    numbers = match_clusters(reference, labels)
    alone = np.flatnonzero(numbers < 0)
    numbers[alone] = _count(reference) + np.arange(len(alone))
    return numbers


def renumbered(reference: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """`labels` with the numbers of `numbers_like`. Noise stays -1.

    So two clusterings drawn side by side give the same colour to what is the same.
    """
    labels = np.asarray(labels)
    numbers = numbers_like(reference, labels)
    return np.where(labels >= 0, numbers[np.maximum(labels, 0)], -1) if len(numbers) else labels


def _count(labels: np.ndarray) -> int:
    return int(np.max(labels, initial=-1)) + 1


def _pairs_by_overlap(reference: np.ndarray, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Pairs (reference cluster, cluster) that share points, those that share most first, then by their numbers."""
    reference, labels = np.asarray(reference), np.asarray(labels)
    both = (reference >= 0) & (labels >= 0)
    width = max(_count(labels), 1)
    pairs, shared = np.unique(reference[both].astype(np.int64) * width + labels[both], return_counts=True)
    order = np.argsort(-shared, kind="stable")
    return pairs[order] // width, pairs[order] % width


def by_size(labels: np.ndarray) -> np.ndarray:
    """The labels renumbered so that 0 is the largest cluster, 1 the next, ...; the lower number first on a tie."""
    labels = np.asarray(labels)
    sizes = np.bincount(labels[labels >= 0], minlength=_count(labels))
    rank = np.empty(len(sizes), dtype=np.int64)
    rank[np.argsort(-sizes, kind="stable")] = np.arange(len(sizes))
    return np.where(labels >= 0, rank[np.maximum(labels, 0)], -1) if len(sizes) else labels
