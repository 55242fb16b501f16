"""How distances are measured, as one value.

Public functions take ``metric``, ``p`` and ``radius``, or a `Metric` as ``metric``; inside, the value alone is passed
on. Kernels are given points as `Metric.coordinates` has them and the norm `Metric.p`; they compare what grows with the
distance in it, which `Metric.lengths` turns into distances.
"""

from __future__ import annotations

import math
import threading
import weakref
from dataclasses import dataclass, field, replace

import numpy as np

from theta_app.engine import curves, norms, search
from theta_app.engine.directions import EARTH, Places, Vectors, largest_square
from theta_app.engine.validation import read_only

_LARGEST = 2.0**57  # p beyond this is the maximum norm: for up to e^16 features the two round to the same number


@dataclass(frozen=True, repr=False)
class Metric:
    """How distances are measured.

    Attributes
    ----------
    name : str
        A key of `METRICS`.
    p : float
        The norm in which coordinates are compared, for the kernels. In the table None where it is chosen by hand.
    label, help : str
        As people call it, and what it means.
    unit : str
        What θ is measured in; empty where that is what the columns are measured in.
    features : int or None
        How many features points must have; None for any number.
    directions : Places, Vectors or None
        How points become unit vectors, where these are compared, and centroids are directions instead of means.
    of_curves : bool
        Whether rows are curves (`curves`), and centroids take each in the direction that is nearer.
    """

    name: str
    p: float
    label: str = field(default="", compare=False)
    help: str = field(default="", compare=False)
    unit: str = field(default="", compare=False)
    features: int | None = field(default=None, compare=False)
    directions: Places | Vectors | None = None
    of_curves: bool = False

    @classmethod
    def of(cls, metric: str | Metric = "euclidean", p: float | None = None, radius: float | None = None) -> Metric:
        """The metric of a name, with the power `p` (1 or more, 2 if none is given) or the `radius` (the Earth's in km
        if none is given) where it takes one.

        Powers that have a name of their own are the metric of that name, so equal distances are equal values. A
        `Metric` is returned as it is.
        """
        if isinstance(metric, Metric):
            return metric
        if not isinstance(metric, str) or metric not in METRICS:
            raise ValueError(f"metric must be one of {', '.join(map(repr, METRICS))}, got {metric!r}")
        entry = METRICS[metric]
        if entry.p is not None:
            return entry if radius is None or entry.radius is None else entry._on(radius)
        p = EUCLIDEAN.p if p is None else p
        if isinstance(p, bool) or not isinstance(p, (int, float, np.integer, np.floating)) or not p >= 1:
            raise ValueError(f"p must be a number, 1 or more, got {p!r}")
        p = np.inf if p > _LARGEST else float(p)
        return _NAMED.get(p) or replace(entry, p=p, label=entry.label.format(p=p))

    def _on(self, radius: float) -> Metric:
        """The same on a sphere of another radius."""
        if isinstance(radius, bool) or not isinstance(radius, (int, float, np.integer, np.floating)):
            raise ValueError(f"radius must be a number above 0, got {radius!r}")
        if not 0 < radius < math.inf:
            raise ValueError(f"radius must be a number above 0, got {radius!r}")
        return (
            self if radius == self.radius else replace(self, directions=replace(self.directions, radius=float(radius)))  # type: ignore[type-var]
        )

    @property
    def of_columns(self) -> bool:
        """Whether it is a norm of the differences of columns: centroids are means, and a column is a column."""
        return self.directions is None and not self.of_curves

    def refuse_curves(self, what: str) -> Metric:
        """The metric itself; ValueError where rows are curves, which `what` cannot compare."""
        if self.of_curves:
            raise ValueError(f"metric {self.name!r} compares curves, which {what} cannot handle: use another metric")
        return self

    @property
    def radius(self) -> float | None:
        """Of the sphere that distances are measured on; None where there is none."""
        return None if self.directions is None else self.directions.radius

    @classmethod
    def from_text(cls, text: str) -> Metric:
        """The inverse of `text`; ValueError with a sentence for what is none."""
        name, _, radius = text.partition(":")
        try:
            if name in METRICS:
                return cls.of(name, radius=float(radius) if radius else None)
            return cls.of("minkowski", float(text))
        except ValueError:
            raise ValueError(f"The norm must be a number, 1 or more, not {text[:30]!r}.") from None

    @property
    def text(self) -> str:
        """For links and digests: the power of a norm, "1", "2.5" or "inf", else the name; ":" before another radius."""
        if self in _NAMED.values() or self._entry.p is None:
            return repr(self.p).removesuffix(".0")
        return self.name if self == self._entry else f"{self.name}:{self.radius!r}".removesuffix(".0")

    @property
    def _entry(self) -> Metric:
        return METRICS[self.name]

    @property
    def words(self) -> str:
        """In a list of settings: "norm 1", "kilometres", "cosine", "mdf"."""
        if self.of_columns:
            return f"norm {self.text}"
        if self.of_curves:
            return self.name
        return self.name if self.radius is None else "kilometres" if self.radius == EARTH else f"radius {self.radius:g}"

    @property
    def arguments(self) -> dict:
        """As the arguments ``metric`` and, where they are needed, ``p`` and ``radius`` of public functions."""
        chosen = {"p": self.p} if self._entry.p is None else {}
        if self.radius != self._entry.radius:
            chosen["radius"] = self.radius
        return {"metric": self.name, **chosen}

    def __repr__(self) -> str:
        return f"Metric.of({', '.join(f'{name}={value!r}' for name, value in self.arguments.items())})"

    def check(self, X: np.ndarray) -> np.ndarray:
        """X, points of shape (n, d); ValueError with a sentence where they cannot be measured this way."""
        if self.features not in (None, X.shape[1]):
            raise ValueError(f"metric {self.name!r} needs {self.features} features, got {X.shape[1]}")
        if self.of_curves:
            return curves.check(X)
        return X if self.directions is None else self.directions.check(X)

    def coordinates(self, X: np.ndarray) -> np.ndarray:
        """X as kernels compare it: itself, or the unit vectors of its rows. ValueError as in `check`.

        The unit vectors of an array are the same object as long as it is there and is not written to: a sweep asks for
        them at many θ, and a search knows them then.
        """
        if self.directions is None:
            return self.check(X)
        key = id(X), self.name
        of, known = _known.get(key, (lambda: None, None))
        known = known if of() is X else None
        if known is not None and not X.flags.writeable and X.base is None:
            return known
        units = self.directions.units(read_only(self.check(X)))
        if known is not None and np.array_equal(known, units):
            return known
        with _lock:
            _known[key] = weakref.ref(X, lambda _: _known.pop(key, None)), units
        return units

    def rows(self, coordinates: np.ndarray) -> np.ndarray:
        """The inverse of `coordinates`: centroids as they are told. Unit vectors stay what they are with "cosine"."""
        return coordinates if self.directions is None else self.directions.rows(coordinates)

    def lengths(self, comparable: np.ndarray) -> np.ndarray:
        """Distances from what kernels compare: the square with p = 2, else the length itself."""
        if self.directions is not None:
            return self.directions.length(comparable)
        return np.sqrt(comparable) if self.p == EUCLIDEAN.p else comparable

    def along(self, straight: np.ndarray) -> np.ndarray:
        """Distances from straight lines between coordinates: great circles or angles from chords."""
        return straight if self.directions is None else self.lengths(np.square(straight))

    def possible(self, X: np.ndarray) -> np.ndarray:
        """X, with values that moved beyond what the metric takes (a latitude above 90) put back; X itself if none."""
        return X if self.directions is None else self.directions.possible(X)

    def limit(self, theta: float) -> float:
        """The largest of what kernels compare whose length is at most `theta`."""
        if self.directions is not None:
            return largest_square(self.directions, theta)
        return search.largest_square(theta) if self.p == EUCLIDEAN.p else theta

    def distances(self, A: np.ndarray, B: np.ndarray) -> np.ndarray:
        """Distances between all rows of A and all rows of B, (len(A), len(B)); squares must be finite."""
        if self.of_curves:
            return curves.curves_apart(*(np.ascontiguousarray(rows, dtype=np.float64) for rows in (A, B)))
        if self.directions is None:
            return norms.distances(A, B, self.p)
        from scipy.spatial.distance import cdist  # here, as `tdg` in a new process should not wait for it

        return self.lengths(cdist(self.coordinates(A), self.coordinates(B), "sqeuclidean"))

    def between(self, A: np.ndarray, B: np.ndarray) -> np.ndarray:
        """Distances between rows of A and the rows of B beside them, (n,); B may be a single point."""
        if self.of_curves:
            A = np.ascontiguousarray(A, dtype=np.float64)
            return curves.curves_beside(A, np.ascontiguousarray(np.broadcast_to(B, A.shape), dtype=np.float64))
        if self.directions is None:
            return norms.lengths(A - B, self.p)
        gaps = self.coordinates(A) - self.coordinates(np.atleast_2d(B))
        return self.lengths(np.einsum("ij,ij->i", gaps, gaps))

    def centre(self, X: np.ndarray) -> np.ndarray:
        """The centroid of all points, a row."""
        if self.of_curves:
            return curves.members_of_curves(read_only(np.ascontiguousarray(X)), np.zeros(len(X), np.int32), 1)[0][0]
        if self.directions is None:
            return X.mean(axis=0)
        middle = self.coordinates(X).mean(axis=0, keepdims=True)
        return self.rows(middle)[0] if middle.any() else X[0]


METRICS = {
    metric.name: metric
    for metric in (
        Metric(
            "euclidean",
            2.0,
            "Straight-line distance",
            "The straight line, as with a ruler. Circles of radius θ are round.",
        ),
        Metric(
            "manhattan",
            1.0,
            "City-block distance",
            "The differences in all columns are added up, like a walk along the streets of a city. Circles of radius "
            "θ are diamonds. One large difference counts less than in the straight line.",
        ),
        Metric(
            "chebyshev",
            np.inf,
            "Largest difference",
            "Only the largest difference in any column counts. Circles of radius θ are squares: two points are within "
            "θ if they are in every column.",
        ),
        Metric(
            "minkowski",
            None,  # type: ignore[arg-type]
            "Distance with p = {p:g}",
            "Between the other norms: a circle of radius θ is between a diamond (p = 1), a circle (p = 2) and a "
            "square (p = ∞).",
        ),
        Metric(
            "haversine",
            2.0,
            "Kilometres on the globe",
            "Two columns, latitude and longitude in degrees, are places on a sphere; θ is the shortest way along its "
            "surface. It is correct at the poles and across the date line.",
            unit="km",
            features=2,
            directions=Places(),
        ),
        Metric(
            "cosine",
            2.0,
            "Angle (cosine distance)",
            "1 - cosine of the angle between two rows: 0 in the same direction, 1 at a right angle, 2 when opposite. "
            "The length of a row does not count. Common for embeddings of texts and images.",
            unit="cosine distance",
            directions=Vectors(),
        ),
        Metric(
            "mdf",
            curves.POWER,
            "Distance of curves (MDF)",
            "Each row is a curve: x, y, z of its places in turn. The distance is the mean distance between matching "
            "places, in whichever direction is smaller. Common for streamlines of the brain.",
            of_curves=True,
        ),
    )
}
"""The metrics by name: another one is one entry here."""

EUCLIDEAN = METRICS["euclidean"]
_NAMED = {METRICS[name].p: METRICS[name] for name in ("euclidean", "manhattan", "chebyshev")}  # norms by their power
_known: dict = {}  # (id of an array, metric) -> (that array, its unit vectors)
_lock = threading.Lock()
