"""Sets that can be made again from a few numbers. To add one, write its class and name it in `GENERATED`."""

import dataclasses
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from theta_app.datasets.dataset import UNIT, Dataset, curve_names, from_arrays
from theta_app.datasets.spec import MADE, PAPER, SHAPES, Parameter, Spec, number
from theta_app.engine import METRICS

MAX_POINTS = 1_000_000
MAX_VALUES = 20_000_000  # 160 MB of float64: a visitor's URL must not fill a shared server


def seed() -> Any:
    """A field for the seed of the random numbers."""
    return number(0, 0, 2**31 - 1, "Seed", "Another seed draws other points from the same recipe.")


def per_cluster(default: int) -> Any:
    """A field for how many points each cluster has."""
    return number(default, 1, 100_000, "Points per cluster")


def spread(default: float = 1.0) -> Any:
    """A field for the standard deviation of each cluster, in the units of the points."""
    return number(default, 0.0, 1000.0, "Standard deviation", "How far points scatter around their centre.")


class Generated(Spec):
    """What every generated set shares: checked numbers, and ``dataset()``.

    A subclass is a frozen dataclass whose fields are made with `number`, the last one `seed()`. It names its ``key``,
    ``label`` and ``group``; its docstring is its help. ``unit`` is what its coordinates are measured in.
    """

    unit = UNIT

    def __post_init__(self) -> None:
        for parameter in self.parameters():
            value = parameter.check(getattr(self, parameter.name))
            object.__setattr__(self, parameter.name, value)  # 5.0 and 5 are the same key
        n, d = self.shape()
        if n > MAX_POINTS or n * d > MAX_VALUES:
            raise ValueError(
                f"That makes {n:,} points with {d:,} coordinates; at most {MAX_POINTS:,} points and {MAX_VALUES:,} "
                "values can be generated. Choose smaller numbers."
            )

    @property
    def help(self) -> str:
        """The docstring of the class in one line: the gallery shows it."""
        return " ".join(type(self).__doc__.split())

    @classmethod
    def parameters(cls) -> tuple[Parameter, ...]:
        """The numbers that can be set, each with its limits, in the order of the fields."""
        return tuple(Parameter(f.name, default=f.default, **f.metadata) for f in dataclasses.fields(cls))  # type: ignore[arg-type]

    def shape(self) -> tuple[int, int]:
        """(n, d) of the points, known before they are drawn."""
        raise NotImplementedError

    @property
    def expected_bytes(self) -> int:  # type: ignore[override]
        """How many bytes the points will take, known before they are drawn."""
        return 8 * math.prod(self.shape())

    def draw(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Points (n, d) and their true classes (n,)."""
        raise NotImplementedError

    def features(self) -> tuple[str, ...] | None:
        """The names of the coordinates; None for the usual ones."""
        return None

    def dataset(self) -> Dataset:
        """The points with their true classes; the same for the same numbers and seed."""
        X, truth = self.draw(np.random.default_rng(self.seed))  # type: ignore[attr-defined]
        X.flags.writeable = False  # nobody else has them, so they need not be copied
        numbers = ", ".join(f"{p.label.lower()} {getattr(self, p.name):g}" for p in self.parameters())
        about = f"Generated here: {numbers}."
        return from_arrays(self.label, about, X, truth, features=self.features(), unit=self.unit)


def blobs(
    rng: np.random.Generator, centres: np.ndarray, sizes: int | np.ndarray, sd: float
) -> tuple[np.ndarray, np.ndarray]:
    """Gaussian points of standard deviation ``sd`` in every coordinate around the centres, and their classes."""
    truth = np.repeat(np.arange(len(centres)), sizes)
    X = rng.standard_normal((len(truth), centres.shape[1]))
    X *= sd
    for start in range(0, len(X), 10_000):  # all at once would take twice the memory
        X[start : start + 10_000] += centres[truth[start : start + 10_000]]
    return X, truth


def square_grid(side: int, spacing: float) -> np.ndarray:
    """The side * side corners of a square grid, ``spacing`` apart."""
    i = np.arange(side) * spacing
    return np.column_stack([np.tile(i, side), np.repeat(i, side)])


@dataclass(frozen=True)
class GridBlobs(Generated):
    """Gaussian clusters on a square grid, as in the paper's experiments."""

    key = "grid"
    label = "Blobs on a grid"
    group = PAPER

    side: int = number(5, 1, 100, "Clusters per side", "5 gives 5 × 5 = 25 clusters.")
    spacing: float = number(7.5, 0.0, 1000.0, "Spacing", "Distance between neighbouring centres.")
    per_cluster: int = per_cluster(100)
    sd: float = spread()
    seed: int = seed()

    def shape(self) -> tuple[int, int]:
        return self.side**2 * self.per_cluster, 2

    def draw(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        return blobs(rng, square_grid(self.side, self.spacing), self.per_cluster, self.sd)


@dataclass(frozen=True)
class RandomBlobs(Generated):
    """Gaussian clusters whose centres are uniform in a box."""

    key = "blobs"
    label = "Random blobs"
    group = MADE

    clusters: int = number(8, 1, 10_000, "Clusters")
    dimensions: int = number(2, 1, 1000, "Dimensions")
    per_cluster: int = per_cluster(100)
    sd: float = spread()
    box: float = number(40.0, 0.0, 1e6, "Box", "Side of the box in which the centres lie.")
    seed: int = seed()

    def shape(self) -> tuple[int, int]:
        return self.clusters * self.per_cluster, self.dimensions

    def draw(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        centres = rng.uniform(0.0, self.box, (self.clusters, self.dimensions))
        return blobs(rng, centres, self.per_cluster, self.sd)


@dataclass(frozen=True)
class LineClusters(Generated):
    """Clusters along the diagonal, one step apart in every coordinate, as in the paper's dimension experiment."""

    key = "line"
    label = "Line of clusters"
    group = PAPER

    clusters: int = number(10, 1, 10_000, "Clusters")
    dimensions: int = number(50, 1, 1000, "Dimensions")
    per_cluster: int = per_cluster(50)
    step: float = number(1.6, 0.0, 1000.0, "Step", "Distance between neighbouring centres, in each coordinate.")
    sd: float = spread()
    seed: int = seed()

    def shape(self) -> tuple[int, int]:
        return self.clusters * self.per_cluster, self.dimensions

    def draw(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        centres = np.outer(np.arange(self.clusters) * self.step, np.ones(self.dimensions))
        return blobs(rng, centres, self.per_cluster, self.sd)


@dataclass(frozen=True)
class Imbalanced(Generated):
    """Gaussian clusters on a grid whose sizes fall geometrically from the largest to the smallest."""

    key = "imbalanced"
    label = "Very different sizes"
    group = PAPER

    side: int = number(3, 1, 100, "Clusters per side", "3 gives 3 × 3 = 9 clusters.")
    spacing: float = number(8.0, 0.0, 1000.0, "Spacing", "Distance between neighbouring centres.")
    largest: int = number(1000, 1, 100_000, "Points in the largest")
    smallest: int = number(10, 1, 100_000, "Points in the smallest")
    sd: float = spread()
    seed: int = seed()

    def sizes(self) -> np.ndarray:
        """Points per cluster, from ``largest`` to ``smallest``."""
        return np.geomspace(self.largest, self.smallest, self.side**2).round().astype(np.int64)

    def shape(self) -> tuple[int, int]:
        return int(self.sizes().sum()), 2

    def draw(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        places = rng.permutation(square_grid(self.side, self.spacing))  # big ones must not all lie in one corner
        return blobs(rng, places, self.sizes(), self.sd)


def disc(rng: np.random.Generator, n: int, radius: float) -> np.ndarray:
    """Points uniform in a disc around the origin."""
    r = radius * np.sqrt(rng.random(n))
    phi = rng.uniform(0.0, 2.0 * np.pi, n)
    return np.column_stack([r * np.cos(phi), r * np.sin(phi)])


def facing_discs(rng: np.random.Generator, n: int, radius: float, gap: float) -> tuple[np.ndarray, np.ndarray]:
    """Points of two discs and their classes; the closest points, one of each disc, are exactly ``gap`` apart."""
    left, right = disc(rng, n, radius), disc(rng, n, radius)
    left[0] = radius, 0.0
    right[0] = -radius, 0.0
    right[:, 0] += 2.0 * radius + gap
    return np.vstack([left, right]), np.repeat([0, 1], n)


@dataclass(frozen=True)
class SparsePair(Generated):
    """Two round clusters further apart than θ: any order of the points gives these two (the paper's first figure)."""

    key = "sparse"
    label = "θ-sparse pair"
    group = PAPER

    theta: float = number(4.0, 0.01, 1000.0, "θ", "Every point lies within θ of its cluster's other points.")
    gap: float = number(
        1.5, 1.01, 100.0, "Gap, in θ", "Distance between the clusters' closest points; above 1 is sparse."
    )
    per_cluster: int = per_cluster(150)
    seed: int = seed()

    def shape(self) -> tuple[int, int]:
        return 2 * self.per_cluster, 2

    def draw(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        # radius < θ/2: points of one cluster are all within θ of each other, so no order splits it
        return facing_discs(rng, self.per_cluster, 0.49 * self.theta, self.gap * self.theta)


@dataclass(frozen=True)
class DensePair(Generated):
    """Two round clusters closer than θ: the order of the points matters (the paper's first figure)."""

    key = "dense"
    label = "θ-dense pair"
    group = PAPER

    theta: float = number(4.0, 0.01, 1000.0, "θ", "Half of it is the radius of each cluster.")
    gap: float = number(
        0.25, 0.0, 0.99, "Gap, in θ", "Distance between the clusters' closest points; below 1 is dense."
    )
    per_cluster: int = per_cluster(150)
    seed: int = seed()

    def shape(self) -> tuple[int, int]:
        return 2 * self.per_cluster, 2

    def draw(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        return facing_discs(rng, self.per_cluster, 0.5 * self.theta, self.gap * self.theta)


def arc(
    centre: tuple[float, float], radius: float, start: float, stop: float, n: int, rng: np.random.Generator
) -> np.ndarray:
    """``n`` points on an arc, evenly spread with a random offset each; angles in units of π."""
    phi = np.pi * (start + (stop - start) * (np.arange(n) + rng.random(n)) / n)
    return np.column_stack([centre[0] + radius * np.cos(phi), centre[1] + radius * np.sin(phi)])


def shapes(rng: np.random.Generator, parts: Sequence[np.ndarray], noise: float) -> tuple[np.ndarray, np.ndarray]:
    """The points of all parts, with Gaussian noise on each, and their classes: 0 for the first part, 1, ..."""
    X = np.vstack(parts)
    X = X + noise * rng.standard_normal(X.shape)
    return X, np.repeat(np.arange(len(parts)), [len(part) for part in parts])


def points(default: int, label: str = "Points per shape") -> Any:
    """A field for how many points each shape has."""
    return number(default, 1, 100_000, label)


def noise(default: float) -> Any:
    """A field for the standard deviation of the noise added to every point."""
    return number(default, 0.0, 100.0, "Noise", "Standard deviation of the noise added to every point.")


@dataclass(frozen=True)
class Moons(Generated):
    """Two interlocking half circles."""

    key = "moons"
    label = "Moons"
    group = SHAPES

    per_shape: int = points(250)
    noise: float = noise(0.06)
    seed: int = seed()

    def shape(self) -> tuple[int, int]:
        return 2 * self.per_shape, 2

    def draw(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        upper = arc((0.0, 0.0), 1.0, 0.0, 1.0, self.per_shape, rng)
        lower = arc((1.0, 0.5), 1.0, 1.0, 2.0, self.per_shape, rng)
        return shapes(rng, [upper, lower], self.noise)


@dataclass(frozen=True)
class Circles(Generated):
    """Rings around one centre."""

    key = "circles"
    label = "Circles"
    group = SHAPES

    rings: int = number(2, 1, 20, "Rings", "Ring k has radius k, and k times the points of the first.")
    per_ring: int = points(150, "Points in the first ring")
    noise: float = noise(0.08)
    seed: int = seed()

    def shape(self) -> tuple[int, int]:
        return self.per_ring * self.rings * (self.rings + 1) // 2, 2

    def draw(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        # k times the circumference takes k times the points: every ring is equally dense
        parts = [arc((0.0, 0.0), float(k), 0.0, 2.0, k * self.per_ring, rng) for k in range(1, self.rings + 1)]
        return shapes(rng, parts, self.noise)


@dataclass(frozen=True)
class Spirals(Generated):
    """Interleaved spiral arms; neighbouring windings are 1 apart."""

    key = "spirals"
    label = "Spirals"
    group = SHAPES

    arms: int = number(3, 1, 10, "Arms")
    per_arm: int = points(250, "Points per arm")
    turns: float = number(1.25, 0.1, 10.0, "Turns")
    noise: float = noise(0.06)
    seed: int = seed()

    def shape(self) -> tuple[int, int]:
        return self.arms * self.per_arm, 2

    def draw(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        parts = []
        for k in range(self.arms):
            # the square root spreads points evenly along the arm, whose length grows as the square of the angle
            t = np.sqrt((np.arange(self.per_arm) + rng.random(self.per_arm)) / self.per_arm)
            t = 0.2 + 0.8 * t  # arms that met in the centre could not be told apart
            phi = 2.0 * np.pi * (self.turns * t + k / self.arms)
            r = self.arms * self.turns * t
            parts.append(np.column_stack([r * np.cos(phi), r * np.sin(phi)]))
        return shapes(rng, parts, self.noise)


@dataclass(frozen=True)
class Smile(Generated):
    """A face: outline, mouth and two eyes."""

    key = "smile"
    label = "Smile"
    group = SHAPES

    per_eye: int = points(60, "Points per eye")
    noise: float = noise(0.05)
    seed: int = seed()

    def shape(self) -> tuple[int, int]:
        return 13 * self.per_eye, 2

    def draw(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        m = self.per_eye
        outline = arc((0.0, 0.0), 3.0, 0.0, 2.0, 8 * m, rng)
        mouth = arc((0.0, 0.0), 1.8, 1.15, 1.85, 3 * m, rng)
        eyes = [disc(rng, m, 0.35) + centre for centre in ((-1.0, 1.0), (1.0, 1.0))]
        return shapes(rng, [outline, mouth, *eyes], self.noise)


@dataclass(frozen=True)
class Bridges(Generated):
    """Rows of blobs; bridges of points join the blobs of a row, and each row is one class."""

    key = "bridges"
    label = "Blobs joined by bridges"
    group = SHAPES

    rows: int = number(2, 1, 50, "Rows")
    blobs_a_row: int = number(3, 1, 50, "Blobs per row")
    per_cluster: int = per_cluster(100)
    per_bridge: int = number(20, 1, 10_000, "Points per bridge")
    sd: float = spread(0.6)
    seed: int = seed()

    STEP: ClassVar[float] = 6.0

    def shape(self) -> tuple[int, int]:
        in_row = self.blobs_a_row * self.per_cluster + (self.blobs_a_row - 1) * self.per_bridge
        return self.rows * in_row, 2

    def draw(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        parts = []
        for row in range(self.rows):
            centres = np.column_stack(
                [np.arange(self.blobs_a_row) * self.STEP, np.full(self.blobs_a_row, row * self.STEP)]
            )
            X, _ = blobs(rng, centres, self.per_cluster, self.sd)
            parts.append(np.vstack([X, *(self.bridge(rng, a, b) for a, b in pairwise(centres))]))
        return shapes(rng, parts, 0.0)

    def bridge(self, rng: np.random.Generator, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Points evenly along the way from a to b, a little off it."""
        share = (np.arange(self.per_bridge) + 0.5) / self.per_bridge
        return a + share[:, None] * (b - a) + 0.1 * rng.standard_normal((self.per_bridge, 2))


def around(count: int, radius: float) -> np.ndarray:
    """Places evenly around a circle."""
    phi = 2.0 * np.pi * np.arange(count) / count
    return radius * np.column_stack([np.cos(phi), np.sin(phi)])


@dataclass(frozen=True)
class StretchedBlobs(Generated):
    """Gaussian clusters longer than wide, each in its own direction: one round distance fits none of them."""

    key = "stretched"
    label = "Stretched blobs"
    group = MADE

    clusters: int = number(4, 1, 100, "Clusters")
    stretch: float = number(5.0, 1.0, 100.0, "Stretch", "Length of a cluster divided by its width; 1 is round.")
    per_cluster: int = per_cluster(150)
    sd: float = spread(0.5)
    radius: float = number(6.0, 0.0, 1000.0, "Radius", "Radius of the circle on which the centres lie.")
    seed: int = seed()

    def shape(self) -> tuple[int, int]:
        return self.clusters * self.per_cluster, 2

    def draw(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        parts = []
        for k, centre in enumerate(around(self.clusters, self.radius)):
            points = rng.standard_normal((self.per_cluster, 2)) * (self.stretch * self.sd, self.sd)
            phi = np.pi * (0.15 + 0.7 * k / self.clusters + 0.5 * (k % 2))
            turn = np.array([[np.cos(phi), np.sin(phi)], [-np.sin(phi), np.cos(phi)]])
            parts.append(points @ turn + centre)
        return shapes(rng, parts, 0.0)


@dataclass(frozen=True)
class DifferentDensities(Generated):
    """Gaussian clusters of equal size, each wider than the one before: no single distance is close for all."""

    key = "densities"
    label = "Different densities"
    group = MADE

    clusters: int = number(3, 1, 20, "Clusters")
    ratio: float = number(2.5, 1.0, 10.0, "Ratio", "How many times wider each cluster is than the one before.")
    per_cluster: int = per_cluster(200)
    sd: float = number(0.4, 0.0, 100.0, "Tightest", "Standard deviation of the tightest cluster.")
    gap: float = number(
        3.5,
        0.0,
        100.0,
        "Gap",
        "Distance between neighbouring centres, as a multiple of the two largest standard deviations added up.",
    )
    seed: int = seed()

    def shape(self) -> tuple[int, int]:
        return self.clusters * self.per_cluster, 2

    def draw(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        sds = self.sd * self.ratio ** np.arange(self.clusters)
        reach = self.gap * sds[-2:].sum() / 2.0
        centres = around(self.clusters, reach / np.sin(np.pi / max(self.clusters, 2)))
        X, truth = blobs(rng, centres, self.per_cluster, 1.0)
        X += (X - centres[truth]) * (sds[truth, None] - 1.0)
        return X, truth


@dataclass(frozen=True)
class Drifting(Generated):
    """Rows in the order they arrive: one cluster stays, one wanders, one splits in two, and one appears late."""

    key = "drifting"
    label = "Drifting and splitting"
    group = MADE

    n: int = number(3000, 10, MAX_POINTS, "Points")
    drift: float = number(12.0, 0.0, 1000.0, "Drift", "How far the wandering cluster has moved by the end.")
    split: float = number(0.4, 0.0, 1.0, "Split", "The share of rows after which one cluster begins to split in two.")
    late: float = number(0.6, 0.0, 1.0, "Late", "The share of rows after which another cluster appears.")
    sd: float = spread(0.6)
    seed: int = seed()

    def shape(self) -> tuple[int, int]:
        return self.n, 2

    def draw(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        when = np.arange(self.n) / self.n
        truth = rng.integers(0, 5, self.n)
        truth[(truth == 4) & (when < self.late)] = 0
        truth[(truth == 3) & (when < self.split)] = 2  # still one with its other half
        apart = 3.5 * np.clip((when - self.split) / 0.2, 0.0, 1.0)
        centres = np.array([[0.0, 0.0], [-6.0, 7.0], [8.0, 0.0], [8.0, 0.0], [0.0, -8.0]])[truth]
        centres[:, 0] += np.where(truth == 1, self.drift * when, 0.0)
        centres[:, 1] += np.where(truth == 2, apart, np.where(truth == 3, -apart, 0.0))
        return centres + rng.normal(scale=self.sd, size=(self.n, 2)), truth


@dataclass(frozen=True)
class Streamlines(Generated):
    """Curves like the fibres in the white matter of a brain: bundles of arcs, left and right, in either direction."""

    key = "streamlines"
    label = "Fibre bundles"
    group = MADE
    unit = "mm"
    metric = METRICS["mdf"]

    bundles: int = number(8, 1, 60, "Bundles", "They come in pairs: mirror images, left and right.")
    per_cluster: int = number(80, 1, 100_000, "Curves per bundle")
    apart: float = number(20.0, 1.0, 100.0, "Apart in mm", "Smallest distance between the middles of two bundles.")
    sd: float = number(2.5, 0.0, 100.0, "Spread in mm", "How far curves scatter around the middle of their bundle.")
    places: int = number(12, 3, 100, "Places per curve")
    seed: int = seed()

    def shape(self) -> tuple[int, int]:
        return self.bundles * self.per_cluster, 3 * self.places

    def features(self) -> tuple[str, ...]:
        return curve_names(self.places)

    def draw(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        arcs = bundle_arcs(rng, self.bundles, self.apart)
        truth = rng.permutation(np.repeat(np.arange(self.bundles), self.per_cluster))
        n = len(truth)
        # no two curves begin and end at the same place along their bundle, and every other one begins at its end
        along = np.linspace(rng.uniform(0.0, 0.1, n), rng.uniform(0.9, 1.0, n), self.places, axis=1)
        back = rng.random(n) < 0.5
        along[back] = along[back, ::-1]
        curves = np.empty((n, self.places, 3))
        for k, arc in enumerate(arcs):
            curves[truth == k] = arc(along[truth == k])
        fan = 0.7 + 0.6 * np.cos(np.pi * along) ** 2  # bundles are tight in their middle and spread at their ends
        curves += self.sd * fan[:, :, None] * rng.normal(size=(n, 1, 3))
        curves += 0.5 * self.sd * np.sin(2.0 * np.pi * along)[:, :, None] * rng.normal(size=(n, 1, 3))
        return curves.reshape(n, -1), truth


def bundle_arcs(rng: np.random.Generator, count: int, apart: float) -> list[Callable[[np.ndarray], np.ndarray]]:
    """Functions from where one is along a bundle, 0 to 1, to places in mm: arcs on one side, mirrored on the other.

    Middles of bundles are at least so far `apart`, whatever their directions.
    """
    arcs: list[Callable[[np.ndarray], np.ndarray]] = []
    known: list[np.ndarray] = []
    steps = np.linspace(0.0, 1.0, 12)
    for attempt in range(10_000):
        room = 1.0 + attempt / 100.0  # where there is no room left, the head grows
        middle = room * rng.uniform([12.0, -55.0, -30.0], [45.0, 45.0, 35.0])
        radius, begin, span = rng.uniform(18.0, 38.0), rng.uniform(0.0, 2 * np.pi), rng.uniform(1.6, 3.2)
        tilt = rng.uniform(-0.5, 0.5, 2)  # the plane of an arc: upright and from front to back, a little tilted
        for side in (1.0, -1.0):
            arc = partial(arc_at, side, middle, radius, begin, span, tilt)
            line = arc(steps)
            away = [np.linalg.norm(each - other, axis=1).mean() for other in known for each in (line, line[::-1])]
            if len(arcs) < count and min(away, default=np.inf) >= apart:
                arcs.append(arc)
                known.append(line)
        if len(arcs) == count:
            break
    return arcs


def arc_at(
    side: float, middle: np.ndarray, radius: float, begin: float, span: float, tilt: np.ndarray, along: np.ndarray
) -> np.ndarray:
    """Places (..., 3) along one arc."""
    angle = begin + span * along
    forward, up = radius * np.cos(angle), radius * np.sin(angle)
    across = middle[0] + np.tan(tilt[0]) * forward + np.tan(tilt[1]) * up
    return np.stack([side * across, middle[1] + forward, middle[2] + up], axis=-1)


@dataclass(frozen=True)
class Noise(Generated):
    """Uniform points: there is nothing to find, and a good tool says so."""

    key = "noise"
    label = "Uniform noise"
    group = MADE

    n: int = number(1000, 1, MAX_POINTS, "Points")
    dimensions: int = number(2, 1, 1000, "Dimensions")
    box: float = number(10.0, 0.01, 1e6, "Box", "Side of the box.")
    seed: int = seed()

    def shape(self) -> tuple[int, int]:
        return self.n, self.dimensions

    def draw(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        return rng.uniform(0.0, self.box, (self.n, self.dimensions)), np.zeros(self.n, dtype=np.int64)


# Every generated set, in the order of the menu.
GENERATED = (
    GridBlobs,
    RandomBlobs,
    LineClusters,
    Imbalanced,
    SparsePair,
    DensePair,
    Moons,
    Circles,
    Spirals,
    Smile,
    Bridges,
    StretchedBlobs,
    DifferentDensities,
    Drifting,
    Streamlines,
    Noise,
)
