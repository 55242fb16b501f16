"""What all lessons share: a story, the clouds it is made of, and whether two labellings are the same."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from theta_app.datasets import drawn

SHUFFLES = 50
WORLD = (0.0, drawn.SHEET[0], 0.0, drawn.SHEET[1])  # left, right, bottom, top of most pictures


@dataclass(frozen=True, eq=False)
class Story:
    """A point set that shows something."""

    name: str  # what it is called in the page
    lesson: str  # one sentence: what to look for
    X: np.ndarray  # (n, d): in the order of arrival; the first two coordinates are drawn
    truth: np.ndarray  # (n,): group each point was made for
    theta: float


def moment(step: int, words: str, *, stop: bool = False, ask: dict | None = None) -> dict:
    """What a story says at a step of its picture's player, until the next moment.

    At a ``stop`` a run that plays by itself stops; a `question` to ``ask`` is put before the story goes on.
    """
    return {"step": int(step), "words": words, "stop": stop, "ask": ask}


def question(words: str, choices: Sequence[str], right: int) -> dict:
    """A question with choices; ``right`` is the number of the right one, from 0. "Yes (Y)" is also answered with Y."""
    keys = [choice[-2].lower() if choice.endswith(")") else str(at) for at, choice in enumerate(choices, 1)]
    return {"words": words, "choices": [{"words": c, "key": key} for c, key in zip(choices, keys)], "right": right}


def counted(number: int, noun: str) -> str:
    """A number and its noun: "1 point", "12 points"."""
    return f"{number:,} {noun if number == 1 else noun + 's'}"


def clouds(
    centres: Sequence[tuple[float, float]],
    sizes: int | Sequence[int],
    sd: float | Sequence[float],
    seed: int,
    d: int = 2,
) -> tuple[np.ndarray, np.ndarray]:
    """Normal clouds around ``centres``, in a random order of arrival: (X, truth)."""
    rng = np.random.default_rng(seed)
    truth = np.repeat(np.arange(len(centres)), sizes)
    noise = rng.normal(size=(len(truth), d)) * np.broadcast_to(sd, len(centres))[truth][:, None]
    X = noise
    X[:, :2] += np.asarray(centres, dtype=float)[truth]
    order = rng.permutation(len(truth))
    return X[order].round(4), truth[order]


def in_world(X: np.ndarray) -> np.ndarray:
    """The points, those outside of the stage moved to its edge."""
    left, right, bottom, top = WORLD
    return np.clip(X, [left + 0.3, bottom + 0.3], [right - 0.3, top - 0.3])


def frame_around(X: np.ndarray, margin: float = 0.06) -> list[float]:
    """Left, right, bottom and top of a picture around the first two coordinates, in the shape of the page."""
    low, high = X[:, :2].min(axis=0), X[:, :2].max(axis=0)
    middle, half = (low + high) / 2, (high - low) / 2 * (1 + 2 * margin)
    half = np.maximum(half, [half[1] * 1.35, half[0] / 1.78])
    return [float(v) for v in (middle[0] - half[0], middle[0] + half[0], middle[1] - half[1], middle[1] + half[1])]


def say(value: float) -> str:
    """A number with three figures, as people say it."""
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:,.0f}"


def compared(distance: float, limit: float) -> tuple[str, str]:
    """Two lengths with three figures, or with as many as it takes to tell them apart: (distance, limit)."""
    if say(distance) != say(limit) or distance == limit:
        return say(distance), say(limit)
    return f"{distance:.6g}", f"{limit:.6g}"


def place(point: Sequence[float] | np.ndarray) -> str:
    """The first two coordinates of a point, as people say them."""
    return f"({say(point[0])}, {say(point[1])})"


def same_partition(a: np.ndarray, b: np.ndarray) -> bool:
    """True if two labellings group the points alike, whatever the groups are called."""
    return np.array_equal(_by_appearance(a), _by_appearance(b))


def _by_appearance(labels: np.ndarray) -> np.ndarray:
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[inverse]
