"""The real benchmark sets, where the machine has them beside the project. They are not part of it."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

FOLDER = Path(__file__).resolve().parents[2] / "shared" / "data"


def points(name):
    """(X, truth) of a set such as "s-sets/s1" or "shapes/r15"; skips the test where the sets are absent."""
    path = FOLDER / f"{name}.csv"
    if not path.exists():
        pytest.skip(f"the real benchmark sets are not on this machine: ../shared/data/{name}.csv is missing")
    frame = pd.read_csv(path)
    return frame[["x", "y"]].to_numpy(np.float64), frame["label"].to_numpy()


def mnist(file="mnist"):
    """The path of "mnist" or "mnist-2k", .npz files; skips the test where they are absent."""
    path = FOLDER / "mnist" / f"{file}.npz"
    if not path.exists():
        pytest.skip(f"MNIST is not on this machine: ../shared/data/mnist/{file}.npz is missing")
    return path
