"""The Data page in a real browser."""

import numpy as np
import pandas as pd
import pytest

from tests.browser.explore import Explorer
from tests.browser.helpers import settle
from theta_app import datasets


def csv(n=60, seed=0, **columns) -> bytes:
    rng = np.random.default_rng(seed)
    centres = np.repeat([[0, 0], [20, 0], [0, 20]], n // 3, axis=0)
    points = centres + rng.normal(size=(n, 2))
    frame = pd.DataFrame({"width": points[:, 0], "height": points[:, 1], "kind": np.repeat(["a", "b", "c"], n // 3)})
    return frame.assign(**columns).to_csv(index=False).encode()


def upload(page, name: str, content: bytes, seconds: float = 60) -> None:
    page.locator('input[type="file"]').set_input_files({"name": name, "mimeType": "text/csv", "buffer": content})
    page.wait_for_function(
        "() => !document.querySelector('[data-testid=stFileUploader]').innerText.includes('per file')"
    )
    page.wait_for_timeout(300)
    settle(page, seconds)


@pytest.fixture
def data_page(page, server):
    page.goto(server.url + "/Data")
    page.get_by_role("heading", name="Data", exact=True).wait_for(timeout=60_000)
    settle(page)
    return page


def test_an_upload_is_used_on_every_page_and_survives_a_reload(data_page):
    upload(data_page, "my points.csv", csv())
    assert data_page.get_by_role("heading", name="my points.csv").is_visible()
    assert "data=upload" in data_page.url
    data_page.reload()
    data_page.get_by_role("heading", name="my points.csv").wait_for(timeout=60_000)
    settle(data_page)

    explorer = Explorer(data_page, data_page.url.replace("/Data", "/"))
    assert data_page.get_by_text("my points.csv").first.is_visible()
    assert explorer.k == 3
    with data_page.expect_download() as caught:
        data_page.get_by_role("button", name="Labels", exact=True).click()
    table = pd.read_csv(caught.value.path())
    assert list(table.columns) == ["width", "height", "kind", "cluster"]
    assert table.groupby("kind")["cluster"].nunique().tolist() == [1, 1, 1]
    data_page.get_by_text("A link to this").click()
    assert data_page.get_by_text("does not travel").is_visible()


def test_a_bad_file_says_why_and_leaves_the_data_as_they_were(data_page):
    address = data_page.url
    upload(data_page, "words.csv", b"name;town\nAnna;Ulm\nBert;Bonn\n")
    alert = data_page.get_by_test_id("stAlert").last.inner_text()
    assert "The current data set is still the one below." in alert
    assert data_page.get_by_role("heading", name="Blobs on a grid").is_visible()
    assert data_page.url == address
    upload(data_page, "better.csv", csv())
    data_page.get_by_role("heading", name="better.csv").wait_for()


def test_a_file_above_the_limit_is_refused_by_the_page(data_page, tmp_path):
    data_page.expected_errors.append("")  # the browser may log the refusal
    huge = tmp_path / "huge.csv"
    with huge.open("wb") as out:
        out.truncate(201 * 2**20)  # sparse: takes no room on the disk
    data_page.locator('input[type="file"]').set_input_files(huge)
    data_page.get_by_text("200").nth(1).wait_for()
    settle(data_page)
    assert data_page.get_by_role("heading", name="Blobs on a grid").is_visible()


def test_two_visitors_do_not_see_each_others_upload(data_page, new_page):
    upload(data_page, "secret.csv", csv(seed=5))
    other = new_page()
    other.goto(data_page.url)  # even with the whole address
    other.get_by_role("heading", name="Data", exact=True).wait_for(timeout=60_000)
    settle(other)
    assert other.get_by_text("secret").count() == 0
    assert "do not travel" in other.get_by_test_id("stAlert").first.inner_text()
    assert other.get_by_role("heading", name="Blobs on a grid").is_visible()


def test_the_file_of_a_link_brings_the_links_settings_back(data_page, new_page):
    content = csv(seed=6)
    upload(data_page, "shared.csv", content)
    address = data_page.url + "&theta=4.25&shuffles=30"
    other = new_page()
    other.goto(address)
    other.get_by_role("heading", name="Data", exact=True).wait_for(timeout=60_000)
    settle(other)
    assert "θ = 4.25" in other.get_by_test_id("stAlert").first.inner_text()
    upload(other, "shared.csv", content)
    assert other.get_by_role("heading", name="shared.csv").is_visible()
    assert "theta=4.25" in other.url
    assert "shuffles=30" in other.url


def test_columns_label_and_scale_are_the_persons_choice(data_page):
    upload(data_page, "three.csv", csv(weight=np.arange(60) * 100.0))
    data_page.get_by_text("Standardise").click()
    settle(data_page)
    assert "scaling=standard" in data_page.url
    assert data_page.get_by_text("standard deviations").first.is_visible()
    data_page.get_by_label("Columns to cluster by", exact=True).press("Backspace")
    settle(data_page)
    assert "columns=width%2Cheight" in data_page.url or "columns=width,height" in data_page.url


def test_a_name_cannot_format_link_or_load_anything(data_page):
    upload(data_page, "![x](y.png) **bold**.csv", csv(seed=7))
    assert data_page.get_by_role("heading", level=3).filter(has_text="**bold**").count() == 1
    assert data_page.locator('[data-testid="stMain"] img').count() == 0


def test_numbers_of_a_generated_set_change_the_set(data_page):
    box = data_page.get_by_label("Clusters a side", exact=True)
    box.fill("4")
    box.press("Enter")
    data_page.get_by_text("1,600", exact=True).first.wait_for()
    settle(data_page)
    assert "data_side=4" in data_page.url
    assert datasets.spec_from_query({"data": "grid", "data_side": "4"}).side == 4
