"""A person's own file becomes a data set, or a sentence that says what is wrong with it."""

from collections.abc import Callable
from dataclasses import replace

from theta_app.datasets.dataset import Dataset
from theta_app.datasets.memory import real_size
from theta_app.datasets.uploads.arff import is_arff, read_arff
from theta_app.datasets.uploads.arrays import read_npy, read_npz
from theta_app.datasets.uploads.content import Content
from theta_app.datasets.uploads.decoding import SAMPLE_BYTES, Text
from theta_app.datasets.uploads.feather import read_feather
from theta_app.datasets.uploads.limits import MAX_UNPACKED, Allowance, Parsed, TooLarge, UploadError, check_bytes
from theta_app.datasets.uploads.parquet import read_parquet
from theta_app.datasets.uploads.records import is_json, read_json
from theta_app.datasets.uploads.streamlines import is_streamlines, read_streamlines
from theta_app.datasets.uploads.tabular import dataset_from
from theta_app.datasets.uploads.text import read_text
from theta_app.datasets.uploads.xlsx import is_xlsx, read_xlsx

FORMATS = (
    "CSV, TSV and other text (also as .gz)",
    "Excel (.xlsx)",
    "JSON (records)",
    "Parquet",
    "Feather",
    "NumPy (.npy, .npz)",
    "ARFF",
    "streamlines (.trk, .tck)",
)
"""What can be read, in the words of the page."""

# What a file is shows in its first bytes; its name is only ever shown.
REFUSED = {
    b"\xd0\xcf\x11\xe0": "This is an old Excel file (.xls). Save it as .xlsx or CSV and upload that.",
    b"%PDF": "This is a PDF. Upload the table itself, as CSV or XLSX.",
    b"\x89PNG": "This is a picture. Upload a table of numbers, as CSV or XLSX.",
    b"\xff\xd8\xff": "This is a picture. Upload a table of numbers, as CSV or XLSX.",
    b"GIF8": "This is a picture. Upload a table of numbers, as CSV or XLSX.",
    b"\x89HDF": "This is an HDF5 file. Save the table as CSV, Parquet or NPZ and upload that.",
    b"FEA1": "This is a Feather file of version 1, which cannot be read here. Save it again as Feather (version 2) "
    "or CSV.",
    b"BZh": "This file is packed with bzip2. Unpack it, or pack it as .gz, and upload that.",
    b"\xfd7zXZ": "This file is packed with xz. Unpack it, or pack it as .gz, and upload that.",
    b"7z\xbc\xaf": "This file is packed with 7-Zip. Unpack it and upload the table inside.",
    b"Rar!": "This file is packed with RAR. Unpack it and upload the table inside.",
}


def parse_upload(
    filename: str,
    data: bytes,
    limit: int = MAX_UNPACKED,
    progress: Callable[[float], object] | None = None,
    sheet: str | None = None,
    header: int | None = None,
) -> Dataset:
    """The data set in a file.

    Parameters
    ----------
    filename : str
        Shown to the person; the format is told from the content.
    data : bytes
        Of one of the `FORMATS`.
    limit : int
        The most bytes that the data set may take in memory: its table and its points together.
    progress : callable, optional
        Called with the share that has been read, from 0 to 1.
    sheet : str, optional
        Of a spreadsheet; by default the first with content.
    header : int, optional
        Of text and spreadsheets, the number of the row that names the columns, 0 for none; by default it is looked for.

    Returns
    -------
    Dataset
        Of the columns that are recommended: measurements, and text that is one without doubt. Its notes say what was
        set aside, `check` what each column holds; `recommended` says more that a person would choose, and `prepare`
        does it.

    Raises
    ------
    UploadError
        With a sentence, and nothing else whatever the bytes are.
    """
    part = sheet if header is None else place(sheet or "", str(header))
    return parse_content(filename, Content([bytes(data)]), Allowance(limit, progress), part)


def place(sheet: str = "", header: str = "") -> str:
    """Which part of a file is its table, as the one text that goes to whoever reads it.

    ``sheet`` is the name of a spreadsheet's sheet; ``header`` the number of the row of names as text, "0" for none and
    empty to look for it. A sheet's name cannot contain a question mark.
    """
    return f"{sheet}?{header}" if header else sheet


def parse_content(filename: str, content: Content, allowance: Allowance, sheet: str | None = None) -> Dataset:
    """The same from a `Content`, whose memory is let go on the way."""
    try:
        sheet, header = _place(sheet)
        name = plain_name(filename)
        dataset = dataset_from(_shown(name), _read(content, allowance, sheet, header))
        dataset = dataset if dataset.name == name else replace(dataset, file=name)
        allowance.check(real_size(dataset))
        return dataset
    except UploadError:
        raise
    except MemoryError as error:
        raise TooLarge("There is not enough memory for this file. Keep fewer rows or columns.") from error
    except Exception as error:  # the last line of defence: a person gets a sentence, never a traceback
        raise UploadError(
            "The file is damaged or not a table. Save it again as CSV (UTF-8) and upload that."
        ) from error


def plain_name(filename: str) -> str:
    """The last part of a file name: no folders, no control characters."""
    name = str(filename).replace("\\", "/").rsplit("/", 1)[-1]
    return "".join(c for c in name if c.isprintable()).strip() or "your file"


def _shown(name: str) -> str:
    """A name that is not too long to show."""
    return name if len(name) <= 80 else name[:50] + "..." + name[-27:]


def _place(text: str | None) -> tuple[str | None, int | None]:
    """(sheet or None, number of the row of names or None) of what `place` gives."""
    sheet, mark, header = (text or "").rpartition("?")
    if mark and header.isascii() and header.isdigit():
        return sheet or None, int(header)
    return text, None


def _read(content: Content, allowance: Allowance, sheet: str | None, header: int | None) -> Parsed:
    check_bytes(content.size)
    start = content.head(16)
    if start.startswith(b"\x1f\x8b"):
        return _read_text(Text(content, True, allowance), allowance, header, packed=True)
    if start.startswith(b"PAR1"):
        return read_parquet(content.whole(), allowance)
    if start.startswith(b"ARROW1"):
        return read_feather(content.whole(), allowance)
    if start.startswith(b"\x93NUMPY"):
        return read_npy(content.whole(), allowance)
    if is_streamlines(start):
        return read_streamlines(content.whole(), allowance)
    if start.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        held = [content.whole()]  # handed on, not kept here
        if is_xlsx(held[0]):
            return read_xlsx(held.pop(), allowance, sheet, header)
        return read_npz(held.pop(), allowance)
    return _read_text(Text(content, False, allowance), allowance, header)


def _read_text(text: Text, allowance: Allowance, header: int | None, packed: bool = False) -> Parsed:
    head = text.head
    for start, sentence in REFUSED.items():
        if head.startswith(start):
            raise UploadError(sentence)
    if packed and head.startswith((b"\x1f\x8b", b"PK\x03\x04", b"PAR1", b"ARROW1", b"\x93NUMPY")):
        raise UploadError("The .gz file holds another packed file, not text. Unpack it and upload what is inside.")
    if b"\x00" in head:
        raise UploadError(f"The file is neither text nor another format that can be read here: {', '.join(FORMATS)}.")
    if len(head) <= SAMPLE_BYTES and not head.strip():
        raise UploadError("The file is empty.")
    if is_json(head):
        return read_json(text, allowance)
    return read_arff(text, allowance) if is_arff(head) else read_text(text, allowance, header)
