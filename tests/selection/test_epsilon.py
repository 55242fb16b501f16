"""Chains for every ε, the ranges where their number holds, and the suggested (θ, ε)."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn.metrics import normalized_mutual_info_score as nmi

from tests import shared_data
from theta_app import datasets, selection
from theta_app.engine import spanning_tree, tdg, tnc
from theta_app.metrics import ari
from theta_app.selection import theta_grid


def made(spec):
    data = datasets.load(spec)
    return data.X, data.truth


def chaining(X, theta, shuffles=20):
    return selection.Chaining.of(theta, tdg(X, theta, shuffles))


@pytest.fixture(scope="module")
def moons():
    X, truth = made(datasets.Moons())
    return chaining(X, 0.08), truth


def on_a_line(*places):
    """A chaining whose small clusters are single places on a line, five points each."""
    X = np.repeat(np.array(places, dtype=float), 5)[:, None]
    return chaining(X, 0.0)


# --- all ε from one tree ---------------------------------------------------------------------------------------------


def test_the_profile_counts_chains_as_a_plain_search_over_all_pairs_does(moons):
    one, _ = moons
    near = cdist(one.tdg.centroids, one.tdg.centroids)
    profile = selection.chain_profile(one)
    for row in profile.iloc[:: len(profile) // 8].itertuples():
        epsilon = min(row.epsilon_high, 2 * row.epsilon_low)
        assert row.n_chains == _components(near < epsilon)


def _components(linked):
    left, count = set(range(len(linked))), 0
    while left:
        front, count = [left.pop()], count + 1
        while front:
            reached = left & set(np.flatnonzero(linked[front.pop()]))
            left -= reached
            front += reached
    return count


def test_the_profile_covers_every_epsilon_without_gaps(moons):
    profile = selection.chain_profile(moons[0])
    assert profile["epsilon_low"].iloc[0] == 0.0
    assert np.isinf(profile["epsilon_high"].iloc[-1])
    assert (profile["epsilon_low"].to_numpy()[1:] == profile["epsilon_high"].to_numpy()[:-1]).all()
    assert profile["n_chains"].iloc[0] == moons[0].n_clusters
    assert profile["n_chains"].iloc[-1] == 1


def test_equal_edges_give_no_stretch_of_width_zero():
    profile = selection.chain_profile(on_a_line(0, 1, 2, 3, 10, 11))
    assert profile["n_chains"].tolist() == [6, 2, 1]
    assert profile["epsilon_low"].tolist() == [0.0, 1.0, 7.0]


def test_a_distance_of_exactly_epsilon_is_not_chained():
    one = on_a_line(0, 1, 2, 3, 10, 11)
    assert one.tree.count(1.0) == 6
    assert one.tree.count(np.nextafter(1.0, 2.0)) == 2


def test_a_range_is_where_the_number_of_major_chains_holds():
    one = on_a_line(*range(8), *range(28, 36))
    ranges = selection.chain_ranges(one)
    assert ranges["n_chains"].tolist() == [2]
    assert ranges.loc[0, ["epsilon_low", "epsilon_high"]].tolist() == [1.0, 21.0]
    assert ranges.loc[0, "epsilon"] == pytest.approx(np.sqrt(21.0))
    assert ranges.loc[0, "recommended"]


def test_a_few_points_far_away_do_not_pass_for_a_shape():
    far = chaining(np.r_[np.repeat(np.r_[np.arange(20.0), np.arange(40.0, 60.0)], 5), 500.0][:, None], 0.0)
    best = selection.chain_ranges(far).iloc[0]
    assert (best["epsilon_low"], best["epsilon_high"], best["n_chains"]) == (1.0, 21.0, 2)


def test_chains_stand_by_their_share_of_the_points_or_of_a_typical_chain():
    assert selection.major_chains([100, 90, 6, 2]).tolist() == [True, True, True, False]
    assert selection.major_chains([2000, 2000, 100, 70]).tolist() == [True, True, True, False]
    assert selection.major_chains([50] * 100 + [20]).tolist() == [True] * 100 + [False]  # one percent each


def test_the_offered_epsilons_reach_from_nothing_chained_to_everything(moons):
    values = selection.epsilon_values(moons[0])
    assert len(values) <= 160
    assert (np.diff(values) > 0).all()
    assert moons[0].tree.count(values[0]) == moons[0].n_clusters
    assert moons[0].tree.count(values[-1]) == 1
    assert {moons[0].tree.count(v) for v in values} >= set(range(1, 40))


@pytest.mark.parametrize("X", [[[0.0, 0.0]], [[1.0], [1.0]], [[0.0], [1e300]], [[0.0, 0.0], [0.0, 1e-300]]])
def test_one_point_equal_points_and_extreme_lengths_are_chained_too(X):
    suggested = selection.suggest(X, shuffles=5)
    one = chaining(np.array(X), suggested.theta, 5)
    values = selection.epsilon_values(one)
    assert not suggested.stands_out
    assert np.isfinite(suggested.epsilon)
    assert np.isfinite(values).all()
    assert len(selection.chain_profile(one)) >= 1
    assert isinstance(selection.chain_warnings(one, suggested.epsilon), list)


def test_nmi_over_small_clusters_equals_nmi_over_points(moons):
    one, truth = moons
    table = selection.truth_table(one, truth)
    for epsilon in selection.epsilon_values(one)[::15]:
        owner = np.unique(one.tree.cut(epsilon), return_inverse=True)[1]
        assert selection.chain_nmi(table, owner) == pytest.approx(nmi(truth, one.at(epsilon).labels), abs=1e-12)


def test_nmi_of_one_chain_with_one_class_is_one():
    assert selection.chain_nmi(np.array([[3.0], [4.0]]), np.array([0, 0])) == 1.0


# --- the suggestion --------------------------------------------------------------------------------------------------


def found(X, truth):
    suggested = selection.suggest(X)
    labels = chaining(X, suggested.theta, 50).at(suggested.epsilon).labels
    return suggested, nmi(truth, labels)


@pytest.mark.parametrize(
    ("spec", "shapes"),
    [
        (datasets.Moons(), 2),
        (datasets.Moons(seed=2), 2),
        (datasets.Circles(), 2),
        (datasets.Circles(rings=4, seed=1), 4),
        (datasets.Spirals(), 3),
        (datasets.Spirals(arms=5, seed=3), 5),
        (datasets.Smile(), 4),
        (datasets.GridBlobs(), 25),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, int) else str(value),
)
def test_the_suggestion_alone_finds_generated_shapes(spec, shapes):
    suggested, score = found(*made(spec))
    assert suggested.n_chains == shapes
    assert suggested.stands_out
    assert score >= 0.99


def test_blobs_joined_by_bridges_hold_as_blobs_and_as_rows():
    X, _ = made(datasets.Bridges())
    chainings = [selection.Chaining.of(theta, tdg(X, theta)) for theta in selection.small_thetas(theta_grid(X))[:12]]
    held = {row.n_chains for _, row in selection.strongest_per_count(chainings) if row.strength >= row.needed}
    assert {2, 6} <= held


@pytest.mark.parametrize(("name", "shapes"), [("spiral", 3), ("jain", 2)])
def test_the_suggestion_alone_finds_the_real_shapes(name, shapes):
    suggested, score = found(*shared_data.points(f"shapes/{name}"))
    assert suggested.n_chains == shapes
    assert suggested.stands_out
    assert score == 1.0


@pytest.mark.parametrize("name", ["pathbased", "flame"])
def test_real_sets_whose_shapes_touch_are_not_said_to_stand_out(name):
    assert not found(*shared_data.points(f"shapes/{name}"))[0].stands_out


def test_touching_pairs_of_aggregation_are_joined_and_the_rest_found():
    suggested, score = found(*shared_data.points("shapes/aggregation"))
    assert suggested.n_chains == 5
    assert score > 0.85


@pytest.mark.parametrize("n", [150, 1000])
@pytest.mark.parametrize("kind", ["uniform", "normal", "cube"])
def test_clouds_without_shapes_do_not_stand_out(kind, n):
    for seed in range(4):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(n, 2)) if kind == "normal" else rng.uniform(size=(n, 3 if kind == "cube" else 2))
        suggested = selection.suggest(X, shuffles=20)
        assert not suggested.stands_out
        assert suggested.reason.startswith("No chaining is clear")


def test_the_suggestion_scales_with_the_data():
    X, _ = made(datasets.Moons(per_shape=100))
    small, large = selection.suggest(X), selection.suggest(1024.0 * X)
    assert large.theta == pytest.approx(1024 * small.theta)
    assert large.epsilon == pytest.approx(1024 * small.epsilon)
    assert large.n_chains == small.n_chains


def test_the_suggested_epsilon_lies_in_the_middle_of_its_range():
    suggested = selection.suggest(made(datasets.Circles())[0])
    assert suggested.epsilon == pytest.approx(np.sqrt(suggested.epsilon_low * suggested.epsilon_high))
    widest = suggested.tried["relative_width"].max()
    assert np.log(suggested.epsilon_high / suggested.epsilon_low) == pytest.approx(widest)


@pytest.mark.parametrize(("name", "score"), [("spiral", 1.0), ("jain", 1.0), ("aggregation", 0.98), ("r15", 0.99)])
def test_some_theta_and_epsilon_of_the_page_give_the_real_clusters(name, score):
    X, truth = shared_data.points(f"shapes/{name}")
    classes, best = len(np.unique(truth)), 0.0
    for theta in theta_grid(X)[::-1]:  # what the slider offers; the page uses 50 shuffles
        one = chaining(X, theta, 50)
        if one.n_clusters < classes:
            continue
        table, tried = selection.truth_table(one, truth), set()
        for epsilon in selection.epsilon_values(one):  # what the timeline offers
            links = one.tree.links(epsilon)
            if links not in tried and one.n_clusters - links <= 3 * classes:
                tried.add(links)
                owner = np.unique(one.tree.cut(epsilon), return_inverse=True)[1]
                best = max(best, selection.chain_nmi(table, owner))
        if best >= score - 1e-9:
            return
    pytest.fail(f"the best reachable NMI is {best:.4f}")


# --- warnings --------------------------------------------------------------------------------------------------------


def test_it_warns_where_nothing_and_where_everything_is_chained(moons):
    one, _ = moons
    lengths = one.tree.lengths
    assert "Nothing is chained" in selection.chain_warnings(one, lengths[0])[0]
    assert "joins everything" in selection.chain_warnings(one, 2 * lengths[-1])[0]
    assert selection.chain_warnings(one, selection.best_epsilon(one)) == []


def test_it_warns_where_one_chain_and_outliers_are_all_there_is():
    X = np.r_[np.repeat(np.arange(30.0), 5), 100.0][:, None]
    sentences = selection.chain_warnings(chaining(X, 0.0), 2.0)
    assert len(sentences) == 1
    assert "One chain holds 99%" in sentences[0]


def test_it_warns_where_theta_leaves_one_cluster_or_single_points():
    X, _ = made(datasets.Moons(per_shape=50))
    assert "nothing to chain" in selection.chain_warnings(chaining(X, 100.0), 1.0)[0]
    assert "most hold a single point" in selection.chain_warnings(chaining(X, 1e-6), 1.0)[0]


def test_without_a_choice_epsilon_is_the_widest_range_or_one_and_a_half_theta():
    moons = datasets.load(datasets.Moons()).X
    shaped = selection.Chaining.of(0.1, tdg(moons, 0.1, 20))
    assert selection.default_epsilon(shaped) == selection.chain_ranges(shaped).loc[0, "epsilon"]
    single = selection.Chaining.of(10.0, tdg(moons, 10.0, 20))
    assert selection.default_epsilon(single) == 15.0


@pytest.mark.parametrize("power", [2.0**-560, 2.0**560])  # squares of such lengths vanish, or are infinite
def test_chains_do_not_depend_on_the_unit(power):
    centroids = np.random.default_rng(0).normal(size=(40, 2))
    plain, extreme = spanning_tree(centroids), spanning_tree(centroids * power)
    np.testing.assert_array_equal(extreme.edges, plain.edges)
    np.testing.assert_allclose(extreme.lengths / power, plain.lengths, rtol=1e-12)


# By density


@pytest.fixture(scope="module")
def two_densities():
    """A dense pair of clouds close together and a sparse pair far apart: (X, truth, chaining by density)."""
    rng = np.random.default_rng(0)
    truth = np.repeat(np.arange(4), 300)
    centres, spread = np.array([(0, 0), (2, 0), (30, 0), (60, 0)])[truth], np.array([0.25, 0.25, 4, 4])[truth]
    X = centres + spread[:, None] * rng.normal(size=(len(truth), 2))
    return X, truth, selection.Chaining.by_density(1.0, tdg(X, 1.0, 10), X)


def test_by_density_all_depths_come_from_one_tree(two_densities):
    X, _, found = two_densities
    assert found.density == selection.CORE_POINTS
    for depth in (0.0, 0.3, 0.8, 1.2, 3.0):
        expected = tnc(X, 1.0, depth, 10, density=selection.CORE_POINTS)
        assert found.at(depth).labels.tolist() == expected.labels.tolist()


def test_the_strongest_range_of_depths_parts_clusters_of_different_density(two_densities):
    _, truth, found = two_densities
    best = found.ranges.iloc[0]
    assert (best["n_chains"], best["recommended"]) == (4, True)
    assert best["epsilon"] == pytest.approx((best["epsilon_low"] + best["epsilon_high"]) / 2)
    assert best["relative_width"] == pytest.approx(best["epsilon_high"] - best["epsilon_low"])
    assert ari(truth, found.labels(best["epsilon"])) > 0.98
    low, high = selection.epsilon_limits(found)
    values = selection.epsilon_values(found)
    assert 0 == low < best["epsilon"] < high  # depths are logarithms already: their axis begins at 0, ...
    assert (np.diff(values) > 0).all()
    assert (values[0], found.tree.links(values[0])) == (0, 0)  # ... where nothing is chained
    assert values[-1] <= high * 1.0001
    shown = selection.chain_profile(found)
    assert shown["major"].iloc[-1] == 1


def test_in_one_cloud_no_range_of_depths_is_recommended():
    X = np.random.default_rng(5).normal(size=(900, 2))
    found = selection.Chaining.by_density(0.2, tdg(X, 0.2, 10), X)
    assert not found.ranges["recommended"].any()
    depth = selection.default_epsilon(found)
    assert 0.3 < depth < 1.0, "a depth, not one and a half θ"


def test_warnings_of_depths_speak_of_valleys(two_densities):
    _, _, found = two_densities
    assert "valley" in selection.chain_warnings(found, 2 * found.tree.lengths[-1])[0]
