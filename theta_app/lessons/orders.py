"""Order matters: the same points in two orders, and three clusters that slide together."""

import itertools
import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from theta_app.engine import closest_pair, shuffled_order, tdg, trace_tsg, tsg
from theta_app.engine.trace import TsgTrace
from theta_app.lessons.base import SHUFFLES, WORLD, Story, compared, counted, moment, question, same_partition, say
from theta_app.lessons.player import player_stories, trace_data
from theta_app.selection import numbers_like

MOST_ORDERS = 500  # the person presses a button for each, or for twenty


@lru_cache(maxsize=1)
def order_stories() -> dict[str, Story]:
    """The point sets of "Order matters", by key."""
    stories = player_stories()
    # Two points at distance θ, and one 0.9 θ from their middle: 1.03 θ from each, yet within θ of their centroid.
    trio = np.array([[6.5, 6.5], [6.5, 2.5], [10.1, 4.5]])
    few = np.array(
        [[4.8, 5.1], [11.4, 4.3], [12.1, 3.7], [11, 5.2], [4.3, 4.1], [4.5, 6.1], [8.4, 4.1], [5.4, 3.2], [12.2, 4.8]]
    )
    return {
        "few": Story("Nine points", "", few, np.array([0, 1, 1, 1, 0, 0, 1, 0, 1]), 3.4),
        "touching": stories["touching"],
        "separated": stories["separated"],
        "trio": Story("Three points", "", trio, np.array([0, 0, 1]), 4.0),
    }


_FEW = 5  # points: all their orders can be tried


def order_of(n: int, i: int) -> np.ndarray:
    """The ``i``-th order of n points. 0: as they arrive in the other lessons; then every other one once where there are
    few points, else a random shuffle."""
    if n <= _FEW:
        return np.array([*itertools.permutations(range(n))][i])
    return shuffled_order(n, 0, i - 1) if i else np.arange(n)


def most_orders(n: int) -> int:
    """How many other orders than the first may be tried."""
    return math.factorial(n) - 1 if n <= _FEW else MOST_ORDERS


def compared_orders(X: np.ndarray, theta: float, first: np.ndarray, other: np.ndarray) -> dict:
    """The same points traced in two orders, clusters that are the same under the same number and colour."""
    left, right = (trace_data(X, theta, order) for order in (first, other))
    before, after = np.array(left["labels"]), np.array(right["labels"])
    numbers = numbers_like(before, after)
    return {
        "left": left,
        "right": right | {"numbers": numbers.tolist()},
        "differs": np.flatnonzero(numbers[after] != before).tolist(),
    }


def orders_data(key: str, tried: int) -> dict:
    """The same points in order A and in the ``tried``-th other one, where they part, how often the result changed."""
    story = order_stories()[key]
    X, theta, n = story.X, story.theta, len(story.X)
    tried = min(tried, most_orders(n))
    runs = [tsg(X, theta, order_of(n, i)).labels for i in range(tried + 1)]
    changed = [not same_partition(runs[0], run) for run in runs[1:]]
    counts = [len(np.unique(run)) for run in runs]
    every = n <= _FEW and tried == most_orders(n)
    a, b = order_of(n, 0), order_of(n, tried)
    data = compared_orders(X, theta, a, b) | {
        "kind": "orders",
        "story": key,
        "variant": tried,
        "world": list(WORLD),
        "tried": tried,
        "all": tried == most_orders(n),
        "changed": sum(changed),
        "same": not changed[-1],
        "seen": [counts[0], counts[-1], *([] if tried == 1 else [tried, sum(changed)])],
        "words": orders_sentence(changed, counts, every=every),
        "names": [int(v) for v in np.argsort(a) + 1],
        "parting": None if not changed[-1] else parting(X, theta, a, b),
    }
    return data | {"moments": _moments(story, data)}


def _moments(story: Story, data: dict) -> list[dict]:
    """The question, where the orders part, and what came of it."""
    n, theta, apart = len(story.X), data["left"]["theta"], data["parting"]
    asked = question("The same clusters?", ["Yes (Y)", "No (N)"], 0 if data["same"] else 1)
    told = (
        f"{_OPENINGS[data['story']]} Points are numbered by their arrival in order A; order B has the same {n} points "
        f"and the same θ = {say(theta)}."
    )
    said = [moment(0, told, ask=asked)]
    if apart:
        said.append(moment(apart["step"], apart["words"], stop=True))
    return [*said, moment(n, _result_words(data))]


_OPENINGS = {
    "few": "Two groups, and a point in between.",
    "touching": "The three clouds that touch, from the previous lesson.",
    "separated": "Three clouds further apart than θ.",
    "trio": "Points 1 and 2 are θ apart, and point 3 is further than θ from both.",
}


_WHY = "a centroid moves with every point that joins, so the points before decide what is within θ."


def _result_words(data: dict) -> str:
    a, b = data["left"]["counts"][-1], data["right"]["counts"][-1]
    if data["same"]:
        return f"Both orders end with the same {counted(a, 'cluster')}. One order proves little: try others."
    if a == b:
        return f"Both orders end with K = {a}, but with different clusters: {_WHY}"
    return f"Order A ends with K = {a}, order B with K = {b}, from the same points and the same θ: {_WHY}"


def orders_sentence(changed: Sequence[bool], counts: Sequence[int], *, every: bool) -> str:
    """What the last other order gave, and how often another result came so far."""
    a, b, tried = counts[0], counts[-1], len(changed)
    if not changed[-1]:
        said = "This order gave the same clusters."
    elif a == b:
        said = f"This order also gave {b} clusters, but different ones."
    else:
        said = f"This order gave {b} {'cluster' if b == 1 else 'clusters'}, order A {a}."
    if tried == 1:
        return said
    there = " there are" if every else ""
    return f"{said} {sum(changed)} of the {tried} other orders{there} gave another result."


# Where two orders part


def parting(X: np.ndarray, theta: float, a: np.ndarray, b: np.ndarray) -> dict | None:
    """The first step after which two points that have arrived in both are together in one order and apart in the other.

    None if no two points are. ``step``; ``points`` the story is about; ``words`` and ``apart`` (one sentence); for
    "left" and "right" the point that was decided about (the later of the two), its nearest centroid as it stood then,
    the distance and whether it joined a cluster.
    """
    traces = [trace_tsg(X, theta, order) for order in (a, b)]
    arrival = [np.argsort(order) for order in (a, b)]  # when each point arrives, from 0
    together = [trace.labels[:, None] == trace.labels[None, :] for trace in traces]
    differ = np.triu(together[0] != together[1], 1)
    if not differ.any():
        return None
    latest = np.maximum(*(np.maximum(when[:, None], when[None, :]) for when in arrival))
    i, j = np.unravel_index(np.where(differ, latest, len(X)).argmin(), differ.shape)
    decisions = [_decision(trace, when, int(i), int(j)) for trace, when in zip(traces, arrival)]
    cause = _cause(decisions, arrival, traces, X)
    names = np.argsort(a) + 1
    return {
        "step": int(latest[i, j]) + 1,
        "points": sorted({int(i), int(j), *(cause or ())}),
        "left": decisions[0],
        "right": decisions[1],
        **_parting_words(decisions, cause, names, theta),
    }


def _decision(trace: TsgTrace, when: np.ndarray, i: int, j: int) -> dict:
    """What was decided about the later one of two points, as it arrived."""
    late, early = (i, j) if when[i] > when[j] else (j, i)
    step = trace.steps[when[late]]
    before = {s.cluster: s.after for s in trace.steps[: when[late]]}
    return {
        "point": late,
        "other": early,
        "centroid": before[step.nearest][:2].tolist() if step.nearest >= 0 else None,
        "distance": float(step.distances[step.nearest]) if step.nearest >= 0 else None,
        "created": bool(step.created),
        "joins": bool(not step.created),
        "together": bool(trace.labels[i] == trace.labels[j]),
    }


def _cause(
    decisions: Sequence[dict], arrival: Sequence[np.ndarray], traces: Sequence[TsgTrace], X: np.ndarray
) -> tuple[int, int] | None:
    """(x, p): the point x that came before p in one order and after it in the other, and so moved the centroid."""
    left, right = decisions
    if left["point"] != right["point"]:
        return left["other"], left["point"]
    p = left["point"]
    earlier = [set(np.flatnonzero(when < when[p]).tolist()) for when in arrival]
    with_p = [set(np.flatnonzero(trace.labels == trace.labels[p]).tolist()) for trace in traces]
    swapped = earlier[0] ^ earlier[1]
    near = [swapped & (with_p[0] | with_p[1]) or swapped]
    x = min(near[0], key=lambda one: math.dist(X[one], X[p])) if near[0] else None
    return None if x is None else (x, p)


def _parting_words(
    decisions: Sequence[dict], cause: tuple[int, int] | None, names: np.ndarray, theta: float
) -> dict[str, str]:
    def deed(decision: dict) -> str:
        name, other = names[decision["point"]], names[decision["other"]]
        if decision["created"]:
            return f"point {name} starts a cluster"
        return f"point {name} joins {'' if decision['together'] else 'a cluster without '}point {other}"

    def told(decision: dict, order: str) -> str:
        if decision["distance"] is None:
            return f"in {order} point {names[decision['point']]} came first"
        far, limit = compared(decision["distance"], theta)
        where = "beyond" if decision["created"] else "within"
        return f"in {order} the nearest centroid is {far} away, {where} θ = {limit}: {deed(decision)}"

    first, second = told(decisions[0], "A"), told(decisions[1], "B")
    why = ""
    if cause:
        x, p = (names[one] for one in cause)
        # names are the arrivals of order A
        earlier, later = (x, p) if x < p else (p, x)
        why = f"In A, point {earlier} came before point {later}; in B, after it. So "
    return {
        "words": f"Here they part. {why}{first}; {second}." if why else f"Here they part: {first}; {second}.",
        "apart": f"In A {deed(decisions[0])}; in B {deed(decisions[1])}.",
    }


# Sliding the clusters together

LEMMA_THETA = 2.0


def _lemma_points(spacing: float) -> tuple[np.ndarray, np.ndarray]:
    """Three discs of 20 points, no two points of a disc further apart than 1.8, their centres ``spacing`` apart."""
    rng = np.random.default_rng(0)
    angle, radius = rng.uniform(0, 2 * np.pi, 60), 0.9 * np.sqrt(rng.uniform(0, 1, 60))
    disc = np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])
    truth = np.repeat([0, 1, 2], 20)
    return disc + np.column_stack([8.0 + (truth - 1) * spacing, np.full(60, 4.5)]), truth


@lru_cache(maxsize=1)
def lemma_data() -> dict:
    """Order agreement while three clusters slide together: one frame per spacing, the engine's numbers at each."""
    frames = []
    for spacing in np.linspace(6.0, 2.4, 37):  # closer still, two of the three become one in most orders
        X, truth = _lemma_points(spacing)
        result = tdg(X, LEMMA_THETA, SHUFFLES, agreement=True)
        pair = closest_pair(X, truth)
        run = tsg(X, LEMMA_THETA, shuffled_order(len(X), 0, 0)).labels
        frames.append(
            {
                "points": X.round(4).tolist(),
                "labels": numbers_like(truth, run)[run].tolist(),
                "pair": [pair.i, pair.j],  # type: ignore[union-attr]
                "gap": pair.distance,  # type: ignore[union-attr]
                "agreement": float(result.agreement),  # type: ignore[arg-type]
                "k": [int(result.run_counts.min()), int(result.run_counts.max())],
                "words": lemma_sentence(pair.distance, float(result.agreement)),  # type: ignore[arg-type, union-attr]
            }
        )
    return {
        "kind": "lemma",
        "story": "lemma",
        "theta": LEMMA_THETA,
        "frames": frames,
        "shuffles": SHUFFLES,
        "world": [0.5, 15.5, 2.2, 6.8],
        "moments": _lemma_moments(frames),
    }


def _lemma_moments(frames: Sequence[dict]) -> list[dict]:
    """Sparse, dense but nothing seen, and dense enough to be seen."""
    dense = next(i for i, frame in enumerate(frames) if frame["gap"] <= LEMMA_THETA)
    seen = next(i for i, frame in enumerate(frames) if frame["agreement"] < 0.99)
    last = len(frames) - 1
    return [
        moment(
            0,
            f"Three clusters slide together, θ = {say(LEMMA_THETA)}. The line joins the closest pair across clusters. "
            "Order agreement is 1 while no shuffle changes the result.",
        ),
        moment(
            dense,
            f"The closest pair is now {say(frames[dense]['gap'])} apart, within θ: an order that starts with these two "
            f"joins them. Few orders do, so {SHUFFLES} shuffles show nothing yet: evidence, not proof.",
            stop=True,
        ),
        moment(
            seen,
            f"{SHUFFLES} shuffles now show it: order agreement {frames[seen]['agreement']:.2f}. Reordering the points "
            "changes the result.",
            stop=True,
        ),
        moment(
            last,
            f"The closer the clusters, the more the order decides: order agreement {frames[-1]['agreement']:.2f}. That "
            "is what TDG's vote is for.",
        ),
    ]


def lemma_sentence(gap: float, agreement: float) -> str:
    """What one spacing shows, in words."""
    kind, relation = ("sparse", "beyond") if gap > LEMMA_THETA else ("dense", "within")
    where = f"θ-{kind}: the closest pair across clusters is {say(gap)} apart, {relation} θ = {say(LEMMA_THETA)}."
    effect = f"Order agreement {agreement:.2f}" if agreement < 1 else "No order effect"
    return f"{where} {effect} in {SHUFFLES} shuffles."
