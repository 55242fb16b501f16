"""Explore and Data without a browser, on every kind of data."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from tests.ui.conftest import VISITOR
from tests.ui.helpers import complaints, csv_upload, findings_of, former_pages
from theta_app import datasets, selection
from theta_app.datasets.dataset import from_arrays
from theta_app.engine import tdg
from theta_app.ui import session, shell, store
from theta_app.ui.home import HOME
from theta_app.ui.pages import explore

rng = np.random.default_rng(0)
BLOBS = np.concatenate([rng.normal(size=(20, 2)), rng.normal(size=(20, 2)) + 12])
KINDS = {
    "one point": np.array([[1.0, 2.0]]),
    "two points": np.array([[0.0, 0.0], [3.0, 4.0]]),
    "constant data": np.full((12, 2), 7.0),
    "one feature": rng.normal(size=(40, 1)),
    "1000 features": rng.normal(size=(25, 1000)),
    "no truth": BLOBS,
    "far from zero": BLOBS + 1e9,
    "very large": BLOBS * 1e140,
    "very small": BLOBS * 1e-140,
    "duplicates": np.repeat(BLOBS[:5], 8, axis=0),
}


@pytest.mark.parametrize("script", ["app.py", "pages/Data.py"])
@pytest.mark.parametrize("kind", KINDS)
def test_the_page_opens_on_every_kind_of_data(open_page, script, kind):
    at = open_page(script, X=KINDS[kind], shuffles=5)
    assert complaints(at) == []


@pytest.mark.parametrize("algorithm", session.ALGORITHMS)
@pytest.mark.parametrize("kind", ["one point", "constant data", "no truth", "1000 features"])
def test_every_algorithm_runs_on_odd_data(open_page, kind, algorithm):
    at = open_page("app.py", X=KINDS[kind], shuffles=5, algorithm=algorithm)
    assert complaints(at) == []
    assert any("θ =" in html.proto.body for html in at.get("html") if "findings" in html.proto.body)


def test_switching_to_tnc_opens_on_the_suggested_chains(open_page):
    moons = datasets.Moons(per_shape=60)
    suggested = selection.suggest(datasets.load(moons).X)
    at = open_page("app.py", query={**datasets.spec_to_query(moons), "algorithm": "TNC"})
    assert complaints(at) == []
    assert f'data-theta="{suggested.theta!r}" data-k="2"' in findings_of(at)


@pytest.mark.parametrize("theta", [0.0, 1e-9, 1e9])
def test_any_theta_of_zero_or_more_may_be_asked_for(open_page, theta):
    at = open_page("app.py", X=BLOBS, shuffles=5, theta=theta)
    assert complaints(at) == []
    result = tdg(BLOBS, theta, 5, 0)
    findings = next(html.proto.body for html in at.get("html") if "findings" in html.proto.body)
    assert f'data-k="{len(result.sizes)}"' in findings


def test_nothing_is_said_about_truth_that_is_not_known(open_page):
    at = open_page("app.py", X=BLOBS, shuffles=5)
    assert not any("NMI" in frame.value.columns for frame in at.dataframe)


def test_a_setting_is_written_to_the_address_and_read_from_it(open_page):
    at = open_page("app.py", query={"data": "grid", "data_side": "2", "data_per_cluster": "20", "shuffles": "7"})
    assert at.number_input(key="widget.shuffles").value == 7
    at.number_input(key="widget.shuffles").set_value(9).run()
    assert at.query_params["shuffles"] in ("9", ["9"])
    assert complaints(at) == []


def test_a_broken_address_is_a_sentence(open_page):
    at = open_page("app.py", query={"data": "grid", "data_side": "2", "data_per_cluster": "20", "theta": "wide"})
    assert len(at.warning) == 1
    assert "theta" in at.warning[0].value


SMALL = {"data": "grid", "data_side": "2", "data_per_cluster": "20", "shuffles": "5"}


def test_finer_theta_and_a_selection_are_read_from_the_address(open_page):
    box = "-100,-100 100,-100 100,100 -100,100"
    at = open_page("app.py", query={**SMALL, "o_finer": "1.5 2.0:2.2:2.5", "o_selection": box})
    assert complaints(at) == []
    assert any(heading.value == "Selected: 80 rows" for heading in at.subheader)
    values = np.array(at.session_state["explore.packed"].values)
    assert 1.5 in values
    assert ((values > 2.0) & (values < 2.5)).sum() >= 8


@pytest.mark.parametrize("finer", ["wide", "3:2:1", "-1", "nan", "1:2"])
def test_an_address_that_asks_for_finer_nonsense_is_passed_over(open_page, finer):
    at = open_page("app.py", query={**SMALL, "o_finer": finer, "o_selection": f"1,2 {finer}"})
    assert complaints(at) == []
    assert not any(heading.value.startswith("Selected") for heading in at.subheader)


def test_an_address_that_says_the_same_in_other_words_is_left_alone(open_page):
    at = open_page("app.py", query=SMALL)
    assert {name: value[0] if isinstance(value, list) else value for name, value in at.query_params.items()} == SMALL


def test_another_data_set_forgets_what_was_said_about_the_last():
    def page():
        import streamlit as st

        from theta_app import datasets
        from theta_app.ui import session

        session.set_option("finer", "1.5")
        session.set_option("keep", "yes")
        session.choose(datasets.Moons())
        st.text(session.option("finer", "none") + session.option("keep", "none"))

    assert AppTest.from_function(page).run().text[0].value == "noneyes"


def test_what_breaks_is_said_in_a_sentence_and_logged(open_page, monkeypatch, caplog):
    def breaks(*args):
        raise RuntimeError("secret detail")

    monkeypatch.setattr(explore, "show_findings", breaks)
    at = open_page("app.py", X=BLOBS, shuffles=5)
    assert complaints(at) == [at.error[0].value]
    assert "secret detail" not in at.error[0].value
    assert "secret detail" in caplog.text


def test_every_page_of_the_menu_is_linked_once_its_file_exists():
    files = {entry.file for entry in shell.MENU}
    pages = {f"pages/{path.name}" for path in (HOME / "pages").glob("*.py") if path.stem not in former_pages()}
    assert pages <= files
    assert "app.py" in files


# ---- uploads --------------------------------------------------------------------------------------------------------


def test_an_upload_becomes_the_data_set_and_a_bad_one_does_not(open_page):
    at = open_page("pages/Data.py")
    table = pd.DataFrame(BLOBS, columns=["a", "b"]).assign(kind=["x", "y"] * 20)
    at.file_uploader[0].set_value(csv_upload(table)).run()
    assert complaints(at) == []
    assert at.subheader[0].value == r"points\.csv"
    before = dict(at.query_params)
    at.file_uploader[0].set_value(("bad.csv", b"only;words\nhere;and there\n", "text/csv")).run()
    assert "The current data set is still the one below." in at.error[0].value
    assert dict(at.query_params) == before
    assert complaints(at) == []


def test_an_upload_of_someone_else_is_not_found(open_page):
    at = open_page("app.py", query={"data": "upload", "data_digest": "0" * 64, "theta": "3.5", "shuffles": "5"})
    assert "θ = 3.5" in at.warning[0].value
    assert complaints(at) == []
    assert at.query_params["theta"] == "3.5", "the address keeps what was wanted"
    assert at.session_state["theta_app.state"].settings.theta is None
    at.run()
    assert "upload" in at.query_params["data"]
    state = at.session_state["theta_app.state"]
    at.session_state["theta_app.state"] = replace(state, settings=replace(state.settings, shuffles=7))
    at.run()
    assert "upload" not in at.query_params["data"], "until the person chooses something"


def test_the_bare_address_shows_the_upload_that_the_server_still_has(open_page):
    spec = datasets.Upload("7" * 64)
    store.UPLOADS.put((VISITOR, spec.digest), replace(from_arrays("Mine", "Made by a test.", BLOBS), spec=spec))
    at = AppTest.from_file(str(HOME / "app.py"), default_timeout=60)
    at.session_state["theta_app.visitor"] = VISITOR
    at.run()
    assert complaints(at) == []
    assert at.session_state["theta_app.state"].spec == spec
    assert open_page("app.py").session_state["theta_app.state"].spec == datasets.DEFAULT, "another visitor's is not"
