"""Images made upright: slanted handwriting of one kind differs more than two kinds that are slanted alike."""

from collections.abc import Sequence
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from theta_app.sklearn_internals import fit_context

_CHUNK = 2_000  # images at once: some 50 MB with 28 × 28 pixels


class Upright(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
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

    _parameter_constraints = {"image_shape": [tuple, list]}  # noqa: RUF012

    def __init__(self, image_shape: Sequence[int]) -> None:
        self.image_shape = image_shape

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: ArrayLike, y: object = None) -> Self:
        """Check that rows of X, an array of shape (n, rows * columns), are images. `y` is ignored."""
        X = validate_data(self, X, dtype=np.float64)
        if len(self.image_shape) != 2 or self.image_shape[0] * self.image_shape[1] != X.shape[1]:
            raise ValueError(f"An image of {tuple(self.image_shape)} pixels does not have {X.shape[1]} of them.")
        return self

    def transform(self, X: ArrayLike) -> np.ndarray:
        """The images upright, (n, rows * columns). Images without ink, or with ink in one row, keep their slant."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        if X.size and X.min() < 0.0:
            raise ValueError("Ink is never negative: an empty pixel is 0. Do not standardise images first.")
        pictures = X.reshape(-1, *self.image_shape)
        chunks = [_upright(pictures[at : at + _CHUNK]) for at in range(0, len(pictures), _CHUNK)]
        return np.concatenate(chunks).reshape(X.shape)


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
