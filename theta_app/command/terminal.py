"""What a person at a terminal sees while they wait, and files that are there whole or not at all."""

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

_EVERY = 0.1  # seconds between two lines


class Progress:
    """How far it is, on one line of a terminal; nothing where the errors go into a file or a pipe."""

    def __init__(self) -> None:
        self.terminal, self.last, self.wide = sys.stderr.isatty(), 0.0, 0

    def of(self, what: str) -> Callable[[float, float], None]:
        """``progress(done, total)`` of one thing that takes time."""

        def tell(done: float, total: float) -> None:
            now = time.monotonic()
            if self.terminal and now - self.last >= _EVERY:
                self.last = now
                self._write(f"{what} … {min(done / total, 1.0):.0%}" if total else f"{what} …")

        return tell

    def done(self) -> None:
        """Leave the line as it was found."""
        if self.wide:
            self._write("")
            sys.stderr.write("\r")
            sys.stderr.flush()
            self.wide = 0

    def _write(self, text: str) -> None:
        sys.stderr.write("\r" + text.ljust(self.wide))
        sys.stderr.flush()
        self.wide = len(text)


def write(path: Path, content: bytes) -> None:
    """Write a file under another name first, so that nobody ever finds half of it."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.chmod(name, 0o666 & ~_umask())  # a temporary file is for its owner alone
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
