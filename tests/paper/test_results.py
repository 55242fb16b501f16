"""Stored results load, match their schema and can be measured again; summaries and marks say what the rows say."""

import json

import numpy as np
import pandas as pd
import pytest

from tests.added import SCORE, add_entries
from theta_app import metrics
from theta_app.compare import METHODS
from theta_app.compare.measure import OK
from theta_app.compare.steps import FIXED_COLUMNS, Picture, columns
from theta_app.paper import results
from theta_app.paper.experiments import EXPERIMENTS


@pytest.mark.parametrize("key", EXPERIMENTS)
def test_stored_results_match_their_schema_and_their_experiment(key):
    found, experiment = results.stored(key), EXPERIMENTS[key]
    assert found.rows, "every experiment comes with a stored run"
    frame = found.frame()
    assert tuple(frame.columns) == columns()
    planned = {step.place: step for step in experiment.steps()}
    assert found.places() <= set(planned), "nothing is stored that the experiment does not ask for"
    asked = {place for place, step in planned.items() if place[1] == 0 and METHODS[step.variant.method].listed}
    assert asked <= found.places(), "the first repeat is whole"
    assert len(found.places()) == len(found.rows), "no measurement is stored twice"
    assert (frame["status"] == OK).mean() > 0.9
    good = frame[frame["status"] == OK]
    assert good["nmi"].between(-1e-9, 1 + 1e-9).all()
    assert (good["seconds"] > 0).all()
    assert pd.Timestamp(found.made)
    assert {"scikit-learn", "numpy", "numba", "python", "theta-app"} <= set(found.versions)
    assert set(found.machine) == {"processor", "cores", "system"}
    assert {case.label for case in experiment.cases} == set(found.facts)


@pytest.mark.parametrize("key", EXPERIMENTS)
def test_stored_pictures_have_one_label_per_point(key):
    found = results.stored(key)
    for (case, label), picture in found.pictures.items():
        assert len(picture.labels) == found.facts[case]["points"]
        assert label in EXPERIMENTS[key].labels()
        row = next(r for r in found.rows if (r["case"], r["repeat"], r["label"]) == (case, 0, label))
        assert len(np.unique(picture.labels[picture.labels >= 0])) == row["n_clusters"]


def a_row(label, seconds=1.0, status=OK, case="a", repeat=0, **scores):
    row = dict.fromkeys(columns()) | {"case": case, "repeat": repeat, "label": label, "method": "tsg", "note": ""}
    return row | {"parameters": "", "status": status, "seconds": seconds, "n_clusters": 3, **scores}


def test_what_is_stored_comes_back(tmp_path):
    picture = Picture(np.array([0, 2, -1, 300]), np.array([[1.5, -2.0], [1e5, 3.25]]))
    kept = results.Results(
        "easy",
        "2026-01-01",
        {"numpy": "2"},
        {"processor": "x", "cores": 2, "system": "y"},
        {"a": {"points": 4}},
        (a_row("TSG", nmi=0.5), a_row("BIRCH", nmi=float("nan"), status="failed", seconds=None)),
        {("a", "TSG"): picture},
    )
    results.store(kept, tmp_path)
    back = results.stored("easy", tmp_path)
    assert back.rows[0] == kept.rows[0]
    assert back.rows[1]["nmi"] is None
    assert (back.made, back.versions, back.machine, back.facts) == (kept.made, kept.versions, kept.machine, kept.facts)
    assert back.pictures["a", "TSG"].labels.tolist() == picture.labels.tolist()
    assert back.pictures["a", "TSG"].centroids.tolist() == picture.centroids.tolist()


@pytest.mark.parametrize("broken", ["{", "[]", json.dumps({"schema": 99, "experiment": "easy"})])
def test_a_broken_file_is_told_in_a_sentence(tmp_path, broken):
    (tmp_path / "easy.json").write_text(broken)
    with pytest.raises(ValueError, match=r"easy\.json cannot be read"):
        results.stored("easy", tmp_path)


@pytest.mark.parametrize("key", EXPERIMENTS)
def test_what_is_stored_again_is_the_same_file(key, tmp_path):
    results.store(results.stored(key), tmp_path)
    assert (tmp_path / f"{key}.json").read_bytes() == (results.STORED / f"{key}.json").read_bytes()


def with_columns(change):
    """A stored run whose rows are dicts that `change` has changed, as a file's text."""
    content = json.loads((results.STORED / "easy.json").read_text(encoding="utf-8"))
    rows = [change(dict(zip(content["columns"], row))) for row in content["rows"]]
    return json.dumps(content | {"columns": list(rows[0]), "rows": [list(row.values()) for row in rows]})


def test_a_score_that_was_not_measured_is_undefined_and_one_that_is_unknown_is_kept(tmp_path):
    text = with_columns(lambda row: {name: row[name] for name in row if name != "ari"} | {"old_score": 0.25})
    (tmp_path / "easy.json").write_text(text, encoding="utf-8")
    found = results.stored("easy", tmp_path)
    assert found.frame()["ari"].isna().all()
    assert found.frame()["nmi"].notna().all()
    assert "old_score" not in found.frame()
    results.store(found, tmp_path)
    assert all(row["old_score"] == 0.25 for row in results.stored("easy", tmp_path).rows)


@pytest.mark.parametrize("key", EXPERIMENTS)
def test_one_more_score_in_the_table_leaves_every_stored_run_readable(key, monkeypatch):
    before = results.stored(key).frame()
    add_entries(monkeypatch)
    results._read.cache_clear()
    after = results.stored(key).frame()
    assert after[SCORE].isna().all()
    pd.testing.assert_frame_equal(after[before.columns], before)
    table = results.summary(after, ["nmi", SCORE])
    assert table[SCORE].isna().all()
    assert not results.best_values(table, ["nmi", SCORE])[SCORE].any()


@pytest.mark.parametrize("name", FIXED_COLUMNS)
def test_a_run_without_what_says_where_its_rows_belong_is_refused(name, tmp_path):
    text = with_columns(lambda row: {other: row[other] for other in row if other != name})
    (tmp_path / "easy.json").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=f"no column {name}"):
        results.stored("easy", tmp_path)


def test_the_summary_holds_medians_and_what_went_wrong():
    rows = [a_row("TSG", s, repeat=i, nmi=n) for i, (s, n) in enumerate([(1, 0.2), (2, 0.4), (9, 0.9)])]
    rows += [a_row("BIRCH", 4, nmi=0.5), a_row("BIRCH", None, "failed", repeat=1) | {"note": "It broke."}]
    table = results.summary(results.rows_frame(rows), ["nmi"]).set_index("label")
    assert table.loc["TSG", ["runs", "nmi", "seconds", "slower"]].tolist() == [3, 0.4, 2, 1]
    assert table.loc["BIRCH", ["runs", "failed", "slower", "note"]].tolist() == [1, 1, 2, "It broke."]


def test_means_over_cases_are_of_the_medians_over_repeats():
    rows = [a_row("TSG", repeat=i, nmi=n) for i, n in enumerate([0.1, 0.5, 0.6])] + [a_row("TSG", case="b", nmi=0.9)]
    found = {"one": results.Results("easy", rows=tuple(rows)), "two": results.Results("easy", rows=(rows[0],))}
    means = results.means_over_cases(found, ["nmi"])
    assert means.loc["TSG"].tolist() == pytest.approx([0.7, 0.1])
    assert means.columns.tolist() == [("nmi", "one"), ("nmi", "two")]


def test_best_values_are_marked_in_each_case_and_lower_is_better_where_it_is():
    rows = [
        a_row("TSG", 1.0, nmi=0.9, davies_bouldin=2.0, ssd=0.0),
        a_row("BIRCH", 2.0, nmi=0.9004, davies_bouldin=1.0, ssd=0.0),
        a_row("TSG", 5.0, case="b", nmi=0.1, davies_bouldin=1.0, ssd=1.0),
        a_row("BIRCH", 2.0, case="b", nmi=0.3, davies_bouldin=3.0, ssd=0.5),
    ]
    scores = ["nmi", "davies_bouldin", "ssd"]
    best = results.best_values(results.summary(results.rows_frame(rows), scores), scores)
    assert best["nmi"].tolist() == [True, True, False, True], "equal to three digits share the mark"
    assert best["davies_bouldin"].tolist() == [False, True, True, False]
    assert best["ssd"].tolist() == [False, False, True, False], "nought for all is nobody's best"
    assert best["seconds"].tolist() == [True, False, False, True]
    assert set(scores) <= set(metrics.SCORES)
