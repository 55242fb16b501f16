"""Every kernel compiled ahead of time, so that nobody waits for it in front of a page."""

import subprocess
import sys
import time

import numpy as np

from theta_app.engine import (
    Metric,
    PairSearch,
    at_boundaries,
    closest_pair,
    compiled,
    density_trees,
    has_umap,
    nearest_others,
    neighbour_map,
    silhouette_sample,
    spanning_tree,
    tdg,
    tnc,
    tsg,
    weighted_tsg,
)


def compile_kernels() -> None:
    """Load every kernel, compiling those that are not on disk in working order; says so only if there are any.

    Compiling holds Python's lock, so a second process does half of it.
    """
    started, helpers = time.perf_counter(), []

    def begin() -> None:
        print("Compiling the clustering kernels (once, about 30 seconds) ...", flush=True)
        helpers.append(subprocess.Popen([sys.executable, "-m", "theta_app.engine", "many"]))

    with compiled.first_miss(begin):
        few_features()
        if helpers and helpers[0].wait() != 0:
            sys.exit("The kernels could not be compiled; the reason is above.")
        many_features()
    if helpers:
        print(f"Done in {time.perf_counter() - started:.0f} s.", flush=True)


def few_features() -> None:
    """Methods for up to three features, places, closest pairs, chaining, silhouette and trees of density."""
    X = np.random.default_rng(0).normal(size=(64, 2))
    tsg(X, 1.0, method="cells")
    tdg(X, 1.0, shuffles=2, method="cells", agreement=True)
    tnc(X, 1.0, 1.0, shuffles=2)
    tnc(X, 1.0, 1.0, shuffles=2, density=3)
    PairSearch(X).with_nearest().closest(np.arange(64) % 2)
    closest_pair(X, np.arange(64) % 2)
    sample = silhouette_sample(X)
    sample.score(np.arange(64) % 2)
    density_trees(sample.distances, [5])[0].clusters(5)
    weighted_tsg(X, np.ones(64), 1.0)
    chains = spanning_tree(X)
    chains.joining(np.ones(64), 0)
    at_boundaries(np.arange(64) % 2, 2, chains.edges, X[:, 0], np.arange(64))
    tdg(X, 100.0, shuffles=2, metric="haversine")
    silhouette_sample(X, metric="haversine")


def many_features() -> None:
    """Methods for more, for other norms and angles, and a neighbour map: umap-learn compiles as well."""
    X = np.random.default_rng(0).normal(size=(64, 16))
    tsg(X, 1.0, method="near")
    nearest_others(X, np.arange(64), 2, 2.0)
    nearest_others(X, np.arange(64), 2, 3.0)
    silhouette_sample(X, metric="minkowski", p=3.0)
    tsg(X, 1.0, method="anchors")
    tdg(X, 1.0, shuffles=2)
    tdg(X[:, :2].copy(), 1.0, shuffles=2, metric="manhattan", agreement=True)
    tdg(X[:, :6].copy(), 1.0, shuffles=2, metric="mdf", agreement=True)
    silhouette_sample(X[:, :6], metric="mdf")
    PairSearch(X[:, :6], metric="mdf").closest(np.arange(64) % 2)
    Metric.of("mdf").between(X[:, :6], X[0, :6])
    for theta in (0.1, 1.5):  # few directions have a search of their own
        tdg(X, theta, shuffles=2, metric="cosine")
    if has_umap():
        neighbour_map(X, 2, 5)
