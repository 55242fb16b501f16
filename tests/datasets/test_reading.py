"""Text as numbers: what is read, what is not, and that a second file is read as the first was."""

import numpy as np
import pandas as pd
import pytest

from tests.datasets.messy import csv, customers
from theta_app.datasets import Preparation, check, parse_upload, prepare
from theta_app.datasets.reading import find

DAYS = pd.Timestamp("2024-01-05") - pd.Timestamp("2000-01-01")


def column(values):
    return pd.Series(values, name="c", dtype=object)


@pytest.mark.parametrize(
    ("texts", "name", "numbers"),
    [
        (["€32,000.00", "-€1,500.50"], "c (€)", [32000, -1500.5]),
        (["32.000,00 €", "1.500,50 €"], "c (€)", [32000, 1500.5]),
        (["US$5.00", "US$1,200"], "c (US$)", [5, 1200]),
        (["70 %", "5%", "12.5 %"], "c (%)", [70, 5, 12.5]),
        (["28 years", "1 year", "40 years"], "c (years)", [28, 1, 40]),
        (["1 200,50 kr", "300 kr"], "c (kr)", [1200.5, 300]),
        (["5'000 CHF", "200 CHF"], "c (CHF)", [5000, 200]),
        (["1.250", "2.500.000"], "c (number)", [1250, 2500000]),
        (["1,234.50", "7"], "c (number)", [1234.5, 7]),
        (["5 kg", "300 g", "2 kg"], "c (kg)", [5, 0.3, 2]),
        (["20 °C", "212 °F", "30 °C"], "c (°C)", [20, 100, 30]),
        (["2024-01-05", "2024-01-06T12:00"], "c (days since 2000)", [DAYS.days, DAYS.days + 1.5]),
        (["05.01.2024", "06.01.2024"], "c (days since 2000)", [DAYS.days, DAYS.days + 1]),
        (["01/05/2024", "12/31/2023"], "c (days since 2000)", [DAYS.days, DAYS.days - 5]),
        (["no", "yes", "yes", "no"], "c = yes", [0, 1, 1, 0]),
    ],
)
def test_what_people_write_is_read(texts, name, numbers):
    found = find(column(texts), set())
    assert found.names == (name,)
    assert found.read(column(texts))[0].tolist() == pytest.approx(numbers)
    assert found.unread == 0


@pytest.mark.parametrize(
    "texts",
    [
        ["C001", "C002", "C003"],  # codes
        ["5 kg", "300 ml"],  # two units that are not of one kind
        ["3rd", "1st", "2nd"],
        ["12:30", "13:20"],
        ["10.0.0.1", "10.0.0.2"],
        ["Anna", "Bert", "Chris"],
        ["1" * 5000 + "x", "1" * 5000 + "y"],
        [None, None],
    ],
)
def test_what_is_no_number_is_not_read(texts):
    assert find(column(texts), set()) is None


def test_a_few_values_that_cannot_be_read_count_as_missing():
    texts = [f"{i} years" for i in range(20)] + ["unknown", None]
    found = find(column(texts), set())
    assert found.unread == 1
    assert np.isnan(found.read(column(texts))[0]).tolist() == [False] * 20 + [True, True]


def test_more_than_two_categories_get_a_column_each():
    found = find(column(["b", "a", "c", "a", "b", "c", None]), {"c = a"})
    assert found.names == ("c = a (2)", "c = b", "c = c")
    read = np.array(found.read(column(["a", "d", None])))
    assert read[:, 0].tolist() == [1, 0, 0]
    assert read[:, 1].tolist() == [0, 0, 0], "a category that the first file does not have is none of its own"
    assert np.isnan(read[:, 2]).all()


def test_the_rule_of_the_first_file_reads_the_second():
    first = find(column(["13/02/2024", "01/03/2024"]), set())
    assert first.read(column(["05/06/2024"]))[0].tolist() == [(pd.Timestamp("2024-06-05") - pd.Timestamp("2000")).days]
    money = find(column(["1.500,50 €", "2.000 €"]), set())
    assert money.read(column(["3.000 €", "7"]))[0].tolist() == [3000, 7]
    assert money.read(pd.Series([40.5, 3.0]))[0].tolist() == [40.5, 3]


def test_thousands_in_a_column_of_numbers_are_not_decimals():
    data = parse_upload("a.csv", b'x,y\n"32,000",1\n"1,500",2\n"250",3\n')
    assert data.X.tolist() == [[32000, 1], [1500, 2], [250, 3]]


def test_a_file_without_plain_numbers_is_read_at_once():
    data = parse_upload("a.csv", b"price,share\n\xe2\x82\xac10.50,70 %\n\xe2\x82\xac20,5 %\n")
    assert data.features == ("price (€)", "share (%)")
    assert data.X.tolist() == [[10.5, 70], [20, 5]]
    assert "price and share were converted to numbers" in check(data).sentence


def test_reading_adds_columns_and_keeps_the_text():
    frame = customers()
    chosen = Preparation(start="numbers", read=("salary", "plan"), missing="median")
    data = prepare(parse_upload("c.csv", csv(frame)), chosen)
    assert data.features == ("income", "visits", "children", "salary (€)", "plan = basic", "plan = plus", "plan = pro")
    assert data.table["salary"].tolist() == frame["salary"].tolist()
    assert data.table["salary (€)"].to_numpy() == pytest.approx(
        frame["salary"].str[1:].str.replace(",", "").astype(float)
    )
    assert data.table["plan = pro"].tolist() == (frame["plan"] == "pro").astype(float).tolist()


@pytest.mark.parametrize(
    ("read", "sentence"), [(("nowhere",), "no column 'nowhere'"), (("email",), "cannot be read as numbers")]
)
def test_what_cannot_be_read_gets_a_sentence(read, sentence):
    with pytest.raises(ValueError, match=sentence):
        prepare(parse_upload("c.csv", csv(customers(30))), Preparation(read=read))
