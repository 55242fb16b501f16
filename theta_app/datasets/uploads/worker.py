"""The process in which one file is read: ``python -m theta_app.datasets.uploads.worker``, started by `process`.

A reader of somebody else's file cannot be interrupted, a process can be ended; and what it may take from the machine
can be bounded. The file comes over standard input, the data set goes back over standard output, its arrays beside the
pickle so that nobody copies them. The process ends when its input does: whoever asked is gone.
"""

import os
import pickle
import struct
import sys
import threading
import time

from theta_app.datasets.uploads import parse_content
from theta_app.datasets.uploads.content import PIECE, Content
from theta_app.datasets.uploads.limits import Allowance, UploadError, said

try:
    import resource
except ImportError:  # not on this system: then only time is limited
    resource = None

PROGRESS, REFUSED, READ = b"progress", b"refused!", b"has read"
OUT_OF_MEMORY = 76  # the exit code that says so
_LENGTH = struct.Struct("<Q")
_PROC = "/proc/self/statm"
_LOOK = 0.05  # seconds between looks at the memory in use
_TELL = 0.1  # seconds between two messages about progress


def main():
    """How long the names of file and sheet are, how long the file, the limits on data set, memory, seconds: in argv."""
    name_size, sheet_size, size, limit, memory, seconds = map(int, sys.argv[1:])
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # whatever a library prints must not run into the answers
    bound(memory, seconds)
    if hasattr(os, "nice"):
        os.nice(2)  # the page comes first
    try:
        name = _exactly(sys.stdin.buffer, name_size).decode()
        sheet = _exactly(sys.stdin.buffer, sheet_size).decode() or None
        pieces = [_exactly(sys.stdin.buffer, min(PIECE, size - start)) for start in range(0, size, PIECE)]
        threading.Thread(target=_end_with_input, daemon=True).start()
        content = Content(pieces)
        del pieces
        dataset = parse_content(name, content, Allowance(limit, _Teller(answers)), sheet)
    except UploadError as error:
        short = isinstance(error.__cause__, MemoryError)
        _say(answers, REFUSED, pickle.dumps((UploadError(needs_memory(memory)) if short else error, usage())))
    except MemoryError:
        _say(answers, REFUSED, pickle.dumps((UploadError(needs_memory(memory)), usage())))
    else:
        buffers = []
        pickled = pickle.dumps((dataset, usage()), protocol=5, buffer_callback=buffers.append)
        _say(answers, READ, pickled, *(buffer.raw() for buffer in buffers))
    os._exit(0)  # nothing is left to be tidied up


def needs_memory(memory):
    return (
        f"This file needs more than {said(memory)} of memory to be read, the most that one file may have. "
        "Keep fewer rows or columns and upload that."
    )


def needs_time(seconds):
    return (
        f"This file needs more than {seconds:g} seconds to be read, the most that one file may have. "
        "Keep fewer rows or columns, or save it as Parquet or NPY, and upload that."
    )


# ---- bounds ----------------------------------------------------------------------------------------------------------


def bound(memory, seconds):
    """Bound this process to so many bytes above what it has now, and so many seconds of the processor.

    Linux refuses memory above the bound. Elsewhere what is in use is looked at; where Python cannot even ask that
    (Windows), only time is limited, by whoever started this.
    """
    if resource is None:
        return
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))  # in case nobody is left to watch
    if os.path.exists(_PROC):
        most = _pages(0) + memory
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        resource.setrlimit(resource.RLIMIT_AS, (most if hard < 0 else min(most, hard), hard))
    threading.Thread(target=_watch, args=(_in_use() + memory,), daemon=True).start()


def _watch(most):
    while _in_use() <= most:
        time.sleep(_LOOK)
    os._exit(OUT_OF_MEMORY)


def _in_use():
    """Bytes of memory in use now, or at most so far where that is all there is to know."""
    return _pages(1) if os.path.exists(_PROC) else peak()


def _pages(field):
    with open(_PROC) as file:
        return int(file.read().split()[field]) * resource.getpagesize()


def usage():
    """(seconds of the processor, most bytes of memory in use) so far; the second is 0 where it cannot be known."""
    return time.process_time(), peak()


def peak():
    if os.path.exists("/proc/self/status"):  # what `resource` says there begins with the parent's peak
        with open("/proc/self/status") as file:
            return next((int(line.split()[1]) * 1024 for line in file if line.startswith("VmHWM:")), 0)
    if resource is None:
        return 0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


# ---- talking ---------------------------------------------------------------------------------------------------------


class _Teller:
    """Tells how far the file has been read, a few times per second."""

    def __init__(self, answers):
        self.answers, self.last = answers, 0.0

    def __call__(self, share):
        now = time.monotonic()
        if now - self.last >= _TELL:
            self.last = now
            _say(self.answers, PROGRESS, pickle.dumps(share))


def _say(answers, kind, *parts):
    """A message: its kind, how many parts, how long each is, and they themselves."""
    views = [memoryview(part).cast("B") for part in parts]
    head = kind + _LENGTH.pack(len(views)) + b"".join(_LENGTH.pack(len(view)) for view in views)
    for view in (memoryview(head), *views):
        while len(view):
            view = view[answers.write(view[: 1 << 30]) :]


def hear(stream):
    """(kind, parts) of the next message, or None at the end of the stream."""
    kind = _exactly(stream, len(PROGRESS))
    if len(kind) < len(PROGRESS):
        return None
    (count,) = _LENGTH.unpack(_exactly(stream, _LENGTH.size))
    lengths = struct.unpack(f"<{count}Q", _exactly(stream, _LENGTH.size * count))
    parts = [_exactly(stream, length) for length in lengths]
    return kind, parts


def _exactly(stream, size):
    """So many bytes, or fewer where the stream ends before."""
    data, position = bytearray(size), 0
    with memoryview(data) as view:
        while position < size and (read := stream.readinto(view[position:])):
            position += read
    del data[position:]
    return data


def _end_with_input():
    sys.stdin.buffer.read(1)
    os._exit(0)


if __name__ == "__main__":
    main()
