"""The few smallest of many numbers, and chains that join one after the other."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from theta_app.engine import spanning_tree
from theta_app.engine.smallest import smallest

eighths = st.integers(-4, 4).map(lambda k: k / 8)  # so few values that ties are common


@given(st.lists(st.lists(eighths, min_size=6, max_size=6), min_size=1, max_size=5), st.integers(1, 6))
def test_the_smallest_come_in_order_and_ties_by_position(rows, k):
    rows = np.array(rows)
    np.testing.assert_array_equal(smallest(rows, k), np.argsort(rows, axis=1, kind="stable")[:, :k])


@pytest.mark.parametrize("first", [0, 3, 9])
def test_joining_has_the_sizes_of_the_chains_after_each_link(first):
    rng = np.random.default_rng(0)
    centroids, sizes = rng.integers(0, 6, size=(10, 2)).astype(float), rng.integers(1, 9, size=10)
    tree = spanning_tree(centroids)
    rows = tree.joining(sizes, first)
    assert rows.shape == (10 - first, 10 - first)
    for links, row in enumerate(rows, first):
        chain = np.arange(10)
        for a, b in tree.edges[:links]:
            chain[chain == chain[b]] = chain[a]
        expected = [sizes[chain == c].sum() for c in np.unique(chain)]
        assert sorted(row[row > 0]) == sorted(expected)


@pytest.mark.parametrize("d", [1, 2, 5])
def test_a_spanning_tree_has_the_least_length_that_joins_all(d):
    X = np.random.default_rng(d).integers(0, 4, size=(30, d)).astype(float)
    far = np.linalg.norm(X[:, None] - X[None], axis=2)
    chain, least = np.arange(30), []  # Kruskal, over all pairs
    for at in np.argsort(far, axis=None, kind="stable"):
        a, b = divmod(int(at), 30)
        if chain[a] != chain[b]:
            chain[chain == chain[b]] = chain[a]
            least.append(far[a, b])
    np.testing.assert_allclose(spanning_tree(X).lengths, least)
