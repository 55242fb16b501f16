"""Curves compared by their places in the nearer direction: the literal reading, and DIPY's QuickBundles as a peer."""

import numpy as np
import pytest

from tests import naive
from theta_app import selection
from theta_app.datasets import Preparation, Streamlines, load, prepare
from theta_app.distributed.parts import with_means
from theta_app.engine import (
    Cancelled,
    IncrementalTSG,
    Metric,
    closest_pair,
    core_distances,
    nearest,
    nearest_others,
    neighbour_map,
    shuffled_order,
    silhouette_sample,
    spanning_tree,
    tdg,
    tnc,
    trace_tsg,
    tsg,
    weighted_tsg,
)
from theta_app.engine.curves import CurveSearch
from theta_app.engine.stopping import new_flag
from theta_app.estimators import TDG, TNC, TSG, ThetA
from theta_app.metrics import ari

SET = Streamlines(bundles=5, per_cluster=30)


def bundles(rng, n=60, places=12, noise=1.5):
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
    np.testing.assert_allclose(Metric.of("mdf").distances(X, X[:9]), Metric.of("mdf").distances(back, X[:9]))
    np.testing.assert_array_equal(tsg(X, 8.0, metric="mdf").labels, tsg(back, 8.0, metric="mdf").labels)
    assert tdg(X, 8.0, metric="mdf").n_clusters == 3


def test_estimators_take_it_and_predict_by_the_nearest_centroid():
    X = bundles(np.random.default_rng(3), 120)
    for model in (TSG(theta=8.0, metric="mdf"), TDG(theta=8.0, metric="mdf", n_shuffles=5)):
        assert len(model.fit(X).cluster_centers_) == 3
        np.testing.assert_array_equal(model.predict(X), nearest(X, model.cluster_centers_, metric="mdf"))
    assert len(set(TNC(theta=4.0, epsilon=9.0, metric="mdf", n_shuffles=5).fit_predict(X))) == 3


@pytest.mark.parametrize("make", [bundles, lattice])
def test_distances_neighbours_pairs_and_trees_equal_the_literal_reading(make):
    X = make(np.random.default_rng(6), 45)
    rows, metric, labels = X.tolist(), Metric.of("mdf"), np.random.default_rng(7).integers(0, 3, 45)
    expected = np.array([[naive.distance(a, b, "mdf") for b in rows] for a in rows])
    assert metric.distances(X, X).tolist() == expected.tolist()
    assert metric.between(X, X[::-1]).tolist() == [naive.distance(a, b, "mdf") for a, b in zip(rows, rows[::-1])]
    assert metric.between(X, X[4]).tolist() == expected[:, 4].tolist()
    assert metric.centre(X).tolist() == naive.mean(rows, "mdf")
    np.testing.assert_array_equal(silhouette_sample(X, metric="mdf").distances, expected)
    far, near = nearest_others(X, np.arange(45), 4, metric.p)
    others = np.where(np.eye(45, dtype=bool), np.inf, expected)
    np.testing.assert_array_equal(far, np.sort(others, axis=1)[:, :4])
    np.testing.assert_array_equal(others[np.arange(45)[:, None], near], far)
    assert closest_pair(X, labels, metric="mdf").distance == naive.closest_pair(rows, labels, "mdf")
    tree = spanning_tree(X, metric="mdf")
    assert tree.lengths.sum() == pytest.approx(shortest_tree(expected))
    assert [expected[a, b] for a, b in tree.edges] == tree.lengths.tolist()
    cores = core_distances(X, X[:5], 6, metric="mdf")
    np.testing.assert_array_equal(cores, np.sort(expected[:5], axis=1)[:, 5])


def shortest_tree(distances):
    """The length of a minimum spanning tree, by the nearest that is not in it."""
    inside, total = [0], 0.0
    while len(inside) < len(distances):
        outside = [i for i in range(len(distances)) if i not in inside]
        near = min((distances[i, j], j) for i in inside for j in outside)
        total, inside = total + near[0], [*inside, near[1]]
    return total


def test_a_sweep_finds_the_bundles_and_its_numbers_are_those_of_tdg():
    data = prepare(load(SET), Preparation(metric="mdf"))
    table = selection.sweep(data.X, shuffles=10, metric="mdf")
    best = selection.theta_ranges(table).iloc[0]
    assert best.n_clusters == 5
    row = table[table.n_clusters == 5].iloc[0]
    result = tdg(data.X, row.theta, 10, agreement=True, metric="mdf")
    assert (len(result.sizes), result.agreement) == (5, row.agreement)
    distances = np.array([[naive.distance(a, b, "mdf") for b in data.X.tolist()] for a in data.X[:40].tolist()])
    own = silhouette_sample(data.X, metric="mdf")
    np.testing.assert_allclose(own.distances[:40], distances)
    assert row.silhouette == own.score(result.labels)


def test_verdict_and_estimator_follow_curves():
    data = load(SET)
    found = selection.verdict(data.X, 10, metric="mdf")
    assert (found.space, found.n_clusters) == ("features", 5)
    labels = ThetA(n_shuffles=10, metric="mdf").fit_predict(data.X)
    assert ari(data.truth, labels) == pytest.approx(1.0)


def test_chains_by_density_follow_curves():
    data = load(SET)
    chained = tnc(data.X, 4.0, 0.9, 5, metric="mdf", density=8)
    assert chained.n_clusters == 5
    assert ari(data.truth, np.unique(chained.labels, return_inverse=True)[1]) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("refused", "what"),
    [
        (lambda X: selection.verdict(X, 3, metric="mdf", space="map"), "a neighbour map"),
        (lambda X: neighbour_map(X, metric="mdf"), "a neighbour map"),
        (lambda X: trace_tsg(X, 4.0, metric="mdf"), "a trace of TSG"),
        (lambda X: weighted_tsg(X, np.ones(len(X)), 4.0, metric="mdf"), "TSG with weights"),
        (lambda X: with_means(Metric.of("mdf")), "data in parts"),
    ],
)
def test_what_cannot_follow_says_so(refused, what):
    with pytest.raises(ValueError, match=f"metric 'mdf' compares curves, which {what} cannot handle"):
        refused(bundles(np.random.default_rng(0), 30))


def test_a_kernel_that_is_told_to_stop_stops():
    X, stop = bundles(np.random.default_rng(0), 5000), new_flag()
    stop[0] = True
    search = CurveSearch(X, 1.0, stop)
    assert len(search.group(np.arange(len(X), dtype=np.int32))[1]) == 0
    with pytest.raises(Cancelled):
        tdg(X, 1.0, 500, metric="mdf", cancel=Told())


class Told:
    def is_set(self):
        return True


@pytest.mark.parametrize("features", [1, 3, 7, 35])
def test_rows_that_are_no_curves_are_refused(features):
    with pytest.raises(ValueError, match=f"a multiple of 3 and at least 6, got {features}"):
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
        apart = Metric.of("mdf").distances(found.centroids, centroids.astype(float))
        assert (
            np.diag(apart).max() < 1e-3
        )  # DIPY begins some clusters with the flipped curve: the same, seen from its end
