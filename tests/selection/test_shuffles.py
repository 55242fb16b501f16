"""How many shuffles are enough."""

import numpy as np
import pytest

from theta_app import selection
from theta_app.datasets import GridBlobs
from theta_app.engine import tdg

X = GridBlobs(side=3, spacing=8.0, per_cluster=20).dataset().X


@pytest.fixture(scope="module")
def mapped():
    thetas, counts = np.geomspace(0.8, 20, 7), selection.shuffle_counts(12)
    columns = [selection.shuffle_column(X, theta, counts, seed=3) for theta in thetas]
    return selection.shuffle_map(thetas, counts, columns)


def test_each_cell_of_the_map_is_a_run_with_that_many_shuffles(mapped):
    for i, count in enumerate(mapped.counts):
        for j in (0, 3, 6):
            alone = tdg(X, mapped.thetas[j], int(count), 3, agreement=True)
            assert mapped.n_clusters[i, j] == len(alone.sizes)
            assert mapped.agreement[i, j] == pytest.approx(alone.agreement)


@pytest.mark.parametrize("most", [2, 3, 7, 50, 500])
def test_the_map_reaches_from_two_shuffles_to_all(most):
    counts = selection.shuffle_counts(most)
    assert counts[0] == 2
    assert counts[-1] == most
    assert (np.diff(counts) > 0).all()


def test_k_is_steady_from_the_last_change_on():
    clusters = np.array([[5, 5, 7], [5, 6, 8], [5, 5, 9], [5, 5, 10]])
    numbers = selection.ShuffleMap(np.array([1.0, 2.0, 4.0]), np.array([2, 5, 10, 20]), clusters, np.ones((4, 3)))
    assert numbers.steady_from.tolist() == [2, 10, 20]
    assert numbers.at(1.9) == (5, 10)
    assert numbers.at(0.0) == (5, 2)


def test_the_maps_table_has_one_row_per_cell(mapped):
    table = mapped.table
    assert len(table) == len(mapped.thetas) * len(mapped.counts)
    row = table[(table["theta"] == mapped.thetas[2]) & (table["shuffles"] == mapped.counts[1])].iloc[0]
    assert row["n_clusters"] == mapped.n_clusters[1, 2]
    assert row["agreement"] == mapped.agreement[1, 2]
