"""Steps run in a process of their own: results come, failures and slow methods stop nobody, nothing goes on unseen."""

import gc
import time

import numpy as np
import pytest
from sklearn import metrics as sk

from theta_app import datasets
from theta_app.compare import METHODS
from theta_app.compare.bench import Bench
from theta_app.compare.measure import COLUMNS, FAILED, OK, OVER, Step, entry
from theta_app.compare.running import Run, Worker
from theta_app.compare.worker import UNWANTED

SPEC = datasets.GridBlobs(side=3, spacing=8.0, per_cluster=30)
TSG = entry("tsg", theta=5.0)
SLOW = entry("kmeans", k=300, starts=500)  # half a minute at least
SLOW_SPEC = datasets.Noise(n=8000)

pytestmark = pytest.mark.xdist_group("compare")


def finished(run, seconds=60):
    found, end = [], time.monotonic() + seconds
    while run.active:
        assert time.monotonic() < end, "the run did not end"
        found += run.poll()
        time.sleep(0.05)
    return found


def wait_until(condition, seconds=30):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_a_failure_and_a_slow_method_have_their_rows_and_stop_nobody():
    steps = [
        Step("small", SPEC, 0, TSG, picture=True),
        Step("small", SPEC, 0, entry("kmeans++", k=9999, starts=1)),
        Step("large", SLOW_SPEC, 0, SLOW),
        Step("small", SPEC, 0, entry("kmeans++", k=9, starts=2)),
        Step("missing", "no such points", 0, TSG),
    ]
    rows = {step: (row, picture) for step, row, picture in finished(Run(steps, budget=3.0))}
    assert [rows[step][0]["status"] for step in steps] == [OK, FAILED, OVER, OK, FAILED]
    assert rows[steps[0]][1].labels.shape == (270,)
    assert "only 270 points" in rows[steps[1]][0]["note"]
    assert "Given up after 3 seconds" in rows[steps[2]][0]["note"]
    assert all(set(row) == set(COLUMNS) for row, _ in rows.values())


def test_stopping_ends_the_process_at_once():
    run = Run([Step("large", SLOW_SPEC, 0, SLOW)], budget=100.0)
    wait_until(lambda: run.poll() == [] and run.current is not None)
    process = run._worker.process
    run.stop()
    assert process.poll() is not None
    assert not run.active


def test_a_run_that_is_forgotten_takes_its_process_along():
    run = Run([Step("large", SLOW_SPEC, 0, SLOW)], budget=100.0)
    run.poll()
    process = run._worker.process
    del run
    gc.collect()
    wait_until(lambda: process.poll() is not None, 5)


def test_a_worker_nobody_asks_for_ends_by_itself_and_the_run_takes_its_step_up_again():
    run = Run([Step("small", SPEC, 0, TSG)], budget=100.0)
    run._have_worker()
    run._worker.end()
    run._worker = worker = Worker(patience=0.2)
    wait_until(lambda: worker.process.poll() is not None)
    assert worker.process.poll() == UNWANTED
    ((_, row, _),) = finished(run)
    assert row["status"] == OK


def test_points_that_no_spec_describes_are_handed_over():
    X = SPEC.dataset().X
    ((_, row, _),) = finished(Run([Step("mine", "key", 0, TSG)], 60.0, points=("key", X, None)))
    assert row["n_clusters"] == 9
    assert row["true_clusters"] is None
    assert np.isnan(row["nmi"])


# ---- one measurement ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["tsg", "tdg", "kmeans++", "birch", "hdbscan"])
def test_scores_equal_scikit_learn_s(method):
    from theta_app.compare import start_values

    data = datasets.load(SPEC)
    parameters = METHODS[method].start(start_values(data.X, 5.0, 9))
    row, picture = Bench().measure(Step("small", SPEC, 0, entry(method, **parameters), picture=True))
    labels = picture.labels
    assert row["status"] == OK, row["note"]
    assert row["nmi"] == pytest.approx(sk.normalized_mutual_info_score(data.truth, labels))
    assert row["ari"] == pytest.approx(sk.adjusted_rand_score(data.truth, labels))
    assert row["ami"] == pytest.approx(sk.adjusted_mutual_info_score(data.truth, labels))
    assert row["homogeneity"] == pytest.approx(sk.homogeneity_score(data.truth, labels))
    assert row["completeness"] == pytest.approx(sk.completeness_score(data.truth, labels))
    assert row["silhouette"] == pytest.approx(sk.silhouette_score(data.X, labels))
    assert row["davies_bouldin"] == pytest.approx(sk.davies_bouldin_score(data.X, labels))


def test_labels_come_back_in_the_order_of_the_data_whatever_order_was_visited():
    data = datasets.load(SPEC)
    for shuffle in (True, False):
        _, picture = Bench().measure(Step("small", SPEC, 5, TSG, shuffle=shuffle, picture=True))
        moved = datasets.load(datasets.GridBlobs(3, 8.0, 30, seed=5))
        assert sk.adjusted_rand_score(moved.truth, picture.labels) > 0.95
    assert not np.array_equal(data.X, moved.X), "another repeat draws other points"


def test_a_wider_tolerance_finds_more_centroids_and_none_are_found_exactly_where_clusters_overlap():
    spec = datasets.GridBlobs(side=4, spacing=3.0, per_cluster=50)
    found = [
        Bench().measure(Step("dense", spec, 0, entry("tdg", theta=2.2, shuffles=20), tolerance=tolerance))[0]
        for tolerance in (0.05, 0.5, 5.0)
    ]
    assert found[0]["ssd"] < found[1]["ssd"] <= found[2]["ssd"] == 1
    assert all(row["ssd_exact"] == 0 for row in found)


def test_the_largest_clusters_can_be_kept():
    spec = datasets.Bundled("s1")
    rows = [
        Bench().measure(Step("s1", spec, 0, entry("tdg", keep=keep, theta=1e5, shuffles=10)))[0] for keep in (None, 15)
    ]
    assert rows[0]["n_clusters"] > 15 == rows[1]["n_clusters"]
    assert rows[1]["nmi"] > rows[0]["nmi"]
