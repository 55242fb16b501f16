"""What the density of the points says about clusters, as a witness: it tells which θ, or (θ, ε), to trust.

Clusters of density (`theta_app.engine.density_trees`) are no answer here, as no θ or ε gives them. But they come from
neither, so a clustering that they agree with has more for it than its own numbers.
"""

from dataclasses import dataclass

import numpy as np

from theta_app.engine import Metric, adjusted_rand, density_trees, fair_sample, validation

_NEIGHBOURS = 5, 10  # fewer follow chance, more blur thin shapes
LEAST = 0.01, 0.02  # of the points: the smallest group that is a cluster
_FEWEST = 5  # points of a cluster

_POINTS = 2000  # among which a rise is looked for
_SMOOTH = 0.02  # of them are the neighbours that density is measured with there, at least ten
_DENSE = 0.05  # of a cluster's points are denser than what is called its top: a single one is chance


@dataclass(frozen=True, eq=False)
class Views:
    """How trees of density see the points of a sample: each a grouping, -1 where a point is in none."""

    indices: np.ndarray  # rows of the data set
    groupings: list[np.ndarray]

    def agreement(self, labels):
        """Mean adjusted Rand index of the views with the labels (m,) of the sampled points, 0, 1, ...

        Points that a view has in no group are left out of it; a view with fewer than two groups agrees with nothing.
        """
        return float(np.mean([_with_view(labels, grouping) for grouping in self.groupings]))


def _with_view(labels, grouping):
    inside = grouping >= 0
    K = int(grouping.max()) + 1
    return adjusted_rand(labels[inside], grouping[inside], int(labels.max()) + 1, K) if K > 1 else 0.0


def density_views(sample):
    """The `Views` of a `SilhouetteSample`: its distances are at hand, in any metric and any number of features."""
    m = len(sample.indices)
    trees = density_trees(sample.distances, _NEIGHBOURS)
    return Views(sample.indices, [tree.clusters(max(_FEWEST, part * m))[0] for tree in trees for part in LEAST])


def rise(X, *, metric="euclidean", p=None):
    """How far the second of the groups that density shows rises above what is between them, in standard errors.

    The density that k neighbours show is off by about 1 / √k of itself, and density goes with the distance to the power
    of the number of features; so the logarithm of a ratio of distances x features x √k counts standard errors. The
    second highest group counts, as one cloud has one top; 0 where there are not two. Of 350 clouds without clusters, 1
    to 20 features, none reached 2.9, and on a line none reached 4.
    """
    X = validation.points(X)
    chosen = validation.scaled(X[fair_sample(len(X), _POINTS)])[0]
    m, features = chosen.shape
    if m < 2 * _FEWEST:
        return 0.0
    k = min(max(10, int(_SMOOTH * m)), m - 1)
    (tree,) = density_trees(Metric.of(metric, p).distances(chosen, chosen), [k])
    labels, born = tree.clusters(max(_FEWEST, LEAST[-1] * m))
    if len(born) < 2:
        return 0.0
    tops = np.array([np.quantile(tree.reach[labels == c], _DENSE) for c in range(len(born))])
    tops = np.maximum(tops, tree.lengths[tree.lengths > 0][0])
    return float(np.sort(np.log(born / tops))[-2] * np.sqrt(k) * features)
