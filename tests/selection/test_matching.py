"""Which cluster is which."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from theta_app.selection import by_size, match_clusters, numbers_like, renumbered

labellings = st.lists(st.tuples(st.integers(-1, 5), st.integers(-1, 5)), min_size=1, max_size=60)


def greedy(reference, labels):
    """The rule read literally: the two that share most are partners, then the two that share most of the rest."""
    shared = {}
    for a, b in zip(reference, labels):
        if a >= 0 and b >= 0:
            shared[a, b] = shared.get((a, b), 0) + 1
    partner = {}
    while shared:
        a, b = min(shared, key=lambda pair: (-shared[pair], pair))
        partner[b] = a
        shared = {pair: n for pair, n in shared.items() if pair[0] != a and pair[1] != b}
    return partner


@given(labellings)
def test_partners_are_those_who_share_most(pairs):
    reference, labels = np.array(pairs).T
    found = match_clusters(reference, labels)
    assert {k: int(v) for k, v in enumerate(found) if v >= 0} == greedy(reference.tolist(), labels.tolist())


@given(labellings)
def test_nobody_has_two_partners_and_noise_has_none(pairs):
    reference, labels = np.array(pairs).T
    found = match_clusters(reference, labels)
    partners = found[found >= 0]
    assert len(set(partners.tolist())) == len(partners)
    assert ((renumbered(reference, labels) < 0) == (labels < 0)).all()


def test_a_clustering_with_other_numbers_gets_the_same_ones_back():
    reference = np.repeat([0, 1, 2], [5, 3, 4])
    assert np.array_equal(renumbered(reference, np.array([2, 0, 1])[reference]), reference)


def test_a_cluster_without_a_partner_is_numbered_after_the_others():
    reference, labels = np.array([0, 0, 0, 0, 1]), np.array([0, 0, 0, 1, 2])
    assert numbers_like(reference, labels).tolist() == [0, 2, 1]


def test_clusters_by_size_start_with_the_largest():
    assert by_size([4, 4, 1, -1, 2, 2, 2]).tolist() == [1, 1, 2, -1, 0, 0, 0]
    assert by_size([-1, -1]).tolist() == [-1, -1]
