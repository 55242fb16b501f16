"""TSG and nearest centroid in one to three dimensions: the cost per point hardly depends on the number of clusters.

Space is cut into cells a little wider than θ. Each cell lists the centroids that lie in it or in a cell touching it, so
the nearest centroid within θ of a point is always in the list of the point's own cell: one look-up, a handful of
distances. A centroid that moves into another cell changes lists; as it moves by 1/n of a step at its n-th member, that
is rare.

Cells are addressed by a number taken modulo the table's size, so distant cells may share a list. That adds candidates,
never loses one, and candidates are always compared by their exact distance: a squared distance is summed over the
coordinates in their order, and a centroid is its members' running sum divided by their count (the point itself while
all members are one point: the rounded quotient could miss it, and θ = 0 would no longer group duplicates).
"""

import numpy as np

from theta_app.engine.compiled import njit
from theta_app.engine.directions import CANCELLED
from theta_app.engine.exact import more_rows

MAX_DIMENSIONS = 3
CHUNK = 1024  # points fetched together


@njit(cache=True, nogil=True)
def _padded(X: np.ndarray, order: np.ndarray, first: int, points: np.ndarray) -> None:
    """Fill `points` with the rows of X from place `first` of the order on; columns beyond those of X stay as they are.

    In a loop of its own, as reads that wait for nothing overlap: a large X is visited in random order, and hardly any
    of it is in a cache.
    """
    D = X.shape[1]
    for i in range(min(points.shape[0], order.shape[0] - first)):
        point = order[first + i]
        points[i, 0] = X[point, 0]
        if D > 1:
            points[i, 1] = X[point, 1]
        if D > 2:
            points[i, 2] = X[point, 2]


@njit(cache=True, nogil=True)
def geometry(X: np.ndarray, theta: float) -> tuple[np.ndarray, float, np.ndarray, float]:
    """(origin, 1 / cell width, stride of each axis, number of cells) for cells of at least θ over the points of X."""
    origin = np.zeros(3)
    extent = np.zeros(3)
    widest = 0.0
    for j in range(X.shape[1]):
        low, high = X[0, j], X[0, j]
        for i in range(X.shape[0]):
            low = min(low, X[i, j])
            high = max(high, X[i, j])
        origin[j] = low
        extent[j] = high - low
        widest = max(widest, extent[j])
    # wider than θ, so that rounding cannot put a neighbour two cells away; and at most 2**30 cells per axis, so that
    # a cell's number is exact
    width = max(theta * 1.0001, widest * 2.0**-30)
    if width == 0.0:
        width = 1.0
    strides = np.ones(3, np.int64)
    total = 1.0
    for j in range(3):
        across = np.int64(extent[j] / width) + 3 if extent[j] > 0.0 else np.int64(1)
        total *= across
        if j < 2:
            strides[j + 1] = strides[j] * across | 1  # odd: rows spread over the table when it wraps
    return origin, 1.0 / width, strides, total


@njit(cache=True, nogil=True)
def offsets_around(D: int, strides: np.ndarray) -> np.ndarray:
    """What to add to a cell's number to reach it and the cells touching it."""
    offsets = np.empty(3**D, np.int64)
    at = 0
    for c in range(-1 if D > 2 else 0, 2 if D > 2 else 1):
        for b in range(-1 if D > 1 else 0, 2 if D > 1 else 1):
            for a in range(-1, 2):
                offsets[at] = a + b * strides[1] + c * strides[2]
                at += 1
    return offsets


@njit(cache=True, nogil=True)
def cell_of(x0: float, x1: float, x2: float, origin: np.ndarray, per_width: float, strides: np.ndarray) -> int:
    """The number of the cell that a point lies in."""
    a = np.int64(np.floor((x0 - origin[0]) * per_width))
    b = np.int64(np.floor((x1 - origin[1]) * per_width))
    c = np.int64(np.floor((x2 - origin[2]) * per_width))
    return a + b * strides[1] + c * strides[2]


@njit(cache=True, nogil=True)
def enlist(k: int, cell: int, offsets: np.ndarray, lists: np.ndarray) -> bool:
    """Put centroid k on the lists around its cell; False if one of them is full."""
    mask = lists.shape[0] - 1
    room = lists.shape[1] - 1
    for offset in offsets:
        if lists[(cell + offset) & mask, 0] >= room:
            return False
    fits = True
    for offset in offsets:
        row = (cell + offset) & mask
        if lists[row, 0] >= room:  # two of the cells share this list
            fits = False
            continue
        lists[row, 0] += 1
        lists[row, lists[row, 0]] = k
    return fits


@njit(cache=True, nogil=True)
def delist(k: int, cell: int, offsets: np.ndarray, lists: np.ndarray) -> None:
    """Take centroid `k` out of the lists of a cell and of the cells around it."""
    mask = lists.shape[0] - 1
    for offset in offsets:
        row = (cell + offset) & mask
        last = lists[row, 0]
        at = 1
        while lists[row, at] != k:
            at += 1
        lists[row, at] = lists[row, last]
        lists[row, 0] = last - 1


@njit(cache=True, nogil=True)
def all_lists(
    cells: tuple[np.ndarray, float, np.ndarray, float], K: int, offsets: np.ndarray, total: float, room: int
) -> np.ndarray:
    """Lists of all K centroids, in a table of some rows per centroid, not many more than there are cells."""
    wanted = min(total, max(4.0 * K, 4096.0))
    rows = 64
    while rows < wanted:
        rows *= 2
    while True:
        lists = np.zeros((rows, room + 1), np.int32)
        fits = True
        for k in range(K):
            if not enlist(np.int32(k), cells[k], offsets, lists):
                fits = False
                break
        if fits:
            return lists
        room = 2 * room + 1


@njit(cache=True, nogil=True)
def _nearest(
    x0: float, x1: float, x2: float, flat: bool, row: int, lists: np.ndarray, C: np.ndarray
) -> tuple[int, float]:
    """(index, squared distance) of the nearest centroid on a list; a tie goes to the older cluster.

    `flat`: there is no third coordinate, and no time for it.
    """
    best = np.int32(-1)
    best_sq = np.inf
    for at in range(1, lists[row, 0] + 1):
        k = lists[row, at]
        a = x0 - C[k, 0]
        b = x1 - C[k, 1]
        sq = a * a + b * b
        if not flat:
            c = x2 - C[k, 2]
            sq += c * c
        if sq < best_sq or (sq == best_sq and k < best):
            best, best_sq = k, sq
    return best, best_sq


@njit(cache=True, nogil=True)
def _cell_of(
    x0: float, x1: float, x2: float, flat: bool, origin: np.ndarray, per_width: float, strides: np.ndarray
) -> int:
    """As `cell_of`, without the third coordinate where there is none."""
    if not flat:
        return cell_of(x0, x1, x2, origin, per_width, strides)
    a = np.int64(np.floor((x0 - origin[0]) * per_width))
    b = np.int64(np.floor((x1 - origin[1]) * per_width))
    return a + b * strides[1]


@njit(cache=True, nogil=True, error_model="numpy")
def tsg_cells(
    X: np.ndarray,
    order: np.ndarray,
    labels: np.ndarray,
    limit_sq: float,
    cells: tuple[np.ndarray, float, np.ndarray, float],
    unit: bool,
    begun_sums: np.ndarray,
    begun: np.ndarray,
    stop: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """TSG (Algorithm 1) over the rows of X in `order`; fills labels and returns (centroids, sums, members).

    `limit_sq` is the largest squared distance whose root is at most θ, `cells` the `geometry` at θ, `unit`, `members`
    and what was begun as in `exact`, `stop` a flag (`stopping`): where it is set no clusters are returned.
    """
    N, D = order.shape[0], X.shape[1]
    origin, per_width, strides, total = cells
    offsets = offsets_around(D, strides)
    flat = D <= 2
    K = np.int64(begun.shape[0])  # a bare 0 is a type of its own, for which numba compiles what is called once more
    capacity = max(np.int64(64), K)
    sums = np.zeros((capacity, 3))
    C = np.zeros((capacity, 3))
    state = np.empty((capacity, 4), np.int64)  # a centroid's number of members, cell, 1 while they are one point, first
    for k in range(K):
        state[k, 0], state[k, 2], state[k, 3] = begun[k, 0], begun[k, 1] >= 0, begun[k, 2]
        for j in range(D):
            sums[k, j] = begun_sums[k, j]
            C[k, j] = X[begun[k, 2], j] if state[k, 2] == 1 else sums[k, j] / state[k, 0]
        if unit and state[k, 2] == 0:
            _to_direction(k, sums, C, state, X)
        state[k, 1] = _cell_of(C[k, 0], C[k, 1], C[k, 2], flat, origin, per_width, strides)
    room = 15 if D < 3 else 31
    lists = all_lists(state[:, 1], K, offsets, total, room)
    mask = lists.shape[0] - 1
    points = np.zeros((CHUNK, 3))  # adding 0² for coordinates that are not there changes no sum
    found = np.empty(CHUNK, np.int32)

    for first in range(0, N, CHUNK):
        if stop[0]:
            K = np.int64(0)
            break
        _padded(X, order, first, points)
        count = min(CHUNK, N - first)
        for i in range(count):
            x0, x1, x2 = points[i, 0], points[i, 1], points[i, 2]
            cell = _cell_of(x0, x1, x2, flat, origin, per_width, strides)
            k, sq = _nearest(x0, x1, x2, flat, cell & mask, lists, C)
            fits = True
            if sq <= limit_sq:
                state[k, 0] += 1
                sums[k, 0] += x0
                sums[k, 1] += x1
                if not flat:
                    sums[k, 2] += x2
                if state[k, 2] == 0 or x0 != C[k, 0] or x1 != C[k, 1] or x2 != C[k, 2]:
                    state[k, 2] = 0
                    if unit:
                        _to_direction(k, sums, C, state, X)
                    else:  # in a function of its own this takes longer than all the rest
                        n = state[k, 0]
                        C[k, 0] = sums[k, 0] / n
                        C[k, 1] = sums[k, 1] / n
                        if not flat:
                            C[k, 2] = sums[k, 2] / n
                    cell = _cell_of(C[k, 0], C[k, 1], C[k, 2], flat, origin, per_width, strides)
                    if cell != state[k, 1]:
                        delist(k, state[k, 1], offsets, lists)
                        state[k, 1] = cell
                        fits = enlist(k, cell, offsets, lists)
            else:
                if capacity == K:
                    capacity *= 2
                    sums = more_rows(sums, capacity)
                    C = more_rows(C, capacity)
                    state = more_rows(state, capacity)
                k = np.int32(K)
                K += 1
                sums[k, 0] = C[k, 0] = x0
                sums[k, 1] = C[k, 1] = x1
                sums[k, 2] = C[k, 2] = x2
                state[k, 0] = 1
                state[k, 1] = cell
                state[k, 2] = 1
                state[k, 3] = order[first + i]
                fits = enlist(k, cell, offsets, lists)
            if not fits or (mask < K and mask + 1 < total):
                lists = all_lists(state[:, 1], K, offsets, total, lists.shape[1] - 1)
                mask = lists.shape[0] - 1
            found[i] = k
        for i in range(count):
            labels[order[first + i]] = found[i]
    return C[:K, :D].copy(), sums[:K, :D].copy(), members_of(state, K)


@njit(cache=True, nogil=True)
def members_of(state: np.ndarray, K: int) -> np.ndarray:
    """Of the first K clusters, as in `exact`."""
    members = np.empty((K, 3), np.int64)
    for k in range(K):
        members[k, 0], members[k, 2] = state[k, 0], state[k, 3]
        members[k, 1] = state[k, 3] if state[k, 2] == 1 else -1
    return members


@njit(cache=True, nogil=True, error_model="numpy")
def _to_direction(k: int, sums: np.ndarray, C: np.ndarray, state: np.ndarray, X: np.ndarray) -> None:
    """Move centroid `k` to the direction of its members' sum; to the first of them where they cancel each other."""
    length = np.sqrt(sums[k, 0] * sums[k, 0] + sums[k, 1] * sums[k, 1] + sums[k, 2] * sums[k, 2])
    cancelled = length <= CANCELLED * np.float64(state[k, 0])
    for j in range(X.shape[1]):
        C[k, j] = X[state[k, 3], j] if cancelled else sums[k, j] / length


@njit(cache=True, nogil=True, error_model="numpy")
def nearest_cells(X: np.ndarray, centroids: np.ndarray, theta: float, stop: np.ndarray) -> np.ndarray:
    """Index of the nearest centroid of every point, ties to the lowest index. θ only sets the cells' width.

    Where `stop` is set, labels are of no use.
    """
    N, D = X.shape
    K = centroids.shape[0]
    C = np.zeros((K, 3))
    for j in range(D):
        for k in range(K):
            C[k, j] = centroids[k, j]
    origin, per_width, strides, total = geometry(C, theta)
    offsets = offsets_around(D, strides)
    cells = np.empty(K, np.int64)
    for k in range(K):
        cells[k] = cell_of(C[k, 0], C[k, 1], C[k, 2], origin, per_width, strides)
    lists = all_lists(cells, K, offsets, total, 15 if D < 3 else 31)
    mask = lists.shape[0] - 1
    flat = D <= 2
    sure_sq = (0.9999 / per_width) ** 2  # nearer than a cell's width: nothing off the list can be as near
    labels = np.zeros(N, np.int32)
    for i in range(N):
        if i % CHUNK == 0 and stop[0]:
            break
        x0 = X[i, 0]
        x1 = X[i, 1] if D > 1 else 0.0
        x2 = X[i, 2] if D > 2 else 0.0
        # outside the centroids' box by more than a cell: the list of that cell is some other cell's
        cell = _cell_of(x0, x1, x2, flat, origin, per_width, strides)
        best, best_sq = _nearest(x0, x1, x2, flat, cell & mask, lists, C)
        if not best_sq < sure_sq:
            for k in range(K):
                a = x0 - C[k, 0]
                b = x1 - C[k, 1]
                c = x2 - C[k, 2]
                sq = a * a + b * b + c * c
                if sq < best_sq or (sq == best_sq and k < best):
                    best, best_sq = np.int32(k), sq
        labels[i] = best
    return labels
