"""Columns, label, scale; export."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from theta_app.datasets import (
    CHORD,
    DEFAULT,
    NO_TRUTH,
    SCALINGS,
    GridBlobs,
    Preparation,
    RealData,
    angle_of,
    content_digest,
    cosine_of,
    csv_bytes,
    load,
    parse_upload,
    prepare,
)
from theta_app.datasets.dataset import from_arrays
from theta_app.datasets.uploads.text import EXACT
from theta_app.engine import Metric

IRIS = load(RealData("iris"))
GAPS = parse_upload("gaps.csv", b"a,b,c,kind\n1,2,5,u\n2,,5,v\n3,4,5,\n4,5,5,u\n4,5,5,u\ninf,6,5,v\n")


def test_preparing_without_a_choice_changes_nothing():
    same = prepare(IRIS)
    assert same.digest == IRIS.digest
    assert (same.features, same.truth_names, same.unit) == (IRIS.features, IRIS.truth_names, "cm")


def test_rows_set_aside_are_counted_and_named():
    data = prepare(GAPS, Preparation(truth=NO_TRUTH))
    assert data.X.tolist() == [[1, 2], [3, 4], [4, 5], [4, 5]]
    assert list(data.table.index) == [2, 4, 5, 6]
    notes = " ".join(data.notes)
    assert "1 row with a missing value was set aside (row 3; in column 'b')." in notes
    assert "1 row with an infinite or far too large value was set aside (row 7" in notes
    assert data.raw.left_out["c"] == "constant"
    used = prepare(GAPS, Preparation(columns=("a", "c"), truth=NO_TRUTH))
    assert "Column 'c' has the same value in every row" in " ".join(used.notes)
    assert "1 row repeats an earlier row" in notes


def test_rows_come_back_when_their_gap_no_longer_matters():
    data = prepare(prepare(GAPS), Preparation(columns=("a",), truth=NO_TRUTH))
    assert data.X[:, 0].tolist() == [1, 2, 3, 4, 4]


def test_a_label_column_can_be_named_and_unnamed():
    data = prepare(GAPS, Preparation(columns=("a", "b"), truth="kind"))
    assert data.truth_names == ("u",)
    assert "without a value in the label column 'kind'" in " ".join(data.notes)
    assert prepare(IRIS, Preparation(truth=NO_TRUTH)).truth is None


def test_a_feature_named_as_label_no_longer_helps_to_find_itself():
    data = prepare(GAPS, Preparation(truth="c"))
    assert "c" not in data.features
    assert data.truth_names == ("5",)


@pytest.mark.parametrize(
    ("preparation", "sentence"),
    [
        (Preparation(columns=()), "at least one column"),
        (Preparation(columns=("nowhere",)), "no column 'nowhere'"),
        (Preparation(columns=("kind",)), "not numbers"),
        (Preparation(columns=("a", "a")), "twice"),
        (Preparation(truth="nowhere"), "no column 'nowhere'"),
    ],
)
def test_a_choice_that_does_not_fit_gets_a_sentence(preparation, sentence):
    with pytest.raises(ValueError, match=sentence):
        prepare(GAPS, preparation)


def test_each_scaling_does_what_its_unit_says():
    X = {name: prepare(IRIS, Preparation(scaling=name)) for name in SCALINGS}
    assert X["standard"].X.std(axis=0) == pytest.approx(np.ones(4))
    assert X["standard"].unit == "standard deviations"
    assert np.subtract(*np.quantile(X["robust"].X, [0.75, 0.25], axis=0)) == pytest.approx(np.ones(4))
    assert (X["unit"].X.min(axis=0) == 0).all()
    assert (X["unit"].X.max(axis=0) == 1).all()
    assert len({data.unit for data in X.values()}) == len(SCALINGS)
    assert len({data.digest for data in X.values()}) == len(SCALINGS)


tables = st.lists(
    st.tuples(
        *[st.floats(-1e200, 1e200, allow_subnormal=True) | st.sampled_from([0.0, -0.0, 1.0, np.inf, np.nan])] * 2
    ),
    min_size=2,
    max_size=12,
)


@settings(deadline=None)
@given(rows=tables, scaling=st.sampled_from(list(SCALINGS)))
def test_scaled_values_are_finite_or_the_person_is_told(rows, scaling):
    text = "a,b\n" + "\n".join(f"{a!r},{b!r}" for a, b in rows)
    try:
        data = prepare(parse_upload("t.csv", text.encode()), Preparation(scaling=scaling))
    except ValueError as error:
        sentence = str(error)
    else:
        sentence = "."
        assert np.isfinite(data.X).all()
        assert np.isfinite((data.X**2).sum())
    assert sentence.endswith(".")


def test_a_constant_column_scales_to_zero():
    for scaling in ("standard", "robust", "unit"):
        data = prepare(GAPS, Preparation(columns=("a", "c"), scaling=scaling, truth=NO_TRUTH))
        assert (data.X[:, 1] == 0).all()


def test_the_digest_is_of_the_content():
    X = np.arange(12.0).reshape(6, 2)
    assert content_digest(X) != content_digest(X.reshape(4, 3))
    assert content_digest(X) != content_digest(X, np.zeros(6, dtype=np.int64))
    changed = X.copy()
    changed[5, 1] += 1e-9
    assert content_digest(X) != content_digest(changed)
    assert load(DEFAULT).digest == load(DEFAULT).digest


def test_cells_and_names_that_a_spreadsheet_would_run_are_quoted():
    frame = pd.DataFrame(
        {
            "=x": [-1.5, 2.0],
            "t": ["=1+1", "fine"],
            "u": ["@sum", None],
            "v": pd.Categorical(["+1", "-2"]),
            "w": ["\t=a", " =b"],
        }
    )
    lines = csv_bytes(frame).decode().split("\n")
    assert lines[0].startswith("'=x,")
    assert lines[1].startswith("-1.5,'=1+1,'@sum,'+1,'\t=a")
    assert lines[2].startswith("2.0,fine,,'-2,' =b")


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.floats(allow_nan=False, allow_infinity=False), st.text(max_size=5)), min_size=1, max_size=6)
)
def test_numbers_survive_the_export_exactly(rows):
    import io

    frame = pd.DataFrame(rows, columns=["number", "text"])
    back = pd.read_csv(io.BytesIO(csv_bytes(frame)), keep_default_na=False, **EXACT)
    assert back["number"].tolist() == frame["number"].tolist()
    assert not any(cell.lstrip().startswith(("=", "@")) for cell in back["text"].astype(str))


def test_a_norm_makes_another_data_set_of_the_same_points():
    plain = load(GridBlobs())
    other = prepare(plain, Preparation(metric="manhattan"))
    np.testing.assert_array_equal(other.X, plain.X)
    assert other.metric == Metric.of("manhattan")
    assert other.digest != prepare(plain, Preparation(metric=Metric.of("minkowski", 3))).digest != plain.digest
    assert prepare(plain, Preparation()).digest == plain.digest


@pytest.mark.parametrize("metric", [2.0, None, "", "L1"])
def test_what_is_no_metric_is_refused(metric):
    with pytest.raises(ValueError, match="metric must be one of 'euclidean'"):
        Preparation(metric=metric)


def test_rows_of_unit_length_keep_their_direction_and_theta_is_a_chord():
    X = np.array([[3.0, 4.0], [-1e140, 0.0], [0.0, 0.0], [5e-200, 5e-200]])
    data = prepare(from_arrays("directions", "made here", X), Preparation(scaling="length"))
    np.testing.assert_allclose(data.X, [[0.6, 0.8], [-1.0, 0.0], [0.0, 0.0], [0.5**0.5, 0.5**0.5]])
    assert any("1 row is all zeros" in note for note in data.notes)
    assert data.unit == CHORD
    assert np.isnan(data.in_original_units(data.X)).all()  # lengths are gone, and nothing else is said
    assert prepare(data, Preparation(scaling="length", metric="manhattan")).unit != CHORD


@pytest.mark.parametrize(
    ("chord", "angle", "cosine"), [(0.0, 0, 1), (1.0, 60, 0.5), (2**0.5, 90, 0), (2.0, 180, -1), (3.0, 180, -1)]
)
def test_a_chord_is_an_angle_and_a_cosine(chord, angle, cosine):
    assert angle_of(chord) == pytest.approx(angle)
    assert cosine_of(chord) == pytest.approx(cosine)
