"""A few thousand broken files; `make fuzz` tries many more."""

import pytest

from tests.datasets.fuzz import fuzz


@pytest.mark.parametrize("seed", [0, 1])
def test_fifteen_hundred_broken_files_become_a_data_set_or_a_sentence(seed):
    tried, read = fuzz(seed, files=1500)
    assert tried == 1500
    assert 150 < read < 1350  # otherwise the changes are too wild or too tame to test anything
