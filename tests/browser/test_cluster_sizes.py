"""Cluster sizes in a browser: keep fewer, look at what is left, apply a steady range, take the labels away."""

import csv
import io
import re
from collections import Counter
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.helpers import settle
from tests.browser.test_optimal_theta import chart, click_row, drawn

SMALL = "data=grid&data_side=3&data_spacing=8.0&data_per_cluster=20&shuffles=5"


def open_page(page, server, query=SMALL):
    page.goto(f"{server.url}/Cluster_sizes?{query}")
    settle(page)
    chart(page, "sizes").wait_for()


def test_keeping_fewer_clusters_leaves_points_over_and_a_steady_range_is_one_click_away(page, server):
    open_page(page, server)
    assert drawn(page, "kept", "figure._fullData[1].x.length") == 0
    handle = page.locator(".st-key-widget-keep").get_by_role("slider")
    handle.focus()
    handle.press("ArrowLeft")
    page.wait_for_function("() => document.querySelector('.st-key-kept .js-plotly-plot')?._fullData?.[1].x.length > 0")
    settle(page)
    assert drawn(page, "kept", "figure._fullData[1].name") == "left over"
    page.get_by_role("radio", name="Reassigned").click()
    page.wait_for_function(
        "() => document.querySelector('.st-key-kept .js-plotly-plot')?._fullData?.[1].name == 'left over, reassigned'"
    )
    with page.expect_download() as info:
        page.get_by_role("button", name="Labels", exact=True).click()
    rows = list(csv.DictReader(io.StringIO(Path(info.value.path()).read_text(encoding="utf-8-sig"))))
    assert len(rows) == 180
    assert len(Counter(row["cluster"] for row in rows)) == 8

    click_row(page, "steady-table", 0)
    page.get_by_text("is in use on every page").wait_for()
    expect(page).to_have_url(re.compile("[?&]theta="))
    settle(page)
    theta = float(re.search(r"[?&]theta=([^&]+)", page.url).group(1))
    low, high = drawn(page, "drops", "figure.layout.shapes.filter(s => s.type == 'rect').map(s => [s.x0, s.x1])[0]")
    assert low < theta < high


def test_the_four_sets_stand_side_by_side_also_on_a_phone(phone, server):
    open_page(phone, server)
    assert drawn(phone, "sets", "figure._fullData.length") == 4
    expect(phone.get_by_text("Measured here")).to_be_visible()
    assert phone.evaluate("document.documentElement.scrollWidth <= window.innerWidth + 1")
