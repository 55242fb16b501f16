"""The verdict: TDG at this θ, TNC at this (θ, ε), or nothing to find."""

import numpy as np
import pytest

from tests import shared_data
from theta_app import ThetA, datasets, selection
from theta_app.engine import Cancelled, tdg
from theta_app.metrics import ari
from theta_app.selection import candidates
from theta_app.selection.candidates import DOUBTS, Candidate
from theta_app.selection.ties import value_counts
from theta_app.selection.verdict import _against_chance, stored_weights
from theta_app.selection.verdict import verdict as verdict_in_columns
from theta_app.selection.wording import short

NINE = [(9.0 * i, 9.0 * j) for i in range(3) for j in range(3)]
EIGHT = [(8.0 * i, 8.0 * j) for i in range(4) for j in range(2)]


def blobs(centres, sizes, sd=1.0, seed=0):
    truth = np.repeat(np.arange(len(centres)), sizes)
    spread = np.broadcast_to(sd, len(centres))[truth][:, None]
    noise = np.random.default_rng(seed).normal(size=(len(truth), len(centres[0])))
    return np.asarray(centres)[truth] + spread * noise, truth


def verdict(X, shuffles=20, **options):
    return selection.verdict(X, shuffles, n_jobs=2, **options)


def labels(X, found, shuffles=20):
    result = tdg(X, found.theta, shuffles)
    if found.algorithm == "TDG":
        return selection.major_clusters(result)[0][result.labels]
    return selection.Chaining.of(found.theta, result).major(found.epsilon)[0][result.labels]


# --- what has been said wrongly before -------------------------------------------------------------------------------


@pytest.mark.parametrize("centres", [NINE, EIGHT])
def test_data_rounded_to_whole_numbers_are_not_a_cluster_per_value(centres):
    X, truth = blobs(centres, [150] * len(centres), sd=1.2)
    found = verdict(X.round())
    assert found.n_clusters == len(centres)
    assert ari(truth, labels(X.round(), found)) > 0.95


def test_clusters_of_one_hundred_beside_two_thousand_are_found():
    X, truth = blobs(EIGHT, [2000, 2000, 100, 100, 100, 100, 100, 100])
    found = verdict(X)
    assert (found.n_clusters, found.stands_out) == (8, True)
    assert ari(truth, labels(X, found)) > 0.99


def test_outliers_are_no_cluster():
    X, truth = blobs(NINE, [500] * 9)
    X = np.vstack([X, np.random.default_rng(1).uniform(-20, 40, (45, 2))])
    found = verdict(X)
    assert (found.n_clusters, found.stands_out) == (9, True)
    assert found.outliers > 0
    assert ari(truth, labels(X, found)[: len(truth)]) > 0.97


def test_two_levels_are_both_shown_and_the_finer_is_the_verdict():
    nested = [(x + a, y + b) for x, y in ((0, 0), (40, 0), (0, 40)) for a, b in ((0, 0), (7, 0), (0, 7))]
    found = verdict(blobs(nested, [80] * 9)[0])
    assert found.n_clusters == 9
    assert {3, 9} <= set(found.candidates["n_clusters"])


def test_densities_of_one_to_ten_are_no_obstacle():
    X, truth = blobs([(0, 0), (14, 0), (28, 0), (0, 14), (14, 14)], [300] * 5, sd=np.array([0.3, 0.6, 1, 2, 3]))
    found = verdict(X)
    assert found.n_clusters == 5
    assert ari(truth, labels(X, found)) > 0.95


def test_shapes_are_chained_and_the_reason_says_so():
    X = datasets.load(datasets.Moons())
    found = verdict(X.X)
    assert (found.algorithm, found.n_clusters, found.stands_out) == ("TNC", 2, True)
    assert "chains" in found.reason
    assert ari(X.truth, labels(X.X, found)) == 1.0


@pytest.mark.parametrize("name", ["s1", "s2"])
def test_the_look_alikes_of_s1_and_s2_have_fifteen_clusters(name):
    data = datasets.load(datasets.Bundled(name))
    found = selection.verdict(data.X, n_jobs=2)
    assert (found.algorithm, found.n_clusters, found.stands_out) == ("TDG", 15, True)
    assert short(found.low) in found.reason  # as pages write it: 130,300, not 1.303e+05
    assert "e+" not in found.reason + selection.recommend(data.X, n_jobs=2).reason


@pytest.mark.parametrize("name", ["s3", "s4"])
def test_where_clusters_overlap_nobody_is_sure(name):
    found = verdict(datasets.load(datasets.Bundled(name)).X)
    assert found.confidence < 0.8


def test_digits_are_not_one_cluster_and_crumbs():
    data = datasets.prepare(datasets.load(datasets.RealData("digits")), datasets.Preparation(scaling="standard"))
    found = verdict(data.X[:600], shuffles=5, space="features")
    assert not found.stands_out


def noise():
    rng = np.random.default_rng(3)
    for n, d in ((200, 1), (3000, 1), (150, 2), (2500, 2), (600, 3), (400, 5), (250, 10), (150, 20)):
        yield f"uniform {n} x {d}", rng.uniform(size=(n, d))
        yield f"Gaussian {n} x {d}", rng.normal(size=(n, d))


@pytest.mark.parametrize("X", [pytest.param(X, id=name) for name, X in noise()])
def test_in_noise_there_is_nothing_to_find(X):
    found = verdict(X)
    assert found.algorithm is None
    assert found.epsilon is None
    assert (found.n_clusters, found.stands_out) == (1, False)
    assert found.theta > 0
    assert "Nothing to find" in found.reason


@pytest.mark.parametrize("X", [np.zeros((1, 2)), np.ones((30, 3)), np.array([[0.0], [1.0]])], ids=["1", "equal", "2"])
def test_there_is_an_answer_for_data_with_nothing_to_choose(X):
    found = verdict(X, shuffles=3)
    assert found.algorithm is None
    assert ThetA(n_shuffles=3).fit(X).n_clusters_ == 1


# --- doubt -----------------------------------------------------------------------------------------------------------


def test_the_alternative_is_another_answer_and_probabilities_are_at_most_one():
    nested = [(x + a, y + b) for x, y in ((0, 0), (40, 0), (0, 40)) for a, b in ((0, 0), (5.5, 0), (0, 5.5))]
    X, _ = blobs(nested, [80] * 9)
    found = verdict(X)
    other = found.alternative
    assert other is not None
    assert {found.n_clusters, other.n_clusters} == {3, 9}
    assert "two levels" in found.reason
    assert ari(labels(X, found), labels(X, other)) < 0.8
    assert other.n_clusters == len(np.unique(labels(X, other)))
    assert 0 <= other.confidence <= found.confidence
    assert found.confidence + other.confidence + found.nothing <= 1 + 1e-9
    assert other.alternative is None


def customers(extra, seed=0):
    """Four segments of two measured columns, and one that is no measurement; standardised."""
    X, truth = blobs([(0, 0), (9, 0), (0, 9), (9, 9)], [150] * 4, seed=seed)
    X = np.column_stack([X, extra(np.random.default_rng(seed), len(X))])
    return (X - X.mean(axis=0)) / X.std(axis=0), truth


@pytest.mark.parametrize("seed", range(3))
def test_persons_of_a_household_are_no_clusters(seed):
    X, truth = customers(lambda rng, n: np.clip(rng.poisson(2.5, n) + 1, 1, 9), seed)
    found = verdict(X)
    assert found.n_clusters == 4
    assert ari(truth, labels(X, found)) > 0.95


@pytest.mark.parametrize("values", [2, 3, 12])
def test_one_cloud_beside_a_few_values_is_nothing_to_find(values):
    rng = np.random.default_rng(values)
    X = np.column_stack([rng.normal(size=(600, 2)), rng.integers(0, values, 600)])
    found = verdict((X - X.mean(axis=0)) / X.std(axis=0))
    assert found.algorithm is None


def test_ratings_at_random_are_nothing_to_find_and_two_groups_among_them_are_found():
    rng = np.random.default_rng(0)
    assert verdict(rng.integers(1, 6, (500, 6)).astype(float)).algorithm is None
    truth = np.repeat([0, 1], 250)
    X = np.clip(np.round(np.where(truth, 4.2, 1.8)[:, None] + 0.8 * rng.normal(size=(500, 6))), 1, 5)
    found = verdict(X)
    assert found.n_clusters == 2
    assert ari(truth, labels(X, found)) > 0.95


def test_columns_of_few_values_beside_measured_ones_make_it_doubt():
    sure = verdict(customers(lambda rng, n: rng.normal(size=n))[0])
    unsure = verdict(customers(lambda rng, n: rng.integers(0, 2, n))[0])
    assert unsure.confidence < sure.confidence


def test_clusters_that_only_yes_no_makes_are_doubted_and_those_of_measured_columns_are_not():
    rng = np.random.default_rng(3)
    X, truth = blobs([(0, 0), (9, 0), (0, 9)], [150] * 3, seed=3)
    answers = rng.integers(0, 2, len(X))
    made_of_answers = Candidate("TDG", 1.0, None, 2, 0, 1.0, 2.0, answers, 1.0, 1.0, np.nan, True)
    measured = Candidate("TDG", 1.0, None, 3, 0, 1.0, 2.0, truth, 1.0, 1.0, np.nan, True)

    def lost_without(X, *found):
        return candidates._lost(X, value_counts(X), found)

    lost = lost_without(np.column_stack([X, answers]), made_of_answers, measured)
    assert lost[0] > 0.9
    assert lost[1] < 0.02
    assert lost_without(X, made_of_answers).tolist() == [0.0], "no columns of few values"
    ratings = rng.integers(1, 6, (450, 4)).astype(float)
    assert lost_without(ratings, made_of_answers).tolist() == [0.0], "no others"


@pytest.mark.parametrize(
    ("name", "worse"),
    [
        ("lost", 0.6),
        ("alternative", 0.5),
        ("backing", 0.1),
        ("width", 0.05),
        ("agreement", 0.4),
        ("evenness", 0.5),
        ("rows", 4),
    ],
)
def test_each_doubt_makes_an_answer_less_sure(name, worse):
    weights = stored_weights()
    usual = dict(zip(DOUBTS, weights.doubt_mean[1:]))
    row = np.array([worse if each == name else usual[each] for each in DOUBTS])
    assert weights.confidence(0.9, row) < weights.confidence(0.9, np.array(list(usual.values())))
    assert weights.confidence(0.5, row) < weights.confidence(0.9, row)


def test_an_unclear_answer_says_what_makes_it_doubt():
    weights = stored_weights()
    usual = weights.doubt_mean[1:]
    assert weights.main_doubt(usual) is None
    assert weights.main_doubt(np.where(np.array(DOUBTS) == "lost", 0.9, usual)) == "lost"
    X, _ = customers(lambda rng, n: rng.integers(0, 2, (n, 2)))  # four segments, each in four by the answers
    found = verdict(X, space="features")
    assert (found.algorithm, found.alternative.n_clusters) == (None, 16)  # too doubtful to be an answer
    assert found.alternative.confidence < 0.05
    assert found.reason.startswith("Nothing to rely on: 16 clusters")
    assert "columns of few values" in found.reason


def test_a_narrow_range_in_which_runs_disagree_is_not_sure():
    X, _ = shared_data.points("s-sets/s3")
    found = verdict(X, 20)
    assert found.confidence < 0.75


def merging():
    """Six clouds in pairs so close that TDG's second stage merges them at the θ that its single passes agree on."""
    centres = [(x + dx, 0.0) for x in (0.0, 30.0, 60.0) for dx in (0.0, 4.6)]
    return blobs(centres, [120] * 6, seed=5)[0]


def test_a_verdict_with_a_warning_says_so_and_is_not_clear():
    """Whatever the data: what pages warn of at the verdict's place, the verdict says itself."""
    several = [
        merging(),
        customers(lambda rng, n: rng.integers(1, 13, n), 2)[0],
        np.random.default_rng(7).normal(size=(60, 6)),
    ]
    for X in several:
        found = verdict(X, 20, space="features")
        for each in filter(None, (found, found.alternative)):
            if each.algorithm is None:
                continue
            result = tdg(X, each.theta, 20, agreement=True)
            if each.algorithm == "TDG":
                shown = selection.warnings_for(result)
            else:
                shown = selection.chain_warnings(selection.Chaining.of(each.theta, result), each.epsilon)
            assert each.warning == (shown[0] if shown else "")
            assert not (each.warning and each.stands_out)
        assert found.warning in found.reason


def test_a_warning_takes_an_answer_that_says_the_same_without_one(monkeypatch):
    X = blobs(NINE, [60] * 9)[0]
    sure = verdict(X, 10)
    assert (sure.n_clusters, sure.stands_out, sure.warning) == (9, True, "")
    monkeypatch.setattr(candidates, "warnings_for", lambda result: ["Lower θ."] if len(result.sizes) == 9 else [])
    warned = verdict(X, 10)
    if warned.algorithm == "TDG":
        assert (warned.warning, warned.stands_out) == ("Lower θ.", False)
        assert "But: Lower θ." in warned.reason
        assert warned.confidence < sure.confidence
    else:  # chains that say the same
        assert (warned.n_clusters, warned.warning) == (9, "")


def test_clusters_of_a_map_are_doubted_by_the_columns():
    rng = np.random.default_rng(0)
    X, truth = blobs(NINE[:4], [100] * 4)
    answers = np.column_stack([rng.normal(size=(400, 2)), truth % 2])  # what the points of the map are in their columns
    assert verdict_in_columns(X, 10, columns=answers).confidence < verdict_in_columns(X, 10).confidence


# --- what it is made of ----------------------------------------------------------------------------------------------


def test_the_candidates_have_the_verdict_first_and_once():
    found = verdict(datasets.load(datasets.GridBlobs(3, 9.0, 60)).X)
    table = found.candidates
    assert tuple(table.columns) == selection.CANDIDATE_COLUMNS
    assert table["verdict"].tolist() == [True] + [False] * (len(table) - 1)
    first = table.iloc[0]
    assert (first["algorithm"], first["n_clusters"], first["theta"]) == (found.algorithm, 9, found.theta)
    assert found.low <= found.theta <= found.high


def test_a_tdg_verdict_is_the_recommended_theta():
    X = datasets.load(datasets.GridBlobs(3, 9.0, 60)).X
    found, best = verdict(X), selection.recommend(X, 20)
    assert (found.theta, found.n_clusters) == (best.theta, best.n_clusters)
    assert (found.low, found.high) == (best.theta_low, best.theta_high)


def test_a_tnc_verdict_is_the_suggested_pair():
    X = datasets.load(datasets.Circles()).X
    found, best = verdict(X), selection.suggest(X, 20)
    assert (found.theta, found.epsilon, found.n_clusters) == (best.theta, best.epsilon, best.n_chains)


def test_confidence_grows_with_the_evidence():
    apart, near = (verdict(blobs([(0, 0), (gap, 0)], [200, 200])[0]) for gap in (30, 6))
    assert 0.5 < near.confidence <= apart.confidence < 1


def test_progress_is_told_and_a_verdict_can_be_stopped():
    X, seen = blobs(NINE, [60] * 9)[0], []
    verdict(X, progress=lambda done, total: seen.append(done))
    assert seen == sorted(seen)

    class Stopped:
        def is_set(self):
            return True

    with pytest.raises(Cancelled):
        verdict(X, cancel=Stopped())


# --- the estimator ---------------------------------------------------------------------------------------------------


def test_the_estimator_has_the_labels_of_the_verdict():
    for spec in (datasets.GridBlobs(3, 9.0, 60), datasets.Moons()):
        X = datasets.load(spec).X
        model = ThetA(n_shuffles=20).fit(X)
        found = verdict(X)
        assert (model.algorithm_, model.theta_, model.epsilon_) == (found.algorithm, found.theta, found.epsilon)
        np.testing.assert_array_equal(model.labels_, labels(X, found))
        assert model.n_clusters_ == found.n_clusters == len(np.unique(model.labels_))
        assert np.mean(model.predict(X) == model.labels_) > 0.99


def test_outliers_are_with_the_nearest_cluster_and_named():
    X, _ = blobs(NINE, [300] * 9)
    model = ThetA(n_shuffles=20).fit(np.vstack([X, [[60.0, 60.0]]]))
    assert model.n_clusters_ == 9
    assert model.outliers_.sum() >= 1
    assert model.outliers_[-1]


def test_the_batteries_are_mostly_got_right():
    folder = shared_data.FOLDER / "suite"
    if not folder.exists():
        pytest.skip("the benchmark batteries are not on this machine: ../shared/data/suite is missing")
    scores = []
    for path in sorted(folder.rglob("*.npz")):
        data = np.load(path)
        X = np.ascontiguousarray(data["X"], dtype=float)
        if len(X) > 1100:
            continue  # the small half, for time; `make quality` measures all
        found = ThetA(n_shuffles=10, n_jobs=2).fit_predict(X)
        truths = [data[key] for key in data.files if key.startswith("labels")]
        scores.append(max(ari(t[t > 0], found[t > 0]) for t in truths))
    assert len(scores) > 15
    assert np.mean(scores) > 0.7


# --- what the others say ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def close_grid():
    """36 clusters, hardly apart: their quarters have valleys between them as well, by chance."""
    centres = [(4.2 * i, 4.2 * j) for i in range(6) for j in range(6)]
    truth = np.repeat(np.arange(36), 60)
    X = np.asarray(centres)[truth] + np.random.default_rng([12, 0]).normal(size=(len(truth), 2))
    return X, truth, verdict(X)


def test_four_quarters_of_a_grid_are_not_taken_for_its_clusters(close_grid):
    X, truth, found = close_grid
    assert 33 <= found.n_clusters <= 40
    assert ari(truth, labels(X, found)) > 0.8
    assert not found.stands_out


def test_what_others_back_is_first_among_the_candidates(close_grid):
    _, _, found = close_grid
    first = found.candidates.iloc[0]
    assert list(found.candidates["verdict"]) == [True] + [False] * (len(found.candidates) - 1)
    shown = first["algorithm"], first["theta"], first["n_clusters"]
    assert shown == (found.algorithm, found.theta, found.n_clusters)


def test_what_others_back_has_as_many_clusters_as_its_labels(close_grid):
    X, _, found = close_grid
    assert found.n_clusters == len(np.unique(labels(X, found)))


def test_two_overlapping_clouds_are_something_where_density_shows_two_tops():
    X, truth = blobs([(0.0, 0.0), (3.5, 0.0)], [1500, 1500])
    found = verdict(X)
    assert found.algorithm is not None
    assert ari(truth, labels(X, found)) > 0.3


def test_confidence_grows_with_what_backs_a_verdict(close_grid):
    _, _, guess = close_grid
    sure = verdict(blobs(NINE, [100] * 9)[0])
    assert not guess.stands_out
    assert sure.confidence > 0.85 > guess.confidence


@pytest.mark.parametrize("n", [1, 2, 3, 6])
def test_a_handful_of_points_is_nothing_to_find(n):
    assert verdict(np.arange(2.0 * n).reshape(n, 2) ** 2).algorithm is None


def test_trees_of_density_do_not_judge_clusters_smaller_than_they_see():
    """Of 127 clusters none holds one percent of the points; the trees see a handful of bends."""
    along = np.arange(127)
    X, truth = blobs(np.column_stack([4.5 * along, 10 * np.sin(0.5 * along)]), [60] * 127, seed=[12, 102])
    found = verdict(X)
    assert 120 <= found.n_clusters <= 134
    assert ari(truth, labels(X, found)) > 0.9


def test_what_is_weaker_than_chance_is_not_called_stronger():
    assert _against_chance(2.54) == "2.5 × stronger than expected by chance"
    assert _against_chance(1.0) == "as strong as expected by chance"
    assert _against_chance(0.3) == "weaker than expected by chance"


def test_a_thin_cloud_in_many_columns_is_nothing_to_find():
    """Columns that are a few in truth: with their number in the place of the dimension these three were answered."""
    for seed, n, d in ((2158, 2023, 15), (2174, 274, 44), (2258, 437, 11)):
        rng = np.random.default_rng([4, 4, seed])
        X = rng.normal(size=(n, d)) @ (rng.normal(size=(d, d)) * np.exp(-np.arange(d) / 3)[:, None])
        assert verdict_in_columns(X).algorithm is None


def test_a_grid_of_clusters_is_not_said_to_have_two_levels():
    """Ranges of ε join some neighbours by chance: such groups are no level of their own."""
    assert "two levels" not in verdict_in_columns(datasets.load(datasets.GridBlobs()).X).reason
