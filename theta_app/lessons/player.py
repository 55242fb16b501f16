"""One point at a time: the player's point sets, a trace as the browser draws it, and each decision in words."""

import math
from functools import lru_cache

import numpy as np

from theta_app.datasets import drawn
from theta_app.engine import tdg, trace_tsg
from theta_app.lessons import code
from theta_app.lessons.base import SHUFFLES, WORLD, Story, clouds, compared, in_world, place, say

MOST_POINTS = drawn.MOST
THETA_MAX = 8.0
_SLOW_POINTS = 100  # more are played quickly unless the person wants each beat


def _story(name, lesson, centres, sizes, sd, seed, theta):
    X, truth = clouds(centres, sizes, sd, seed)
    return Story(name, lesson, in_world(X), truth, theta)


def _chain_story():
    x = np.linspace(1.2, 14.8, 24)
    X = np.column_stack([x, 4.5 + 2.2 * np.sin((x - 1.2) / 2.3)])
    order = np.random.default_rng(3).permutation(len(X))
    lesson = (
        "One long curve: a distance cuts it into pieces, and another order cuts it elsewhere. TNC chains them again."
    )
    return Story("A chain", lesson, X[order].round(4), np.zeros(len(X), dtype=int), 2.4)


@lru_cache(maxsize=1)
def player_stories():
    """The point sets of the player, by key."""
    three = [(3.2, 6.2), (8.0, 2.6), (12.8, 6.2)]
    crowd = [(2.5 + 2.75 * i, 2.4 + 4.2 * j) for i in range(5) for j in range(2)]
    return {
        "separated": _story(
            "Well separated", "Three clouds further apart than θ: every order gives K = 3.", three, 10, 0.7, 4, 3.0
        ),
        "touching": _story(
            "Touching",
            "The clouds meet: a point in between joins whoever is nearest at that moment.",
            [(4.6, 4.5), (8.0, 4.5), (11.4, 4.5)],
            14,
            0.85,
            5,
            2.3,
        ),
        "chain": _chain_story(),
        "outlier": _story(
            "An outlier",
            "One point far from all: it stays a cluster of its own and pulls nobody's centroid.",
            [(4.0, 4.5), (8.4, 4.5), (14.6, 7.8)],
            [14, 14, 1],
            0.6,
            2,
            2.6,
        ),
        "sizes": _story(
            "One big, one small",
            "60 points and 6: θ asks how far, not how many, so the small one survives.",
            [(5.2, 4.5), (12.4, 4.5)],
            [60, 6],
            [0.95, 0.35],
            4,
            3.6,
        ),
        "crowd": _story(
            "300 points",
            "Ten clouds of thirty, played quickly. Set the speed to 8× and watch the centroids settle.",
            crowd,
            30,
            0.45,
            6,
            1.7,
        ),
    }


def story_of(key):
    """A story of the player by key; the exercise's is the first one's points under a key of its own."""
    return player_stories()["separated" if key == "exercise" else key]


def sentence(step, theta):
    """One decision of TSG in words.

    >>> sentence(step, 3.0)
    'The nearest centroid is 2.1 away, within θ = 3: joins cluster 4, whose centroid moves.'
    """
    if step.nearest < 0:
        return "The first point has nobody to join: it opens cluster 0 and is its centroid."
    distance, limit = compared(step.distances[step.nearest], theta)
    if step.created:
        return f"The nearest centroid is {distance} away, beyond θ = {limit}: opens cluster {step.cluster}."
    moved = math.dist(step.before, step.after)
    ending = "whose centroid moves" if moved > 0 else "whose centroid stays"
    exactly = step.distances[step.nearest] == theta
    within = f"exactly θ = {limit}, which still joins" if exactly else f"within θ = {limit}"
    return f"The nearest centroid is {distance} away, {within}: joins cluster {step.cluster}, {ending}."


def beats(step, at, number, theta):
    """A step in words, beat by beat: the point arrives, is measured, is decided about, and its centroid moves."""
    whole = sentence(step, theta)
    k = len(step.distances)
    centroids = "the one centroid" if k == 1 else f"each of the {k} centroids"
    measured = f"Its distance to {centroids} is measured." if k else "There is no centroid yet to measure to."
    decided = whole.replace(", whose centroid moves", "").replace(", whose centroid stays", "")
    return [f"Point {number} arrives at {place(at)}.", measured, decided, whole]


def trace_data(X, theta, order=None):
    """A traced TSG run as the browser draws it."""
    trace = trace_tsg(X, theta, order)
    counts = np.concatenate([[0], np.cumsum([step.created for step in trace.steps])]).astype(int)
    members = np.zeros(len(X), dtype=int)
    steps = []
    for number, step in enumerate(trace.steps, 1):
        members[step.cluster] += 1
        at = X[step.point]
        steps.append(
            {
                "point": step.point,
                "cluster": step.cluster,
                "created": bool(step.created),
                "nearest": step.nearest,
                "distances": step.distances.round(4).tolist(),
                "before": step.before[:2].tolist(),
                "after": step.after[:2].tolist(),
                "beats": beats(step, at, number, theta),
                "values": code.tsg_values(step, at, number, theta, int(members[step.cluster])),
                "lit": code.tsg_lit(step),
            }
        )
    waiting = f"{len(X)} points wait. Press play, or step with the arrow keys."
    return {
        "points": X[:, :2].tolist(),
        "theta": theta,
        "labels": trace.labels.tolist(),
        "counts": counts.tolist(),
        "steps": steps,
        "start": waiting if len(X) else "No points yet. Click in the picture, or take the brush.",
    }


def player_data(key, edit=None, *, exercise=False):
    """Everything the player needs for one story, or for what a person has made of it.

    Parameters
    ----------
    key : str
        Story.
    edit : dict, optional
        What the browser sent: ``story``, ``question`` (its number, echoed so that the browser knows which edit was
        answered), ``theta`` and ``points``. One that belongs to another story, or makes no sense, is ignored.
    exercise : bool
        Keep θ as the story sets it, and open on the result instead of the first step.
    """
    story = story_of(key)
    X, theta, question = current(key, edit)
    return trace_data(X, story.theta if exercise else theta) | {
        "story": key,
        "question": question,
        "world": list(WORLD),
        "thetaMax": THETA_MAX,
        "exercise": exercise,
        "quick": len(story.X) > _SLOW_POINTS,
        "most": MOST_POINTS,
        "code": code.TSG,
        "original": story.X.tolist(),
        "originalTheta": story.theta,
    }


def current(key, edit):
    """What is to be shown of a story: points, θ, and the number of the edit, 0 for none."""
    story = story_of(key)
    return checked_edit(edit, key) or (story.X, story.theta, 0)


def checked_edit(edit, key):
    """Points, θ and number of an edit, or None if it is none for this story: what a browser sends may be anything."""
    try:
        if edit["story"] != key:
            return None
        X = np.array(edit["points"], dtype=np.float64)
        theta, question = float(edit["theta"]), int(edit["question"])
    except (TypeError, KeyError, ValueError, OverflowError):
        return None
    X = X if X.size else X.reshape(0, 2)  # all points may be cleared away
    if X.ndim != 2 or X.shape[1] != 2 or len(X) > MOST_POINTS:
        return None
    if not (np.isfinite(X).all() and math.isfinite(theta) and 0 <= theta <= 100):
        return None
    left, right, bottom, top = WORLD
    return np.clip(X, [left, bottom], [right, top]).round(4), theta, question  # four decimals, as a link carries


# Sentences that follow what is on the picture


def caption(key, edit=None):
    """What to look for: the story's own sentence while nothing was changed, then what is true of what is shown."""
    story = story_of(key)
    X, theta, _ = current(key, edit)
    untouched = np.array_equal(X, story.X)
    if untouched and theta == story.theta:
        return story.lesson
    if not len(X):
        return "Nothing is left to cluster. Click in the picture, or take the brush."
    made = len(np.unique(story.truth)) if untouched else None
    k = len(trace_tsg(X, theta).sizes)
    facts = f"Now {len(X)} {'point' if len(X) == 1 else 'points'}, θ = {say(theta)}, K = {k}."
    return " ".join(filter(None, (facts, theta_words(len(X), k, made), order_words(X, theta))))


def theta_words(n, k, made=None):
    """What a θ too small or too large did, as far as K tells. ``made``: clouds that the points were drawn from."""
    if n < 3:
        return ""
    if k > n / 2:
        return "θ too small: most points stay alone."
    if k == 1 and made != 1:
        return "θ too large: one cluster takes everything."
    if made and k > made:
        return f"θ too small: {'the one shape' if made == 1 else f'the {made} clouds'} fell into pieces."
    if made and k < made:
        return "θ too large: clouds were merged."
    return ""


def order_words(X, theta):
    """Whether shuffles of these points give the same clusters."""
    if len(X) < 2:
        return ""
    result = tdg(X, theta, SHUFFLES, agreement=True)
    low, high = int(result.run_counts.min()), int(result.run_counts.max())
    if result.agreement == 1:
        return f"No order effect in {SHUFFLES} shuffles."
    return f"Order matters: K {low if low == high else f'{low} to {high}'}, agreement {result.agreement:.2f}."
