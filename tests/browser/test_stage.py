"""The stage of Explore: read-outs, picture and track fill the screen, and θ is dragged there as on the page."""

import re

from playwright.sync_api import expect

from tests.browser.helpers import settle

CLASSROOM = {"width": 1280, "height": 720}


def middle(locator, across=0.5):
    box = locator.bounding_box()
    return box["x"] + across * box["width"], box["y"] + 0.4 * box["height"]


def test_explore_fills_the_screen_and_theta_is_dragged_there(new_page, server):
    page = new_page(viewport=CLASSROOM)
    page.goto(server.url)
    settle(page)
    root, track = page.get_by_test_id("timeline-root"), page.get_by_test_id("theta-timeline")
    small = page.get_by_test_id("timeline-points").bounding_box()
    page.mouse.click(640, 5)  # nothing of the timeline has the focus
    page.keyboard.press("f")
    expect(root).to_have_class(re.compile("on-stage"))
    page.wait_for_function("document.fullscreenElement !== null")
    for part in (*map(page.get_by_test_id, ("readout-k", "readout-theta", "timeline-points")), track):
        expect(part).to_be_in_viewport(ratio=0.99)
    expect(page.get_by_test_id("timeline-curves")).to_be_hidden()
    large = page.get_by_test_id("timeline-points").bounding_box()
    assert large["width"] > 1.2 * small["width"]
    assert track.bounding_box()["width"] > 800, "nothing shares its row in a fresh browser either"
    expect(page.get_by_test_id("timeline-stage")).to_contain_text("Leave full screen")
    said = page.get_by_test_id("timeline-said")
    expect(said).to_be_in_viewport(ratio=1)
    assert f"θ = {page.get_by_test_id('readout-theta').inner_text()} gives" in said.inner_text()
    assert f"gives {page.get_by_test_id('readout-k').inner_text()} cluster" in said.inner_text()
    lead = root.locator(".tl-readouts b").first
    assert lead.bounding_box()["height"] >= 720 / 30

    page.mouse.move(*middle(track, 0.3))
    page.mouse.down()
    page.mouse.move(*middle(track, 0.7), steps=5)
    handle = root.locator("[data-part=handle]")
    expect(track).not_to_have_attribute("aria-valuenow", "0")
    page.wait_for_function(
        "([handle, x]) => Math.abs(handle.getBoundingClientRect().x - x) < 6",
        arg=[handle.element_handle(), middle(track, 0.7)[0]],
    )
    page.mouse.up()
    before = track.get_attribute("aria-valuenow")
    page.keyboard.press("ArrowLeft")
    expect(track).not_to_have_attribute("aria-valuenow", before)
    page.get_by_test_id("timeline-stage").click()
    expect(root).not_to_have_class(re.compile("on-stage"))
    settle(page)


def test_a_point_under_the_pointer_is_found_on_the_stage_too(new_page, server):
    page = new_page(viewport=CLASSROOM)
    page.goto(f"{server.url}/?data=drawn&data_points=" + drawing())
    settle(page)
    page.keyboard.press("f")
    expect(page.get_by_test_id("timeline-root")).to_have_class(re.compile("on-stage"))
    page.mouse.move(*corner_of_the_picture(page))
    expect(page.locator(".tl-tip")).to_contain_text("Cluster")


def drawing():
    from theta_app.datasets import drawn

    return drawn.encoded([[0.0, 0.0], [16.0, 0.0], [0.0, 9.0], [16.0, 9.0], [8.0, 4.5], [8.1, 4.5]])


def corner_of_the_picture(page):
    """Where the first point of the drawing is: its lower left corner, 22 pixels (enlarged) inside the picture."""
    box = page.get_by_test_id("timeline-points").bounding_box()
    enlarged = 720 / 30 / 14
    width, height = box["width"] - 44 * enlarged, box["height"] - 44 * enlarged
    scale = min(width / 16, height / 9)
    return box["x"] + box["width"] / 2 - 8 * scale, box["y"] + box["height"] / 2 + 4.5 * scale
