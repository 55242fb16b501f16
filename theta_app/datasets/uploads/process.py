"""A file read in a process of its own, with bounds on memory and time, and an end as soon as nobody wants it.

Two files are read at once, one per owner; who came first goes first.
"""

import contextlib
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Hashable
from pathlib import Path
from queue import Empty, SimpleQueue

from theta_app.datasets.dataset import Dataset
from theta_app.datasets.uploads import worker
from theta_app.datasets.uploads.limits import MAX_UNPACKED, UploadError

SECONDS = 60
MEMORY = 2_000_000_000  # bytes beside what a Python process with its libraries takes
AT_ONCE = 2
_LOOK = 0.1  # seconds between looks at the process; a progress that raises ends it
_ROOT = Path(__file__).resolve().parents[3]
_ENVIRONMENT = {
    **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "ARROW_IO_THREADS"), "1"),
    # memory is bounded by addresses: take no more of them than are used, and give back at once what is let go
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_MMAP_THRESHOLD_": str(1 << 19),
}
_BROKE_OFF = (
    "Reading this file broke off: it is damaged in an unusual way, or the server has too little memory for it. Keep "
    "fewer rows or columns, or save it as CSV (UTF-8), and upload that."
)


def read_upload(
    filename: str,
    data: bytes,
    limit: int = MAX_UNPACKED,
    owner: Hashable = None,
    progress: Callable[[int, float], None] | None = None,
    seconds: int = SECONDS,
    memory: int = MEMORY,
    sheet: str | None = None,
) -> Dataset:
    """`parse_upload` in a process of its own.

    Parameters
    ----------
    filename, data, limit
        As for `parse_upload`.
    owner
        Whose file it is: another one of theirs waits until it is done.
    progress : callable, optional
        Called several times per second with how many files are ahead of this one, and the share that has been read.
        When it raises, the process is ended.
    seconds, memory : int
        What the process may take: from its start, and beside what it has at its start.
    sheet : str, optional
        Of a spreadsheet. With `xlsx.ASK` there is a `WhichSheet` instead of a data set where there are several.
    """
    tell = progress or (lambda ahead, share: None)
    with TURNS.turn(owner, lambda ahead: tell(ahead, 0.0)):
        try:
            reader = Reader(filename, data, limit, seconds, memory, sheet)
        except OSError as error:
            raise UploadError("The server is too busy to read a file just now. Try again in a minute.") from error
        try:
            return reader.result(lambda share: tell(0, share))
        finally:
            reader.end()


class Turns:
    """So many at once, one per owner, in the order they came."""

    def __init__(self, most: int):
        self.most = most
        self._change = threading.Condition()
        self._running: list[Hashable] = []
        self._waiting: list[tuple[object, Hashable]] = []

    @contextlib.contextmanager
    def turn(self, owner: Hashable, waiting: Callable[[int], None]):
        """Wait, calling ``waiting`` with the number of those ahead; what it raises gives the turn up."""
        owner = object() if owner is None else owner
        ticket = (object(), owner)
        with self._change:
            self._waiting.append(ticket)
        try:
            while not self._begins(ticket):
                waiting(self._ahead(ticket))
                with self._change:
                    self._change.wait(_LOOK)
        except BaseException:
            with self._change:
                self._waiting.remove(ticket)
            raise
        try:
            yield
        finally:
            with self._change:
                self._running.remove(owner)
                self._change.notify_all()

    def _begins(self, ticket) -> bool:
        with self._change:
            free = (each for each in self._waiting if each[1] not in self._running)
            if len(self._running) >= self.most or next(free, None) is not ticket:
                return False
            self._waiting.remove(ticket)
            self._running.append(ticket[1])
            return True

    def _ahead(self, ticket) -> int:
        with self._change:
            return len(self._running) + self._waiting.index(ticket)


TURNS = Turns(AT_ONCE)


class Reader:
    """A process that reads one file.

    Attributes
    ----------
    usage : (float, int) or None
        Seconds of the processor and most bytes of memory that it took, once it has answered.
    """

    def __init__(self, filename, data, limit=MAX_UNPACKED, seconds=SECONDS, memory=MEMORY, sheet=None):
        self.seconds, self.memory, self.usage = seconds, memory, None
        paths = [str(_ROOT), os.environ.get("PYTHONPATH", "")]
        name = str(filename)[-1000:].encode("utf-8", "replace")
        wanted = (sheet or "").encode("utf-8", "replace")
        numbers = (len(name), len(wanted), len(data), limit, memory, seconds)
        self.process = subprocess.Popen(
            [sys.executable, "-m", worker.__name__, *map(str, numbers)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            env=os.environ | _ENVIRONMENT | {"PYTHONPATH": os.pathsep.join(filter(None, paths))},
        )
        self._until = time.monotonic() + seconds
        self._answers = SimpleQueue()
        self._threads = (
            threading.Thread(target=_deliver, args=((name, wanted, data), self.process.stdin), daemon=True),
            threading.Thread(target=_collect, args=(self.process.stdout, self._answers), daemon=True),
        )
        for thread in self._threads:
            thread.start()

    def result(self, progress: Callable[[float], None]) -> Dataset:
        """Wait for the data set, calling ``progress`` with the share that has been read; UploadError without one."""
        share = 0.0
        while True:
            with contextlib.suppress(Empty):
                kind, parts = self._answers.get(timeout=_LOOK)
                if kind == worker.READ:
                    return self._unpickled(*parts)
                if kind == worker.REFUSED:
                    refusal, self.usage = pickle.loads(parts[0])
                    raise refusal
                if kind is None:
                    raise UploadError(self._why_it_ended())
                share = pickle.loads(parts[0])
            if time.monotonic() > self._until:
                raise UploadError(worker.needs_time(self.seconds))
            progress(share)

    def end(self) -> None:
        """End the process, whatever it is doing."""
        self.process.kill()
        self.process.wait()
        for thread in self._threads:
            thread.join()
        self.process.stdin.close()
        self.process.stdout.close()

    def _unpickled(self, pickled, *buffers):
        # read-only, as everything that visitors share; the arrays are what has been received, not copies of it
        dataset, self.usage = pickle.loads(pickled, buffers=[memoryview(buffer).toreadonly() for buffer in buffers])
        return dataset

    def _why_it_ended(self):
        try:
            code = self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:  # it is there, but there was no memory for its answer
            return _BROKE_OFF
        if code == worker.OUT_OF_MEMORY:
            return worker.needs_memory(self.memory)
        if code == -getattr(signal, "SIGXCPU", 0):
            return worker.needs_time(self.seconds)
        return _BROKE_OFF


def _deliver(parts, stream):
    with contextlib.suppress(OSError, ValueError):  # a process that has ended is noticed by its missing answer
        for view in map(memoryview, parts):
            while len(view):
                view = view[stream.write(view[: 1 << 20]) :]


def _collect(stream, answers):
    with contextlib.suppress(OSError, ValueError, MemoryError, worker.struct.error):
        while (message := worker.hear(stream)) is not None:
            answers.put(message)
    answers.put((None, ()))
