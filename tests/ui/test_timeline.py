import json
import zlib
from dataclasses import replace

import numpy as np
import pytest

from theta_app.engine import tdg
from theta_app.figures.palette import COLOURS, MUTED
from theta_app.ui.timeline import Axis, Curve, Frame, Options, Picture, Range, Readout, Texts, inside, pack
from theta_app.ui.timeline.coding import along_curve
from theta_app.ui.timeline.colours import colour_frames, match_colours
from theta_app.ui.timeline.polygon import is_polygon

AXIS = Axis("theta", "θ", "cm", 0.5, 8.0)


def read(packed):
    """The body as the browser reads it: texts, and arrays by name, those that are left out as they follow."""
    raw = zlib.decompress(packed.body)
    length = int.from_bytes(raw[:4], "little")
    body = json.loads(raw[8 : 8 + length])
    start = 8 + length
    assert start % 8 == 0
    arrays = {}
    for name, (kind, offset, count) in body["arrays"].items():
        assert offset % 8 == 0
        arrays[name] = np.frombuffer(raw, dtype=f"<{kind}", count=count, offset=start + offset)
    counts = np.diff(arrays["cluster_start"])
    labels = decoded(arrays, counts)
    arrays["labels"] = np.concatenate(labels)
    arrays.setdefault("sizes", np.concatenate([np.bincount(one, minlength=k) for one, k in zip(labels, counts)]))
    arrays.setdefault("centroid_cluster", np.concatenate([np.arange(k) for k in counts]))
    if "centroids" not in arrays:
        points = arrays["points"].reshape(-1, 2)
        means = [[points[one == k].mean(axis=0) for k in range(count)] for one, count in zip(labels, counts)]
        arrays["centroids"] = np.concatenate(means).ravel()
    return body, arrays


def decoded(arrays, counts):
    """The labels at each value, point after point along the curve."""
    order = along_curve(arrays["points"].reshape(-1, 2))
    n, right, gone = len(order), iter(arrays["right"].tolist()), arrays["gone"].tolist()
    before, many, found = [0] * n, 1, []
    for f, count in enumerate(counts):
        bits = arrays["wrong"].reshape(len(counts), -1)[f]
        now = []
        for j in range(n):
            along = j > 0 and before[j] == before[j - 1]
            expected = now[j - 1] if along else gone[before[j]]
            now.append(next(right) if bits[j // 8] >> (j % 8) & 1 else expected)
        found.append(np.empty(n, dtype=int))
        found[-1][order] = now
        before, gone, many = now, gone[many:], int(count)
    assert next(right, None) is None
    return found


def two_frames():
    points = np.array([[0.0, 0.0], [1.0, 0.0], [5.0, 5.0]])
    fine = Frame(0.5, np.array([0, 1, 2]), np.array([1, 1, 1]), points, {"k": ("3", "")})
    middle = np.array([[0.5, 0.0], [5.0, 5.0]])
    coarse = Frame(2.0, np.array([0, 0, 1]), np.array([2, 1]), middle, {"k": ("2", "")}, pair=(1, 0, 5, 5), elbow=1)
    return points, fine, coarse


TEXTS = Texts([Readout("k", "K")])


def packed(texts=TEXTS, options=None, **drawn):
    points, fine, coarse = two_frames()
    return pack(Picture(points, [coarse, fine], AXIS, **drawn), texts, options)


def one_frame(points, frame, axis=AXIS):
    """What is sent of a single frame."""
    return read(pack(Picture(points, [frame], axis), Texts()))


def test_frames_are_sent_in_the_order_of_their_values():
    body, arrays = read(packed())
    assert body["values"] == [0.5, 2.0]
    assert arrays["labels"].tolist() == [0, 1, 2, 0, 0, 1]
    assert arrays["cluster_start"].tolist() == [0, 3, 5]
    assert arrays["sizes"].tolist() == [1, 1, 1, 2, 1]
    assert body["readouts"][0]["values"] == [["3", ""], ["2", ""]]


def test_labels_come_out_as_the_engine_has_them():
    rng = np.random.default_rng(1)
    X = np.concatenate([rng.normal(size=(300, 2)), np.zeros((5, 2)), rng.normal(7.0, 0.2, size=(296, 2))])
    results = {theta: tdg(X, theta, 5) for theta in (0.0, 0.05, 0.3, 1.0, 3.0, 40.0)}
    frames = [Frame(theta, found.labels, found.sizes, found.centroids) for theta, found in results.items()]
    body, arrays = read(pack(Picture(X, frames, AXIS), Texts()))
    sent = arrays["labels"].reshape(len(frames), -1)
    for labels, found in zip(sent, results.values()):
        np.testing.assert_array_equal(labels, found.labels)
    assert not {"sizes", "names", "rows", "centroids", "centroid_cluster"} & set(body["arrays"])
    centroids = arrays["centroids"].reshape(-1, 2) * body["unit"] + body["origin"]
    np.testing.assert_allclose(centroids, np.concatenate([f.centroids for f in frames]), atol=1e-5)


def test_what_the_browser_cannot_tell_by_itself_is_sent():
    points, fine, coarse = two_frames()
    elsewhere = replace(coarse, centroids=coarse.centroids + 1, sizes=np.array([20, 10]), outliers=1)
    body, arrays = read(pack(Picture(points, [fine, elsewhere], AXIS, rows=np.array([3, 1, 2])), Texts()))
    assert arrays["sizes"].tolist() == [1, 1, 1, 20, 10]
    assert body["outliers"] == [0, 1]
    assert body["palette"][arrays["colours"][-1]] == MUTED
    assert arrays["rows"].tolist() == [3, 1, 2]
    placed = arrays["centroids"].reshape(-1, 2)[3:] * body["unit"] + body["origin"]
    np.testing.assert_allclose(placed, elsewhere.centroids, atol=1e-6)


def test_what_is_drawn_can_be_traced_back_to_the_data():
    points, _, coarse = two_frames()
    body, arrays = read(packed())
    restored = arrays["points"].reshape(-1, 2) * body["unit"] + body["origin"]
    assert np.allclose(restored, points, atol=1e-6)
    centroids = arrays["centroids"].reshape(-1, 2)[3:] * body["unit"] + body["origin"]
    assert np.allclose(centroids, coarse.centroids, atol=1e-6)
    pair = np.reshape(body["pairs"][1], (2, 2)) * body["unit"] + body["origin"]
    assert np.allclose(pair, [[1, 0], [5, 5]])
    assert np.abs(arrays["points"]).max() <= 1


def test_coordinates_far_from_zero_are_not_blurred():
    points = np.array([[1.7e9, 5e6], [1.7e9 + 1, 5e6], [1.7e9 + 2, 5e6 + 1]])
    frame = Frame(1.0, np.array([0, 0, 1]), np.array([2, 1]), points[:2])
    body, arrays = one_frame(points, frame)
    restored = arrays["points"].reshape(-1, 2).astype(float) * body["unit"] + body["origin"]
    assert np.allclose(restored, points, atol=1e-3)


def test_one_point_and_equal_points_can_be_sent():
    points = np.zeros((3, 2))
    frame = Frame(1.0, np.zeros(3, dtype=int), np.array([3]), np.zeros((1, 2)))
    body, arrays = one_frame(points, frame, Axis("theta", "θ", "", 1.0, 1.0))
    assert body["unit"] == 1.0
    assert arrays["points"].tolist() == [0] * 6


def test_more_clusters_than_16_bits_hold_take_32():
    n = 70_000
    frame = Frame(1.0, np.arange(n), np.ones(n, dtype=int), np.zeros((n, 2)))
    body, arrays = one_frame(np.random.default_rng(0).normal(size=(n, 2)), frame)
    assert body["arrays"]["right"][0] == "u4"
    assert arrays["labels"].max() == n - 1


def test_chains_are_sent_as_pairs_of_centroids():
    points, fine, _ = two_frames()
    chained = Frame(
        3.0, np.array([0, 0, 1]), np.array([2, 1]), points, centroid_cluster=np.array([0, 0, 1]), segments=[[0, 1]]
    )
    _, arrays = read(pack(Picture(points, [fine, chained], AXIS), Texts()))
    assert arrays["segments"].tolist() == [0, 1]
    assert arrays["segment_start"].tolist() == [0, 0, 1]
    assert arrays["centroid_cluster"].tolist() == [0, 1, 2, 0, 0, 1]


def test_distances_keep_four_digits():
    points, *_ = two_frames()
    distances = np.array([0.0, 1.2345, 9.8765])
    frame = Frame(1.0, np.array([0, 0, 1]), np.array([2, 1]), points[:2], distances=distances)
    body, arrays = one_frame(points, frame)
    assert np.allclose(arrays["distances"] / 65535 * body["distance_scale"][0], distances, atol=2e-4)


def test_numbers_that_do_not_exist_are_gaps_in_a_curve():
    curve = Curve("agreement", [float("nan"), 0.5])
    body, _ = read(packed(curves=[curve], ranges=[Range(1, 2, 1.4, 3)]))
    assert body["curves"][0]["values"] == [None, 0.5]
    assert body["ranges"][0]["k"] == 3


def test_the_digest_tells_whether_anything_changed():
    assert packed().digest == packed().digest
    assert packed().digest != packed(Texts(caption="other")).digest


def test_moving_the_cursor_sends_the_same_body_behind_another_start():
    one = packed(options=Options("d"))
    here, there = one.state_at(0.5, "1"), one.state_at(2.0, "2")
    for sent, value, serial in ((here, 0.5, "1"), (there, 2.0, "2")):
        length = int.from_bytes(sent[4:8], "little")
        start = json.loads(sent[8 : 8 + length])
        assert sent[:4] == b"TTL2"
        assert length % 8 == 0
        assert start == {
            "value": value,
            "serial": serial,
            "selection": None,
            "body": one.digest,
            "data": "d",
        }
        assert sent[8 + length :] == one.body


def test_how_far_the_sweep_has_come_is_sent():
    body, _ = read(packed(options=Options(planned=9, complete=False, selects=False)))
    assert (body["planned"], body["complete"], body["sweeps"], body["selects"]) == (9, False, True, False)
    body, _ = read(packed())
    assert (body["planned"], body["complete"]) == (2, True)


def test_an_axis_that_reaches_zero_is_linear():
    points, fine, _ = two_frames()
    body, _ = one_frame(points, fine, Axis("epsilon", "ε", "cm", 0.0, 2.0))
    assert body["axis"]["scale"] == "linear"
    assert body["axis"]["label"] == "ε in cm"


@pytest.mark.parametrize(
    "value", [None, [], [[0, 0], [1, 1]], [[0, 0], [1, 1], [2]], [[0, 0], [1, 1], "ab"], [[0, 0], [1, 1], [0, "1"]]]
)
def test_what_is_no_polygon_is_not_taken_for_one(value):
    assert not is_polygon(value)
    assert is_polygon([[0, 0], [1, 1], [0, 1]])


def test_a_polygon_selects_by_the_even_odd_rule():
    square = [[0, 0], [2, 0], [2, 2], [0, 2]]
    points = np.array([[1, 1], [3, 1], [1, -1], [1.9, 1.9], [2.1, 0.1]])
    assert inside(square, points).tolist() == [True, False, False, True, False]
    bow = [[0, 0], [2, 2], [2, 0], [0, 2]]
    assert inside(bow, np.array([[0.2, 1.0], [1.0, 0.2], [1.8, 1.0]])).tolist() == [True, False, True]


# ---- colours --------------------------------------------------------------------------------------------------------


def test_a_cluster_keeps_its_colour_when_others_merge():
    before = np.repeat([0, 1, 2], 10)
    after = np.repeat([1, 0, 0], 10)  # the first renamed, the others merged
    colours = match_colours(before, np.array([4, 5, 6]), after, 2)
    assert colours[1] == 4
    assert colours[0] in (5, 6)


def test_the_larger_part_keeps_the_colour_when_a_cluster_splits():
    before = np.zeros(10, dtype=int)
    after = np.array([0] * 3 + [1] * 7)
    colours = match_colours(before, np.array([9]), after, 2)
    assert colours[1] == 9
    assert colours[0] != 9


def test_no_colour_is_used_twice_while_the_palette_lasts():
    rng = np.random.default_rng(0)
    labels = [np.arange(300) // size for size in (10, 15, 30, 60)]
    values = [1.0, 1.5, 3.0, 6.0]
    rng.shuffle(values)
    values.sort()
    given = colour_frames(values, labels, [label.max() + 1 for label in labels])
    for value, label in zip(values, labels):
        k = label.max() + 1
        assert len(set((given[value] % len(COLOURS)).tolist())) == min(k, len(COLOURS))


def test_no_two_clusters_share_a_colour_though_more_clusters_or_outliers_do():
    many, few = np.arange(300) // 2, np.arange(300) // 50  # 150 clusters have to share 29 colours
    given = colour_frames([1.0, 6.0], [many, few], [150, 6], known={1.0: np.arange(150) % 3})
    assert len(set(given[6.0].tolist())) == 6
    outliers = np.minimum(np.arange(300) // 30, 5) * (np.arange(300) < 250)  # the groups after the third are outliers
    given = colour_frames([1.0, 6.0], [many, outliers], [150, 6], known={1.0: np.arange(150) % 3}, majors=[150, 3])
    assert len(set(given[6.0][:3].tolist())) == 3


def test_colours_are_told_apart_and_seen_on_the_dark_page():
    def light(colour):
        parts = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
        return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4) @ [0.2126, 0.7152, 0.0722]

    dark = light("#11161c")
    assert min((light(colour) + 0.05) / (dark + 0.05) for colour in COLOURS) >= 3
    assert len(set(COLOURS)) == len(COLOURS) >= 20


def test_colours_given_before_stay_when_values_arrive_between():
    labels = {1.0: np.arange(60) // 5, 2.0: np.arange(60) // 10, 4.0: np.arange(60) // 30}
    count = {value: label.max() + 1 for value, label in labels.items()}
    first = colour_frames([1.0, 4.0], [labels[1.0], labels[4.0]], [count[1.0], count[4.0]])
    more = colour_frames([1.0, 2.0, 4.0], list(labels.values()), list(count.values()), known=first)
    assert all((more[value] == first[value]).all() for value in first)
    assert set(more[4.0]) <= set(more[2.0]) | set(more[1.0])


def test_clusters_that_are_others_now_at_a_value_are_coloured_like_their_neighbours():
    points, fine, coarse = two_frames()
    first = pack(Picture(points, [coarse, fine], AXIS), TEXTS, Options("d", "50 shuffles"))
    settled = Frame(0.5, np.array([1, 1, 0]), np.array([1, 2]), coarse.centroids, {"k": ("2", "")})
    then = pack(Picture(points, [coarse, settled], AXIS), TEXTS, Options("d", "50 shuffles"), first)
    np.testing.assert_array_equal(then.colours[2.0], first.colours[2.0])
    np.testing.assert_array_equal(then.colours[0.5], first.colours[2.0][::-1])  # the same two, numbered otherwise


def test_another_series_of_the_same_points_starts_from_the_colours_before():
    points = np.random.default_rng(0).normal(size=(40, 2))
    labels, renamed = np.arange(40) // 10, 3 - np.arange(40) // 10
    frame = Frame(1.0, labels, np.full(4, 10), np.zeros((4, 2)))
    first = pack(Picture(points, [frame], AXIS), Texts(), Options("d", "50 shuffles"))
    other = Frame(1.0, np.append(renamed[:-1], 4), np.array([9, 10, 10, 10, 1]), np.zeros((5, 2)))
    then = pack(Picture(points, [other], AXIS), Texts(), Options("d", "60 shuffles"), first)
    assert then.colours[1.0][:4].tolist() == first.colours[1.0][::-1].tolist()


def test_a_cluster_without_a_drawn_point_has_a_colour_too():
    given = colour_frames([1.0, 2.0], [np.array([0, 0, 2]), np.array([0, 0, 1])], [4, 3])
    assert (len(given[1.0]), len(given[2.0])) == (4, 3)
    assert min(given[1.0].min(), given[2.0].min()) >= 0


@pytest.mark.parametrize("k", [1, 5000])
def test_one_cluster_and_thousands_are_coloured(k):
    labels = np.arange(10_000) % k
    given = colour_frames([1.0, 2.0], [labels, labels], [k, k])
    assert (given[1.0] == given[2.0]).all()
