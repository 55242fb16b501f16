"""Compare without a browser: one table of the answer on the screen and every other method."""

import io

import pandas as pd
import pytest
import streamlit as st

from tests.added import METHOD, SCORE, add_entries
from tests.ui.helpers import complaints
from theta_app import compare, datasets, selection
from theta_app.compare.steps import PointsAtHand, measured
from theta_app.engine import tdg
from theta_app.ui import peers
from theta_app.ui.widgets import closed

PAGE = "pages/Compare.py"
BLOBS = {"data": "grid", "data_side": "3", "data_per_cluster": "30", "shuffles": "10"}


@pytest.fixture
def table(open_page, offered, monkeypatch):
    """``table(**query)`` -> the page's table, every method measured where the person stands."""

    def known(steps):  # in this process rather than in another
        points = PointsAtHand()
        points.hand_over(*known.points)
        here = list(dict.fromkeys(steps))[: len(compare.entries()) + 1]
        return {step: measured(step, points)[0] for step in here}

    monkeypatch.setattr(peers, "known", known)

    def run(**query):
        data = datasets.load(datasets.GridBlobs(side=3, per_cluster=int(query.get("data_per_cluster", 30))))
        points = selection.sample_of(data)
        known.points = (points.key, points.X, points.truth)
        at = open_page(PAGE, query=BLOBS | query)
        assert complaints(at) == []
        frame = pd.read_csv(io.BytesIO(offered["Table as CSV"]()))
        return frame.set_index(frame["method"] + ", " + frame["rule"])

    return run


def test_one_table_has_every_method_by_every_rule_it_has(table):
    found = table(theta="4.0")
    lines = [f"{entry.label}, " for entry in compare.entries()]
    assert len(found) == 1 + len(lines)
    assert found.index[0] == "TDG × 10, yours"
    assert all(name.startswith(line) for name, line in zip(found.index[1:], lines))
    assert {"BIRCH, your K", "BIRCH, threshold: half of your θ"} <= set(found.index)
    told = found[found["rule"] == "your K"].drop("Single linkage, your K")  # which leaves an outlier alone
    assert (told["k"].dropna() == found["k"].iloc[0]).all()
    data = datasets.load(datasets.GridBlobs(side=3, per_cluster=30))
    expected = compare.measure(compare.Variant.of("kmeans++", k=9, starts=3), data.X, 0, data.truth)
    assert found.loc["K-Means++, your K", "nmi"] == pytest.approx(expected.scores["nmi"])


def test_another_theta_is_another_answer_and_another_k_for_the_others(table):
    few, many = table(theta="12.0"), table(theta="1.6", data_per_cluster="60")
    data = datasets.load(datasets.GridBlobs(side=3, per_cluster=60))
    sizes = tdg(data.X, 1.6, 10, 0).sizes
    outliers = selection.count_outlier_clusters(sizes)
    assert outliers > 0, "or there is nothing to leave out"
    assert many.loc["K-Means++, your K", "k"] == many["k"].iloc[0] == len(sizes) - outliers
    assert few["k"].iloc[0] < 9
    # by their own rule, without θ and K, they stay where they are: on the same points HDBSCAN finds the same
    assert "clusters of at least 5 points, 1 % of all" in set(few["rule"])


def test_a_method_that_cannot_run_says_why_in_its_row(table, monkeypatch):
    monkeypatch.setattr("theta_app.compare.methods.Method.run", _breaks)
    found = table(theta="4.0")
    assert (found["note"].iloc[1:] == "Not today.").all()
    assert found["k"].iloc[0] == 9


def _breaks(*args, **kwargs):
    raise ValueError("Not today.")


def shown_in(at):
    return next(frame.value for frame in at.dataframe if "Method" in frame.value)


def test_pictures_and_more_scores_come_when_they_are_asked_for(open_page, monkeypatch):
    def page(**query):
        at = open_page(PAGE, query=BLOBS | {"theta": "2.5", "data_spacing": "4.0"} | query)
        assert complaints(at) == []
        return at, "".join(element.proto.body for element in at.get("html")).count('alt="Clusters of')

    at, pictures = page()
    assert pictures == 0
    assert not at.dataframe
    monkeypatch.setattr(closed, "section", lambda *args: st.container())
    add_entries(monkeypatch)
    chosen = {"o_cmp_methods": f"kmeans++-told,dbscan-own,{METHOD}-own,nope", "o_cmp_scores": f"nmi,ssd,{SCORE}"}
    at, pictures = page(**chosen)
    assert pictures == 1 + 3
    frame = shown_in(at).set_index("Method")
    assert list(frame.index)[:2] == ["Yours", "K-Means++, your K"]
    assert frame["Evenness"].between(0, 1).all()
    wide = at.number_input(key="widget.option.cmp_tolerance").set_value(1e-9).run()
    assert shown_in(wide)["SSD"].iloc[0] < frame["SSD"].iloc[0], "the tolerance counts"


@pytest.mark.parametrize(
    ("link", "part"),
    [({"o_cmp_view": "paper"}, "claims"), ({"o_cmp_view": "automatic"}, "automatic")]
    + [({"o_cmp_view": "paper", "o_cmp_experiment": "sizes"}, "experiments")],
)
def test_links_to_what_was_here_before_lead_to_paper(open_page, link, part):
    at = open_page(PAGE, query=link)
    assert complaints(at) == []
    assert at.session_state["theta_app.state"].options["paper"] == part
