"""The first sight of Explore at three sizes: the answer, the picture and the track, and little else."""

import pytest
from playwright.sync_api import expect

from tests.browser.accessible import barriers
from tests.browser.explore import Explorer
from tests.browser.helpers import settle

SIZES = {"large": (1440, 900), "small": (1280, 720), "phone": (390, 844)}
SMALL = "/?data=grid&data_side=3&data_spacing=8&data_per_cluster=40&shuffles=10"

FOCUSABLE = """inside => [...document.querySelectorAll(inside + ' :is(a[href], button, input, summary, [tabindex])')]
    .filter((e) => !e.disabled && e.getClientRects().length && getComputedStyle(e).visibility !== 'hidden')
    .filter((e) => e.getAttribute('tabindex') !== '-1' || e.tagName === 'BUTTON')"""


@pytest.fixture(params=SIZES)
def explorer(request, new_page, server):
    width, height = SIZES[request.param]
    page = new_page(viewport={"width": width, "height": height}, has_touch=request.param == "phone")
    return Explorer(page, server.url + SMALL)


def test_answer_picture_and_track_fill_the_window_and_little_can_be_focused(explorer):
    page = explorer.page
    window = page.viewport_size
    for part in (page.get_by_test_id("verdict"), page.get_by_test_id("timeline-points"), explorer.track):
        expect(part).to_be_in_viewport(ratio=1)
    expect(page.get_by_test_id("verdict")).to_contain_text("9 clusters")
    expect(page.get_by_role("button", name="Export")).to_be_in_viewport(ratio=1)
    for name in ("readout-k", "readout-agreement", "readout-theta"):
        expect(page.get_by_test_id(name)).to_be_in_viewport(ratio=1)
    picture = page.get_by_test_id("timeline-points").bounding_box()
    least = 0.4 if window["width"] < 500 else 0.55
    assert picture["height"] >= least * window["height"]
    for name in ("timeline-zoom-in", "timeline-caption"):  # nothing covers points
        box = page.get_by_test_id(name).bounding_box()
        assert box is None or box["y"] >= picture["y"] + picture["height"]
    assert page.evaluate("document.documentElement.scrollWidth") <= window["width"]

    assert page.evaluate(f"({FOCUSABLE})('body').length") <= 20  # the menu and every tool included
    assert barriers(page) == []


def test_theta_is_a_few_tabs_away_and_the_toolbar_is_one_stop(explorer):
    page = explorer.page
    page.keyboard.press("Tab")  # the link that skips the menu
    page.keyboard.press("Enter")
    for _ in range(5):  # six stops with that one
        page.keyboard.press("Tab")
        if explorer.track.evaluate("track => track === document.activeElement"):
            break
    expect(explorer.track).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_test_id("timeline-play")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_test_id("timeline-box")).to_be_focused()


def test_drawers_stay_open_over_a_page_change_and_the_slider_of_shuffles_once_used(page, server):
    explorer = Explorer(page, server.url + SMALL)
    assert page.get_by_test_id("shuffle-slider").count() == 0
    explorer.open("numbers")
    explorer.open("settings")
    expect(page.get_by_test_id("readout-silhouette")).to_be_visible()
    expect(page.get_by_label("Exact θ", exact=True)).to_be_visible()
    page.get_by_test_id("stSidebar").get_by_role("link", name="Data", exact=True).click()
    expect(page.get_by_role("heading", name="Data", exact=True)).to_be_visible()
    page.get_by_test_id("stSidebar").get_by_role("link", name="Explore").click()
    explorer.ready()
    expect(page.get_by_test_id("readout-silhouette")).to_be_visible()
    expect(page.get_by_label("Exact θ", exact=True)).to_be_visible()

    slider = page.get_by_test_id("shuffle-slider")
    expect(slider).to_be_enabled()
    slider.focus()
    page.keyboard.press("ArrowLeft")
    expect(slider).to_have_attribute("data-shuffles", "9")
    settle(page)
    page.get_by_test_id("timeline-settings").click()
    expect(page.get_by_label("Exact θ", exact=True)).to_have_count(0)
    settle(page)
    expect(slider).to_be_visible()
    expect(slider).to_have_attribute("data-shuffles", "9")
