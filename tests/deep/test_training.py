"""Gradients, batches, seeds, and going on from a checkpoint."""

from dataclasses import replace
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tests.deep import naive
from theta_app.deep import checkpoints, network, training
from theta_app.deep.training import Recipe

RNG = np.random.default_rng(0)
X = RNG.random((50, 6)).astype(np.float32)
TINY = Recipe(hidden=(5,), latent=2, batch=16)
PICTURES = replace(TINY, noise=0.0, image=(2, 3), shift=1)


def slope_by_differences(loss, learnt, direction, step=1e-5):
    """The slope of a loss along a direction, from its values alone."""
    ahead, behind = (jax.tree.map(lambda a, d, s=s: a + s * d, learnt, direction) for s in (step, -step))
    return float((loss(ahead) - loss(behind)) / (2 * step))


def in_double(tree):
    """Also moved a little: where all offsets are 0, ReLU may sit exactly on its kink."""
    return jax.tree.map(
        lambda leaf: jnp.asarray(np.asarray(leaf, np.float64) + 0.1 * RNG.normal(size=leaf.shape)), tree
    )


def losses():
    """Each loss of a tiny network with what it is of."""
    parameters = network.fresh_parameters(3, (6, 5, 4, 2))
    centres = RNG.normal(size=(3, 2))
    p = naive.target(naive.soft_labels(network.embedding(parameters, X), centres))
    yield "rebuilding", partial(training.rebuilding_loss, x=X), parameters
    yield "joint", partial(training.joint_loss, x=X, p=p, weight=0.7), (parameters, centres)
    alone = partial(training.layer_loss, x=X, key=jax.random.key(0), noise=0.2, outermost=True, innermost=False)
    yield "layer", alone, (parameters[0], parameters[-1])


@pytest.mark.parametrize("which", ["rebuilding", "joint", "layer"])
def test_gradients_equal_differences(which):
    with jax.enable_x64(True):
        loss, learnt = next((loss, in_double(learnt)) for name, loss, learnt in losses() if name == which)
        loss = jax.jit(loss)
        slopes = jax.jit(jax.grad(loss))(learnt)
        for seed in range(5):
            rng = np.random.default_rng(seed)
            direction = jax.tree.map(lambda leaf, rng=rng: jnp.asarray(rng.normal(size=leaf.shape)), learnt)
            along = sum(float((a * b).sum()) for a, b in zip(jax.tree.leaves(slopes), jax.tree.leaves(direction)))
            assert along == pytest.approx(slope_by_differences(loss, learnt, direction), rel=1e-4, abs=1e-8)


def test_the_decoder_mirrors_the_encoder():
    shapes = [weights.shape for weights, _ in network.fresh_parameters(0, (7, 5, 4, 2))]
    assert shapes == [(7, 5), (5, 4), (4, 2), (2, 4), (4, 5), (5, 7)]


def test_points_in_chunks_are_embedded_as_one_by_one(monkeypatch):
    parameters = network.fresh_parameters(0, (6, 5, 4, 2))
    whole = network.embedding(parameters, X)
    monkeypatch.setattr(network, "_CHUNK", 7)
    np.testing.assert_allclose(network.embedding(parameters, X), whole, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("n", [1, 15, 16, 17, 50])
def test_an_epoch_has_every_point(n):
    indices = training.batches(TINY, [0], 0, n)
    assert set(indices.ravel()) == set(range(n))
    assert indices.shape == (TINY.steps(n), min(16, n))


def test_moved_pictures_have_the_same_pixels_elsewhere():
    picture = np.arange(1.0, 7.0, dtype=np.float32)[None].repeat(60, axis=0)
    found = np.asarray(training.moved(jax.random.key(0), picture, (2, 3), 1)).reshape(-1, 2, 3)
    padded = np.pad(picture[0].reshape(2, 3), 1)
    possible = [padded[i : i + 2, j : j + 3] for i in range(3) for j in range(3)]
    for one in found:
        assert any((one == place).all() for place in possible)
    assert len(np.unique(found.reshape(60, -1), axis=0)) > 5


EPOCHS = 30  # one number for all: the learning rate's course is compiled in


def run(recipe=TINY, seed=0, saved=None):
    return [state for *_, state in training.autoencoder(X, recipe, 2, EPOCHS, seed, saved)]


@pytest.fixture(scope="module")
def states():
    return run()


def same(one, two):
    return all(np.array_equal(a, b) for a, b in zip(jax.tree.leaves(one.learnt), jax.tree.leaves(two.learnt)))


def test_training_makes_the_loss_smaller(states):
    whole = [state for state in states if state.optimiser is not None]
    assert whole[-1].loss < 0.8 * whole[1].loss


def test_pictures_are_moved_in_training():
    recipes = PICTURES, replace(PICTURES, shift=0)
    moved, still = (next(training.stacked(X, training.fresh_parameters(X, recipe), recipe, 1))[1] for recipe in recipes)
    assert moved != still


def test_the_same_seed_gives_the_same_network_and_another_another(states):
    assert same(run()[-1], states[-1])
    assert not same(run(seed=1)[-1], states[-1])


def test_training_goes_on_from_a_checkpoint_to_the_same_end(states, tmp_path):
    interrupted = next(state for state in states if state.optimiser is not None and state.epoch == 2)
    checkpoints.save(tmp_path / "deep" / "a.npz", interrupted)
    saved = checkpoints.load(tmp_path / "deep" / "a.npz", states[-1])
    assert saved.epoch == 2
    rest = run(saved=saved)
    assert [state.epoch for state in rest] == list(range(2, EPOCHS + 1))
    assert same(rest[-1], states[-1])


def test_refinement_goes_on_from_a_checkpoint_to_the_same_end(states, tmp_path):
    parameters, centres = states[-1].learnt, X[:3, :2]
    whole = list(training.refined(X, parameters, centres, TINY, 4))
    checkpoints.save(tmp_path / "a.npz", whole[2][0])
    saved = checkpoints.load(tmp_path / "a.npz", whole[0][0])
    rest = list(training.refined(X, parameters, centres, TINY, 4, state=saved))
    assert [state.epoch for state, _ in rest] == [2, 3, 4]
    np.testing.assert_array_equal(rest[-1][1], whole[-1][1])


def test_a_checkpoint_of_another_network_is_passed_over(states, tmp_path):
    checkpoints.save(tmp_path / "a.npz", states[-1])
    deeper = replace(TINY, hidden=(5, 4))
    other = training.first_state(X, training.fresh_parameters(X, deeper), deeper, EPOCHS)
    assert checkpoints.load(tmp_path / "a.npz", other) is None
    assert checkpoints.load(tmp_path / "b.npz", states[-1]) is None


def test_the_target_is_refreshed_within_an_epoch_of_many_steps(states):
    parameters, centres = states[-1].learnt, X[:3, :2]
    often = replace(TINY, refresh=2)
    once = list(training.refined(X, parameters, centres, TINY, 1))[-1][1]
    twice = list(training.refined(X, parameters, centres, often, 1))[-1][1]
    assert not np.array_equal(once, twice)
