"""Every name of numba that is not public, in this one place.

Numba may change them in any version. `tests/engine/test_numba_internals.py` tries each and says what broke.
"""

import pickle
from typing import Any

from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

__all__ = ["CompileResult", "NullCache", "can_be_kept", "compiled_from", "payload_of", "use_cache"]


def use_cache(kernel: Any, cache: NullCache) -> None:
    """Let a jitted function look up and keep its compiled forms in `cache`."""
    kernel._cache = cache


def can_be_kept(form: Any) -> bool:
    """Whether a compiled form works in another process: it has no addresses of this one and no lifted loops."""
    return not (form.library.has_dynamic_globals or form.lifted)


def payload_of(form: CompileResult) -> bytes:
    """A compiled form as bytes."""
    return dumps(form._reduce())


def compiled_from(payload: bytes, target_context: Any) -> CompileResult:
    """The compiled form that :func:`payload_of` made bytes of."""
    return CompileResult._rebuild(target_context, *pickle.loads(payload))
