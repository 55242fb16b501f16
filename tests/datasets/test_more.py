"""More messy files: what is recommended about each finds the groups it has, and what is said of it is true."""

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from tests.datasets.files import Once
from tests.datasets.more import MORE, opinions
from theta_app import selection
from theta_app.datasets import UploadError, check, parse_upload, prepare, recommended
from theta_app.engine import tdg, tnc

MADE = Once(lambda name: MORE[name]())
READ = Once(lambda name: parse_upload(MADE[name].name, MADE[name].content))
READY = Once(lambda name: prepare(READ[name], recommended(READ[name])))
USED = {
    "flats": ("Wohnfläche (m²)", "Kaufpreis (€)", "Miete (number)", "Länge", "Breite", "Baujahr"),
    "water": ("pH", "Conductivity (µS/cm)", "Nitrate (mg/L)"),
    "weather": ("temp_C", "rel_humidity (%)", "wind (m/s)", "battery", "rain"),
    "ratings": ("room", "bath", "food", "bar", "staff", "price", "noise", "view"),
    "stores": ("lat", "lon"),
    "repeated": ("length (mm)", "thread (mm)", "weight (g)"),
    "spectra": tuple(f"{400 + 2 * j} nm" for j in range(300)),
    "waiting": ("waiting (min)",),
    "ledger": ("result (number)", "sales (number)", "staff", "margin (%)"),
    "patients": ("Glucose", "Blood pressure [mmHg]", "BMI", "Height (cm)"),
}
UNITS = {
    "ratings": "units of the data",
    "stores": "km",
    "spectra": "units of the data",
    "waiting": "min",
}  # of the others standard deviations
LEAST = {"patients": 0.9, "waiting": 0.95}  # zeros that nobody is sure about; two groups that touch
SAID = {
    "flats": [
        "Kaufpreis and Miete were converted to numbers",
        "PLZ because the difference of two codes means nothing",
        "Balkon because yes or no has no distances",
    ],
    "water": ["Iron (mg/L) because some values are not numbers", "Row 246 sums up the others and is not read."],
    "weather": ["18 values of 'temp_C' (−9,999) are treated as missing.", "station because the value is the same"],
    "ratings": [
        "Using 8 of 12 columns: all of them have few different values, as in a questionnaire, and are used as they are",
        "guest is not used because row numbers say nothing about a row",
        "returns, member and parking because yes or no has no distances",
        "11 values of 'food' (9) are treated as missing.",
    ],
    "stores": ["3 values of 'lat' are 0, outside all others", "turnover and rating because on a map only the place"],
    "repeated": ["37 rows repeat an earlier row in every column"],
    "spectra": ["Using 300 of 301 columns: sample is not used because every value is unique."],
    "waiting": ["Using the only column.", "3 values of 'waiting (min)' are far outside the others"],
    "ledger": [
        "result, sales and margin were converted",
        "account and phone are not used because every value is unique",
    ],
    "patients": [
        "16 values of 'BMI' (99.9) are treated as missing.",
        "22 values of 'Glucose' are 0, outside all others (70 to 218)",
        "32 values of 'Height (cm)' are written in m",
    ],
}
NOT_SAID = {
    "flats": "map",
    "waiting": "repeat",
    "repeated": "set aside",
    "ledger": "missing",
    "spectra": "questionnaire",
}


def said(data):
    found = check(data)
    return " ".join([found.sentence, *(each.sentence for each in found.odd), *data.notes])


@pytest.mark.parametrize("name", MORE)
def test_the_verdict_on_what_is_recommended_is_the_truth_the_file_was_made_with(name):
    data, made = READY[name], MADE[name]
    assert data.features == USED[name]
    assert data.unit == UNITS.get(name, "standard deviations")
    assert len(data.raw.table) == len(made.truth)
    truth = made.truth[np.isin(data.raw.table.index, data.table.index)]
    verdict = selection.verdict(data.X, metric=data.metric)
    assert verdict.n_clusters == len(np.unique(made.truth))
    chained = verdict.algorithm == "TNC"
    lengths = (verdict.theta, verdict.epsilon) if chained else (verdict.theta,)
    found = (tnc if chained else tdg)(data.X, *lengths, metric=data.metric)
    assert adjusted_rand_score(truth, found.labels) > LEAST.get(name, 0.98)


@pytest.mark.parametrize("name", MORE)
def test_what_is_said_of_a_file_is_true(name):
    text = said(READY[name])
    for sentence in SAID[name]:
        assert sentence in text
    assert NOT_SAID.get(name, "you chose") not in text


def test_numbers_are_those_that_were_written():
    flats, made = READ["flats"], MADE["flats"].frame
    assert flats.X[:, 1].tolist() == made["Kaufpreis"].tolist()
    assert flats.X[:, 2].tolist() == made["Miete"].tolist()
    ledger, made = READ["ledger"], MADE["ledger"].frame
    negative = made["result"].str.startswith("(").to_numpy()
    assert (np.sign(ledger.X[:, 0]) == np.where(negative, -1, 1)).all()
    millions = made["sales"].str.endswith("M").to_numpy()
    assert ledger.X[millions, 1].min() >= 1e6 > ledger.X[~millions, 1].max() >= 1e5


def test_a_file_of_nothing_but_text_gets_a_sentence():
    made = opinions()
    with pytest.raises(UploadError, match="The file has no column of numbers"):
        parse_upload(made.name, made.content)
