"""Training: denoising first, then reconstruction and clustering together. An epoch is one compiled loop."""

from dataclasses import dataclass
from functools import partial

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
        Share of the inputs that are set to 0 in pre-training; the network learns to put them back.
    rate, refining_rate : float
        Adam's learning rate at the start of pre-training, from where it falls along a cosine; and in refinement.
    weight : float
        How much the clustering counts beside the reconstruction (IDEC's γ).
    refresh : int
        Steps after which the target distribution is made anew; at least once per epoch.
    """

    hidden: tuple = (500, 500, 2000)
    latent: int = 10
    batch: int = 256
    noise: float = 0.2
    rate: float = 1e-3
    refining_rate: float = 1e-3
    weight: float = 0.1
    refresh: int = 140


def batches(seed, epoch, n, batch):
    """Indices of an epoch's batches, (steps, batch): every point once, and a few twice where n is no multiple."""
    size = min(batch, n)
    order = np.random.default_rng([seed, epoch]).permutation(n)
    steps = -(-n // size)
    return np.resize(order, (steps, size)).astype(np.int32)


def rebuilding_loss(parameters, x, wanted):
    return ((network.decode(parameters, network.encode(parameters, x)) - wanted) ** 2).mean()


def joint_loss(state, x, p, weight):
    """Reconstruction, and `weight` times the divergence of the soft labels from their target."""
    parameters, centres = state
    z = network.encode(parameters, x)
    rebuilt = ((network.decode(parameters, z) - x) ** 2).mean()
    return rebuilt + weight * layer.divergence(p, layer.soft_labels(z, centres))


def _descend(optimiser, loss, carry, *of_batch):
    """One step: (parameters, optimiser's state) after it, and the loss before it."""
    parameters, state = carry
    value, slope = jax.value_and_grad(loss)(parameters, *of_batch)
    change, state = optimiser.update(slope, state)
    return (optax.apply_updates(parameters, change), state), value


@partial(jax.jit, static_argnames=("optimiser", "noise"), donate_argnums=(0,))
def _pretraining_epoch(carry, X, indices, key, optimiser, noise):
    def step(carry, of_step):
        index, key = of_step
        x = X[index]
        kept = jax.random.bernoulli(key, 1.0 - noise, x.shape)
        return _descend(optimiser, rebuilding_loss, carry, x * kept, x)

    return jax.lax.scan(step, carry, (indices, jax.random.split(key, len(indices))))


@partial(jax.jit, static_argnames=("optimiser", "weight"), donate_argnums=(0,))
def _refining_steps(carry, X, P, indices, optimiser, weight):
    def step(carry, index):
        return _descend(optimiser, partial(joint_loss, weight=weight), carry, X[index], P[index])

    return jax.lax.scan(step, carry, indices)
