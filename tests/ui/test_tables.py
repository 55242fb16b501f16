"""One entry in one table is enough: a score, a method and a generated set are added, and every page opens on them."""

import pytest

from tests.added import METHOD, SCORE, Ripple, add_entries, add_generator
from tests.ui.helpers import complaints
from theta_app import datasets
from theta_app.ui.shell import MENU


@pytest.mark.parametrize("page", MENU, ids=lambda page: page.title)
def test_every_page_opens_with_one_more_entry_in_every_table(open_page, monkeypatch, page):
    add_entries(monkeypatch)
    add_generator(monkeypatch)
    chosen = {"o_cmp_methods": f"tsg-own,{METHOD}-own", "o_cmp_scores": f"silhouette,{SCORE}"}
    at = open_page(page.file, query={**datasets.spec_to_query(Ripple()), "shuffles": "5", **chosen})
    assert complaints(at) == []
    assert at.session_state["theta_app.state"].spec == Ripple()
