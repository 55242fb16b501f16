"""Compare in a browser: run, stop, resume, take away, and come back by the link."""

import csv
import io
import json
import random
import re

from playwright.sync_api import expect

from tests.browser.helpers import settle

QUICK = "data=grid&data_side=3&data_per_cluster=40&theta=4.0&o_cmp_view=yours&o_cmp_scores=nmi"


def downloaded(page, label):
    with page.expect_download() as waiting:
        page.get_by_role("button", name=label, exact=True).first.click()
    return waiting.value.path().read_bytes()


def test_stop_and_resume_and_take_everything_away(page, server):
    # as many starts as there may be, on many points: there is something left to stop on any machine; and points that
    # nobody has compared yet, also where this is tried again on the same server
    data = QUICK.replace("data_per_cluster=40", f"data_per_cluster=300&data_seed={random.randrange(10**6)}")
    page.goto(f"{server.url}/Compare?{data}&o_cmp_methods=tsg,kmeans&o_cmp_repeats=6&o_p_kmeans_starts=300")
    settle(page)
    page.get_by_role("button", name="Run it here").click()
    stop = page.get_by_role("button", name="Stop", exact=True)
    stop.wait_for()
    page.get_by_text(re.compile(r"^[1-9]\d* of 12 ·")).wait_for()
    stop.click()
    resume = page.get_by_role("button", name=re.compile(r"Resume \(\d+ left\)"))
    resume.wait_for()
    settle(page)
    left = int(re.search(r"\d+", resume.inner_text()).group())
    assert 0 < left < 12
    before = json.loads(downloaded(page, "All as JSON"))
    assert len(before["rows"]) == 12 - left

    resume.click()
    page.get_by_role("button", name="Measure again").wait_for(timeout=150_000)
    settle(page)
    after = json.loads(downloaded(page, "All as JSON"))
    assert len(after["rows"]) == 12
    assert all(row in after["rows"] for row in before["rows"]), "what was measured before the stop is kept"
    table = list(csv.DictReader(io.StringIO(downloaded(page, "Table as CSV").decode())))
    assert [row["label"] for row in table] == ["Your clusters", "TSG", "K-Means"]
    assert downloaded(page, "PNG")[:4] == b"\x89PNG"


def test_the_address_brings_back_the_experiment(page, new_page, server):
    page.goto(f"{server.url}/Compare")
    settle(page)
    page.get_by_text("Points per cluster", exact=True).click()
    page.get_by_text("sizes fall geometrically").wait_for(state="attached")
    expect(page).to_have_url(re.compile("o_cmp_experiment=sizes"))
    settle(page)
    other = new_page()
    other.goto(page.url)
    settle(other)
    other.get_by_text("Whether accuracy stays when clusters hold very different numbers of points").wait_for()
    claims = downloaded(other, "Claims as CSV").decode()
    assert claims.startswith("claim,section,paper,measured,verdict,rule")


def test_a_phone_shows_pictures_one_below_the_other(phone, server):
    phone.goto(f"{server.url}/Compare?o_cmp_experiment=easy")
    settle(phone)
    charts = phone.locator('[data-testid="stPlotlyChart"]')
    first, second = charts.nth(0).bounding_box(), charts.nth(1).bounding_box()
    assert second["y"] > first["y"] + 100
    assert first["width"] > 250
    assert phone.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    cards = "[...document.querySelectorAll('.claim')]"
    assert phone.evaluate(f"{cards}.length > 20 && {cards}.every(c => c.getBoundingClientRect().right <= innerWidth)")
