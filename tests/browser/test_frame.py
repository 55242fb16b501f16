"""What all pages share: deep links, settings that stay, a session of one's own."""

import re

import pytest

from tests.browser.explore import Explorer
from tests.browser.helpers import ROOT, complaints, settle
from theta_app.ui.frame import MENU

EXISTING = [entry for entry in MENU if (ROOT / entry.file).exists()]


def address(entry) -> str:
    return "/" if entry.file == "app.py" else "/" + entry.file.removeprefix("pages/").removesuffix(".py")


@pytest.mark.parametrize("entry", EXISTING, ids=lambda entry: entry.file)
def test_a_deep_link_is_the_first_thing_a_new_server_sees(entry, page, new_server):
    running = new_server()
    page.goto(running.url + address(entry))
    page.get_by_role("heading", name=entry.title).first.wait_for(timeout=60_000)
    settle(page, 120)
    assert page.title() == f"{entry.title} · ThetA"
    links = page.get_by_test_id("stSidebar").get_by_test_id("stPageLink")
    assert links.count() == len(EXISTING)
    assert complaints(page) == []
    assert "Traceback" not in running.log()


def test_settings_survive_a_page_change_and_a_reload(page, server):
    explorer = Explorer(page, server.url + "/?data=grid&data_side=3&data_per_cluster=40")
    page.get_by_label("Shuffles", exact=True).fill("30")
    page.get_by_label("Shuffles", exact=True).press("Enter")
    settle(page)
    explorer.press(0.6)
    explorer.move(0.5)
    explorer.release()
    explorer.agreed()
    theta, k = explorer.theta, explorer.k

    page.get_by_test_id("stSidebar").get_by_role("link", name="Data", exact=True).first.click()
    page.get_by_role("heading", name="Data", exact=True).wait_for()
    settle(page)
    assert "data_side=3" in page.url
    assert f"theta={theta!r}" in page.url
    page.get_by_test_id("stSidebar").get_by_role("link", name="Explore θ").first.click()
    explorer.ready()
    explorer.agreed()
    assert (explorer.theta, explorer.k) == (theta, k)
    assert page.get_by_label("Shuffles", exact=True).input_value() == "30"

    page.reload()
    explorer.ready()
    explorer.agreed()
    assert (explorer.theta, explorer.k) == (theta, k)
    assert page.get_by_label("Shuffles", exact=True).input_value() == "30"


def test_a_broken_link_opens_with_a_sentence(page, server):
    explorer = Explorer(page, server.url + "/?data=grid&data_side=2&theta=minus&shuffles=20")
    notice = page.get_by_test_id("stAlert").first.inner_text()
    assert "theta" in notice
    assert explorer.k >= 1
    assert "theta=minus" not in page.url


def test_dark_and_light_follow_the_visitor(new_page, server):
    colours = {}
    for scheme in ("light", "dark"):
        page = new_page(color_scheme=scheme)
        Explorer(page, server.url + "/?data=grid&data_side=2&data_per_cluster=30&shuffles=10")
        text = page.get_by_test_id("theta-timeline").evaluate("e => getComputedStyle(e).color")
        canvas = page.locator('canvas[data-part="points"]').evaluate(
            "c => Array.from(c.getContext('2d').getImageData(c.width - 12, 12, 1, 1).data.slice(0, 3))"
        )
        colours[scheme] = (sum(map(int, re.findall(r"\d+", text)[:3])), sum(canvas))
    assert colours["light"][0] < colours["dark"][0]  # dark letters on light, light on dark
    assert colours["light"][1] > 600 > 200 > colours["dark"][1]
