import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from theta_app import datasets
from theta_app.datasets import RowSet
from theta_app.marks import LONGEST_NAME, Marks, marks_from, rows_from

rows = st.integers(0, 10**6)
names = st.text(min_size=1, max_size=LONGEST_NAME)
colours = st.integers(0, 2**24 - 1).map(lambda value: f"#{value:06x}")
marks = st.builds(
    Marks,
    st.lists(st.tuples(rows, names), max_size=4).map(tuple),
    st.lists(st.tuples(rows, colours), max_size=4).map(tuple),
    st.lists(st.lists(rows, min_size=2, max_size=3).map(tuple), max_size=3).map(tuple),
)


@given(marks)
def test_marks_travel_as_text(given_marks):
    assert marks_from(str(given_marks)) == given_marks


@pytest.mark.parametrize("text", ["x", "n:a", "n1:", "n-1:a", "c3:red", "m3", "m3+x", "n1:" + "a" * 61, "n1:a;;q"])
def test_broken_marks_are_refused(text):
    with pytest.raises(ValueError, match="must be"):
        marks_from(text)


def test_a_name_replaces_the_one_of_the_same_cluster_and_goes_when_it_is_emptied():
    once = Marks().named([3, 4, 5], 4, " left  one ")
    assert once.names == ((4, "left one"),)
    assert once.named([3, 4, 5], 5, "other").names == ((5, "other"),)
    assert once.named([3, 4, 5], 4, "").names == ()
    assert once.named([8, 9], 8, "right").names == ((4, "left one"), (8, "right"))


def test_a_merge_is_undone_for_the_cluster_that_it_made():
    both = Marks().merged(1, 2).merged(7, 8)
    assert both.parted([0, 1, 2, 3]).merges == ((7, 8),)


@given(st.sets(st.integers(0, 5000), min_size=1))
def test_a_set_of_rows_travels_as_text(numbers):
    assert rows_from(str(RowSet.of(list(numbers)))).numbers().tolist() == sorted(numbers)


def test_a_part_of_many_rows_is_short_and_a_broken_one_is_refused():
    assert len(RowSet.of(np.arange(3000, 17_000)).code) < 100
    for text in ("", "!", "abcd", "eJw"):
        with pytest.raises(ValueError):
            rows_from(text)


def test_a_part_of_a_data_set_keeps_rows_numbers_and_the_classes_it_has():
    iris = datasets.load(datasets.RealData("iris"))
    part = datasets.only_rows(iris, RowSet.of(np.arange(60, 120)))
    assert part.table.index.tolist() == list(range(60, 120))
    assert part.truth_names == ("versicolor", "virginica")
    assert np.array_equal(part.X, iris.X[59:119])
    assert part.digest != iris.digest
    rows = datasets.labelled_rows(part, np.zeros(60, dtype=int))
    assert len(rows) == 150
    assert (rows["set_aside"] == "left out").sum() == 90
    with pytest.raises(ValueError, match="None of the rows"):
        datasets.only_rows(iris, RowSet.of([5000]))
