"""Timing that survives a noisy machine: CPU time, medians, and ratios of what ran in the same minute."""

import statistics
import time
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One line of the results: what ours and the peer's took, in seconds or another unit, and what was asked for."""

    work: str
    ours: float
    peer: str
    theirs: float
    target: str
    holds: bool
    note: str = ""
    unit: str = "s"

    @property
    def ratio(self):
        return self.theirs / self.ours


def cpu(function, repeats=5):
    """Median CPU seconds of the calling process; one call beforehand warms caches."""
    function()
    return _median(function, repeats, time.process_time)


def wall(function, repeats=3):
    """Median wall seconds."""
    function()
    return _median(function, repeats, time.perf_counter)


def once(function):
    """CPU seconds of a single call, for peers that take long."""
    return _median(function, 1, time.process_time)


def _median(function, repeats, clock):
    times = []
    for _ in range(repeats):
        start = clock()
        function()
        times.append(clock() - start)
    return statistics.median(times)


def at_least(work, ours, peer, theirs, factor, note=""):
    """A row whose target is: ours is at least `factor` times faster."""
    return Row(work, ours, peer, theirs, f"≥ {factor:g} × faster", theirs / ours >= factor, note)
