"""What the Learn page tells is what the engine finds: each story's claim, each check, each lesson opened."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import pdist
from streamlit.testing.v1 import AppTest

from theta_app.engine import closest_pair, shuffled_order, tdg, tnc, tsg
from theta_app.engine.trace import trace_tsg
from theta_app.figures.learn import growth_figure
from theta_app.lessons import chain, growth, orders, player, tryit, vote
from theta_app.lessons.base import SHUFFLES, same_partition

PAGE = str(Path(__file__).parents[2] / "pages" / "Learn.py")


# One point at a time


def test_the_decision_is_told_in_words():
    X = np.array([[0.0, 0.0], [2.1, 0.0], [9.0, 0.0], [9.0, 0.0]])
    words = player.trace_data(X, 3.0)["sentences"][1:]
    assert words[0].endswith("it opens cluster 0 and is its centroid.")
    assert words[1] == "The nearest centroid is 2.1 away, within θ = 3: joins cluster 0, whose centroid moves."
    assert words[2] == "The nearest centroid is 7.95 away, beyond θ = 3: opens cluster 1."
    assert words[3].endswith("joins cluster 1, whose centroid stays.")


def test_a_distance_just_beyond_theta_is_not_told_as_equal_to_it():
    step = trace_tsg([[0.0], [3.0001]], 3.0).steps[1]
    assert "3.0001 away, beyond θ = 3:" in player.sentence(step, 3.0)


@pytest.mark.parametrize("key", player.player_stories())
def test_the_player_shows_what_tsg_finds(key):
    data, story = player.player_data(key), player.player_stories()[key]
    assert data["labels"] == tsg(story.X, story.theta).labels.tolist()
    assert len(data["sentences"]) == len(data["counts"]) == len(story.X) + 1
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
        {"points": []},
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


def test_the_first_other_order_shown_is_one_that_changes_the_result_if_there_is_one():
    assert orders.first_shown("separated") == 1
    shown = orders.first_shown("trio")
    assert orders.orders_data("trio", shown)["changed"] == 1


def test_touching_clouds_change_with_the_order_and_the_count_says_how_often():
    data = orders.orders_data("touching", 20)
    story = player.player_stories()["touching"]
    runs = [tsg(story.X, story.theta, shuffled_order(len(story.X), 0, i)).labels for i in range(21)]
    assert data["changed"] == sum(not same_partition(runs[0], run) for run in runs[1:]) > 0
    assert data["right"]["labels"] == runs[20].tolist()
    assert data["differs"]


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
    assert all("evidence, not proof" in frame["words"] for frame in unseen)


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
    assert close["k"][-1] == close["true_k"] == 12
    assert (min(close["run_k"]), max(close["run_k"])) == (10, 13)
    assert close["nmi"][-1] > np.median(close["run_nmi"]) + 0.03
    assert closer["nmi"][-1] > closer["nmi"][0] + 0.03


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


# How it grows


def test_growth_is_counted_and_close_to_the_paper_s_formula():
    rows = {row["method"]: row for row in growth.growth_rows(1000, 5)}
    assert rows["TSG"]["distances"] <= rows["TSG"]["formula"]
    for row in rows.values():
        assert 0.9 < row["distances"] / row["formula"] < 1.1
    assert rows["K-Means (Lloyd)"]["distances"] == 1000 * 25 * rows["K-Means (Lloyd)"]["rounds"]
    assert growth.extremes(200) == (199, 200 * 199 // 2)


def test_the_growth_figure_draws_counts_and_formulas():
    counts = pd.DataFrame(growth.growth_rows(250, 3) + growth.growth_rows(500, 3))
    figure = growth_figure(counts, "n")
    counted = [trace for trace in figure.data if trace.mode == "lines+markers"]
    assert [trace.name for trace in counted] == ["TSG", "TDG", "K-Means (Lloyd)"]
    assert list(counted[0].y) == counts.loc[counts["method"] == "TSG", "distances"].tolist()
    assert len(growth_figure(counts.iloc[:0], "k").data) == 0


# Try it


def test_a_range_is_checked_at_its_ends_inside_and_for_its_width():
    data = {"target": 25, "k": [30, 25, 26, 25, 25, 25, 25, 4], "thetas": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]}
    assert tryit.check_range(None, data) == (False, "")
    assert tryit.check_range({"low": 3}, data) == (False, "")
    assert tryit.check_range({"low": 3, "high": 99}, data) == (False, "")
    assert "At θ = 8 there are 4" in tryit.check_range({"low": 3, "high": 7}, data)[1]
    assert "leaves 25" in tryit.check_range({"low": 1, "high": 4}, data)[1]
    assert "Widen it" in tryit.check_range({"low": 4, "high": 5}, data)[1]
    solved, words = tryit.check_range({"low": 6, "high": 3}, data)
    assert solved
    assert "from θ = 4 to 7" in words


def test_the_first_exercise_can_be_solved():
    data = tryit.finder_data()
    assert data["k"].count(25) > 8
    assert data["k"][30] == len(tdg(tryit.finder_story().X, tryit.finder_data()["thetas"][30], 20).sizes)


def test_the_order_exercise_starts_unsolved_and_a_bridge_solves_it():
    assert not tryit.check_order_matters(None, "exercise")[0]
    points = [*tryit.story_of("exercise").X.tolist(), [5.2, 4.8], [6.3, 3.9]]
    edit = {"story": "exercise", "question": 1, "theta": 3.0, "points": points}
    solved, words = tryit.check_order_matters(edit, "exercise")
    assert solved
    assert "order agreement fell to 0." in words


def test_the_rings_are_chained_by_an_epsilon_between_the_links_and_the_gap():
    tree = chain.chain_data("rings")["tree"]
    assert tryit.check_chain((tree[-2] + tree[-1]) / 2, "rings")[0]
    assert tryit.check_chain(tree[-1], "rings")[0], "links are strictly shorter than ε"
    assert "Let it grow" in tryit.check_chain(tree[-2], "rings")[1]
    assert "smaller" in tryit.check_chain(tree[-1] * 1.01, "rings")[1]
    assert tryit.check_chain("wide", "rings") == (False, "")


# The page


def opened(**query):
    app = AppTest.from_file(PAGE, default_timeout=60)
    for name, value in query.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    assert not app.error
    return app


@pytest.mark.parametrize("lesson", ["point", "order", "vote", "chain", "growth", "try"])
def test_every_lesson_opens_from_a_link(lesson):
    assert opened(o_lesson=lesson).segmented_control[0].value == lesson


def test_a_link_to_an_unknown_lesson_opens_the_first():
    assert opened(o_lesson="nowhere", o_points="nothing").segmented_control[0].value == "point"


def test_the_next_button_leads_through_all_lessons():
    app, seen = opened(), []
    while True:
        seen.append(app.segmented_control[0].value)
        following = [button for button in app.button if button.label.startswith("Next: ")]
        if not following:
            break
        following[0].click().run()
    assert seen == ["point", "order", "vote", "chain", "growth", "try"]


def test_the_theory_names_the_assumption_the_paper_makes():
    boxes = {box.label: box.markdown[0].value for box in opened(o_lesson="order").expander}
    theorem = next(text for label, text in boxes.items() if label.startswith("Theorem 1"))
    assert "takes for granted" in theorem
    lemma = next(text for label, text in boxes.items() if label.startswith("Lemma 1"))
    assert "evidence, not proof" in lemma
