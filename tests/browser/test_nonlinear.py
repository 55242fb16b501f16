"""The page Nonlinear in a real browser: dragging ε, the graph, putting it in use, taking it away."""

import io
import re

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import expect

from tests.browser.explore import Explorer, drawn_in
from tests.browser.helpers import settle
from theta_app import datasets, selection
from theta_app.clustering import cluster
from theta_app.engine import tdg, tnc

MOONS = datasets.load(datasets.Moons(per_shape=60))
LINK = "/Nonlinear?data=moons&data_per_shape=60"


class Chainer(Explorer):
    """The ε timeline as a person uses it."""

    @property
    def found(self) -> tuple[float, float, int]:
        """θ, ε and K' as Python has them."""
        findings = self.page.get_by_test_id("findings")
        theta, epsilon, k = (findings.get_attribute(f"data-{name}") for name in ("theta", "epsilon", "k"))
        return float(theta), float(epsilon), int(k)

    def agreed(self, seconds: float = 60) -> None:
        """Wait until Python stands on the ε that the timeline shows."""
        self.page.wait_for_function(
            """() => { const t = document.querySelector('[data-testid="theta-timeline"]');
                       const f = document.querySelector('[data-testid="findings"]');
                       return f && Number(f.dataset.epsilon) === Number(t.getAttribute('aria-valuenow')); }""",
            timeout=seconds * 1000,
        )
        settle(self.page, seconds)

    def save(self, click) -> tuple[str, bytes]:
        with self.page.expect_download() as waiting:
            click()
        return waiting.value.suggested_filename, waiting.value.path().read_bytes()


def major(sizes) -> int:
    """How many chains K' counts: all but the outliers."""
    return len(sizes) - selection.count_outlier_chains(sizes)


@pytest.fixture
def chainer(page, server):
    return Chainer(page, server.url + LINK)


def test_the_saved_svg_has_the_chains_of_the_screen(chainer):
    shown = chainer.drawn
    assert shown["chain"] == shown["centroid"] - chainer.k > 0
    assert drawn_in(chainer.picture("svg")) == shown


def test_dragging_epsilon_chains_and_unchains_while_the_pointer_is_down(chainer):
    before, address = chainer.found, chainer.page.url
    assert before[2] == 2
    chainer.track.scroll_into_view_if_needed()
    chainer.press(0.6)
    counts, epsilons = [], []
    for share in [*np.linspace(0.6, 0.1, 15), *np.linspace(0.2, 0.97, 10)]:
        chainer.move(share)
        counts.append(chainer.k)
        epsilons.append(float(chainer.track.get_attribute("aria-valuenow")))
    assert counts[14] > 20
    assert counts[-1] == 1
    assert chainer.found == before  # Python has not been asked
    assert chainer.page.url == address
    one = selection.Chaining.of(before[0], tdg(MOONS.X, before[0]))
    assert counts == [major(one.sizes(epsilon)) for epsilon in epsilons]

    chainer.move(0.3)
    chainer.release()
    chainer.agreed()
    theta, epsilon, k = chainer.found
    sizes = np.unique(tnc(MOONS.X, theta, epsilon).labels, return_counts=True)[1]
    assert k == chainer.k == major(sizes)
    assert chainer.page.get_by_test_id("readout-theta").inner_text() != ""


def test_keys_reach_from_nothing_chained_to_everything_and_it_is_said(chainer):
    for key, words in (("Home", "Nothing is chained"), ("End", "The chain joins everything")):
        chainer.track.focus()
        chainer.page.keyboard.press(key)
        chainer.agreed()
        chainer.page.get_by_text(words).wait_for()
    chainer.track.dblclick()  # back to the suggested one
    chainer.agreed()
    assert chainer.k == 2


def test_the_saved_picture_has_the_chaining_graph_and_circles_of_half_epsilon(chainer):
    theta, epsilon, k = chainer.found
    name, content = chainer.save(chainer.page.get_by_test_id("timeline-svg").click)
    text = content.decode()
    one = selection.Chaining.of(theta, tdg(MOONS.X, theta))
    assert name.endswith(".svg")
    assert text.count('class="chain"') == one.n_clusters - k
    circles = [float(r) for r in re.findall(r'class="circle" [^>]* r="([\d.]+)"', text)]
    places = [(float(x), float(y)) for x, y in re.findall(r'class="centroid" cx="([\d.]+)" cy="([\d.]+)"', text)]
    assert len(circles) == len(places) == one.n_clusters
    drawn = np.ptp(np.array(places), axis=0) / np.ptp(one.tdg.centroids, axis=0)  # pixels a unit
    assert circles[0] == pytest.approx(epsilon / 2 * drawn[0], rel=0.01)


def test_what_is_used_here_is_what_explore_shows(page, server):
    chainer = Chainer(page, f"{server.url}{LINK}&algorithm=TDG")  # so that TNC is not in use yet
    theta, epsilon, k = chainer.found
    chainer.page.get_by_role("button", name=re.compile("^Use TNC with")).click()
    chainer.page.get_by_text("is in use on every page").wait_for()
    expect(chainer.page).to_have_url(re.compile(f"epsilon={re.escape(repr(epsilon))}"))
    chainer.page.get_by_role("link", name="See it in Explore θ").click()
    chainer.page.wait_for_function("() => document.querySelector('h1')?.innerText.includes('Explore')")
    chainer.page.wait_for_selector(f'[data-testid="findings"][data-theta="{theta!r}"][data-k="{k}"]', timeout=90_000)


def test_theta_moves_on_the_page_and_the_choice_survives_a_reload(chainer):
    before = chainer.found
    slider = chainer.page.get_by_role("slider", name=re.compile("size of the small clusters"))
    slider.focus()
    slider.press("ArrowRight")
    chainer.page.wait_for_function(
        f"() => Number(document.querySelector('[data-testid=\"findings\"]').dataset.theta) > {before[0]!r}",
        timeout=90_000,
    )
    settle(chainer.page)
    after = chainer.found
    assert after[0] > before[0]
    chainer.page.reload()
    chainer.ready()
    assert chainer.found == after
    assert float(chainer.track.get_attribute("aria-valuenow")) == after[1]


def test_labels_and_pictures_can_be_taken_away(chainer):
    theta, epsilon, _ = chainer.found
    name, content = chainer.save(chainer.page.get_by_role("button", name="Labels").click)
    table = pd.read_csv(io.BytesIO(content))
    assert name.startswith("labels-Moons-TNC-theta=")
    assert table["cluster"].tolist() == cluster(MOONS, "TNC", theta, epsilon).labels.tolist()
    assert table["true_cluster"].tolist() == MOONS.truth.tolist()
    name, content = chainer.save(chainer.page.get_by_role("button", name="Picture as HTML").click)
    assert name.endswith(".html")
    assert b"chaining graph" in content
    name, content = chainer.save(chainer.page.get_by_test_id("timeline-png").click)
    assert content.startswith(b"\x89PNG")
    peers = chainer.page.locator(".st-key-peers-downloads")
    name, content = chainer.save(peers.get_by_role("button", name="SVG").click)
    assert b"<svg" in content
    assert b"HDBSCAN" in content


def test_on_a_phone_noise_says_so_and_one_tap_opens_shapes(phone, server):
    chainer = Chainer(phone, server.url + "/Nonlinear?data=noise&data_n=150&shuffles=10")
    phone.get_by_text("No chaining stands out").first.wait_for()
    phone.get_by_role("button", name="Circles").tap()
    phone.get_by_text("2 chains, for every ε from").wait_for(timeout=90_000)
    chainer.ready()
    assert chainer.k == 2
    assert phone.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth")
