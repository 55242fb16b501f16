"""Stretches of equal values."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from theta_app.selection import log_middle, log_width, runs
from theta_app.selection.runs import half_step_around


@given(st.lists(st.integers(0, 3), max_size=30))
def test_runs_cover_everything_once_and_neighbours_differ(values):
    found = runs(values)
    assert [value for run in found for value in [run.value] * len(run)] == values
    assert all(a.value != b.value and a.stop == b.start for a, b in itertools.pairwise(found))
    assert all(len(run) >= 1 for run in found)


def test_the_middle_and_the_width_are_on_a_log_axis():
    assert log_middle(2.0, 8.0) == pytest.approx(4.0)
    assert log_middle(1e200, 1e300) == pytest.approx(1e250)
    assert log_width(2.0, 8.0) == pytest.approx(np.log(4.0))
    assert log_width(0.0, 8.0) == 0.0


def test_a_run_reaches_half_a_step_beyond_its_values_but_not_beyond_the_axis():
    axis = np.array([1.0, 2.0, 4.0, 8.0])
    first, second = runs([5, 7, 7, 7])
    assert half_step_around(axis, first) == pytest.approx((1.0, np.sqrt(2.0)))
    assert half_step_around(axis, second) == pytest.approx((np.sqrt(2.0), 8.0))
