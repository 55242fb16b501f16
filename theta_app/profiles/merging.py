"""Clusters that a person joins, and what they call them. Both are tied to rows: they follow their cluster over θ."""

import numpy as np


def merged_groups(labels, merges, positions, n_clusters):
    """The group of each cluster, numbered in the order of their smallest cluster, and that smallest cluster.

    Parameters
    ----------
    labels : array of shape (n,)
        Clusters from 0 on.
    merges : sequence of sequences of row numbers
        The clusters that hold the rows of one sequence become one.
    positions : mapping of row number -> position in ``labels``
        Rows that are not there are passed over.
    n_clusters : int

    Returns
    -------
    (group, first) : int arrays of shape (n_clusters,) and (number of groups,)
    """
    smallest = np.arange(n_clusters)
    for rows in merges:
        found = {int(smallest[labels[positions[row]]]) for row in rows if row in positions}
        smallest[np.isin(smallest, list(found))] = min(found, default=0)
    first, group = np.unique(smallest, return_inverse=True)
    return group, first


def merged(labels, merges, rows=None):
    """Labels with clusters joined: each is named after the smallest number among its parts.

    ``merges`` are groups of row numbers, such as ``[(3, 70)]``: the clusters of rows 3 and 70 become one. ``rows`` are
    the row numbers of the labels; by default 0, 1, ...
    """
    labels = np.asarray(labels)
    numbers = range(len(labels)) if rows is None else np.asarray(rows).tolist()
    codes, inverse = np.unique(labels, return_inverse=True)
    group, first = merged_groups(inverse, merges, dict(zip(numbers, range(len(labels)))), len(codes))
    return codes[first[group[inverse]]]


def names_of(labels, names, positions):
    """What clusters are called: {cluster: name}.

    ``names`` maps a row number to the name of its cluster. A cluster that holds several such rows has all their names.
    """
    found = {}
    for row, name in names.items():
        if row in positions:
            found.setdefault(int(labels[positions[row]]), []).append(name)
    return {cluster: " + ".join(dict.fromkeys(given)) for cluster, given in found.items()}
