"""Some hundred broken files; `make fuzz` tries many more."""

import pytest

from tests.datasets.fuzz import fuzz


@pytest.mark.parametrize("seed", [0, 1])
def test_hundreds_of_broken_files_become_a_data_set_or_a_sentence(seed):
    tried, read = fuzz(seed, files=400)
    assert tried == 400
    assert 40 < read < 360  # otherwise the changes are too wild or too tame to test anything
