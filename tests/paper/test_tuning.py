"""Every method has the same number of tries on the shape sets, and what is stored comes from them."""

import json

import numpy as np
import pytest

from theta_app import datasets
from theta_app.compare import METHODS
from theta_app.engine import shuffled_order
from theta_app.paper import tuning
from theta_app.paper.experiments import EXPERIMENTS, SHAPES, TRIES, TUNED

FOUND = json.loads(TUNED.read_text(encoding="utf-8"))
GENERATED = [spec for spec in SHAPES if not isinstance(spec, datasets.Original)]
MOONS = datasets.load(datasets.Moons(per_shape=60))


def test_every_method_has_the_same_number_of_different_legal_tries():
    for method, choices in tuning.tries(MOONS.X).items():
        assert len({tuple(choice.items()) for choice in choices}) == len(choices) == TRIES, method
        assert all(METHODS[method].check(choice) == choice for choice in choices)


def test_the_page_states_the_budget():
    assert f"best of {TRIES} tries" in EXPERIMENTS["shapes"].about


@pytest.mark.parametrize("spec", GENERATED, ids=lambda spec: spec.key)
def test_what_is_stored_as_tuned_is_one_of_the_tries(spec):
    X = datasets.load(spec).X
    tries = tuning.tries(np.ascontiguousarray(X[shuffled_order(len(X), 0, 0)]))
    found, opening = (FOUND[spec.key][how] for how in ("tuned", "untuned"))
    assert list(found) == list(tries)
    for method, parameters in found.items():
        assert any(alike(parameters, choice) for choice in (*tries[method], opening[method])), method


def alike(first, second):
    """Whether parameters are the same but for the last digit, in which machines may differ."""
    same = [pytest.approx(value, rel=1e-4) if isinstance(value, float) else value for value in second.values()]
    return list(first) == list(second) and list(first.values()) == same


def test_both_tables_have_the_same_methods_on_every_set():
    for spec in SHAPES:
        assert list(FOUND[spec.key]["tuned"]) == list(FOUND[spec.key]["untuned"]) == list(tuning.tries(MOONS.X))


def test_the_best_try_is_the_closest_to_the_truth_and_the_middle_one_of_equals():
    X, truth = MOONS.X, MOONS.truth
    choices = [{"k": k, "starts": 1} for k in (1, 2)]
    assert tuning._best(X, truth, "kmeans++", choices) == {"k": 2, "starts": 1}
    alone = [{"theta": theta, "distance": 0.0} for theta in (0.0, 1e-9, 2e-9)]
    assert tuning._best(X, truth, "sl", alone) == alone[1]


def test_without_tuning_every_method_has_what_the_app_opens_with():
    opened = tuning.opening_parameters(MOONS.X)
    assert opened["mixture"]["k"] == 0
    assert opened["kmeans++"]["k"] == 2, "of the app's own answer"
    assert all(METHODS[method].check(parameters) == parameters for method, parameters in opened.items())


def test_optics_is_tried_as_the_table_runs_it():
    run = tuning._optics(MOONS.X)
    for parameters in tuning.tries(MOONS.X)["optics"][:60:25]:
        assert np.array_equal(run(**parameters), METHODS["optics"].run(MOONS.X, 0, **parameters).labels)
