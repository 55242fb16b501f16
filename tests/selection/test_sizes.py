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


def test_the_drop_is_where_sizes_fall_most():
    drop = selection.size_drop([10, 300, 90, 310, 100, 305])
    assert drop.sizes.tolist() == [310, 305, 300, 100, 90, 10]
    assert (drop.suggested, drop.notable) == (5, True)  # 90 to 10 is a larger share than 300 to 100
    assert drop.drop == pytest.approx(8 / 9)
    assert selection.size_drop([310, 305, 300, 100, 90, 80]).suggested == 3


def test_even_sizes_have_no_drop_and_every_cluster_stands():
    drop = selection.size_drop([100, 99, 98, 101])
    assert (drop.suggested, drop.notable) == (4, False)


def test_a_drop_by_a_fifth_is_notable():
    assert selection.size_drop([100, 80]).notable
    assert not selection.size_drop([100, 81]).notable


def test_one_cluster_and_none_have_no_drop():
    assert selection.size_drop([7]).suggested == 1
    assert selection.size_drop([]).suggested == 0


def test_points_of_kept_clusters_have_the_rank_of_their_cluster_and_the_others_are_left():
    labels = np.array([2, 2, 2, 0, 0, 1])  # sizes 2, 1, 3: ranks 1, 2, 0
    numbers = selection.kept_points(labels, [2, 1, 3], np.array([0, 0, 0, 1, 1, 1]), k=2)
    assert numbers.clusters.tolist() == [0, 0, 0, 1, 1, 1]
    assert numbers.left.tolist() == [False] * 5 + [True]


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
        ([100, 50, 25], 1),
        ([4, 0, 0], 1),
    ],
)
def test_the_elbow_is_at_the_largest_relative_drop(sizes, expected):
    assert selection.size_elbow(sizes) == expected


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


def test_stragglers_are_few_points_beside_typical_clusters():
    assert selection.stragglers([100, 90, 110, 2, 1]).tolist() == [False, False, False, True, True]
    assert not selection.stragglers([1] * 50).any()
    assert not selection.stragglers([1000, 1000, 30]).any()  # small, but a cluster
