"""Deep without a browser: stored runs, whole and partial, and a live run's result."""

import numpy as np
import pytest

from tests.ui.helpers import complaints
from tests.ui.test_jobs import until
from theta_app import datasets, selection
from theta_app.datasets.dataset import from_arrays
from theta_app.deep import STARTS
from theta_app.paper import deep_results, maps
from theta_app.paper.deep import TRIALS
from theta_app.paper.deep_live import LivePlan, LiveResult, Space
from theta_app.paper.deep_results import DeepResults, Picture
from theta_app.paper.fresh import WHOLE
from theta_app.ui import jobs, store
from theta_app.ui.pages.paper.deep import live

PAGE = "pages/Paper.py"
DEEP = {"o_paper": "deep"}
HERE = DEEP | {"data": "digits", "o_deep_view": "here"}
RNG = np.random.default_rng(0)


def results(seeds=1, epochs=2, planned=2, tdg=0.5):
    """Of the first trial, with made-up numbers; TDG's accuracy is `tdg` throughout."""
    rows = [
        {
            "seed": s,
            "start": name,
            "epoch": e,
            "loss": 0.1,
            "accuracy": tdg if name == "tdg" else 0.5 + 0.175 * e,
            "nmi": 0.4,
            "seconds": float(e),
        }
        for s in range(seeds)
        for name in STARTS
        for e in range(epochs + 1)
    ]
    truth = RNG.integers(10, size=40)
    members = np.arange(80).reshape(10, 8)
    pictures = [Picture("", RNG.random((40, 2)), truth)]
    pictures += [Picture(name, RNG.random((40, 2)), truth, truth, members, members) for name in STARTS]
    recipe = {"hidden": [500, 500, 2000], "latent": 10, "shift": 2}
    counts = {"images": 10_000, "layer_epochs": 8, "pretrain_epochs": 40}
    return DeepResults(
        "deep-10k",
        "2026-01-01",
        {"seeds": seeds, "epochs": planned, "recipe": recipe, **counts},
        {"jax": "0.10"},
        {"processor": "a processor", "cores": 2},
        rests_on=WHOLE["deep-10k"].digest,
        votes=({"seed": 0, "theta": 3.0, "tried": [{"theta": 2.0}, {"theta": 3.0}]},),
        rows=tuple(rows),
        pictures=tuple(pictures),
    )


@pytest.fixture(autouse=True)
def without_maps(monkeypatch):
    """The part above, which has tests of its own."""
    monkeypatch.setattr(maps, "stored", maps.Maps)


@pytest.fixture
def stored(monkeypatch, tmp_path):
    """``stored(results)`` is what the page then finds."""
    monkeypatch.setattr(deep_results, "STORED", tmp_path)
    return lambda found: deep_results.store(found, tmp_path)


def test_a_whole_run_is_shown_without_a_warning(open_page, stored):
    stored(results())
    at = open_page(PAGE, query=DEEP)
    assert complaints(at) == []
    assert not at.warning
    table = at.dataframe[0].value
    assert list(table["Started from"]) == list(STARTS.values())
    assert list(table["Accuracy at the end"]) == pytest.approx([0.85, 0.85, 0.5])
    assert any("2 values of θ from 2 to 3 voted" in text.value for text in at.markdown)


@pytest.mark.parametrize(("tdg", "words"), [(0.4, "No, not here."), (0.6, "In part."), (0.9, "Yes, here.")])
def test_the_question_is_answered_and_what_k_means_reached_is_said(open_page, stored, tdg, words):
    stored(results(tdg=tdg))
    said = " ".join(text.value for text in open_page(PAGE, query=DEEP).markdown)
    assert f"**{words}** Accuracy at the start → at the end: K-Means 0.500 → 0.850" in said
    assert "K-Means reached 85.0 % here, at least the 84.3 % of DEC and less than the 88.1 % of IDEC" in said


def test_a_partial_run_says_how_much_is_there(open_page, stored):
    stored(results(epochs=2, planned=5))
    at = open_page(PAGE, query=DEEP)
    assert complaints(at) == []
    assert "not complete: 50% of its epochs" in at.warning[0].value


def test_no_stored_run_is_a_sentence(open_page, stored):
    at = open_page(PAGE, query=DEEP)
    assert complaints(at) == []
    assert any("deep-10k` makes one" in info.value for info in at.info)


def test_the_run_of_a_link_is_opened(open_page, stored):
    stored(results())
    at = open_page(PAGE, query=DEEP | {"o_deep_trial": "deep-70k"})
    assert any("deep-70k" in info.value for info in at.info)
    assert TRIALS["deep-70k"].listed


@pytest.mark.parametrize(
    ("view", "shape"), [("here", (1, 2)), ("here", (12, 1)), ("here", (30, 16)), ("nonsense", (30, 16))]
)
def test_the_page_opens_on_every_kind_of_data(open_page, stored, view, shape):
    at = open_page(PAGE, X=RNG.normal(size=shape), query=DEEP | {"o_deep_view": view})
    assert complaints(at) == []


def finished(points, plan, truth):
    """A live run's result with made-up numbers."""
    Z = RNG.normal(size=(len(points.X), 10)).astype(np.float32)
    labels = RNG.integers(plan.n_clusters, size=len(Z))
    members = RNG.integers(len(Z), size=(plan.n_clusters, 8))
    score = 0.8 if truth else np.nan
    rows = tuple(
        {"seed": 0, "start": name, "epoch": e, "loss": 0.1, "accuracy": score, "nmi": score, "seconds": 1.0 + e}
        for name in STARTS
        for e in range(3)
    )
    return LiveResult(rows, {"": Space(Z), **{name: Space(Z, labels, members, members) for name in STARTS}}, 148)


@pytest.fixture
def digits():
    data = datasets.load(datasets.RealData("digits"))
    points = selection.sample_of(data, 5_000)
    plan = LivePlan(10, 0, (8, 8))
    key = ("deep", points.key, plan)
    yield points, plan, key
    store.MEASURED.forget(key)


def test_a_finished_run_is_shown_and_its_space_is_taken_to_explore(open_page, digits):
    points, plan, key = digits
    store.MEASURED.put(key, result := finished(points, plan, True))
    at = open_page(PAGE, query=HERE)
    assert complaints(at) == []
    assert at.button(key="deep-run").label == "Train again"
    assert list(at.dataframe[0].value["Started from"]) == list(STARTS.values())
    at.button(key="deep-explore").click().run()
    assert complaints(at) == []
    spec = at.session_state["theta_app.state"].spec
    assert isinstance(spec, datasets.Upload)
    kept = store.UPLOADS.get((at.session_state["theta_app.visitor"], spec.digest))
    np.testing.assert_array_equal(kept.X, result.spaces["tdg"].Z.astype(float))
    np.testing.assert_array_equal(kept.truth, points.truth)


def test_trouble_and_missing_starts_are_said(open_page, digits):
    points, plan, key = digits
    whole = finished(points, plan, False)
    store.MEASURED.put(
        key,
        LiveResult(
            whole.rows[:2],
            {"": whole.spaces[""], "k-means": whole.spaces["k-means"]},
            notes={"tdg": "No θ."},
            trouble="Stopped.",
        ),
    )
    at = open_page(PAGE, query=HERE)
    assert complaints(at) == []
    assert [warning.value for warning in at.warning] == ["Stopped.", "No start from TDG: No θ."]
    assert any("no true classes" in info.value for info in at.info)


def test_without_jax_the_page_says_what_to_install(open_page, monkeypatch):
    import importlib.util

    real = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *rest: None if name == "jax" else real(name, *rest))
    at = open_page(PAGE, query=HERE)
    assert complaints(at) == []
    assert any("pip install 'theta-app[deep]'" in info.value for info in at.info)


def test_whoever_closes_the_tab_gives_the_place_to_the_next(monkeypatch):
    """Two trainings that nobody asks for any more; a third gets its place as soon as the lease is over."""
    monkeypatch.setattr(jobs.PROCESSES, "places", 2)
    queue, X = jobs.Queue(), RNG.normal(size=(300, 8))
    monkeypatch.setattr(live, "QUEUE", queue)
    points = selection.sample_of(from_arrays("t", "Made by a test.", X))

    def training(seed):
        plan = LivePlan(3, seed, hidden=(8,), layer_epochs=1, pretrain_epochs=100_000)
        return live._job(("deep", points.key, plan), plan, points)

    def asked():
        return [queue.ask(name, training(seed)) for seed, name in enumerate(("ann", "bob"))]

    until(lambda: all(task.done for task in asked()), 120)  # who looks at the page asks all the time
    left = asked()
    assert queue.ask("cid", training(2)).waiting
    monkeypatch.setattr(jobs, "LEASE", 0.5)
    until(lambda: not queue.ask("cid", training(2)).waiting, 60)
    for task in left:
        until(lambda task=task: task.ended)
        assert store.MEASURED.get(task.job.key).trouble.startswith("Nobody had this page open for a while")
    third = queue.ask("cid", training(2))
    queue.leave("cid", third.job.key)
    assert store.MEASURED.get(third.job.key).trouble.startswith("Stopped.")
    assert not queue._running[jobs.PROCESSES]
