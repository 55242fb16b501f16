"""Spaces that points can be clustered in, beside the columns themselves; `theta_app.spaces` computes them."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from theta_app.datasets.dataset import Dataset, frozen
from theta_app.engine import EUCLIDEAN

COMPONENTS = (1, 50)


@dataclass(frozen=True)
class Space:
    """What the columns can become before they are clustered."""

    label: str
    name: str = ""  # of a coordinate, before its number
    unit: str = ""  # what one unit of θ is there
    meaning: str = ""  # what that means, and what is lost: sentences for the person


_KEPT = "Profiles of clusters stay in the units of the file."
SPACES = {
    "columns": Space("Columns"),
    "pca": Space(
        "PCA",
        "direction",
        "units of the main directions",
        "θ is a distance along the directions in which the columns vary most. What varies little is left out. " + _KEPT,
    ),
    "map": Space(
        "Neighbour map",
        "map",
        "units of the neighbour map",
        "Rows that are neighbours in the columns lie together in the map, so clusters of many columns become "
        "visible. θ is a distance in the map, no longer in the units of the file, and how far apart two clusters lie "
        "there says little. A map can also split one cloud: check whether the profiles differ. " + _KEPT,
    ),
    "images": Space(
        "Autoencoder + neighbour map",
        "map",
        "units of the neighbour map",
        "A network first learns a few numbers from which each image can be drawn again; the neighbour map is made "
        "from these. θ is a distance in the map and says nothing about pixels. " + _KEPT,
    ),
    "strokes": Space(
        "Strokes + neighbour map",
        "map",
        "units of the neighbour map",
        "Each image is described by where its edges run and in which direction; the neighbour map is made from these "
        "descriptions. θ is a distance in the map and says nothing about pixels. " + _KEPT,
    ),
}
"""By key, as `Preparation.space` has it."""


def check(space: str, components: int) -> None:
    """ValueError with a sentence where these are no space and number of coordinates."""
    if space not in SPACES:
        raise ValueError(f"The space must be one of {', '.join(SPACES)}, not {str(space)[:30]!r}.")
    low, high = COMPONENTS
    if isinstance(components, bool) or not isinstance(components, int) or not low <= components <= high:
        raise ValueError(f"The number of coordinates must be a whole number from {low} to {high}.")


def usual_components(space: str, features: int) -> int:
    """How many coordinates a space has unless the person says so: of PCA fewer than there are features."""
    return max(1, min(5, features - 1)) if space == "pca" else 5


def placed(data: Dataset, fitted: Any, X: np.ndarray) -> Dataset:
    """A prepared `Dataset` whose points are X (n, c) in a space that was fitted; what it was prepared to is kept."""
    chosen = data.preparation
    keeps = chosen.space == "pca" and not chosen.metric.unit  # in a map distances are straight
    metric = data.metric if keeps else EUCLIDEAN
    unit = SPACES[chosen.space].unit
    return replace(data, X=frozen(X), prepared=data.in_columns, space=fitted, unit=unit, metric=metric)
