"""TSG on data whose clusters are apart: what one pass found tells the next ones where to look.

The centroids of the first pass are anchors: they stay where they are, so each point's distance from them is computed
once. In a later pass a cluster belongs to the anchor of its founder. With ρ the distance of its centroid c from its
anchor a,

    |x - a| - ρ <= |x - c| <= |x - a| + ρ

so few clusters can be within θ of a point, and where only one can be the nearest, and certainly is within θ, not even
its distance is computed. Candidates are compared as everywhere (`exact`), so labels are those of the plain algorithm.
"""

from typing import NamedTuple

import numpy as np

from theta_app.engine.blocks import BLOCK, View, dot_products, filled_up
from theta_app.engine.compiled import njit
from theta_app.engine.exact import decide, join, means, more_rows, roughly, same, turn


class Anchors(NamedTuple):
    """Anchors and their distances from the points."""

    places: np.ndarray  # (A, d)
    radius: np.ndarray  # (A,) a cluster farther than this from its anchor is far from it: every point looks at it
    own: np.ndarray  # (n,) an anchor near each point
    away: np.ndarray  # (n,) its distance, at most
    spans: np.ndarray  # (n, 2) where in the next two a point's other anchors are
    others: np.ndarray  # anchors of which a cluster that is not far from its own can be within θ
    others_away: np.ndarray  # their distances, at least


@njit(cache=True, nogil=True)
def own_anchors(X: np.ndarray, places: np.ndarray, own: np.ndarray, margin: float) -> tuple[np.ndarray, np.ndarray]:
    """(distance of each point from its own anchor, the largest for each anchor), at least."""
    away, radius = np.empty(X.shape[0]), np.zeros(places.shape[0])
    for i in range(X.shape[0]):
        away[i] = np.sqrt(roughly(X, i, places, own[i], 1.0)) + margin
        radius[own[i]] = max(radius[own[i]], away[i])
    return away, radius


@njit(cache=True, nogil=True)
def _reached(
    square: float, k: int, product: float, squares: np.ndarray, loss: float, reach: float
) -> tuple[bool, float]:
    """(whether a point can be within reach of anchor k, the lower bound of its squared distance)."""
    bound = (square + squares[k]) * (1.0 - loss) - 2.0 * product
    return bound <= reach * reach * 1.00001 + 1e-30, bound


_TRIED = 64  # points that tell whether lists will be too long


@njit(cache=True, nogil=True)
def other_anchors(
    X: np.ndarray,
    view: View,
    by_anchor: np.ndarray,
    first: np.ndarray,
    radius: np.ndarray,
    reach: np.ndarray,
    most: int,
    stop: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(spans, others, others_away) of `Anchors`; none at all if the lists have more than `most` entries together.

    Or if it seems they will: that is only a matter of time. Nor where the flag `stop` is set.

    `view` is of the anchors in all coordinates; by_anchor[first[a] : first[a + 1]] are the points of anchor a, none of
    them farther away than radius[a]; a point looks at anchors that may be within their `reach`.
    """
    seen, squares, _, _, middle, scale, loss = view
    A, p = seen.shape
    width = filled_up(A)
    columns, near_columns = np.zeros((p, width), np.float32), np.zeros((p, width), np.float32)
    for k in range(A):
        for j in range(p):
            columns[j, k] = seen[k, j]
    rows, products = np.zeros((BLOCK, p), np.float32), np.empty((BLOCK, width), np.float32)
    near_products, candidates = np.empty((BLOCK, width), np.float32), np.empty(A + 1, np.int64)
    spans = np.zeros((X.shape[0], 2), np.int64)
    others, others_away = np.empty(most + A, np.int32), np.empty(most + A)
    found, looked, each = np.int64(0), np.int64(0), most / X.shape[0]
    for a in range(A):
        if a % BLOCK == 0:
            dot_products(seen[a : a + BLOCK], min(BLOCK, A - a), columns, width, products)
        n = 0
        for k in range(A):
            candidates[n] = k  # written always, kept if it is one
            far = reach[k] + radius[a]
            n += (k != a) & _reached(squares[a], k, products[a % BLOCK, k], squares, loss, far * scale)[0]
        for at in range(n):
            for j in range(p):
                near_columns[j, at] = columns[j, candidates[at]]
        if stop[0]:
            return spans[:0], others[:0], others_away[:0]
        for start in range(first[a], first[a + 1] if n > 0 else first[a], BLOCK):
            count = min(BLOCK, first[a + 1] - start)
            for i in range(count):
                for j in range(X.shape[1]):
                    rows[i, j] = (X[by_anchor[start + i], j] - middle[j]) * scale
            dot_products(rows, count, near_columns, filled_up(n), near_products)
            for i in range(count):
                point = by_anchor[start + i]
                square = roughly(X, point, middle.reshape((1, X.shape[1])), 0, 1.0) * scale * scale
                spans[point, 0] = found
                for at in range(n):
                    k = candidates[at]
                    near, bound = _reached(square, k, near_products[i, at], squares, loss, reach[k] * scale)
                    others[found] = k
                    others_away[found] = np.sqrt(max(bound, 0.0)) / scale
                    found += near
                spans[point, 1] = found
                looked += 1
                if found > min(most, 2.0 * each * max(looked, _TRIED)):  # they will be too many
                    return spans[:0], others[:0], others_away[:0]
    return spans, others[:found].copy(), others_away[:found].copy()


@njit(cache=True, nogil=True, error_model="numpy")
def tsg_anchored(
    X: np.ndarray,
    order: np.ndarray,
    limit_sq: float,
    slack: float,
    margin: float,
    patience: float,
    anchors: Anchors,
    unit: bool,
    stop: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """TSG (Algorithm 1); returns as `blocks.tsg_blocks`.

    `margin` is above what rounding may do to any length. No clusters are returned if more than `patience` distances had
    to be computed: these anchors are of no use; nor where the flag `stop` is set.
    """
    places, radius, own, away, spans, others, others_away = anchors
    N, D, A = order.shape[0], X.shape[1], places.shape[0]
    theta = np.sqrt(limit_sq)
    labels = np.empty(N, np.int32)
    capacity = np.int64(2 * A + 64)
    sums, members = np.empty((capacity, D)), np.empty((capacity, 3), np.int64)
    homes = np.empty((capacity, 2), np.int64)  # a cluster's anchor, and the next cluster of the same, or -1
    rho = np.empty((capacity, 2))  # its distance from there, and 1 / what its sum is divided by
    near, near_sq = np.empty(capacity, np.int64), np.empty(capacity)
    newest, reach = np.full(A, -1, np.int64), np.full(A, -np.inf)  # an anchor's clusters, and the largest ρ of them
    far, is_far = np.empty(A, np.int64), np.zeros(A, np.bool_)  # anchors with a cluster that is far from them
    n_far = np.int64(0)
    hits = np.empty(A + 1, np.int64)
    K = np.int64(0)  # not a bare 0, see cells.py
    for i in range(N):
        if i % 64 == 0 and stop[0]:
            K = np.int64(0)
            break
        point = np.int64(order[i])
        home = np.int64(own[point])
        k = newest[home]
        most = away[point] + rho[k, 0] if k >= 0 else np.inf  # the distance of the nearest cluster, at most
        limit = min(most, theta) + 4.0 * margin
        hit = 0
        for at in range(spans[point, 0], spans[point, 1]):
            hits[hit] = others[at]
            hit += others_away[at] - reach[others[at]] <= limit
        for at in range(n_far):
            hits[hit] = far[at]
            hit += far[at] != home
        if k < 0 or hit > 0 or homes[k, 1] >= 0 or most > theta - 4.0 * margin:
            hits[hit] = home
            found, about = np.int64(0), np.inf
            for at in range(hit + 1):
                k = newest[hits[at]]
                while k >= 0:
                    near[found] = k
                    near_sq[found] = roughly(X, point, sums, k, rho[k, 1])
                    about = min(about, near_sq[found])
                    found += 1
                    k = homes[k, 1]
            patience -= found
            if patience < 0:
                return labels, sums[:0].copy(), sums[:0].copy(), members[:0].copy()
            if found > 0 and about <= limit_sq + slack:
                k, about = decide(point, X, sums, members, unit, limit_sq, slack, near, near_sq, found, about)
        if k < 0:
            if capacity == K:
                capacity *= 2
                sums, members = more_rows(sums, capacity), more_rows(members, capacity)
                homes, rho = more_rows(homes, capacity), more_rows(rho, capacity)
                near, near_sq = np.empty(capacity, np.int64), np.empty(capacity)
            k = K
            K += 1
            members[k, 0] = 1
            members[k, 1] = members[k, 2] = point
            for j in range(D):
                sums[k, j] = X[point, j]
            homes[k, 0] = home
            homes[k, 1] = newest[home]
            newest[home] = k
            rho[k, 0] = away[point]
            rho[k, 1] = 1.0
        else:
            members[k, 0] += 1
            if members[k, 1] >= 0 and not same(X, point, members[k, 1]):
                members[k, 1] = -1
            home = homes[k, 0]
            if unit:
                rho[k, 1], sq, _ = turn(X, point, sums, k, rho[k, 1], places, home)  # type: ignore[misc]
            else:
                rho[k, 1] = 1.0 / members[k, 0]
                sq = join(X, point, sums, k, rho[k, 1], places, home)
            rho[k, 0] = np.sqrt(sq) + margin
        labels[point] = k
        farthest = 0.0
        k = newest[home]
        while k >= 0:
            farthest = max(farthest, rho[k, 0])
            k = homes[k, 1]
        if farthest > radius[home] and not is_far[home]:
            is_far[home] = True
            far[n_far] = home
            n_far += 1
        reach[home] = -np.inf if is_far[home] else farthest  # looked at anyway
    return labels, means(X, sums, members, K, unit), sums[:K].copy(), members[:K].copy()
