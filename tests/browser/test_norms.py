"""Circles become diamonds and squares: on Explore as the norm changes, on Learn live under the slider."""

import math
import re

import numpy as np
from playwright.sync_api import expect

from tests.browser.explore import Explorer
from tests.browser.helpers import settle
from theta_app.datasets import DEFAULT, load
from theta_app.engine import tdg, trace_tsg
from theta_app.lessons import player
from theta_app.selection import count_outlier_clusters

X = load(DEFAULT).X


def corners(svg):
    """Numbers of corners of the θ-circles of a saved picture."""
    found = re.findall(r'<polygon class="circle" points="([^"]*)"', svg.decode())
    return {len(places.split()) for places in found}


def test_the_slider_turns_circles_into_diamonds_and_squares_and_clusters_with_them(page, server):
    explorer = Explorer(page, server.url)
    assert corners(explorer.picture("svg")) == set()
    explorer.open("settings")
    page.get_by_role("button", name="Straight-line distance").click()
    handle = page.get_by_role("slider", name="Distance between two points")
    handle.focus()
    handle.press("Home")
    expect(page.get_by_role("button", name="City-block distance")).to_be_visible(timeout=60_000)
    expect(page).to_have_url(re.compile("norm=1(&|$)"))
    explorer.ready()
    assert corners(explorer.picture("svg")) == {4}
    theta, k = explorer.found
    assert len(tdg(X, theta, metric="manhattan").sizes) == k
    page.goto(f"{server.url}?norm=3&theta=3")
    explorer.ready()
    assert corners(explorer.picture("svg")) == {96}
    sizes = tdg(X, 3.0, metric="minkowski", p=3).sizes
    assert explorer.k == len(sizes) - count_outlier_clusters(sizes)


def test_the_players_circles_morph_under_the_slider_and_tsg_follows(page, server):
    page.goto(f"{server.url}/Learn?o_lesson=point&o_points=touching")
    settle(page)
    canvas = page.get_by_test_id("player-canvas")
    page.get_by_test_id("player").focus()
    page.keyboard.press("End")
    drawn = {canvas.evaluate("c => c.toDataURL()")}
    shape = page.get_by_test_id("player-shape-range")
    story = player.story_of("touching")
    for value, words, norm in (("0", "◇ p = 1", 1.0), ("0.75", "p = 4", 4.0), ("1", "□ p = ∞", math.inf)):
        shape.fill(value)
        expect(page.get_by_test_id("player-shape")).to_have_text(words)
        page.wait_for_selector('[data-testid="player"][data-answered="true"]')
        expected = trace_tsg(story.X, story.theta, metric="minkowski", p=norm).labels
        np.testing.assert_array_equal(
            np.array(page.get_by_test_id("player").get_attribute("data-labels").split(), dtype=int), expected
        )
        drawn.add(canvas.evaluate("c => c.toDataURL()"))
    assert len(drawn) == 4
