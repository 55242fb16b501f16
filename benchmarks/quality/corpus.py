"""Sets with known classes, of many kinds, drawn by number: what the verdict's weights are fitted on and judged by.

A family makes one kind of set, with sizes, separations and shapes drawn at random, so that nothing can be tuned to a
single one. Weights are judged on families they were not fitted on.
"""

from dataclasses import dataclass

import numpy as np

FAMILIES = {}
JUDGED_ONLY = set()
"""Families that the weights of candidates are not fitted on: they are answered by weights that have not seen them, and
only the confidence learns from them."""


@dataclass(frozen=True)
class Drawn:
    """One set of a family, as its number draws it. `points` gives (X, truths); no truths: there is nothing to find."""

    family: str
    number: int

    @property
    def name(self):
        return f"{self.family} {self.number:03d}"

    def points(self):
        seed = [3, list(FAMILIES).index(self.family), self.number]
        X, truths = FAMILIES[self.family](np.random.default_rng(seed))
        return np.ascontiguousarray(X, dtype=np.float64), truths


def drawn(per_family):
    """Every family's first sets."""
    return [Drawn(family, number) for number in range(per_family) for family in FAMILIES]


def is_everyday(name):
    """Whether a family is of tables as people have them: measurements beside counts, answers, ratings."""
    return name.startswith("table") or name in ("ratings with groups", "two counts")


def everyday(count=200, first=4000):
    """So many everyday tables of all kinds in turn, drawn by numbers that nothing was fitted on."""
    kinds = [name for name in FAMILIES if is_everyday(name)]
    return [Drawn(kinds[i % len(kinds)], first + i // len(kinds)) for i in range(count)]


def family(make):
    FAMILIES[make.__name__.replace("_", " ")] = make
    return make


def judged_only(make):
    JUDGED_ONLY.add(make.__name__.replace("_", " "))
    return family(make)


# ---- parts ----------------------------------------------------------------------------------------------------------


def _between(rng, low, high):
    """Log-uniform."""
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))


def _whole(rng, low, high):
    return round(_between(rng, low, high))


def _apart(rng, K, D, distance, tries=2000):
    """K centres, each at least `distance` from the others, in about as small a box as holds them."""
    side = distance * max(1.2, 1.3 * K ** (1 / D))
    centres = [rng.uniform(0, side, D)]
    while len(centres) < K:
        for _ in range(tries):
            centre = rng.uniform(0, side, D)
            if min(np.linalg.norm(centre - other) for other in centres) >= distance:
                centres.append(centre)
                break
        else:
            side *= 1.15
    return np.array(centres)


def _sizes(rng, K, n, uneven=0.0):
    """K sizes of about n together; with `uneven` the log of their spread."""
    weights = np.exp(uneven * rng.normal(size=K))
    return np.maximum((n * weights / weights.sum()).astype(int), 12)


def _clouds(rng, centres, sizes, spread):
    """Gaussian clouds; `spread` is a number or one per centre."""
    truth = np.repeat(np.arange(len(centres)), sizes)
    spreads = np.broadcast_to(np.asarray(spread, dtype=float), len(centres))[truth]
    return centres[truth] + rng.normal(size=(len(truth), centres.shape[1])) * spreads[:, None], truth


def _with_noise(rng, X, truth, share):
    """Background points, of no class, over a box a little larger than the set."""
    low, high = X.min(axis=0), X.max(axis=0)
    room = 0.05 * (high - low)
    noise = rng.uniform(low - room, high + room, (int(share * len(X)), X.shape[1]))
    return np.vstack([X, noise]), np.concatenate([truth, np.full(len(noise), -1)])


def _turned(rng, X):
    """Turned by a random angle and scaled by a random unit: neither may matter."""
    D = X.shape[1]
    turn = np.linalg.qr(rng.normal(size=(D, D)))[0]
    return X @ turn * _between(rng, 0.01, 100)


def _curve(rng, kind, n):
    """n points along a curve of about unit size."""
    t = rng.uniform(0, 1, n)
    if kind == "arc":
        angle = np.pi * rng.uniform(0.6, 1.6) * (t - 0.5)
        return np.column_stack([np.cos(angle), np.sin(angle)])
    if kind == "line":
        return np.column_stack([2 * t - 1, np.zeros(n)])
    if kind == "wave":
        return np.column_stack([2 * t - 1, 0.4 * np.sin(2 * np.pi * rng.uniform(0.7, 1.5) * t)])
    if kind == "zigzag":
        return np.column_stack([2 * t - 1, 0.5 * np.abs((4 * t) % 2 - 1)])
    angle = 2 * np.pi * t
    return np.column_stack([np.cos(angle), np.sin(angle)])  # ring


def _walk(rng, n, steps=60, bend=0.35):
    """n points along a path that bends at random."""
    heading = np.cumsum(bend * rng.normal(size=steps)) + rng.uniform(0, 2 * np.pi)
    path = np.cumsum(np.column_stack([np.cos(heading), np.sin(heading)]), axis=0) / 15
    at = rng.uniform(0, steps - 1, n)
    low = at.astype(int)
    return path[low] + (at - low)[:, None] * (path[np.minimum(low + 1, steps - 1)] - path[low])


# ---- round clusters -------------------------------------------------------------------------------------------------


@family
def blobs(rng):
    K = _whole(rng, 2, 25)
    X, truth = _clouds(rng, _apart(rng, K, 2, rng.uniform(3.6, 7.0)), _sizes(rng, K, _whole(rng, 200, 4000)), 1.0)
    return _turned(rng, X), [truth]


@family
def grid(rng):
    side = int(rng.integers(4, 10))
    centres = rng.uniform(3.8, 6.5) * np.array([(i, j) for i in range(side) for j in range(side)], dtype=float)
    X, truth = _clouds(rng, centres, int(rng.integers(25, 70)), 1.0)
    return _turned(rng, X), [truth]


@family
def many_clusters(rng):
    K, D = _whole(rng, 24, 80), int(rng.integers(2, 4))
    sizes = _sizes(rng, K, K * int(rng.integers(30, 80)), rng.choice([0.0, 0.4]))
    X, truth = _clouds(rng, _apart(rng, K, D, rng.uniform(4.2, 7.0)), sizes, np.exp(0.2 * rng.normal(size=K)))
    return _turned(rng, X), [truth]


@family
def uneven_sizes(rng):
    K = _whole(rng, 2, 12)
    sizes = _sizes(rng, K, _whole(rng, 500, 5000), rng.uniform(0.8, 1.6))
    X, truth = _clouds(rng, _apart(rng, K, 2, rng.uniform(4.5, 7.5)), np.maximum(sizes, 25), 1.0)
    return _turned(rng, X), [truth]


@family
def uneven_widths(rng):
    K = _whole(rng, 2, 10)
    spread = np.exp(rng.uniform(0.4, 0.9) * rng.normal(size=K))
    centres = _apart(rng, K, 2, rng.uniform(3.0, 5.0) * spread.max())
    X, truth = _clouds(rng, centres, _sizes(rng, K, _whole(rng, 400, 3000), rng.choice([0.0, 0.5])), spread)
    return _turned(rng, X), [truth]


@family
def stretched(rng):
    K = _whole(rng, 2, 8)
    truth = np.repeat(np.arange(K), _sizes(rng, K, _whole(rng, 300, 2500)))
    X = rng.normal(size=(len(truth), 2)) * (rng.uniform(2.0, 6.0), 1.0)
    same = rng.uniform() < 0.5  # in one direction, side by side; otherwise each in its own
    if same:
        return _turned(
            rng, X + np.column_stack([rng.uniform(-3, 3, K), rng.uniform(4.2, 7.0) * np.arange(K)])[truth]
        ), [truth]
    angles = rng.uniform(0, np.pi, K)[truth]
    X = np.column_stack(
        [X[:, 0] * np.cos(angles) - X[:, 1] * np.sin(angles), X[:, 0] * np.sin(angles) + X[:, 1] * np.cos(angles)]
    )
    return _turned(rng, X + _apart(rng, K, 2, rng.uniform(9.0, 14.0))[truth]), [truth]


@family
def overlapping(rng):
    K = _whole(rng, 2, 15)
    X, truth = _clouds(rng, _apart(rng, K, 2, rng.uniform(3.0, 4.2)), _sizes(rng, K, _whole(rng, 400, 5000)), 1.0)
    return _turned(rng, X), [truth]


@family
def long_tails(rng):
    """Dense cores with long tails, as the S-sets have them."""
    K = _whole(rng, 2, 20)
    truth = np.repeat(np.arange(K), _sizes(rng, K, _whole(rng, 500, 4000)))
    direction = rng.normal(size=(len(truth), 2))
    X = direction / np.sqrt(rng.gamma(2.5, size=len(truth)) / 2.5)[:, None]
    X *= np.exp(0.2 * rng.normal(size=(K, 2)))[truth]
    return _turned(rng, X + _apart(rng, K, 2, rng.uniform(4.0, 7.5))[truth]), [truth]


@family
def boxes(rng):
    """Even density up to a sharp edge: squares, discs, triangles."""
    K = _whole(rng, 2, 12)
    truth = np.repeat(np.arange(K), _sizes(rng, K, _whole(rng, 400, 3000), rng.choice([0.0, 0.6])))
    kind = rng.integers(0, 3, K)[truth]
    u, v = rng.uniform(size=(2, len(truth)))
    angle, radius = 2 * np.pi * u, np.sqrt(v)
    square = 2 * np.column_stack([u, v]) - 1
    disc = np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])
    fold = u + v > 1
    triangle = 2 * np.column_stack([np.where(fold, 1 - u, u), np.where(fold, 1 - v, v)]) - 1
    X = np.choose(kind[:, None], [square, disc, triangle])
    return _turned(rng, X + _apart(rng, K, 2, rng.uniform(2.1, 3.0))[truth]), [truth]


@family
def with_outliers(rng):
    K = _whole(rng, 2, 15)
    X, truth = _clouds(
        rng,
        _apart(rng, K, 2, rng.uniform(4.2, 7.0)),
        _sizes(rng, K, _whole(rng, 400, 3000), rng.choice([0.0, 0.7])),
        1.0,
    )
    X, truth = _with_noise(rng, X, truth, _between(rng, 0.02, 0.5))
    return _turned(rng, X), [truth]


@family
def nested(rng):
    """Groups of groups: both levels are right."""
    outer, inner = int(rng.integers(2, 5)), int(rng.integers(2, 5))
    near = _apart(rng, inner, 2, rng.uniform(5.0, 7.0))
    width = np.ptp(near, axis=0).max() + 6
    centres = (_apart(rng, outer, 2, rng.uniform(1.6, 3.0) * width)[:, None] + near).reshape(-1, 2)
    X, truth = _clouds(rng, centres, int(rng.integers(40, 150)), 1.0)
    return _turned(rng, X), [truth, truth // inner]


# ---- shapes ---------------------------------------------------------------------------------------------------------


def _moon(rng, n, noise):
    t = np.pi * rng.uniform(size=(2, n))
    X = np.vstack(
        [np.column_stack([np.cos(t[0]), np.sin(t[0])]), np.column_stack([1 - np.cos(t[1]), 0.5 - np.sin(t[1])])]
    )
    return X + noise * rng.normal(size=X.shape), np.repeat([0, 1], n)


@family
def moons(rng):
    X, truth = _moon(rng, _whole(rng, 120, 1500), rng.uniform(0.04, 0.17))
    if rng.uniform() < 0.3:
        X, truth = _with_noise(rng, X, truth, rng.uniform(0.02, 0.15))
    return _turned(rng, X), [truth]


@family
def rings(rng):
    K = int(rng.integers(2, 4))
    radius = np.arange(1, K + 1) + (rng.uniform(-0.4, 0.0) if rng.uniform() < 0.5 else 0)
    truth = np.repeat(np.arange(K), _whole(rng, 100, 800))
    angle = 2 * np.pi * rng.uniform(size=len(truth))
    along = radius[truth] + rng.uniform(0.06, 0.2) * rng.normal(size=len(truth))
    if rng.uniform() < 0.4:  # a blob in the middle instead of the innermost ring
        along[truth == 0] = np.abs(0.25 * rng.normal(size=(truth == 0).sum()))
    X = np.column_stack([along * np.cos(angle), along * np.sin(angle)])
    if rng.uniform() < 0.4:
        X, truth = _with_noise(rng, X, truth, rng.uniform(0.05, 0.25))
    return _turned(rng, X), [truth]


@family
def spirals(rng):
    arms = int(rng.integers(2, 4))
    truth = np.repeat(np.arange(arms), _whole(rng, 100, 700))
    t = np.sqrt(rng.uniform(0.05, 1, len(truth))) * rng.uniform(1.2, 2.2) * 2 * np.pi
    angle = t + 2 * np.pi * truth / arms
    X = t[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    return _turned(rng, X + rng.uniform(0.05, 0.35) * rng.normal(size=X.shape)), [truth]


@family
def curves(rng):
    """Arcs, lines, waves, zigzags and rings beside each other, some with noise."""
    K = int(rng.integers(2, 7))
    sizes = _sizes(rng, K, K * _whole(rng, 100, 500), rng.choice([0.0, 0.5]))
    centres, parts = _apart(rng, K, 2, rng.uniform(1.7, 2.6)), []
    for k in range(K):
        shape = _curve(rng, rng.choice(["arc", "line", "wave", "zigzag", "ring"]), sizes[k])
        parts.append(_turned_only(rng, shape) + centres[k])
    X, truth = np.vstack(parts), np.repeat(np.arange(K), sizes)
    X = X + rng.uniform(0.04, 0.15) * rng.normal(size=X.shape)
    if rng.uniform() < 0.5:
        X, truth = _with_noise(rng, X, truth, rng.uniform(0.03, 0.3))
    return _turned(rng, X), [truth]


def _turned_only(rng, X):
    angle = rng.uniform(0, 2 * np.pi)
    return X @ np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


@family
def parallel_curves(rng):
    """Curves that follow each other closely: parabolas, stripes, waves."""
    K, n = int(rng.integers(2, 5)), _whole(rng, 150, 700)
    bend, gap = rng.uniform(-1.2, 1.2), rng.uniform(0.35, 0.8)
    truth = np.repeat(np.arange(K), n)
    x = rng.uniform(-1, 1, len(truth))
    X = np.column_stack([x, bend * x**2 + gap * truth])
    X = X + gap * rng.uniform(0.05, 0.17) * rng.normal(size=X.shape)
    return _turned(rng, X), [truth]


@family
def worms(rng):
    K = int(rng.integers(3, 16))
    sizes = _sizes(rng, K, K * _whole(rng, 80, 250), 0.3)
    centres = _apart(rng, K, 2, 3.0)
    X = np.vstack([_walk(rng, n) + centre for n, centre in zip(sizes, centres)])
    X = X + rng.uniform(0.03, 0.12) * rng.normal(size=X.shape)
    return _turned(rng, X), [np.repeat(np.arange(K), sizes)]


@family
def mixed_shapes(rng):
    """Boxes, rings, curves and clouds of different density in a field of noise."""
    K = int(rng.integers(3, 9))
    sizes = _sizes(rng, K, K * _whole(rng, 150, 600), 0.5)
    centres, parts = _apart(rng, K, 2, rng.uniform(1.9, 2.7)), []
    for k in range(K):
        kind = rng.choice(["cloud", "box", "arc", "wave", "ring", "line"])
        if kind == "cloud":
            shape = rng.uniform(0.2, 0.4) * rng.normal(size=(sizes[k], 2))
        elif kind == "box":
            shape = rng.uniform(-1, 1, (sizes[k], 2)) * rng.uniform(0.4, 0.9, 2)
        else:
            shape = _curve(rng, kind, sizes[k]) + rng.uniform(0.05, 0.12) * rng.normal(size=(sizes[k], 2))
        parts.append(_turned_only(rng, shape) + centres[k])
    X, truth = np.vstack(parts), np.repeat(np.arange(K), sizes)
    if rng.uniform() < 0.6:
        X, truth = _with_noise(rng, X, truth, rng.uniform(0.03, 0.3))
    return _turned(rng, X), [truth]


@family
def bridged(rng):
    """Two to four clouds or boxes with a thin bridge of points between neighbours."""
    K, n = int(rng.integers(2, 5)), _whole(rng, 150, 600)
    centres = np.column_stack([rng.uniform(4.2, 7.0) * np.arange(K), rng.uniform(-1, 1, K)])
    X, truth = _clouds(rng, centres, n, 1.0)
    for a in range(K - 1):
        t = rng.uniform(0, 1, (int(rng.uniform(0.01, 0.1) * n) + 2, 1))
        line = centres[a] + t * (centres[a + 1] - centres[a]) + 0.1 * rng.normal(size=(len(t), 2))
        X, truth = np.vstack([X, line]), np.concatenate([truth, np.where(t[:, 0] < 0.5, a, a + 1)])
    return _turned(rng, X), [truth]


@family
def touching(rng):
    """Boxes that share a corner or an edge, one denser than the other, or with a narrow gap."""
    n, gap = _whole(rng, 300, 1500), rng.uniform(0.0, 0.15)
    K = int(rng.integers(2, 5))
    truth = np.repeat(np.arange(K), n)
    X = rng.uniform(0, 1, (len(truth), 2)) + np.column_stack([(1 + gap) * truth, rng.uniform(0, 0.6) * truth])
    return _turned(rng, X), [truth]


# ---- more columns ---------------------------------------------------------------------------------------------------


@family
def on_a_line(rng):
    K = _whole(rng, 2, 8)
    X, truth = _clouds(rng, np.cumsum(rng.uniform(3.8, 8.0, K))[:, None], _sizes(rng, K, _whole(rng, 200, 2000)), 1.0)
    return X * _between(rng, 0.01, 100), [truth]


@family
def blobs_in_many_columns(rng):
    K, D = _whole(rng, 2, 20), _whole(rng, 3, 30)
    sizes = _sizes(rng, K, _whole(rng, 300, 1500), rng.choice([0.0, 0.5]))
    apart = rng.uniform(3.8, 6.5) * max(1.0, (D / 4) ** 0.25)
    X, truth = _clouds(rng, _apart(rng, K, D, apart), sizes, np.exp(0.2 * rng.normal(size=K)))
    return _turned(rng, X), [truth]


@family
def some_columns_matter(rng):
    K, D, idle = _whole(rng, 2, 8), int(rng.integers(2, 6)), int(rng.integers(1, 8))
    X, truth = _clouds(rng, _apart(rng, K, D, rng.uniform(4.5, 8.0)), _sizes(rng, K, _whole(rng, 300, 1500)), 1.0)
    return np.hstack([X, rng.uniform(0.7, 1.5) * rng.normal(size=(len(X), idle))]) * _between(rng, 0.01, 100), [truth]


@family
def measured_like(rng):
    """As tables of measurements are: correlated columns, standardised, classes that overlap a little, few rows."""
    K, D = int(rng.integers(2, 6)), int(rng.integers(4, 20))
    sizes = _sizes(rng, K, _whole(rng, 150, 800), 0.4)
    truth = np.repeat(np.arange(K), sizes)
    mixing = rng.normal(size=(max(2, D // 3), D))
    inner = _apart(rng, K, mixing.shape[0], rng.uniform(3.0, 5.0))[truth] + rng.normal(
        size=(len(truth), mixing.shape[0])
    )
    X = inner @ mixing + rng.uniform(0.3, 1.0) * rng.normal(size=(len(truth), D))
    return (X - X.mean(axis=0)) / X.std(axis=0), [truth]


@family
def map_like(rng):
    """As maps of neighbours look: dense islands of uneven size and shape, some close together."""
    K, D = int(rng.integers(3, 15)), int(rng.integers(2, 6))
    sizes = _sizes(rng, K, _whole(rng, 500, 3000), 0.5)
    truth = np.repeat(np.arange(K), sizes)
    X = rng.standard_t(6, size=(len(truth), D))
    shapes = np.linalg.qr(rng.normal(size=(K, D, D)))[0] * np.exp(0.4 * rng.normal(size=(K, 1, D)))
    X = np.einsum("ni,nij->nj", X, shapes[truth])
    return _turned(rng, X + _apart(rng, K, D, rng.uniform(4.5, 8.0))[truth]), [truth]


# ---- everyday tables: measured columns beside counts, yes/no, months, ratings; standardised --------------------------


def _segments(rng, columns):
    K = int(rng.integers(3, 6))
    sizes = _sizes(rng, K, _whole(rng, 300, 1200), 0.3)
    return _clouds(rng, _apart(rng, K, columns, rng.uniform(5.0, 9.0)), sizes, 1.0)


def _standardised(*columns):
    X = np.column_stack(columns).astype(float)
    return (X - X.mean(axis=0)) / np.maximum(X.std(axis=0), 1e-12)


@family
def table_with_a_count(rng):
    X, truth = _segments(rng, int(rng.integers(2, 4)))
    count = np.clip(rng.poisson(rng.uniform(1.0, 4.0), len(X)) + 1, 1, 9)
    return _standardised(X, count), [truth]


@family
def table_with_yes_no(rng):
    X, truth = _segments(rng, int(rng.integers(2, 4)))
    answers = rng.uniform(size=(len(X), int(rng.integers(1, 3)))) < rng.uniform(0.25, 0.75)
    return _standardised(X, answers), [truth]


@family
def table_with_months(rng):
    X, truth = _segments(rng, int(rng.integers(2, 4)))
    return _standardised(X, rng.integers(1, 13, len(X))), [truth]


@family
def table_with_categories(rng):
    X, truth = _segments(rng, int(rng.integers(2, 4)))
    return _standardised(X, rng.integers(0, int(rng.integers(3, 6)), len(X))), [truth]


@family
def table_rounded(rng):
    """Measured, but written down in whole steps: about 15 to 60 values per column."""
    X, truth = _segments(rng, int(rng.integers(2, 5)))
    return _standardised(np.round(X / rng.uniform(0.25, 0.9))), [truth]


@family
def ratings_with_groups(rng):
    """Questionnaires, 1 to 5, 7 or 10, in which groups answer differently."""
    K, D, top = int(rng.integers(2, 4)), int(rng.integers(5, 12)), int(rng.choice([5, 7, 10]))
    truth = np.repeat(np.arange(K), _sizes(rng, K, _whole(rng, 200, 800), 0.3))
    while True:
        means = rng.uniform(1, top, (K, D))
        if min(np.linalg.norm(a - b) for i, a in enumerate(means) for b in means[:i]) > 0.35 * top * np.sqrt(D):
            break
    X = np.clip(np.round(means[truth] + 0.16 * top * rng.normal(size=(len(truth), D))), 1, top)
    return X, [truth]


@family
def two_counts(rng):
    """Nothing but counts, in groups: visits and purchases."""
    K = int(rng.integers(2, 4))
    truth = np.repeat(np.arange(K), _sizes(rng, K, _whole(rng, 300, 1000)))
    means = np.cumsum(rng.uniform(12, 25, (K, 2)), axis=0)
    return rng.poisson(means[truth]).astype(float), [truth]


# ---- nothing to find ------------------------------------------------------------------------------------------------


def _size_of_noise(rng):
    D = int(np.floor(np.exp(rng.uniform(0.0, np.log(16)))))
    return min(_whole(rng, 100, 8000), 8000 if D <= 3 else 1500), D


@family
def noise_even(rng):
    return rng.uniform(size=_size_of_noise(rng)), []


@family
def noise_cloud(rng):
    return rng.normal(size=_size_of_noise(rng)), []


@family
def noise_correlated(rng):
    n, D = _size_of_noise(rng)
    return rng.normal(size=(n, D)) @ rng.normal(size=(D, D)), []


@family
def noise_long_tails(rng):
    return rng.standard_t(rng.uniform(2.5, 8), size=_size_of_noise(rng)), []


@family
def noise_skewed(rng):
    n, D = _size_of_noise(rng)
    return (rng.exponential(size=(n, D)) if rng.uniform() < 0.5 else np.exp(0.6 * rng.normal(size=(n, D)))), []


@family
def noise_rounded(rng):
    n, D = _size_of_noise(rng)
    return np.round(rng.normal(size=(n, max(D, 2))) * _between(rng, 0.6, 6)), []


@family
def noise_ratings(rng):
    n, D = _whole(rng, 150, 1500), int(rng.integers(2, 12))
    return rng.integers(1, int(rng.choice([5, 7, 10])) + 1, (n, D)).astype(float), []


@family
def noise_beside_a_count(rng):
    """One cloud beside a count, yes/no or a month."""
    n, D = _whole(rng, 200, 1500), int(rng.integers(1, 4))
    extra = rng.integers(0, int(rng.choice([2, 3, 5, 9, 12])), (n, int(rng.integers(1, 3))))
    return _standardised(rng.normal(size=(n, D)), extra), []


# ---- more everyday tables: what people's files have beside their measurements ----------------------------------------


@judged_only
def table_with_many_answers(rng):
    """Several yes/no columns, each with a share of its own."""
    X, truth = _segments(rng, int(rng.integers(2, 6)))
    shares = rng.uniform(0.1, 0.9, int(rng.integers(1, 5)))
    return _standardised(X, rng.uniform(size=(len(X), len(shares))) < shares), [truth]


@judged_only
def table_with_a_related_answer(rng):
    """Yes/no that one segment says more often than another, and sometimes one that nobody's segment decides."""
    X, truth = _segments(rng, int(rng.integers(2, 5)))
    related = rng.uniform(size=len(X)) < rng.uniform(0.05, 0.95, truth.max() + 1)[truth]
    other = rng.uniform(size=(len(X), int(rng.integers(0, 2)))) < 0.5
    return _standardised(X, related, other), [truth]


@judged_only
def table_with_zeros(rng):
    """An amount that is 0 for many and skewed for the others."""
    X, truth = _segments(rng, int(rng.integers(2, 5)))
    amount = np.exp(rng.uniform(0.4, 1.0) * rng.normal(size=len(X)))
    return _standardised(X, np.where(rng.uniform(size=len(X)) < rng.uniform(0.3, 0.8), 0.0, amount)), [truth]


@judged_only
def table_with_ratings(rng):
    """Some ratings, 1 to 5 or 1 to 10, beside what was measured."""
    X, truth = _segments(rng, int(rng.integers(2, 5)))
    ratings = rng.integers(1, int(rng.choice([5, 10])) + 1, (len(X), int(rng.integers(1, 4))))
    return _standardised(X, ratings), [truth]


@judged_only
def table_with_kinds(rng):
    """A kind, one of three to six, as columns of 0 and 1."""
    X, truth = _segments(rng, int(rng.integers(2, 5)))
    kinds = rng.dirichlet(np.full(int(rng.integers(3, 7)), 3.0))
    return _standardised(X, np.eye(len(kinds))[rng.choice(len(kinds), len(X), p=kinds)]), [truth]


@judged_only
def table_with_gaps(rng):
    """Missing values, filled with the median of their column."""
    X, truth = _segments(rng, int(rng.integers(3, 6)))
    for column in X.T:
        column[rng.uniform(size=len(X)) < rng.uniform(0.0, 0.2)] = np.median(column)
    return _standardised(X), [truth]


@judged_only
def table_of_amounts(rng):
    """Skewed amounts whose segments differ by their logarithm, ages in whole years and a count that follows them."""
    X, truth = _segments(rng, int(rng.integers(2, 4)))
    X[:, 0] = np.exp(X[:, 0] / rng.uniform(4.0, 8.0))
    count = rng.poisson(rng.uniform(0.5, 6.0, truth.max() + 1)[truth])
    return _standardised(X, count, np.round(rng.normal(45, 14, len(X)))), [truth]


@judged_only
def table_with_idle_columns(rng):
    """A day of the year, a number of an order, an age: columns that say nothing, all values alike often."""
    X, truth = _segments(rng, int(rng.integers(2, 5)))
    idle = [rng.integers(1, 366, len(X)), rng.permutation(len(X)), np.round(rng.normal(45, 14, len(X)))]
    return _standardised(X, *idle[: int(rng.integers(1, 4))]), [truth]


@judged_only
def noise_table(rng):
    """One crowd: correlated measurements beside answers, a count, a rating, zeros."""
    n, D = _whole(rng, 200, 1500), int(rng.integers(2, 6))
    extra = [
        rng.uniform(size=n) < rng.uniform(0.2, 0.8),
        rng.poisson(2.0, n),
        rng.integers(1, 6, n),
        np.where(rng.uniform(size=n) < 0.5, 0.0, rng.exponential(size=n)),
    ]
    chosen = [extra[i] for i in rng.permutation(4)[: int(rng.integers(1, 4))]]
    return _standardised(rng.normal(size=(n, D)) @ rng.normal(size=(D, D)), *chosen), []


@judged_only
def gaps_filled_with_the_mean(rng):
    """Missing values, filled with the mean of their column: beside the everyday tables, which have the median."""
    X, truth = _segments(rng, int(rng.integers(3, 6)))
    for column in X.T:
        column[rng.uniform(size=len(X)) < rng.uniform(0.0, 0.2)] = column.mean()
    return _standardised(X), [truth]
