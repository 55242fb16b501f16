"""Images made comparable without a network: described by their strokes, or made upright.

Two pictures of one thing differ pixel by pixel as soon as a line lies a little aside. Where strokes run, and in which
direction, differs much less; and slanted handwriting of one kind differs more than two kinds that are slanted alike.
"""

from collections.abc import Iterator, Sequence
from numbers import Integral
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.ndimage import gaussian_filter
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from theta_app.sklearn_internals import Interval, fit_context

_CHUNK = 2_000  # images at once: some 150 MB with 28 × 28 pixels
_SIDE = 28.0  # pixels that the three lengths below are of; other images scale them
_SMOOTH, _REACH, _STEP = 0.7, 1.5, 3.0  # see `Strokes`


class _OfImages(TransformerMixin, BaseEstimator):
    """What both have: rows that are images, worked on some thousand at a time."""

    _parameter_constraints = {"image_shape": [tuple, list]}  # noqa: RUF012

    image_shape: Sequence[int]

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: ArrayLike, y: object = None) -> Self:
        """Check that rows of X, an array of shape (n, rows * columns), are images. `y` is ignored."""
        X = validate_data(self, X, dtype=np.float64)
        if len(self.image_shape) != 2 or self.image_shape[0] * self.image_shape[1] != X.shape[1]:
            raise ValueError(f"An image of {tuple(self.image_shape)} pixels does not have {X.shape[1]} of them.")
        return self

    def _checked(self, X: ArrayLike) -> np.ndarray:
        check_is_fitted(self)
        return validate_data(self, X, dtype=np.float64, reset=False)

    def _chunks(self, X: np.ndarray) -> Iterator[np.ndarray]:
        pictures = X.reshape(-1, *self.image_shape)
        return (pictures[at : at + _CHUNK] for at in range(0, len(pictures), _CHUNK))


class Strokes(ClassNamePrefixFeaturesOutMixin, _OfImages):
    """Where an image's edges run, and in which direction: a description to find neighbours by.

    An image is smoothed a little, and each pixel's gradient counts for the two nearest of some directions, by its
    length. How much of each direction lies around each place of a coarse grid describes the image: the square roots
    of these shares, so that Euclidean distances do not depend on contrast (histograms of oriented gradients, Dalal and
    Triggs 2005, with Hellinger distances). It needs no other image and no label, and takes seconds::

        make_pipeline(Strokes((28, 28)), NeighbourMap(), ThetA(space="features"))

    Parameters
    ----------
    image_shape : (rows, columns)
    directions : int, default=8
        Into how many a full turn is divided.

    Attributes
    ----------
    n_features_in_ : int

    Notes
    -----
    In an image of 28 × 28 pixels the smoothing has a standard deviation of 0.7 pixels, places lie 3 pixels apart, and
    what lies around them is weighted by a normal curve of standard deviation 1.5; other images scale these lengths.

    Examples
    --------
    >>> import numpy as np
    >>> from theta_app.deep import Strokes
    >>> upright = np.tile([0.0, 0.0, 1.0, 1.0], (4, 1))
    >>> both = Strokes((4, 4), directions=4).fit_transform([upright.ravel(), upright.T.ravel()])
    >>> both.reshape(2, 16, 4).sum(axis=1).round(2)
    array([[2.84, 0.  , 0.  , 0.  ],
           [0.  , 2.84, 0.  , 0.  ]])
    """

    _parameter_constraints = {  # noqa: RUF012
        **_OfImages._parameter_constraints,
        "directions": [Interval(Integral, 2, 64, closed="both")],
    }

    def __init__(self, image_shape: Sequence[int], directions: int = 8) -> None:
        self.image_shape = image_shape
        self.directions = directions

    def transform(self, X: ArrayLike) -> np.ndarray:
        """The strokes of images, (n, places * directions); zeros for an image of one grey."""
        X = self._checked(X)
        found = [_strokes(pictures, self.directions) for pictures in self._chunks(X)]
        return np.concatenate(found) if found else np.empty((0, self._n_features_out))

    @property
    def _n_features_out(self) -> int:
        return _strokes(np.zeros((1, *self.image_shape)), self.directions).shape[1]


def _strokes(pictures: np.ndarray, directions: int) -> np.ndarray:
    """(n, r, c) images -> (n, places * directions), places row by row."""
    scale = min(pictures.shape[1:]) / _SIDE
    smooth = gaussian_filter(pictures, _SMOOTH * scale, axes=(1, 2))
    down, right = np.gradient(smooth, axis=(1, 2))
    length, turn = np.hypot(right, down), np.arctan2(down, right) * directions / (2 * np.pi)
    step = max(1, round(_STEP * scale))
    found = []
    for direction in range(directions):
        off = np.abs((turn - direction + directions / 2) % directions - directions / 2)
        around = gaussian_filter(np.clip(1.0 - off, 0.0, 1.0) * length, _REACH * scale, axes=(1, 2))
        found.append(around[:, step // 2 :: step, step // 2 :: step])
    amounts = np.maximum(np.stack(found, axis=-1).reshape(len(pictures), -1), 0.0)
    total = amounts.sum(axis=1, keepdims=True)
    return np.sqrt(amounts / np.where(total > 0.0, total, 1.0))


class Upright(OneToOneFeatureMixin, _OfImages):
    """Images whose ink is moved to the middle and sheared along the rows until it stands upright.

    The slant is the slope of the column over the row, by least squares with the ink as weights. It needs no other
    image and no label. For handwriting and other figures on an empty ground of value 0, before a neighbour map or an
    autoencoder; photographs have no slant to take away::

        make_pipeline(Upright((28, 28)), NeighbourMap(), ThetA(space="features"))

    Parameters
    ----------
    image_shape : (rows, columns)

    Attributes
    ----------
    n_features_in_ : int

    Examples
    --------
    >>> import numpy as np
    >>> from theta_app.deep import Upright
    >>> slanted = np.eye(5)[::-1].ravel()
    >>> Upright((5, 5)).fit_transform([slanted])[0].reshape(5, 5)[:, 2]
    array([1., 1., 1., 1., 1.])
    """

    def __init__(self, image_shape: Sequence[int]) -> None:
        self.image_shape = image_shape

    def transform(self, X: ArrayLike) -> np.ndarray:
        """The images upright, (n, rows * columns). Images without ink, or with ink in one row, keep their slant."""
        X = self._checked(X)
        if X.size and X.min() < 0.0:
            raise ValueError("Ink is never negative: an empty pixel is 0. Do not standardise images first.")
        return np.concatenate([_upright(pictures) for pictures in self._chunks(X)]).reshape(X.shape)


def _upright(pictures: np.ndarray) -> np.ndarray:
    """(n, r, c): each picture read at where its pixels come from."""
    _, rows, columns = pictures.shape
    row, column = np.mgrid[:rows, :columns].astype(float)
    ink = pictures.sum(axis=(1, 2))
    weights = pictures / np.where(ink > 0.0, ink, 1.0)[:, None, None]
    middle = (rows - 1) / 2, (columns - 1) / 2
    of_row, of_column = ((weights * axis).sum(axis=(1, 2))[:, None, None] for axis in (row, column))
    tall = (weights * (row - of_row) ** 2).sum(axis=(1, 2))
    lean = (weights * (row - of_row) * (column - of_column)).sum(axis=(1, 2))
    slope = np.where(tall > 0.0, lean / np.where(tall > 0.0, tall, 1.0), 0.0)[:, None, None]
    down = row - middle[0]
    found = _read(pictures, of_row + down, of_column + (column - middle[1]) + slope * down)
    return np.where((ink > 0.0)[:, None, None], found, pictures)


def _read(pictures: np.ndarray, row: np.ndarray, column: np.ndarray) -> np.ndarray:
    """Values between pixels, by how near the four around are; 0 beyond the edges."""
    rows, columns = pictures.shape[1:]
    row, column = np.broadcast_arrays(np.clip(row, -1.0, rows), np.clip(column, -1.0, columns))
    padded = np.pad(pictures, ((0, 0), (1, 2), (1, 2)))
    top, left = np.floor(row).astype(np.intp), np.floor(column).astype(np.intp)
    below, beside, each = row - top, column - left, np.arange(len(pictures))[:, None, None]
    return (
        (1 - below) * (1 - beside) * padded[each, top + 1, left + 1]
        + (1 - below) * beside * padded[each, top + 1, left + 2]
        + below * (1 - beside) * padded[each, top + 2, left + 1]
        + below * beside * padded[each, top + 2, left + 2]
    )
