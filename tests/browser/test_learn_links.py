"""Draw and share: a link shows what was shown, and drawn points go to Explore."""

from playwright.sync_api import expect

from tests.browser.helpers import painted, settle
from tests.browser.learn import CLASSROOM, answered, canvas_place, labels, open_lesson, outlier, share_link, step


def test_a_link_opened_in_a_new_browser_shows_the_moved_points_theta_and_step(page, new_page, server):
    open_lesson(page, server, "point", points="outlier", viewport=CLASSROOM)
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
    open_lesson(page, server, "order", viewport=CLASSROOM)
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
    open_lesson(page, server, "point", viewport=CLASSROOM)
    view = page.get_by_test_id("player")
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
    page.get_by_role("heading", name="Explore").wait_for()
    settle(page)
    page.get_by_text("Drawn in Learn").first.hover()
    page.get_by_role("tooltip").get_by_text(f"{count} points").wait_for()
    assert "data=drawn" in page.url
    assert "theta=3.0" in page.url, "θ comes along"

    other = new_page(viewport=CLASSROOM)
    other.goto(server.url)
    settle(other)
    assert other.get_by_text("Drawn in Learn").count() == 0, "what one visitor draws is not another's data set"
