"""Deep in a browser: a run on Digits that is stopped, one that ends, and its space taken to Explore."""

import csv
import io
import re

import pytest
from playwright.sync_api import expect

from tests.browser.helpers import settle

pytestmark = pytest.mark.xdist_group("compare")

DIGITS = "data=digits&o_deep_view=here"


def test_a_run_on_digits_is_stopped_and_what_was_done_stays(page, server):
    page.goto(f"{server.url}/Deep?{DIGITS}")
    settle(page)
    page.get_by_role("button", name="Train it here").click()
    stop = page.get_by_role("button", name="Stop", exact=True)
    stop.wait_for()
    page.get_by_text(re.compile(r"epochs · K-Means, epoch [3-9]")).wait_for(timeout=240_000)
    stop.click()
    page.get_by_text("Stopped. What was done until then is shown.").wait_for()
    settle(page)
    expect(page.get_by_role("button", name="Train again")).to_be_visible()
    page.get_by_text("After K-Means", exact=True).wait_for()
    expect(page.get_by_text("Most typical", exact=True)).to_be_visible()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Every epoch as CSV").click()
    rows = list(csv.DictReader(io.StringIO(waiting.value.path().read_text())))
    assert len(rows) >= 4
    assert {row["start"] for row in rows} <= {"k-means", "k-means++"}

    page.get_by_role("button", name="Take it to Explore θ").click()
    page.get_by_text("latent space").first.wait_for()
    expect(page.get_by_text("10 features").first).to_be_visible()
    # the first coarse answer; the whole sweep of so many features takes half a minute of a core
    expect(page.get_by_test_id("theta-timeline")).to_be_visible(timeout=120_000)


def test_the_stored_run_is_there_at_once(page, server):
    page.goto(f"{server.url}/Deep")
    settle(page)
    expect(page.get_by_text("Accuracy at the start")).to_have_count(0)  # in the canvas of a table, not in the page
    charts = page.locator('[data-testid="stPlotlyChart"]')
    assert charts.count() >= 2
    page.get_by_text("MNIST, all 70,000 images", exact=True).click()
    expect(page).to_have_url(re.compile("o_deep_trial=deep-70k"))
    settle(page)


def test_a_phone_shows_it_without_scrolling_sideways(phone, server):
    phone.goto(f"{server.url}/Deep")
    settle(phone)
    assert phone.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
