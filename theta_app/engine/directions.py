"""Points that are compared by their direction: places on a sphere, and vectors whose length says nothing.

Both are searched as unit vectors, and both distances are one function of the squared straight line s between two of
them, summed over the coordinates in their order: the great circle 2 R asin(√s / 2), and 1 - cosine = s / 2. Unlike
1 - u·v this loses nothing where points are close. Both grow with s, so a search decides by s, as it does for the
Euclidean distance, and only what is told to people is measured along the sphere.

A centroid is the direction of the sum of its members' unit vectors: the sum divided by its length. Members that cancel
out have no direction in common; then it is the first of them.
"""

import math
from dataclasses import dataclass

import numpy as np

from theta_app.engine.compiled import njit

EARTH = 6371.0088  # km, the mean radius
CANCELLED = 1e-12  # of its number of members: a sum of unit vectors that is no longer than this has no direction
_DEGREE = math.pi / 180.0
_FARTHEST = 16.0  # above every square between unit vectors, whatever rounding does to the largest, 4


@njit(cache=True, nogil=True)
def length_of(sums: np.ndarray, k: int) -> float:
    """Length of row k, its squares summed in the order of the coordinates."""
    total = 0.0
    for j in range(sums.shape[1]):
        total += sums[k, j] * sums[k, j]
    return np.sqrt(total)


@njit(cache=True, nogil=True)
def _sine_and_cosine(degrees: float) -> tuple[float, float]:
    """Exact at every quarter of a turn, and alike for angles a whole turn apart: -180° and 180° are one meridian."""
    whole = abs(degrees)  # at most 360
    quarter = int((whole + 45.0) / 90.0)
    rest = (whole - 90.0 * quarter) * _DEGREE
    sine, cosine = math.sin(rest), math.cos(rest)
    if quarter == 1:
        sine, cosine = cosine, -sine
    elif quarter == 2:
        sine, cosine = -sine, -cosine
    elif quarter == 3:
        sine, cosine = -cosine, sine
    return -sine if degrees < 0.0 else sine, cosine


@njit(cache=True, nogil=True)
def _units_of_places(X: np.ndarray) -> np.ndarray:
    U = np.empty((X.shape[0], 3))
    for i in range(X.shape[0]):
        up, across = _sine_and_cosine(X[i, 0])
        sine, cosine = _sine_and_cosine(X[i, 1])
        U[i, 0] = across * cosine + 0.0  # no -0, which would be another longitude at a pole
        U[i, 1] = across * sine + 0.0
        U[i, 2] = up + 0.0
    return U


@njit(cache=True, nogil=True)
def _places_of_units(U: np.ndarray) -> np.ndarray:
    X = np.empty((U.shape[0], 2))
    for i in range(U.shape[0]):
        x, y, z = U[i, 0], U[i, 1], U[i, 2]
        X[i, 0] = math.atan2(z, np.sqrt(x * x + y * y)) / _DEGREE
        X[i, 1] = math.atan2(y, x) / _DEGREE
    return X


@njit(cache=True, nogil=True)
def _units_of_rows(X: np.ndarray) -> np.ndarray:
    """Each row divided by its largest coordinate, so that no square overflows or vanishes, and then by its length."""
    U = np.empty(X.shape)
    for i in range(X.shape[0]):
        largest = 0.0
        for j in range(X.shape[1]):
            largest = max(largest, abs(X[i, j]))
        for j in range(X.shape[1]):
            U[i, j] = X[i, j] / largest
        length = length_of(U, i)
        for j in range(X.shape[1]):
            U[i, j] /= length
    return U


@njit(cache=True, nogil=True)
def _great_circles(squares: np.ndarray, radius: float) -> np.ndarray:
    far = np.empty(squares.shape[0])
    for i in range(squares.shape[0]):
        far[i] = 2.0 * radius * math.asin(min(math.sqrt(squares[i]) / 2.0, 1.0))
    return far


@dataclass(frozen=True)
class Places:
    """Latitude and longitude in degrees; distances along the surface of a sphere, in the unit of its radius."""

    radius: float = EARTH

    def check(self, X: np.ndarray) -> np.ndarray:
        """Raise ValueError, naming the row, where a latitude or longitude is impossible."""
        for column, (name, most) in enumerate((("latitude", 90.0), ("longitude", 360.0))):
            wrong = np.flatnonzero(~(np.abs(X[:, column]) <= most))
            if len(wrong):
                raise ValueError(
                    f"metric 'haversine' takes latitude and longitude, in degrees and in this order: a {name} of "
                    f"{X[wrong[0], column]:g} (row {wrong[0]}) is not possible"
                )
        return X

    def possible(self, X: np.ndarray) -> np.ndarray:
        """The same places, with values that rounding put outside of the globe moved back."""
        inside = np.clip(X, [-90.0, -360.0], [90.0, 360.0])
        return X if np.array_equal(inside, X) else inside

    def units(self, X: np.ndarray) -> np.ndarray:
        """Unit vectors (n, 3) of places (n, 2) in degrees."""
        return _units_of_places(X)

    def rows(self, U: np.ndarray) -> np.ndarray:
        """Places (n, 2) in degrees of unit vectors (n, 3)."""
        return _places_of_units(np.ascontiguousarray(U))

    def length(self, squares: np.ndarray) -> np.ndarray:
        """Great-circle distances, in the unit of the radius, of squared distances between unit vectors."""
        return _great_circles(np.ravel(squares), self.radius).reshape(np.shape(squares))


@dataclass(frozen=True)
class Vectors:
    """Rows whose length says nothing; distances are 1 - cosine of the angle between them."""

    radius = None

    def check(self, X: np.ndarray) -> np.ndarray:
        """Raise ValueError, naming the row, where one is all zeros and so has no direction."""
        empty = np.flatnonzero(~X.any(axis=1))
        if len(empty):
            raise ValueError(
                f"metric 'cosine' compares directions, and a row of zeros (row {empty[0]}) has none: leave "
                f"{'it' if len(empty) == 1 else f'these {len(empty)} rows'} out, or use another metric"
            )
        return X

    def possible(self, X: np.ndarray) -> np.ndarray:
        """The rows as they are: every row has a direction."""
        return X

    def units(self, X: np.ndarray) -> np.ndarray:
        """The rows divided by their lengths."""
        return _units_of_rows(X)

    def rows(self, U: np.ndarray) -> np.ndarray:
        """Unit vectors as they are: lengths do not matter."""
        return U

    def length(self, squares: np.ndarray) -> np.ndarray:
        """Cosine distances, 0 to 2, of squared distances between unit vectors."""
        return np.minimum(np.asarray(squares) / 2.0, 2.0)


def largest_square(directions: Places | Vectors, theta: float) -> float:
    """The largest double whose `length` is at most `theta`, found by halving the doubles that it can be."""
    low, high = 0, int(np.array([_FARTHEST]).view(np.int64)[0])
    if directions.length(np.array([_FARTHEST]))[0] <= theta:
        return _FARTHEST
    while high - low > 1:  # doubles that are not negative are in the order of their bits
        middle = (low + high) // 2
        value = np.array([middle]).view(np.float64)
        low, high = (middle, high) if directions.length(value)[0] <= theta else (low, middle)
    return float(np.array([low]).view(np.float64)[0])
