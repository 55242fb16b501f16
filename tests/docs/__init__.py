"""Tests of docs/make.py, which is no part of a package."""

import importlib.util
from pathlib import Path

_SPEC = importlib.util.spec_from_file_location("docs_make", Path(__file__).resolve().parents[2] / "docs" / "make.py")
make = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(make)
