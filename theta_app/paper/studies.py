"""Two questions of the paper that no table of methods answers: is a test for sparsity right, and is θ easier to learn.

A study measures one row of numbers per place; rows are stored with the digest of what they rest on, as experiments'
are (`fresh`). The rules they are judged by were written down before their run (docs/compare.md).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.cluster import KMeans
from sklearn.metrics import silhouette_score
from sklearn.mixture import GaussianMixture

from theta_app.datasets import LineClusters
from theta_app.engine import closest_pair, passes, tdg
from theta_app.metrics import ari
from theta_app.paper import results as store
from theta_app.selection import theta_grid

CLUSTERS, PER_CLUSTER = 25, 100
CENTRES = 8.0  # apart, in standard deviations
ORDERS = 50  # of Lemma 1's test
SPARSE_THETAS = 24
LEARNT_THETAS = 60
KS = tuple(range(2, 51))
CRITERIA = ("silhouette", "gap", "bic")
_REFERENCES = 3  # uniform sets of the gap statistic
_STARTS = 3


@dataclass(frozen=True)
class Study:
    """What is measured: ``measure(**place)`` returns the values of a row, a dict of numbers and lists of numbers."""

    key: str
    title: str
    about: str
    places: tuple[dict, ...]
    measure: Callable


@dataclass(frozen=True, eq=False)
class StudyResults:
    """What is known of a study: rows are dicts with the names of their place, the values, and rests_on."""

    study: str
    made: str = ""
    versions: dict = field(default_factory=dict)
    machine: dict = field(default_factory=dict)
    rows: tuple = ()

    def at(self, place: Mapping[str, object]) -> dict | None:
        """The row of a place, or None."""
        return next((row for row in self.rows if all(row[name] == value for name, value in place.items())), None)


def line(dimensions: int, apart: float) -> tuple[np.ndarray, np.ndarray]:
    """Points and classes: clusters along the diagonal, neighbouring centres so far apart."""
    data = LineClusters(CLUSTERS, dimensions, PER_CLUSTER, step=apart / dimensions**0.5).dataset()
    return data.X, data.truth


# ---- sparsity -------------------------------------------------------------------------------------------------------


def sparse_thetas(closest: float) -> np.ndarray:
    """θ at which sparsity is tested where the closest pair of different clusters is so far apart."""
    return np.geomspace(closest / 2, max(1.5 * CENTRES, 2 * closest), SPARSE_THETAS)


def _sparsity(dimensions: int) -> dict:
    X, truth = line(dimensions, CENTRES)
    closest = closest_pair(X, truth).distance
    thetas = sparse_thetas(closest)
    found = [_order_effect(X, theta) for theta in thetas]
    names = ("agreement", "same", "n_clusters", "found_closest")
    return {"closest": closest, "thetas": list(thetas)} | dict(zip(names, map(list, zip(*found))))


def _order_effect(X: np.ndarray, theta: float) -> tuple[float, bool, int, float]:
    """(order agreement: mean ARI of each order with the one before, whether all are the same, K, closest pair or NaN).

    K and the closest pair of different clusters are of the first order.
    """
    labels = [found[0] for found in passes(X, theta, 0, range(ORDERS), labelled=True)]
    agreement = [ari(one, other) for one, other in pairwise(labels)]
    pair = closest_pair(X, labels[0])
    return (
        float(np.mean(agreement)),
        min(agreement) > 1 - 1e-12,
        int(labels[0].max()) + 1,
        float("nan") if pair is None else pair.distance,
    )


# ---- learning θ, and learning K -------------------------------------------------------------------------------------


def _theta_or_k(dimensions: int, apart: float) -> dict:
    X, _ = line(dimensions, apart)
    thetas = theta_grid(X, LEARNT_THETAS)
    rng = np.random.default_rng(0)
    uniform = [rng.uniform(X.min(axis=0), X.max(axis=0), X.shape) for _ in range(_REFERENCES)]
    means = [_kmeans(X, k) for k in KS]
    spread = np.log([model.inertia_ for model in means])
    expected = np.mean([[np.log(_kmeans(U, k).inertia_) for k in KS] for U in uniform], axis=0)
    return {
        "thetas": list(thetas),
        "n_clusters": [len(tdg(X, theta, ORDERS, 0).sizes) for theta in thetas],
        "silhouette": [float(silhouette_score(X, model.labels_)) for model in means],
        "gap": list(expected - spread),
        "bic": [-_mixture(X, k).bic(X) for k in KS],
    }


def _kmeans(X: np.ndarray, k: int) -> KMeans:
    return KMeans(k, n_init=_STARTS, algorithm="elkan", random_state=0).fit(X)


def _mixture(X: np.ndarray, k: int) -> GaussianMixture:
    return GaussianMixture(k, covariance_type="spherical", random_state=0).fit(X)


def as_good(values: Sequence[float]) -> tuple[int, int]:
    """(lowest, highest) k around the best that is within 5 % of it, of what lies between the worst and the best."""
    values = np.asarray(values, dtype=float)
    good = values >= values.max() - 0.05 * (values.max() - values.min())
    best = int(values.argmax())
    low = best - int(np.argmin(good[: best + 1][::-1])) + 1 if not good[: best + 1].all() else 0
    high = best + int(np.argmin(good[best:])) - 1 if not good[best:].all() else len(good) - 1
    return KS[low], KS[high]


# ---- all of them ----------------------------------------------------------------------------------------------------

STUDIES = {
    study.key: study
    for study in (
        Study(
            "sparsity",
            "Is it sparse?",
            "25 clusters with centres 8 standard deviations apart, in 2 to 1000 dimensions. Lemma 1's test says "
            "θ-sparse where 50 random orders give the same clusters. By definition they are θ-sparse where no two "
            "points of different clusters are within θ.",
            tuple({"dimensions": d} for d in (2, 10, 100, 1000)),
            _sparsity,
        ),
        Study(
            "theta-or-k",
            "Is θ easier to learn than K?",
            "25 clusters along a line. Over which range of θ does TDG find 25, and over which range of k are three "
            "criteria within 5 % of their best?",
            tuple({"dimensions": d, "apart": a} for d in (2, 10, 100) for a in (11.0, 7.5, 5.0)),
            _theta_or_k,
        ),
    )
}


def stored(key: str, folder: Path | None = None) -> StudyResults:
    """The stored results of a study by key; empty where there are none. ValueError where the file is not readable."""
    return store.loaded(key, folder or store.STORED, _results_of) or StudyResults(key)


def _results_of(content: dict, key: str) -> StudyResults:
    if content["schema"] != store.SCHEMA or content["study"] != key:
        raise ValueError("another schema or study")
    return StudyResults(key, content["made"], content["versions"], content["machine"], tuple(content["rows"]))


def complete(
    study: Study, digest: str, fresh: bool = False, folder: Path | None = None, say: Callable[[str], object] = print
) -> StudyResults:
    """Measure the places that are missing, or whose rows rest on other code than `digest`, and store each."""
    known = StudyResults(study.key) if fresh else stored(study.key, folder)
    for place in study.places:
        row = known.at(place)
        if row is not None and row["rests_on"] == digest:
            continue
        row = study.measure(**place) | place | {"rests_on": digest}
        rows = (row if other == place else known.at(other) for other in study.places)
        stamp: dict[str, Any] = {"made": store.today(), "versions": store.versions(), "machine": store.machine()}
        known = replace(known, rows=tuple(filter(None, rows)), **stamp)
        head = {name: getattr(known, name) for name in ("study", "made", "versions", "machine")}
        store.write(store.rounded({"schema": store.SCHEMA, **head, "rows": list(known.rows)}), study.key, folder)
        say(f"{study.key}: {', '.join(f'{name} {value:g}' for name, value in place.items())}")
    return known
