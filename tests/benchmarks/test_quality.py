"""The quality benchmark: its sets are what they say, its pieces are kept, its report says what was measured."""

import json
import time

import numpy as np
import pytest

from benchmarks.quality import corpus, fit, jobs, report, sets
from benchmarks.quality.__main__ import _share, main
from benchmarks.quality.methods import MANY_COLUMNS, METHODS
from tests.paper.quality_run import run
from theta_app.paper import quality as store


def quiet(line):
    pass


@pytest.mark.parametrize("case", sets.GENERATED, ids=lambda case: case.name)
def test_a_generated_set_is_the_same_each_time_and_its_truth_fits(case):
    X, truths = case.points()
    assert np.isfinite(X).all()
    assert all(len(truth) == len(X) and truth.max() >= 1 for truth in truths)
    assert np.array_equal(X, case.points()[0])


def test_names_of_sets_are_unique_in_their_group():
    names = [(case.group, case.name) for case in sets.cases(quiet)]
    assert len(set(names)) == len(names)


def test_sets_that_are_not_on_this_machine_are_left_out_with_a_line(monkeypatch, tmp_path):
    monkeypatch.setattr(sets, "PUBLISHED", tmp_path)
    monkeypatch.setattr(sets, "_MNIST", tmp_path / "mnist.npz")
    said = []
    assert sets.cases(said.append) == list(sets.GENERATED)
    assert len(said) == 3
    assert sets.published("s-sets/s1") is None
    said.clear()
    names = [case.name for case in sets.many_columns(said.append)]
    assert names == [
        "iris",
        "wine",
        "breast cancer",
        "digits",
        "digits, strokes",
        *(case.name for case in sets.EMBEDDINGS),
    ]
    assert len(said) == 2


def test_noise_is_within_its_limits_and_of_both_kinds():
    drawn = [sets.Noise(number).facts for number in range(sets.NOISE_SETS)]
    assert {kind for kind, _, _ in drawn} == {"uniform", "Gaussian"}
    assert {features for _, _, features in drawn} >= {1, 2, 3, 20}
    for _, points, features in drawn:
        assert 100 <= points <= next(cap for up_to, cap in sets.NOISE_CAPS if features <= up_to)
    first = sets.Noise(0)
    assert first.points().shape == first.facts[1:]
    assert np.array_equal(first.points(), sets.Noise(0).points())


def test_noise_of_many_columns_is_of_every_kind_and_size_and_the_same_each_time():
    drawn = [sets.WideNoise(number) for number in range(200)]
    assert {cloud.facts[0] for cloud in drawn} == set(sets.WIDE_KINDS)
    assert all(100 <= points <= 5_000 and 4 <= features <= 50 for _, points, features in (c.facts for c in drawn))
    assert max(c.facts[1] for c in drawn) > 3_000
    assert {c.facts[0] for c in sets.curved()} == set(sets.CURVED_KINDS)
    for cloud in (*drawn[:4], *sets.curved(3)):
        X = cloud.points()
        assert X.shape == cloud.facts[1:]
        assert np.array_equal(X, cloud.points())
    gaussian, rounded = drawn[1].points(), drawn[3].points()
    assert abs(np.corrcoef(gaussian.T) - np.eye(gaussian.shape[1])).max() < 0.3
    assert np.array_equal(rounded, rounded.round())


def test_an_embedding_is_unit_vectors_of_topics_that_are_neighbours():
    X, truth = sets.embedding(300, 384, 6)
    assert X.shape == (300, 384)
    np.testing.assert_allclose(np.linalg.norm(X, axis=1), 1.0)
    assert len(np.unique(truth)) == 6
    near = np.argsort(-(X @ X.T), axis=1)[:, 1:6]
    assert (truth[near] == truth[:, None]).mean() > 0.9


def test_an_embedding_goes_through_by_default_and_the_map_shows_its_topics():
    pytest.importorskip("umap")
    X, truth = sets.embedding(300, 384, 6)
    found = MANY_COLUMNS["theta"].run(X)
    assert found.said["space"] == "map"
    assert jobs._agreement(truth, found.labels) > 0.9
    assert jobs._agreement(truth, MANY_COLUMNS["umap-hdbscan"].run(X).labels) > 0.8


@pytest.mark.parametrize("key", METHODS)
def test_every_method_finds_three_clusters_far_apart_by_itself(key):
    truth = np.repeat([0, 1, 2], 60)
    X = np.array([(0, 0), (40, 0), (0, 40)])[truth] + np.random.default_rng(0).normal(size=(180, 2))
    answer = METHODS[key].run(np.ascontiguousarray(X))
    assert answer.n_clusters == 3
    assert jobs._agreement(truth, answer.labels) > 0.95


def test_points_without_a_class_do_not_count():
    truth, labels = np.array([0, 0, 1, 1, -1, -1]), np.array([5, 5, 7, 7, 5, 7])
    assert jobs._agreement(truth, labels) == 1.0


def test_the_best_of_several_truths_counts_and_a_late_answer_scores_nothing(monkeypatch):
    case = next(case for case in sets.GENERATED if case.name == "nested")
    value = jobs._truth(case, "hdbscan-1").make()
    assert value["ari"] > 0.95
    assert value["note"] == ""

    def forever(X):
        while True:
            time.process_time()

    monkeypatch.setattr(jobs, "LIMIT", 0.05)
    monkeypatch.setitem(METHODS, "hdbscan-1", METHODS["hdbscan-1"].__class__("Slow", "never ends", forever))
    value = jobs._truth(case, "hdbscan-1").make()
    assert (value["ari"], value["n_clusters"]) == (0.0, None)
    assert "no answer" in value["note"]


def test_a_piece_is_measured_once_until_what_it_needs_changes(monkeypatch, tmp_path):
    monkeypatch.setattr(jobs, "KEPT", tmp_path / "kept")
    calls = []

    def job(needs):
        return jobs.Job(jobs.ELBOW, "a set, 5 apart", needs, lambda: calls.append(1) or {"hits": len(calls)}, {})

    assert job("x").known() is None
    assert job("x").measure() == {"hits": 1}
    assert job("x").known() == {"hits": 1}
    assert job("y").known() is None, "of older code"
    next((tmp_path / "kept").iterdir()).write_text("{")
    assert job("x").known() is None, "a broken file is no value"


def test_a_change_of_the_rules_concerns_our_answers_alone(monkeypatch):
    case = sets.GENERATED[0]
    before = {key: jobs._truth(case, key).needs for key in METHODS}
    monkeypatch.setattr(jobs, "rules", lambda: "other rules")
    changed = {key for key in METHODS if jobs._truth(case, key).needs != before[key]}
    assert changed == {key for key, method in METHODS.items() if method.ours}


def test_the_report_says_what_was_measured_and_what_is_missing(tmp_path):
    found = run()
    text = report._text(found, 3, 10)
    assert "3 of 10 measurements were not made" in text
    assert "| HDBSCAN | **0.533** | 1.5 | 33% | 1 s |" in text
    assert "| S1 | 100000 | 15 | 19 of 20 |" in text
    assert "| 5,000 × 2 | 3.00 s | HDBSCAN | 2.00 s | 1.50 |" in text
    assert "| ThetA | 2 | 1 | 50.0% |" in text
    assert "| table with a count | 2 | 1 | 2 | 1 |" in text
    assert "| table with months | 2 | 0 | 0 | 0 |" in text, "not above 75 %, and nothing found is no answer"
    assert "| All sets | 4 | 1 | 2 | 1 |" in text
    assert "## Out of fold" in text
    assert "not made" not in report._text(found, 0, 10)


def test_many_columns_and_their_noise_are_reported_and_other_parts_stay(monkeypatch, tmp_path):
    monkeypatch.setattr(jobs, "KEPT", tmp_path / "kept")
    store.store(run(), tmp_path)
    facts = {"set": "wine", "points": 178, "features": 13, "classes": 3}
    values = {"n_clusters": 3, "note": "", "seconds": 2.0}
    scores = {"theta": 0.9, jobs.TOLD: 0.8}
    planned = [
        jobs.Job(jobs.MANY, key, "x", lambda ari=ari: values | {"ari": ari}, facts | {"method": key})
        for key, ari in scores.items()
    ]
    for number, algorithm in ((0, None), (4, "TDG")):
        cloud = {"set": f"wide {number}", "kind": "uniform", "points": 100, "features": 5, "method": "theta"}
        said = values | {"algorithm": algorithm, "stands_out": False, "confidence": 0.5, "space": "map"}
        planned.append(jobs.Job(jobs.WIDE, cloud["set"], "x", lambda said=said: said, cloud))
    for job in planned:
        job.measure()
    report.write(planned, tmp_path / "QUALITY.md", tmp_path, parts=(jobs.MANY, jobs.WIDE))
    text = (tmp_path / "QUALITY.md").read_text(encoding="utf-8")
    assert "| set | points | features | classes | ThetA | K-Means told K |" in text
    assert "| wine | 178 | 13 | 3 | **0.900** | 0.800 |" in text
    assert "| uniform | 2 | 1 | 0 | 1 |" in text
    assert "| S1 | 100000 | 15 | 19 of 20 |" in text, "what is not measured now stays"
    again = store.stored(tmp_path)
    assert again.many_methods == {"theta": "ThetA", jobs.TOLD: "K-Means told K"}
    assert len(again.truth) == len(run().truth)


def test_a_run_without_any_value_still_writes_both_files(monkeypatch, tmp_path):
    monkeypatch.setattr(jobs, "KEPT", tmp_path / "nothing")
    planned = [jobs.Job(jobs.ELBOW, "a", "x", None, {})]
    report.write(planned, tmp_path / "QUALITY.md", tmp_path)
    assert "1 of 1 measurements were not made" in (tmp_path / "QUALITY.md").read_text(encoding="utf-8")
    assert json.loads((tmp_path / "quality.json").read_text(encoding="utf-8"))["truth"] == []


def test_the_stored_order_does_not_depend_on_the_order_of_measuring():
    rows = [{"set": name, "group": "g", "method": key} for key in ("kmeans", "theta") for name in "ab"]
    report._in_table_order(rows)
    assert [(row["set"], row["method"]) for row in rows] == [
        ("a", "theta"),
        ("a", "kmeans"),
        ("b", "theta"),
        ("b", "kmeans"),
    ]


def test_the_command_finds_all_it_needs(monkeypatch, capsys):
    for library in ("OMP", "OPENBLAS", "MKL"):
        monkeypatch.setenv(f"{library}_NUM_THREADS", "1")
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
    assert "--part" in capsys.readouterr().out


def test_a_share_says_which_of_how_many():
    assert _share("2/3") == (2, 3)
    for wrong in ("0/2", "3/2", "2"):
        with pytest.raises(ValueError):
            _share(wrong)


def test_everyday_tables_are_of_all_kinds_and_none_was_fitted_on():
    drawn = corpus.everyday(200)
    assert len({each.name for each in drawn}) == 200
    assert {each.family for each in drawn} == {name for name in corpus.FAMILIES if corpus.is_everyday(name)}
    assert not {each.name for each in drawn} & {each.name for each in corpus.drawn(fit.PER_FAMILY)}
    for each in drawn[:15]:
        X, truths = each.points()
        assert np.isfinite(X).all()
        assert len(truths) == 1
        assert len(truths[0]) == len(X)


def test_the_stored_weights_keep_what_was_promised_out_of_fold():
    known = json.loads(fit.TARGET.read_text(encoding="utf-8"))
    tables = known["tables_wrong_and_sure"]
    assert tables["sets"] >= 200
    assert tables["wrong_and_sure"] <= 0.04 * tables["sets"]
    noise = [line for line in known["out_of_fold"] if line["mean"] is None]
    assert sum(line["alarms"] for line in noise) <= 0.02 * sum(line["sets"] for line in noise)
