"""Where points are drawn, and which of them."""

import sys
import threading

import numpy as np
import pytest

from theta_app import workers
from theta_app.datasets import DEFAULT, RealData, load
from theta_app.selection import Axes, Cancelled, fair_sample, project, project_apart, sample_of

IRIS = load(RealData("iris"))


def test_two_dimensional_points_are_drawn_as_they_are():
    data = load(DEFAULT)
    assert np.array_equal(project(data.X, "none"), data.X)
    assert project(np.arange(5.0)[:, None]).tolist() == [[i, 0.0] for i in range(5)]


def test_pca_keeps_the_directions_of_largest_variance():
    Z = project(IRIS.X, "pca")
    assert Z.shape == (150, 2)
    values = np.linalg.eigvalsh(np.cov(IRIS.X.T))[::-1]
    assert Z.var(axis=0, ddof=1) == pytest.approx(values[:2])
    assert np.array_equal(Z, project(IRIS.X, "pca"))


def test_tsne_keeps_flowers_of_a_kind_together():
    Z = project(IRIS.X, "tsne", seed=1)
    nearest = np.argsort(((Z[:, None] - Z[None]) ** 2).sum(axis=2), axis=1)[:, 1]
    assert (IRIS.truth[nearest] == IRIS.truth).mean() > 0.9
    with pytest.raises(ValueError, match="at most 5,000"):
        project(np.zeros((5001, 3)), "tsne")


@pytest.mark.parametrize("method", ["none", "pca", "tsne"])
@pytest.mark.parametrize("shape", [(1, 1), (1, 5), (2, 3), (3, 1), (4, 60), (6, 60)])
def test_even_a_handful_of_points_can_be_drawn(method, shape):
    for X in (np.zeros(shape), np.random.default_rng(0).random(shape) * 1e140):
        Z = project(X, method)
        assert Z.shape == (shape[0], 2)
        assert np.isfinite(Z).all()


def test_a_fair_sample_is_sorted_without_repeats_and_the_same_each_time():
    sample = fair_sample(1000, 100)
    assert len(set(sample)) == 100
    assert (np.diff(sample) > 0).all()
    assert np.array_equal(sample, fair_sample(1000, 100))
    assert not np.array_equal(sample, fair_sample(1000, 100, seed=1))
    assert fair_sample(7, 100).tolist() == list(range(7))
    counts = sum(np.bincount(fair_sample(20, 5, seed), minlength=20) for seed in range(2000))
    assert counts.min() > 400
    assert counts.max() < 600


def test_other_points_of_the_same_space_are_drawn_beside_them():
    axes = Axes(IRIS.X)
    np.testing.assert_allclose(axes(IRIS.X[:7]), axes(IRIS.X)[:7])
    np.testing.assert_allclose(axes(IRIS.X.mean(axis=0)[None]), axes(IRIS.X).mean(axis=0)[None], atol=1e-12)
    plane = load(DEFAULT).X
    assert np.array_equal(Axes(plane)(plane), plane)


def test_a_sample_knows_its_rows_and_says_what_it_is():
    data = load(DEFAULT)
    whole, part = sample_of(data), sample_of(data, 100)
    assert whole.whole
    assert whole.sentence == ""
    assert whole.key == data.digest
    assert not part.whole
    assert part.key != whole.key
    assert part.sentence == "a fair sample of 100 of 2,500 points"
    assert np.array_equal(part.X, data.X[part.rows])
    assert np.array_equal(part.truth, data.truth[part.rows])
    assert not part.X.flags.writeable
    assert part.part(200) is part


def test_a_projection_in_a_process_of_its_own_is_the_same_and_counts_its_steps():
    told = []
    assert np.array_equal(
        project_apart(IRIS.X[::2], "tsne", lambda *steps: told.append(steps)), project(IRIS.X[::2], "tsne")
    )
    assert told[-1] == (1000, 1000)


def test_a_projection_in_a_process_of_its_own_can_be_stopped():
    cancel = threading.Event()
    threading.Timer(0.3, cancel.set).start()
    with pytest.raises(Cancelled):
        project_apart(np.random.default_rng(0).normal(size=(3000, 20)), "tsne", cancel=cancel)


def test_a_projection_whose_process_is_killed_says_so(monkeypatch):
    class Killed(workers.Worker):
        def __init__(self, *args, **options):
            super().__init__(*args, **options)
            self.process.kill()

    monkeypatch.setattr(workers, "Worker", Killed)
    with pytest.raises(ValueError, match="it may need more memory"):
        project_apart(IRIS.X, "tsne")


def test_without_umap_learn_a_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "umap", None)
    with pytest.raises(ValueError, match="pip install umap-learn"):
        project(IRIS.X, "umap")


def test_steps_are_counted_in_what_a_library_prints():
    told = []
    project(IRIS.X[::4], "tsne", progress=lambda done, total: told.append((done, total)))
    assert told[0] == (50, 1000)
    assert [done for done, _ in told] == sorted(done for done, _ in told)
