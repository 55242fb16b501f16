"""Learn in a browser: play, step back, edit, reorder, accumulate shuffles, grow ε, solve the exercises."""

import json
import re

from playwright.sync_api import expect

from tests.browser.helpers import painted, settle


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

    page.get_by_test_id("player-back").click()
    assert step(page) == reached - 1
    page.get_by_test_id("player-first").click()
    assert step(page) == 0
    page.get_by_test_id("player-forward").click()
    assert "opens cluster 0" in page.get_by_test_id("player-sentence").inner_text()
    page.get_by_test_id("player-scrub").fill("20")
    assert step(page) == 20
    assert "within θ = 3" in page.get_by_test_id("player-sentence").inner_text()
    page.get_by_test_id("player-last").click()
    assert page.get_by_test_id("player-k").inner_text() == "K = 3"


def test_the_keyboard_plays_steps_jumps_and_moves_points(page, server):
    open_lesson(page, server, "point")
    page.keyboard.press("ArrowRight")  # nothing has the focus: the keys are the player's
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
    open_lesson(page, server, "order")
    view = page.get_by_test_id("orders")
    assert view.get_attribute("data-tried") == "1"
    right = pixels(page, "orders-right")
    page.get_by_test_id("orders-new").click()
    page.locator('[data-testid="orders"][data-tried="2"]').wait_for()
    page.get_by_test_id("orders-twenty").click()
    page.locator('[data-testid="orders"][data-tried="22"]').wait_for()
    assert int(view.get_attribute("data-changed")) > 10
    assert "of 22 other orders" in page.get_by_test_id("orders-count").inner_text()
    settle(page)
    assert pixels(page, "orders-right") != right

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

    page.get_by_text("Merges too much").click()
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
    page.get_by_test_id("finder-range").fill("47")
    page.get_by_test_id("finder-high").click()
    page.get_by_text("not 25").wait_for()
    page.get_by_test_id("finder-range").fill("36")
    page.get_by_test_id("finder-low").click()
    page.get_by_text("Solved: K = 25").wait_for()

    page.get_by_text("2. Break the order").click()
    page.get_by_text("No order effect in 50 shuffles so far").wait_for()
    for x, y in ((5.2, 4.8), (6.3, 3.9)):  # a bridge between two of the clouds
        page.mouse.click(*canvas_place(page, x, y))
        answered(page)
    page.get_by_text("order agreement fell").wait_for()

    page.get_by_text("3. Chain the rings").click()
    page.get_by_test_id("chain-range").fill("1.0")
    page.get_by_test_id("chain-range").dispatch_event("change")
    page.get_by_text("Let it grow").wait_for()
    page.get_by_test_id("chain-range").fill("2.3")
    page.get_by_test_id("chain-range").dispatch_event("change")
    page.get_by_text("gives the two shapes").wait_for()
    page.get_by_text("3 of 3 solved").wait_for()


def test_a_phone_leads_through_every_lesson_without_sideways_scrolling(phone, server):
    open_lesson(phone, server, "point")
    seen = 0
    while True:
        seen += 1
        assert phone.evaluate("document.documentElement.scrollWidth") <= 390
        for canvas in phone.locator("canvas").all():
            box = canvas.bounding_box()
            assert box["x"] + box["width"] <= 390
        following = phone.get_by_role("button", name=re.compile("^.*Next: "))
        if following.count() == 0:
            break
        before = phone.url
        following.tap()
        phone.wait_for_function("before => location.href !== before", arg=before)
        settle(phone)
    assert seen == 6


def test_a_finger_drags_a_point_adds_one_and_removes_it_again(phone, server):
    open_lesson(phone, server, "point", points="outlier")
    phone.get_by_test_id("player-last").tap()
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
