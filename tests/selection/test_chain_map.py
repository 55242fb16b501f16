"""The number of chains over θ and ε."""

import numpy as np

from theta_app import datasets, selection
from theta_app.engine import tdg


def test_the_map_holds_the_major_chains_at_each_theta_and_epsilon():
    X = datasets.load(datasets.Moons(per_shape=80)).X
    tried = [selection.Chaining.of(theta, tdg(X, theta, 10)) for theta in (0.3, 0.1, 0.15)]
    found = selection.chain_map(tried, rows=30)
    assert found.thetas.tolist() == [0.1, 0.15, 0.3]
    assert found.counts.shape == (30, 3)
    chaining = tried[2]
    for row in (3, 15, 28):
        sizes = np.bincount(chaining.at(found.epsilons[row]).labels)
        assert found.counts[row, 1] == selection.major_chains(sizes[sizes > 0]).sum()


def test_nothing_tried_is_an_empty_map():
    assert selection.chain_map([]).counts.shape == (0, 0)
