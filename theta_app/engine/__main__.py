"""Compile every kernel once: ``python -m theta_app.engine``. Numba keeps the result on disk.

Compiling holds Python's lock, so a second process, ``python -m theta_app.engine many``, does half of it.
"""

import subprocess
import sys
import time

import numpy as np


def few_features():
    """Methods for up to three features, and closest pairs."""
    from theta_app.engine import closest_pair, tdg, tsg

    X = np.random.default_rng(0).normal(size=(64, 2))
    tsg(X, 1.0, method="cells")
    tdg(X, 1.0, shuffles=2, method="cells", agreement=True)
    closest_pair(X, np.arange(64) % 2)


def many_features():
    """Methods for more, chaining and silhouette."""
    from theta_app.engine import silhouette_sample, tnc, tsg

    X = np.random.default_rng(0).normal(size=(64, 16))
    for method in ("bounded", "plain"):
        tsg(X, 1.0, method=method)
        tnc(X, 1.0, 1.0, shuffles=2, method=method)
    silhouette_sample(X).score(np.arange(64) % 2)


def main():
    if sys.argv[1:] == ["many"]:
        many_features()
        return
    print("Compiling the clustering kernels (once, about 10 seconds) ...", flush=True)
    start = time.perf_counter()
    helper = subprocess.Popen([sys.executable, "-m", "theta_app.engine", "many"])
    few_features()
    if helper.wait() != 0:
        sys.exit("The kernels could not be compiled; the reason is above.")
    print(f"Done in {time.perf_counter() - start:.0f} s.")


if __name__ == "__main__":
    main()
