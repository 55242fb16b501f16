"""A neighbour map is looked at unasked after the verdict, and offered where it is better supported."""

import time

import numpy as np
import pytest

pytest.importorskip("umap")

from tests.ui.helpers import complaints, verdict_of
from tests.ui.test_jobs import until
from theta_app import ThetA, datasets, selection, spaces
from theta_app.ui import jobs, session, store, streamlit_internals
from theta_app.ui import spaces as computing

WINE = {"data": "wine", "scaling": "standard", "shuffles": "10"}


@pytest.fixture
def looked_at(monkeypatch):
    """As in a browser that looks: parts of the page run again by themselves."""
    monkeypatch.setattr(streamlit_internals, "is_part_of_page", lambda: True)
    monkeypatch.delenv("THETA_OTHERS", raising=False)


@pytest.fixture
def opened(open_page):
    def run(**options):
        at = open_page("app.py", query=WINE | options)
        assert not complaints(at)
        return at

    return run


def wine():
    return datasets.prepare(datasets.load(datasets.RealData("wine")), datasets.Preparation(scaling="standard"))


def buttons(at):
    return {button.key for button in at.button}


def test_the_map_comes_unasked_and_one_click_clusters_in_it(looked_at, opened):
    at = opened()
    assert "use-map" not in buttons(at)
    assert "better-map-stop" in buttons(at)
    settings = session.Settings(shuffles=10)

    def there():
        at.run()
        time.sleep(0.5)  # a browser looks now and then; without a pause the map would have no processor
        return computing.in_map(wine(), settings) is not None

    until(there, 120)
    at.run()
    promised = computing.in_map(wine(), settings)[0]
    plain = verdict_of(at)
    at.button(key="use-map").click().run()
    assert not complaints(at)
    assert at.session_state["theta_app.state"].preparation.space == "map"
    assert verdict_of(at)["k"] == str(promised.n_clusters)
    assert verdict_of(at)["theta"] == repr(promised.theta) != plain["theta"]
    assert "use-map" not in buttons(at), "the points are there"
    expected = ThetA(n_shuffles=10).fit(wine().X)
    assert (expected.space_, expected.verdict_.reason) == ("map", promised.reason)


def test_a_page_that_no_browser_looks_at_starts_nothing_and_an_operator_can_say_no(monkeypatch, opened):
    monkeypatch.delenv("THETA_OTHERS", raising=False)
    asked = []
    monkeypatch.setattr(computing, "looking", lambda *_: asked.append(1))
    opened(shuffles="11")
    assert asked == []
    monkeypatch.setattr(streamlit_internals, "is_part_of_page", lambda: True)
    monkeypatch.setenv("THETA_OTHERS", "off")
    opened(shuffles="11")
    assert asked == []


def test_stop_ends_it_and_it_is_not_begun_again(looked_at, opened, monkeypatch):
    begun, ended = [], []

    def slow(data, plain, shuffles, seed, progress, cancel):
        begun.append(1)
        until(cancel.is_set)
        ended.append(1)

    monkeypatch.setattr(spaces, "better_map_apart", slow)
    at = opened(shuffles="12")
    until(lambda: begun)
    at.button(key="better-map-stop").click().run()
    until(lambda: ended)
    at.run()
    assert "better-map-stop" not in buttons(at)
    assert begun == [1]


def test_nobody_who_asks_any_more_ends_it(monkeypatch):
    monkeypatch.setattr(jobs, "LEASE", 0.2)
    ended = []

    def slow(data, plain, shuffles, seed, progress, cancel):
        until(cancel.is_set)
        ended.append(1)

    monkeypatch.setattr(spaces, "better_map_apart", slow)
    computing.looking(wine(), None, session.Settings(shuffles=13))
    until(lambda: ended)


def test_no_better_support_is_said_in_a_sentence(looked_at, opened):
    store.SWEEPS.put(computing._looked_key(wine(), session.Settings(shuffles=14)), (None,))
    at = opened(shuffles="14")
    assert any("no better support" in caption.value for caption in at.caption)
    assert "use-map" not in buttons(at)


@pytest.mark.parametrize("options", [{"data": "grid"}, {"space": "pca"}])
def test_few_columns_and_other_spaces_are_left_alone(looked_at, opened, monkeypatch, options):
    monkeypatch.setattr(computing, "looking", lambda *_: pytest.fail("nothing to look for"))
    opened(**options)


def test_the_rule_is_the_one_of_the_estimator():
    X = np.ascontiguousarray(wine().X)
    plain = selection.verdict(X, 10, space="features")
    fitted, better = spaces.better_map(X, plain, 10)
    auto = selection.verdict(X, 10)
    assert (better.space, better.n_clusters, better.reason) == (auto.space, auto.n_clusters, auto.reason)
    np.testing.assert_array_equal(fitted.X, spaces.fit(X, "map", spaces.COMPONENTS).X)
    noise = np.random.default_rng(0).normal(size=(200, 6))
    assert spaces.better_map(noise, selection.verdict(noise, 10, space="features"), 10)[1] is None
