"""What all pages share: deep links, settings that stay, a session of one's own."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.accessible import barriers
from tests.browser.explore import Explorer
from tests.browser.helpers import complaints, settle
from theta_app.ui.shell import MENU

SMALL = "data=grid&data_side=3&data_spacing=8&data_per_cluster=40&shuffles=20"


FIRST_ON_A_SERVER = ("pages/Compare.py",)  # a server of its own for each page would take minutes


@pytest.mark.parametrize("entry", [e for e in MENU if e.file != "app.py"], ids=lambda entry: entry.file)
def test_a_deep_link_opens_also_as_the_first_thing_a_new_server_sees(entry, page, server, new_server):
    running = new_server() if entry.file in FIRST_ON_A_SERVER else server  # Explore's first visit is in test_explore.py
    page.goto(f"{running.url}/{entry.file.removeprefix('pages/').removesuffix('.py')}?{SMALL}")
    expect(page.get_by_role("heading", name=entry.title).first).to_be_visible()
    settle(page, 120)
    expect(page).to_have_title(f"{entry.title} · ThetA")
    expect(page.get_by_test_id("stSidebar").get_by_test_id("stPageLink")).to_have_count(len(MENU) - 1)
    assert complaints(page) == []
    assert "Traceback" not in running.log()
    assert barriers(page) == []


def test_settings_survive_a_page_change_and_a_reload(page, server):
    explorer = Explorer(page, server.url + "/?data=grid&data_side=3&data_per_cluster=40")
    explorer.open("settings")
    page.get_by_label("Shuffles", exact=True).fill("30")
    page.get_by_label("Shuffles", exact=True).press("Enter")
    expect(page).to_have_url(re.compile("shuffles=30"))
    explorer.ready()
    explorer.press(0.6)
    explorer.move(0.5)
    explorer.release()
    explorer.agreed()
    theta, k = explorer.theta, explorer.k

    page.get_by_test_id("stSidebar").get_by_role("link", name="Data", exact=True).first.click()
    expect(page.get_by_role("heading", name="Data", exact=True)).to_be_visible()
    expect(page).to_have_url(re.compile(f"data_side=3.*theta={re.escape(repr(theta))}"))
    settle(page)
    page.get_by_test_id("stSidebar").get_by_role("link", name="Explore").first.click()
    explorer.ready()
    explorer.agreed()
    assert (explorer.theta, explorer.k) == (theta, k)
    expect(page.get_by_label("Shuffles", exact=True)).to_have_value("30")

    page.reload()
    explorer.ready()
    explorer.agreed()
    explorer.open("settings")
    assert (explorer.theta, explorer.k) == (theta, k)
    expect(page.get_by_label("Shuffles", exact=True)).to_have_value("30")


def test_a_broken_link_opens_with_a_sentence(page, server):
    explorer = Explorer(page, server.url + "/?data=grid&data_side=2&theta=minus&shuffles=20")
    expect(page.get_by_test_id("stAlert").first).to_contain_text("theta")
    assert explorer.k >= 1
    expect(page).not_to_have_url(re.compile("theta=minus"))


def test_dark_and_light_follow_the_visitor(page, server):
    colours = {}
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        Explorer(page, server.url + "/?data=grid&data_side=2&data_per_cluster=30&shuffles=10")
        text = page.get_by_test_id("theta-timeline").evaluate("e => getComputedStyle(e).color")
        canvas = page.locator('canvas[data-part="points"]').evaluate(
            "c => Array.from(c.getContext('2d').getImageData(c.width - 12, 12, 1, 1).data.slice(0, 3))"
        )
        colours[scheme] = (sum(map(int, re.findall(r"\d+", text)[:3])), sum(canvas))
    assert barriers(page) == []
    assert colours["light"][0] < colours["dark"][0]  # dark letters on light, light on dark
    assert colours["light"][1] > 600 > 200 > colours["dark"][1]
