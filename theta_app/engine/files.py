"""Files that are there whole or not at all."""

import contextlib
import os
import tempfile

PARTIAL = ".part"  # ending of what a killed process may leave behind


def write_whole(path, content):
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
