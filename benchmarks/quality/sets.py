"""The data sets: with known classes, and noise without any. All made from fixed seeds or read beside the project."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

from theta_app import datasets as D
from theta_app.datasets import mnist
from theta_app.deep import Strokes

PUBLISHED = Path(__file__).resolve().parents[3] / "shared" / "data"
SUITE, SHAPES, ROUND, NONLINEAR, HARD, REAL = (
    "WUT and FCPS",
    "Published shapes and S-sets",
    "Round clusters",
    "Shapes",
    "Hard cases",
    "Real data",
)
MANY = "Many columns"
NOISE_SETS = 200


@dataclass(frozen=True)
class Case:
    """A data set with known classes.

    Attributes
    ----------
    name, group : str
    points : callable
        Gives (X, truths): one or more labellings, of which the best counts. Points of class -1 are left out of it.
    """

    name: str
    group: str
    points: Callable


def cases(say=print):
    """Every `Case` there is here; ``say`` gets a line where published sets are missing."""
    found = [*_files("suite", "*/*.npz", SUITE, _suite, say)]
    found += _files("shapes", "*.csv", SHAPES, _csv, say)
    found += _files("s-sets", "s?.csv", SHAPES, _csv, say)
    return [*found, *GENERATED]


# ---- published sets, where they lie beside the project --------------------------------------------------------------


def _files(folder, pattern, group, read, say):
    paths = sorted((PUBLISHED / folder).glob(pattern))
    if not paths:
        say(f"../shared/data/{folder} is not here: left out")
    return [Case(path.stem, group, partial(read, path)) for path in paths]


def _suite(path):
    content = np.load(path)
    truths = [content[name].astype(int) - 1 for name in content.files if name.startswith("labels")]  # their 0 is noise
    return np.ascontiguousarray(content["X"], dtype=np.float64), truths


def _csv(path):
    frame = pd.read_csv(path)
    return frame[["x", "y"]].to_numpy(np.float64), [frame["label"].to_numpy()]


def published(name):
    """X of a set such as "s-sets/s1", or None where it is not here."""
    path = PUBLISHED / f"{name}.csv"
    return _csv(path)[0] if path.exists() else None


# ---- sets made here -------------------------------------------------------------------------------------------------


def _spec(spec):
    data = D.load(spec)
    return data.X, [data.truth]


def _real(name, scaling="standard"):
    data = D.prepare(D.load(D.RealData(name)), D.Preparation(scaling=scaling))
    return data.X, [data.truth]


def _around(centres, sizes, spread, seed):
    """(X, truth) of Gaussian clusters; ``spread`` is a number for all or one per cluster."""
    centres = np.asarray(centres, dtype=np.float64)
    truth = np.repeat(np.arange(len(centres)), sizes)
    spreads = np.broadcast_to(np.asarray(spread, dtype=np.float64), len(centres))[truth]
    noise = np.random.default_rng(seed).normal(size=(len(truth), centres.shape[1]))
    return centres[truth] + noise * spreads[:, None], truth


def _stretched():
    X, truth = _around([(0, 0), (8, 2), (3, 9)], 200, 0.0, 0)
    noise = np.random.default_rng(11).normal(size=X.shape)
    return X + noise @ np.array([[2.2, 0.6], [0.2, 0.3]]), [truth]


def _elongated():
    """Three parallel clusters, eight times as long as wide."""
    X, truth = _around([(0, 0), (0, 6), (0, 12)], 200, 0.0, 0)
    return X + np.random.default_rng(12).normal(size=X.shape) * (8.0, 1.0), [truth]


def _densities():
    X, truth = _around([(0, 0), (10, 0), (5, 9)], 300, [0.3, 1.0, 2.0], 13)
    return X, [truth]


def _unequal():
    X, truth = _around([(0, 0), (12, 0), (0, 12), (12, 12)], [1000, 300, 100, 40], 1.0, 14)
    return X, [truth]


def _nested():
    """Three groups of three: both levels are right."""
    centres = [(30 * a + 5 * c, 30 * b + 5 * d) for a, b in _CORNERS for c, d in _CORNERS]
    X, truth = _around(centres, 80, 0.6, 15)
    return X, [truth, truth // 3]


_CORNERS = ((0, 0), (1, 0), (0, 1))


def _outliers():
    X, (truth,) = _spec(D.GridBlobs(3, 9.0, 100))
    strays = np.random.default_rng(16).uniform(X.min(axis=0) - 8, X.max(axis=0) + 8, (45, 2))
    return np.vstack([X, strays]), [np.concatenate([truth, np.full(len(strays), -1)])]


def _rounded():
    X, truths = _spec(D.GridBlobs(3, 9.0, 100))
    return X.round(), truths


def _irrelevant():
    X, truths = _spec(D.RandomBlobs(clusters=8, dimensions=4, box=20.0))
    return np.hstack([X, 3.0 * np.random.default_rng(17).normal(size=(len(X), 6))]), truths


def _unscaled():
    X, truths = _spec(D.GridBlobs(3, 7.0, 100))
    return X * (1.0, 20.0), truths


GENERATED = (
    Case("grid, 11 apart", ROUND, partial(_spec, D.GridBlobs(5, 11.0, 100))),
    Case("grid, 7.5 apart", ROUND, partial(_spec, D.GridBlobs(5, 7.5, 100))),
    Case("grid, 5 apart", ROUND, partial(_spec, D.GridBlobs(5, 5.0, 100))),
    Case("grid, 4 apart", ROUND, partial(_spec, D.GridBlobs(5, 4.0, 100))),
    Case("grid 10 × 10, 5 apart", ROUND, partial(_spec, D.GridBlobs(10, 5.0, 50))),
    Case("blobs, 2 features", ROUND, partial(_spec, D.RandomBlobs())),
    Case("blobs, 10 features", ROUND, partial(_spec, D.RandomBlobs(dimensions=10))),
    Case("blobs, 50 features", ROUND, partial(_spec, D.RandomBlobs(dimensions=50, per_cluster=60))),
    Case("line, 50 features", ROUND, partial(_spec, D.LineClusters())),
    Case("S1 look-alike", ROUND, partial(_spec, D.Bundled("s1"))),
    Case("S2 look-alike", ROUND, partial(_spec, D.Bundled("s2"))),
    Case("moons", NONLINEAR, partial(_spec, D.Moons())),
    Case("noisy moons", NONLINEAR, partial(_spec, D.Moons(per_shape=400, noise=0.12))),
    Case("two circles", NONLINEAR, partial(_spec, D.Circles())),
    Case("three circles", NONLINEAR, partial(_spec, D.Circles(rings=3))),
    Case("spirals", NONLINEAR, partial(_spec, D.Spirals())),
    Case("smile, made here", NONLINEAR, partial(_spec, D.Smile())),
    Case("bridges", NONLINEAR, partial(_spec, D.Bridges())),
    Case("imbalanced, 100 to 1", HARD, partial(_spec, D.Imbalanced())),
    Case("imbalanced, 20 to 1", HARD, partial(_spec, D.Imbalanced(3, 8.0, 2000, 100))),
    Case("stretched", HARD, _stretched),
    Case("elongated, 8 to 1", HARD, _elongated),
    Case("different densities", HARD, _densities),
    Case("unequal sizes", HARD, _unequal),
    Case("nested", HARD, _nested),
    Case("outliers", HARD, _outliers),
    Case("whole numbers", HARD, _rounded),
    Case("irrelevant features", HARD, _irrelevant),
    Case("unscaled features", HARD, _unscaled),
    Case("iris", REAL, partial(_real, "iris")),
    Case("wine", REAL, partial(_real, "wine")),
    Case("breast cancer", REAL, partial(_real, "breast_cancer")),
    Case("digits", REAL, partial(_real, "digits")),
)


# ---- many columns ---------------------------------------------------------------------------------------------------


def many_columns(say=print):
    """Every `Case` of the group `MANY`: tables standardised, images and embeddings as they are."""
    tables = _files("tables", "*.csv", MANY, _table, say)
    images = [Case("digits", MANY, partial(_real, "digits", "none"))]  # images: their pixels have one unit
    if _MNIST.exists():
        images.append(Case("MNIST 10,000", MANY, _mnist))
    else:
        say("../shared/data/mnist is not here: left out")
    known = [Case(name, MANY, partial(_real, key)) for name, key in _REAL_TABLES]
    return [*known, *tables, *images, *(_by_strokes(case) for case in images), *EMBEDDINGS]


def _by_strokes(case):
    """The same images as the app sees them: described by their strokes."""

    def strokes():
        X, truths = case.points()
        side = round(X.shape[1] ** 0.5)
        return Strokes((side, side)).fit_transform(X), truths

    return Case(f"{case.name}, strokes", MANY, strokes)


_MNIST = PUBLISHED / "mnist" / "mnist.npz"
_REAL_TABLES = (("iris", "iris"), ("wine", "wine"), ("breast cancer", "breast_cancer"))


def _table(path):
    frame = pd.read_csv(path)
    X = frame.drop(columns="label").to_numpy(np.float64)
    spread = X.std(axis=0)
    return np.ascontiguousarray((X - X.mean(axis=0)) / np.where(spread > 0, spread, 1.0)), [frame["label"].to_numpy()]


def _mnist():
    images, digits = mnist.read(_MNIST)
    rows = np.random.default_rng([2016, 0]).permutation(len(images))[:10_000]
    return images[rows].astype(np.float64) / 255, [digits[rows].astype(int)]


def embedding(n, d, topics, seed=0):
    """(X, truth): unit vectors as a language model gives them, of topics of unequal size.

    All share a direction, a topic has its own, varies in 20 directions that are its own, and in all a little.
    """
    rng = np.random.default_rng(seed)
    share = 1.0 / np.arange(1, topics + 1) ** 0.7
    truth = np.sort(rng.choice(topics, n, p=share / share.sum()))
    X = 0.6 * _unit(rng, d) + 0.8 * rng.normal(size=(n, d)) / np.sqrt(d)
    for topic in range(topics):
        inside = truth == topic
        own = np.linalg.qr(rng.normal(size=(d, 20)))[0].T
        X[inside] += 0.6 * _unit(rng, d) + 0.9 * rng.normal(size=(inside.sum(), 20)) @ own / np.sqrt(20)
    return X / np.linalg.norm(X, axis=1, keepdims=True), truth


def _unit(rng, d):
    direction = rng.normal(size=d)
    return direction / np.linalg.norm(direction)


def _embedding(*shape):
    X, truth = embedding(*shape)
    return X, [truth]


EMBEDDINGS = (
    Case("embedding 300 × 384", MANY, partial(_embedding, 300, 384, 6)),
    Case("embedding 5,000 × 768", MANY, partial(_embedding, 5_000, 768, 20)),
)


# ---- noise ----------------------------------------------------------------------------------------------------------

NOISE_CAPS = ((3, 20_000), (8, 2_000), (20, 1_000))
"""(features up to, points at most): in many features a sweep of noise takes minutes."""


@dataclass(frozen=True)
class Noise:
    """One cloud without clusters, uniform or Gaussian, as its number draws it."""

    number: int

    @property
    def facts(self):
        """(kind, points, features): points log-uniform from 100 to 20,000, features from 1 to 20."""
        rng = self._rng()
        features = int(np.floor(np.exp(rng.uniform(0.0, np.log(21)))))
        points = int(np.exp(rng.uniform(np.log(100), np.log(20_000))))
        cap = next(cap for up_to, cap in NOISE_CAPS if features <= up_to)
        return ("Gaussian", "uniform")[self.number % 2], min(points, cap), features

    @property
    def name(self):
        return f"noise {self.number:03d}"

    def points(self):
        kind, points, features = self.facts
        rng = np.random.default_rng([2, self.number])
        return rng.uniform(size=(points, features)) if kind == "uniform" else rng.normal(size=(points, features))

    def _rng(self):
        return np.random.default_rng([1, self.number])


WIDE_KINDS = ("uniform", "Gaussian", "correlated", "rounded")
CURVED_KINDS = ("swiss roll", "ring", "lognormal")


@dataclass(frozen=True)
class WideNoise:
    """One cloud without clusters in 4 to 50 columns, where a neighbour map is looked at too.

    Curved ones are thin sheets and heavy tails: also without clusters, and harder to tell from them.
    """

    number: int
    kinds: tuple = WIDE_KINDS

    @property
    def facts(self):
        """(kind, points, features): points log-uniform from 100 to 5,000, features from 4 to 50."""
        rng = np.random.default_rng([3, len(self.kinds), self.number])
        features = int(np.floor(np.exp(rng.uniform(np.log(4), np.log(51)))))
        points = int(np.exp(rng.uniform(np.log(100), np.log(5_001))))
        return self.kinds[self.number % len(self.kinds)], points, features

    @property
    def name(self):
        return f"{'curved' if self.kinds == CURVED_KINDS else 'wide'} noise {self.number:03d}"

    def points(self):
        kind, n, d = self.facts
        rng = np.random.default_rng([4, len(self.kinds), self.number])
        if kind == "uniform":
            return rng.uniform(size=(n, d))
        X = rng.normal(size=(n, d))
        if kind == "Gaussian":
            return X
        if kind == "correlated":
            return X @ (rng.normal(size=(d, d)) * np.exp(-np.arange(d) / 3)[:, None])
        if kind == "rounded":
            return np.round(X * rng.choice([1.0, 2.0]))
        if kind == "lognormal":
            return np.exp(X)
        turn = rng.uniform(0.0, 2.0 * np.pi, n) if kind == "ring" else np.pi * rng.uniform(1.5, 4.5, n)
        far = 5.0 if kind == "ring" else turn
        sheet = np.column_stack(
            [far * np.cos(turn), far * np.sin(turn), rng.uniform(0.0, 1.0 if kind == "ring" else 20.0, n)]
        )
        turned = np.linalg.qr(rng.normal(size=(d, d)))[0][:3]
        return sheet @ turned + 0.1 * X


def wide(count=NOISE_SETS, first=1000):
    """So many clouds of all other kinds in turn, by numbers that no rule was chosen on."""
    return [WideNoise(number) for number in range(first, first + count)]


def curved(count=30):
    """The first bent sheets and heavy tails."""
    return [WideNoise(number, CURVED_KINDS) for number in range(count)]
