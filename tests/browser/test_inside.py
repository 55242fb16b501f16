"""What is in a cluster, in a real browser: the picture looked at closely, clusters named, rows found, θ compared."""

import json
import re

import numpy as np
import pandas as pd
from playwright.sync_api import expect

from tests.browser.explore import Explorer
from tests.browser.helpers import choose, painted, settle
from theta_app import datasets
from theta_app.clustering import cluster

ADDRESS = "/?data=grid&data_side=3&data_spacing=8&data_per_cluster=40&shuffles=20"
DATA = datasets.load(datasets.GridBlobs(side=3, spacing=8.0, per_cluster=40))


def middle(page):
    """The grid's middle cluster is in the middle of the picture."""
    box = page.get_by_test_id("timeline-points").bounding_box()
    return box["x"] + box["width"] / 2 + 3, box["y"] + box["height"] / 2 + 3


def zoom(page) -> float:
    return float(page.get_by_test_id("timeline-points").get_attribute("data-zoom") or 1)


def download(explorer, name):
    page = explorer.page
    if not page.get_by_role("button", name=name, exact=True).is_visible():
        explorer.export()
    with page.expect_download() as caught:
        page.get_by_role("button", name=name, exact=True).click()
    return pd.read_csv(caught.value.path())


def test_a_cluster_is_clicked_described_named_and_taken_away(page, server):
    explorer = Explorer(page, server.url + ADDRESS)
    labels = cluster(DATA, "TDG", explorer.theta, shuffles=20).labels
    page.mouse.move(*middle(page))
    expect(page.locator('[role="tooltip"]')).to_have_text(re.compile(r"Row \d+[\s\S]*x: [\s\S]*y: |Cluster"))
    page.mouse.click(*middle(page))
    panel = page.locator(".st-key-cluster-panel")
    expect(panel.get_by_test_id("profile")).to_be_visible()
    expect(panel).to_contain_text("silhouette")
    expect(panel).to_contain_text("Nearest: cluster")
    settle(page)
    panel.get_by_label("Name", exact=True).fill("the middle; one")
    panel.get_by_label("Name", exact=True).press("Enter")
    page.wait_for_function(
        "() => document.querySelector('[data-testid=timeline-points]').dataset.drawn.includes('name')"
    )
    settle(page)
    assert explorer.drawn["name"] == 1
    table = download(explorer, "Labels")
    named = table[table["cluster_name"] == "the middle; one"]
    assert named["cluster"].nunique() == 1
    assert len(named) == (labels == named["cluster"].iloc[0]).sum()
    assert "the middle; one" in download(explorer, "Centroids")["cluster_name"].to_list()

    panel.get_by_role("button", name="Merge", exact=True).click()
    page.wait_for_function("() => document.querySelector('[data-testid=\"readout-k\"]').textContent === '8'")
    settle(page)
    assert download(explorer, "Labels")["cluster"].nunique() == 8
    expect(page).to_have_url(re.compile("marks=n"))


def test_the_picture_is_zoomed_coloured_searched_pinned_and_followed_along_the_track(page, server):
    explorer = Explorer(page, server.url + ADDRESS)
    whole = explorer.drawn
    page.mouse.move(*middle(page))
    page.mouse.wheel(0, -400)
    page.wait_for_function("() => Number(document.querySelector('[data-testid=timeline-points]').dataset.zoom) > 1.5")
    painted(page)
    close = page.locator('canvas[data-part="points"]').evaluate("c => c.toDataURL()")
    page.mouse.down()
    page.mouse.move(middle(page)[0] + 120, middle(page)[1] + 40, steps=4)
    page.mouse.up()
    painted(page)
    assert page.locator('canvas[data-part="points"]').evaluate("c => c.toDataURL()") != close
    page.get_by_test_id("timeline-reset").click()
    painted(page)
    assert zoom(page) == 1
    assert explorer.drawn == whole
    expect(page.get_by_test_id("timeline-reset")).to_be_hidden()

    explorer.open("settings")
    page.get_by_label("Find a row", exact=True).fill("17")
    page.get_by_label("Find a row", exact=True).press("Enter")
    page.wait_for_function(
        "() => document.querySelector('[data-testid=timeline-points]').dataset.drawn.includes('found')"
    )
    assert explorer.drawn["found"] == 1
    settle(page)
    choose(page, "Colour by", "Silhouette")
    page.wait_for_function(
        "() => document.querySelector('[data-testid=timeline-points]').dataset.drawn.includes('shade')"
    )
    settle(page)
    explorer.track.scroll_into_view_if_needed()
    explorer.press(0.6)  # silhouettes are of one θ: while it is dragged, clusters are shown
    explorer.move(0.5)
    assert "shade-title" not in explorer.drawn
    explorer.release()
    explorer.agreed()
    page.wait_for_function(
        "() => document.querySelector('[data-testid=timeline-points]').dataset.drawn.includes('shade')"
    )

    # two θ side by side, and the flow
    theta = explorer.theta
    explorer.tool("pin")
    settle(page)
    expect(page).to_have_url(re.compile(f"pinned={re.escape(repr(theta))}"))
    explorer.tool("flow")
    painted(page)
    pinned = page.get_by_test_id("timeline-pinned")
    expect(pinned).to_contain_text("Pinned: θ")
    expect(pinned).to_contain_text("1.000")
    explorer.track.scroll_into_view_if_needed()
    explorer.press(0.75)
    paints = explorer.number("data-paints")
    for share in np.linspace(0.75, 0.4, 15):
        explorer.move(share)
    assert 12 <= explorer.number("data-paints") - paints <= 16  # still a paint per move
    assert float(pinned.get_attribute("data-value")) == theta
    expect(pinned).not_to_contain_text("1.000")
    explorer.release()
    explorer.agreed()

    flow = page.locator('canvas[data-testid="timeline-flow"]')
    assert int(flow.get_attribute("data-columns")) > 8
    flow.scroll_into_view_if_needed()
    box = flow.bounding_box()
    page.mouse.click(box["x"] + box["width"] - 17, box["y"] + 80)  # the largest θ: one cluster
    page.wait_for_function("() => document.querySelector('[data-testid=\"readout-k\"]').textContent === '1'")
    expect(page.locator(".st-key-cluster-panel")).to_contain_text("360 points")
    explorer.agreed()


def test_a_selection_is_compared_kept_alone_and_brought_back(page, server):
    explorer = Explorer(page, server.url + ADDRESS)
    box = page.get_by_test_id("timeline-points").bounding_box()
    page.get_by_test_id("timeline-box").click()
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2 - 60, box["y"] + box["height"] - 5, steps=3)
    page.mouse.up()
    expect(page.get_by_test_id("selection-profile")).to_be_visible()
    settle(page)
    page.get_by_role("button", name="Cluster these rows only").click()
    expect(page.locator(".st-key-part-of-rows")).to_contain_text("of 360 rows")
    explorer.ready()
    rows = download(explorer, "Labels")
    kept = int(rows["cluster"].notna().sum())
    assert len(rows) == 360  # the others are there too, and why they have no cluster
    assert 100 < kept < 160
    assert (rows["set_aside"] == "left out").sum() == 360 - kept
    assert explorer.drawn["points"] == kept
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(page.locator(".st-key-part-of-rows")).to_have_count(0)
    explorer.ready()
    assert explorer.drawn["points"] == 360


def test_two_fingers_zoom_on_a_phone(phone, server):
    explorer = Explorer(phone, server.url + "/?data=iris&shuffles=5&projection=none")
    canvas = phone.get_by_test_id("timeline-points")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    client = phone.context.new_cdp_session(phone)

    def touch(kind, apart):
        points = [{"x": x - apart, "y": y, "id": 1}, {"x": x + apart, "y": y, "id": 2}] if apart else []
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", 30)
    for apart in (40, 60, 90):
        touch("touchMove", apart)
        painted(phone)
    touch("touchEnd", 0)
    assert zoom(phone) > 1.5
    assert phone.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth + 1")
    assert json.loads(canvas.get_attribute("data-drawn"))["points"] == 150
    assert explorer.theta > 0
    phone.get_by_test_id("timeline-reset").tap()
    painted(phone)
    assert zoom(phone) == 1


def test_a_cluster_that_was_cleared_stays_so_whatever_is_pressed_next(page, server):
    explorer = Explorer(page, server.url + ADDRESS)
    panel = page.locator(".st-key-cluster-panel")
    for wait in (0, 40, 120, 250):  # the run of the first press is cut short at different places
        page.mouse.click(*middle(page))
        expect(panel.get_by_test_id("profile")).to_be_visible()
        settle(page)
        page.get_by_test_id("timeline-clear").click()
        page.wait_for_timeout(wait)
        page.get_by_test_id("timeline-numbers").click()
        expect(panel).to_have_count(0)
        settle(page)
        expect(panel).to_have_count(0)
        expect(page.get_by_test_id("timeline-clear")).to_be_hidden()
    assert explorer.k == 9
