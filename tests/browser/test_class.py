"""Learn with a class: share links, QR codes, and a room that phones follow."""

import io
import re

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import expect

from tests.browser.helpers import PHONE, settle
from tests.browser.learn import CLASSROOM, host, open_lesson

# Share links


def test_a_server_for_this_machine_only_says_how_to_let_others_in(page, server):
    open_lesson(page, server, "start")
    page.keyboard.press("q")
    expect(page.get_by_test_id("learn-note")).to_contain_text("--address 0.0.0.0")
    expect(page.get_by_test_id("learn-qr")).to_be_hidden()


def test_a_qr_code_on_the_stage_has_the_address_that_others_can_reach(new_page, new_server):
    from theta_app.ui.address import own_address

    other = own_address()
    if other.startswith("127."):
        pytest.skip("this machine is in no network")
    open_to_all = new_server(address="0.0.0.0")
    page = new_page(viewport=CLASSROOM)
    page.goto(f"{open_to_all.url}/Learn?o_lesson=order&o_order=trio")
    settle(page)
    page.keyboard.press("f")
    page.keyboard.press("q")
    expect(page.get_by_test_id("learn-link")).to_have_value(re.compile("o_order=trio"))
    link = page.get_by_test_id("learn-link").input_value()
    assert link.startswith(f"http://{other}:{open_to_all.port}/Learn?")
    assert read(page.get_by_test_id("learn-qr")) == link
    for _ in range(2):  # closed and opened again
        page.keyboard.press("q")
    expect(page.get_by_test_id("learn-link")).to_have_value(link)
    expect(page.get_by_test_id("learn-qr")).to_be_visible()
    page.goto(link)
    settle(page)
    expect(host(page)).to_have_attribute("data-story", "trio")


def read(locator):
    """What a QR code on the screen says."""
    (found,) = zxingcpp.read_barcodes(Image.open(io.BytesIO(locator.screenshot())))
    return found.text


# A room


def test_a_room_with_three_browsers(new_page, server):
    teacher = new_page(viewport=CLASSROOM)
    teacher.goto(f"{server.url}/Learn?o_lesson=point")
    settle(teacher)
    teacher.get_by_test_id("learn-share").click()
    teacher.get_by_test_id("learn-room-open").click()
    expect(teacher.get_by_test_id("room-bar")).to_contain_text("0 phones")
    code = host(teacher).get_attribute("data-room")
    expect(teacher.get_by_test_id("learn-link")).to_have_value(re.compile(f"o_room={code}"))
    teacher.get_by_test_id("learn-share-close").click()

    phones = [new_page(viewport=PHONE, is_mobile=True, has_touch=True) for _ in range(2)]
    phones[0].goto(f"{server.url}/Learn?o_room={code}")
    phones[1].goto(f"{server.url}/Learn")
    settle(phones[1])
    phones[1].get_by_test_id("learn-share").tap()
    phones[1].get_by_test_id("room-code").fill(code.lower())
    phones[1].get_by_test_id("learn-room-join").tap()
    for phone in phones:
        expect(host(phone)).to_have_attribute("data-lesson", "point")
        expect(phone.get_by_test_id("room-bar")).to_contain_text(f"Room {code}")
    phones[1].get_by_test_id("learn-share-close").tap()
    expect(host(teacher)).to_have_attribute("data-phones", "2")

    follows_steps_and_stories(teacher, phones)
    answers_are_counted(teacher, phones)
    one_looks_around_and_comes_back(teacher, phones[0])
    teacher.reload()  # whoever led still leads
    settle(teacher)
    expect(teacher.get_by_test_id("room-bar")).to_contain_text(f"Room {code} · 2 phones")
    teacher.get_by_test_id("learn-share").click()
    teacher.get_by_test_id("learn-room-end").click()
    for page in (teacher, *phones):
        expect(page.get_by_test_id("room-bar")).to_be_hidden()


def follows_steps_and_stories(teacher, phones):
    teacher.get_by_test_id("player-quick").click()
    teacher.get_by_test_id("player-scrub").fill("12")
    for phone in phones:
        expect(phone.get_by_test_id("player")).to_have_attribute("data-step", "12")
    teacher.get_by_test_id("player-theta-range").fill("2.5")
    for phone in phones:
        expect(phone.get_by_test_id("player-theta")).to_have_text("θ = 2.5")
    teacher.get_by_role("radio", name="Order matters").click()
    for phone in phones:
        expect(host(phone)).to_have_attribute("data-story", "few")


def answers_are_counted(teacher, phones):
    for phone, choice in zip(phones, (0, 1)):
        expect(phone.get_by_test_id("question-words")).to_have_text("The same clusters?")
        phone.get_by_test_id(f"answer-{choice}").tap()
        expect(phone.get_by_test_id("question-words")).to_contain_text("Wait for the class")
    expect(teacher.get_by_test_id("question-heard")).to_have_text("2 of 2 phones")
    assert teacher.get_by_test_id("orders").get_attribute("data-step") == "0", "it waits for whoever leads"
    teacher.keyboard.press("PageDown")
    expect(teacher.get_by_test_id("orders")).to_have_attribute("data-parted", "true")
    assert [teacher.get_by_test_id(f"answer-{i}").inner_text() for i in (0, 1)] == ["Yes (Y) 1", "No (N) 1"]
    expect(phones[0].get_by_test_id("question-words")).to_have_text("Not quite: you said “Yes”.")
    expect(phones[0].get_by_test_id("answer-1")).to_have_class(re.compile("right"))
    expect(phones[1].get_by_test_id("question-words")).to_have_text("Right.")
    for phone in phones:
        expect(phone.get_by_test_id("orders")).to_have_attribute("data-step", "7")


LISTENS = """(step) => {
    window.hasHeard = new Promise((done) =>
        document.addEventListener("theta-class", ({ detail }) => detail.place?.at === step && done()));
}"""


def one_looks_around_and_comes_back(teacher, phone):
    phone.get_by_role("radio", name="Chaining").tap()
    expect(host(phone)).to_have_attribute("data-lesson", "chain")
    expect(phone.get_by_test_id("room-words")).to_have_text("You are looking around.")
    phone.evaluate(LISTENS, 9)
    teacher.keyboard.press("PageDown")
    expect(teacher.get_by_test_id("orders")).to_have_attribute("data-step", "9")
    phone.evaluate("() => window.hasHeard")
    expect(host(phone)).to_have_attribute("data-lesson", "chain")
    phone.get_by_test_id("room-back").tap()
    expect(host(phone)).to_have_attribute("data-lesson", "order")
    expect(phone.get_by_test_id("orders")).to_have_attribute("data-step", "9")
