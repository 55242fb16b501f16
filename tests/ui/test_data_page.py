"""The Data page on messy files: what is open is said, done with a click, undone with another, and seen elsewhere."""

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from tests.datasets import five
from tests.datasets.files import xlsx
from tests.datasets.messy import csv, customers
from tests.ui.conftest import ROOT, VISITOR
from tests.ui.helpers import complaints
from theta_app import TDG, TNC, datasets
from theta_app.clustering import cluster
from theta_app.engine import tdg
from theta_app.ui import session, store
from theta_app.ui.widgets import gallery

FRAME = customers()


DATA = datasets.parse_upload("customers.csv", csv(FRAME))
UPLOAD = datasets.Upload("c" * 64)


@pytest.fixture
def chosen():
    """The Data page on which customers have been uploaded, with what is chosen about them."""

    def opened(preparation=None):
        store.UPLOADS.put((VISITOR, UPLOAD.digest), DATA)
        at = AppTest.from_file(str(ROOT / "pages/Data.py"), default_timeout=60)
        at.session_state["theta_app.visitor"] = VISITOR
        at.session_state["theta_app.state"] = session.State(UPLOAD, preparation or datasets.Preparation())
        at.run()
        assert complaints(at) == []
        return at

    return opened


@pytest.fixture
def messy(chosen):
    return chosen()


def preparation(at) -> datasets.Preparation:
    return at.session_state["theta_app.state"].preparation


def said(at) -> str:
    return " ".join(element.value for kind in (at.markdown, at.warning, at.info, at.caption) for element in kind)


def test_scaling_is_offered_done_and_undone(chosen):
    plain = datasets.Preparation(("income", "visits"))
    at = chosen(plain)
    assert "'income' decides 99 % of every distance: standardise?" in at.warning[0].value.replace("\\", "")
    at.button(key="ready-standardise").click().run()
    assert preparation(at).scaling == "standard"
    assert not at.warning
    assert "every column counts alike" in said(at)
    at.button(key="ready-undo").click().run()
    assert preparation(at) == plain
    assert at.warning
    assert complaints(at) == []


def test_the_line_is_on_every_page_and_can_be_left(open_page):
    at = open_page("pages/Evidence.py", query={"data": "wine", "shuffles": "5"})
    assert "'proline' decides 99 % of every distance: standardise?" in said(at).replace("\\", "")
    at.button(key="ready-standardise").click().run()
    assert at.query_params["scaling"] in ("standard", ["standard"])
    assert "every column counts alike" in said(at)
    at.button(key="ready-undo").click().run()
    assert "scaling" not in at.query_params
    at.button(key="ready-leave").click().run()
    assert "standardise?" not in said(at)
    assert complaints(at) == []


def test_nothing_is_said_where_nothing_is_open(open_page):
    at = open_page("pages/Data.py")
    assert not at.warning
    assert not any("ready" in (button.key or "") for button in at.button)


def test_one_click_takes_another_selection_and_another_undoes_it(messy):
    assert "Using 4 of 13 columns: salary and share were converted to numbers" in said(messy).replace("\\", "")
    messy.button(key="ready-select-Every column of numbers").click().run()
    assert preparation(messy).columns == ("income", "visits", "children")
    messy.button(key="ready-select-Suggested columns").click().run()
    assert preparation(messy).columns is None
    messy.button(key="ready-undo").click().run()
    assert preparation(messy).columns == ("income", "visits", "children")
    assert complaints(messy) == []


def test_gaps_are_filled_as_the_person_says(messy):
    radio = messy.radio(key="widget.data.missing")
    assert "5 values are missing" in said(messy)
    radio.set_value("neighbours").run()
    assert preparation(messy).missing == "neighbours"
    assert messy.metric[0].value == "600"
    assert complaints(messy) == []


def test_likely_labels_come_first_and_an_identifier_is_refused(messy):
    box = messy.selectbox(key="widget.data.truth")
    assert box.options[:3] == ["none", "region (2 classes)", "plan (3 classes)"]
    box.set_value("plan").run()
    assert preparation(messy).truth == "plan"
    assert "'plan' is the label column: it is used to judge, not to cluster." in said(messy).replace("\\", "")
    messy.selectbox(key="widget.data.truth").set_value("email").run()
    assert preparation(messy).truth == "plan"
    assert "596 classes for 596 rows" in messy.warning[0].value


def brought(open_page, made):
    """The Data page on which one of the five files has just been uploaded."""
    at = open_page("pages/Data.py")
    at.file_uploader[0].set_value((made.name, made.content, "")).run()
    assert complaints(at) == []
    return at


def test_what_is_suspicious_is_treated_with_a_click_and_undone_with_another(open_page):
    at = brought(open_page, five.customers())
    assert preparation(at) == datasets.Preparation(scaling="standard", treat=(("age", "-999.0", "missing"),))
    assert "64 values of 'age' are −999" in said(at).replace("\\", "")
    choice = lambda: at.segmented_control(key="widget.data.treat.age.-999.0")  # noqa: E731
    assert choice().value == "missing"
    choice().set_value("clip").run()
    assert preparation(at).treat == (("age", "-999.0", "clip"),)
    assert at.metric[0].value == "800"
    at.button(key="ready-undo").click().run()
    assert at.metric[0].value == "736"
    choice().set_value("keep").run()
    assert preparation(at).treat == ()
    assert complaints(at) == []


def test_a_suspicious_value_that_is_kept_is_said_on_every_page(open_page):
    at = brought(open_page, five.customers())
    kept = datasets.Preparation(scaling="standard")
    other = AppTest.from_file(str(ROOT / "pages/Evidence.py"), default_timeout=60)
    for key in ("theta_app.visitor", "theta_app.state"):
        other.session_state[key] = at.session_state[key]
    state = at.session_state["theta_app.state"]
    settings = session.Settings(shuffles=4)
    other.session_state["theta_app.state"] = session.State(state.spec, kept, settings)
    other.run()
    assert "64 values of 'age' are −999" in said(other).replace("\\", "")
    other.button(key="ready-missing").click().run()
    assert preparation(other).treat == (("age", "-999.0", "missing"),)
    assert "are treated as missing" in said(other)
    assert complaints(other) == []


def test_the_header_is_shown_and_another_can_be_chosen(open_page):
    at = brought(open_page, five.spreadsheet())
    box = at.selectbox(key="widget.data.header")
    assert box.value == "4"
    assert box.options[0].startswith("No row")
    box.set_value("2").run()
    assert at.session_state["theta_app.state"].spec.header == "2"
    assert "data_header" in at.query_params
    assert complaints(at) == []
    at.selectbox(key="widget.data.header").set_value("4").run()
    assert at.metric[1].value == "3"


def test_a_spreadsheet_of_several_sheets_asks_which(open_page):
    at = open_page("pages/Data.py")
    sheets = xlsx([("x", "y"), (1, 2), (3, 4)], {"Later": [("x", "y"), (5, 6), (7, 9), (8, 8)]})
    at.file_uploader[0].set_value(("two.xlsx", sheets, "")).run()
    assert at.session_state["theta_app.state"].spec == datasets.DEFAULT, "nothing is read before the person has said"
    assert "has 2 sheets. Which one?" in said(at)
    at.pills[0].set_value("Later").run()
    assert at.session_state["theta_app.state"].spec.sheet == "Later"
    assert at.metric[0].value == "3"
    at.pills[0].set_value("Sheet").run()
    assert at.metric[0].value == "2"
    assert complaints(at) == []


def test_pasted_rows_become_the_data_set_and_nonsense_does_not(open_page):
    at = open_page("pages/Data.py")
    at.text_area(key="data.pasted").set_value("width\theight\n1,5\t2\n3,5\t4\n9\t8\n")
    next(button for button in at.button if button.label == "Use these rows").click().run()
    assert at.metric[0].value == "3"
    assert at.subheader[0].value == r"Pasted rows\.txt"
    at.text_area(key="data.pasted").set_value("only words\nand more")
    next(button for button in at.button if button.label == "Use these rows").click().run()
    assert "no column of numbers" in at.error[0].value
    assert at.subheader[0].value == r"Pasted rows\.txt"


def test_the_page_names_every_format(open_page):
    at = open_page("pages/Data.py")
    assert all(name in said(at) for name in datasets.FORMATS)


def test_every_set_that_is_here_has_a_thumbnail_and_a_heading():
    headings = datasets.CATALOGUE.headings()
    assert list(headings) == ["From the paper", "S sets", "Shapes", "Real", "Generated"]
    assert sum(map(len, headings.values())) == len(datasets.CATALOGUE)
    for spec in datasets.CATALOGUE.values():
        if not isinstance(spec, datasets.Original):
            assert gallery.picture(spec).startswith("data:image/svg+xml,%3Csvg")


def test_a_second_file_gets_the_clusters_that_an_estimator_predicts():
    chosen = datasets.Preparation(("visits", "share (%)"), read=("share",))
    first = datasets.prepare(datasets.parse_upload("a.csv", csv(FRAME)), chosen)
    second = datasets.prepare_like(first, datasets.parse_upload("b.csv", csv(customers(50, seed=3))))
    found = cluster(first, "TDG", 2.0, shuffles=10)
    labels, distances = found.predict(second)
    own = dict(zip(tdg(first.X, 2.0, 10).labels.tolist(), found.labels.tolist()))
    assert labels.tolist() == [own[k] for k in TDG(2.0, 10).fit(first.X).predict(second.X).tolist()]
    nearest = np.linalg.norm(second.X[:, None] - tdg(first.X, 2.0, 10).centroids, axis=2).min(axis=1)
    assert distances == pytest.approx(nearest)
    found = cluster(first, "TNC", 2.0, 9.0, shuffles=10)
    expected = TNC(2.0, 9.0, 10).fit(first.X)
    names = dict(zip(expected.labels_.tolist(), found.labels.tolist()))
    assert found.predict(second)[0].tolist() == [names[k] for k in expected.predict(second.X).tolist()]
