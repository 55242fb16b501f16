"""All heavy work of the server in one queue: fair between visitors, the same work once, nothing that nobody wants.

Work waits in a lane, of which so much runs at once (`Lane`). Visitors take turns there, a job each; jobs of a lower
rank (everybody's first coarse answer) go before all others. Two visitors who ask for the same job share it.

Work is wanted while a script waits for it (`Queue.results`) and for `LEASE` seconds after somebody has asked for it
(`Queue.ask`). When nobody wants it any more it is told so by its ``cancel``, and its place is free as soon as it ends.

The numba kernels run without Python's lock, so threads are enough; what cannot be interrupted runs in a process of its
own (`theta_app.workers`) that a job waits for.
"""

import os
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Generator, Hashable, Iterable, Iterator, Sequence
from concurrent.futures import Future, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from theta_app.engine import Cancelled, Progress
from theta_app.ui import store

LEASE = 20.0  # seconds that work is wanted after it was last asked for: pages ask every second or so
LOOK = 0.1  # seconds between two looks at what is done, and so the time it takes to notice that a visitor has gone
_STOPS = 2.0  # seconds that work has to stop while the page waits
_CORES = os.cpu_count() or 1
_LONG = 1.0  # seconds after which a job lends its place
_MOST_LENT = 2 * _CORES  # places: what takes long takes memory as well
PATIENCE = 3.0  # seconds after which a script goes on without a turn: turns are best effort, nothing can stand still


@dataclass(eq=False)
class Lane:
    """Work of which so much runs at once.

    Attributes
    ----------
    places : int or callable
        How many jobs, or the sum of their costs.
    one_each : bool
        Whether a visitor's next job waits until the one before is done.
    lends : bool
        Whether the place of a job that takes long is lent to visitors of whom nothing runs: the system shares the
        cores between them then.
    """

    name: str
    places: int | Callable[[], int]
    one_each: bool = False
    lends: bool = False

    @property
    def size(self) -> int:
        """How many jobs run in it at once."""
        return self.places() if callable(self.places) else self.places


CORES = Lane("computing", _CORES, lends=True)  # in pieces of a fraction of a second, such as TDG at one θ
SCRIPTS = Lane("script", max(2, _CORES))  # more that want Python's lock, and the event loop would starve
PROCESSES = Lane("process", max(2, _CORES))  # comparisons, trainings
READERS = Lane("reading", 2, one_each=True)  # uploaded files
PROJECTIONS = Lane("projecting", 1)  # t-SNE, UMAP
PEERS = Lane("peers", 1)  # other methods beside the sweep
MAPS = Lane("maps", 1)  # neighbour maps that nobody has asked for
LABELLING = Lane("labelling", 1)  # all rows of a file
ALL_POINTS = Lane("all points", lambda: store.BUDGET.total // 2)
"""Sweeps of all points of large sets, by the bytes they keep: more at once would push each other out of the store."""


@dataclass(frozen=True)
class Job:
    """Work to be done.

    Attributes
    ----------
    key : hashable
        Equal for equal work, also of another visitor. Made of a digest of the content, never of a name.
    work : callable(report, cancel) -> value
        Runs in a thread of the lane. It may call ``report(done, total, now)`` and should look at ``cancel.is_set()``
        several times per second.
    rank : int
        Lower ones go first.
    lane : Lane
    cost : int
        What it takes of the lane's places.
    """

    key: Hashable
    work: Callable | None
    rank: int = 0
    lane: Lane = CORES
    cost: int = 1


class Task:
    """A job on its way, and who wants it.

    Attributes
    ----------
    done, total : int
        What it has reported.
    now
        What it says it is doing.
    forgotten : bool
        Whether it was ended because nobody had asked for a while.
    """

    def __init__(self, job: Job, change: threading.Condition) -> None:
        self.job, self._change = job, change
        self.future: Future = Future()
        self.begun, self.since = threading.Event(), 0.0
        self.held = 0  # scripts that wait for it
        self.asked: dict[Hashable, float] = {}  # when each visitor last did
        self.stopped = self.forgotten = False
        self.now: Any
        self.done, self.total, self.now = 0, 0, None

    def report(self, done: int, total: int, now: Any = None) -> None:
        """Note how many of how many steps are done, and what it is doing now."""
        self.done, self.total, self.now = done, total, now

    def is_set(self) -> bool:
        """Whether it is to stop: a task is the ``cancel`` of its own work."""
        return self.stopped if self.held else not self.wanted

    def progress(self, done: int, total: int, now: Any = None) -> None:
        """`report` for work that others do, such as a process: this is where it can be stopped."""
        self.report(done, total, now)
        if self.is_set():
            raise Cancelled

    @property
    def wanted(self) -> bool:
        """Once it is not, it never is again: another takes its place."""
        with self._change:
            if not (self.stopped or self.held or self.ended):
                now = time.monotonic()
                self.stopped = self.forgotten = all(now - asked > LEASE for asked in self.asked.values())
            return not self.stopped

    @property
    def waiting(self) -> bool:
        """Whether it waits for its turn."""
        return not self.begun.is_set() and not self.stopped

    @property
    def ended(self) -> bool:
        """Whether it has a value, has failed or was given up."""
        return self.future.done()

    @property
    def failed(self) -> BaseException | None:
        """What it raised, where it has ended and was not stopped."""
        return self.future.exception() if self.ended and not self.stopped else None

    def run(self) -> None:
        """Do the work in this thread; its value or its error goes to whoever waits."""
        try:
            self.future.set_result(self.job.work(self.report, self))
        except BaseException as error:  # whoever waits for it gets it
            self.future.set_exception(error)


class Queue:
    """Jobs of all visitors. One per server: see `QUEUE`."""

    def __init__(self) -> None:
        self._change = threading.Condition()
        self._tasks: dict[Hashable, Task] = {}
        self._waiting: dict[Lane, OrderedDict[Hashable, deque[Task]]] = {}  # by visitor, the next to be served first
        self._running: dict[Lane, dict[Task, Hashable]] = {}  # and on whose turn
        self._local = threading.local()  # of a thread: its script's turn, or its task

    # ---- asking ------------------------------------------------------------------------------------------------------

    def results(self, visitor: Hashable, jobs: Iterable[Job], progress: Progress | None = None) -> Generator:
        """The values of jobs, in their order, as they come.

        ``progress(done, total)`` is called in this thread several times per second while it waits, with what the jobs
        have reported, or the number of finished ones where they report nothing; it may raise. When it does, or the
        iteration is dropped, the jobs not finished are no longer wanted by this visitor.

        Work that asks for jobs of its own lane does them itself: it has a place, and must not wait for another.
        """
        mine, jobs = getattr(self._local, "task", None), list(jobs)
        if mine is not None and any(job.lane is mine.job.lane for job in jobs):
            yield from (job.work(lambda *_: None, mine) for job in jobs)
            return
        tasks = self.hold(visitor, jobs)
        try:
            for task in tasks:
                if not task.ended:
                    with self._turn_given_up():
                        self._wait(task, tasks, progress)
                if progress:
                    progress(*_counted(tasks))  # also where nobody had to wait: this is where a run can be stopped
                yield task.future.result()
        finally:
            self.let_go(tasks)

    def _wait(self, task: Task, tasks: list[Task], progress: Progress | None) -> None:
        while not task.ended:
            with suppress(TimeoutError):
                task.future.exception(LOOK)
            if task.waiting and task.job.lane.lends:
                with self._change:
                    self._start(task.job.lane)
            if progress and not task.ended:
                progress(*_counted(tasks))

    def result(self, visitor: Hashable, job: Job, progress: Progress | None = None) -> Any:
        """The value of one job."""
        values = self.results(visitor, [job], progress)
        try:
            return next(values)
        finally:
            values.close()

    def ask(self, visitor: Hashable, job: Job) -> Task:
        """The task of a job, which goes on while the page is used: begun here unless it is under way.

        Each visitor who has asked is told once that it has ended; the next question begins it anew. That it failed is
        told until they `leave`, or do not ask for a while.
        """
        with self._change:
            self._forget_ended()
            task = self._tasks.get(job.key)
            if task is None or not task.wanted or (task.ended and visitor not in task.asked):
                task = self._add(visitor, job)
            elif task.waiting and visitor not in task.asked:
                self._enqueue(visitor, task)  # whoever's turn comes first starts it
            task.asked[visitor] = time.monotonic()
            if task.ended and task.failed is None:
                del task.asked[visitor]
                self._forget_ended()
            self._start(job.lane)
            return task

    def look(self, visitor: Hashable, key: Hashable) -> Task | None:
        """As `ask` for a job that this visitor has asked for before; None where it is not under way any more."""
        with self._change:
            task = self._tasks.get(key)
            return self.ask(visitor, task.job) if task is not None and visitor in task.asked and task.wanted else None

    def leave(self, visitor: Hashable, key: Hashable) -> None:
        """What this visitor has asked for is no longer wanted by them; it is stopped, unless others want it."""
        with self._change:
            task = self._tasks.get(key)
            if task is None or task.asked.pop(visitor, None) is None or task.held or task.asked:
                return
            task.stopped = True
            self._forget(task)
        if task.begun.is_set():
            wait([task.future], _STOPS)  # so that what it leaves behind is there

    def asked_for(self, visitor: Hashable, lane: Lane) -> list[Hashable]:
        """Keys of what a visitor has asked for in a lane."""
        with self._change:
            return [key for key, task in self._tasks.items() if task.job.lane is lane and visitor in task.asked]

    def hold(self, visitor: Hashable, jobs: list[Job]) -> list[Task]:
        """Tasks of jobs, wanted until they are let go."""
        with self._change:
            tasks = []
            for job in jobs:
                task = self._tasks.get(job.key)
                if task is None or not task.wanted or task.failed is not None:
                    task = self._add(visitor, job)
                elif task.waiting:
                    self._enqueue(visitor, task)
                task.held += 1
                tasks.append(task)
            for lane in {job.lane for job in jobs}:
                self._start(lane)
            return tasks

    def let_go(self, tasks: list[Task]) -> None:
        """What was held is no longer wanted here; it stops unless others want it."""
        with self._change:
            for task in tasks:
                task.held = max(task.held - 1, 0)
                if not task.held and not task.asked:
                    task.stopped = task.stopped or not task.ended
                    self._forget(task)

    def askers(self, lane: Lane) -> int:
        """How many visitors ask for something in a lane."""
        with self._change:
            return len({visitor for task in self._tasks.values() if task.job.lane is lane for visitor in task.asked})

    def waiting(self, lane: Lane) -> bool:
        """Whether anything waits for a place in a lane."""
        with self._change:
            return bool(self._tidied(lane))

    def visitors(self, lane: Lane) -> int:
        """How many visitors have work in a lane, under way or waiting."""
        with self._change:
            return len({*self._tidied(lane), *self._running.get(lane, {}).values()})

    def ahead(self, visitor: Hashable, lane: Lane = CORES) -> int:
        """How many jobs, a visitor each, come before this visitor's next; 0 where nothing of theirs waits.

        Those that run count as well, but for computing: there they are over in a moment.
        """
        with self._change:
            waiting = self._tidied(lane)
            if visitor not in waiting:
                return 0
            ranks = {name: tasks[0].job.rank for name, tasks in waiting.items()}
            names = list(waiting)
            mine = ranks[visitor], names.index(visitor)
            running = 0 if lane is CORES else len(self._running.get(lane, ()))
            return running + sum((ranks[name], i) < mine for i, name in enumerate(names))

    # ---- scripts -----------------------------------------------------------------------------------------------------

    @contextmanager
    def turn(self, visitor: Hashable = None) -> Iterator[None]:
        """Few scripts run at once: a turn while this one does, given up while it waits for results.

        One inside another is the same turn. Who has waited for a while goes on without one.
        """
        if getattr(self._local, "visitor", None):
            yield
            return
        self._take_turn((visitor,))
        try:
            yield
        finally:
            self._give_turn()

    @contextmanager
    def _turn_given_up(self) -> Iterator[None]:
        visitor = getattr(self._local, "visitor", None)
        if visitor is None:
            yield
            return
        self._give_turn()
        try:
            yield
        finally:
            self._take_turn(visitor)

    def _take_turn(self, visitor: tuple) -> None:
        turn = Task(Job(None, None, lane=SCRIPTS), self._change)
        turn.held = 1
        with self._change:
            self._enqueue(visitor, turn)
            self._start(SCRIPTS)
        turn.begun.wait(PATIENCE)
        self._local.visitor, self._local.turn = visitor, turn

    def _give_turn(self) -> None:
        turn, self._local.visitor = self._local.turn, None
        with self._change:
            turn.held, turn.stopped = 0, True
            self._running.get(SCRIPTS, {}).pop(turn, None)
            self._start(SCRIPTS)

    # ---- who wants what ----------------------------------------------------------------------------------------------

    def _add(self, visitor: Hashable, job: Job) -> Task:
        task = self._tasks[job.key] = Task(job, self._change)
        self._enqueue(visitor, task)
        return task

    def _enqueue(self, visitor: Hashable, task: Task) -> None:
        self._waiting.setdefault(task.job.lane, OrderedDict()).setdefault(visitor, deque()).append(task)

    def _forget(self, task: Task) -> None:
        if self._tasks.get(task.job.key) is task:
            del self._tasks[task.job.key]

    def _forget_ended(self) -> None:
        """Who has asked and never came back need not be told that it has ended."""
        now = time.monotonic()
        for task in list(self._tasks.values()):
            if task.ended and not task.held and all(now - asked > LEASE for asked in task.asked.values()):
                self._forget(task)

    # ---- whose turn it is --------------------------------------------------------------------------------------------

    def _tidied(self, lane: Lane) -> OrderedDict[Hashable, deque[Task]]:
        """Who waits in a lane, without what was started on another visitor's turn or is no longer wanted."""
        waiting = self._waiting.setdefault(lane, OrderedDict())
        for visitor, tasks in list(waiting.items()):
            while tasks and not (tasks[0].waiting and tasks[0].wanted):
                tasks.popleft()
            if not tasks:
                del waiting[visitor]
        return waiting

    def _next(self, lane: Lane) -> Task | None:
        """The task whose turn it is: of the lowest rank there is, of the visitor who was served longest ago."""
        running = self._running.setdefault(lane, {})
        free, lent = lane.size - sum(task.job.cost for task in running), False
        if lane.lends and free < 1:
            before = time.monotonic() - _LONG
            short = sum(task.since > before for task in running)
            free, lent = min(lane.size - short, lane.size + _MOST_LENT - len(running)), True
        if free < 1:
            return None
        waiting, busy = self._tidied(lane), running.values() if lane.one_each or lent else ()
        may = [
            (tasks[0].job.rank, i, visitor)
            for i, (visitor, tasks) in enumerate(waiting.items())
            if tasks[0].job.cost <= free and visitor not in busy
        ]
        if not may:
            return None
        visitor = min(may)[2]
        task = waiting[visitor].popleft()
        if waiting[visitor]:
            waiting.move_to_end(visitor)
        else:
            del waiting[visitor]
        running[task] = visitor
        task.since = time.monotonic()
        task.begun.set()
        return task

    def _start(self, lane: Lane) -> None:
        while (task := self._next(lane)) is not None:
            if task.job.work is not None:
                threading.Thread(target=self._work, args=(task,), name=f"theta-{lane.name}", daemon=True).start()

    def _work(self, task: Task | None) -> None:
        """What a thread does: this task, and those whose turn comes after it."""
        while task is not None:
            self._local.task = task
            task.run()
            with self._change:
                lane = task.job.lane
                del self._running[lane][task]
                if not task.wanted:
                    self._forget(task)
                task = self._next(lane)
                self._start(lane)


def _counted(tasks: Sequence[Task]) -> tuple[int, int]:
    """(done, total) over tasks: in what they report where one has, else in tasks."""
    known = [task.total for task in tasks if task.total]
    if not known:
        return sum(task.ended for task in tasks), len(tasks)
    usual = sum(known) / len(known)
    done = sum((task.total or usual) if task.ended else task.done for task in tasks)
    return round(done), round(sum(task.total or usual for task in tasks))


QUEUE = Queue()
