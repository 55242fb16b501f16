"""TSG, TDG and TNC at their boundaries, and what they promise beside labels."""

import itertools
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from tests import naive
from theta_app.engine import (
    Cancelled,
    blocks,
    cells,
    closest_pair,
    nearest,
    shuffled_order,
    silhouette_sample,
    spanning_tree,
    tdg,
    tnc,
    tsg,
)
from theta_app.engine.agreement import adjusted_rand
from theta_app.engine.members import _members as members
from theta_app.engine.pairs import _closest
from theta_app.engine.search import largest_square
from theta_app.engine.spanning_tree import _prim


def blobs(seed=0, n=600, D=2, K=12):
    rng = np.random.default_rng(seed)
    return rng.uniform(0, 20, size=(K, D))[rng.integers(K, size=n)] + rng.normal(scale=0.6, size=(n, D))


def sparse(seed=0, D=2):
    """Clusters of diameter below 2, at least 8 apart: θ-sparse for θ between."""
    rng = np.random.default_rng(seed)
    centres = 10.0 * np.stack(np.meshgrid(*[np.arange(3)] * 2), axis=-1).reshape(-1, 2)
    X = np.zeros((180, D))
    truth = rng.permutation(np.repeat(np.arange(9), 20))
    X[:, :2] = centres[truth]
    step = rng.normal(size=(180, D))
    return X + step / np.linalg.norm(step, axis=1, keepdims=True) * rng.uniform(0, 0.99, size=(180, 1)), truth


def partition(labels):
    return {frozenset(np.flatnonzero(labels == k).tolist()) for k in np.unique(labels)}


@pytest.mark.parametrize("D", [2, 3, 30])
def test_on_sparse_data_the_order_has_no_effect(D):  # Theorem 1
    X, truth = sparse(D=D)
    for i in range(20):
        assert partition(tsg(X, 4.0, shuffled_order(len(X), 0, i)).labels) == partition(truth)
    assert tdg(X, 4.0, shuffles=10, agreement=True).agreement == 1.0


def test_a_point_exactly_at_theta_joins():
    assert tsg([[0.0], [0.5]], 0.5).sizes.tolist() == [2]
    assert tsg([[0.0], [0.5]], np.nextafter(0.5, 0.0)).sizes.tolist() == [1, 1]


def test_the_root_decides_not_the_square_of_theta():
    theta = 0.1 + 0.2  # its square, rounded, is below the largest square whose root is still θ
    assert np.sqrt(largest_square(theta)) <= theta < np.sqrt(np.nextafter(largest_square(theta), 1.0))


def test_a_tie_goes_to_the_older_cluster():
    assert tsg([[0.0], [2.0], [1.0]], 1.0).labels.tolist() == [0, 1, 0]


def test_twenty_shuffles_are_the_first_twenty_of_fifty():
    X = blobs()
    twenty, fifty = tdg(X, 1.5, shuffles=20, seed=4), tdg(X, 1.5, shuffles=50, seed=4)
    assert twenty.run_counts.tolist() == fifty.run_counts[:20].tolist()


def test_an_order_depends_on_its_number_and_seed_alone():
    orders = {(seed, i): shuffled_order(50, seed, i).tolist() for seed in (0, 1) for i in range(3)}
    assert all(sorted(order) == list(range(50)) for order in orders.values())
    assert len({tuple(order) for order in orders.values()}) == 6
    assert shuffled_order(50, 1, 2).tolist() == orders[1, 2]
    # orders never change between versions: links and notebooks rely on them
    assert shuffled_order(8, 0, 0).tolist() == [4, 2, 5, 1, 6, 7, 3, 0]


@pytest.mark.parametrize("D", [2, 5, 40])
def test_the_number_of_threads_changes_nothing(D):
    X = blobs(D=D)
    one, two, eight = (tdg(X, 2.0, shuffles=12, n_jobs=j, agreement=True) for j in (1, 2, 8))
    for other in (two, eight):
        np.testing.assert_array_equal(one.labels, other.labels)
        np.testing.assert_array_equal(one.centroids, other.centroids)
        assert one.agreement == other.agreement


def test_eight_threads_may_call_at_once():
    sets = [blobs(seed, D=D) for seed, D in enumerate([2, 3, 5, 40] * 4)]
    alone = [tdg(X, 2.0, shuffles=6) for X in sets]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda X: tdg(X, 2.0, shuffles=6, n_jobs=2), sets))
    for a, b in zip(alone, together):
        np.testing.assert_array_equal(a.labels, b.labels)


@pytest.mark.parametrize("D", [1, 2, 7, 50])
def test_theta_zero_groups_exact_duplicates(D):
    rng = np.random.default_rng(0)
    distinct = rng.normal(size=(40, D))
    which = rng.integers(40, size=300)
    assert partition(tsg(distinct[which], 0.0).labels) == partition(which)


@pytest.mark.parametrize("D", [1, 2, 7, 50])
def test_theta_beyond_the_diameter_gives_one_cluster(D):
    X = blobs(D=D)
    for theta in (1e6, 1e200, 1.7e308):
        assert tdg(X, theta, shuffles=3).sizes.tolist() == [len(X)]


@pytest.mark.parametrize("D", [1, 2, 7, 50])
def test_one_point_and_equal_points(D):
    assert tdg(np.ones((1, D)), 1.0, shuffles=3).centroids.tolist() == [[1.0] * D]
    for theta in (0.0, 1.0):
        result = tdg(np.full((10_000, D), 0.5), theta, shuffles=2)
        assert result.sizes.tolist() == [10_000]
        assert result.centroids.tolist() == [[0.5] * D]


@pytest.mark.parametrize("scale", [1e150, 1e-150, 1e300, 1e-300])
@pytest.mark.parametrize("D", [2, 20])
def test_extreme_coordinates_are_grouped_as_ordinary_ones(scale, D):
    X = np.round(blobs(D=D) * 64) / 64
    power = 2.0 ** np.round(np.log2(scale))  # a power of two: the same digits, other exponents
    ordinary, extreme = tdg(X, 1.5, shuffles=4), tdg(X * power, 1.5 * power, shuffles=4)
    np.testing.assert_array_equal(ordinary.labels, extreme.labels)
    np.testing.assert_array_equal(ordinary.centroids * power, extreme.centroids)


@pytest.mark.parametrize("kind", ["float32", "int64", "uint8", "fortran", "read-only", "list", "strided"])
def test_any_array_of_numbers_will_do_and_is_never_changed(kind):
    plain = np.round(blobs(D=3) * 4)
    given = {
        "float32": lambda: plain.astype(np.float32),
        "int64": lambda: plain.astype(np.int64),
        "uint8": lambda: np.abs(plain).astype(np.uint8),
        "fortran": lambda: np.asfortranarray(plain),
        "read-only": lambda: plain.copy(),
        "list": lambda: plain.tolist(),
        "strided": lambda: np.repeat(plain, 2, axis=0)[::2],
    }[kind]()
    if kind == "read-only":
        given.flags.writeable = False
    before = np.array(given)
    expected = tdg(np.ascontiguousarray(before, dtype=float), 4.0, shuffles=3)
    np.testing.assert_array_equal(tdg(given, 4.0, shuffles=3).labels, expected.labels)
    np.testing.assert_array_equal(np.array(given), before)


@pytest.mark.parametrize("D", [2, 12])
def test_kernels_are_compiled_once_for_arrays_that_may_and_may_not_be_written_to(D):
    kernels = [
        cells.tsg_cells,
        cells.nearest_cells,
        blocks.tsg_blocks,
        blocks.nearest_blocks,
    ]
    kernels += [members, _closest, _prim]
    frozen = blobs(D=D)
    frozen.flags.writeable = False
    for X in (blobs(D=D), frozen):
        result = tnc(X, 2.0, 3.0, shuffles=2)
        closest_pair(X, result.labels)
        spanning_tree(X[:20])
    assert {kernel.py_func.__name__: len(kernel.signatures) for kernel in kernels if len(kernel.signatures) > 1} == {}


BAD_DISTANCES = [float("nan"), float("inf"), -1.0, -1e-300, "2", None, True, 1j]


@pytest.mark.parametrize("value", BAD_DISTANCES)
def test_a_theta_that_is_no_distance_is_refused(value):
    for call in (tsg, tdg):
        with pytest.raises(ValueError, match="theta must be a finite number, 0 or more"):
            call([[0.0]], value)


@pytest.mark.parametrize("value", BAD_DISTANCES)
def test_an_epsilon_that_is_no_distance_is_refused(value):
    with pytest.raises(ValueError, match="epsilon must be a finite number, 0 or more"):
        tnc([[0.0]], 1.0, value)


@pytest.mark.parametrize(
    ("X", "message"),
    [
        ([[0.0, np.nan]], "X must be finite, got nan at row 0, column 1"),
        ([[0.0], [np.inf]], "X must be finite, got inf at row 1, column 0"),
        (np.empty((0, 2)), "at least one point"),
        (np.empty((3, 0)), "at least one point"),
        ([1.0, 2.0], "two dimensions"),
        (np.zeros((2, 2, 2)), "two dimensions"),
        ([["a", "b"]], "array of numbers"),
    ],
)
def test_unusable_data_is_refused_with_a_reason(X, message):
    for call in (tsg, tdg):
        with pytest.raises(ValueError, match=message):
            call(X, 1.0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"shuffles": 0}, "shuffles must be a whole number, 1 or more, got 0"),
        ({"shuffles": 2.5}, "shuffles must be a whole number"),
        ({"seed": -1}, "seed must be a whole number, 0 or more, got -1"),
        ({"n_jobs": 0}, "n_jobs must be"),
    ],
)
def test_other_arguments_are_checked_too(arguments, message):
    with pytest.raises(ValueError, match=message):
        tdg([[0.0]], 1.0, **arguments)


def test_an_order_must_list_each_point_once():
    for order in ([0, 0], [0], [0.0, 1.0], [1, 2]):
        with pytest.raises(ValueError, match="order must list each of the 2 points once"):
            tsg([[0.0], [1.0]], 1.0, order)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_progress_counts_shuffles_in_the_calling_thread(n_jobs):
    seen = []
    tdg(blobs(), 1.5, shuffles=7, n_jobs=n_jobs, progress=lambda *a: seen.append((a, threading.get_ident())))
    assert [a for a, _ in seen] == [(i, 7) for i in range(1, 8)]
    assert {thread for _, thread in seen} == {threading.get_ident()}


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_an_exception_in_progress_stops_the_work(n_jobs):
    class StopHere(Exception):
        pass

    def progress(done, total):
        if done == 3:
            raise StopHere

    threads = threading.active_count()
    with pytest.raises(StopHere):
        tdg(blobs(), 1.5, shuffles=1000, n_jobs=n_jobs, progress=progress)
    assert threading.active_count() == threads


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_set_cancel_stops_between_shuffles(n_jobs):
    cancel = threading.Event()
    done = []

    def progress(finished, total):
        done.append(finished)
        cancel.set()

    with pytest.raises(Cancelled):
        tdg(blobs(), 1.5, shuffles=1000, n_jobs=n_jobs, progress=progress, cancel=cancel)
    assert len(done) < 20


def test_agreement_is_the_mean_rand_index_of_consecutive_runs():
    from sklearn.metrics import adjusted_rand_score

    X = blobs()
    runs = [tsg(X, 1.5, shuffled_order(len(X), 0, i)).labels for i in range(6)]
    expected = np.mean([adjusted_rand_score(a, b) for a, b in itertools.pairwise(runs)])
    assert tdg(X, 1.5, shuffles=6, agreement=True).agreement == pytest.approx(expected)


def test_the_rand_index_equals_scikit_learns():
    from sklearn.metrics import adjusted_rand_score

    rng = np.random.default_rng(0)
    for K, L, n in [(1, 1, 5), (5, 1, 40), (7, 9, 300), (300, 300, 300), (1, 1, 1)]:
        a, b = rng.integers(K, size=n).astype(np.int32), rng.integers(L, size=n).astype(np.int32)
        assert adjusted_rand(a, b, K, L) == pytest.approx(adjusted_rand_score(a, b))


def test_the_silhouette_equals_scikit_learns():
    from sklearn.metrics import silhouette_score

    X = blobs(n=120)
    for theta in (0.3, 1.0, 3.0):
        labels = tsg(X, theta).labels
        assert silhouette_sample(X).score(labels) == pytest.approx(silhouette_score(X, labels))


def test_an_undefined_silhouette_is_not_a_number():
    sample = silhouette_sample(blobs(n=50))
    assert np.isnan(sample.score(np.zeros(50)))
    assert np.isnan(sample.score(np.arange(50)))


@pytest.mark.parametrize("D", [1, 2, 3, 5, 12])
def test_nearest_equals_looking_at_every_centroid(D):
    X = blobs(n=400, D=D)
    for centroids in (X[:1], X[:7], X[::5], np.vstack([X[:9], X[:9]])):
        squares = ((X[:, None] - centroids[None]) ** 2).sum(axis=2)
        assert np.array_equal(nearest(X, centroids), squares.argmin(axis=1))
        assert np.array_equal(nearest(X * 2.0**520, centroids * 2.0**520), squares.argmin(axis=1))


def test_nearest_says_what_does_not_fit():
    with pytest.raises(ValueError, match="2 features"):
        nearest(np.zeros((3, 2)), np.zeros((3, 4)))


def test_tdg_merges_what_theta_exceeds_and_its_runs_show_it():
    rng = np.random.default_rng(0)
    X = np.repeat(1.6 * np.arange(20)[:, None] * np.ones(200), 30, axis=0) + rng.normal(size=(600, 200))
    result = tdg(X, 1.6 * np.sqrt(200) * 1.15, shuffles=5)
    assert len(result.sizes) < np.median(result.run_counts)


def test_the_naive_reading_knows_the_papers_example():
    centroids = [[0, 0], [10, 0], [10, 1], [20, 0], [0, 1], [0, 2]]
    assert naive.chain(centroids, 1.5) == [0, 1, 1, 3, 0, 0]
    assert spanning_tree([[3.0]]).cut(1.0).tolist() == [0]
