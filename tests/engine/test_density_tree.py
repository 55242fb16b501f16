"""Trees of density: mutual reachability, and clusters by excess of mass."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn.cluster import HDBSCAN

from theta_app.engine import density_trees
from theta_app.metrics import ari


def blobs(seed, n=180, d=2, apart=5.0, groups=3):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)) + apart * rng.integers(0, groups, (n, 1))


def tree_of(X, k):
    (tree,) = density_trees(cdist(X, X), [k])
    return tree


def naive(tree, least):
    """Labels by the definition: the tree cut edge after edge from the longest, clusters as sets of points."""
    m = len(tree.reach)
    density = 1.0 / tree.lengths

    def parts(points, longest):
        """The two sides of a cluster once its edge `longest` is gone, from a walk over its other edges."""
        neighbours = {i: [] for i in points}
        for e in range(longest):
            a, b = tree.edges[e]
            if a in neighbours and b in neighbours:
                neighbours[a].append(b)
                neighbours[b].append(a)
        sides = []
        for start in tree.edges[longest]:
            seen, waiting = {start}, [start]
            while waiting:
                fresh = [j for j in neighbours[waiting.pop()] if j not in seen]
                seen.update(fresh)
                waiting += fresh
            sides.append(seen)
        return sides

    def best(points, longest, born):
        """(mass, clusters) of what starts as these points, whose longest edge has that number."""
        mass, rest = 0.0, points
        for e in range(longest, -1, -1):
            if not (tree.edges[e][0] in rest and tree.edges[e][1] in rest):
                continue
            sides = parts(rest, e)
            large = [side for side in sides if len(side) >= least]
            rise = density[e] - density[born]
            if len(large) == 1:
                mass += rise * (len(rest) - len(large[0]))
                rest = large[0]
                continue
            mass += rise * len(rest)
            found = [best(side, e - 1, e) for side in large]
            below = sum(part for part, _ in found)
            if large and (len(points) == m or below > mass):  # the root is no cluster
                return below, [cluster for _, clusters in found for cluster in clusters]
            break
        return mass, [points]

    _, clusters = best(set(range(m)), m - 2, m - 2)
    labels = np.full(m, -1)
    if len(clusters) > 1:
        for number, cluster in enumerate(clusters):
            labels[list(cluster)] = number
    return labels


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("least", [5, 12])
def test_clusters_are_those_of_the_definition(seed, least):
    tree = tree_of(blobs(seed, apart=(0.0, 3.0, 5.0)[seed % 3]), (5, 10)[seed % 2])
    found, born = tree.clusters(least)
    expected = naive(tree, least)
    assert np.array_equal(found < 0, expected < 0)
    assert ari(found, expected) == pytest.approx(1.0)
    assert len(born) == found.max() + 1


@pytest.mark.parametrize(("seed", "d"), [(0, 2), (1, 3), (2, 8)])
def test_clusters_are_about_those_of_hdbscan(seed, d):
    """Edges of equal length can be taken in any order: a few points at the rim differ."""
    X = blobs(seed, 400, d)
    found = tree_of(X, 10).clusters(12)[0]
    peer = HDBSCAN(min_samples=11, min_cluster_size=12, copy=True).fit_predict(X)
    assert found.max() == peer.max()
    assert ari(found, peer) > 0.97


def test_the_tree_is_a_shortest_one_under_mutual_reachability():
    from scipy.sparse.csgraph import minimum_spanning_tree

    X = blobs(3, 120)
    distances = cdist(X, X)
    tree = tree_of(X, 5)
    reach = np.sort(distances, axis=1)[:, 5]
    assert np.array_equal(tree.reach, reach)
    mutual = np.maximum(distances, np.maximum(reach[:, None], reach))
    assert tree.lengths.sum() == pytest.approx(minimum_spanning_tree(mutual).sum())
    assert np.all(np.diff(tree.lengths) >= 0)
    assert np.allclose(mutual[tuple(tree.edges.T)], tree.lengths)


def test_a_chain_of_few_points_does_not_join_two_groups():
    rng = np.random.default_rng(0)
    bridge = np.column_stack([np.linspace(1.0, 9.0, 12), np.zeros(12)])
    X = np.vstack([rng.normal(0, 0.5, (100, 2)), rng.normal((10, 0), 0.5, (100, 2)), bridge])
    found = tree_of(X, 5).clusters(20)[0]
    assert found.max() == 1
    assert ari(found[:200], np.repeat([0, 1], 100)) > 0.95


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_a_handful_of_points_has_no_clusters(n):
    found, born = tree_of(np.arange(n, dtype=float)[:, None] ** 2, 5).clusters(5)
    assert np.array_equal(found, np.full(n, -1))
    assert len(born) == 0


def test_one_point_many_times_has_no_clusters():
    found, born = tree_of(np.ones((40, 2)), 5).clusters(5)
    assert np.array_equal(found, np.full(40, -1))
    assert len(born) == 0


def test_duplicates_do_not_hide_the_groups_they_are_in():
    X = blobs(4, 300, apart=12.0).round()
    found = tree_of(X, 5).clusters(30)[0]
    assert found.max() == 2
