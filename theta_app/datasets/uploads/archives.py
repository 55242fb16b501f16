"""Packed files, opened with a bound: a small file can unpack to more than the memory holds."""

import io
import zipfile
import zlib

from theta_app.datasets.uploads.limits import MAX_UNPACKED, UploadError, check_unpacked

MAX_ENTRIES = 5_000
CHUNK = 1 << 20


def gunzip(data):
    """The content of a .gz file (all its members), never more than the limit."""
    parts, size = [], 0
    rest = data
    while rest.startswith(b"\x1f\x8b"):  # bytes after the last member are padding
        stream = zlib.decompressobj(wbits=31)
        view, position = memoryview(rest), 0
        while not stream.eof:
            pending = stream.unconsumed_tail
            if not pending:
                pending = view[position : position + CHUNK]
                position += len(pending)
            if not pending:
                raise UploadError("The .gz file is cut short. Pack it or download it again.")
            try:
                part = stream.decompress(pending, CHUNK)
            except zlib.error as error:
                raise UploadError(
                    "The .gz file is damaged and cannot be unpacked. Pack or download it again."
                ) from error
            size += len(part)
            check_unpacked(size)
            parts.append(part)
        rest = stream.unused_data + bytes(view[position:])
    return b"".join(parts)


def open_zip(data, what):
    """A zip file whose entries are few, readable and together within the limit."""
    if data.count(b"PK\x01\x02") > MAX_ENTRIES:
        raise UploadError(
            f"The {what} file holds more than {MAX_ENTRIES:,} parts. Save the table alone and upload that."
        )
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except Exception as error:  # zipfile raises half a dozen types on broken input
        raise UploadError(f"The {what} file is damaged or cut short. Save or download it again.") from error
    for info in archive.infolist():
        if info.flag_bits & 1:
            raise UploadError(f"The {what} file is protected by a password. Save it without one.")
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise UploadError(f"The {what} file is packed in a way that cannot be read here. Save it again, or as CSV.")
    check_unpacked(sum(info.file_size for info in archive.infolist()))
    return archive


def chunks_of(archive, info):
    """The content of one part, a piece at a time; never more than it declared."""
    left = min(info.file_size, MAX_UNPACKED)
    with archive.open(info) as file:
        while left > 0 and (piece := file.read(min(CHUNK, left))):
            left -= len(piece)
            yield piece
