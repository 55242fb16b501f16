"""A neighbour map keeps neighbours, for equal rows, other metrics and rows that come later too."""

import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score
from sklearn.utils.estimator_checks import parametrize_with_checks

pytest.importorskip("umap")

from theta_app import NeighbourMap, ThetA
from theta_app.engine import nearest_others, neighbour_map

ROOT = Path(__file__).resolve().parents[2]


@parametrize_with_checks([NeighbourMap(n_components=2, n_neighbors=3)])
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)


def blobs(n=150, d=8, seed=0):
    rng = np.random.default_rng(seed)
    truth = rng.integers(3, size=n)
    return rng.normal(size=(3, d))[truth] * 6 + rng.normal(size=(n, d)), truth


def ratings(seed=0, n=700):
    """Ratings from 1 to 10 by two classes: one hardly ever leaves 1, so that many of its rows are equal."""
    rng = np.random.default_rng(seed)
    low = 1 + rng.geometric(rng.beta(6, 1.2, size=(455, 1)).clip(0.45, 0.97), size=(455, 9)) - 1
    wide = np.round(rng.normal(6, 1.5, size=(n - 455, 1)) + rng.normal(0, 2.8, size=(n - 455, 9)))
    return np.vstack([low, wide]).clip(1, 10).astype(float), np.repeat([0, 1], [455, n - 455])


def same_neighbours(X, Z, k=15):
    """Share of each row's nearest others in X that are among its nearest 30 in the map."""
    near = nearest_others(X, np.arange(len(X)), k, 2.0)[1]
    there = nearest_others(Z, np.arange(len(Z)), 2 * k, 2.0)[1]
    return np.mean([np.isin(one, other).mean() for one, other in zip(near, there)])


def parted(Z, truth):
    """Whether the five nearest others of every row are of its class."""
    near = nearest_others(Z, np.arange(len(Z)), 5, 2.0)[1]
    return bool((truth[near] == truth[:, None]).all())


def test_neighbours_stay_neighbours():
    X, truth = blobs()
    Z = NeighbourMap().fit_transform(X)
    assert Z.shape == (150, 5)
    assert same_neighbours(X, Z) > 0.8
    assert parted(Z, truth)


def test_the_same_seed_gives_the_same_map_and_another_seed_another():
    X, _ = blobs()
    assert np.array_equal(NeighbourMap().fit_transform(X), NeighbourMap(random_state=0).fit_transform(X))
    assert not np.array_equal(NeighbourMap().fit_transform(X), NeighbourMap(random_state=1).fit_transform(X))


def test_a_row_that_was_fitted_keeps_its_place_and_others_lie_among_their_neighbours():
    X, truth = blobs(300)
    model = NeighbourMap().fit(X[:200])
    assert np.array_equal(model.transform(X[:200]), model.embedding_)
    assert parted(np.vstack([model.embedding_, model.transform(X[200:])]), truth)
    np.testing.assert_allclose(model.transform(X[200:])[7], model.transform(X[207:208])[0])
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.transform(X), model.transform(X))


@pytest.mark.parametrize("seed", [0, 1])
def test_equal_rows_are_no_islands(seed):
    X, truth = ratings(seed)
    assert len(np.unique(X, axis=0)) < 0.65 * len(X)
    Z = NeighbourMap().fit_transform(X)
    _, first, same = np.unique(X, axis=0, return_index=True, return_inverse=True)
    assert np.array_equal(Z, Z[first][same.ravel()])
    assert adjusted_rand_score(truth, ThetA(space="features").fit_predict(Z)) > 0.85


def test_too_few_different_rows_are_refused_with_a_sentence():
    X = np.repeat(np.random.default_rng(0).normal(size=(15, 4)), 10, axis=0)
    with pytest.raises(ValueError, match="at least 16 different rows, got 15"):
        NeighbourMap().fit(X)
    with pytest.raises(ValueError, match="at least 22 different rows, got 15"):
        NeighbourMap(n_components=20, n_neighbors=5).fit(X)
    assert NeighbourMap(n_neighbors=5).fit_transform(X).shape == (150, 5)


def test_many_columns_far_from_zero_and_of_any_size_are_mapped():
    X, truth = blobs(120, 80)
    for changed in (X, X * 1e140, X * 1e-140, X + 1e9):
        Z = neighbour_map(changed).embedding
        assert np.isfinite(Z).all()
        assert parted(Z, truth)


@pytest.mark.parametrize("metric", ["manhattan", "chebyshev", "minkowski"])
def test_neighbours_are_found_in_the_metric(metric):
    X, truth = blobs()
    model = NeighbourMap(metric=metric, p=3.0).fit(X)
    assert not np.array_equal(model.embedding_, NeighbourMap().fit_transform(X))
    assert parted(model.embedding_, truth)
    assert np.array_equal(model.transform(X), model.embedding_)


def test_cosine_is_blind_to_length_and_haversine_to_the_date_line():
    X, truth = blobs()
    longer = X * np.random.default_rng(1).uniform(0.1, 10.0, size=(len(X), 1))
    of_angles = NeighbourMap(metric="cosine").fit_transform(longer)
    assert parted(of_angles, truth)
    rng = np.random.default_rng(2)
    places = np.column_stack([rng.normal(0, 1, 100), (rng.normal(180, 1, 100) + 180) % 360 - 180])
    places = np.vstack([places, rng.normal([50.0, 10.0], 1, size=(100, 2))])
    Z = NeighbourMap(metric="haversine").fit_transform(places)
    assert parted(Z, np.repeat([0, 1], 100))


def test_progress_is_told_and_what_it_raises_ends_the_work():
    told = []
    neighbour_map(blobs()[0], progress=lambda *steps: told.append(steps))
    assert told[-1][1] == 500

    def stop(*_):
        raise InterruptedError

    with pytest.raises(InterruptedError):
        neighbour_map(blobs()[0], progress=stop)


def test_names_of_the_coordinates():
    model = NeighbourMap(n_components=2).fit(blobs()[0])
    assert model.get_feature_names_out().tolist() == ["neighbourmap0", "neighbourmap1"]


def test_without_umap_learn_a_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "umap", None)
    with pytest.raises(ImportError, match="pip install umap-learn"):
        NeighbourMap().fit(blobs()[0])


def test_umap_is_imported_only_when_it_is_used():
    code = "import sys, theta_app.estimators, theta_app.selection; from theta_app import NeighbourMap; NeighbourMap()\n"
    code += "assert not {'umap', 'pynndescent'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


def test_what_umap_compiles_comes_from_disk_in_the_next_process():
    code = "import numpy as np, umap\nfrom theta_app.engine import neighbour_map\n"
    code += "neighbour_map(np.random.default_rng(0).normal(size=(64, 16)), 2, 5)\n"
    code += "kernel = umap.layouts._nb_optimize_layout_euclidean_single_epoch\n"
    code += "assert sum(kernel.stats.cache_hits.values()) == 1 and not kernel.stats.cache_misses, kernel.stats"
    neighbour_map(blobs()[0])
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)
