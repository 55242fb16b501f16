"""How the nearest centroid is looked for: the method is chosen by the data's shape, the labels never depend on it."""

import threading
import weakref
from typing import Any

import numpy as np

from theta_app.engine import anchors, blocks, cells, plain
from theta_app.engine.anchors import Anchors
from theta_app.engine.exact import none_begun
from theta_app.engine.stopping import NEVER
from theta_app.engine.validation import read_only

CELLS, BLOCKS, NEAR, ANCHORS, PLAIN = "cells", "blocks", "near", "anchors", "plain"

_AXES = (4, 8, 16, 32, 64)  # numbers of principal directions worth trying
_SAMPLE = 256  # points that choose the directions
_BOUND_COST = 5.0  # of one bound beside its products, in products
_LOOK_COST = 300.0  # of looking at one centroid in full, ...
_WHOLE_COST = 3.0  # ... and at each of its coordinates
_PAIRS = 5000  # points of which all pairs are looked at: 100 MB
_NEAR_SHARE = 0.25  # of a centroid in a bound, what a neighbour may cost
_NEAR_FROM = 64  # clusters: with fewer, lists of neighbours are longer than the list of all centroids
_ANCHORS_SHARE = 0.25  # of all anchors, ...
_ANCHORS_MOST = 16  # ... and their number, that a point may have to look at
_ROAM = 0.75  # of θ: up to there a cluster is not far from its anchor
_PATIENCE = 16  # distances per point, above which blocks would have been faster
_WIDE_TURN = 1.8  # squared distance of unit vectors, about 84°: with a larger θ sums may be too short for bounds
_AT_A_TIME = 4096  # rows seen in one step: a centred copy of all of X would double the memory


def largest_square(theta: float) -> float:
    """The largest double whose rounded square root is at most `theta`: d <= θ becomes d² <= this, exactly."""
    square = theta * theta
    if np.isinf(square):
        return np.finfo(np.float64).max
    while np.sqrt(square) > theta:
        square = np.nextafter(square, 0.0)
    while np.sqrt(np.nextafter(square, np.inf)) <= theta:
        square = np.nextafter(square, np.inf)
    return square


class _Frame:
    """From where a data set is seen: its middle, its size, and the principal axes of a sample of its points.

    The middle of unit vectors is the origin: only sums that are seen from there can be divided by their length.
    """

    def __init__(self, X: np.ndarray, unit: bool = False) -> None:
        sample = X[np.linspace(0, len(X) - 1, min(len(X), _SAMPLE)).astype(np.int64)]
        self.middle = np.zeros(X.shape[1]) if unit else sample.mean(axis=0)
        centred = sample - self.middle
        # the Gram matrix is at most 256 x 256, whatever the number of features
        values, vectors = np.linalg.eigh(centred @ centred.T)
        rank = int((values > values[-1] * 1e-12).sum()) if values[-1] > 0 else 0
        vectors = vectors[:, ::-1][:, : min(rank, max(_AXES), X.shape[1])]
        self.axes = np.linalg.qr(centred.T @ vectors)[0] if vectors.shape[1] else np.empty((X.shape[1], 0))
        flat = centred @ self.axes
        half = len(flat) // 2
        # squared distances of pairs of sample points, seen in the first axis, the first two, ...
        self.seen = np.cumsum((flat[:half] - flat[half : 2 * half]) ** 2, axis=1)
        self.reach, self.radius = _lengths(X, self.middle)
        self.scale = 2.0 ** -np.ceil(np.log2(self.radius)) if self.radius > 0 else 1.0
        self._views: dict = {}
        self._lock = threading.Lock()

    def worthwhile(self, theta: float) -> int:
        """How many axes make the cheapest search at θ; 0 if all coordinates do."""
        D = len(self.middle)
        cheapest, best = 0, D + _BOUND_COST
        for count in _AXES:
            if len(self.seen) and count <= self.axes.shape[1] and count < D:
                reached = np.mean(self.seen[:, count - 1] <= theta * theta)
                cost = count + _BOUND_COST + reached * (_LOOK_COST + _WHOLE_COST * D)
                if cost < best:
                    cheapest, best = count, cost
        return cheapest

    def view(self, X: np.ndarray, count: int) -> blocks.View:
        """X in `count` axes, or in all coordinates where that is 0."""
        axes = self.axes[:, :count]
        p = count or X.shape[1]
        rows = np.zeros((len(X), -(-p // 4) * 4), np.float32)
        squares, left = np.empty(len(X)), np.zeros(len(X))
        flat = np.empty((len(X) if count else 0, count))
        for start in range(0, len(X), _AT_A_TIME):
            part = slice(start, start + _AT_A_TIME)
            centred = (X[part] - self.middle) * self.scale
            squares[part] = np.einsum("ij,ij->i", centred, centred)
            if count:
                flat[part] = centred = centred @ axes
                outside = squares[part] - np.einsum("ij,ij->i", centred, centred)
                left[part] = np.sqrt(np.maximum(outside, 0.0) + 1e-6 * squares[part])
            rows[part, :p] = centred
        return blocks.View(rows, squares, left, flat, self.middle, self.scale, blocks.loss_of(p))

    def own_view(self, X: np.ndarray, count: int) -> blocks.View:
        """`view` of the data set itself: a sweep asks for the same at many θ. Two are kept."""
        with self._lock:
            if count not in self._views:
                while len(self._views) > 1:
                    self._views.pop(next(iter(self._views)))
                self._views[count] = self.view(X, count)
            return self._views[count]


def _lengths(X: np.ndarray, middle: np.ndarray) -> tuple[float, float]:
    """The largest length of a row of X, from the origin and from `middle`."""
    reach = radius = 0.0
    for start in range(0, len(X), _AT_A_TIME):
        part = X[start : start + _AT_A_TIME]
        reach = max(reach, np.einsum("ij,ij->i", part, part).max())
        part = part - middle
        radius = max(radius, np.einsum("ij,ij->i", part, part).max())
    return float(np.sqrt(reach)), float(np.sqrt(radius))


_known_frames: dict = {}


def _frame_of(X: np.ndarray, unit: bool) -> _Frame:
    key = id(X), unit
    known = _known_frames.get(key)
    if known is None or known[0]() is not X:
        known = weakref.ref(X, lambda _: _known_frames.pop(key, None)), _Frame(X, unit)
        _known_frames[key] = known
    return known[1]


class _Pairs:
    """Bounds of the distances between all points, of the data set that asked last."""

    _of: Any
    _bounds: Any

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._of, self._bounds = None, None

    def of(self, X: np.ndarray, frame: _Frame, stop: np.ndarray) -> np.ndarray | None:
        """They, or None where the flag `stop` was set before they were all there."""
        with self._lock:
            if self._of is None or self._of() is not X:
                self._of, self._bounds = None, None  # the old before the new
                bounds = blocks.pair_bounds(frame.own_view(X, 0), stop)
                if stop[0]:
                    return None
                self._bounds, self._of = bounds, weakref.ref(X)
            return self._bounds


_PAIRS_OF = _Pairs()


def _sized(result: tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(labels, centroids, sizes) of (labels, centroids, sums, members)."""
    return result[0], result[1], result[3][:, 0].copy()


class Search:
    """TSG passes and nearest centroids over one data set at one θ.

    X is a C-ordered float64 array whose squared distances neither overflow nor vanish (see `validation.scaled`).
    `method` forces one of "cells" (1 to 3 features), "blocks", "anchors", and "near" (at most 5,000 points:
    `blocks.tsg_near`). By default it is cells where they can be, otherwise blocks, and after the first pass anchors
    where its clusters are apart, or near where there are many and points have few neighbours.
    `stop` is a flag (`stopping`): where it is set, everything returns at once, and what it returns is of no use.
    `limit_sq` is the largest squared distance at which a point joins; by default that of θ. With `unit` points are unit
    vectors, and centroids directions.
    """

    _first: Any  # what a first pass found, and what searches learn from it: None before
    _anchors: Any
    _lists: Any

    def __init__(
        self,
        X: np.ndarray,
        theta: float,
        method: str | None = None,
        stop: np.ndarray = NEVER,
        *,
        limit_sq: float | None = None,
        unit: bool = False,
    ) -> None:
        self.X, self.stop, self.unit = read_only(X), stop, unit
        self.limit_sq = largest_square(theta) if limit_sq is None else limit_sq
        self.theta = theta if limit_sq is None else float(np.sqrt(limit_sq))
        self.method = method or (CELLS if X.shape[1] <= cells.MAX_DIMENSIONS else BLOCKS)
        if self.method == CELLS:
            self.cells = cells.geometry(self.X, self.theta)
            return
        theta = self.theta
        self.frame = _frame_of(X, unit)
        self.axes = self.frame.worthwhile(theta)
        self.view = self.frame.own_view(X, self.axes)
        if unit and self.limit_sq > _WIDE_TURN:
            self.method = PLAIN
        self._own = X  # whose pairs are known
        self._first = self._anchors = self._lists = None
        self._looked = method == BLOCKS  # whether it is settled how passes search
        self._forced = method is not None
        self._lock = threading.Lock()

    def group(self, order: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """One TSG pass over the points in `order`: (labels, centroids, sizes)."""
        if self.method == CELLS:
            return _sized(self._cells(self.X, order, self.cells))
        if self.method == PLAIN:
            return _sized(self._plain(self.X, order))
        with self._lock:
            if not self._looked:
                self._look(order)
        slack, known = self._slack(len(self.X), self.frame.radius), self._anchors
        if self._lists is not None:
            seen = self.frame.scale, self.unit, *self._lists
            return _sized(blocks.tsg_near(self.X, order, self.limit_sq, slack, *seen, self.stop))  # type: ignore[call-arg]
        if known is not None:
            patience = np.iinfo(np.int64).max if self._forced else _PATIENCE * len(self.X)
            limits = self.limit_sq, slack, np.sqrt(slack), patience
            result = anchors.tsg_anchored(self.X, order, *limits, known, self.unit, self.stop)
            if len(result[1]) or self.stop[0]:
                return _sized(result)
            self._anchors = None
        result = _sized(self._blocks(self.X, order, self.view))
        if not self._looked:
            self._first = result
        return result

    def go_on(
        self, order: np.ndarray, sums: np.ndarray, members: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """TSG over the points in `order` from clusters that are there already, as `exact` has them.

        Returns (labels, centroids, sums, members).
        """
        begun = sums, members
        if self.method == CELLS:
            return self._cells(self.X, order, self.cells, begun)
        if self.method == PLAIN:
            return self._plain(self.X, order, begun)
        view = self.frame.view(self.X, 0) if len(sums) else self.view
        return self._blocks(self.X, order, view, begun)

    def _look(self, order: np.ndarray) -> None:
        """Choose how passes search, once it is known what the first one found."""
        if self.method == ANCHORS:
            self._first = _sized(self._blocks(self.X, order, self.view))
        if (self._first is None and self.method != NEAR) or self.stop[0]:
            return
        if self.method != NEAR:
            self._anchors = self._find_anchors(*self._first[:2])
        if self.method == NEAR or (self._anchors is None and len(self.X) <= _PAIRS):
            self._lists = self._find_neighbours(np.inf if self.method == NEAR else len(self._first[1]))
        self._first, self._looked = None, True

    def _find_anchors(self, labels: np.ndarray, centroids: np.ndarray) -> Anchors | None:
        """What `anchors.tsg_anchored` needs, from a pass; None if points have too many anchors within reach."""
        n, A = len(self.X), len(centroids)
        margin = np.sqrt(self._slack(n, self.frame.radius))
        away, farthest = anchors.own_anchors(self.X, centroids, labels, margin)
        theta = min(self.theta, 4.0 * self.frame.radius)  # no point is farther from another
        radius = np.maximum(farthest, _ROAM * theta)
        most = n * A if self._forced else int(n * min(_ANCHORS_MOST, _ANCHORS_SHARE * A))
        first = np.concatenate([[0], np.cumsum(np.bincount(labels, minlength=A))])
        spans, others, others_away = anchors.other_anchors(
            self.X,
            self.frame.view(centroids, 0),
            np.argsort(labels, kind="stable"),
            first,
            farthest,
            theta + radius + 4.0 * margin,
            most,
            self.stop,
        )
        return anchors.Anchors(centroids, radius, labels, away, spans, others, others_away) if len(spans) else None

    def _find_neighbours(self, n_clusters: float) -> tuple | None:
        """Lists of neighbours, or None if so few clusters do not make them worth it."""
        if n_clusters < _NEAR_FROM:
            return None
        bounds = _PAIRS_OF.of(self._own, self.frame, self.stop)
        if bounds is None:
            return None
        slack = self._slack(len(self.X), self.frame.radius)
        reached = np.float32((2.0 * self.limit_sq + 16.0 * slack) * self.frame.scale**2 * 1.00001 + 1e-30)
        usual = np.mean(bounds[:: max(1, len(bounds) // 64)] <= reached) * len(bounds)
        if usual >= _NEAR_SHARE * n_clusters:
            return None
        return blocks.neighbour_lists(bounds, reached, int(1.2 * usual * len(bounds)) + len(bounds))  # type: ignore[arg-type]

    def vote(self, centroids: np.ndarray) -> np.ndarray:
        """TSG over centroids of passes, in their order: the centroids found."""
        in_turn = np.arange(len(centroids), dtype=np.int32)
        centroids = read_only(centroids)
        if self.method == CELLS:
            return self._cells(centroids, in_turn, cells.geometry(centroids, self.theta))[1]
        if self.method == PLAIN:
            return self._plain(centroids, in_turn)[1]
        return self._blocks(centroids, in_turn, self.frame.view(centroids, self.axes))[1]

    def _cells(
        self,
        X: np.ndarray,
        order: np.ndarray,
        geometry: tuple[np.ndarray, float, np.ndarray, float],
        begun: tuple[np.ndarray, np.ndarray] | None = None,
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        labels = np.empty(len(X), np.int32)
        begun = self.unit, *(begun or none_begun(X.shape[1]))
        return labels, *cells.tsg_cells(X, order, labels, self.limit_sq, geometry, *begun, self.stop)

    def _plain(
        self, X: np.ndarray, order: np.ndarray, begun: tuple[np.ndarray, np.ndarray] | None = None
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        return plain.tsg_plain(X, order, self.limit_sq, *(begun or none_begun(X.shape[1])), self.stop)

    def _blocks(
        self, X: np.ndarray, order: np.ndarray, view: blocks.View, begun: tuple[np.ndarray, np.ndarray] | None = None
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        slack, begun = self._slack(len(X), self.frame.radius), begun or none_begun(X.shape[1])
        return blocks.tsg_blocks(X, order, self.limit_sq, slack, view, self.unit, *begun, self.stop)

    def _slack(self, n: int, radius: float) -> float:
        """Far above what sums of n points, and of the squares of their distances, can lose to rounding."""
        lost = 4.0 * (n + self.X.shape[1]) * np.finfo(np.float64).eps * (self.frame.reach + radius)
        lost *= 10.0 if self.unit else 1.0  # sums of unit vectors may be a tenth of their number long (`_WIDE_TURN`)
        return lost * (4.0 * (self.frame.radius + radius) + lost)  # its square, where all points are one

    def nearest(self, centroids: np.ndarray) -> np.ndarray:
        """Index of the nearest centroid of every point; on a tie the lowest."""
        centroids = np.require(centroids, requirements="CW")  # type: ignore[arg-type]  # one type for kernels; a copy only if it must be
        if self.method == CELLS:
            return cells.nearest_cells(self.X, centroids, self.theta, self.stop)
        frame, view, axes = self.frame, self.view, self.axes
        radius = _lengths(centroids, frame.middle)[1]
        if radius > 1e6 * frame.radius:  # seen from so far, single precision could overflow
            frame, axes = _Frame(centroids), 0
            view = frame.view(self.X, axes)
        seen, slack = frame.view(centroids, axes), self._slack(1, radius)
        return blocks.nearest_blocks(self.X, view, centroids, seen, slack, self.stop)
