"""The track of ε on Explore: the chains of the engine at each ε, at the θ one stands on; θ takes ε along."""

import numpy as np
import pytest

from tests.ui.helpers import by_size, complaints, findings_of
from theta_app import datasets, selection
from theta_app.engine import tdg, tnc
from theta_app.ui import loading, session, timeline
from theta_app.ui.timeline import of_epsilon, of_theta

SPEC = datasets.Moons(per_shape=60)
MOONS = datasets.load(SPEC)
QUERY = {**datasets.spec_to_query(SPEC), "algorithm": "TNC"}


@pytest.fixture(scope="module")
def suggested():
    return selection.suggest(MOONS.X)


def stands(at):
    """θ, ε and K as the page states them."""
    text = findings_of(at)
    values = [text.split(f'data-{name}="')[1].split('"')[0] for name in ("theta", "epsilon", "k")]
    return float(values[0]), float(values[1]), int(values[2])


def test_it_opens_on_the_suggested_chains_and_the_lengths_of_a_link(open_page, suggested):
    assert stands(open_page(query=QUERY)) == (suggested.theta, suggested.epsilon, 2)
    at = open_page(query=QUERY | {"theta": "0.2", "epsilon": "0.3217"})
    k = tnc(MOONS.X, 0.2, 0.3217).n_clusters
    assert stands(at) == (0.2, 0.3217, k)
    assert f"You are at θ = 0.2, ε = 0.3217: {k} cluster" in " ".join(e.proto.body for e in at.get("html"))


def test_theta_takes_epsilon_along_and_epsilon_is_of_its_theta(open_page):
    at = open_page(query=QUERY | {"theta": "0.2", "epsilon": "0.3217"})
    at.number_input(key="widget.theta").set_value(0.1).run()
    usual = selection.default_epsilon(selection.Chaining.of(0.1, tdg(MOONS.X, 0.1)))
    assert stands(at)[:2] == (0.1, usual)
    at.number_input(key="widget.epsilon").set_value(0.05).run()
    assert stands(at)[:2] == (0.1, 0.05)
    settings = at.session_state["theta_app.state"].settings
    assert (settings.algorithm, settings.theta, settings.epsilon) == ("TNC", 0.1, 0.05)
    assert complaints(at) == []


@pytest.mark.parametrize(("epsilon", "said"), [(1e-6, "Nothing is chained"), (90.0, "The chain joins everything")])
def test_chains_of_nothing_and_of_everything_are_said(open_page, epsilon, said):
    at = open_page(query=QUERY | {"theta": "0.1", "epsilon": str(epsilon)})
    assert any(warning.value.startswith(said) for warning in at.warning)


EDGES = {
    "one point": np.zeros((1, 2)),
    "equal points": np.ones((20, 3)),
    "one feature": np.random.default_rng(0).normal(size=(60, 1)),
    "many features": np.random.default_rng(1).normal(size=(60, 30)),
    "huge": 1e150 * np.random.default_rng(2).normal(size=(50, 2)),
    "tiny": 1e-200 * np.random.default_rng(3).normal(size=(50, 2)),
    "a lattice": np.stack(np.meshgrid(np.arange(8.0), np.arange(8.0)), axis=-1).reshape(-1, 2),
}


@pytest.mark.parametrize("name", EDGES)
def test_odd_data_have_a_track_of_epsilon_too(open_page, name):
    at = open_page("app.py", EDGES[name], shuffles=5, algorithm="TNC")
    assert complaints(at) == []
    assert stands(at)[2] >= 1


# ---- what is sent to the browser ------------------------------------------------------------------------------------


def track(theta, epsilon, monkeypatch):
    """(the frames of the track at θ, the track, the timeline of θ)."""
    drawn, real = {}, timeline.pack

    def pack(picture, *more):
        drawn["frames"] = picture.frames
        return real(picture, *more)

    monkeypatch.setattr(of_epsilon, "pack", pack)
    settings = session.Settings(algorithm="TNC", theta=theta, epsilon=epsilon)
    points = loading.sample(MOONS)
    shown = of_theta.shown_sweep(points, settings, (theta,))
    while not shown.complete:
        for _ in of_theta.sweeps.compute_next(points, shown.sweep):
            pass
        shown = of_theta.shown_sweep(points, settings, (theta,))
    of_all = of_theta.theta_timeline(shown, MOONS)
    packed = of_epsilon.epsilon_track(shown, MOONS, theta, of_all)
    return drawn["frames"], packed, of_all


def test_the_track_has_the_chains_of_the_engine_in_the_colours_of_the_timeline(monkeypatch):
    frames, packed, of_all = track(0.2, 0.3217, monkeypatch)
    assert list(packed.values) == [frame.value for frame in frames]
    n = len(tdg(MOONS.X, 0.2).sizes)
    for frame in [*frames[::20], next(frame for frame in frames if frame.value == 0.3217)]:
        result = tnc(MOONS.X, 0.2, frame.value)
        assert (frame.labels == by_size(result.labels)).all()
        assert len(frame.segments) == n - len(frame.sizes)
        assert frame.readouts["k"][0] == f"{result.n_clusters - selection.count_outlier_chains(frame.sizes):,}"
    assert packed.colours[0.3217].tolist() == of_all.colours[0.2].tolist()
    assert packed.marks[0.3217] == of_all.marks[0.2]


def test_the_track_shows_the_ranges_with_the_one_that_stands_out_first(suggested):
    chaining = selection.Chaining.of(suggested.theta, tdg(MOONS.X, suggested.theta))
    ranges = of_epsilon.track_ranges(chaining, selection.epsilon_values(chaining, 160).tolist())
    assert [r.recommended for r in ranges] == [True] + [False] * (len(ranges) - 1)
    assert ranges[0].k == 2
    assert ranges[0].middle == suggested.epsilon
    assert all(r.low < r.middle < r.high for r in ranges)
