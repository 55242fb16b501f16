"""The first lesson: six pictures for somebody who has never heard of clustering."""

from functools import lru_cache

import numpy as np

from theta_app.engine import lloyd_rounds, tdg
from theta_app.lessons.base import WORLD, clouds, frame_around, in_world, say

THETA, SMALL, LARGE = 2.6, 0.9, 7.5


@lru_cache(maxsize=1)
def start_points():
    """Three clouds of 16 points: (X, truth)."""
    X, truth = clouds([(3.4, 6.2), (8.2, 2.6), (12.6, 6.0)], 16, 0.75, 7)
    return in_world(X), truth


def _picture(title, words, labels=None, centroids=None, **more):
    """One picture; ``labels`` None leaves the points grey, ``theta`` draws a disc of that radius at each centroid."""
    return {
        "title": title,
        "words": words,
        "labels": None if labels is None else np.asarray(labels).tolist(),
        "centroids": [] if centroids is None else np.round(centroids, 4).tolist(),
        **more,
    }


@lru_cache(maxsize=1)
def start_data():
    """The six pictures, all on the same points; every cluster is TDG's, or K-Means's where K is told."""
    X, _ = start_points()
    found = {theta: tdg(X, theta, 50) for theta in (THETA, SMALL, LARGE)}
    right, small, large = (found[theta] for theta in (THETA, SMALL, LARGE))
    *_, (_, split, centres) = lloyd_rounds(X, 2, 0)
    pictures = [
        _picture(
            "Points",
            f"Each of these {len(X)} points is one thing that was measured twice: a flower (length and width), a house "
            "(size and price), a cell. What is alike lies close together.",
        ),
        _picture(
            "Clusters",
            f"A cluster is a group of points that belong together. It is for saying “there are {len(right.sizes)} "
            f"kinds” instead of naming {len(X)} points, with nobody having told which is which.",
            right.labels,
        ),
        _picture(
            "Centroids",
            "The centroid of a cluster is the mean of its members (the diamond). It stands for all of them: its place "
            "is what a typical member looks like.",
            right.labels,
            right.centroids,
        ),
        _picture(
            "K",
            f"K is the number of clusters. Many methods, K-Means above all, want K before they start. Told K = 2, it "
            f"finds 2, though one sees {len(right.sizes)}.",
            split,
            centres,
        ),
        _picture(
            "θ",
            f"θ (theta) is a distance: how far a member may be from its centroid. Here θ = {say(THETA)}, the radius of "
            f"the discs. K comes out by itself: K = {len(right.sizes)}.",
            right.labels,
            right.centroids,
            theta=THETA,
        ),
        _picture(
            "Too small, too large",
            f"θ = {say(SMALL)} is too small: clouds fall into {len(small.sizes)} pieces. θ = {say(LARGE)} would be too "
            f"large: K = {len(large.sizes)}. Finding a good θ by eye is what this app is for.",
            small.labels,
            small.centroids,
            theta=SMALL,
        ),
    ]
    reach = np.concatenate([right.centroids - THETA, right.centroids + THETA, [WORLD[::2], WORLD[1::2]]])
    return {"story": "start", "world": frame_around(reach, 0.02), "points": X.tolist(), "pictures": pictures}
