"""Specs as URLs."""

import dataclasses

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.added import Ripple, add_generator
from theta_app import datasets
from theta_app.datasets import (
    CATALOGUE,
    DEFAULT,
    Preparation,
    Upload,
    bundled,
    generated,
    load,
    originals,
    preparation_from_query,
    preparation_to_query,
    real,
    spec_from_query,
    spec_to_query,
)
from theta_app.engine import Metric


def test_every_data_set_has_a_key_of_its_own_a_heading_and_a_sentence():
    for key, spec in CATALOGUE.items():
        assert spec.key == key
        assert spec.label
        assert spec.group
        assert spec.help.endswith((".", ")"))
    tables = generated.GENERATED, bundled.NAMES, real.SETS, originals.FILES
    assert len(CATALOGUE) == sum(map(len, tables))
    assert Upload.key not in CATALOGUE


def test_a_generator_in_the_table_is_in_the_catalogue_the_address_and_the_exports(monkeypatch):
    assert "ripple" not in CATALOGUE
    add_generator(monkeypatch)
    assert CATALOGUE["ripple"] == Ripple()
    assert CATALOGUE["ripple"].help == "A wave of points."
    assert spec_from_query({"data": "ripple", "data_n": "7"}) == Ripple(n=7)
    assert spec_from_query(spec_to_query(Ripple(n=9, seed=2))) == Ripple(n=9, seed=2)
    assert Ripple() in CATALOGUE.under(datasets.SHAPES)
    assert load(Ripple(n=5)).X.shape == (5, 2)
    names = {}
    exec("from theta_app.datasets import Ripple", names)
    assert names["Ripple"] is Ripple


def test_every_generator_is_exported_under_its_own_name():
    for spec_type in generated.GENERATED:
        assert getattr(datasets, spec_type.__name__) is spec_type
        assert spec_type.__name__ in dir(datasets)
        assert spec_type.__name__ in datasets.__all__
    with pytest.raises(ImportError):
        exec("from theta_app.datasets import Nothing")


@pytest.mark.parametrize("spec", CATALOGUE.values(), ids=lambda spec: spec.key)
def test_every_spec_survives_the_address_bar(spec):
    query = spec_to_query(spec)
    assert all(isinstance(value, str) for value in query.values())
    assert spec_from_query(query | {"theta": "4.5", "seed": "7"}) == spec


@settings(deadline=None)
@given(data=st.data())
def test_any_numbers_survive_the_address_bar(data):
    spec_type = data.draw(st.sampled_from(generated.GENERATED))
    numbers = {}
    for p in spec_type.parameters():
        high = min(p.high, 30)
        numbers[p.name] = data.draw(
            st.integers(p.low, high) if p.kind is int else st.floats(p.low, high, allow_subnormal=False)
        )
    spec = spec_type(**numbers)
    assert spec_from_query(spec_to_query(spec)) == spec


def test_an_empty_address_is_the_default():
    assert spec_from_query({}) == DEFAULT


@pytest.mark.parametrize(
    "query",
    [
        {"data": "nothing"},
        {"data": "../../etc/passwd"},
        {"data": "grid", "data_side": "five"},
        {"data": "grid", "data_side": "101"},
        {"data": "grid", "data_side": "9" * 5000},
        {"data": "grid", "data_sd": "nan"},
        {"data": "grid", "data_side": "100", "data_per_cluster": "100000"},
        {"data": "upload"},
        {"data": "upload", "data_digest": "abc"},
    ],
)
def test_a_broken_link_gets_a_short_sentence(query):
    with pytest.raises(ValueError) as caught:
        spec_from_query(query)
    assert len(str(caught.value)) < 250
    assert str(caught.value).endswith(".")


def test_an_upload_is_named_by_its_digest_and_cannot_be_loaded_from_a_link():
    spec = Upload(load(DEFAULT).digest)
    assert spec_from_query(spec_to_query(spec)) == spec
    with pytest.raises(LookupError, match="Upload it again"):
        load(spec)


names = st.lists(st.text(min_size=1, max_size=8), min_size=1, max_size=5, unique=True)


@settings(deadline=None)
@given(
    columns=st.none() | names,
    scaling=st.sampled_from(list(datasets.SCALINGS)),
    truth=st.none() | st.text(max_size=8),
    p=st.sampled_from([1.0, 2.0]) | st.floats(1.0, allow_nan=False),
)
def test_any_preparation_survives_the_address_bar(columns, scaling, truth, p):
    preparation = Preparation(columns, scaling, truth, metric=Metric.of("minkowski", p))
    assert preparation_from_query(preparation_to_query(preparation)) == preparation


@pytest.mark.parametrize(
    ("text", "metric"), [("1", "manhattan"), ("2.0", "euclidean"), ("inf", "chebyshev"), ("chebyshev", "chebyshev")]
)
def test_a_link_names_a_norm_by_its_power_or_its_name(text, metric):
    assert preparation_from_query({"norm": text}) == Preparation(metric=metric)


def test_a_broken_preparation_gets_a_sentence():
    with pytest.raises(ValueError, match="Scaling must be one of"):
        preparation_from_query({"scaling": "x" * 1000})
    for norm in ("x", "0.5", "nan"):
        with pytest.raises(ValueError, match="norm"):
            preparation_from_query({"norm": norm})


def test_specs_are_hashable_and_frozen():
    for spec in CATALOGUE.values():
        assert hash(spec) == hash(dataclasses.replace(spec))
        with pytest.raises(dataclasses.FrozenInstanceError):
            spec.anything = 1


@pytest.mark.parametrize(
    ("name", "n", "d", "classes"),
    [("iris", 150, 4, 3), ("wine", 178, 13, 3), ("breast_cancer", 569, 30, 2), ("digits", 1797, 64, 10)],
)
def test_real_sets_come_with_truth_and_names(name, n, d, classes):
    data = load(datasets.RealData(name))
    assert data.X.shape == (n, d)
    assert len(data.truth_names) == classes
    assert len(data.features) == d
    assert data.unit
