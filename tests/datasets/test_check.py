"""Is the data ready? Shares of the distances, what was left out and why, likely labels, gaps."""

import itertools
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.impute import KNNImputer

from tests.datasets.messy import csv, customers
from theta_app.datasets import (
    CATALOGUE,
    NO_TRUTH,
    WAYS,
    Original,
    Preparation,
    check,
    load,
    parse_upload,
    prepare,
    prepare_like,
)
from theta_app.datasets.dataset import from_arrays

FRAME = customers()
MESSY = parse_upload("customers.csv", csv(FRAME))


def test_a_share_is_of_the_squared_distances_between_all_pairs():
    X = np.random.default_rng(0).normal(size=(30, 3)) * (1, 10, 3)
    squares = np.array([(a - b) ** 2 for a, b in itertools.combinations(X, 2)])
    table = check(from_arrays("a", "b", X)).spread.table.set_index("column")
    assert table["share"][["x", "y", "z"]].to_numpy() == pytest.approx(squares.sum(axis=0) / squares.sum())
    assert table["sd"][["x", "y", "z"]].to_numpy() == pytest.approx(X.std(axis=0))
    assert table["smallest"]["y"] == X[:, 1].min()


PLAIN = Preparation(("income", "visits", "children"))


def test_a_column_that_decides_is_named_until_it_is_scaled():
    assert check(prepare(MESSY, PLAIN)).spread.sentence == "'income' decides 99 % of every distance"
    for scaling in ("standard", "robust", "unit"):
        scaled = prepare(MESSY, replace(PLAIN, scaling=scaling))
        found = check(scaled).spread
        assert found.sentence == ""
        row = found.table.set_index("column").loc["income"]
        kept = FRAME.dropna(subset=["income", "visits"])["income"]
        assert (row["mean"], row["smallest"]) == pytest.approx((kept.mean(), kept.min()))


def test_only_sets_whose_units_differ_are_complained_about():
    here = {key: spec for key, spec in CATALOGUE.items() if not isinstance(spec, Original)}
    found = {key for key, spec in here.items() if check(load(spec)).spread.deciding}
    assert found == {"wine", "breast_cancer"}


@pytest.mark.parametrize("X", [[[1.0, 2.0]], np.full((5, 2), 3.0), [[0.0], [9.0]], [[1e149, 0.0], [-1e149, 1.0]]])
def test_any_points_can_be_checked(X):
    found = check(from_arrays("a", "b", np.array(X))).spread
    assert np.isfinite(found.table.drop(columns="column").to_numpy(dtype=float)).all()


def test_what_is_left_out_says_why_and_what_can_be_done():
    rows = {row.name: row for row in check(MESSY).columns}
    assert list(rows) == list(FRAME.columns)
    assert {name: row.why for name, row in rows.items() if not row.used} == {
        "customer_id": "every value is unique",
        "email": "every value is unique",
        "joined": "dates have to be converted first",
        "plan": "categories have no distances",
        "region": "categories have no distances",
        "country": "the value is the same in every row",
        "version": "the value is the same in every row",
        "age": "each of the few values would become a cluster",
        "children": "each of the few values would become a cluster",
    }
    assert rows["salary"].example == f"{FRAME['salary'].value_counts().index[0]} becomes {FRAME['income'][0]}"
    assert dict(rows["plan"].ways) == {"plan": "3 columns of 0 and 1"}
    assert "day.month.year" in rows["joined"].example
    assert rows["email"].ways == ()
    more = prepare(MESSY, Preparation(read=("joined",)))
    assert {row.name for row in check(more).columns if row.used} == {name for name in rows if rows[name].used} | {
        "joined"
    }


def test_likely_labels_are_names_and_few_whole_numbers():
    assert check(MESSY).labels == {"region": 2, "plan": 3, "children": 4}
    assert check(prepare(MESSY, Preparation(truth="plan"))).labels == {"region": 2, "children": 4}
    assert check(parse_upload("a.csv", b"a,b\n1,2\n3,9\n")).labels == {}, "every value is there once"


def test_an_identifier_is_refused_as_label():
    with pytest.raises(ValueError, match=r"'email' has 596 classes for 596 rows: it names rows, not classes"):
        prepare(MESSY, Preparation(truth="email"))
    with pytest.raises(ValueError, match="classes for 596 rows"):
        prepare(MESSY, Preparation(truth="income"))
    assert prepare(MESSY, Preparation(truth="plan")).truth_names == ("basic", "plus", "pro")


def test_what_each_way_does_to_gaps_is_said_and_done():
    gaps = check(MESSY).gaps
    assert (gaps.gaps, gaps.rows, gaps.columns) == (5, 4, (("visits", 3), ("income", 2)))
    assert gaps.does("rows") == "4 rows with a gap are not clustered."
    assert gaps.does("median") == "5 gaps in 4 rows become the median of their column."
    assert "most similar" in gaps.does("neighbours")
    assert [len(prepare(MESSY, Preparation(missing=way)).X) for way in WAYS] == [596, 600, 600]


def test_medians_are_those_of_the_columns():
    data = prepare(MESSY, replace(PLAIN, missing="median"))
    columns = list(data.features)
    assert np.array_equal(data.X, FRAME[columns].fillna(FRAME[columns].median()).to_numpy(dtype=float))
    assert check(data).gaps.gaps == 5, "what was filled is still said"


def test_neighbours_are_similar_in_all_columns_alike():
    data = prepare(MESSY, replace(PLAIN, missing="neighbours"))
    values = FRAME[list(data.features)].astype(float)
    mean, sd = values.mean(), values.std(ddof=0)
    expected = KNNImputer(n_neighbors=5).fit_transform((values - mean) / sd) * sd.to_numpy() + mean.to_numpy()
    clear = np.arange(600) != 10  # two gaps: hundreds of rows are equally similar in what is left of it
    assert data.X[clear] == pytest.approx(expected[clear])


def test_a_row_without_any_value_is_set_aside_however_gaps_are_filled():
    data = parse_upload("a.csv", b"x,y,t\n1,2,a\n,,b\n3,,c\n5,6,d\n")
    filled = prepare(data, Preparation(missing="median"))
    assert filled.X.tolist() == [[1, 2], [3, 4], [5, 6]]
    assert [(reason, rows.tolist()) for reason, rows in filled.aside] == [("no value at all", [3])]


def test_two_ways_with_gaps_are_two_data_sets():
    assert len({prepare(MESSY, Preparation(missing=way)).digest for way in WAYS}) == 3


# ---- a second file ---------------------------------------------------------------------------------------------------


def test_nothing_is_learnt_from_a_second_file():
    chosen = Preparation(start="numbers", read=("share", "plan"), missing="median", scaling="standard", truth=NO_TRUTH)
    first = prepare(MESSY, chosen)
    later = customers(40, seed=9)
    later["income"] *= 3
    second = prepare_like(first, parse_upload("later.csv", csv(later)))
    assert second.features == first.features
    read = later[["income", "visits", "children"]].fillna(FRAME[["income", "visits"]].median())
    read["share (%)"] = later["share"].str.removesuffix(" %").astype(float)
    for plan in ("basic", "plus", "pro"):
        read[f"plan = {plan}"] = (later["plan"] == plan).astype(float)
    expected = (read[list(first.features)].to_numpy() - first.scale.origin) / first.scale.size
    assert pytest.approx(expected) == second.X
    assert prepare_like(first, MESSY).digest == first.digest


def test_a_second_file_that_does_not_fit_gets_a_sentence():
    first = prepare(MESSY, Preparation(read=("plan",)))
    for frame, sentence in (
        (FRAME.drop(columns="income"), "no column 'income' in b.csv"),
        (FRAME.drop(columns="plan"), "no column 'plan' in the second file"),
        (
            FRAME.assign(visits=[f"v{i}" for i in range(len(FRAME))]),
            "'visits' of b.csv has values that are not numbers",
        ),
        (FRAME.assign(income=np.nan).astype({"income": float}), "not numbers"),
    ):
        with pytest.raises(ValueError, match=sentence):
            prepare_like(first, parse_upload("b.csv", csv(pd.DataFrame(frame))))
