"""The verdict in a real browser: Explore opens on it, a link reproduces it, and one click leads to it or away."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.explore import Explorer
from theta_app import datasets, selection

MOONS = datasets.load(datasets.Moons(per_shape=60))
LINK = "/?data=moons&data_per_shape=60&shuffles=20"


@pytest.fixture(scope="module")
def found():
    verdict = selection.verdict(MOONS.X, shuffles=20)
    assert verdict.algorithm == "TNC"
    return verdict


@pytest.fixture
def explorer(page, server):
    return Explorer(page, server.url + LINK)


def shown(page):
    """(algorithm, K, θ, ε) as the page has them."""
    line = page.get_by_test_id("verdict")
    algorithm, k, theta, epsilon = (
        line.get_attribute(f"data-{name}") for name in ("algorithm", "k", "theta", "epsilon")
    )
    return algorithm, int(k), float(theta), float(epsilon)


def in_use(explorer):
    """The algorithm that is switched on."""
    explorer.open("settings")
    return explorer.page.get_by_test_id("stButtonGroup").first.locator("button[aria-checked=true]").inner_text()


def below_the_title(explorer):
    """Where the track is on the page, however far it is scrolled."""
    title = explorer.page.get_by_role("heading", name="Explore")
    return explorer.track.bounding_box()["y"] - title.bounding_box()["y"]


def test_explore_opens_on_tnc_for_moons_and_the_link_reproduces_it(explorer, new_page, found):
    expected = ("TNC", 2, found.theta, found.epsilon)
    assert shown(explorer.page) == expected
    assert (explorer.found, explorer.k) == ((found.theta, 2), 2)
    assert in_use(explorer) == "TNC"
    assert explorer.drawn["chain"] > 0
    assert not re.search("[?&](theta|epsilon|algorithm)=", explorer.page.url)  # it follows the verdict

    explorer.export()
    explorer.page.get_by_text("Share link").click()
    link = explorer.page.get_by_test_id("stCode").filter(has_text="algorithm=TNC").inner_text()
    other = Explorer(new_page(), link.replace("\n", ""))
    assert shown(other.page) == expected
    assert (other.found, other.drawn["chain"]) == (explorer.found, explorer.drawn["chain"])
    assert in_use(other) == "TNC"
    expect(other.page.get_by_role("button", name="Back to the suggestion")).to_be_hidden()


def test_who_dragged_away_is_one_click_from_the_verdict_and_nothing_above_moves(explorer, found):
    top = below_the_title(explorer)
    explorer.track.focus()
    explorer.page.keyboard.press("End")
    explorer.agreed()
    assert explorer.found != (found.theta, 2)
    assert below_the_title(explorer) == top
    explorer.page.get_by_role("button", name="Back to the suggestion").click()
    expect(explorer.track).to_have_attribute("aria-valuenow", str(found.theta))
    explorer.agreed()
    assert explorer.found == (found.theta, 2)
    assert below_the_title(explorer) == top
    expect(explorer.page.get_by_role("button", name="Back to the suggestion")).to_be_hidden()
