"""Try it: three exercises and what their checks say."""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from theta_app.engine import shuffled_order, tdg, tsg
from theta_app.figures.palette import COLOURS
from theta_app.lessons.base import SHUFFLES, Story, clouds, frame_around, same_partition, say
from theta_app.lessons.chain import chain_data, chain_stories
from theta_app.lessons.orders import compared_orders
from theta_app.lessons.player import current, story_of
from theta_app.selection import match_clusters, runs


@lru_cache(maxsize=1)
def finder_story() -> Story:
    """25 clusters on a grid, 7.5 apart: the points of the first exercise."""
    X, truth = clouds([(7.5 * i, 7.5 * j) for i in range(5) for j in range(5)], 16, 1.0, 0)
    return Story("25 clusters", "", X, truth, 1.0)


@lru_cache(maxsize=1)
def finder_data() -> dict:
    """TDG's result on a fine, logarithmic grid of θ; colours stay with a cluster from one θ to the next."""
    X = finder_story().X
    thetas = np.geomspace(0.8, 16.0, 70)
    results = [tdg(X, float(theta), 20) for theta in thetas]
    return {
        "kind": "finder",
        "story": "finder",
        "world": frame_around(X),
        "points": X.round(3).tolist(),
        "thetas": thetas.round(4).tolist(),
        "labels": [row.tolist() for row in _coloured([result.labels for result in results])],
        "k": [len(result.sizes) for result in results],
        "target": 25,
    }


def _coloured(labels: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Palette numbers for the points of each labelling; made from the coarsest on, so that few clusters differ."""
    shown, colours = [], None
    for i in range(len(labels) - 1, -1, -1):
        count = int(labels[i].max()) + 1
        partner = np.full(count, -1) if colours is None else match_clusters(labels[i + 1], labels[i])
        colours = _shared_out(np.where(partner < 0, -1, colours[partner] if colours is not None else -1), count)
        shown.append(colours[labels[i]])
    return shown[::-1]


def _shared_out(wanted: np.ndarray, count: int) -> np.ndarray:
    """A palette number for each cluster: the wanted one (-1 for none) unless a colour would be used too often."""
    most, uses = -(-count // len(COLOURS)), np.zeros(len(COLOURS), dtype=int)
    colours = np.full(count, -1)
    for k in np.flatnonzero(wanted >= 0):
        if uses[wanted[k]] < most:
            colours[k] = wanted[k]
            uses[wanted[k]] += 1
    for k in np.flatnonzero(colours < 0):
        colours[k] = uses.argmin()
        uses[colours[k]] += 1
    return colours


def check_range(marks: Any, data: dict) -> tuple[bool, str]:
    """Whether the marked range holds the target K, and how much of it: (solved, sentence)."""
    ends = _marks(marks, len(data["thetas"]))
    if len(ends) < 2:
        return False, _one_mark(ends, data)
    low, high = sorted(ends.values())
    k, thetas, target = data["k"], data["thetas"], data["target"]
    wrong = [at for at in (low, high) if k[at] != target]
    if wrong:
        at = wrong[0]
        return False, f"At θ = {say(thetas[at])} there are {k[at]} clusters, not {target}. Move that end."
    if any(value != target for value in k[low : high + 1]):
        return False, f"Between your marks K leaves {target}. Choose one unbroken range."
    there = [run for run in runs(k) if k[run.start] == target]
    whole = next(run for run in there if run.start <= low < run.stop)
    longest = max(there, key=lambda run: run.stop - run.start)  # steps of a logarithmic grid: the largest ratio
    if whole != longest:
        where = f"only at θ = {say(thetas[low])}" if whole.stop - whole.start == 1 else "only briefly"
        return False, f"K = {target} here, but {where}. A longer range has K = {target} too: the longest one counts."
    first, last = whole.start, whole.stop - 1
    width = f"{thetas[high] / thetas[low]:.2f} times as large at its end as at its start"
    if (first, last) != (low, high):
        share = math.log(thetas[high] / thetas[low]) / math.log(thetas[last] / thetas[first])
        if share < 0.9:
            return False, f"K = {target} at both ends, and your range covers {share:.0%} of the whole range. Widen it."
    return True, (
        f"Solved: K = {target} from θ = {say(thetas[low])} to {say(thetas[high])}, {width}. "
        "Any θ near its middle is safe: that is what a good θ looks like."
    )


def _marks(marks: Any, count: int) -> dict[str, int]:
    """The marked ends by name; what makes no sense is left out."""
    ends = {}
    for end in ("low", "high"):
        try:
            at = int(marks[end])
        except (TypeError, KeyError, ValueError, OverflowError):
            continue
        if 0 <= at < count:
            ends[end] = at
    return ends


def _one_mark(ends: dict[str, int], data: dict) -> str:
    if not ends:
        return ""
    ((end, at),) = ends.items()
    k, theta, target = data["k"][at], say(data["thetas"][at]), data["target"]
    name, other = ("Start", "end") if end == "low" else ("End", "start")
    if k != target:
        return f"{name} marked at θ = {theta}, where there are {k} clusters, not {target}. Move it."
    return f"{name} marked at θ = {theta}, where K = {target}. Now mark the {other}."


def check_order_matters(edit: object, key: str) -> tuple[bool, str, dict | None]:
    """Whether the moved points make the order matter: (solved, sentence, the two orders that differ or None)."""
    X = current(key, edit)[0]
    theta = story_of(key).theta
    if len(X) < 2:
        return False, "A single point, or none, has only one order. Add some.", None
    orders = [np.arange(len(X)), *(shuffled_order(len(X), 0, i) for i in range(SHUFFLES))]
    results = [tsg(X, theta, order).labels for order in orders]
    other = [i for i, labels in enumerate(results) if not same_partition(results[0], labels)]
    if not other:
        words = f"No order effect in {SHUFFLES} shuffles so far. Drag points into the gap between two clouds."
        return False, words, None
    agreement = tdg(X, theta, SHUFFLES, agreement=True).agreement
    words = f"Solved: {len(other)} of {SHUFFLES} shuffles give another result; order agreement fell to {agreement:.2f}."
    return True, words, compared_orders(X, theta, orders[0], orders[other[0]]) | {"shuffle": other[0]}


def check_chain(epsilon: Any, key: str) -> tuple[bool, str]:
    """Whether ε chains the small clusters into the two shapes and nothing else: (solved, sentence)."""
    try:
        epsilon = float(epsilon)
    except (TypeError, ValueError):
        return False, ""
    story, data = chain_stories()[key], chain_data(key)
    level = sum(length < epsilon for length in data["tree"])
    chain = np.array(data["chains"][level])[np.array(data["labels"])]
    k = len(np.unique(chain))
    if k == 2 and same_partition(chain, story.truth):
        low = data["tree"][-2]
        high = data["tree"][-1]
        return True, (
            f"Solved: any ε above {say(low)} and up to {say(high)} gives the two shapes. "
            "That range goes from the longest link needed inside a shape to the shortest link across."
        )
    if k > 2:
        return False, f"K' = {k}: some links are still too long for this ε. Let it grow."
    return False, f"K' = {k}: ε now bridges the gap between the shapes. Make it smaller."
