"""What has been computed is kept for everybody, in one memory budget shared fairly between the kinds of things kept.

Streamlit's caches hash their arguments by sampling large arrays, so different data can meet in one entry. Here the
caller gives the key, made of a digest of the content. Values are shared by all visitors: treat them as read-only.
"""

import os
import threading
import weakref
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import Any

from theta_app.datasets.memory import real_size

_ENTRY = 300  # bytes that an entry takes beside its value: key, bookkeeping
_LARGE = 8 * 2**20  # bytes from which on a value counts while anybody holds it, and is not begun where it does not fit


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


class NoRoom(LookupError):
    """What others hold leaves no room for something large; the message is a sentence for the person who wants it."""


class Budget:
    """So many bytes for several caches. When they are used up, the one that holds most for its weight drops its oldest.

    So none can push all others out, and one that is alone may use everything. A large value that was given up, and
    that the page of a visitor still holds, counts until it is gone.
    """

    def __init__(self, total: int) -> None:
        self.total = total
        self.lock = threading.RLock()
        self.caches: list[LruCache] = []
        self._promised = 0

    @property
    def kept(self) -> int:
        """How many bytes all caches hold."""
        return sum(cache.used for cache in self.caches)

    @property
    def used(self) -> int:
        """Bytes that are kept, held by visitors, or about to be."""
        return self.kept + self._promised + sum(cache.held for cache in self.caches)

    @property
    def large(self) -> int:
        """Bytes of large values: kept, held by visitors, or about to be."""
        return self._promised + sum(cache.large + cache.held for cache in self.caches)

    def _give_up_large(self) -> None:
        """Large values that are over the total; those that visitors hold stay with them."""
        while self.large > self.total and any(cache.large for cache in self.caches):
            max(self.caches, key=lambda cache: cache.large / cache.weight).drop_oldest(_LARGE)

    @property
    def largest(self) -> int:
        """Bytes of the largest value that is kept: half of all. Readers of files refuse what would become larger."""
        return self.total // 2

    def make_room(self, total: int | None = None) -> None:
        """Give up what is over the total. Half of it stays whatever visitors hold, or sweeps push each other out."""
        with self.lock:
            total = self.total if total is None else total
            while self.used > total and self.kept > min(total, self.total // 2):
                max(self.caches, key=lambda cache: cache.used / cache.weight).drop_oldest()

    @contextmanager
    def room_for(self, size: int) -> Iterator[None]:
        """While a value of so many bytes is made. NoRoom if it is large and visitors hold as much as there may be."""
        with self.lock:
            self._promised += size
            if size >= _LARGE:
                self._give_up_large()
            self.make_room()
            fits = size < _LARGE or self.large <= self.total
        try:
            if not fits:
                raise NoRoom(
                    "There is no room for so much data on this server right now: other visitors have large data sets "
                    "open. Choose fewer points, or try again in a few minutes."
                )
            yield
        finally:
            with self.lock:
                self._promised -= size


class LruCache:
    """One kind of things kept, least recently used out first: ``put(key, value)``, ``get(key)``.

    ``weight`` is its share of the budget against others; what cannot be computed again should weigh more.
    """

    def __init__(self, budget: Budget, weight: float = 1.0) -> None:
        self.budget, self.weight = budget, weight
        self.used = 0
        self._held: dict[Hashable, tuple[weakref.ref, int]] = {}  # given up, and not gone
        self._items: OrderedDict[Hashable, tuple[object, int]] = OrderedDict()
        self._making: dict[Hashable, threading.Event] = {}
        with budget.lock:
            budget.caches.append(self)

    def get(self, key: Hashable, default: Any = None) -> Any:
        """The value of a key, or `default`; a value that was given up is found while a page still holds it."""
        with self.budget.lock:
            if key not in self._items:
                value = self._held[key][0]() if key in self._held else None
                return default if value is None else value
            self._items.move_to_end(key)
            return self._items[key][0]

    @property
    def large(self) -> int:
        """How many bytes its large values take."""
        return sum(size for _, size in self._items.values() if size >= _LARGE)

    @property
    def held(self) -> int:
        """Bytes of large values that were given up and that somebody still holds."""
        return sum(size for _, size in list(self._held.values()))

    def put(self, key: Hashable, value: object) -> bool:
        """Keep a value. One larger than the budget's largest is not kept, and False is returned."""
        size = real_size(value)
        with self.budget.lock:
            self.forget(key)
            self._held.pop(key, None)
            if size > self.budget.largest:
                self._follow(key, value, size)
                return False
            self._items[key] = (value, size + _ENTRY)
            self.used += size + _ENTRY
            self.budget.make_room()
            return key in self._items

    def get_or_make(self, key: Hashable, make: Callable[[], object]) -> Any:
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

    def newest(self, fits: Callable[[Any], bool]) -> Hashable | None:
        """The key that was used last of those that fit."""
        with self.budget.lock:
            return next((key for key in reversed(self._items) if fits(key)), None)

    def forget(self, key: Hashable) -> None:
        """Remove a key, if it is there."""
        with self.budget.lock:
            if key in self._items:
                value, size = self._items.pop(key)
                self.used -= size
                self._follow(key, value, size)

    def _follow(self, key: Hashable, value: object, size: int) -> None:
        """Count a large value until it is gone. It can still be had meanwhile."""
        if size < _LARGE or type(value).__weakrefoffset__ == 0:
            return

        def gone(ref: weakref.ref) -> None:  # without the lock: garbage may be collected anywhere
            if self._held.get(key, (None,))[0] is ref:
                self._held.pop(key, None)

        self._held[key] = weakref.ref(value, gone), size

    def drop_oldest(self, least: int = 0) -> None:
        """The entry used longest ago of those of so many bytes."""
        self.forget(next(key for key, (_, size) in self._items.items() if size >= least))

    def clear(self) -> None:
        """Remove every key."""
        with self.budget.lock:
            self._items.clear()
            self._held.clear()
            self.used = 0

    def __len__(self) -> int:
        return len(self._items)


BUDGET = Budget(default_budget())

DATA = LruCache(BUDGET)  # generated and published sets, prepared, and samples of them
UPLOADS = LruCache(BUDGET, weight=8.0)  # cannot be made again
SWEEPS = LruCache(BUDGET, weight=2.0)  # TDG at each θ, ranges, chainings
PICTURES = LruCache(BUDGET, weight=2.0)  # what is sent to the browser
MEASURED = LruCache(BUDGET)  # methods run, scored and timed
