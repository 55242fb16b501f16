"""TSG and nearest centroid in more than three dimensions.

`*_plain` compares a point with every centroid. `*_bounded` first bounds every distance from below in a few principal
directions: with y and z the coordinates of point and centroid there, and r and s the lengths of what the directions
leave out,

    |x - c|² >= |y - z|² + (r - s)²

so only centroids whose bound reaches the best distance found (or θ) are looked at in full. Those distances are summed
in whatever order is fastest; where two candidates, or a candidate and θ, are closer than rounding could tell apart
(`slack`), they are compared by the exact rule instead: squares summed over the coordinates in their order, the centroid
as its members' sum divided by their count (the point itself while all members are one point). So both ways give the
same labels, ties included.
"""

import numpy as np

from theta_app.engine.compiled import njit

SUMS_IN_ANY_ORDER = {"reassoc", "contract", "nsz", "arcp"}


@njit(cache=True, nogil=True)
def _smallest(bits, K):
    """Index of the smallest entry, the first on a tie.

    Squares are given by their bits: for non-negative doubles the order is the same, and integers vectorise.
    """
    smallest = bits[0]
    for k in range(K):
        smallest = min(smallest, bits[k])
    none = np.int64(1) << 62
    first = none
    for k in range(K):
        first = min(first, k if bits[k] == smallest else none)
    return first


@njit(cache=True, nogil=True)
def _squares(x, columns, K, squares):
    """Squared distances from x to K centroids, stored with one coordinate per row, each summed in their order."""
    for k in range(K):
        squares[k] = 0.0
    for j in range(x.shape[0]):
        xj = x[j]
        for k in range(K):
            a = xj - columns[j, k]
            squares[k] += a * a


@njit(cache=True, nogil=True)
def _rows(rows, capacity):
    grown = np.empty((capacity, rows.shape[1]))
    for i in range(rows.shape[0]):
        for j in range(rows.shape[1]):
            grown[i, j] = rows[i, j]
    return grown


@njit(cache=True, nogil=True)
def _columns(columns, capacity):
    grown = np.empty((columns.shape[0], capacity))
    for i in range(columns.shape[0]):
        for j in range(columns.shape[1]):
            grown[i, j] = columns[i, j]
    return grown


@njit(cache=True, nogil=True)
def _counts(counts, capacity):
    grown = np.empty(capacity, np.int64)
    for i in range(counts.shape[0]):
        grown[i] = counts[i]
    return grown


@njit(cache=True, nogil=True)
def _same(a, b):
    for j in range(a.shape[0]):  # noqa: SIM110 (numba has no all() over a generator)
        if a[j] != b[j]:
            return False
    return True


@njit(cache=True, nogil=True, error_model="numpy")
def tsg_plain(X, order, limit_sq):
    """TSG (Algorithm 1) over the rows of X in `order`; returns (labels, centroids, sizes)."""
    N, D = order.shape[0], X.shape[1]
    labels = np.empty(N, np.int32)
    capacity = 64
    sums = np.empty((capacity, D))
    counts = np.empty(capacity, np.int64)
    only = np.empty(capacity, np.int64)  # the point all members equal; -1 if they differ
    columns = np.empty((D, capacity))
    squares = np.empty(capacity)
    bits = squares.view(np.int64)
    K = np.int64(0)  # not a bare 0, see cells.py
    for i in range(N):
        x = X[order[i]]
        k = -1
        if K > 0:
            _squares(x, columns, K, squares)
            k = _smallest(bits, K)
            if squares[k] > limit_sq:
                k = -1
        if k >= 0:
            counts[k] += 1
            for j in range(D):
                sums[k, j] += x[j]
            if only[k] < 0 or not _same(x, X[only[k]]):
                only[k] = -1
                n = counts[k]
                for j in range(D):
                    columns[j, k] = sums[k, j] / n
        else:
            if capacity == K:
                capacity *= 2
                sums = _rows(sums, capacity)
                counts = _counts(counts, capacity)
                only = _counts(only, capacity)
                columns = _columns(columns, capacity)
                squares = np.empty(capacity)
                bits = squares.view(np.int64)
            k = K
            K += 1
            counts[k] = 1
            only[k] = order[i]
            for j in range(D):
                sums[k, j] = x[j]
                columns[j, k] = x[j]
        labels[order[i]] = k
    return labels, columns[:, :K].T.copy(), counts[:K].copy()


@njit(cache=True, nogil=True)
def nearest_plain(X, centroids):
    """Index of the nearest centroid of every point, ties to the lowest index."""
    K = centroids.shape[0]
    labels = np.empty(X.shape[0], np.int32)
    columns = centroids.T.copy()
    squares = np.empty(K)
    bits = squares.view(np.int64)
    for i in range(X.shape[0]):
        _squares(X[i], columns, K, squares)
        labels[i] = _smallest(bits, K)
    return labels


@njit(cache=True, nogil=True, fastmath=SUMS_IN_ANY_ORDER)
def _about(x, total, per_count):
    """Squared distance from x to total / count, up to rounding."""
    sq = 0.0
    for j in range(x.shape[0]):
        a = x[j] - total[j] * per_count
        sq += a * a
    return sq


@njit(cache=True, nogil=True, error_model="numpy")
def _exactly(x, total, count):
    """The same by the rule: centroid = sum / count, squares summed in order."""
    sq = 0.0
    for j in range(x.shape[0]):
        a = x[j] - total[j] / count
        sq += a * a
    return sq


@njit(cache=True, nogil=True, fastmath=SUMS_IN_ANY_ORDER)
def _join(x, total, per_count, middle):
    """Add x to a cluster's sum; returns the squared length of its centroid as seen from `middle`."""
    sq = 0.0
    for j in range(x.shape[0]):
        t = total[j] + x[j]
        total[j] = t
        a = t * per_count - middle[j]
        sq += a * a
    return sq


@njit(cache=True, nogil=True)
def _bounds(y, r, flat, K, bounds):
    """Lower bounds of the squared distances from a point (y, r) to K centroids, one coordinate per row of `flat`."""
    last = y.shape[0]
    for k in range(K):
        a = r - flat[last, k]
        bounds[k] = a * a
    for j in range(last):
        yj = y[j]
        for k in range(K):
            a = yj - flat[j, k]
            bounds[k] += a * a


@njit(cache=True, nogil=True, error_model="numpy")
def _choose(x, X, K, sums, counts, only, bounds, bits, limit_sq, slack, near, near_sq):
    """Index of the nearest centroid if its squared distance is at most `limit_sq`, else -1; the lowest on a tie."""
    k = _smallest(bits, K)
    if bounds[k] > limit_sq + slack:
        return np.int64(-1)
    best_sq = _about(x, sums[k], 1.0 / counts[k])
    near[0] = k
    near_sq[0] = best_sq
    found = 1
    for other in range(K):
        if bounds[other] <= min(best_sq, limit_sq) + slack and other != k:
            sq = _about(x, sums[other], 1.0 / counts[other])
            near[found] = other
            near_sq[found] = sq
            found += 1
            best_sq = min(best_sq, sq)
    rivals = 0
    best = np.int64(-1)
    for at in range(found):
        if near_sq[at] <= best_sq + slack:
            near[rivals] = near[at]
            rivals += 1
            best = near[at]
    if rivals == 1 and abs(best_sq - limit_sq) > slack:
        return best if best_sq < limit_sq else np.int64(-1)
    best, best_sq = np.int64(-1), np.inf
    for at in range(rivals):
        k = near[at]
        sq = _exactly(x, sums[k], counts[k]) if only[k] < 0 else _exactly(x, X[only[k]], 1)
        if sq < best_sq or (sq == best_sq and k < best):
            best, best_sq = k, sq
    return best if best_sq <= limit_sq else np.int64(-1)


@njit(cache=True, nogil=True, error_model="numpy")
def tsg_bounded(X, order, limit_sq, Y, R, middle, slack):
    """TSG (Algorithm 1); row i of Y and R[i] are point i in the principal directions and the length left out of them.

    `middle` is the origin of those directions.
    """
    N, D, P = order.shape[0], X.shape[1], Y.shape[1]
    labels = np.empty(N, np.int32)
    capacity = 64
    sums = np.empty((capacity, D))
    counts = np.empty(capacity, np.int64)
    only = np.empty(capacity, np.int64)  # the point all members equal; -1 if they differ
    flat_sums = np.empty((capacity, P))
    flat = np.empty((P + 1, capacity))
    bounds = np.empty(capacity)
    bits = bounds.view(np.int64)
    near = np.empty(capacity, np.int64)
    near_sq = np.empty(capacity)
    K = np.int64(0)  # not a bare 0, see cells.py
    for i in range(N):
        point = order[i]
        x, y = X[point], Y[point]
        k = np.int64(-1)
        if K > 0:
            _bounds(y, R[point], flat, K, bounds)
            k = _choose(x, X, K, sums, counts, only, bounds, bits, limit_sq, slack, near, near_sq)
        if k >= 0:
            counts[k] += 1
            if only[k] >= 0 and not _same(x, X[only[k]]):
                only[k] = -1
            per_count = 1.0 / counts[k]
            left = _join(x, sums[k], per_count, middle)
            for j in range(P):
                flat_sums[k, j] += y[j]
                z = flat_sums[k, j] * per_count
                flat[j, k] = z
                left -= z * z
            flat[P, k] = np.sqrt(max(left, 0.0))
        else:
            if capacity == K:
                capacity *= 2
                sums = _rows(sums, capacity)
                counts = _counts(counts, capacity)
                only = _counts(only, capacity)
                flat_sums = _rows(flat_sums, capacity)
                flat = _columns(flat, capacity)
                bounds = np.empty(capacity)
                bits = bounds.view(np.int64)
                near = np.empty(capacity, np.int64)
                near_sq = np.empty(capacity)
            k = np.int64(K)
            K += 1
            counts[k] = 1
            only[k] = point
            for j in range(D):
                sums[k, j] = x[j]
            for j in range(P):
                flat_sums[k, j] = y[j]
                flat[j, k] = y[j]
            flat[P, k] = R[point]
        labels[point] = k
    centroids = np.empty((K, D))
    for k in range(K):
        for j in range(D):
            centroids[k, j] = X[only[k], j] if only[k] >= 0 else sums[k, j] / counts[k]
    return labels, centroids, counts[:K].copy()


@njit(cache=True, nogil=True)
def nearest_bounded(X, centroids, Y, R, flat, slack):
    """Index of the nearest centroid of every point; column k of `flat` is centroid k in the principal directions."""
    K = centroids.shape[0]
    labels = np.empty(X.shape[0], np.int32)
    ones = np.ones(K, np.int64)
    none = np.full(K, -1, np.int64)
    bounds = np.empty(K)
    bits = bounds.view(np.int64)
    near = np.empty(K, np.int64)
    near_sq = np.empty(K)
    for i in range(X.shape[0]):
        _bounds(Y[i], R[i], flat, K, bounds)
        labels[i] = _choose(X[i], X, K, centroids, ones, none, bounds, bits, np.inf, slack, near, near_sq)
    return labels
