"""A report: a page that stands on its own and says what holds, and a notebook that is executed and finds it again."""

import html
import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tests.datasets.messy import csv, customers
from theta_app import datasets, selection
from theta_app.clustering import cluster
from theta_app.marks import Marks
from theta_app.report import Report, notebook, page, picture, profile

ROOT = Path(__file__).resolve().parents[2]
FILE = "Müller's <b>customers.csv"
FRAME = customers(240)
CHOSEN = datasets.Preparation(("visits", "share (%)"), "standard", missing="median", read=("share",))
DATA = datasets.prepare(datasets.parse_upload(FILE, csv(FRAME)), CHOSEN)
NAMED = FRAME.index[0] + 2  # the number that a person sees in the file
MARKS = Marks(((NAMED, 'the "first" <i>'),), ((NAMED, "#123456"),))
CLUSTERING = cluster(DATA, "TDG", 1.0, shuffles=10, marks=MARKS)
LABELS = CLUSTERING.labels
REPORT = Report(
    CLUSTERING,
    selection.verdict(DATA.X, 10),
    selection.sweep(DATA.X, shuffles=10),
    DATA.X,
    np.arange(len(DATA.X)),
    link="http://example.org/?data=upload",
)


class Reader(HTMLParser):
    """Tags in their order, what is open, and all text."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.open, self.words = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)


def test_the_page_is_whole_and_asks_for_nothing():
    text = page(REPORT)
    reader = Reader(text)
    assert reader.open == []
    asks = {"script", "link", "img", "iframe", "object", "embed", "video", "audio", "form", "base"}
    assert not asks & {tag for tag, _ in reader.tags}
    assert not any({"src", "href", "onload", "srcset"} & set(attributes) for _, attributes in reader.tags)
    assert not re.search(r"url\(|@import", text)
    assert sum(tag == "svg" for tag, _ in reader.tags) == 3


def test_the_page_says_what_holds():
    reader = Reader(page(REPORT))
    words = " ".join(reader.words)
    for said in (
        FILE,
        f"{CLUSTERING.n_clusters} clusters",
        "TDG at θ = 1 standard deviations",
        REPORT.verdict.reason,
        "Standardise",
        "Median",
        "3 gaps in 3 rows become the median of their column.",
        "email (every value is unique)",
        "Read: share",
        DATA.digest,
        "http://example.org/?data=upload",
        'the "first" <i>',
        "clustering = cluster(data, 'TDG', theta=1.0, shuffles=10, seed=0",
    ):
        assert said in words, said
    assert html.escape(FILE) in page(REPORT)
    assert "<b>customers" not in page(REPORT)


def test_the_profile_is_the_means_in_the_units_of_the_file():
    table = profile(CLUSTERING).set_index("cluster")
    own = FRAME.assign(share=FRAME["share"].str.removesuffix(" %").astype(float))[["visits", "share"]]
    means = own.fillna(own.median()).groupby(LABELS).mean()
    assert table["visits"].sort_index().to_numpy() == pytest.approx(means["visits"].to_numpy())
    assert table["share (%)"].sort_index().to_numpy() == pytest.approx(means["share"].to_numpy())
    assert table["points"].loc[0:].tolist()[: CLUSTERING.n_clusters] == CLUSTERING.sizes.tolist()
    assert table["name"][LABELS[0]] == 'the "first" <i>'


def test_colours_by_hand_are_in_the_picture_the_bars_and_the_table():
    assert page(REPORT).count("#123456") >= 3


@pytest.mark.parametrize(
    "X", [np.zeros((4, 2)), np.arange(6.0).reshape(6, 1), np.random.default_rng(0).normal(size=(30, 40))]
)
def test_any_data_can_be_reported(X):
    data = datasets.dataset.from_arrays("A set", "Made here.", X)
    positions = selection.project(X, "pca" if X.shape[1] > 2 else "none")
    clustering = cluster(data, "TNC", 0.0, 1.0, shuffles=5)
    report = Report(clustering, positions=positions, rows=np.arange(len(X)), projection="PCA")
    assert Reader(page(report)).open == []
    assert picture(clustering)._repr_svg_().startswith("<svg")
    json.loads(notebook(report))


def test_the_notebook_is_valid_and_finds_the_same_again(tmp_path):
    import nbformat  # a second of parsing its grammars

    text = notebook(REPORT)
    nbformat.validate(nbformat.reads(text, as_version=4))
    (tmp_path / FILE).write_bytes(csv(FRAME))
    last = executed(text, tmp_path, "print(rows.to_json(orient='records'))")
    rows = pd.DataFrame(json.loads(last))
    assert rows["cluster"].tolist() == LABELS.tolist()
    assert rows["row"].tolist() == list(range(2, 242))
    assert (rows["cluster_name"] == 'the "first" <i>').tolist() == (LABELS[0] == LABELS).tolist()


def test_no_name_becomes_html_in_the_notebook():
    cells = [cell["source"] for cell in json.loads(notebook(REPORT))["cells"] if cell["cell_type"] == "markdown"]
    assert any("\\<b\\>customers.csv" in text for text in cells)
    assert not any(re.search(r"(?<!\\)[<>]", text) for text in cells)


def test_the_notebook_notices_another_file(tmp_path, monkeypatch):
    (tmp_path / FILE).write_bytes(csv(customers(240, seed=1)))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(AssertionError, match="these are different points"):
        exec("\n".join(code(notebook(REPORT))), {})


def code(text):
    """The cells of Python of a notebook."""
    return [cell["source"] for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]


def executed(text, folder, more):
    """What a process of its own prints that runs all cells of a notebook, and then one line more."""
    script = folder / "cells.py"
    script.write_text("\n".join([*code(text), more]), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(script)],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "PATH": ""},
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    return done.stdout
