"""A file read in a process of its own, with bounds on memory and time, and an end as soon as nobody wants it."""

import pickle
import time
from collections.abc import Callable

from theta_app import workers
from theta_app.datasets.dataset import Dataset
from theta_app.datasets.uploads import parse_content
from theta_app.datasets.uploads.content import PIECE, Content
from theta_app.datasets.uploads.limits import MAX_UNPACKED, Allowance, UploadError, said

SECONDS = 60
MEMORY = 2_000_000_000  # bytes beside what a Python process with its libraries takes
_TELL = 0.1  # seconds between two messages about progress


def read_upload(
    filename: str,
    data: bytes,
    limit: int = MAX_UNPACKED,
    progress: Callable[[float], None] | None = None,
    seconds: int = SECONDS,
    memory: int = MEMORY,
    sheet: str | None = None,
) -> Dataset:
    """`parse_upload` in a process of its own.

    ``progress`` gets the share that has been read, several times per second; when it raises, the process is ended.
    Seconds count from its start, memory beside what it has at its start. With `xlsx.ASK` for a sheet there is a
    `WhichSheet` instead of a data set where there are several.
    """
    share = 0.0

    def look(told: list[float]) -> None:
        nonlocal share
        share = told[-1] if told else share
        if progress is not None:
            progress(share)

    try:
        return workers.run(read, *_arguments(filename, data, limit, sheet), look=look, seconds=seconds, memory=memory)
    except MemoryError as error:
        raise UploadError(
            f"Reading this file needs more than {said(memory)} of memory, the most that one file may use. Keep fewer "
            "rows or columns and upload that."
        ) from error
    except TimeoutError as error:
        raise UploadError(
            f"Reading this file needs more than {seconds:g} seconds, the most that one file may take. Keep fewer rows "
            "or columns, or save it as Parquet or NPY, and upload that."
        ) from error
    except workers.Died as error:
        raise UploadError(_BROKE_OFF) from error
    except OSError as error:
        raise UploadError("The server is too busy to read a file just now. Try again in a minute.") from error


def _arguments(filename: str, data: bytes, limit: int, sheet: str | None) -> tuple:
    """What `read` is given: the file in pieces, none of them copied on the way."""
    view = memoryview(data)
    pieces = [pickle.PickleBuffer(view[start : start + PIECE]) for start in range(0, len(view), PIECE)]
    return str(filename)[-1000:], pieces, limit, sheet


def read(say: Callable[[float], None], filename: str, pieces: list, limit: int, sheet: str | None) -> Dataset:
    """What the process does."""
    content = Content(piece.obj for piece in pieces)  # the bytes that a view is of
    pieces.clear()  # they are let go while the file is read
    told = 0.0

    def tell(share: float) -> None:
        nonlocal told
        if time.monotonic() - told >= _TELL:
            told = time.monotonic()
            say(share)

    try:
        return parse_content(filename, content, Allowance(limit, tell), sheet)
    except UploadError as error:
        if isinstance(error.__cause__, MemoryError):
            raise error.__cause__ from None
        raise


_BROKE_OFF = (
    "Reading this file failed: it is damaged in an unusual way, or the server has too little memory for it. Keep "
    "fewer rows or columns, or save it as CSV (UTF-8), and upload that."
)
