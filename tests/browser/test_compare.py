"""Compare in a browser: the table follows θ as it is dragged, pictures come when asked for, a phone has room."""

import re

from playwright.sync_api import expect

from tests.browser.helpers import settle

QUICK = "data=grid&data_side=3&data_per_cluster=40&shuffles=10&o_others=yes"


def test_the_table_follows_theta_while_the_pointer_is_down(page, server):
    page.goto(f"{server.url}/Compare?{QUICK}")
    settle(page)
    expect(page.get_by_test_id("other-kmeanspp-k")).to_have_text("9", timeout=120_000)
    expect(page.get_by_test_id("other-hdbscan-own-k")).to_have_text("9", timeout=120_000)
    table, own = page.get_by_test_id("other-methods"), page.get_by_test_id("other-tdg-k")
    expect(own).to_have_text("9")
    box = page.get_by_test_id("compare-theta").bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] * 0.6, middle)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 8, middle, steps=8)
    expect(own).to_have_text("1")  # all of it in the browser: the address does not know yet
    expect(page.get_by_text("one cluster, no K to use")).to_be_visible()
    expect(page.get_by_test_id("other-hdbscan-own-k")).to_have_text("9")  # its own rule knows no θ
    assert "theta=" not in page.url
    page.mouse.move(box["x"] + box["width"] * 0.35, middle, steps=8)
    expect(table).not_to_have_attribute("data-k", "1")
    page.mouse.up()
    expect(page).to_have_url(re.compile("theta="))
    many = own.inner_text()
    assert int(many) > 9
    expect(page.get_by_test_id("other-mixture-told-k")).to_have_text(many, timeout=120_000)  # measured on release


def test_pictures_come_when_asked_for_and_a_phone_has_room(phone, server):
    phone.goto(f"{server.url}/Compare?{QUICK}&o_cmp_methods=kmeans%2B%2B-told,birch-told")
    settle(phone)
    assert phone.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    pictures = phone.locator(".theta-pictures img")
    assert pictures.count() == 0
    phone.get_by_text("Pictures and more scores").click()
    expect(pictures).to_have_count(3, timeout=60_000)
    assert phone.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
