"""What columns hold, which row names them, which values are hardly meant, and what a person changes about a column."""

import io

import numpy as np
import openpyxl
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from theta_app.datasets import Preparation, UploadError, check, choices, parse_upload, prepare, recommended
from theta_app.datasets.kinds import has_few_values
from theta_app.datasets.reading import find
from theta_app.datasets.suspicious import find as suspicious
from theta_app.datasets.units import converted, converts, in_name

RNG = np.random.default_rng(1)
N = 300
X = RNG.normal(50, 5, N).round(2)


def read(**columns):
    return parse_upload("a.csv", pd.DataFrame(columns).to_csv(index=False).encode())


@pytest.mark.parametrize(
    ("name", "column", "kind"),
    [
        ("length", X, "number"),
        ("price", [f"${v:,.2f}" for v in X], "number"),
        ("visits", RNG.integers(0, 80, N), "count"),
        ("member", ["yes", "no"] * (N // 2), "yes/no"),
        ("member", ["True", "False"] * (N // 2), "yes/no"),
        ("flag", RNG.integers(0, 2, N), "yes/no"),
        ("town", ["Ulm", "Bonn", "Köln"] * (N // 3), "category"),
        ("remark", [f"what {i} said about it all at once" for i in range(N)], "text"),
        ("day", pd.date_range("2020", periods=N), "date"),
        ("day", [f"{d:%d.%m.%Y}" for d in pd.date_range("2020", periods=N)], "date"),
        ("customer id", RNG.permutation(N), "identifier"),
        ("mail", [f"p{i}@example.org" for i in range(N)], "identifier"),
        ("respondent", np.arange(1, N + 1), "identifier"),
        ("zip", RNG.integers(10_000, 10_100, N), "identifier"),
        ("site", "Ulm", "constant"),
        ("version", 3, "constant"),
        ("nothing", None, "empty"),
        ("lat", X, "number"),  # alone it is no place
    ],
)
def test_what_a_column_holds(name, column, kind):
    assert read(x=X, **{name: column}, y=X + 1).raw.kinds[name] == kind


@pytest.mark.parametrize(
    ("latitude", "longitude"),
    [
        ("lat", "lon"),
        ("Latitude", "Longitude"),
        ("start_lat", "start_lng"),
        ("LAT", "long"),
        ("Breitengrad", "Längengrad"),
    ],
)
def test_a_latitude_and_a_longitude_are_a_place_whatever_they_are_called(latitude, longitude):
    data = read(**{longitude: X + 60, "height": X, latitude: X})
    assert data.raw.place == (latitude, longitude)
    assert data.features == (latitude, longitude)
    assert data.unit == "degrees"


@pytest.mark.parametrize(
    ("latitude", "longitude", "place"),
    [
        ("52.5° N", "13.25° E", (52.5, 13.25)),
        ("33.75°S", "70.5° W", (-33.75, -70.5)),
        ("52°30'36\"N", "13°15'O", (52.51, 13.25)),
        ("-33.75", "70.5 W", (-33.75, -70.5)),
    ],
)
def test_degrees_are_read_as_people_write_them(latitude, longitude, place):
    data = read(lat=["10.5° N", *[latitude] * (N - 1)], lon=["20.5° E", *[longitude] * (N - 1)], height=X)
    assert data.raw.place == ("lat", "lon")
    assert data.X[0].tolist() == [10.5, 20.5]
    assert data.X[-1].tolist() == pytest.approx(place)


def test_a_latitude_that_is_no_degrees_stays_text():
    assert read(lat=["52.5° N", "north"] * (N // 2), lon=X, y=X).raw.kinds["lat"] == "category"


def test_numbers_that_are_no_degrees_are_no_place():
    assert read(lat=X * 10, lon=X).raw.place is None
    assert read(Breite=X, Länge=X).raw.place is None, "width and length"
    assert read(lat=X, lon=X, lat2=X, longitude=X).raw.place is None, "several: nobody knows which"


def test_pictures_and_spectra_keep_all_their_columns():
    pixels = {f"p{j}": RNG.integers(0, 4 if j % 2 else 200, N) for j in range(60)}
    assert len(read(**pixels).features) == 60


def test_a_column_of_many_values_with_few_that_most_rows_have_is_one_of_few():
    assert has_few_values(np.r_[RNG.integers(0, 3, 290), np.arange(10) + 100.0])
    assert not has_few_values(X)
    assert not has_few_values(np.arange(12.0)), "of a dozen rows nobody can say"
    assert has_few_values(np.tile(np.arange(1.0, 10.0), 4)), "households of 36 people"
    assert not has_few_values(np.tile(X[:9], 4)), "measurements that came back"


# ---- units -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "unit"),
    [("Length (mm)", "mm"), ("flow [L/min]", "L/min"), ("height_cm", "cm"), ("price (€)", "€"), ("share (%)", "%")]
    + [("note (old)", ""), ("x (2)", ""), ("team_in", "in"), ("album", ""), ("x_m", "")],
)
def test_a_name_says_its_unit(name, unit):
    assert in_name(name) == unit


@pytest.mark.parametrize(
    ("value", "unit", "other", "expected"),
    [
        (300, "g", "kg", 0.3),
        (212, "°F", "°C", 100),
        (0, "°C", "K", 273.15),
        (1, "mile", "km", 1.609344),
        (2, "h", "min", 120),
    ],
)
def test_a_value_is_said_in_another_unit(value, unit, other, expected):
    assert converts(unit, other)
    assert converted(value, unit, other) == pytest.approx(expected)
    assert converted(expected, other, unit) == pytest.approx(value)


def test_what_is_not_of_one_kind_does_not_convert():
    assert not converts("kg", "m")
    assert not converts("$", "€")
    assert not converts("", "m")


@pytest.mark.parametrize(
    ("columns", "unit"),
    [
        ({"a (mm)": X, "b (mm)": X + 1}, "mm"),
        ({"a": [f"${v:.2f}" for v in X], "b": [f"${v + 1:.2f}" for v in X]}, "$"),
        ({"a_km": X, "b (km)": X}, "km"),
        ({"a (mm)": X, "b (cm)": X + 1}, "units of the data"),
        ({"a (mm)": X, "b": X + 1}, "units of the data"),
    ],
)
def test_a_unit_that_all_columns_share_follows_theta(columns, unit):
    data = read(**columns)
    assert data.unit == unit
    assert prepare(data, Preparation(scaling="standard")).unit == "standard deviations"
    first = next(iter(columns))
    assert prepare(data, Preparation(weights=((first, 2.0),))).unit == "units of the data"


@pytest.mark.parametrize(
    ("texts", "value", "unit"),
    [
        (["379 k€", "1.2 M€"], [379e3, 1.2e6], "€"),
        (["$1.5M", "$300k"], [1.5e6, 3e5], "$"),
        (["2,5 Mio. €", "3,1 Mio. €"], [2.5e6, 3.1e6], "€"),
        (["12k", "1.45M"], [12e3, 1.45e6], ""),
        (["(1,250.00)", "310.50"], [-1250.0, 310.5], ""),
        (["€ (80.00)", "€ 75.50"], [np.nan, 75.5], "€"),  # not the way it is written
        (["293 K", "300 K"], [293.0, 300.0], "K"),
        (["5 m", "3 m"], [5.0, 3.0], "m"),
    ],
)
def test_thousands_millions_and_brackets_are_read_as_people_write_them(texts, value, unit):
    found = find(pd.Series(texts * 30, name="c"), set())
    if np.isnan(value).any():
        assert found is None or found.kind != "amount"
        return
    assert found.unit == unit
    assert found.read(pd.Series(texts))[0].tolist() == value


@pytest.mark.parametrize(
    ("name", "unit"), [("a (µS/cm)", "µS/cm"), ("b [€/m²]", "€/m²"), ("c (pass/fail)", ""), ("d (m/f)", "")]
)
def test_something_per_a_unit_is_a_unit(name, unit):
    assert in_name(name) == unit


# ---- dates -----------------------------------------------------------------------------------------------------------


def test_dates_become_days_and_offer_what_comes_round_again():
    when = pd.Series(pd.to_datetime(["2024-01-01 00:00", "2024-07-01 06:00", "2024-12-31 23:00"] * 10), name="t")
    data = read(t=when.astype(str), x=X[:30])
    assert [label for _, label in next(row for row in check(data).columns if row.name == "t").ways] == [
        "day number",
        "hour of day",
        "day of week",
        "month",
    ]
    for part, turns in (
        ("hour of day", [0, 6 / 24, 23 / 24]),
        ("day of week", [0, 0, 1 / 7]),
        ("month", [0, 0.5, 11 / 12]),
    ):
        chosen = prepare(data, Preparation(**choices.way(data, "t", f"t ({part})")))
        assert chosen.features == (f"t ({part}, sine)", f"t ({part}, cosine)", "x")
        angle = 2 * np.pi * np.array(turns)
        assert chosen.X[:3, 0] == pytest.approx(np.sin(angle), abs=1e-9)
        assert chosen.X[:3, 1] == pytest.approx(np.cos(angle), abs=1e-9)
    days = prepare(data, Preparation(**choices.use(data, "t", True)))
    assert days.X[:3, 0] == pytest.approx([8766, 8948.25, 9131 + 23 / 24])


def test_days_without_hours_offer_none():
    found = read(t=pd.date_range("2020", periods=N), x=X).raw.readings
    assert list(found) == ["t", "t (day of week)", "t (month)"]


# ---- header ----------------------------------------------------------------------------------------------------------


ROWS = "\n".join(f"{a:.2f},{b},{w}" for a, b, w in zip(X, X + 1, ["u", "v", "w"] * (N // 3)))


@pytest.mark.parametrize(
    ("above", "header"),
    [
        ("length,width,kind\n", 1),
        ("A title\nlength,width,kind\n", 2),
        ("A title,,\n,,\nmade in 2024,,\nlength,width,kind\n", 4),
        ("A title, 2024, all of them\nlength,width,kind\n", 2),
        ("# a comment\n\nA title\n\nlength,width,kind\n", 5),
        ('"A title, with a comma\nover two lines"\nlength,width,kind\n', 3),
    ],
)
def test_the_header_is_found_below_titles_and_blank_rows(above, header):
    data = parse_upload("a.csv", (above + ROWS).encode())
    assert list(data.raw.table.columns) == ["length", "width", "kind"]
    assert data.raw.header == header
    assert data.raw.table.index[0] == header + 1
    assert len(data.raw.table) == N


@pytest.mark.parametrize("units", ["mm,mm,", "(mm),(mm),(-)", "[mm],[mm],"])
def test_a_row_of_units_belongs_to_the_names(units):
    data = parse_upload("a.csv", f"A title\nlength,width,kind\n{units}\n{ROWS}".encode())
    assert data.features == ("length (mm)", "width (mm)")
    assert data.unit == "mm"
    assert len(data.raw.table) == N


@pytest.mark.parametrize("first", ["1.5,2.5,u", ",2.5,u", ",,u", "2019,2020,u"])
def test_a_first_row_of_data_is_no_title(first):
    data = parse_upload("a.csv", f"{first}\n{ROWS}".encode())
    assert len(data.raw.table) == N + 1
    assert data.raw.header == 0


def test_a_row_of_words_below_names_is_no_row_of_units():
    rows = "\n".join(f"{w},{a}" for w, a in zip(["kg", "m", "s"] * (N // 3), X))
    data = parse_upload("a.csv", f"unit,value\n{rows}".encode())
    assert list(data.raw.table.columns) == ["unit", "value"]
    assert len(data.raw.table) == N


def sheet(rows):
    book, out = openpyxl.Workbook(), io.BytesIO()
    for row in rows:
        book.active.append(row)
    book.save(out)
    return out.getvalue()


def test_a_header_is_chosen_by_hand_in_both_kinds_of_file():
    rows = [["Title"], ["length", "width"], ["long", "wide"], *([a, a + 1] for a in X[:40].tolist())]
    text = "\n".join(",".join(map(str, row)) for row in rows).encode()
    for content in (sheet(rows), text):
        assert list(parse_upload("a", content).raw.table.columns) == ["length", "width"]
        third = parse_upload("a", content, header=3)
        assert list(third.raw.table.columns) == ["long", "wide"]
        assert len(third.X) == 40
        assert third.raw.header == 3
        none = parse_upload("a", content, header=0)
        assert none.raw.header == 0
        assert len(none.raw.table) == 43
        with pytest.raises(UploadError, match="Row 99 of the file cannot name the columns"):
            parse_upload("a", content, header=99)
    assert len(parse_upload("a", sheet(rows), sheet="Sheet", header=2).raw.table) == 41


AMOUNTS = [f"{value:.1f} %" for value in X]
WORDS = ["north roof", "south roof"] * (N // 2)


@pytest.mark.parametrize("separator", ["\t", ",", ";", "|"])
def test_words_and_units_with_spaces_do_not_part_the_columns(separator):
    when = pd.date_range("2024-01-01 00:30", periods=N, freq="30min").strftime("%d/%m/%Y %H:%M")
    table = pd.DataFrame({"time": when, "humidity": AMOUNTS, "wind": [f"{v:.1f} m/s" for v in X], "place": WORDS})
    data = parse_upload("a.txt", table.to_csv(index=False, sep=separator).encode())
    assert list(data.raw.table.columns) == list(table.columns)
    assert data.features == ("humidity (%)", "wind (m/s)")


def test_white_space_still_parts_columns():
    table = pd.DataFrame({"a": X, "b": X + 1, "name": ["u", "v", "w"] * (N // 3)})
    text = table.to_string(index=False)
    assert list(parse_upload("a.txt", text.encode()).raw.table.columns) == ["a", "b", "name"]
    assert len(parse_upload("a.txt", text.replace(".", ",").encode()).features) == 2


@pytest.mark.parametrize(("encoding", "kept"), [("cp1252", "€"), ("utf-8", "€"), ("latin-1", "\x81é")])
def test_signs_of_every_encoding_stay(encoding, kept):
    rows = "\n".join(f"{v:.2f},{v + 1:.2f},{kept}" for v in X)
    data = parse_upload("a.csv", f"a,b,c\n{rows}".encode(encoding))
    assert data.raw.table["c"].iloc[0] == kept


# ---- what is hardly meant --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", [-999.0, -99.0, 9999.0, 1e20, -9999.0])
def test_a_code_for_missing_is_found_with_the_range_of_the_others(code):
    (found,) = suspicious("c", np.r_[X, np.full(9, code)])
    assert (found.what, found.rows, found.certain) == (repr(code), 9, True)
    assert (found.low, found.high) == (X.min(), X.max())


def test_two_codes_do_not_hide_each_other():
    found = suspicious("c", np.r_[X, np.full(9, -999.0), np.full(4, 9999.0)])
    assert {each.what: each.rows for each in found} == {"-999.0": 9, "9999.0": 4}
    assert all((each.low, each.high) == (X.min(), X.max()) for each in found)


@pytest.mark.parametrize(
    "values",
    [
        RNG.normal(0, 1, 2000),
        RNG.random(1000),
        RNG.exponential(1, 2000),
        RNG.standard_cauchy(2000),
        np.r_[RNG.normal(0, 1, 900), RNG.normal(60, 1, 100)],  # a cluster of its own
        RNG.integers(0, 10, 500).astype(float),
        RNG.choice([-1.0, 0.0, 1.0], 500),
        np.r_[np.zeros(500), RNG.exponential(3, 100)],
        np.r_[np.zeros(990), np.ones(10)],
        np.full(50, 3.0),
        np.arange(5.0),
        np.full(40, np.nan),
    ],
)
def test_what_is_usual_is_not_suspected(values):
    assert suspicious("c", values) == []


def test_a_value_that_could_be_meant_is_listed_and_left_to_the_person():
    data = read(pressure=np.r_[X, [0.0] * 6], size=np.r_[X + 1, X[:6]])
    (odd,) = check(data).open
    assert (odd.suspicion.what, odd.certain) == ("0.0", False)
    assert recommended(data).treat == ()


finite = st.floats(-1e300, 1e300) | st.sampled_from([0.0, -999.0, 1e20, np.nan, np.inf])


@settings(deadline=None, max_examples=200)
@given(st.lists(finite, max_size=60))
def test_any_numbers_can_be_looked_at(values):
    values = np.array(values, dtype=float)
    for each in suspicious("c", values):
        assert each.rows == int(each.among(values[np.isfinite(values)]).sum()) > 0


# ---- choices ---------------------------------------------------------------------------------------------------------

MIXED = read(
    name=[f"n{i}" for i in range(N)],
    price=[f"${v:,.2f}" for v in X],
    size=X + 3,
    rooms=RNG.integers(1, 10, N),
    town=["Ulm", "Bonn", "Köln"] * (N // 3),
    gone=None,
    other=["a", "b"] * (N // 2),
)


def test_a_column_is_used_or_not_and_the_recommended_ones_keep_links_short():
    more = choices.use(MIXED, "rooms", True)
    assert more == {"columns": ("price ($)", "size", "rooms")}
    data = prepare(MIXED, Preparation(**more))
    assert choices.use(data, "rooms", False) == {"columns": None}
    assert choices.use(data, "price", False) == {"columns": ("size", "rooms")}
    assert choices.use(MIXED, "town", True)["columns"][2:] == ("town = Bonn", "town = Köln", "town = Ulm")
    with pytest.raises(ValueError, match="cannot be read as numbers"):
        choices.use(MIXED, "name", True)
    with pytest.raises(ValueError, match="At least one column"):
        choices.use(prepare(MIXED, Preparation(("size",))), "size", False)


def test_ranks_are_even_and_jitter_fills_the_gaps_between_few_values():
    chosen = Preparation(("rooms",), shapes=(("rooms", "rank"),))
    ranked = prepare(MIXED, chosen).X[:, 0]
    rooms = MIXED.raw.table["rooms"].to_numpy()
    expected = [((rooms < v).sum() + (rooms == v).sum() / 2) / N for v in rooms]
    assert ranked == pytest.approx(expected)
    jittered = prepare(MIXED, Preparation(("rooms",), shapes=(("rooms", "jitter"),)))
    assert len(np.unique(jittered.X)) == N
    assert np.abs(jittered.X[:, 0] - rooms).max() <= 0.5
    assert prepare(MIXED, jittered.preparation).digest == jittered.digest, "the same rows are moved alike"
    assert prepare(MIXED, chosen).in_original_units(ranked[:, None])[:, 0] == pytest.approx(rooms)


def test_a_weight_multiplies_what_a_column_has_in_every_distance():
    plain = prepare(MIXED, Preparation(("size", "rooms"), scaling="standard"))
    heavy = prepare(MIXED, Preparation(("size", "rooms"), scaling="standard", weights=(("rooms", 3.0),)))
    assert heavy.X[:, 1] == pytest.approx(3 * plain.X[:, 1])
    assert heavy.in_original_units(heavy.X) == pytest.approx(plain.in_original_units(plain.X))
    share = {row.name: row.share for row in check(heavy).columns}
    assert share["rooms"] == pytest.approx(0.9)
    assert choices.weigh(heavy, "rooms", 1) == {"weights": ()}


@pytest.mark.parametrize(
    "broken",
    [
        {"start": "all"},
        {"treat": (("x", "far", "burn"),)},
        {"shapes": (("x", "round"),)},
        {"weights": (("x", 0.0),)},
        {"weights": (("x", float("nan")),)},
    ],
)
def test_a_choice_that_does_not_exist_is_refused(broken):
    with pytest.raises(ValueError, match=r"\.$"):
        Preparation(**broken)


def test_the_table_has_a_row_for_every_column():
    rows = {row.name: row for row in check(MIXED).columns}
    assert list(rows) == list(MIXED.raw.table.columns)
    assert rows["price"].example == f"{find(MIXED.raw.table['price'], set()).example}"
    assert rows["gone"].missing == N
    assert rows["gone"].ways == ()
    assert rows["rooms"].why
    assert len(rows["rooms"].bars) == 9
    assert max(rows["price"].bars) == 1.0
    assert sum(row.share or 0 for row in rows.values()) == pytest.approx(1)
    scaled = {row.name: row.scaled for row in check(prepare(MIXED, Preparation(scaling="standard"))).columns}
    assert scaled["size"] == f"÷ {(X + 3).std():.4g} (sd)"
    assert scaled["rooms"] == ""


def test_of_very_many_columns_those_that_are_not_used_are_seen():
    wide = {f"p{j}": RNG.normal(0, 1, 40).round(3) for j in range(240)}
    data = read(**wide, sample=[f"s{i}" for i in range(40)])
    rows = check(data).columns
    assert len(rows) == 200
    assert (rows[0].name, rows[0].used) == ("sample", False)
    assert all(row.used for row in rows[1:])
