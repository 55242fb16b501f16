"""What ``make quality`` measured is stored, read and summed up as its rows say."""

import json

import pytest

from tests.paper.quality_run import METHODS, run
from theta_app.paper import quality


def test_the_stored_run_matches_its_schema():
    found = quality.stored()
    assert next(iter(found.methods)) == quality.OURS
    assert set(found.about) == set(found.methods)
    for part, columns in quality.PARTS.items():
        assert tuple(getattr(found, part).columns) == columns
    for rows in (found.truth, found.noise):
        assert set(rows["method"]) <= set(found.methods)
        assert (rows["seconds"].astype(float) > 0).all()
    assert not found.truth.duplicated(["group", "set", "method"]).any()
    assert not found.noise.duplicated(["set", "method"]).any()
    assert found.truth["ari"].astype(float).between(-1, 1).all()
    own = found.truth[found.truth["method"] == quality.OURS]
    assert own.loc[own["note"] == "", "confidence"].astype(float).between(0, 1).all()
    assert set(own["algorithm"].dropna()) <= {"TDG", "TNC"}
    assert (found.elbow["hits"] <= found.elbow["seeds"]).all()


def test_the_stored_run_compares_every_method_on_most_sets():
    found = quality.stored()
    assert quality.count_sets(found.complete) >= 25
    assert quality.count_sets(found.complete) > 0.8 * quality.count_sets(found.truth)


def test_means_are_of_the_sets_that_every_method_was_measured_on():
    means = quality.group_means(run()).set_index("group")
    assert means["sets"].to_dict() == {"Round": 2, "Shapes": 1, quality.ALL: 3}
    assert means.loc["Round", "ThetA"] == pytest.approx(0.7)
    assert means.loc["Shapes", "ThetA"] == 0.0, "the set that only ThetA has answered does not count"
    assert means.loc[quality.ALL, "HDBSCAN"] == pytest.approx(1.6 / 3)


def test_ties_share_a_set_and_nobody_is_best_with_nothing():
    totals = quality.totals(run()).set_index("method")
    assert totals["best"].to_dict() == {"ThetA": 0.5, "HDBSCAN": 1.5, "K-Means by silhouette": 0.0}
    assert totals.loc["ThetA", "right"] == pytest.approx(1 / 3)
    assert totals.loc["ThetA", "seconds"] == 3.0


def test_every_set_is_listed_with_a_gap_where_a_method_was_not_measured():
    table = quality.per_set(run()).set_index("set")
    assert table.loc["b", list(METHODS.values())].tolist() == [0.4, 0.6, 0.2]
    assert table.loc["d", ["HDBSCAN", "K-Means by silhouette"]].isna().all()


def test_a_false_alarm_is_an_answer_on_noise_and_one_too_late_is_none():
    alarms = quality.false_alarms(run()).set_index("label")
    assert alarms.loc["ThetA", ["sets", "alarms"]].tolist() == [2, 1]
    assert alarms.loc["ThetA, called clear", ["sets", "alarms"]].tolist() == [2, 0]
    assert alarms.loc["HDBSCAN", ["sets", "alarms"]].tolist() == [3, 2]
    assert "K-Means by silhouette" not in alarms.index, "it was not run on noise"


def test_confidence_is_held_against_what_was_right_and_answers_on_noise_are_wrong():
    bins = quality.reliability(run())
    assert bins["low"].tolist() == [0.2, 0.8]
    assert bins["answers"].tolist() == [2, 2], "sets on which nothing was found are no answers"
    assert bins["right"].tolist() == [0.5, 0.5]
    assert bins["confidence"].tolist() == pytest.approx([0.275, 0.875])


def test_a_confidence_of_one_is_in_the_last_bin():
    from tests.paper.quality_run import answer

    bins = quality.reliability(run(truth=[answer("a", "Round", "theta", 1.0, "TDG", 1.0)], noise=[]))
    assert bins[["low", "high", "answers"]].values.tolist() == [[0.8, 1.0, 1]]


def test_nothing_measured_is_summed_up_as_nothing():
    empty = run([], [], [], [])
    assert quality.group_means(empty).empty
    assert quality.per_set(empty).empty
    assert quality.reliability(empty).empty
    assert quality.count_sets(empty.complete) == 0


def test_what_is_stored_comes_back_and_is_the_same_file_again(tmp_path):
    quality.store(run(), tmp_path)
    back = quality.stored(tmp_path)
    for part in quality.PARTS:
        assert getattr(back, part).to_dict("records") == getattr(run(), part).to_dict("records")
    written = (tmp_path / "quality.json").read_bytes()
    quality.store(back, tmp_path)
    assert (tmp_path / "quality.json").read_bytes() == written


def test_there_may_be_no_stored_run(tmp_path):
    assert quality.stored(tmp_path) is None


def _without_truth(content):
    del content["truth"]


def _short_row(content):
    content["noise"][0].pop()


@pytest.mark.parametrize("change", [lambda c: c.update(schema=99), _without_truth, _short_row])
def test_a_file_that_is_not_what_it_should_be_gets_a_sentence(change, tmp_path):
    quality.store(run(), tmp_path)
    path = tmp_path / "quality.json"
    content = json.loads(path.read_text(encoding="utf-8"))
    change(content)
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(ValueError, match=r"The stored results quality.json cannot be read"):
        quality.stored(tmp_path)
