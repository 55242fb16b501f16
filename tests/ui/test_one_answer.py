"""What is on the screen is what is exported: K, sizes, labels and names, whatever the person has done."""

import hashlib
import io
import json
import re
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import replace
from urllib.parse import parse_qsl, urlsplit

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from tests.report.test_report import Reader, code
from tests.ui.conftest import ROOT, VISITOR, everything_open
from tests.ui.helpers import complaints, drawn_evidence, findings_of
from tests.ui.test_timeline import read
from theta_app import datasets
from theta_app.ui import session, store

BLOBS = datasets.load(datasets.GridBlobs(side=3, spacing=6.0, per_cluster=40)).X
TABLE = pd.DataFrame(np.concatenate([BLOBS, [[300.0, 300.0]]]), columns=["length", "width"]).assign(note="=a")
TABLE.loc[[3, 50], "length"] = np.nan  # rows that are set aside
NAME, CONTENT = "my table.csv", TABLE.to_csv(index=False).encode()
UPLOAD = datasets.Upload(hashlib.sha256(CONTENT).hexdigest())
WALK = {
    "TDG": {"algorithm": "TDG", "theta": "3.0"},
    "TSG": {"algorithm": "TSG", "theta": "3.0"},
    "TNC": {"algorithm": "TNC", "theta": "1.2", "epsilon": "2.0"},
    "TNC by density": {"algorithm": "TNC", "theta": "1.2", "epsilon": "0.4", "density": "10"},
    "the verdict": {},
    "names and colours": {"algorithm": "TDG", "theta": "3.0", "marks": "n6:left;n300:right;c6:123456"},
    "a merge": {"algorithm": "TDG", "theta": "3.0", "marks": "n6:left;m6+300"},
    "a merge of chains": {"algorithm": "TNC", "theta": "1.2", "epsilon": "2.0", "marks": "n300:b;m6+300"},
    "a part of the rows": {"algorithm": "TDG", "theta": "3.0", "rows": str(session.RowSet.of(range(40, 300)))},
    "another norm and scale": {"algorithm": "TDG", "theta": "0.2", "norm": "inf", "scaling": "standard"},
    "a neighbour map": {"algorithm": "TDG", "theta": "1.5", "space": "map", "marks": "n6:left"},
    "PCA": {"algorithm": "TDG", "theta": "3.0", "space": "pca", "components": "1"},
}


def opened(script: str, query: dict) -> AppTest:
    store.UPLOADS.put((VISITOR, UPLOAD.digest), replace(datasets.parse_upload(NAME, CONTENT), spec=UPLOAD))
    at = everything_open(AppTest.from_file(str(ROOT / script), default_timeout=60))
    at.session_state["theta_app.visitor"] = VISITOR
    for name, value in {**datasets.spec_to_query(UPLOAD), "shuffles": "8", **query}.items():
        at.query_params[name] = value
    at.run()
    while any(button.key == "space-stop" for button in at.button):  # a space is computed in the background
        time.sleep(0.1)
        at.run()
    assert complaints(at) == []
    return at


def in_a_thread(make):
    """What makes a file, run as Streamlit runs it: later, and without a session."""
    made = []
    thread = threading.Thread(target=lambda: made.append(make() if callable(make) else make))
    thread.start()
    thread.join()
    assert made, "it needed something that only the page has"
    return made[0]


class Screen:
    """What the page shows: the frame that was sent to the browser, and the sentences about it."""

    def __init__(self, at: AppTest):
        theta = float(re.search(r'data-theta="([^"]+)"', findings_of(at))[1])
        body, arrays = read(at.session_state["explore.packed"])
        frame = body["values"].index(theta)
        groups = arrays["labels"].reshape(len(body["values"]), -1)[frame]
        first, last = arrays["cluster_start"][frame : frame + 2]
        self.k = int(last - first) - body["outliers"][frame]
        self.labels = np.where(groups < self.k, groups, -1)
        self.sizes = np.bincount(groups)[: self.k].tolist()
        self.outliers = int((self.labels < 0).sum())
        self.readout = next(r for r in body["readouts"] if r["id"] == "k")["values"][frame][0]
        self.said = int(re.search(r'data-k="(\d+)"', findings_of(at))[1])
        rows = np.arange(body["first_row"], body["first_row"] + body["n"]) if "rows" not in arrays else arrays["rows"]
        self.of_row = dict(zip(rows.tolist(), self.labels.tolist()))
        marks = at.session_state["theta_app.state"].settings.marks
        named: dict[int, list] = {}
        for row, name in marks.names:
            named.setdefault(self.of_row[row], []).append(name)
        self.names = {k: " + ".join(names) for k, names in named.items()}


# Runs the cells of one notebook after another, each in names of its own, and prints what each has in `rows`.
CELLS = """
import contextlib, json, os, sys
for line in sys.stdin:
    folder, cells = json.loads(line)
    os.chdir(folder)
    names = {}
    with contextlib.redirect_stdout(sys.stderr):
        exec(cells, names)
    print(names["rows"].to_json(orient="records"), flush=True)
"""


@pytest.fixture(scope="module")
def rows_of():
    """``rows_of(notebook, folder)``: the table that an exported notebook ends with, in a process that no page is in.

    One process for all notebooks: importing everything takes longer than most of them.
    """
    with tempfile.TemporaryFile("w+") as said:
        command = [sys.executable, "-c", CELLS]
        options = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": said, "text": True}
        with subprocess.Popen(command, env={"PYTHONPATH": str(ROOT), "PATH": ""}, **options) as process:

            def run(text: str, folder) -> pd.DataFrame:
                cells = [cell for cell in code(text) if "import sample_of, verdict" not in cell]
                process.stdin.write(json.dumps([str(folder), "\n".join(cells)]) + "\n")
                process.stdin.flush()
                answer = process.stdout.readline()
                if not answer:
                    said.seek(0)
                    pytest.fail(said.read())
                return pd.DataFrame(json.loads(answer)).dropna(subset=["cluster"])

            yield run


@pytest.mark.parametrize("case", WALK)
def test_every_export_says_what_the_screen_shows(case, offered, rows_of, tmp_path, caplog):
    at = opened("app.py", WALK[case] | {"o_finer": ""})
    screen = Screen(at)
    assert screen.readout == str(screen.k) == str(screen.said)
    assert screen.sizes == sorted(screen.sizes, reverse=True)
    caplog.clear()
    made = {label: in_a_thread(content) for label, content in offered.items()}
    assert "ScriptRunContext" not in caplog.text

    labels = pd.read_csv(io.BytesIO(made["Labels"]))
    used = labels.dropna(subset=["cluster"])
    assert dict(zip(used["row"], used["cluster"].astype(int))) == screen.of_row
    assert len(labels) == len(TABLE), "rows that were set aside are there, and say why"
    assert labels.loc[labels["cluster"].isna(), "set_aside"].astype(bool).all()
    if screen.names:
        given = used.dropna(subset=["cluster_name"])
        assert {int(k): name for k, name in zip(given["cluster"], given["cluster_name"])} == screen.names

    centroids = pd.read_csv(io.BytesIO(made["Centroids"]))
    sizes = centroids.groupby("cluster")["size"].sum()
    assert sizes.drop(-1, errors="ignore").tolist() == screen.sizes
    assert sizes.get(-1, 0) == screen.outliers

    settings = json.loads(made["Settings"])
    assert (settings["n_clusters"], settings["sizes"]) == (screen.k, screen.sizes)
    assert (settings["outliers"], settings["names"]) == (screen.outliers, {str(k): n for k, n in screen.names.items()})

    words = " ".join(Reader(made["Report"]).words)
    assert f"{screen.k} cluster" in words
    for name in screen.names.values():
        assert name in words
    heads, *rows = [re.findall(r"<t[hd]>(.*?)</t[hd]>", row) for row in re.findall(r"<tr>(.*?)</tr>", made["Report"])]
    rows = [dict(zip(heads, row)) for row in rows]
    own = [row for row in rows if not row["cluster"].endswith("outliers")]
    assert [row["cluster"].rpartition(">")[2] for row in own] == [str(k) for k in range(screen.k)]
    assert [int(row["points"].replace(",", "")) for row in own] == screen.sizes
    assert {k: row.get("name") for k, row in enumerate(own) if row.get("name")} == screen.names

    (tmp_path / NAME).write_bytes(CONTENT)
    rows = rows_of(made["Notebook"], tmp_path)
    assert dict(zip(rows["row"], rows["cluster"].astype(int))) == screen.of_row

    at.session_state["export-link"] = True
    link = next(code.value for code in at.run().code if "data=upload" in code.value)
    again = Screen(opened("app.py", dict(parse_qsl(urlsplit(link).query, keep_blank_values=True))))
    assert (again.k, again.of_row, again.names) == (screen.k, screen.of_row, screen.names)


@pytest.mark.parametrize("keep", [1, 4, 9])
def test_what_is_kept_of_the_largest_clusters_is_exported_as_it_is_drawn(keep, offered, rows_of, tmp_path):
    prepared = datasets.prepare(replace(datasets.parse_upload(NAME, CONTENT), spec=UPLOAD))
    query = WALK["a merge"] | {"o_keep": f"{prepared.digest[:8]}:{keep}"}
    sent = drawn_evidence(opened("pages/Evidence.py", query))["keep"]
    assert (sent["k"], sent["scores"]["rows"][-1][1]) == (keep, keep)
    made = {label: in_a_thread(content) for label, content in offered.items()}

    settings = json.loads(made["Settings"])
    assert (settings["n_clusters"], settings["outliers"]) == (keep, 0)
    labels = pd.read_csv(io.BytesIO(made["Labels"]))
    found = labels.dropna(subset=["cluster"]).set_index("row")["cluster"].astype(int)
    sizes = np.bincount(found).tolist()
    assert settings["sizes"] == sizes == sorted(sizes, reverse=True)
    assert settings["names"] == {str(found[6]): "left"}
    assert pd.read_csv(io.BytesIO(made["Centroids"]))["size"].tolist() == sizes
    assert f"{keep} cluster" in " ".join(Reader(made["Report"]).words)

    (tmp_path / NAME).write_bytes(CONTENT)
    again = rows_of(made["Notebook"], tmp_path).set_index("row")["cluster"].astype(int)
    assert again.to_dict() == found.to_dict()


@pytest.mark.parametrize("case", ["TDG", "TNC", "TNC by density", "a merge", "the verdict"])
def test_compare_has_a_row_with_the_clusters_of_the_screen(case, offered):
    screen = Screen(opened("app.py", WALK[case]))
    opened("pages/Compare.py", WALK[case])
    table = pd.read_csv(io.BytesIO(offered["Table as CSV"]()))
    assert table["rule"].iloc[0] == "yours"
    assert table["k"].iloc[0] == screen.k
