"""Sweeps that everybody opens first, kept on disk: they survive a restart, and nobody waits for them twice.

Only sweeps of sets that come with the project are kept, never what a visitor brought. A file holds one sweep under a
digest of everything it depends on, begins with a digest of its own content, and is written beside its place and then
moved there, so that neither a killed process nor a second server leaves half a file. One that does not fit its digest
is thrown away. Where the folder cannot be written everything works without it.
"""

import contextlib
import hashlib
import io
import json
import logging
import os
import time
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import platformdirs

from theta_app import __version__, selection
from theta_app.engine import TdgResult
from theta_app.engine.files import PARTIAL, write_whole

LOG = logging.getLogger("theta_app")
FORMAT = 2
MOST_BYTES = 64_000_000  # of all files together; the ones used longest ago go first
_ENDING = ".sweep"
_STALE = 3600.0  # seconds after which a partial file belongs to nobody


def folder() -> Path:
    """Where sweeps are kept: THETA_CACHE, by default in the account's cache folder."""
    return Path(os.environ.get("THETA_CACHE") or platformdirs.user_cache_dir("theta-app")) / "sweeps"


def load(key: str) -> tuple[list[selection.ThetaPoint], pd.DataFrame] | None:
    """The points of a sweep and its refined ranges, kept under ``key``; None where there are none."""
    path = _path(key)
    try:
        content = path.read_bytes()
    except OSError:
        return None
    try:
        if hashlib.sha256(content[32:]).digest() != content[:32]:
            raise ValueError("its digest does not fit")
        found = _unpacked(content[32:])
    except (ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile) as error:
        LOG.warning("A kept sweep was damaged (%s) and is computed anew.", error)
        with contextlib.suppress(OSError):
            path.unlink()
        return None
    with contextlib.suppress(OSError):
        os.utime(path)  # used now
    return found


def keep(key: str, sweep: selection.Sweep) -> bool:
    """Keep a complete sweep under ``key``; False where the folder cannot be written."""
    path, body = _path(key), _packed(sweep)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, hashlib.sha256(body).digest() + body)
        _make_room(path.parent)
    except OSError as error:
        LOG.info("Sweeps are not kept on disk: %s", error)
        return False
    return True


def is_kept(key: str) -> bool:
    return _path(key).is_file()


def _path(key: str) -> Path:
    name = hashlib.sha256(f"{FORMAT} {__version__} {key}".encode()).hexdigest()[:32]
    return folder() / f"{name}{_ENDING}"


def _make_room(place: Path) -> None:
    """Forget what was used longest ago beyond the limit, and what killed processes left behind."""
    now, files = time.time(), []
    for path in place.iterdir():
        with contextlib.suppress(OSError):  # another server may be tidying as well
            stat = path.stat()
            if path.suffix == PARTIAL and now - stat.st_mtime > _STALE:
                path.unlink()
            elif path.suffix == _ENDING:
                files.append((stat.st_mtime, stat.st_size, path))
    total = sum(size for _, size, _ in files)
    for _, size, path in sorted(files)[:-1]:
        if total <= MOST_BYTES:
            break
        with contextlib.suppress(OSError):
            path.unlink()
        total -= size


def _packed(sweep: selection.Sweep) -> bytes:
    arrays, rows = {}, []
    for i, (effort, point) in enumerate(sweep.kept):
        result = point.tdg
        small = np.uint16 if len(result.sizes) <= 65536 else np.int32
        arrays |= {
            f"labels{i}": result.labels.astype(small),
            f"centroids{i}": result.centroids,
            f"sizes{i}": result.sizes,
            f"runs{i}": result.run_counts,
        }
        rows.append({"effort": effort, "settled": point.settled, "row": point.row})
    told = {"rows": rows, "ranges": sweep.refined.to_dict("list")}
    arrays["told"] = np.frombuffer(json.dumps(told).encode(), np.uint8)
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)
    return file.getvalue()


def _unpacked(body: bytes):
    with np.load(io.BytesIO(body), allow_pickle=False) as arrays:
        told = json.loads(arrays["told"].tobytes())
        points = []
        for i, kept in enumerate(told["rows"]):
            row = kept["row"]
            labels = arrays[f"labels{i}"].astype(np.int32)
            parts = (arrays[f"{name}{i}"] for name in ("centroids", "sizes", "runs"))
            result = TdgResult(labels, *parts, row["agreement"])
            point = selection.ThetaPoint(row["theta"], result, row, settled=kept["settled"])
            points.append((kept["effort"], point))
    return points, pd.DataFrame(told["ranges"], columns=list(selection.RANGE_COLUMNS))
