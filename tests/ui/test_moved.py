"""Addresses of former pages lead to where their content is now, with their settings."""

from urllib.parse import parse_qsl, urlsplit

import pytest

from tests.ui.conftest import ROOT
from tests.ui.helpers import complaints, former_pages
from theta_app.ui import moved, session

CASES = {
    "Optimal_theta": ({"data": "s1", "theta": "100000.0", "shuffles": "20"}, "Evidence", {}),
    "Cluster_sizes": ({"data": "grid", "theta": "3.0", "o_keep": "01234567:4"}, "Evidence", {}),
    "Nonlinear": (
        {"data": "moons", "theta": "0.1", "epsilon": "0.2", "algorithm": "TNC", "shuffle_seed": "3"},
        "",
        {},
    ),
    "Deep": ({"data": "digits", "o_deep_epochs": "5"}, "Paper", {"o_paper": "deep"}),
}


def led_to(old, query):
    """(page, parameters) of where a former link leads."""
    parts = urlsplit(moved.address(old, query))
    return parts.path.removeprefix("./"), dict(parse_qsl(parts.query))


@pytest.mark.parametrize("old", moved.MOVED)
def test_a_former_link_keeps_its_settings(old):
    query, page, changed = CASES[old]
    assert led_to(old, query) == (page, query | changed)
    assert session.from_query(led_to(old, query)[1])[1] == []


@pytest.mark.parametrize("old", former_pages())
def test_a_former_page_says_where_it_is_now(open_page, old):
    at = open_page(f"pages/{old}.py", query=CASES[old][0])
    assert complaints(at) == []
    sent = next(e.proto.json for e in at.get("bidi_component") if e.proto.component_name == "theta_moved")
    assert sent == f'"{moved.address(old, CASES[old][0])}"'
    assert (ROOT / moved.MOVED[old].file).is_file()


CHAINS = {
    "the verdict's": ({"data": "moons"}, {}),
    "lengths of its own": (
        {"theta": "9.0", "algorithm": "TDG", "o_chain": "01234567 0.1 0.25"},
        {"theta": "0.1", "epsilon": "0.25"},
    ),
    "its own θ": ({"algorithm": "TDG", "theta": "9.0", "o_chain": "01234567 0.1 best"}, {"theta": "0.1"}),
    "those of TDG": ({"algorithm": "TDG", "theta": "9.0"}, {}),
    "those of TNC": ({"algorithm": "TNC", "theta": "0.1", "epsilon": "0.2"}, {"theta": "0.1", "epsilon": "0.2"}),
}


@pytest.mark.parametrize("name", CHAINS)
def test_a_link_to_chains_opens_explore_with_tnc_at_their_lengths(name):
    query, lengths = CHAINS[name]
    page, found = led_to("Nonlinear", query)
    assert page == ""
    assert found["algorithm"] == "TNC"
    assert {key: found[key] for key in ("theta", "epsilon") if key in found} == lengths
    assert "o_chain" not in found
