"""Files that are there whole or not at all, and the folder for those that can be made again."""

import contextlib
import os
import sys
import tempfile
from pathlib import Path

PARTIAL = ".part"  # ending of what a killed process may leave behind


def write_whole(path: Path, content: bytes) -> None:
    """Write bytes under another name first: a process that is killed leaves the old file or the new one, never half.

    Readable for all accounts: compiled by one and used by another, say. OSError where it cannot be written.
    """
    handle, part = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=PARTIAL)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.chmod(part, 0o644)
        os.replace(part, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(part)
        raise


def cache_folder() -> Path:
    """The folder of this person's account for what can be computed or fetched again; it need not exist."""
    if sys.platform == "win32":
        home = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        home = Path.home() / "Library" / "Caches"
    else:
        home = os.environ.get("XDG_CACHE_HOME", "").strip() or Path.home() / ".cache"
    return Path(home) / "theta-app"
