"""One point at a time: the player's point sets, a trace as the browser draws it, and each decision in words."""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from theta_app.datasets import drawn
from theta_app.engine import Metric, tdg, trace_tsg
from theta_app.engine.trace import TsgStep
from theta_app.lessons import code
from theta_app.lessons.base import SHUFFLES, WORLD, Story, clouds, compared, counted, in_world, moment, place, say
from theta_app.selection import count_outlier_clusters

MOST_POINTS = drawn.MOST
THETA_MAX = 8.0
RULE = (
    "TSG takes one point after the other. Each point joins the nearest centroid if it is within θ; otherwise it starts "
    "a new cluster."
)
_SLOW_POINTS = 100  # more are played quickly unless the person wants each beat


def clouds_story(
    name: str,
    lesson: str,
    centres: Sequence[tuple[float, float]],
    sizes: int | Sequence[int],
    sd: float | Sequence[float],
    seed: int,
    theta: float,
) -> Story:
    """A story of clouds around centres: points per cloud and standard deviations, one for all or one each."""
    X, truth = clouds(centres, sizes, sd, seed)
    return Story(name, lesson, in_world(X), truth, theta)


def _chain_story() -> Story:
    x = np.linspace(1.2, 14.8, 24)
    X = np.column_stack([x, 4.5 + 2.2 * np.sin((x - 1.2) / 2.3)])
    order = np.random.default_rng(3).permutation(len(X))
    lesson = "One long curve, wider than θ: a distance can only cut it into pieces."
    return Story("A chain", lesson, X[order].round(4), np.zeros(len(X), dtype=int), 2.4)


def _arriving_story() -> Story:
    """In the order of arrival: a group that stays, one that wanders, and one that comes late."""
    rng, n = np.random.default_rng(8), 54
    when = np.arange(n) / n
    truth = np.where(when < 0.6, np.arange(n) % 2, np.arange(n) % 3)
    centres = np.array([(3.4, 2.4), (3.2, 6.6), (12.8, 2.4)])[truth]
    centres[:, 0] += np.where(truth == 1, 9.5 * when, 0.0)
    lesson = "Data that arrive while they change: one group stays, one wanders, and one comes late."
    return Story(
        "Data that arrive", lesson, in_world(centres + rng.normal(scale=0.4, size=(n, 2))).round(4), truth, 2.4
    )


@lru_cache(maxsize=1)
def player_stories() -> dict[str, Story]:
    """The point sets of the player, by key."""
    three = [(3.2, 6.2), (8.0, 2.6), (12.8, 6.2)]
    crowd = [(2.5 + 2.75 * i, 2.4 + 4.2 * j) for i in range(5) for j in range(2)]
    return {
        "separated": clouds_story("Well separated", RULE, three, 10, 0.7, 4, 3.0),
        "touching": clouds_story(
            "Touching",
            "The clouds meet: a point in between joins the centroid that is nearest at that moment.",
            [(4.6, 4.5), (8.0, 4.5), (11.4, 4.5)],
            14,
            0.85,
            5,
            2.3,
        ),
        "chain": _chain_story(),
        "outlier": clouds_story(
            "An outlier",
            "Two clouds and one point far from both.",
            [(4.0, 4.5), (8.4, 4.5), (13.4, 7.4)],
            [14, 14, 1],
            0.6,
            2,
            2.6,
        ),
        "sizes": clouds_story(
            "One big, one small",
            "60 points and 8: will the small cloud be swallowed?",
            [(5.2, 4.5), (12.4, 4.5)],
            [60, 8],
            [0.95, 0.35],
            4,
            3.6,
        ),
        "crowd": clouds_story(
            "300 points",
            "Ten clouds of thirty, played quickly: watch the centroids settle.",
            crowd,
            30,
            0.45,
            6,
            1.7,
        ),
        "arriving": _arriving_story(),
    }


def story_of(key: str) -> Story:
    """A story of the player by key; the exercise's is the first one's points under a key of its own."""
    return player_stories()["separated" if key == "exercise" else key]


def sentence(step: TsgStep, theta: float) -> str:
    """One decision of TSG in words.

    >>> sentence(step, 3.0)
    'The nearest centroid is 2.1 away, within θ = 3: joins cluster 4, whose centroid moves.'
    """
    if step.nearest < 0:
        return "The first point has no centroid to join: it starts cluster 0 and is its centroid."
    distance, limit = compared(step.distances[step.nearest], theta)
    if step.created:
        return f"The nearest centroid is {distance} away, beyond θ = {limit}: starts cluster {step.cluster}."
    moved = math.dist(step.before, step.after)
    ending = "whose centroid moves" if moved > 0 else "whose centroid stays"
    exactly = step.distances[step.nearest] == theta
    within = f"exactly θ = {limit}, which still joins" if exactly else f"within θ = {limit}"
    return f"The nearest centroid is {distance} away, {within}: joins cluster {step.cluster}, {ending}."


def beats(step: TsgStep, at: np.ndarray, number: int, theta: float) -> list[str]:
    """A step in words, beat by beat: the point arrives, is measured, is decided about, and its centroid moves."""
    whole = sentence(step, theta)
    k = len(step.distances)
    centroids = "the one centroid" if k == 1 else f"each of the {k} centroids"
    measured = f"Its distance to {centroids} is measured." if k else "There is no centroid yet to measure to."
    decided = whole.replace(", whose centroid moves", "").replace(", whose centroid stays", "")
    return [f"Point {number} arrives at {place(at)}.", measured, decided, whole]


CIRCLE = 0.5
"""The shape of θ-circles where distance is a straight line's; 0 is a diamond, 1 a square."""


def norm_of(shape: float) -> float:
    """The norm p whose circles have a shape from 0 (p = 1) to 1 (infinity)."""
    return math.inf if shape >= 1 else 1.0 / (1.0 - shape)


def metric_of(shape: float, digits: int | None = None) -> Metric:
    """The `Metric` of that norm; for a link with so many digits."""
    p = norm_of(shape)
    return Metric.of("minkowski", p if digits is None else round(p, digits))


def trace_data(X: np.ndarray, theta: float, order: np.ndarray | None = None, shape: float = CIRCLE) -> dict:
    """A traced TSG run as the browser draws it."""
    trace = trace_tsg(X, theta, order, metric=metric_of(shape))
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
    waiting = f"{counted(len(X), 'point')} {'waits' if len(X) == 1 else 'wait'}."
    return {
        "points": X[:, :2].tolist(),
        "theta": theta,
        "shape": shape,
        "labels": trace.labels.tolist(),
        "counts": counts.tolist(),
        "steps": steps,
        "start": waiting if len(X) else "No points yet. Click in the picture, or take the brush.",
    }


def player_data(key: str, edit: object = None, *, exercise: bool = False) -> dict:
    """Everything the player needs for one story, or for what a person has made of it.

    An edit is what the browser sent: ``story``, ``question`` (its number, echoed so that the browser knows which edit
    was answered), ``theta``, ``points`` and ``shape`` of the θ-circles. One that belongs to another story, or makes no
    sense, is ignored. An exercise keeps θ as the story sets it, and opens on the result instead of the first step.
    """
    story = story_of(key)
    X, theta, question, shape = current(key, edit)
    trace = trace_data(X, story.theta if exercise else theta, shape=CIRCLE if exercise else shape)
    told = told_numbers(X, theta, shape) if len(X) and not exercise else []
    return trace | {
        "kind": "player",
        "story": key,
        "edits": key,  # what an edit says it is of: an exercise's place has another name
        "question": question,
        "world": list(WORLD),
        "thetaMax": THETA_MAX,
        "exercise": exercise,
        "quick": len(story.X) > _SLOW_POINTS,
        "most": MOST_POINTS,
        "code": code.TSG,
        "original": story.X.tolist(),
        "originalTheta": story.theta,
        "told": told,
        "moments": [] if exercise else moments(key, edit, trace),
    }


def moments(key: str, edit: object, trace: dict) -> list[dict]:
    """What the player says, and at which step: the rule, the first decisions of their kind, and what came out."""
    story, steps = story_of(key), trace["steps"]
    X, theta, _, shape = current(key, edit)
    if isinstance(edit, dict) and edit.get("asking") is True:
        return [moment(0, "How many clusters will this θ give?")]
    if not steps:
        return [moment(0, caption(key, edit))]
    own = np.array_equal(X, story.X) and theta == story.theta and shape == CIRCLE
    if not own:
        return [moment(at, caption(key, edit)) for at in (0, len(steps))]
    said = [moment(0, f"{story.lesson} Here θ = {say(theta)}, the radius of the circle; {trace['start']}")]
    middle = _first_decisions(steps) if key == "separated" else _remarkable(key, story, steps)
    said += [moment(step, words) for step, words in middle if 0 < step < len(steps)]
    return [*said, moment(len(steps), caption(key, edit))]


_DECISIONS = {
    "first": "The first point has no centroid to join: it starts cluster 0.",
    "starts": "This point is further than θ from every centroid: it starts a new cluster.",
    "joins": "This point is within θ of a centroid: it joins, and the centroid moves to the mean of its members.",
}


def _first_decisions(steps: Sequence[dict]) -> list[tuple[int, str]]:
    """The first point, the first that joins and the first that starts another cluster."""
    kinds: dict = {}
    for number, step in enumerate(steps, 1):
        kinds.setdefault("first" if step["nearest"] < 0 else "starts" if step["created"] else "joins", number)
    return sorted((number, _DECISIONS[kind]) for kind, number in kinds.items())


def _remarkable(key: str, story: Story, steps: Sequence[dict]) -> list[tuple[int, str]]:
    """The step that a story is about."""
    if key == "touching":
        joined = [(s["distances"], n) for n, s in enumerate(steps, 1) if not s["created"] and len(s["distances"]) > 1]
        _, number = min((sorted(d)[1] - sorted(d)[0], n) for d, n in joined)
        near, next_one = (say(d) for d in sorted(steps[number - 1]["distances"])[:2])
        words = f"Point {number} lies between two centroids, {near} and {next_one} away: the nearer one takes it."
        return [(number, f"{words} If they were in slightly different places, it could go to the other.")]
    if key == "outlier":
        number = next(n for n, s in enumerate(steps, 1) if story.truth[s["point"]] == 2)
        return [(number, _DECISIONS["starts"])]
    if key == "arriving":
        starts = [n for n, s in enumerate(steps, 1) if s["created"] and story.truth[s["point"]] == 1]
        late = next(n for n, s in enumerate(steps, 1) if story.truth[s["point"]] == 2)
        wandered = "The group that wanders has left the circle of its centroid, which remembers all members: "
        told = [(number, f"{wandered}a new cluster.") for number in starts[1:2]]
        return sorted([*told, (late, "A new point arrives, far from all others: a new cluster appears by itself.")])
    if key == "sizes":
        number = next(n for n, s in enumerate(steps, 1) if story.truth[s["point"]] == 1)
        return [(number, _DECISIONS["starts"])]
    return []


def current(key: str, edit: object) -> tuple[np.ndarray, float, int, float]:
    """What is to be shown of a story: points, θ, the number of the edit, 0 for none, and the shape of the circles."""
    story = story_of(key)
    return checked_edit(edit, key) or (story.X, story.theta, 0, CIRCLE)


def checked_edit(edit: Any, key: str) -> tuple[np.ndarray, float, int, float] | None:
    """(points, θ, number, shape) of an edit, or None if it is none for this story: a browser may send anything."""
    try:
        if edit["story"] != key:
            return None
        X = np.array(edit["points"], dtype=np.float64)
        theta, question, shape = float(edit["theta"]), int(edit["question"]), float(edit.get("shape", CIRCLE))
    except (TypeError, KeyError, ValueError, OverflowError):
        return None
    X = X if X.size else X.reshape(0, 2)  # all points may be cleared away
    if X.ndim != 2 or X.shape[1] != 2 or len(X) > MOST_POINTS:
        return None
    if not (np.isfinite(X).all() and math.isfinite(theta) and 0 <= theta <= 100 and 0 <= shape <= 1):
        return None
    left, right, bottom, top = WORLD
    return np.clip(X, [left, bottom], [right, top]).round(4), theta, question, shape  # four decimals, as a link carries


# Sentences that follow what is on the picture


def caption(key: str, edit: object = None) -> str:
    """What came out: of the story while nothing was changed, else what is true of what is shown."""
    story = story_of(key)
    X, theta, _, shape = current(key, edit)
    if not len(X):
        return "Nothing is left to cluster. Click in the picture, or take the brush."
    untouched = np.array_equal(X, story.X)
    metric = metric_of(shape)
    sizes = trace_tsg(X, theta, metric=metric).sizes
    k = len(sizes)
    if untouched and theta == story.theta and shape == CIRCLE:
        return f"K = {k}. {_ending(key, sizes)}"
    made = len(np.unique(story.truth)) if untouched else None
    facts = f"Now {counted(len(X), 'point')}, θ = {say(theta)}, K = {k}."
    return " ".join(
        filter(None, (facts, shape_words(shape), theta_words(len(X), k, made), order_words(X, theta, metric, k)))
    )


def _ending(key: str, sizes: np.ndarray) -> str:
    if key == "outlier":
        outliers = count_outlier_clusters(sizes)
        return (
            "The far point is alone and moves no other centroid. It is an outlier, too far from all others to be a "
            f"cluster: Explore says {len(sizes) - outliers} clusters plus {counted(outliers, 'outlier group')}."
        )
    return {
        "separated": "The clouds are further apart than θ: every order gives these clusters. A good θ is larger than a "
        "cloud and smaller than the gap between clouds.",
        "touching": "The clouds are closer together than θ: another order can give other clusters.",
        "chain": "Another order cuts the curve elsewhere. TNC chains such pieces together again.",
        "sizes": "θ asks how far, not how many: the small cloud is a cluster of its own.",
        "crowd": "Each centroid has settled near the middle of its cloud.",
        "arriving": "Nobody said how many clusters there are: they came with the points, each of which was seen once. "
        "Explore plays any data this way (Let them arrive).",
    }[key]


def shape_words(shape: float) -> str:
    """What the θ-circles are where distance is not the straight line's."""
    if shape == CIRCLE:
        return ""
    if shape == 0:
        return "A distance is the sum of the differences, as in city blocks: θ-circles are diamonds."
    if shape == 1:
        return "A distance is the largest difference alone: θ-circles are squares."
    between = "a diamond and a circle" if shape < CIRCLE else "a circle and a square"
    return f"Distances in the norm p = {say(norm_of(shape))}: θ-circles are between {between}."


def theta_words(n: int, k: int, made: int | None = None) -> str:
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


def order_words(X: np.ndarray, theta: float, metric: Metric, k: int) -> str:
    """Whether shuffles of these points give the same clusters."""
    if len(X) < 2:
        return ""
    low, high, agreement = order_effect(X, theta, metric)
    if agreement == 1:
        return f"No order effect in {SHUFFLES} shuffles."
    spread = f"{low}" if low == high else f"{low} to {high}"
    also = ", but not always the same ones" if low == high == k else ""
    gives = f"This order gives {counted(k, 'cluster')}; {SHUFFLES} shuffles gave {spread}{also}"
    return f"{gives}. Order agreement {agreement:.2f}."


def order_effect(X: np.ndarray, theta: float, metric: Metric) -> tuple[int, int, float]:
    """The smallest and largest K of the shuffles, and their order agreement."""
    result = tdg(X, theta, SHUFFLES, agreement=True, metric=metric)
    return int(result.run_counts.min()), int(result.run_counts.max()), float(result.agreement)  # type: ignore[arg-type]


def told_numbers(X: np.ndarray, theta: float, shape: float) -> list[float]:
    """Numbers that a caption may tell and the picture does not show: of the shuffles, and the norm."""
    metric = metric_of(shape)
    effect = order_effect(X, theta, metric) if len(X) > 1 else ()
    sizes = trace_tsg(X, theta, metric=metric).sizes
    outliers = count_outlier_clusters(sizes)
    return [SHUFFLES, *effect, *([] if shape in (0, 1) else [norm_of(shape)]), outliers, len(sizes) - outliers]
