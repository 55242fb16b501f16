"""Sweeps, ranges, the recommendation and what the sizes say."""

import threading
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score, silhouette_score

from tests import shared_data
from theta_app import selection
from theta_app.engine import Cancelled, TdgResult, shuffled_order, tdg, tsg
from theta_app.selection import outlier_clusters, recommend, size_elbow, sweep, theta_grid, theta_ranges


def grid(spacing, side=5, each=100, sd=1.0, seed=0):
    centres = spacing * np.stack(np.meshgrid(np.arange(side), np.arange(side)), axis=-1).reshape(-1, 2)
    return np.repeat(centres, each, axis=0) + np.random.default_rng(seed).normal(scale=sd, size=(side**2 * each, 2))


def computed(plan, wants):
    """The results that a sweep wants."""
    return {want: plan.evaluate(want) for want in wants}


def first_state(plan, known, asked=()):
    return next(selection.states(plan, known, asked))


def complete(plan, known=None, asked=()):
    """A sweep run to its end by replaying what is known; results are put there."""
    known = {} if known is None else known
    state = first_state(plan, known.get, asked)
    while not state.complete:
        known |= computed(plan, state.wanted)
        state = first_state(plan, known.get, asked)
    return state


# --- recommend -------------------------------------------------------------------------------------------------------


def test_a_range_far_from_the_data_still_has_some_values():
    grid = selection.theta_grid(np.random.default_rng(0).normal(size=(50, 2)))
    for low, high in ((1e119, 1e277), (0.0, 1e-300), (1e-300, 1e300), (1e300, 1e308)):
        assert len(selection.widened(grid, low, high)) >= 4


@pytest.mark.parametrize("spacing", [11, 7.5, 5])
@pytest.mark.parametrize("seed", [0, 1])
def test_the_papers_grids_have_twenty_five_clusters(spacing, seed):
    found = recommend(grid(spacing, seed=seed), n_jobs=2)
    assert found.n_clusters == 25
    assert found.stands_out
    assert found.theta_low <= found.theta <= found.theta_high


@pytest.mark.parametrize(("D", "K"), [(2, 6), (10, 8), (50, 12)])
def test_blobs_give_their_number(D, K):
    X, _ = make_blobs(n_samples=600, centers=K, n_features=D, center_box=(-30, 30), random_state=D)
    assert recommend(X, shuffles=20, n_jobs=2).n_clusters == K


@pytest.mark.parametrize(("name", "K"), [("s-sets/s1", 15), ("shapes/r15", 15)])
def test_real_sets_give_their_number(name, K):
    X, _ = shared_data.points(name)
    assert recommend(X, n_jobs=2).n_clusters == K


@pytest.mark.parametrize(("n", "D"), [(5000, 2), (2000, 2), (200, 2), (500, 1), (5000, 1), (500, 5)])
def test_in_uniform_noise_no_theta_stands_out(n, D):
    found = recommend(np.random.default_rng(n + D).uniform(size=(n, D)), shuffles=20, n_jobs=2)
    assert not found.stands_out
    assert "No θ is clear" in found.reason


@pytest.mark.parametrize("X", [np.zeros((1, 2)), np.ones((30, 3)), np.array([[0.0], [1.0]])], ids=["1", "equal", "2"])
def test_there_is_an_answer_for_data_with_nothing_to_choose(X):
    found = recommend(X, shuffles=3)
    assert found.theta > 0
    assert not found.stands_out


# --- sweep and ranges ------------------------------------------------------------------------------------------------


def test_a_sweep_has_a_row_a_theta_with_the_engines_numbers():
    X = grid(7.5, side=3, each=40)
    frame = sweep(X, thetas=[5.0, 1.0, 3.0], shuffles=8, seed=2)
    assert frame["theta"].tolist() == [1.0, 3.0, 5.0]
    assert tuple(frame.columns) == selection.SWEEP_COLUMNS
    for row in frame.itertuples():
        result = tdg(X, row.theta, shuffles=8, seed=2)
        assert row.n_clusters == len(result.sizes)
        assert (row.runs_low, row.runs_high) == (result.run_counts.min(), result.run_counts.max())
        assert row.silhouette == pytest.approx(silhouette_score(X, result.labels))
        runs = [tsg(X, row.theta, shuffled_order(len(X), 2, i)).labels for i in range(8)]
        assert row.agreement == pytest.approx(np.mean([adjusted_rand_score(runs[i], runs[i + 1]) for i in range(7)]))
        assert row.score == pytest.approx(row.agreement * row.silhouette)
        assert row.largest_share == result.sizes.max() / len(X)
        assert row.singleton_share == np.mean(result.sizes == 1)
        assert row.elbow == size_elbow(result.sizes)


def test_every_eighth_theta_comes_first_then_the_rest_then_finer_then_the_edges():
    plan = selection.sweep_plan(grid(8.0, side=2, each=8), shuffles=5, seed=11)
    steps, stages = selection.sweep_steps(plan), []
    state = next(steps)
    assert len(state.points) == 0
    assert state.best is None
    while not state.complete:
        stages.append((len(state.wanted), state.worth_showing, state.swept))
        state = steps.send(computed(plan, state.wanted))
    assert stages[0] == (8, False, False)
    assert stages[1][:2] == (8, False)
    assert stages[2][:2] == (16, True)
    assert stages[3][0] == 32
    assert stages[-1][2]  # the edges
    assert set(plan.grid) <= set(state.points)
    assert state.swept
    assert state.best.theta in state.points
    pd.testing.assert_frame_equal(state.table, sweep(plan.X, shuffles=5, seed=11))
    pd.testing.assert_frame_equal(state.ranges, theta_ranges(state.table))


def test_a_sweep_that_is_sent_its_results_one_by_one_is_the_same():
    plan = selection.sweep_plan(grid(6, side=3, each=200, sd=1.3), shuffles=20, seed=5)
    steps = selection.sweep_steps(plan)
    state = next(steps)
    while state.wanted:
        state = steps.send(computed(plan, state.wanted[-1:]))
    whole = complete(plan)
    pd.testing.assert_frame_equal(state.own, whole.own)
    pd.testing.assert_frame_equal(state.ranges, whole.ranges)


def test_where_nearly_every_point_is_a_cluster_theta_are_few_and_rest_on_few_shuffles():
    X = np.random.default_rng(0).normal(size=(400, 8))
    frame = sweep(X, seed=3)
    crowded = frame[frame["n_clusters"] > 200]
    axis = theta_grid(X)
    assert 1 <= len(crowded) < 0.5 * (axis < crowded["theta"].max()).sum()
    assert (crowded["shuffles"] < 10).all()
    fine = frame["theta"][frame["n_clusters"] > 40].max()
    assert set(axis[::-2][axis[::-2] > crowded["theta"].max()]) <= set(frame["theta"])
    assert set(axis[axis > fine]) <= set(frame["theta"])
    assert len(theta_ranges(frame, refine=0).query("n_clusters > 200")) == 0


def test_a_sweep_rests_on_as_many_shuffles_as_it_says_and_on_all_at_its_best():
    X = grid(6, side=3, each=300, sd=1.3)
    frame = sweep(X, shuffles=40, seed=5)
    assert frame["shuffles"].nunique() > 2
    best = theta_ranges(frame, refine=0).iloc[0]
    assert frame["shuffles"][frame["theta"] == best.theta].item() == 40
    for row in frame[::5].itertuples():
        result = tdg(X, row.theta, shuffles=row.shuffles, seed=5, agreement=True)
        assert (row.n_clusters, row.agreement) == (len(result.sizes), result.agreement)


@pytest.mark.parametrize(("first", "then"), [(7, 40), (40, 7), (7, 7)])
def test_an_evaluation_from_the_runs_of_another_is_the_one_with_its_own(first, then):
    X = grid(4, side=3, each=300)
    other = selection.evaluate(X, 3.0, first)
    late, whole = selection.evaluate(X, 3.0, then, runs=other.runs), selection.evaluate(X, 3.0, then)
    assert late.row == whole.row
    assert late.row["shuffles"] == then
    np.testing.assert_array_equal(late.tdg.labels, whole.tdg.labels)
    np.testing.assert_array_equal(late.tdg.centroids, whole.tdg.centroids)


def test_runs_are_kept_with_a_result_as_far_as_there_is_room_for_them():
    X = grid(4, side=3, each=300)
    assert selection.evaluate(X, 3.0, 10, most_bytes=100).runs is None
    assert len(selection.evaluate(X, 3.0, 10).runs) == 10


def test_theta_that_are_given_take_all_shuffles():
    assert (sweep(grid(11, side=2), thetas=[1.0, 5.0, 50.0], shuffles=12)["shuffles"] == 12).all()


def test_theta_that_somebody_stands_on_takes_all_shuffles():
    plan = selection.sweep_plan(grid(11, side=2), shuffles=40)
    known = {}
    state = complete(plan, known)
    theta = max(theta for theta, point in state.points.items() if point.row["shuffles"] < 40)
    state = first_state(plan, known.get, (theta,))
    assert state.wanted == (selection.Want(theta, 40),)
    assert state.refined is not None
    known |= computed(plan, state.wanted)
    assert first_state(plan, known.get, (theta,)).points[theta].row["shuffles"] == 40


def test_theta_asked_for_by_hand_comes_first_and_belongs_to_no_range():
    plan, known = selection.sweep_plan(grid(8.0, side=2, each=30), shuffles=5), {}
    assert first_state(plan, known.get, (1.234,)).wanted == (selection.Want(1.234, 5),)
    state = complete(plan, known, (1.234,))
    assert 1.234 in state.points
    assert 1.234 not in state.table["theta"].to_numpy()


def test_progress_of_a_sweep_never_goes_back():
    seen = []
    sweep(grid(7.5, side=3, each=60), shuffles=40, progress=lambda done, total: seen.append((done, total)))
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert [total for _, total in seen] == sorted(total for _, total in seen)  # grows once: when finer θ are added


def test_the_number_of_threads_changes_no_sweep():
    X = grid(7.5, side=3, each=30)
    pd.testing.assert_frame_equal(sweep(X, shuffles=5, n_jobs=1), sweep(X, shuffles=5, n_jobs=4))


def test_the_grid_of_theta_goes_from_below_neighbours_to_the_diameter():
    X = grid(7.5)
    thetas = theta_grid(X)
    assert len(thetas) == 64
    np.testing.assert_allclose(thetas[1:] / thetas[:-1], thetas[1] / thetas[0])
    assert len(tdg(X, thetas[0], shuffles=1).sizes) > 0.7 * len(X)
    assert len(tdg(X, thetas[-1], shuffles=1).sizes) == 1


def test_the_grid_of_theta_copes_with_duplicates_outliers_and_extremes():
    X = grid(7.5, side=2, each=20)
    for odd in (np.repeat(X, 5, axis=0), np.vstack([X, [[1e9, 1e9]]]), X * 1e150, X * 1e-150, np.ones((5, 2))):
        thetas = theta_grid(odd)
        assert np.isfinite(thetas).all()
        assert (thetas > 0).all()


def test_within_a_range_k_holds_and_at_its_edges_it_changes():
    X = grid(11, side=3, each=50)
    best = theta_ranges(sweep(X, shuffles=10), refine=6).iloc[0]
    for theta in np.geomspace(best.theta_low, best.theta_high, 5):
        assert int((~outlier_clusters(tdg(X, theta, shuffles=10).sizes)).sum()) == 9
    for beyond in (best.theta_low / 1.1, best.theta_high * 1.1):
        assert int((~outlier_clusters(tdg(X, beyond, shuffles=10).sizes)).sum()) != 9


def test_ranges_come_best_first_not_widest_first():
    ranges = theta_ranges(sweep(grid(5), shuffles=20, n_jobs=2), refine=0)
    assert ranges["n_clusters"].iloc[0] == 25
    assert ranges["relative_width"].iloc[0] < ranges["relative_width"].max()
    assert ranges["recommended"].tolist() == [True] + [False] * (len(ranges) - 1)


def test_ranges_of_a_sweep_without_any_are_an_empty_frame():
    ranges = theta_ranges(sweep(np.zeros((4, 2)), thetas=[1.0, 2.0], shuffles=2))
    assert len(ranges) == 0
    assert tuple(ranges.columns) == selection.RANGE_COLUMNS


def test_progress_reaches_its_total_and_may_stop_the_sweep():
    X, seen = grid(7.5, side=2), []
    plan = selection.sweep_plan(X, [1.0, 2.0], 400)
    wants = [plan.full(theta) for theta in plan.grid]
    list(selection.in_threads(plan, wants, progress=lambda *a: seen.append(a)))
    assert all(done <= total == 800 for done, total in seen)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)

    class StopHere(Exception):
        pass

    def stop(done, total):
        raise StopHere

    threads = threading.active_count()
    with pytest.raises(StopHere):
        sweep(X, shuffles=2000, n_jobs=2, progress=stop)
    assert threading.active_count() == threads
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(Cancelled):
        sweep(X, shuffles=5, cancel=cancel)


def test_bad_thetas_are_refused():
    with pytest.raises(ValueError, match="thetas must be a finite number, 0 or more, got -1"):
        sweep([[0.0]], thetas=[-1.0])


# --- sizes -----------------------------------------------------------------------------------------------------------


# --- sparse or dense, warnings ---------------------------------------------------------------------------------------


def test_sparse_or_dense_is_decided_by_the_closest_pair():
    X = np.array([[0.0], [1.0], [3.0], [4.0]])
    labels = np.array([0, 0, 1, 1])
    pair = selection.closest_pair(X, labels)
    assert (pair.i, pair.j, pair.distance) == (1, 2, 2.0)
    assert selection.closest_pair(X, np.zeros(4, int)) is None


def result_of(sizes, runs):
    labels = np.repeat(np.arange(len(sizes)), sizes)
    return TdgResult(labels, np.zeros((len(sizes), 2)), np.array(sizes), np.array(runs), 0.9)


@pytest.mark.parametrize(
    ("result", "agreement", "word"),
    [
        (result_of([25, 25, 25, 25], [100, 101]), 0.9, "merged"),
        (result_of([100], [1, 1]), 1.0, "one cluster"),
        (result_of([1] * 60 + [40], [61, 61]), 0.9, "most points are alone"),
        (result_of([1] * 10 + [50, 50], [12, 12]), 0.9, "single point"),
        (result_of([50, 50], [2, 3]), 0.2, "order of the data"),
    ],
)
def test_each_oddity_has_its_warning(result, agreement, word):
    assert any(word in sentence for sentence in selection.warnings_for(result, agreement))


def test_an_ordinary_result_has_no_warning():
    assert selection.warnings_for(result_of([30, 30, 40], [3, 3, 4]), 0.95) == []


# --- where shuffles are spent ----------------------------------------------------------------------------------------


def test_shuffles_are_added_while_the_answer_moves_and_no_longer():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(6000, 2)) + 4.5 * rng.integers(0, 3, size=(6000, 2))
    steps = [4, 7, 13, 25, 50]
    rows = complete(selection.sweep_plan(X)).rows
    settled = [point for point in rows.values() if 4 < point.row["shuffles"] < 50]
    assert {point.row["shuffles"] for point in settled} == {7, 25}
    for point in settled:
        at = steps.index(point.row["shuffles"])
        looks = [selection.evaluate(X, point.theta, shuffles).row for shuffles in steps[: at + 1]]
        moved = [
            a["n_clusters"] != b["n_clusters"] or abs(a["agreement"] - b["agreement"]) >= 0.01
            for a, b in pairwise(looks)
        ]
        assert moved == [True] * (at - 1) + [False]


def test_no_shuffles_are_added_where_no_order_effect_is_seen():
    rng = np.random.default_rng(2)
    X = np.concatenate([rng.normal(c, 0.1, size=(2000, 2)) for c in ((0, 0), (5, 0), (0, 5))])
    state = complete(selection.sweep_plan(X))
    steady = [theta for theta, point in state.rows.items() if point.row["agreement"] == 1.0]
    assert {state.rows[theta].row["shuffles"] for theta in steady} == {4, 50}
    assert [theta for theta in steady if state.rows[theta].row["shuffles"] == 50] == [state.best.theta]


def test_few_points_are_looked_at_with_more_shuffles():
    X = np.random.default_rng(3).normal(size=(2000, 2))
    counts = [selection.sweep_plan(X[:n]).quick(1.0).shuffles for n in (100, 500, 2000)]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] == 50


def test_where_nearly_every_point_is_a_cluster_a_quick_look_takes_two_shuffles():
    X = np.random.default_rng(3).normal(size=(2000, 2))
    plan = selection.sweep_plan(X)
    few, more = (plan.evaluate(plan.quick(theta)) for theta in (1e-6, 1.0))
    assert (few.row["shuffles"], few.crowded) == (2, True)
    assert (more.row["shuffles"], more.crowded) == (plan.quick(1.0).shuffles, False)
    assert plan.quick(1e-6).answered_by(few)
    # a person who stood there, and looked at the first shuffles one by one, does not change what the sweep takes
    assert not plan.quick(1e-6).answered_by(selection.evaluate(X, 1e-6, plan.quick(1e-6).shuffles))


def test_what_follows_from_a_sweep_does_not_depend_on_where_somebody_stood():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(3000, 2)) + 3.0 * rng.integers(0, 3, size=(3000, 2))
    plan, known = selection.sweep_plan(X, shuffles=30), {}
    quiet = complete(plan)
    busy = complete(plan, known, plan.grid[20:50:3])
    again = first_state(plan, known.get)
    assert any(busy.points[theta].row["shuffles"] > quiet.points[theta].row["shuffles"] for theta in quiet.points)
    pd.testing.assert_frame_equal(again.own, quiet.own)
    pd.testing.assert_frame_equal(again.ranges, quiet.ranges)
    assert again.best == quiet.best


def test_the_recommended_theta_rests_on_all_shuffles():
    rng = np.random.default_rng(6)
    X = rng.normal(size=(2000, 2)) + 5.0 * rng.integers(0, 3, size=(2000, 2))
    state = complete(selection.sweep_plan(X, shuffles=40))
    assert state.best.stands_out
    assert state.own["shuffles"][state.own["theta"] == state.best.theta].item() == 40
