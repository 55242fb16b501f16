"""How often the verdict is right on curves: ``python -m benchmarks.quality.streamlines``. docs/verdict.md has the rule.

Sets are drawn by numbers; nothing was fitted on any of them.
"""

import os

SETS, NOISE, FIRST = 40, 20, 2000


def bundles(number):
    """A set of several bundles, as `theta_app.datasets.Streamlines` makes them."""
    import numpy as np

    from theta_app.datasets import Streamlines

    rng = np.random.default_rng(FIRST + number)
    chosen = {"bundles": int(rng.integers(2, 13)), "per_cluster": int(rng.integers(20, 121))}
    chosen |= {"apart": float(rng.uniform(12.0, 30.0)), "sd": float(rng.uniform(1.0, 4.0))}
    return Streamlines(**chosen, seed=FIRST + number)


def without_bundles(number):
    """(n, 36) curves of which no two belong together: an arc each, anywhere in the head."""
    import numpy as np

    from theta_app.datasets.generated import arc_at

    rng = np.random.default_rng(FIRST + number)
    along, curves = np.linspace(0.0, 1.0, 12), []
    for _ in range(int(rng.integers(100, 801))):
        middle = rng.uniform([-45.0, -55.0, -30.0], [45.0, 45.0, 35.0])
        radius, begin = rng.uniform(18.0, 38.0), rng.uniform(0.0, 2 * np.pi)
        curves.append(arc_at(1.0, middle, radius, begin, rng.uniform(1.6, 3.2), rng.uniform(-0.5, 0.5, 2), along))
    return np.array(curves).reshape(len(curves), -1)


def main():
    """Print a line per set, and what the rule asks for."""
    for library in ("OMP", "OPENBLAS", "MKL"):
        os.environ[f"{library}_NUM_THREADS"] = "1"
    from theta_app.clustering import cluster
    from theta_app.datasets import load
    from theta_app.metrics import ari
    from theta_app.selection import verdict

    right = clear = wrong = false_alarms = 0
    for number in range(SETS):
        spec = bundles(number)
        data = load(spec)
        found = verdict(data.X, metric="mdf")
        score = 0.0
        if found.algorithm is not None:
            options = {"epsilon": found.epsilon} if found.algorithm == "TNC" else {}
            score = ari(data.truth, labels_of(data, found, cluster, options))
        right += score >= 0.8
        clear += found.stands_out
        wrong += bool(found.stands_out and score < 0.8)
        said = (
            f"{found.algorithm} K = {found.n_clusters} of {spec.bundles}, {found.confidence:.2f} sure, ARI {score:.3f}"
        )
        print(f"{number}: {spec}: {said}", flush=True)
    for number in range(NOISE):
        found = verdict(without_bundles(number), metric="mdf")
        false_alarms += found.stands_out
        print(
            f"without bundles {number}: {found.algorithm} K = {found.n_clusters}, {found.confidence:.2f} sure",
            flush=True,
        )
    print(f"right {right} of {SETS}; clear {clear}, of these wrong {wrong}; false alarms {false_alarms} of {NOISE}")


def _said(found):
    return f"{found.algorithm} K = {found.n_clusters}, {found.confidence:.2f} sure"


def labels_of(data, found, cluster, options):
    """The clusters that a verdict stands for; outliers are in none."""
    from dataclasses import replace

    from theta_app.engine import Metric

    return cluster(replace(data, metric=Metric.of("mdf")), found.algorithm, found.theta, **options).labels


if __name__ == "__main__":
    main()
