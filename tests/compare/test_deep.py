"""The experiment of section 5.5: it stores every epoch, goes on after an interruption, and comes out the same again."""

from dataclasses import replace

import numpy as np
import pytest

from tests import shared_data
from theta_app.compare import deep, deep_results
from theta_app.compare.deep import TRIALS, Trial
from theta_app.datasets import mnist
from theta_app.deep import STARTS

TINY = Trial("deep-tiny", "tiny", 300, 2, 64, 1, 2, 2, hidden=(16,))


@pytest.fixture(scope="module")
def images():
    """70,000 pictures of nothing in particular, in ten kinds."""
    rng = np.random.default_rng(0)
    digits = rng.integers(10, size=70_000).astype(np.uint8)
    kinds = rng.integers(0, 256, size=(10, 784))
    return kinds.astype(np.uint8)[digits], digits


@pytest.fixture(scope="module")
def whole(images, tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole")
    return deep.complete(TINY, *images, folder=folder, checkpoints=folder / "networks", say=lambda _: None)


def places(results):
    return [(row["seed"], row["start"], row["epoch"]) for row in results.rows]


def test_every_seed_start_and_epoch_has_a_row(whole):
    assert places(whole) == [(seed, name, epoch) for seed in (0, 1) for name in STARTS for epoch in range(3)]
    assert whole.share == 1.0
    assert whole.whole_seeds() == [0, 1]
    assert [vote["seed"] for vote in whole.votes] == [0, 1]
    assert {picture.start for picture in whole.pictures} == {"", *STARTS}


def test_the_three_starts_have_one_autoencoder(whole):
    assert [network["seed"] for network in whole.networks] == [0, 1]


@pytest.mark.parametrize("after", [2, 13])
def test_an_interrupted_run_goes_on_to_the_same_end(images, whole, tmp_path, after):
    class Interrupted(Exception):
        pass

    told = []

    def say(line):
        if "epoch" in line:
            told.append(line)
        if len(told) == after:
            raise Interrupted

    options = {"folder": tmp_path, "checkpoints": tmp_path / "networks"}
    with pytest.raises(Interrupted):
        deep.complete(TINY, *images, **options, say=say)
    part = deep_results.stored(TINY.key, tmp_path)
    assert part.share < 1
    found = deep.complete(TINY, *images, **options, say=lambda _: None)
    assert places(found) == places(whole)
    for one, other in zip(found.rows, whole.rows):
        assert one["accuracy"] == pytest.approx(other["accuracy"], abs=1e-5)


def test_checkpoints_of_a_run_whose_results_are_gone_do_no_harm(images, whole, tmp_path):
    options = {"folder": tmp_path, "checkpoints": tmp_path / "networks", "say": lambda _: None}
    deep.complete(replace(TINY, seeds=1), *images, **options)
    (tmp_path / f"{TINY.key}.json").unlink()
    found = deep.complete(replace(TINY, seeds=1), *images, **options)
    assert places(found) == [place for place in places(whole) if place[0] == 0]


def test_without_checkpoints_a_start_cut_short_is_trained_again(images, whole, tmp_path):
    deep_results.store(replace(whole, rows=whole.rows[:5]), tmp_path)
    found = deep.complete(TINY, *images, folder=tmp_path, say=lambda _: None)
    assert sorted(places(found)) == sorted(places(whole))


def test_a_finished_run_is_left_alone(images, whole, tmp_path):
    deep_results.store(whole, tmp_path)
    found = deep.complete(TINY, *images, folder=tmp_path, say=pytest.fail)
    assert places(found) == places(whole)


def test_results_of_another_plan_are_not_mixed(images, whole, tmp_path):
    deep_results.store(whole, tmp_path)
    with pytest.raises(ValueError, match="another plan"):
        deep.complete(replace(TINY, epochs=9), *images, folder=tmp_path)


# ---- what is stored -------------------------------------------------------------------------------------------------


STORED = sorted(path.stem for path in deep_results.STORED.glob("deep-*.json"))


def test_what_is_stored_is_of_the_trials():
    assert {"deep-10k", "deep-short"} <= set(STORED) <= set(TRIALS)


@pytest.mark.parametrize("key", STORED)
def test_stored_runs_load_and_are_of_the_plan(key):
    found = deep_results.stored(key)
    trial = TRIALS[key]
    assert found.rows
    assert {name: found.plan[name] for name in ("images", "seeds", "epochs")} == {
        "images": trial.images,
        "seeds": trial.seeds,
        "epochs": trial.epochs,
    }
    frame = found.frame()
    assert frame["accuracy"].between(0, 1).all()
    assert frame["nmi"].between(0, 1).all()
    assert set(frame["start"]) <= set(STARTS)
    assert not frame.duplicated(["seed", "start", "epoch"]).any()
    assert frame["epoch"].max() <= trial.epochs
    for _, part in frame.groupby(["seed", "start"]):
        assert part["epoch"].tolist() == list(range(len(part)))
        assert part["seconds"].is_monotonic_increasing
    assert found.share <= 1


def test_a_short_run_again_agrees_with_the_stored_one(tmp_path):
    images, digits = mnist.read(shared_data.mnist())
    trial = TRIALS["deep-short"]
    found = deep.complete(trial, images, digits, folder=tmp_path, say=lambda _: None)
    before = deep_results.stored(trial.key)
    assert places(found) == places(before)
    for score in ("accuracy", "nmi"):
        np.testing.assert_allclose(found.frame()[score], before.frame()[score], atol=0.02)


def test_stored_results_come_back_as_they_were(whole, tmp_path):
    deep_results.store(whole, tmp_path)
    again = deep_results.stored(TINY.key, tmp_path)
    assert again.frame().drop(columns="loss").round(5).equals(whole.frame().drop(columns="loss").round(5))
    for one, other in zip(again.pictures, whole.pictures):
        assert one.start == other.start
        span = np.ptp(other.places, axis=0).max()
        np.testing.assert_allclose(one.places * span, other.places - other.places.min(axis=0), atol=span / 1000)
        np.testing.assert_array_equal(one.truth, other.truth)
        if other.labels is not None:
            np.testing.assert_array_equal(one.labels, other.labels)
            np.testing.assert_array_equal(one.most, other.most)


@pytest.mark.parametrize("content", ["", "{}", '{"schema": 99}', "[1, 2"])
def test_a_broken_file_is_a_sentence(tmp_path, content):
    (tmp_path / "deep-tiny.json").write_text(content)
    with pytest.raises(ValueError, match="cannot be read"):
        deep_results.stored(TINY.key, tmp_path)


def test_nothing_stored_is_empty(tmp_path):
    found = deep_results.stored(TINY.key, tmp_path)
    assert found.rows == ()
    assert found.share == 0.0


# ---- in short -------------------------------------------------------------------------------------------------------


def test_curves_are_medians_between_the_lowest_and_highest_seed(whole):
    frame = whole.frame()
    table = deep_results.curves(frame, "accuracy")
    one = table[(table["start"] == "tdg") & (table["epoch"] == 1)].iloc[0]
    values = frame[(frame["start"] == "tdg") & (frame["epoch"] == 1)]["accuracy"]
    assert (one["low"], one["middle"], one["high"]) == (values.min(), values.median(), values.max())


def test_a_run_cut_short_is_no_end_in_the_summary(whole):
    frame = whole.frame().iloc[:-1]  # the last epoch of TDG's second seed is missing
    runs = deep_results.summary(frame).set_index("start")["runs"]
    assert runs.to_dict() == {"k-means": 2, "k-means++": 2, "tdg": 1}


def test_typical_members_are_ordered_by_their_soft_label():
    q = np.array([[0.9, 0.1], [0.6, 0.4], [0.7, 0.3], [0.2, 0.8]])
    most, least = deep_results.typical(q, np.array([10, 11, 12, 13]), members=3)
    assert most.tolist() == [[10, 12, 11], [13, 13, 13]]
    assert least.tolist() == [[11, 12, 10], [13, 13, 13]]
