"""Points drawn by hand: exact in a link, and nothing but the link is needed to have them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from theta_app import datasets
from theta_app.datasets import drawn

steps = st.tuples(st.integers(0, 160_000), st.integers(0, 90_000))


@given(st.lists(steps, max_size=20))
@settings(deadline=None)
def test_what_is_drawn_comes_back_exactly(places):
    X = np.array(places, dtype=float).reshape(-1, 2) / 10_000
    assert np.array_equal(drawn.decoded(drawn.encoded(X)), X)


def test_a_drawing_travels_in_the_link_of_a_data_set():
    spec = datasets.Drawn(drawn.encoded([[1.0, 2.0], [3.5, 4.25]]))
    query = datasets.spec_to_query(spec)
    assert query == {"data": "drawn", "data_points": spec.points}
    assert datasets.spec_from_query(query) == spec
    assert datasets.load(spec).X.tolist() == [[1.0, 2.0], [3.5, 4.25]]


@pytest.mark.parametrize("points", ["", "AAA", "AAAAA!", "______", "AAAAAA" * 301, "Ä" * 6])
def test_a_drawing_that_cannot_be_right_is_refused_with_a_sentence(points):
    with pytest.raises(ValueError, match=r"^The link"):
        datasets.spec_from_query({"data": "drawn", "data_points": points})
