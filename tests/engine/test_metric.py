"""How distances are measured is one value, and one entry of a table."""

import pickle

import numpy as np
import pytest

from theta_app.datasets import from_arrays
from theta_app.datasets.prepare import Preparation, prepare
from theta_app.engine import METRICS, Metric, nearest, tdg, tsg

POWERS = (1.0, 1.5, 2.0, 3.0, np.inf)


def test_equal_distances_are_equal_values():
    assert Metric.of("minkowski", 1) == Metric.of("manhattan") == Metric.of("minkowski", 1.0)
    assert Metric.of("minkowski", 2) == Metric.of("minkowski") == Metric.of()
    assert Metric.of("minkowski", np.inf) == Metric.of("chebyshev", 3)
    assert len({Metric.of("minkowski", p) for p in (*POWERS, *POWERS)}) == len(POWERS)


@pytest.mark.parametrize("p", POWERS)
def test_a_metric_survives_text_code_arguments_and_another_process(p):
    metric = Metric.of("minkowski", p)
    assert Metric.from_text(metric.text) == metric
    assert Metric.of(**metric.arguments) == metric
    assert eval(repr(metric)) == metric
    assert pickle.loads(pickle.dumps(metric)) == metric
    assert Metric.of(metric) is metric
    assert str(p).removesuffix(".0") in metric.label or metric.name != "minkowski"


@pytest.mark.parametrize("p", [0.5, -1, float("nan"), "1", True])
def test_what_is_no_power_is_refused(p):
    with pytest.raises(ValueError, match="p must be a number, 1 or more"):
        Metric.of("minkowski", p)


@pytest.mark.parametrize("metric", ["L1", "", None, 2.0])
def test_what_is_no_metric_is_refused(metric):
    with pytest.raises(ValueError, match="metric must be one of 'euclidean', 'manhattan'"):
        tsg([[0.0]], 1.0, metric=metric)


def test_another_metric_is_one_entry(monkeypatch):
    monkeypatch.setitem(METRICS, "in plane", Metric("in plane", 2.0, "In plane", unit="km", features=2))
    metric, flat = Metric.of("in plane"), np.array([[0.0, 0.0], [3.0, 4.0]])
    assert metric.text == "in plane"
    assert Metric.from_text("in plane") == metric != Metric.of()
    assert tsg(flat, 5.0, metric="in plane").metric == metric
    assert metric.between(flat, flat[0]).tolist() == [0.0, 5.0]
    data = prepare(from_arrays("two", "made here", flat), Preparation(metric="in plane"))
    assert data.unit == "km"
    for wrong in (lambda X: tsg(X, 1.0, metric=metric), lambda X: tdg(X, 1.0, metric=metric)):
        with pytest.raises(ValueError, match="'in plane' needs 2 features, got 3"):
            wrong(np.zeros((4, 3)))
    with pytest.raises(ValueError, match="needs 2 features"):
        nearest(np.zeros((4, 3)), np.zeros((1, 3)), metric=metric)
