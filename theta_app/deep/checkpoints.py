"""Training that was interrupted goes on from a file."""

import io
from pathlib import Path

import jax
import numpy as np

from theta_app.deep.training import State
from theta_app.engine.files import write_whole

_NUMBERS = {"epoch": int, "loss": float, "seconds": float}


def save(path: Path, state: State) -> None:
    """Write a `State` so that a reader never sees half of it."""
    leaves = jax.tree.leaves((state.learnt, state.optimiser))
    content = io.BytesIO()
    numbers = {name: getattr(state, name) for name in _NUMBERS}
    np.savez(content, **numbers, **{f"leaf{i}": leaf for i, leaf in enumerate(leaves)})
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, content.getvalue())


def load(path: Path, like: State) -> State | None:
    """The `State` in a file, of the form of the state `like`; None where there is no file, or one of another form."""
    if not path.exists():
        return None
    leaves, form = jax.tree.flatten((like.learnt, like.optimiser))
    with np.load(path) as content:
        found = [content[f"leaf{i}"] for i in range(sum(name.startswith("leaf") for name in content.files))]
        if [leaf.shape for leaf in found] != [np.shape(leaf) for leaf in leaves]:
            return None
        learnt, optimiser = jax.tree.unflatten(form, found)
        numbers = {name: kind(content[name]) for name, kind in _NUMBERS.items() if name in content.files}
        return State(learnt=learnt, optimiser=optimiser, **numbers)
