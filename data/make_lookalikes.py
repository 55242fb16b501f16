"""Draw the look-alikes of S1 to S4: python data/make_lookalikes.py

The published points are not ours to ship; figures measured on them are. `s-set-parameters.csv` gives each cluster's
size, mean and covariance (variances in units of 1e6), `s-set-radius-quantiles.csv` the quantiles of the points'
Mahalanobis radius around their own mean. A point gets a radius by inverse distribution function and a direction, and
is stretched by its cluster's covariance: the real clusters have a dense core and a long tail, which Gaussians have
not. The seeds are chosen so that the sizes of the clusters at θ = 1e5 drop after the 15th, as they do in the real sets.
"""

from pathlib import Path

import numpy as np
import pandas as pd
from scipy.interpolate import PchipInterpolator

FOLDER = Path(__file__).resolve().parent
SEEDS = {"s1": 0, "s2": 37, "s3": 211, "s4": 0}
REACH = 3.0
NAMES = ("s1", "s2", "s3", "s4")


def look_alike(name, seed=None):
    """Columns x, y, cluster: integers, clusters in the table's order."""
    clusters = pd.read_csv(FOLDER / "s-set-parameters.csv").query("set == @name")
    quantiles = pd.read_csv(FOLDER / "s-set-radius-quantiles.csv")
    rng = np.random.default_rng(SEEDS[name] if seed is None else seed)
    n = int(clusters["size"].sum())
    # one radius from each of n equal shares: the few far points, which make the smallest clusters, are never too many
    shares = rng.permutation((np.arange(n) + rng.random(n)) / n)
    radii = PchipInterpolator(quantiles["quantile"], quantiles[name])(shares)
    truth = np.repeat(np.arange(len(clusters)), clusters["size"])
    parts = [cluster_points(rng, cluster, radii[truth == k]) for k, cluster in enumerate(clusters.itertuples())]
    return pd.DataFrame(np.vstack(parts).round().astype(np.int64), columns=["x", "y"]).assign(cluster=truth)


def cluster_points(rng, cluster, radii):
    """Points (n, 2) at the given Mahalanobis radii, each in a random direction.

    A direction that leads further than `REACH` standard deviations along the cluster's long axis is drawn again: in the
    real sets far points have company, here they would stand alone, each a cluster of its own.
    """
    covariance = 1e6 * np.array([[cluster.var_x_e6, cluster.cov_xy_e6], [cluster.cov_xy_e6, cluster.var_y_e6]])
    stretch = np.linalg.cholesky(covariance).T
    furthest = REACH * np.sqrt(np.linalg.eigvalsh(covariance)[-1])
    offsets = np.empty((len(radii), 2))
    again = np.arange(len(radii))
    for _ in range(100):
        angle = rng.uniform(0.0, 2.0 * np.pi, len(again))
        offsets[again] = radii[again, None] * np.column_stack([np.cos(angle), np.sin(angle)]) @ stretch
        again = again[np.hypot(*offsets[again].T) > furthest]
    offsets[again] *= (furthest / np.hypot(*offsets[again].T))[:, None]  # a round cluster has no shorter way
    return [cluster.mean_x, cluster.mean_y] + offsets


if __name__ == "__main__":
    for name in NAMES:
        look_alike(name).to_csv(FOLDER / f"{name}-lookalike.csv", index=False, lineterminator="\n")
