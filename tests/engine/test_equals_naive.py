"""Every kernel equals the paper read literally, ties included."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import naive
from theta_app.engine import nearest, search, shuffled_order, spanning_tree, tdg, tdg_prefixes, tnc, tsg
from theta_app.engine.pairs import PairSearch, closest_pair

DIMENSIONS = (1, 2, 3, 4, 5, 8, 13, 20, 64, 100)


def methods(D):
    return (*(("cells",) if D <= 3 else ()), "blocks", "anchors", "near")


def lattice(rng, n, D, levels):
    """Coordinates as eighths: exact in binary, so equal distances and d == θ are real."""
    return rng.integers(0, levels, size=(n, D)) / 8.0


def blobs(rng, n, D):
    centres = rng.uniform(-4, 4, size=(max(2, n // 12), D))
    return centres[rng.integers(len(centres), size=n)] + rng.normal(scale=0.4, size=(n, D))


def thetas(rng, X):
    """θ at a distance that occurs between two points, and one in between."""
    i, j = rng.integers(len(X), size=2)
    exact = float(np.sqrt(((X[i] - X[j]) ** 2).sum()))
    return exact, float(exact * rng.uniform(0.2, 1.1))


def assert_same(result, expected):
    labels, centroids, sizes = expected[:3]
    assert result.labels.tolist() == labels
    assert result.centroids.tolist() == centroids
    assert result.sizes.tolist() == sizes


@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 2**32 - 1), D=st.sampled_from(DIMENSIONS), levels=st.sampled_from([2, 3, 9]))
def test_tsg_on_lattices_equals_the_naive_one(seed, D, levels):
    rng = np.random.default_rng(seed)
    X = lattice(rng, int(rng.integers(1, 70)), D, levels)
    order = rng.permutation(len(X))
    for theta in (*thetas(rng, X), 0.125, 0.25):
        expected = naive.tsg(X, theta, order)
        for method in methods(D):
            assert_same(tsg(X, theta, order, method=method), expected)


@pytest.mark.parametrize("D", DIMENSIONS)
@pytest.mark.parametrize("place", [0.125, 0.1, 1e9 / 7])
def test_points_that_are_all_one_are_one_cluster_at_zero(D, place):
    for n in (1, 4, 49):  # sums of three times 0.125, divided by three, are off by a little
        for method in methods(D):
            assert tsg(np.full((n, D), place), 0.0, method=method).sizes.tolist() == [n]


@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 2**32 - 1), D=st.sampled_from(DIMENSIONS))
def test_tsg_on_gaussian_data_equals_the_naive_one(seed, D):
    rng = np.random.default_rng(seed)
    X = blobs(rng, int(rng.integers(2, 90)), D)
    for theta in thetas(rng, X):
        expected = naive.tsg(X, theta)
        for method in methods(D):
            assert_same(tsg(X, theta, method=method), expected)


@settings(deadline=None, max_examples=15)
@given(seed=st.integers(0, 2**32 - 1), D=st.sampled_from([4, 9, 64]), offset=st.sampled_from([0.0, 1e3, 1e9]))
def test_tsg_far_from_the_origin_and_with_far_outliers_equals_the_naive_one(seed, D, offset):
    rng = np.random.default_rng(seed)
    X = np.concatenate([blobs(rng, 60, D), lattice(rng, 60, D, 3), [[1e7] * D, [-1e-7] * D]]) + offset
    X = X[rng.integers(len(X), size=150)]  # some of them twice and more often
    for theta in (*thetas(rng, X), 0.0, 0.25, 1e6):
        expected = naive.tsg(X, theta)
        for method in methods(D):
            assert_same(tsg(X, theta, method=method), expected)


@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 2**32 - 1), D=st.sampled_from(DIMENSIONS), levels=st.sampled_from([2, 9]))
def test_the_nearest_of_many_centroids_on_a_lattice_equals_the_naive_one(seed, D, levels):
    rng = np.random.default_rng(seed)
    X, centroids = lattice(rng, 60, D, levels), lattice(rng, int(rng.integers(1, 60)), D, levels)
    centroids[0] *= rng.choice([1.0, 1e3, 1e12])
    expected = [
        min(range(len(centroids)), key=lambda k: (naive.squared_distance(x, centroids[k]), k)) for x in X.tolist()
    ]
    assert nearest(X, centroids).tolist() == expected


@settings(deadline=None, max_examples=25)
@given(seed=st.integers(0, 2**32 - 1), D=st.sampled_from(DIMENSIONS), on_lattice=st.booleans())
def test_tdg_equals_the_naive_one(seed, D, on_lattice):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 40))
    X = lattice(rng, n, D, 4) if on_lattice else blobs(rng, max(n, 2), D)
    theta = thetas(rng, X)[1]
    expected = naive.tdg(X, theta, [shuffled_order(len(X), 3, i) for i in range(5)])
    for method in methods(D):
        result = tdg(X, theta, shuffles=5, seed=3, method=method)
        assert_same(result, expected)
        assert result.run_counts.tolist() == expected[3]


@pytest.mark.parametrize("D", [1, 2, 3])
def test_tsg_with_thousands_of_clusters_is_the_same_by_every_method(D):
    rng = np.random.default_rng(D)
    X = np.concatenate([rng.uniform(0, 1, size=(6000, D)), lattice(rng, 2000, D, 60)])
    X = np.concatenate([X, [[1e6] * D]])  # an outlier: almost every point falls into one corner of the cells
    for theta in (0.0, 1e-4, 0.01, 0.125, 3.0):
        cells, blocks = (tsg(X, theta, method=m) for m in ("cells", "blocks"))
        np.testing.assert_array_equal(cells.labels, blocks.labels)
        np.testing.assert_array_equal(cells.centroids, blocks.centroids)


@pytest.mark.parametrize("D", [2, 3, 40])
def test_tdg_on_larger_data_is_the_same_by_every_method(D):
    X = blobs(np.random.default_rng(D), 3000, D)
    for theta in (0.05, 0.5, 2.0, 8.0):
        results = [tdg(X, theta, shuffles=3, method=m) for m in methods(D)]
        for other in results[1:]:
            np.testing.assert_array_equal(results[0].labels, other.labels)
            np.testing.assert_array_equal(results[0].centroids, other.centroids)


@pytest.mark.parametrize("patience", [0, 16])
def test_tdg_on_clusters_apart_is_the_same_whether_anchors_are_kept_or_given_up(monkeypatch, patience):
    monkeypatch.setattr(search, "_PATIENCE", patience)
    rng = np.random.default_rng(0)
    X = 40.0 * np.eye(30)[rng.integers(30, size=2000)] + lattice(rng, 2000, 30, 9)
    default, blocks = (tdg(X, 3.0, shuffles=4, method=m) for m in (None, "blocks"))
    np.testing.assert_array_equal(default.labels, blocks.labels)
    np.testing.assert_array_equal(default.centroids, blocks.centroids)
    np.testing.assert_array_equal(default.run_counts, blocks.run_counts)


@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 25), D=st.sampled_from([1, 2, 5]))
def test_chains_for_every_epsilon_equal_the_naive_ones(seed, n, D):
    rng = np.random.default_rng(seed)
    centroids = lattice(rng, n, D, 12)
    tree = spanning_tree(centroids)
    for epsilon in (0.0, 0.125, 0.25, 0.3, 1.0, 100.0):
        expected = naive.chain(centroids, epsilon)
        assert tree.cut(epsilon).tolist() == expected
        assert tree.count(epsilon) == len(set(expected))


def test_the_papers_chaining_example():
    # links 0-4, 4-5 and 1-2; 3 is alone
    centroids = [[0, 0], [10, 0], [10, 1], [20, 0], [0, 1], [0, 2]]
    assert spanning_tree(centroids).cut(1.5).tolist() == [0, 1, 1, 3, 0, 0]
    assert spanning_tree(centroids).count(1.5) == 3


def test_centroids_exactly_epsilon_apart_are_not_chained():
    assert spanning_tree([[0.0], [1.0]]).count(1.0) == 2
    assert spanning_tree([[0.0], [1.0]]).count(np.nextafter(1.0, 2.0)) == 1


def test_tnc_names_each_chain_after_its_smallest_centroid():
    X = blobs(np.random.default_rng(1), 200, 2)
    result = tnc(X, 0.4, 1.0, shuffles=5)
    chain = naive.chain(result.centroids, 1.0)
    assert result.chain.tolist() == chain
    assert result.labels.tolist() == [chain[k] for k in result.tdg.labels]
    assert result.n_clusters == len(set(chain))


def test_every_prefix_of_the_shuffles_equals_a_run_of_its_own():
    X = blobs(np.random.default_rng(2), 300, 2)
    counts = [1, 2, 7, 20]
    for count, prefix in zip(counts, tdg_prefixes(X, 0.8, counts, seed=5, agreement=True)):
        alone = tdg(X, 0.8, shuffles=count, seed=5, agreement=True)
        np.testing.assert_array_equal(prefix.labels, alone.labels)
        np.testing.assert_array_equal(prefix.run_counts, alone.run_counts)
        assert prefix.agreement == alone.agreement


@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 2**32 - 1), D=st.sampled_from([1, 2, 3, 8, 9, 20]), K=st.integers(1, 6))
def test_the_closest_pair_equals_the_naive_one(seed, D, K):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 80))
    X = lattice(rng, n, D, 20) if rng.random() < 0.3 else rng.normal(size=(n, D))
    labels = rng.integers(K, size=n)
    pair = closest_pair(X, labels)
    expected = naive.closest_pair(X.tolist(), labels.tolist())
    if pair is None:
        assert expected == np.inf
    else:
        assert labels[pair.i] != labels[pair.j]
        assert pair.distance == pytest.approx(expected, rel=1e-12)


@settings(deadline=None, max_examples=40)
@given(
    seed=st.integers(0, 2**32 - 1),
    D=st.sampled_from([1, 2, 3, 8, 9]),
    p=st.sampled_from([1.0, 2.0, 3.0, np.inf]),
)
def test_one_search_finds_the_closest_pair_of_many_clusterings(seed, D, p):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 120))
    X = lattice(rng, n, D, int(rng.integers(2, 30))) if rng.random() < 0.4 else blobs(rng, n, D)
    search = PairSearch(X, metric="minkowski", p=p).with_nearest()
    near = np.argsort(X[:, 0])  # clusters that touch along one axis, and far ones
    for labels in (rng.integers(5, size=n), np.arange(n), np.argsort(near) * 3 // n, np.argsort(near) * 3 // n + 7):
        pair = search.closest(labels)
        expected = naive.closest_pair(X.tolist(), labels.tolist(), p)
        assert (np.inf if pair is None else pair.distance) == pytest.approx(expected, rel=1e-12)
        assert pair is None or labels[pair.i] != labels[pair.j]
        assert pair == search.closest(labels[:]) == search.closest(labels.max() - labels)  # however they are numbered


def test_labels_far_apart_do_no_harm():
    X = np.array([[0.0], [1.0], [5.0]])
    assert PairSearch(X).with_nearest().closest([10**15, 10**15, -3]).distance == 4.0
