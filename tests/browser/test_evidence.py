"""Evidence in a real browser: everything under the track follows the pointer, fewer shuffles, keeping the largest."""

import csv
import io
import re
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.sync_api import expect

from tests.browser.explore import Explorer
from tests.browser.helpers import painted
from tests.ui.helpers import former_pages
from theta_app.ui import moved

SMALL = "data=grid&data_side=3&data_spacing=8.0&data_per_cluster=20&shuffles=5"


class Evidence(Explorer):
    """The page as a person uses it."""

    def __init__(self, page, server, query=SMALL):
        super().__init__(page, f"{server.url}/Evidence?{query}")
        page.locator("[data-testid=evidence][data-theta]").wait_for()
        page.locator("[data-map=shuffles]").wait_for()

    @property
    def shown(self) -> dict[str, str]:
        """Everything that should follow θ: numbers, the range in the table, the elbow's sentence, and the charts."""
        return self.page.get_by_test_id("evidence").evaluate(
            """root => {
                const all = (selector, entry) => Object.fromEntries([...root.querySelectorAll(selector)].map(entry));
                return {
                    ...all('b[data-testid]', (box) => [box.dataset.testid, box.textContent]),
                    row: root.querySelector('tr.ev-here')?.textContent ?? '',
                    sentence: root.querySelector('[data-part=elbow]').textContent,
                    ...all('canvas', (chart, i) => [`chart ${i}`, chart.toDataURL()]),
                };
            }"""
        )


def changed(before: dict, after: dict) -> set[str]:
    return {name for name in before if before[name] != after[name]}


def test_with_chains_everything_follows_epsilon_too(page, server):
    evidence = Evidence(page, server, "data=moons&data_per_shape=60&shuffles=5")
    track = page.get_by_test_id("epsilon-timeline")
    start, address, box = evidence.shown, page.url, track.bounding_box()
    assert start["evidence-k"] == "2"
    page.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 30)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.25 * box["width"], box["y"] + 30)
    painted(page)
    followed = evidence.shown
    names = {"evidence-k", "evidence-range", "evidence-silhouette", "evidence-nmi", "sentence"}
    assert changed(start, followed) >= names
    assert int(followed["evidence-k"]) > 2
    assert len([name for name in changed(start, followed) if name.startswith("chart")]) >= 2  # the sizes, the picture
    assert page.url == address
    page.mouse.up()
    expect(page).to_have_url(re.compile(f"epsilon={re.escape(track.get_attribute('aria-valuenow'))}"))
    evidence.ready()
    assert evidence.shown["evidence-k"] == followed["evidence-k"]


def test_everything_follows_theta_while_the_pointer_is_down(page, server):
    evidence = Evidence(page, server)
    start = evidence.shown
    assert (start["evidence-k"], start["evidence-sizes"]) == ("9", "none")
    evidence.press(0.6)
    evidence.move(0.45)
    small = evidence.shown
    assert changed(start, small) == set(start)  # every number, the range, the sentence and every chart
    assert int(small["evidence-k"]) > int(small["evidence-sizes"]) == 9
    evidence.move(0.95)
    large = evidence.shown
    assert (large["evidence-k"], large["sentence"]) == ("1", "One cluster holds everything: lower θ to compare sizes.")
    assert "theta=" not in page.url  # Python has not been told
    evidence.move(0.5)
    evidence.release()
    expect(page).to_have_url(re.compile(f"theta={re.escape(str(evidence.theta))}"))


def test_dragging_a_chart_or_a_click_on_a_range_moves_theta(page, server):
    evidence = Evidence(page, server)
    before = evidence.theta
    box = page.get_by_test_id("evidence-curves").bounding_box()
    page.mouse.move(box["x"] + 0.3 * box["width"], box["y"] + 60)
    page.mouse.down()
    painted(page)
    assert evidence.theta < before
    page.mouse.up()
    expect(page).to_have_url(re.compile("theta="))
    evidence.ready()
    first = page.get_by_test_id("evidence-ranges").locator("tbody tr").first
    first.get_by_role("button").click()
    expect(first).to_have_class(re.compile("ev-here"))
    expect(page.get_by_test_id("evidence-k")).to_have_text("9")


def test_the_curve_follows_the_shuffle_slider(page, server):
    evidence = Evidence(page, server, SMALL.replace("shuffles=5", "shuffles=12") + "&theta=1.5")
    slider = page.get_by_test_id("shuffle-slider")
    expect(slider).to_be_enabled()
    before = evidence.shown
    slider.fill("0")  # the first shuffle alone
    painted(page)
    expect(page.get_by_test_id("evidence")).to_have_attribute("data-shuffles", "1")
    assert {"chart 0", "evidence-k"} <= changed(before, evidence.shown)
    slider.fill(slider.get_attribute("max"))
    painted(page)
    assert evidence.shown == before


def test_what_is_kept_is_drawn_scored_and_exported(page, server):
    evidence = Evidence(page, server)
    before = evidence.shown
    slider = page.get_by_test_id("keep-largest")
    slider.focus()
    slider.press("ArrowLeft")
    scores = page.get_by_test_id("evidence-scores")
    expect(scores).to_contain_text("largest 8")
    expect(page.get_by_test_id("evidence")).to_have_attribute("data-kept", "8")
    assert {"chart 1", "chart 3"} & changed(before, evidence.shown)
    labels, panel = page.get_by_role("button", name="Labels", exact=True), page.locator(".st-key-export summary")
    expect(labels.or_(panel)).to_be_visible()
    if panel.count():  # closed until it is asked for
        panel.click()
    with page.expect_download() as info:
        labels.click()
    rows = list(csv.DictReader(io.StringIO(Path(info.value.path()).read_text(encoding="utf-8-sig"))))
    assert len(rows) == 180
    assert len(Counter(row["cluster"] for row in rows)) == 8
    page.get_by_role("button", name="Back to 9, as suggested").click()
    expect(scores).not_to_contain_text("largest")


def test_a_click_on_the_map_of_chains_uses_tnc_there_and_a_chart_is_saved(page, server):
    Evidence(page, server)
    with page.expect_download() as info:
        page.locator("[data-save=curves]").click()
    words = " ".join(ElementTree.parse(info.value.path()).getroot().itertext())
    assert "Order agreement" in words
    page.locator("[data-map=chains] canvas").click(position={"x": 120, "y": 100})
    expect(page).to_have_url(re.compile("algorithm=TNC.*epsilon="))


def test_on_a_phone_the_track_stays_in_sight_and_nothing_is_wider_than_it(phone, server):
    evidence = Evidence(phone, server)
    phone.locator("[data-map=chains]").scroll_into_view_if_needed()
    expect(evidence.track).to_be_in_viewport()
    assert phone.evaluate("document.documentElement.scrollWidth <= window.innerWidth + 1")


@pytest.mark.parametrize("old", former_pages())
def test_a_former_address_leads_on_with_its_settings_and_back_skips_it(page, server, old):
    page.goto(f"{server.url}/Learn")
    page.goto(f"{server.url}/{old}?{SMALL}")
    expect(page).to_have_url(re.compile(re.escape(moved.address(old, {})[1:].split("?")[0]) + r"\?.*shuffles=5"))
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.go_back()
    expect(page).to_have_url(re.compile("/Learn"))
