"""One verdict: every page shows the same, Explore opens on it, and the way back to it is one click."""

import numpy as np
import pytest

from tests.ui.helpers import complaints, drawn_evidence, findings_of, is_off_the_verdict, verdict_of
from theta_app import datasets, selection
from theta_app.ui import answers, loading, session, sweeps
from theta_app.ui.pages import evidence

PAGES = ("app.py", "pages/Evidence.py", "pages/Compare.py")
MOONS = {"data": "moons", "data_per_shape": "60", "shuffles": "10"}
GRID = {"data": "grid", "data_side": "3", "data_spacing": "8.0", "data_per_cluster": "20", "shuffles": "10"}
NOTHING_CHOSEN = session.Settings(shuffles=10)


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """What says nothing about the verdict, and takes long, is left out."""
    monkeypatch.setattr(evidence, "complete", lambda *_: None)


def settings(at) -> session.Settings:
    return at.session_state["theta_app.state"].settings


def texts(found: selection.Verdict) -> dict[str, str]:
    """A verdict as `verdict_of` reads it from a page."""
    epsilon = "" if found.epsilon is None else repr(found.epsilon)
    return {
        "algorithm": found.algorithm or "",
        "k": str(found.n_clusters),
        "theta": repr(found.theta),
        "epsilon": epsilon,
    }


def k_of(at) -> str:
    return findings_of(at).split('data-k="')[1].split('"')[0]


# 36 clusters hardly apart, which density speaks for; TDG's own first range is four quarters
CLOSE = {"data": "grid", "data_side": "6", "data_spacing": "4.2", "data_per_cluster": "60"}
SETS = {
    "the default": {"data": "grid"},
    "a close grid": CLOSE,
    "S1": {"data": "s1"},
    "S2": {"data": "s2"},
    "moons": {"data": "moons"},
    "circles": {"data": "circles"},
    "spirals": {"data": "spirals"},
    "bridges": {"data": "bridges"},
    "imbalanced": {"data": "imbalanced"},
    "iris": {"data": "iris", "scaling": "standard"},
    "wine": {"data": "wine", "scaling": "standard", "shuffles": "10"},
}


@pytest.mark.parametrize("name", SETS)
def test_every_page_shows_the_same_verdict_and_explore_stands_on_it(open_page, name):
    query = {"shuffles": "8"} | SETS[name]
    opened = {page: open_page(page, query=query) for page in PAGES}
    assert [complaints(at) for at in opened.values()] == [[]] * len(PAGES)
    said = {page: verdict_of(at) for page, at in opened.items()}
    assert list(said.values()) == [said["app.py"]] * len(PAGES), said

    state, _ = session.from_query(query)
    points = loading.sample(loading.dataset(state.spec, state.preparation))
    found = answers.known_verdict(points, state.settings)
    assert said["app.py"] == texts(found)
    assert k_of(opened["app.py"]) == str(found.n_clusters)
    if found.algorithm:
        assert f'data-theta="{found.theta!r}"' in findings_of(opened["app.py"])
    assert not any(map(is_off_the_verdict, opened.values()))


def test_uploaded_noise_is_nothing_to_find_on_every_page(open_page):
    noise = np.random.default_rng(3).uniform(size=(400, 2))
    for page in PAGES:
        at = open_page(page, X=noise, shuffles=10)
        assert complaints(at) == []
        assert (verdict_of(at)["algorithm"], verdict_of(at)["k"]) == ("", "1")
        assert not any(m.value.startswith("###") for m in at.markdown)  # no page has another answer as its heading
        if page == "app.py":
            assert k_of(at) == "1"
            assert not at.warning


@pytest.mark.parametrize("query", [MOONS, GRID])
def test_the_pages_verdict_is_the_librarys(open_page, query):
    state, _ = session.from_query(query)
    expected = selection.verdict(datasets.load(state.spec).X, shuffles=10)
    assert verdict_of(open_page("app.py", query=query)) == texts(expected)


ELSEWHERE = {
    "another θ": {"theta": "0.5"},
    "another ε": {"epsilon": "0.3"},
    "another algorithm": {"algorithm": "TDG"},
    "all of them": {"algorithm": "TNC", "theta": "0.2", "epsilon": "0.9"},
}


@pytest.mark.parametrize("where", ELSEWHERE)
def test_going_to_the_verdict_brings_theta_epsilon_and_algorithm_back(open_page, where):
    at = open_page("app.py", query=MOONS | ELSEWHERE[where])
    assert settings(at) != NOTHING_CHOSEN
    assert is_off_the_verdict(at)
    at.button(key="use-verdict").click().run()
    assert complaints(at) == []
    assert settings(at) == NOTHING_CHOSEN
    assert f'data-theta="{verdict_of(at)["theta"]}" data-k="2"' in findings_of(at)
    assert not is_off_the_verdict(at)


@pytest.mark.parametrize("page", PAGES)
def test_the_alternative_is_taken_with_one_click_on_every_page_and_the_verdict_again(open_page, page):
    query = {"data": "s3", "shuffles": "8"}
    at = open_page(page, query=query)
    state, _ = session.from_query(query)
    points = loading.sample(loading.dataset(state.spec, state.preparation))
    other = answers.known_verdict(points, state.settings).alternative
    at.button(key="use-alternative").click().run()
    assert complaints(at) == []
    assert settings(at) == session.Settings(
        algorithm=other.algorithm, theta=other.theta, epsilon=other.epsilon, shuffles=8
    )
    if page != "app.py":
        assert not any(button.key == "use-alternative" for button in at.button)
    if page == "app.py":
        assert k_of(at) == str(other.n_clusters)
    at.button(key="use-verdict").click().run()
    assert settings(at) == session.Settings(shuffles=8)


@pytest.mark.parametrize("page", PAGES)
def test_the_way_to_the_verdict_is_on_every_page(open_page, page):
    at = open_page(page, query=MOONS | {"algorithm": "TDG", "theta": "0.5"})
    at.button(key="use-verdict").click().run()
    assert complaints(at) == []
    assert settings(at) == NOTHING_CHOSEN


def test_who_stands_on_the_verdict_by_their_own_choice_is_not_sent_there(open_page):
    found = verdict_of(open_page("app.py", query=MOONS))
    own = {"algorithm": "TNC", "theta": found["theta"], "epsilon": found["epsilon"]}
    at = open_page("app.py", query=MOONS | own)
    assert k_of(at) == "2"
    assert not is_off_the_verdict(at)


def test_a_theta_of_ones_own_keeps_the_algorithm_it_was_chosen_for(open_page):
    at = open_page("app.py", query=MOONS)
    at.number_input(key="widget.theta").set_value(0.5).run()
    assert (settings(at).algorithm, settings(at).theta) == ("TNC", 0.5)


def test_a_wider_axis_does_not_change_the_verdict(open_page):
    usual = verdict_of(open_page("app.py", query=GRID))
    wide = open_page("app.py", query=GRID | {"theta_low": "0.01", "theta_high": "90"})
    assert complaints(wide) == []
    assert verdict_of(wide) == usual
    assert k_of(wide) == "9"


def test_it_opens_on_the_verdict_with_no_memory_of_it(open_page):
    """On an axis of one's own the verdict still has to be found."""
    fresh = GRID | {"data_seed": "17", "theta_low": "0.5", "theta_high": "2.0"}
    at = open_page("app.py", query=fresh)
    assert complaints(at) == []
    assert (verdict_of(at)["k"], k_of(at)) == ("9", "9")


def test_where_density_speaks_for_another_range_every_page_takes_that(open_page):
    query = CLOSE | {"shuffles": "50"}
    sent = drawn_evidence(open_page("pages/Evidence.py", query=query))
    state, _ = session.from_query(query)
    points = loading.sample(loading.dataset(state.spec, state.preparation))
    found, swept = answers.known_verdict(points, state.settings), sweeps.load_state(points, state.settings)
    assert found.theta != swept.best.theta
    assert found.n_clusters == 36
    assert (sent["ranges"][0]["k"], sent["ranges"][0]["low"]) == (36, found.low)
    assert sent["keep"]["theta"] == found.theta
    ranges = selection.ranges_by(swept, found)
    assert ranges["theta"].iloc[0] == found.theta
    assert len(ranges) == len(swept.ranges)
    assert not ranges["recommended"].any()  # it is a guess
