"""TSG and nearest centroid in more than three dimensions: points in blocks, distances as bounds first.

A block of points is compared with all centroids by one matrix product in single precision. With x and c as seen from
the middle of the data, y and z their coordinates in a few principal directions (or all of them), and r and s the
lengths of what the directions leave out,

    |x - c|² >= |x|² + |c|² - 2 y·z - 2 r s

and the product gives y·z. Inside a block a centroid moves by at most the sum of its steps, `drift`, which takes
2 |x| drift off the bound. What rounding may have added is taken off as well (`View.loss`).

Only centroids whose bound reaches the best distance found (or θ) are looked at in double precision, summed in whatever
order is fastest, and by the exact rule where that could matter (`exact`). So labels are those of the plain algorithm,
ties included.
"""

from typing import NamedTuple

import numpy as np

from theta_app.engine.compiled import njit
from theta_app.engine.exact import begun, decide, divisor, join, means, more_rows, roughly, same, turn

BLOCK = 16  # points; in a longer block centroids drift farther, a shorter one reads them more often
FEW = 20  # clusters: up to so many are compared with in full
SEGMENT = 64  # bounds that are passed over together
LANES = 16  # single-precision numbers that a processor handles at once: widths are filled up to a multiple
UNIT = 2.0**-24  # largest relative error of one operation in single precision

_NEVER = np.float32(1e30)  # bound of a place without a cluster


class View(NamedTuple):
    """Points as the products see them: from `middle`, times `scale`, so that no length exceeds about 1."""

    rows: np.ndarray  # (n, p) float32, in the directions; p is filled up with zeros to a multiple of 4
    squares: np.ndarray  # (n,) squared lengths
    left: np.ndarray  # (n,) at least the length of what the directions leave out
    flat: np.ndarray  # (n, d), as `rows`; no rows where the directions are all coordinates
    middle: np.ndarray
    scale: float
    loss: float  # relative error of a bound, at most


def loss_of(dimensions: int) -> float:
    """Relative error of a bound from `dimensions` products, at most: their sum, and the steps before and after."""
    return (dimensions / 8 + 32) * UNIT


@njit(cache=True, nogil=True, fastmath={"contract"})
def dot_products(rows: np.ndarray, count: int, columns: np.ndarray, width: int, out: np.ndarray) -> None:
    """out[i, k] = rows[i] · columns[:, k] for k below `width`."""
    p = rows.shape[1]
    for i in range(count):
        for k in range(width):
            out[i, k] = np.float32(0.0)
    j = 0
    while j + 8 <= p:
        for i in range(count):
            a0, a1, a2, a3 = rows[i, j], rows[i, j + 1], rows[i, j + 2], rows[i, j + 3]
            a4, a5, a6, a7 = rows[i, j + 4], rows[i, j + 5], rows[i, j + 6], rows[i, j + 7]
            for k in range(width):
                out[i, k] += (
                    a0 * columns[j, k]
                    + a1 * columns[j + 1, k]
                    + a2 * columns[j + 2, k]
                    + a3 * columns[j + 3, k]
                    + a4 * columns[j + 4, k]
                    + a5 * columns[j + 5, k]
                    + a6 * columns[j + 6, k]
                    + a7 * columns[j + 7, k]
                )
        j += 8
    if j < p:
        for i in range(count):
            a0, a1, a2, a3 = rows[i, j], rows[i, j + 1], rows[i, j + 2], rows[i, j + 3]
            for k in range(width):
                out[i, k] += (
                    a0 * columns[j, k] + a1 * columns[j + 1, k] + a2 * columns[j + 2, k] + a3 * columns[j + 3, k]
                )


@njit(cache=True, nogil=True)
def _bounds(
    products: np.ndarray,
    i: int,
    base: np.ndarray,
    left: np.ndarray,
    square: float,
    twice_left: float,
    width: int,
    bounds: np.ndarray,
    bits: np.ndarray,
    smallest: np.ndarray,
) -> None:
    """Lower bounds of the squared distances from the block's i-th point to all centroids.

    They are non-negative, so their bits are in the same order, and integers vectorise: `bits` is a view of `bounds`,
    and `smallest` becomes the smallest of each segment. Slices, because an index that might be negative does not
    vectorise.
    """
    if twice_left == np.float32(0.0):
        for k in range(width):
            bound = square + base[k] - np.float32(2.0) * products[i, k]
            bounds[k] = bound if bound > np.float32(0.0) else np.float32(0.0)
    else:
        for k in range(width):
            bound = square + base[k] - np.float32(2.0) * products[i, k] - twice_left * left[k]
            bounds[k] = bound if bound > np.float32(0.0) else np.float32(0.0)
    for s in range((width + SEGMENT - 1) // SEGMENT):
        part = bits[s * SEGMENT : min(width, (s + 1) * SEGMENT)]
        least = np.int32(2**31 - 1)
        for k in range(part.shape[0]):
            least = min(least, part[k])
        smallest[s] = least


@njit(cache=True, nogil=True)
def _smallest(bits: np.ndarray, width: int, smallest: np.ndarray) -> int:
    """Index of the smallest bound, the first on a tie."""
    segment = 0
    for s in range((width + SEGMENT - 1) // SEGMENT):
        if smallest[s] < smallest[segment]:
            segment = s
    k = segment * SEGMENT
    while bits[k] != smallest[segment]:
        k += 1
    return np.int64(k)


@njit(cache=True, nogil=True)
def _as_bound(square: float, scale: float) -> float:
    """A squared distance in the units of the bounds, rounded up."""
    return np.float32(square * scale * scale * 1.000001 + 1e-30)


@njit(cache=True, nogil=True, error_model="numpy")
def _choose(
    i: int,
    X: np.ndarray,
    sums: np.ndarray,
    members: np.ndarray,
    per: np.ndarray,
    unit: bool,
    bounds: np.ndarray,
    bits: np.ndarray,
    smallest: np.ndarray,
    width: int,
    limit_sq: float,
    scale: float,
    slack: float,
    near: np.ndarray,
    near_sq: np.ndarray,
) -> tuple[int, float]:
    """(index, squared distance up to rounding) of the centroid nearest to point i, the lowest on a tie.

    The index is -1 if the distance is larger than `limit_sq`.
    """
    first = _smallest(bits, width, smallest)
    reached = _as_bound(limit_sq + slack, scale)
    if bounds[first] > reached:
        return np.int64(-1), np.inf
    about = roughly(X, i, sums, first, per[first, 0])
    near[0] = first
    near_sq[0] = about
    found = np.int64(1)
    reached = min(reached, _as_bound(about + slack, scale))
    least = smallest.view(np.float32)
    for s in range((width + SEGMENT - 1) // SEGMENT):
        if least[s] > reached:
            continue
        for k in range(s * SEGMENT, min(width, (s + 1) * SEGMENT)):
            if bounds[k] <= reached and k != first:
                sq = roughly(X, i, sums, k, per[k, 0])
                near[found] = k
                near_sq[found] = sq
                found += 1
                if sq < about:
                    about = sq
                    reached = min(reached, _as_bound(about + slack, scale))
    return decide(i, X, sums, members, unit, limit_sq, slack, near, near_sq, found, about)


@njit(cache=True, nogil=True, error_model="numpy")
def _of_few(
    i: int,
    X: np.ndarray,
    sums: np.ndarray,
    members: np.ndarray,
    per: np.ndarray,
    unit: bool,
    K: int,
    limit_sq: float,
    slack: float,
    near: np.ndarray,
    near_sq: np.ndarray,
) -> tuple[int, float]:
    """The same as `_choose` where all K centroids are candidates."""
    about = np.inf
    for k in range(K):
        near[k] = k
        near_sq[k] = roughly(X, i, sums, k, per[k, 0])
        about = min(about, near_sq[k])
    return decide(i, X, sums, members, unit, limit_sq, slack, near, near_sq, K, about)


@njit(cache=True, nogil=True)
def _join_flat(flat: np.ndarray, i: int, flat_sums: np.ndarray, k: int, per: float) -> float:
    """The same in the directions."""
    sq = 0.0
    for j in range(flat.shape[1]):
        flat_sums[k, j] += flat[i, j]
        z = flat_sums[k, j] * per
        sq += z * z
    return sq


@njit(cache=True, nogil=True)
def _more_columns(old: np.ndarray, capacity: int) -> np.ndarray:
    new = np.zeros((old.shape[0], capacity), np.float32)
    for i in range(old.shape[0]):
        for j in range(old.shape[1]):
            new[i, j] = old[i, j]
    return new


@njit(cache=True, nogil=True)
def _all_in_turn(n: int) -> np.ndarray:
    order = np.empty(n, np.int32)
    for i in range(n):
        order[i] = i
    return order


@njit(cache=True, nogil=True)
def filled_up(K: int) -> int:
    """K rounded up to whole blocks of lanes."""
    return (K + LANES - 1) // LANES * LANES


@njit(cache=True, nogil=True)
def _tell_products(
    k: int,
    columns: np.ndarray,
    sums: np.ndarray,
    flat_sums: np.ndarray,
    per: np.ndarray,
    lengths: np.ndarray,
    base: np.ndarray,
    middle: np.ndarray,
    scale: float,
    loss: float,
) -> None:
    """From now on the products know centroid k as it is."""
    if flat_sums.shape[1] > 0:
        for j in range(flat_sums.shape[1]):
            columns[j, k] = flat_sums[k, j] * per[k, 0]
    else:
        for j in range(sums.shape[1]):
            columns[j, k] = (sums[k, j] * per[k, 0] - middle[j]) * scale
    lengths[k, 1] = lengths[k, 0]
    lengths[k, 2] = 0.0
    base[k] = lengths[k, 0] * (1.0 - loss)


@njit(cache=True, nogil=True)
def _multiply(
    start: int,
    count: int,
    order: np.ndarray,
    seen: np.ndarray,
    rows: np.ndarray,
    columns: np.ndarray,
    K: int,
    products: np.ndarray,
) -> None:
    """Products of a block's points with all centroids; 0 with those it may found."""
    for i in range(count):
        for j in range(rows.shape[1]):
            rows[i, j] = seen[order[start + i], j]
    width = filled_up(K)
    dot_products(rows, count, columns, width, products)
    for i in range(count):
        for k in range(width, width + BLOCK):
            products[i, k] = np.float32(0.0)


@njit(cache=True, nogil=True, error_model="numpy")
def tsg_blocks(
    X: np.ndarray,
    order: np.ndarray,
    limit_sq: float,
    slack: float,
    view: View,
    unit: bool,
    begun_sums: np.ndarray,
    begun_members: np.ndarray,
    stop: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """TSG (Algorithm 1) over the rows of X in `order`; returns (labels, centroids, sums, members).

    `unit`, `members` and what was begun as in `exact`; to go on, the view has to be of all coordinates. Where the flag
    `stop` is set (`stopping`), no clusters are returned.
    """
    seen, squares, outside, flat, middle, scale, loss = view
    N, D, p, d = order.shape[0], X.shape[1], seen.shape[1], flat.shape[1]
    middles = middle.reshape((1, D))
    labels = np.empty(X.shape[0], np.int32)
    K = np.int64(begun_sums.shape[0])  # not a bare 0, see cells.py
    capacity = filled_up(max(np.int64(64), K))
    sums, members = begun(begun_sums, begun_members, capacity)
    flat_sums, per = np.empty((capacity, d)), np.empty((capacity, 1))  # what to multiply sums with: 1 / divisor
    lengths = np.zeros((capacity, 3))  # a centroid's squared length, the same when the block began, its drift since
    for k in range(K):
        per[k, 0] = 1.0 / divisor(sums, members, k, unit)
        lengths[k, 0] = roughly(middles, 0, sums, k, per[k, 0]) * scale * scale
    columns, marks = np.zeros((p, capacity), np.float32), np.zeros((2, capacity), np.float32)
    base, left = marks[0], marks[1]
    rows, joined = np.empty((BLOCK, p), np.float32), np.empty(BLOCK, np.int64)
    products, bounds = np.empty((BLOCK, capacity), np.float32), np.empty(capacity, np.float32)
    bits, smallest = bounds.view(np.int32), np.empty(capacity // LANES, np.int32)
    near, near_sq = np.empty(capacity, np.int64), np.empty(capacity)
    margin = 16.0 * D * 2.0**-52
    few = True
    for start in range(0, N, BLOCK):
        if stop[0]:
            K = np.int64(0)
            break
        if capacity < K + BLOCK + LANES:
            capacity *= 2
            sums, flat_sums = more_rows(sums, capacity), more_rows(flat_sums, capacity)
            members, lengths, per = (
                more_rows(members, capacity),
                more_rows(lengths, capacity),
                more_rows(per, capacity),
            )
            columns, marks = _more_columns(columns, capacity), _more_columns(marks, capacity)
            base, left = marks[0], marks[1]
            products, bounds = np.empty((BLOCK, capacity), np.float32), np.empty(capacity, np.float32)
            bits, smallest = bounds.view(np.int32), np.empty(capacity // LANES, np.int32)
            near, near_sq = np.empty(capacity, np.int64), np.empty(capacity)
        count = min(BLOCK, N - start)
        if few and K > FEW:
            few = False
            for k in range(K):
                _tell_products(k, columns, sums, flat_sums, per, lengths, base, middle, scale, loss)
        longest = 0.0
        if not few:
            _multiply(start, count, order, seen, rows, columns, K, products)
            for k in range(K, filled_up(K + BLOCK)):
                base[k] = _NEVER
            for i in range(count):
                longest = max(longest, squares[order[start + i]])
            longest = 2.0 * np.sqrt(longest)
        for i in range(count):
            point = np.int64(order[start + i])
            if K == 0:
                k, sq = np.int64(-1), np.inf
            elif few:
                k, sq = _of_few(point, X, sums, members, per, unit, K, limit_sq, slack, near, near_sq)
            else:
                width = filled_up(K)
                square, twice_left = np.float32(squares[point] * (1.0 - loss)), np.float32(2.0 * outside[point])
                _bounds(products, i, base, left, square, twice_left, width, bounds, bits, smallest)
                # arguments one by one: a tuple made for every point costs a quarter of the pass
                k, sq = _choose(
                    point,
                    X,
                    sums,
                    members,
                    per,
                    unit,
                    bounds,
                    bits,
                    smallest,
                    width,
                    limit_sq,
                    scale,
                    slack,
                    near,
                    near_sq,
                )
            if k < 0:
                k = K
                K += 1
                members[k, 0] = 1
                members[k, 1] = members[k, 2] = point
                per[k, 0] = 1.0
                for j in range(D):
                    sums[k, j] = X[point, j]
                for j in range(d):
                    flat_sums[k, j] = flat[point, j]
                lengths[k, 0] = squares[point]
                left[k] = outside[point]
                base[k] = -_NEVER  # the products do not know it yet
            else:
                members[k, 0] += 1
                if members[k, 1] >= 0 and not same(X, point, members[k, 1]):
                    members[k, 1] = -1
                if unit:
                    per[k, 0], length, moved = turn(X, point, sums, k, per[k, 0], middles, 0)  # type: ignore[misc]
                    step = np.sqrt(moved) * 1.000001 + margin
                else:
                    per[k, 0] = 1.0 / members[k, 0]
                    length = join(X, point, sums, k, per[k, 0], middles, 0)
                    step = np.sqrt(sq + slack) * per[k, 0]
                length *= scale * scale
                lengths[k, 0] = length
                if d > 0:
                    inside = _join_flat(flat, point, flat_sums, k, per[k, 0])
                    left[k] = np.sqrt(max(length - inside, 0.0) + 1e-6 * length)
                if base[k] > -_NEVER:
                    lengths[k, 2] += step * scale
                    base[k] = length - loss * max(length, lengths[k, 1]) - longest * lengths[k, 2] * 1.000001
            labels[point] = k
            joined[i] = k
        if not few:
            for i in range(count):
                k = joined[i]
                if base[k] == -_NEVER or lengths[k, 2] > 0.0:
                    _tell_products(k, columns, sums, flat_sums, per, lengths, base, middle, scale, loss)
    return labels, means(X, sums, members, K, unit), sums[:K].copy(), members[:K].copy()


@njit(cache=True, nogil=True)
def nearest_blocks(
    X: np.ndarray, view: View, centroids: np.ndarray, centroids_view: View, slack: float, stop: np.ndarray
) -> np.ndarray:
    """Index of the nearest centroid of every point, ties to the lowest. Where `stop` is set, labels are of no use."""
    seen, squares, outside, _, _, scale, loss = view
    N, K, p = X.shape[0], centroids.shape[0], seen.shape[1]
    width = filled_up(K)
    labels = np.zeros(N, np.int32)
    columns, marks = np.zeros((p, width), np.float32), np.zeros((2, width), np.float32)
    base, left = marks[0], marks[1]
    members, per, unit = np.empty((K, 3), np.int64), np.ones((K, 1)), False  # centroids as they are
    for k in range(width):
        base[k] = _NEVER
    for k in range(K):
        members[k, 0] = 1
        members[k, 1] = -1
        base[k] = centroids_view.squares[k] * (1.0 - loss)
        left[k] = centroids_view.left[k]
        for j in range(p):
            columns[j, k] = centroids_view.rows[k, j]
    rows = np.empty((BLOCK, p), np.float32)
    products, bounds = np.empty((BLOCK, width + BLOCK), np.float32), np.empty(width, np.float32)
    bits, smallest = bounds.view(np.int32), np.empty(width // LANES, np.int32)
    near, near_sq = np.empty(width, np.int64), np.empty(width)
    in_order = _all_in_turn(N)
    for start in range(0, N, BLOCK):
        if stop[0]:
            break
        count = min(BLOCK, N - start)
        if K > FEW:
            _multiply(start, count, in_order, seen, rows, columns, K, products)
        for i in range(count):
            point = np.int64(start + i)
            if K <= FEW:
                k, _ = _of_few(point, X, centroids, members, per, unit, K, np.inf, slack, near, near_sq)
            else:
                square, twice_left = np.float32(squares[point] * (1.0 - loss)), np.float32(2.0 * outside[point])
                _bounds(products, i, base, left, square, twice_left, width, bounds, bits, smallest)
                k, _ = _choose(
                    point,
                    X,
                    centroids,
                    members,
                    per,
                    unit,
                    bounds,
                    bits,
                    smallest,
                    width,
                    np.inf,
                    scale,
                    slack,
                    near,
                    near_sq,
                )
            labels[point] = k
    return labels


@njit(cache=True, nogil=True)
def pair_bounds(view: View, stop: np.ndarray) -> np.ndarray:
    """Lower bounds of the squared distances between all points of a view, an array (n, n) of float32.

    Where `stop` is set, they are of no use.
    """
    seen, squares, outside, _, _, _, loss = view
    N, p = seen.shape
    width = filled_up(N)
    columns, marks = np.zeros((p, width), np.float32), np.zeros((2, width), np.float32)
    base, left = marks[0], marks[1]
    for k in range(N):
        base[k] = squares[k] * (1.0 - loss)
        left[k] = outside[k]
        for j in range(p):
            columns[j, k] = seen[k, j]
    rows, products = np.empty((BLOCK, p), np.float32), np.empty((BLOCK, width + BLOCK), np.float32)
    bounds = np.empty((N, N), np.float32)
    in_order = _all_in_turn(N)
    for start in range(0, N, BLOCK):
        if stop[0]:
            break
        count = min(BLOCK, N - start)
        _multiply(start, count, in_order, seen, rows, columns, N, products)
        for i in range(count):
            square, twice_left = np.float32(squares[start + i] * (1.0 - loss)), np.float32(2.0 * outside[start + i])
            for k in range(N):
                bounds[start + i, k] = square + base[k] - np.float32(2.0) * products[i, k] - twice_left * left[k]
    return bounds


@njit(cache=True, nogil=True)
def neighbour_lists(bounds: np.ndarray, reached: float, expected: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(starts, neighbours, their bounds): for each point the others whose bound is at most `reached`."""
    N = bounds.shape[0]
    starts = np.zeros(N + 1, np.int64)
    capacity = np.int64(expected)
    neighbours, near = np.empty(capacity, np.int32), np.empty(capacity, np.float32)
    found = np.int64(0)
    for i in range(N):
        if found + N > capacity:
            capacity = 2 * capacity + N
            more, more_near = np.empty(capacity, np.int32), np.empty(capacity, np.float32)
            for at in range(found):
                more[at] = neighbours[at]
                more_near[at] = near[at]
            neighbours, near = more, more_near
        for start in range(0, N, LANES):
            part = bounds[i, start : min(start + LANES, N)]
            least = np.inf
            for k in range(part.shape[0]):
                least = min(least, part[k])
            if least > reached:
                continue
            for k in range(part.shape[0]):
                if part[k] <= reached and start + k != i:
                    neighbours[found] = start + k
                    near[found] = part[k]
                    found += 1
        starts[i + 1] = found
    return starts, neighbours[:found].copy(), near[:found].copy()


@njit(cache=True, nogil=True, error_model="numpy")
def tsg_near(
    X: np.ndarray,
    order: np.ndarray,
    limit_sq: float,
    slack: float,
    scale: float,
    unit: bool,
    starts: np.ndarray,
    neighbours: np.ndarray,
    near_bounds: np.ndarray,
    stop: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """TSG (Algorithm 1) that looks for clusters among those of a point's neighbours; returns as `tsg_blocks`.

    With V the mean squared distance of a cluster's members from their mean c, the mean squared distance of its members
    from x is |x - c|² + V: if c is within θ of x, one of the members is within the root of θ² + V. As every member came
    within θ, V is below θ², and the lists, which reach to the root of 2 θ², have it.

    Of unit vectors with c the direction of their sum, which is m times their number long, it is m |x - c|² + V with
    V = 2 (1 - m), the mean squared distance from c. A member at a distance d of c takes at most d² / 2 from the sum's
    length, so V is below θ² as well.
    """
    N, D = order.shape[0], X.shape[1]
    labels = np.full(N, N, np.int32)  # N: not visited yet
    capacity = np.int64(256)
    sums, members = np.empty((capacity, D)), np.empty((capacity, 3), np.int64)  # as in `tsg_blocks`
    # sum of the members' squared distances from their centroid; the last point that saw it; 1 / divisor of its sum
    spread = np.empty((capacity, 3))
    reach = np.full(N + 1, -_NEVER, np.float32)  # bound of a member, at most, if the centroid is within θ
    near, near_sq = np.empty(N, np.int64), np.empty(N)
    hits = np.empty(N, np.int32)
    K = np.int64(0)
    for i in range(N):
        if i % 64 == 0 and stop[0]:
            K = np.int64(0)
            break
        point = np.int64(order[i])
        hit = 0
        first, last = starts[point], starts[point + 1]
        for neighbour, bound in zip(neighbours[first:last], near_bounds[first:last]):
            k = labels[neighbour]
            hits[hit] = k  # written always, kept if it is one: which of them are cannot be foreseen
            hit += bound <= reach[k]
        found, about = np.int64(0), np.inf
        for at in range(hit):
            k = hits[at]
            if spread[k, 1] != i:
                spread[k, 1] = i
                near[found] = k
                near_sq[found] = roughly(X, point, sums, k, spread[k, 2])
                about = min(about, near_sq[found])
                found += 1
        k = np.int64(-1)
        if found > 0 and about <= limit_sq + slack:
            k, about = decide(point, X, sums, members, unit, limit_sq, slack, near, near_sq, found, about)
        if k < 0:
            if capacity == K:
                capacity *= 2
                sums, members, spread = (
                    more_rows(sums, capacity),
                    more_rows(members, capacity),
                    more_rows(spread, capacity),
                )
            k = K
            K += 1
            members[k, 0] = 1
            members[k, 1] = members[k, 2] = point
            for j in range(D):
                sums[k, j] = X[point, j]
            spread[k, 0] = 0.0
            spread[k, 1] = i
            spread[k, 2] = 1.0
        else:
            n = members[k, 0]
            members[k, 0] = n + 1
            if members[k, 1] >= 0 and not same(X, point, members[k, 1]):
                members[k, 1] = -1
            for j in range(D):
                sums[k, j] += X[point, j]
            spread[k, 0] += about + slack if unit else (about + slack) * n / (n + 1)
            spread[k, 2] = 1.0 / divisor(sums, members, k, unit)
        reach[k] = _as_bound(limit_sq + spread[k, 0] / members[k, 0] + 4.0 * slack, scale)
        labels[point] = k
    return labels, means(X, sums, members, K, unit), sums[:K].copy(), members[:K].copy()
