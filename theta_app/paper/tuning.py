"""Parameters for the shape sets, for which the paper gives none: the best of some tries, and those of the app.

Tuned: every method has `TRIES` tries, and the best of them, judged by AMI with the truth, is kept: the same favour to
every method. The last try is what the app opens with, so that no search ends below that. Untuned: what the app opens
with, without the truth. Written to ``tuned.json``, which the experiments read.
"""

import json
from collections.abc import Callable, Sequence
from functools import cache
from itertools import product
from typing import Any

import numpy as np
from sklearn.cluster import OPTICS, cluster_optics_xi

from theta_app import datasets
from theta_app.compare.methods import METHODS
from theta_app.compare.start import start_values
from theta_app.engine import shuffled_order
from theta_app.metrics import ami
from theta_app.paper.experiments import SHAPES, TRIES, TUNED
from theta_app.selection import recommend, suggest, theta_grid, verdict

_REACH = 1.2, 1.6, 2.2, 3.0, 4.5
"""ε of TNC and link distance of SL, as shares of their θ: neighbouring small clusters are one to two θ apart."""


def tune(say: Callable[[str], object] = print, search: bool = True) -> None:
    """Search every shape set that can be had here and write the file; sets that cannot be had keep what they have.

    Without `search` only what the app opens with is found again.
    """
    found = json.loads(TUNED.read_text(encoding="utf-8")) if TUNED.exists() else {}
    for spec in SHAPES:
        try:
            data = datasets.load(spec)
        except LookupError as error:
            say(f"{spec.label}: {error.args[0]}")
            continue
        order = shuffled_order(len(data.X), 0, 0)
        X, truth = np.ascontiguousarray(data.X[order]), data.truth[order]
        opening = opening_parameters(X)
        best = best_parameters(X, truth, opening) if search else found[spec.key]["tuned"]
        found[spec.key] = {"tuned": best, "untuned": opening}
        say(f"{spec.label}: {found[spec.key]}")
        TUNED.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def best_parameters(X: np.ndarray, truth: np.ndarray, opening: dict[str, dict]) -> dict[str, dict]:
    """{method: parameters}: of each method's tries, the last of which is the opening, the one closest to the truth."""
    return {method: _best(X, truth, method, [*choices[:-1], opening[method]]) for method, choices in tries(X).items()}


def _best(X: np.ndarray, truth: np.ndarray, method: str, choices: Sequence[dict]) -> dict:
    """The best choice; of several as good the middle one, which is the safest on other points of the same kind."""
    run = _optics(X) if method == "optics" else lambda **parameters: METHODS[method].run(X, 0, **parameters).labels
    scores = np.array([ami(truth, run(**parameters)) for parameters in choices])
    good = np.flatnonzero(scores > scores.max() - 1e-9)
    return choices[good[len(good) // 2]]


def _optics(X: np.ndarray) -> Callable[..., np.ndarray]:
    """OPTICS on X as the table runs it, but its order, which takes nearly all of its time, once per neighbours."""
    ordered = cache(lambda neighbours: OPTICS(min_samples=neighbours).fit(X))

    def labels(neighbours: int, steepness: float, smallest: int) -> np.ndarray:
        order = ordered(neighbours)
        found, _ = cluster_optics_xi(
            reachability=order.reachability_,
            predecessor=order.predecessor_,
            ordering=order.ordering_,
            min_samples=neighbours,
            min_cluster_size=smallest,
            xi=steepness,
        )
        return found

    return labels


def tries(X: np.ndarray) -> dict[str, list[dict]]:
    """{method: `TRIES` different parameters}, from the points alone.

    Distances are spaced evenly on a logarithmic scale from half the typical neighbour distance to the diameter, and
    numbers of clusters go from 1 to 50.
    """
    twenty, twenty_five = ([_round(d) for d in theta_grid(X, n)] for n in (20, 25))
    linkages = ("average", "complete", "single", "ward")
    return {
        "tnc": [{"theta": t, "epsilon": _round(t * r), "shuffles": 50} for t, r in product(twenty, _REACH)],
        "sl": [{"theta": t, "distance": _round(t * r)} for t, r in product(twenty, _REACH)],
        "dbscan": [{"eps": e, "neighbours": m} for e, m in product(twenty_five, (3, 5, 10, 20))],
        "hdbscan": [{"smallest": m} for m in range(2, TRIES + 2)],
        "optics": [
            {"neighbours": m, "steepness": xi, "smallest": s}
            for m, xi, s in product((3, 5, 10, 20), (0.01, 0.02, 0.05, 0.1, 0.2), (3, 10, 20, 40, 80))
        ],
        "agglomerative": [{"distance": d, "linkage": kind} for d, kind in product(twenty_five, linkages)],
        "mixture": [{"k": k, "most": 50, "starts": n} for k, n in product(range(1, 51), (1, 5))],
        "kmeans++": [{"k": k, "starts": n} for k, n in product(range(1, 51), (1, 10))],
    }


def opening_parameters(X: np.ndarray) -> dict[str, dict]:
    """{method: parameters} with which the app opens on these points."""
    chains, answer = suggest(X), verdict(X)
    start = start_values(X, recommend(X).theta, answer.n_clusters)
    found = {method: METHODS[method].start(start) for method in tries(X)}
    found["tnc"] = {"theta": _round(chains.theta), "epsilon": _round(chains.epsilon), "shuffles": 50}
    return {method: {n: _rounded(v) for n, v in parameters.items()} for method, parameters in found.items()}


def _rounded(value: Any) -> Any:
    return _round(value) if isinstance(value, float) else value


def _round(value: float) -> float:
    return float(f"{value:.5g}")
