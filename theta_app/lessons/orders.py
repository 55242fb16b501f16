"""Order matters: the same points in two orders, and three clusters that slide together."""

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


@lru_cache(maxsize=8)
def first_shown(key, most=30):
    """Number of the first other order that changes the result, so that the lesson opens on one; 1 if none does."""
    return next((tried for tried in range(1, most) if orders_data(key, tried)["changed"]), 1)


def orders_data(key, tried):
    """The same points in a first order and in the ``tried``-th other one, and how often the result changed so far."""
    story = order_stories()[key]
    X, theta, n = story.X, story.theta, len(story.X)
    runs = [tsg(X, theta, shuffled_order(n, 0, i)).labels for i in range(tried + 1)]
    left, right = (trace_data(X, theta, shuffled_order(n, 0, i)) for i in (0, tried))
    colours = numbers_like(runs[0], runs[tried])
    return {
        "story": key,
        "world": list(WORLD),
        "left": left,
        "right": right | {"colours": colours.tolist()},
        "differs": np.flatnonzero(colours[runs[tried]] != runs[0]).tolist(),
        "tried": tried,
        "changed": sum(not same_partition(runs[0], run) for run in runs[1:]),
        "counts": sorted({len(np.unique(run)) for run in runs}),
    }


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
