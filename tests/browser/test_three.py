"""Points in 3-D: turning by drag, keys and button, spheres near the pointer, the same live θ, and what is saved."""

import io
import re

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.browser.explore import Explorer, drawn_in
from tests.browser.helpers import painted, settle
from theta_app.datasets import RandomBlobs, load
from theta_app.engine import tdg
from theta_app.selection import count_outlier_clusters
from theta_app.ui.session import State, to_query

SET = RandomBlobs(clusters=6, dimensions=3, per_cluster=60)


def address(server, spec, **settings):
    query = {**to_query(State(spec)), **settings}
    return f"{server.url}/?{'&'.join(f'{name}={value}' for name, value in query.items())}"


@pytest.fixture
def explorer(page, server):
    return Explorer(page, address(server, SET, picture="3d"))


def angles(explorer):
    points = explorer.page.get_by_test_id("timeline-points")
    return np.array([float(points.get_attribute(name)) for name in ("data-yaw", "data-pitch")])


def drag(explorer, dx, dy):
    box = explorer.page.get_by_test_id("timeline-points").bounding_box()
    x, y = box["x"] + box["width"] * 0.5, box["y"] + box["height"] * 0.5
    mouse = explorer.page.mouse
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + dx / 2, y + dy / 2)
    mouse.move(x + dx, y + dy)
    mouse.up()
    painted(explorer.page)


def test_a_drag_turns_the_points_and_a_release_of_theta_leaves_them_turned(explorer):
    before = angles(explorer)
    assert explorer.drawn["points"] == 360
    drag(explorer, 100, 50)
    assert angles(explorer).tolist() == [(before[0] - 40) % 360, before[1] + 20]
    turned = angles(explorer)
    explorer.press(0.2)
    explorer.move(0.35)
    explorer.release()
    explorer.agreed()
    theta, k = explorer.found
    sizes = tdg(load(SET).X, theta).sizes
    assert k == explorer.k == len(sizes) - count_outlier_clusters(sizes)
    np.testing.assert_array_equal(angles(explorer), turned)


def test_arrow_keys_turn_where_the_picture_has_the_focus_and_home_goes_back(explorer):
    page, before = explorer.page, angles(explorer)
    page.get_by_test_id("timeline-points").focus()
    for key, expected in (("ArrowRight", (15, 0)), ("ArrowUp", (0, 15)), ("ArrowLeft", (-15, 0)), ("Home", (0, -15))):
        start = angles(explorer)
        page.keyboard.press(key)
        aim = f"{(start[0] + expected[0]) % 360:.1f}", f"{start[1] + expected[1]:.1f}"
        points = page.get_by_test_id("timeline-points")
        expect(points).to_have_attribute("data-yaw", aim[0])
        expect(points).to_have_attribute("data-pitch", aim[1])
    np.testing.assert_array_equal(angles(explorer), before)


def test_with_less_motion_the_button_turns_by_a_step(explorer):
    explorer.page.emulate_media(reduced_motion="reduce")
    before = angles(explorer)
    explorer.tool("turn")
    painted(explorer.page)
    assert angles(explorer).tolist() == [before[0] + 15, before[1]]
    painted(explorer.page)
    assert angles(explorer).tolist() == [before[0] + 15, before[1]]


def test_the_button_turns_until_it_is_pressed_again(explorer):
    before = angles(explorer)
    explorer.tool("turn")
    explorer.page.wait_for_function(
        "(was) => document.querySelector('[data-testid=\"timeline-points\"]').dataset.yaw !== was",
        arg=f"{before[0]:.1f}",
    )
    explorer.tool("turn")
    stopped = angles(explorer)
    painted(explorer.page)
    np.testing.assert_array_equal(angles(explorer), stopped)


def test_pointing_at_a_centroid_shows_its_sphere_and_leaving_it_hides_it(explorer):
    page = explorer.page
    picture = explorer.picture("svg").decode()
    x, y = map(float, re.search(r'<circle class="centroid" cx="([\d.]+)" cy="([\d.]+)"', picture).groups())
    box = page.get_by_test_id("timeline-points").bounding_box()
    page.mouse.move(box["x"] + x, box["y"] + y)
    page.wait_for_function(
        "() => JSON.parse(document.querySelector('[data-testid=\"timeline-points\"]').dataset.drawn).sphere >= 1"
    )
    page.mouse.move(box["x"] + 3, box["y"] + box["height"] + 60)
    page.wait_for_function(
        "() => !JSON.parse(document.querySelector('[data-testid=\"timeline-points\"]').dataset.drawn).sphere"
    )


def test_a_sphere_has_the_radius_theta(explorer):
    page = explorer.page
    box = page.get_by_test_id("timeline-points").bounding_box()
    picture = explorer.picture("svg").decode()
    x, y = map(float, re.search(r'<circle class="centroid" cx="([\d.]+)" cy="([\d.]+)"', picture).groups())
    page.mouse.click(box["x"] + x, box["y"] + y)  # the cluster is highlighted, with its sphere
    page.wait_for_function(
        "() => JSON.parse(document.querySelector('[data-testid=\"timeline-points\"]').dataset.drawn).sphere >= 1"
    )
    svg = explorer.picture("svg").decode()
    outline = re.search(r'class="sphere" points="([^"]*)"', svg).group(1)
    corners = np.array([[float(v) for v in corner.split(",")] for corner in outline.split()])
    X = load(SET).X
    # what is drawn of the cage tells how long a unit of the data is: no edge is drawn longer than it is
    half = np.ptp(X, axis=0) / 2
    edges = re.findall(r'class="cage" x1="([\d.-]+)" y1="([\d.-]+)" x2="([\d.-]+)" y2="([\d.-]+)"', svg)
    upright = [
        (a, b) for a, b in (np.reshape(list(map(float, edge)), (2, 2)) for edge in edges) if abs(a[0] - b[0]) < 0.5
    ]
    scale = max(abs(a[1] - b[1]) for a, b in upright) / (2 * half[2] * np.cos(np.radians(angles(explorer)[1])))
    np.testing.assert_allclose(np.ptp(corners, axis=0) / 2, explorer.theta * scale, rtol=0.01)


def test_png_and_svg_are_saved_as_they_are_turned(explorer):
    first = Image.open(io.BytesIO(explorer.picture("png"))).convert("RGB")
    drag(explorer, 120, 0)
    explorer.page.mouse.move(5, 5)
    painted(explorer.page)
    second = Image.open(io.BytesIO(explorer.picture("png"))).convert("RGB")
    assert first.size == second.size
    assert np.any(np.asarray(first) != np.asarray(second))
    assert len(second.getcolors(10**7)) > 20
    in_file = drawn_in(explorer.picture("svg"))
    assert (in_file["points"], in_file["cage"]) == (360, 9)


def test_the_choice_is_under_the_projection_travels_in_the_link_and_has_no_lasso(page, server):
    explorer = Explorer(page, address(server, SET))
    expect(page.get_by_test_id("timeline-turn")).to_be_hidden()
    explorer.open("settings")
    page.get_by_role("radio", name="3-D").click()
    expect(page).to_have_url(re.compile("picture=3d"))
    expect(page.get_by_test_id("timeline-turn")).to_be_visible()
    settle(page)
    expect(page.get_by_test_id("timeline-box")).to_be_hidden()
    expect(page.get_by_test_id("timeline-caption")).to_contain_text("to select points, change to the flat picture")
    page.get_by_role("radio", name="Flat").click()
    expect(page.get_by_test_id("timeline-turn")).to_be_hidden()


def test_two_columns_are_never_drawn_in_3d(page, server):
    explorer = Explorer(page, address(server, RandomBlobs(), picture="3d"))
    expect(page.get_by_test_id("timeline-turn")).to_be_hidden()
    explorer.open("settings")
    expect(page.get_by_role("radio", name="3-D")).to_have_count(0)
    assert "circle" in explorer.drawn


def test_more_columns_are_drawn_by_pca_of_three_without_spheres(page, server):
    explorer = Explorer(page, address(server, RandomBlobs(dimensions=6), picture="3d"))
    expect(page.get_by_test_id("timeline-caption")).to_contain_text("drawn in 3-D by PCA; θ-spheres are hidden")
    assert explorer.drawn["axis"] > 0
    assert "circle" not in explorer.drawn
