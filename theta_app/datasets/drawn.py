"""Points drawn by hand. They travel in the link itself: whoever has the link has them, and nobody else."""

import string
from dataclasses import dataclass

import numpy as np

from theta_app.datasets.dataset import Dataset, from_arrays
from theta_app.datasets.spec import Spec

SHEET = (16.0, 9.0)  # width and height of what is drawn on; the lower left corner is 0, 0
MOST = 300
_STEPS = 10_000  # per unit: what is drawn is kept to four decimals, so that a link gives exactly the same clusters
_DIGITS = string.ascii_uppercase + string.ascii_lowercase + string.digits + "-_"  # letters that a URL leaves alone
_VALUE = {digit: value for value, digit in enumerate(_DIGITS)}
_LETTERS = 3  # per coordinate: 64**3 steps are more than the sheet is wide


def encoded(X: np.ndarray) -> str:
    """Points as text for a link, six letters each, in their order."""
    steps = np.round(np.asarray(X, dtype=np.float64).reshape(-1, 2) * _STEPS).astype(np.int64).ravel()
    return "".join(_DIGITS[(step >> shift) & 63] for step in steps.tolist() for shift in (12, 6, 0))


def decoded(text: str) -> np.ndarray:
    """The points that `encoded` wrote. ValueError with a sentence for a text that it cannot have written."""
    if len(text) > 2 * _LETTERS * MOST:
        raise ValueError(f"The link holds more than {MOST} drawn points, which is the most there can be.")
    if len(text) % (2 * _LETTERS) or not set(text) <= set(_DIGITS):
        raise ValueError("The link's drawn points cannot be read: a part of it is missing or was changed.")
    values = np.array([_VALUE[letter] for letter in text], dtype=np.int64).reshape(-1, 2, _LETTERS)
    X = values @ np.array([4096, 64, 1]) / _STEPS
    if (X > SHEET).any():
        raise ValueError("The link has drawn points outside the picture: a part of it was changed.")
    return X


@dataclass(frozen=True)
class Drawn(Spec):
    """Points drawn on the Learn page, as the text of `encoded`."""

    points: str

    key = "drawn"
    label = "Your drawing"

    def __post_init__(self) -> None:
        if not len(decoded(self.points)):
            raise ValueError("The link asks for drawn points and has none.")

    def dataset(self) -> Dataset:
        """The points of the drawing, without true classes."""
        return from_arrays("Drawn in Learn", "Drawn by hand on the Learn page.", decoded(self.points))
