"""Weka's ARFF: attributes with names and types, then rows separated by commas."""

import re

from theta_app.datasets.uploads.content import Stream
from theta_app.datasets.uploads.decoding import Text
from theta_app.datasets.uploads.limits import Allowance, Parsed, UploadError, check_columns, clean_names
from theta_app.datasets.uploads.text import Layout, read_rows

HEADER_BYTES = 8_000_000
_ATTRIBUTE = re.compile(r"""@attribute\s+('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\S+)\s+(.+)""", re.IGNORECASE)
_DATA = re.compile(rb"^[ \t]*@data[ \t]*(?:%[^\r\n]*)?(?:\r\n|\r|\n|\Z)", re.IGNORECASE | re.MULTILINE)


def is_arff(data: bytes) -> bool:
    """Whether the first line that is not a comment declares a relation."""
    for line in re.split(rb"[\r\n]+", data[:65_536]):
        line = line.strip().removeprefix(b"\xef\xbb\xbf")
        if line and not line.startswith(b"%"):
            return line[:9].lower() == b"@relation"
    return False


def read_arff(text: Text, allowance: Allowance) -> Parsed:
    """The table of an ARFF file; UploadError with a sentence where it is none."""
    data, encoding = text.whole(), text.encoding
    start = _DATA.search(data, 0, HEADER_BYTES)
    if start is None:
        raise UploadError("The ARFF file has no @data line, so there are no rows. Save or download it again.")
    names, nominal = attributes(data[: start.start()].decode(encoding, errors="replace"))
    check_columns(len(names))
    body = re.sub(rb"(?m)^[ \t]*%[^\r\n]*", b"", data[start.end() :])  # comments; their lines stay, for the row numbers
    if not body.strip():
        raise UploadError("The ARFF file has attributes but no rows of data.")
    if body.lstrip().startswith(b"{"):
        raise UploadError(
            "The ARFF file is of the sparse kind, which cannot be read here. Save it as plain ARFF or CSV."
        )
    allowance.check(8 * body.count(b"\n") * len(names))
    quote = '"' if b'"' in body else "'"
    layout = Layout(",", ".", len(names), names, 0)
    lines_before = len(re.findall(rb"\r\n|\r|\n", data[: start.end()]))
    del data
    table = read_rows(Stream([body]), encoding, layout, allowance, quotechar=quote)
    table.columns = clean_names(names)
    table.index = table.index + lines_before
    table = table[~table.isna().all(axis=1)]
    truth = table.columns[-1] if nominal[-1] and len(names) > 1 and table.iloc[:, -1].nunique() > 1 else None
    return Parsed("ARFF", table, truth=truth)


def attributes(header: str) -> tuple[list[str], list[bool]]:
    """Names, and whether each lists its values ({a, b, c})."""
    names, nominal = [], []
    for line in re.split(r"[\r\n]+", header):
        line = line.strip()
        if not line.lower().startswith("@attribute"):
            continue
        found = _ATTRIBUTE.match(line)
        if found is None:
            raise UploadError(f"The ARFF file has an attribute without a type: {line[:60]!r}. Fix that line.")
        name, kind = found.groups()
        if kind.strip().lower().startswith("relational"):
            raise UploadError("The ARFF file has tables inside a table, which cannot be read here. Save it as CSV.")
        names.append(re.sub(r"\\(.)", r"\1", name[1:-1]) if name[0] in "'\"" and len(name) > 1 else name)
        nominal.append(kind.strip().startswith("{"))
    if not names:
        raise UploadError("The ARFF file declares no attributes. Save or download it again.")
    return names, nominal
