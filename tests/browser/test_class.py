"""Learn in front of a class: led from the first step to the last by keys alone, and followed on phones."""

import io
import json
import re

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import expect

from tests.browser.helpers import PHONE, painted, settle
from theta_app.ui.pages.learn import lessons

CLASSROOM = {"width": 1280, "height": 720}
NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?![\w])")
# what is no number of a picture: names of places and parts of words
WORDS = re.compile(
    r"ε/2|θ/2|\d+ times as wide|\(\d+ of 3 exercises solved\.\)|\(\d+%\)|is 1 for the true clusters and near 0"
)


def host(page):
    return page.get_by_test_id("learn")


def place(page):
    """Where the story stands: lesson, story, moment, and whether a question is open."""
    root = host(page)
    asked = page.get_by_test_id("question")
    opened = (
        asked.is_visible()
        and page.get_by_test_id("answer-0").count() > 0
        and page.get_by_test_id("answer-0").is_enabled()
    )
    return (*(root.get_attribute(f"data-{name}") for name in ("lesson", "story", "moment")), opened)


def goes_on(page, before, seconds=30):
    """Wait until the story stands elsewhere and rests."""
    for _ in range(seconds * 20):
        page.wait_for_timeout(50)
        resting = page.locator('[data-testid="learn"] .lesson').get_attribute("data-playing") in (None, "false")
        if place(page) != before and resting:
            return place(page)
    raise AssertionError(f"the story stays at {before}")


def numbers(text):
    return [float(found.replace(",", "")) for found in NUMBER.findall(WORDS.sub("", text))]


def unshown(text, state):
    """The numbers of a caption that the picture does not have, rounded as the caption rounds."""
    wrong = []
    for found in NUMBER.findall(WORDS.sub("", text)):
        value, decimals = float(found.replace(",", "")), len(found.partition(".")[2])
        step = 10.0**-decimals
        if not any(
            abs(value - shown) <= 0.5000001 * step * (10 if decimals == 0 and abs(shown) >= 1000 else 1)
            for shown in state
        ):
            wrong.append(found)
    return wrong


def lead_through(page, lesson, stories):
    """Page down through a lesson; what its captions tell is what its pictures show. Returns the moments seen."""
    seen, faults = [], []
    here = place(page)
    while here[0] == lesson:
        caption = page.get_by_test_id("learn-caption").inner_text()
        state = [value for value in json.loads(host(page).get_attribute("data-state")) if value is not None]
        faults += [f"{here}: {wrong} in {caption!r}" for wrong in unshown(caption, state)]
        assert page.get_by_test_id("learn-caption").bounding_box()["height"] > 0
        if not page.get_by_test_id("learn-next").is_disabled():
            expect(page.get_by_test_id("learn-next")).to_be_in_viewport(ratio=0.9)
        seen.append(here)
        if page.get_by_test_id("learn-next").is_disabled():
            break
        page.keyboard.press("PageDown")
        here = goes_on(page, here)
    assert not faults, "\n".join(faults)
    assert {story for _, story, _, _ in seen} == set(stories)
    return seen


@pytest.mark.parametrize("lesson", lessons.LESSONS)
@pytest.mark.parametrize("size", ["stage", "phone"])
def test_page_down_leads_through_a_lesson_and_captions_tell_what_pictures_show(new_page, server, lesson, size):
    # the clicker's keys; nothing moves by itself, so that every picture is at rest
    options = {"viewport": CLASSROOM} if size == "stage" else {"viewport": PHONE, "is_mobile": True, "has_touch": True}
    page = new_page(reduced_motion="reduce", **options)
    page.goto(f"{server.url}/Learn?o_lesson={lesson}")
    settle(page)
    if size == "stage":
        page.keyboard.press("f")
        expect(host(page)).to_have_class(re.compile("on-stage"))
    stories = [story for key, story in lessons.places() if key == lesson]
    seen = lead_through(page, lesson, stories)
    if size == "stage":
        expect(host(page)).to_have_class(re.compile("on-stage"))
        assert page.evaluate("document.fullscreenElement !== null"), "the stage was never left"
    here = place(page)
    page.keyboard.press("PageUp")
    back = goes_on(page, here)
    while back[:2] not in {one[:2] for one in seen}:  # it was its question that opened meanwhile
        back = goes_on(page, back)


def test_arrow_keys_lead_on_to_the_next_story_and_lesson_and_back(new_page, server):
    page = new_page(viewport=CLASSROOM, reduced_motion="reduce")
    page.goto(f"{server.url}/Learn?o_lesson=chain&o_chain=rings")
    settle(page)
    page.keyboard.press("f")
    page.keyboard.press("End")
    before = place(page)
    page.keyboard.press("ArrowRight")
    assert goes_on(page, before)[:2] == ("fails", "theta")
    page.keyboard.press("Home")
    painted(page)
    before = place(page)
    page.keyboard.press("ArrowLeft")
    assert goes_on(page, before)[:2] == ("chain", "rings")
    expect(host(page)).to_have_class(re.compile("on-stage"))


def test_theta_is_dragged_in_the_first_lesson(page, server):
    page.goto(f"{server.url}/Learn?o_lesson=start&o_step=5")
    settle(page)
    ks = set()
    for at in (0, 30, 62):
        page.get_by_test_id("start-theta-range").fill(str(at))
        ks.add(page.get_by_test_id("start-k").inner_text())
    assert len(ks) == 3
    page.keyboard.press("PageUp")
    expect(page.get_by_test_id("start-title")).to_have_text("5. θ")


# Share links


def test_a_server_for_this_machine_only_says_how_to_let_others_in(page, server):
    page.goto(f"{server.url}/Learn")
    settle(page)
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
    expect(phones[0].get_by_test_id("question-words")).to_contain_text("Not quite: you said “Yes”. Answer: No.")
    expect(phones[1].get_by_test_id("question-words")).to_have_text("Right.")
    for phone in phones:
        expect(phone.get_by_test_id("orders")).to_have_attribute("data-step", "7")


def one_looks_around_and_comes_back(teacher, phone):
    phone.get_by_role("radio", name="Chaining").tap()
    expect(host(phone)).to_have_attribute("data-lesson", "chain")
    expect(phone.get_by_test_id("room-words")).to_have_text("You are looking around.")
    teacher.keyboard.press("PageDown")
    expect(teacher.get_by_test_id("orders")).to_have_attribute("data-step", "9")
    phone.wait_for_timeout(2500)  # more than a look of the channel
    expect(host(phone)).to_have_attribute("data-lesson", "chain")
    phone.get_by_test_id("room-back").tap()
    expect(host(phone)).to_have_attribute("data-lesson", "order")
    expect(phone.get_by_test_id("orders")).to_have_attribute("data-step", "9")
