"""Chaining: small clusters, the links between them by length, and the chains that every ε gives."""

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from theta_app.engine import SpanningTree, core_distances, spanning_tree, spanning_tree_by_density, tdg, trace_chaining
from theta_app.lessons import code
from theta_app.lessons.base import SHUFFLES, WORLD, Story, in_world, moment, same_partition, say

PAPER_SIX = np.array([[3.0, 6.2], [9.2, 6.8], [10.4, 6.0], [13.4, 2.2], [4.2, 4.9], [5.6, 3.2]])
"""Six centroids placed so that the paper's links (0-4, 1-2, 4-5) are the shortest."""


def _moons(seed: int = 0, n: int = 240) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    truth = np.arange(n) % 2
    angle = rng.uniform(0, np.pi, n)
    X = np.where(
        truth[:, None] == 0,
        np.column_stack([np.cos(angle), np.sin(angle)]),
        np.column_stack([1 - np.cos(angle), 0.5 - np.sin(angle)]),
    )
    return (X + rng.normal(scale=0.05, size=(n, 2))) * 4 + [6.0, 3.5], truth


def _rings(seed: int = 1, n: int = 260) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    truth = (np.arange(n) % 3 > 0).astype(int)
    angle, radius = rng.uniform(0, 2 * np.pi, n), np.where(truth == 1, 4.0, 1.5) + rng.normal(scale=0.12, size=n)
    return np.column_stack([8 + radius * np.cos(angle), 4.5 + radius * np.sin(angle)]), truth


DENSITY = "densities"  # the story that is chained by density
CORE_POINTS = 10


def _densities(seed: int = 3) -> tuple[np.ndarray, np.ndarray]:
    """Two dense clouds close together and a sparse one apart: gaps inside the last are as wide as between the first."""
    rng = np.random.default_rng(seed)
    truth = np.repeat([0, 1, 2], (110, 110, 150))
    centres, sd = np.array([[3.2, 5.4], [4.7, 4.5], [11.2, 4.5]]), np.array([0.28, 0.28, 1.35])
    X = centres[truth] + rng.normal(size=(len(truth), 2)) * sd[truth][:, None]
    order = rng.permutation(len(truth))
    return in_world(X[order].round(3)), truth[order]


@lru_cache(maxsize=1)
def chain_stories() -> dict[str, Story]:
    """The point sets of the chaining lesson, by key. The paper's example has centroids only."""
    return {
        "six": Story("The paper's six", "Six small clusters, numbered as in the paper.", PAPER_SIX, np.arange(6), 0.0),
        "moons": Story("Two moons", "Small clusters along two bent shapes.", *_moons(), 1.1),
        "rings": Story("Two rings", "One shape inside the other.", *_rings(), 1.1),
        DENSITY: Story("Different densities", "Two dense clouds side by side, a sparse one apart.", *_densities(), 0.5),
    }


@lru_cache(maxsize=4)
def chain_data(key: str) -> dict:
    """The centroids, every link between them by length, and the chains of each ε; the browser only counts the links."""
    story = chain_stories()[key]
    result = tdg(story.X, story.theta, SHUFFLES)
    centroids = story.X if key == "six" else result.centroids
    labels = np.arange(len(centroids)) if key == "six" else result.labels
    tree, links = _links_by_density(story.X, centroids) if key == DENSITY else _links(centroids)
    # the paper's example ends with its third link; a shape's ε goes on until all is one
    epsilon_max = 3.2 if key == "six" else float(tree.lengths[-1] * 1.15)
    shown = [link for link in links if link[2] < epsilon_max]
    cuts = [0.0, *(math.nextafter(float(length), math.inf) for length in tree.lengths)]  # links are strictly < ε
    data = {
        "kind": "chain",
        "story": key,
        "theta": story.theta,
        "made": 3 if key == "six" else len(np.unique(story.truth)),
        "world": list(WORLD),
        "points": [] if key == "six" else story.X.round(3).tolist(),
        "labels": [int(v) for v in labels],
        "centroids": centroids.round(4).tolist(),
        "links": shown,
        "tree": [float(v) for v in tree.lengths],
        "chains": [[int(c) for c in tree.cut(epsilon)] for epsilon in cuts],
        "epsilonMax": epsilon_max,
        "lists": None,
        "cores": None,
        "facts": [],  # numbers that captions say beside those of the picture
        "code": code.TNC,
    }
    if key == DENSITY:
        data["cores"] = core_distances(story.X, centroids, CORE_POINTS).round(4).tolist()
        data["code"] = code.TNC_BY_DENSITY
    if len(centroids) <= 8:
        levels = [0.0, *(math.nextafter(length, math.inf) for _, _, length in shown)]
        data["lists"] = [[list(row) for row in trace_chaining(centroids, level).rounds[0]] for level in levels]
    return data | {"moments": _moments(story, data)}


def _links(centroids: np.ndarray) -> tuple[SpanningTree, list[tuple[int, int, float]]]:
    """The spanning tree, and every link (i, j, length), shortest first: the one place that says how long a link is."""
    i, j = np.triu_indices(len(centroids), 1)
    lengths = np.sqrt(((centroids[i] - centroids[j]) ** 2).sum(axis=1))
    by_length = np.lexsort((j, i, lengths))
    return spanning_tree(centroids), [(int(i[p]), int(j[p]), float(lengths[p])) for p in by_length]


def _links_by_density(X: np.ndarray, centroids: np.ndarray) -> tuple[SpanningTree, list[tuple[int, int, float]]]:
    """The same where a link's length is its depth: only those of the tree hold chains together."""
    tree = spanning_tree_by_density(X, centroids, CORE_POINTS)
    return tree, [(int(i), int(j), float(depth)) for (i, j), depth in zip(tree.edges, tree.lengths)]


def steps_of(data: dict) -> list[float]:
    """ε at 0, 1, 2, ... steps of the player: half way from the length of one link to the next, equal ones together."""
    lengths = sorted({length for _, _, length in data["links"]})
    return [0.0, *((a + b) / 2 for a, b in zip(lengths, [*lengths[1:], data["epsilonMax"]]))]


def chain_at(data: dict, epsilon: float) -> list[int]:
    """The chain of each centroid at ε."""
    return data["chains"][sum(length < epsilon for length in data["tree"])]


def _right(story: Story, data: dict, epsilon: float) -> bool:
    chain = np.array(chain_at(data, epsilon))[np.array(data["labels"])]
    return same_partition(chain, story.truth)


def _moments(story: Story, data: dict) -> list[dict]:
    """ε grows: small clusters, where K' is right, and where ε is too large."""
    key, steps = data["story"], steps_of(data)
    small = len(data["centroids"])
    idea = "TNC links centroids closer than ε; everything linked together becomes one cluster, whatever its shape."
    circles = "Circles of radius ε/2 grow with ε; they touch when two centroids are ε apart."
    if key == "six":
        last = len(steps) - 1
        return [
            moment(0, f"{idea} {story.lesson} {circles}"),
            moment(1, "The shortest link: its two ends share their lists, and each keeps the smallest index it finds."),
            moment(last, f"The paper's result: K' = {data['made']}. A chain is named after its smallest index."),
        ]
    if key == DENSITY:
        return _moments_of_depth(story, data, steps)
    said = [moment(0, f"{story.lesson} TDG with θ = {say(story.theta)} finds {small} small clusters. {circles}")]
    right = [step for step, epsilon in enumerate(steps) if _right(story, data, epsilon)]
    if right:
        low, high = data["tree"][-data["made"]], data["tree"][1 - data["made"]]
        words = (
            f"Here K' = {data['made']} is right. It holds for every ε above {say(low)} and up to {say(high)}: from the "
            "longest link needed inside a shape to the shortest link across."
        )
        said.append(moment(right[0], words, stop=True))
        over = right[-1] + 1
        if over < len(steps):
            k = len(set(chain_at(data, steps[over])))
            fails = f"One link too far: ε now bridges the gap, and K' = {k}. ε fails where the gap between shapes is no"
            said.append(moment(over, f"{fails} wider than the gaps inside them.", stop=True))
    return said


def _moments_of_depth(story: Story, data: dict, steps: Sequence[float]) -> list[dict]:
    """What no length of links can do, and what the depth does: it asks how far density falls on the way."""
    right = [step for step, epsilon in enumerate(steps) if _right(story, data, epsilon)]
    low, high = data["tree"][-data["made"]], data["tree"][1 - data["made"]]
    longest, pieces = _what_lengths_give(story, data)
    data["facts"] = [longest, pieces, CORE_POINTS, math.exp(high)]
    begin = (
        f"{story.lesson} No single distance ε separates these three: at ε = {say(longest)} the two dense ones are "
        f"only just separate, while the sparse one is in {pieces} pieces. Each circle is a core: the distance within "
        f"which a centroid has {CORE_POINTS} points, small where points are dense."
    )
    idea = (
        "Chained by density, ε is a depth: a link holds if log(its length / the core of its denser side) is below ε. "
        "Inside any cloud, dense or sparse, links are about as long as its cores."
    )
    solved = (
        f"K' = {data['made']} is right for every depth above {say(low)} and up to {say(high)}: the link from one "
        f"dense cloud to the other is {math.exp(high):.0f} times as long as a core there, and no link inside a cloud "
        "is."
    )
    lost = "ε is now deeper than the valley between the dense clouds: they are one."
    return [
        moment(0, begin),
        moment(max(right[0] // 2, 1), idea, stop=True),
        moment(right[0], solved, stop=True),
        moment(right[-1] + 1, lost, stop=True),
    ]


def _what_lengths_give(story: Story, data: dict) -> tuple[float, int]:
    """The best that one length of links gives: the last ε at which the dense clouds are apart, and the pieces of the
    sparse one there."""
    labels, tree = np.array(data["labels"]), spanning_tree(np.array(data["centroids"]))
    found = [tree.cut(epsilon)[labels] for epsilon in tree.lengths]
    at = max(i for i, chain in enumerate(found) if not set(chain[story.truth == 0]) & set(chain[story.truth == 1]))
    return float(tree.lengths[at]), len(set(found[at][story.truth == 2]))
