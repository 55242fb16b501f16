"""The experiment of section 5.5: it stores every epoch, goes on after an interruption, and comes out the same again."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from tests import shared_data
from theta_app.datasets import mnist
from theta_app.deep import STARTS
from theta_app.paper import deep, deep_results
from theta_app.paper.deep import TRIALS

SHORT = TRIALS["deep-short"]
TINY = replace(SHORT, key="deep-tiny", seeds=2, listed=True)  # compiled once for both


@pytest.fixture(scope="module")
def images():
    """70,000 pictures of nothing in particular, in ten kinds."""
    rng = np.random.default_rng(0)
    digits = rng.integers(10, size=70_000).astype(np.uint8)
    kinds = rng.integers(0, 256, size=(10, 784))
    return kinds.astype(np.uint8)[digits], digits


@pytest.fixture(scope="module", autouse=True)
def small_pictures():
    """t-SNE of more points takes longer than everything else here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(deep, "PICTURED", 60)
        yield


@pytest.fixture(scope="module")
def whole_folder(tmp_path_factory):
    return tmp_path_factory.mktemp("whole")


@pytest.fixture(scope="module")
def whole(images, whole_folder):
    options = {"folder": whole_folder, "checkpoints": whole_folder / "networks"}
    return deep.complete(TINY, *images, **options, say=lambda _: None)


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


def test_a_run_interrupted_twice_goes_on_to_the_same_end(images, whole, tmp_path):
    class Interrupted(Exception):
        pass

    def until(words):
        def say(line):
            if words in line:
                raise Interrupted

        return say

    trial = replace(TINY, seeds=1)
    options = {"folder": tmp_path, "checkpoints": tmp_path / "networks"}
    for words, epochs in (("K-Means epoch 2", 2), ("TDG epoch 1", 7)):
        with pytest.raises(Interrupted):
            deep.complete(trial, *images, **options, say=until(words))
        assert len(deep_results.stored(trial.key, tmp_path).rows) == epochs
    found = deep.complete(trial, *images, **options, say=lambda _: None)
    assert places(found) == places(whole)[:9]
    for score in ("loss", "accuracy"):
        np.testing.assert_allclose(found.frame()[score], whole.frame()[score][:9], rtol=1e-5)


def test_checkpoints_of_a_run_whose_results_are_gone_do_no_harm(images, whole, whole_folder, tmp_path):
    trial = replace(TINY, seeds=1)
    found = deep.complete(trial, *images, folder=tmp_path, checkpoints=whole_folder / "networks", say=lambda _: None)
    assert places(found) == places(whole)[:9]


def test_without_checkpoints_a_start_cut_short_is_trained_again(images, whole, tmp_path):
    deep_results.store(replace(whole, rows=whole.rows[:-1]), tmp_path)
    found = deep.complete(TINY, *images, folder=tmp_path, say=lambda _: None)
    assert places(found) == places(whole)


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
    """As far as another machine's rounding lets it.

    Inputs changed by 3e-7 of themselves move the autoencoder's loss by 0.02 % and the losses of the clustering by up to
    3 %; another learning rate, noise, shift or seed moves the first by 1 % and more. Scores jump with rounding, by up
    to 0.07: a start falls into one valley or the next.
    """
    found = deep.complete(SHORT, *mnist.read(shared_data.mnist()), folder=tmp_path, say=lambda _: None)
    before = deep_results.stored(SHORT.key)
    assert places(found) == places(before)
    assert found.network(0)["loss"] == pytest.approx(before.network(0)["loss"], rel=0.005)
    np.testing.assert_allclose(found.frame()["loss"], before.frame()["loss"].astype(float), rtol=0.05)
    for score in ("accuracy", "nmi"):
        np.testing.assert_allclose(found.frame()[score], before.frame()[score], atol=0.1)


def test_stored_results_come_back_as_they_were(whole, tmp_path):
    deep_results.store(whole, tmp_path)
    again = deep_results.stored(TINY.key, tmp_path)
    pd.testing.assert_frame_equal(again.frame(), whole.frame(), rtol=1e-5)
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
