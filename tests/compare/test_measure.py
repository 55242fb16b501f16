"""One measurement: what is found, scored and timed, and what is said where there is nothing."""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from sklearn import metrics as sk
from threadpoolctl import threadpool_info

from theta_app import datasets, metrics
from theta_app.compare import ELBOW, METHODS, Outcome, Variant, measure, start_values
from theta_app.compare.measure import FAILED, LEFT_OUT, OK, _one_thread
from theta_app.engine import silhouette_sample, tdg
from theta_app.selection import size_elbow

GRID = datasets.load(datasets.GridBlobs(side=3, spacing=8.0, per_cluster=30))
TSG = Variant.of("tsg", theta=5.0)


@pytest.mark.parametrize("method", ["tsg", "tdg", "kmeans++", "birch", "hdbscan", "spectral", "single"])
def test_scores_equal_scikit_learn_s(method):
    parameters = METHODS[method].start(start_values(GRID.X, 5.0, 9))
    found = measure(Variant.of(method, **parameters), GRID.X, 0, GRID.truth)
    assert found.status == OK, found.note
    assert set(found.scores) == set(metrics.SCORES)
    labels, truth = found.labels, GRID.truth
    assert found.scores["nmi"] == pytest.approx(sk.normalized_mutual_info_score(truth, labels))
    assert found.scores["ari"] == pytest.approx(sk.adjusted_rand_score(truth, labels))
    assert found.scores["ami"] == pytest.approx(sk.adjusted_mutual_info_score(truth, labels))
    assert found.scores["homogeneity"] == pytest.approx(sk.homogeneity_score(truth, labels))
    assert found.scores["completeness"] == pytest.approx(sk.completeness_score(truth, labels))
    assert found.scores["silhouette"] == pytest.approx(sk.silhouette_score(GRID.X, labels))
    assert found.scores["davies_bouldin"] == pytest.approx(sk.davies_bouldin_score(GRID.X, labels))


def test_a_measurement_says_what_ran_and_what_it_found():
    found = measure(Variant.of("tdg", "TDG, wide", theta=5.0, shuffles=10), GRID.X, 3)
    assert (found.label, found.method, found.parameters) == ("TDG, wide", "tdg", "θ 5, Shuffles 10")
    expected = tdg(GRID.X, 5.0, 10, 3)
    assert found.labels.tolist() == expected.labels.tolist()
    assert np.array_equal(found.centroids, expected.centroids)
    assert found.n_clusters == len(expected.sizes)
    assert found.elbow == size_elbow(expected.sizes)
    assert np.isnan(found.scores["nmi"]), "a score that needs the truth is undefined without it"
    assert found.seconds > 0
    assert not found.failed


def test_only_the_scores_that_are_asked_for_are_taken():
    assert list(measure(TSG, GRID.X, truth=GRID.truth, scores=["ari", "nmi"]).scores) == ["ari", "nmi"]


def test_silhouettes_are_of_the_sample_that_is_given():
    few = silhouette_sample(GRID.X, 40)
    found = measure(TSG, GRID.X, scores=["silhouette"], sample=few)
    assert found.scores["silhouette"] == few.score(found.labels) != measure(TSG, GRID.X).scores["silhouette"]


def test_points_are_visited_in_the_order_given_and_labelled_in_the_order_of_the_rows():
    backwards = np.arange(len(GRID.X))[::-1]
    found = measure(TSG, GRID.X, order=backwards)
    assert found.labels[::-1].tolist() == METHODS["tsg"].run(GRID.X[::-1], 0, theta=5.0).labels.tolist()


def test_a_method_may_run_on_more_points_than_are_scored():
    rows = np.arange(0, 90)  # the first three clusters
    found = measure(TSG, GRID.X, truth=GRID.truth, rows=rows, scores=["nmi"])
    everything = measure(TSG, GRID.X, truth=GRID.truth)
    assert found.labels.tolist() == everything.labels[rows].tolist()
    assert found.n_clusters == len(np.unique(found.labels))
    assert found.scores["nmi"] == metrics.nmi(GRID.truth[rows], found.labels)


def test_a_wider_tolerance_finds_more_centroids_and_none_are_found_exactly_where_clusters_overlap():
    data = datasets.load(datasets.GridBlobs(side=4, spacing=3.0, per_cluster=50))
    variant = Variant.of("tdg", theta=2.2, shuffles=20)
    found = [measure(variant, data.X, 0, data.truth, tolerance=tolerance).scores for tolerance in (0.05, 0.5, 5.0)]
    assert found[0]["ssd"] < found[1]["ssd"] <= found[2]["ssd"] == 1
    assert all(scores["ssd_exact"] == 0 for scores in found)


def test_the_largest_clusters_can_be_kept():
    data = datasets.load(datasets.Bundled("s1"))
    whole, fifteen, cut = (
        measure(Variant.of("tdg", keep=keep, theta=1e5, shuffles=10), data.X, 0, data.truth, scores=["nmi"])
        for keep in (None, 15, ELBOW)
    )
    assert whole.n_clusters > 15 == fifteen.n_clusters
    assert fifteen.scores["nmi"] > whole.scores["nmi"]
    assert cut.n_clusters == whole.elbow
    assert fifteen.note == f"Kept the 15 largest of {whole.n_clusters} clusters."


def test_what_is_kept_of_chains_and_of_noise_is_kept_by_their_means():
    for method, parameters in (
        ("tnc", {"theta": 1.0, "epsilon": 2.0, "shuffles": 5}),
        ("dbscan", {"eps": 1.0, "neighbours": 5}),
    ):
        found = measure(Variant.of(method, keep=3, **parameters), GRID.X)
        assert found.n_clusters == len(found.centroids) == 3
        assert (found.labels >= 0).all()


def test_noise_is_no_cluster_and_has_no_centroid():
    X = np.vstack([GRID.X, [[500.0, 500.0]]])
    found = measure(Variant.of("dbscan", eps=3.0, neighbours=5), X)
    assert found.labels[-1] == -1
    assert found.n_clusters == len(found.centroids) == len(np.unique(found.labels)) - 1
    alone = measure(Variant.of("dbscan", eps=0.1, neighbours=50), X)
    assert (alone.n_clusters, alone.elbow, alone.centroids.shape) == (0, 0, (0, 2))


# ---- where there is no result ---------------------------------------------------------------------------------------


def run_instead(monkeypatch, function):
    """Every method does nothing but ``function()``."""
    monkeypatch.setattr("theta_app.compare.methods.Method.run", lambda *args, **kwargs: function())


@pytest.mark.parametrize(
    ("error", "note"),
    [
        (ValueError("θ is too small."), "θ is too small."),
        (LookupError("Not here."), "Not here."),
        (MemoryError(), "It needs more memory than there is."),
        (RuntimeError("inside"), "RuntimeError: inside"),
        (np.linalg.LinAlgError("singular"), "singular"),
    ],
)
def test_a_method_that_cannot_run_says_why(error, note, monkeypatch):
    def run():
        raise error

    run_instead(monkeypatch, run)
    found = measure(TSG, GRID.X, truth=GRID.truth)
    assert (found.status, found.note, found.failed) == (FAILED, note, True)
    assert found.labels is found.centroids is found.n_clusters is found.elbow is None
    assert np.isnan([found.seconds, *found.scores.values()]).all()
    assert found.parameters == "θ 5"


def test_what_is_left_out_does_not_run(monkeypatch):
    monkeypatch.setattr("theta_app.compare.methods.Method.run", None)
    found = measure(Variant.of("tsg", theta=5.0, left_out="too long"), GRID.X)
    assert (found.status, found.note, found.failed) == (LEFT_OUT, "too long", True)


# ---- time -----------------------------------------------------------------------------------------------------------


def test_time_is_the_processor_s_for_this_thread_and_not_what_a_clock_shows(monkeypatch):
    def busy():
        end = time.thread_time() + 0.3
        while time.thread_time() < end:
            pass

    def wait_for_a_busy_neighbour():
        neighbour = threading.Thread(target=busy)
        neighbour.start()
        neighbour.join()
        return Outcome(np.zeros(len(GRID.X), int))

    run_instead(monkeypatch, wait_for_a_busy_neighbour)
    assert measure(TSG, GRID.X, scores=[]).seconds < 0.15


def blas_threads():
    return [library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"]


def entered(context):
    """Enter a context in a thread of its own; returns what ends it there."""
    inside, leave = threading.Event(), threading.Event()

    def hold():
        with context:
            inside.set()
            leave.wait(30)

    thread = threading.Thread(target=hold)
    thread.start()
    assert inside.wait(30)
    return lambda: (leave.set(), thread.join())


def test_libraries_have_one_thread_until_the_last_measurement_ends_whichever_thread_that_is_in():
    """In a process of its own: here libraries have one thread anyway (tests/conftest.py)."""
    code = "from tests.compare import test_measure; test_measure.measure_in_several_threads()"
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "2"}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment, cwd=Path(__file__).parents[2])


def measure_in_several_threads():
    before = blas_threads()
    assert before
    assert set(before) == {2}
    for _ in range(2):  # and again, after other threads have had their turn
        with _one_thread():
            end_second = entered(_one_thread())
            assert set(blas_threads()) <= {1}
        assert set(blas_threads()) <= {1}, "the second still runs"
        end_third = entered(_one_thread())
        end_second()
        assert set(blas_threads()) <= {1}, "the third still runs"
        end_third()
        assert blas_threads() == before


# ---- variants -------------------------------------------------------------------------------------------------------


def test_a_variant_says_its_parameters():
    assert Variant.of("birch", threshold=0.5, branching=50, k=0).in_words == "Threshold 0.5, Branching 50"
    assert Variant.of("birch", threshold=0.5, branching=50, k=3).in_words.endswith("Clusters K 3")
    assert Variant.of("agglomerative", distance=2, linkage="single").in_words == "Distance 2, Linkage single"
    assert Variant.of("tsg", theta=1.0, words="as it was").in_words == "as it was"


def test_an_outcome_counts_clusters_without_noise():
    assert Outcome(np.array([0, -1, 3, 3])).n_clusters == 2
