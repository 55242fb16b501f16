"""Values that repeat: columns of few values, and gaps that somebody filled."""

import numpy as np
import pytest

from theta_app.selection.ties import few_values, filled_rows, measured, tie_rates, value_counts


def filled(X):
    return filled_rows(X, value_counts(X))


def with_gaps(middle, share=0.15, n=400, seed=0):
    """(two measured columns whose gaps are filled with a middle of their column, which rows had one)"""
    rng = np.random.default_rng(seed)
    X, gaps = rng.normal(size=(n, 2)), rng.uniform(size=(n, 2)) < share
    for column, missing in zip(X.T, gaps.T):
        column[missing] = middle(column[~missing])
    return X, gaps.any(axis=1)


def test_ties_are_counted_by_pairs_of_rows():
    X = np.column_stack([np.arange(60), np.arange(60) % 2, np.zeros(60), np.arange(60) // 2])
    assert tie_rates(value_counts(X)) == pytest.approx([0.0, 29 / 59, 1.0, 1 / 59])
    assert few_values(value_counts(X)).tolist() == [False, True, True, False]
    assert measured(value_counts(X)).tolist() == [True, False, False, True]


@pytest.mark.parametrize("middle", [np.mean, np.median])
@pytest.mark.parametrize("scale", [1e-200, 1.0, 1e200])
def test_rows_with_a_filled_value_are_seen_whatever_it_was_filled_with(middle, scale):
    X, gaps = with_gaps(middle)
    assert 0.2 < gaps.mean() < 0.4
    found = filled(scale * X)
    assert found[gaps].all()
    assert (found & ~gaps).sum() <= 2  # the row whose own value is the median


def test_values_in_whole_steps_are_not_taken_for_filled_unless_one_stands_out():
    X = np.random.default_rng(0).integers(0, 300, (500, 1)).astype(float)
    assert not filled(X).any()
    X[:100] = 150.0
    assert filled(X)[:100].all()


@pytest.mark.parametrize("value", [-9.0, 9.0])
def test_zeros_and_the_limits_of_an_instrument_are_measured(value):
    X = np.random.default_rng(1).normal(size=(300, 1))
    X[:90] = value
    assert not filled(X).any()


def test_a_kind_that_many_have_is_not_filled():
    X = np.random.default_rng(2).choice([0.0, 1.0, 2.0], p=[0.2, 0.6, 0.2], size=(400, 1))
    assert not filled(X).any()


@pytest.mark.parametrize("X", [np.zeros((1, 2)), np.zeros((5, 2)), np.arange(3.0)[:, None], np.empty((4, 0))])
def test_few_rows_and_columns_without_any_are_complete(X):
    assert not filled(X).any()
