"""The autoencoder as a transformer of its own, and before a neighbour map."""

import pickle
import threading

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_digits
from sklearn.pipeline import make_pipeline

from theta_app import NeighbourMap, ThetA, metrics
from theta_app.deep import Autoencoder, DeepClustering
from theta_app.engine import Cancelled

X, TRUTH = load_digits(return_X_y=True)
FEW, FEW_TRUTH = X[:300], TRUTH[:300]
TINY = {"hidden": (16,), "latent": 4, "layer_epochs": 1, "noise": 0.0}


@pytest.fixture(scope="module")
def fitted():
    return Autoencoder(**TINY, epochs=3).fit(FEW)


def test_its_space_is_the_one_deep_clustering_starts_from(fitted):
    deep = DeepClustering(10, "k-means", **TINY, pretrain_epochs=3, epochs=1).fit(FEW)
    np.testing.assert_array_equal(fitted.embedding_, deep.start_embedding_)
    assert not np.array_equal(fitted.embedding_, deep.embedding_)


def test_it_behaves_as_a_transformer(fitted):
    np.testing.assert_allclose(fitted.transform(FEW), fitted.embedding_, rtol=1e-4, atol=1e-5)
    assert fitted.get_feature_names_out().tolist() == [f"autoencoder{i}" for i in range(4)]
    assert clone(fitted).get_params() == fitted.get_params()
    again = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(again.transform(FEW), fitted.transform(FEW))
    assert fitted.history_.groupby("stage", sort=False).size().to_dict() == {"layers": 2, "autoencoder": 3}
    with pytest.raises(ValueError, match="features"):
        fitted.transform(FEW[:, :9])


def test_the_same_seed_gives_the_same_space_and_another_another(fitted):
    np.testing.assert_array_equal(Autoencoder(**TINY, epochs=3).fit_transform(FEW), fitted.embedding_)
    assert not np.array_equal(Autoencoder(**TINY, epochs=3, random_state=1).fit_transform(FEW), fitted.embedding_)


def test_images_are_moved_only_where_their_shape_is_known():
    moved = Autoencoder(**TINY, epochs=1, image_shape=(8, 8), shift=1).fit_transform(FEW)
    assert not np.array_equal(moved, Autoencoder(**TINY, epochs=1).fit_transform(FEW))
    with pytest.raises(ValueError, match="Only pictures can be moved"):
        Autoencoder(**TINY, shift=1).fit(FEW)


def test_it_says_how_far_it_is_and_stops_when_asked():
    cancel, told = threading.Event(), []

    def progress(done, total):
        told.append((done, total))
        if done == 3:
            cancel.set()

    model = Autoencoder(**TINY, epochs=3)
    with pytest.raises(Cancelled):
        model.fit(FEW, progress=progress, cancel=cancel)
    assert told == [(1, 5), (2, 5), (3, 5)]
    assert model.transform(FEW).shape == (300, 4)


def test_autoencoder_map_and_theta_are_one_pipeline():
    pytest.importorskip("umap")
    space = Autoencoder((128,), 10, layer_epochs=0, epochs=40)
    model = make_pipeline(space, NeighbourMap(), ThetA(space="features")).fit(X[:800])
    assert metrics.nmi(TRUTH[:800], model.predict(X[:800])) > 0.7
    assert metrics.nmi(TRUTH[800:], model.predict(X[800:])) > 0.65
