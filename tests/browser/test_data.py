"""The Data page in a real browser."""

import re
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import expect

from tests.browser.explore import Explorer
from tests.browser.helpers import settle
from tests.datasets.hostile import gz_of_text
from theta_app import datasets


def csv(n=60, seed=0, **columns) -> bytes:
    rng = np.random.default_rng(seed)
    centres = np.repeat([[0, 0], [20, 0], [0, 20]], n // 3, axis=0)
    points = centres + rng.normal(size=(n, 2))
    frame = pd.DataFrame({"width": points[:, 0], "height": points[:, 1], "kind": np.repeat(["a", "b", "c"], n // 3)})
    return frame.assign(**columns).to_csv(index=False).encode()


def upload(page, name: str, content: bytes) -> None:
    page.locator('input[type="file"]').set_input_files({"name": name, "mimeType": "text/csv", "buffer": content})


def shown(page, name: str) -> None:
    """Wait until a data set is the current one."""
    expect(page.get_by_role("heading", name=name)).to_be_visible()
    settle(page)


def test_the_points_are_drawn_without_plotly(page, server):
    scripts = []
    page.on("request", lambda request: scripts.append(request.url))
    open_data_page(page, f"{server.url}/Data?data=grid&data_side=2&data_per_cluster=30")
    preview = page.get_by_test_id("preview")
    expect(preview).to_have_attribute("data-points", "120")
    expect(preview).to_have_attribute("aria-label", "120 points of Blobs on a grid")
    expect(preview.locator("xpath=following-sibling::ul/li")).to_have_count(4)  # a class each
    assert [url for url in scripts if "lotly" in url] == []


def open_data_page(page, address: str) -> None:
    page.goto(address)
    expect(page.get_by_role("heading", name="Data", exact=True)).to_be_visible()
    settle(page)


@pytest.fixture
def data_page(page, server):
    open_data_page(page, server.url + "/Data")
    return page


def test_an_upload_is_used_on_every_page_and_survives_a_reload(data_page):
    upload(data_page, "my points.csv", csv())
    shown(data_page, "my points.csv")
    expect(data_page).to_have_url(re.compile("data=upload"))
    data_page.reload()
    shown(data_page, "my points.csv")

    explorer = Explorer(data_page, data_page.url.replace("/Data", "/"))
    expect(data_page.get_by_text("my points.csv").first).to_be_visible()
    assert explorer.k == 3
    explorer.export()
    with data_page.expect_download() as caught:
        data_page.get_by_role("button", name="Labels", exact=True).click()
    table = pd.read_csv(caught.value.path())
    assert list(table.columns) == ["row", "width", "height", "kind", "cluster"]
    assert table.groupby("kind")["cluster"].nunique().tolist() == [1, 1, 1]
    data_page.get_by_text("Share link").click()
    expect(data_page.get_by_text("does not contain your file")).to_be_visible()


def test_a_bad_or_huge_file_says_why_and_leaves_the_data_as_they_were(data_page, tmp_path):
    address = data_page.url
    upload(data_page, "words.csv", b"name;town\nAnna;Ulm\nBert;Bonn\n")
    expect(data_page.get_by_test_id("stAlert").last).to_contain_text("The current data set is still the one below.")
    shown(data_page, "Blobs on a grid")
    assert data_page.url == address

    data_page.expected_errors.append("")  # the browser may log the refusal
    huge = tmp_path / "huge.csv"
    with huge.open("wb") as out:
        out.truncate(201 * 2**20)  # sparse: takes no room on the disk
    data_page.locator('input[type="file"]').set_input_files(huge)
    expect(data_page.get_by_test_id("stFileUploader")).to_contain_text("must be 200")
    shown(data_page, "Blobs on a grid")

    upload(data_page, "better.csv", csv())
    shown(data_page, "better.csv")


def readers(server) -> list[Path]:
    """The processes that read files for a server."""
    found = []
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            child = f"PPid:\t{server.process.pid}\n" in status.read_text()
            if child and b"uploads.process" in (status.parent / "cmdline").read_bytes():
                found.append(status.parent)
        except OSError:  # it has just ended
            continue
    return found


def wait_until_none_reads(server) -> None:
    until = time.monotonic() + 60  # a test that hangs says nothing; read to its end, the file would take as long
    while found := readers(server):
        assert time.monotonic() < until, found
        time.sleep(0.05)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="processes are looked up in /proc")
def test_a_file_that_takes_long_can_be_cancelled_left_or_replaced(data_page, server):
    slow = gz_of_text(900_000_000, b",".join([b"0.12345678901234567"] * 50) + b"\n")  # a small file, read for long

    upload(data_page, "slow.csv.gz", slow)
    expect(data_page.get_by_test_id("stProgress")).to_contain_text("Reading slow")
    assert len(readers(server)) == 1
    data_page.get_by_role("button", name="Cancel").click()
    expect(data_page.get_by_test_id("stAlert").last).to_contain_text("cancelled")
    shown(data_page, "Blobs on a grid")
    wait_until_none_reads(server)

    upload(data_page, "slower.csv.gz", slow)
    expect(data_page.get_by_test_id("stProgress")).to_contain_text("Reading slower")
    upload(data_page, "quick.csv", csv())
    shown(data_page, "quick.csv")
    wait_until_none_reads(server)

    upload(data_page, "slowest.csv.gz", slow)
    expect(data_page.get_by_test_id("stProgress")).to_contain_text("Reading slowest")
    data_page.get_by_role("link", name="Learn").click()
    expect(data_page.get_by_role("heading", name="Learn", exact=True)).to_be_visible()
    wait_until_none_reads(server)
    settle(data_page)

    data_page.get_by_role("link", name="Data", exact=True).first.click()
    shown(data_page, "quick.csv")
    upload(data_page, "slow again.csv.gz", slow)
    expect(data_page.get_by_test_id("stProgress")).to_contain_text("Reading slow again")
    data_page.goto("about:blank")
    wait_until_none_reads(server)


def test_a_link_carries_settings_but_never_the_file(data_page, new_page):
    content = csv(seed=6)
    upload(data_page, "secret.csv", content)
    shown(data_page, "secret.csv")
    expect(data_page).to_have_url(re.compile("data=upload"))
    other = new_page()
    open_data_page(other, data_page.url + "&theta=4.25&shuffles=30")  # the whole address
    notice = other.get_by_test_id("stAlert").first
    expect(notice).to_contain_text("links do not carry files")
    expect(notice).to_contain_text("θ = 4.25")
    shown(other, "Blobs on a grid")
    expect(other.get_by_text("secret")).to_have_count(0)

    upload(other, "secret.csv", content)  # whoever has the file gets the settings back
    shown(other, "secret.csv")
    expect(other).to_have_url(re.compile("theta=4.25.*shuffles=30|shuffles=30.*theta=4.25"))


def test_columns_and_scale_are_the_persons_choice_and_a_name_is_only_a_name(data_page):
    name = "![x](y.png) **bold**.csv"
    upload(data_page, name, csv(weight=np.arange(60) ** 2.0))
    expect(data_page.get_by_role("heading", level=3).filter(has_text="**bold**")).to_have_count(1)
    settle(data_page)
    expect(data_page.locator('[data-testid="stMain"] img:not([src^="data:image/svg"])')).to_have_count(0)
    expect(data_page).to_have_url(re.compile("scaling=standard"))
    expect(data_page.get_by_text("standard deviations").first).to_be_visible()
    data_page.get_by_test_id("stButtonGroup").get_by_text("As it is").click()
    expect(data_page).not_to_have_url(re.compile("scaling"))
    settle(data_page)
    data_page.get_by_role("switch", name="use weight").click()
    expect(data_page).to_have_url(re.compile("columns=width(%2C|,)height"))


def test_numbers_of_a_generated_set_change_the_set(data_page):
    box = data_page.get_by_label("Clusters per side", exact=True)
    box.fill("4")
    box.press("Enter")
    expect(data_page.get_by_text("1,600", exact=True).first).to_be_visible()
    expect(data_page).to_have_url(re.compile("data_side=4"))
    assert datasets.spec_from_query({"data": "grid", "data_side": "4"}).side == 4
