"""The three algorithms as lines of pseudo-code, and what stands in TSG's lines while a point goes through them.

A line is (how far it is indented, its words). Which lines run in which beat of a step is said beside them.
"""

import numpy as np

from theta_app.engine.trace import TsgStep
from theta_app.lessons.base import compared, place, say

TSG = (
    (0, "for each point x, in the order of arrival"),
    (1, "d = distances from x to the K centroids"),
    (1, "if the smallest of d ≤ θ"),
    (2, "x joins that cluster"),
    (2, "its centroid moves to the mean of its members"),
    (1, "else"),
    (2, "x starts a cluster; K = K + 1"),
)

TDG = (
    (0, "Z = an empty list of centroids"),
    (0, "repeat for each of I shuffles"),
    (1, "centroids = TSG(X in a new order, θ)"),
    (1, "append the centroids to Z"),
    (0, "groups = TSG(Z, θ)"),
    (0, "every point of X goes to the closest group"),
    (0, "empty groups go; centroids = means of the members"),
)
TDG_LIT = {"start": [0], "marks": [2, 3], "groups": [4], "points": [5, 6]}

TNC = (
    (0, "centroids = TDG(X, θ)"),
    (0, "lists = one per centroid: [0], [1], [2], …"),
    (0, "repeat until K' stays the same"),
    (1, "for each two centroids with distance < ε"),
    (2, "they share their lists"),
    (1, "each keeps the smallest index in its list"),
    (0, "K' = number of different indices"),
)

TNC_BY_DENSITY = (
    *TNC[:3],
    (1, "for each two centroids linked over a depth < ε"),
    *TNC[4:],
)
"""The depth of a link: the logarithm of its length over the core of its denser side."""

_MOST_DISTANCES = 8  # more do not fit into a line


def tsg_lit(step: TsgStep) -> list[list[int]]:
    """The lines of TSG that run in each of the four beats of a step: arrive, measure, decide, move."""
    return [[0], [1], [2, 5] if step.created else [2], [6] if step.created else [3, 4]]


def tsg_values(step: TsgStep, at: np.ndarray, number: int, theta: float, members: int) -> list[str]:
    """What stands beside each line of TSG once the step has come to it.

    The point at ``at`` arrives as the ``number``-th, from 1; its cluster then has ``members``, itself included.
    """
    arrives = f"x = point {number}, at {place(at)}"
    if step.nearest < 0:
        return [arrives, "d = [ ], as K = 0", "no d: no centroid to join", "", "", "", "cluster 0 starts; K = 1"]
    distances = [say(d) for d in step.distances[:_MOST_DISTANCES]]
    more = ["…"] if len(step.distances) > _MOST_DISTANCES else []
    smallest, limit = compared(step.distances[step.nearest], theta)
    relation, then = (">", "new cluster") if step.created else ("≤", f"join {step.cluster}")
    decision = f"smallest {smallest} {relation} θ = {limit} → {then}"
    measured = [arrives, f"d = [{', '.join(distances + more)}]", decision]
    if step.created:
        return [*measured, "", "", "", f"cluster {step.cluster} starts; K = {step.cluster + 1}"]
    joined = f"cluster {step.cluster} has {members} points"
    return [*measured, joined, f"{place(step.before)} → {place(step.after)}", "", ""]
