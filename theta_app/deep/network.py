"""The autoencoder: dense layers down to a small space and their mirror back, as in the DEC paper.

Parameters are a list of (weights, offsets), encoder first. Everything is float32.
"""

import itertools
from collections.abc import Callable, Sequence

import jax
import jax.numpy as jnp
import numpy as np

Layers = list[tuple[jax.Array, jax.Array]]
"""Weights and offsets of each layer."""

_CHUNK = 4096  # rows that go through the network at once: bounds the memory of the wide layer


def fresh_parameters(seed: int, widths: Sequence[int]) -> Layers:
    """Glorot's uniform weights and offsets of 0, for layers of `widths` (input, ..., latent) and their mirror."""
    sizes = [*widths, *reversed(widths[:-1])]
    keys = jax.random.split(jax.random.key(seed), len(sizes) - 1)
    glorot = jax.nn.initializers.glorot_uniform()
    return [(glorot(key, shape), jnp.zeros(shape[1])) for key, shape in zip(keys, itertools.pairwise(sizes))]


def halves(parameters: Layers) -> tuple[Layers, Layers]:
    """The encoder's layers and the decoder's."""
    middle = len(parameters) // 2
    return parameters[:middle], parameters[middle:]


def _through(layers: Layers, x: jax.Array) -> jax.Array:
    """ReLU after every layer but the last, which is linear: the latent space and the output have no bounds."""
    for weights, offsets in layers[:-1]:
        x = jax.nn.relu(x @ weights + offsets)
    weights, offsets = layers[-1]
    return x @ weights + offsets


def encode(parameters: Layers, x: jax.Array) -> jax.Array:
    """Rows as coordinates in the latent space."""
    return _through(halves(parameters)[0], x)


def decode(parameters: Layers, z: jax.Array) -> jax.Array:
    """Coordinates in the latent space as rows again."""
    return _through(halves(parameters)[1], z)


_encode = jax.jit(encode)
_rebuild = jax.jit(lambda parameters, x: decode(parameters, encode(parameters, x)))


def _in_chunks(function: Callable[[Layers, np.ndarray], jax.Array], parameters: Layers, X: np.ndarray) -> np.ndarray:
    """Chunks of one size (the last filled with zeros), so that the network is compiled once."""
    size = min(len(X), _CHUNK)
    found = []
    for start in range(0, len(X), size):
        chunk = X[start : start + size]
        filled = np.zeros((size, X.shape[1]), np.float32)
        filled[: len(chunk)] = chunk
        found.append(np.asarray(function(parameters, filled))[: len(chunk)])
    return np.concatenate(found)


def embedding(parameters: Layers, X: np.ndarray) -> np.ndarray:
    """Where the points lie in the latent space: (n, latent) float32."""
    return _in_chunks(_encode, parameters, X)


def reconstruction(parameters: Layers, X: np.ndarray) -> np.ndarray:
    """What the network makes of the points: (n, d) float32."""
    return _in_chunks(_rebuild, parameters, X)
