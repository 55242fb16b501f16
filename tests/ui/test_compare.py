"""The Compare page opened, linked to and run, without a browser."""

import json
import time
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.added import METHOD, SCORE, add_entries
from theta_app import datasets, selection
from theta_app.compare import METHODS, quality, results
from theta_app.compare.experiments import EXPERIMENTS
from theta_app.compare.steps import PointsAtHand, measured
from theta_app.engine import tdg
from theta_app.ui.pages.compare import live, paper

PAGE = str(Path(__file__).parents[2] / "pages" / "Compare.py")
QUICK = {"data": "grid", "data_side": "2", "data_per_cluster": "30", "theta": "4.0", "o_cmp_view": "yours"}
QUICK |= {"o_cmp_methods": "tsg,kmeans++", "o_cmp_repeats": "2"}


def opened(**query):
    app = AppTest.from_file(PAGE, default_timeout=60)
    for name, value in query.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    assert not app.error, [error.value for error in app.error]
    return app


def shown_table(app):
    return app.dataframe[-1].value


def button(app, key):
    return next((found for found in app.button if found.key == key), None)


def test_the_page_opens_on_the_stored_hard_case_and_the_claims():
    app = opened()
    assert set(EXPERIMENTS["hard"].labels()) <= set(shown_table(app)["Method"])
    assert any("Measured 20" in caption.value for caption in app.caption)
    assert any("claims, measured" in header.value for header in app.header)
    assert any("of 25 claims" in text.value for text in app.markdown)
    charts = app.get("plotly_chart")
    assert len(charts) == 8 + 5, "a picture per method, and time and four scores over the repeats"


@pytest.mark.parametrize("key", [key for key, experiment in EXPERIMENTS.items() if experiment.listed and key != "hard"])
def test_every_experiment_opens_by_its_link(key):
    app = opened(o_cmp_experiment=key)
    assert set(shown_table(app)["Method"]) == set(EXPERIMENTS[key].labels())
    if EXPERIMENTS[key].beside:
        both = app.dataframe[-2].value
        assert list(both) == ["Method", "NMI, tuned", "NMI, as it comes", "AMI, tuned", "AMI, as it comes"]
        assert (both["AMI, tuned"] >= both["AMI, as it comes"] - 0.02).all()


def test_a_long_experiment_says_how_long_it_takes_before_it_starts():
    app = opened(o_cmp_experiment="dims-1000", o_cmp_source=paper.HERE)
    assert button(app, "compare-run").label == "Run it here"
    assert any("minutes on one core" in text.value for text in app.markdown)


def test_a_broken_link_falls_back_to_what_works():
    app = opened(o_cmp_view="nonsense", o_cmp_experiment="<b>", o_cmp_source="?")
    assert "TDG" in set(shown_table(app)["Method"])
    app = opened(
        **QUICK | {"o_cmp_methods": "tsg,nope", "o_cmp_repeats": "-5", "o_cmp_budget": "x", "o_p_tsg_theta": "a"}
    )
    assert app.number_input(key="widget.option.cmp_repeats").value == 1
    assert app.number_input(key="widget.option.p_tsg_theta").value == 4.0


def test_parameters_start_from_theta_and_can_be_changed_and_taken_back():
    app = opened(**QUICK)
    assert app.number_input(key="widget.option.p_tsg_theta").value == 4.0
    assert app.number_input(key="widget.option.p_kmeanspp_k").value == 4
    app.number_input(key="widget.option.p_tsg_theta").set_value(2.5).run()
    assert app.query_params["o_p_tsg_theta"] in ("2.5", ["2.5"])
    next(found for found in app.button if found.label.startswith("Back")).click().run()
    assert app.number_input(key="widget.option.p_tsg_theta").value == 4.0


def test_a_comparison_runs_to_its_end_and_shows_every_method():
    app = opened(**QUICK, o_cmp_scores="nmi,ari")
    button(app, "compare-run").click().run()
    end = time.monotonic() + 60
    while button(app, "compare-stop") is not None:
        assert time.monotonic() < end
        time.sleep(0.2)
        app.run()
    table = shown_table(app)
    assert table["Method"].tolist() == ["Your clusters", "TSG", "K-Means++"]
    assert table["Runs"].tolist() == [1, 2, 2]
    assert table["NMI"].min() > 0.9
    assert button(app, "compare-run").label == "Measure again"


def test_the_page_opens_on_the_data_that_were_chosen_unless_a_link_says_otherwise():
    chosen = {name: value for name, value in QUICK.items() if name != "o_cmp_view"}
    app = opened(**chosen)
    assert app.segmented_control(key="widget.option.cmp_view").value == "yours"
    assert app.number_input(key="widget.option.p_kmeanspp_k").value == 4
    app = opened(**chosen, o_cmp_view="paper")
    assert any("claims, measured" in header.value for header in app.header)


def measured_at_once(monkeypatch):
    """Every step of a plan is measured here, rather than in a process that does not know the test's entries."""

    def known(plan):
        points = PointsAtHand()
        points.hand_over(*plan.points)
        return {step: measured(step, points) for step in plan.steps}

    monkeypatch.setattr(live, "known", known)


def test_more_than_two_features_are_drawn_flat_also_where_a_method_calls_everything_noise(monkeypatch):
    measured_at_once(monkeypatch)
    app = opened(
        data="iris",
        theta="1.0",
        o_cmp_view="yours",
        o_cmp_methods="tsg,dbscan",
        o_cmp_repeats="1",
        o_p_dbscan_eps="1e-6",
    )
    assert shown_table(app).set_index("Method").loc["DBSCAN", "K"] == 0
    assert any("Drawn on the first two principal axes" in caption.value for caption in app.caption)


def test_card_table_and_dot_of_a_method_say_the_same_and_nothing_is_cut_off(monkeypatch):
    measured_at_once(monkeypatch)
    blobs = {"data": "grid", "data_side": "3", "data_per_cluster": "40", "data_spacing": "4.0", "theta": "2.0"}
    app = opened(**blobs, o_cmp_methods="tsg,tdg,kmeans++", o_cmp_repeats="3", o_cmp_scores="nmi")
    table = shown_table(app).set_index("Method").drop("Your clusters")
    k = int(app.number_input(key="widget.option.p_kmeanspp_k").value)
    chart = next(chart for chart in app.get("plotly_chart") if chart.key == "chart-yours-time-quality")
    dots = json.loads(chart.proto.spec)["data"]
    assert sorted(dot["name"] for dot in dots) == sorted(table.index)
    for name, row in table.iterrows():
        card = next(text.value for text in app.markdown if text.value.startswith(f"**{name}**  \n"))
        assert f"K {row['K']:g} · NMI {row['NMI']:.3f}" in card
        assert "median of 3 runs" in card
        dot = next(dot for dot in dots if dot["name"] == name)
        assert (dot["y"][0], dot["x"][0]) == (row["NMI"], row["Time (s)"])
    said = next(text.value for text in app.markdown if text.value.startswith("- **Your clusters**"))
    assert f"Clusters K {k}, Starts 10" in said
    assert {"Parameters", "Note"}.isdisjoint(table.columns)
    assert "outlier group" in said, "what K does not count is said"


def test_k_means_is_told_k_without_outliers():
    app = opened(**QUICK | {"data_per_cluster": "60", "theta": "1.6"})
    data = datasets.load(datasets.GridBlobs(side=2, per_cluster=60))
    sizes = tdg(data.X, 1.6, 50, 0).sizes
    assert selection.count_outlier_clusters(sizes) > 0, "or there is nothing to leave out"
    told = app.number_input(key="widget.option.p_kmeanspp_k").value
    assert told == len(sizes) - selection.count_outlier_clusters(sizes)


def test_one_more_method_and_score_in_their_tables_are_shown_with_your_data(monkeypatch):
    add_entries(monkeypatch)
    measured_at_once(monkeypatch)
    app = opened(**QUICK | {"o_cmp_methods": f"tsg,{METHOD}", "o_cmp_scores": f"nmi,{SCORE}"})
    for setting in METHODS[METHOD].settings:
        assert app.number_input(key=f"widget.option.p_{METHOD}_{setting.name}").value == 2.0
    table = shown_table(app).set_index("Method")
    assert list(table.index) == ["Your clusters", "TSG", "Rounding"]
    assert table["Evenness"].between(0.0, 1.0).all()
    charts = len(app.get("plotly_chart"))
    assert charts == 1 + 2 + 3, "time against quality, a picture per method, time and two scores over the repeats"


@pytest.mark.parametrize("key", ["hard", "clusters"])
def test_one_more_method_and_score_in_their_tables_are_shown_with_the_stored_runs(key, monkeypatch):
    add_entries(monkeypatch)
    stored, experiment = {name: results.stored(name) for name in EXPERIMENTS}, EXPERIMENTS[key]
    like_tdg = [row for row in stored[key].rows if row["label"] == "TDG"]
    extra = [row | {"label": "Rounding", "method": METHOD, SCORE: 0.5} for row in like_tdg]
    stored[key] = replace(stored[key], rows=(*stored[key].rows, *extra))
    monkeypatch.setattr(results, "stored", stored.get)
    monkeypatch.setitem(EXPERIMENTS, key, replace(experiment, scores=("nmi", SCORE)))
    table = shown_table(opened(o_cmp_experiment=key)).set_index("Method")
    assert set(table.index) == {*experiment.labels(), "Rounding"}
    assert (table.loc["Rounding", "Evenness"] == 0.5).all()
    assert table.drop(index="Rounding")["Evenness"].isna().all(), "what was stored before has no such score"


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.2, "1 second"), (80, "80 seconds"), (600, "10 minutes"), (9000, "2.5 hours")]
)
def test_durations_are_told_as_people_tell_them(seconds, words):
    assert live.duration(seconds) == words


def test_how_often_the_automatic_answer_is_right_is_shown_from_the_stored_run():
    app = opened(o_cmp_view="automatic")
    found = quality.stored()
    assert app.header[0].value == "How often is the automatic answer right?"
    mean = quality.totals(found).iloc[0]["mean"]
    assert any(f"**{mean:.2f}**" in text.value for text in app.markdown)
    assert any(f"Measured {found.made}" in caption.value for caption in app.caption)
    assert len(app.get("plotly_chart")) == 2
    totals, per_set = app.dataframe
    assert totals.value["Method"].tolist() == list(found.methods.values())
    assert len(per_set.value) == quality.count_sets(found.truth)
    assert {"Table as CSV", "Every answer as CSV", "Noise as CSV", "All as JSON"} <= {
        button.label for button in app.get("download_button")
    }


def test_without_a_stored_run_of_the_automatic_answer_the_page_says_how_to_make_one(monkeypatch):
    monkeypatch.setattr(quality, "stored", lambda: None)
    app = opened(o_cmp_view="automatic")
    assert any("make quality" in info.value for info in app.info)
