"""More points than are swept at once, on the page Explore, without a browser."""

import threading
import time
from dataclasses import replace

import numpy as np
import pytest

from tests.ui.helpers import by_size, complaints
from tests.ui.test_jobs import until as until_there
from theta_app import datasets, selection
from theta_app.datasets.dataset import from_arrays
from theta_app.engine import nearest, tdg
from theta_app.ui import answers, loading, store, sweeps
from theta_app.ui.jobs import ALL_POINTS, Job, Queue
from theta_app.ui.session import Settings
from theta_app.ui.timeline import of_epsilon, of_theta
from theta_app.ui.timeline.look import all_drawn, look_of

QUERY = {"data": "grid", "data_side": "3", "data_spacing": "12", "data_per_cluster": "2230", "shuffles": "2"}
QUERY |= {"theta_low": "4.0", "theta_high": "9.0"}
DATA = datasets.load(datasets.GridBlobs(side=3, spacing=12.0, per_cluster=2230))
SETTINGS = Settings(shuffles=2, theta_low=4.0, theta_high=9.0)
LARGE = datasets.GridBlobs(side=3, spacing=12.0, per_cluster=22_300)


def captions(at):
    return [one.value for one in at.caption]


def buttons(at):
    return {one.key: one for one in at.button}


def until(at, text):
    """The page run again, as it does by itself in a browser, until a caption has the text."""
    end = time.monotonic() + 60
    while not any(text in caption for caption in captions(at)):
        assert time.monotonic() < end
        time.sleep(0.2)
        at.run()
    return at


def test_all_points_are_swept_after_their_sample_and_the_page_says_which_it_shows(open_page):
    at = until(open_page(query=QUERY), "swept in full")
    assert not complaints(at)
    assert "Shown: all 20,070 points, swept in full; the answer is from a fair sample of them." in captions(at)
    assert "explore.sample-only" not in buttons(at)
    shown = of_theta.shown_sweep(loading.all_points(DATA), SETTINGS)
    assert shown.complete
    assert shown.start == answers.known_verdict(loading.sample(DATA), SETTINGS).theta  # one verdict on every page
    for theta in list(shown.points)[::3]:
        point = shown.points[theta]
        np.testing.assert_array_equal(point.tdg.labels, tdg(DATA.X, theta, point.row["shuffles"], 0).labels)


def test_who_wants_the_sample_alone_keeps_it_until_all_are_asked_for(open_page):
    at = until(open_page(query=QUERY), "swept in full")
    at.session_state["explore.everything"] = (DATA.digest, False)
    at.run()
    assert "Shown: a fair sample of 20,000 of 20,070 points." in captions(at)
    until(buttons(at)["explore.all-points"].click().run(), "swept in full")


def test_points_that_were_not_swept_are_drawn_with_the_nearest_centroid():
    data = loading.dataset(LARGE, datasets.Preparation())
    points, everything = loading.sample(data), all_drawn(data)
    assert loading.all_points(data) is None
    assert sorted(everything.rows) == list(range(len(data.X)))
    np.testing.assert_array_equal(everything.X, data.X[everything.rows])
    point = sweeps.theta_point(points, 5.0, SETTINGS)
    sweep = of_theta.shown_sweep(points, replace(SETTINGS, algorithm="TDG"), (5.0,), look_of(points, SETTINGS, data))
    shown = replace(sweep, more=everything)
    frame = shown.frame_of(point).frame
    by_row = np.empty(len(data.X), dtype=int)
    by_row[everything.rows] = frame.labels
    np.testing.assert_array_equal(by_row[points.rows], by_size(point.tdg.labels))
    others = np.setdiff1d(np.arange(len(data.X)), points.rows)[::50]
    np.testing.assert_array_equal(by_row[others], nearest(data.X[others], shown.frame_of(point).groups.centroids))
    assert frame.sizes.sum() == len(data.X)
    assert by_size(point.tdg.labels)[point.tdg.labels == shown.part_of(point, 17)][0] == frame.labels[17]

    chained = replace(shown, settings=replace(SETTINGS, algorithm="TNC", theta=5.0))  # as the track of ε draws them
    expected = chained.frame_of(point)
    chaining = answers.chaining_of(points, point, chained.settings)
    (drawn,) = of_epsilon._frames(chained, data, chaining, [expected.epsilon], [])
    np.testing.assert_array_equal(drawn.labels, expected.frame.labels)
    np.testing.assert_array_equal(drawn.sizes, expected.frame.sizes)


@pytest.mark.parametrize(
    ("n", "features", "expected"),
    [
        (20_000, 2, None),
        (20_001, 2, "swept"),
        (200_000, 5, "swept"),
        (200_001, 2, "drawn"),
        (200_001, 5, None),
        (2_000, 999, None),
        (2_001, 999, "swept"),
    ],
)
def test_which_sets_are_swept_or_drawn_in_full(n, features, expected):
    data = from_arrays("A test set", "", np.zeros((n, features)))
    assert ("swept" if loading.all_points(data) else "drawn" if all_drawn(data) else None) == expected


def test_those_that_sweep_all_points_at_once_share_half_of_what_is_kept(monkeypatch):
    points = [loading.part(loading.sample(DATA, len(DATA.X)), size) for size in (20_001, 20_002, 20_003)]
    assert selection.MOST_POINTS < len(points[0].X) <= selection.MOST_SWEPT
    monkeypatch.setattr(store.BUDGET, "total", 5 * len(points[0].X) * 640)
    queue, go = Queue(), threading.Event()

    def asked(one):
        job = Job(one.key, lambda *_: go.wait(10), lane=ALL_POINTS, cost=sweeps.bytes_of_all(one))
        return queue.ask(one.key, job)

    assert [asked(one).waiting for one in points] == [False, False, True]
    go.set()
    until_there(lambda: not asked(points[2]).waiting)  # its turn comes
