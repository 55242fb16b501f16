"""Training: layer by layer, then the whole autoencoder, then reconstruction and clustering together.

An epoch is one compiled loop.
"""

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax

from theta_app.deep import layer, network


@dataclass(frozen=True)
class Recipe:
    """How a network is made and trained.

    Attributes
    ----------
    hidden : tuple of int
        Widths of the encoder's layers before the latent one; the decoder mirrors them.
    latent : int
        Coordinates of the small space.
    batch : int
        Points per step.
    noise : float
        Share of a layer's inputs and outputs that are set to 0 while it is trained alone; it learns to put them back.
    image : (rows, columns) or None
        Shape of the picture that a point is.
    shift : int
        Pixels by which pictures are moved at random, up and down, left and right, in training; 0 for none.
    rate, refining_rate : float
        Adam's learning rate at the start of pre-training, from where it falls to 0 along a cosine; and in refinement.
    weight : float
        How much the clustering counts beside the reconstruction (IDEC's γ).
    refresh : int
        Steps after which the target distribution is made anew; at least once per epoch.
    """

    hidden: tuple = (500, 500, 2000)
    latent: int = 10
    batch: int = 128
    noise: float = 0.2
    image: tuple | None = None
    shift: int = 0
    rate: float = 1e-3
    refining_rate: float = 1e-3
    weight: float = 0.1
    refresh: int = 140

    def steps(self, n: int) -> int:
        """Steps per epoch over n points."""
        return -(-n // min(self.batch, n))


@dataclass(frozen=True, eq=False)
class State:
    """Where training is, and all it needs to go on.

    Attributes
    ----------
    epoch : int
        Epochs that are done.
    learnt : tree of arrays
        The network's parameters in pre-training; (parameters, centres) in refinement.
    optimiser : tree of arrays
        What Adam remembers.
    loss : float
        The mean over the last epoch's steps; NaN before the first.
    seconds : float
        CPU seconds it has taken, where whoever trains keeps count.
    """

    epoch: int
    learnt: Any
    optimiser: Any
    loss: float = float("nan")
    seconds: float = 0.0


def bytes_needed(n: int, d: int, recipe: Recipe) -> int:
    """About the memory that training on n points of d columns takes: the data, the widest layer, and Adam's four."""
    widths = (d, *recipe.hidden, recipe.latent)
    weights = 2 * sum(a * b for a, b in itertools.pairwise(widths))
    return 4 * (3 * n * d + n * max(recipe.hidden) + 5 * weights)


# ---- losses ---------------------------------------------------------------------------------------------------------


def rebuilding_loss(parameters: network.Layers, x: jax.Array) -> jax.Array:
    """Mean squared error of what the network makes of `x`."""
    return ((network.decode(parameters, network.encode(parameters, x)) - x) ** 2).mean()


def layer_loss(
    pair: Sequence[tuple[jax.Array, jax.Array]],
    x: jax.Array,
    key: jax.Array,
    noise: float,
    outermost: bool,
    innermost: bool,
) -> jax.Array:
    """Mean squared error of one layer and its mirror, with parts of their inputs hidden.

    As in the whole network, ReLU follows all but the `outermost` mirror and the `innermost` layer.
    """
    (weights, offsets), (back, back_offsets) = pair
    first, second = jax.random.split(key)
    hidden = _partly(first, x, noise) @ weights + offsets
    if not innermost:
        hidden = _partly(second, jax.nn.relu(hidden), noise)
    rebuilt = hidden @ back + back_offsets
    return (((rebuilt if outermost else jax.nn.relu(rebuilt)) - x) ** 2).mean()


def _partly(key: jax.Array, x: jax.Array, noise: float) -> jax.Array:
    """Some values set to 0 at random and the others enlarged, so that their sum stays about the same."""
    if not noise:
        return x
    return jnp.where(jax.random.bernoulli(key, 1.0 - noise, x.shape), x / (1.0 - noise), 0.0)


def joint_loss(learnt: tuple[network.Layers, jax.Array], x: jax.Array, p: jax.Array, weight: float) -> jax.Array:
    """Reconstruction, and `weight` times the divergence of the soft labels from their target `p`."""
    parameters, centres = learnt
    z = network.encode(parameters, x)
    rebuilt = ((network.decode(parameters, z) - x) ** 2).mean()
    return rebuilt + weight * layer.divergence(p, layer.soft_labels(z, centres))


# ---- one epoch, compiled --------------------------------------------------------------------------------------------


def batches(recipe: Recipe, seed: Sequence[int], epoch: int, n: int) -> np.ndarray:
    """Indices of an epoch's batches, (steps, batch): every point once, and a few twice where n is no multiple.

    `seed` is a list of whole numbers.
    """
    order = np.random.default_rng([*seed, epoch]).permutation(n)
    return np.resize(order, (recipe.steps(n), min(recipe.batch, n))).astype(np.int32)


def moved(key: jax.Array, x: jax.Array, image: Any, shift: int) -> jax.Array:
    """Pictures (n, rows * columns) moved at random by up to `shift` pixels; zeros come in at the edges."""
    if not shift:
        return x
    pictures = jnp.pad(x.reshape(-1, *image), ((0, 0), (shift, shift), (shift, shift)))
    corners = jax.random.randint(key, (len(x), 2), 0, 2 * shift + 1)
    return jax.vmap(lambda one, corner: jax.lax.dynamic_slice(one, corner, image))(pictures, corners).reshape(x.shape)


def _descend(
    optimiser: optax.GradientTransformation, loss: Callable[..., jax.Array], carry: tuple, *of_batch: jax.Array
) -> tuple[Any, jax.Array]:
    """One step: (learnt, optimiser's state) after it, and the loss before it."""
    learnt, memory = carry
    value, slope = jax.value_and_grad(loss)(learnt, *of_batch)
    change, memory = optimiser.update(slope, memory)
    return (optax.apply_updates(learnt, change), memory), value


@partial(jax.jit, static_argnames=("optimiser", "recipe", "outermost", "innermost"))
def _layer_epoch(
    carry: tuple,
    H: jax.Array,
    indices: jax.Array,
    key: jax.Array,
    optimiser: optax.GradientTransformation,
    recipe: Recipe,
    outermost: bool,
    innermost: bool,
) -> tuple[Any, jax.Array]:
    loss = partial(layer_loss, noise=recipe.noise, outermost=outermost, innermost=innermost)

    def step(carry: tuple, of_step: tuple[jax.Array, jax.Array]) -> tuple[Any, jax.Array]:
        index, key = of_step
        moving, hiding = jax.random.split(key)
        x = moved(moving, H[index], recipe.image, recipe.shift) if outermost else H[index]
        return _descend(optimiser, loss, carry, x, hiding)

    return jax.lax.scan(step, carry, (indices, jax.random.split(key, len(indices))))


@partial(jax.jit, static_argnames=("optimiser", "recipe"))
def _rebuilding_epoch(
    carry: tuple,
    X: jax.Array,
    indices: jax.Array,
    key: jax.Array,
    optimiser: optax.GradientTransformation,
    recipe: Recipe,
) -> tuple[Any, jax.Array]:
    def step(carry: tuple, of_step: tuple[jax.Array, jax.Array]) -> tuple[Any, jax.Array]:
        index, key = of_step
        return _descend(optimiser, rebuilding_loss, carry, moved(key, X[index], recipe.image, recipe.shift))

    return jax.lax.scan(step, carry, (indices, jax.random.split(key, len(indices))))


@partial(jax.jit, static_argnames=("optimiser", "recipe"))
def _clustering_steps(
    carry: tuple,
    X: jax.Array,
    P: jax.Array,
    indices: jax.Array,
    key: jax.Array,
    optimiser: optax.GradientTransformation,
    recipe: Recipe,
) -> tuple[Any, jax.Array]:
    loss = partial(joint_loss, weight=recipe.weight)

    def step(carry: tuple, of_step: tuple[jax.Array, jax.Array]) -> tuple[Any, jax.Array]:
        index, key = of_step
        return _descend(optimiser, loss, carry, moved(key, X[index], recipe.image, recipe.shift), P[index])

    return jax.lax.scan(step, carry, (indices, jax.random.split(key, len(indices))))


@lru_cache(maxsize=16)  # the same object for the same numbers: an epoch is compiled once
def _adam(rate: float, steps: int | None = None) -> optax.GradientTransformation:
    return optax.adam(rate if steps is None else optax.cosine_decay_schedule(rate, max(steps, 1)))


# ---- training -------------------------------------------------------------------------------------------------------


def autoencoder(
    X: np.ndarray, recipe: Recipe, layer_epochs: int, epochs: int, seed: int = 0, saved: State | None = None
) -> Iterator[tuple[str, int, int, State]]:
    """Both parts of pre-training, layer by layer and whole: yields (part, epoch, epochs of the part, `State`).

    The state of a part "layers" has no optimiser; that of a part "autoencoder" may be given as `saved` to go on from,
    to the same end.
    """
    parameters = fresh_parameters(X, recipe, seed)
    if saved is None:
        total = layer_epochs * len(parameters) // 2
        for epoch, (learnt, loss) in enumerate(stacked(X, parameters, recipe, layer_epochs, seed), 1):
            parameters = learnt
            yield "layers", epoch, total, State(epoch, parameters, None, loss)
    for state in pretrained(X, parameters, recipe, epochs, seed, saved):
        yield "autoencoder", state.epoch, epochs, state


def fresh_parameters(X: np.ndarray, recipe: Recipe, seed: int = 0) -> network.Layers:
    """Of a network for the points X."""
    return network.fresh_parameters(seed, (X.shape[1], *recipe.hidden, recipe.latent))


def stacked(
    X: np.ndarray, parameters: network.Layers, recipe: Recipe, epochs: int, seed: int = 0
) -> Iterator[tuple[network.Layers, float]]:
    """Train the layers of a network one after the other, from the outside in, each with its mirror.

    Yields (parameters, loss) after each of the `epochs` of every layer. `X` is (n, d) float32.
    """
    parameters = list(parameters)
    depth = len(parameters) // 2
    optimiser = _adam(recipe.rate, epochs * recipe.steps(len(X)))
    H = jnp.asarray(X)
    for i in range(depth):
        pair = parameters[i], parameters[-1 - i]
        carry = pair, optimiser.init(pair)
        for epoch in range(epochs):
            indices, key = _draws(recipe, seed, i, epoch, len(X))
            carry, losses = _layer_epoch(carry, H, indices, key, optimiser, recipe, i == 0, i == depth - 1)
            parameters[i], parameters[-1 - i] = carry[0]
            yield list(parameters), float(losses.mean())
        weights, offsets = parameters[i]
        H = jax.nn.relu(H @ weights + offsets)


def pretrained(
    X: np.ndarray, parameters: network.Layers, recipe: Recipe, epochs: int, seed: int = 0, state: State | None = None
) -> Iterator[State]:
    """Train the whole network to rebuild its inputs: yields a `State` before the first epoch and after every one.

    With the `state` of an earlier call it goes on from there, to the same end.
    """
    optimiser = _adam(recipe.rate, epochs * recipe.steps(len(X)))
    state = state or first_state(X, parameters, recipe, epochs)
    yield state
    X = jnp.asarray(X)
    while state.epoch < epochs:
        indices, key = _draws(recipe, seed, _WHOLE, state.epoch, len(X))
        carry, losses = _rebuilding_epoch((state.learnt, state.optimiser), X, indices, key, optimiser, recipe)
        state = State(state.epoch + 1, *carry, float(losses.mean()))  # type: ignore[call-arg]
        yield state


def first_state(X: np.ndarray, parameters: network.Layers, recipe: Recipe, epochs: int) -> State:
    """The `State` from which `pretrained` begins."""
    return State(0, parameters, _adam(recipe.rate, epochs * recipe.steps(len(X))).init(parameters))


_WHOLE, _REFINING = 100, 101  # stages, after those of the layers: each draws its own orders


def _draws(recipe: Recipe, seed: int, stage: int, epoch: int, n: int) -> tuple[np.ndarray, jax.Array]:
    """An epoch's batches, and the key of its other random numbers."""
    key = jax.random.fold_in(jax.random.fold_in(jax.random.key(seed), stage), epoch)
    return batches(recipe, [seed, stage], epoch, n), key


def refined(
    X: np.ndarray,
    parameters: network.Layers,
    centres: np.ndarray,
    recipe: Recipe,
    epochs: int,
    seed: int = 0,
    state: State | None = None,
) -> Iterator[tuple[State, np.ndarray]]:
    """Train network and centres together: yields (`State`, soft labels (n, K)) before the first epoch and after each.

    With the `state` of an earlier call it goes on from there, to the same end.
    """
    optimiser = _adam(recipe.refining_rate)
    learnt = (parameters, jnp.asarray(centres, jnp.float32))
    state = state or State(0, learnt, optimiser.init(learnt))
    on_device = jnp.asarray(X)
    q = soft_labels(X, state.learnt)
    yield state, q
    while state.epoch < epochs:
        indices, key = _draws(recipe, seed, _REFINING, state.epoch, len(X))
        losses: list
        carry, losses = (state.learnt, state.optimiser), []
        for part in np.array_split(indices, max(1, round(len(indices) / recipe.refresh))):
            P = layer.target(jnp.asarray(q))
            key, used = jax.random.split(key)
            carry, found = _clustering_steps(carry, on_device, P, part, used, optimiser, recipe)
            losses.extend(np.asarray(found))
            q = soft_labels(X, carry[0])
        state = State(state.epoch + 1, *carry, float(np.mean(losses)))  # type: ignore[call-arg]
        yield state, q


def soft_labels(X: np.ndarray, learnt: tuple[network.Layers, jax.Array]) -> np.ndarray:
    """Of points, by what refinement has learnt: (n, K) float32."""
    parameters, centres = learnt
    return np.asarray(layer.soft_labels(network.embedding(parameters, X), jnp.asarray(centres)))
