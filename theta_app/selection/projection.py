"""Two dimensions for drawing. Nothing is ever clustered in them."""

import numpy as np

from theta_app.engine import fair_sample

PROJECTIONS = {"pca": "PCA", "tsne": "t-SNE", "none": "First two columns"}
"""Ways to draw more than two features, and what they are called."""

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
    if method not in PROJECTIONS:
        raise ValueError(f"method must be one of {', '.join(PROJECTIONS)}, not {str(method)[:30]!r}.")
    if X.ndim != 2 or len(X) == 0:
        raise ValueError(f"X must be a table of points with at least one row, not of shape {X.shape}.")
    if method == "none" or X.shape[1] < 2 or len(X) < 3:
        return _frozen(_two_columns(X))
    if method == "pca":
        return _frozen(Axes(X)(X))
    return _frozen(_tsne(X, seed))


def _frozen(places):
    """A read-only copy: caches hand the same array to every visitor."""
    places = np.array(places, dtype=np.float64, order="C")
    places.flags.writeable = False
    return places


def _two_columns(X):
    if X.shape[1] >= 2:
        return X[:, :2]
    return np.column_stack([X, np.zeros(len(X))])


class Axes:
    """Where points are drawn that cannot be drawn as they are, and others of the same space beside them.

    On the two directions of largest variance of X (of a fair sample of its rows, so that a wide table does not take
    minutes); points of one or two features stay what they are.
    """

    def __init__(self, X, dimensions=2):
        X = np.asarray(X, dtype=np.float64)
        self.flat = X.shape[1] <= 2
        if not self.flat:
            from sklearn.decomposition import PCA  # here, as a sweep in a notebook should not wait for it

            rows = X[fair_sample(len(X), PCA_FIT_ROWS)]
            self.unit = np.abs(rows).max() or 1.0  # squares of very large values must stay finite
            with np.errstate(invalid="ignore"):  # shares of a variance of 0, where all points are equal
                self.pca = PCA(min(dimensions, *rows.shape), random_state=0).fit(rows / self.unit)

    def __call__(self, points):
        """Places (m, 2) of points (m, d)."""
        if self.flat:
            return _two_columns(points)
        Z = self.pca.transform(points / self.unit) * self.unit
        return Z if Z.shape[1] >= 2 else _two_columns(Z)


def _tsne(X, seed):
    from sklearn.manifold import TSNE

    n = len(X)
    if n > TSNE_POINTS:
        raise ValueError(f"t-SNE is drawn for at most {TSNE_POINTS:,} points, not {n:,}: give it a sample.")
    if n < 5 or np.ptp(X, axis=0).max() == 0:  # t-SNE crashes where all points are the same
        return Axes(X)(X)
    Z = Axes(X, 50)(X) if X.shape[1] > 50 else X
    Z = Z - Z.mean(axis=0)
    Z = Z / (np.abs(Z).max() or 1.0)  # float32 inside: bring any scale into its range
    method = "exact" if n <= 300 else "barnes_hut"  # the tree pays off, and needs its threads, only for more
    return TSNE(perplexity=min(30.0, (n - 1) / 3), init="pca", method=method, random_state=seed).fit_transform(Z)
