"""The estimators behave as scikit-learn's do."""

import doctest
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from theta_app import TDG, TNC, TSG, NeighbourMap, ThetA, estimators
from theta_app.engine import nearest, tdg, tnc, tsg
from theta_app.selection import sweep, verdict

ALL = [TSG(), TDG(n_shuffles=5), TNC(n_shuffles=5)]


def does_not_apply(estimator):
    """Checks whose data a metric cannot measure, and why."""
    if estimator.metric != "cosine":
        return {}
    return {"check_estimators_dtypes": "one of its rows is all zeros and has no direction: refused with a sentence"}


# norms have tests of their own below: the checks know nothing of them
@parametrize_with_checks([*ALL, TSG(theta=0.1, metric="cosine")], expected_failed_checks=does_not_apply)
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def X():
    rng = np.random.default_rng(0)
    return rng.uniform(0, 20, size=(8, 2))[rng.integers(8, size=400)] + rng.normal(scale=0.4, size=(400, 2))


def test_labels_are_the_engines(X):
    np.testing.assert_array_equal(TSG(theta=2.0).fit_predict(X), tsg(X, 2.0).labels)
    np.testing.assert_array_equal(TDG(theta=2.0, n_shuffles=9, random_state=3).fit_predict(X), tdg(X, 2.0, 9, 3).labels)
    chained = tnc(X, 0.5, 1.0, 9, 3)
    model = TNC(theta=0.5, epsilon=1.0, n_shuffles=9, random_state=3).fit(X)
    np.testing.assert_array_equal(model.chain_, chained.chain)
    np.testing.assert_array_equal(np.unique(chained.chain)[model.labels_], chained.labels)
    assert model.n_clusters_ == chained.n_clusters


@pytest.mark.parametrize("model", [TSG(2.0), TDG(2.0, 9), TNC(0.5, 1.0, 9)], ids=lambda m: type(m).__name__)
def test_predict_takes_the_nearest_centroid(X, model):
    model = clone(model).fit(X)
    distances = ((X[:, None, :] - model.cluster_centers_[None]) ** 2).sum(axis=2)
    nearest = distances.argmin(axis=1)
    expected = nearest if not isinstance(model, TNC) else np.unique(model.chain_, return_inverse=True)[1][nearest]
    np.testing.assert_array_equal(model.predict(X), expected)
    assert model.n_clusters_ == len(np.unique(model.labels_))


@pytest.mark.parametrize("metric", ["manhattan", "chebyshev", "minkowski"])
def test_every_estimator_measures_in_its_metric(X, metric):
    options = {"metric": metric, "p": 3.0}
    np.testing.assert_array_equal(TSG(2.0, **options).fit_predict(X), tsg(X, 2.0, **options).labels)
    model = TDG(2.0, 9, **options).fit(X)
    np.testing.assert_array_equal(model.labels_, tdg(X, 2.0, 9, **options).labels)
    np.testing.assert_array_equal(model.predict(X), nearest(X, model.cluster_centers_, **options))
    np.testing.assert_array_equal(TNC(0.5, 1.0, 9, **options).fit(X).chain_, tnc(X, 0.5, 1.0, 9, **options).chain)
    found = ThetA(n_shuffles=9, **options).fit(X)
    assert found.theta_ == verdict(X, 9, **options).theta


@pytest.mark.parametrize("metric", ["haversine", "cosine"])
def test_every_estimator_measures_along_a_sphere_and_in_angles(X, metric):
    """scikit-learn's own checks bring any number of columns, and "haversine" takes two: it has this instead."""
    options, theta = {"metric": metric}, {"haversine": 150.0, "cosine": 0.02}[metric]
    np.testing.assert_array_equal(TSG(theta, **options).fit_predict(X), tsg(X, theta, **options).labels)
    model = TDG(theta, 9, **options).fit(X)
    np.testing.assert_array_equal(model.labels_, tdg(X, theta, 9, **options).labels)
    np.testing.assert_array_equal(model.predict(X), nearest(X, model.cluster_centers_, **options))
    chained = tnc(X, theta / 4, theta / 2, 9, **options)
    np.testing.assert_array_equal(TNC(theta / 4, theta / 2, 9, **options).fit(X).chain_, chained.chain)
    found = ThetA(n_shuffles=9, **options).fit(X)
    assert found.theta_ == verdict(X, 9, **options).theta
    for model in (TSG(metric=metric, radius=1737.4), pickle.loads(pickle.dumps(found)), clone(found)):
        assert model.metric == metric
    if metric == "haversine":
        with pytest.raises(ValueError, match="needs 2 features"):
            TDG(theta, **options).fit(np.zeros((4, 3)))
        moon = TDG(theta * 1737.4 / 6371.0088, 9, radius=1737.4, **options).fit(X)
        np.testing.assert_array_equal(moon.labels_, TDG(theta, 9, **options).fit(X).labels_)


def test_they_work_in_a_pipeline_and_travel_by_pickle(X):
    pipeline = make_pipeline(StandardScaler(), TDG(theta=0.3, n_shuffles=5)).fit(X)
    copied = pickle.loads(pickle.dumps(pipeline))
    np.testing.assert_array_equal(copied.predict(X), pipeline.predict(X))


def test_a_random_state_object_or_none_is_accepted(X):
    for random_state in (None, np.random.RandomState(0)):
        assert TDG(theta=2.0, n_shuffles=3, random_state=random_state).fit(X).n_clusters_ >= 1


@pytest.mark.parametrize(
    ("model", "name"),
    [
        (TSG(theta=-1.0), "theta"),
        (TSG(theta=float("nan")), "theta"),
        (TSG(theta=float("inf")), "theta"),
        (TDG(n_shuffles=0), "n_shuffles"),
        (TDG(n_jobs=0), "n_jobs"),
        (TNC(epsilon=-0.5), "epsilon"),
        (TNC(epsilon=float("nan")), "epsilon"),
    ],
)
def test_a_bad_parameter_is_named(X, model, name):
    with pytest.raises(ValueError, match=name):
        model.fit(X)


def test_the_examples_in_the_docstrings_run():
    assert doctest.testmod(estimators).attempted >= 5
    assert doctest.testmod(estimators).failed == 0


@pytest.mark.parametrize("kind", ["pandas", "polars"])
@pytest.mark.parametrize("model", [TSG(2.0), TDG(2.0, 5), TNC(0.5, 1.0, 5), ThetA(5)], ids=lambda m: type(m).__name__)
def test_frames_are_taken_and_their_columns_are_known(X, model, kind):
    frame = pd.DataFrame(X, columns=["length", "width"])
    frame = frame if kind == "pandas" else pl.DataFrame({name: frame[name].to_numpy() for name in frame})
    found = clone(model)
    np.testing.assert_array_equal(found.fit_predict(frame), clone(model).fit_predict(X))
    assert found.feature_names_in_.tolist() == ["length", "width"]
    np.testing.assert_array_equal(found.predict(frame), clone(model).fit(X).predict(X))
    with pytest.raises(ValueError, match="feature names"):
        found.predict(frame[["width", "length"]])


@pytest.mark.parametrize("kind", ["pandas", "polars"])
def test_a_map_comes_as_the_frame_that_is_asked_for(X, kind):
    frame = pd.DataFrame(np.tile(X[:60], 2), columns=list("abcd"))
    made = NeighbourMap(n_components=2).set_output(transform=kind).fit_transform(frame)
    assert list(made.columns) == ["neighbourmap0", "neighbourmap1"]
    assert isinstance(made, {"pandas": pd.DataFrame, "polars": pl.DataFrame}[kind])


def test_sweep_and_verdict_take_frames(X):
    frame = pl.DataFrame({"length": X[:, 0], "width": X[:, 1]})
    pd.testing.assert_frame_equal(sweep(frame, shuffles=3), sweep(X, shuffles=3))
    assert verdict(frame.to_pandas(), 3).theta == verdict(X, 3).theta
