"""What holds for every test."""

import os
import tempfile
from pathlib import Path

from hypothesis import settings

settings.register_profile("no clock", deadline=None)  # a busy machine is no mistake
settings.load_profile("no clock")

# Labels of files on the server are kept on disk: tests have a folder of their own.
os.environ["THETA_CACHE"] = tempfile.mkdtemp(prefix="theta-tests-")

# Compiling networks takes most of the time of their tests: it is done with less care, and what was compiled is kept,
# under a key of its content.
os.environ.setdefault("XLA_FLAGS", "--xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes=true")
os.environ.setdefault("JAX_COMPILATION_CACHE_DIR", str(Path(__file__).parents[1] / ".pytest_cache" / "jax"))
os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS", "0")
