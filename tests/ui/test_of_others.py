"""The curves of other methods: each value is the method's own at the K of its θ, and a gap says why it is one."""

import json

import numpy as np
import pytest

from theta_app import compare, datasets, metrics
from theta_app.compare.steps import PointsAtHand, measured
from theta_app.ui import loading, peers, session, sweeps
from theta_app.ui.store import MEASURED
from theta_app.ui.timeline import of_others, of_theta

DATA = datasets.load(datasets.GridBlobs(side=3, spacing=5.0, per_cluster=30))


@pytest.fixture(scope="module")
def others():
    settings = session.Settings(algorithm="TDG", shuffles=10, seed=2)
    points = loading.sample(DATA)
    sweeps.complete(points, settings)
    shown = of_theta.shown_sweep(points, settings)
    made = of_others.others_of(shown, DATA, shown.start)
    yield made
    for step in made.steps:
        MEASURED.forget(step)


def method(content, name):
    return next(found for found in content["methods"] if found["id"] == name)


def measure_here(others, steps):
    points = PointsAtHand()
    points.hand_over(*others.points)
    for step in steps:
        MEASURED.put(step, measured(step, points))


def test_until_a_value_is_there_the_curve_says_so(others):
    content = of_others.sent(others, computing=True)
    counts = content["counts"]
    assert content["going"]
    assert content["status"].startswith(f"0 of {len(others.steps)} values")
    for name in ("kmeanspp", "minibatch", "birch"):
        found = method(content, name)
        assert found["values"]["nmi"] == [None] * len(counts)
        assert [why == "one cluster" for why in found["why"]] == [k == 1 for k in counts]
        tried = [why == "not yet" for why in found["why"]]
        assert tried == [k in others.tried for k in counts]
    own = method(content, "tdg")
    assert own["values"]["nmi"] == [frame.scores["nmi"] for frame in others.frames]
    assert own["values"]["seconds"] == [None] * len(counts)
    stopped = of_others.sent(others, computing=False)
    assert not stopped["going"]
    assert "not run" in method(stopped, "kmeanspp")["why"]


def test_a_k_is_computed_once_and_stands_at_every_theta_that_has_it(others):
    k = others.tried[0]
    at = [i for i, frame in enumerate(others.frames) if frame.k == k]
    assert k == 9
    assert len(at) > 1
    told = others.rows[compare.Entry("kmeans++", told=True)]
    step = told[at[0]]
    assert {told[i] for i in at} == {step}
    assert len(set(others.steps)) == len(others.steps)
    measure_here(others, [step])
    found = method(of_others.sent(others, computing=True), "kmeanspp")
    assert {found["why"][i] for i in at} == {""}
    expected = compare.METHODS["kmeans++"].run(DATA.X, 2, k=9, starts=3)
    assert {found["values"]["nmi"][i] for i in at} == {metrics.nmi(DATA.truth, expected.labels)}
    sample = sweeps.silhouette_points(others.sweep.sample)
    assert {found["values"]["silhouette"][i] for i in at} == {sample.score(expected.labels)}
    assert all(found["values"]["seconds"][i] > 0 for i in at)


def test_all_values_can_be_sent_and_then_nothing_is_going(others, monkeypatch):
    measure_here(others, others.steps)
    content = of_others.sent(others, computing=True)
    assert not content["going"]
    assert content["status"].startswith(f"All {len(others.steps)} values computed")
    json.dumps(content, allow_nan=False)
    curves = [found["values"]["nmi"] for found in content["methods"] if found["curve"]]
    reached = [np.nanmax([v for v in values if v is not None]) for values in curves]
    assert min(reached) > 0.9
    monkeypatch.setattr(peers, "MOST_SECONDS", 0.0)
    MEASURED.forget(others.steps[-1])
    assert "stopped after" in of_others.sent(others, computing=True)["status"]


def test_without_true_classes_there_is_no_nmi():
    plain = datasets.dataset.from_arrays("plain", "", DATA.X)
    settings = session.Settings(algorithm="TSG", shuffles=10)
    points = loading.sample(plain)
    sweeps.complete(points, settings)
    shown = of_theta.shown_sweep(points, settings)
    content = of_others.sent(of_others.others_of(shown, plain, shown.start), computing=True)
    assert [measure["id"] for measure in content["measures"]] == ["silhouette", "seconds"]
    assert content["methods"][0]["label"] == "TSG"
