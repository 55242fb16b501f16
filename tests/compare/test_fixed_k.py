"""Which K are tried at the θ of a sweep, in which order, and with which parameters."""

import numpy as np
import pytest

from theta_app import datasets
from theta_app.compare import FIXED_K, METHODS, chosen_counts, fixed_k_variants, largest_count, measure
from theta_app.compare.fixed_k import coarse_to_fine


def test_the_best_come_first_then_those_that_hold_then_the_others_coarse_to_fine():
    counts = [90, 80, 70, 60, 50, 40, 30, 9, 9, 9, 5, 5, 3, 1, 1]
    order = chosen_counts(counts, best=[5, 77], largest=100)
    assert order[:2] == [5, 9]  # 77 is at no θ
    assert sorted(order) == sorted({*counts} - {1})
    assert order[2:5] == [90, 50, 3]  # far from each other
    assert chosen_counts(counts, best=[5], largest=100, most=3) == order[:3]
    assert max(chosen_counts(counts, largest=60)) == 60


@pytest.mark.parametrize("n", [1, 2, 7, 64, 65])
def test_coarse_to_fine_has_everything_once(n):
    assert sorted(coarse_to_fine(n)) == list(range(n))


def test_many_clusters_of_few_points_are_not_tried():
    assert largest_count(5000) == 500
    assert largest_count(150) == 50
    assert chosen_counts([1, 1], largest=50) == []


def test_every_method_is_told_k_and_finds_the_clusters_where_they_are_clear():
    data = datasets.load(datasets.GridBlobs(side=3, spacing=12.0, per_cluster=30))
    variants = fixed_k_variants(9, 6.0, data.X.shape)
    assert tuple(variants) == FIXED_K
    for method, variant in variants.items():
        METHODS[method].check(dict(variant.parameters))
        found = measure(variant, data.X, 0, data.truth, scores=("nmi",))
        assert (found.n_clusters, found.scores) == (9, {"nmi": 1.0})
    assert np.isfinite(found.seconds)


def test_what_would_take_minutes_is_left_out_with_a_reason():
    assert all("minutes" in variant.left_out for variant in fixed_k_variants(2000, 1.0, (20_000, 64)).values())
