"""Packed files, opened with a bound: a small file can unpack to more than the memory holds."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from theta_app.datasets.needed import Needed
from theta_app.datasets.uploads.content import Piece
from theta_app.datasets.uploads.limits import Allowance, UploadError

if TYPE_CHECKING:
    import pyarrow as pa
else:
    pa = Needed("pyarrow", "files", UploadError)

MAX_ENTRIES = 5_000
MAX_MEMBERS = 100_000
CHUNK = 1 << 20
_FED = 1 << 16  # bytes given to zlib at once: what follows the end of a member is copied


def unpacked(parts: Iterable[Piece], allowance: Allowance) -> Iterator[bytes]:
    """The content of a .gz file (all its members) in parts, never more than the allowance.

    ``parts`` gives the bytes of the file in order. What follows the last member is padding.
    """
    stream, size, members = None, 0, 0
    for pending in _small(parts):
        while len(pending):
            if stream is None:
                if members and not b"\x1f\x8b".startswith(bytes(pending[:2])):  # it begins no other member
                    return
                members += 1
                if members > MAX_MEMBERS:
                    raise UploadError("The .gz file is made of far too many parts. Unpack it and pack it again.")
                stream = zlib.decompressobj(wbits=31)
            try:
                part = stream.decompress(pending, CHUNK)
            except zlib.error as error:
                raise UploadError(
                    "The .gz file is damaged and cannot be unpacked. Pack or download it again."
                ) from error
            size += len(part)
            allowance.check(size)
            if part:
                yield part
            pending = stream.unused_data if stream.eof else stream.unconsumed_tail
            if stream.eof:
                stream = None
    if stream is not None:
        raise UploadError("The .gz file is cut short. Pack it or download it again.")


def _small(parts: Iterable[Piece]) -> Iterator[Piece]:
    for part in parts:
        for start in range(0, len(part), _FED):
            yield part[start : start + _FED]


def open_zip(data: Any, what: str, allowance: Allowance) -> zipfile.ZipFile:
    """A zip file whose entries are few, readable and together within the allowance."""
    if data.count(b"PK\x01\x02") > MAX_ENTRIES:
        raise UploadError(
            f"The {what} file holds more than {MAX_ENTRIES:,} parts. Save the table alone and upload that."
        )
    try:
        archive = zipfile.ZipFile(file_of(data))
    except Exception as error:  # zipfile raises half a dozen types on broken input
        raise UploadError(f"The {what} file is damaged or cut short. Save or download it again.") from error
    for info in archive.infolist():
        if info.flag_bits & 1:
            raise UploadError(f"The {what} file is protected by a password. Save it without one.")
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise UploadError(f"The {what} file is packed in a way that cannot be read here. Save it again, or as CSV.")
    allowance.check(sum(info.file_size for info in archive.infolist()))
    return archive


def file_of(data: Any) -> Any:
    """Bytes of any kind as a file, without the copy that io.BytesIO makes of some."""
    return pa.BufferReader(data)


def chunks_of(archive: zipfile.ZipFile, info: zipfile.ZipInfo, chunk: int = CHUNK) -> Iterator[bytes]:
    """The content of one part, a piece at a time; never more than it declared."""
    left = info.file_size
    with archive.open(info) as file:
        while left > 0 and (piece := file.read(min(chunk, left))):
            left -= len(piece)
            yield piece
