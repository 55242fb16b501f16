"""What the sizes of clusters say."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from tests import shared_data
from theta_app import selection
from theta_app.datasets import GridBlobs
from theta_app.engine import tdg
from theta_app.metrics import nmi


def test_the_drop_is_where_the_crumbs_begin():
    drop = selection.size_drop([11, 300, 40, 310, 3, 305])
    assert drop.sizes.tolist() == [310, 305, 300, 40, 11, 3]
    assert (drop.suggested, drop.notable) == (3, True)  # 11 to 3 is a large share too, but both are crumbs
    assert drop.drop == pytest.approx(26 / 30)


def test_even_sizes_have_no_drop_and_every_cluster_stands():
    drop = selection.size_drop([100, 99, 98, 101])
    assert (drop.suggested, drop.notable) == (4, False)


def test_sizes_that_fall_step_by_step_have_no_drop():
    assert not selection.size_drop([1000, 500, 300, 200, 100]).notable


@pytest.mark.parametrize("step", [2, 3])
def test_a_step_of_a_few_per_cent_is_no_drop(step):
    # sizes that fall smoothly to crumbs split best where nothing happens
    found = [69, 63, 57, *range(57 - step, 4, -step), 4, 3, 3, 2, 2, 1, 1, 1]
    assert not selection.size_drop(found).notable


def test_how_sure_a_drop_is_comes_from_other_seeds():
    X = GridBlobs(side=3, spacing=8.0, per_cluster=60).dataset().X
    found = selection.drop_support(X, 3.0, shuffles=6, seed=4, repeats=5)
    own = [selection.size_drop(tdg(X, 3.0, 6, seed).sizes) for seed in range(4, 9)]
    where = [drop.suggested if drop.notable else None for drop in own]
    assert found.drop.suggested == own[0].suggested
    assert found.seen == {value: where.count(value) for value in found.seen}
    assert found.share == where.count(where[0]) / 5
    assert f"With {where.count(where[0])} of 5 random seeds" in found.sentence


def test_every_seed_can_agree_that_sizes_do_not_drop():
    X = np.repeat([[0.0, 0.0], [9.0, 9.0]], 30, axis=0)
    found = selection.drop_support(X, 1.0, shuffles=3, repeats=4)
    assert (found.seen, found.share) == ({None: 4}, 1.0)
    assert found.sentence.startswith("With 4 of 4 random seeds sizes do not drop: it does not depend")


def test_on_s4_the_drop_after_fifteen_is_not_sure():
    X, _ = shared_data.points("s-sets/s4")
    found = selection.drop_support(X, 1e5, repeats=10)
    assert found.seen[15] == max(found.seen.values())
    assert 0.4 <= found.share <= 0.9
    assert "; with " in found.sentence


def test_one_cluster_and_none_have_no_drop():
    assert selection.size_drop([7]).suggested == 1
    assert selection.size_drop([]).suggested == 0


def point(theta, found):
    return SimpleNamespace(theta=theta, tdg=SimpleNamespace(sizes=np.array(found)))


def test_the_suggestion_is_followed_over_theta_in_ascending_order():
    drops = selection.drops_over_theta([point(2.0, [50, 49]), point(1.0, [40, 40, 5, 4])])
    assert drops["theta"].tolist() == [1.0, 2.0]
    assert drops["n_clusters"].tolist() == [4, 2]
    assert drops["suggested"].tolist() == [2, 2]
    assert drops["notable"].tolist() == [True, False]
    assert drops["mean_size"].tolist() == [40.0, 49.5]


def drops(suggested, mean_size=50.0):
    thetas = np.geomspace(1, 2 ** (len(suggested) - 1), len(suggested))
    frame = pd.DataFrame({"theta": thetas, "n_clusters": suggested, "suggested": suggested})
    return frame.assign(drop=0.5, notable=True, mean_size=mean_size)


def test_steady_ranges_are_the_stretches_of_one_suggestion_widest_first():
    found = selection.steady_ranges(drops([30, 7, 7, 7, 12, 5, 5, 5, 5, 3, 3]))
    assert found["suggested"].tolist() == [5, 7]
    assert found["theta_low"].tolist() == pytest.approx([32, 2])
    assert found["theta_high"].tolist() == pytest.approx([256, 8])
    assert found["theta"].tolist() == pytest.approx([np.sqrt(32 * 256), 4])
    assert found["relative_width"].iloc[1] == pytest.approx(np.log(4))


def test_one_cluster_or_clusters_of_hardly_any_points_are_no_suggestion():
    assert len(selection.steady_ranges(drops([1, 1, 1, 1]))) == 0
    assert len(selection.steady_ranges(drops([9, 9, 9, 9], mean_size=1.2))) == 0
    assert len(selection.steady_ranges(selection.drops_over_theta([]))) == 0


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ([100, 98, 95, 10, 9, 8], 3),
        ([10, 95, 9, 100, 8, 98], 3),
        ([7, 7, 7], 3),
        ([5], 1),
        ([], 0),
        ([100, 50, 25], 3),
        ([4, 0, 0], 1),
        ([700] + [350] * 13, 14),  # one of double size among even ones is a cluster like them
        ([700] + [350] * 13 + [20, 10, 5], 14),
        ([300, 290, 280, 11, 3], 3),
        ([5000, 20, 10, 5], 1),
    ],
)
def test_the_elbow_is_where_crumbs_begin(sizes, expected):
    assert selection.size_elbow(sizes) == expected


@pytest.mark.parametrize("large", [1, 3, 5])
def test_the_elbow_keeps_clusters_a_tenth_as_large_as_others(large):
    sizes = [1000] * large + [100] * (6 - large)
    assert selection.size_elbow(sizes) == 6
    assert selection.size_elbow([*sizes, 8, 5, 3]) == 6


@pytest.mark.parametrize(
    ("name", "theta", "K", "least"),
    [
        ("s-sets/s1", 1e5, 15, 5),
        ("s-sets/s2", 1e5, 15, 4),
        ("s-sets/s3", 1e5, 15, 5),
        ("s-sets/s4", 1e5, 15, 2),
        ("shapes/r15", 1.0, 15, 5),
        ("shapes/d31", 2.4, 31, 5),
    ],
)
def test_the_elbow_hits_the_true_number_for_most_seeds(name, theta, K, least):
    X, _ = shared_data.points(name)
    assert sum(selection.size_elbow(tdg(X, theta, 50, seed).sizes) == K for seed in range(5)) >= least


@pytest.mark.parametrize(("name", "expected"), [("s1", 0.985), ("s2", 0.944), ("s3", 0.789)])
def test_the_elbow_finds_the_s_sets_fifteen_clusters(name, expected):
    X, truth = shared_data.points(f"s-sets/{name}")
    result = tdg(X, 1e5)
    assert selection.size_elbow(result.sizes) == 15
    assert 30 <= len(result.sizes) <= 45
    assert nmi(truth, selection.keep_largest(X, result, 15).labels) == pytest.approx(expected, abs=0.01)


def test_keeping_the_largest_reassigns_every_point_to_the_nearest_of_them():
    X = GridBlobs(side=3, spacing=7.5, per_cluster=30).dataset().X
    result = tdg(X, 1.0, shuffles=5)
    kept = selection.keep_largest(X, result, 4)
    assert sorted(result.sizes[kept.kept]) == sorted(result.sizes)[-4:]
    distances = ((X[:, None] - result.centroids[kept.kept][None]) ** 2).sum(axis=2)
    np.testing.assert_array_equal(kept.labels, distances.argmin(axis=1))
    assert kept.sizes.sum() == len(X)
    assert len(selection.keep_largest(X, result, 10_000).sizes) == len(result.sizes)


def test_outliers_are_few_points_beside_typical_clusters():
    assert selection.outlier_clusters([100, 90, 110, 2, 1]).tolist() == [False, False, False, True, True]
    assert not selection.outlier_clusters([1] * 50).any()
    assert not selection.outlier_clusters([1000, 1000, 30]).any()  # small, but a cluster
    assert selection.outlier_clusters([3000] * 9 + [120]).tolist() == [False] * 9 + [True]  # outliers of a large set


def test_outliers_go_to_the_nearest_major_cluster():
    X = np.concatenate([np.zeros((50, 1)), np.full((50, 1), 10.0), [[14.0]]])
    result = tdg(X, 2.0, shuffles=3)
    owner, outliers = selection.major_clusters(result)
    assert outliers.sum() == 1
    labels = owner[result.labels]
    assert labels[-1] == labels[60] != labels[0]
