"""Every kind of lesson is on one screen at a projector, also at 150 %, and hears the keys whatever was clicked last."""

from playwright.sync_api import expect

from tests.browser.helpers import settle
from tests.browser.learn import CLASSROOM, LESSONS, host, open_lesson
from theta_app.ui.pages.learn import lessons

ZOOMED = {"width": 853, "height": 480}


def choose(page, kind):
    """A lesson and story with the page's own choosers; the one chosen last has the focus. Its picture."""
    lesson, story, prefix = LESSONS[kind]
    page.get_by_test_id("stButtonGroup").first.get_by_role("radio").nth(list(lessons.LESSONS).index(lesson)).click()
    expect(host(page)).to_have_attribute("data-lesson", lesson)
    if story:
        page.get_by_role("radio", name=story).click()
    view = page.get_by_test_id(prefix)
    expect(view).to_be_visible()
    settle(page)
    return view, prefix


def test_every_lesson_is_on_one_screen_and_hears_the_keys(page, server):
    open_lesson(page, server, "start", viewport=CLASSROOM)
    for kind in LESSONS:
        view, prefix = choose(page, kind)
        for size in (ZOOMED, CLASSROOM):
            page.set_viewport_size(size)
            page.keyboard.press("Home")
            for _ in range(2):
                page.keyboard.press("ArrowRight")
                for part in ("sentence", "play"):
                    expect(page.get_by_test_id(f"{prefix}-{part}")).to_be_in_viewport(ratio=1)
                expect(view.locator("canvas").first).to_be_in_viewport(ratio=1)
            assert view.locator(".fit").bounding_box()["height"] <= size["height"], (kind, size)
        keys_work(page, view)


def test_keys_are_the_lesson_s_whatever_was_clicked_last(new_page, server):
    page = open_lesson(new_page(viewport=CLASSROOM), server, "point")
    view = page.get_by_test_id("player")
    page.mouse.click(640, 30)  # a blank place
    keys_work(page, view)
    page.get_by_test_id("player-last").click()
    keys_work(page, view)
    page.get_by_role("radio", name="Touching").click()
    expect(host(page)).to_have_attribute("data-story", "touching")
    settle(page)
    keys_work(page, view)
    page.keyboard.press("f")
    page.wait_for_function("document.fullscreenElement !== null")
    assert host(page).bounding_box() == {"x": 0, "y": 0, **CLASSROOM}
    assert "Leave the stage" in page.get_by_test_id("learn-stage").get_attribute("aria-label")
    keys_work(page, view)
    page.get_by_test_id("learn-stage").click()
    page.wait_for_function("document.fullscreenElement === null")


def stands(view):
    return view.get_attribute("data-step"), view.get_attribute("data-beat")


def keys_work(page, view):
    """Home, End, both arrows and Space reach the lesson."""
    page.keyboard.press("End")
    page.keyboard.press("Home")
    if page.get_by_test_id("question").is_visible() and page.get_by_test_id("answer-0").is_enabled():
        page.keyboard.press("ArrowRight")  # the answer, and the story goes on
        expect(view).not_to_have_attribute("data-step", "0")
        page.keyboard.press("Home")
    expect(view).to_have_attribute("data-step", "0")
    page.keyboard.press("ArrowRight")
    expect(view).to_have_attribute("data-step", "1")
    there = stands(view)
    page.keyboard.press("ArrowRight")
    assert stands(view) != there
    page.keyboard.press("ArrowLeft")
    assert stands(view) == there
    page.keyboard.press("End")
    expect(view).not_to_have_attribute("data-step", "1")
    page.keyboard.press("Home")
    page.keyboard.press("Space")
    expect(view).to_have_attribute("data-playing", "true")
    page.keyboard.press("Space")
    expect(view).to_have_attribute("data-playing", "false")
