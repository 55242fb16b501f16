"""Hundreds of thousands of points in a real browser."""

import io

import numpy as np
from PIL import Image
from playwright.sync_api import expect

from tests.browser.explore import Explorer
from tests.browser.helpers import settle

MANY = "/?data=grid&data_side=10&data_spacing=8&data_per_cluster=2010&shuffles=2&theta_low=3&theta_high=12"


def test_two_hundred_thousand_points_are_density_from_afar_and_points_from_near(page, server):
    page.goto(server.url + MANY)
    expect(
        page.get_by_text("All points are drawn; the others take the cluster of the nearest centroid.")
    ).to_be_visible()
    explorer = Explorer.__new__(Explorer)
    explorer.page = page
    picture = page.get_by_test_id("timeline-points")
    expect(picture).to_have_attribute("data-points", "density")
    explorer.draws("points", 201_000)
    settle(page)
    expect(page.get_by_test_id("timeline-caption")).to_contain_text("201,000 points as density")

    explorer.press(0.9)
    counts, before = [], explorer.number("data-paints")
    for share in np.linspace(0.9, 0.5, 12):
        explorer.move(share)
        counts.append(explorer.k)
    assert len(set(counts)) > 3
    assert 10 <= explorer.number("data-paints") - before <= 13  # a paint per move
    explorer.release()
    explorer.agreed()
    assert explorer.drawn["points"] == 201_000

    saved = Image.open(io.BytesIO(explorer.picture("png"))).convert("RGB")
    assert len(np.unique(np.asarray(saved.resize((200, 200))).reshape(-1, 3), axis=0)) > 50  # clusters in their colours
    assert b"<image" in explorer.picture("svg")

    for _ in range(5):
        page.get_by_test_id("timeline-zoom-in").click()
    expect(picture).to_have_attribute("data-points", "dots")
    page.get_by_test_id("timeline-reset").click()
    expect(picture).to_have_attribute("data-points", "density")

    explorer.open("numbers")
    page.get_by_test_id("timeline-sizes").focus()
    page.keyboard.press("ArrowRight")  # the largest cluster: Python says what is in it
    expect(page.get_by_text("Its most typical rows")).to_be_visible()
