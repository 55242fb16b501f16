"""The first lesson: seven pictures for somebody who has never heard of clustering."""

from functools import lru_cache
from typing import Any

import numpy as np

from theta_app.engine import lloyd_rounds, tdg
from theta_app.lessons.base import SHUFFLES, WORLD, clouds, frame_around, in_world, moment, say
from theta_app.selection import numbers_like

THETA, SMALL, LARGE = 2.6, 0.9, 7.5
DRAGGED = np.round(np.geomspace(0.5, 9.0, 60), 2)  # every θ that can be dragged to


@lru_cache(maxsize=1)
def start_points() -> tuple[np.ndarray, np.ndarray]:
    """Three clouds of 16 points: (X, truth)."""
    X, truth = clouds([(3.4, 6.2), (8.2, 2.6), (12.6, 6.0)], 16, 0.75, 7)
    return in_world(X), truth


def _picture(
    title: str, words: str, labels: np.ndarray | None = None, centroids: np.ndarray | None = None, **more: Any
) -> dict:
    """One picture; ``labels`` None leaves the points grey, ``theta`` draws a disc of that radius at each centroid."""
    return {
        "title": title,
        "words": words,
        "labels": None if labels is None else np.asarray(labels).tolist(),
        "centroids": [] if centroids is None else np.round(centroids, 4).tolist(),
        **more,
    }


def _at(theta: float) -> dict:
    """TDG's clusters at θ, numbered as at the usual θ where they are the same."""
    X, _ = start_points()
    found, usual = tdg(X, float(theta), SHUFFLES), tdg(X, THETA, SHUFFLES)
    numbers = numbers_like(usual.labels, found.labels)
    order = np.argsort(numbers)
    return {
        "theta": float(theta),
        "labels": np.argsort(order)[found.labels].tolist(),
        "centroids": found.centroids[order].round(4).tolist(),
    }


@lru_cache(maxsize=1)
def start_data() -> dict:
    """The pictures, all on the same points; every cluster is TDG's, or K-Means's where K is told."""
    X, _ = start_points()
    found = {theta: tdg(X, theta, SHUFFLES) for theta in (THETA, SMALL, LARGE)}
    right, small, large = (found[theta] for theta in (THETA, SMALL, LARGE))
    *_, (_, split, centres) = lloyd_rounds(X, 2, 0)
    k = len(right.sizes)
    pictures = [
        _picture(
            "Points",
            f"Each of these {len(X)} points is one thing that was measured: a flower (length and width), a house "
            "(size and price), a cell. Similar things lie close together.",
        ),
        _picture(
            "Clusters",
            f"A cluster is a group of points that belong together: “there are {k} kinds” instead of {len(X)} "
            "things. Nobody has said which point is which.",
            right.labels,
        ),
        _picture(
            "Centroids",
            "The centroid of a cluster is the mean of its members (the diamond): what a typical member looks like.",
            right.labels,
            right.centroids,
        ),
        _picture(
            "K",
            "K is the number of clusters. Many methods, K-Means above all, want K before they start. Told K = 2, it "
            f"finds 2, though you can see {k}.",
            split,
            centres,
        ),
        _picture(
            "θ",
            f"θ (theta) is a distance: how far a member may be from its centroid, the radius of the discs. With θ = "
            f"{say(THETA)}, K = {k} comes out by itself.",
            right.labels,
            right.centroids,
            theta=THETA,
        ),
        _picture(
            "θ too small",
            f"θ = {say(SMALL)} is too small: the {k} clouds fall into {len(small.sizes)} pieces.",
            small.labels,
            small.centroids,
            theta=SMALL,
        ),
        _picture(
            "θ too large",
            f"θ = {say(LARGE)} is too large: K = {len(large.sizes)}. A good θ is larger than a cloud and smaller than "
            "the gaps, so K stays the same over a wide range. Drag θ and find it.",
            large.labels,
            large.centroids,
            theta=LARGE,
        ),
    ]
    reach = np.concatenate([right.centroids - THETA, right.centroids + THETA, [WORLD[::2], WORLD[1::2]]])
    return {
        "kind": "start",
        "story": "start",
        "world": frame_around(reach, 0.02),
        "points": X.tolist(),
        "pictures": pictures,
        "dragged": [_at(theta) for theta in sorted({*DRAGGED.tolist(), THETA, SMALL, LARGE})],
        "k": k,
        "moments": [moment(i, picture["words"]) for i, picture in enumerate(pictures)],
    }
