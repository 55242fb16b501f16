"""The timeline of rows that arrive: colours stay with a cluster, rows to come are a group of their own."""

import numpy as np

from theta_app import datasets, selection
from theta_app.compare.arriving import arrivals
from theta_app.figures.palette import COLOURS
from theta_app.ui.timeline.of_arrivals import arrival_timeline

DATA = datasets.load(datasets.Drifting(n=600))


def test_a_cluster_keeps_its_colour_and_rows_to_come_are_grey():
    points = selection.sample_of(DATA)
    found = arrivals(points.X, 2.0, truth=points.truth, steps=10)
    packed = arrival_timeline(points, found, 2.0, "cm", "drift", 20.0)
    assert packed.values == tuple(float(moment.rows) for moment in found.moments)
    for moment in found.moments:
        colours = packed.colours[float(moment.rows)]
        by_size = np.argsort(-moment.sizes, kind="stable")
        assert colours[: len(by_size)].tolist() == (by_size % len(COLOURS)).tolist()
        assert colours[len(by_size) :].tolist() == ([len(COLOURS)] if moment.rows < 600 else [])


def test_every_kind_of_points_can_arrive():
    rng = np.random.default_rng(0)
    for X in (rng.normal(size=(50, 1)), rng.normal(size=(50, 7)), np.zeros((3, 2))):
        points = selection.sample_of(datasets.from_arrays("made", "here", X))
        found = arrivals(points.X, 0.5)
        assert arrival_timeline(points, found, 0.5, "", "made", 6.0).values[-1] == len(X)
