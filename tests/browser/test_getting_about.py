"""Back, undo, the shuffle slider, keys alone, a phone: getting about in a real browser."""

import io
import re

import pandas as pd
from playwright.sync_api import expect

from tests.browser.explore import Explorer
from tests.browser.helpers import settle
from theta_app import datasets, selection
from theta_app.engine import tdg

SMALL = "/?data=grid&data_side=3&data_spacing=4&data_per_cluster=40&shuffles=12"
DATA = datasets.load(datasets.GridBlobs(side=3, spacing=4.0, per_cluster=40))


def go_to(explorer, share):
    """Drag θ to a share of the track; gives the θ it settles on."""
    explorer.press(share + 0.05)
    explorer.move(share)
    explorer.release()
    explorer.agreed()
    return explorer.theta


def stands(explorer, theta):
    """Wait until timeline and Python stand on θ."""
    expect(explorer.track).to_have_attribute("aria-valuenow", str(theta).removesuffix(".0"))
    explorer.ready()
    explorer.agreed()


def test_the_slider_shows_tdg_with_the_first_shuffles_and_back_and_undo_step_through_what_was_done(page, server):
    explorer = Explorer(page, server.url + SMALL)
    drag_the_slider(explorer)
    step_through_history(explorer)
    play_with_less_motion(explorer)


def drag_the_slider(explorer):
    explorer.open("settings")
    theta, page = go_to(explorer, 0.4), explorer.page
    slider = page.get_by_test_id("shuffle-slider")
    expect(slider).to_have_attribute("data-theta", str(theta))
    expect(slider).to_be_enabled()
    found, asked = explorer.found, page.url
    box = slider.bounding_box()
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] - 9, y)
    page.mouse.down()
    seen = {}
    for step in range(12):  # to the left end, with the button still down
        page.mouse.move(box["x"] + (box["width"] - 18) * (1 - step / 11) + 9, y)
        explorer.next_frame()
        used = int(slider.get_attribute("data-shuffles"))
        seen[used] = (explorer.k, page.get_by_test_id("readout-agreement").inner_text())
    page.mouse.up()
    assert {1, 12} < set(seen)
    assert len(seen) > 8
    for used, (k, agreement) in seen.items():
        expected = tdg(DATA.X, theta, used, agreement=True)
        major = int((~selection.outlier_clusters(expected.sizes)).sum())
        assert (k, agreement) == (major, f"{expected.agreement:.3f}"), used
    assert "1 of 12 shuffles" in explorer.track.get_attribute("aria-valuetext")
    assert (explorer.found, page.url) == (found, asked)  # the server was not asked

    explorer.track.press("ArrowRight")  # another θ has all its shuffles again
    expect(slider).to_have_attribute("data-shuffles", "12")
    expect(explorer.track).not_to_have_attribute("aria-valuenow", str(theta))  # painted: Python is told when keys rest
    explorer.agreed()


def step_through_history(explorer):
    page, opened = explorer.page, explorer.theta
    first, second = go_to(explorer, 0.7), go_to(explorer, 0.45)
    frames = explorer.number("data-frames")
    explorer.tool("wider")
    expect(page).to_have_url(re.compile("theta_low"))
    explorer.ready()
    page.get_by_test_id("stSidebar").get_by_role("link", name="Data", exact=True).click()
    expect(page.get_by_role("heading", name="Data", exact=True)).to_be_visible()
    settle(page)

    page.go_back()  # to the page before
    stands(explorer, second)
    assert explorer.number("data-frames") > frames
    page.go_back()  # not wider
    expect(page).not_to_have_url(re.compile("theta_low"))
    stands(explorer, second)
    assert explorer.number("data-frames") == frames
    page.keyboard.press("Control+z")
    stands(explorer, first)
    page.keyboard.press("Control+z")
    stands(explorer, opened)
    page.go_forward()
    stands(explorer, first)
    page.keyboard.press("Control+Shift+z")
    stands(explorer, second)


def play_with_less_motion(explorer):
    explorer.page.emulate_media(reduced_motion="reduce")
    button, before = explorer.page.get_by_test_id("timeline-play"), explorer.theta
    expect(button).to_contain_text("Step")
    button.click()
    explorer.agreed()
    assert explorer.theta > before
    expect(button).to_have_attribute("aria-pressed", "false")


def test_keys_alone_lead_from_opening_to_a_download_and_the_link_brings_it_all_back(page, new_page, server):
    explorer = Explorer(page, server.url + SMALL)
    recommended = explorer.theta
    page.keyboard.press("]")
    expect(explorer.track).not_to_have_attribute("aria-valuenow", str(recommended))
    explorer.agreed()
    theta = explorer.theta
    page.keyboard.press("r")
    stands(explorer, recommended)
    page.keyboard.press("]")
    stands(explorer, theta)

    page.get_by_test_id("timeline-more").focus()
    page.keyboard.press("Enter")
    page.get_by_test_id("timeline-finer").focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("o_finer"))
    explorer.ready()
    page.keyboard.press("b")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Shift+ArrowDown")
    page.keyboard.press("Enter")
    selected = page.get_by_role("heading", name=re.compile("^Selected: "))
    expect(selected).to_be_visible()
    explorer.ready()
    expect(explorer.track).to_be_focused()
    words, frames = selected.inner_text(), explorer.number("data-frames")

    page.keyboard.press("Shift+Tab")
    expect(page.get_by_role("button", name="Export", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    labels = page.get_by_test_id("stDownloadButton").filter(has_text="Labels").get_by_role("button")
    expect(labels).to_be_visible()
    settle(page)
    for _ in range(20):
        page.keyboard.press("Tab")
        if labels.evaluate("button => button === document.activeElement"):
            break
    with page.expect_download() as caught:
        page.keyboard.press("Enter")
    table = pd.read_csv(io.BytesIO(caught.value.path().read_bytes()))
    assert table["cluster"].tolist() == tdg(DATA.X, theta, 12).labels.tolist()

    page.get_by_text("Share link").click()
    link = page.get_by_test_id("stCode").filter(has_text="o_selection").inner_text().strip()
    colours = coloured(explorer)
    other = Explorer(new_page(), link)
    assert (other.theta, other.number("data-frames")) == (theta, frames)
    expect(other.page.get_by_role("heading", name=words)).to_be_visible()
    assert other.drawn["selection"] == 1
    assert coloured(other) == colours


def coloured(explorer):
    """What is painted, pixel by pixel, of the points."""
    return explorer.page.locator('canvas[data-part="points"]').evaluate("canvas => canvas.toDataURL()")


def test_on_a_phone_track_and_picture_are_on_one_screen_and_the_menu_closes_after_a_tap(phone, server):
    explorer = Explorer(phone, server.url + SMALL)
    picture, track = phone.get_by_test_id("timeline-points").bounding_box(), explorer.track.bounding_box()
    assert picture["y"] > 0
    assert track["y"] + track["height"] <= phone.viewport_size["height"]
    hint = phone.get_by_text("Drag θ: the clusters").bounding_box()
    tools = phone.get_by_test_id("timeline-play").bounding_box()
    assert track["y"] + track["height"] <= hint["y"]
    assert hint["y"] + hint["height"] <= tools["y"]
    clipped = """() => [...document.querySelectorAll('.tl-readouts b, .tl-readouts span, .tl-value b')]
                       .filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.textContent)"""
    assert phone.evaluate(clipped) == []
    assert phone.evaluate("document.documentElement.scrollWidth") <= phone.viewport_size["width"]

    phone.get_by_test_id("stExpandSidebarButton").tap()
    link = phone.get_by_test_id("stSidebar").get_by_role("link", name="Learn")
    expect(link).to_be_in_viewport()
    link.tap()
    expect(phone.get_by_role("heading", name="Learn", exact=True)).to_be_visible()
    expect(link).not_to_be_in_viewport()
