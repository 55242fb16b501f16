"""What the lessons tell is what the engine finds: each story's claim, each trace, each check."""

import itertools
import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import pdist
from sklearn.cluster import KMeans

from tests.naive import tsg as naive_tsg
from theta_app.datasets import drawn
from theta_app.engine import closest_pair, lloyd_rounds, shuffled_order, spanning_tree, tdg, tdg_prefixes, tnc, tsg
from theta_app.engine.trace import trace_tsg
from theta_app.figures.palette import COLOURS
from theta_app.lessons import beside, chain, code, failures, growth, links, orders, player, start, tryit, vote
from theta_app.lessons.base import SHUFFLES, WORLD, same_partition
from theta_app.metrics import nmi

# One point at a time


def test_the_decision_is_told_in_words():
    X = np.array([[0.0, 0.0], [2.1, 0.0], [9.0, 0.0], [9.0, 0.0]])
    words = [step["beats"][-1] for step in player.trace_data(X, 3.0)["steps"]]
    assert words[0].endswith("it starts cluster 0 and is its centroid.")
    assert words[1] == "The nearest centroid is 2.1 away, within θ = 3: joins cluster 0, whose centroid moves."
    assert words[2] == "The nearest centroid is 7.95 away, beyond θ = 3: starts cluster 1."
    assert words[3].endswith("joins cluster 1, whose centroid stays.")


def test_a_distance_just_beyond_theta_is_not_told_as_equal_to_it():
    step = trace_tsg([[0.0], [3.0001]], 3.0).steps[1]
    assert "3.0001 away, beyond θ = 3:" in player.sentence(step, 3.0)


@pytest.mark.parametrize("key", player.player_stories())
def test_the_player_shows_what_tsg_finds(key):
    data, story = player.player_data(key), player.player_stories()[key]
    assert data["labels"] == tsg(story.X, story.theta).labels.tolist()
    assert len(data["steps"]) + 1 == len(data["counts"]) == len(story.X) + 1
    labels, _, _ = naive_tsg(story.X, story.theta)
    assert data["labels"] == labels
    assert len(story.X) <= player.MOST_POINTS
    json.dumps(data)


def test_an_edit_is_traced_and_its_number_echoed():
    edit = {"story": "separated", "question": 7, "theta": 1.0, "points": [[1, 1], [1.5, 1], [9, 9]]}
    data = player.player_data("separated", edit)
    assert (data["labels"], data["question"], data["theta"]) == ([0, 0, 1], 7, 1.0)


@pytest.mark.parametrize(
    "change",
    [
        {"story": "chain"},
        {"points": [[1, 2, 3]]},
        {"points": [[float("nan"), 0]]},
        {"points": "many"},
        {"points": [[0, 0]] * 301},
        {"theta": -1},
        {"theta": "wide"},
        {"question": None},
    ],
)
def test_an_edit_that_makes_no_sense_is_ignored(change):
    edit = {"story": "separated", "question": 7, "theta": 1.0, "points": [[1, 1], [1.5, 1]]} | change
    assert player.checked_edit(edit, "separated") is None
    assert player.player_data("separated", edit) == player.player_data("separated")
    assert player.caption("separated", edit) == player.caption("separated")


def test_a_distance_of_exactly_theta_joins_and_is_told_so():
    step = trace_tsg([[0.0], [3.0]], 3.0).steps[1]
    assert "3 away, exactly θ = 3, which still joins: joins cluster 0" in player.sentence(step, 3.0)


def test_the_lines_hold_the_values_of_the_step():
    first, second, third = player.trace_data(np.array([[0.0, 0.0], [2.0, 0.0], [9.0, 0.0]]), 3.0)["steps"]
    assert first["values"][6] == "cluster 0 starts; K = 1"
    assert second["values"][:5] == [
        "x = point 2, at (2, 0)",
        "d = [2]",
        "smallest 2 ≤ θ = 3 → join 0",
        "cluster 0 has 2 points",
        "(0, 0) → (1, 0)",
    ]
    assert third["values"][2] == "smallest 8 > θ = 3 → new cluster"
    assert (second["lit"], third["lit"]) == ([[0], [1], [2], [3, 4]], [[0], [1], [2, 5], [6]])
    assert second["beats"][0] == "Point 2 arrives at (2, 0)."
    assert not second["beats"][2].endswith("moves.")


@pytest.mark.parametrize("lines", [code.TSG, code.TDG, code.TNC])
def test_each_algorithm_has_five_to_eight_lines(lines):
    assert 5 <= len(lines) <= 8


def edited(**change):
    story = player.story_of("separated")
    return {"story": "separated", "question": 1, "theta": story.theta, "points": story.X.tolist()} | change


def test_the_caption_follows_theta_and_the_points():
    assert "every order gives these clusters" in player.caption("separated", edited())
    small, large = player.caption("separated", edited(theta=0.1)), player.caption("separated", edited(theta=16.0))
    assert "θ too small" in small
    assert "θ too large" in large
    assert "the 3 clouds fell into pieces" in player.caption("separated", edited(theta=1.0))
    moved = player.caption("separated", edited(points=[*edited()["points"], [5.2, 4.8], [6.3, 3.9]]))
    assert "50 shuffles gave" in moved
    for words in (small, large, moved):
        assert "every order" not in words


def test_all_points_may_be_cleared_away():
    data = player.player_data("separated", edited(points=[]))
    assert (data["steps"], data["labels"], data["counts"]) == ([], [], [0])
    assert "brush" in data["start"]


def test_an_outlier_stays_alone_and_the_small_cloud_survives():
    outlier, sizes = player.player_stories()["outlier"], player.player_stories()["sizes"]
    labels = tsg(outlier.X, outlier.theta).labels
    alone = labels[outlier.truth == 2][0]
    assert (labels == alone).sum() == 1
    assert same_partition(tsg(sizes.X, sizes.theta).labels, sizes.truth)


# Order matters, and the theory


def test_well_separated_clouds_meet_the_condition_that_makes_every_order_agree():
    story = player.player_stories()["separated"]
    diameter = max(pdist(story.X[story.truth == k]).max() for k in range(3))
    assert diameter <= story.theta
    assert closest_pair(story.X, story.truth).distance > np.sqrt(1.5) * story.theta
    assert orders.orders_data("separated", 40)["changed"] == 0


def test_a_pair_of_strangers_at_exactly_theta_is_joined_by_an_order_that_starts_with_it():
    X = [[0.0], [1.0]]
    assert tsg(X, 1.0, [0, 1]).labels.tolist() == [0, 0]


def test_an_order_that_starts_with_the_closest_pair_joins_it_as_soon_as_it_is_dense():
    for frame in orders.lemma_data()["frames"]:
        i, j = frame["pair"]
        rest = [at for at in range(len(frame["points"])) if at not in (i, j)]
        labels = tsg(frame["points"], orders.LEMMA_THETA, [i, j, *rest]).labels
        assert (labels[i] == labels[j]) == (frame["gap"] <= orders.LEMMA_THETA)


@given(seed=st.integers(0, 10_000), d=st.integers(1, 4), sizes=st.lists(st.integers(1, 6), min_size=2, max_size=4))
@settings(deadline=None, max_examples=80)
def test_diameter_theta_and_a_gap_of_1_23_theta_give_the_same_clusters_in_every_order(seed, d, sizes):
    rng = np.random.default_rng(seed)
    clusters, offset = [], 0.0
    for size in sizes:  # along the first axis, each as wide and the gaps as narrow as allowed
        cluster = rng.choice([-0.5, 0.5], size=(size, d)) / np.sqrt(d) * 0.999 + rng.normal(scale=1e-6, size=(size, d))
        cluster[:, 0] += offset - cluster[:, 0].min()
        clusters.append(cluster)
        offset = cluster[:, 0].max() + np.sqrt(1.5) * 1.001
    X, truth = np.concatenate(clusters), np.repeat(np.arange(len(sizes)), sizes)
    for i in range(10):
        assert same_partition(tsg(X, 1.0, shuffled_order(len(X), seed, i)).labels, truth)


def test_three_points_are_sparse_and_still_the_order_decides():
    story = orders.order_stories()["trio"]
    assert closest_pair(story.X, story.truth).distance > story.theta
    assert pdist(story.X[story.truth == 0]).max() <= story.theta
    assert len(tsg(story.X, story.theta, [0, 1, 2]).sizes) == 1
    assert same_partition(tsg(story.X, story.theta, [2, 0, 1]).labels, story.truth)


def test_three_points_have_five_other_orders_and_each_is_tried_once():
    story, last = orders.order_stories()["trio"], orders.orders_data("trio", 99)
    first, *others = [tsg(story.X, story.theta, order).labels for order in itertools.permutations(range(3))]
    assert last["tried"] == len(others) == 5
    assert last["all"]
    assert last["changed"] == sum(not same_partition(first, other) for other in others)
    assert last["words"].endswith("4 of the 5 other orders there are gave another result.")


@pytest.mark.parametrize("key", sorted(set(orders.order_stories()) & set(player.player_stories())))
def test_the_same_points_end_with_the_same_k_in_both_lessons(key):
    assert orders.orders_data(key, 1)["left"]["counts"][-1] == player.player_data(key)["counts"][-1]


@pytest.mark.parametrize("key", orders.order_stories())
def test_clusters_of_the_same_points_have_the_same_number_in_both_orders(key):
    data = orders.orders_data(key, 1)
    left, right = np.array(data["left"]["labels"]), np.array(data["right"]["numbers"])[data["right"]["labels"]]
    assert len(set(data["right"]["numbers"])) == len(data["right"]["numbers"])
    assert np.flatnonzero(left != right).tolist() == data["differs"]
    assert data["same"] == (not data["differs"])


def test_touching_clouds_change_with_the_order_and_the_count_says_how_often():
    data = orders.orders_data("touching", 20)
    story = player.player_stories()["touching"]
    others = [shuffled_order(len(story.X), 0, i) for i in range(20)]
    runs = [tsg(story.X, story.theta, order).labels for order in (None, *others)]
    assert data["changed"] == sum(not same_partition(runs[0], run) for run in runs[1:]) > 0
    assert data["right"]["labels"] == runs[20].tolist()
    first = orders.orders_data("touching", 1)
    assert first["differs"]
    assert not first["same"]


@given(seed=st.integers(0, 10_000), n=st.integers(2, 14))
@settings(deadline=None, max_examples=60)
def test_two_orders_part_where_two_points_are_together_in_one_and_apart_in_the_other(seed, n):
    rng = np.random.default_rng(seed)
    X, theta = rng.uniform(0, 4, (n, 2)).round(1), 1.5
    a, b = np.arange(n), rng.permutation(n)
    labels = [naive_tsg(X, theta, order)[0] for order in (a, b)]
    apart = orders.parting(X, theta, a, b)
    assert (apart is None) == same_partition(*map(np.array, labels))
    if apart is None:
        return
    assert not _parted(X, theta, a, b, apart["step"] - 1)
    assert _parted(X, theta, a, b, apart["step"])
    for side, order in (("left", a), ("right", b)):
        told, steps = apart[side], trace_tsg(X, theta, order).steps
        step = next(s for s in steps if s.point == told["point"])
        assert told["created"] == step.created
        assert told["distance"] == (step.distances.min() if len(step.distances) else None)


def _parted(X, theta, a, b, count):
    """Whether the points that are there in both orders after so many arrivals are grouped differently."""
    both = sorted(set(a[:count].tolist()) & set(b[:count].tolist()))
    left, right = (naive_tsg(X, theta, order)[0] for order in (a, b))
    return not same_partition(np.array(left)[both], np.array(right)[both]) if both else False


def test_the_first_story_of_orders_says_who_came_before_whom():
    few, trio = orders.orders_data("few", 1), orders.orders_data("trio", 1)
    words = few["parting"]["words"]
    assert "In A, point 4 came before point 7; in B, after it." in words
    assert (few["left"]["counts"][-1], few["right"]["counts"][-1]) == (2, 3)
    a, b = (orders.order_of(9, i).tolist() for i in (0, 1))
    assert a.index(3) < a.index(6)
    assert b.index(3) > b.index(6)
    assert "4.12 away, beyond θ = 4" in trio["parting"]["words"]


def test_order_agreement_is_one_while_sparse_and_falls_as_the_clusters_meet():
    frames = orders.lemma_data()["frames"]
    sparse = [frame for frame in frames if frame["gap"] > orders.LEMMA_THETA]
    dense = [frame for frame in frames if frame["gap"] <= orders.LEMMA_THETA]
    assert sparse
    assert all(frame["agreement"] == 1 for frame in sparse)
    assert all(frame["words"].startswith("θ-sparse") for frame in sparse)
    assert min(frame["agreement"] for frame in dense) < 0.8
    unseen = [frame for frame in dense if frame["agreement"] == 1]
    assert unseen, "dense, but 50 shuffles saw nothing: what Lemma 1 cannot tell"
    assert "evidence, not proof" in orders.lemma_data()["moments"][1]["words"]
    assert frames[-1]["agreement"] == min(frame["agreement"] for frame in frames), (
        "the closer, the more the order decides"
    )


# TDG's vote


@pytest.mark.parametrize("key", vote.vote_stories())
@pytest.mark.parametrize("shuffles", [1, 7, SHUFFLES])
def test_the_vote_shows_what_tdg_finds_after_each_shuffle(key, shuffles):
    story, data = vote.vote_stories()[key], vote.vote_data(key)
    result = tdg(story.X, story.theta, shuffles)
    assert same_partition(np.array(data["labels"][shuffles - 1]), result.labels)
    assert data["k"][shuffles - 1] == len(result.sizes)
    assert data["run_k"][:shuffles] == result.run_counts.tolist()
    assert data["ends"][shuffles - 1] == result.run_counts.sum()


def test_the_vote_is_better_than_its_runs_where_the_story_says_so():
    close, closer = vote.vote_data("close"), vote.vote_data("closer")
    assert (close["k"][0], close["k"][-1], close["true_k"]) == (11, 12, 12)
    told = [round(value, 3) for value in (close["nmi"][0], close["nmi"][-1], max(close["run_nmi"]))]
    assert told == [0.882, 0.957, 0.944]
    first, last = (close["moments"][i]["words"] for i in (1, -1))
    assert f"finds {close['run_k'][0]} centroids" in first
    assert "K = 11 and NMI 0.882" in first
    assert "K = 12 of 12, NMI 0.957; the best single run had 0.944" in last
    assert closer["nmi"][-1] > closer["nmi"][0] + 0.03
    smallest = tdg(vote.vote_stories()["closer"].X, 3.2, SHUFFLES).sizes.min()
    assert f"K = 13 of 12: {smallest} points stay apart" in closer["moments"][-1]["words"]


def test_in_how_many_sets_fifty_shuffles_beat_one_is_what_the_story_says():
    better = 0
    for seed in range(vote.SEEDS_TRIED):
        X, truth = vote.close_clouds(4.5, seed)
        one, fifty = tdg_prefixes(X, 3.6, [1, SHUFFLES], seed=0)
        better += nmi(truth, fifty.labels) > nmi(truth, one.labels)
    assert better == vote.SEEDS_BETTER
    assert "49 of 60 such sets (82%)" in vote.vote_data("close")["moments"][-1]["words"]


def test_the_second_stage_merges_too_much_where_the_story_says_so():
    data = vote.vote_data("merge")
    assert data["k"][-1] == 3
    assert np.median(data["run_k"]) == data["true_k"] == 6
    assert data["nmi"][-1] < np.median(data["run_nmi"]) - 0.2


# Chaining


def test_growing_epsilon_ends_with_the_paper_s_chain():
    data = chain.chain_data("six")
    assert [link[:2] for link in data["links"]] == [(1, 2), (0, 4), (4, 5)]
    assert data["lists"][0] == [[0], [1], [2], [3], [4], [5]]
    assert data["lists"][3] == [[0, 4], [1, 2], [2, 1], [3], [4, 0, 5, 0], [5, 4, 0]]
    assert data["chains"][3] == [0, 1, 1, 3, 0, 0]


@pytest.mark.parametrize("key", ["moons", "rings"])
def test_the_chains_shown_are_tnc_s(key):
    story, data = chain.chain_stories()[key], chain.chain_data(key)
    for epsilon in (0.5, 1.5, 2.2, data["epsilonMax"]):
        level = sum(length < epsilon for length in data["tree"])
        assert data["chains"][level] == tnc(story.X, story.theta, epsilon, SHUFFLES).chain.tolist()


@pytest.mark.parametrize("key", ["moons", "rings"])
def test_chaining_stops_where_k_is_right_and_where_it_is_lost(key):
    story, data = chain.chain_stories()[key], chain.chain_data(key)
    steps = chain.steps_of(data)
    right, over = (moment["step"] for moment in data["moments"][1:])
    labels = [tnc(story.X, story.theta, epsilon, SHUFFLES).labels for epsilon in steps]
    found = [same_partition(one, story.truth) for one in labels]
    assert found.index(True) == right
    assert found[over - 1]
    assert not found[over]
    assert all(moment["stop"] for moment in data["moments"][1:])


def test_one_depth_parts_clusters_of_different_density_and_no_length_does():
    story, data = chain.chain_stories()[chain.DENSITY], chain.chain_data(chain.DENSITY)
    by_length = spanning_tree(tdg(story.X, story.theta, SHUFFLES).centroids).lengths
    assert not any(
        same_partition(tnc(story.X, story.theta, np.nextafter(length, np.inf), SHUFFLES).labels, story.truth)
        for length in by_length
    )
    steps, right = chain.steps_of(data), data["moments"][2]["step"]
    for step, solved in ((right - 1, False), (right, True), (data["moments"][3]["step"], False)):
        found = tnc(story.X, story.theta, steps[step], SHUFFLES, density=chain.CORE_POINTS)
        assert chain.chain_at(data, steps[step]) == found.chain.tolist()
        assert same_partition(found.labels, story.truth) == solved
    assert "No single distance ε" in data["moments"][0]["words"]
    assert len(data["cores"]) == len(data["centroids"])


# When it fails


@pytest.mark.parametrize("key", failures.NAMES)
def test_a_failure_breaks_what_was_right_and_what_helps_instead_is_measured(key):
    data = failures.failure_data(key)
    scores = [frame["ari"] for frame in data["frames"]]
    asked = [moment for moment in data["moments"] if moment["ask"]]
    assert len(asked) == 1, "predict first"
    assert "Instead" in data["moments"][-1]["words"]
    for frame in data["frames"]:
        kept = {label for label in frame["labels"] if label >= 0}
        assert len(kept) == frame["k"]
        assert len(frame["labels"]) == len(frame["points"])
    if key in ("widths", "bridge", "columns"):
        wrong = data["moments"][1]["step"]
        assert scores[0] == 1
        assert min(scores[:wrong]) >= failures.RIGHT > scores[wrong]
        assert scores[-2] < 0.85
        assert scores[-1] == 1, "the last picture shows what helps"
    json.dumps(data)


def test_leaving_sparse_places_out_and_chaining_small_clusters_help_as_told():
    X, truth = failures._chain_points(32)
    assert failures._best_chain(X, truth, failures.SMALL_THETA, least=3)["ari"] == 1
    for key in ("bridge", "widths"):
        data = failures.failure_data(key)
        assert "adjusted Rand 1.00" in data["moments"][-1]["words"]
        assert data["frames"][-1]["k"] == data["made"]


def test_outliers_are_counted_beside_k():
    for many, frame in enumerate(failures.failure_data("outliers")["frames"]):
        assert (frame["k"], frame["outliers"]) == (3, many)
        assert sum(label < 0 for label in frame["labels"]) == many


# How it grows


def test_growth_is_counted_and_close_to_the_paper_s_formula():
    rows = {row["method"]: row for row in growth.growth_rows(1000, 5)}
    assert rows["TSG"]["distances"] <= rows["TSG"]["formula"]
    for row in rows.values():
        assert 0.9 < row["distances"] / row["formula"] < 1.1
    assert rows["K-Means (Lloyd)"]["distances"] == 1000 * 25 * rows["K-Means (Lloyd)"]["rounds"]
    assert growth.extremes(200) == (199, 200 * 199 // 2)


def test_the_growth_shown_is_what_was_counted():
    panels = growth.growth_data()["panels"]
    assert [panel["against"] for panel in panels] == ["n", "k"]
    for panel in panels:
        assert [line["name"] for line in panel["lines"]] == list(growth.METHODS)
    rows = growth.growth_rows(growth.GROWTH_SIZES[2], 5)
    assert [line["counted"][2] for line in panels[0]["lines"]] == [row["distances"] for row in rows]
    assert f"TSG {rows[0]['distances']:,}" in panels[0]["words"][2]


# TSG beside K-Means


@pytest.mark.parametrize("key", beside.beside_stories())
@pytest.mark.parametrize("at", [0, 1, 5])
def test_both_traces_are_the_real_ones(key, at):
    story, data = beside.beside_stories()[key], beside.beside_data(key, at)
    order = np.arange(len(story.X)) if at == 0 else shuffled_order(len(story.X), 0, at)
    labels, _, _ = naive_tsg(story.X, story.theta, order)
    assert data["left"]["labels"] == labels
    assert data["leftDistances"][-1] == trace_tsg(story.X, story.theta, order).distance_count
    first = np.array(data["rounds"][0]["before"])
    fitted = KMeans(len(first), init=first, n_init=1, algorithm="lloyd", tol=0).fit(story.X)
    assert same_partition(np.array(data["rounds"][-1]["labels"]), fitted.labels_)
    assert len(data["rounds"]) * len(story.X) * len(first) == data["rounds"][-1]["distances"]
    json.dumps(data)


def test_another_start_is_a_bad_one():
    (_, first), (_, second), *rest = beside.starts("nine")
    assert first == 1
    assert second == min(end for _, end in beside.starts("nine")) < 0.9
    assert len(rest) == beside.STARTS - 2
    assert beside.beside_data("nine", 1)["words"].startswith("The worst of 20 random starts.")


@pytest.mark.parametrize("key", beside.beside_stories())
@pytest.mark.parametrize("at", [0, 1, 2])
def test_both_run_at_the_same_pace_and_centres_move_only_when_all_points_are_assigned(key, at):
    data = beside.beside_data(key, at)
    left, n, k = data["leftDistances"], len(data["left"]["points"]), len(data["rounds"][0]["before"])
    assert data["moments_of_both"][0] == [0, 0, 0, 0]
    assert data["moments_of_both"][-1] == [n, len(data["rounds"]) - 1, n, 0]
    for before, after in itertools.pairwise(data["moments_of_both"]):
        assert after > before
        points, number, assigned, moved = after
        assert not moved or assigned == n
        right = (number * n + assigned) * k
        if points < n:  # both run: neither is ahead by more than one point's distances
            assert -k < right - left[points] < k
    seen = sum(assigned > 0 for points, _, assigned, _ in data["moments_of_both"] if points < n)
    assert seen > 0.8 * n, "K-Means works from the first steps on"


@pytest.mark.parametrize("key", beside.beside_stories())
def test_what_is_said_at_the_end_is_what_became_of_the_clouds(key):
    truth = beside.beside_stories()[key].truth
    for at in range(beside.STARTS):
        data = beside.beside_data(key, at)
        for name, labels in (("TSG", data["left"]["labels"]), ("K-Means", data["rounds"][-1]["labels"])):
            said = f"{name} found every cloud" in data["words"] or "Both found every cloud" in data["words"]
            assert said == same_partition(np.array(labels), truth)
            cut = sum(len({c for t, c in zip(truth, labels) if t == cloud}) > 1 for cloud in set(truth.tolist()))
            assert not cut or f"{name} cut {cut} cloud" in data["words"]


@given(seed=st.integers(0, 10_000), k=st.integers(1, 9))
@settings(deadline=None, max_examples=60)
def test_the_shaded_cell_of_a_centre_holds_what_is_nearest_to_it(seed, k):
    rng = np.random.default_rng(seed)
    centres = rng.uniform([0, 0], drawn.SHEET, (k, 2))
    cells = beside.voronoi(centres, WORLD)
    assert sum(_area(cell) for cell in cells) == pytest.approx(drawn.SHEET[0] * drawn.SHEET[1], rel=1e-3)
    for place in rng.uniform([0, 0], drawn.SHEET, (40, 2)):
        squares = ((centres - place) ** 2).sum(axis=1)
        if k == 1 or np.partition(squares, 1)[1] - squares.min() > 0.01:
            assert _inside(cells[squares.argmin()], place)


def _area(cell):
    x, y = np.array(cell).T
    return abs(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2


def _inside(cell, place):
    corners = np.array(cell)
    along, to = np.roll(corners, -1, axis=0) - corners, place - corners
    return (along[:, 0] * to[:, 1] - along[:, 1] * to[:, 0] >= -1e-3).all()


def test_lloyd_s_rounds_end_where_nothing_changes_and_an_empty_cluster_keeps_its_centre():
    X = np.array([[0.0], [0.0], [10.0]])
    rounds = [*lloyd_rounds(X, 2, 0)]
    before, labels, after = rounds[-1]
    assert np.array_equal(before, after)
    assert np.array_equal(labels, rounds[-2][1])
    same = [*lloyd_rounds(np.zeros((4, 1)), 2, 0)]
    assert same[-1][2].tolist() == [[0.0], [0.0]]


# The first lesson


def test_the_pictures_show_what_they_say():
    pictures = start.start_data()["pictures"]
    X, truth = start.start_points()
    assert len(pictures) == 7
    assert pictures[0]["labels"] is None
    found = tdg(X, start.THETA, SHUFFLES)
    assert same_partition(found.labels, truth)
    assert pictures[4]["labels"] == found.labels.tolist()
    assert "K = 3" in pictures[4]["words"]
    assert f"{len(tdg(X, start.SMALL, SHUFFLES).sizes)} pieces" in pictures[5]["words"]
    assert f"K = {len(tdg(X, start.LARGE, SHUFFLES).sizes)}." in pictures[6]["words"]
    assert [picture["theta"] for picture in pictures[4:]] == [start.THETA, start.SMALL, start.LARGE]
    assert len(set(pictures[3]["labels"])) == 2


# Links


def test_a_link_brings_points_theta_epsilon_step_order_and_start():
    X = np.array([[1.25, 2.5], [16.0, 9.0], [0.0001, 0.0]])
    options = {"drawn": drawn.encoded(X), "theta": "2.35", "epsilon": "1.5", "step": "2", "tried": "7", "start": "3"}
    opened, faults = links.opened(options | {"lesson": "point"})
    assert not faults
    assert np.array_equal(opened.points, X)
    assert (opened.theta, opened.epsilon, opened.step, opened.order, opened.start) == (2.35, 1.5, 2, 7, 3)


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("drawn", "AAAA", "missing or was changed"),
        ("drawn", "AAA???", "missing or was changed"),
        ("drawn", "______", "outside the picture"),
        ("drawn", "AAAAAA" * 301, "more than 300"),
        ("theta", "wide", "a number from 0 to 8"),
        ("theta", "nan", "a number from 0 to 8"),
        ("step", "1.5", "a whole number"),
        ("step", "-1", "a whole number"),
        ("step", "9" * 5000, "a whole number"),
        ("tried", "0", "a whole number from 1"),
        ("start", "20", "a whole number from 0 to 19"),
        ("epsilon", "inf", "a number from 0"),
    ],
)
def test_what_a_link_says_wrongly_gets_a_sentence_and_the_rest_is_used(option, value, said):
    opened, faults = links.opened({"step": "4", "theta": "1"} | {option: value})
    assert len(faults) == 1
    assert said in faults[0]
    assert faults[0].endswith("The lesson opens without it.")
    assert len(faults[0]) < 200
    assert (opened.step, opened.theta) == (None if option == "step" else 4, None if option == "theta" else 1.0)


# Try it


def test_a_range_is_checked_at_its_ends_inside_and_for_its_width():
    data = {"target": 25, "k": [30, 25, 26, 25, 25, 25, 25, 4], "thetas": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]}
    assert tryit.check_range(None, data) == (False, "")
    one = tryit.check_range({"low": 3}, data)
    assert one == (False, "Start marked at θ = 4, where K = 25. Now mark the end.")
    assert tryit.check_range({"low": 3, "high": 99}, data) == one
    assert "End marked at θ = 8, where there are 4 clusters, not 25" in tryit.check_range({"high": 7}, data)[1]
    assert "At θ = 8 there are 4" in tryit.check_range({"low": 3, "high": 7}, data)[1]
    assert "leaves 25" in tryit.check_range({"low": 1, "high": 4}, data)[1]
    assert "Widen it" in tryit.check_range({"low": 4, "high": 5}, data)[1]
    single = tryit.check_range({"low": 1, "high": 1}, data)
    assert single == (False, "K = 25 here, but only at θ = 2. A longer range has K = 25 too: the longest one counts.")
    solved, words = tryit.check_range({"low": 6, "high": 3}, data)
    assert solved
    assert "from θ = 4 to 7" in words


def test_the_first_exercise_can_be_solved():
    data = tryit.finder_data()
    assert data["k"].count(25) > 8
    assert data["k"][30] == len(tdg(tryit.finder_story().X, tryit.finder_data()["thetas"][30], 20).sizes)


def test_up_to_thirty_clusters_all_have_colours_of_their_own():
    data = tryit.finder_data()
    for k, labels in zip(data["k"], data["labels"]):
        assert len(set(labels)) == min(k, len(COLOURS))


def test_colours_stay_with_their_clusters_through_the_range():
    data = tryit.finder_data()
    inside = [labels for k, labels in zip(data["k"], data["labels"]) if k == 25]
    assert np.mean(np.array(inside[-2]) == np.array(inside[-1])) > 0.95


def test_the_order_exercise_starts_unsolved_and_a_bridge_solves_it():
    assert not tryit.check_order_matters(None, "exercise")[0]
    points = [*tryit.story_of("exercise").X.tolist(), [5.2, 4.8], [6.3, 3.9]]
    edit = {"story": "exercise", "question": 1, "theta": 3.0, "points": points}
    solved, words, other = tryit.check_order_matters(edit, "exercise")
    assert solved
    assert "order agreement fell to 0." in words
    assert other["left"]["labels"] == player.player_data("exercise", edit, exercise=True)["labels"]
    assert other["differs"]
    assert not same_partition(other["left"]["labels"], other["right"]["labels"])
    assert not tryit.check_order_matters({**edit, "points": []}, "exercise")[0]


def test_the_rings_are_chained_by_an_epsilon_between_the_links_and_the_gap():
    tree = chain.chain_data("rings")["tree"]
    solved, words = tryit.check_chain((tree[-2] + tree[-1]) / 2, "rings")
    assert solved
    assert "longest link needed inside a shape to the shortest link across" in words
    story, data = chain.chain_stories()["rings"], chain.chain_data("rings")
    centroids, shape = np.array(data["centroids"]), {}
    for label, truth in zip(data["labels"], story.truth):
        shape[label] = truth
    across = [
        np.linalg.norm(centroids[i] - centroids[j]) for i, j in itertools.combinations(shape, 2) if shape[i] != shape[j]
    ]
    assert min(across) == pytest.approx(tree[-1], abs=1e-3)
    assert tryit.check_chain(tree[-1], "rings")[0], "links are strictly shorter than ε"
    assert "Let it grow" in tryit.check_chain(tree[-2], "rings")[1]
    assert "smaller" in tryit.check_chain(tree[-1] * 1.01, "rings")[1]
    assert tryit.check_chain("wide", "rings") == (False, "")


def test_the_player_measures_in_the_norm_of_its_shape():
    story = player.story_of("touching")
    edit = {"story": "touching", "question": 1, "theta": story.theta, "points": story.X.tolist(), "shape": 0.0}
    data = player.player_data("touching", edit)
    expected = tsg(story.X.round(4), story.theta, metric="manhattan")
    assert data["labels"] == expected.labels.tolist()
    assert data["shape"] == 0.0
    assert "diamonds" in player.caption("touching", edit)
    assert player.checked_edit(edit | {"shape": 2}, "touching") is None
    assert [player.norm_of(shape) for shape in (0.0, 0.5, 0.75, 1.0)] == [1.0, 2.0, 4.0, math.inf]
