"""One entry more in each table: methods, scores, generated data sets."""

from dataclasses import dataclass

import numpy as np

from theta_app import datasets
from theta_app.compare import METHODS, Method, Outcome, Setting
from theta_app.datasets import generated
from theta_app.metrics import SCORES, Score

METHOD, SCORE = "rounding", "evenness"


def _rounded(X, seed, first, second, third, fourth):
    """Points that agree once divided by a step and rounded are one cluster."""
    cells = (X / (first + second + third + fourth)).round()
    return Outcome(np.unique(cells, axis=0, return_inverse=True)[1].ravel())


def add_entries(monkeypatch):
    """A method with four settings that names no colour, and a score that no stored run holds."""
    settings = tuple(
        Setting(name, name.capitalize(), "A part of the step.", lambda start: start.theta / 2)
        for name in ("first", "second", "third", "fourth")
    )
    about = "Points that round to the same place are one cluster."
    method = Method(METHOD, "Rounding", "Distance threshold", about, "A test", settings, _rounded)
    monkeypatch.setitem(METHODS, METHOD, method)
    score = Score("Evenness", "1 for one cluster.", lambda c: 1.0 / c.n_clusters, needs_truth=False)
    monkeypatch.setitem(SCORES, SCORE, score)


@dataclass(frozen=True)
class Ripple(generated.Generated):
    """A wave of points."""

    key = "ripple"
    label = "Ripple"
    group = datasets.SHAPES

    n: int = generated.number(40, 1, 1000, "Points per wave")
    seed: int = generated.seed()

    def shape(self):
        return self.n, 2

    def draw(self, rng):
        x = rng.uniform(0.0, 6.0, self.n)
        return np.column_stack([x, np.sin(x)]), np.zeros(self.n, dtype=np.int64)


def add_generator(monkeypatch):
    """A generated set, `Ripple`."""
    monkeypatch.setattr(generated, "GENERATED", (*generated.GENERATED, Ripple))
