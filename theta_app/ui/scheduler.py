"""All heavy computation of the server: as many workers as cores, fair between visitors, the same work done once.

Work comes in pieces of a fraction of a second, such as TDG at one θ. Visitors take turns, a piece each; pieces of a
lower rank (a first coarse answer) go before all others. Two visitors who ask for the same piece share it, and it is
dropped when the last of them has gone: nothing that nobody waits for goes on burning a core.

The numba kernels run without Python's lock, so threads are enough.
"""

import os
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass

from theta_app.ui.turns import TURNS

LOOK = 0.05  # seconds between two looks at what is done, and so the time it takes to notice that a visitor has gone

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Piece:
    """A piece of work.

    Attributes
    ----------
    key : hashable
        Equal for equal work, also of another visitor. Made of a digest of the content, never of a name.
    work : callable(report, cancel) -> value
        Runs in a worker's thread. It may call ``report(done, total)`` and should look at ``cancel.is_set()`` several
        times a second.
    rank : int
        Lower ones go first.
    """

    key: Hashable
    work: Callable
    rank: int = 0


class _Flight:
    """A piece on its way, and how many wait for it."""

    def __init__(self, piece: Piece):
        self.piece = piece
        self.future: Future = Future()
        self.cancel = threading.Event()
        self.wanted = 0
        self.started = False
        self.done, self.total = 0, 0

    def report(self, done: int, total: int) -> None:
        self.done, self.total = done, total

    @property
    def open(self) -> bool:
        """Whether it still waits for a worker."""
        return not self.started and not self.cancel.is_set()

    def run(self) -> None:
        if not self.future.set_running_or_notify_cancel():
            return
        try:
            self.future.set_result(self.piece.work(self.report, self.cancel))
        except BaseException as error:  # whoever waits for it gets it
            self.future.set_exception(error)


class Scheduler:
    """Runs pieces. One per process: see `SCHEDULER`."""

    def __init__(self, workers: int | None = None):
        self.workers = workers or os.cpu_count() or 1
        self._flights: dict[Hashable, _Flight] = {}
        self._waiting: OrderedDict[Hashable, deque[_Flight]] = OrderedDict()  # by visitor, the next to be served first
        self._change = threading.Condition()
        self._threads = 0

    # ---- asking ------------------------------------------------------------------------------------------------------

    def results(self, visitor: Hashable, pieces: Iterable[Piece], progress: Progress | None = None) -> Iterator:
        """The values of pieces, in their order, as they come.

        ``progress(done, total)`` is called in this thread several times a second while it waits, with what the pieces
        have reported, or the number of finished pieces where they report nothing; it may raise. When it does, or the
        iteration is dropped, the pieces not finished are no longer wanted by this visitor.
        """
        flights = self._join(visitor, list(pieces))
        try:
            for flight in flights:
                value = self._wait(flight, flights, progress)
                if progress:
                    progress(*_counted(flights))  # also where nobody had to wait: this is where a run can be stopped
                yield value
        finally:
            self._leave(visitor, flights)

    def result(self, visitor: Hashable, piece: Piece, progress: Progress | None = None):
        """The value of one piece."""
        found = self.results(visitor, [piece], progress)
        try:
            return next(found)
        finally:
            found.close()

    def ahead(self, visitor: Hashable) -> int:
        """How many other visitors' turn comes before this one's next; 0 where nothing of theirs waits."""
        with self._change:
            self._tidy()
            mine = self._waiting.get(visitor)
            if mine is None:
                return 0
            places = list(self._waiting)
            rank = lambda name: self._waiting[name][0].piece.rank  # noqa: E731
            earlier = set(places[: places.index(visitor)])
            return sum(
                rank(name) < rank(visitor) or (rank(name) == rank(visitor) and name in earlier) for name in places
            )

    def _wait(self, flight: _Flight, flights: Sequence[_Flight], progress: Progress | None):
        while not flight.future.done():
            with TURNS.given_up():
                wait([flight.future], LOOK if progress else None)
            if progress and not flight.future.done():
                progress(*_counted(flights))
        return flight.future.result()

    # ---- who wants what ----------------------------------------------------------------------------------------------

    def _join(self, visitor: Hashable, pieces: list[Piece]) -> list[_Flight]:
        with self._change:
            flights = []
            for piece in pieces:
                flight = self._flights.get(piece.key)
                if flight is None or flight.cancel.is_set():
                    flight = self._flights[piece.key] = _Flight(piece)
                    self._waiting.setdefault(visitor, deque()).append(flight)
                elif flight.open:
                    self._waiting.setdefault(visitor, deque()).append(flight)  # whoever's turn comes first starts it
                flight.wanted += 1
                flights.append(flight)
            self._start_workers()
            self._change.notify(len(pieces))
            return flights

    def _leave(self, visitor: Hashable, flights: list[_Flight]) -> None:
        with self._change:
            mine = self._waiting.get(visitor, deque())
            for flight in flights:
                flight.wanted -= 1
                if flight.wanted == 0:
                    self._forget(flight)
                    if not flight.future.done():
                        flight.cancel.set()
                        flight.future.cancel()  # does nothing to one that runs: that one looks at `cancel`
            gone = set(map(id, flights))
            left = deque(flight for flight in mine if id(flight) not in gone or flight.wanted)
            if left:
                self._waiting[visitor] = left
            else:
                self._waiting.pop(visitor, None)

    def _forget(self, flight: _Flight) -> None:
        if self._flights.get(flight.piece.key) is flight:
            del self._flights[flight.piece.key]

    # ---- the workers -------------------------------------------------------------------------------------------------

    def _start_workers(self) -> None:
        while self._threads < self.workers:
            self._threads += 1
            threading.Thread(target=self._work, name=f"theta-worker-{self._threads}", daemon=True).start()

    def _work(self) -> None:
        while True:
            with self._change:
                flight = self._next()
                while flight is None:
                    self._change.wait()
                    flight = self._next()
            flight.run()
            del flight  # a finished value must not be held until the next piece comes

    def _tidy(self) -> None:
        """Take out what was started on another visitor's turn, or is no longer wanted."""
        for visitor in list(self._waiting):
            queue = self._waiting[visitor]
            while queue and not queue[0].open:
                queue.popleft()
            if not queue:
                del self._waiting[visitor]

    def _next(self) -> _Flight | None:
        """The piece whose turn it is: of the lowest rank there is, of the visitor who was served longest ago."""
        self._tidy()
        if not self._waiting:
            return None
        visitor = min(self._waiting, key=lambda name: self._waiting[name][0].piece.rank)  # the first of equals
        queue = self._waiting[visitor]
        flight = queue.popleft()
        flight.started = True
        self._waiting.move_to_end(visitor)
        if not queue:
            del self._waiting[visitor]
        return flight


def _counted(flights: Sequence[_Flight]) -> tuple[int, int]:
    """(done, total) over the pieces: in what they report where one has, else in pieces."""
    known = [flight.total for flight in flights if flight.total]
    if not known:
        return sum(flight.future.done() for flight in flights), len(flights)
    usual = sum(known) / len(known)
    done = sum((flight.total or usual) if flight.future.done() else flight.done for flight in flights)
    return round(done), round(sum(flight.total or usual for flight in flights))


SCHEDULER = Scheduler()
