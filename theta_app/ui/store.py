"""What has been computed is kept for everybody, in one memory budget shared fairly between the kinds of things kept.

Streamlit's caches hash their arguments by sampling large arrays, so different data can meet in one entry. Here the
caller gives the key, made of a digest of the content. Values are shared by all visitors: treat them as read-only.
"""

import dataclasses
import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable

import numpy as np
import pandas as pd

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
    """So many bytes for several kinds of things. When they are used up, the kind that holds most for its weight gives.

    So no kind can push all others out, and one that is alone may use everything.
    """

    def __init__(self, total: int):
        self.total = total
        self.lock = threading.RLock()
        self.kinds: list[Kind] = []

    @property
    def used(self) -> int:
        """Bytes kept now."""
        return sum(kind.used for kind in self.kinds)

    def make_room(self) -> None:
        while self.used > self.total:
            max(self.kinds, key=lambda kind: kind.used / kind.weight).drop_oldest()


class Kind:
    """One kind of things kept: ``put(key, value)``, ``get(key)``; the entry used longest ago goes first.

    ``weight`` is its share of the budget against others; what cannot be computed again should weigh more.
    """

    def __init__(self, budget: Budget, weight: float = 1.0):
        self.budget, self.weight = budget, weight
        self.used = 0
        self._items: OrderedDict[Hashable, tuple[object, int]] = OrderedDict()
        self._making: dict[Hashable, threading.Event] = {}
        with budget.lock:
            budget.kinds.append(self)

    def get(self, key: Hashable, default=None):
        with self.budget.lock:
            if key not in self._items:
                return default
            self._items.move_to_end(key)
            return self._items[key][0]

    def put(self, key: Hashable, value) -> bool:
        """Keep a value. One larger than half of the whole budget is not kept, and False is returned."""
        size = real_size(value) + _ENTRY
        with self.budget.lock:
            self.forget(key)
            if size > self.budget.total // 2:
                return False
            self._items[key] = (value, size)
            self.used += size
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


def real_size(value) -> int:
    """Bytes that a value holds: its arrays, tables and texts, however deep, each once."""
    return _size(value, set())


def _size(value, seen: set[int]) -> int:
    if value is None or isinstance(value, (bool, int, float, np.generic)):
        return 32
    if id(value) in seen:
        return 0
    seen.add(id(value))
    if isinstance(value, np.ndarray):
        owner = value
        while isinstance(owner.base, np.ndarray):
            owner = owner.base  # a view keeps all of its array alive
        fresh = owner is value or id(owner) not in seen
        seen.add(id(owner))
        return owner.nbytes + 100 if fresh else 100
    if isinstance(value, (bytes, bytearray, str)):
        return len(value) + 60
    if isinstance(value, pd.DataFrame):
        return int(value.memory_usage(deep=True).sum()) + 1000
    if dataclasses.is_dataclass(value):
        return 60 + sum(_size(part, seen) for part in vars(value).values())
    if isinstance(value, dict):
        return 60 + sum(_size(part, seen) for pair in value.items() for part in pair)
    if isinstance(value, (list, tuple, set, frozenset)):
        return 60 + sum(_size(part, seen) for part in value)
    if hasattr(value, "to_plotly_json"):
        return _size(value.to_plotly_json(), seen)
    return 60 + sum(_size(part, seen) for part in vars(value).values()) if hasattr(value, "__dict__") else 100


BUDGET = Budget(default_budget())

DATA = Kind(BUDGET)  # generated and published sets, prepared, and samples of them
UPLOADS = Kind(BUDGET, weight=8.0)  # cannot be made again
SWEEPS = Kind(BUDGET, weight=2.0)  # TDG at each θ, ranges, chainings
PICTURES = Kind(BUDGET, weight=2.0)  # what is sent to the browser
MEASURED = Kind(BUDGET)  # methods run, scored and timed
