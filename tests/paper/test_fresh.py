"""What was measured by other code than today's is known, listed, said on the page, and measured again."""

import shutil
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from tests.ui.helpers import complaints
from theta_app.compare.steps import PointsAtHand, measured
from theta_app.datasets import GridBlobs, Imbalanced
from theta_app.paper import complete, fresh, results
from theta_app.paper.__main__ import main
from theta_app.paper.experiments import EXPERIMENTS

RANGE = EXPERIMENTS["theta-range"]
PAGE = fresh.ROOT / "pages" / "Paper.py"


@pytest.fixture
def changed(tmp_path, monkeypatch):
    """``changed(file, old, new)``: the project's code as it would be with a piece of it replaced."""

    def change(file, old, new):
        root = tmp_path / str(len(list(tmp_path.iterdir())))
        shutil.copytree(fresh.ROOT / "theta_app", root / "theta_app", ignore=shutil.ignore_patterns("__pycache__"))
        text = (root / file).read_text(encoding="utf-8")
        assert old in text
        (root / file).write_text(text.replace(old, new, 1), encoding="utf-8")
        monkeypatch.setattr(fresh, "ROOT", root)

    return change


def stamped(experiment):
    """Its stored results as if they were measured by today's code."""
    found, today = results.stored(experiment.key), {s.place: s for s in experiment.steps()}
    places = [(row, today.get((row["case"], row["repeat"], row["label"]))) for row in found.rows]
    rows = (row | {"rests_on": fresh.step_digest(experiment, step)} for row, step in places if step is not None)
    return replace(found, rows=tuple(rows))


@pytest.fixture(scope="module")
def known():
    """What every experiment has stored, as if it were measured by today's code."""
    return {key: stamped(experiment) for key, experiment in EXPERIMENTS.items()}


RULE = "theta_app/selection/sizes.py", "if len(sizes) < 2:", "if len(sizes) < 3:"
METHODS = "theta_app/compare/methods.py"
BIRCH = {key for key, experiment in EXPERIMENTS.items() if any("BIRCH" in label for label in experiment.labels())}
FAMILY = {key for key, experiment in EXPERIMENTS.items() if "K-Means++" in experiment.labels()}
GRIDS = {
    key for key, e in EXPERIMENTS.items() if any(isinstance(case.spec, (GridBlobs, Imbalanced)) for case in e.cases)
}


def test_what_todays_code_has_measured_is_fresh(known):
    assert not any(fresh.stale_rows(EXPERIMENTS[key], found) for key, found in known.items())


@pytest.mark.parametrize(
    ("file", "old", "new", "stale"),
    [
        (*RULE, {"s-sets", "shapes-untuned"}),
        ("theta_app/engine/exact.py", "sq += a * a", "sq += abs(a * a)", set(EXPERIMENTS)),
        ("theta_app/engine/exact.py", "import numpy as np", "import numpy as np  # another word", set()),
        ("theta_app/engine/exact.py", "    sq = 0.0", "    sq: float = 0.0", set()),
        (METHODS, "if threshold <= 0:", "if threshold < 0:", BIRCH),
        (METHODS, "if k > len(X):", "if k >= len(X):", FAMILY),  # of a helper that others call
        (METHODS, "K centres from random points", "K places from random points", set()),
        ("theta_app/selection/wording.py", "import", "_MORE = 1\nimport", set()),
        (
            "theta_app/datasets/generated.py",
            "def square_grid(side: int, spacing: float)",
            "def square_grid(side: int, spacing: float = 1)",
            GRIDS,
        ),
        ("theta_app/ui/pages/paper/claims.py", "import", "_MORE = 1\nimport", set()),
    ],
)
def test_a_changed_rule_makes_what_rests_on_it_stale_and_a_rewording_does_not(known, changed, file, old, new, stale):
    changed(file, old, new)
    assert {key for key, found in known.items() if fresh.stale_rows(EXPERIMENTS[key], found)} == stale


def test_all_code_that_something_is_said_to_rest_on_is_there():
    """A name that was moved would be a digest that never changes again."""
    sources = fresh._sources(fresh.ROOT)
    named = [measured.code for measured in fresh.WHOLE.values()] + [fresh._code_of(e) for e in EXPERIMENTS.values()]
    starts = {name for code in named for name in code if not name.endswith(".json")}
    assert [name for name, content in sources.reached(starts).items() if content is None] == []
    assert all((fresh.ROOT / name).exists() for code in named for name in code if name.endswith(".json"))


def test_the_page_marks_a_table_whose_rule_has_changed(changed, monkeypatch):
    found = stamped(EXPERIMENTS["s-sets"])
    monkeypatch.setattr(results, "stored", lambda key, folder=None: found if key == "s-sets" else results.Results(key))

    def warnings():
        at = AppTest.from_file(str(PAGE), default_timeout=60)
        at.query_params["o_cmp_experiment"] = "s-sets"
        at.run()
        assert complaints(at) == []
        return [warning.value for warning in at.warning]

    assert warnings() == []
    changed(*RULE)
    assert len(warnings()) == 1
    assert f"{len(found.rows)} of these {len(found.rows)} measurements" in warnings()[0]
    assert "make fresh" in warnings()[0]


def test_stale_rows_are_measured_again_one_by_one_and_fresh_ones_are_left(tmp_path):
    case = replace(RANGE.cases[0], variants=RANGE.cases[0].variants[:3])
    small = replace(RANGE, cases=(case,), repeats=1)
    said = []
    known = complete.complete(small, folder=tmp_path, say=said.append)
    assert len(said) == len(known.rows) == 3
    assert not fresh.stale_rows(small, known)
    old = tuple(row | {"rests_on": "other"} if i == 1 else row for i, row in enumerate(known.rows))
    results.store(replace(known, rows=old), tmp_path)
    again = complete.complete(small, folder=tmp_path, say=said.append)
    assert len(said) == 4, "the stale one alone"
    assert not fresh.stale_rows(small, again)
    assert [row["n_clusters"] for row in again.rows] == [row["n_clusters"] for row in known.rows]


def test_documents_say_what_their_figures_rest_on(tmp_path):
    (tmp_path / "README.md").write_text(
        f"{fresh.mark('quality')}\n<!-- rests on: hard 00000000 -->\n", encoding="utf-8"
    )
    assert [(stale.where, stale.name) for stale in fresh.stale_documents(tmp_path)] == [("README.md:2", "hard")]
    for path in (path for pattern in fresh.DOCUMENTS for path in fresh.ROOT.glob(pattern)):
        named = {name for _, name, _ in fresh.marks(path.read_text(encoding="utf-8"))}
        assert named <= {*fresh.WHOLE, *EXPERIMENTS}, path
    assert fresh.marks((fresh.ROOT / "README.md").read_text(encoding="utf-8")), "README has figures of runs"


def test_the_list_names_what_is_stale_and_measures_nothing(capsys, monkeypatch):
    monkeypatch.setattr(complete, "complete", None)
    main(["fresh", "--list"])
    listed = capsys.readouterr().out
    assert all(stale.where in listed for stale in (*fresh.stale_tables(), *fresh.stale_documents()))


CHEAP = [("easy", "TSG"), ("hard", "TDG"), ("theta-range", RANGE.labels()[12]), ("clusters", "TDG")]


@pytest.mark.parametrize(("key", "label"), CHEAP)
def test_rows_that_are_said_to_be_fresh_are_found_again(key, label):
    experiment, found = EXPERIMENTS[key], results.stored(key)
    stale = set(fresh.stale_rows(experiment, found))
    rows = {(row["case"], row["repeat"], row["label"]): row for row in found.rows}
    step = next(step for step in experiment.steps(1) if step.variant.label == label)
    if step.place in stale or step.place not in rows:
        pytest.skip("it is stale, and the page says so: make fresh")
    row, _ = measured(replace(step, picture=False, scores=("nmi",)), PointsAtHand())
    assert (row["n_clusters"], row["nmi"]) == (rows[step.place]["n_clusters"], pytest.approx(rows[step.place]["nmi"]))


PLAIN = [("easy", "TSG"), ("hard", "TDG"), ("theta-range", RANGE.labels()[12]), ("theta-range", RANGE.labels()[20])]


@pytest.mark.parametrize(("key", "label"), PLAIN)
def test_what_claims_rest_on_is_found_again_without_the_engine(key, label):
    """By brute force, whatever the engine has become: stored rows of both widths have the same K and NMI."""
    rows = {(row["case"], row["repeat"], row["label"]): row for row in results.stored(key).rows}
    for step in [step for step in EXPERIMENTS[key].steps(1) if step.variant.label == label][:2]:
        plain = replace(step.variant, method=f"plain-{step.variant.method}")
        row, _ = measured(replace(step, variant=plain, picture=False, scores=("nmi",)), PointsAtHand())
        assert row["n_clusters"] == rows[step.place]["n_clusters"]
        assert row["nmi"] == pytest.approx(rows[step.place]["nmi"], abs=1e-5)


def test_a_re_run_of_the_easy_case_agrees_with_the_stored_one(tmp_path, capsys):
    main(["easy", "--repeats", "1", "--to", str(tmp_path)])
    assert "TSG" in capsys.readouterr().out
    again = results.stored("easy", tmp_path).frame().set_index(["case", "label"])
    before = results.stored("easy").frame().query("repeat == 0").set_index(["case", "label"])
    assert set(before.index) <= set(again.index)
    for place in before.index:
        # our own methods must give the same clusters anywhere; others may change with their library's version
        near = 1e-5 if place[1] == "TSG" else 0.03
        for score in ("nmi", "ami", "ari", "ssd"):
            assert again.loc[place, score] == pytest.approx(before.loc[place, score], abs=near), (place, score)
        if place[1] == "TSG":
            assert again.loc[place, "n_clusters"] == before.loc[place, "n_clusters"]
