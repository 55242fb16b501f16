"""Learn in a browser: play, step back, edit, reorder, accumulate shuffles, grow ε, solve the exercises."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.browser.helpers import painted, settle

CLASSROOM = {"width": 1280, "height": 720}  # what most projectors show
ZOOMED = {"width": 853, "height": 480}  # the same at 150 %
LESSONS = {  # lesson: (test id of its picture, prefix of its controls, choices made in the address)
    "start": ("start", "start", {}),
    "point": ("player", "player", {}),
    "order": ("orders", "orders", {}),
    "vote": ("vote", "vote", {}),
    "chain": ("chain", "chain", {}),
    "fails": ("frames", "frames", {}),
    "beside": ("beside", "beside", {}),
    "growth": ("growth", "growth", {}),
    "try": ("finder", "finder", {}),
    "try, order": ("player", "player", {"exercise": "break"}),
    "try, rings": ("chain", "chain", {"exercise": "rings"}),
}


def open_lesson(page, server, lesson, **options):
    query = "&".join(f"o_{name}={value}" for name, value in {"lesson": lesson, **options}.items())
    page.goto(f"{server.url}/Learn?{query}")
    settle(page)
    return page


def step(page, prefix="player"):
    """Position of a transport."""
    return int(page.get_by_test_id(f"{prefix}-step").inner_text().split()[1])


def reaches(page, place, seconds=60):
    """Wait until the player has come to a position."""
    shown = page.get_by_test_id("player-step").element_handle()
    page.wait_for_function(
        "([shown, place]) => Number(shown.textContent.split(' ')[1]) >= place",
        arg=[shown, place],
        timeout=seconds * 1000,
    )


def labels(page):
    return page.get_by_test_id("player").get_attribute("data-labels").split()


def share_link(page):
    """The link to what is shown, as the panel for sharing has it."""
    page.get_by_test_id("learn-share").click()
    expect(page.get_by_test_id("learn-link")).to_have_value(re.compile("o_lesson="))
    link = page.get_by_test_id("learn-link").input_value()
    page.get_by_test_id("learn-share-close").click()
    return link


def canvas_place(page, x, y, testid="player-canvas"):
    """Screen position of a place in the picture's units (16 by 9)."""
    canvas = page.get_by_test_id(testid)
    canvas.evaluate("canvas => canvas.scrollIntoView({ block: 'center' })")  # not under the page's header
    box = canvas.bounding_box()
    return box["x"] + x / 16 * box["width"], box["y"] + (1 - y / 9) * box["height"]


def answered(page):
    page.wait_for_selector('[data-testid="player"][data-answered="true"]')


def pixels(page, testid):
    """A number that changes with what a canvas shows."""
    return page.get_by_test_id(testid).evaluate("canvas => canvas.toDataURL()")


def test_the_player_plays_pauses_steps_back_and_jumps(page, server):
    open_lesson(page, server, "point")
    page.get_by_test_id("player-speed").select_option("8")
    page.get_by_test_id("player-play").click()
    page.get_by_test_id("player").and_(page.locator('[data-playing="true"]')).wait_for()
    reaches(page, 2)
    page.get_by_test_id("player-play").click()
    page.get_by_test_id("player").and_(page.locator('[data-playing="false"]')).wait_for()
    reached = step(page)
    painted(page, 20)
    assert step(page) == reached, "a paused player stands still"

    page.get_by_test_id("player-quick").click()
    page.get_by_test_id("player-back").click()
    assert step(page) == reached - 1
    page.get_by_test_id("player-quick").click()
    page.get_by_test_id("player-first").click()
    assert step(page) == 0
    for _ in range(4):  # arrive, measure, decide, move
        page.get_by_test_id("player-forward").click()
    assert "starts cluster 0" in page.get_by_test_id("player-sentence").inner_text()
    page.get_by_test_id("player-scrub").fill("20")
    assert step(page) == 20
    assert "within θ = 3" in page.get_by_test_id("player-sentence").inner_text()
    page.get_by_test_id("player-last").click()
    assert page.get_by_test_id("player-k").inner_text() == "K = 3"


def test_the_keyboard_plays_steps_jumps_and_moves_points(page, server):
    open_lesson(page, server, "point")
    page.get_by_test_id("player-quick").click()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    assert step(page) == 1
    page.keyboard.press("End")
    assert step(page) == 30
    page.keyboard.press("Home")
    assert step(page) == 0
    page.keyboard.press("Space")
    page.get_by_test_id("player").and_(page.locator('[data-playing="true"]')).wait_for()
    page.keyboard.press("Space")
    page.get_by_test_id("player").and_(page.locator('[data-playing="false"]')).wait_for()

    page.get_by_test_id("player-canvas").focus()
    page.keyboard.press("a")
    answered(page)
    assert len(labels(page)) == 31
    page.keyboard.press("]")
    page.keyboard.press("Delete")
    answered(page)
    assert len(labels(page)) == 30


def test_dragging_adding_and_removing_a_point_changes_the_clustering(page, server):
    open_lesson(page, server, "point", points="outlier")
    page.get_by_test_id("player-last").click()
    before = labels(page)
    assert len(set(before)) == 3
    # the outlier is the only point in the upper right; bring it home to the middle cloud
    page.mouse.move(*canvas_place(page, *outlier()))
    page.mouse.down()
    page.mouse.move(*canvas_place(page, 11, 6), steps=4)
    page.mouse.move(*canvas_place(page, 8.6, 5.4), steps=4)
    answered(page)
    assert len(set(labels(page))) == 2, "the dragged point joined a cluster while still held"
    page.mouse.up()
    answered(page)
    assert len(set(labels(page))) == 2

    page.mouse.click(*canvas_place(page, 14.5, 1.0))
    answered(page)
    assert len(labels(page)) == 30
    assert len(set(labels(page))) == 3, "a point added far away opens a cluster"
    page.get_by_test_id("player-remove").click()
    page.mouse.click(*canvas_place(page, 14.5, 1.0))
    answered(page)
    assert len(set(labels(page))) == 2
    for _ in range(3):
        page.get_by_test_id("player-undo").click()
        answered(page)
    assert labels(page) == before, "undo takes everything back"


def outlier():
    from theta_app.lessons.player import player_stories

    story = player_stories()["outlier"]
    return story.X[story.truth == 2][0]


def test_three_hundred_points_play_to_the_end_by_themselves(page, server):
    open_lesson(page, server, "point", points="crowd")
    page.get_by_test_id("player-speed").select_option("32")
    page.get_by_test_id("player-scrub").fill("260")
    sent = []
    page.on("request", lambda request: sent.append(request.url))
    page.get_by_test_id("player-play").click()
    reaches(page, 300)
    expect(page.get_by_test_id("player")).to_have_attribute("data-playing", "false")
    assert sent == [], "nothing is asked of the server while it plays"


def test_a_new_order_is_counted_and_the_clusters_slide_together(page, server):
    open_lesson(page, server, "order", order="touching")
    view = page.get_by_test_id("orders")
    assert view.get_attribute("data-tried") == "1"
    right = pixels(page, "orders-right")
    page.get_by_test_id("orders-new").click()
    page.locator('[data-testid="orders"][data-tried="2"]').wait_for()
    page.get_by_test_id("orders-twenty").click()
    page.locator('[data-testid="orders"][data-tried="22"]').wait_for()
    assert int(view.get_attribute("data-changed")) > 10
    expect(page.get_by_test_id("orders-sentence")).to_contain_text("of the 22 other orders")
    settle(page)
    assert pixels(page, "orders-right") != right

    open_lesson(page, server, "order", order="lemma")
    assert page.get_by_test_id("lemma-agreement").inner_text() == "agreement 1.00"
    assert page.get_by_test_id("lemma-sentence").inner_text().startswith("θ-sparse")
    page.get_by_test_id("lemma-range").fill("36")
    assert page.get_by_test_id("lemma-sentence").inner_text().startswith("θ-dense")
    assert float(page.get_by_test_id("lemma-agreement").inner_text().split()[1]) < 0.9


def test_where_the_clusters_are_far_apart_no_order_changes_anything(page, server):
    open_lesson(page, server, "order", order="separated")
    page.get_by_test_id("orders-twenty").click()
    page.locator('[data-testid="orders"][data-tried="21"]').wait_for()
    assert page.get_by_test_id("orders").get_attribute("data-changed") == "0"


def test_shuffles_accumulate_and_the_vote_groups_and_reassigns(page, server):
    open_lesson(page, server, "vote")
    view = page.get_by_test_id("vote")
    assert view.get_attribute("data-marks") == "0"
    page.get_by_test_id("vote-forward").click()
    first = int(view.get_attribute("data-marks"))
    assert first >= 10
    page.get_by_test_id("vote-forward").click()
    assert int(view.get_attribute("data-marks")) > first
    page.get_by_test_id("vote-last").click()
    page.get_by_test_id("vote-groups").click()
    assert "12 groups" in page.get_by_test_id("vote-sentence").inner_text()
    page.get_by_test_id("vote-points").click()
    assert "K = 12 of 12" in page.get_by_test_id("vote-sentence").inner_text()

    page.get_by_role("radio", name="Merges too much").click()
    settle(page)
    page.get_by_test_id("vote-last").click()
    page.get_by_test_id("vote-points").click()
    assert "K = 3 of 6" in page.get_by_test_id("vote-sentence").inner_text()


def test_growing_epsilon_builds_the_paper_s_chaining_list(page, server):
    open_lesson(page, server, "chain")
    view, listed = page.get_by_test_id("chain"), page.get_by_test_id("chain-list")
    assert view.get_attribute("data-links") == "0"
    assert page.get_by_test_id("chain-k").inner_text() == "K' = 6"
    page.get_by_test_id("chain-range").fill("2.0")
    assert "[[0, 4], [1, 2], [2, 1], [3], [4, 0], [5]]" in listed.inner_text()
    page.get_by_test_id("chain-range").fill("2.6")
    assert "[[0, 4], [1, 2], [2, 1], [3], [4, 0, 5, 0], [5, 4, 0]]" in listed.inner_text()
    assert json.loads(view.get_attribute("data-chain")) == [0, 1, 1, 3, 0, 0]
    assert page.get_by_test_id("chain-k").inner_text() == "K' = 3"
    page.get_by_test_id("chain-range").fill("0")
    page.get_by_test_id("chain-play").click()
    expect(page.get_by_test_id("chain-epsilon")).to_have_text(re.compile(r"[1-9]"))


def test_the_exercises_are_solved_by_doing(page, server):
    open_lesson(page, server, "try")
    page.get_by_test_id("finder-range").fill("10")
    page.get_by_test_id("finder-low").click()
    page.get_by_text("Start marked at").wait_for()
    page.get_by_test_id("finder-range").fill("47")
    page.get_by_test_id("finder-high").click()
    page.get_by_text("not 25").wait_for()
    page.get_by_test_id("finder-range").fill("36")
    page.get_by_test_id("finder-low").click()
    page.get_by_text("Solved: K = 25").wait_for()

    page.get_by_role("radio", name="Break the order").click()
    page.get_by_text("No order effect in 50 shuffles so far").wait_for()
    for x, y in ((5.2, 4.8), (6.3, 3.9)):  # a bridge between two of the clouds
        page.mouse.click(*canvas_place(page, x, y))
        answered(page)
    page.get_by_text("order agreement fell").wait_for()
    expect(page.get_by_test_id("player-feedback")).to_be_in_viewport()
    before = labels(page)
    page.get_by_test_id("player-other").click()
    assert labels(page) != before, "an order that differs is shown"

    page.get_by_role("radio", name="Chain the rings").click()
    page.get_by_test_id("chain-range").fill("1.0")
    page.get_by_test_id("chain-range").dispatch_event("change")
    page.get_by_text("Let it grow").wait_for()
    page.get_by_test_id("chain-range").fill("2.3")
    page.get_by_test_id("chain-range").dispatch_event("change")
    page.get_by_text("gives the two shapes").wait_for()
    page.get_by_text("3 of 3 exercises solved").wait_for()


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_phone_shows_picture_sentence_play_and_feedback_on_its_first_screen(phone, server, lesson):
    testid, prefix, choices = LESSONS[lesson]
    open_lesson(phone, server, lesson.split(",")[0], **choices)
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    view = phone.get_by_test_id(testid)
    for canvas in view.locator("canvas").all():
        box = canvas.bounding_box()
        assert box["x"] + box["width"] <= 390
        assert canvas.evaluate("canvas => canvas.parentElement.clientHeight") >= box["height"] >= 50, "it is seen whole"
    asked = phone.get_by_test_id("question")
    parts = [
        phone.get_by_test_id("learn-caption"),
        view.locator("canvas").first,
        phone.get_by_test_id(f"{prefix}-sentence"),
        phone.get_by_test_id(f"{prefix}-play"),
        *([asked] if asked.is_visible() else []),
        *(phone.get_by_test_id(name) for name in FIRST_SCREEN.get(lesson, ())),
    ]
    for part in parts:
        box = part.bounding_box()
        assert box["y"] + box["height"] <= 844, part
        assert box["x"] + box["width"] <= 390, part
    if lesson != "try, rings":  # the last place has nothing after it
        expect(phone.get_by_test_id("learn-next")).to_be_in_viewport(ratio=1)
    assert phone.get_by_text("arrow key").count() == 0


FIRST_SCREEN = {
    "point": ("player-theta-range", "player-ask"),
    "try": ("finder-low", "finder-high"),
    "try, order": ("player-theta-range", "player-feedback"),
    "try, rings": ("chain-range", "chain-feedback"),
    "chain": ("chain-range",),
    "fails": ("frames-k",),
}


def test_a_finger_drags_a_point_adds_one_and_removes_it_again(phone, server):
    open_lesson(phone, server, "point", points="outlier")
    phone.get_by_test_id("player-scrub").fill("29")
    count = len(labels(phone))
    assert len(set(labels(phone))) == 3
    client = phone.context.new_cdp_session(phone)

    def touch(kind, *place):
        points = [dict(zip("xy", place))] if place else []
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", *canvas_place(phone, *outlier()))
    for place in ((11.5, 6.5), (10, 6), (8.6, 5.4)):
        touch("touchMove", *canvas_place(phone, *place))
    answered(phone)
    assert len(set(labels(phone))) == 2, "the dragged point joined a cluster while still held"
    touch("touchEnd")
    answered(phone)

    phone.touchscreen.tap(*canvas_place(phone, 14.5, 1.0))
    answered(phone)
    assert len(labels(phone)) == count + 1
    phone.get_by_test_id("player-remove").tap()
    phone.touchscreen.tap(*canvas_place(phone, 14.5, 1.0))
    answered(phone)
    assert len(labels(phone)) == count


def test_reduced_motion_steps_without_moving_pictures(new_page, server):
    page = open_lesson(new_page(reduced_motion="reduce"), server, "point")
    page.get_by_test_id("player-scrub").fill("11")
    page.get_by_test_id("player-forward").click()
    painted(page)
    shown = pixels(page, "player-canvas")
    painted(page, 30)
    assert pixels(page, "player-canvas") == shown


# For a class: keys, one screen, the stage


def in_class(page, server, lesson, viewport=CLASSROOM, **options):
    testid, prefix, choices = LESSONS[lesson]
    page.set_viewport_size(viewport)
    open_lesson(page, server, lesson.split(",")[0], **choices, **options)
    expect(page.get_by_test_id(testid)).to_be_visible()
    return page, page.get_by_test_id(testid), prefix


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


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson_is_on_one_screen_fills_the_stage_and_hears_the_keys_whatever_was_clicked_last(page, server, lesson):
    page, view, prefix = in_class(page, server, lesson)
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop") == 0
    on_one_screen(page, view, prefix, CLASSROOM)
    on_the_stage(page, view, prefix)
    keys_work(page, view)
    tab = page.get_by_test_id("stButtonGroup").first.locator("button").nth(list(TABS).index(lesson.split(",")[0]))
    tab.click()  # the tab that is chosen already: it has the focus now
    settle(page)
    keys_work(page, view)
    page.mouse.click(640, 30)  # a blank place
    keys_work(page, view)
    page.get_by_test_id(f"{prefix}-last").click()
    keys_work(page, view)
    stories = page.get_by_test_id("stButtonGroup").nth(1).locator("button")
    if lesson in ("point", "order", "vote", "chain", "fails", "beside"):
        stories.nth(1).click()
        settle(page)
        keys_work(page, view)
    on_one_screen(*in_class(page, server, lesson, ZOOMED), ZOOMED)


def on_one_screen(page, view, prefix, viewport):
    """Picture, sentence and controls are seen whole, whatever the sentence says."""
    parts = [
        view.locator("canvas").first,
        page.get_by_test_id(f"{prefix}-sentence"),
        page.get_by_test_id(f"{prefix}-play"),
    ]
    page.keyboard.press("Home")
    for _ in range(2):
        page.keyboard.press("ArrowRight")
        for part in parts:
            expect(part).to_be_in_viewport(ratio=1)
    assert view.locator(".fit").bounding_box()["height"] <= viewport["height"]


def on_the_stage(page, view, prefix):
    """The lesson fills the screen, with text for the last row, and is led by keys there too."""
    root = page.get_by_test_id("learn")
    canvas, small = view.locator("canvas").first, view.locator("canvas").first.bounding_box()
    page.keyboard.press("f")
    expect(root).to_have_class(re.compile("on-stage"))
    page.wait_for_function("document.fullscreenElement !== null")
    expect(canvas).to_have_attribute("data-text", "24.0")  # 720 / 30
    expect(canvas).to_have_attribute("data-dot", "9.0")  # 720 / 80
    sentence = page.get_by_test_id(f"{prefix}-sentence")
    assert sentence.evaluate("e => getComputedStyle(e).fontSize") == "24px"
    assert root.bounding_box() == {"x": 0, "y": 0, **CLASSROOM}
    large = canvas.bounding_box()
    assert large["width"] * large["height"] > 1.2 * small["width"] * small["height"]
    named = ("learn-caption", "learn-next", "learn-stage", f"{prefix}-play")
    for part in (canvas, sentence, *map(page.get_by_test_id, named)):
        expect(part).to_be_in_viewport(ratio=1)
    assert "Leave the stage" in page.get_by_test_id("learn-stage").get_attribute("aria-label")
    keys_work(page, view)
    page.get_by_test_id("learn-stage").click()
    expect(root).not_to_have_class(re.compile("on-stage"))
    page.wait_for_function("document.fullscreenElement === null")


TABS = ("start", "point", "order", "vote", "chain", "fails", "beside", "growth", "try")


def test_a_key_typed_into_a_field_or_pressed_on_a_slider_stays_there(page, server):
    page, view, _ = in_class(page, server, "point")
    theta = page.get_by_test_id("player-theta")
    before = theta.inner_text()
    page.get_by_test_id("player-theta-range").focus()
    page.keyboard.press("ArrowRight")
    expect(theta).not_to_have_text(before)
    assert stands(view)[0] == "0", "the arrow moved θ, not the player"
    answered(page)
    page.get_by_test_id("learn-share").click()
    page.get_by_test_id("learn-link").focus()
    page.keyboard.press("f")
    page.keyboard.press("End")
    assert stands(view)[0] == "0"
    assert "on-stage" not in page.get_by_test_id("learn").get_attribute("class")


def test_a_button_reached_with_tab_is_pressed_by_space(page, server):
    page, view, _ = in_class(page, server, "point")
    page.get_by_test_id("player-first").click()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")  # back, play, forward
    page.keyboard.press("Space")
    expect(view).to_have_attribute("data-step", "1")
    assert view.get_attribute("data-playing") == "false"


def test_a_step_is_arrive_measure_decide_move_and_the_line_that_runs_is_lit(page, server):
    open_lesson(page, server, "point")
    page.get_by_test_id("player-scrub").fill("2")
    page.get_by_test_id("player-scrub").blur()  # a slider keeps the arrows
    lit, sentence = page.get_by_test_id("player-code").locator(".lit"), page.get_by_test_id("player-sentence")
    seen = []
    for _ in range(4):
        page.keyboard.press("ArrowRight")
        seen.append((lit.all_inner_texts(), sentence.inner_text(), page.get_by_test_id("player-k").inner_text()))
    (arrive, words, _), (measure, _, _), (decide, _, before), (move, told, after) = seen
    assert "x = point 3, at (3.36, 7.3)" in arrive[0]
    assert words == "Point 3 arrives at (3.36, 7.3)."
    assert measure[0].endswith("d = [1.76, 11]")
    assert decide[0].endswith("smallest 1.76 ≤ θ = 3 → join 0")
    assert move[-1].endswith("(2.97, 5.58) → (3.17, 6.44)")
    assert told.endswith("whose centroid moves.")
    assert before == after == "K = 2"
    page.get_by_test_id("player-quick").click()
    page.keyboard.press("ArrowRight")
    assert step(page) == 4, "quick: a step at once"


def test_tdg_and_tnc_stand_beside_their_pictures_line_by_line(page, server):
    open_lesson(page, server, "vote")
    page.keyboard.press("ArrowRight")
    assert "Z has 12" in page.get_by_test_id("vote-code").locator(".lit").last.inner_text()
    page.keyboard.press("End")
    lit = page.get_by_test_id("vote-code").locator(".lit")
    assert "K = 12" in lit.last.inner_text()
    open_lesson(page, server, "chain")
    lit = page.get_by_test_id("chain-list").locator(".lit")
    lists = "[[0], [1, 2], [2, 1], [3], [4], [5]]"
    for value in ("1 and 2: 1.44 < ε", lists, "[0, 1, 1, 3, 4, 5]", "K' = 5"):
        page.keyboard.press("ArrowRight")
        expect(lit).to_contain_text(value)


# Ask me first


def test_guessing_right_and_wrong_is_told_with_the_reason_and_counted(page, server):
    open_lesson(page, server, "point")
    view, sentence, score = (
        page.get_by_test_id("player"),
        page.get_by_test_id("player-sentence"),
        page.get_by_test_id("question-score"),
    )
    page.get_by_test_id("player-ask").click()
    page.get_by_test_id("player-speed").select_option("32")
    page.keyboard.press("Space")  # the first point has no choice; it stops when the second has arrived
    expect(view).to_have_attribute("data-asking", "true")
    expect(view).to_have_attribute("data-playing", "false")
    assert (step(page), view.get_attribute("data-beat")) == (2, "0")
    assert "Which cluster takes it?" in sentence.inner_text()
    assert "11.3" not in page.get_by_test_id("player-code").inner_text(), "the answer is not shown before"
    page.keyboard.press("n")
    expect(sentence).to_have_text(re.compile(r"^Right\. The nearest centroid is 11\.3 away, beyond θ = 3"))
    expect(score).to_have_text("1 of 1 right")

    page.keyboard.press("Space")
    expect(view).to_have_attribute("data-asking", "true")
    page.keyboard.press("1")  # point 3 joins cluster 0
    expect(sentence).to_have_text(
        re.compile(r"^Not quite: you said “Cluster 1”\. The nearest centroid is 1\.76 away, within")
    )
    expect(score).to_have_text("1 of 2 right")

    page.keyboard.press("ArrowRight")
    page.get_by_test_id("answer-2").click()  # point 4 starts cluster 2
    expect(score).to_have_text("2 of 3 right")
    page.keyboard.press("ArrowRight")
    expect(view).to_have_attribute("data-asking", "true")
    page.keyboard.press("ArrowLeft")  # gone without an answer: nothing is asked there
    expect(view).to_have_attribute("data-asking", "false")
    page.keyboard.press("ArrowRight")
    expect(view).to_have_attribute("data-asking", "true")
    at = trace_of("separated").steps[4]
    page.mouse.click(*canvas_place(page, *at.before))
    expect(score).to_have_text("3 of 4 right")
    assert len(labels(page)) == 30, "a click on a centroid is an answer, not a new point"


def trace_of(key):
    from theta_app.engine import trace_tsg
    from theta_app.lessons.player import player_stories

    story = player_stories()[key]
    return trace_tsg(story.X, story.theta)


def test_theta_asks_for_a_k_before_it_shows_one(page, server):
    open_lesson(page, server, "point")
    page.get_by_test_id("player-ask").click()
    page.get_by_test_id("player-theta-range").fill("1")
    expect(page.get_by_test_id("player-k")).to_have_text("K = ?")
    expect(page.get_by_test_id("learn-caption")).to_have_text("How many clusters will this θ give?")
    page.get_by_test_id("question-number").fill("5")
    page.get_by_test_id("question-commit").click()
    expect(page.get_by_test_id("player-sentence")).to_have_text("Not quite: you said “K = 5”. K = 12.")
    expect(page.get_by_test_id("player-k")).to_have_text("K = 12")
    page.get_by_text("the 3 clouds fell into pieces").wait_for()
    page.get_by_test_id("player-theta-range").fill("3")
    page.get_by_test_id("question-number").fill("3")
    page.get_by_test_id("question-commit").click()
    expect(page.get_by_test_id("player-sentence")).to_have_text("Right. K = 3.")
    expect(page.get_by_test_id("question-score")).to_have_text("1 of 2 right")


def test_order_matters_opens_on_the_question_stops_where_they_part_and_tells_who_was_right(page, server):
    open_lesson(page, server, "order")
    view, sentence, caption = (page.get_by_test_id(name) for name in ("orders", "orders-sentence", "learn-caption"))
    assert page.get_by_test_id("question-words").inner_text() == "The same clusters?"
    assert view.get_attribute("data-step") == "0"
    page.keyboard.press("y")
    expect(page.get_by_test_id("question-words")).to_contain_text("Not quite: you said “Yes”. Answer: No.")
    expect(view).to_have_attribute("data-parted", "true")
    expect(view).to_have_attribute("data-playing", "false")
    expect(caption).to_contain_text("Here they part. In A, point 4 came before point 7; in B, after it.")
    page.keyboard.press("PageDown")
    expect(sentence).to_contain_text("This order gave 3 clusters, order A 2.")
    expect(page.get_by_test_id("question-score")).to_have_text("0 of 1 right")
    page.get_by_test_id("orders-new").click()
    page.locator('[data-testid="orders"][data-tried="2"]').wait_for()
    expect(page.get_by_test_id("question-words")).to_have_text("The same clusters?")
    page.get_by_test_id("answer-1").click()
    expect(page.get_by_test_id("question-words")).to_have_text("Right.")
    expect(page.get_by_test_id("question-score")).to_have_text("1 of 2 right")


def test_a_run_that_plays_by_itself_stops_where_the_orders_part_and_where_k_is_right(page, server):
    open_lesson(page, server, "order")
    page.get_by_test_id("orders-speed").select_option("32")
    page.get_by_test_id("orders-play").click()
    expect(page.get_by_test_id("orders")).to_have_attribute("data-parted", "true")
    expect(page.get_by_test_id("orders")).to_have_attribute("data-playing", "false")
    open_lesson(page, server, "chain", chain="moons")
    page.get_by_test_id("chain-speed").select_option("32")
    page.get_by_test_id("chain-play").click()
    expect(page.get_by_test_id("learn-caption")).to_contain_text("Here K' = 2 is right")
    expect(page.get_by_test_id("chain")).to_have_attribute("data-playing", "false")
    expect(page.get_by_test_id("chain-k")).to_have_text("K' = 2")


def test_a_replay_of_the_vote_starts_with_collecting(page, server):
    open_lesson(page, server, "vote")
    view = page.get_by_test_id("vote")
    page.get_by_test_id("vote-speed").select_option("32")
    page.keyboard.press("Space")
    expect(view).to_have_attribute("data-layer", "points")
    expect(view).to_have_attribute("data-playing", "false")
    page.get_by_test_id("vote-speed").select_option("0.5")
    page.keyboard.press("Space")
    expect(view).to_have_attribute("data-layer", "marks")


# TSG beside K-Means


def test_tsg_and_k_means_run_side_by_side_and_another_start_is_a_bad_one(page, server):
    open_lesson(page, server, "beside")
    left, right = page.get_by_test_id("beside-left-words"), page.get_by_test_id("beside-right-words")
    start, cells = pixels(page, "beside-left"), pixels(page, "beside-right")
    page.keyboard.press("End")
    expect(left).to_have_text("888 distances, NMI 1.000, finished")
    expect(right).to_have_text("3,888 distances, NMI 1.000, finished")
    painted(page)
    assert pixels(page, "beside-left") != start
    assert pixels(page, "beside-right") != cells
    page.get_by_test_id("beside-another").click()
    page.locator('[data-testid="beside"][data-start="1"]').wait_for()
    page.keyboard.press("End")
    expect(right).to_have_text(re.compile(r"NMI 0\.872, finished"))
    expect(page.get_by_test_id("beside-sentence")).to_have_text(re.compile("^The worst of 20 random starts"))


# Draw and share


def test_a_link_opened_in_a_new_browser_shows_the_moved_points_theta_and_step(page, new_page, server):
    page, _, _ = in_class(page, server, "point", points="outlier")
    page.get_by_test_id("player-last").click()
    page.mouse.move(*canvas_place(page, *outlier()))
    page.mouse.down()
    page.mouse.move(*canvas_place(page, 8.6, 5.4), steps=4)
    page.mouse.up()
    answered(page)
    page.get_by_test_id("player-theta-range").fill("2.35")
    answered(page)
    page.get_by_test_id("player-scrub").fill("17")
    link, seen = (
        share_link(page),
        (labels(page), page.get_by_test_id("player-sentence").inner_text()),
    )
    code = page.get_by_test_id("player-code").inner_text()

    other = new_page(viewport=CLASSROOM)
    other.goto(link)
    settle(other)
    expect(other.get_by_test_id("player-theta")).to_have_text("θ = 2.35")
    assert (labels(other), other.get_by_test_id("player-sentence").inner_text()) == seen
    assert other.get_by_test_id("player-code").inner_text() == code
    assert step(other) == 17
    other.get_by_text("Now 29 points, θ = 2.35, K = ").wait_for()
    assert share_link(other) == link


def test_a_link_keeps_order_epsilon_and_start(page, new_page, server):
    page, _, _ = in_class(page, server, "order")
    page.get_by_test_id("orders-new").click()
    page.locator('[data-testid="orders"][data-tried="2"]').wait_for()
    page.keyboard.press("End")
    other = new_page(viewport=CLASSROOM)
    other.goto(share_link(page))
    settle(other)
    expect(other.get_by_test_id("orders")).to_have_attribute("data-tried", "2")
    expect(other.get_by_test_id("orders")).to_have_attribute("data-step", "9")

    open_lesson(page, server, "chain", chain="moons")
    page.get_by_test_id("chain-range").fill("1.5")
    shown = page.get_by_test_id("chain").get_attribute("data-chain")
    other.goto(share_link(page))
    settle(other)
    expect(other.get_by_test_id("chain")).to_have_attribute("data-chain", shown)

    open_lesson(page, server, "beside")
    page.get_by_test_id("beside-another").click()
    page.locator('[data-testid="beside"][data-start="1"]').wait_for()
    other.goto(share_link(page))
    settle(other)
    expect(other.get_by_test_id("beside")).to_have_attribute("data-start", "1")


def test_a_broken_link_gets_a_sentence(page, server):
    open_lesson(page, server, "point", points="separated", drawn="AAAA")
    page.get_by_text("The link's drawn points cannot be read").wait_for()
    assert len(labels(page)) == 30


def test_points_are_sprayed_cleared_and_opened_in_explore(page, new_page, server):
    page, view, _ = in_class(page, server, "point")
    page.get_by_test_id("player-clear").click()
    answered(page)
    expect(view).to_have_attribute("data-points", "0")
    page.get_by_test_id("player-brush").click()
    for x, y in ((4, 5), (12, 4)):
        page.mouse.move(*canvas_place(page, x, y))
        page.mouse.down()
        for turn in range(5):
            page.mouse.move(*canvas_place(page, x + 0.4 * (turn % 2), y), steps=3)
            painted(page, 3)
        page.mouse.up()
        answered(page)
    count = len(labels(page))
    assert count >= 6
    page.get_by_test_id("player-explore").click()
    page.get_by_role("heading", name="Explore θ").wait_for()
    settle(page)
    page.get_by_text("Drawn in Learn").first.wait_for()
    page.get_by_text(f"{count} points").first.wait_for()
    assert "data=drawn" in page.url
    assert "theta=3.0" in page.url, "θ comes along"

    other = new_page(viewport=CLASSROOM)
    other.goto(server.url)
    settle(other)
    assert other.get_by_text("Drawn in Learn").count() == 0, "what one visitor draws is not another's data set"


def test_chaining_does_not_animate_under_reduced_motion(new_page, server):
    page = open_lesson(new_page(reduced_motion="reduce"), server, "chain", chain="moons")
    page.keyboard.press("ArrowRight")
    painted(page)
    shown, epsilon = pixels(page, "chain-canvas"), page.get_by_test_id("chain-epsilon").inner_text()
    painted(page, 30)
    assert (pixels(page, "chain-canvas"), page.get_by_test_id("chain-epsilon").inner_text()) == (shown, epsilon)


def test_formulas_are_typeset(page, server):
    open_lesson(page, server, "try")  # the lesson with every box of theory
    for box in page.get_by_test_id("stExpander").all():
        box.locator("summary").click()
    for formula in ("2N(N−1)", "\\frac{3 m^2 + m n}", "\\sum_j"):
        expect(page.locator(".katex-display, .katex").filter(has_text=formula).first).to_be_attached()
    assert page.locator(".katex-error").count() == 0
