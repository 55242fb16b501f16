import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from theta_app import datasets, selection
from theta_app.datasets import RowSet
from theta_app.marks import Marks
from theta_app.ui import session

lengths = st.one_of(st.none(), st.floats(min_value=0, max_value=1e300, allow_nan=False))
settings = st.builds(
    session.Settings,
    algorithm=st.sampled_from(session.ALGORITHMS),
    theta=lengths,
    epsilon=lengths,
    shuffles=st.integers(*session.SHUFFLES),
    seed=st.integers(*session.SEEDS),
    projection=st.sampled_from(list(selection.PROJECTIONS)),
    across=st.one_of(st.none(), st.text(max_size=5)),
    colour_by=st.sampled_from(["cluster", "truth", "silhouette", "=a, b"]),
    image=st.sampled_from([None, "", "8x8"]),
    marks=st.sampled_from([Marks(), Marks(((3, "a;b"),), ((4, "#00ff00"),), ((1, 2),))]),
    rows=st.sampled_from([None, RowSet.of([1, 5, 7])]),
    pinned=lengths,
)
specs = st.sampled_from(
    [datasets.DEFAULT, datasets.GridBlobs(side=3, spacing=0.1), datasets.Moons(), datasets.Upload("ab" * 32)]
    + [datasets.Upload("cd" * 32, "Sheet, 2", "4")]
)
preparations = st.builds(
    datasets.Preparation,
    columns=st.one_of(st.none(), st.lists(st.text(min_size=1, max_size=5), min_size=1, max_size=3).map(tuple)),
    scaling=st.sampled_from(list(datasets.SCALINGS)),
    truth=st.one_of(st.none(), st.text(max_size=5)),
    start=st.sampled_from(["recommended", "numbers"]),
    treat=st.lists(
        st.tuples(st.text(max_size=5), st.sampled_from(["-999.0", "far"]), st.sampled_from(["missing", "clip"])),
        max_size=2,
    ),
    shapes=st.sampled_from([(), (("a, b\\", "rank"),)]),
    weights=st.sampled_from([(), (("a", 0.1), ("b", 3.0))]),
)


@given(settings, specs, preparations, st.dictionaries(st.sampled_from(["keep", "view"]), st.text(max_size=5)))
def test_a_link_reproduces_the_whole_state(chosen, spec, preparation, options):
    before = session.State(spec, preparation, chosen, options)
    after, notices = session.from_query(session.to_query(before))
    assert notices == []
    assert (after.spec, after.preparation, after.settings, dict(after.options)) == (spec, preparation, chosen, options)


@given(
    st.dictionaries(
        st.sampled_from([*session.to_query(session.State(datasets.DEFAULT)), "theta", "shuffles", "o_x"]), st.text()
    )
)
def test_whatever_a_link_says_there_is_a_state_and_a_sentence_for_each_fault(query):
    after, notices = session.from_query(query)
    assert isinstance(after, session.State)
    assert all(sentence.endswith((".", "!")) and len(sentence) < 400 for sentence in notices)


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("theta", "-1"),
        ("theta", "nan"),
        ("theta", "inf"),
        ("theta", "wide"),
        ("epsilon", "-0.1"),
        ("shuffles", "0"),
        ("shuffles", "1e9"),
        ("shuffles", "50.5"),
        ("shuffle_seed", "-1"),
        ("algorithm", "KMEANS"),
        ("projection", "isomap"),
        ("marks", "x7"),
        ("rows", "!!"),
        ("pinned", "-2"),
        ("scaling", "huge"),
        ("data", "no-such-set"),
        ("data_side", "-3"),
    ],
)
def test_a_broken_parameter_becomes_the_default_and_is_named(key, text):
    query = {"data": "grid", "shuffles": "20", key: text} if key != "shuffles" else {key: text}
    after, notices = session.from_query(query)
    assert len(notices) == 1
    assert after.settings == session.Settings(shuffles=20 if key != "shuffles" else 50)


def test_an_empty_range_of_theta_is_not_taken():
    after, notices = session.from_query({"theta_low": "5", "theta_high": "5"})
    assert (after.settings.theta_low, after.settings.theta_high) == (None, None)
    assert len(notices) == 1


def test_a_link_without_parameters_is_the_default():
    after, notices = session.from_query({})
    assert (after, notices) == (session.State(datasets.DEFAULT), [])


def test_numbers_travel_exactly():
    theta = math.pi * 1e5
    query = session.to_query(session.State(datasets.DEFAULT, settings=session.Settings(theta=theta)))
    assert session.from_query(query)[0].settings.theta == theta


@pytest.mark.parametrize("spec", datasets.CATALOGUE.values(), ids=lambda spec: spec.key)
def test_no_data_set_uses_a_parameter_of_the_settings(spec):
    own = {*session._SETTING_KEYS.values(), "columns", "scaling", "label"}
    assert not own & set(datasets.spec_to_query(spec))


def test_rows_too_many_for_a_link_are_left_out_of_it():
    scattered = RowSet.of([i for i in range(200_000) if hash((i, 7)) % 3 == 0])
    query = session.to_query(session.State(datasets.DEFAULT, settings=session.Settings(rows=scattered)))
    assert "rows" not in query


def test_what_was_said_about_rows_stays_with_its_data_set(monkeypatch):
    monkeypatch.setattr(session.st, "session_state", {})
    monkeypatch.setattr(session.st, "query_params", type("Query", (dict,), {"to_dict": dict})())
    session.update(marks=Marks(((3, "a"),)), rows=RowSet.of([1, 2]), theta=2.0, pinned=3.0)
    session.choose(session.spec(), datasets.Preparation(scaling="standard"))
    kept = session.settings()
    assert (kept.marks.names, kept.rows, kept.theta, kept.pinned) == (((3, "a"),), RowSet.of([1, 2]), None, None)
    session.choose(datasets.Moons())
    assert (session.settings().marks, session.settings().rows) == (Marks(), None)


def test_a_link_from_before_columns_were_recommended_keeps_the_columns_it_had():
    old = {"data": "upload", "data_digest": "ab" * 32, "theta": "3.5", "read": "share"}
    state, notices = session.from_query(old)
    assert notices == []
    assert state.preparation == datasets.Preparation(start="numbers", read=("share",))
    rows = "\n".join(f"{i * 1.37:.2f},{i % 4},€{i * 3 % 97}.50,{i % 90} %" for i in range(200))
    data = datasets.parse_upload("a.csv", f"x,rooms,price,share\n{rows}\n".encode())
    assert datasets.prepare(data, state.preparation).features == ("x", "rooms", "share (%)")
    assert data.features == ("x", "price (€)", "share (%)")
    assert session.to_query(session.State(datasets.Upload("ab" * 32)))["start"] == "recommended"


@pytest.mark.parametrize(
    ("key", "text"), [("treat", "x,far"), ("weights", "x,heavy"), ("shapes", "x"), ("start", "all"), ("weights", "x,0")]
)
def test_a_broken_choice_about_columns_gets_a_sentence(key, text):
    state, notices = session.from_query({"data": "upload", "data_digest": "ab" * 32, key: text})
    assert state.preparation == datasets.Preparation()
    assert len(notices) == 1


def test_a_header_that_cannot_be_right_is_refused():
    state, notices = session.from_query({"data": "upload", "data_digest": "ab" * 32, "data_header": "four"})
    assert state.spec == datasets.DEFAULT
    assert "row that cannot be right" in notices[0]
