"""Clusters of a neighbour map are the verdict where neighbours in the columns know of them, and never in noise."""

import sys
import warnings
from dataclasses import replace

import numpy as np
import pytest
from sklearn.datasets import load_digits, load_iris
from sklearn.metrics import adjusted_rand_score

pytest.importorskip("umap")

from tests.engine.test_neighbour_map import ratings
from theta_app import ThetA
from theta_app.selection import NeighbourEvidence, better_in_map, neighbour_evidence, verdict
from theta_app.selection.verdict import verdict as verdict_in_columns

DIGITS = load_digits()


@pytest.fixture(scope="module")
def digits():
    return ThetA(n_shuffles=20).fit(DIGITS.data)


def noise(kind, n, d, seed=0):
    rng = np.random.default_rng(seed)
    if kind == "uniform":
        return rng.uniform(size=(n, d))
    if kind == "correlated":
        return rng.normal(size=(n, d)) @ (rng.normal(size=(d, d)) * np.exp(-np.arange(d) / 3))
    return np.round(rng.normal(size=(n, d)) * (1.0 if kind == "rounded" else 1e6))


def test_digits_are_found_in_the_map(digits):
    assert digits.space_ == digits.verdict_.space == "map"
    assert adjusted_rand_score(DIGITS.target, digits.labels_) > 0.8
    assert digits.verdict_.reason.startswith("In the 64 columns themselves")
    assert "neighbour map" in digits.verdict_.reason
    assert "nearest neighbours in the columns are in its own cluster" in digits.verdict_.reason


def test_rows_that_come_later_are_placed_in_the_map(digits):
    np.testing.assert_array_equal(digits.predict(DIGITS.data), digits.labels_)
    half = ThetA(n_shuffles=20, space="map").fit(DIGITS.data[:900])
    assert adjusted_rand_score(DIGITS.target[900:], half.predict(DIGITS.data[900:])) > 0.7
    assert half.cluster_centers_.shape[1] == 5
    assert half.n_features_in_ == 64


@pytest.mark.parametrize("kind", ["uniform", "correlated", "rounded", "normal"])
@pytest.mark.parametrize(("n", "d"), [(150, 12), (600, 5)])
def test_noise_is_never_given_clusters_of_a_map(kind, n, d):
    found = verdict(noise(kind, n, d), 10)
    assert found.space == "features"
    assert not found.stands_out


def test_features_is_the_verdict_in_the_columns():
    X = load_iris().data
    plain, same = verdict_in_columns(X, 20), verdict(X, 20, space="features")
    assert (same.theta, same.n_clusters, same.reason, same.space) == (
        plain.theta,
        plain.n_clusters,
        plain.reason,
        "features",
    )
    assert same.candidates.equals(plain.candidates)


def test_up_to_three_columns_no_map_is_made(monkeypatch):
    monkeypatch.setattr("theta_app.selection.space.neighbour_map", None)
    assert verdict(load_iris().data[:, :3], 5).space == "features"
    assert ThetA(5, space="features").fit(load_iris().data).space_ == "features"


def test_few_different_rows_stay_in_the_columns():
    X = np.repeat(np.random.default_rng(0).normal(size=(12, 6)), 8, axis=0)
    assert verdict(X, 5).space == "features"
    with pytest.raises(ValueError, match="different rows"):
        verdict(X, 5, space="map")


def test_a_table_of_ratings_is_not_torn_apart():
    X, truth = ratings()
    assert adjusted_rand_score(truth, ThetA(20).fit_predict(X)) > 0.85


def test_without_umap_learn_the_columns_are_looked_at_with_one_warning(monkeypatch):
    monkeypatch.setitem(sys.modules, "umap", None)
    X = load_iris().data
    with pytest.warns(UserWarning, match="pip install umap-learn") as told:
        assert ThetA(5).fit(X).space_ == "features"
    assert len(told) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ThetA(5, space="features").fit(X)
    with pytest.raises(ImportError, match="pip install umap-learn"):
        ThetA(5, space="map").fit(X)


def test_an_unknown_space_is_refused():
    with pytest.raises(ValueError, match="space"):
        verdict(load_iris().data, space="moon")
    with pytest.raises(ValueError, match="space"):
        ThetA(space="moon").fit(load_iris().data)


def test_the_same_seed_gives_the_same_answer(digits):
    again = ThetA(n_shuffles=20).fit(DIGITS.data)
    np.testing.assert_array_equal(again.labels_, digits.labels_)


def test_evidence_is_the_share_of_neighbours_counted_by_hand():
    rng = np.random.default_rng(0)
    X, labels = rng.normal(size=(60, 4)), rng.integers(3, size=60)
    distances = ((X[:, None] - X[None]) ** 2).sum(axis=2)
    np.fill_diagonal(distances, np.inf)
    near = np.argsort(distances, axis=1)[:, :15]
    expected = np.mean([np.mean(labels[near[i]] == labels[i]) for i in range(60)])
    assert neighbour_evidence(X, labels).share == pytest.approx(expected)
    assert neighbour_evidence(X, labels).strength < 0
    doubled = neighbour_evidence(np.vstack([X, X]), np.tile(labels, 2))
    assert doubled == neighbour_evidence(X, labels)  # equal rows count once


def test_evidence_is_strong_where_clusters_are_apart_and_none_for_a_chip_of_a_cloud():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 6))
    apart = np.where(np.arange(300) < 150, 0, 1)
    assert neighbour_evidence(X + 8.0 * apart[:, None], apart).strength > 2
    chip = (np.arange(300) == np.argmax(np.linalg.norm(X, axis=1))).astype(int)
    assert neighbour_evidence(X, chip).share > 0.98
    assert neighbour_evidence(X, chip).strength < 0.3


def test_halves_of_clusters_part_neighbours_and_halves_of_a_sheet_hardly_more():
    rng = np.random.default_rng(0)
    apart = np.repeat([0, 1], 150)
    assert neighbour_evidence(rng.normal(size=(300, 6)) + 8.0 * apart[:, None], apart).halves > 4
    line = np.column_stack([np.sort(rng.uniform(0, 100, 600)), 0.1 * rng.normal(size=(600, 4))])  # no gaps
    quarters = np.repeat(np.arange(4), 150)
    assert 0.3 < neighbour_evidence(line, quarters).halves < np.log(2)
    cloud = rng.normal(size=(600, 8))
    assert 0 < neighbour_evidence(cloud, (cloud[:, 0] > 0) + 2 * (cloud[:, 1] > 0)).halves < np.log(2)


def swiss_roll(n, seed=0):
    rng = np.random.default_rng(seed)
    turn = np.pi * rng.uniform(1.5, 4.5, n)
    sheet = np.column_stack([turn * np.cos(turn), turn * np.sin(turn), rng.uniform(0, 20, n)])
    return sheet @ np.linalg.qr(rng.normal(size=(5, 5)))[0][:3] + 0.1 * rng.normal(size=(n, 5))


@pytest.mark.parametrize("X", [swiss_roll(700, 1), np.exp(np.random.default_rng(0).normal(size=(900, 12)))])
def test_bent_sheets_mostly_and_heavy_tails_are_not_given_clusters_of_a_map(X):
    assert verdict(X, 10).space == "features"


def test_the_map_is_preferred_by_one_rule(digits):
    found, plain = digits.verdict_, verdict_in_columns(DIGITS.data, 20)
    strong, weak = (NeighbourEvidence(0.95, 0.5, strength, 1.0) for strength in (1.0, 0.1))
    assert better_in_map(plain, found, strong, 64).space == "map"
    assert better_in_map(plain, found, weak, 64) is None
    assert better_in_map(plain, found, replace(strong, halves=0.4), 64) is None
    assert better_in_map(plain, found, None, 64) is None
    assert better_in_map(replace(plain, algorithm="TDG", confidence=0.99), found, strong, 64) is None
