"""Parameters for the shape sets: the best of a grid for every method, judged by NMI with the truth.

The paper gives none for its shape sets. Searching them with the truth at hand is an upper limit, the same favour to
every method. Written to ``tuned.json``, which the experiment reads.
"""

import itertools
import json

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage

from theta_app import datasets
from theta_app.compare.experiments import SHAPES, TUNED
from theta_app.compare.methods import METHODS
from theta_app.engine import shuffled_order, spanning_tree, tdg
from theta_app.metrics import nmi
from theta_app.selection import log_middle, theta_grid

_DISTANCES = 40  # values of a distance that are tried
_CUTS = 40  # numbers of clusters that are tried, from 2


def tune(say=print):
    """Search every shape set that can be had here and write the file; sets that cannot be had keep what they have."""
    found = json.loads(TUNED.read_text(encoding="utf-8")) if TUNED.exists() else {}
    for spec in SHAPES:
        try:
            data = datasets.load(spec)
        except LookupError as error:
            say(f"{spec.label}: {error.args[0]}")
            continue
        found[spec.key] = best = best_parameters(data.X, data.truth)
        say(f"{spec.label}: {best}")
        TUNED.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def best_parameters(X, truth):
    """{method: parameters} for one set of points."""
    order = shuffled_order(len(X), 0, 0)
    X, truth = np.ascontiguousarray(X[order]), truth[order]
    k = len(np.unique(truth))
    distances = [_round(theta) for theta in theta_grid(X, _DISTANCES)]
    return {
        "tnc": _best_tnc(X, truth, distances),
        "dbscan": _best(X, truth, "dbscan", [{"eps": e, "neighbours": m} for e in distances for m in (3, 5, 10)]),
        "hdbscan": _best(X, truth, "hdbscan", [{"smallest": m} for m in range(2, min(60, len(X)))]),
        "agglomerative": _best_single_linkage(X, truth),
        "sl": _best_sl(X, truth, distances),
        "kmeans++": {"k": k, "starts": 10},
    }


def _best(X, truth, method, choices):
    """The best choice; of several as good the middle one, which is the safest on other points of the same kind."""
    scores = np.array([nmi(truth, METHODS[method].run(X, 0, **parameters).labels) for parameters in choices])
    good = np.flatnonzero(scores > scores.max() - 1e-9)
    return choices[good[len(good) // 2]]


def _middles(lengths):
    """Between neighbouring lengths, ascending: a list of (middle, how far apart they are as a ratio)."""
    lengths = np.unique(lengths[lengths > 0])
    return [(_round(log_middle(a, b)), b / a) for a, b in itertools.pairwise(lengths)]


def _best_tnc(X, truth, distances):
    """Over θ and, from the tree of TDG's centroids, over the ε that leave 2 to 40 chains; on a tie the safest ε."""
    best, parameters = (-1.0, 0.0), None
    for theta in distances:
        result = tdg(X, theta, 50, 0)
        tree = spanning_tree(result.centroids)
        for epsilon, margin in _middles(tree.lengths[-_CUTS:]):
            rank = round(nmi(truth, tree.cut(epsilon)[result.labels]), 6), margin
            if rank > best:
                best, parameters = rank, {"theta": theta, "epsilon": epsilon, "shuffles": 50}
    return parameters


def _best_single_linkage(X, truth):
    tree = linkage(X, "single")
    ranks = {
        d: (round(nmi(truth, fcluster(tree, d, "distance")), 6), margin) for d, margin in _middles(tree[-_CUTS:, 2])
    }
    return {"distance": max(ranks, key=ranks.get), "linkage": "single"}


def _best_sl(X, truth, distances):
    choices = [{"theta": t, "distance": d} for t in distances[::3] for d in distances if d >= t]
    return _best(X, truth, "sl", choices)


def _round(value):
    return float(f"{value:.5g}")
