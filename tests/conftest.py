"""What holds for every test."""

import contextlib
import functools
import gc
import os
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings

# A busy machine is no mistake. The same draws every time, so that a change fails for what it changes; `make fuzz` draws
# others.
settings.register_profile("no clock", deadline=None, derandomize="FUZZ" not in os.environ)
settings.load_profile("no clock")

# What `make quick` leaves out: a browser, servers, other processes by the dozen, networks, long searches, and what is
# measured again.
LONG = (
    "benchmarks",
    "browser",
    "command/test_cluster.py",
    "deep",
    "distributed",
    "docs",
    "teach",
    "paper/test_deep.py",
    "paper/test_deep_live.py",
    "paper/test_fresh.py",
    "compare/test_running.py",
    "datasets/test_fuzz.py",
    "datasets/test_more.py",
    "datasets/test_upload_process.py",
    "engine/test_neighbour_map.py",
    "selection/test_space.py",
    "selection/test_verdict.py",
    "test_packaging.py",
    "test_spaces.py",
    "test_workers.py",
    "ui/test_better_map.py",
    "ui/test_compare.py",
    "ui/test_deep.py",
    "ui/test_fuzz.py",
    "ui/test_one_answer.py",
    "ui/test_opened.py",
    "ui/test_peers.py",
    "ui/test_running_server.py",
    "ui/test_uploading.py",
    "ui/test_verdict.py",
)


def pytest_addoption(parser):
    parser.addoption("--quick", action="store_true", help="without the tests that take long")


def pytest_ignore_collect(collection_path, config):
    long = collection_path.relative_to(Path(__file__).parent).as_posix() in LONG
    return True if long and config.getoption("--quick") else None


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Modules and tests stay until the end: looking for garbage among them is a quarter of the time it takes to collect
    them, and of every search for garbage after that."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.fixture(scope="session", autouse=True)
def installed_components():
    """Each `AppTest` asks every installed package whether it brings components for Streamlit, which takes longer than
    most pages: they are asked once."""
    with pytest.MonkeyPatch.context() as patch, contextlib.suppress(ImportError):
        if "streamlit" in sys.modules:
            from streamlit.components.v2 import manifest_scanner as scanner

            patch.setattr(scanner, "scan_component_manifests", functools.cache(scanner.scan_component_manifests))
        yield


# Where the environment says that no bytecode is to be written, as in many containers, every worker would compile and
# rewrite all tests, and every server and other process the app.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False


# Workers share the cores: libraries that would each take all of them mostly wait for each other (six times the
# processor time on two cores). Set before numpy is imported, and inherited by servers and other processes.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Labels of files on the server are kept on disk: tests have a folder of their own.
os.environ["THETA_CACHE"] = tempfile.mkdtemp(prefix="theta-tests-")

# Compiling networks takes most of the time of their tests: it is done with less care, and what was compiled is kept,
# under a key of its content.
os.environ.setdefault("XLA_FLAGS", "--xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes=true")
os.environ.setdefault("JAX_COMPILATION_CACHE_DIR", str(Path(__file__).parents[1] / ".pytest_cache" / "jax"))
os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS", "0")
