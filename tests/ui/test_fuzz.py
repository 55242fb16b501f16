"""A few wild links on a running server; `make fuzz` opens many more."""

from tests.ui.fuzz import fuzz


def test_no_link_ends_the_server_or_breaks_a_page():
    assert fuzz(0, links=12, largest=3_000, fatal_on=[""]) == 12
