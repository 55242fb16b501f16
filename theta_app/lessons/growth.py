"""How it grows: distances counted by running each method, beside the paper's formulas."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from theta_app.engine import count_lloyd_distances, count_tsg_distances, shuffled_order, trace_tsg, tsg
from theta_app.lessons.base import moment

GAP, THETA, COUNTED_SHUFFLES = 10, 6, 20


def growth_rows(size: int, side: int, shuffles: int = COUNTED_SHUFFLES, seed: int = 0) -> list[dict]:
    """Distances counted on a grid of side² clusters `GAP` apart with ``size`` points at `THETA`: one row per method.

    Each row holds method, n, k, rounds (TDG's shuffles, Lloyd's iterations), distances, and the paper's formula.
    """
    k = side * side
    centres = np.array([(GAP * i, GAP * j) for i in range(side) for j in range(side)], dtype=float)
    rng = np.random.default_rng(seed)
    X = centres[rng.integers(0, k, size)] + rng.normal(size=(size, 2))
    theta = float(THETA)
    orders = [shuffled_order(size, seed, i) for i in range(shuffles)]
    runs = [(order, tsg(X, theta, order)) for order in orders]
    counts = [count_tsg_distances(run.labels, order) for order, run in runs]
    second = tsg(np.concatenate([run.centroids for _, run in runs]), theta)
    tdg_count = sum(counts) + count_tsg_distances(second.labels) + size * len(second.sizes)
    lloyd, iterations = count_lloyd_distances(X, k, seed)
    return [
        {"method": "TSG", "n": size, "k": k, "rounds": 1, "distances": counts[0], "formula": size * k},
        {
            "method": "TDG",
            "n": size,
            "k": k,
            "rounds": shuffles,
            "distances": tdg_count,
            "formula": shuffles * size * k,
        },
        {
            "method": "K-Means (Lloyd)",
            "n": size,
            "k": k,
            "rounds": iterations,
            "distances": lloyd,
            "formula": size * k * iterations,
        },
    ]


GROWTH_SIZES = (250, 500, 1000, 2000, 4000, 8000, 16000)
GROWTH_SIDES = (2, 3, 4, 5, 7, 10, 14)


METHODS = ("TSG", "TDG", "K-Means (Lloyd)")


@lru_cache(maxsize=1)
def growth_data() -> dict:
    """Distances counted while N and while K grows, as the browser draws them: one entry per panel."""
    panels = [_panel("n"), _panel("k")]
    last = len(GROWTH_SIZES) - 1
    opening = (
        "What costs time is measuring distances between points and centroids. Here they are counted while each method "
        f"runs, on clusters {GAP} apart (θ = {THETA}, TDG with {COUNTED_SHUFFLES} shuffles)."
    )
    told = (
        "TSG needs about N × K distances, so its line rises straight in both charts. TDG needs that for every shuffle; "
        "K-Means for every round until nothing moves."
    )
    said = [moment(0, opening), moment(last, told)]
    return {
        "kind": "growth",
        "story": "growth",
        "panels": panels,
        "moments": said,
        "given": [GAP, THETA, COUNTED_SHUFFLES],
    }


def _panel(against: str) -> dict:
    sizes = [(n, 5) for n in GROWTH_SIZES] if against == "n" else [(4000, side) for side in GROWTH_SIDES]
    runs = [growth_rows(size, side) for size, side in sizes]
    xs = [rows[0][against] for rows in runs]
    return {
        "against": against,
        "title": {"n": "More points, K = 25", "k": "More clusters, N = 4,000"}[against],
        "axis": {"n": "points N", "k": "clusters K"}[against],
        "xs": xs,
        "lines": [
            {
                "name": method,
                "counted": [rows[at]["distances"] for rows in runs],
                "formula": [rows[at]["formula"] for rows in runs],
            }
            for at, method in enumerate(METHODS)
        ],
        "words": [_growth_words(against, x, rows) for x, rows in zip(xs, runs)],
    }


def _growth_words(against: str, x: int, rows: Sequence[dict]) -> str:
    counts = ", ".join(f"{row['method']} {row['distances']:,}" for row in rows)
    return f"{'N' if against == 'n' else 'K'} = {x:,}: {counts}."


def extremes(n: int = 200) -> tuple[int, int]:
    """Distances of TSG at its two ends, counted: (one cluster, every point its own)."""
    X = np.arange(n, dtype=float)[:, None]
    return trace_tsg(X, 2.0 * n).distance_count, trace_tsg(X, 0.5).distance_count
