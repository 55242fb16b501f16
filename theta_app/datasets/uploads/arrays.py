"""NumPy's own files. Nothing in them is ever unpickled: an array of Python objects is refused."""

import io
import itertools
import math
import zipfile
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from theta_app.datasets.uploads.archives import chunks_of, open_zip
from theta_app.datasets.uploads.limits import Allowance, Parsed, UploadError, check_rows, clean_names

FEATURE_NAMES = ("x", "data", "features", "points", "images", "x train", "train images", "arr 0")
TRUTH_WORDS = ("label", "target", "class", "truth")
MAX_HEADER = 100_000


def read_npy(data: Any, allowance: Allowance) -> Parsed:
    """The table of a NumPy file; UploadError with a sentence where it holds none."""
    return Parsed("NPY", *_as_table(parse_array(data, allowance), allowance))


def read_npz(data: Any, allowance: Allowance) -> Parsed:
    """The table of the array of points, with the labels beside it if there are any."""
    archive = open_zip(data, "NPZ", allowance)
    del data  # the archive has it: both go when everything is unpacked
    arrays = {}
    for info in archive.infolist():
        if info.filename.endswith(".npy"):
            name = info.filename.removesuffix(".npy")
            array = parse_array(_unpacked(archive, info, allowance), allowance)
            if array.ndim:
                arrays[name] = array
    del archive
    if not arrays:
        raise UploadError("The zip file holds no NumPy arrays. Save one table as CSV, XLSX or NPZ and upload that.")
    name = _points_name(arrays)
    if arrays[name].ndim == 1 and arrays[name].dtype.names is None:
        return _from_columns(arrays)
    table, named = _as_table(arrays[name], allowance)
    notes = [f"The points are the array '{name}' of the file."] if len(arrays) > 1 else []
    truth = _labels_name(arrays, name)
    if truth:
        values, truth = arrays[truth], clean_names([*table.columns, truth])[-1]
        table[truth] = values
    return Parsed("NPZ", table, named, truth, tuple(notes))


def _unpacked(archive: zipfile.ZipFile, info: zipfile.ZipInfo, allowance: Allowance) -> np.ndarray:
    """The bytes of one part, in one piece; an array that would become too large is refused by its first bytes."""
    pieces = chunks_of(archive, info)
    first = next(pieces, b"")
    shape, _, dtype, _ = _header(first)
    if dtype.names is None:
        allowance.check((8 + dtype.itemsize) * math.prod(shape))
    data, position = np.empty(info.file_size, np.uint8), 0  # a declared size that is a lie takes no memory
    for piece in itertools.chain([first], pieces):
        data[position : position + len(piece)] = np.frombuffer(piece, np.uint8)
        position += len(piece)
        allowance.tell(position / len(data))
    return data if position == len(data) else data[:position].copy()


def _header(data: Any) -> tuple[tuple[int, ...], bool, np.dtype, int]:
    """(shape, Fortran order, type, where the values begin) of an .npy file."""
    file = io.BytesIO(bytes(memoryview(data)[: 2 * MAX_HEADER]))
    try:
        version = np.lib.format.read_magic(file)
        read = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}[version]
        shape, fortran, dtype = read(file, max_header_size=MAX_HEADER)
    except Exception as error:  # a header is a Python literal: anything may be wrong with it
        raise UploadError("The NumPy file is damaged: its header cannot be read. Save it again.") from error
    if dtype.itemsize == 0 or any(not isinstance(n, int) or n < 0 for n in shape):
        raise UploadError("The NumPy file is damaged: its header makes no sense. Save it again.")
    return shape, fortran, dtype, file.tell()


def parse_array(data: Any, allowance: Allowance) -> np.ndarray:
    """The array in an .npy file, as a view of its bytes: a header that promises more than there is, is refused."""
    shape, fortran, dtype, start = _header(data)
    if dtype.hasobject:
        raise UploadError(
            "The NumPy file holds Python objects, which are never opened because they can run programs. "
            "Save an array of numbers instead."
        )
    count = math.prod(shape)
    allowance.check(count * dtype.itemsize)
    if len(data) - start != count * dtype.itemsize:
        raise UploadError("The NumPy file is cut short or damaged: its size does not fit its header. Save it again.")
    array = np.frombuffer(data, dtype, count, start) if count else np.empty(0, dtype)
    return array.reshape(shape, order="F" if fortran else "C")


def _as_table(array: np.ndarray, allowance: Allowance) -> tuple[pd.DataFrame, bool]:
    """(table, named) of an array; images and the like become one row per picture."""
    if array.dtype.names:
        return _from_fields(array, allowance), True
    if array.dtype.kind not in "biuf":
        kinds = {"c": "complex numbers", "M": "dates", "m": "durations"}
        what = kinds.get(array.dtype.kind, "text, not numbers")
        raise UploadError(f"The NumPy file holds {what}. Save an array of plain numbers, one row per point.")
    if array.ndim == 0 or array.size == 0:
        raise UploadError("The NumPy file is empty: it has no rows.")
    allowance.check_shape(len(array), array.size // len(array), array.dtype.itemsize)
    array = array.reshape(len(array), -1)
    if array.dtype.itemsize > 8 or array.dtype.kind == "b":
        array = array.astype(np.float64)
    native = array.astype(array.dtype.newbyteorder("="), copy=False)
    if native.dtype == np.float16:
        native = native.astype(np.float32)
    table = pd.DataFrame(native, columns=clean_names([None] * native.shape[1]), copy=False)
    table.index = pd.RangeIndex(1, len(table) + 1)
    return table, False


def _from_fields(array: np.ndarray, allowance: Allowance) -> pd.DataFrame:
    array = array.reshape(-1)
    allowance.check_shape(len(array), len(array.dtype.names))
    plain = [name for name in array.dtype.names if array.dtype[name].kind in "biufUS" and not array.dtype[name].shape]
    columns = [_column(array[name]) for name in plain]
    if not columns or not len(array):
        raise UploadError("The NumPy file has no rows of plain numbers.")
    return pd.DataFrame(dict(zip(clean_names(plain), columns)), index=pd.RangeIndex(1, len(array) + 1))


def _column(values: np.ndarray) -> np.ndarray:
    if values.dtype.kind == "S":
        return np.char.decode(values, "latin-1").astype(object)
    if values.dtype.kind == "U":
        return values.astype(object)
    return values.astype(np.float64) if values.dtype.kind == "f" else values.astype(values.dtype.newbyteorder("="))


def _from_columns(arrays: Mapping[str, np.ndarray]) -> pd.DataFrame:
    """Equally long lists side by side, as np.savez(x=..., y=...) writes them."""
    flat = {k: a for k, a in arrays.items() if a.ndim == 1 and a.dtype.kind in "biufUS"}
    if not flat:
        raise UploadError("The NPZ file holds no array of numbers with one row per point.")
    length = max(map(len, flat.values()))
    flat = {k: _column(a) for k, a in flat.items() if len(a) == length}
    check_rows(length)
    if not length:
        raise UploadError("The NPZ file is empty: its arrays have no rows.")
    return Parsed("NPZ", pd.DataFrame(dict(zip(clean_names(flat), flat.values())), index=pd.RangeIndex(1, length + 1)))


def _points_name(arrays: Mapping[str, np.ndarray]) -> str:
    """The name of the array of points: one that says so, else the one with most values; a table before a list."""
    numeric = {k: a for k, a in arrays.items() if a.dtype.names or a.dtype.kind in "biuf"} or arrays

    def rank(name: str) -> tuple[bool, bool, int]:
        array = numeric[name]
        return (array.ndim >= 2 or bool(array.dtype.names), _words(name) in FEATURE_NAMES, array.size)

    return max(numeric, key=rank)


def _labels_name(arrays: Mapping[str, np.ndarray], points: str) -> str | None:
    """The name of a list as long as the points that says label, or y; None where there is none."""
    fitting = [
        k for k, a in arrays.items() if a.ndim == 1 and len(a) == len(arrays[points]) and a.dtype.kind in "biuUS"
    ]
    return next((k for k in fitting if _words(k) == "y" or any(w in k.lower() for w in TRUTH_WORDS)), None)


def _words(name: str) -> str:
    return name.lower().replace("_", " ").strip()
