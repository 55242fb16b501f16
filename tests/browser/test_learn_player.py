"""One point at a time: play, step back, edit with mouse, keys and finger, guess first."""

import re

from playwright.sync_api import expect

from tests.browser.helpers import painted
from tests.browser.learn import CLASSROOM, answered, canvas_place, labels, open_lesson, outlier, pixels, reaches, step
from theta_app.engine import trace_tsg
from theta_app.lessons.player import player_stories


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


def test_a_key_typed_into_a_field_or_pressed_on_a_slider_stays_there(page, server):
    open_lesson(page, server, "point", viewport=CLASSROOM)
    view = page.get_by_test_id("player")
    theta = page.get_by_test_id("player-theta")
    before = theta.inner_text()
    page.get_by_test_id("player-theta-range").focus()
    page.keyboard.press("ArrowRight")
    expect(theta).not_to_have_text(before)
    assert view.get_attribute("data-step") == "0", "the arrow moved θ, not the player"
    answered(page)
    page.get_by_test_id("learn-share").click()
    page.get_by_test_id("learn-link").focus()
    page.keyboard.press("f")
    page.keyboard.press("End")
    assert view.get_attribute("data-step") == "0"
    assert "on-stage" not in page.get_by_test_id("learn").get_attribute("class")


def test_a_button_reached_with_tab_is_pressed_by_space(page, server):
    open_lesson(page, server, "point", viewport=CLASSROOM)
    view = page.get_by_test_id("player")
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
    story = player_stories()["separated"]
    at = trace_tsg(story.X, story.theta).steps[4]
    page.mouse.click(*canvas_place(page, *at.before))
    expect(score).to_have_text("3 of 4 right")
    assert len(labels(page)) == 30, "a click on a centroid is an answer, not a new point"


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
