"""The bytes of a file in pieces, let go while they are read for the last time.

A table and the text it was read from need not be in memory together.
"""

import io
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

PIECE = 1 << 20
Piece = bytes | bytearray | memoryview
"""Bytes in any form."""


class Content:
    """What was uploaded.

    Parameters
    ----------
    pieces : iterable of bytes-like
        Whoever keeps no reference of their own gets the memory back as soon as it can be had.
    """

    def __init__(self, pieces: Iterable[Piece]) -> None:
        self._pieces = deque(pieces)
        self.size = sum(map(len, self._pieces))

    def head(self, size: int) -> bytes:
        """The first bytes, at most ``size``."""
        parts, missing = [], size
        for piece in self._pieces:
            if missing <= 0:
                break
            parts.append(bytes(memoryview(piece)[:missing]))
            missing -= len(parts[-1])
        return b"".join(parts)

    def whole(self) -> Any:
        """Everything in one piece. The content is empty afterwards."""
        if len(self._pieces) == 1:
            return self._pieces.pop()
        joined, position = bytearray(self.size), 0
        while self._pieces:
            piece = self._pieces.popleft()
            joined[position : position + len(piece)] = piece
            position += len(piece)
        return joined

    def walk(self) -> Iterator[memoryview]:
        """Everything in small parts, and it stays."""
        for piece in self._pieces:
            yield from _parts(piece)

    def drain(self) -> Iterator[memoryview]:
        """Everything in small parts, each let go after it. The content is empty afterwards."""
        while self._pieces:
            yield from _parts(self._pieces.popleft())


def _parts(piece: Piece) -> Iterator[memoryview]:
    view = memoryview(piece)
    for start in range(0, len(view), PIECE):
        yield view[start : start + PIECE]


class Stream(io.RawIOBase):
    """Parts of bytes, one after the other, as a file to read once."""

    def __init__(self, parts: Iterable[Piece]) -> None:
        self._parts, self._rest = iter(parts), memoryview(b"")

    def readable(self) -> bool:
        """Always True, as `io` asks."""
        return True

    def readinto(self, target: Any) -> int:
        """Fill `target` with what comes next; returns how many bytes that were, 0 at the end."""
        while not len(self._rest):
            part = next(self._parts, None)
            if part is None:
                return 0
            self._rest = memoryview(part)
        count = min(len(target), len(self._rest))
        target[:count] = self._rest[:count]
        self._rest = self._rest[count:]
        return count
