"""Sentences about a file are computed on what they say: for each a file where it must stand, and one where not."""

import numpy as np
import pandas as pd
import pytest

from theta_app.datasets import Preparation, check, parse_upload, prepare
from theta_app.datasets.dataset import LEFT_OUT

N = 200
RNG = np.random.default_rng(0)
X, Y = RNG.normal(10, 2, N).round(3), RNG.normal(20, 3, N).round(3)


def frame(**columns):
    return pd.DataFrame({"x": X, "y": Y, **columns})


def said(table, preparation=None):
    """Everything that is said about a table as it is prepared."""
    data = prepare(parse_upload("a.csv", table.to_csv(index=False).encode()), preparation)
    found = check(data)
    odd = [each.sentence for each in found.odd]
    gaps = [found.gaps.sentence] if found.gaps.gaps else []
    return " | ".join([found.sentence, found.spread.sentence, *odd, *gaps, *data.notes])


def some(value, rows, others):
    """A column with a value in some rows."""
    column = np.array(others, dtype=object)
    column[list(rows)] = value
    return column


def summed(table, word, row):
    """The table with a row below it."""
    return pd.concat([table, pd.DataFrame([{"name": word, **row}])])


EVEN = np.tile(["a", "b", "c", "d"], N // 4)
CODES = np.tile([80331, 20095, 10115, 50667, 1067], N // 5) + RNG.integers(0, 9, N)
LONG = [f"this is what customer {i} said about it" for i in range(N)]
AMOUNTS = [f"€{value:,.2f}" for value in 1000 * X]
REPEATED = pd.concat([frame(name=[f"n{i}" for i in range(N)]), frame(name=[f"n{i}" for i in range(N)]).head(6)])
FIRST_TWO = frame(name=[f"n{i}" for i in range(N)]).assign(
    x=np.tile([1.25, 2.5], N // 2), y=np.tile([3.5, 4.75], N // 2)
)
SCALES = {
    "standard": "Standardised: every column counts alike.",
    "robust": "Scaled by the interquartile range of each column.",
    "unit": "Scaled to [0, 1] in every column.",
    "length": "Scaled to unit length: only the direction of a row counts.",
}

CASES = [  # what must be said, a file where it must, one where it must not
    ("price was converted to numbers", frame(price=AMOUNTS), frame(price=1000 * X)),
    (
        "kind and other are not used because categories have no distances",
        frame(kind=EVEN, other=EVEN),
        frame(kind=AMOUNTS),
    ),
    ("notes is not used because text has no distances", frame(notes=LONG), frame(notes=[s[:12] for s in LONG])),
    (
        "member is not used because yes or no has no distances",
        frame(member=["yes", "no"] * (N // 2), z=EVEN),
        frame(member=X + 1, z=EVEN),
    ),
    (
        "rooms is not used because each of the few values would become a cluster",
        frame(rooms=RNG.integers(1, 10, N)),
        frame(rooms=RNG.integers(1, 90, N)),
    ),
    (
        "rooms is not used because each of the few values would become a cluster",
        frame(rooms=RNG.integers(1, 7, N) / 2),
        frame(rooms=X / 2),
    ),
    (
        "day is not used because dates have to be converted first",
        frame(day=pd.date_range("2020", periods=N)),
        frame(day=np.arange(N) / 3),
    ),
    (
        "site is not used because the value is the same in every row",
        frame(site="Ulm"),
        frame(site=some(None, range(20, N), ["Ulm"] * N)),
    ),
    (
        "site is not used because there is only one value, and some rows have none",
        frame(site=some(None, range(20, N), ["Ulm"] * N)),
        frame(site="Ulm"),
    ),
    (
        "id is not used because row numbers say nothing about a row",
        frame(id=range(1, N + 1)),
        frame(id=RNG.permutation(N)),
    ),
    ("id is not used because every value is unique", frame(id=RNG.permutation(N)), frame(id=range(1, N + 1))),
    ("zip is not used because the difference of two codes means nothing", frame(zip=CODES), frame(size=CODES)),
    ("gone is not used because no row has a value", frame(gone=None), frame(gone=X + 2)),
    (
        "weight is not used because some values are not numbers",
        frame(weight=some("heavy", range(0, N, 9), X)),
        frame(weight=some("heavy", [3], X)),
    ),
    (
        "x, y and visits are not used because on a map only the place counts",
        frame(lat=X, lon=Y, visits=X * 7),
        frame(visits=X * 7),
    ),
    ("lat and lon are a place on the map", frame(lat=X, lon=Y), frame(lat=X, height=Y)),
    (
        "all of them have few different values, as in a questionnaire",
        pd.DataFrame(RNG.integers(1, 6, (N, 3)), columns=list("abc")),
        frame(rooms=RNG.integers(1, 6, N)),
    ),
    ("'big' decides 99 % of every distance", frame(big=X * 1e4), frame(big=X * 2)),
    (
        "3 values of 'x' are −999, outside all others",
        frame().assign(x=some(-999, [1, 2, 3], X)),
        frame().assign(x=some(3.5, [1, 2, 3], X)),
    ),
    ("rows 3, 4, 5", frame().assign(x=some(-999, [1, 2, 3], X)), frame()),
    (
        "1 value of 'x' is far outside the others",
        frame().assign(x=some(5000.5, [7], X)),
        frame().assign(x=some(15.5, [7], X)),
    ),
    (
        "4 values of 'x' are −1, outside all others",
        frame().assign(x=some(-1, range(4), np.abs(X))),
        frame().assign(x=X - X.mean()),
    ),
    (
        "5 values of 'x' are 0, outside all others",
        frame().assign(x=some(0, range(5), X + 30)),
        frame().assign(x=some(0, range(5), X - 10)),
    ),
    (
        "1 value of 'lat' is no place on Earth",
        frame(lat=some(152.5, [4], X), lon=Y),
        frame(lat=some(52.5, [4], X), lon=Y),
    ),
    (
        "5 values of 'mass (kg)' are written in g",
        frame(mass=[f"{v * 1000:.0f} g" if i < 5 else f"{v:.3f} kg" for i, v in enumerate(X)]),
        frame(mass=[f"{v:.3f} kg" for v in X]),
    ),
    ("2 values are missing: 'x' (2).", frame().assign(x=some(None, [5, 6], X)), frame(z=some(None, [5, 6], LONG))),
    (
        "2 rows with a missing value were set aside (rows 7, 8; in column 'x').",
        frame().assign(x=some(None, [5, 6], X)),
        frame(z=some(None, [5, 6], LONG)),
    ),
    (
        "1 row with an infinite or far too large value was set aside (row 7",
        frame().assign(x=some(np.inf, [5], X)),
        frame().assign(x=some(50.0, [5], X)),
    ),
    ("6 rows repeat an earlier row in every column", REPEATED, FIRST_TWO),
    ("repeat an earlier row in every column", REPEATED, pd.DataFrame({"x": np.tile(X[:50], 4)})),  # numbers come back
    ("Using both columns beside the label.", frame(kind=EVEN), frame(kind=EVEN, other=EVEN)),
    ("Using the only column.", pd.DataFrame({"x": X}), frame()),
    (
        "all of them have few different values, as in a questionnaire, and count as 0 or 1",
        pd.DataFrame({name: RNG.choice(["yes", "no"], N) for name in "abc"}),
        frame(a=RNG.choice(["yes", "no"], N), b="yes"),
    ),
    (
        "member is not used because yes or no has no distances",
        pd.DataFrame({**{name: RNG.integers(1, 6, N) for name in "abc"}, "member": RNG.integers(0, 2, N)}),
        pd.DataFrame({name: RNG.integers(0, 2, N) for name in ("a", "b", "member")}),
    ),
    (
        "guest is not used because every value is unique",
        pd.DataFrame({"guest": RNG.permutation(N) + 500, "a": RNG.integers(1, 6, N), "b": RNG.integers(1, 6, N)}),
        frame(guest=RNG.permutation(3 * N)[:N]),
    ),
    ("guest is not used because row numbers", frame(guest=range(N)), frame(guest=range(5, N + 5))),
    ("time is not used because every value is unique", frame(time=1e9 + 60 * np.arange(N)), frame(time=CODES)),
    (
        "Using 3 of 4 columns: country is not used",
        pd.DataFrame({"country": [f"c{i}" for i in range(N)], "2019": X, "2020": Y, "2021": X + Y}),
        pd.DataFrame({"country": [f"c{i}" for i in range(N)], "2019": X, "2024": "x"}),
    ),
    (
        f"Row {N + 2} sums up the others and is not read.",
        summed(frame(name=[f"n{i}" for i in range(N)]), "Mean:", frame().mean()),
        summed(frame(name=[f"n{i}" for i in range(N)]), "Max", frame().mean()),  # a name
    ),
    (
        f"Row {N + 2} sums up the others and is not read.",
        summed(frame(name=[f"n{i}" for i in range(N)], kind=EVEN, other=EVEN), "Total", {"x": 5.0}),
        frame(name=[f"n{i}" for i in range(N - 1)] + ["Total"], kind=EVEN, other=EVEN),
    ),
    (
        "7 values of 'bmi' are 99.9, outside all others",  # clusters far apart make a wide spread
        frame(bmi=some(99.9, range(7), np.r_[X[:100] + 10, X[100:] + 30])),
        frame(bmi=np.r_[X[:100] + 10, X[100:] + 30]),
    ),
    (
        "5 values of 'rating' are 9, outside all others (1 to 5)",
        pd.DataFrame({"rating": some(9, range(5), RNG.integers(1, 6, N)), "other": RNG.integers(1, 6, N)}),
        pd.DataFrame({"rating": RNG.integers(1, 10, N), "other": RNG.integers(1, 6, N)}),
    ),
    (
        "4 values of 'lat' are 0, outside all others",
        frame(lat=some(0, range(4), X + 30), lon=Y),
        frame(lat=some(0, range(4), X - 10), lon=Y),
    ),
    (
        "(rows 7, 8, 11; most often in column 'x')",
        frame().assign(x=some(None, [5, 6], X), y=some(None, [9], Y)),
        frame().assign(x=some(None, [5, 6], X)),
    ),
    (
        "1 value of column 'weight' cannot be read as a number and counts as missing.",
        frame(weight=some("heavy", [3], X)),
        frame(weight=X + 1),
    ),
    (
        "Column 'weight' has 23 values that are not numbers",
        frame(weight=some("heavy", range(0, N, 9), X)),
        frame(weight=some("heavy", [3], X)),
    ),
    (
        "'kind' looks like a label (4 classes): it is used to judge, not to cluster.",
        frame(kind=EVEN),
        frame(kind=EVEN, other=EVEN),
    ),
]


@pytest.mark.parametrize(
    ("sentence", "where", "elsewhere"), CASES, ids=[f"{i} {case[0][:40]}" for i, case in enumerate(CASES)]
)
def test_a_sentence_stands_where_it_is_true_and_nowhere_else(sentence, where, elsewhere):
    assert sentence in said(where)
    assert sentence not in said(elsewhere)


def test_every_reason_has_a_file_that_gives_it():
    given = " ".join(sentence for sentence, _, _ in CASES)
    tried = [why for why in LEFT_OUT.values() if f"because {why[:20]}" in given]
    assert len(tried) == len(LEFT_OUT)


@pytest.mark.parametrize("scaling", SCALES)
def test_a_scale_is_said_while_it_is_in_use(scaling):
    assert SCALES[scaling] in said(frame(), Preparation(scaling=scaling))
    assert not any(words in said(frame()) for words in SCALES.values())


@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        ("missing", "3 values of 'x' (−999) are treated as missing."),
        ("clip", "3 values of 'x' (−999) are clipped to"),
        ("rows", "The 3 rows with −999 in 'x' are left out."),
    ],
)
def test_what_is_treated_is_said_and_only_then(how, sentence):
    odd = frame().assign(x=some(-999, [1, 2, 3], X))
    chosen = Preparation(treat=(("x", "-999.0", how),))
    assert sentence in said(odd, chosen)
    assert sentence not in said(odd)
    assert sentence not in said(frame(), chosen), "of another file, which has no such value"


def test_choosing_other_columns_is_said_as_the_persons_choice():
    assert "y is not used because you chose other columns" in said(frame(), Preparation(("x",)))
    assert "you chose" not in said(frame())
    amounts = frame(price=AMOUNTS)
    assert "price is not used because text was not converted" in said(amounts, Preparation(start="numbers"))
    assert "not converted" not in said(amounts)


def test_a_constant_that_is_used_is_said_of_the_rows_that_are_used():
    almost = frame(z=some(7.5, range(1, N), X))
    chosen = Preparation(("x", "z"))
    sentence = "Column 'z' has the same value in every row that is used"
    assert sentence not in said(almost, chosen)
    gone = almost.assign(x=some(None, [0], X))
    assert sentence in said(gone, chosen), "the one row that differs is set aside"


def test_a_filling_is_said_with_what_it_fills():
    gaps = frame().assign(x=some(None, [5, 6], X))
    assert "2 gaps in 2 rows become the median of their column." in said(gaps, Preparation(missing="median"))
    assert "gaps in" not in said(frame(), Preparation(missing="median"))
    empty = gaps.assign(y=some(None, [5], Y), z=LONG)
    assert "1 row with no value at all was set aside (row 7" in said(empty, Preparation(missing="median"))
    assert "no value at all" not in said(gaps, Preparation(missing="median"))


def test_rows_without_a_label_are_said():
    labelled = frame(kind=some(None, [9], EVEN))
    assert "1 row without a value in the label column 'kind' was set aside (row 11)." in said(labelled)
    assert "without a value" not in said(frame(kind=EVEN))


def test_what_needed_another_measure_is_said():
    flat = frame().assign(x=some(5.0, range(170), X))
    sentence = "At least half of the values are equal in 'x': scaled by the standard deviation instead."
    assert sentence in said(flat, Preparation(("x", "y"), scaling="robust"))
    assert sentence not in said(frame(), Preparation(scaling="robust"))
    zeros = frame().assign(x=some(0.0, [0], X), y=some(0.0, [0], Y))
    assert "1 row is all zeros and without direction" in said(zeros, Preparation(("x", "y"), scaling="length"))
    assert "without direction" not in said(frame(), Preparation(scaling="length"))


def test_columns_count_alike_only_where_each_became_one():
    kinds = frame(kind=EVEN, z=EVEN)
    chosen = Preparation(("x", "y", *(f"kind = {value}" for value in "abcd")), "standard")
    assert "every column counts alike" not in said(kinds, chosen)
    assert "every column of numbers counts alike, and some columns became several" in said(kinds, chosen)
    assert "Standardised: every column counts alike." in said(kinds, Preparation(scaling="standard"))
    weighted = Preparation(scaling="unit", weights=(("x", 3.0),))
    assert "Scaled to [0, 1] in every column, then weighted." in said(kinds, weighted)
    assert "then weighted" not in said(kinds, Preparation(scaling="unit"))
    assert "Weighted." in said(kinds, Preparation(weights=(("x", 3.0),)))
