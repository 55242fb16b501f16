"""Training that was interrupted goes on from a file."""

import io

import jax
import numpy as np

from theta_app.deep.training import State
from theta_app.engine.files import write_whole


def save(path, state):
    """Write a `State` so that a reader never sees half of it."""
    leaves = jax.tree.leaves((state.learnt, state.optimiser))
    content = io.BytesIO()
    np.savez(content, epoch=state.epoch, loss=state.loss, **{f"leaf{i}": leaf for i, leaf in enumerate(leaves)})
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, content.getvalue())


def load(path, like):
    """The `State` in a file, of the form of the state `like`; None where there is no file, or one of another form."""
    if not path.exists():
        return None
    leaves, form = jax.tree.flatten((like.learnt, like.optimiser))
    with np.load(path) as content:
        found = [content[f"leaf{i}"] for i in range(len(content.files) - 2)]
        if [leaf.shape for leaf in found] != [np.shape(leaf) for leaf in leaves]:
            return None
        learnt, optimiser = jax.tree.unflatten(form, found)
        return State(int(content["epoch"]), learnt, optimiser, float(content["loss"]))
