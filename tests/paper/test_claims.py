"""Claims are judged by what was measured: the verdict follows the numbers both ways."""

from dataclasses import replace

import pytest

from theta_app.paper import claims, deep_results, results, studies
from theta_app.paper.deep import TRIALS
from theta_app.paper.experiments import EXPERIMENTS, SDS, reading

STORED = {key: results.stored(key) for key in EXPERIMENTS}
DEEP = {key: deep_results.stored(key) for key in TRIALS}
STUDIES = {key: studies.stored(key) for key in studies.STUDIES}


def verdict(start, found):
    return next(judged for judged in claims.judged(found) if judged.claim.claim.startswith(start))


def without_plain(found):
    """Results without rows of a plain reading."""
    return {
        key: replace(known, rows=tuple(row for row in known.rows if not row["label"].endswith("(plain)")))
        for key, known in found.items()
    }


def with_plain(found, factor):
    """Results with rows of a plain reading, which takes `factor` times as long as the engine."""
    found = without_plain(found)
    plain = {
        key: [
            row | {"label": f"{row['label']} (plain)", "seconds": factor * row["seconds"]}
            for row in known.rows
            if row["label"] in ("TDG", "TSG") and row["seconds"]
        ]
        for key, known in found.items()
    }
    return {key: replace(known, rows=(*known.rows, *plain[key])) for key, known in found.items()}


def changed(key, label, column, value, case=None):
    """The stored results with a column of one method (or of all) replaced, in one case or in all."""
    rows = tuple(
        {**row, column: value} if label in (None, row["label"]) and case in (None, row["case"]) else row
        for row in STORED[key].rows
    )
    return STORED | {key: replace(STORED[key], rows=rows)}


def test_every_claim_is_judged_from_the_stored_runs():
    judged = claims.judged(STORED, DEEP, STUDIES)
    unknown = {found.claim.where for found in judged if found.verdict == claims.UNKNOWN}
    assert unknown <= {"5.5, 7", "5.4, Fig. 4"}, "only where the networks are not trained enough to judge"
    assert all(found.measured.endswith(".") and found.claim.rule.endswith((".", ")")) for found in judged)
    assert {found.verdict for found in judged} >= {claims.HOLDS, claims.IN_PART, claims.NOT}, "honest both ways"


def test_nothing_is_claimed_from_nothing():
    assert {found.verdict for found in claims.judged({})} == {claims.UNKNOWN}


@pytest.mark.parametrize("key", EXPERIMENTS)
def test_a_run_that_has_only_begun_is_judged_as_far_as_it_goes(key):
    begun = replace(STORED[key], rows=STORED[key].rows[:1])
    assert len(claims.judged(STORED | {key: begun})) == len(claims.CLAIMS)


def test_a_score_that_was_not_measured_is_not_judged():
    rows = tuple({name: row[name] for name in row if name != "ssd_exact"} for row in STORED["hard"].rows)
    found = verdict("On the hard case ThetA identifies", STORED | {"hard": replace(STORED["hard"], rows=rows)})
    assert (found.verdict, found.measured) == (claims.UNKNOWN, "Not measured yet (hard: TDG, ssd_exact).")


@pytest.mark.parametrize(
    ("start", "key", "label", "column", "value", "expected"),
    [
        ("On the easy case ThetA has", "easy", "TSG", "seconds", 1e-9, claims.HOLDS),
        ("On the easy case ThetA has", "easy", "TSG", "seconds", 1e9, claims.NOT),
        ("Each method does an accurate", "easy", "TSG", "nmi", 0.5, claims.NOT),
        ("On the hard case ThetA identifies", "hard", "TDG", "ssd_exact", 1.0, claims.HOLDS),
        ("On the hard case the other", "hard", "TDG", "nmi", 0.5, claims.NOT),
        ("On the hard case the other", "hard", "TDG", "nmi", 1.1, claims.HOLDS),
        ("TDG works better", "hard", "TDG", "nmi", 0.1, claims.NOT),
        ("In 100 dimensions", "dims-100", "TDG", "nmi", 0.9, claims.NOT),
        ("On harder problems the region", "theta-dims", None, "n_clusters", 100, claims.HOLDS),
        ("On harder problems the region", "theta-dims", None, "nmi", 0.9, claims.NOT),
        ("On S1 to S4 the sizes", "s-sets", "TDG", "elbow", 15, claims.HOLDS),
        ("On S1 to S4 the sizes", "s-sets", "TDG", "elbow", 7, claims.NOT),
        ("On S1 to S4 TDG's", "s-sets", "TDG", "nmi", 0.9999, claims.HOLDS),
        ("TNC solves", "shapes", "TNC", "nmi", 1.0, claims.HOLDS),
        ("TNC solves", "shapes", "TNC", "nmi", 0.1, claims.NOT),
    ],
)
def test_other_measurements_make_another_verdict(start, key, label, column, value, expected):
    assert verdict(start, changed(key, label, column, value)).verdict == expected


TIMED = ("On the hard case ThetA takes", "In higher dimensions", "It is not always", "BIRCH is faster")


@pytest.mark.parametrize("start", TIMED)
def test_a_claim_on_time_depends_on_the_implementation_where_a_plain_one_gives_another_verdict(start):
    alone = verdict(start, without_plain(STORED))
    assert alone.verdict == claims.IMPLEMENTATION
    assert alone.readings[claims.PLAIN] == claims.UNKNOWN
    same, slow = verdict(start, with_plain(STORED, 1.0)), verdict(start, with_plain(STORED, 1e6))
    assert same.verdict == same.readings[claims.ENGINE] == same.readings[claims.PLAIN]
    assert slow.verdict == claims.IMPLEMENTATION
    assert slow.readings[claims.PLAIN] != slow.readings[claims.ENGINE]


def test_whether_the_easy_case_is_sparse_depends_on_how_the_paper_is_read():
    wide, narrow = (STORED["easy"].facts[reading(sd)]["gap"] for sd in SDS)
    assert wide < 6 < narrow
    found = verdict("Centres 10 apart", STORED)
    assert found.verdict == claims.DEPENDS
    assert found.readings[reading(0.5)] == claims.HOLDS != found.readings[reading(1.0)]
    assert f"{wide:.2f}" in found.measured
    assert f"{narrow:.2f}" in found.measured


def test_every_claim_on_the_easy_and_hard_case_says_what_each_reading_gives():
    judged = [found for found in claims.judged(STORED) if found.claim.experiment in ("easy", "hard")]
    judged = [found for found in judged if claims.PLAIN not in found.readings]
    assert len(judged) == 6
    for found in judged:
        assert list(found.readings) == [reading(sd) for sd in SDS]
        verdicts = set(found.readings.values())
        assert found.verdict == (verdicts.pop() if len(verdicts) == 1 else claims.DEPENDS)
        assert all(f"{name}: {verdict}" in found.in_words for name, verdict in found.readings.items())


def test_a_reading_is_judged_by_its_own_case():
    found = verdict("On the easy case ThetA has", changed("easy", "TSG", "seconds", 1e9, reading(0.5)))
    assert found.verdict == claims.DEPENDS
    assert found.readings[reading(0.5)] == claims.NOT


def test_a_drop_that_one_run_in_five_misses_does_not_hold_for_sure():
    rows = tuple(
        {**row, "elbow": 14 if row["repeat"] % 5 == 0 and row["case"] == "S4 (original)" else 15}
        for row in STORED["s-sets"].rows
    )
    found = verdict("On S1 to S4 the sizes", STORED | {"s-sets": replace(STORED["s-sets"], rows=rows)})
    assert found.verdict == claims.IN_PART
    assert "S4 16 of 20" in found.measured


@pytest.mark.parametrize(("lead", "expected"), [(0.004, claims.NOT), (0.006, claims.HOLDS)])
def test_on_the_s_sets_a_lead_too_small_for_a_person_is_none(lead, expected):
    rows = tuple({**row, "nmi": 0.5 + lead * (row["label"] != "K-Means++")} for row in STORED["s-sets"].rows)
    found = verdict("On S1 to S4 TDG's", STORED | {"s-sets": replace(STORED["s-sets"], rows=rows)})
    assert found.verdict == expected


def test_the_region_of_right_theta_is_a_range_with_two_ends():
    found = STORED["theta-dims"]
    rows = tuple({**row, "n_clusters": 100 if 15.0 < theta_of(row) < 15.5 else 90} for row in found.rows)
    judged = verdict("On harder problems", STORED | {"theta-dims": replace(found, rows=rows)})
    assert "100 clusters from θ 15.04 to 15.4, a factor of 1.02" in judged.measured
    assert "100 clusters at no θ tried" in judged.measured


def theta_of(row):
    return float(row["label"].removeprefix("TDG (θ ").removesuffix(")"))


# ---- deep embedded clustering ---------------------------------------------------------------------------------------


def trained(key="deep-10k", epochs=6, seeds=1, **paths):
    """Results of so many seeds: for each start (accuracy and NMI at the start, and their gain per epoch)."""
    rows = [
        {"seed": seed, "start": name.replace("_", "-"), "epoch": epoch, "accuracy": first + gain * epoch, "nmi": first}
        for seed in range(seeds)
        for name, (first, gain) in paths.items()
        for epoch in range(epochs)
    ]
    return {key: deep_results.DeepResults(key, plan={"epochs": 5, "seeds": seeds}, rows=tuple(rows))}


def deep_verdict(start, found):
    return next(judged for judged in claims.judged({}, found) if judged.claim.claim.startswith(start)).verdict


LEADS = {"tdg": (0.8, 0.03), "k_means": (0.6, 0.01), "k_means++": (0.7, 0.02)}
TRAILS = {"tdg": (0.5, 0.01), "k_means": (0.6, 0.03), "k_means++": (0.7, 0.02)}
BETWEEN = {"tdg": (0.65, 0.015), "k_means": (0.6, 0.01), "k_means++": (0.7, 0.02)}


@pytest.mark.parametrize(
    ("paths", "expected"), [(LEADS, claims.HOLDS), (BETWEEN, claims.IN_PART), (TRAILS, claims.NOT)]
)
def test_the_higher_start_is_judged_by_the_first_epoch(paths, expected):
    assert deep_verdict("Deep embedded clustering started by TDG", trained(**paths)) == expected


def test_runs_that_differ_are_a_claim_that_holds_in_part():
    found = trained(**LEADS) | trained("deep-70k", **TRAILS)
    assert deep_verdict("Deep embedded clustering started by TDG", found) == claims.IN_PART


def test_the_faster_rise_is_judged_by_the_gain():
    rising = {"tdg": (0.5, 0.05), "k_means": (0.6, 0.03), "k_means++": (0.7, 0.02)}
    several = trained(seeds=3, **rising)
    assert deep_verdict("Started by TDG it also", several) == claims.IN_PART  # NMI does not rise here
    assert deep_verdict("Started by TDG it also", trained(seeds=3, **TRAILS)) == claims.NOT
    one = trained("deep-70k", **LEADS)
    assert deep_verdict("Started by TDG it also", one) == claims.UNKNOWN, "one seed decides nothing"
    assert deep_verdict("Started by TDG it also", several | one) == claims.IN_PART


@pytest.mark.parametrize(("gain", "expected"), [(0.03, claims.HOLDS), (0.01, claims.IN_PART), (0.0, claims.NOT)])
def test_the_accuracy_is_judged_by_the_last_epoch(gain, expected):
    paths = LEADS | {"tdg": (0.8, gain), "k_means": (0.85, 0.0)}
    assert deep_verdict("Deep embedded clustering of MNIST", trained("deep-70k", **paths)) == expected


def test_the_accuracy_is_not_judged_where_k_means_has_not_learnt_either():
    paths = LEADS | {"tdg": (0.8, 0.01), "k_means": (0.8, 0.0)}
    assert deep_verdict("Deep embedded clustering of MNIST", trained("deep-70k", **paths)) == claims.UNKNOWN


def test_a_trial_that_is_only_a_check_is_not_judged():
    assert deep_verdict("Deep embedded clustering of MNIST", trained("deep-short", **LEADS)) == claims.UNKNOWN


def test_seeds_that_are_missing_are_said():
    found = trained(**LEADS)
    found["deep-10k"] = replace(found["deep-10k"], plan={"epochs": 5, "seeds": 5})
    measured = [judged.measured for judged in claims.judged({}, found) if judged.claim.where.startswith("5.5")]
    assert all("1 of 5 seeds so far" in sentence for sentence in measured)


def test_a_run_cut_short_is_not_judged():
    assert deep_verdict("Deep embedded clustering of MNIST", trained(epochs=5, **LEADS)) == claims.UNKNOWN
    assert deep_verdict("Deep embedded clustering started", trained(tdg=(0.9, 0.0))) == claims.UNKNOWN
