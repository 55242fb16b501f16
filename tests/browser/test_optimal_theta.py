"""Optimal θ in a browser: a range applied with a click, the shuffle map, the downloads, a phone."""

import csv
import io
import re
import struct
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.helpers import settle

SMALL = "data=grid&data_side=3&data_spacing=8.0&data_per_cluster=20&shuffles=5"


def open_page(page, server, query=SMALL):
    page.goto(f"{server.url}/Optimal_theta?{query}")
    settle(page)
    chart(page, "ranges").wait_for()


def chart(page, key):
    return page.locator(f".st-key-{key} .js-plotly-plot")


def drawn(page, key, expression):
    """Something read from a chart's figure, as JavaScript over ``figure``, whose _fullData are its traces decoded."""
    chart(page, key).locator(".main-svg").first.wait_for()
    return chart(page, key).evaluate(f"figure => {expression}")


def click_row(page, table, row):
    """Click the button in the first column of a table's row, 0 the first below the header."""
    grid = page.locator(f".st-key-{table} canvas").first
    grid.evaluate("grid => grid.scrollIntoView({ block: 'center' })")
    grid.element_handle().wait_for_element_state("stable")
    box = grid.bounding_box()
    page.mouse.click(box["x"] + 45, box["y"] + 35 * (row + 1.5))


def test_a_click_on_a_range_puts_its_middle_in_use_on_every_page(page, server):
    open_page(page, server)
    click_row(page, "range-table", 1)
    page.get_by_text("is in use on every page").wait_for()
    expect(page).to_have_url(re.compile("[?&]theta="))
    settle(page)
    theta = float(re.search(r"[?&]theta=([^&]+)", page.url).group(1))
    bands = drawn(page, "ranges", "figure.layout.shapes.filter(s => s.type == 'rect').map(s => [s.x0, s.x1])")
    assert bands[1][0] < theta < bands[1][1]
    assert drawn(page, "ranges", "figure.layout.shapes.filter(s => s.type == 'line')[0].x0") == pytest.approx(theta)
    page.get_by_role("link", name="See it in Explore θ").click()
    expect(page.get_by_test_id("theta-timeline").first).to_have_attribute("aria-valuenow", str(theta))


def test_the_shuffle_map_reaches_as_far_as_the_shuffles(page, server):
    open_page(page, server)
    rows = "figure._fullData.filter(t => t.type == 'heatmap').map(t => t.y.length)"
    counts = "figure._fullData.find(t => t.type == 'heatmap').text.map(row => Number(row[0]))"
    assert drawn(page, "shuffle-map", rows) == [4, 4]
    assert list(drawn(page, "shuffle-map", counts)) == [2, 3, 4, 5]
    box = page.locator(".st-key-widget-shuffles input")
    box.fill("8")
    box.press("Enter")
    page.wait_for_function(
        "() => document.querySelector('.st-key-shuffle-map .js-plotly-plot')?._fullData?.[0].y.length > 4",
        timeout=30_000,
    )
    settle(page)
    assert drawn(page, "shuffle-map", counts)[-1] == 8


def download(page, key, button):
    with page.expect_download() as info:
        page.locator(f".st-key-{key}-downloads").get_by_role("button", name=button, exact=True).click()
    return info.value.suggested_filename, Path(info.value.path()).read_bytes()


def paper(svg):
    """Mean level, 0 to 255, of the colour behind the picture."""
    fill = ET.fromstring(svg).find("{http://www.w3.org/2000/svg}rect").get("fill")
    return sum(int(level) for level in re.findall(r"\d+", fill)[:3]) / 3


def test_a_figure_is_taken_away_as_picture_page_and_numbers(page, server):
    open_page(page, server)
    drawn(page, "ranges", "1")

    name, png = download(page, "ranges", "PNG")
    assert name.endswith(".png")
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", png[16:24])
    assert width >= 1800
    assert 0.2 < height / width < 2

    name, svg = download(page, "ranges", "SVG")
    assert name.endswith(".svg")
    root = ET.fromstring(svg)
    words = " ".join(root.itertext())
    assert "clusters K" in words
    assert "order agreement" in words
    assert server.url not in svg.decode()
    assert paper(svg) > 200

    name, html = download(page, "ranges", "HTML")
    assert name.endswith(".html")
    assert b"Plotly.newPlot" in html
    assert not re.search(rb'<script[^>]+src="http', html)  # opens without a network

    name, table = download(page, "ranges", "CSV")
    rows = list(csv.DictReader(io.StringIO(table.decode("utf-8-sig"))))
    thetas = drawn(page, "ranges", "figure._fullData.find(t => t.name == 'K (TDG)').y.length")
    assert len(rows) == thetas
    assert {"theta", "n_clusters", "agreement", "silhouette", "nmi"} <= set(rows[0])


def test_on_a_dark_page_the_picture_is_dark(new_page, server):
    page = new_page(color_scheme="dark")
    open_page(page, server)
    drawn(page, "ranges", "1")
    assert paper(download(page, "ranges", "SVG")[1]) < 60


def test_the_page_fits_a_phone(phone, server):
    open_page(phone, server)
    assert phone.evaluate("document.documentElement.scrollWidth <= window.innerWidth + 1")
    assert drawn(phone, "spacing", "figure.getBoundingClientRect().width") <= 390
