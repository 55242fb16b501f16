"""Explore in a real browser."""

import io
import json
import re

import numpy as np
import pandas as pd
import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.browser.explore import TIMELINE, Explorer, drawn_in
from tests.browser.helpers import settle
from theta_app import datasets, selection
from theta_app.clustering import cluster
from theta_app.engine import tdg

SMALL = "/?data=grid&data_side=3&data_spacing=8&data_per_cluster=40&shuffles=20"
DATA = datasets.load(datasets.GridBlobs(side=3, spacing=8.0, per_cluster=40))


@pytest.fixture
def explorer(page, server):
    return Explorer(page, server.url + SMALL)


def test_a_first_visit_opens_on_the_recommended_theta_and_its_link_reproduces_the_labels(page, server, new_server):
    fresh = new_server()
    explorer = Explorer(page, fresh.url)
    data = datasets.load(datasets.DEFAULT)
    assert explorer.theta == selection.recommend(data.X).theta
    assert explorer.k == len(data.truth_names)
    expect(page.get_by_text("Drag θ: the clusters follow")).to_be_visible()
    expect(page.locator('[data-testid="stToolbar"] button, [data-testid="stStatusWidget"]')).to_have_count(0)
    expect(page).to_have_title("Explore · ThetA")
    explorer.press(0.6)
    explorer.move(0.42)
    explorer.release()
    explorer.agreed()
    theta = explorer.theta

    # the link reproduces the labels on another server
    other = Explorer(page, page.url.replace(fresh.url, server.url))
    assert other.theta == theta
    other.export()
    with page.expect_download() as caught:
        page.get_by_role("button", name="Labels", exact=True).click()
    expected = cluster(data, "TDG", other.theta).labels
    assert np.array_equal(pd.read_csv(caught.value.path())["cluster"], expected)
    assert "Traceback" not in fresh.log() + server.log()


def test_everything_answers_while_the_pointer_is_still_down(explorer):
    page, answer = explorer.page, explorer.page.get_by_test_id("verdict")
    explorer.open("numbers")
    expect(answer).to_contain_text("9 clusters · TDG at θ = ".replace(" · ", " "))
    before, sent = explorer.found, page.url
    explorer.press(0.75)
    counts, paints, silhouettes = [], [explorer.number("data-paints")], set()
    for share in np.linspace(0.75, 0.35, 30):
        explorer.move(share)
        counts.append(explorer.k)
        paints.append(explorer.number("data-paints"))
        silhouettes.add(page.get_by_test_id("readout-silhouette").inner_text())
        if share < 0.7 and explorer.theta != before[0]:  # the head says where one stands
            here = f"You are at θ = {page.get_by_test_id('readout-theta').inner_text()}: {counts[-1]} cluster"
            assert here in answer.inner_text()
    assert counts[-1] > 3 * counts[0]
    assert len(set(counts)) > 10
    assert len(silhouettes) > 10
    # one paint for a move, no more and no less (the first move is within the few pixels that are still a click)
    assert 27 <= paints[-1] - paints[0] <= 31
    assert explorer.found == before  # Python has not been asked
    assert page.url == sent

    explorer.release()
    explorer.agreed()
    assert explorer.found == (explorer.theta, explorer.k)
    assert abs(explorer.k - counts[-1]) <= 0.1 * counts[-1]  # all shuffles now, where a brief look had a few of them
    expect(page).to_have_url(re.compile(f"theta={re.escape(repr(explorer.theta))}"))
    page.get_by_role("button", name="Back to the suggestion").click()
    expect(answer).to_contain_text("9 clusters TDG")
    explorer.agreed()
    assert explorer.found == before


def test_the_readouts_are_the_engines_own_numbers_also_at_a_typed_theta(explorer):
    explorer.press(0.6)
    explorer.move(0.45)
    explorer.release()
    explorer.agreed()
    result = tdg(DATA.X, explorer.theta, 20, 0, agreement=True)
    assert explorer.k == len(result.sizes) - selection.count_outlier_clusters(result.sizes)
    shown = explorer.page.get_by_test_id("readout-agreement").inner_text()
    assert shown == f"{result.agreement:.3f}"
    assert explorer.track.get_attribute("aria-valuetext").startswith("θ = ")

    explorer.open("settings")
    box = explorer.page.get_by_label("Exact θ", exact=True)
    box.fill("3.1234567")
    box.press("Enter")
    explorer.page.wait_for_selector(f'[data-testid="{TIMELINE}"][aria-valuenow="3.1234567"]')
    explorer.agreed()
    sizes = tdg(DATA.X, 3.1234567, 20, 0).sizes
    assert explorer.found == (3.1234567, len(sizes) - selection.count_outlier_clusters(sizes))


def test_keys_step_jump_and_tell_python_when_they_rest_and_play_runs_upward(explorer):
    explorer.track.focus()
    start = explorer.theta
    explorer.page.keyboard.press("ArrowRight")
    explorer.next_frame()
    up = explorer.theta
    assert up > start
    explorer.page.keyboard.press("ArrowLeft")
    explorer.next_frame()
    assert explorer.theta == start
    explorer.page.keyboard.press("Home")
    explorer.next_frame()
    assert explorer.theta == explorer.number("aria-valuemin")
    explorer.page.keyboard.press("PageUp")
    explorer.next_frame()
    assert explorer.theta > explorer.number("aria-valuemin")
    explorer.page.keyboard.press("End")
    explorer.next_frame()
    assert explorer.theta == explorer.number("aria-valuemax")
    explorer.agreed()
    assert explorer.k == 1
    explorer.page.keyboard.press("Home")
    explorer.agreed()
    runs_upward_and_pauses(explorer)


def test_a_click_on_a_range_goes_to_its_middle_and_a_double_click_to_the_recommended_theta(explorer):
    recommended = selection.recommend(DATA.X, shuffles=20)
    low, high = explorer.number("aria-valuemin"), explorer.number("aria-valuemax")

    def share(theta):
        return np.log(theta / low) / np.log(high / low)

    explorer.track.focus()
    explorer.page.keyboard.press("End")
    explorer.agreed()
    explorer.page.mouse.click(*explorer.at(share(recommended.theta_low * 1.02)))
    explorer.agreed()
    assert explorer.theta == recommended.theta
    explorer.page.keyboard.press("Home")
    explorer.agreed()
    explorer.page.mouse.dblclick(*explorer.at(0.02))
    explorer.agreed()
    assert explorer.theta == recommended.theta
    assert explorer.k == recommended.n_clusters == 9


def test_the_sweep_can_be_made_wider_and_finer(explorer):
    low, high, count = (explorer.number(name) for name in ("aria-valuemin", "aria-valuemax", "data-frames"))
    theta = explorer.theta
    explorer.tool("finer")
    explorer.page.wait_for_function(
        "n => Number(document.querySelector('[data-testid=\"theta-timeline\"]').dataset.frames) >= n + 8", arg=count
    )
    settle(explorer.page)
    assert explorer.theta == theta
    explorer.tool("wider")
    explorer.page.wait_for_function(
        "v => Number(document.querySelector('[data-testid=theta-timeline]').getAttribute('aria-valuemax')) > v * 1.2",
        arg=high,
    )
    settle(explorer.page)
    assert explorer.number("aria-valuemin") < low / 1.2
    assert explorer.theta == theta


def runs_upward_and_pauses(explorer):
    start = explorer.theta
    play = explorer.page.get_by_test_id("timeline-play")
    play.click()
    explorer.page.wait_for_function(
        "v => Number(document.querySelector('[data-testid=theta-timeline]').getAttribute('aria-valuenow')) > v",
        arg=start,
    )
    play.click()
    explorer.agreed()
    assert explorer.theta > start
    expect(play).to_have_attribute("aria-pressed", "false")
    expect(play).to_have_text("▶ Play")


def test_a_change_of_settings_keeps_theta_and_a_drag_goes_on_while_the_sweep_arrives(page, server):
    explorer = Explorer(page, server.url + SMALL.replace("per_cluster=40", "per_cluster=200"))
    explorer.press(0.5)
    explorer.move(0.55)
    explorer.release()
    explorer.agreed()
    theta = explorer.theta
    explorer.open("settings")
    page.get_by_label("Shuffles", exact=True).fill("60")
    page.get_by_label("Shuffles", exact=True).press("Enter")
    page.wait_for_function(
        "() => { const t = document.querySelector('[data-testid=\"theta-timeline\"]').dataset; "
        "return Number(t.frames) < Number(t.planned); }"
    )
    explorer.press(0.5)
    explorer.move(0.30)
    here, frames = explorer.theta, explorer.number("data-frames")
    page.wait_for_function(  # more of the sweep arrives under the finger
        "n => { const t = document.querySelector('[data-testid=\"theta-timeline\"]').dataset; "
        "return Number(t.frames) > n || t.complete === 'true'; }",
        arg=frames,
    )
    assert explorer.theta == pytest.approx(here, rel=0.3)
    explorer.release()
    explorer.agreed()
    assert explorer.theta == pytest.approx(here, rel=0.3)
    assert explorer.theta < theta
    expect(page).to_have_url(re.compile("shuffles=60"))


def test_hovering_and_clicking_a_point_or_a_bar_tell_about_a_cluster(explorer):
    canvas = explorer.page.get_by_test_id("timeline-points")
    box = canvas.bounding_box()
    # the grid's middle cluster is in the middle of the picture
    explorer.page.mouse.move(box["x"] + box["width"] / 2 + 3, box["y"] + box["height"] / 2 + 3)
    expect(explorer.page.locator('[role="tooltip"]')).to_have_text(re.compile(r"Cluster \d+\s*\d+ points"))
    before = canvas.evaluate("c => c.toDataURL()")
    explorer.page.mouse.click(box["x"] + box["width"] / 2 + 3, box["y"] + box["height"] / 2 + 3)
    shown = [canvas.element_handle(), before]
    explorer.page.wait_for_function("([c, before]) => c.toDataURL() !== before", arg=shown)
    settle(explorer.page)
    explorer.tool("clear")
    explorer.page.wait_for_function("([c, before]) => c.toDataURL() === before", arg=shown)
    explorer.draws("centroid", 9)
    settle(explorer.page)

    explorer.open("numbers")
    page, sizes = explorer.page, explorer.page.get_by_test_id("timeline-sizes")
    settle(page)  # what was told about the cluster has gone: nothing moves any more
    sizes.hover(position={"x": 60, "y": 90})
    expect(page.locator('[role="tooltip"]')).to_have_text(re.compile(r"Cluster \d+\s*\d+ points"))
    assert explorer.drawn["centroid"] == 9
    sizes.click(position={"x": 60, "y": 90})
    explorer.draws("centroid", 1)


def test_the_picture_follows_the_window_and_the_theme(new_page, server):
    page = new_page()
    explorer = Explorer(page, server.url + SMALL)
    before = explorer.drawn
    corner = "c => c.getContext('2d').getImageData(3, 3, 1, 1).data[0]"
    picture = "() => document.querySelector('canvas[data-part=\"points\"]')"
    wide = page.evaluate(f"({picture})().width")
    page.set_viewport_size({"width": 1000, "height": 800})
    page.wait_for_function(f"wide => ({picture})().width < wide", arg=wide)
    explorer.next_frame()
    assert explorer.drawn["points"] == before["points"]
    assert page.evaluate(f"({corner})(({picture})())") > 200
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(f"() => ({corner})(({picture})()) < 60")


def test_selected_points_become_rows_to_download(explorer):
    for tool in ("box", "lasso"):
        selected_points_become_rows(explorer, tool)
        explorer.tool("clear")
        expect(explorer.page.get_by_role("button", name="Selected rows as CSV")).to_have_count(0)


def selected_points_become_rows(explorer, tool):
    page = explorer.page
    explorer.tool(tool)
    page.get_by_test_id("verdict").scroll_into_view_if_needed()
    box = page.get_by_test_id("timeline-points").bounding_box()
    x, y, w, h = box["x"], box["y"], box["width"], box["height"]
    corners = [(0.05, 0.05), (0.5, 0.05), (0.5, 0.95), (0.05, 0.95)]
    if tool == "box":
        corners = [corners[0], corners[2]]
    page.mouse.move(x + corners[0][0] * w, y + corners[0][1] * h)
    page.mouse.down()
    for u, v in corners[1:]:
        page.mouse.move(x + u * w, y + v * h, steps=4)
    page.mouse.up()
    button = page.get_by_role("button", name="Selected rows as CSV")
    button.wait_for()
    settle(page)
    with page.expect_download() as download:
        button.click()
    table = pd.read_csv(download.value.path())
    middle = (DATA.X[:, 0].min() + DATA.X[:, 0].max()) / 2
    expected = DATA.X[DATA.X[:, 0] < middle]
    assert len(table) == pytest.approx(len(expected), abs=3)
    assert table["x"].max() < middle + 0.2
    labels = tdg(DATA.X, explorer.theta, 20, 0).labels
    rows = [int(np.flatnonzero((row == DATA.X).all(axis=1))[0]) for row in table[["x", "y"]].to_numpy()]
    assert np.array_equal(table["cluster"], labels[rows])


def test_what_is_taken_away_is_what_was_shown(explorer):
    page = explorer.page
    labels = cluster(DATA, "TDG", explorer.theta, shuffles=20).labels
    explorer.export()

    def download(name, exact=True):
        with page.expect_download() as caught:
            page.locator(".st-key-export").get_by_role("button", name=name, exact=exact).click()
        return caught.value

    table = pd.read_csv(download("Labels").path())
    assert np.array_equal(table["cluster"], labels)
    assert np.allclose(table[["x", "y"]], DATA.X)
    centroids = pd.read_csv(download("Centroids").path())
    assert np.allclose(centroids[["x", "y"]], [DATA.X[labels == k].mean(axis=0) for k in range(labels.max() + 1)])
    sweep = pd.read_csv(download("Sweep").path())
    expected = selection.sweep(DATA.X, shuffles=20)
    assert np.allclose(sweep["theta"], expected["theta"])
    same = sweep["shuffles"] == expected["shuffles"]  # where nobody has stood, which takes all of them
    assert same.sum() > 0.6 * len(same)
    assert np.array_equal(sweep["n_clusters"][same], expected["n_clusters"][same])
    settings = json.loads(download("Settings").path().read_text(encoding="utf-8"))
    chosen = settings["settings"]
    assert (chosen["algorithm"], chosen["theta"], chosen["shuffles"]) == ("TDG", explorer.theta, 20)
    assert settings["data"]["digest"] == DATA.digest

    png = Image.open(io.BytesIO(download("Picture as PNG", exact=False).path().read_bytes()))
    assert png.size[0] > 800
    assert len(png.convert("RGB").getcolors(10**7)) > 9
    svg = download("Picture as SVG", exact=False).path().read_text(encoding="utf-8")
    assert svg.count("<circle") >= len(DATA.X) + 9
    assert svg.count('class="centroid"') == explorer.k
    assert f"{explorer.k} clusters" in svg


def test_the_saved_svg_has_what_the_screen_shows(explorer):
    shown, saved = explorer.drawn, drawn_in(explorer.picture("svg"))
    assert saved == shown
    assert shown["points"] == len(DATA.X)
    assert shown["centroid"] == shown["circle"] == explorer.k == 9
    assert shown["grid"] >= 4
    assert shown["pair"] == 1

    page, box = explorer.page, explorer.page.get_by_test_id("timeline-points").bounding_box()
    page.get_by_test_id("timeline-box").click()
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + 120, box["y"] + 90, steps=3)
    page.mouse.up()
    page.mouse.click(box["x"] + box["width"] / 2 + 3, box["y"] + box["height"] / 2 + 3)  # the middle cluster, lit
    explorer.next_frame()
    assert drawn_in(explorer.picture("svg")) == explorer.drawn
    lit = dict.fromkeys(("centroid", "ring", "circle", "within", "selection", "selection-edge"), 1)
    assert explorer.drawn == shown | lit


def test_circles_that_would_hide_the_picture_are_left_out_on_the_screen_and_in_the_svg(explorer):
    explorer.open("settings")
    box = explorer.page.get_by_label("Exact θ", exact=True)
    box.fill("0.05")  # circles of a pixel or two
    box.press("Enter")
    expect(explorer.page.get_by_test_id("findings")).to_have_attribute("data-theta", "0.05")
    explorer.agreed()
    assert explorer.drawn["centroid"] == explorer.k > 100
    assert "circle" not in explorer.drawn
    assert drawn_in(explorer.picture("svg")) == explorer.drawn


def test_more_than_1500_circles_are_not_drawn(page, server):
    address = "/?data=grid&data_side=10&data_spacing=2.5&data_per_cluster=30&shuffles=3&theta=0.3"
    explorer = Explorer(page, server.url + address)
    assert explorer.k > 1500
    assert drawn_in(explorer.picture("svg")) == explorer.drawn
    explorer.track.focus()
    while explorer.k > 1500:
        assert "circle" not in explorer.drawn
        page.keyboard.press("ArrowRight")
        explorer.next_frame()
    assert explorer.drawn["circle"] == explorer.k > 1000


def test_the_saved_png_and_svg_are_the_same_picture(explorer, new_page):
    png = Image.open(io.BytesIO(explorer.picture("png"))).convert("RGB")
    svg = explorer.picture("svg").decode()
    width, height = (side // 2 for side in png.size)
    other = new_page(viewport={"width": width, "height": height}, device_scale_factor=2)
    other.set_content(f"<style>body {{ margin: 0 }}</style>{svg}")
    drawn = Image.open(io.BytesIO(other.screenshot())).convert("RGB")
    assert drawn.size == png.size
    apart = np.abs(np.asarray(png, dtype=int) - np.asarray(drawn)).max(axis=2) > 60
    assert apart.mean() < 0.03  # edges are smoothed in two ways
    ink = (np.asarray(png.convert("L")) < 200).mean()
    assert ink > 0.03


def test_quick_changes_end_on_the_last_one(page, server):
    explorer = Explorer(page, server.url + SMALL.replace("per_cluster=40", "per_cluster=300"))
    explorer.open("settings")
    seed = explorer.page.get_by_label("Seed", exact=True)
    for value in range(1, 4):
        seed.fill(str(value))
        seed.press("Enter")
        expect(page).to_have_url(re.compile(f"shuffle_seed={value}"))  # begun, and superseded by the next
    explorer.ready()
    assert explorer.found == (explorer.theta, explorer.k)


def test_a_finger_drags_theta_on_a_phone(phone, server):
    explorer = Explorer(phone, server.url + SMALL)
    assert phone.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth + 1")
    explorer.track.scroll_into_view_if_needed()
    before, k = explorer.theta, explorer.k
    client = phone.context.new_cdp_session(phone)

    def touch(kind, share=None):
        points = [] if share is None else [dict(zip("xy", explorer.at(share)))]
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", 0.6)
    for share in (0.58, 0.5, 0.4):
        touch("touchMove", share)
        explorer.next_frame()
    assert explorer.k > k
    touch("touchEnd")
    explorer.agreed()
    assert explorer.theta < before


def test_more_features_than_two_are_projected_and_said_so(page, server):
    explorer = Explorer(page, server.url + "/?data=iris&shuffles=10")
    expect(page.get_by_test_id("timeline-caption")).to_contain_text("4 columns drawn by")
    assert explorer.k >= 2
