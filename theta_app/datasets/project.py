"""Two dimensions for drawing. Nothing is ever clustered in them."""

import numpy as np
from sklearn.decomposition import PCA
from sklearn.manifold import TSNE

from theta_app.datasets.dataset import frozen

METHODS = {"none": "First two columns", "pca": "PCA", "tsne": "t-SNE"}
TSNE_POINTS = 5_000  # about half a minute; the page draws a fair sample of more
PCA_FIT_ROWS = 20_000


def project(X, method="none", seed=0):
    """Where to draw the points.

    Parameters
    ----------
    X : array of shape (n, d)
    method : {"none", "pca", "tsne"}
        "none" is the points themselves in two dimensions (their first two columns in more, a line in one).
        "pca" keeps the two directions of largest variance. "tsne" keeps neighbours together and distorts distances.
    seed : int
        For t-SNE.

    Returns
    -------
    ndarray of shape (n, 2), read-only
    """
    X = np.asarray(X, dtype=np.float64)
    if method not in METHODS:
        raise ValueError(f"method must be one of {', '.join(METHODS)}, not {str(method)[:30]!r}.")
    if X.ndim != 2 or len(X) == 0:
        raise ValueError(f"X must be a table of points with at least one row, not of shape {X.shape}.")
    if method == "none" or X.shape[1] < 2 or len(X) < 3:
        return frozen(_two_columns(X))
    if method == "pca":
        return frozen(_pca(X, 2))
    return frozen(_tsne(X, seed))


def _two_columns(X):
    if X.shape[1] >= 2:
        return X[:, :2]
    return np.column_stack([X, np.zeros(len(X))])


def _pca(X, dimensions):
    """Axes from a fair sample of the rows, so that a wide table does not take minutes."""
    rows = X[fair_sample(len(X), PCA_FIT_ROWS)]
    unit = np.abs(rows).max() or 1.0  # squares of very large values must stay finite
    dimensions = min(dimensions, *rows.shape)
    with np.errstate(invalid="ignore"):  # shares of a variance of 0, where all points are equal
        Z = PCA(dimensions, random_state=0).fit(rows / unit).transform(X / unit) * unit
    return Z if dimensions >= 2 else _two_columns(Z)


def _tsne(X, seed):
    n = len(X)
    if n > TSNE_POINTS:
        raise ValueError(f"t-SNE is drawn for at most {TSNE_POINTS:,} points, not {n:,}: give it a sample.")
    if n < 5 or np.ptp(X, axis=0).max() == 0:  # t-SNE crashes where all points are the same
        return _pca(X, 2)
    Z = _pca(X, min(50, X.shape[1])) if X.shape[1] > 50 else X
    Z = Z - Z.mean(axis=0)
    Z = Z / (np.abs(Z).max() or 1.0)  # float32 inside: bring any scale into its range
    method = "exact" if n <= 300 else "barnes_hut"  # the tree pays off, and needs its threads, only for more
    return TSNE(perplexity=min(30.0, (n - 1) / 3), init="pca", method=method, random_state=seed).fit_transform(Z)


def fair_sample(n, size, seed=0):
    """Sorted positions of at most ``size`` of ``n`` rows, each equally likely."""
    if n <= size:
        return np.arange(n)
    return np.sort(np.random.default_rng(seed).choice(n, size, replace=False, shuffle=False))
