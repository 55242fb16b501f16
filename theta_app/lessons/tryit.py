"""Try it: three exercises and what their checks say."""

import math
from functools import lru_cache

import numpy as np

from theta_app.engine import shuffled_order, tdg, tsg
from theta_app.lessons.base import SHUFFLES, Story, clouds, frame_around, same_partition, say
from theta_app.lessons.chain import chain_data, chain_stories
from theta_app.lessons.player import checked_edit, story_of
from theta_app.selection import numbers_like, runs


@lru_cache(maxsize=1)
def finder_story():
    """25 clusters on a grid, 7.5 apart: the points of the first exercise."""
    X, truth = clouds([(7.5 * i, 7.5 * j) for i in range(5) for j in range(5)], 16, 1.0, 0)
    return Story("25 clusters", "", X, truth, 1.0)


@lru_cache(maxsize=1)
def finder_data():
    """TDG's result on a fine, logarithmic grid of θ; colours stay with a cluster from one θ to the next."""
    X = finder_story().X
    thetas = np.geomspace(0.8, 16.0, 70)
    labels, previous = [], None
    for theta in thetas:
        found = tdg(X, float(theta), 20).labels
        shown = found if previous is None else numbers_like(previous, found)[found]
        labels.append(shown.tolist())
        previous = shown
    return {
        "world": frame_around(X),
        "points": X.round(3).tolist(),
        "thetas": thetas.round(4).tolist(),
        "labels": labels,
        "k": [len(set(row)) for row in labels],
        "target": 25,
    }


def check_range(marks, data):
    """Whether the marked range holds the target K, and how much of it: (solved, sentence)."""
    try:
        low, high = sorted(int(marks[end]) for end in ("low", "high"))
        if not 0 <= low <= high < len(data["thetas"]):
            return False, ""
    except (TypeError, KeyError, ValueError):
        return False, ""
    k, thetas, target = data["k"], data["thetas"], data["target"]
    wrong = [at for at in (low, high) if k[at] != target]
    if wrong:
        at = wrong[0]
        return False, f"At θ = {say(thetas[at])} there are {k[at]} clusters, not {target}. Move that end."
    if any(value != target for value in k[low : high + 1]):
        return False, f"Between your marks K leaves {target}. Choose one unbroken range."
    whole = next(run for run in runs(k) if run.start <= low < run.stop)
    first, last = whole.start, whole.stop - 1
    width = f"{thetas[high] / thetas[low]:.2f} times as large at its end as at its start"
    if (first, last) != (low, high):
        share = math.log(thetas[high] / thetas[low]) / math.log(thetas[last] / thetas[first])
        if share < 0.9:
            return False, f"K = {target} at both ends, and your range covers {share:.0%} of what there is. Widen it."
    return True, (
        f"Solved: K = {target} from θ = {say(thetas[low])} to {say(thetas[high])}, {width}. "
        "Any θ in the middle is safe: that is what a good θ looks like."
    )


def order_effect(X, theta):
    """Order agreement over the shuffles, and in how many of them the result differs from the first."""
    runs = [tsg(X, theta, shuffled_order(len(X), 0, i)).labels for i in range(SHUFFLES)]
    changed = sum(not same_partition(runs[0], run) for run in runs[1:])
    return tdg(X, theta, SHUFFLES, agreement=True).agreement, changed


def check_order_matters(edit, key):
    """Whether the moved points make the order matter: (solved, sentence)."""
    story = story_of(key)
    X, _, _ = checked_edit(edit, key) or (story.X, story.theta, 0)
    agreement, changed = order_effect(X, story.theta)
    if changed == 0:
        return False, f"No order effect in {SHUFFLES} shuffles so far. Drag points into the gap between two clouds."
    return True, (
        f"Solved: {changed} of {SHUFFLES - 1} other orders give another result; "
        f"order agreement fell to {agreement:.2f}."
    )


def check_chain(epsilon, key):
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
            "The room between the two is the gap between the shapes."
        )
    if k > 2:
        return False, f"K' = {k}: some links are still too long for this ε. Let it grow."
    return False, f"K' = {k}: ε now bridges the gap between the shapes. Make it smaller."
