"""S1 to S4 side by side, as in the paper: do the sizes drop after 15 clusters, and are TDG's closer to the truth?"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from theta_app.compare.measure import measure
from theta_app.compare.variants import Variant
from theta_app.selection import SizeDrop, size_drop

TRUE_K = 15
"""Clusters in each of the four sets."""


@dataclass(frozen=True)
class SetResult:
    """TDG and K-Means++ on one of S1 to S4."""

    name: str
    drop: SizeDrop  # of TDG's clusters
    true_k: int
    # nmi_all, nmi_top, nmi_kmeans: NMI with the truth: of all TDG's clusters, of its ``true_k`` largest reassigned, of
    # K-Means++ with ``true_k``
    nmi_all: float
    nmi_top: float
    nmi_kmeans: float


def set_result(
    name: str, X: np.ndarray, truth: np.ndarray, theta: float, shuffles: int = 50, seed: int = 0
) -> SetResult:
    """The `SetResult` of one set at one θ. ValueError with a sentence where a method cannot run."""
    variants = (
        Variant.of("tdg", theta=theta, shuffles=shuffles),
        Variant.of("tdg", keep=TRUE_K, theta=theta, shuffles=shuffles),
        Variant.of("kmeans++", k=TRUE_K, starts=10),
    )
    found = [measure(variant, X, seed, truth, scores=["nmi"]) for variant in variants]
    for result in found:
        if result.failed:
            raise ValueError(f"{result.label}: {result.note}")
    sizes = np.bincount(found[0].labels)
    return SetResult(name, size_drop(sizes), TRUE_K, *(result.scores["nmi"] for result in found))


def set_table(results: Sequence[SetResult]) -> pd.DataFrame:
    """One row per set: set, n_clusters, suggested, nmi_all, nmi_top, nmi_kmeans, difference (top less K-Means++)."""
    rows = [
        (r.name, len(r.drop.sizes), r.drop.suggested, r.nmi_all, r.nmi_top, r.nmi_kmeans, r.nmi_top - r.nmi_kmeans)
        for r in results
    ]
    columns = ["set", "n_clusters", "suggested", "nmi_all", "nmi_top", "nmi_kmeans", "difference"]
    return pd.DataFrame(rows, columns=columns)


def size_table(results: Sequence[SetResult]) -> pd.DataFrame:
    """One row per cluster: set, rank, size."""
    parts = [result.drop.table.assign(set=result.name)[["set", "rank", "size"]] for result in results]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=["set", "rank", "size"])
