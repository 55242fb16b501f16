"""Which K are tried at the θ of a sweep, in which order, and with which parameters every method runs."""

import numpy as np
import pytest

from theta_app import datasets
from theta_app.compare import METHODS, Start, chosen_counts, entries, largest_count, measure
from theta_app.compare.entries import coarse_to_fine


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


def test_every_method_stands_beside_an_answer_with_every_rule_it_has():
    data = datasets.load(datasets.GridBlobs(side=3, spacing=12.0, per_cluster=30))
    start = Start(6.0, 9.0, 9, len(data.X), 1.0)
    assert {entry.method for entry in entries()} == {key for key, method in METHODS.items() if method.listed}
    assert [entry.told for entry in entries() if entry.method in ("birch", "mixture")] == [True, False] * 2
    for entry in entries():
        variant = entry.variant(start, data.X.shape)
        METHODS[entry.method].check(dict(variant.parameters))
        assert entry.rule(variant)
        if entry.told and entry.method not in ("kmeans", "minibatch", "faiss"):
            found = measure(variant, data.X, 0, data.truth, scores=("nmi",))
            assert (found.n_clusters, found.scores) == (9, {"nmi": pytest.approx(1.0)})
    assert np.isfinite(found.seconds)


def test_what_cannot_be_told_k_here_is_left_out_with_a_reason():
    many = Start(1.0, 1.5, 2000, 20_000, 1.0)
    told = [entry for entry in entries() if entry.told]
    assert all("minutes" in entry.variant(many, (20_000, 64)).left_out for entry in told)
    few = Start(1.0, 1.5, 5, 9, 1.0, enough_places=False)
    assert all("fewer different points" in entry.variant(few, (9, 2)).left_out for entry in told)
