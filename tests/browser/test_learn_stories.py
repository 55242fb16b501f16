"""The other lessons: reorder, collect shuffles, grow ε, run beside K-Means, solve the exercises."""

import json
import re

from playwright.sync_api import expect

from tests.browser.helpers import painted, settle
from tests.browser.learn import answered, canvas_place, labels, open_lesson, pixels


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


def test_order_matters_opens_on_the_question_stops_where_they_part_and_tells_who_was_right(page, server):
    open_lesson(page, server, "order")
    view, sentence, caption = (page.get_by_test_id(name) for name in ("orders", "orders-sentence", "learn-caption"))
    assert page.get_by_test_id("question-words").inner_text() == "The same clusters?"
    assert view.get_attribute("data-step") == "0"
    page.keyboard.press("y")
    expect(page.get_by_test_id("question-words")).to_have_text("Not quite: you said “Yes”.")
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


def test_chaining_does_not_animate_under_reduced_motion(new_page, server):
    page = open_lesson(new_page(reduced_motion="reduce"), server, "chain", chain="moons")
    page.keyboard.press("ArrowRight")
    painted(page)
    shown, epsilon = pixels(page, "chain-canvas"), page.get_by_test_id("chain-epsilon").inner_text()
    painted(page, 30)
    assert (pixels(page, "chain-canvas"), page.get_by_test_id("chain-epsilon").inner_text()) == (shown, epsilon)


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
    expect(page.get_by_test_id("learn-caption")).to_have_text(re.compile("^The worst of 20 random starts"))


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


def test_formulas_are_typeset(page, server):
    open_lesson(page, server, "try")  # the lesson with every box of theory
    for box in page.get_by_test_id("stExpander").all():
        box.locator("summary").click()
    for formula in ("2N(N−1)", "\\frac{3 m^2 + m n}", "\\sum_j"):
        expect(page.locator(".katex-display, .katex").filter(has_text=formula).first).to_be_attached()
    assert page.locator(".katex-error").count() == 0
