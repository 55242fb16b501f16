"""A comparison on its way: steps handed to a worker process one by one, each with a time budget.

It can be stopped at any time. Nothing here waits: whoever shows the comparison calls `Run.poll` a few times a second,
which is also the sign that it is still wanted.
"""

import contextlib
import os
import pickle
import subprocess
import sys
import threading
import time
import weakref
from collections import deque
from pathlib import Path
from queue import Empty, SimpleQueue

from theta_app.compare import worker
from theta_app.compare.measure import OVER
from theta_app.compare.steps import without_result

_AHEAD = 4  # steps a worker knows of beyond the one it runs, so that it need not wait for the next poll
_ROOT = Path(__file__).resolve().parents[2]
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS", "NPROC")  # JAX: NPROC
_DIED = "The process that ran it ended; it may have needed more memory than there is."
MOST_WORKERS = max(2, os.cpu_count() or 1)
SLOTS = threading.BoundedSemaphore(MOST_WORKERS)
"""One per worker that may run: whoever starts one takes it without waiting, and gives it back when the worker ends."""


class Worker:
    """A worker process and the answers that have come from it."""

    def __init__(self, patience=worker.PATIENCE, module=worker.__name__, niceness=0):
        paths = [str(_ROOT), os.environ.get("PYTHONPATH", "")]
        env = os.environ | dict.fromkeys(_THREADS, "1") | {"PYTHONPATH": os.pathsep.join(filter(None, paths))}
        self.process = subprocess.Popen(
            [sys.executable, "-m", module, str(patience)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=env,
        )
        if niceness and hasattr(os, "setpriority"):
            with contextlib.suppress(OSError):  # it has ended already: that is noticed elsewhere
                os.setpriority(os.PRIO_PROCESS, self.process.pid, niceness)
        self.answers = SimpleQueue()
        threading.Thread(target=_collect, args=(self.process.stdout, self.answers), daemon=True).start()
        self.outbox = SimpleQueue()
        threading.Thread(target=_deliver, args=(self.outbox, self.process.stdin), daemon=True).start()
        # also when the session that held it is forgotten
        self.end = weakref.finalize(self, _end, self.process, self.outbox)

    def tell(self, *message):
        """Send a message, without waiting until it is read: points may be large, and a worker takes time to start."""
        self.outbox.put(message)

    def heard(self):
        """Answers since the last call."""
        found = []
        with contextlib.suppress(Empty):
            while True:
                found.append(self.answers.get_nowait())
        return found


def _collect(stream, answers):
    with stream, contextlib.suppress(EOFError, OSError, ValueError, pickle.UnpicklingError):
        while True:
            answers.put(pickle.load(stream))


def _deliver(outbox, stream):
    # a worker that has died is noticed by its missing answers
    with contextlib.suppress(OSError, ValueError):
        while (message := outbox.get()) is not None:
            pickle.dump(message, stream, protocol=pickle.HIGHEST_PROTOCOL)
            stream.flush()
    with contextlib.suppress(OSError):
        stream.close()


def _end(process, outbox):
    outbox.put(None)
    process.kill()
    process.wait()


class Run:
    """Steps being measured.

    Parameters
    ----------
    steps : iterable of Step
    budget : float
        Seconds of waiting after which a step is given up.
    points : (key, X, truth), optional
        The points of steps whose ``data`` is a key rather than a spec; see `PointsAtHand.hand_over`.
    slots : semaphore
        Where its worker takes its place.
    niceness : int
        How far its worker gives way to others, 0 to 19.
    """

    def __init__(self, steps, budget, points=None, *, slots=SLOTS, niceness=0):
        self.budget = budget
        self._slots, self._niceness = slots, niceness
        self._points = points
        self._todo = deque(steps)
        self._sent = {}  # number -> step, in the order they were sent
        self._numbers = iter(range(sys.maxsize))
        self._running = None  # number of the step that runs, and since when
        self._worker = None
        self._lock = threading.Lock()  # two script runs of one session may poll at once
        self.total = len(self._todo)
        self.done = 0

    @property
    def active(self):
        """Whether there is anything left to wait for."""
        return bool(self._todo or self._sent)

    @property
    def waiting(self):
        """True while other comparisons hold all the workers this machine has."""
        return self.active and self._worker is None

    @property
    def current(self):
        """(step, seconds it has been running), or None."""
        running = self._running
        step = self._sent.get(running[0]) if running else None
        return (step, time.monotonic() - running[1]) if step else None

    def poll(self):
        """What has been finished since the last call: a list of (step, row, Picture or None). Never waits."""
        with self._lock:
            if not self.active or not self._have_worker():
                return []
            self._worker.tell(worker.BEAT)
            finished = self._take()
            self._end_if_over(finished)
            self._send()
            if not self.active:
                self._drop_worker()
            return finished

    def stop(self):
        """End at once. Steps not finished are forgotten; a new `Run` may take them up."""
        with self._lock:
            self._todo.clear()
            self._sent.clear()
            self._drop_worker()

    def _have_worker(self):
        if self._worker is None:
            if not self._slots.acquire(blocking=False):
                return False
            self._worker = Worker(niceness=self._niceness)
            self._release = weakref.finalize(self, self._slots.release)
            if self._points is not None:
                self._worker.tell(worker.POINTS, None, self._points)
        return True

    def _drop_worker(self):
        self._running = None
        if self._worker is not None:
            self._worker.end()
            self._worker = None
            self._release()

    def _take(self):
        finished = []
        for kind, number, *content in self._worker.heard():
            if kind == worker.STARTED:
                self._running = number, time.monotonic()
            elif kind == worker.DONE:
                step = self._sent.pop(number)
                self._running = None
                self.done += 1
                finished.append((step, *content))
        return finished

    def _end_if_over(self, finished):
        """Give up the step that has passed its budget, or with which the worker died, and start over after it."""
        died = self._worker.process.poll() is not None
        unwanted = self._worker.process.poll() == worker.UNWANTED  # nobody looked for a while; now somebody does
        over = self._running is not None and time.monotonic() - self._running[1] > self.budget
        if not died and not over:
            return
        running = self._running[0] if self._running else next(iter(self._sent), None)
        step = None if unwanted else self._sent.pop(running, None)
        if step is not None:
            self.done += 1
            if over:
                row = without_result(step, f"Given up after {self.budget:g} seconds.", OVER)
            else:
                row = without_result(step, _DIED)
            finished.append((step, row, None))
        self._todo.extendleft(reversed(self._sent.values()))
        self._sent.clear()
        self._drop_worker()
        if self._todo:
            self._have_worker()

    def _send(self):
        while self._worker is not None and self._todo and len(self._sent) <= _AHEAD:
            step = self._todo.popleft()
            number = next(self._numbers)
            self._sent[number] = step
            self._worker.tell(worker.STEP, number, step)
