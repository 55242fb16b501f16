"""What has been computed is kept for everybody, in one memory budget shared fairly between the kinds of things kept.

Streamlit's caches hash their arguments by sampling large arrays, so different data can meet in one entry. Here the
caller gives the key, made of a digest of the content. Values are shared by all visitors: treat them as read-only.
"""

import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable

from theta_app.datasets.memory import real_size

_ENTRY = 300  # bytes that an entry takes beside its value: key, bookkeeping


def default_budget() -> int:
    """Bytes for everything kept: THETA_MEMORY_MB, by default a quarter of the machine's memory, at most 2 GB."""
    chosen = os.environ.get("THETA_MEMORY_MB", "")
    if chosen.isdigit() and int(chosen) > 0:
        return int(chosen) * 2**20
    try:
        machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # no such question on this system
        machine = 8 * 2**30
    return min(machine // 4, 2 * 2**30)


class Budget:
    """So many bytes for several caches. When they are used up, the one that holds most for its weight drops its oldest.

    So none can push all others out, and one that is alone may use everything.
    """

    def __init__(self, total: int):
        self.total = total
        self.lock = threading.RLock()
        self.caches: list[LruCache] = []

    @property
    def used(self) -> int:
        """Bytes kept now."""
        return sum(cache.used for cache in self.caches)

    @property
    def largest(self) -> int:
        """Bytes of the largest value that is kept: half of all. Readers of files refuse what would become larger."""
        return self.total // 2

    def make_room(self) -> None:
        while self.used > self.total:
            max(self.caches, key=lambda cache: cache.used / cache.weight).drop_oldest()


class LruCache:
    """One kind of things kept, least recently used out first: ``put(key, value)``, ``get(key)``.

    ``weight`` is its share of the budget against others; what cannot be computed again should weigh more.
    """

    def __init__(self, budget: Budget, weight: float = 1.0):
        self.budget, self.weight = budget, weight
        self.used = 0
        self._items: OrderedDict[Hashable, tuple[object, int]] = OrderedDict()
        self._making: dict[Hashable, threading.Event] = {}
        with budget.lock:
            budget.caches.append(self)

    def get(self, key: Hashable, default=None):
        with self.budget.lock:
            if key not in self._items:
                return default
            self._items.move_to_end(key)
            return self._items[key][0]

    def put(self, key: Hashable, value) -> bool:
        """Keep a value. One larger than the budget's largest is not kept, and False is returned."""
        size = real_size(value)
        with self.budget.lock:
            self.forget(key)
            if size > self.budget.largest:
                return False
            self._items[key] = (value, size + _ENTRY)
            self.used += size + _ENTRY
            self.budget.make_room()
            return key in self._items

    def get_or_make(self, key: Hashable, make: Callable[[], object]):
        """The value at ``key``, made now when it is missing: once, also when several threads ask at the same time.

        When making it fails for the one who does (a visitor who leaves, say), the next who waits takes over.
        """
        while True:
            with self.budget.lock:
                value = self.get(key)
                if value is not None:
                    return value
                others = self._making.get(key)
                if others is None:
                    self._making[key] = threading.Event()
                    break
            others.wait()
        try:
            value = make()
            self.put(key, value)
            return value
        finally:
            with self.budget.lock:
                self._making.pop(key).set()

    def newest(self, fits: Callable[[Hashable], bool]) -> Hashable | None:
        """The key that was used last of those that fit."""
        with self.budget.lock:
            return next((key for key in reversed(self._items) if fits(key)), None)

    def forget(self, key: Hashable) -> None:
        with self.budget.lock:
            if key in self._items:
                self.used -= self._items.pop(key)[1]

    def drop_oldest(self) -> None:
        self.forget(next(iter(self._items)))

    def clear(self) -> None:
        with self.budget.lock:
            self._items.clear()
            self.used = 0

    def __len__(self) -> int:
        return len(self._items)


BUDGET = Budget(default_budget())

DATA = LruCache(BUDGET)  # generated and published sets, prepared, and samples of them
UPLOADS = LruCache(BUDGET, weight=8.0)  # cannot be made again
SWEEPS = LruCache(BUDGET, weight=2.0)  # TDG at each θ, ranges, chainings
PICTURES = LruCache(BUDGET, weight=2.0)  # what is sent to the browser
MEASURED = LruCache(BUDGET)  # methods run, scored and timed
