import numpy as np
import pytest

from tests.ui.helpers import by_size
from tests.ui.test_timeline import read
from theta_app import datasets, selection
from theta_app.engine import tdg
from theta_app.ui import loading, session, sweeps
from theta_app.ui.timeline import of_shuffles, of_theta

DATA = datasets.load(datasets.GridBlobs(side=3, spacing=4.0, per_cluster=30))
SHUFFLES = 12


@pytest.fixture(scope="module")
def swept():
    """A sweep and its timeline, and a θ at which the order matters."""
    settings = session.Settings(algorithm="TDG", shuffles=SHUFFLES, seed=3)
    points = loading.sample(DATA)
    sweep = sweeps.complete(points, settings)
    theta = next(t for t, point in sweep.points.items() if 3 < point.row["n_clusters"] < 30)
    list(sweeps.theta_points(points, [theta], settings))
    shown = of_theta.shown_sweep(points, settings, (theta,))
    return shown, of_theta.theta_timeline(shown, DATA), theta


def test_each_place_of_the_slider_is_tdg_with_so_many_shuffles(swept):
    shown, timeline, theta = swept
    body, arrays = read(of_shuffles.shuffle_frames(shown, DATA, theta, timeline))
    assert body["values"] == list(range(1, SHUFFLES + 1))
    sent = arrays["labels"].reshape(SHUFFLES, -1)
    for used in range(1, SHUFFLES + 1):
        expected = tdg(DATA.X, theta, used, 3, agreement=True)
        assert sent[used - 1].tolist() == by_size(expected.labels).tolist()
        agreement = next(r for r in body["readouts"] if r["id"] == "agreement")["values"][used - 1][0]
        assert agreement == f"{expected.agreement:.3f}"
        assert f"{used} of {SHUFFLES} shuffles" in body["spoken"][used - 1]
    assert len({labels.tobytes() for labels in sent}) > 1  # or there was nothing to compare


def test_with_all_shuffles_the_colours_are_those_of_the_timeline(swept):
    shown, timeline, theta = swept
    _, arrays = read(of_shuffles.shuffle_frames(shown, DATA, theta, timeline))
    last = arrays["colours"][arrays["cluster_start"][-2] :]
    k = shown.frame_at(theta).k
    assert last[:k].tolist() == timeline.colours[theta][:k].tolist()


def test_above_a_hundred_shuffles_the_later_ones_are_further_apart():
    assert selection.prefix_counts(100) == list(range(1, 101))
    counts = selection.prefix_counts(500)
    assert counts[:50] == list(range(1, 51))
    assert counts[-1] == 500
    assert len(counts) <= 101
    assert (np.diff(counts) >= 1).all()
