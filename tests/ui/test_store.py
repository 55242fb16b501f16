"""One budget for everything kept, and each thing made once."""

import contextlib
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest

from theta_app import datasets
from theta_app.ui.store import Budget, LruCache, NoRoom, default_budget, real_size

MB = 2**20


def megabytes(n):
    return np.zeros(n * MB, np.uint8)


def test_the_entry_used_longest_ago_goes_first():
    kind = LruCache(Budget(4 * MB))
    for name in "abc":
        kind.put(name, megabytes(1))
    kind.get("a")
    kind.put("d", megabytes(1))
    assert kind.get("b") is None
    assert all(kind.get(name) is not None for name in "acd")


def test_what_is_larger_than_half_the_budget_is_not_kept_and_pushes_nothing_out():
    kind = LruCache(Budget(4 * MB))
    kind.put("small", megabytes(1))
    assert not kind.put("large", megabytes(3))
    assert kind.get("large") is None
    assert kind.get("small") is not None


def test_no_kind_can_push_the_others_out():
    budget = Budget(10 * MB)
    one, other = LruCache(budget), LruCache(budget)
    one.put("kept", megabytes(2))
    for i in range(50):
        other.put(i, megabytes(1))
    assert one.get("kept") is not None
    assert len(other) == 7
    assert budget.used <= budget.total


def test_a_kind_that_is_alone_may_use_everything():
    budget = Budget(10 * MB)
    one, _ = LruCache(budget), LruCache(budget)
    for i in range(9):
        one.put(i, megabytes(1))
    assert len(one) == 9


def test_what_weighs_more_keeps_more():
    budget = Budget(12 * MB)
    light, heavy = LruCache(budget), LruCache(budget, weight=3.0)
    for i in range(20):
        light.put(i, megabytes(1))
        heavy.put(i, megabytes(1))
    assert len(heavy) > 2 * len(light) > 0


def test_several_who_ask_at_once_have_it_made_once():
    kind, made, start = LruCache(Budget(MB)), [], threading.Barrier(8)

    def ask():
        start.wait()
        return kind.get_or_make("key", lambda: made.append(1) or threading.Event().wait(0.05) or "value")

    with ThreadPoolExecutor(8) as pool:
        found = [future.result() for future in [pool.submit(ask) for _ in range(8)]]
    assert found == ["value"] * 8
    assert len(made) == 1


def test_when_the_first_fails_the_next_takes_over():
    kind, waiting, entered = LruCache(Budget(MB)), threading.Event(), threading.Event()

    def fail():
        entered.set()
        waiting.wait(10)
        raise RuntimeError("left")

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(kind.get_or_make, "key", fail)
        entered.wait(10)
        second = pool.submit(kind.get_or_make, "key", lambda: "made by the second")
        waiting.set()
        assert second.result(10) == "made by the second"
        with pytest.raises(RuntimeError):
            first.result(10)


def test_many_threads_leave_the_count_right():
    budget = Budget(3 * MB)
    kinds = [LruCache(budget) for _ in range(3)]

    def work(seed):
        rng = np.random.default_rng(seed)
        for _ in range(200):
            kind = kinds[rng.integers(3)]
            kind.put(int(rng.integers(20)), np.zeros(int(rng.integers(1, 200_000)), np.uint8))
            kind.get(int(rng.integers(20)))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    assert budget.used == sum(size for kind in kinds for _, size in kind._items.values())
    assert budget.used <= budget.total


def test_sizes_are_real():
    array = np.zeros(1000)
    assert 8000 <= real_size(array) < 8300
    assert real_size(array[:10]) >= 8000  # a view keeps the whole array
    assert real_size((array, array)) < 9000  # the same array once
    assert real_size({"a": array, "b": array.copy()}) >= 16_000
    assert real_size(b"x" * 500) >= 500
    frame = pd.DataFrame({"text": ["long enough to matter"] * 100})
    assert real_size(frame) >= 100 * 20


def test_the_budget_can_be_set_and_is_at_most_two_gigabytes(monkeypatch):
    monkeypatch.setenv("THETA_MEMORY_MB", "300")
    assert default_budget() == 300 * MB
    monkeypatch.setenv("THETA_MEMORY_MB", "plenty")
    assert 0 < default_budget() <= 2 * 2**30


class Set:
    """Something large that pages hold."""

    def __init__(self, mb):
        self.X = megabytes(mb)


def test_what_somebody_holds_counts_until_it_is_gone_and_is_not_made_twice():
    budget = Budget(100 * MB)
    kind = LruCache(budget)
    held = [Set(30) for _ in range(5)]
    for i, one in enumerate(held):
        kind.put(i, one)
    assert budget.kept <= 60 * MB, "what is kept makes room for what is held"
    assert budget.used >= 150 * MB
    assert kind.get_or_make(0, lambda: pytest.fail("it is there")) is held[0]
    with pytest.raises(NoRoom, match="no room for so much data"), budget.room_for(20 * MB):
        pytest.fail("too much is held")
    with budget.room_for(MB):  # small ones always fit
        pass
    one = None
    held.clear()
    assert budget.used <= 60 * MB
    with budget.room_for(40 * MB):
        assert budget.used >= 40 * MB
    assert one is None


def test_what_is_held_does_not_push_everything_else_out():
    budget = Budget(100 * MB)
    large, small = LruCache(budget), LruCache(budget, weight=2.0)
    for i in range(40):
        small.put(i, megabytes(1))
    held = [Set(30) for _ in range(5)]
    for i, one in enumerate(held):
        large.put(i, one)
    assert len(small) >= 30


def test_less_is_kept_where_nobody_is_there():
    budget = Budget(10 * MB)
    kind = LruCache(budget)
    for i in range(9):
        kind.put(i, megabytes(1))
    budget.make_room(budget.total // 4)
    assert len(kind) == 2
    assert kind.get(8) is not None


def test_a_table_that_shares_its_numbers_with_the_points_counts_once():
    data = datasets.load(datasets.GridBlobs(side=10, per_cluster=100))
    assert data.X.nbytes < real_size(data) < 2 * data.X.nbytes + 200_000
    assert real_size(pd.DataFrame({"a": np.zeros(1000), "b": ["text"] * 1000})) > 8000 + 4000


@pytest.fixture
def hasty_threads():
    """Threads that take turns all the time."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def test_many_may_ask_for_room_while_others_keep_things(hasty_threads):
    budget = Budget(200 * MB)
    cache = LruCache(budget)

    def ask(i):
        for j in range(200):
            cache.put((i, j), b"x" * 1000)
            with contextlib.suppress(NoRoom), budget.room_for(10 * MB):
                cache.get((i, j // 2))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(ask, range(8)))
    assert budget.used == budget.kept
