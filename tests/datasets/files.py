"""Small files of every format that can be uploaded, all holding the same table where the format allows it."""

import gzip
import importlib.util
import io
import zipfile

import numpy as np
import openpyxl
import pandas as pd

ROWS = [(0.5, -1.25, "a"), (2.0, 3.5, "b"), (4.75, 0.0, "a"), (1e3, -2e-3, "b"), (7.0, 8.0, "a"), (9.5, 1.5, "b")]
X = np.array([row[:2] for row in ROWS])
FRAME = pd.DataFrame(ROWS, columns=["x", "y", "label"])


class Once(dict):
    """What is made of a name when it is first asked for, and kept."""

    def __init__(self, make):
        super().__init__()
        self._make = make

    def __missing__(self, name):
        return self.setdefault(name, self._make(name))


def text(separator=",", header=True, end="\n", decimal="."):
    lines = [separator.join(["x", "y", "label"])] if header else []
    lines += [separator.join([repr(x).replace(".", decimal), repr(y).replace(".", decimal), c]) for x, y, c in ROWS]
    return (end.join(lines) + end).encode()


def npy(array):
    file = io.BytesIO()
    np.save(file, array, allow_pickle=True)
    return file.getvalue()


def npz(**arrays):
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)
    return file.getvalue()


def parquet(frame, **options):
    file = io.BytesIO()
    frame.to_parquet(file, index=False, **options)
    return file.getvalue()


def feather(frame, **options):
    file = io.BytesIO()
    frame.to_feather(file, **options)
    return file.getvalue()


def xlsx(rows, other_sheets=()):
    """A spreadsheet; other sheets are titles of empty ones, or a mapping from titles to rows."""
    workbook = openpyxl.Workbook()
    for row in rows:
        workbook.active.append(row)
    for title in other_sheets:
        sheet = workbook.create_sheet(title)
        for row in other_sheets[title] if isinstance(other_sheets, dict) else ():
            sheet.append(row)
    file = io.BytesIO()
    workbook.save(file)
    return file.getvalue()


def arff():
    head = (
        "% made here\n@RELATION points\n@attribute x numeric\n@ATTRIBUTE 'y' real\n@attribute label {a, b}\n\n@DATA\n"
    )
    return (head + "\n".join(f"{x},{y},{c}" for x, y, c in ROWS) + "\n").encode()


def streamline_file(lines, kind, affine):
    """The bytes of a TRK or TCK file of lines, arrays (k, 3) in mm; ``affine`` is that of a TRK file's voxels."""
    import nibabel

    tractogram = nibabel.streamlines.Tractogram(lines, affine_to_rasmm=np.eye(4))
    file = io.BytesIO()
    if kind == "tck":
        nibabel.streamlines.TckFile(tractogram).save(file)
        return file.getvalue()
    sizes = np.sqrt((affine[:3, :3] ** 2).sum(axis=0)).astype(np.float32)
    header = {"voxel_to_rasmm": affine, "voxel_sizes": sizes, "dimensions": np.array([91, 109, 91], np.int16)}
    header["voxel_order"] = "".join(nibabel.aff2axcodes(affine))
    nibabel.streamlines.TrkFile(tractogram, header=header).save(file)
    return file.getvalue()


def streamline_files():
    """{name: bytes} of small files of streamlines; none where nibabel is not installed."""
    if importlib.util.find_spec("nibabel") is None:
        return {}
    lines = [np.array([[k, 0, 0], [k + 5, 9, k], [k + 30, 1, 2]], np.float32) for k in range(6)]
    return {f"lines.{kind}": streamline_file(lines, kind, np.eye(4)) for kind in ("trk", "tck")}


def repacked(data, change):
    """A zip file with ``change(name, content)`` applied to each part."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, change(name, old.read(name)))
    return file.getvalue()


EVERY_FORMAT = {
    "comma.csv": text(),
    "no-header.csv": text(header=False),
    "crlf.csv": text(end="\r\n"),
    "old-mac.csv": text(end="\r"),
    "byte-order-mark.csv": b"\xef\xbb\xbf" + text(),
    "utf-16.txt": text("\t").decode().encode("utf-16"),
    "tabs.tsv": text("\t"),
    "semicolons.csv": text(";"),
    "decimal-comma.csv": text(";", decimal=","),
    "tabs-and-decimal-comma.tsv": text("\t", decimal=","),
    "spaces.txt": text("   "),
    "spaces-no-header.txt": text(" ", header=False),
    "spaces-and-decimal-comma.txt": text("  ", header=False, decimal=","),
    "bars.txt": text("|"),
    "packed.csv.gz": gzip.compress(text()),
    "table.parquet": parquet(FRAME),
    "snappy-less.parquet": parquet(FRAME, compression=None),
    "table.feather": feather(FRAME),
    "packed.feather": feather(FRAME, compression="zstd"),
    "records.json": FRAME.to_json(orient="records").encode(),
    "lines.jsonl": FRAME.to_json(orient="records", lines=True).encode(),
    "packed.json.gz": gzip.compress(FRAME.to_json(orient="records").encode()),
    "fields.npy": npy(np.array(ROWS, dtype=[("x", "f8"), ("y", "f8"), ("label", "U1")])),
    "arrays.npz": npz(X=X, y=np.array([0, 1, 0, 1, 0, 1])),
    "sheet.xlsx": xlsx([("x", "y", "label"), *ROWS]),
    "weka.arff": arff(),
}
