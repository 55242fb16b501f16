"""A messy file from the upload to the report, in a real browser: as a data scientist would bring it."""

import re
from pathlib import Path

import pandas as pd
from playwright.sync_api import expect

from tests.browser.helpers import settle
from tests.datasets.messy import csv, customers

FRAME = customers(240)


def upload(page, name: str, content: bytes) -> None:
    page.locator('input[type="file"]').set_input_files({"name": name, "mimeType": "text/csv", "buffer": content})


def taken(page, name: str) -> Path:
    with page.expect_download() as caught:
        page.get_by_role("button", name=name, exact=True).click()
    return caught.value.path()


def test_a_messy_file_is_made_ready_clustered_and_reported(page, server, tmp_path):
    page.goto(server.url + "/Data")
    cards = page.get_by_role("group", name="Shapes").get_by_role("button")
    expect(cards.filter(has_text="Moons").locator("img")).to_have_js_property("complete", True)
    settle(page)
    cards.filter(has_text="Moons").click()
    expect(page.get_by_role("heading", name="Moons")).to_be_visible()
    expect(page).to_have_url(re.compile("data=moons"))
    settle(page)

    upload(page, "customers.csv", csv(FRAME))
    expect(page.get_by_text("Using 4 of 13 columns: salary and share were converted to numbers")).to_be_visible()
    expect(page).to_have_url(re.compile("scaling=standard"))
    settle(page)
    page.get_by_role("switch", name="use salary").click()
    expect(page).to_have_url(re.compile("columns=income(%2C|,)visits(%2C|,)share"))
    settle(page)
    page.get_by_test_id("stButtonGroup").get_by_text("As it is").click()
    expect(page).not_to_have_url(re.compile("scaling"))
    expect(page.get_by_text("'income' decides 99 % of every distance: standardise?")).to_be_visible()
    settle(page)

    page.get_by_role("link", name="Explore").first.click()
    expect(page.get_by_text("decides 99 % of every distance: standardise?")).to_be_visible()
    page.get_by_role("button", name="Standardise").click()
    expect(page.get_by_role("button", name="Undo")).to_be_visible()
    expect(page).to_have_url(re.compile("scaling=standard"))
    settle(page)
    page.locator(".st-key-go-export button").click()
    expect(page.get_by_role("button", name="Labels", exact=True)).to_be_visible()
    settle(page)

    rows = pd.read_csv(taken(page, "Labels"))
    assert rows["row"].tolist() == list(range(2, 242))
    assert rows["cluster"].isna().sum() == rows["set_aside"].notna().sum() == 4
    assert rows.merge(FRAME, on=list(FRAME.columns)).shape[0] == 240
    centroids = pd.read_csv(taken(page, "Centroids"))
    assert centroids["income"].between(20_000, 35_000).all()
    assert centroids["income (scaled)"].between(-3, 3).all()

    page.get_by_text("Apply these clusters to another file").click()
    upload(page, "later.csv", csv(customers(60, seed=4)))
    expect(page.get_by_text(re.compile(r"56 rows in \d+ clusters?"))).to_be_visible()
    settle(page)
    second = pd.read_csv(taken(page, "That file with clusters"))
    assert second["row"].tolist() == list(range(2, 62))
    assert set(second["cluster"].dropna()) <= set(rows["cluster"].dropna())

    notebook = taken(page, "Notebook").read_text(encoding="utf-8")
    assert "data = read('customers.csv'" in notebook
    report = tmp_path / "report.html"
    report.write_bytes(taken(page, "Report").read_bytes())
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(report.as_uri())
    expect(page.get_by_role("heading", name="Clusters of customers.csv")).to_be_visible()
    expect(page.locator("svg")).to_have_count(3)
    assert page.evaluate("document.querySelector('svg').getBoundingClientRect().height") > 200
    expect(page.get_by_role("cell").first).to_be_visible()
    assert asked == [report.as_uri()], "the page asks for nothing else"
    assert page.get_by_role("row").count() > 2


def test_a_phone_shows_the_gallery_and_the_check_without_scrolling_sideways(phone, server):
    phone.goto(server.url + "/Data?data=wine")
    expect(phone.get_by_text("'proline' decides 99 % of every distance: standardise?")).to_be_visible()
    settle(phone)
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    cards = phone.get_by_role("group", name="Real").get_by_role("button")
    expect(cards.filter(has_text="Wine")).to_have_attribute("aria-pressed", "true")
    cards.filter(has_text="Iris").tap()
    expect(phone.get_by_role("heading", name="Iris")).to_be_visible()
