"""The clustering layer as the DEC paper writes it, point by point in double precision."""

import numpy as np


def soft_labels(z, centres):
    """Equation 1, with one degree of freedom."""
    q = np.empty((len(z), len(centres)))
    for i, point in enumerate(z):
        for j, centre in enumerate(centres):
            q[i, j] = 1 / (1 + np.sum((point - centre) ** 2))
        q[i] /= q[i].sum()
    return q


def target(q):
    """Equation 3."""
    frequencies = q.sum(axis=0)
    p = np.empty_like(q)
    for i in range(len(q)):
        for j in range(q.shape[1]):
            p[i, j] = q[i, j] ** 2 / frequencies[j]
        p[i] /= p[i].sum()
    return p


def divergence(p, q):
    """Equation 2, per point."""
    return np.mean([sum(a * np.log(a / b) for a, b in zip(one, other)) for one, other in zip(p, q)])
