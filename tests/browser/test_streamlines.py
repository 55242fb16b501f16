"""Curves on the pages: lines in 3-D in the colours of their clusters, live while θ is dragged, turned and saved."""

import io
import re

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.browser.explore import Explorer, drawn_in
from tests.browser.helpers import painted, settle
from theta_app.datasets import Preparation, Streamlines, load
from theta_app.engine import tdg
from theta_app.selection import count_outlier_clusters
from theta_app.ui.session import State, to_query

SET = Streamlines(bundles=5, per_cluster=40)


def address(server, spec=SET, page="", **settings):
    query = {**to_query(State(spec, Preparation(metric="mdf"))), **settings}
    return f"{server.url}/{page}?{'&'.join(f'{name}={value}' for name, value in query.items())}"


@pytest.fixture
def explorer(page, server):
    return Explorer(page, address(server))


def colours_of(svg):
    """The colours of the lines of a saved picture, without how far they are."""
    return set(re.findall(r'<polyline points="[^"]*" stroke="(rgb\([^)]*\))"', svg))


def test_theta_is_dragged_on_curves_and_k_is_that_of_tdg_by_mdf(explorer):
    assert explorer.drawn["points"] == 200
    seen = []
    explorer.press(0.15)
    for share in (0.2, 0.35, 0.5, 0.65, 0.8):
        explorer.move(share)
        seen.append(explorer.k)
    assert seen[0] > seen[-1]
    assert seen == sorted(seen, reverse=True)
    explorer.move(0.6)
    explorer.release()
    explorer.agreed()
    theta, k = explorer.found
    sizes = tdg(load(SET).X, theta, metric="mdf").sizes
    assert k == explorer.k == len(sizes) - count_outlier_clusters(sizes)
    assert explorer.drawn["centroid"] == len(sizes)


def test_the_suggestion_is_the_bundles_and_theta_is_in_millimetres(explorer):
    assert explorer.k == 5
    expect(explorer.page.get_by_test_id("readout-theta")).to_be_visible()
    expect(explorer.track).to_have_attribute("aria-valuetext", re.compile(r"θ = [\d.]+ mm: 5 clusters"))


def test_a_drag_and_the_keys_turn_the_curves_and_a_release_of_theta_leaves_them_turned(explorer):
    page, points = explorer.page, explorer.page.get_by_test_id("timeline-points")
    first = Image.open(io.BytesIO(explorer.picture("png"))).convert("RGB")
    yaw = float(points.get_attribute("data-yaw"))
    box = points.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 100, y)
    page.mouse.up()
    expect(points).to_have_attribute("data-yaw", f"{(yaw - 40) % 360:.1f}")
    points.focus()
    page.keyboard.press("ArrowRight")
    expect(points).to_have_attribute("data-yaw", f"{(yaw - 25) % 360:.1f}")
    page.mouse.move(5, 5)
    painted(page)
    second = Image.open(io.BytesIO(explorer.picture("png"))).convert("RGB")
    assert np.any(np.asarray(first) != np.asarray(second))
    explorer.press(0.5)
    explorer.release()
    explorer.agreed()
    expect(points).to_have_attribute("data-yaw", f"{(yaw - 25) % 360:.1f}")


def test_the_saved_svg_has_a_line_per_curve_in_the_colours_of_the_clusters(explorer):
    svg = explorer.picture("svg").decode()
    counts = drawn_in(svg.encode())
    assert (counts["points"], counts["cage"], counts["centroid"]) == (200, 9, 5)
    lines = re.findall(r'<polyline points="([^"]*)" stroke="', svg)
    assert {len(line.split()) for line in lines} == {12}
    assert len(colours_of(svg)) >= 5


def test_a_click_on_a_curve_highlights_its_cluster_and_says_its_row(explorer):
    page = explorer.page
    svg = explorer.picture("svg").decode()
    line = re.findall(r'<polyline points="([^"]*)" stroke="', svg)[-1]  # the nearest
    x, y = map(float, line.split()[0].split(","))
    box = page.get_by_test_id("timeline-points").bounding_box()
    page.mouse.move(box["x"] + x, box["y"] + y)
    expect(page.get_by_text(re.compile(r"Row \d+"))).to_be_visible()
    page.mouse.click(box["x"] + x, box["y"] + y)
    explorer.draws("centroid", 1)
    page.keyboard.press("Escape")


def test_curves_are_neither_scaled_nor_projected(page, server):
    page.goto(address(server, page="Data"))
    settle(page)
    expect(page.get_by_text("Curves are used as they are, in mm")).to_be_visible()
    expect(page.get_by_text("Standardise")).to_have_count(0)
    explorer = Explorer(page, address(server))
    explorer.open("settings")
    expect(page.get_by_label("Drawn by")).to_have_count(0)
    expect(page.get_by_role("radio", name="Flat")).to_have_count(0)


def test_the_gallery_opens_them_with_their_metric(page, server):
    page.goto(f"{server.url}/Data")
    settle(page)
    page.get_by_text("Fibre bundles", exact=True).click()
    expect(page).to_have_url(re.compile("data=streamlines.*norm=mdf"))


def test_more_curves_than_are_drawn_say_how_many_are_shown(page, server):
    explorer = Explorer(page, address(server, Streamlines(bundles=3, per_cluster=1000)))
    assert explorer.drawn["points"] == 2000
    expect(page.get_by_test_id("timeline-caption")).to_contain_text("showing 2,000 of 3,000")


def test_evidence_follows_theta_on_curves(page, server):
    page.goto(address(server, page="Evidence"))
    settle(page, 120)
    expect(page.get_by_test_id("theta-timeline")).to_have_attribute("aria-valuetext", re.compile("mm: 5 clusters"))


def test_compare_says_that_other_methods_see_plain_columns(page, server):
    page.goto(address(server, page="Compare"))
    settle(page, 120)
    expect(page.get_by_text("TSG, TDG and TNC measure along curves")).to_be_visible()
