"""A few thousand broken files; `make fuzz` tries many more."""

import pytest

from tests.datasets.fuzz import fuzz


@pytest.mark.parametrize("seed", [0, 1])
def test_a_thousand_broken_files_become_a_data_set_or_a_sentence(seed):
    tried, read = fuzz(seed, files=1000)
    assert tried == 1000
    assert 100 < read < 900  # otherwise the changes are too wild or too tame to test anything
