"""Curves compared by their places in the nearer direction: the literal reading, and DIPY's QuickBundles as a peer."""

import numpy as np
import pytest

from tests import naive
from theta_app import selection
from theta_app.engine import IncrementalTSG, Metric, nearest, shuffled_order, silhouette_sample, tdg, tnc, tsg
from theta_app.estimators import TDG, TNC, TSG, ThetA


def bundles(rng, n=90, places=12, noise=1.5):
    """Arcs of three bundles in mm, each curve in a direction of its own."""
    t = np.linspace(0.0, 1.0, places)
    arcs = [
        np.column_stack([60 * t, 20 * np.sin(np.pi * t), 0 * t]),
        np.column_stack([30 + 0 * t, 60 * t, 25 * np.sin(np.pi * t)]),
        np.column_stack([60 * t, 60 - 60 * t, 40 + 10 * t]),
    ]
    curves = np.array([arcs[k] for k in rng.integers(3, size=n)]) + rng.normal(scale=noise, size=(n, 1, 3))
    curves += rng.normal(scale=noise / 3, size=curves.shape)
    back = rng.random(n) < 0.5
    curves[back] = curves[back, ::-1]
    return curves.reshape(n, -1)


def lattice(rng, n=40, places=2):
    """Whole numbers from few: curves that are equal, flipped copies, exact ties and distances of exactly θ."""
    return rng.integers(0, 3, size=(n, 3 * places)).astype(float)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("make", [bundles, lattice])
def test_one_pass_equals_the_literal_reading(make, seed):
    rng = np.random.default_rng(seed)
    X, order = make(rng), None
    if seed % 2:
        order = rng.permutation(len(X))
    for theta in (0.0, 1.0, 1.5, 3.0, 8.0, 200.0):
        found = tsg(X, theta, order, metric="mdf")
        labels, centroids, sizes = naive.tsg(X, theta, order, "mdf")
        assert found.labels.tolist() == labels
        assert found.centroids.tolist() == centroids
        assert found.sizes.tolist() == sizes


@pytest.mark.parametrize("make", [bundles, lattice])
def test_tdg_and_tnc_equal_the_literal_reading(make):
    X = make(np.random.default_rng(5), 50)
    orders = [shuffled_order(len(X), 3, i) for i in range(6)]
    for theta in (1.0, 3.0, 8.0):
        found = tdg(X, theta, 6, 3, metric="mdf")
        labels, centroids, sizes, counts = naive.tdg(X, theta, orders, "mdf")
        assert found.labels.tolist() == labels
        assert found.centroids.tolist() == centroids
        assert (found.sizes.tolist(), found.run_counts.tolist()) == (sizes, counts)
        for epsilon in (0.5, 4.0, 30.0):
            chained = tnc(X, theta, epsilon, 6, 3, metric="mdf")
            assert chained.chain.tolist() == naive.chain(centroids, epsilon, "mdf")


def test_pieces_give_what_one_pass_gives():
    X = bundles(np.random.default_rng(1), 200)
    growing = IncrementalTSG(4.0, metric="mdf")
    labels = np.concatenate([growing.add(piece) for piece in np.split(X, [1, 20, 21, 150])])
    whole = tsg(X, 4.0, metric="mdf")
    np.testing.assert_array_equal(labels, whole.labels)
    np.testing.assert_array_equal(growing.centroids, whole.centroids)


def test_the_direction_of_a_curve_does_not_matter():
    X = bundles(np.random.default_rng(2), 120)
    back = X.reshape(120, -1, 3)[:, ::-1].reshape(120, -1)
    np.testing.assert_allclose(
        Metric.of("mdf", curves=True).distances(X, X[:9]), Metric.of("mdf", curves=True).distances(back, X[:9])
    )
    np.testing.assert_array_equal(tsg(X, 8.0, metric="mdf").labels, tsg(back, 8.0, metric="mdf").labels)
    assert tdg(X, 8.0, metric="mdf").n_clusters == 3


def test_estimators_take_it_and_predict_by_the_nearest_centroid():
    X = bundles(np.random.default_rng(3), 120)
    for model in (TSG(theta=8.0, metric="mdf"), TDG(theta=8.0, metric="mdf", n_shuffles=5)):
        assert len(model.fit(X).cluster_centers_) == 3
        np.testing.assert_array_equal(model.predict(X), nearest(X, model.cluster_centers_, metric="mdf"))
    assert len(set(TNC(theta=4.0, epsilon=9.0, metric="mdf", n_shuffles=5).fit_predict(X))) == 3


@pytest.mark.parametrize(
    "refused",
    [
        lambda X: selection.sweep(X, metric="mdf"),
        lambda X: selection.recommend(X, metric="mdf"),
        lambda X: silhouette_sample(X, metric="mdf"),
        lambda X: tnc(X, 4.0, 1.0, 3, metric="mdf", density=5),
        lambda X: ThetA(metric="mdf").fit(X),
    ],
)
def test_what_cannot_follow_says_so(refused):
    with pytest.raises(ValueError, match="metric 'mdf' compares curves, for which there are tsg, tdg, tnc and nearest"):
        refused(bundles(np.random.default_rng(0), 30))


@pytest.mark.parametrize("features", [1, 3, 7, 35])
def test_rows_that_are_no_curves_are_refused(features):
    with pytest.raises(ValueError, match=f"a multiple of 3 features from 6 on, got {features}"):
        tsg(np.zeros((4, features)), 1.0, metric="mdf")


@pytest.mark.parametrize("seed", range(5))
def test_quickbundles_of_dipy_gives_the_same_clusters_on_the_same_order(seed):
    dipy = pytest.importorskip("dipy.segment.clustering", reason="DIPY is not installed: pip install dipy")
    from dipy.segment.metric import AveragePointwiseEuclideanMetric  # by default it would resample the curves once more

    rng = np.random.default_rng(seed)
    # single precision, as DIPY keeps curves; no distance is exactly θ, where its < and our <= would differ
    X = bundles(rng, 300, noise=3.0).astype(np.float32)
    order, curves = rng.permutation(len(X)), list(X.reshape(len(X), -1, 3))
    for theta in (4.0, 8.0, 20.0):
        found = tsg(X, theta, order, metric="mdf")
        peer = dipy.QuickBundles(theta, metric=AveragePointwiseEuclideanMetric()).cluster(
            curves, ordering=order.tolist()
        )
        labels = np.empty(len(X), dtype=int)
        for k, cluster in enumerate(peer):
            labels[cluster.indices] = k
        np.testing.assert_array_equal(found.labels, labels)
        centroids = np.array([cluster.centroid.ravel() for cluster in peer])
        apart = Metric.of("mdf", curves=True).distances(found.centroids, centroids.astype(float))
        assert (
            np.diag(apart).max() < 1e-3
        )  # DIPY begins some clusters with the flipped curve: the same, seen from its end
