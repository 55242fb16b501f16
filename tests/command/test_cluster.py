"""``theta-app cluster``: the answer of the page, files, pipes, sentences and exit codes."""

import hashlib
import json
import os
import pty
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from tests.datasets.messy import csv, customers
from tests.report.test_report import executed
from tests.ui.conftest import VISITOR, everything_open
from tests.ui.helpers import complaints
from theta_app import datasets
from theta_app.command import main
from theta_app.datasets.uploads import limits
from theta_app.ui import store

ROOT = Path(__file__).resolve().parents[2]
CONTENT = csv(customers(240))
CLUSTER = [sys.executable, "-m", "theta_app.command", "cluster"]


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "customers.csv"
    path.write_bytes(CONTENT)
    return path


@pytest.fixture
def labels_of_the_page(monkeypatch):
    """What the button Labels of Explore gives for a file, once it is prepared as the Data page does."""
    offered = {}
    monkeypatch.setattr(
        "theta_app.ui.widgets.downloads._button", lambda label, content, *_, **__: offered.update({label: content})
    )

    def labels(name: str, content: bytes, **query) -> bytes:
        upload = datasets.Upload(hashlib.sha256(content).hexdigest())
        data = replace(datasets.parse_upload(name, content), spec=upload)
        store.UPLOADS.put((VISITOR, upload.digest), data)
        at = everything_open(AppTest.from_file(str(ROOT / "app.py"), default_timeout=60))
        at.session_state["theta_app.visitor"] = VISITOR
        chosen = datasets.preparation_to_query(datasets.recommended(data))
        for key, text in {**datasets.spec_to_query(upload), "start": "recommended", **chosen, **query}.items():
            at.query_params[key] = text
        assert complaints(at.run()) == []
        return offered["Labels"]()

    return labels


def test_a_pipe_gives_the_labels_of_the_page_without_streamlit(labels_of_the_page):
    script = (
        "import sys\nfrom theta_app.command import main\ncode = main(['cluster', '-'])\n"
        "assert not {'streamlit', 'plotly', 'dask'} & set(sys.modules)\nsys.exit(code)"
    )
    done = subprocess.run([sys.executable, "-c", script], input=CONTENT, capture_output=True, cwd=ROOT, timeout=300)
    said = done.stderr.decode()
    assert done.returncode == 0, said
    assert done.stdout == labels_of_the_page("customers.csv", CONTENT)
    lines = said.splitlines()
    assert lines[0].startswith("3 clusters in 236 rows of standard input: TNC at θ = ")
    assert lines[0].endswith("% sure)")
    assert any(line.startswith("Alternative: 2 clusters") for line in lines)
    assert any(line.startswith("Using 4 of 13 columns") for line in lines)
    assert "Look at this: 5 values are missing: 'visits' (3), 'income' (2)." in lines
    assert "\r" not in said, "progress is for a terminal"


@pytest.mark.parametrize(
    ("options", "query"),
    [
        (("--algorithm", "TDG"), {"algorithm": "TDG"}),
        (("--algorithm", "TNC", "--shuffles", "8"), {"algorithm": "TNC", "shuffles": "8"}),
        (("--theta", "1.5", "--metric", "manhattan"), {"theta": "1.5", "norm": "1", "algorithm": "TDG"}),
        (("--columns", "income,visits", "--scale", "robust"), {"columns": "income,visits", "scaling": "robust"}),
        (("--missing", "median", "--space", "pca"), {"missing": "median", "space": "pca", "components": "3"}),
    ],
)
def test_choices_are_those_of_the_page(file, labels_of_the_page, capsys, options, query):
    output = file.with_name("labels.csv")
    assert main(["cluster", str(file), "--output", str(output), *options]) == 0
    assert output.read_bytes() == labels_of_the_page(file.name, CONTENT, **query)
    assert f"Written: {output}" in capsys.readouterr().out


def test_where_there_is_nothing_to_find_it_says_so_as_the_page_does(tmp_path, labels_of_the_page, capsys):
    frame = pd.DataFrame(np.random.default_rng(3).normal(size=(300, 2)), columns=["x", "y"])
    path, output = tmp_path / "cloud.csv", tmp_path / "labels.csv"
    frame.to_csv(path, index=False)
    assert main(["cluster", str(path), "-o", str(output)]) == 0
    assert output.read_bytes() == labels_of_the_page(path.name, path.read_bytes())
    said = capsys.readouterr().out
    assert said.startswith("1 cluster ")
    assert "The verdict: Nothing to find" in said


def test_report_notebook_and_facts_say_the_same(file, capsys, monkeypatch):
    report, notebook, output = (file.with_name(name) for name in ("report.html", "again.ipynb", "labels.parquet"))
    files = ("--report", report, "--notebook", notebook, "-o", output)
    assert main(["cluster", str(file), "--json", "--shuffles", "10", *map(str, files)]) == 0
    facts = json.loads(capsys.readouterr().out)
    labels = pd.read_parquet(output)["cluster"]
    assert facts["sizes"] == labels.value_counts().tolist()
    assert facts["verdict"]["alternative"]["n_clusters"] != facts["n_clusters"] == facts["verdict"]["n_clusters"]
    assert facts["settings"]["theta"] == facts["verdict"]["theta"]
    assert facts["warnings"]
    assert f"{facts['n_clusters']} clusters" in report.read_text()
    assert "<svg" in report.read_text()
    again = json.loads(executed(notebook.read_text(), file.parent, "print(rows.to_json(orient='records'))"))
    assert [row["cluster"] for row in again] == labels.astype(object).where(labels.notna(), None).tolist()
    assert not [path for path in file.parent.iterdir() if path.name.startswith(".")]


@pytest.mark.parametrize(
    ("content", "options", "sentence"),
    [
        (b"", (), "The file is empty."),
        (b"\x89PNG\r\n\x1a\n", (), "This is a picture."),
        (b"name\nann\nbob\n", (), "numbers"),
        (CONTENT, ("--columns", "income,wages"), "There is no column 'wages'. The columns are: customer_id, email, "),
        (CONTENT, ("--columns", "email"), "cannot be read as numbers"),
        (CONTENT, ("--space", "pca", "--components", "40"), "PCA of 4 columns"),
        (None, (), "No such file"),
    ],
)
def test_what_cannot_be_clustered_gets_a_sentence(tmp_path, capsys, content, options, sentence):
    path, output = tmp_path / "a.csv", tmp_path / "labels.csv"
    if content is not None:
        path.write_bytes(content)
    assert main(["cluster", str(path), "--output", str(output), *options]) == 1
    said = capsys.readouterr()
    assert sentence in said.err
    assert "Traceback" not in said.err
    assert said.out == ""
    assert not output.exists()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("https://example.org/a.csv",), "Download the file first"),
        (("a.csv", "--theta", "-1"), "not a distance"),
        (("a.csv", "--theta", "nan"), "not a distance"),
        (("a.csv", "--scale", "huge"), "invalid choice"),
        (("a.csv", "--epsilon", "1", "--algorithm", "TDG"), "--epsilon chains clusters"),
        (("a.csv", "--output", "./a.csv"), "is the input file"),
        (("-", "--notebook", "a.ipynb"), "give a file"),
        ((), "required: file"),
    ],
)
def test_options_that_cannot_be_meant_end_with_2(capsys, options, sentence):
    with pytest.raises(SystemExit) as end:
        main(["cluster", *options])
    assert end.value.code == 2
    assert sentence in capsys.readouterr().err


def test_a_huge_file_is_not_read_and_dask_is_named(tmp_path, capsys):
    path = tmp_path / "huge.csv"
    with path.open("wb") as opened:
        opened.truncate(50_000_000_000)  # of which nothing is on the disk
    assert main(["cluster", str(path), "--output", "labels.csv"]) == 1
    said = capsys.readouterr().err
    assert f"at most {limits.MAX_BYTES // 10**6} MB" in said
    assert f"theta-app cluster {path} --output labels.csv --scheduler local" in said


def test_a_pipe_that_closes_ends_it_without_a_word_about_it(file):
    begun = subprocess.Popen(
        [*CLUSTER, str(file), "--theta", "1", "--quiet", "--output", "-"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
    )
    begun.stdout.close()
    with begun.stderr:
        said = begun.stderr.read()
    assert begun.wait(timeout=300) == 141
    assert said == b""


def test_at_a_terminal_it_shows_progress_and_an_interrupt_leaves_nothing(tmp_path):
    path, output = tmp_path / "points.npy", tmp_path / "labels.csv"
    np.save(path, np.random.default_rng(0).normal(size=(20_000, 12)))
    ours, theirs = pty.openpty()
    begun = subprocess.Popen([*CLUSTER, str(path), "-o", str(output)], stdout=theirs, stderr=theirs, cwd=ROOT)
    os.close(theirs)
    said = b""
    while "Sweeping θ … ".encode() not in said:
        said += os.read(ours, 1000)  # OSError where it has ended
    begun.send_signal(signal.SIGINT)
    said = _rest(ours)
    assert begun.wait(timeout=60) == 130
    assert said.strip().endswith(b"Stopped.")
    assert b"Traceback" not in said
    assert [path.name for path in tmp_path.iterdir()] == ["points.npy"]


def _rest(terminal: int) -> bytes:
    said = b""
    while True:
        try:
            part = os.read(terminal, 1000)
        except OSError:  # nobody writes any more
            part = b""
        if not part:
            os.close(terminal)
            return said
        said += part
