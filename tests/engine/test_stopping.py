"""Work that nobody wants any more is cut in the middle: kernels look at a flag, and return nothing where it is set."""

import sys
import threading

import numpy as np
import pytest

from theta_app.engine import Cancelled, blocks, cells, closest_pair, norms, pairs, spanning_tree, stopping, tdg
from theta_app.engine.algorithms import IncrementalTDG
from theta_app.engine.norms import NormSearch
from theta_app.engine.search import Search

RNG = np.random.default_rng(0)
TREES = sys.modules["theta_app.engine.spanning_tree"]  # the package has the function under this name


def tsg_passes(X, theta, **options):
    return lambda cancel: tdg(X, theta, 1, cancel=cancel, **options)


FLAT, WIDE, LABELS = RNG.random((2_000_000, 2)), RNG.random((8000, 400)), RNG.integers(9, size=8000)
CUT = {  # seconds of work each, the pairs minutes; and what of the result is 0 where the kernel was cut
    "cells": (cells, "tsg_cells", tsg_passes(FLAT, 0.0005), lambda found: len(found[0])),
    "blocks": (blocks, "tsg_blocks", tsg_passes(WIDE, 0.1, method="blocks"), lambda found: len(found[1])),
    "norms": (
        norms,
        "tsg_norm",
        tsg_passes(WIDE[:, :100], 0.1, metric="minkowski", p=3),
        lambda found: len(found[0]),
    ),
    "chains": (TREES, "_prim", lambda cancel: spanning_tree(WIDE, cancel=cancel), lambda found: found[1].min()),
    "pairs in another norm": (
        pairs,
        "_closest",
        lambda cancel: closest_pair(WIDE, LABELS, metric="minkowski", p=3, cancel=cancel),
        None,
    ),
}


@pytest.mark.parametrize("name", CUT)
def test_a_kernel_is_cut_in_the_middle(name, monkeypatch):
    module, kernel, work, counted = CUT[name]
    returned, plain, cancel = [], getattr(module, kernel), threading.Event()

    def recorded(*args):
        cancel.set()  # seen by the thread that watches, while the kernel is at work
        returned.append(plain(*args))
        return returned[-1]

    monkeypatch.setattr(module, kernel, recorded)
    with pytest.raises(Cancelled):
        work(cancel)
    if counted is not None:
        assert counted(returned[0]) == 0


def test_matrix_products_are_stopped_between_blocks():
    asked = []

    class AtTheThirdQuestion:
        def is_set(self):
            asked.append(1)
            return len(asked) > 2

    with pytest.raises(Cancelled):
        closest_pair(WIDE, LABELS, cancel=AtTheThirdQuestion())
    assert len(asked) == 3


@pytest.mark.parametrize("method", ["cells", "blocks", "anchors", "near", 1.0, 3.0])
def test_where_it_is_told_beforehand_no_kernel_does_anything(method):
    X = RNG.random((500, 3))
    stop = stopping.new_flag()
    searching = Search(X, 0.1, method, stop) if isinstance(method, str) else NormSearch(X, 0.1, method, stop)
    order = np.arange(500, dtype=np.int32)
    centroids = searching.group(order)[1]
    assert len(centroids) > 10
    assert searching.nearest(centroids).any()
    stop[0] = 1
    assert len(searching.group(order)[1]) == 0
    assert len(searching.vote(centroids)) == 0
    assert not searching.nearest(centroids).any()


def test_the_vote_can_be_stopped_too():
    cancel = threading.Event()
    growing = IncrementalTDG(WIDE[:1000], 0.1, cancel=cancel)
    growing.grow(2)
    cancel.set()
    with pytest.raises(Cancelled):
        growing.vote()


def test_what_is_not_stopped_is_the_same_and_leaves_nothing_to_watch():
    never = threading.Event()
    X = RNG.normal(size=(300, 5))
    assert tdg(X, 2.0, 5, cancel=never).labels.tolist() == tdg(X, 2.0, 5).labels.tolist()
    assert not stopping._WATCH._watched
    assert stopping.NEVER[0] == 0
