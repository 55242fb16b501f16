"""Learn from its first moment to its last: at a projector with a clicker's keys, and on a phone with one finger."""

from playwright.sync_api import expect

from tests.browser.helpers import PHONE
from tests.browser.learn import CLASSROOM, goes_on, host, look, open_lesson, place, unshown
from theta_app.lessons.start import start_data
from theta_app.ui.pages.learn import lessons

PREFIX = {"point": "player", "order": "orders", "fails": "frames", "try": "finder"}
OWN_PREFIX = {"lemma": "lemma", "break": "player", "rings": "chain"}
FIRST_SCREEN = {  # what else a phone must show without scrolling
    "point": ["player-theta-range", "player-ask"],
    "chain": ["chain-range"],
    "fails": ["frames-range", "frames-k"],
    "order": [],
    ("try", "range"): ["finder-range", "finder-low", "finder-high"],
    ("try", "break"): ["player-theta-range", "player-feedback"],
    ("try", "rings"): ["chain-range", "chain-feedback"],
}


def prefix_of(lesson, story):
    own = OWN_PREFIX.get(story) if (lesson, story) != ("chain", "rings") else None
    return own or PREFIX.get(lesson, lesson)


def walk(page, on, check):
    """Every moment of every story, `on` leads to the next one: the moments, and what `check` found wrong with them."""
    seen, faults, story, still = [], [], None, None
    here = place(page)
    while True:
        shown = look(page)
        lesson, key, *_ = shown["place"]
        faults += [f"{shown['place']}: {fault}" for fault in (*common(shown), *check(shown, prefix_of(lesson, key)))]
        if story != (lesson, key):
            story, still = (lesson, key), shown["boxes"]["learn-next"]
        elif any(abs(old - new) > 1 for old, new in zip(still, shown["boxes"]["learn-next"])):  # rounded
            faults.append(f"{shown['place']}: Next has moved from {still} to {shown['boxes']['learn-next']}")
        seen.append(tuple(shown["place"]))
        if shown["ends"]:
            return seen, faults
        on()
        here = goes_on(page, here)


def common(shown):
    """What must hold of a moment on every screen."""
    for number in unshown(shown["caption"], shown["state"]):
        yield f"{number} of {shown['caption']!r} is not in the picture"
    if not shown["caption"]:
        yield "it says nothing"
    if any(pixels > 1 for pixels in shown["cut"]):
        yield "the words of Next are cut"


def outside(shown, names, width, height):
    for name in names:
        left, top, right, bottom = shown["boxes"].get(name, (-1, -1, -1, -1))
        if not (0 <= left < right <= width and 0 <= top < bottom <= height):
            yield f"{name} is not on the screen: {(left, top, right, bottom)}"


def test_a_clicker_leads_through_all_lessons_on_the_stage(new_page, server):
    page = new_page(viewport=CLASSROOM, reduced_motion="reduce")  # nothing moves by itself: every picture is at rest
    open_lesson(page, server, "start")
    page.keyboard.press("f")
    page.wait_for_function("document.fullscreenElement !== null")
    pictures = {}

    def check(shown, prefix):
        wanted = ["learn-caption", "learn-next", "learn-stage", f"{prefix}-sentence", f"{prefix}-play"]
        yield from outside(shown, wanted, 1280, 720)
        if not shown["staged"]:
            yield "the stage was left"
        if any(shown["crowded"]):
            yield f"words lie over others: {shown['crowded']}"
        if set(shown["texts"]) != {"24.0"}:
            yield f"words of {shown['texts']} pixels"
        for name, box in enumerate(shown["canvases"]):
            if pictures.setdefault((*shown["place"][:2], name), box) != box:
                yield f"the picture has changed from {pictures[*shown['place'][:2], name]} to {box}"

    seen, faults = walk(page, lambda: page.keyboard.press("PageDown"), check)
    assert not faults, "\n".join(faults)
    assert list(dict.fromkeys(one[:2] for one in seen)) == lessons.places()
    for before in (one for one in reversed(seen[-6:-1]) if not one[3]):
        here = place(page)
        page.keyboard.press("PageUp")
        while tuple(here[:3]) != before[:3]:  # the question of a moment may open after it
            here = goes_on(page, here)


def test_a_finger_leads_through_all_lessons_on_a_phone(new_page, server):
    page = new_page(viewport=PHONE, is_mobile=True, has_touch=True, reduced_motion="reduce")
    open_lesson(page, server, "start")

    def check(shown, prefix):
        lesson, story, _, asked = shown["place"]
        wanted = ["learn-caption", "learn-next", "learn-share", f"{prefix}-sentence", f"{prefix}-play"]
        wanted += FIRST_SCREEN.get((lesson, story), FIRST_SCREEN.get(lesson, [])) + (["question"] if asked else [])
        yield from outside(shown, wanted, 390, 844)
        if shown["wide"] > 390:
            yield f"the page is {shown['wide']} pixels wide"
        for left, top, right, bottom in shown["canvases"]:
            if left < 0 or right > 390 or bottom > 844 or bottom - top < 50:
                yield f"a picture is not seen whole: {(left, top, right, bottom)}"

    def on():  # a question is answered, most often wrongly
        page.get_by_test_id("answer-0" if place(page)[3] else "learn-next").tap()

    seen, faults = walk(page, on, check)
    assert not faults, "\n".join(faults)
    assert list(dict.fromkeys(one[:2] for one in seen)) == lessons.places()
    for chosen in page.locator('.st-key-learn-choice [aria-checked="true"]').all():
        expect(chosen).to_be_in_viewport(ratio=0.9)
    assert page.get_by_text("arrow key").count() == 0


def test_arrow_keys_lead_on_to_the_next_story_and_lesson_and_back(new_page, server):
    page = new_page(viewport=CLASSROOM, reduced_motion="reduce")
    open_lesson(page, server, "chain", chain="densities")
    page.keyboard.press("f")
    page.keyboard.press("End")
    before = place(page)
    page.keyboard.press("ArrowRight")
    assert goes_on(page, before)[:2] == ["fails", "theta"]
    page.keyboard.press("Home")
    before = look(page)["place"]
    page.keyboard.press("ArrowLeft")
    assert goes_on(page, before)[:2] == ["chain", "densities"]
    assert look(page)["staged"]


def test_theta_is_dragged_in_the_first_lesson(page, server):
    open_lesson(page, server, "start", step=6)
    for at, one in list(enumerate(start_data()["dragged"]))[::12]:
        page.get_by_test_id("start-theta-range").fill(str(at))
        expect(page.get_by_test_id("start-k")).to_have_text(f"K = {len(set(one['labels']))}")
    expect(host(page)).to_have_attribute("data-moment", "6")
