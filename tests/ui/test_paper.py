"""Paper without a browser: each part opens by its link and computes nothing of the others."""

from dataclasses import replace

import pytest
import streamlit as st

from tests.added import METHOD, SCORE, add_entries
from tests.datasets.test_originals import packed_labels, without_labels
from tests.shared_data import points
from tests.ui.helpers import complaints
from theta_app import datasets
from theta_app.datasets import originals
from theta_app.paper import maps, quality, results, s_sets
from theta_app.paper.claims import CLAIMS
from theta_app.paper.experiments import EXPERIMENTS
from theta_app.ui.pages.paper import experiments, live
from theta_app.ui.widgets import closed

PAGE = "pages/Paper.py"


@pytest.fixture
def opened(open_page):
    def run(**query):
        at = open_page(PAGE, query=query)
        assert complaints(at) == []
        return at

    return run


def shown_table(at):
    return at.dataframe[-1].value


def test_the_page_opens_on_the_claims_without_a_chart(opened):
    at = opened()
    assert at.header[0].value == "The paper's claims, checked"
    assert any(f"Of {len(CLAIMS)} claims" in text.value for text in at.markdown)
    assert not at.get("plotly_chart")
    assert not at.dataframe


@pytest.mark.parametrize(
    ("link", "part"),
    [
        ({"o_paper": "nonsense"}, "claims"),
        ({"o_deep_trial": "deep-70k"}, "deep"),
        ({"o_cmp_experiment": "<b>", "o_cmp_source": "?"}, "experiments"),
        ({"o_spacing_1": "9"}, "range"),
        ({"o_sets_theta": "90000"}, "sets"),
    ],
)
def test_a_link_from_before_there_was_this_page_opens_its_part(opened, link, part):
    assert opened(**link).segmented_control(key="widget.option.paper").value == part


@pytest.mark.parametrize("key", [key for key, experiment in EXPERIMENTS.items() if experiment.listed])
def test_every_experiment_opens_by_its_link(opened, key):
    at = opened(o_cmp_experiment=key)
    measured = {row["label"] for row in results.stored(key).rows}
    assert set(shown_table(at)["Method"]) == measured <= set(EXPERIMENTS[key].labels())
    assert any("Measured 20" in caption.value for caption in at.caption)
    assert not at.get("plotly_chart"), "charts are drawn once their section is opened"
    if EXPERIMENTS[key].beside:
        both = at.dataframe[-2].value
        assert list(both) == ["Method", "NMI, tuned", "NMI, as it comes", "AMI, tuned", "AMI, as it comes"]


def test_charts_and_pictures_are_drawn_when_their_sections_are_opened(opened, monkeypatch):
    monkeypatch.setattr(closed, "section", lambda *args: st.container())
    assert len(opened(o_paper="experiments").get("plotly_chart")) == len(EXPERIMENTS["hard"].labels()) + 5, (
        "a picture per method, time and four scores"
    )


def test_a_long_experiment_says_how_long_it_takes_before_it_starts(opened):
    at = opened(o_cmp_experiment="dims-1000", o_cmp_source=experiments.HERE)
    assert at.button(key="compare-run").label == "Run it here"
    assert any("minutes on one core" in text.value for text in at.markdown)


@pytest.mark.parametrize("key", ["hard", "clusters"])
def test_one_more_method_and_score_in_their_tables_are_shown_with_the_stored_runs(opened, key, monkeypatch):
    add_entries(monkeypatch)
    stored, experiment = {name: results.stored(name) for name in EXPERIMENTS}, EXPERIMENTS[key]
    like_tdg = [row for row in stored[key].rows if row["label"] == "TDG"]
    extra = [row | {"label": "Rounding", "method": METHOD, SCORE: 0.5} for row in like_tdg]
    stored[key] = replace(stored[key], rows=(*stored[key].rows, *extra))
    monkeypatch.setattr(results, "stored", stored.get)
    monkeypatch.setitem(EXPERIMENTS, key, replace(experiment, scores=("nmi", SCORE)))
    table = shown_table(opened(o_cmp_experiment=key)).set_index("Method")
    assert set(table.index) == {row["label"] for row in stored[key].rows} > {"TDG", "Rounding"}
    assert (table.loc["Rounding", "Evenness"] == 0.5).all()
    assert table.drop(index="Rounding")["Evenness"].isna().all(), "what was stored before has no such score"


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.2, "1 second"), (80, "80 seconds"), (600, "10 minutes"), (9000, "2.5 hours")]
)
def test_durations_are_told_as_people_tell_them(seconds, words):
    assert live.duration(seconds) == words


def test_how_often_the_automatic_answer_is_right_is_shown_from_the_stored_run(opened, monkeypatch):
    at, found = opened(o_paper="automatic"), quality.stored()
    mean = quality.totals(found).iloc[0]["mean"]
    assert any(f"**{mean:.2f}**" in text.value for text in at.markdown)
    assert any(f"Measured {found.made}" in caption.value for caption in at.caption)
    totals, per_set = at.dataframe
    assert totals.value["Method"].tolist() == list(found.methods.values())
    assert len(per_set.value) == quality.count_sets(found.truth)
    monkeypatch.setattr(quality, "stored", lambda: None)
    assert any("make quality" in info.value for info in opened(o_paper="automatic").info)


def test_deep_clustering_opens_on_the_question_whether_digits_are_found(opened, monkeypatch):
    at = opened(o_paper="deep")
    assert at.header[0].value == "Can the digits be found without labels, and without saying that there are ten?"
    said = " ".join(text.value for text in at.markdown)
    assert "through autoencoder and map, ThetA found" in said
    monkeypatch.setattr(maps, "stored", maps.Maps)
    assert any("make mnist" in info.value for info in opened(o_paper="deep").info)


def test_the_spacings_can_be_changed_and_travel_in_the_address(open_page):
    at = open_page(PAGE, query={"o_paper": "range", "shuffles": "3"})
    box = at.number_input(key="widget.option.spacing_3")
    assert box.value == 5.0
    box.set_value(9.0).run()
    assert not complaints(at)
    assert any(c.value.startswith("11 apart: ") and " 9 apart: " in c.value for c in at.caption)
    assert at.query_params["o_spacing_3"] == "9.0"


def test_a_link_with_an_impossible_spacing_is_brought_into_bounds(open_page):
    at = open_page(PAGE, query={"o_spacing_1": "-5", "shuffles": "2"})
    assert not complaints(at)
    assert at.number_input(key="widget.option.spacing_1").value == 1.0


def test_the_four_sets_are_measured_beside_what_the_paper_says(open_page):
    at = open_page(PAGE, query={"o_paper": "sets", "shuffles": "20"})
    table = next(frame.value for frame in at.dataframe if "nmi_kmeans" in frame.value)
    assert table["set"].tolist() == [f"S{i} (look-alike)" for i in (1, 2, 3, 4)]
    assert (table["nmi_top"] > table["nmi_all"] + 0.01).all()  # keeping the largest brings it nearer to the truth
    said = " ".join(m.value for m in at.markdown)
    assert "closer to the ground truth than K-Means++" in said
    dropped = int((table["suggested"] == 15).sum())
    assert f"falls after the 15th cluster on {dropped} of 4 sets" in said


def test_originals_are_offered_where_they_were_fetched(open_page, monkeypatch, tmp_path):
    data = datasets.load(datasets.Bundled("s1"))
    points = data.X.astype(int)
    digest = originals.values_digest(points.astype(float), data.truth)
    monkeypatch.setitem(originals.FILES, "s1", replace(originals.FILES["s1"], digest=digest))
    monkeypatch.setattr(originals, "cache_folder", lambda: tmp_path)
    (tmp_path / "s1.txt").write_bytes(without_labels(points))
    (tmp_path / originals.LABELS).write_bytes(packed_labels({"s1": data.truth}))
    at = open_page(PAGE, query={"o_paper": "sets", "shuffles": "5"})
    at.segmented_control(key="widget.option.sets").set_value("originals").run()
    table = next(frame.value for frame in at.dataframe if "nmi_kmeans" in frame.value)
    assert table["set"].tolist() == ["S1 (original)", "S2 (look-alike)", "S3 (look-alike)", "S4 (look-alike)"]


@pytest.mark.parametrize(("name", "top", "told"), [("s1", 0.985, 0.987), ("s2", 0.944, 0.946), ("s3", 0.789, 0.795)])
def test_on_the_real_sets_the_drop_is_after_fifteen_and_scores_are_as_measured(name, top, told):
    result = s_sets.set_result(name, *points(f"s-sets/{name}"), theta=1e5)
    assert result.drop.suggested == 15
    assert result.nmi_top == pytest.approx(top, abs=0.006)
    assert result.nmi_kmeans == pytest.approx(told, abs=0.006)
