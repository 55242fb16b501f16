"""Steps run in a process of their own: results come, failures and slow methods stop nobody, nothing goes on unseen."""

import os
import signal
import sys

import numpy as np
import pytest
from sklearn import metrics as sk

from theta_app import datasets, workers
from theta_app.compare import Variant
from theta_app.compare.measure import FAILED, OK, OVER
from theta_app.compare.running import measure_apart
from theta_app.compare.steps import PointsAtHand, Step, columns, measured

SPEC = datasets.GridBlobs(side=3, spacing=8.0, per_cluster=30)
TSG = Variant.of("tsg", theta=5.0)
SLOW = Variant.of("kmeans", k=300, starts=500)  # half a minute at least
SLOW_SPEC = datasets.Noise(n=8000)


def measured_rows(steps, **options):
    """{step: (row, picture)} in the order they came."""
    found = {}
    measure_apart(steps, done=lambda step, *result: found.update({step: result}), **{"budget": 60.0, **options})
    return found


@pytest.fixture
def started(monkeypatch):
    """Every process started."""
    found = []

    class Recorded(workers.Worker):
        def __init__(self, *args, **options):
            super().__init__(*args, **options)
            found.append(self.process)

    monkeypatch.setattr(workers, "Worker", Recorded)
    return found


def test_a_failure_and_a_slow_method_have_their_rows_and_stop_nobody():
    steps = [
        Step("small", SPEC, 0, TSG, picture=True),
        Step("small", SPEC, 0, Variant.of("kmeans++", k=9999, starts=1)),
        Step("large", SLOW_SPEC, 0, SLOW),
        Step("small", SPEC, 0, Variant.of("kmeans++", k=9, starts=2)),
        Step("missing", "no such points", 0, TSG),
    ]
    rows = measured_rows(steps, budget=3.0)
    assert list(rows) == steps
    assert [rows[step][0]["status"] for step in steps] == [OK, FAILED, OVER, OK, FAILED]
    assert rows[steps[0]][1].labels.shape == (270,)
    assert "only 270 points" in rows[steps[1]][0]["note"]
    assert "Given up after 3 seconds" in rows[steps[2]][0]["note"]
    assert all(set(row) == set(columns()) for row, _ in rows.values())


class Left(Exception):
    """Nobody wants it any more."""


def test_whoever_looks_knows_what_runs_and_ends_it_by_raising(started):
    slow = Step("large", SLOW_SPEC, 0, SLOW)

    def look(step, seconds):
        if step is not None:
            raise Left(step)

    with pytest.raises(Left) as caught:
        measured_rows([slow], look=look)
    assert caught.value.args == (slow,)
    assert started[0].returncode is not None


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_step_whose_process_dies_says_so_and_the_next_one_runs(started):
    slow, quick = Step("large", SLOW_SPEC, 0, SLOW), Step("small", SPEC, 0, TSG)

    def look(step, seconds):
        if step == slow:
            os.kill(started[0].pid, signal.SIGKILL)

    rows = measured_rows([slow, quick], look=look)
    assert [rows[step][0]["status"] for step in (slow, quick)] == [FAILED, OK]
    assert "may have run out of memory" in rows[slow][0]["note"]
    assert len(started) == 2


def test_points_that_no_spec_describes_are_handed_over():
    step = Step("mine", "key", 0, TSG)
    row, _ = measured_rows([step], points=("key", SPEC.dataset().X, None))[step]
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
