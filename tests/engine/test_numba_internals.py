"""What the kernels' cache needs of numba that numba does not promise: after an upgrade, this says what broke."""

import numba
import numpy as np
import pytest

from theta_app.engine import numba_internals as internals

OWNER = "theta_app/engine/numba_internals.py"


@pytest.mark.parametrize(
    ("holder", "name", "needed"),
    [
        (internals.CompileResult, "_rebuild", "kernels on disk cannot be loaded"),
        (internals.CompileResult, "_reduce", "kernels cannot be written to disk"),
        (internals.NullCache, "load_overload", "numba no longer asks a cache for compiled kernels by this name"),
        (internals.NullCache, "save_overload", "numba no longer hands compiled kernels to a cache by this name"),
        (numba.njit(lambda x: x), "_cache", "a kernel cannot be given a cache of its own"),
    ],
)
def test_the_names_are_there(holder, name, needed):
    assert hasattr(holder, name), f"numba {numba.__version__} has no {name} any more: {needed}. Mend {OWNER}."


def test_a_kernel_asks_the_cache_that_it_was_given():
    """And a compiled form that became bytes and came back computes the same."""
    asked, kept = [], []

    class Noting(internals.NullCache):
        def load_overload(self, sig, target_context):
            asked.append(target_context)
            return internals.compiled_from(kept[-1], target_context) if kept else None

        def save_overload(self, sig, data):
            assert internals.can_be_kept(data), f"numba {numba.__version__} would not keep a plain kernel"
            kept.append(internals.payload_of(data))

    def doubled(x):
        return 2 * x

    says = f"numba {numba.__version__} passes over `_cache`: every start would compile all kernels. Mend {OWNER}."
    first, second = numba.njit(doubled), numba.njit(doubled)
    for kernel in (first, second):
        internals.use_cache(kernel, Noting())
    assert first(np.float64(4)) == 8, says
    assert (len(asked), len(kept)) == (1, 1), says
    assert second(np.float64(5)) == 10
    assert (len(asked), len(kept)) == (2, 1), says


def test_a_target_says_what_it_is():
    """`codegen().magic_tuple()` is part of a kernel's file name: another processor must not load it."""
    kernel = numba.njit(lambda x: x + 1)
    kernel(1)
    (form,) = kernel.overloads.values()
    assert isinstance(form.codegen.magic_tuple(), tuple), f"numba {numba.__version__}: see compiled.KernelCache._file"
