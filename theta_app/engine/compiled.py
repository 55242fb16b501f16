"""``njit`` for the kernels, with a cache on disk that can be cut off, damaged, read-only or full.

Numba's own cache trusts what it finds: a file cut short makes every later call fail, and machine code with a wrong
byte is run as it is. Here every kernel is one file per signature, written whole or not at all, read only if its digest
is right, and named after all it was compiled from. What cannot be read is removed and compiled again; what cannot be
written is compiled in memory.
"""

import contextlib
import hashlib
import logging
import sys
from collections.abc import Callable, Iterator
from functools import cache as once
from pathlib import Path
from typing import Any, TypeVar

import llvmlite
import numba

from theta_app.engine.files import cache_folder, write_whole
from theta_app.engine.numba_internals import CompileResult, NullCache, can_be_kept, compiled_from, payload_of, use_cache

LOG = logging.getLogger("theta_app")
VERSIONS = f"{sys.implementation.cache_tag}-numba{numba.__version__}-llvmlite{llvmlite.__version__}"
_DIGEST = hashlib.sha256().digest_size
Kernel = TypeVar("Kernel", bound=Callable)


def njit(*, cache: bool = False, **options: Any) -> Callable[[Kernel], Kernel]:
    """``numba.njit``, whose ``cache=True`` is the cache of this module."""

    def decorate(function: Kernel) -> Kernel:
        kernel = numba.njit(**options)(function)
        if cache:
            use_cache(kernel, KernelCache(function))
        return kernel

    return decorate


class KernelCache(NullCache):
    """The compiled forms of one function, as numba's dispatcher asks for them.

    It looks in the folder that NUMBA_CACHE_DIR names, if it is set; else beside the source, then in the cache folder of
    the person's account. A folder that cannot be written is still read.
    """

    def __init__(self, function: Callable) -> None:
        self.source = Path(function.__code__.co_filename)
        self.name = f"{self.source.stem}.{function.__qualname__}-{VERSIONS}"

    @property
    def cache_path(self) -> str:
        """The first folder that is looked in, as numba names it in messages."""
        return str(self.folders()[0])

    def folders(self) -> list[Path]:
        """Where to look, and to write, in this order."""
        if numba.config.CACHE_DIR:  # type: ignore[attr-defined]
            return [Path(numba.config.CACHE_DIR) / "theta-app"]  # type: ignore[attr-defined]
        account = cache_folder() / "kernels"
        return [self.source.parent / "__pycache__", *([account] if account.is_absolute() else [])]

    def load_overload(self, sig: Any, target_context: Any) -> CompileResult | None:
        """The compiled form for a signature from disk, or None."""
        target_context.refresh()
        found = self._read(self._file(sig, target_context.codegen()), target_context)
        if found is None and _on_miss:
            _on_miss.pop()()
        return found

    def _read(self, file: str, target_context: Any) -> CompileResult | None:
        for folder in self.folders():
            with contextlib.suppress(OSError):
                content = (folder / file).read_bytes()
                try:
                    return compiled_from(_checked(file, content), target_context)
                except Exception as error:
                    LOG.warning("A compiled kernel is damaged and is not used: %s (%s)", folder / file, error)
                    (folder / file).unlink(missing_ok=True)
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Write a compiled form into the first folder that can be written; none is no error."""
        if not can_be_kept(data):
            return
        file = self._file(sig, data.codegen)
        payload = payload_of(data)
        for folder in self.folders():
            with contextlib.suppress(OSError):
                folder.mkdir(parents=True, exist_ok=True)
                write_whole(folder / file, _digest(file, payload) + payload)
                self._remove_outdated(folder)
                return

    def _file(self, sig: Any, codegen: Any) -> str:
        # a kernel that checks its indices is another one (NUMBA_BOUNDSCHECK)
        made_as = str(sig), codegen.magic_tuple(), numba.config.BOUNDSCHECK  # type: ignore[attr-defined]
        variant = hashlib.sha256(repr(made_as).encode()).hexdigest()
        return f"{self.name}-{_sources_digest(self.source.parent)[:16]}-{variant[:16]}.nbc"

    def _remove_outdated(self, folder: Path) -> None:
        current = f"{self.name}-{_sources_digest(self.source.parent)[:16]}-"
        for path in folder.iterdir():
            if path.name.startswith(f"{self.name}-") and not path.name.startswith(current):
                path.unlink(missing_ok=True)


_on_miss: list = []


@contextlib.contextmanager
def first_miss(call: Callable[[], object]) -> Iterator[None]:
    """``call()`` when a kernel has to be compiled inside this block, for the first of them."""
    _on_miss.append(call)
    try:
        yield
    finally:
        _on_miss.clear()


@once
def _sources_digest(folder: Path) -> str:
    """Of all sources beside a kernel: it has the kernels it calls inside it."""
    whole = hashlib.sha256()
    for path in sorted(folder.glob("*.py")):
        whole.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return whole.hexdigest()


def _digest(file: str, payload: bytes) -> bytes:
    return hashlib.sha256(file.encode() + payload).digest()


def _checked(file: str, content: bytes) -> bytes:
    payload = content[_DIGEST:]
    if _digest(file, payload) != content[:_DIGEST]:
        raise ValueError("its digest is wrong")
    return payload
