import time

import numpy as np
import pandas as pd
import pytest

from tests.ui.helpers import by_size
from tests.ui.test_jobs import until
from theta_app import datasets, selection, workers
from theta_app.datasets.dataset import from_arrays
from theta_app.engine import tnc, tsg
from theta_app.ui import answers, loading, projections, scheduled, sweeps
from theta_app.ui.session import Settings
from theta_app.ui.timeline import look, of_theta
from theta_app.ui.widgets.words import agreement_words, ahead_of_you, short

GRID = datasets.load(datasets.GridBlobs(side=3, spacing=8.0, per_cluster=30))


def complete(data, settings):
    sweeps.complete(loading.sample(data), settings)
    asked = () if settings.theta is None else (settings.theta,)
    shown = of_theta.shown_sweep(loading.sample(data), settings, asked)
    while not shown.complete:
        list(sweeps.compute_next(shown.sample, shown.sweep))
        shown = of_theta.shown_sweep(loading.sample(data), settings, asked)
    return shown


def point_at(data, theta, shuffles):
    return sweeps.theta_point(loading.sample(data), theta, Settings(shuffles=shuffles))


def test_a_complete_sweep_is_the_one_that_selection_makes():
    settings = Settings(shuffles=10)
    shown = complete(GRID, settings)
    pd.testing.assert_frame_equal(shown.sweep.table, selection.sweep(GRID.X, shuffles=10))
    assert shown.start == shown.verdict.theta == selection.recommend(GRID.X, shuffles=10).theta
    assert (shown.settings.algorithm, shown.verdict.n_clusters) == ("TDG", 9)


def test_a_stopped_sweep_resumes_where_it_was():
    data = datasets.load(datasets.GridBlobs(side=2, spacing=8.0, per_cluster=200, seed=4))
    points, settings = loading.sample(data), Settings(shuffles=30, seed=12)

    class Stop(BaseException):
        pass

    def stop_late(done, total):
        if done > total / 2:
            raise Stop

    with pytest.raises(Stop):
        list(sweeps.theta_points(points, selection.theta_grid(data.X), settings, stop_late))
    known = len(of_theta.shown_sweep(points, settings).points)
    assert 0 < known < 64


def test_a_theta_asked_for_is_swept_exactly():
    shown = complete(GRID, Settings(shuffles=10, theta=3.14159))
    assert 3.14159 in shown.points
    assert 3.14159 not in shown.sweep.table["theta"].to_numpy()


def test_who_follows_the_verdict_stands_on_its_chains():
    moons = datasets.load(datasets.Moons())
    shown = complete(moons, Settings())
    assert (shown.settings.algorithm, shown.start) == ("TNC", shown.verdict.theta)
    assert shown.start in shown.points
    assert answers.epsilon_at(shown.sample, shown.settings, shown.start) == shown.verdict.epsilon


def test_chains_are_those_of_the_result_that_is_drawn_however_many_shuffles_it_rests_on():
    moons = datasets.load(datasets.Moons(seed=3))
    shown = complete(moons, Settings(algorithm="TNC", shuffles=40))
    assert len({point.row["shuffles"] for point in shown.points.values()}) > 1  # some got a brief look
    for theta, point in shown.points.items():
        answers.chaining(shown.sample, theta, shown.settings)  # as Nonlinear asks for it, with all shuffles
        frame = of_theta.theta_frame(shown.sample, point, shown.settings, "").frame
        epsilon = answers.epsilon_of(shown.sample, shown.settings, point)
        expected = selection.Chaining.of(theta, point.tdg).at(epsilon)
        np.testing.assert_array_equal(frame.labels, by_size(expected.labels))


def test_tnc_stands_on_the_suggested_chains_where_the_verdict_is_another():
    settings = Settings(algorithm="TNC", shuffles=10)
    shown = complete(GRID, settings)
    suggested = answers.chain_suggestion(loading.sample(GRID), settings)
    assert shown.verdict.algorithm == "TDG"
    assert (shown.start, answers.epsilon_at(shown.sample, settings, shown.start)) == (
        suggested.theta,
        suggested.epsilon,
    )


def test_where_there_is_nothing_to_find_everything_is_one_cluster():
    noise = datasets.load(datasets.Noise(n=300))
    shown = complete(noise, Settings(shuffles=10))
    assert shown.verdict.algorithm is None
    assert shown.points[shown.start].major == shown.points[shown.start].row["runs_high"] == 1
    below = max(theta for theta in shown.points if theta < shown.start)
    assert shown.points[below].row["runs_high"] > 1  # in some order there are more


def test_on_a_narrower_axis_the_verdict_is_the_same_and_stood_on():
    usual = complete(GRID, Settings(shuffles=10))
    narrow = complete(GRID, Settings(shuffles=10, theta_low=0.5, theta_high=2.0))
    assert narrow.verdict == usual.verdict
    assert narrow.start in narrow.points


def test_the_algorithm_in_use_is_the_persons_else_the_verdicts_else_tdg():
    fresh = loading.sample(datasets.load(datasets.Moons(per_shape=50, seed=77)))
    assert answers.resolve_algorithm(fresh, Settings(seed=5)).algorithm == "TDG"  # nothing is known yet
    moons = loading.sample(datasets.load(datasets.Moons()))
    answers.verdict(moons, Settings())
    assert answers.resolve_algorithm(moons, Settings()).algorithm == "TNC"
    assert answers.resolve_algorithm(moons, Settings(algorithm="TSG")).algorithm == "TSG"


def test_a_wider_range_keeps_what_is_known():
    points = loading.sample(GRID)
    grid = sweeps.theta_axis(points, Settings())
    step = grid[1] / grid[0]
    wider = sweeps.theta_axis(points, Settings(theta_low=grid[0] / step**8, theta_high=grid[-1] * step**8))
    assert len(wider) == len(grid) + 16
    assert set(grid) <= set(wider)
    assert wider[0] == pytest.approx(grid[0] / step**8)


@pytest.mark.parametrize("algorithm", ["TDG", "TSG", "TNC"])
def test_a_frame_is_the_algorithms_own_result(algorithm):
    theta, settings = 2.5, Settings(algorithm=algorithm, shuffles=10, epsilon=4.0)
    points = loading.sample(GRID)
    point = point_at(GRID, theta, 10)
    frame = of_theta.theta_frame(points, point, settings, "cm").frame
    expected = {
        "TDG": lambda: point.tdg.labels,
        "TSG": lambda: tsg(GRID.X, theta).labels,
        "TNC": lambda: tnc(GRID.X, theta, 4.0, 10, 0).labels,
    }[algorithm]()
    assert np.array_equal(frame.labels, by_size(expected))
    assert frame.sizes.tolist() == np.bincount(frame.labels).tolist()
    count = selection.count_outlier_chains if algorithm == "TNC" else selection.count_outlier_clusters
    assert frame.readouts["k"][0] == str(len(frame.sizes) - count(frame.sizes))


def test_the_closest_pair_is_of_different_clusters_and_decides_the_density():
    points = loading.sample(GRID)
    frame = of_theta.theta_frame(points, point_at(GRID, 3.0, 10), Settings(shuffles=10), "cm").frame
    ends = np.reshape(frame.pair, (2, 2))
    first, second = (int(np.flatnonzero((end == GRID.X).all(axis=1))[0]) for end in ends)
    assert frame.labels[first] != frame.labels[second]
    sparse = np.linalg.norm(ends[0] - ends[1]) > 3.0
    assert frame.readouts["density"][0] == ("θ-sparse" if sparse else "θ-dense")


def test_more_than_two_features_are_drawn_without_circles_and_with_true_distances():
    X = np.random.default_rng(0).normal(size=(60, 5))
    data = from_arrays("Five", "Made by a test.", X)
    points = loading.sample(data)
    point = point_at(data, 2.0, 5)
    frame = of_theta.theta_frame(points, point, Settings(shuffles=5), "cm").frame
    expected = np.linalg.norm(X - point.tdg.centroids[point.tdg.labels], axis=1)
    assert np.allclose(frame.distances, expected)
    assert "5 features" in look.caption(points, "pca")
    assert frame.centroids.shape == (len(frame.sizes), 2)


def test_more_points_than_can_be_drawn_are_sampled_and_it_is_said():
    X = np.random.default_rng(1).normal(size=(20_500, 2))
    data = from_arrays("Many", "Made by a test.", X)
    points = loading.sample(data)
    assert len(points.X) == 20_000
    assert np.array_equal(points.X, X[points.rows])
    assert points.sentence == "a fair sample of 20,000 of 20,500 points"
    assert look.caption(points, "pca") == "showing 20,000 of 20,500"


def test_the_timeline_says_how_much_is_still_to_come():
    data = datasets.load(datasets.GridBlobs(side=2, spacing=9.0, per_cluster=20, seed=5))
    settings = Settings(shuffles=5, seed=13)
    points = loading.sample(data)
    list(sweeps.compute_next(points, of_theta.shown_sweep(points, settings).sweep))
    partial = of_theta.shown_sweep(points, settings)
    first = of_theta.theta_timeline(partial, data)
    full = of_theta.theta_timeline(complete(data, settings), data, first)
    assert len(first.values) < len(full.values)
    assert all((first.colours[value] == full.colours[value]).all() for value in first.values)


def test_stretches_of_equal_k_need_three_values():
    found = of_theta.stretches([1, 2, 3, 4, 5, 6, 7], [9, 4, 4, 4, 3, 1, 1])
    assert [(r.low, r.high, r.k) for r in found] == [(2, 4, 4)]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (3.6, "3.6"),
        (100000.0, "100,000"),
        (134985.2, "135,000"),
        (0.0123456, "0.01235"),
        (4e-7, "4e-07"),
        (123456789.0, "1.23e+08"),
    ],
)
def test_lengths_are_short(value, text):
    assert short(value) == text


def test_who_is_ahead_is_said_in_words():
    assert [ahead_of_you(n) for n in (0, 1, 3)] == ["", " 1 other is ahead of you.", " 3 others are ahead of you."]


def test_agreement_is_never_called_sparse():
    words = [agreement_words(value, 50) for value in (1.0, 0.97, 0.85, 0.6, 0.2)]
    assert words[0] == "no order effect in 50 shuffles"
    assert len(set(words)) == 5
    assert not any("sparse" in text for text in words)


def test_k_does_not_count_outliers_and_says_how_many_there_are():
    data = from_arrays("far", "test", np.concatenate([GRID.X, [[1000.0, 1000.0]]]))  # one point far from everything
    frame = of_theta.theta_frame(loading.sample(data), point_at(data, 4.5, 10), Settings(shuffles=10), "").frame
    value, told = frame.readouts["k"]
    assert (value, told.split(";")[0]) == ("9", "plus 1 outlier group")


def test_points_are_drawn_by_pca_until_tsne_is_there():
    points = loading.sample(from_arrays("t", "Made by a test.", np.random.default_rng(4).normal(size=(120, 5))))
    assert projections.available_projection(points, "tsne") == "pca"
    while projections.projecting(points, "tsne") is not None:
        time.sleep(0.05)
    assert projections.available_projection(points, "tsne") == "tsne"
    assert np.array_equal(projections.positions(points, "tsne"), selection.project(points.X, "tsne"))


def test_a_projection_that_was_killed_once_is_told_to_who_asked_and_computed_for_the_next(monkeypatch):
    points = loading.sample(from_arrays("t", "Made by a test.", np.random.default_rng(5).normal(size=(60, 5))))
    asker = ["first"]
    monkeypatch.setattr(scheduled, "asker", lambda: asker[0])

    class Killed(workers.Worker):
        def __init__(self, *args, **options):
            super().__init__(*args, **options)
            self.process.kill()

    with monkeypatch.context() as patch:
        patch.setattr(workers, "Worker", Killed)
        until(lambda: projections.projecting(points, "tsne").failed is not None, 60)
    assert projections.available_projection(points, "tsne") == "pca"
    assert "may need more memory" in str(projections.projecting(points, "tsne").failed)  # not tried again
    asker[0] = "second"
    assert projections.available_projection(points, "tsne") == "pca"
    until(lambda: projections.projecting(points, "tsne") is None, 60)
    asker[0] = "first"
    assert projections.available_projection(points, "tsne") == "tsne"


def test_a_frame_says_how_many_shuffles_it_rests_on():
    many = datasets.load(datasets.GridBlobs(side=3, spacing=8.0, per_cluster=600))
    points, settings = loading.sample(many), Settings(algorithm="TDG", shuffles=40)
    early = selection.evaluate(points.X, 4.0, 5)
    assert early.row["shuffles"] < 40
    words = of_theta.theta_frame(points, early, settings, "cm").frame.readouts["k"][1]
    assert f"{early.row['shuffles']} single passes" in words
    full = selection.evaluate(points.X, 4.0, 40)
    assert "; single passes" in "; " + of_theta.theta_frame(points, full, settings, "cm").frame.readouts["k"][1]
