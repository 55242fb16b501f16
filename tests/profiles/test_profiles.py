from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import silhouette_samples

from theta_app import datasets, profiles
from theta_app.engine import spanning_tree

RNG = np.random.default_rng(5)
LABELS = RNG.integers(0, 4, 200)
VALUES = RNG.normal(size=(200, 3)) * [1, 1000, 0.01] + [0, 5e4, 3]
VALUES[3, 1] = VALUES[17, 1] = np.nan
FEATURES = ("age", "income", "share")


def test_a_profile_is_what_pandas_says():
    frame = pd.DataFrame(VALUES, columns=list(FEATURES))
    for cluster, group in frame.groupby(LABELS):
        found = profiles.profile(VALUES, FEATURES, cluster == LABELS).set_index("feature")
        apart = (group.mean() - frame.mean()) / frame.std(ddof=0)
        pd.testing.assert_series_equal(found["mean"][list(FEATURES)], group.mean(), check_names=False)
        pd.testing.assert_series_equal(found["sd"][list(FEATURES)], group.std(ddof=0), check_names=False)
        pd.testing.assert_series_equal(found["least"][list(FEATURES)], group.min(), check_names=False)
        pd.testing.assert_series_equal(found["apart"][list(FEATURES)], apart, check_names=False)
        assert list(found.index) == list(apart.abs().sort_values(ascending=False).index)


def test_the_overview_has_the_numbers_of_every_profile():
    found = profiles.overview(VALUES, LABELS)
    means = pd.DataFrame(VALUES).groupby(LABELS).mean()
    np.testing.assert_allclose(found.means, means)
    for cluster in range(4):
        one = profiles.profile(VALUES, range(3), cluster == LABELS).set_index("feature").loc[range(3)]
        np.testing.assert_allclose(found.apart[cluster], one["apart"])
    assert found.sizes.tolist() == np.bincount(LABELS).tolist()


def test_a_selection_is_compared_with_the_rest():
    inside = LABELS == 2
    found = profiles.profile(VALUES, FEATURES, inside, ~inside).set_index("feature")
    assert found["others"]["income"] == pytest.approx(np.nanmean(VALUES[~inside, 1]))


def test_a_feature_of_one_value_tells_nothing_apart():
    values = np.column_stack([np.full(50, 0.1), np.arange(50.0)])
    found = profiles.profile(values, ("same", "other"), np.arange(50) < 10)
    assert found["feature"].tolist() == ["other", "same"]
    assert found["apart"].iloc[1] == 0


def test_profiles_are_in_the_units_of_the_file_whatever_the_scale():
    wine = datasets.load(datasets.RealData("wine"))
    scaled = datasets.prepare(wine, datasets.Preparation(scaling="standard"))
    np.testing.assert_allclose(profiles.original_values(scaled), wine.X)


def test_the_mix_counts_classes_within_and_of_all():
    truth = np.array([0, 0, 0, 1, 1, 2])
    found = profiles.label_mix(truth, ("a", "b", "c"), np.array([1, 0, 0, 1, 1, 0], dtype=bool))
    assert found["label"].tolist() == ["b", "a"]
    assert found["points"].tolist() == [2, 1]
    assert found["share"].tolist() == pytest.approx([2 / 3, 1 / 3])
    assert found["share_of_all"].tolist() == pytest.approx([1, 1 / 3])


def test_typical_rows_are_near_the_mean_and_extreme_ones_far():
    X = np.array([[0.0], [1.0], [2.1], [9.0], [100.0]])
    inside = np.array([True, True, True, True, False])
    assert profiles.typical_rows(X, inside, 2).tolist() == [2, 1]
    assert profiles.extreme_rows(X, inside, 1).tolist() == [3]


def test_silhouettes_are_those_of_scikit_learn():
    X = RNG.normal(size=(200, 3)) + 4 * LABELS[:, None]
    lonely = np.append(LABELS, 4)
    X = np.vstack([X, [[50.0, 0, 0]]])
    np.testing.assert_allclose(profiles.point_silhouettes(X, lonely), silhouette_samples(X, lonely))
    np.testing.assert_allclose(profiles.point_silhouettes(X, lonely, [3, 9]), silhouette_samples(X, lonely)[[3, 9]])
    assert np.isnan(profiles.point_silhouettes(X, np.zeros(201, dtype=int))).all()


def test_silhouettes_of_many_points_come_from_samples_of_each_cluster():
    labels = np.repeat(np.arange(6), [2000, 1500, 400, 80, 15, 5])
    X = np.random.default_rng(0).normal(size=(4000, 2)) + 3.0 * labels[:, None]
    exact = silhouette_samples(X, labels)
    found = profiles.point_silhouettes(X, labels)
    for cluster in range(6):
        assert found[labels == cluster].mean() == pytest.approx(exact[labels == cluster].mean(), abs=0.03)


def test_the_nearest_cluster_has_the_nearest_mean_and_its_gap_is_the_closest_pair():
    X = np.array([[0.0, 0], [1, 0], [5, 0], [6, 0], [0, 9]])
    found = profiles.nearest_cluster(X, np.array([0, 0, 1, 1, 2]), 0)
    assert (found.cluster, found.distance, found.gap) == (1, 5.0, 4.0)
    assert profiles.nearest_cluster(X, np.zeros(5, dtype=int), 0) is None


def test_two_clusters_join_at_the_first_larger_theta_that_holds_both():
    clusterings = {1.0: [0, 1, 2], 2.0: [0, 1, 1], 3.0: [0, 0, 1], 4.0: [0, 0, 0]}
    assert profiles.joining_theta(clusterings, 1.0, 0, 1) == 3.0
    assert profiles.joining_theta(clusterings, 2.0, 0, 2) == 4.0
    assert profiles.joining_theta(clusterings, 4.0, 0, 2) is None


def test_chains_join_just_above_the_length_that_is_named():
    centroids = np.random.default_rng(2).normal(size=(12, 2))
    tree = spanning_tree(centroids)
    for other in range(1, 12):
        length = profiles.joining_epsilon(tree, 0, other)
        assert tree.cut(length)[0] != tree.cut(length)[other]
        above = np.nextafter(length, np.inf)
        assert tree.cut(above)[0] == tree.cut(above)[other]


def test_a_shape_is_read_and_must_be_filled():
    assert profiles.image_shape("4 x 16", 64) == (4, 16)
    assert profiles.image_shape("8", 64) == (8, 8)
    with pytest.raises(ValueError, match="such as 5 × 7"):
        profiles.image_shape("6x6", 35)
    assert profiles.likely_shape(datasets.load(datasets.RealData("digits")).features) == (8, 8)
    assert profiles.likely_shape([f"x{i}" for i in range(64)]) is None


def test_pictures_are_dark_where_values_are_high():
    found = profiles.pictures([[0, 16, 8, np.nan]], (2, 2), 0, 16)
    assert found.tolist() == [[[255, 0], [128, 255]]]


def test_features_read_from_text_and_filled_gaps_are_profiled_in_their_own_units():
    rows = "\n".join(f"{n},{'red' if n % 3 else 'blue'},{'' if n == 4 else f'{10 * n} kg'}" for n in range(30))
    plain = datasets.parse_upload("a.csv", f"size,colour,weight\n{rows}\n".encode())
    chosen = datasets.Preparation(scaling="standard", missing="median", read=tuple(plain.raw.readings))
    data = datasets.prepare(plain, chosen)
    found = dict(zip(data.features, profiles.original_values(data).T))
    weight = 10.0 * np.arange(30)
    weight[4] = np.median(np.delete(weight, 4))
    np.testing.assert_allclose(found["weight (kg)"], weight)
    assert sorted(set(found["colour = red"])) == [0.0, 1.0]


def test_rows_of_unit_length_are_profiled_as_the_table_has_them():
    wine = datasets.load(datasets.RealData("wine"))
    data = datasets.prepare(wine, datasets.Preparation(scaling="length"))
    np.testing.assert_array_equal(profiles.original_values(data), wine.X)


def test_silhouettes_of_many_points_are_those_of_a_sample_and_means_for_the_others():
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(0, 1, (900, 2)), rng.normal(12, 1, (600, 2))])
    labels = np.repeat([0, 1], [900, 600])
    every, some = profiles.point_silhouettes(X, labels), profiles.silhouettes_of_many(X, labels, most=300)
    own = np.isclose(some, every)
    assert 300 <= own.sum() < 1500
    for cluster in (0, 1):
        rest = some[(labels == cluster) & ~own]
        assert np.ptp(rest) < 1e-12
        assert abs(rest[0] - every[labels == cluster].mean()) < 0.02


# ---- clusters that are the values of one column ----------------------------------------------------------------------


def grouped(n=900, seed=0):
    """Three groups in x, and a column of nine values that has nothing to do with them."""
    rng = np.random.default_rng(seed)
    group, household = rng.integers(0, 3, n), rng.integers(1, 10, n)
    return group, household, 20.0 * group + rng.normal(size=n)


def test_clusters_that_are_the_values_of_a_column_are_named():
    _, household, x = grouped()
    columns = {"x": x, "household": household}
    found = profiles.one_column(household, columns)
    assert found == profiles.OneColumn("household", 9, 9)
    assert found.sentence == "These 9 clusters are the 9 values of 'household'."
    noisy = household.copy()
    noisy[:20] = 30 + np.arange(20)  # outliers of their own
    assert profiles.one_column(noisy, columns) == profiles.one_column(noisy, columns, n_clusters=9) == found


@pytest.mark.parametrize(
    "labels",
    [
        lambda group, household: group,  # the other column's
        lambda group, household: np.zeros_like(group),
        lambda group, household: household // 2,  # several values each
        lambda group, household: np.where(np.arange(len(group)) % 3, household, group),
        lambda group, household: np.arange(len(group)),
    ],
)
def test_other_clusters_are_not_said_to_be_values(labels):
    group, household, x = grouped()
    columns, X = {"x": x, "household": household}, np.column_stack([x, household])
    assert profiles.one_column(labels(group, household), columns, X, list(columns)) is None


def test_clusters_that_a_column_splits_are_named_and_those_that_only_go_with_it_are_not():
    group, household, x = grouped()
    columns, sources = {"x": x, "household": household}, ["x", "household"]
    both = 10 * group + household
    found = profiles.one_column(both, columns, np.column_stack([x, household]), sources)
    assert found == profiles.OneColumn("household", 27, 9, splits=True)
    assert found.sentence == "Most of these 27 clusters differ in nothing but the 9 values of 'household'."
    valve = group // 2  # follows from where a point lies
    own = {"x": x, "valve": valve}
    assert profiles.one_column(group, own, np.column_stack([x, valve]), ["x", "valve"]) is None


def test_longitudes_on_both_sides_of_180_have_the_mean_between_them():
    rng = np.random.default_rng(0)
    fiji, oslo = (-17.0, 179.5), (60.0, 10.0)
    places = np.concatenate([np.array(place) + rng.normal(scale=1.5, size=(200, 2)) for place in (fiji, oslo)])
    turned = places.copy()
    turned[:, 1] = (turned[:, 1] + 180.0) % 360.0 - 180.0  # as a file has them
    assert turned[:200, 1].min() < -170.0
    labels = np.repeat([0, 1], 200)
    names = ["latitude", "longitude"]
    own = profiles.profile(turned, names, labels == 0, longitude=1).set_index("feature").loc["longitude"]
    assert own["mean"] == pytest.approx(places[:200, 1].mean(), abs=0.01)
    assert own["sd"] == pytest.approx(places[:200, 1].std(), abs=0.01)
    assert own["least"] == pytest.approx(places[:200, 1].min())
    assert own["most"] == pytest.approx(places[:200, 1].max() - 360.0)
    found = profiles.overview(turned, labels, longitude=1)
    np.testing.assert_allclose(found.means[:, 1], [own["mean"], 10.0], atol=0.3)
    np.testing.assert_allclose(found.means[:, 0], [turned[:200, 0].mean(), turned[200:, 0].mean()])
    assert found.apart[0, 1] == pytest.approx(own["apart"])
    assert (found.apart[:, 1] > 0).tolist() == [True, False]
    plain = places[200:]  # nowhere near 180°: nothing changes
    north = plain[:, 0] > 60
    expected, same = (profiles.profile(plain, names, north, longitude=k) for k in (None, 1))
    pd.testing.assert_frame_equal(same, expected, rtol=1e-3)


def test_curves_are_told_by_their_length_and_place():
    data = datasets.load(datasets.Streamlines(bundles=2, per_cluster=10))
    names, values = profiles.told(data)
    first = data.X[0].reshape(-1, 3)
    assert names == profiles.CURVE_FACTS
    assert values.shape == (20, 5)
    assert values[0, 0] == pytest.approx(sum(np.linalg.norm(b - a) for a, b in pairwise(first)))
    assert values[0, 1] == pytest.approx(np.linalg.norm(first[-1] - first[0]))
    np.testing.assert_allclose(values[0, 2:], first.mean(axis=0))
    plain = datasets.load(datasets.GridBlobs())
    assert profiles.told(plain)[0] == plain.features
