"""The text of a file, unpacked and decoded a part at a time: it is never in memory as a whole."""

import codecs
from collections.abc import Iterable, Iterator
from typing import Any

from theta_app.datasets.uploads.archives import unpacked
from theta_app.datasets.uploads.content import Content, Piece, Stream
from theta_app.datasets.uploads.limits import Allowance, UploadError

SAMPLE_BYTES = 1 << 20
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_NOT_WINDOWS = b"\x81\x8d\x8f\x90\x9d"  # bytes that mean nothing in cp1252


class Text:
    """What a file says. It is walked through once to know its encoding and size, and then read.

    ``head`` are the first bytes, `SAMPLE_BYTES` and one more if there are; the encoding "utf-8", "cp1252" (as Windows
    writes it, with its €) or "latin-1", of the head and of what is read: UTF-16 becomes UTF-8. ``size`` are bytes,
    ``lines`` how often a line ends among them.
    """

    def __init__(self, content: Content, packed: bool, allowance: Allowance) -> None:
        self._content, self._packed, self._allowance = content, packed, allowance
        start = next(self._unpacked(content.walk()), b"")
        self._utf16 = bytes(start[:2]) in _UTF16
        self.head, self.size, self.lines = b"", 0, 0
        decoder = codecs.getincrementaldecoder("utf-8")()
        self.encoding, other = "utf-8", "cp1252"
        for part in self._parts(content.walk()):
            if len(self.head) <= SAMPLE_BYTES:
                self.head += bytes(part[: SAMPLE_BYTES + 1 - len(self.head)])
                if b"\x00" in self.head:
                    return  # not text: whoever looks at the head says so
            self.size += len(part)
            part = bytes(part)
            self.lines += part.count(b"\n") or part.count(b"\r")
            if len(part.translate(None, _NOT_WINDOWS)) < len(part):
                other = "latin-1"
            if self.encoding == "utf-8" and not _decodes(decoder, part):
                self.encoding = ""
        if not self.encoding or not _decodes(decoder, b"", final=True):
            self.encoding = other

    def file(self) -> Stream:
        """The text as a file to read once. What it was made of is let go on the way."""
        return Stream(self._told(self._parts(self._content.drain())))

    def whole(self) -> bytes:
        """The text in one piece. What it was made of is let go on the way."""
        return b"".join(self._told(self._parts(self._content.drain())))

    def _told(self, parts: Iterable[Piece]) -> Iterator[Piece]:
        done = 0
        for part in parts:
            yield part
            done += len(part)
            self._allowance.tell(done / max(self.size, 1))

    def _parts(self, raw: Iterable[Piece]) -> Iterator[Piece]:
        parts = self._unpacked(raw)
        return _from_utf16(parts) if self._utf16 else _without_mark(parts)

    def _unpacked(self, raw: Any) -> Any:
        return unpacked(raw, self._allowance) if self._packed else raw


def _decodes(decoder: codecs.IncrementalDecoder, part: Piece, final: bool = False) -> bool:
    try:
        decoder.decode(part, final)
    except UnicodeDecodeError:
        return False
    return True


def _from_utf16(parts: Iterable[Piece]) -> Iterator[bytes]:
    decoder = codecs.getincrementaldecoder("utf-16")()
    try:
        for part in parts:
            yield decoder.decode(part).encode()
        yield decoder.decode(b"", True).encode()
    except UnicodeError as error:
        raise UploadError("The text in the file is damaged. Save it again as CSV (UTF-8).") from error


def _without_mark(parts: Iterable[Piece]) -> Iterator[Piece]:
    """Without the byte-order mark, which no column's name begins with."""
    parts = iter(parts)
    start = bytes(next(parts, b""))
    yield start.removeprefix(codecs.BOM_UTF8)
    yield from parts
