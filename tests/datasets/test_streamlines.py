"""Streamlines from TRK and TCK files: the places they are at, and what happens with files that are damaged."""

import struct

import numpy as np
import pytest

from tests.datasets.files import streamline_file
from tests.datasets.fuzz import check, mutated
from theta_app.clustering import cluster
from theta_app.datasets import UploadError, csv_bytes, parse_upload, prepare, recommended
from theta_app.datasets.uploads import limits
from theta_app.engine import tdg

nibabel = pytest.importorskip("nibabel", reason="nibabel is not installed: pip install nibabel")

TURNED = np.array([[0.0, -2.0, 0.0, 90.0], [2.0, 0.0, 0.0, -126.0], [0.0, 0.0, 2.5, -72.0], [0.0, 0.0, 0.0, 1.0]])


def lines(count=40, seed=0):
    """Straight lines of two bundles in mm, each of places of its own number and distances, half of them backwards."""
    rng = np.random.default_rng(seed)
    found = []
    for i in range(count):
        t = np.sort(np.concatenate([[0.0, 1.0], rng.random(rng.integers(0, 60))]))[:, None]
        begin, way = (
            (np.array([-40.0, 0, 0]), np.array([80.0, 0, 0])) if i % 2 else (np.zeros(3), np.array([0, 70.0, 40]))
        )
        line = begin + t * way + rng.normal(scale=1.0, size=3)
        found.append((line[::-1] if rng.random() < 0.5 else line).astype(np.float32))
    return found


def written(streamlines, kind="trk"):
    """The bytes of a file; a TRK file with voxels that are turned and moved."""
    return streamline_file(streamlines, kind, TURNED)


@pytest.mark.parametrize("kind", ["trk", "tck"])
def test_places_are_millimetres_equally_far_along_each_streamline(kind):
    sent = lines()
    data = parse_upload(f"two.{kind}", written(sent, kind))
    assert data.of_curves
    assert (data.unit, len(data.X), len(data.features)) == ("mm", 40, 36)
    assert "resampled to 12 places" in data.notes[0]
    for row, line in zip(data.X.reshape(-1, 12, 3), sent):
        expected = line[0] + np.linspace(0, 1, 12)[:, None] * (line[-1] - line[0])
        np.testing.assert_allclose(row, expected, atol=1e-3)


def test_a_bent_streamline_keeps_its_length_between_places():
    corner = np.array([[0, 0, 0], [30, 0, 0], [30, 80, 0]], np.float32)
    data = parse_upload("bent.tck", written([corner, corner + 1], "tck"))
    row = data.X[0].reshape(12, 3)
    np.testing.assert_allclose(row[[0, 3, 11]], corner, atol=1e-4)
    np.testing.assert_allclose(np.abs(np.diff(row, axis=0)).sum(axis=1), 10.0, atol=1e-4)


def test_what_is_recommended_compares_curves_and_finds_the_bundles():
    plain = parse_upload("two.trk", written(lines()))
    data = prepare(plain, recommended(plain))
    assert (data.metric.name, data.unit) == ("mdf", "mm")
    labels = cluster(data, theta=15.0).labels
    np.testing.assert_array_equal(labels, tdg(data.X, 15.0, metric="mdf").labels)
    assert len(set(labels[::2])) == len(set(labels[1::2])) == 1
    assert labels[0] != labels[1]


def test_a_file_of_curves_that_was_exported_is_one_again():
    plain = parse_upload("two.trk", written(lines()))
    again = parse_upload("again.csv", csv_bytes(plain.table))
    np.testing.assert_array_equal(again.X, plain.X)
    assert again.of_curves
    assert recommended(again).metric.name == "mdf"


def test_curves_in_one_plane_are_curves():
    flat = [np.array([[0, k, 0], [0, k + 5, 9], [0, k + 30, 1]], np.float32) for k in range(6)]
    assert parse_upload("flat.tck", written(flat, "tck")).of_curves


def test_streamlines_without_a_length_are_left_out_and_the_others_keep_their_numbers():
    sent = lines(4)
    sent[1], sent[2] = sent[1][:1], np.zeros((3, 3), np.float32)
    data = parse_upload("some.trk", written(sent))
    assert data.numbers.tolist() == [1, 4]
    assert "2 streamlines were left out" in " ".join(data.notes)


def refusal(data):
    with pytest.raises(UploadError) as caught:
        parse_upload("a.trk", data)
    return str(caught.value)


@pytest.mark.parametrize("kind", ["trk", "tck"])
def test_what_is_damaged_gets_a_sentence(kind):
    whole = written(lines(), kind)
    for part in (whole[:20], whole[:900], whole[: len(whole) // 2 + 3]):
        assert "damaged or cut short" in refusal(part)
    for seed in range(150):
        check(f"a.{kind}", mutated(whole, np.random.default_rng(seed)))


def test_a_file_without_streamlines_gets_a_sentence():
    with pytest.raises(UploadError, match="no streamline of two places or more"):
        parse_upload("none.trk", written([np.zeros((1, 3), np.float32)]))


def test_a_streamline_that_promises_gigabytes_allocates_nothing():
    whole = bytearray(written(lines(2)))
    whole[1000:1004] = struct.pack("<i", 2**31 - 1)
    with pytest.raises(UploadError, match="damaged or cut short"):
        parse_upload("a.trk", bytes(whole))


def test_more_streamlines_than_the_limit_are_refused(monkeypatch):
    monkeypatch.setattr(limits, "MAX_ROWS", 1500)
    with pytest.raises(UploadError, match="more than 1,500 rows"):
        parse_upload("a.tck", written(lines(2000), "tck"))


@pytest.mark.parametrize("kind", ["trk", "tck"])
def test_resampling_is_that_of_dipy(kind):
    resample = pytest.importorskip("dipy.tracking.streamline", reason="DIPY is not installed: pip install dipy")
    rng = np.random.default_rng(3)
    sent = [np.cumsum(rng.normal(size=(rng.integers(5, 90), 3)), axis=0).astype(np.float32) for _ in range(50)]
    data = parse_upload(f"walks.{kind}", written(sent, kind))
    expected = np.array(resample.set_number_of_points(sent, nb_points=12))
    np.testing.assert_allclose(data.X.reshape(-1, 12, 3), expected, atol=2e-3)
