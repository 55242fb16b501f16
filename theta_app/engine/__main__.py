"""Compile every kernel once: ``python -m theta_app.engine``. Numba keeps the result on disk."""

import time

import numpy as np


def main():
    print("Compiling the clustering kernels (once, about 10-15 seconds) ...", flush=True)
    start = time.perf_counter()
    from theta_app.engine import tnc, tsg
    from theta_app.engine.pairs import closest_pair
    from theta_app.engine.silhouette import silhouette

    rng = np.random.default_rng(0)
    for features, method in ((2, "cells"), (16, "bounded"), (16, "plain")):
        X = rng.normal(size=(64, features))
        result = tnc(X, 1.0, 1.0, shuffles=2, method=method)
        tsg(X, 1.0, method=method)
        closest_pair(X, np.arange(64) % 2)
    from theta_app.engine.grouping import tdg

    tdg(X, 1.0, shuffles=2, agreement=True)
    silhouette(np.zeros((4, 4)), np.array([0, 0, 1, 1]))
    print(f"Done in {time.perf_counter() - start:.0f} s, {len(result.chain)} test clusters.")


if __name__ == "__main__":
    main()
