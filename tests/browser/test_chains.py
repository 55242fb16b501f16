"""TNC on Explore in a real browser: θ and ε are dragged, each on its track, and everything follows."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.explore import Explorer, drawn_in
from tests.browser.helpers import settle
from theta_app import datasets, selection
from theta_app.engine import tdg, tnc

MOONS = datasets.load(datasets.Moons(per_shape=60))
LINK = "/?data=moons&data_per_shape=60"


class Chainer(Explorer):
    """The same with the track of ε."""

    @property
    def epsilon_track(self):
        return self.page.get_by_test_id("epsilon-timeline")

    @property
    def epsilon(self) -> float:
        return float(self.epsilon_track.get_attribute("aria-valuenow"))

    @property
    def found(self) -> tuple[float, float, int]:
        """θ, ε and K as Python has them."""
        findings = self.page.get_by_test_id("findings")
        theta, epsilon, k = (findings.get_attribute(f"data-{name}") for name in ("theta", "epsilon", "k"))
        return float(theta), float(epsilon), int(k)

    def drag_epsilon(self, *shares: float):
        """Press at the first share of the track of ε and move to the others; gives (ε, K) at each. Still down."""
        box = self.epsilon_track.bounding_box()
        at = lambda share: (box["x"] + 16 + share * (box["width"] - 32), box["y"] + 30)  # noqa: E731
        self.page.mouse.move(*at(shares[0]))
        self.page.mouse.down()
        seen = []
        for share in shares[1:]:
            self.page.mouse.move(*at(share))
            self.next_frame()
            seen.append((self.epsilon, self.k))
        return seen

    def agreed(self, seconds: float = 60) -> None:
        """Wait until Python stands on the θ and ε that the tracks show."""
        self.page.wait_for_function(
            """() => {
                const value = (id) => document.querySelector(`[data-testid="${id}"]`).getAttribute('aria-valuenow');
                const found = document.querySelector('[data-testid="findings"]')?.dataset;
                return found && Number(found.epsilon) === Number(value('epsilon-timeline'))
                    && Number(found.theta) === Number(value('theta-timeline'));
            }""",
            timeout=seconds * 1000,
        )
        settle(self.page, seconds)


def major(sizes) -> int:
    """How many chains K counts: all but the outliers."""
    return len(sizes) - selection.count_outlier_chains(sizes)


@pytest.fixture(params=["large", "phone"])
def chainer(request, page, phone, server):
    return Chainer(page if request.param == "large" else phone, server.url + LINK)


def test_both_tracks_are_live_while_the_pointer_is_down(chainer):
    page, before, address = chainer.page, chainer.found, chainer.page.url
    assert before[2] == chainer.k == 2
    expect(chainer.epsilon_track).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
    seen = chainer.drag_epsilon(0.6, *np.linspace(0.5, 0.1, 10), *np.linspace(0.2, 0.97, 8))
    counts = [k for _, k in seen]
    assert max(counts) > 20
    assert counts[-1] == 1
    assert (chainer.found, page.url) == (before, address)  # Python has not been asked
    one = selection.Chaining.of(before[0], tdg(MOONS.X, before[0]))
    assert counts == [major(one.sizes(epsilon)) for epsilon, _ in seen]
    shown = page.get_by_test_id("readout-epsilon").inner_text()
    expect(page.get_by_test_id("verdict")).to_contain_text(f"ε = {shown}: 1 cluster")

    page.mouse.up()
    chainer.agreed()
    theta, epsilon, k = chainer.found
    sizes = np.unique(tnc(MOONS.X, theta, epsilon).labels, return_counts=True)[1]
    assert (theta, k) == (before[0], chainer.k) == (before[0], major(sizes))
    expect(page).to_have_url(re.compile(f"theta={re.escape(repr(theta))}.*epsilon={re.escape(repr(epsilon))}"))
    page.get_by_text("The chain joins everything").wait_for()

    # θ takes ε along: each has the one that holds best there, and the chains follow when it is let go
    chainer.track.scroll_into_view_if_needed()
    chainer.press(0.3)
    along = set()
    for share in np.linspace(0.35, 0.6, 8):
        chainer.move(share)
        along.add(page.get_by_test_id("readout-epsilon").inner_text())
    assert len(along) > 4
    chainer.release()
    chainer.agreed()
    theta, epsilon, k = chainer.found
    assert theta > before[0]
    assert epsilon == selection.default_epsilon(selection.Chaining.of(theta, tdg(MOONS.X, theta)))
    assert not re.search("epsilon=", page.url)

    page.get_by_role("button", name="Back to the suggestion").click()
    page.wait_for_selector(f'[data-testid="findings"][data-theta="{before[0]!r}"]', state="attached")
    chainer.agreed()
    assert chainer.found == before


def test_chained_by_density_the_second_track_is_a_depth_that_travels(page, server):
    chainer = Chainer(page, server.url + LINK + "&algorithm=TNC")
    chainer.open("numbers")
    chainer.open("settings")
    page.get_by_test_id("stButtonGroup").get_by_text("by density").click()
    expect(page).to_have_url(re.compile("density=10"))
    chainer.ready()
    chainer.agreed()
    theta, epsilon, k = chainer.found
    one = selection.Chaining.by_density(theta, tdg(MOONS.X, theta), MOONS.X)
    assert (epsilon, k) == (selection.default_epsilon(one), major(one.sizes(epsilon)))
    assert page.get_by_test_id("readout-epsilon").locator("..").inner_text().endswith("depth")

    curves, address = page.get_by_test_id("epsilon-curves"), page.url
    seen = []
    for epsilon, k in chainer.drag_epsilon(0.2, *np.linspace(0.3, 0.95, 9)):
        seen.append((k, major(one.sizes(epsilon))))
    assert float(curves.get_attribute("data-epsilon")) == chainer.epsilon  # it follows while the pointer is down
    assert [shown for shown, _ in seen] == [counted for _, counted in seen]
    assert len({shown for shown, _ in seen}) > 2
    assert page.url == address
    page.mouse.up()
    chainer.agreed()
    theta, epsilon, k = chainer.found
    sizes = np.unique(tnc(MOONS.X, theta, epsilon, density=10).labels, return_counts=True)[1]
    assert k == major(sizes)
    page.reload()
    chainer.ready()
    assert chainer.found == (theta, epsilon, k)
    page.get_by_role("button", name="Back to the suggestion").click()
    expect(page).not_to_have_url(re.compile("density="))
    chainer.ready()
    assert chainer.found[2] == 2


def test_keys_move_epsilon_and_the_saved_picture_has_its_chains(page, server):
    chainer = Chainer(page, server.url + LINK)
    theta, epsilon, k = chainer.found
    shown = chainer.drawn
    assert shown["chain"] == shown["centroid"] - k > 0
    text = chainer.picture("svg")
    assert drawn_in(text) == shown
    one = selection.Chaining.of(theta, tdg(MOONS.X, theta))
    circles = [float(r) for r in re.findall(r'class="circle" [^>]* r="([\d.]+)"', text.decode())]
    places = re.findall(r'class="centroid" cx="([\d.]+)" cy="([\d.]+)"', text.decode())
    assert len(circles) == len(places) == one.n_clusters
    drawn = np.ptp(np.array(places, dtype=float), axis=0) / np.ptp(one.tdg.centroids, axis=0)  # pixels a unit
    assert circles[0] == pytest.approx(epsilon / 2 * drawn[0], rel=0.01)

    chainer.epsilon_track.focus()
    page.keyboard.press("Home")
    chainer.agreed()
    page.get_by_text("Nothing is chained").wait_for()
    chainer.epsilon_track.dblclick()  # back to the one that holds best
    chainer.agreed()
    assert chainer.k == 2
    page.reload()
    chainer.ready()
    assert chainer.found == (theta, chainer.epsilon, 2)


def test_algorithms_are_switched_and_epsilon_typed_in_the_settings(page, server):
    chainer = Chainer(page, f"{server.url}{LINK}&algorithm=TDG&theta=0.2")
    expect(chainer.epsilon_track).to_be_hidden()
    chainer.open("settings")
    page.get_by_test_id("stButtonGroup").get_by_text("TNC").click()
    expect(chainer.epsilon_track).to_be_visible()
    chainer.agreed()
    box = page.get_by_label("Exact ε", exact=True)
    box.fill("100")
    box.press("Enter")
    expect(page.get_by_test_id("readout-k")).to_have_text("1")
    expect(page).to_have_url(re.compile("epsilon=100.0"))
    chainer.agreed()
    page.get_by_test_id("stButtonGroup").get_by_text("TSG").click()
    page.get_by_text("one pass").wait_for()
    expect(page).to_have_url(re.compile("algorithm=TSG"))
    expect(chainer.epsilon_track).to_be_hidden()
