"""The timeline's JavaScript on its own, in one page without a server: what Python sends is what the browser reads."""

import base64

import numpy as np
import pytest

from tests.browser.helpers import ROOT
from theta_app.engine import tdg
from theta_app.selection.wording import short
from theta_app.ui.timeline import Axis, Frame, Picture, Readout, Texts, pack
from theta_app.ui.timeline.coding import along_curve

FOLDER = ROOT / "theta_app" / "ui" / "timeline" / "js"
SITE = "http://modules.test/"  # no such server: the page's questions are answered from the folder


@pytest.fixture(scope="module")
def blank(browser):
    """A page with nothing on it that can import the modules."""
    context = browser.new_context()
    page = context.new_page()
    page.route(f"{SITE}**", lambda route: route.fulfill(body="", content_type="text/html"))
    page.route(f"{SITE}*.js", lambda route: route.fulfill(path=FOLDER / route.request.url.removeprefix(SITE)))
    page.goto(SITE)
    yield page
    context.close()


@pytest.fixture
def run(blank):
    """``run("format", "short", 3.6)``: what a function of a module gives for values that JSON has."""

    def call(module, function, *values):
        code = "async ([from, name, values]) => (await import(from))[name](...values)"
        return blank.evaluate(code, [f"{SITE}{module}.js", function, values])

    return call


NUMBERS = [0, 1, -1, 0.5, 3.6018, 9.9996, 0.00012347, 1e-4, 9.99e-5, 4.02e-7, 15510, 99999, 1e5, 1234567, 9999999]
NUMBERS += [1e7, 1.5e9, 6.02e23, -0.034, -2.5e-9, 1e300, 1e-300, 1 / 3, 2 / 3 * 1e4]


def test_numbers_are_written_as_python_writes_them(run):
    assert [run("format", "short", number) for number in NUMBERS] == [short(number) for number in NUMBERS]
    assert run("format", "short", None) == "–"


def test_counts_and_texts_are_written_for_people(run):
    assert [run("format", "counted", n, "point") for n in (0, 1, 2, 15_000)] == [
        "0 points",
        "1 point",
        "2 points",
        "15,000 points",
    ]
    assert [run("format", "briefly", n) for n in (15_000, 200_000, 1_500_000)] == ["15,000", "200K", "1.5M"]
    assert run("format", "escaped", '<b title="x">&</b>') == "&lt;b title=&quot;x&quot;&gt;&amp;&lt;/b&gt;"
    assert [run("format", "clamp", value, 0, 1) for value in (-3, 0.5, 3)] == [0, 0.5, 1]


def clouds(n=601):
    """Two clouds and some equal points, an odd number of them: the last byte of a mask is not full."""
    rng = np.random.default_rng(1)
    X = np.concatenate([rng.normal(size=(n // 2, 2)), np.zeros((5, 2)), rng.normal(7.0, 0.2, size=(n - n // 2 - 5, 2))])
    results = {theta: tdg(X, theta, 5) for theta in (0.0, 0.05, 0.3, 1.0, 3.0, 40.0)}
    return X, [Frame(theta, found.labels, found.sizes, found.centroids) for theta, found in results.items()]


UNPACK = """async ([from, text]) => {
    const { unpack } = await import(from), bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const { start, body } = unpack(bytes);
    const plain = (value) => (ArrayBuffer.isView(value) ? Array.from(value) : value), read = await body();
    const arrays = Object.fromEntries(Object.entries(read).map(([name, value]) => [name, plain(value)]));
    return { start, ...arrays, labels: read.labels.map(plain) };
}"""


def test_labels_points_and_texts_arrive_as_they_were_sent(blank):
    X, frames = clouds()
    assert len(frames[0].sizes) > 256 > len(frames[3].sizes)  # labels of two bytes and of one
    readouts = {"k": ("ε “quoted”", "")}
    frames = [Frame(f.value, f.labels, f.sizes, f.centroids, readouts) for f in frames]
    packed = pack(Picture(X, frames, Axis("theta", "θ", "cm", 0.0, 40.0)), Texts([Readout("k", "K")], caption="λ"))
    sent = packed.state_at(0.3, "7", selection=[1, 2])
    read = blank.evaluate(UNPACK, [f"{SITE}wire.js", base64.b64encode(sent).decode()])
    assert (read["start"]["value"], read["start"]["serial"], read["start"]["selection"]) == (0.3, "7", [1, 2])
    assert read["start"]["body"] == packed.digest
    assert read["values"] == [frame.value for frame in frames]
    assert read["labels"] == [frame.labels.tolist() for frame in frames]
    np.testing.assert_allclose(np.reshape(read["points"], (-1, 2)) * read["unit"] + read["origin"], X, atol=1e-5)
    assert read["rows"] == list(range(len(X)))
    assert read["readouts"][0]["values"][0] == ["ε “quoted”", ""]
    assert read["caption"] == "λ"


@pytest.mark.parametrize("n", [1, 2, 1000])
def test_both_sides_go_along_the_same_curve(blank, n):
    points = np.random.default_rng(n).uniform(-1, 1, size=(n, 2)).astype("<f4")
    points[: n // 3] = np.round(points[: n // 3])  # equal places, and the corners
    code = "async ([from, points]) => Array.from((await import(from)).alongCurve(new Float32Array(points)))"
    found = blank.evaluate(code, [f"{SITE}coding.js", points.ravel().tolist()])
    assert found == along_curve(points).tolist()


def test_a_scene_is_counted_by_what_its_marks_stand_for(run):
    marks = [
        run("scene", "discs", "centroid", [1, 2, 3, 4], 5, {"fill": "red"}),
        run("scene", "discs", "centroid", [1, 2], 5, {}),
        run("scene", "lines", "grid", [0, 0, 1, 1, 0, 1, 1, 0], {}),
        run("scene", "rects", "bar", [0, 0, 1, 1], {}),
        run("scene", "path", "curve", [0, 0, 1, 1, 2, 2], {}),
        run("scene", "words", "title", "K = 3", 0, 0, {}),
    ]
    for crowd in (True, False):
        seen = {"places": [0, 0, 1, 1, 2, 2], "dot": 2, "crowd": crowd, "width": 9, "height": 9}
        marks.append(run("scene", "pointsOf", f"points {crowd}", seen, {}))
    assert marks[0]["fill"] == "red"
    counts = {"centroid": 3, "grid": 2, "bar": 1, "curve": 1, "title": 1, "points true": 3, "points false": 3}
    assert {name.lower(): count for name, count in run("scene", "census", marks).items()} == counts
    assert [mark["kind"] for mark in marks[-2:]] == ["density", "dots"]


PAINT = """async ([from, width, height, at, groups, colours, last]) => {
    const { Density } = await import(from), pixels = new Uint32Array(width * height);
    const mark = { at: new Float32Array(at), groups, last };
    new Density(width, height, 1).paint(mark, colours, pixels);
    return Array.from(pixels);
}"""
RED, BLUE = 0x0000FF, 0xFF0000  # as an image has them: blue, green, red


def painted(blank, at, groups, last=-1, side=8):
    found = blank.evaluate(PAINT, [f"{SITE}density.js", side, side, np.ravel(at).tolist(), groups, [RED, BLUE], last])
    return np.array(found, dtype=np.uint32).reshape(side, side)


def test_cells_have_the_colours_of_their_points_and_are_stronger_the_more_there_are(blank):
    at = [(0.5, 0.5)] * 20 + [(4.5, 0.5)] + [(0.5, 4.5), (0.5, 4.5)] + [(99.0, 0.5)]
    groups = [0] * 20 + [0] + [0, 1] + [1]
    image = painted(blank, at, groups)
    colour, strength = image & 0xFFFFFF, image >> 24
    assert colour[0, 0] == colour[0, 4] == RED
    assert colour[4, 0] == 0x7F007F  # half of each
    assert strength[0, 0] > strength[4, 0] > strength[0, 4] > 0
    assert (strength > 0).sum() == 3 * 4  # cells of two by two; what is outside is not drawn
    lit = painted(blank, at, groups, last=1)
    assert lit[4, 0] & 0xFFFFFF == BLUE  # one point of the cluster that is looked at is enough
    assert lit[0, 0] & 0xFFFFFF == RED


def test_points_in_3d_arrive_with_three_coordinates_and_their_labels(blank):
    X = np.random.default_rng(3).normal(size=(301, 3))
    found = [tdg(X, theta, 5) for theta in (0.1, 1.0, 4.0)]
    frames = [Frame(float(k), one.labels, one.sizes, one.centroids) for k, one in enumerate(found)]
    packed = pack(Picture(X, frames, Axis("theta", "θ", "", 0.0, 2.0), solid=("a", "b", "c")), Texts())
    sent = packed.state_at(1.0, "1")
    read = blank.evaluate(UNPACK, [f"{SITE}wire.js", base64.b64encode(sent).decode()])
    assert read["labels"] == [frame.labels.tolist() for frame in frames]
    np.testing.assert_allclose(np.reshape(read["space"], (-1, 3)) * read["unit"] + read["origin"], X, atol=1e-5)
    assert (read["points"], read["solid"]) == (None, ["a", "b", "c"])


@pytest.mark.parametrize(("yaw", "pitch"), [(0, 0), (30, 20), (200, -90), (359, 90)])
def test_a_turn_keeps_lengths_and_angles_and_the_third_axis_upright(run, yaw, pitch):
    turn = np.array(run("turn", "turnOf", yaw, pitch))
    np.testing.assert_allclose(turn @ turn.T, np.eye(3), atol=1e-12)
    assert np.linalg.det(turn) > 0  # nothing is mirrored
    assert abs(turn[0, 2]) < 1e-12
    assert turn[1, 2] >= -1e-12


def test_layers_go_from_far_to_near_and_hold_every_point_once(blank):
    depths = np.random.default_rng(0).uniform(-1.5, 1.5, 5000).astype("f4")
    code = "async ([from, depths]) => Array.from((await import(from)).layersOf(new Float32Array(depths), 1.5).order)"
    order = np.array(blank.evaluate(code, [f"{SITE}deep.js", depths.tolist()]))
    assert sorted(order) == list(range(5000))
    behind = np.maximum.accumulate(depths[order]) - depths[order]
    assert behind.max() <= 3 / 48 + 1e-6  # within a layer any order will do


@pytest.mark.parametrize("norm", [1, 1.5, 2, 4, None])
def test_the_rim_of_a_ball_is_as_wide_as_its_farthest_places(run, norm):
    turn = np.array(run("turn", "turnOf", 25, 35))
    outline = np.array(run("solid", "outlineOf", turn.tolist(), norm))
    rng = np.random.default_rng(0)
    corners = np.array([[x, y, z] for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1) if x or y or z])
    places = np.concatenate([rng.normal(size=(40_000, 3)), corners])  # no draw hits those of a cube
    places /= np.linalg.norm(places, np.inf if norm is None else norm, axis=1)[:, None]
    seen = places @ turn[:2].T
    for way in np.linspace(0, 2 * np.pi, 24, endpoint=False):
        direction = np.array([np.cos(way), np.sin(way)])
        most, rim = (seen @ direction).max(), (outline @ direction).max()
        assert rim == pytest.approx(most, abs=0.02)
