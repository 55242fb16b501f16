"""A least-recently-used store, bounded in entries and in bytes, safe to use from several threads.

Streamlit's caches hash their arguments by sampling large arrays, so different data can meet in one entry. Here the
caller gives the key, made of a digest of the content. Values are shared by all visitors: treat them as read-only.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable


class Bounded:
    """``store.put(key, value, size)``, ``store.get(key)``; the entry used longest ago goes first."""

    def __init__(self, entries: int, megabytes: float):
        self.entries = entries
        self.bytes = int(megabytes * 2**20)
        self._items: OrderedDict[Hashable, tuple[object, int]] = OrderedDict()
        self._used = 0
        self._lock = threading.Lock()

    def get(self, key: Hashable, default=None):
        with self._lock:
            if key not in self._items:
                return default
            self._items.move_to_end(key)
            return self._items[key][0]

    def put(self, key: Hashable, value, size: int) -> None:
        """Keep a value of ``size`` bytes. One larger than the whole store is not kept."""
        with self._lock:
            self._forget(key)
            if size > self.bytes:
                return
            self._items[key] = (value, size)
            self._used += size
            while len(self._items) > self.entries or self._used > self.bytes:
                self._forget(next(iter(self._items)))

    def get_or_make(self, key: Hashable, make: Callable, size: Callable[[object], int]):
        """The value at ``key``, made now when it is missing. An exception while making leaves nothing behind."""
        value = self.get(key)
        if value is None:
            value = make()
            self.put(key, value, size(value))
        return value

    def _forget(self, key: Hashable) -> None:
        if key in self._items:
            self._used -= self._items.pop(key)[1]

    def __len__(self) -> int:
        return len(self._items)

    @property
    def used(self) -> int:
        """Bytes kept now."""
        return self._used
