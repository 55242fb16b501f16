import threading

import pytest

from theta_app.ui.store import Bounded


def test_the_entry_used_longest_ago_goes_first():
    store = Bounded(entries=2, megabytes=1)
    store.put("a", 1, 10)
    store.put("b", 2, 10)
    store.get("a")
    store.put("c", 3, 10)
    assert (store.get("a"), store.get("b"), store.get("c")) == (1, None, 3)


def test_bytes_are_bounded_and_counted():
    store = Bounded(entries=100, megabytes=1)
    for i in range(10):
        store.put(i, i, 300_000)
    assert len(store) == 3
    assert store.used == 900_000
    store.put(9, "smaller", 100_000)
    assert store.used == 700_000


def test_a_value_larger_than_the_store_is_not_kept_and_drives_nothing_out():
    store = Bounded(entries=10, megabytes=1)
    store.put("small", 1, 10)
    store.put("huge", 2, 2**21)
    assert store.get("huge") is None
    assert store.get("small") == 1


def test_a_value_that_could_not_be_made_leaves_nothing_behind():
    store = Bounded(entries=10, megabytes=1)

    def fails():
        raise RuntimeError

    with pytest.raises(RuntimeError):
        store.get_or_make("key", fails, lambda _: 1)
    assert store.get_or_make("key", lambda: "made", lambda _: 1) == "made"


def test_many_threads_keep_the_books_straight():
    store = Bounded(entries=50, megabytes=1)

    def work(seed):
        for i in range(2000):
            store.put((seed * i) % 97, i, 100)
            store.get(i % 97)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.used == 100 * len(store) <= 5000
