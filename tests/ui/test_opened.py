"""``theta-app customers.csv``: the file is the starter's alone, and is read again when it changes."""

import os

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from tests.ui.conftest import ROOT
from tests.ui.helpers import complaints, verdict_of
from theta_app import datasets
from theta_app.ui import opened

BLOBS = datasets.load(datasets.GridBlobs(side=2, spacing=8.0, per_cluster=30)).X


@pytest.fixture
def files(tmp_path):
    """Two files in folders of their own, both with the same name."""
    paths = [tmp_path / name / "points.csv" for name in ("one", "two")]
    for path, count in zip(paths, (4, 3)):
        path.parent.mkdir()
        pd.DataFrame(BLOBS[: 30 * count], columns=["length", "width"]).to_csv(path, index=False)
    yield paths
    opened.offer([])


def visit(script="app.py", **query) -> AppTest:
    at = AppTest.from_file(str(ROOT / script), default_timeout=60)
    for name, value in query.items():
        at.query_params[name] = value
    return at.run()


def notices(at) -> str:
    return " ".join(warning.value for warning in at.warning)


def test_whoever_has_the_link_sees_the_file_and_nobody_else(files):
    key = opened.offer(files)
    mine = visit(open=key)
    assert complaints(mine) == []
    assert verdict_of(mine)["k"] == "4"
    assert "open" not in mine.query_params, "the key does not travel in links that are shared"
    assert str(files[0].parent) not in str(mine.query_params)

    for query in ({}, {"open": "guessed"}, {"open": "é"}, dict(mine.query_params)):
        other = visit("pages/Data.py", **{k: v[0] if isinstance(v, list) else v for k, v in query.items()})
        assert complaints(other) == []
        assert not isinstance(other.session_state["theta_app.state"].spec, datasets.Upload)
        assert not [button for button in other.button if button.key.startswith("named-file")]
        assert "points.csv" not in notices(other)


def test_the_other_files_are_offered_on_the_data_page(files):
    at = visit("pages/Data.py", open=opened.offer(files))
    offered = {button.label: button for button in at.button if button.key.startswith("named-file")}
    assert list(offered) == ["one/points\\.csv", "two/points\\.csv"]
    at = offered["two/points\\.csv"].click().run()
    assert complaints(at) == []
    assert len(opened._offer.read) == 2
    assert at.session_state["theta_app.state"].spec.digest == next(reversed(opened._offer.read.values())).digest


def test_a_file_that_changes_is_offered_again_and_choices_stay(files):
    at = visit(open=opened.offer(files[:1]))
    assert "file-take" not in [button.key for button in at.button]
    at.session_state["theta_app.state"] = _with(at, scaling="unit")
    files[0].write_bytes(files[1].read_bytes())
    os.utime(files[0], ns=(1, 1))  # another time of change, whatever the clock says
    at.run()
    assert any("has changed. Load the new rows?" in text.value for text in at.markdown)
    at = at.button("file-take").click().run()
    state = at.session_state["theta_app.state"]
    assert complaints(at) == []
    assert state.spec.digest == opened._offer.read[next(iter(opened._offer.read))].digest
    assert state.preparation.scaling == "unit"
    assert "file-take" not in [button.key for button in at.button]

    files[0].write_text("")
    at.run()
    at = at.button("file-take").click().run()
    assert "points.csv cannot be opened. The file is empty." in notices(at)
    assert at.session_state["theta_app.state"].spec == state.spec, "the rows of before stay"
    files[0].unlink()
    assert complaints(at.run()) == []


def _with(at, **changes):
    from dataclasses import replace

    state = at.session_state["theta_app.state"]
    return replace(state, preparation=replace(state.preparation, **changes))


def test_a_file_that_cannot_be_read_leaves_the_default_and_says_why(tmp_path):
    path = tmp_path / "picture.csv"
    path.write_bytes(b"\x89PNG\r\n\x1a\n")
    at = visit(open=opened.offer([path]))
    assert complaints(at) == []
    assert "picture.csv cannot be opened. This is a picture." in notices(at)
    assert at.session_state["theta_app.state"].spec == datasets.DEFAULT
