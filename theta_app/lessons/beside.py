"""TSG beside K-Means on the same points: every step of both, the distances they computed, and how right they are."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from theta_app.engine import lloyd_rounds, shuffled_order
from theta_app.lessons.base import WORLD, Story, moment, say
from theta_app.lessons.player import clouds_story, trace_data
from theta_app.metrics import nmi

STARTS = 20


@lru_cache(maxsize=1)
def beside_stories() -> dict[str, Story]:
    """The point sets of "Beside K-Means", by key."""
    nine = [(2.6 + 5.4 * i, 1.5 + 3.0 * j) for i in range(3) for j in range(3)]
    uneven = [(4.4, 4.5), (11.6, 7.4), (11.6, 4.5), (11.6, 1.6)]
    return {
        "nine": clouds_story("Nine clouds", "Nine clouds of one size.", nine, 12, 0.45, 1, 1.9),
        "uneven": clouds_story(
            "Uneven clouds",
            "One wide cloud and three small ones: both struggle here.",
            uneven,
            [60, 12, 12, 12],
            [1.15, 0.3, 0.3, 0.3],
            3,
            2.85,
        ),
    }


@lru_cache(maxsize=4)
def starts(key: str) -> list[tuple[int, float]]:
    """Seeds of the starts in the order they are shown, and the NMI that K-Means ends with: list of (seed, NMI).

    The first is one of the best and the second the worst, so that "another start" shows a bad one; the rest follow as
    they were drawn.
    """
    story = beside_stories()[key]
    k = len(np.unique(story.truth))
    ends = [float(nmi(story.truth, [*lloyd_rounds(story.X, k, seed)][-1][1])) for seed in range(STARTS)]
    best, worst = int(np.argmax(ends)), int(np.argmin(ends))
    order = [best, worst, *(seed for seed in range(STARTS) if seed not in (best, worst))]
    return [(seed, ends[seed]) for seed in order]


@lru_cache(maxsize=8)
def beside_data(key: str, start: int = 0) -> dict:
    """Both runs of one start, and the moments of both in one row, by the distances computed so far."""
    story = beside_stories()[key]
    X, truth = story.X, story.truth
    k, n = len(np.unique(truth)), len(X)
    seed, _ = starts(key)[start]
    order = np.arange(n) if start == 0 else shuffled_order(n, 0, start)
    left = trace_data(X, story.theta, order)
    rounds = [*lloyd_rounds(X, k, seed)]
    left_cost = np.concatenate([[0], np.cumsum([len(step["distances"]) for step in left["steps"]])]).astype(int)
    ends = [end for _, end in starts(key)]
    data = {
        "kind": "beside",
        "story": key,
        "variant": start,
        "world": list(WORLD),
        "left": left,
        "leftDistances": left_cost.tolist(),
        "leftNmi": _nmi_so_far(truth, np.array(left["labels"]), order),
        "rounds": [
            {
                "before": before.round(4).tolist(),
                "after": after.round(4).tolist(),
                "labels": labels.tolist(),
                "cells": voronoi(before, WORLD),
                "distances": number * n * k,
                "nmi": float(nmi(truth, labels)),
            }
            for number, (before, labels, after) in enumerate(rounds, 1)
        ],
        "moments_of_both": moments(left_cost, n, k, len(rounds)),
        "start": start,
        "starts": STARTS,
        "words": f"{start_words(start, ends)} {ending_words(truth, left['labels'], rounds[-1][1])}",
        "counted": _counted(truth, left["labels"], rounds[-1][1], ends),
    }
    return data | {"moments": _moments(story, data, k)}


def _counted(truth: np.ndarray, left: np.ndarray, right: np.ndarray, ends: Sequence[float]) -> list[int]:
    """Numbers of the last sentence: starts that did worse, clouds cut and mixed."""
    return [sum(end < ends[0] - 1e-9 for end in ends), *_cut(truth, np.asarray(left)), *_cut(truth, np.asarray(right))]


def _moments(story: Story, data: dict, k: int) -> list[dict]:
    """Both from the start, when TSG is done, and when both are."""
    rows, n = data["moments_of_both"], len(story.X)
    done = next(i for i, row in enumerate(rows) if row[0] == n)
    opening = (
        f"TSG uses θ = {say(story.theta)}. K-Means uses K = {k}: it assigns every point to the nearest of K centres, "
        "moves each centre to the mean of its points, and repeats. Shaded: the places nearest to a centre."
    )
    count, number = data["leftDistances"][-1], rows[done][1]
    halfway = (
        f"TSG has seen every point once and is finished, after {count:,} distances. K-Means is in round {number + 1}."
    )
    return [
        moment(0, f"{story.lesson} {opening}" if data["story"] != "nine" else opening),
        moment(done, halfway, stop=True),
        moment(len(rows) - 1, f"{data['words']} {_afterwards(data)}"),
    ]


def _afterwards(data: dict) -> str:
    if data["story"] == "uneven":
        return "One θ cannot fit a wide cloud and small ones; K-Means prefers clusters of equal size."
    if data["start"] == 0:
        return "Try another start: it matters."
    return "Two centres that start in one cloud never leave it."


def _nmi_so_far(truth: np.ndarray, labels: np.ndarray, order: np.ndarray) -> list[float]:
    """NMI of the points that have arrived, after each arrival; 1 before the first."""
    return [1.0, *(float(nmi(truth[order[:m]], labels[order[:m]])) for m in range(1, len(order) + 1))]


def moments(left_cost: np.ndarray, n: int, k: int, n_rounds: int) -> list[list[int]]:
    """Both runs in step, by the distances computed so far: one row per step.

    A row is the number of points that TSG has taken, the round of K-Means (from 0), the points it has assigned in that
    round, each at the cost of ``k`` distances, and 1 once its centres have moved, which costs none; the last round,
    which changes nothing, has no move. When TSG has finished, K-Means goes on by quarters of a round.
    """
    events: list[tuple[int, int, Any]]
    events = [(int(cost), 0, points) for points, cost in enumerate(left_cost[1:], 1)]
    for number in range(n_rounds):
        quarters = [-(-n * part // 4) for part in range(1, 5)]
        events += [(k * (number * n + assigned), 1, (number, assigned, 0)) for assigned in quarters]
        if number < n_rounds - 1:
            events.append((k * n * (number + 1), 2, (number, n, 1)))
    events.sort()
    rows, points, right = [[0, 0, 0, 0]], 0, (0, 0, 0)
    for cost, kind, what in events:
        if kind == 0:
            points = what
            number, assigned = divmod(min(cost // k, n * n_rounds), n)
            if assigned == 0 and number:  # all are assigned, whether or not the centres have moved since
                number, assigned = number - 1, n
            right = right if (number, assigned) == right[:2] else (number, assigned, 0)
        elif points < n and kind == 1 and what[1] < n:
            continue  # while TSG runs, its points are the steps
        else:
            right = what
        if [points, *right] != rows[-1]:
            rows.append([points, *right])
    return rows


def start_words(start: int, ends: Sequence[float]) -> str:
    """Which of the random starts of K-Means this is."""
    if start == 0:
        worse = sum(end < ends[0] - 1e-9 for end in ends)
        others = f"the other {worse}" if worse == len(ends) - 1 else f"{worse} of the others"
        return f"The best of {len(ends)} random starts; {others} did worse."
    return f"The worst of {len(ends)} random starts." if start == 1 else f"Random start {start + 1} of {len(ends)}."


def ending_words(truth: np.ndarray, left: np.ndarray, right: np.ndarray) -> str:
    """What either method did to the clouds in the end."""
    cut = {name: _cut(truth, np.asarray(labels)) for name, labels in (("TSG", left), ("K-Means", right))}
    whole = [name for name, (pieces, merged) in cut.items() if not pieces and not merged]
    if len(whole) == 2:
        return "Both found every cloud."
    return " ".join(f"{name} {_deed(*cut[name])}." for name in cut)


def _cut(truth: np.ndarray, labels: np.ndarray) -> tuple[int, int]:
    """How many clouds were cut into pieces, and how many share a cluster with another one."""
    pairs = {(int(t), int(c)) for t, c in zip(truth, labels)}
    clusters, clouds_of = [c for _, c in pairs], [t for t, _ in pairs]
    pieces = sum(clouds_of.count(t) > 1 for t in set(clouds_of))
    merged = len({t for t, c in pairs if clusters.count(c) > 1})
    return pieces, merged


def _deed(pieces: int, merged: int) -> str:
    told = [f"cut {pieces} {'cloud' if pieces == 1 else 'clouds'} into pieces"] if pieces else []
    told += [f"let {merged} clouds share clusters"] if merged else []
    return " and ".join(told) if told else "found every cloud"


def voronoi(centres: np.ndarray, world: tuple[float, float, float, float]) -> list[list[list[float]]]:
    """For each centre the polygon of all places nearest to it, inside the picture: lists of [x, y]."""
    left, right, bottom, top = world
    cells = []
    for k, centre in enumerate(centres):
        cell = [(left, bottom), (right, bottom), (right, top), (left, top)]
        for other in np.delete(centres, k, axis=0):
            cell = _nearer_side(cell, centre, other)
        cells.append([[round(float(x), 4), round(float(y), 4)] for x, y in cell])
    return cells


def _nearer_side(
    polygon: list[tuple[float, float]], centre: np.ndarray, other: np.ndarray
) -> list[tuple[float, float]]:
    """The part of a convex polygon that is nearer to ``centre`` than to ``other``."""
    across = other - centre
    limit = across @ (centre + other) / 2
    kept = []
    for a, b in zip(polygon, [*polygon[1:], *polygon[:1]]):
        beyond_a, beyond_b = across @ a - limit, across @ b - limit
        if beyond_a <= 0:
            kept.append(a)
        if (beyond_a < 0 < beyond_b) or (beyond_b < 0 < beyond_a):
            share = beyond_a / (beyond_a - beyond_b)
            kept.append((a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])))
    return kept
