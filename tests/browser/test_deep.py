"""Deep in a browser: a run on Digits that is stopped, and the stored runs on a phone."""

import csv
import io
import re

from playwright.sync_api import expect

from tests.browser.helpers import settle
from theta_app.compare.deep_live import LivePlan
from theta_app.deep import STARTS

EVERY_EPOCH = len(STARTS) * (LivePlan.epochs + 1)


def test_a_run_on_digits_is_stopped_and_what_was_done_stays(page, server):
    page.goto(f"{server.url}/Deep?data=digits&o_deep_view=here&o_deep_epochs=6")
    settle(page)
    page.get_by_role("button", name="Train it here").click()
    stop = page.get_by_role("button", name="Stop", exact=True)
    page.get_by_text(re.compile(r"epochs · K-Means\S*, epoch")).wait_for(timeout=240_000)
    stop.click()
    page.get_by_text("Stopped. What was done until then is shown.").wait_for()
    settle(page)
    expect(page.get_by_role("button", name="Train again")).to_be_visible()
    page.get_by_text("After K-Means", exact=True).wait_for()
    expect(page.get_by_text("Most typical", exact=True)).to_be_visible()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Every epoch as CSV").click()
    rows = list(csv.DictReader(io.StringIO(waiting.value.path().read_text())))
    assert 1 <= len(rows) < EVERY_EPOCH
    assert rows[0]["start"] == "k-means"


def test_the_stored_runs_are_there_at_once_and_fit_a_phone(phone, server):
    phone.goto(f"{server.url}/Deep")
    expect(phone.get_by_text(re.compile(r"^10,000 images, 5 of 5 seeds"))).to_be_visible()
    expect(phone.locator('[data-testid="stPlotlyChart"]').nth(1)).to_be_attached()
    settle(phone)
    assert phone.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    phone.get_by_text("MNIST, all 70,000 images", exact=True).click()
    expect(phone).to_have_url(re.compile("o_deep_trial=deep-70k"))
    settle(phone)
    assert phone.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
