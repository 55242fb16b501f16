"""Order matters: the same points in two orders, and three clusters that slide together."""

import itertools
import math
from functools import lru_cache

import numpy as np

from theta_app.engine import closest_pair, shuffled_order, tdg, tsg
from theta_app.lessons.base import SHUFFLES, WORLD, Story, same_partition, say
from theta_app.lessons.player import player_stories, trace_data
from theta_app.selection import numbers_like

MOST_ORDERS = 500  # the person presses a button for each, or for twenty


@lru_cache(maxsize=1)
def order_stories():
    """The point sets of "Order matters", by key."""
    stories = player_stories()
    # Two points at distance θ, and one 0.9 θ from their middle: 1.03 θ from each, yet within θ of their centroid.
    trio = np.array([[6.5, 6.5], [6.5, 2.5], [10.1, 4.5]])
    lesson = (
        "θ-sparse, and still the order decides: the third point is beyond θ of both points but within θ of their mean."
    )
    return {key: stories[key] for key in ("touching", "separated", "chain")} | {
        "trio": Story("Three points", lesson, trio, np.array([0, 0, 1]), 4.0)
    }


_FEW = 5  # points: all their orders can be tried


@lru_cache(maxsize=8)
def _all_orders(n):
    return tuple(itertools.permutations(range(n)))


def order_of(n, i):
    """The ``i``-th order of n points. 0: as they arrive in the other lessons; then every other one once where there are
    few points, else a random shuffle."""
    if n <= _FEW:
        return np.array(_all_orders(n)[i])
    return shuffled_order(n, 0, i - 1) if i else np.arange(n)


def most_orders(n):
    """How many other orders than the first may be tried."""
    return math.factorial(n) - 1 if n <= _FEW else MOST_ORDERS


def compared_orders(X, theta, first, other):
    """The same points traced in two orders, clusters that are the same under the same number and colour."""
    left, right = (trace_data(X, theta, order) for order in (first, other))
    before, after = np.array(left["labels"]), np.array(right["labels"])
    numbers = numbers_like(before, after)
    return {
        "left": left,
        "right": right | {"numbers": numbers.tolist()},
        "differs": np.flatnonzero(numbers[after] != before).tolist(),
    }


def orders_data(key, tried):
    """The same points in a first order and in the ``tried``-th other one, and how often the result changed so far."""
    story = order_stories()[key]
    X, theta, n = story.X, story.theta, len(story.X)
    tried = min(tried, most_orders(n))
    runs = [tsg(X, theta, order_of(n, i)).labels for i in range(tried + 1)]
    changed = [not same_partition(runs[0], run) for run in runs[1:]]
    counts = sorted({len(np.unique(run)) for run in runs})
    return compared_orders(X, theta, order_of(n, 0), order_of(n, tried)) | {
        "story": key,
        "world": list(WORLD),
        "tried": tried,
        "all": tried == most_orders(n),
        "changed": sum(changed),
        "same": not changed[-1],
        "words": orders_sentence(sum(changed), tried, counts, every=n <= _FEW and tried == most_orders(n)),
    }


def orders_sentence(changed, tried, counts, *, every):
    """How often another order gave another result."""
    others = "order" if tried == 1 else "orders"
    there = " there are" if every else ""
    k = str(counts[0]) if len(counts) == 1 else f"{', '.join(map(str, counts[:-1]))} or {counts[-1]}"
    return f"{changed} of the {tried} other {others}{there} gave another result; K was {k}."


# Sliding the clusters together

LEMMA_THETA = 2.0


def _lemma_points(spacing):
    """Three discs of 20 points, no two points of a disc further apart than 1.8, their centres ``spacing`` apart."""
    rng = np.random.default_rng(0)
    angle, radius = rng.uniform(0, 2 * np.pi, 60), 0.9 * np.sqrt(rng.uniform(0, 1, 60))
    disc = np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])
    truth = np.repeat([0, 1, 2], 20)
    return disc + np.column_stack([8.0 + (truth - 1) * spacing, np.full(60, 4.5)]), truth


@lru_cache(maxsize=1)
def lemma_data():
    """Order agreement while three clusters slide together: one frame per spacing, the engine's numbers at each."""
    frames = []
    for spacing in np.linspace(6.0, 1.8, 43):
        X, truth = _lemma_points(spacing)
        result = tdg(X, LEMMA_THETA, SHUFFLES, agreement=True)
        pair = closest_pair(X, truth)
        run = tsg(X, LEMMA_THETA, shuffled_order(len(X), 0, 0)).labels
        frames.append(
            {
                "points": X.round(4).tolist(),
                "labels": numbers_like(truth, run)[run].tolist(),
                "pair": [pair.i, pair.j],
                "gap": pair.distance,
                "agreement": float(result.agreement),
                "k": [int(result.run_counts.min()), int(result.run_counts.max())],
                "words": lemma_sentence(pair.distance, float(result.agreement)),
            }
        )
    return {"theta": LEMMA_THETA, "frames": frames, "shuffles": SHUFFLES, "world": [0.5, 15.5, 2.2, 6.8]}


def lemma_sentence(gap, agreement):
    """What one spacing shows, in words."""
    kind, relation = ("sparse", "more than") if gap > LEMMA_THETA else ("dense", "not more than")
    where = f"θ-{kind}: the closest pair across clusters is {say(gap)} apart, {relation} θ = {say(LEMMA_THETA)}"
    if agreement < 1:
        return f"{where}; order agreement {agreement:.2f} over {SHUFFLES} shuffles."
    ending = " Seeing none is evidence, not proof." if kind == "dense" else ""
    return f"{where}; no order effect in {SHUFFLES} shuffles.{ending}"
