"""Work in a process of its own: it can be ended at any time, and what it takes from the machine is bounded.

A fit of another library, or a reader of somebody's file, cannot be interrupted; a process can be ended. There is one
protocol for all of them: a function, named by its module, is called as ``function(say, *arguments)``; whatever it says
arrives in its order, and at last what it returns or raises. Messages are pickles, arrays and buffers beside them so
that nobody copies them. The process ends when its input does: whoever asked is gone.
"""

import contextlib
import importlib
import os
import pickle
import signal
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import IO, Any, Self

try:
    import resource
except ImportError:  # not on this system: then only time is limited
    resource = None  # type: ignore[assignment]

LOOK = 0.1  # seconds between two looks at a process; a `look` that raises ends it
OUT_OF_MEMORY = 76  # the exit code that says so
_SAID, _RETURNED, _RAISED = range(3)
_ROOT = Path(__file__).resolve().parents[1]
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS", "ARROW_IO_THREADS")
_FEW_ADDRESSES = {  # memory is bounded by addresses: take no more than are used, give back at once what is let go
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_MMAP_THRESHOLD_": str(1 << 19),
}


class Died(Exception):
    """The process ended before its work did: it was killed, or crashed."""


def run(function: Callable, *arguments: object, look: Callable[[list], None] | None = None, **limits: Any) -> Any:
    """The value of ``function(say, *arguments)``, computed in a process of its own with the limits of a `Worker`.

    The function is at the top level of a module; what it says, returns and raises can be pickled. ``look`` is called in
    this thread several times per second with what has been said since, often an empty list; what it raises ends the
    process and passes through, as does what the function raises. `MemoryError` and `TimeoutError` where it needs more
    than it may have; `Died` where it ends otherwise; `OSError` where no process can be started.
    """
    with Worker(function, *arguments, **limits) as worker:
        return worker.result(look)


class Worker:
    """A process that runs one function.

    It may take so many seconds from its start, of the clock and of the processor, and so many bytes beside what it has
    when its modules are imported; its niceness (0 to 19) is how far it gives way, threads are those of numerical
    libraries, None as many as they like. Once it has answered, ``usage`` is what it took: seconds of the processor,
    most bytes of memory.
    """

    def __init__(
        self,
        function: Callable,
        *arguments: object,
        seconds: int | None = None,
        memory: int | None = None,
        niceness: int = 2,
        threads: int | None = 1,
    ) -> None:
        self.seconds, self.usage = seconds, None
        settings = dict.fromkeys(_THREADS, str(threads)) | {"NPROC": str(threads)} if threads else {}  # JAX: NPROC
        settings |= _FEW_ADDRESSES if memory else {}
        paths = [str(_ROOT), os.environ.get("PYTHONPATH", "")]
        name = f"{function.__module__}:{function.__qualname__}"
        self.process = subprocess.Popen(
            [sys.executable, "-c", _CHILD, name, *map(str, (memory or 0, seconds or 0, niceness))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            env=os.environ | settings | {"PYTHONPATH": os.pathsep.join(filter(None, paths))},
        )
        self._until = time.monotonic() + seconds if seconds else None
        self._answers: SimpleQueue = SimpleQueue()
        self._threads = (
            threading.Thread(target=_deliver, args=(self.process.stdin, arguments), daemon=True),
            threading.Thread(target=_collect, args=(self.process.stdout, self._answers), daemon=True),
        )
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def result(self, look: Callable[[list], None] | None = None) -> Any:
        """Wait for what the function returns or raises; see `run`."""
        while True:
            answers = self._heard()
            if look is not None:
                look([content for kind, content in answers if kind == _SAID])
            kind, content = answers[-1] if answers else (_SAID, None)
            if kind == _RETURNED:
                value, self.usage = content  # type: ignore[misc]
                return value
            if kind == _RAISED:
                error, self.usage = content  # type: ignore[misc]
                raise error
            if kind is None:
                raise self._why_it_ended()
            if self._until is not None and time.monotonic() > self._until:
                raise TimeoutError(f"it needs more than {self.seconds:g} seconds")

    def end(self) -> None:
        """End the process, whatever it is doing."""
        self.process.kill()
        self.process.wait()
        for thread in self._threads:
            thread.join()
        self.process.stdin.close()  # type: ignore[union-attr]
        self.process.stdout.close()  # type: ignore[union-attr]

    def _heard(self) -> list[tuple[int | None, Any]]:
        """(kind, content) of what has come, after a short wait for the first."""
        found = []
        with contextlib.suppress(Empty):
            found.append(self._answers.get(timeout=LOOK))
            while found[-1][0] == _SAID:
                found.append(self._answers.get_nowait())
        return found

    def _why_it_ended(self) -> Exception:
        try:
            code = self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:  # it is there, but there was no memory for its answer
            return Died("its answer could not be taken")
        if code == OUT_OF_MEMORY:
            return MemoryError("it needs more memory than it may have")
        if code == -getattr(signal, "SIGXCPU", 0):
            return TimeoutError("it needs more time of the processor than it may have")
        return Died(f"it ended with {code}")


def _deliver(stream: IO[bytes], arguments: tuple) -> None:
    with contextlib.suppress(OSError, ValueError):  # a process that has ended is noticed by its missing answer
        _send(stream, arguments)


def _collect(stream: IO[bytes], answers: SimpleQueue) -> None:
    with contextlib.suppress(Exception):  # it has ended, or there is no memory for its answer
        while True:
            answers.put(_receive(stream, read_only=True))
    answers.put((None, None))


# ---- messages --------------------------------------------------------------------------------------------------------

_LENGTH = struct.Struct("<Q")


def _send(stream: IO[bytes], message: object) -> None:
    """How many parts, how long each is, and they themselves: a pickle, then its buffers."""
    buffers: list = []
    pickled = pickle.dumps(message, protocol=5, buffer_callback=buffers.append)
    views = [memoryview(pickled), *(buffer.raw() for buffer in buffers)]
    head = _LENGTH.pack(len(views)) + b"".join(_LENGTH.pack(len(view)) for view in views)
    for view in (memoryview(head), *views):
        while len(view):
            view = view[stream.write(view[: 1 << 20]) :]


def _receive(stream: IO[bytes], read_only: bool = False) -> Any:
    """The next message. EOFError where there is none any more.

    Its arrays are what has been received, not copies of it; ``read_only``, as everything that visitors share.
    """
    (count,) = _LENGTH.unpack(_exactly(stream, _LENGTH.size))
    lengths = struct.unpack(f"<{count}Q", _exactly(stream, _LENGTH.size * count))
    pickled, *buffers = (_exactly(stream, length) for length in lengths)
    if read_only:
        buffers = [memoryview(buffer).toreadonly() for buffer in buffers]
    return pickle.loads(pickled, buffers=buffers)


def _exactly(stream: Any, size: int) -> bytearray:
    data, position = bytearray(size), 0
    with memoryview(data) as view:
        while position < size:
            read = stream.readinto(view[position:])
            if not read:
                raise EOFError
            position += read
    return data


# ---- in the process --------------------------------------------------------------------------------------------------

_CHILD = "from theta_app import workers; workers.serve()"
_STATM, _STATUS = "/proc/self/statm", "/proc/self/status"
_LOOK_AT_MEMORY = 0.05  # seconds


def serve() -> None:
    """Run the function that the command line names, within the limits it gives: memory, seconds, niceness."""
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # whatever a library prints must not run into the answers
    name, *numbers = sys.argv[1:]
    memory, seconds, niceness = map(int, numbers)
    module, function = name.split(":")
    function = getattr(importlib.import_module(module), function)
    bound(memory, seconds)
    if hasattr(os, "nice"):
        os.nice(niceness)
    try:
        value = function(partial(_say, answers), *_arguments())
        _send(answers, (_RETURNED, (value, usage())))
    except Exception as error:
        _send(answers, (_RAISED, (_sendable(error), usage())))
    os._exit(0)  # nothing is left to be tidied up


def _say(answers: IO[bytes], message: object) -> None:
    _send(answers, (_SAID, message))


def _arguments() -> tuple:
    try:
        found = _receive(sys.stdin.buffer)
    except EOFError:
        os._exit(0)
    threading.Thread(target=_end_with_input, daemon=True).start()
    return found


def _sendable(error: Exception) -> Exception:
    try:
        pickle.loads(pickle.dumps(error))
        return error
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")


def _end_with_input() -> None:
    sys.stdin.buffer.read(1)
    os._exit(0)


def bound(memory: int, seconds: int) -> None:
    """Bound this process to so many bytes above what it has now, and so many seconds of the processor; 0: no bound.

    Linux refuses memory above the bound. Elsewhere what is in use is looked at; where Python cannot even ask that
    (Windows), only time is limited, by whoever started this.
    """
    if resource is None:
        return
    if seconds:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))  # in case nobody is left to watch
    if not memory:
        return
    if os.path.exists(_STATM):
        most = _pages(0) + memory
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        resource.setrlimit(resource.RLIMIT_AS, (most if hard < 0 else min(most, hard), hard))
    threading.Thread(target=watch_memory, args=(memory_in_use() + memory,), daemon=True).start()


def watch_memory(most: int) -> None:
    """End this process as soon as it uses more than so many bytes."""
    while memory_in_use() <= most:
        time.sleep(_LOOK_AT_MEMORY)
    os._exit(OUT_OF_MEMORY)


def memory_in_use() -> int:
    """Bytes of memory in use now, or at most so far where that is all there is to know."""
    return _pages(1) if os.path.exists(_STATM) else _peak()


def _pages(field: int) -> int:
    with open(_STATM) as file:
        return int(file.read().split()[field]) * resource.getpagesize()


def usage() -> tuple[float, int]:
    """(seconds of the processor, most bytes of memory in use) so far; the second is 0 where it cannot be known."""
    return time.process_time(), _peak()


def _peak() -> int:
    if os.path.exists(_STATUS):  # what `resource` says there begins with the parent's peak
        with open(_STATUS) as file:
            return next((int(line.split()[1]) * 1024 for line in file if line.startswith("VmHWM:")), 0)
    if resource is None:
        return 0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024
