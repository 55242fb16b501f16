"""TRK and TCK files, as tools of tractography write them, where nibabel is installed: a row per streamline.

Each is resampled to as many places, equally far along it, so that streamlines can be compared place by place.
"""

import io
import warnings
from collections.abc import Callable, Iterator

import numpy as np
import pandas as pd

from theta_app.datasets.dataset import curve_names
from theta_app.datasets.needed import Needed
from theta_app.datasets.uploads.limits import Allowance, Parsed, UploadError, check_rows

PLACES = 12
UNIT = "mm"  # both formats are read into the scanner's millimetres
_LOOK = 1_000  # streamlines between two looks at how much it has become
_FARTHEST = 1e5  # mm: what is farther from the middle of the scanner is no brain, and no number that was meant

trk = Needed("nibabel.streamlines.trk", "streamlines", UploadError)
tck = Needed("nibabel.streamlines.tck", "streamlines", UploadError)


def is_streamlines(head: bytes) -> bool:
    """Whether a file that begins so is a TRK or TCK file."""
    return head.startswith((b"TRACK\x00", b"mrtrix tracks"))


def read_streamlines(data: bytes, allowance: Allowance) -> Parsed:
    """The table of a TRK or TCK file; UploadError with a sentence where it is none."""
    kind, reader = ("TRK", trk) if bytes(memoryview(data)[:5]) == b"TRACK" else ("TCK", tck)
    load = reader.TrkFile.load if kind == "TRK" else reader.TckFile.load
    found: list[np.ndarray] = []
    numbers: list[int] = []
    number = 0
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")  # about orientations that are not given, and how they are taken
        try:
            for number, places in enumerate(_lines(load, io.BytesIO(data)), start=1):
                if number % _LOOK == 0:
                    check_rows(number)
                    allowance.check_shape(len(found), 3 * PLACES)
                    allowance.tell(number * places.nbytes / len(data))
                places = resampled(places)
                if places is not None:
                    found.append(places)
                    numbers.append(number)
        except (UploadError, MemoryError):
            raise
        except Exception as error:  # nibabel's types for broken input are of many kinds
            raise UploadError(f"The {kind} file is damaged or cut short. Save or download it again.") from error
    check_rows(len(found))
    if not found:
        raise UploadError(f"The {kind} file has no streamline of two places or more.")
    allowance.check_shape(len(found), 3 * PLACES)
    names = curve_names(PLACES)
    table = pd.DataFrame(np.array(found), index=pd.Index(numbers), columns=list(names), copy=False)
    return Parsed(kind, table, notes=_notes(number - len(found)), units=dict.fromkeys(names, UNIT), curves=True)


def _lines(load: Callable, file: io.BytesIO) -> Iterator[np.ndarray]:
    """The places (k, 3) of each streamline, one after the other, in millimetres."""
    for line in load(file, lazy_load=True).streamlines:  # of the items nibabel would not apply the affine
        yield np.asarray(line, dtype=np.float64)


def resampled(line: np.ndarray) -> np.ndarray | None:
    """So many places equally far along a line (k, 3); None where it has no length, or values that are none."""
    if line.ndim != 2 or len(line) < 2 or not (np.abs(line) < _FARTHEST).all():
        return None
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))])
    if not along[-1] > 0.0:
        return None
    wanted = np.linspace(0.0, along[-1], PLACES)
    return np.column_stack([np.interp(wanted, along, axis) for axis in line.T]).ravel()


def _notes(aside: int) -> tuple[str, ...]:
    said = [f"Each streamline is resampled to {PLACES} places, equally far along it."]
    if aside:
        which = "1 streamline was" if aside == 1 else f"{aside:,} streamlines were"
        said.append(f"{which} left out: without a length, or with values that are no places in a scanner.")
    return tuple(said)
