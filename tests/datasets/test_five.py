"""Five messy files as a data scientist would bring them: what is recommended about each finds the groups it has."""

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from tests.datasets.files import Once
from tests.datasets.five import FIVE, SENTINELS, customers, places, sensors, spreadsheet
from theta_app import selection
from theta_app.datasets import (
    Preparation,
    check,
    choices,
    from_arrays,
    parse_upload,
    preparation_from_query,
    preparation_to_query,
    prepare,
    prepare_like,
    recommended,
)
from theta_app.engine import Metric, tdg, tnc

MADE = Once(lambda name: FIVE[name]())
READ = Once(lambda name: parse_upload(MADE[name].name, MADE[name].content))
READY = Once(lambda name: prepare(READ[name], recommended(READ[name])))
USED = {
    "customers": ("income ($)", "spend ($)", "share (%)", "age", "tenure"),
    "spreadsheet": ("Length (mm)", "Width (mm)", "Height (mm)"),
    "places": ("latitude", "longitude"),
    "questionnaire": tuple(f"q{j}" for j in range(1, 13)),
    "sensors": ("temperature (°C)", "flow [L/min]", "pressure [bar]"),
}
UNITS = {
    "customers": "standard deviations",
    "spreadsheet": "mm",
    "places": "km",
    "questionnaire": "units of the data",
    "sensors": "standard deviations",
}
SAID = {  # customers are told below, sentence by sentence
    "spreadsheet": "Using 3 of 4 columns beside the label",
    "places": "latitude and longitude are a place on the map",
    "questionnaire": "all of them have few different values, as in a questionnaire, and are used as they are",
    "sensors": "12 values of 'pressure [bar]' (1e+20) are treated as missing",
}


def found(data, verdict):
    chained, measured = verdict.algorithm == "TNC", {"metric": data.metric}
    result = (
        tnc(data.X, verdict.theta, verdict.epsilon, **measured) if chained else tdg(data.X, verdict.theta, **measured)
    )
    return result.labels


@pytest.mark.parametrize("name", FIVE)
def test_the_verdict_on_what_is_recommended_is_the_truth_the_file_was_made_with(name):
    data, made = READY[name], MADE[name]
    assert data.features == USED[name]
    assert data.unit == UNITS[name]
    truth = made.truth[np.isin(data.raw.table.index, data.table.index)]
    verdict = selection.verdict(data.X, metric=data.metric)
    assert verdict.n_clusters == len(np.unique(made.truth))
    assert verdict.stands_out
    assert adjusted_rand_score(truth, found(data, verdict)) > 0.98


@pytest.mark.parametrize("name", FIVE)
def test_every_choice_travels_in_a_link(name):
    chosen = recommended(READ[name])
    assert preparation_from_query(preparation_to_query(chosen)) == chosen


@pytest.mark.parametrize("name", SAID)
def test_what_is_used_is_said(name):
    assert SAID[name] in check(READY[name]).sentence


def test_customers_are_told_what_is_used_and_why_the_rest_is_not():
    said = check(READY["customers"]).sentence
    assert said == (
        "Using 5 of 11 columns: income, spend and share were converted to numbers; id and name are not used because "
        "every value is unique, household because each of the few values would become a cluster, newsletter because "
        "yes or no has no distances, signup because dates have to be converted first, and notes because text has no "
        "distances. "
        "64 values of 'age' (−999) are treated as missing. Standardised: every column counts alike."
    )


def test_the_numbers_of_customers_are_those_that_were_written():
    made, data = MADE["customers"], READ["customers"]
    income = made.frame["income"].str.replace("[$,]", "", regex=True).astype(float)
    assert data.X[:, 0].tolist() == income.tolist()
    assert data.X[:, 2].tolist() == made.frame["share"].str.rstrip("%").astype(float).tolist()


def test_codes_for_missing_never_become_a_cluster():
    data = READY["customers"]
    assert len(data.X) == 800 - SENTINELS
    ((reason, rows),) = data.aside
    assert reason == "a missing value"
    assert rows.tolist() == [i + 2 for i in np.flatnonzero(MADE["customers"].frame["age"] == -999)]
    (odd,) = check(data).odd
    assert odd.rows == tuple(rows)
    assert check(data).open == ()
    plain = prepare(READ["customers"], Preparation(scaling="standard"))
    assert [each.suspicion.what for each in check(plain).open] == ["-999.0"]


@pytest.mark.parametrize(("how", "rows", "least"), [("missing", 736, 18), ("clip", 800, 18), ("rows", 736, 18)])
def test_suspicious_values_are_treated_as_the_person_says(how, rows, least):
    raw = READ["customers"]
    changes = choices.treat(raw, raw.raw.suspicious[0], how)
    data = prepare(raw, Preparation(**changes))
    assert len(data.X) == rows
    assert data.X[:, 3].min() == least
    assert data.table["age"].isin([-999]).any() == (how == "clip"), "the file itself stays as it is"
    assert prepare(data, Preparation(**choices.treat(data, raw.raw.suspicious[0], None))).X[:, 3].min() == -999


def test_a_title_a_note_a_blank_row_and_a_row_of_units_are_no_data():
    data = READ["spreadsheet"]
    assert data.raw.header == 4
    assert [number for number, _ in data.raw.head[:4]] == [1, 2, 4, 5]
    assert list(data.raw.table.columns) == ["Part", "Length (mm)", "Width (mm)", "Height (mm)", "Operator"]
    assert data.raw.table.index[0] == 6, "the number a person sees in the file"
    assert data.X.tolist() == MADE["spreadsheet"].frame[["Length", "Width", "Height"]].to_numpy().tolist()
    assert "'Operator' looks like a label (3 classes): it is used to judge, not to cluster." in data.notes


def test_another_header_can_be_chosen_by_hand():
    made = MADE["spreadsheet"]
    plain = parse_upload(made.name, made.content, sheet="?0")
    assert plain.raw.header == 0
    assert "Measured parts, line 4" in plain.raw.table.iloc[0].tolist()
    second = parse_upload(made.name, made.content, sheet="Sheet?5")
    assert second.raw.header == 5
    assert "mm" in second.raw.table.columns
    sensors_made = MADE["sensors"]
    assert READ["sensors"].raw.header == 4
    assert parse_upload("s.csv", sensors_made.content, sheet="?4").features == USED["sensors"]


def test_places_are_drawn_with_longitude_across_and_the_right_aspect():
    data = READY["places"]
    assert data.on_map
    points = selection.sample_of(data)
    drawn = selection.map_positions(points.X)
    assert drawn[:, 0].tolist() == pytest.approx(data.X[:, 1].tolist())
    assert drawn[:, 1].tolist() == data.X[:, 0].tolist()
    assert points.aspect == pytest.approx(np.cos(np.radians((data.X[:, 0].min() + data.X[:, 0].max()) / 2)))
    turned = MADE["places"].frame[["longitude", "stars", "latitude"]]
    assert parse_upload("t.csv", turned.to_csv(index=False).encode()).features == ("latitude", "longitude")
    assert not prepare(READ["places"], Preparation(("latitude", "stars"))).on_map


def test_places_are_measured_in_kilometres_where_they_can_be():
    data = READY["places"]
    assert data.metric == Metric.of("haversine") == recommended(READ["places"]).metric
    assert not check(data).spread.deciding
    scaled = prepare(READ["places"], Preparation(scaling="standard", metric="haversine"))
    assert (scaled.metric, scaled.unit) == (Metric.of(), "standard deviations")
    assert "Distances are straight lines: kilometres need only a latitude and a longitude" in scaled.notes[-1]
    other = prepare(READ["places"], Preparation(("latitude", "stars"), metric="haversine"))
    assert other.metric == Metric.of()
    straight = prepare(READ["places"], Preparation())
    assert (straight.metric, straight.unit, straight.on_map) == (Metric.of(), "degrees", True)
    assert straight.digest != data.digest


def test_angles_need_rows_that_have_a_direction():
    plain = from_arrays("made", "here", [[1.0, 0.0], [0.0, 2.0], [3.0, 4.0]])
    turned = prepare(plain, Preparation(metric="cosine"))
    assert (turned.metric.name, turned.unit) == ("cosine", "cosine distance")
    zeros = prepare(from_arrays("made", "here", [[1.0, 0.0], [0.0, 0.0]]), Preparation(metric="cosine"))
    assert zeros.metric == Metric.of()
    assert "a row of zeros (row 1) has none" in zeros.notes[-1]
    with pytest.raises(ValueError, match="made: metric 'cosine' compares directions"):
        prepare_like(turned, from_arrays("made", "here", [[0.0, 0.0]]))


def test_centroids_of_a_map_lie_on_the_same_side_of_its_cut():
    pacific = np.array([[-18.0, 178.0], [-17.0, -179.0], [-14.0, -171.0]])
    across = selection.map_positions(pacific)[:, 0]
    for place in (*pacific[:, 1], 180.0, -180.0):
        (drawn,) = selection.map_positions([[-16.0, place]], pacific)
        assert across.min() <= drawn[0] <= across.max()


def test_a_map_is_cut_where_nothing_lies():
    pacific = np.array([[-18.0, 178.0], [-17.0, -179.0], [-14.0, -171.0]])
    across = selection.map_positions(pacific)[:, 0]
    assert np.ptp(across) == pytest.approx(11.0)
    assert (np.diff(across) > 0).all()


def test_temperatures_in_another_unit_are_converted_and_listed_with_their_rows():
    data, made = READY["sensors"], MADE["sensors"]
    other = made.frame["temperature"].str.endswith("°F").to_numpy()
    odd = next(each for each in check(data).odd if each.suspicion.what == "unit °F")
    assert len(odd.rows) == other.sum()
    assert odd.rows[0] == int(np.flatnonzero(other)[0]) + 5
    assert "written in °F" in odd.sentence
    assert READ["sensors"].X[:, 0].max() < 90, "no temperature of 170 degrees is left"
    left = prepare(READ["sensors"], Preparation(**choices.treat(READ["sensors"], odd.suspicion, "missing")))
    assert len(left.X) == 400 - other.sum()


@pytest.mark.parametrize("make", [customers, spreadsheet, places, sensors])
def test_a_second_file_is_read_and_treated_as_the_first(make):
    first = READY[make.__name__]
    later = make(seed=77)
    second = prepare_like(first, parse_upload(later.name, later.content))
    assert second.features == first.features
    assert np.abs(second.X - first.X.mean(axis=0)).max() < 4 * np.abs(first.X - first.X.mean(axis=0)).max()
    assert prepare_like(first, READ[make.__name__]).digest == first.digest
