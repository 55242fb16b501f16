"""Steps run in a process of their own: results come, failures and slow methods stop nobody, nothing goes on unseen."""

import gc
import time

import numpy as np
from sklearn import metrics as sk

from theta_app import datasets
from theta_app.compare import Variant
from theta_app.compare.measure import FAILED, OK, OVER
from theta_app.compare.running import Run, Worker
from theta_app.compare.steps import PointsAtHand, Step, columns, measured
from theta_app.compare.worker import UNWANTED

SPEC = datasets.GridBlobs(side=3, spacing=8.0, per_cluster=30)
TSG = Variant.of("tsg", theta=5.0)
SLOW = Variant.of("kmeans", k=300, starts=500)  # half a minute at least
SLOW_SPEC = datasets.Noise(n=8000)


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
        Step("small", SPEC, 0, Variant.of("kmeans++", k=9999, starts=1)),
        Step("large", SLOW_SPEC, 0, SLOW),
        Step("small", SPEC, 0, Variant.of("kmeans++", k=9, starts=2)),
        Step("missing", "no such points", 0, TSG),
    ]
    rows = {step: (row, picture) for step, row, picture in finished(Run(steps, budget=3.0))}
    assert [rows[step][0]["status"] for step in steps] == [OK, FAILED, OVER, OK, FAILED]
    assert rows[steps[0]][1].labels.shape == (270,)
    assert "only 270 points" in rows[steps[1]][0]["note"]
    assert "Given up after 3 seconds" in rows[steps[2]][0]["note"]
    assert all(set(row) == set(columns()) for row, _ in rows.values())


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


# ---- one step -------------------------------------------------------------------------------------------------------


def test_a_row_says_where_it_belongs_and_holds_every_score():
    row, picture = measured(Step("small", SPEC, 2, TSG), PointsAtHand())
    assert tuple(row) == columns()
    assert [row[name] for name in ("case", "repeat", "label", "parameters")] == ["small", 2, "TSG", "θ 5"]
    assert row["true_clusters"] == 9
    assert picture is None


def test_labels_come_back_in_the_order_of_the_data_whatever_order_was_visited():
    data = datasets.load(SPEC)
    for shuffle in (True, False):
        _, picture = measured(Step("small", SPEC, 5, TSG, shuffle=shuffle, picture=True), PointsAtHand())
        moved = datasets.load(datasets.GridBlobs(3, 8.0, 30, seed=5))
        assert sk.adjusted_rand_score(moved.truth, picture.labels) > 0.95
    assert not np.array_equal(data.X, moved.X), "another repeat draws other points"


def test_points_handed_over_anew_take_the_place_of_those_before():
    points = PointsAtHand()
    for n in (12, 7):
        points.hand_over("key", np.arange(float(n))[:, None], None)
        assert len(points.of(Step("mine", "key", 0, TSG))[0]) == n
