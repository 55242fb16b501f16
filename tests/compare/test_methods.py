"""Every method answers on every small data set; the threshold methods do what their papers say."""

import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from sklearn import cluster as sk
from sklearn.mixture import GaussianMixture

from tests.compare import naive
from theta_app import datasets
from theta_app.compare import METHODS, one_pass, start_values
from theta_app.engine import tdg, tnc, tsg
from theta_app.metrics import ari

SMALL = {
    "blobs": datasets.GridBlobs(side=3, per_cluster=20).dataset().X,
    "moons": datasets.Moons(per_shape=60).dataset().X,
    "iris": datasets.RealData("iris").dataset().X,
    "20 features": datasets.LineClusters(clusters=3, dimensions=20, per_cluster=8).dataset().X,
    "one column": datasets.RandomBlobs(clusters=3, dimensions=1, per_cluster=15).dataset().X,
    "one point": np.array([[1.0, 2.0]]),
    "two points": np.array([[0.0, 0.0], [3.0, 4.0]]),
    "one place": np.ones((12, 2)),
    "very large values": 1e9 * datasets.GridBlobs(side=2, per_cluster=10).dataset().X,
}
POINTS = hnp.arrays(np.int64, st.tuples(st.integers(1, 40), st.integers(1, 3)), elements=st.integers(-40, 40)).map(
    lambda X: X / 8  # eighths are exact in binary, so ties and distances equal to θ are real
)
LENGTHS = st.integers(0, 60).map(lambda n: n / 8)


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_every_method_labels_every_small_data_set_or_says_why_not(method):
    wrong = {name: fault for name, X in SMALL.items() if (fault := fault_of(method, name, X))}
    assert not wrong


def fault_of(method, name, X):
    """What is wrong with a method's answer on a data set; nothing, if nothing is."""
    parameters = method.start(start_values(X, theta=float(np.ptp(X)) / 4 or 1.0))
    try:
        outcome = method.run(X, 0, **parameters)
    except ValueError as error:
        if "not installed" in str(error):
            pytest.skip(str(error))
        if len(str(error)) <= 10:
            return f"a failure is told in a sentence, not as {error}"
        return "" if name in ("one point", "two points", "one place") else f"it should manage: {error}"
    labels, centroids = outcome.labels, outcome.centroids
    if labels.shape != (len(X),) or not np.issubdtype(labels.dtype, np.integer) or labels.min() < -1:
        return f"labels {labels.dtype} {labels.shape}, from {labels.min()}"
    if centroids is not None and (centroids.shape[1] != X.shape[1] or len(centroids) < outcome.n_clusters):
        return f"{centroids.shape} centroids of {outcome.n_clusters} clusters"
    return ""


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_every_method_says_what_it_is_and_opens_with_legal_parameters(method):
    assert method.about.endswith(".")
    assert method.source
    start = start_values(SMALL["blobs"], 3.0)
    parameters = method.start(start)
    assert method.check(parameters) == parameters
    assert all(setting.help and setting.label for setting in method.settings)


@pytest.mark.parametrize("method", [m for m in METHODS.values() if not m.random], ids=lambda m: m.key)
def test_a_method_that_draws_nothing_ignores_the_seed(method):
    X = SMALL["blobs"]
    parameters = method.start(start_values(X, 3.0))
    assert np.array_equal(method.run(X, 0, **parameters).labels, method.run(X, 1, **parameters).labels)


def test_a_wrong_parameter_is_refused_in_words():
    with pytest.raises(ValueError, match="θ must be a number"):
        METHODS["tsg"].run(SMALL["blobs"], 0, theta=-1)
    with pytest.raises(ValueError, match="TSG takes theta"):
        METHODS["tsg"].run(SMALL["blobs"], 0, epsilon=1)
    with pytest.raises(ValueError, match="Linkage must be one of"):
        METHODS["agglomerative"].run(SMALL["blobs"], 0, distance=1, linkage="nearest")
    with pytest.raises(ValueError, match="only 2 points"):
        METHODS["kmeans++"].run(SMALL["two points"], 0, k=3, starts=1)


def test_ours_are_the_engine():
    X = SMALL["blobs"]
    assert np.array_equal(METHODS["tsg"].run(X, 0, theta=3.0).labels, tsg(X, 3.0).labels)
    assert np.array_equal(METHODS["tdg"].run(X, 4, theta=3.0, shuffles=9).labels, tdg(X, 3.0, 9, 4).labels)
    chained = METHODS["tnc"].run(X, 4, theta=1.0, epsilon=2.0, shuffles=9)
    assert chained.n_clusters == tnc(X, 1.0, 2.0, 9, 4).n_clusters


def test_the_k_means_family_and_birch_are_scikit_learn_s():
    X = SMALL["iris"]
    for key, init in (("kmeans", "random"), ("kmeans++", "k-means++")):
        theirs = sk.KMeans(3, init=init, n_init=4, algorithm="elkan", random_state=7).fit(X)
        ours = METHODS[key].run(X, 7, k=3, starts=4)
        assert np.array_equal(ours.labels, theirs.labels_)
        assert np.array_equal(ours.centroids, theirs.cluster_centers_)
    theirs = sk.Birch(threshold=0.8, n_clusters=None).fit_predict(X)
    ours = METHODS["birch"].run(X, 0, threshold=0.8, branching=50, k=0).labels
    assert np.array_equal(np.unique(theirs, return_inverse=True)[1], ours)


@settings(deadline=None, max_examples=60)
@given(X=POINTS, theta=LENGTHS)
def test_leader_is_the_first_point_of_its_cluster_and_never_moves(X, theta):
    labels, leaders = one_pass.leader(X, theta)
    expected_labels, expected_leaders = naive.leader(X.tolist(), theta)
    assert labels.tolist() == expected_labels
    assert leaders.tolist() == expected_leaders


@settings(deadline=None, max_examples=60)
@given(X=POINTS, theta=LENGTHS, limit=st.integers(1, 8))
def test_bsas_makes_no_more_clusters_than_its_limit(X, theta, limit):
    labels, _ = one_pass.bsas(X, theta, limit)
    assert labels.tolist() == naive.bsas(X.tolist(), theta, limit)
    assert labels.max() < limit


@settings(deadline=None, max_examples=60)
@given(X=POINTS, theta=LENGTHS)
def test_bsas_with_room_enough_is_tsg(X, theta):
    labels, means = one_pass.bsas(X, theta, len(X))
    result = tsg(X, theta)
    assert labels.tolist() == result.labels.tolist()
    assert np.allclose(means, result.centroids)


@settings(deadline=None, max_examples=60)
@given(X=POINTS, theta=LENGTHS)
def test_quickbundles_rule_leaves_a_point_exactly_at_theta_alone(X, theta):
    assert one_pass.quickbundles_rule(X, theta)[0].tolist() == naive.quickbundles(X.tolist(), theta)


def test_the_boundary_tells_quickbundles_from_tsg():
    X = np.array([[0.0], [2.0]])
    assert one_pass.quickbundles_rule(X, 2.0)[0].tolist() == [0, 1]
    assert tsg(X, 2.0).labels.tolist() == [0, 0]


@settings(deadline=None, max_examples=60)
@given(X=POINTS, theta=LENGTHS, distance=LENGTHS)
def test_sl_links_leaders_that_are_close_enough(X, theta, distance):
    labels, centroids = one_pass.leaders_single_linkage(X, theta, distance)
    assert labels.tolist() == naive.sl(X.tolist(), theta, distance)
    assert centroids is None


@pytest.mark.parametrize("theta", [0.7, 1.5, 3.0])
def test_dipy_s_quickbundles_gives_tsg_s_labels_on_continuous_points(theta):
    pytest.importorskip("dipy", reason="DIPY is not installed: pip install dipy")
    X = np.random.default_rng(3).normal(size=(2000, 2)) * 3
    labels, centroids = one_pass.dipy_quickbundles(X, theta)
    ours = tsg(X, theta)
    assert np.array_equal(labels, ours.labels)
    assert np.allclose(centroids, ours.centroids, atol=1e-4)
    outcome = METHODS["quickbundles"].run(X, 0, theta=theta)
    assert outcome.note == "Ran in DIPY."


def test_without_dipy_quickbundles_runs_by_its_rule_and_says_so(monkeypatch):
    def missing(X, theta):
        raise ImportError

    monkeypatch.setattr(one_pass, "dipy_quickbundles", missing)
    X = SMALL["blobs"]
    outcome = METHODS["quickbundles"].run(X, 0, theta=3.0)
    assert np.array_equal(outcome.labels, one_pass.quickbundles_rule(X, 3.0)[0])
    assert "DIPY is not installed" in outcome.note
    many = METHODS["quickbundles"].run(SMALL["20 features"], 0, theta=3.0)
    assert "at most 3 coordinates" in many.note


def test_without_faiss_its_k_means_says_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "faiss", None)
    with pytest.raises(ValueError, match="FAISS is not installed"):
        METHODS["faiss"].run(SMALL["blobs"], 0, k=9, starts=1)


def test_faiss_finds_far_and_large_clusters_in_single_precision():
    pytest.importorskip("faiss", reason="FAISS is not installed: pip install faiss-cpu")
    X = 1e9 + datasets.GridBlobs(side=2, per_cluster=20).dataset().X
    found = METHODS["faiss"].run(X, 0, k=4, starts=20)
    told = METHODS["kmeans"].run(X, 0, k=4, starts=20)
    assert ari(found.labels, told.labels) == 1
    assert np.allclose(np.sort(found.centroids, axis=0), np.sort(told.centroids, axis=0), rtol=0, atol=1e-3)


def test_a_gaussian_mixture_is_told_k_or_takes_the_least_bic():
    X = datasets.GridBlobs(side=2, per_cluster=30).dataset().X
    told = METHODS["mixture"].run(X, 0, k=2, most=10, starts=1)
    assert (told.n_clusters, told.note) == (2, "")
    found = METHODS["mixture"].run(X, 0, k=0, most=16, starts=1)
    bic = {k: GaussianMixture(k, random_state=0).fit(X).bic(X) for k in (3, 4, 5)}
    assert found.n_clusters == min(bic, key=bic.get) == 4
    assert found.note.startswith("K by BIC: the best of")


def test_a_gaussian_mixture_does_not_change_with_the_units():
    X, parameters = SMALL["iris"], {"k": 3, "most": 8, "starts": 1}
    labels = [METHODS["mixture"].run(scale * X, 0, **parameters).labels for scale in (2.0**-30, 1.0, 2.0**30)]
    assert np.array_equal(labels[0], labels[1])
    assert np.array_equal(labels[1], labels[2])


def test_optics_is_scikit_learn_s():
    X = SMALL["moons"]
    found = METHODS["optics"].run(X, 0, neighbours=5, steepness=0.05, smallest=10)
    theirs = sk.OPTICS(min_samples=5, xi=0.05, min_cluster_size=10).fit_predict(X)
    assert np.array_equal(found.labels, theirs)


def test_noise_is_not_counted_as_a_cluster():
    X = np.vstack([SMALL["blobs"], [[500.0, 500.0]]])
    outcome = METHODS["dbscan"].run(X, 0, eps=3.0, neighbours=5)
    assert outcome.labels[-1] == -1
    assert outcome.n_clusters == len(set(outcome.labels[:-1].tolist()) - {-1})
    assert outcome.note.startswith("1 point")


@pytest.mark.parametrize("theta", [0.0, 0.5, 1.25, 9.0])
def test_the_plain_reading_of_tsg_and_tdg_finds_what_the_engine_finds(theta):
    X = np.random.default_rng(3).integers(-16, 16, size=(120, 2)) / 8.0  # eighths: ties are real
    engine, plain = METHODS["tsg"].run(X, theta=theta), METHODS["plain-tsg"].run(X, theta=theta)
    np.testing.assert_array_equal(plain.labels, engine.labels)
    engine, plain = (METHODS[key].run(X, 2, theta=theta, shuffles=7) for key in ("tdg", "plain-tdg"))
    np.testing.assert_array_equal(plain.labels, engine.labels)
    np.testing.assert_allclose(plain.centroids, engine.centroids)
