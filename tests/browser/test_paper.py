"""Paper in a browser: links, a run on Digits that is stopped, and room on a phone."""

import csv
import io
import re

from playwright.sync_api import expect

from tests.browser.helpers import settle
from theta_app.deep import STARTS
from theta_app.paper.claims import CLAIMS
from theta_app.paper.deep_live import LivePlan

EVERY_EPOCH = len(STARTS) * (LivePlan.epochs + 1)


def test_it_opens_without_plotly_and_the_address_brings_back_the_experiment(page, new_page, server):
    scripts = []
    page.on("request", lambda request: scripts.append(request.url))
    page.goto(f"{server.url}/Paper")
    settle(page)
    expect(page.locator(".claim")).to_have_count(len(CLAIMS))
    page.get_by_text("Experiments", exact=True).click()
    page.get_by_text("Points per cluster", exact=True).click()
    expect(page).to_have_url(re.compile("o_cmp_experiment=sizes"))
    settle(page)
    assert not any("plotly" in url.lower() for url in scripts), "nothing drawn so far needs it"
    other = new_page()
    other.goto(f"{server.url}/Compare?o_cmp_view=paper&o_cmp_experiment=sizes")  # where it was before
    other.get_by_text("Whether accuracy stays when clusters hold very different numbers of points").wait_for()
    other.get_by_text("Scores and time over the repeats").click()
    expect(other.locator('[data-testid="stPlotlyChart"]').first).to_be_attached(timeout=60_000)


def test_a_run_on_digits_is_stopped_and_what_was_done_stays(page, server):
    page.goto(f"{server.url}/Paper?o_paper=deep&data=digits&o_deep_view=here&o_deep_epochs=6")
    settle(page)
    page.get_by_role("button", name="Train it here").click()
    stop = page.get_by_role("button", name="Stop", exact=True)
    page.get_by_text(re.compile(r"epochs · K-Means\S*, epoch")).wait_for(timeout=240_000)
    stop.click()
    page.get_by_text("Stopped. Results so far are shown.").wait_for()
    settle(page)
    expect(page.get_by_role("button", name="Train again")).to_be_visible()
    page.get_by_text("After K-Means", exact=True).wait_for()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Every epoch as CSV").click()
    rows = list(csv.DictReader(io.StringIO(waiting.value.path().read_text())))
    assert 1 <= len(rows) < EVERY_EPOCH
    assert rows[0]["start"] == "k-means"


def test_every_part_fits_a_phone(phone, server):
    for part in ("claims", "experiments", "range", "sets", "deep", "automatic"):
        phone.goto(f"{server.url}/Paper?o_paper={part}&shuffles=5")
        settle(phone)
        assert phone.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), part
