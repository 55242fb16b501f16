"""The clustering layer: soft labels by Student's t, and the target that sharpens them (Xie, Girshick, Farhadi 2016)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import jax.numpy as jnp
import numpy as np

if TYPE_CHECKING:
    import jax


def soft_labels(z: jax.Array | np.ndarray, centres: jax.Array) -> jax.Array:
    """How much each point belongs to each centre: (n, K), rows sum to 1. One degree of freedom, as in the paper."""
    squared = ((z[:, None, :] - centres[None, :, :]) ** 2).sum(axis=2)
    near = 1.0 / (1.0 + squared)
    return near / near.sum(axis=1, keepdims=True)


def target(q: jax.Array) -> jax.Array:
    """Soft labels squared, so that sure ones weigh more, over the clusters' sizes, so that large ones do not win."""
    weight = q**2 / q.sum(axis=0)
    return weight / weight.sum(axis=1, keepdims=True)


def divergence(p: jax.Array, q: jax.Array) -> jax.Array:
    """Kullback-Leibler divergence of the target from the soft labels, the mean over the points."""
    tiny = 1e-12  # a soft label may round to 0
    return (p * (jnp.log(p + tiny) - jnp.log(q + tiny))).sum(axis=1).mean()
