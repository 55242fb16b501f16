"""Small files that would hurt: they unpack to gigabytes, or make an XML parser begin again and again.

Each is made cheaply, and is an honest file of its format.
"""

import functools
import gzip
import io
import zipfile

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow.feather import write_feather

from tests.datasets.files import EVERY_FORMAT

_BLOCK = 1 << 22


SHEET = "xl/worksheets/sheet1.xml"
STRINGS = "xl/sharedStrings.xml"
_TYPES = "[Content_Types].xml"
_STRINGS_TYPE = b"application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"


def with_long_attribute(size=25_000_000, part=SHEET, tag=b"<row "):
    """A spreadsheet with a tag that has an attribute of ``size`` bytes."""
    return spreadsheet({part: lambda old: (*_split(old, tag), b'long="' + b"1" * size + b'" ')})


def with_long_attribute_in_utf16(size=25_000_000):
    """The same in an encoding in which any letter may look like the end of a tag: 㰼 is two of ``<``, 㸾 of ``>``."""

    def change(old):
        head, rest = _split(old.decode().encode("utf-16-le"), "<row ".encode("utf-16-le"))
        return b"\xff\xfe" + head, rest, 'long="'.encode("utf-16-le") + b"<<>>" * (size // 4) + '" '.encode("utf-16-le")

    return spreadsheet({SHEET: change})


def with_long_comment(size=25_000_000):
    """A spreadsheet with a comment full of what looks like tags."""
    return spreadsheet({SHEET: lambda old: (*_split(old, b"<sheetData>"), b"<!--" + b"<a> " * (size // 4) + b"-->")})


def with_sheet_by_another_name(size=25_000_000):
    """A spreadsheet with a long attribute in a part that is not called XML."""
    hidden = "xl/media/picture.png"

    def renamed(old):
        return (old.replace(SHEET.encode(), hidden.encode()),)

    sheet = zipfile.ZipFile(io.BytesIO(EVERY_FORMAT["sheet.xlsx"])).read(SHEET)
    head, rest = _split(sheet, b"<row ")
    changes = {_TYPES: renamed, "xl/_rels/workbook.xml.rels": renamed}
    return spreadsheet(changes, {hidden: [head, b'long="' + b"1" * size + b'" ', rest]})


def with_long_shared_string(size=400_000_000):
    """A spreadsheet whose texts are in a list, one of them ``size`` bytes long."""
    override = b'<Override PartName="/%b" ContentType="%b" />' % (STRINGS.encode(), _STRINGS_TYPE)
    space = b"http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    strings = [b'<sst xmlns="%b"><si><t>' % space, *[b"a" * _BLOCK] * (size // _BLOCK), b"</t></si></sst>"]
    return spreadsheet({_TYPES: lambda old: (old.replace(b"</Types>", override + b"</Types>"),)}, {STRINGS: strings})


def spreadsheet(changes, added=()):
    """The small spreadsheet with other parts.

    ``changes`` has a function of the old content per part: it gives the new, or (before, after, what comes between).
    ``added`` has the pieces of further parts.
    """
    file = io.BytesIO()
    sheet = zipfile.ZipFile(io.BytesIO(EVERY_FORMAT["sheet.xlsx"]))
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as out:
        for name in sheet.namelist():
            before, *others = changes.get(name, lambda old: (old,))(sheet.read(name))
            _write(out, name, [before, *reversed(others)])
        for name, pieces in dict(added).items():
            _write(out, name, pieces)
    return file.getvalue()


def _write(archive, name, pieces):
    with archive.open(name, "w") as part:
        for piece in pieces:
            part.write(piece)


def _split(content, tag):
    """What comes before the attributes of the first such tag, and the rest."""
    assert tag in content
    end = content.index(tag) + len(tag)
    return content[:end], content[end:]


def parquet_of_zeros(rows=2_000_000, columns=100):
    """Zeros, which Parquet packs into almost nothing."""
    zeros = pa.array(np.zeros(rows))  # the same memory for every column
    file = io.BytesIO()
    pq.write_table(pa.table({f"c{j}": zeros for j in range(columns)}), file, compression="zstd", write_statistics=False)
    return file.getvalue()


def npz_of_zeros(rows=1_900_000, columns=120):
    """An array of zeros, packed a block at a time."""
    file = io.BytesIO()
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<f8", "fortran_order": False, "shape": (rows, columns)})
    block, left = bytes(_BLOCK), 8 * rows * columns
    with (
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as out,
        out.open("X.npy", "w", force_zip64=True) as target,
    ):
        target.write(header.getvalue())
        while left:
            left -= target.write(block[:left])
    return file.getvalue()


def feather_of_zeros(rows=2_000_000, columns=100):
    """Zeros, which Feather packs into almost nothing too."""
    zeros = pa.array(np.zeros(rows))
    file = io.BytesIO()
    write_feather(pa.table({f"c{j}": zeros for j in range(columns)}), file, compression="zstd")
    return file.getvalue()


def feather_of_one_text(rows=20_000, length=10_000):
    """A long text in every row, which written out takes 200 MB."""
    text = pa.array(["long text " * (length // 10)] * 1000)
    file = io.BytesIO()
    table = pa.table({"t": pa.chunked_array([text] * (rows // 1000)), "x": np.arange(rows // 1000 * 1000.0)})
    write_feather(table, file, compression="zstd", chunksize=1000)
    return file.getvalue()


def json_of_long_record(size=100_000_000):
    """A record that holds a list without end."""
    return gzip.compress(b'[{"a": [', 1) + gzip.compress(b"1," * (_BLOCK // 2), 9) * (size // _BLOCK)


def json_of_deep_record(depth=1_000_000):
    """Records within records."""
    return b'{"a":' * depth + b"1" + b"}" * depth


def json_of_other_keys(records=1_000_000):
    """Records of one value each under one of 2,000 keys: as a table it is 16 GB of nothing."""
    block = "".join(f'{{"k{i % 2000}":1}}\n' for i in range(records // 100)).encode()
    return gzip.compress(block, 9) * 100


def gz_of_text(size=1_900_000_000, line=b"0.125,0.25,1.5,2.75\n"):
    """Text as many members of a .gz file, each packed once."""
    block = line * (_BLOCK // len(line))
    return gzip.compress(block, 9) * (size // len(block))


def many_empty_members(count=500_000):
    """A .gz file of nothing, over and over."""
    return gzip.compress(b"0,1\n2,3\n") + gzip.compress(b"") * count


FILES = {
    "attribute.xlsx": with_long_attribute,
    "attribute in the styles.xlsx": functools.partial(with_long_attribute, 15_000_000, "xl/styles.xml", b"<name "),
    "attribute in UTF-16.xlsx": with_long_attribute_in_utf16,
    "attribute in a picture.xlsx": with_sheet_by_another_name,
    "comment.xlsx": with_long_comment,
    "shared string.xlsx": with_long_shared_string,
    "zeros.parquet": parquet_of_zeros,
    "zeros.npz": npz_of_zeros,
    "zeros.feather": feather_of_zeros,
    "list.json.gz": json_of_long_record,
    "deep.json": json_of_deep_record,
    "keys.json.gz": json_of_other_keys,
    "text.csv.gz": gz_of_text,
    "nothing.csv.gz": many_empty_members,
}
