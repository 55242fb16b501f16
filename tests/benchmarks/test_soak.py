"""The rows of `make soak`: which of them are measured."""

import pytest

from benchmarks import soak


def test_all_rows_are_measured_unless_some_are_named(monkeypatch):
    monkeypatch.delenv("SOAK_ROWS", raising=False)
    assert soak.chosen() == list(soak.ROWS)
    monkeypatch.setenv("SOAK_ROWS", "badly million")
    assert soak.chosen() == ["badly", "million"]
    monkeypatch.setenv("SOAK_ROWS", "badly worst")
    with pytest.raises(SystemExit, match="There is no row worst"):
        soak.chosen()
