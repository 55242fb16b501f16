"""Exports tell the truth: every row of the file by its number, and centroids in the units of the columns."""

import dataclasses
import io

import numpy as np
import pandas as pd
import pytest

from tests.datasets.messy import csv, customers
from theta_app.datasets import Preparation, centroid_table, csv_bytes, labelled_rows, parse_upload, prepare
from theta_app.engine import tdg

FRAME = customers()
FILE = csv(FRAME)
DATA = prepare(parse_upload("customers.csv", FILE), Preparation(read=("salary",), scaling="standard"))
FOUND = tdg(DATA.X, 1.5, 10)


def back(table):
    return pd.read_csv(io.BytesIO(csv_bytes(table)))


def test_every_row_of_the_file_comes_back_under_its_number():
    table = back(labelled_rows(DATA, FOUND.labels))
    assert table["row"].tolist() == list(range(2, 602)), "the line in the file, under its header"
    lines = FILE.decode().splitlines()
    for row in (2, 300, 601):
        assert lines[row - 1].startswith(str(table.set_index("row").loc[row, "customer_id"]))
    joined = FRAME.merge(table, on=list(FRAME.columns), how="outer", indicator=True)
    assert (joined["_merge"] == "both").all()
    assert len(joined) == len(FRAME)


def test_rows_that_were_set_aside_have_no_cluster_and_say_why():
    table = back(labelled_rows(DATA, FOUND.labels))
    aside = FRAME["income"].isna() | FRAME["visits"].isna()
    assert table["cluster"].isna().tolist() == aside.tolist()
    assert (table["set_aside"] == "a missing value").tolist() == aside.tolist()
    assert table["cluster"].dropna().astype(int).tolist() == FOUND.labels.tolist()


def test_a_file_without_gaps_has_no_column_about_them():
    data = parse_upload("a.csv", b"row,cluster,x\n7,u,1\n8,u,2\n9,v,3\n5,v,4\n")
    table = labelled_rows(data, [0, 0, 1, 1], names={1: "far"})
    assert list(table.columns) == ["row_number", "row", "cluster", "x", "cluster_found", "cluster_name"]
    assert table["cluster_name"].tolist() == [None, None, "far", "far"]


def test_rows_that_the_person_left_out_are_in_it_too():
    part = dataclasses.replace(DATA, X=DATA.X[:50], table=DATA.table[:50], truth=None)
    table = labelled_rows(part, FOUND.labels[:50])
    assert len(table) == 600
    assert table["set_aside"].value_counts().to_dict() == {"left out": 546, "": 50, "a missing value": 4}


def test_a_few_rows_keep_their_numbers():
    table = labelled_rows(DATA, [4, 5], rows=np.array([0, 3]))
    assert table["row"].tolist() == DATA.table.index[[0, 3]].tolist()
    assert table["cluster"].tolist() == [4, 5]


@pytest.mark.parametrize("scaling", ["none", "standard", "robust", "unit"])
def test_centroids_are_the_means_of_their_rows_in_the_file(scaling):
    data = prepare(DATA, Preparation(read=("salary",), scaling=scaling))
    found = tdg(data.X, 5000.0 if scaling == "none" else 1.0, 10)
    table = back(centroid_table(data, found.centroids, found.sizes, np.arange(len(found.sizes)), {0: "first"}))
    rows = labelled_rows(data, found.labels).dropna(subset=["cluster"])
    means = rows.groupby("cluster")[list(data.features)].mean()
    assert table[list(data.features)].to_numpy() == pytest.approx(means.to_numpy(dtype=float))
    assert table["size"].tolist() == rows["cluster"].value_counts().sort_index().tolist()
    assert table["cluster_name"][0] == "first"
    assert ("income (scaled)" in table) == (scaling != "none")
    if scaling != "none":
        assert table["income (scaled)"].to_numpy() == pytest.approx(found.centroids[:, 0])


def test_a_column_of_zeros_and_ones_comes_back_as_such():
    data = prepare(DATA, Preparation(columns=("visits", "region = south"), read=("region",), scaling="standard"))
    assert set(np.unique(data.in_original_units(data.X)[:, 1])) == {0.0, 1.0}


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        ("=1+1", "'=1+1"),
        ("a;=1+1", "a;'=1+1"),
        ("a\n@sum", "a\n'@sum"),
        ("\uff1d1", "'\uff1d1"),
        ("\ufeff=1", "'\ufeff=1"),
        ("x;\u200b+1", "x;'\u200b+1"),
        ("cold; warm", "cold; warm"),
        ("a-b = c", "a-b = c"),
    ],
)
def test_no_cell_begins_a_formula_wherever_a_spreadsheet_cuts_it(cell, written):
    table = pd.DataFrame({"note": [cell], "x": [-1.5]})
    assert pd.read_csv(io.BytesIO(csv_bytes(table)))["note"][0] == written
    assert csv_bytes(table.rename(columns={"note": cell})).decode().lstrip('"').startswith(written)
